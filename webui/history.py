"""Finished games: who won, by how much; what each player made of all their games."""

import csv
import io
from typing import Any

from scorer.report import score_to_json
from webui.kept import KeptGame

RESULT_COLUMNS = ("game", "date", "place", "name", "shields", "points", "cards")


def history_to_json(games: list[KeptGame]) -> dict[str, Any]:
    """The newest game first, and the players by wins."""
    worth_listing = [game for game in games if game.live.timeline.turns]
    return {
        "games": [_summary(game) for game in reversed(worth_listing)],
        "players": _statistics([game for game in worth_listing if game.over]),
    }


def results_csv(games: list[KeptGame]) -> str:
    """One line a player and finished game, for a spreadsheet."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(RESULT_COLUMNS)
    for game in games:
        if not game.over:
            continue
        players = game.live.timeline.setting.players
        for row in _rows(game):
            player = players[row["player"]]
            table.writerow(
                (
                    game.game,
                    game.began[:10],
                    row["place"],
                    _as_text(player.name),
                    _as_text(player.shields),
                    row["points"],
                    row["cards"],
                )
            )
    return text.getvalue()


def _summary(game: KeptGame) -> dict[str, Any]:
    timeline = game.live.timeline
    score = score_to_json(timeline)
    shields = [player.shields for player in timeline.setting.players]
    return {
        "game": game.game,
        "began": game.began,
        "over": game.over,
        "imported": game.notes.imported,
        "turns": timeline.turns,
        "winners": score["winners"] if game.over else [],
        "players": [{**row, "shields": shields[row["player"]]} for row in _rows(game)],
    }


def _rows(game: KeptGame) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = score_to_json(game.live.timeline)["players"]
    return sorted(rows, key=lambda row: (row["place"], row["player"]))


def _statistics(games: list[KeptGame]) -> list[dict[str, Any]]:
    """Names that differ only in case are one person."""
    points: dict[str, list[int]] = {}
    wins: dict[str, int] = {}
    names: dict[str, str] = {}
    for game in games:
        for row in _rows(game):
            key = row["name"].casefold()
            names[key] = row["name"]
            points.setdefault(key, []).append(row["points"])
            wins[key] = wins.get(key, 0) + (row["place"] == 1)
    people = [
        {
            "name": names[key],
            "games": len(own),
            "wins": wins[key],
            "average": round(sum(own) / len(own), 1),
            "best": max(own),
        }
        for key, own in points.items()
    ]
    return sorted(people, key=lambda p: (-p["wins"], -p["average"], p["name"]))


def _as_text(word: str) -> str:
    """A spreadsheet must not take a name for a formula."""
    return f"'{word}" if word[0] in "=+-@" else word
