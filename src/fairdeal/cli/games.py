"""Commands that print games and their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairdeal.cli.shared import GameName, Json, app, print_json, refuse
from fairdeal.terminal.plain import say

if TYPE_CHECKING:
    from fairdeal.engine.game import Game


FACTS = "name", "title", "designer", "publisher", "players", "minutes", "goal", "rules_version"
"""The attributes of a game that `--json` prints unchanged."""


@app.command()
def games(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="A game, to list its options.")] = None,
    json: Json = False,
) -> None:
    """List the games, or the options of one."""
    from rich.table import Column
    from rich.table import Table as Grid

    from fairdeal.engine.options import about_of, allowed, notes_of, option_fields, part_of
    from fairdeal.engine.registry import find_game, installed_games
    from fairdeal.terminal.console import PlainConsole

    if json:
        print_json([facts_of(one) for one in ([find_game(name)] if name else installed_games())])
        return
    if name is None:
        for one in installed_games():
            players = "1 player" if one.players == (1, 1) else f"{span(one.players)} players"
            minutes = f"{span(one.minutes)} min"
            say(f"{one.name:<16} {one.title:<16} {one.designer:<21} {players:<12} {minutes}")
            say(f"    {one.goal or one.blurb}")
        return
    game = find_game(name)
    say(f"{game.title}, by {game.designer}, published by {game.publisher} (unofficial edition)", game.blurb)
    if game.goal:
        say(f"Goal: {game.goal}")
    say()
    for preset in game.presets:
        title, text = game.words_of_preset(preset)
        say(f"preset {preset}: {' - '.join(filter(None, (title, text)))}")
    say()
    for row in opponents_of(game):
        say(f"{row['name']:<5} {row['pips']}  {row['line']}")
        say(f"    {row['plays']}{row['rated']}")
    say()
    option, default = Column("option", no_wrap=True), Column("default", no_wrap=True)
    grid = Grid(option, default, "takes, and what it means", box=None, header_style="bold")
    for field in option_fields(game.options).values():
        hint: Any = field.type
        about = about_of(field)
        clauses = ", ".join(notes_of(field).get("clauses", ()))
        own = "the game's" if part_of(hint) else typed(field.default)
        means = " ".join(filter(None, (about.description, f"({clauses})" if clauses else "")))
        grid.add_row(field.encode_name, own, f"{allowed(hint)}. {means}")
    PlainConsole().print(grid)


def typed(value: Any) -> str:
    """Return an option's value as written on the command line, such as `any`, `true` or `[2,0]`."""
    import msgspec

    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def span(ends: tuple[int, int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}-{ends[1]}"


def opponents_of(game: Game) -> list[dict[str, Any]]:
    """Return the opponents of a game, from the weakest to the strongest, with their levels."""
    from fairdeal.bots.levels import FACES, levels_of
    from fairdeal.terminal.screens.opponents import pips

    return [
        {
            "id": name,
            "name": FACES[name].name,
            "pips": pips(name),
            "line": FACES[name].line,
            "plays": level.habits(game),
            "rated": f"; rated {level.rating:.0f}" if level.rating else "",
        }
        for name, level in levels_of(game).items()
    ]


def facts_of(game: Game) -> dict[str, Any]:
    """Return the facts of a game for programs, with the JSON schema of its options."""
    from fairdeal.engine.options import schema_of

    return {
        **{name: getattr(game, name) for name in FACTS},
        "actions": len(game.actions),
        "state_bytes": game.state.itemsize,
        "presets": dict(game.presets),
        "levels": [{"id": row["id"], "name": row["name"], "plays": row["plays"]} for row in opponents_of(game)],
        "preset_words": {preset: game.words_of_preset(preset) for preset in game.presets},
        "options": schema_of(game.options),
    }


@app.command()
def rules(
    context: typer.Context,
    game: GameName,
    clause: Annotated[
        str | None, typer.Argument(metavar="CLAUSE", help="One rule, by its number, such as CHIP-44.")
    ] = None,
    specification: Annotated[
        bool, typer.Option("--specification", help="Print the full specification of the rules.")
    ] = False,
) -> None:
    """Print the rules of a game: a summary and all clauses, one clause, or the specification."""
    from rich.text import Text

    from fairdeal.engine import page, rulebook
    from fairdeal.engine.options import read_options
    from fairdeal.engine.registry import find_game
    from fairdeal.terminal.console import PlainConsole
    from fairdeal.terminal.pictures.cards import Catalogue
    from fairdeal.terminal.screens.rules_page import told_page
    from fairdeal.terminal.screens.side_panel import clause_text

    found = find_game(game)
    if specification:
        refuse(context, "with --specification, which prints all rules", "clause")
        say(*rulebook.specification(found.specification).splitlines())
        return
    console, clauses = PlainConsole(), page.told_clauses(found)
    if clause is not None:
        one = rulebook.clause(found.specification, clause.upper())
        console.print(clause_text(next((told for told in clauses if told.id == one.id), one)))
        return
    faces = found.faces(read_options(found.options, {}))
    console.print(f"{found.title}, by {found.designer}, published by {found.publisher} (unofficial edition)\n")
    console.print(told_page(page.filled(page.page_of(found), faces), Catalogue(faces, found.skin), {}))
    console.print(Text("\nEVERY RULE, BY NUMBER", style="bold underline"))
    for one in clauses:
        console.print(clause_text(one))
