"""How every card of a deck looks, the never shown ones composed from their colour and rank."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.bare import correlation
from calibration.common import find_common
from calibration.deck import Deck, split_name
from calibration.warp import Floats, Indices

# Two pixels show the same ink if they differ by about this many grey levels.
_INK = 24.0
# Say of the deck-wide change of inks against what other ranks show at the very same place.
_ANYWHERE = 0.15
_BINS = 16
_MOST_PAIRS = 5  # other colours and other ranks that are asked for a guess
_RECOGNISED = 0.85  # correlation from which a guess may tell the light on a card
_THUMB = 32  # pixels of card width that are enough to tell the light
# How far the light on a taught card may differ from that on the others: log brightness, log
# tint, grey levels of veil; and how many independent measurements a card's pixels amount to.
_BRIGHT, _TINT, _VEIL = 0.3, 0.08, 15.0
_INDEPENDENT = 300.0
_UNDIMMED = 0.8  # times the usual light that glare at least leaves of a card's own
_GLARE = 60.0  # grey levels that a lamp's reflection may lay over a whole card
# Grey levels within which colours of a rank show the same; which part of at least so many must;
# and from where on one colour differs.
_SAME, _MOST, _FEWEST, _OTHER = 16.0, 0.7, 4, 25.0

Inks = dict[tuple[str, str], Floats]


@dataclass(frozen=True)
class Looks:
    """`cards`: names; `pictures`: (m, h, w, 3) float32."""

    cards: tuple[str, ...]
    pictures: Floats


def looks_of(deck: Deck, size: tuple[int, int]) -> Looks:
    """Every card of the deck at `size` (w, h)."""
    crops = [cv2.resize(c, size, interpolation=cv2.INTER_AREA) for c in deck.crops]
    return compose(deck.names, np.array(crops, np.float32))


def compose(names: Sequence[str], samples: Floats) -> Looks:
    """Looks from samples (n, h, w, 3), as many of a card as there are."""
    samples = _steadied(names, samples)
    own = _by_card(names, samples)
    guesses, doubts = predict(own)
    full = {
        card: _blend(samples[_of(names, card)], guesses.get(card), doubts.get(card)) for card in own
    }
    cards = Deck(tuple(names), np.zeros((len(names), 1, 1, 3), np.uint8)).cards
    missing = [card for card in cards if card not in own]
    while missing:
        inks: Inks = {}
        filled = {card: _guess(card, full, inks) for card in missing}
        new = {card: guess for card, guess in filled.items() if guess is not None}
        if not new:
            new = {card: _unmixed(card, own) for card in missing}
        full |= new
        missing = [card for card in missing if card not in new]
    pictures = np.array([full[card] for card in cards], np.float32)
    return Looks(cards, pictures)


def predict(own: Mapping[str, Floats]) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """What the other cards say each shown card looks like, and (h, w) how far to doubt that."""
    guesses = {}
    inks: Inks = {}
    for card in own:
        guess = _guess(card, own, inks)
        if guess is not None:
            guesses[card] = guess
    off = {card: np.abs(own[card] - guess).mean(axis=2) for card, guess in guesses.items()}
    doubts: dict[str, Floats] = {}
    for rank in _ranks(guesses):
        # The median: a card that lay half under another must not make its whole rank doubtful.
        cards = [card for card in guesses if split_name(card)[1] == rank]
        middle = np.median([off[card] for card in cards], axis=0).astype(np.float32)
        doubt = 1.5 * cv2.GaussianBlur(middle, (0, 0), middle.shape[1] / 40)
        doubts |= dict.fromkeys(cards, doubt)
    return guesses, doubts


def even_light(names: Sequence[str], samples: Floats) -> Floats:
    """Samples (n, h, w, 3) brought to one light: what all share, then what others expect."""
    n, h, w = samples.shape[:3]
    size = (_THUMB, round(_THUMB * h / w))
    small = np.stack([cv2.resize(s, size, interpolation=cv2.INTER_AREA) for s in samples])
    gains, veils = np.ones((n, 3), np.float32), np.zeros((n, h, w), np.float32)
    common = find_common(names, small)
    if common is not None:
        gains = common.gains(small)
        small = small / gains[:, None, None]
    for i, gain, veil in _even_ranks(names, small):
        small[i] = (small[i] - veil[..., None]) / gain
        veils[i] = cv2.resize(veil, (w, h)) * float(gains[i].mean())
        gains[i] *= gain
    for _ in range(2):
        own = _by_card(names, small)
        guesses, _ = predict(own)
        for i, name in enumerate(names):
            wanted = guesses.get(name, own[name])
            flat = (small[i].reshape(1, -1, 3), wanted.reshape(1, -1, 3))
            if correlation(*flat)[0] < _RECOGNISED:
                continue
            gain, veil = fit_light(small[i], wanted)
            small[i] = (small[i] - veil[..., None]) / gain
            veils[i] += cv2.resize(veil, (w, h)) * float(gains[i].mean())
            gains[i] *= gain
    return np.asarray(np.clip((samples - veils[..., None]) / gains[:, None, None], 0, 255))


def _even_ranks(names: Sequence[str], samples: Floats) -> Iterator[tuple[int, Floats, Floats]]:
    """Gains and veil of every sample whose rank looks mostly the same in all colours."""
    for rank in dict.fromkeys(split_name(name)[1] for name in names):
        kin = [i for i, name in enumerate(names) if split_name(name)[1] == rank]
        if len({names[i] for i in kin}) < 4:
            continue
        middle = np.median(samples[kin], axis=0)
        for i in kin:
            gain, veil = fit_light(samples[i], middle, _GLARE)
            away = np.abs(samples[i] - middle * gain - veil[..., None]).max(axis=2)
            bright = middle.mean(axis=2)
            tint = np.ptp(np.log(gain))
            # Glare adds light to paper and ink alike; paler ink on the same paper is another ink.
            paler = float(veil.max()) > _VEIL and float(gain.mean()) < _UNDIMMED
            if not paler and ((away < 16.0) * bright).sum() > 0.6 * bright.sum() and tint < 0.25:
                yield i, gain, veil


def fit_light(seen: Floats, wanted: Floats, spread: float = _VEIL) -> tuple[Floats, Floats]:
    """Gains (3,) and a smooth veil (h, w) that turn `wanted` into `seen`, both (h, w, 3)."""
    h, w = seen.shape[:2]
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].reshape(2, -1)
    fields = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    want, see = wanted.reshape(-1, 3), seen.reshape(-1, 3)
    weight = np.ones(len(want))
    light = np.zeros(9)
    one = np.full((3, 3), 1 / 3)
    prior = np.zeros((9, 9))
    prior[:3, :3] = one / _BRIGHT**2 + (np.eye(3) - one) / _TINT**2
    prior[3:, 3:] = np.eye(6) / spread**2
    aim = prior @ np.array([1, 1, 1, 0, 0, 0, 0, 0, 0])
    for _ in range(5):
        per = (weight * (_INDEPENDENT / len(want) / 10.0**2))[:, None]
        normal, pull = prior.copy(), aim.copy()
        normal[3:, 3:] += 3 * fields.T @ (per * fields)
        for c in range(3):
            cross = fields.T @ (per[:, 0] * want[:, c])
            normal[c, c] += float((per[:, 0] * want[:, c] ** 2).sum())
            normal[c, 3:] += cross
            normal[3:, c] += cross
            pull[c] += float((per[:, 0] * want[:, c] * see[:, c]).sum())
            pull[3:] += fields.T @ (per[:, 0] * see[:, c])
        light = np.linalg.solve(normal, pull)
        away = np.abs(see - want * light[:3] - (fields @ light[3:])[:, None]).max(axis=1) / 20.0
        weight = 1 / (1 + away**2) ** 2
    veil = (fields @ light[3:]).reshape(h, w).astype(np.float32)
    return np.maximum(light[:3], 0.2).astype(np.float32), veil


def _steadied(names: Sequence[str], samples: Floats) -> Floats:
    """Samples (n, h, w, 3), showing what their rank shows in most colours wherever these agree.

    So glare, shadow and noise of one sample go. What one colour shows otherwise in most ranks,
    too, is its own and stays.
    """
    colours, ranks = (np.array(part) for part in zip(*map(split_name, names), strict=True))
    middles = samples.copy()
    agreed = np.zeros(samples.shape[:3], np.bool_)
    for rank in dict.fromkeys(ranks):
        kin = np.flatnonzero(ranks == rank)
        if len(set(colours[kin])) < _FEWEST:
            continue
        middles[kin] = np.median(samples[kin], axis=0)
        near = np.abs(samples[kin] - middles[kin]).max(axis=3) < _SAME
        agreed[kin] = near.mean(axis=0) >= _MOST
    out = samples.copy()
    for colour in dict.fromkeys(colours):
        kin = np.flatnonzero(colours == colour)
        away = np.where(agreed[kin, ..., None], samples[kin] - middles[kin], np.nan)
        known = agreed[kin].any(axis=0)
        usual = np.zeros(samples.shape[1:], np.float32)
        usual[known] = np.nanmedian(away[:, known], axis=0)
        same = agreed[kin] & (np.abs(usual).max(axis=2) < _OTHER)
        out[kin] = np.where(same[..., None], middles[kin], samples[kin])
    return out


def _by_card(names: Sequence[str], samples: Floats) -> dict[str, Floats]:
    return {name: np.median(samples[_of(names, name)], axis=0) for name in dict.fromkeys(names)}


def _of(names: Sequence[str], card: str) -> list[int]:
    return [i for i, name in enumerate(names) if name == card]


def _blend(samples: Floats, guess: Floats | None, doubt: Floats | None) -> Floats:
    """The mean of a card's samples, its guess helping out where a sample is not to be believed."""
    if guess is None or doubt is None:
        return np.asarray(np.median(samples, axis=0), np.float32)
    bound = 8.0 + 2.0 * doubt
    total = (0.7 / (1 + (doubt / 10.0) ** 2))[..., None]
    mean = total * guess
    for sample in samples:
        away = cv2.GaussianBlur(np.abs(sample - guess).max(axis=2), (0, 0), 1.0) / bound
        weight = (1 / (1 + (away / 2) ** 4))[..., None]
        mean, total = mean + weight * sample, total + weight
    return np.asarray(mean / total, np.float32)


def _guess(card: str, known: Mapping[str, Floats], inks: Inks) -> Floats | None:
    """A card from the same rank in other colours, recoloured as other ranks show it."""
    colour, rank = split_name(card)
    guesses = []
    for name, look in known.items():
        other, same = split_name(name)
        if same != rank or other == colour or name == card:
            continue
        pairs, crossed = _pairs(known, other, colour, rank)
        if pairs:
            if (other, colour) not in inks:
                inks[other, colour] = _ink_changes(pairs, crossed)
            guesses.append(_recolour(look, pairs, inks[other, colour]))
        if len(guesses) == _MOST_PAIRS:
            break
    return np.median(guesses, axis=0) if guesses else None


def _pairs(
    known: Mapping[str, Floats], other: str, colour: str, rank: str
) -> tuple[list[tuple[Floats, Floats]], bool]:
    """Cards in the other colour and in this one: of one rank if any are known, else of any.

    The second answer is True in the latter case.
    """
    ranks = [r for r in _ranks(known) if r != rank]
    here = [r for r in ranks if f"{colour}-{r}" in known]
    there = [r for r in ranks if f"{other}-{r}" in known]
    both = [(r, r) for r in there if r in here]
    # Cards of different ranks still share ground and frame, which most of them agree on.
    crossed = [(there[k % len(there)], r) for k, r in enumerate(here)] if there else []
    chosen = (both or crossed)[:_MOST_PAIRS]
    return [(known[f"{other}-{a}"], known[f"{colour}-{b}"]) for a, b in chosen], not both


def _recolour(look: Floats, pairs: Sequence[tuple[Floats, Floats]], inks: Floats) -> Floats:
    """Change the inks of `look` as they change from the first to the second of the pairs."""
    anywhere = inks[:, _bins(look.reshape(-1, 3))].T.reshape(look.shape)
    changes = np.stack([second - first for first, second in pairs])
    weights = np.stack(
        [np.exp(-((first - look) ** 2).sum(axis=2) / (2 * _INK**2)) for first, _ in pairs]
    )
    mean = anywhere
    for _ in range(2):
        # A second look leaves out what other pairs contradict, such as a card lying over one.
        away = ((changes - mean) ** 2).sum(axis=3) / (2 * (2 * _INK) ** 2)
        trust = (weights / (1 + away) ** 2)[..., None]
        mean = (_ANYWHERE * anywhere + (trust * changes).sum(axis=0)) / (
            _ANYWHERE + trust.sum(axis=0)
        )
    return look + mean


def _ink_changes(pairs: Sequence[tuple[Floats, Floats]], crossed: bool) -> Floats:
    """(3, bins): how each ink changes mostly, wherever on the card it appears."""
    first = np.concatenate([a.reshape(-1, 3) for a, _ in pairs])
    change = np.concatenate([(b - a).reshape(-1, 3) for a, b in pairs])
    size = 256 // _BINS
    place = _bins(first)
    count = np.bincount(place, minlength=size**3).astype(np.float32)
    sums = [
        np.bincount(place, weights=change[:, c], minlength=size**3).astype(np.float32)
        for c in range(3)
    ]
    cube = np.stack([count, *sums]).reshape(4, size, size, size)
    for _ in range(3):
        # Each ink turns into what most of it turns into, not into a mixture.
        mean = (cube[1:] / np.maximum(cube[0], 1e-6)).reshape(3, -1)
        away = ((change - mean[:, place].T) ** 2).sum(axis=1) / (2 * _INK**2)
        share = 1 / (1 + away) ** 2
        parts = [share, *(share * change[:, c] for c in range(3))]
        binned = [np.bincount(place, weights=p, minlength=size**3) for p in parts]
        cube = np.stack(binned).astype(np.float32).reshape(4, size, size, size)
        if crossed:
            # Between different ranks much else changes, but black and white are likely to stay.
            cube[0] += _greys() * (count.reshape(cube[0].shape) + 3)
    # Inks never seen take the change of the nearest one seen: ever wider blurs fill the gaps.
    total = cube.copy()
    for reach in (1, 2, 4):
        total += 1e-3**reach * _blurred(cube, reach)
    return np.asarray((total[1:] / np.maximum(total[0], 1e-12)).reshape(3, -1), np.float32)


def _greys() -> Floats:
    """(bins, bins, bins) 1 where blue, green and red are about equal."""
    place = np.indices((256 // _BINS,) * 3) * _BINS
    return np.asarray(np.ptp(place, axis=0) <= 2 * _BINS, np.float32)


def _bins(colours: Floats) -> Indices:
    size = 256 // _BINS
    index = (colours / _BINS).clip(0, size - 1).astype(np.int64)
    return np.asarray((index[:, 0] * size + index[:, 1]) * size + index[:, 2], np.intp)


def _blurred(cube: Floats, reach: int) -> Floats:
    steps = np.arange(cube.shape[1])
    blur = np.exp(-((steps[:, None] - steps) ** 2) / (2.0 * reach**2)).astype(np.float32)
    spread = np.einsum("cxyz,xi,yj,zk->cijk", cube, blur, blur, blur, optimize=True)
    return np.asarray(spread, np.float32)


def _unmixed(card: str, own: Mapping[str, Floats]) -> Floats:
    """Nothing links this colour and rank: the mean of what has either."""
    colour, rank = split_name(card)
    some = [look for name, look in own.items() if set(split_name(name)) & {colour, rank}]
    return np.asarray(np.mean(some, axis=0), np.float32)


def _ranks(known: Mapping[str, Floats]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(split_name(name)[1] for name in known))
