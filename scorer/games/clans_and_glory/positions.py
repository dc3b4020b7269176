"""Judge a position that nobody saw arise: can every card in it have been laid by the rules?

Laying more cards never makes another card illegal, so only what touches and matches counts: cards
that do form groups, and a whole group can be laid in order once one of its cards lies there. That
one must be a start card. So every group needs a start card of its own on one of its tiles.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.cards import FACE_DOWN, parse_card
from scorer.findings import Finding
from scorer.games.clans_and_glory.rules import ClansRules
from scorer.report import finding_to_json

Group = tuple[str, ...]


@dataclass(frozen=True)
class PositionJudgement:
    """What can be said of a position.

    `findings`: what is wrong whatever the order of play was. `possible`: there is an order in
    which every card was legal; then `start` and `order` are one. Otherwise `groups` lack a start
    card, or some of them do (`short` at least); each was begun by an illegal card. `never` are the
    slots whose card cannot have been legal in any order.
    """

    findings: tuple[Finding, ...]
    possible: bool
    start: tuple[str, ...]
    order: tuple[str, ...]
    short: int
    groups: tuple[Group, ...]
    never: tuple[str, ...]


def judge_position(
    rules: ClansRules, cards: Mapping[str, str], start: frozenset[str] | None = None
) -> PositionJudgement:
    """Judge what lies there; `start` are the slots of the start cards where they are known."""
    findings = _judge_cards(rules, cards)
    lying = {s: c for s, c in cards.items() if s in rules.touching and c != FACE_DOWN}
    touching = {slot: _matching(rules, lying, slot) for slot in lying}
    groups = _groups(touching)
    if start is None:
        findings += _judge_room_for_start(rules, lying)
        chosen, without = _choose_start(rules, lying, groups)
    else:
        chosen = tuple(slot for slot in lying if slot in start)
        without = tuple(group for group in groups if not start.intersection(group))
    never = tuple(g[0] for g in without if len(g) == 1) if start is not None else ()
    for slot in never:
        others = {other: card for other, card in lying.items() if other != slot}
        findings += rules.judge_match(others, slot, lying[slot])
    short = len(without)
    suspects = without if start is not None else _interchangeable(rules, groups, without)
    possible = not findings and not short
    return PositionJudgement(
        findings=tuple(findings),
        possible=possible,
        start=chosen if possible else (),
        order=_order(touching, chosen) if possible else (),
        short=short,
        groups=suspects,
        never=never,
    )


def position_to_json(
    judgement: PositionJudgement, rules: ClansRules, language: str = "en"
) -> dict[str, Any]:
    """What `cairn position` prints."""
    return {
        "possible": judgement.possible,
        "start": list(judgement.start),
        "order": list(judgement.order),
        "short": judgement.short,
        "groups": [list(group) for group in judgement.groups],
        "never": list(judgement.never),
        "findings": [finding_to_json(f, rules.deck, language) for f in judgement.findings],
    }


def _judge_cards(rules: ClansRules, cards: Mapping[str, str]) -> list[Finding]:
    """Unknown slots, cards that are not in this game, cards that lie there twice, too many."""
    found: list[Finding] = []
    before: dict[str, str] = {}
    for slot, card in cards.items():
        if slot not in rules.touching:
            found.append(rules.unknown_slot(slot, card))
            continue
        found += rules.judge_card(before, slot, card)
        before[slot] = card
    most = rules.numbers.start_cards + rules.numbers.placements
    if len(before) > most:
        slot, card = list(before.items())[most]
        found.append(Finding("game-over", (slot,), (card,), facts={"slot": slot, "card": card}))
    return found


def _judge_room_for_start(rules: ClansRules, lying: Mapping[str, str]) -> list[Finding]:
    """Start cards never leave, so each tile must hold at least its number of them."""
    per_tile = rules.numbers.start_cards_per_tile
    counts = {t: sum(s in lying for s in slots) for t, slots in rules.layout.tiles.items()}
    few = {tile: count for tile, count in counts.items() if count < per_tile}
    if not few:
        return []
    slots = tuple(s for s in lying if rules.layout.tile_of[s] in few)
    facts = {
        "count": sum(min(count, per_tile) for count in counts.values()),
        "expected": rules.numbers.start_cards,
        "per_tile": per_tile,
        "wrong_tiles": tuple(few.items()),
    }
    return [Finding("setup-count", slots, tuple(lying[s] for s in slots), facts=facts)]


def _matching(rules: ClansRules, lying: Mapping[str, str], slot: str) -> Group:
    own = parse_card(lying[slot])
    around = ((other, parse_card(card)) for other, card in rules.face_up_around(lying, slot))
    return tuple(other for other, card in around if own and card and own.matches(card))


def _groups(touching: Mapping[str, Group]) -> list[Group]:
    seen: set[str] = set()
    groups = []
    for slot in touching:
        if slot not in seen:
            group = (slot, *_order(touching, (slot,)))
            seen.update(group)
            groups.append(group)
    return groups


def _order(touching: Mapping[str, Group], start: Iterable[str]) -> Group:
    """Every slot that can be reached from `start`, each after one that it matches."""
    reached = list(start)
    known = set(reached)
    for slot in reached:
        new = [other for other in touching[slot] if other not in known]
        known.update(new)
        reached += new
    return tuple(slot for slot in reached if slot not in set(start))


def _choose_start(
    rules: ClansRules, lying: Mapping[str, str], groups: list[Group]
) -> tuple[Group, tuple[Group, ...]]:
    """Start slots that serve as many groups as can be, and the groups left without one."""
    taken = _match_groups_to_tiles(rules, groups)
    served = {number: tile for tile, numbers in taken.items() for number in numbers}
    chosen = []
    for number, tile in served.items():
        chosen.append(next(s for s in groups[number] if rules.layout.tile_of[s] == tile))
    for tile, slots in rules.layout.tiles.items():
        missing = rules.numbers.start_cards_per_tile - len(taken[tile])
        rest = [slot for slot in slots if slot in lying and slot not in chosen]
        rest.sort(key=lambda slot: slot not in rules.layout.suggested_start)
        chosen += rest[:missing]
    without = tuple(group for number, group in enumerate(groups) if number not in served)
    return tuple(chosen), without


def _match_groups_to_tiles(rules: ClansRules, groups: list[Group]) -> dict[int, list[int]]:
    """A largest assignment of groups (by number) to tiles with room for their start card."""
    room = rules.numbers.start_cards_per_tile
    taken: dict[int, list[int]] = {tile: [] for tile in rules.layout.tiles}

    def seat(number: int, tried: set[int]) -> bool:
        for tile in sorted({rules.layout.tile_of[slot] for slot in groups[number]} - tried):
            tried.add(tile)
            if len(taken[tile]) < room:
                taken[tile].append(number)
                return True
            for at, other in enumerate(taken[tile]):
                if seat(other, tried):
                    taken[tile][at] = number
                    return True
        return False

    for number in range(len(groups)):
        seat(number, set())
    return taken


def _interchangeable(
    rules: ClansRules, groups: list[Group], without: tuple[Group, ...]
) -> tuple[Group, ...]:
    """The groups among which the illegal ones are: leaving any of them out serves the others."""
    fewest = len(without)
    suspects = []
    for number, group in enumerate(groups):
        others = groups[:number] + groups[number + 1 :]
        seated = sum(len(numbers) for numbers in _match_groups_to_tiles(rules, others).values())
        if fewest and len(others) - seated < fewest:
            suspects.append(group)
    return tuple(suspects)
