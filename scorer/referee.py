"""Whether a watched game came out as it was played: for measuring, not for playing."""

from collections.abc import Mapping
from typing import Any

from scorer.events import Answer, PutShield, See
from scorer.findings import Finding
from scorer.game import Rules
from scorer.live import LiveGame
from scorer.record import Record
from scorer.timeline import judge


class Referee:
    """Follows a game as the camera and the phones tell it, knowing how it was really played."""

    def __init__(self, played: Record) -> None:
        self.game = LiveGame(played.setting)
        self._played = played
        self._open: list[PutShield] = []

    def see(self, see: See, lying: Mapping[str, str]) -> None:
        """The camera saw a slot settle; a question is answered at once by what is `lying` there."""
        self.game.push(see)
        if see.slot in {question.slot for question in self.game.questions}:
            self.game.push(Answer(see.slot, lying.get(see.slot)))

    def tap(self, player: int, slot: str) -> None:
        """A player put a shield beside the card in this slot."""
        tile = self.game.timeline.rules.layout.tile_of[slot]
        self._open.append(PutShield(player, tile))
        self.settle_taps()

    def settle_taps(self) -> None:
        """Taps whose card has been seen go to its turn."""
        timeline = self.game.timeline
        if timeline.turns:
            last = timeline.turn(timeline.turns - 1)
            mine = PutShield(last.player, timeline.rules.layout.tile_of[last.slot])
            for shield in [tap for tap in self._open if tap == mine]:
                self.game.push(shield)
                self._open.remove(shield)

    def figures(self) -> dict[str, Any]:
        """How it came out: turns recorded as played, shields included, and all else together."""
        watched, real = self.game.timeline, judge(self._played)
        pairs = zip(watched.record.turns, real.record.turns, strict=False)
        right = sum(_plain(watched.rules, a) == _plain(real.rules, b) for a, b in pairs)
        start = dict(watched.start) == dict(real.start)
        findings = _codes(self.game.open_findings) == _codes(real.all_findings())
        whole = start and watched.turns == right == real.turns
        return {
            "turns": real.turns,
            "turns_right": max(0, right - max(0, watched.turns - real.turns)),
            "findings_right": findings,
            "all_right": whole and findings and self.game.phase == "over",
        }


def _plain(rules: Rules[Any, Any], turn: Any) -> tuple[int, str, str, tuple[int, ...]]:
    """A turn with its shields on numbered tiles: beside the card may be written in two ways."""
    shields = getattr(turn, "shields", ())
    tile = rules.layout.tile_of[turn.slot]
    return turn.player, turn.slot, turn.card, tuple(shield or tile for shield in shields)


def _codes(found: tuple[Finding, ...]) -> list[tuple[int | None, str]]:
    return sorted(((f.turn, f.code) for f in found), key=str)
