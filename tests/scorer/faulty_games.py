"""Random games with random mistakes of every kind; about half of them have none."""

import random

from tests.scorer.referee import (
    COLOURS,
    FACE_DOWN,
    HANDS,
    RANKS,
    START_PER_TILE,
    TILES,
    Record,
    beside,
    fits,
    ring,
    tile_of,
)

SHIELD_COLOURS = ["red", "blue", "green", "yellow"]
NAMES = ["Ann", "Ben", "Cleo", "Dan"]
TURN_MISTAKES = [
    "taken",
    "unknown",
    "twice",
    "not-in-game",
    "player",
    "no-match",
    "isolated",
    "elsewhere",
    "second",
    "many",
    "face-down",
    "last-shield",
]
START_MISTAKES = ["fewer", "more", "tile", "twice", "unknown", "not-in-game", "none"]


def foreign_card(rng: random.Random, n: int) -> str:
    """A card that is not in a game of n players."""
    out = [f"{c}-{r}" for c in COLOURS for r in (1, 2, 7, 8, 9, 12) if r not in RANKS[n]]
    return rng.choice([rng.choice(out), rng.choice(out), "pink-5", "black-3", "red-star"])


def foreign_slot(rng: random.Random, n: int) -> str:
    """A name that is no slot."""
    t = TILES[n]
    return rng.choice(
        [f"{t + 1}N1", f"{t + 2}S3", "0N1", "1N4", "2S0", "1X2", "N", "w", "2n1", "1W", ""]
    )


def deal(rng: random.Random, n: int) -> tuple[dict[str, str], list[list[str]], list[str]]:
    """The start cards, the hands, and the cards nobody holds."""
    deck = [f"{c}-{r}" for c in COLOURS for r in RANKS[n]]
    rng.shuffle(deck)
    start = {}
    middle = rng.random() < 0.5
    for t in range(1, TILES[n] + 1):
        own = [s for s in ring(n) if tile_of(s, n) == t]
        if middle:
            own = [f"{t}N2", f"{t}S2"]
        for slot in rng.sample(own, START_PER_TILE[n]):
            start[slot] = deck.pop()
    hands = [[deck.pop() for _ in range(size)] for size in HANDS[n]]
    return start, hands, deck


def spoil_start(rng: random.Random, n: int, start: dict[str, str], kind: str) -> None:
    """Put one kind of mistake into the start cards."""
    slots = list(start)
    free = [s for s in ring(n) if s not in start]
    one = rng.choice(slots)
    if kind == "fewer":
        del start[one]
    elif kind == "more":
        unused = [f"{c}-{r}" for c in COLOURS for r in RANKS[n] if f"{c}-{r}" not in start.values()]
        start[rng.choice(free)] = rng.choice(unused)
    elif kind == "tile":
        start[rng.choice([s for s in free if tile_of(s, n) != tile_of(one, n)])] = start.pop(one)
    elif kind == "twice":
        start[one] = start[rng.choice([s for s in slots if s != one])]
    elif kind == "unknown":
        start[foreign_slot(rng, n)] = start.pop(one)
    elif kind == "not-in-game":
        start[one] = foreign_card(rng, n)
    elif kind == "none":
        start.clear()


def random_record(seed: int) -> Record:
    """One game, spoilt or not, cut short or played on after its end."""
    rng = random.Random(seed)
    n = rng.choice([2, 3, 4])
    rulings = {
        name: rng.choice([True, False])
        for name in ("neighbours-cross-tiles", "last-shield")
        if rng.random() < 0.8
    }
    cross = rulings.get("neighbours-cross-tiles", True)
    last_shield = rulings.get("last-shield", True)
    start, hands, spare = deal(rng, n)
    record: Record = {
        "game": "clans-and-glory",
        "players": [{"name": NAMES[p], "shields": SHIELD_COLOURS[p]} for p in range(n)],
        "start": start,
        "turns": [],
    }
    if rulings or rng.random() < 0.5:
        record["rulings"] = rulings

    spoilt = rng.random() < 0.5
    rate = 0.0
    kinds: list[str] = []
    hog: int | None = None
    if spoilt:
        rate = rng.choice([0.05, 0.15, 0.4])
        kinds = rng.sample(TURN_MISTAKES, rng.randint(1, len(TURN_MISTAKES)))
        if rng.random() < 0.3:
            spoil_start(rng, n, start, rng.choice(START_MISTAKES))
        if rng.random() < 0.1:
            hog = rng.randrange(n)  # from some turn on plays every turn: runs out of cards
    hog_from = rng.randrange(12)

    table = {s: c for s, c in start.items() if s in ring(n)}
    shields = [5] * n
    greed = rng.choice([0.3, 0.6, 0.9])

    def near(slot: str) -> list[str]:
        return [table[s] for s in beside(slot, n, cross) if table.get(s, FACE_DOWN) != FACE_DOWN]

    laid = [0] * n
    while laid[-1] < HANDS[n][-1] and len(record["turns"]) < 45:
        k = len(record["turns"])
        player = k % n
        kind = rng.choice(kinds) if rng.random() < rate else None
        if kind == "player":
            player = rng.choice([p for p in range(n) if p != k % n])
        if hog is not None and k >= hog_from and player != hog:
            player, kind = hog, "player"
        hand = hands[player] or spare or ["red-3"]
        free = [s for s in ring(n) if s not in table]
        good = [(c, s) for s in free for c in hand if any(fits(c, o) for o in near(s))]
        bad = [(c, s) for s in free for c in hand if (c, s) not in good]
        wrong = [(c, s) for c, s in bad if near(s)]
        alone = [(c, s) for c, s in bad if not near(s)]

        # the card and its slot
        if good:
            held, slot = rng.choice(good)
            card = held
        else:
            held, slot, card = rng.choice(hand), rng.choice(free or list(table)), FACE_DOWN
        if kind == "taken" and table:
            slot = rng.choice(list(table))
        elif kind == "unknown":
            slot = foreign_slot(rng, n)
        elif kind == "twice" and table:
            card = rng.choice(list(table.values()))
        elif kind == "not-in-game":
            card = foreign_card(rng, n)
        elif kind == "no-match" and wrong:
            held, slot = rng.choice(wrong)
            card = held
        elif kind == "isolated" and alone:
            held, slot = rng.choice(alone)
            card = held
        elif kind == "face-down":
            card = FACE_DOWN
        turn: Record = {"player": player, "slot": slot, "card": card}

        # the shield
        tile = tile_of(slot, n)
        others = [t for t in range(1, TILES[n] + 1) if t != tile]
        last = player == n - 1 and len(hands[player]) == 1
        if shields[player] and rng.random() < greed and (last_shield or not last):
            turn["shield"] = rng.choice([True, True, tile or True, [tile or True]])
        elif rng.random() < 0.3:
            turn["shield"] = rng.choice([False, []])
        if kind == "elsewhere":
            turn["shield"] = rng.choice([rng.choice(others), [rng.choice(others)]])
        elif kind == "second":
            turn["shield"] = [tile or 1, rng.choice([tile or 1, *others])]
        elif kind == "many":
            turn["shield"] = [tile or 1] * rng.randint(2, 7) if rng.random() < 0.3 else True
        elif kind == "last-shield" and last:
            turn["shield"] = True

        record["turns"].append(turn)
        if slot in free:
            table[slot] = card
            laid[player] += 1
            if held in hands[player]:
                hands[player].remove(held)
        given = turn.get("shield") or []
        shields[player] = max(0, shields[player] - (len(given) if isinstance(given, list) else 1))

    if spoilt and rng.random() < 0.3:
        for _ in range(rng.randint(1, 3)):
            k = len(record["turns"])
            turn = {
                "player": rng.choice([k % n, k % n, rng.randrange(n)]),
                "slot": rng.choice(ring(n)),
                "card": rng.choice([*spare, FACE_DOWN]),
            }
            if rng.random() < 0.5:
                turn["shield"] = rng.choice([True, rng.randint(1, TILES[n]), [1, 2]])
            record["turns"].append(turn)
    elif rng.random() < 0.2:
        record["turns"] = record["turns"][: rng.randint(0, len(record["turns"]))]
    return record
