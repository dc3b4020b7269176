"""A second referee, written from the rules alone and sharing no code with the first.

Plain lists and dictionaries of the record format in, the `check` and `score` formats out.
"""

from functools import cache
from typing import Any

Record = dict[str, Any]

COLOURS = ["red", "orange", "yellow", "green", "blue", "purple", "white"]
FACE_DOWN = "face-down"
TILES = {2: 4, 3: 5, 4: 6}  # CG-3
RANKS = {2: [3, 4, 5, 6], 3: [3, 4, 5, 6, 7], 4: [3, 4, 5, 6, 7, 8]}  # CG-8
START_PER_TILE = {2: 2, 3: 1, 4: 1}
HANDS = {2: [9, 8], 3: [9, 9, 8], 4: [8, 8, 8, 7]}  # CG-11
SHIELDS = 5  # CG-12


@cache
def ring(n: int) -> list[str]:
    """All slots for n players, in ring order (CG-6)."""
    t = TILES[n]
    north = [f"{x}N{i}" for x in range(1, t + 1) for i in (1, 2, 3)]
    south = [f"{x}S{i}" for x in range(1, t + 1) for i in (1, 2, 3)]
    return ["W", *north, "E", *south[::-1]]


@cache
def tile_of(slot: str, n: int) -> int | None:
    """The tile a slot belongs to, None for an unknown slot."""
    if slot not in ring(n):
        return None
    return {"W": 1, "E": TILES[n]}.get(slot) or int(slot[0])


@cache
def beside(slot: str, n: int, cross: bool) -> list[str]:
    """The slots a card there can match: ring neighbours and the opposite one (CG-6, CG-7)."""
    slots = ring(n)
    if slot not in slots:
        return []
    k = slots.index(slot)
    near = [slots[k - 1], slots[(k + 1) % len(slots)]]
    if not cross:
        near = [s for s in near if tile_of(s, n) == tile_of(slot, n)]
    if slot in ("W", "E"):
        opposite = "E" if slot == "W" else "W"
    else:
        opposite = slot[0] + ("S" if slot[1] == "N" else "N") + slot[2]
    return [*near, opposite]


def colour_and_rank(card: str) -> tuple[str, str]:
    """The two words of a card's name."""
    colour, _, rank = card.rpartition("-")
    return colour, rank


@cache
def in_game(card: str, n: int) -> bool:
    """Whether n players use this card."""
    return card in [f"{c}-{r}" for c in COLOURS for r in RANKS[n]]


def fits(card: str, other: str) -> bool:
    """Both face up, and the same colour or the same rank."""
    if FACE_DOWN in (card, other):
        return False
    (c1, r1), (c2, r2) = colour_and_rank(card), colour_and_rank(other)
    return c1 == c2 or r1 == r2


def shield_tiles(turn: Record, tile: int | None) -> list[int | None]:
    """The tiles of all shields recorded in a turn; `tile` is where the turn's card went."""
    value = turn.get("shield")
    values = value if isinstance(value, list) else [value]
    return [tile if v is True else v for v in values if v is not None and v is not False]


def replay(
    record: Record,
) -> tuple[list[Record], bool, dict[str, str], dict[int, list[int]]]:
    """Play the record through: (findings, over, table slot->card, stacks tile->players)."""
    n = len(record["players"])
    if n not in TILES:
        raise ValueError(f"{n} players; expected 2, 3 or 4")
    rulings = record.get("rulings") or {}
    cross = rulings.get("neighbours-cross-tiles", True)
    last_shield = rulings.get("last-shield", True)

    slots = ring(n)
    tiles = range(1, TILES[n] + 1)
    table: dict[str, str] = {}
    stacks: dict[int, list[int]] = {t: [] for t in tiles}
    played = [0] * n  # cards laid by each player
    placed = [0] * n  # shields laid by each player
    findings: list[Record] = []

    def say(turn: int | None, code: str, where: list[str], cards: list[str]) -> None:
        findings.append({"turn": turn, "code": code, "slots": list(where), "cards": list(cards)})

    def say_of_card(turn: int | None, card: str, slot: str) -> None:
        """The codes that start cards and played cards share."""
        if slot not in slots:
            say(turn, "unknown-slot", [slot], [card])
        if slot in table:
            say(turn, "slot-taken", [slot], [card, table[slot]])
        if card != FACE_DOWN:
            if not in_game(card, n):
                say(turn, "card-not-in-game", [slot], [card])
            same = [s for s in table if table[s] == card]
            if same:
                say(turn, "card-twice", [slot, *same], [card])

    # Start cards
    start = record.get("start") or {}
    for slot, card in start.items():
        say_of_card(None, card, slot)
        if slot in slots:
            table[slot] = card
    on_tiles = {t: [s for s in table if tile_of(s, n) == t] for t in tiles}
    wrong = [here for here in on_tiles.values() if len(here) != START_PER_TILE[n]]
    if wrong:
        lying = [s for here in wrong for s in here]
        say(None, "setup-count", lying, [table[s] for s in lying])

    # Turns
    over = False
    for k, turn in enumerate(record.get("turns") or []):
        player, slot, card = turn["player"], turn["slot"], turn["card"]
        if player not in range(n):
            raise ValueError(f"turn {k}: no player {player!r}")
        tile = tile_of(slot, n)
        shields = shield_tiles(turn, tile)
        was_over = over

        # what is wrong with the card
        if was_over:
            say(k, "game-over", [slot], [card])
        if player != k % n:
            say(k, "not-your-turn", [slot], [card])
        if played[player] >= HANDS[n][player]:
            say(k, "hand-empty", [slot], [card])
        say_of_card(k, card, slot)
        if card != FACE_DOWN and slot in slots:
            open_cards = [s for s in beside(slot, n, cross) if table.get(s, FACE_DOWN) != FACE_DOWN]
            if not open_cards:
                say(k, "isolated", [slot], [card])
            elif not any(fits(card, table[s]) for s in open_cards):
                say(k, "no-match", [slot, *open_cards], [card] + [table[s] for s in open_cards])

        # lay the card
        if slot in slots and slot not in table and not was_over:
            table[slot] = card
            played[player] += 1
        over = played[n - 1] >= HANDS[n][n - 1]

        # the shields; without `last-shield` the end comes before the last turn's shield
        too_late = was_over or (over and not last_shield)
        if too_late and not was_over and shields:
            say(k, "game-over", [slot], [card])
        for i, where in enumerate(shields):
            if where != tile:
                say(k, "shield-elsewhere", [slot], [card])
            if i > 0:
                say(k, "shield-second", [slot], [card])
            if placed[player] >= SHIELDS:
                say(k, "no-shield-left", [slot], [card])
            elif not too_late and where is not None:
                stacks[where].append(player)
                placed[player] += 1

    return findings, over, table, stacks


def check(record: Record) -> Record:
    """The `check` format, without sentences."""
    findings, over, _, _ = replay(record)
    n = len(record["players"])
    return {
        "findings": findings,
        "over": over,
        "next_player": None if over else len(record.get("turns") or []) % n,
    }


def score_tile(cards: list[str], stack: list[int]) -> tuple[list[Record], list[str]]:
    """(awards, unclaimed) for the face-up cards of a tile and its shields, oldest first (CG-20)."""
    by_rank: dict[int, list[str]] = {}
    rankless = []
    for card in cards:
        rank = colour_and_rank(card)[1]
        if rank.isdecimal():
            by_rank.setdefault(int(rank), []).append(card)
        else:
            rankless.append(card)
    ranks = sorted(by_rank)
    awards = [
        {
            "player": player,
            "rank": rank,
            "cards": by_rank[rank],
            "points": rank * len(by_rank[rank]),
        }
        for player, rank in zip(stack, ranks, strict=False)
    ]
    unclaimed = [card for rank in ranks[len(stack) :] for card in by_rank[rank]]
    return awards, unclaimed + rankless


def score(record: Record) -> Record:
    """The `score` format."""
    _, over, table, stacks = replay(record)
    n = len(record["players"])
    points, cards = [0] * n, [0] * n
    tiles = []
    for t, stack in stacks.items():
        here = [
            table[s] for s in ring(n) if s in table and tile_of(s, n) == t and table[s] != FACE_DOWN
        ]
        awards, unclaimed = score_tile(here, stack)
        for a in awards:
            points[a["player"]] += a["points"]
            cards[a["player"]] += len(a["cards"])
        tiles.append({"tile": t, "shields": stack, "awards": awards, "unclaimed": unclaimed})

    result = list(zip(points, cards, strict=True))  # CG-21
    place = [1 + sum(other > mine for other in result) for mine in result]
    return {
        "final": over,
        "winners": [p for p in range(n) if place[p] == 1],
        "players": [
            {
                "player": p,
                "name": record["players"][p].get("name"),
                "points": points[p],
                "cards": cards[p],
                "place": place[p],
            }
            for p in range(n)
        ],
        "tiles": tiles,
    }
