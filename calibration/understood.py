"""What two photographs say about a table, and whether that can be believed."""

from dataclasses import dataclass

from calibration.layout import Layout, Points

ENOUGH = 0.6
MORE = 0.25  # cards' worth of something in the rows without a slot
CROWDED = 0.88
SENSE, ALIKE = 0.77, 0.8


@dataclass(frozen=True)
class Understood:
    """The table understood from two photographs, in pixels of the given photographs.

    `outlines`: slot -> (4, 2) where cards belong. `cards`: slot -> (4, 2) where one was seen.
    `gains`: slot -> (3,) how many times brighter the second photograph is there. `beyond`: how
    many cards' worth lies in line with the slots without one. `crowding`: how near the nearest
    two slots are, 1 being cards that just touch. `sense`: 0 to 1, how well the cards make
    sense together: people lay cards a little off, not half a card. `likeness`: -1 to 1, how alike
    the cards look.
    """

    outlines: dict[str, Points]
    cards: dict[str, Points]
    gains: dict[str, Points]
    beyond: float
    crowding: float
    sense: float
    likeness: float


def doubt(seen: Understood, layout: Layout) -> str | None:
    """Why the slots cannot be told for sure, if so."""
    found, slots = len(seen.cards), len(layout.slots)
    players = "is the number of players right?"
    unclear = seen.likeness < ALIKE
    if seen.beyond > MORE and not unclear:
        return f"more cards lie in the row than the layout's {slots} slots; {players}"
    if seen.crowding < CROWDED and not unclear:
        return f"the layout's {slots} slots do not fit the cards that lie there; {players}"
    bare = [tile for tile, names in layout.tiles.items() if not seen.cards.keys() & set(names)]
    if bare and not unclear:
        return f"only {found} of {slots} cards found, none on tile {', '.join(bare)}; {players}"
    if unclear or found < ENOUGH * slots or seen.sense < SENSE:
        return (
            f"only {found} of {slots} cards found for sure, too few to tell the slots; lay a card "
            f"face down in every slot, in even light without glare ({players})"
        )
    return None
