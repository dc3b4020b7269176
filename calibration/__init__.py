"""Photographs of this table and this deck become a Table and a Deck."""
