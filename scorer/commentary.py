"""What `cairn watch` prints: a line for all that happens at the table, as data."""

from collections.abc import Sequence
from typing import Any

from scorer.errors import BadInput
from scorer.events import PutShield, See
from scorer.live import LiveGame
from scorer.report import finding_to_json

PATIENCE = 15  # frames for which a tap waits for its card: taps are quicker than eyes

Line = dict[str, Any]


class Commentary:
    """Lets a game happen and says what each thing was and what is wrong with it."""

    def __init__(self, game: LiveGame, language: str = "en") -> None:
        self._game = game
        self._language = language
        self._started = self._over = False
        self._taps: list[tuple[int, PutShield]] = []

    def change(self, frame: str, kind: str, sees: Sequence[See]) -> list[Line]:
        """The lines of one change of the table: what happened, and whether it began or ended."""
        game = self._game
        before, setting_up = game.open_findings, game.phase == "set-up"
        players = [self._player_of(see.slot) for see in sees]
        for see in sees:
            game.push(see)
        found = [finding for finding in game.open_findings if finding not in before]
        if setting_up:
            return self._begin(frame)
        if kind == "free":
            return []
        last = sees[-1]
        player = self._player_of(last.slot)
        line: Line = {"frame": frame, "event": kind}
        line["player"] = players[0] if player is None else player
        line["slot"] = sees[0].slot
        if kind == "moved":
            line["to"] = last.slot
        if kind != "covered":
            line["card"] = "face-down" if last.state == "face-down" else last.card
            line["sure"] = last.sure
        line["findings"] = [self._finding(finding) for finding in found]
        return [line, *self._end(frame)]

    def words(self, line: Line) -> str:
        """A line for people: who did what, and what is wrong with it."""
        parts = [line["event"]]
        if line.get("player") is not None:
            parts.insert(0, self._game.timeline.setting.players[line["player"]].name)
        parts += [str(line[key]) for key in ("card", "slot", "to") if line.get(key) is not None]
        if line.get("sure") is False:
            parts.append("(not sure)")
        if line["event"] == "start":
            parts.append(", ".join(f"{card} {slot}" for slot, card in line["cards"].items()))
        if line.get("shifted_px") is not None:
            parts.append(f"by {line['shifted_px']:.0f} pixels")
        wrong = [finding["text"] for finding in line.get("findings", ())]
        return "\n".join([" ".join(parts), *(f"    {text}" for text in wrong)])

    def camera_moved(self, frame: str, shifted_px: float | None) -> list[Line]:
        """The picture has moved; None: so far that it cannot be followed."""
        line: Line = {"frame": frame, "event": "camera-moved", "shifted_px": shifted_px}
        if shifted_px is None:
            line["text"] = (
                "The camera or the table has moved too far to follow: give the four corners again "
                "or one new photograph of the empty table."
            )
        return [line]

    def tap(self, shield: PutShield) -> None:
        """A tap goes to the turn just played; one that comes before its card waits for it."""
        self._taps.append((0, shield))

    def frame_passed(self, at_end: bool = False) -> list[str]:
        """Give waiting taps to their turns; sentences about those that fit nowhere."""
        complaints, waiting = [], []
        for waited, shield in self._taps:
            if not at_end and waited < PATIENCE and not self._belongs_to_latest(shield):
                waiting.append((waited + 1, shield))
                continue
            try:
                self._game.push(shield)
            except BadInput as error:
                complaints.append(str(error))
        self._taps = waiting
        return complaints

    def finish(self, frame: str) -> list[Line]:
        """There are no more frames: a set-up that was never complete is told as it is."""
        if self._started or not self._game.timeline.start:
            return []
        return self._start_line(frame)

    def _begin(self, frame: str) -> list[Line]:
        if self._game.phase == "set-up":
            return []
        return [*self._start_line(frame), *self._end(frame)]

    def _start_line(self, frame: str) -> list[Line]:
        self._started = True
        timeline = self._game.timeline
        return [
            {
                "frame": frame,
                "event": "start",
                "cards": dict(timeline.start),
                "sure": not self._game.questions,
                "findings": [self._finding(finding) for finding in timeline.findings(None)],
            }
        ]

    def _end(self, frame: str) -> list[Line]:
        if self._over or self._game.phase != "over":
            self._over = self._game.phase == "over"
            return []
        self._over = True
        found = [self._finding(finding) for finding in self._game.open_findings]
        return [{"frame": frame, "event": "over", "findings": found}]

    def _finding(self, finding: Any) -> dict[str, Any]:
        return finding_to_json(finding, self._game.timeline.rules.deck, self._language)

    def _player_of(self, slot: str) -> int | None:
        timeline = self._game.timeline
        for number in reversed(range(timeline.turns)):
            turn = timeline.turn(number)
            if turn.slot == slot:
                return turn.player
        return None

    def _belongs_to_latest(self, shield: PutShield) -> bool:
        """Whether the card this shield lies beside is the one seen last."""
        timeline = self._game.timeline
        if not timeline.turns:
            return False
        turn = timeline.turn(timeline.turns - 1)
        tile = timeline.rules.layout.tile_of.get(turn.slot)
        return (turn.player, tile) == (shield.player, shield.tile)
