"""The story of a game: the table after every turn, and every line of the log with its effect."""

from typing import Any

from scorer.events import Accept, AcceptDifference, Redo, SetSetting, Undo
from scorer.game import Turn
from scorer.live import LiveGame
from scorer.report import finding_to_json, score_to_json
from webui.kept import KeptGame, Line
from webui.notes import Imported, Seats, Standings
from webui.view import board_to_json, people_to_json, stacks_to_json, turn_view


def story_to_json(game: int, lines: list[Line], language: str) -> dict[str, Any]:
    """All that the log, the plot and the scoring show of a game."""
    first = lines[0].change
    assert isinstance(first, SetSetting)
    kept = KeptGame(game, first, lines[0].at)
    times: list[str] = []
    log = []
    for line in lines:
        before = _turns(kept.live)
        start = kept.live.timeline.start
        accepted = _accepted_text(line, kept.live, language)
        kept.push(line)
        after = _turns(kept.live)
        at = _first_difference(before, after)
        times = _carry_times(times, at, len(after), line.at)
        effect = _effect(kept.live, before, after, at)
        if effect is None and accepted is None and kept.live.timeline.start == start:
            if not isinstance(line.change, Seats | Standings | SetSetting | Imported):
                continue
            effect = {"effect": "table"}
        log.append(
            {
                "at": line.at,
                "by": line.by,
                "accepted": accepted,
                "undo": isinstance(line.change, Undo),
                "redo": isinstance(line.change, Redo),
                **(effect or {"effect": "accepted" if accepted else "start"}),
            }
        )
    timeline = kept.live.timeline
    return {
        "game": game,
        "number": kept.number,
        "began": kept.began,
        "imported": kept.notes.imported,
        "over": kept.over,
        **people_to_json(timeline.setting),
        "board": board_to_json(kept.live, language),
        "moments": [_moment(kept, number, times, language) for number in range(timeline.turns + 1)],
        "log": log,
        "score": score_to_json(timeline),
    }


def _moment(kept: KeptGame, number: int, times: list[str], language: str) -> dict[str, Any]:
    """The table after `number` turns, and the turn that led there."""
    timeline = kept.live.timeline
    state = timeline.state_before(number)
    score = timeline.rules.score(state)
    turn = number - 1 if number else None
    hidden = kept.notes.standings_hidden and not kept.over
    return {
        "turn": None if turn is None else turn_view(kept.live, turn),
        "at": None if turn is None else times[turn],
        "findings": [
            {
                **finding_to_json(finding, timeline.rules.deck, language),
                "accepted": timeline.is_accepted(finding),
            }
            for finding in timeline.findings(turn)
        ],
        "cards": dict(state.cards),
        "stacks": stacks_to_json(score),
        "next_player": state.next_player,
        "points": None if hidden else [player.points for player in score.players],
    }


def _turns(live: LiveGame) -> tuple[Turn, ...]:
    return live.timeline.record.turns


def _first_difference(before: tuple[Turn, ...], after: tuple[Turn, ...]) -> int | None:
    """The first turn that is not as it was."""
    if before == after:
        return None
    pairs = zip(before, after, strict=False)
    unlike = (number for number, (old, new) in enumerate(pairs) if old != new)
    return next(unlike, min(len(before), len(after)))


def _carry_times(times: list[str], at: int | None, count: int, now: str) -> list[str]:
    """The time of every turn after a change; a corrected turn keeps the time it was laid."""
    if at is None or count == len(times):
        return times
    if count > len(times):
        return [*times[:at], *([now] * (count - len(times))), *times[at:]]
    return [*times[:at], *times[at + len(times) - count :]]


def _effect(
    live: LiveGame, before: tuple[Turn, ...], after: tuple[Turn, ...], at: int | None
) -> dict[str, Any] | None:
    """What a line did to the turns: one was laid, changed or removed."""
    if at is None:
        return None
    if len(after) < len(before):
        return {"effect": "removed", "turn": at, "was": _plain(before[at])}
    now = turn_view(live, at)
    if len(after) > len(before):
        return {"effect": "laid", "turn": at, "now": now}
    return {"effect": "changed", "turn": at, "was": _plain(before[at]), "now": now}


def _plain(turn: Turn) -> dict[str, Any]:
    return {"player": turn.player, "slot": turn.slot, "card": turn.card}


def _accepted_text(line: Line, live: LiveGame, language: str) -> str | None:
    """The sentence of the finding that this line leaves as it is."""
    deck = live.timeline.rules.deck
    match line.change:
        case Accept(at, code):
            found = [f for f in live.timeline.findings(at) if f.code == code]
        case AcceptDifference(code, slot):
            found = [f for f in live.differences if (f.code, f.slots[0]) == (code, slot)]
        case _:
            return None
    return str(finding_to_json(found[0], deck, language)["text"])
