"""What `check` and `score` print: findings and scores as JSON."""

from typing import Any

from scorer.cards import Deck
from scorer.findings import Finding
from scorer.sentences import say
from scorer.timeline import Timeline


def check_to_json(game: Timeline, language: str = "en") -> dict[str, Any]:
    """The `check` format."""
    return {
        "findings": [finding_to_json(f, game.rules.deck, language) for f in game.all_findings()],
        "over": game.state.next_player is None,
        "next_player": game.state.next_player,
    }


def finding_to_json(finding: Finding, deck: Deck, language: str) -> dict[str, Any]:
    """One finding of the `check` format, with its sentence."""
    return {
        "turn": finding.turn,
        "code": finding.code,
        "slots": list(finding.slots),
        "cards": list(finding.cards),
        "text": say(finding, deck, language),
    }


def score_to_json(game: Timeline) -> dict[str, Any]:
    """The `score` format."""
    score = game.score()
    names = [player.name for player in game.setting.players]
    return {
        "final": score.final,
        "winners": list(score.winners),
        "players": [
            {
                "player": p.player,
                "name": names[p.player],
                "points": p.points,
                "cards": p.cards,
                "place": p.place,
            }
            for p in score.players
        ],
        "tiles": [
            {
                "tile": t.tile,
                "shields": list(t.shields),
                "awards": [
                    {
                        "player": a.player,
                        "rank": a.rank,
                        "cards": list(a.cards),
                        "points": a.points,
                    }
                    for a in t.awards
                ],
                "unclaimed": list(t.unclaimed),
            }
            for t in score.tiles
        ],
    }
