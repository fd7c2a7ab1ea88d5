"""The page of an evening as a document: the round, its tables and the standings, for players and for a screen that all
look at. The page's script asks for it again, sends what players press, and takes them to their tables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar

from markupsafe import Markup

from fairdeal.engine.scene import count_of
from fairdeal.protocol import bodies as b
from fairdeal.server.documents import EMPTY, HEADER, Writer

FORMS = {"swiss": "Swiss", "robin": "round robin", "tables": "mixed tables"}


class Page(Writer):
    """The writer of the page of an evening."""

    forms: ClassVar[dict[str, Markup]] = {
        "page": Markup(
            "{header}<div class='days evening' data-now='{now}' data-table='{0.table}'><article class='bill'><div>"
            "<p class='sign'>{0.name}</p><h2>{0.title}</h2><p class='sign'>{0:round_said}</p><dl><div><dt>Form</dt>"
            "<dd>{0:form_said}</dd></div><div><dt>Players</dt><dd>{0:count}</dd></div>{0.began:clock}</dl>{acts}"
            "<p class='problem' role='status'></p></div></article>"
            "<div>{games}<section><h2>Standings</h2><table><thead><tr><th scope='col'>Place</th>"
            "<th scope='col'>Player</th><th scope='col'>Points</th><th scope='col'>Opponents</th>"
            "<th scope='col'>Beaten</th></tr></thead><tbody>{0.players:each}</tbody></table>{rules}</section></div>"
            "<div>{invite}{files}</div></div>"
        ),
        "title": Markup("<h1 class='sr'>{0.name}</h1>"),
        "clock": Markup("<div><dt>This round</dt><dd><time data-since='{0}'></time></dd></div>"),
        "games": Markup("<section><h2>Round {0.round}</h2><ol class='boards'>{games:each}</ol></section>"),
        "EveningGame": Markup("<li><span>{0:boards}</span>{0:state}</li>"),
        "one": Markup("<b data-place='{0}'>{1}</b>{2}"),
        "points": Markup(" <small>{0:number}</small>"),
        "watch": Markup("<a class='link' href='/t/{0.table}'>{0:moves}</a>"),
        "replay": Markup("<a class='link' href='/t/{0.table}?move=0'>Replay</a>"),
        "EveningPlayer": Markup(
            "<tr data-left='{0.left}'><td>{0.place}</td><th scope='row'>"
            "{0.name}</th><td><b>{0.points:number}</b></td><td>{0.opponents:number}</td><td>{0.beaten:number}</td></tr>"
        ),
        "rules": Markup(
            "<p class='small'>{0:points_said} A missed round brings nothing. Among equals, the points of all opponents "
            "decide, then those of the opponents who finished behind, half of them for a shared place.</p>{1:each why}"
        ),
        "why": Markup("<p class='small'>{0}</p>"),
        "to": Markup("<a class='btn lit' href='/t/{0.table}'>To your table</a>"),
        "leave": Markup("<button class='btn slim' data-do='leave'>Leave the evening</button>"),
        "button": Markup("<button class='btn{2}' data-do='{0}'>{1}</button>"),
        "host": Markup(
            "<details class='runs'{1}><summary>You run this evening</summary>{0}<p class='small'>Opponents of the room "
            "play for players who have not come after three minutes, until they come, and the result counts for the "
            "player. In a pause, games end, but no round begins.</p></details>"
        ),
        "takes": Markup("<button class='btn slim' data-do='leave' data-player='{0.number}'>Take out {0.name}</button>"),
        "invite": Markup(
            "<section class='invites'><h2>Join in</h2>{code}<p><a class='link' href='{0}'>{0}</a></p></section>"
        ),
        "code": Markup(
            "<img class='qr' src='/api/evenings/{0.id}/code.svg' width='200' height='200' alt='QR code of the link'>"
        ),
        "files": Markup(
            "<section class='files'><h2>Results</h2><p><a class='link' href='/api/evenings/{0.id}/results.csv' "
            "download>Standings (CSV)</a></p><p><a class='link' href='/api/evenings/{0.id}' download='evening.json'>"
            "All games with their logs (JSON)</a></p><p><a class='link' href='/evening/{0.id}?screen=1'>For a big "
            "screen</a></p></section>"
        ),
    }

    def __init__(self, found: b.Evening) -> None:
        self.found = found
        self.names = {one.number: one.name for one in found.players}

    def number(self, points: float) -> str:
        """Return points in short.

        >>> [Page.number(None, points) for points in (0.5, 2.0, 2.25)]
        ['½', '2', '2.25']
        """
        return "½" if points == 0.5 else f"{points:g}".replace(".5", "½")

    def round_said(self, found: b.Evening) -> str:
        """Return where the evening is."""
        if found.state == "open":
            return "Starts when the host says so"
        return {"over": "Over", "paused": "Paused after round {}", "running": "Round {}"}[found.state].format(
            f"{found.round} of {found.rounds}"
        )

    def form_said(self, found: b.Evening) -> str:
        return FORMS[found.form]

    def count(self, found: b.Evening) -> str:
        return str(sum(not one.left for one in found.players))

    def points_said(self, found: b.Evening) -> str:
        """Return how points are counted."""
        if found.scale:
            return f"Places bring {', '.join(map(self.number, found.scale))} points, and further places none."
        if found.size == 2:
            return "A win brings a point, a draw or a shared win half a point, and a bye a point."
        return "You get a point for each player behind you, and half a point for each at your place."

    def boards(self, game: b.EveningGame) -> Markup:
        """Return the players of a game, the winners first to see."""
        points, places = (found or [None] * len(game.players) for found in (game.points, game.places))
        return Markup(" – ").join(
            self.write("one", place or "", self.names[one], EMPTY if own is None else self.write("points", own))
            for one, own, place in zip(game.players, points, places, strict=False)
        )

    def state(self, game: b.EveningGame) -> Markup:
        """Return the way to a game."""
        if not game.table:
            return Markup("bye")
        if game.status == "cleared":
            return Markup("deleted")
        return self.write("replay" if game.status == "over" else "watch", game)

    def moves(self, game: b.EveningGame) -> str:
        return "Waiting" if game.status == "open" else count_of(game.moves, "move")

    def why(self) -> Iterator[str]:
        """Yield why players with the same points have different places."""
        for one, other in pairwise(self.found.players):
            if one.points == other.points and one.place != other.place:
                kind, mine, theirs = (
                    ("opponents’ points", one.opponents, other.opponents)
                    if one.opponents != other.opponents
                    else ("beaten opponents’ points", one.beaten, other.beaten)
                )
                counts = f"{self.number(mine)} to {self.number(theirs)}"
                yield f"{one.name} is before {other.name} with {self.number(one.points)} points each: {kind} {counts}."

    def acts(self) -> Markup:
        """Return what the guest can do now."""
        found = self.found
        if found.state == "over":
            return EMPTY
        own = self.write("to", found) if found.table else EMPTY
        own += self.write("leave") if found.you else Markup("<div class='enter'></div>")
        return own + (self.host() if found.host else EMPTY)

    def host(self) -> Markup:
        is_open = Markup(" open") if self.found.state == "open" else EMPTY
        return self.write("host", EMPTY.join(self.host_acts()), is_open)

    def host_acts(self) -> Iterator[Markup]:
        found = self.found
        if found.round < found.rounds:
            lit = " main" if found.round == 0 else ""
            yield self.write("button", "start", "Next round now" if found.round else "Start", lit)
        if found.state == "paused":
            yield self.write("button", "resume", "Go on", " main")
        if found.state == "running":
            yield self.write("button", "pause", "Pause", "")
            yield self.write("button", "replace", "Replace absent players", "")
        for one in found.players:
            if one.plays == "person" and not one.left and one.number != found.you:
                yield self.write("takes", one)
        yield self.write("button", "end", "End the evening", "")


def evening_page(found: b.Evening, address: b.Address, screen: bool) -> Markup:
    """Return the page of an evening for a guest, or for a screen. `address` is that of the room for others."""
    page, link = Page(found), f"{address.url}/evening/{found.id}"
    current = tuple(game for game in found.games if game.round == found.round)

    def form(name: str, *values: object, **more: object) -> Markup:
        return Markup(page.vformat(page.forms[name], values, more))  # noqa: S704 - the writer escapes

    code = EMPTY if address.works == "computer" else form("code", found)
    return form(
        "page",
        found,
        now=time.time(),
        header=form("title", found) if screen else HEADER.format(found.name, ""),
        acts=EMPTY if screen else page.acts(),
        games=form("games", found, games=current) if current else EMPTY,
        rules=form("rules", found, () if screen else [*page.why()]),
        invite=EMPTY if found.state == "over" else form("invite", link, code=code),
        files=EMPTY if screen else form("files", found),
    )
