"""The page of an evening as a document: the round, its tables and the standings. The page's script asks for it again,
sends what players press, and takes them to their tables."""

from itertools import pairwise
from typing import ClassVar

from markupsafe import Markup

from fairdeal.protocol import bodies as b
from fairdeal.server.documents import EMPTY, HEADER, SURE, Writer
from fairdeal.table.names import NAMELESS

STATES = {
    "open": "Starts when the host says so",
    "running": "Round {0.round} of {0.rounds}",
    "paused": "Paused after round {0.round} of {0.rounds}",
    "over": "Over",
}


class Page(Writer):
    """The writer of the page of an evening."""

    forms: ClassVar[dict[str, Markup]] = {
        "page": Markup(
            "{1}<div class='days evening' data-table='{0.table}'>"
            "<article class='bill'><div>"
            "<h2>{0.title}</h2><p class='sign'>{0:stands}</p><p>{0.form}, {5} players</p>{0.table:to}{2}"
            "<p class='problem' role='status'></p></div></article>"
            "<div>{3}<section><h2>Standings</h2><table><thead><tr><th scope='col'>Place</th><th scope='col'>Player</th>"
            "<th scope='col'>Points</th><th scope='col'>Opponents</th><th scope='col'>Beaten</th></tr></thead><tbody>"
            "{0.players:each}</tbody></table><p class='small'>{0:counted} Among equals, the points of all opponents "
            "decide, then those of the opponents who finished behind, half of them for a shared place.</p>"
            "{0:reasons}</section></div><div>{4}<section class='files'><h2>Results</h2>"
            "<p><a class='link' href='/api/evenings/{0.id}/results.csv' download>Standings (CSV)</a></p>"
            "<p><a class='link' href='/api/evenings/{0.id}' download='evening.json'>All games (JSON)</a></p>"
            "<p><a class='link' href='/evening/{0.id}?screen=1'>For a big screen</a></p></section></div>"
            "</div>"
        ),
        "round": Markup(
            "<section><h2>Round {0.round}</h2><p class='small'>Since {0.began:time}</p><ul>{1:each}</ul></section>"
        ),
        "EveningGame": Markup("<li>{0:names} <a class='link' href='/t/{0.table}?watch=1'>Look</a></li>"),
        "EveningPlayer": Markup(
            "<tr><td>{0.place}</td><th scope='row'>{0.name}{0.left:left}</th><td><b>{0.points:g}</b></td>"
            "<td>{0.opponents:g}</td><td>{0.beaten:g}</td></tr>"
        ),
        "left": Markup(" <small>(has left)</small>"),
        "why": Markup(
            "<p class='small'>{0.name} is before {1.name} with {0.points:g} points each: opponents {0.opponents:g} to "
            "{1.opponents:g}, beaten {0.beaten:g} to {1.beaten:g}.</p>"
        ),
        "to": Markup("<a class='btn lit' href='/t/{0}'>To your table</a>"),
        "enter": Markup("<form class='form'>{0:name}<button class='btn lit' name='enter'>Enter</button></form>"),
        "name": Markup(
            "<label class='name'><span>What shall we call you?</span>"
            "<input name='nickname' autocomplete='nickname' required></label>"
        ),
        "acts": Markup("<form class='form'>{0}</form>"),
        "button": Markup("<button class='btn' name='{0}'>{1}</button>"),
        "invite": Markup("<section><h2>Join in</h2>{1:code}<p><a class='link' href='{0}'>{0}</a></p></section>"),
        "code": Markup("<img src='{0}' width='200' height='200' alt='QR code of the link'>"),
    }

    def __init__(self, found: b.Evening) -> None:
        self.known = {one.number: one.name for one in found.players}

    def g(self, points: float) -> str:
        return f"{points:g}"

    def stands(self, found: b.Evening) -> str:
        """Return where the evening is."""
        return STATES[found.state].format(found)

    def counted(self, found: b.Evening) -> str:
        """Return how points are counted."""
        if found.scale:
            return f"Places bring {', '.join(map(self.g, found.scale))} points, and further places none."
        return "You get a point for each player behind you, and half a point for each at your place."

    def names(self, game: b.EveningGame) -> str:
        """Return the players of a game, with their places once it is over."""
        names = [self.known[one] for one in game.players]
        if game.places:
            names = [f"{place}. {name}" for place, name in sorted(zip(game.places, names, strict=True))]
        return " – ".join(names)

    def reasons(self, found: b.Evening) -> Markup:
        """Return why players with the same points have different places."""
        pairs = [(one, other) for one, other in pairwise(found.players) if one.points == other.points]
        return EMPTY.join(self.write("why", *pair) for pair in pairs if pair[0].place != pair[1].place)

    def acts(self, found: b.Evening) -> Markup:
        """Return the form for what the guest can do now."""
        acts = {"leave": "Leave the evening"} if found.you else {}
        if found.host and found.round < found.rounds:
            acts["start"] = "Next round now" if found.round else "Start"
        if found.host and found.round:
            acts |= {"resume": "Go on"} if found.state == "paused" else {"pause": "Pause"}
        buttons = EMPTY.join(self.write("button", *act) for act in acts.items())
        if found.host:
            buttons += SURE.format("End the evening", self.write("button", "end", "End it now"))
        return self.write("acts", buttons)


def evening_page(found: b.Evening, link: str, code: str, name: str) -> Markup:
    """Return the page of an evening for a guest with a name. `link` is the one for others, and `code` its QR code for
    an image, if they can open it."""
    page = Page(found)
    games = tuple(game for game in found.games if game.round == found.round)
    acts = invitation = EMPTY
    if found.state != "over":
        acts = (EMPTY if found.you else page.write("enter", name == NAMELESS)) + page.acts(found)
        invitation = page.write("invite", link, code)
    now = page.write("round", found, games) if games else EMPTY
    return page.write("page", found, HEADER.format(found.name, ""), acts, now, invitation, len(found.players))
