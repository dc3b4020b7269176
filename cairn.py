"""The front door: one short function a subcommand. Rooms are imported where they are used."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from calibration.errors import BadInput as BadPhoto
from scorer.errors import BadInput
from scorer.sentences import LANGUAGES

# Reading multiplies many small matrices: more threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BAD_INPUT = (BadInput, BadPhoto)


class FrontDoor(click.Group):
    """Lists commands in the order of an evening, and turns BadInput into one line and exit 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BAD_INPUT as error:
            complain(error)
            ctx.exit(2)


def complain(error: Exception | str) -> None:
    """One line for people."""
    click.echo(f"cairn: {error}", err=True)


def say(words: str) -> None:
    """Words for people."""
    click.echo(words, err=True)


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
@click.option(
    "--camera",
    metavar="0|URL|FILE|FOLDER|simulated|none",
    help="Default: the first webcam, or the simulated table where there is none.",
)
@click.option("--table", type=click.Path(path_type=Path), help="From `cairn calibrate`.")
@click.option("--deck", type=click.Path(path_type=Path), help="From `cairn teach`.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--listen", default="0.0.0.0", show_default=True, help="The address to listen on.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where games and links are kept. Default: this user's data folder.",
)
def play(
    camera: str | None,
    table: Path | None,
    deck: Path | None,
    port: int,
    listen: str,
    data: Path | None,
) -> None:
    """Play an evening: the page for everybody's phone.

    It prints a link and a QR code for the seats, and a link for the host. Stopped or killed, it
    goes on where it was.

    \b
    Example: cairn play --camera 0 --table table --deck deck
    """
    from platformdirs import user_data_path

    from webui.choosing import choose_camera
    from webui.serving import serve

    folder = data or user_data_path("cairn")
    serve(folder, listen, port, say, lambda own: say(choose_camera(own, camera, table, deck)))


@main.command()
@click.option("--players", type=click.IntRange(2, 4), default=3, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, another game.")
@click.option("--light", type=click.Choice(["gentle", "ordinary", "hard"]), default="ordinary")
@click.option("--speed", type=click.FloatRange(0.1, 100), default=1.0, show_default=True)
@click.option("--save", type=click.Path(path_type=Path), help="Keep the film in this folder.")
def demo(players: int, seed: int, light: str, speed: float, save: Path | None) -> None:
    """Watch the simulated table play a game.

    Hands lay cards and shields, one card lies wrong at first, one face down, and the table is
    knocked once. From the frame on it is the code that watches a real camera.

    \b
    Example: cairn demo --players 2 --speed 2
    """
    from scorer.games.clans_and_glory.players import seat_players
    from vision.simulated.keeping import keep_film
    from webui.rehearsal import rehearse
    from webui.terminal import show_rehearsal

    say("Setting the table: photographs, calibration, teaching ...")
    setting = seat_players(players)
    rehearsal = rehearse(setting, seed, light)
    if save is not None:
        keep_film(rehearsal.evening, rehearsal.film, save, say)
    else:
        show_rehearsal(setting, rehearsal, speed, click.echo)


@main.command()
@click.option("--camera", default="0", show_default=True, metavar="0|URL|FILE|FOLDER")
@click.argument("photo", type=click.Path(path_type=Path), metavar="PHOTO.jpg")
def snap(camera: str, photo: Path) -> None:
    """Take a photograph with the camera.

    For calibrate and teach, with the very camera and setting that will watch.

    \b
    Example: cairn snap empty.jpg
    """
    from vision.snapshot import take_photo

    jpeg = take_photo(camera)
    try:
        photo.write_bytes(jpeg)
    except OSError as error:
        raise BadInput(f"{photo}: cannot be written ({error.strerror}); choose another") from error
    say(f"Taken: {photo}")


@main.command()
@click.option("--players", type=click.IntRange(2, 4), help="Clans and Glory for so many.")
@click.option("--layout", "layout_file", type=click.Path(path_type=Path), help="Any other layout.")
@click.option("--empty", type=click.Path(path_type=Path), required=True, help="The tiles empty.")
@click.option("--backs", type=click.Path(path_type=Path), help="A card face down in every slot.")
@click.option("--corners", help="Instead: the layout's corners in the picture, clockwise.")
@click.option("--swap", is_flag=True, help="Name the slots as seen from the other side.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The table file.")
def calibrate(
    players: int | None,
    layout_file: Path | None,
    empty: Path,
    backs: Path | None,
    corners: str | None,
    swap: bool,
    out: Path,
) -> None:
    """Learn where the slots of this table are.

    Far (N) is the side at the top of the picture, and tiles count from its left; a row that stands
    upright counts from the top, N on the right. A picture with the slots drawn in is written
    beside the table as OUT.png.

    \b
    Example: cairn calibrate --players 3 --empty empty.jpg --backs backs.jpg --out my.table
    """
    from calibration.calibrate import NotCalibrated
    from calibration.command import run_calibrate, write_picture
    from calibration.layout import read_layout
    from webui.layouts import layout_for

    if (players is None) == (layout_file is None):
        raise click.UsageError("give one of --players and --layout")
    layout = read_layout(layout_file) if layout_file is not None else layout_for(players or 2)
    try:
        answer = run_calibrate(layout, empty, backs, corners, swap, out)
    except NotCalibrated as failure:
        click.echo(f"What was seen: {write_picture(failure.picture, out)}", err=True)
        raise
    for problem in answer["problems"]:
        click.echo(f"Note: {problem}.", err=True)
    click.echo(f"Look whether the slots are right: {answer['picture']}", err=True)
    print_json(answer)


@main.command()
@click.option("--table", "table_file", type=click.Path(path_type=Path), help="For cards in slots.")
@click.option("--cards", "cards_file", required=True, type=click.Path(path_type=Path))
@click.option("--photos", type=click.Path(path_type=Path), help="Default: beside the cards file.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The deck file.")
def teach(table_file: Path | None, cards_file: Path, photos: Path | None, out: Path) -> None:
    """Learn how the cards of a deck look.

    Not every card need be shown: a card is known once its colour and its rank are.

    \b
    Example: cairn teach --table my.table --cards teach.json --out my.deck
    """
    from calibration.deck import save_deck
    from calibration.entries import Photos, read_entries
    from calibration.table import load_table
    from calibration.teach import teach as learn

    entries = read_entries(cards_file)
    pictures = Photos(photos or cards_file.parent, [entry["photo"] for entry in entries])
    taught = learn(pictures, entries, None if table_file is None else load_table(table_file))
    save_deck(taught.deck, out)
    for problem in taught.problems:
        click.echo(f"Note: {problem}.", err=True)
    for pair in taught.alike:
        click.echo(f"Alike: {pair.one} and {pair.other} ({pair.likeness:.2f})", err=True)
    print_json(taught.to_json() | {"deck": str(out)})


@main.command()
@click.option("--table", "table_file", required=True, type=click.Path(path_type=Path))
@click.option("--deck", "deck_file", required=True, type=click.Path(path_type=Path))
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.pass_context
def read(ctx: click.Context, table_file: Path, deck_file: Path, photos: tuple[Path, ...]) -> None:
    """Say what lies in every slot, one JSON line a photo.

    \b
    Example: cairn read --table my.table --deck my.deck photo.jpg
    """
    from time import perf_counter

    from calibration.deck import load_deck
    from calibration.photo import load_photo
    from calibration.table import load_table
    from vision.read import Reader

    reader = Reader(load_table(table_file), load_deck(deck_file))

    def answer(photo: Path) -> int:
        image = load_photo(photo)
        start = perf_counter()
        reading = reader.read(image, source=str(photo))
        ms = round((perf_counter() - start) * 1000, 1)
        print_json({"photo": photo.name} | reading.to_json() | {"ms": ms})
        return 0

    ctx.exit(answer_for_each(photos, answer))


@main.command()
@click.option("--deck", "deck_file", required=True, type=click.Path(path_type=Path))
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.pass_context
def find(ctx: click.Context, deck_file: Path, photos: tuple[Path, ...]) -> None:
    """Find cards lying anywhere in a picture, no table needed.

    \b
    Example: cairn find --deck my.deck photo.jpg
    """
    from calibration.deck import load_deck
    from calibration.photo import load_photo
    from vision.find import Finder

    finder = Finder(load_deck(deck_file))

    def answer(photo: Path) -> int:
        cards = finder.find(load_photo(photo))
        print_json({"photo": photo.name, "cards": [card.to_json() for card in cards]})
        return 0

    ctx.exit(answer_for_each(photos, answer))


@main.command()
@click.option("--table", "table_file", required=True, type=click.Path(path_type=Path))
@click.option("--deck", "deck_file", required=True, type=click.Path(path_type=Path))
@click.option("--seats", required=True, help='Names and shields by turn: "Ann:red,Ben:blue".')
@click.option("--record", type=click.Path(path_type=Path), help="Write the game here.")
@click.argument("film", type=click.Path(path_type=Path), metavar="VIDEO|FOLDER")
@click.pass_context
def watch(
    ctx: click.Context,
    table_file: Path,
    deck_file: Path,
    seats: str,
    record: Path | None,
    film: Path,
) -> None:
    """Watch a filmed game.

    One JSON line for all that happens; exit 1 if findings are left at the end. Lines of a
    taps.jsonl beside the frames stand for shields that were tapped.

    \b
    Example: cairn watch --table T --deck D --seats "Ann:red,Ben:blue" --record R.json frames/
    """
    from scorer.record import format_record
    from scorer.seats import read_seats
    from webui.terminal import watch_film

    setting = read_seats(seats, "clans-and-glory")
    game = watch_film(setting, table_file, deck_file, film, print_json, complain)
    if record is not None:
        record.write_text(format_record(game.timeline.record), "utf-8")
    ctx.exit(1 if game.open_findings else 0)


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
    from scorer.record import read_record_file
    from scorer.report import check_to_json
    from scorer.timeline import judge

    def answer(path: Path) -> int:
        game = judge(read_record_file(path))
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
    from scorer.record import read_record_file
    from scorer.report import score_to_json
    from scorer.timeline import judge

    def answer(path: Path) -> int:
        data = score_to_json(judge(read_record_file(path)))
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

    print_json(bench_rules(say))


@bench.command("calibrate")
@click.option("--tables", type=click.IntRange(1), default=120, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first table.")
def bench_calibration(tables: int, seed: int) -> None:
    """How exactly and how fast tables are calibrated.

    \b
    Example: cairn bench calibrate --tables 30
    """
    from vision.bench_calibrate import bench_calibrate, write_figures
    from webui.layouts import layout_for

    figures = bench_calibrate({n: layout_for(n) for n in (2, 3, 4)}, tables, seed, say)
    say(write_figures(figures))
    print_json(figures)


@bench.command("vision")
@click.option(
    "--tables", type=click.IntRange(1), default=200, show_default=True, help="Each light."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first table.")
@click.option(
    "--light",
    multiple=True,
    type=click.Choice(["gentle", "ordinary", "hard"]),
    help="Default: all.",
)
@click.option(
    "--part",
    multiple=True,
    type=click.Choice(["lights", "slots", "widths", "memory"]),
    help="Default: all.",
)
@click.option(
    "--photos",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of real photographs.",
)
@click.option("--plots", type=click.Path(path_type=Path), help="A folder to draw plots into.")
def bench_the_eyes(
    tables: int,
    seed: int,
    light: tuple[str, ...],
    part: tuple[str, ...],
    photos: Path | None,
    plots: Path | None,
) -> None:
    """How well and how fast the eyes see.

    Simulated tables are calibrated, taught and read, then held against the truth.

    \b
    Example: cairn bench vision --tables 20
    """
    from vision.bench import PARTS, bench_vision, draw_plots
    from vision.measure.report import write_report
    from vision.simulated.light import GRADES
    from webui.layouts import layout_for

    layouts = {players: layout_for(players) for players in (2, 3, 4)}
    figures = bench_vision(layouts, tables, seed, say, light or GRADES, part or PARTS, photos)
    if plots is not None:
        plots.mkdir(parents=True, exist_ok=True)
        for name, text in draw_plots(figures).items():
            (plots / name).write_text(text, "utf-8")
    say(write_report(figures))
    print_json(figures)


@bench.command("watch")
@click.option("--games", type=click.IntRange(0), default=36, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first game.")
@click.option(
    "--light",
    multiple=True,
    type=click.Choice(["gentle", "ordinary", "hard"]),
    help="Default: all.",
)
@click.option("--players", multiple=True, type=click.IntRange(2, 4), help="Default: all.")
@click.option("--idle", type=int, default=10_000, show_default=True, help="Frames nobody plays.")
@click.option("--hour", type=int, default=54_000, show_default=True, help="Frames for memory.")
def bench_the_watch(
    games: int, seed: int, light: tuple[str, ...], players: tuple[int, ...], idle: int, hour: int
) -> None:
    """How well a whole evening is watched.

    Simulated games for 2, 3 and 4 players are watched from the first frame to the last and held
    against how they were played; then an idle table, cost and memory. Every game is told as it
    ends. A long run can be made in portions: other games by --seed, --light and --players, no idle
    table or memory with 0.

    \b
    Example: cairn bench watch --games 3 --light hard --players 3 --idle 300 --hour 1000
    """
    from vision.bench_watch import bench_cost, bench_games, bench_idle
    from vision.simulated.light import GRADES
    from webui.layouts import layout_for
    from webui.rehearsal import play_to_watch

    lights, counts = light or GRADES, players or (2, 3, 4)
    plays = (
        play_to_watch(counts[k // len(lights) % len(counts)], lights[k % len(lights)], seed + k)
        for k in range(games)
    )
    figures: dict[str, Any] = {"seed": seed, "games": bench_games(plays, say)}
    if idle:
        figures["idle"] = {
            grade: bench_idle(layout_for(3), grade, seed, idle // len(lights), say)
            for grade in lights
        }
    if hour:
        figures["cost"] = bench_cost(layout_for(4), seed, hour, say)
    print_json(figures)


@bench.command("web")
def bench_the_web() -> None:
    """How fast phones hear of an event.

    From an event to the last of 50 phones, beside a bare stream of the same size, and how that
    grows from 1 to 200 phones. Only this machine is called.

    \b
    Example: cairn bench web
    """
    from webui.bench import bench_web

    print_json(bench_web(say))


def answer_for_each(paths: tuple[Path, ...], answer: Callable[[Path], int]) -> int:
    """Answer for every file that can be read, complain of the others; the worst exit code."""
    worst = 0
    for path in paths:
        try:
            worst = max(worst, answer(path))
        except BAD_INPUT as error:
            complain(error)
            worst = 2
    return worst


if __name__ == "__main__":
    sys.exit(main())
