"""A frame, a Table and a Deck become a Reading of every slot."""
