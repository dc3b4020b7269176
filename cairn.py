"""The front door: one short function a subcommand. Rooms are imported where they are used."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorer.errors import BadInput
from scorer.sentences import LANGUAGES

if TYPE_CHECKING:
    from scorer.timeline import Timeline


class FrontDoor(click.Group):
    """Lists commands in the order of an evening, and turns BadInput into one line and exit 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as error:
            complain(error)
            ctx.exit(2)


def complain(error: BadInput) -> None:
    """One line for people."""
    click.echo(f"cairn: {error}", err=True)


def print_json(data: Any) -> None:
    """One line for machines."""
    click.echo(json.dumps(data, ensure_ascii=False))


records_argument = click.argument(
    "records", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="R.json..."
)
text_option = click.option("--text", is_flag=True, help="A table for people instead of JSON.")
language_option = click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True
)


@click.group(
    cls=FrontDoor,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="cairn")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Cairn watches a card game through a webcam, judges every card and keeps the score.

    \b
    Every command has --help with an example. Answers are JSON on stdout, words for people go
    to stderr. Exit 0: fine. 1: the answer is "no" (findings). 2: the input is unusable.
    Without a command it plays.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(play)


@main.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--listen", default="0.0.0.0", show_default=True, help="The address to listen on.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where games and links are kept. Default: this user's data folder.",
)
def play(port: int, listen: str, data: Path | None) -> None:
    """Play an evening: the page for everybody's phone.

    It prints a link and a QR code for the seats, and a link for the host. Stopped or killed, it
    goes on where it was.

    \b
    Example: cairn play --port 8080
    """
    from platformdirs import user_data_path

    from webui.serving import serve

    serve(data or user_data_path("cairn"), listen, port, lambda words: click.echo(words, err=True))


@main.command()
@records_argument
@text_option
@language_option
@click.pass_context
def check(ctx: click.Context, records: tuple[Path, ...], text: bool, language: str) -> None:
    """Judge recorded games.

    One JSON line a record; exit 1 if anything is wrong.

    \b
    Example: cairn check evening.json
    """
    from scorer.drawing import draw_check
    from scorer.report import check_to_json

    def answer(game: "Timeline") -> int:
        data = check_to_json(game, language)
        click.echo(draw_check(data, game.setting.players, language)) if text else print_json(data)
        return 1 if data["findings"] else 0

    ctx.exit(answer_for_each(records, answer))


@main.command()
@records_argument
@text_option
@language_option
@click.pass_context
def score(ctx: click.Context, records: tuple[Path, ...], text: bool, language: str) -> None:
    """Score recorded games.

    Tile by tile and shield by shield, one JSON line a record.

    \b
    Example: cairn score --text evening.json
    """
    from scorer.drawing import draw_score
    from scorer.report import score_to_json

    def answer(game: "Timeline") -> int:
        data = score_to_json(game)
        click.echo(draw_score(data, language)) if text else print_json(data)
        return 0

    ctx.exit(answer_for_each(records, answer))


@main.command()
@click.argument("record", type=click.Path(path_type=Path), metavar="R.json")
@click.option("--turn", type=int, help="Before this turn, counted from 0. Default: the end.")
def show(record: Path, turn: int | None) -> None:
    """Draw a recorded game at any turn.

    The drawing goes to stderr, the one-line form of the table to stdout.

    \b
    Example: cairn show evening.json --turn 12
    """
    from scorer.drawing import draw_table
    from scorer.position import format_position, position_of
    from scorer.record import read_record_file
    from scorer.timeline import judge

    game = judge(read_record_file(record))
    state = game.state if turn is None else game.state_before(turn)
    position = position_of(state, game.setting)
    click.echo(draw_table(position, game.rules.layout), err=True)
    click.echo(format_position(position))


@main.command()
@click.argument("line", metavar='"GAME PLAYERS SLOT=CARD,... TILE=PLAYERS,... NEXT"')
@click.option("--start", help="The slots of the start cards, where they are known: 1N2,1S2,...")
@language_option
@click.pass_context
def position(ctx: click.Context, line: str, start: str | None, language: str) -> None:
    """Judge a table that nobody saw arise.

    Is there an order of play in which every card was legal? Exit 1 if there is none.

    \b
    Example: cairn position "clans-and-glory 2 1N2=red-5,1N3=red-3 1=01 0"
    """
    from scorer.games.clans_and_glory.players import seat_players
    from scorer.games.clans_and_glory.positions import judge_position, position_to_json
    from scorer.games.clans_and_glory.rules import ClansRules
    from scorer.position import parse_position

    seen = parse_position(line)
    rules = ClansRules(seat_players(seen.players))
    known = None if start is None else frozenset(start.split(","))
    data = position_to_json(judge_position(rules, seen.cards, known), rules, language)
    print_json(data)
    ctx.exit(0 if data["possible"] else 1)


@main.group(cls=FrontDoor)
def bench() -> None:
    """Measure speed and accuracy."""


@bench.command("rules")
def bench_the_rules() -> None:
    """How fast the rules are.

    Placements judged and games replayed per second, and what a turn costs in journals of 1 to
    10,000 turns.

    \b
    Example: cairn bench rules
    """
    from scorer.bench import bench_rules

    print_json(bench_rules(lambda words: click.echo(words, err=True)))


@bench.command("web")
def bench_the_web() -> None:
    """How fast phones hear of an event.

    From an event to the last of 50 phones, beside a bare stream of the same size, and how that
    grows from 1 to 200 phones. Only this machine is called.

    \b
    Example: cairn bench web
    """
    from webui.bench import bench_web

    print_json(bench_web(lambda words: click.echo(words, err=True)))


def answer_for_each(records: tuple[Path, ...], answer: Callable[["Timeline"], int]) -> int:
    """Answer for every record that can be read, complain of the others; the worst exit code."""
    from scorer.record import read_record_file
    from scorer.timeline import judge

    worst = 0
    for path in records:
        try:
            worst = max(worst, answer(judge(read_record_file(path))))
        except BadInput as error:
            complain(error)
            worst = 2
    return worst


if __name__ == "__main__":
    sys.exit(main())
