"""The rules of Clans and Glory: what is wrong with the start cards and with every turn."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from scorer.cards import FACE_DOWN, parse_card
from scorer.findings import Finding
from scorer.game import Claim, Left, Rules, Score, Setting, State, Verdict
from scorer.games.clans_and_glory.numbers import numbers_for
from scorer.games.clans_and_glory.scoring import score
from scorer.games.clans_and_glory.turns import HERE, ClansTurn

NEIGHBOURS_CROSS_TILES = "neighbours-cross-tiles"
LAST_SHIELD = "last-shield"
RULINGS = MappingProxyType({NEIGHBOURS_CROSS_TILES: True, LAST_SHIELD: True})


@dataclass(frozen=True)
class ClansState(State):
    """`laid` and `shields_left` count by player; `turns` counts those that were not laid too."""

    laid: tuple[int, ...]
    shields_left: tuple[int, ...]
    turns: int
    over: bool


class ClansRules(Rules[ClansState, ClansTurn]):
    """The rules for one number of players and its rulings."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.numbers = numbers_for(len(setting.players))
        self.layout = self.numbers.layout
        self.deck = self.numbers.deck
        self.start_cards = self.numbers.start_cards
        self.placements = self.numbers.placements
        self.all_cards = frozenset(self.deck.cards())
        across = setting.rulings[NEIGHBOURS_CROSS_TILES]
        self.touching = {slot: self._touching(slot, across) for slot in self.layout.slots}

    def begin(self, start: Mapping[str, str]) -> tuple[ClansState, tuple[Finding, ...]]:
        """Lay the start cards and judge them (CG-8, CG-10)."""
        findings: list[Finding] = []
        lying: dict[str, str] = {}
        for slot, card in start.items():
            if slot not in self.touching:
                findings.append(self.unknown_slot(slot, card))
            findings += self.judge_card(lying, slot, card)
            if slot in self.touching:
                lying[slot] = card
        findings += self._judge_start_count(start)
        players = len(self.setting.players)
        state = ClansState(
            cards=MappingProxyType(lying),
            stacks=MappingProxyType(dict.fromkeys(self.layout.tiles, ())),
            next_player=0,
            laid=(0,) * players,
            shields_left=(self.numbers.shields,) * players,
            turns=0,
            over=False,
        )
        return state, tuple(findings)

    def play(self, state: ClansState, turn: ClansTurn) -> tuple[ClansState, tuple[Finding, ...]]:
        """Judge one turn and lay what of it can lie (CG-13 to CG-19)."""
        found = [
            *self._judge_player(state, turn),
            *self._judge_slot(state, turn),
            *self.judge_card(state.cards, turn.slot, turn.card),
            *self.judge_match(state.cards, turn.slot, turn.card),
        ]
        after = self._lay_card(state, turn)
        shields_too_late = state.over or (after.over and not self.setting.rulings[LAST_SHIELD])
        if state.over or (turn.shields and shields_too_late):
            found.append(self._finding("game-over", turn, placements=self.numbers.placements))
        after, about_shields = self._put_shields(after, turn, shields_too_late)
        found += about_shields
        return after, tuple(replace(finding, turn=state.turns) for finding in found)

    def score(self, state: ClansState) -> Score:
        """Who takes what if the game ended now (CG-20, CG-21)."""
        return score(self.layout, state.cards, state.stacks, len(self.setting.players), state.over)

    def left(self, state: ClansState) -> tuple[Left, ...]:
        """What each player still has in hand and in front of them."""
        counts = zip(self.numbers.hands, state.laid, state.shields_left, strict=True)
        return tuple(Left(max(dealt - laid, 0), shields) for dealt, laid, shields in counts)

    def slots_for(self, state: ClansState, card: str) -> tuple[str, ...]:
        """The slots that take this card face up."""
        return tuple(slot for slot in self.layout.slots if self.fits(state.cards, slot, card))

    def cards_for(self, state: ClansState, slot: str) -> tuple[str, ...]:
        """The unseen cards that this slot takes face up."""
        return tuple(c for c in self.unseen_cards(state) if self.fits(state.cards, slot, c))

    def judge_claim(self, state: ClansState, player: int) -> Claim:
        """What the open cards say of "I cannot place a card" (CG-17)."""
        unseen = self.unseen_cards(state)
        fitting = tuple(card for card in unseen if self.slots_for(state, card))
        verdict: Verdict = "possible"
        if not fitting:
            verdict = "proven"
        elif self.left(state)[player].cards > len(unseen) - len(fitting):
            verdict = "impossible"
        return Claim(verdict, len(unseen), fitting)

    def fits(self, cards: Mapping[str, str], slot: str, card: str) -> bool:
        """Whether this card could be laid face up on this slot now (CG-13, CG-14)."""
        free = slot in self.touching and slot not in cards
        return free and not self.judge_match(cards, slot, card)

    def face_up_around(self, cards: Mapping[str, str], slot: str) -> tuple[tuple[str, str], ...]:
        """The slots that touch this one and hold a face-up card, with that card."""
        lying = ((other, cards.get(other, FACE_DOWN)) for _, other in self.touching[slot])
        return tuple((other, card) for other, card in lying if card != FACE_DOWN)

    def _touching(self, slot: str, across_tiles: bool) -> tuple[tuple[str, str], ...]:
        """The side and name of each slot next to this one or opposite it (CG-6, CG-7)."""
        sides = [
            (self.layout.side_of(slot, other), other)
            for other in self.layout.neighbours(slot, across_tiles=across_tiles)
        ]
        sides.append(("opposite", self.layout.opposite[slot]))
        order = ("left", "far", "opposite", "right", "near")
        return tuple(sorted(sides, key=lambda side: order.index(side[0])))

    def _judge_player(self, state: ClansState, turn: ClansTurn) -> list[Finding]:
        found = []
        expected = state.turns % len(self.setting.players)
        if turn.player != expected:
            name = self.setting.players[expected].name
            found.append(self._finding("not-your-turn", turn, expected=name))
        dealt = self.numbers.hands[turn.player]
        if state.laid[turn.player] >= dealt:
            found.append(self._finding("hand-empty", turn, count=dealt))
        return found

    def _judge_slot(self, state: ClansState, turn: ClansTurn) -> list[Finding]:
        if turn.slot not in self.touching:
            return [self.unknown_slot(turn.slot, turn.card)]
        if turn.slot in state.cards:
            lying = state.cards[turn.slot]
            facts = {"slot": turn.slot, "card": turn.card, "other": lying}
            return [Finding("slot-taken", (turn.slot,), (turn.card, lying), facts=facts)]
        return []

    def judge_card(self, cards: Mapping[str, str], slot: str, card: str) -> list[Finding]:
        """Whether the card is in this game, and not on the table already (CG-1, CG-8)."""
        if card == FACE_DOWN:
            return []
        found = []
        if card not in self.all_cards:
            facts = {"slot": slot, "card": card, "count": len(self.setting.players)}
            found.append(Finding("card-not-in-game", (slot,), (card,), facts=facts))
        where = tuple(other for other, lying in cards.items() if lying == card)
        if where:
            facts = {"slot": slot, "card": card, "where": where[0]}
            found.append(Finding("card-twice", (slot, *where), (card,), facts=facts))
        return found

    def judge_match(self, cards: Mapping[str, str], slot: str, card: str) -> list[Finding]:
        """Whether a face-up card next to it or opposite has its colour or rank (CG-14, CG-15)."""
        own = parse_card(card)
        if own is None or slot not in self.touching:
            return []
        around = self.face_up_around(cards, slot)
        for _, lying in around:
            other = parse_card(lying)
            if other is not None and own.matches(other):
                return []
        sides = tuple((side, cards.get(other)) for side, other in self.touching[slot])
        slots = (slot, *(other for other, _ in around))
        proof = (card, *(lying for _, lying in around))
        code = "no-match" if around else "isolated"
        return [Finding(code, slots, proof, facts={"slot": slot, "card": card, "around": sides})]

    def _put_shields(
        self, state: ClansState, turn: ClansTurn, too_late: bool
    ) -> tuple[ClansState, list[Finding]]:
        """Judge each shield and put it on its stack: one a turn, on the card's tile (CG-18)."""
        found = []
        own_tile = self.layout.tile_of.get(turn.slot)
        stacks, left = dict(state.stacks), state.shields_left
        for number, shield in enumerate(turn.shields):
            tile = own_tile if shield == HERE else shield
            if tile != own_tile:
                found.append(self._finding("shield-elsewhere", turn, tile=tile))
            if number > 0:
                found.append(self._finding("shield-second", turn, count=len(turn.shields)))
            if left[turn.player] == 0:
                found.append(self._finding("no-shield-left", turn, count=self.numbers.shields))
            elif tile is not None and not too_late:
                stacks[tile] = (*stacks[tile], turn.player)
                left = _changed(left, turn.player, -1)
        return replace(state, stacks=MappingProxyType(stacks), shields_left=left), found

    def _judge_start_count(self, start: Mapping[str, str]) -> list[Finding]:
        per_tile = self.numbers.start_cards_per_tile
        wrong = {}
        for tile, slots in self.layout.tiles.items():
            count = sum(start.get(slot, FACE_DOWN) != FACE_DOWN for slot in slots)
            if count != per_tile:
                wrong[tile] = count
        if not wrong:
            return []
        slots = tuple(s for s in start if self.layout.tile_of.get(s) in wrong)
        facts = {
            "count": sum(s in self.touching and c != FACE_DOWN for s, c in start.items()),
            "expected": self.numbers.start_cards,
            "per_tile": per_tile,
            "wrong_tiles": tuple(wrong.items()),
        }
        return [Finding("setup-count", slots, tuple(start[s] for s in slots), facts=facts)]

    def _lay_card(self, state: ClansState, turn: ClansTurn) -> ClansState:
        """Lay the card unless its slot is unknown or taken or the game is over."""
        turns = state.turns + 1
        cards, laid = state.cards, state.laid
        if turn.slot in self.touching and turn.slot not in cards and not state.over:
            cards = MappingProxyType({**cards, turn.slot: turn.card})
            laid = _changed(laid, turn.player, 1)
        over = laid[-1] >= self.numbers.hands[-1]
        next_player = None if over else turns % len(self.setting.players)
        return replace(
            state, cards=cards, laid=laid, turns=turns, over=over, next_player=next_player
        )

    def unknown_slot(self, slot: str, card: str) -> Finding:
        facts = {"slot": slot, "card": card, "first": "W", "last": "E"}
        return Finding("unknown-slot", (slot,), (card,), facts=facts)

    def _finding(self, code: str, turn: ClansTurn, **facts: Any) -> Finding:
        name = self.setting.players[turn.player].name
        facts = {"player": name, "slot": turn.slot, "card": turn.card, **facts}
        return Finding(code, (turn.slot,), (turn.card,), facts=facts)


def _changed(counts: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] + by, *counts[at + 1 :])
