"""Draw a table, its findings and its score as text for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.cards import parse_card
from scorer.game import Player
from scorer.layout import Layout
from scorer.position import Position
from scorer.sentences import load_words

FREE = " . "
HIDDEN = " # "


def draw_table(position: Position, layout: Layout) -> str:
    """The tiles in a row with their cards (colour's first letter and rank) and shield stacks.

    Players' shields are shown as their numbers, oldest first.
    """
    tiles = list(layout.tiles)
    far, near = _side(position, layout, far=True), _side(position, layout, far=False)
    stacks = ["".join(str(p) for p in position.stacks.get(tile, ())) for tile in tiles]
    left, right = (_head(position, layout, tile) for tile in (tiles[0], tiles[-1]))
    edge = "   +" + "+".join("-" * 11 for _ in tiles) + "+"
    return "\n".join(
        (
            "    " + " ".join(f"{f'tile {tile}':^11}" for tile in tiles).rstrip(),
            edge,
            "   |" + "|".join(far) + "|",
            f"{left}|" + "|".join(f"{stack:^11}" for stack in stacks) + f"|{right}".rstrip(),
            "   |" + "|".join(near) + "|",
            edge,
        )
    )


def draw_check(check: Mapping[str, Any], players: Sequence[Player], language: str) -> str:
    """The findings of the `check` format, a line each, and who is next."""
    words = load_words(language)["report"]
    lines = []
    for finding in check["findings"]:
        turn = finding["turn"]
        when = words["start"] if turn is None else words["turn"].format(turn=turn)
        lines.append(f"{when:>9}  {finding['code']:<17} {finding['text']}")
    if not lines:
        lines.append(words["nothing"])
    if check["next_player"] is None:
        lines.append(words["over"])
    else:
        lines.append(words["next"].format(player=players[check["next_player"]].name))
    return "\n".join(lines)


def draw_score(score: Mapping[str, Any], language: str) -> str:
    """The `score` format: tile by tile who takes what, then everybody's sum."""
    words = load_words(language)["report"]
    names = {p["player"]: p["name"] for p in score["players"]}
    lines = []
    for tile in score["tiles"]:
        rows = [(names[a["player"]], a["points"], a["cards"]) for a in tile["awards"]]
        if tile["unclaimed"]:
            rows.append((words["nobody"], "-", tile["unclaimed"]))
        for name, points, cards in rows:
            where = words["tile"].format(tile=tile["tile"])
            lines.append(f"{where:<8} {name:<12} {points:>3}  {' '.join(cards)}")
    lines.append("")
    for player in sorted(score["players"], key=lambda p: (p["place"], p["player"])):
        lines.append(words["place"].format(**player))
    if not score["final"]:
        lines.append(words["open"])
    return "\n".join(lines)


def _side(position: Position, layout: Layout, *, far: bool) -> list[str]:
    """The far or the near side of each tile, its slots from the left."""
    sides = []
    for slots in layout.tiles.values():
        upright = [slot for slot in slots if slot not in layout.turned]
        edge = (min if far else max)(layout.centres[slot][1] for slot in upright)
        row = sorted(
            (layout.centres[slot][0], slot) for slot in upright if layout.centres[slot][1] == edge
        )
        sides.append(f"{' '.join(_cell(position, slot) for _, slot in row):^11}")
    return sides


def _head(position: Position, layout: Layout, tile: int) -> str:
    turned = [slot for slot in layout.tiles[tile] if slot in layout.turned]
    return _cell(position, turned[0]) if turned else "   "


def _cell(position: Position, slot: str) -> str:
    name = position.cards.get(slot)
    if name is None:
        return FREE
    card = parse_card(name)
    return HIDDEN if card is None else f"{f'{card.colour[0].upper()}{card.rank}':^3.3}"
