"""Read a picture: what lies in every slot of a calibrated table, with an honest confidence."""

from collections.abc import Collection, Sequence

import numpy as np

from calibration.bare import tell_apart
from calibration.deck import Deck
from calibration.errors import BadInput
from calibration.photo import Image
from calibration.slots import Slots, View
from calibration.table import Table
from calibration.warp import Floats, Halves, Indices, shrink
from vision.assign import assign
from vision.confidence import SURE, Evidence, ahead, chance, features
from vision.guess import Guess, Guesser
from vision.reading import PhotoReading, Reading, State
from vision.usable import check_deck, check_light, check_table, unseen

_ALSO = 3
# Log likelihood by which a card must be ahead to be believed although it lies elsewhere, too.
_TWICE = 60.0
_BACK = 0.6
_BLOCK = 4  # pixels by which card and tile are told apart
# Grey levels that a back must vary by so that its pattern counts as much as its colour.
_PATTERN = 8.0


class Reader:
    """Made once for a table and a deck; reads picture after picture."""

    def __init__(self, table: Table, deck: Deck) -> None:
        self.table = table
        self.slots = Slots(table)
        self.unique = not deck.copies
        self.guesser = Guesser(deck, self.slots.card, table.back)
        self.cards = self.guesser.cards
        self.bare = Halves(self.slots.bare_picture)
        self.blocks = np.diag([_BLOCK, _BLOCK, 1]).astype(np.float32)
        self.thumbs = shrink(self.guesser.pictures, _BLOCK)

    def read(
        self,
        image: Image,
        only: Sequence[str] | None = None,
        elsewhere: Collection[str] = (),
        source: str = "the picture",
    ) -> PhotoReading:
        """What lies in every slot, or in `only` some of them; `source` names it in errors.

        `elsewhere`: cards that are known to lie in the slots that are not read.
        """
        width, height = self.table.size
        if image.shape[:2] != (height, width):
            raise BadInput(
                f"{source}: has {image.shape[1]} x {image.shape[0]} pixels, the table was "
                f"calibrated with {width} x {height}; use the same camera setting"
            )
        view = self.slots.look(image)
        empty = self.slots.empty
        lost = unseen(view.coarse, empty)
        # Somebody who watches goes on when the lamp goes out; a whole picture must be usable.
        if only is None:
            check_light(view.coarse, empty, lost, source)
            check_table(view.followed, source)
        names = self.slots.names if only is None else tuple(only)
        some = np.array([self.slots.names.index(name) for name in names], np.intp)
        evidence = self.weigh(view, some, elsewhere)
        if only is None:
            check_deck(evidence, len(self.cards), source)
        readings = self.judge(evidence)
        for i in np.flatnonzero(lost[some]):
            readings[i] = Reading("covered", None, 0.5, False)
        return PhotoReading(dict(zip(names, readings, strict=True)), view.followed.shifted)

    def weigh(
        self, view: View, some: Indices | None = None, elsewhere: Collection[str] = ()
    ) -> Evidence:
        """Everything that decides about the slots, or about `some` of them."""
        if some is None:
            some = np.arange(len(self.slots.names))
        gains = (view.light.gains * self.slots.lit)[some]
        # A slot that looks bare and shows no sides is not searched for a card a second time.
        worth = (view.bare < 0.9) | (view.sides > 0.08)
        guess = self.guesser.guess(
            view.picture, view.cards[some], view.others[some], gains, worth[some]
        )
        faces = len(self.cards)
        if self.unique and elsewhere:
            guess.score[:, [self.cards.index(card) for card in elsewhere]] -= _TWICE
        best = guess.score.argmax(axis=1)
        apart = self._apart(guess, view, some, best)
        down = best == faces
        alike = np.where(down, self._like_back(guess.alike, apart), guess.alike)
        # Only what looks like a card takes part in sharing out the cards.
        real = np.flatnonzero((best < faces) & (alike > 0.6))
        margin = ahead(guess.score, best)
        if self.unique and 0 < len(real) <= faces:
            scores = guess.score[real, :faces]
            given = assign(scores)
            shared = _ahead_shared(scores, given)
            # A card that is plainly there twice is seen twice, and neither is sure.
            plain = scores.max(axis=1) - scores[np.arange(len(real)), given] > _TWICE
            best[real] = np.where(plain, best[real], given)
            margin[real] = np.where(plain, 0.0, np.minimum(shared, margin[real] + _TWICE))
        return Evidence(
            score=guess.score,
            best=best,
            margin=margin,
            alike=alike,
            explained=guess.explained,
            bare=view.bare[some],
            shaded=view.shaded[some],
            sides=view.sides[some],
            apart=apart,
        )

    def _apart(self, guess: Guess, view: View, some: Indices, best: Indices) -> Floats:
        """(n,) how much rather the best card lies in the slots `some` than nothing."""
        moved = np.linalg.inv(view.frames[some] @ np.linalg.inv(self.slots.frames[some]))
        w, h = self.slots.card
        tile = self.bare.take(moved @ guess.frames @ self.blocks, (w // _BLOCK, h // _BLOCK))
        lit = tile / self.slots.lit[some, None, None]
        seen = shrink(guess.patches, _BLOCK)
        return tell_apart(seen, self.thumbs[best], guess.light, lit)

    def _like_back(self, alike: Floats, apart: Floats) -> Floats:
        """(n,) likeness to the back: a plain one has no pattern, but it is not the tile."""
        pattern = self.guesser.pictures[-1].std(axis=(0, 1)).mean()
        share = pattern**2 / (pattern**2 + _PATTERN**2)
        return np.asarray(share * alike + (1 - share) * apart, np.float32)

    def judge(self, evidence: Evidence) -> list[Reading]:
        """A reading for every slot that the evidence is of."""
        numbers = features(evidence)
        faces = len(self.cards)
        down = evidence.best == faces
        # Hands were taken for backs with half of a back's likeness; a back has nearly all of it.
        back = np.minimum(chance(numbers, "back"), np.where(evidence.alike < _BACK, 0.4, 1.0))
        card = np.where(down, back, chance(numbers, "card"))
        empty, covered = chance(numbers, "empty"), chance(numbers, "covered")
        out = []
        for i, best in enumerate(evidence.best):
            also = self._also(evidence.score[i], int(best))
            state: State = "face-down" if down[i] else "card"
            value = float(card[i])
            if empty[i] > value:
                state, value = "empty", float(empty[i])
            if covered[i] > value:
                state, value = "covered", min(float(covered[i]), 1 - value)
            name = self.cards[best] if state == "card" else None
            out.append(Reading(state, name, value, value >= SURE, also))
        return out

    def _also(self, score: Floats, best: int) -> tuple[str, ...]:
        order = [int(k) for k in np.argsort(-score[: len(self.cards)])[: _ALSO + 1]]
        return tuple(self.cards[k] for k in order if k != best)[:_ALSO]


def _ahead_shared(score: Floats, given: Indices) -> Floats:
    """(n,) the same when a card must first be taken from the slot that holds it."""
    n, m = score.shape
    rows = np.arange(n)
    own = score[rows, given]
    rest = score.copy()
    rest[rows, given] = -np.inf
    price = np.zeros(m, np.float32)
    price[given] = np.maximum(own - rest.max(axis=1), 0.0)
    return np.asarray(own - (rest - price).max(axis=1), np.float32)
