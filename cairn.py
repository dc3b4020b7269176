"""The front door: one short function a subcommand. Rooms are imported where they are used."""

import sys
from typing import Any

import click

from scorer.errors import BadInput


class FrontDoor(click.Group):
    """Lists commands in the order of an evening, and turns BadInput into one line and exit 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as error:
            click.echo(f"cairn: {error}", err=True)
            ctx.exit(2)


@click.group(cls=FrontDoor)
def main() -> None:
    """Cairn watches a card game through a webcam, judges every card and keeps the score."""


if __name__ == "__main__":
    sys.exit(main())
