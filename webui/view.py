"""What a phone is told of the game: one JSON object, the same for everybody in one language."""

from typing import Any

from scorer.findings import Finding
from scorer.game import Score, Setting, TileScore
from scorer.games import find_game
from scorer.layout import Layout
from scorer.live import LiveGame
from scorer.record import setting_to_json, turn_to_json
from scorer.report import finding_to_json
from scorer.sentences import name_card
from webui.camera import CameraState
from webui.kept import KeptGame


def state_to_json(kept: KeptGame, camera: CameraState, language: str) -> dict[str, Any]:
    """The state that the page draws."""
    live, timeline = kept.live, kept.live.timeline
    setting, state = timeline.setting, timeline.state
    score = timeline.score()
    hidden = kept.notes.standings_hidden and not score.final
    left = timeline.rules.left(state)
    return {
        "game": kept.game,
        "number": kept.number,
        "phase": live.phase,
        "camera": camera,
        **people_to_json(setting),
        "most_players": find_game(setting.game).players[-1],
        "seats": [
            kept.notes.devices[seat] if seat < len(kept.notes.devices) else None
            for seat in range(len(setting.players))
        ],
        "left": [{"cards": own.cards, "shields": own.shields} for own in left],
        "next_player": state.next_player,
        "turns": timeline.turns,
        "placements": timeline.rules.placements,
        "start_cards": {"laid": len(timeline.start), "expected": timeline.rules.start_cards},
        "start": list(timeline.start),
        "cards": dict(state.cards),
        "laid": _laid(live),
        "unrecorded": dict(live.unrecorded),
        "covered": sorted(live.covered),
        "questions": {q.slot: {"card": q.card, "also": list(q.also)} for q in live.questions},
        "last": _last_turn(live),
        "stacks": stacks_to_json(score),
        "findings": [
            open_finding_to_json(finding, live, language) for finding in live.open_findings
        ],
        "standings_hidden": kept.notes.standings_hidden,
        "standings": None if hidden else standings_to_json(score),
        "can_undo": timeline.can_undo,
        "can_redo": timeline.can_redo,
    }


def people_to_json(setting: Setting) -> dict[str, Any]:
    """Who plays, and by which rulings."""
    data = setting_to_json(setting)
    return {"players": data["players"], "rulings": data["rulings"]}


def open_finding_to_json(finding: Finding, live: LiveGame, language: str) -> dict[str, Any]:
    """A finding with what accepting it needs; a difference is accepted by its first slot."""
    return {
        **finding_to_json(finding, live.timeline.rules.deck, language),
        "difference": finding in live.differences,
    }


def standings_to_json(score: Score) -> list[dict[str, Any]]:
    """Everybody's points and place."""
    return [
        {"player": p.player, "points": p.points, "cards": p.cards, "place": p.place}
        for p in score.players
    ]


def stacks_to_json(score: Score) -> dict[str, list[dict[str, Any]]]:
    """Each tile's shields, oldest first, with what each would take if the game ended now."""
    return {str(tile.tile): _stack(tile) for tile in score.tiles}


def board_to_json(live: LiveGame, language: str) -> dict[str, Any]:
    """What does not change while a game is played: slots, tiles, the deck and its words."""
    rules = live.timeline.rules
    layout: Layout = rules.layout
    return {
        "slots": {
            slot: {
                "x": layout.centres[slot][0],
                "y": layout.centres[slot][1],
                "w": layout.sizes[slot][0],
                "h": layout.sizes[slot][1],
                "turned": slot in layout.turned,
            }
            for slot in layout.slots
        },
        "tiles": {str(tile): list(slots) for tile, slots in layout.tiles.items()},
        "suggested_start": list(layout.suggested_start),
        "colours": [
            {
                "name": colour.name,
                "swatch": colour.swatch,
                "symbol": colour.symbol,
                "word": colour.words[language],
            }
            for colour in rules.deck.colours
        ],
        "ranks": list(rules.deck.ranks),
        "cards": {card: name_card(card, rules.deck, language) for card in rules.deck.cards()},
    }


def turn_view(live: LiveGame, number: int) -> dict[str, Any]:
    """A turn as its record writes it, its shields as a plain list of tiles."""
    timeline = live.timeline
    turn = timeline.turn(number)
    data = turn_to_json(turn, timeline.setting)
    written = data.pop("shield", [])
    tile = timeline.rules.layout.tile_of.get(turn.slot)
    shields = [tile if s is True else s for s in _as_list(written)]
    return {"turn": number, **data, "tile": tile, "shields": [s for s in shields if s]}


def _laid(live: LiveGame) -> dict[str, dict[str, int]]:
    """The turn and the player of every slot that is not a start card's; the first one counts."""
    laid: dict[str, dict[str, int]] = {}
    for number, turn in enumerate(live.timeline.record.turns):
        if turn.slot not in live.timeline.start:
            laid.setdefault(turn.slot, {"turn": number, "player": turn.player})
    return laid


def _last_turn(live: LiveGame) -> dict[str, Any] | None:
    return turn_view(live, live.timeline.turns - 1) if live.timeline.turns else None


def _stack(tile: TileScore) -> list[dict[str, Any]]:
    taken = [{"cards": list(a.cards), "points": a.points} for a in tile.awards]
    nothing = [{"cards": [], "points": 0}] * (len(tile.shields) - len(taken))
    return [
        {"player": player, **takes}
        for player, takes in zip(tile.shields, [*taken, *nothing], strict=True)
    ]


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
