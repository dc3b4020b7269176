"""Several readings of one slot become one: more certain than any single frame."""

from collections import defaultdict
from collections.abc import Sequence

from vision.reading import Reading

ENOUGH = 3  # frames that must agree
AGAINST = 6  # frames that must agree against what the look of the slot says
_UNSURE = 5  # frames that must agree, none of them sure, before that is told
_MOST = 8  # frames after which disagreement is called unsure


def decide(votes: Sequence[Reading], expected: Reading | None = None) -> Reading | None:
    """What the votes say together, or None while more are needed.

    `expected` is what was believed of a slot that looks as it did: it stands unless all votes
    are sure of something else.
    """
    if expected is not None:
        return _confirm(votes, expected)
    last = votes[-ENOUGH:]
    if len(last) < ENOUGH:
        return None
    if _agree(last):
        return _strongest(last)
    last = votes[-_UNSURE:]
    if len(last) == _UNSURE and not any(v.sure for v in last) and len({_key(v) for v in last}) == 1:
        # Frames differ by noise alone; what is hard to read in five stays so in eight.
        return _weigh(last)
    return None if len(votes) < _MOST else _weigh(votes[-_MOST:])


def _confirm(votes: Sequence[Reading], expected: Reading) -> Reading | None:
    same = [v for v in votes if _key(v) == _key(expected)]
    if expected.sure:
        if same or not _agree(votes):
            return expected
        return _strongest(votes) if len(votes) >= AGAINST else None
    return _weigh(votes) if len(votes) >= AGAINST else None


def _agree(votes: Sequence[Reading]) -> bool:
    return all(v.sure and _key(v) == _key(votes[0]) for v in votes)


def _key(vote: Reading) -> tuple[str, str | None]:
    return vote.state, vote.card


def _strongest(votes: Sequence[Reading]) -> Reading:
    return max(votes, key=lambda vote: vote.confidence)


def _weigh(votes: Sequence[Reading]) -> Reading:
    """The reading with most confidence behind it; sure only if no other is, and most are."""
    weight: dict[tuple[str, str | None], float] = defaultdict(float)
    for vote in votes:
        weight[_key(vote)] += vote.confidence
    state, card = max(weight, key=lambda key: weight[key])
    backing = [v for v in votes if _key(v) == (state, card)]
    sure = sum(v.sure for v in backing)
    against = sum(v.sure for v in votes) - sure
    others = {c: w for (_, c), w in weight.items() if c is not None and c != card}
    ranked = sorted(others, key=lambda c: -others[c])
    also = dict.fromkeys([*ranked, *(c for v in backing for c in v.also if c != card)])
    confidence = min(1.0, weight[state, card] / len(votes))
    return Reading(
        backing[0].state, card, confidence, against == 0 and 2 * sure > len(votes), tuple(also)[:4]
    )
