"""The pages about finished games as documents: a guest's own ones, and the ratings of all guests in a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar
from urllib.parse import urlencode

from markupsafe import Markup

from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import count_of
from fairdeal.engine.scene.points import minus
from fairdeal.protocol import bodies as b
from fairdeal.server.documents import EMPTY, HEADER, Writer
from fairdeal.server.static_files import names
from fairdeal.server.storage.queries import MOST_IN_HISTORY
from fairdeal.server.storage.ratings import ENOUGH, anchors
from fairdeal.table.names import ISOLATE

LOWEST, HIGHEST = 750.0, 2050.0
"""The ends of the axis on which ratings are drawn."""

FEW = 5
"""Number of rated games from which a rating is shown as a number."""


class HistoryWriter(Writer):
    """Writes the history of a guest, of which the games asked for are listed."""

    forms: ClassVar = {
        "you": Markup(
            "{0}<section class='owner'><span class='face' aria-hidden='true'>{1.name:initial}</span><div>"
            "<h2>{1.name}</h2><p>{1:about}</p></div></section>{1.standings:stands}{1.standings:listed}"
        ),
        "stands": Markup(
            "<section><h2>How you stand</h2>{0:each}<p class='quiet small'>The dot is your rating after rated games, "
            "and the bar is where it is likely to be: within two standard deviations. The portraits are at the "
            "measured ratings of the opponents.</p></section>"
        ),
        "Standing": Markup(
            "<article><img class='cover' src='/games/{0.game}/cover.svg' alt=''/><h3>{0.title}</h3>{0.strength:number}"
            "{0:axis}{0.last:form}<p class='small'>{0:sums} <a class='link' href='/you?game={0.game}'>Games"
            "<span class='sr'> of {0.title}</span></a> · <a class='link' href='/ratings/{0.game}'>All ratings"
            "<span class='sr'> in {0.title}</span></a></p></article>"
        ),
        "few": Markup("<p class='number'><b>?</b> {0}, too few to say</p>"),
        "many": Markup("<p class='number'><b>{0:.0f}</b> likely {1:.0f} to {2:.0f} after {3}</p>"),
        "lines": Markup(
            "<svg class='axis' aria-hidden='true'><line x1='0' x2='100%' y1='28' y2='28'/><g>{0:each portrait}</g>"
            "<line class='spread' x1='{1}' x2='{3}' y1='28' y2='28'/><circle cx='{2}' cy='28' r='6'/></svg>"
        ),
        "portrait": Markup("<image href='/web/faces/{0[0]}.svg' x='{0[1]:place}' width='16' height='16'/>"),
        "form": Markup("<ol class='form' aria-label='Last results, the latest first'>{0:each outcome}</ol>"),
        "outcome": Markup(
            "<li title='{0}' data-is='{0}'><svg viewBox='0 0 12 12' aria-hidden='true'><circle cx='6' cy='6' r='4.8'/>"
            "<path d='M6 1.2a4.8 4.8 0 0 0 0 9.6z'/><path d='M6 1.2a4.8 4.8 0 0 1 0 9.6z'/></svg><span class='sr'>{0}"
            "</span></li>"
        ),
        "games": Markup(
            "<section><h2>Games</h2>{1}{2:people}{3:opponents}<ol class='played'>{4:each}</ol>{5:older}</section>"
        ),
        "only": Markup("<p>{0} <a class='link' href='/you'>All games</a></p>"),
        "people": Markup("<h3>People</h3><ul class='met'>{0:each}</ul>"),
        "opponents": Markup("<h3>Opponents of the room</h3><ul class='met'>{0:each}</ul>"),
        "Met": Markup("<li><a class='link' href='/you?{0.key:query}'>with {0.name}</a>: {0:score}</li>"),
        "Played": Markup(
            "<li data-at='{0.ended}'><img class='cover' src='/games/{0.game}/cover.svg' alt=''/><div><h3><a "
            "href='/t/{0.table}?move=0'>{0.title}</a></h3><p class='faces'>{0:faces}</p>{0.decided:decided}</div>"
            "<p class='result'><b>{0.result}</b>{0.change:change}</p></li>"
        ),
        "decided": Markup("<p class='small quiet'>{0}</p>"),
        "older": Markup("<a class='btn slim' href='/you?{0}'>Older</a>"),
    }

    def __init__(self, found: b.History, asked: b.HistoryFor) -> None:
        self.found, self.asked = found, asked

    def about(self, found: b.History) -> Markup:
        """Return the number of games and the time of the oldest one, which the page writes as a date."""
        if found.since is None:
            return Markup("No game that you have played in this room is over. Then it is listed here.")
        last = "The last " if found.games >= MOST_IN_HISTORY else ""
        games = f"{last}{count_of(found.games, 'finished game')}"
        return Markup("{}, the oldest of <time data-at='{}'></time>").format(games, found.since)

    def number(self, known: b.Strength | None) -> Markup:
        """Return a rating as a number, if it is known well enough."""
        if known is None:
            return EMPTY
        games = count_of(known.games, "rated game")
        low, high = (known.rating + part * known.deviation for part in (-2, 2))
        return (
            self.write("few", games) if known.games < FEW else self.forms["many"].format(known.rating, low, high, games)
        )

    def axis(self, one: b.Standing) -> Markup:
        """Return the rating on the axis of the opponents' portraits."""
        if one.strength is None:
            return EMPTY
        ends = [place(one.strength.rating + part * one.strength.deviation) for part in (-2, 0, 2)]
        return self.write("lines", anchors(find_game(one.game)).items(), *ends)

    def sums(self, one: b.Standing) -> str:
        """Return what the games add up to, in words."""
        parts = [count_of(one.games, "game")]
        parts += [f"{won} of {of} won with {players} players" for players, (won, of) in one.wins.items()]
        if one.streak > 1:
            parts.append(f"the last {one.streak} won")
        if one.best is not None:
            against = " (points against you count as minus)" if one.best < 0 else ""
            parts.append(f"highest score {minus(one.best)} in {one.best_of} games by the same rules{against}")
        return f"{', '.join(parts)}."

    def listed(self, standings: Sequence[b.Standing]) -> Markup:
        """Return everybody who has played with the guest, and the games that were asked for."""
        asked, found = self.asked, self.found
        people, bots = ([one for one in found.met if one.bot == bot] for bot in (False, True))
        query = {"game": asked.game, "with": asked.opponent, "after": found.older}
        kinds = [f"of {one.title}" for one in standings if one.game == asked.game]
        others = [f"with {one.name}" for one in found.met if one.key == asked.opponent]
        only = self.write("only", f"Only games {' '.join(kinds + others)}.")
        narrowed = only if found.played else self.write("only", "You have not finished such a game.")
        return self.write(
            "games",
            standings,
            narrowed if asked.game or asked.opponent else EMPTY,
            people,
            bots,
            found.played,
            urlencode(query) if found.older else "",
        )

    def query(self, key: str) -> str:
        return urlencode({"with": key})

    def initial(self, name: str) -> str:
        return initial(name)

    def place(self, rating: float) -> str:
        return place(rating)

    def score(self, one: b.Met) -> str:
        return f"{count_of(one.games, 'game')}, you {one.you}, {one.name} {one.they}"

    def faces(self, game: b.Played) -> Markup:
        """Return the faces of the others."""
        return EMPTY.join(face(one) for number, one in enumerate(game.seats) if number != game.seat)

    def change(self, points: float | None) -> Markup:
        """Return the change of the rating, if the game was rated."""
        if points is None:
            return EMPTY
        told = minus(round(points)) if points < 0.5 else f"+{points:.0f}"
        return Markup(" <span class='small' title='change of your rating'>{}</span>").format(told)


def place(rating: float) -> str:
    """Return the place of a rating on the axis, in percent of its length."""
    return f"{100 * (min(max(rating, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST):.1f}%"


def initial(name: str) -> str:
    """Return the letter that stands for a person."""
    return name.lstrip(ISOLATE)[:1].upper()


PORTRAIT = Markup(
    "<span class='face' data-bot='true' title='{0}'><img class='portrait' src='/web/{1}' alt='{0}'/></span>"
)
LETTER = Markup("<span class='face' title='{0}'><span aria-hidden='true'>{1}</span><span class='sr'>{0}</span></span>")


def face(one: b.PlayedSeat) -> Markup:
    """Return the portrait of a bot, or the initial of a person."""
    files = [f"faces/{name}.svg" for name in (one.name.lower(), one.plays) if one.plays != "person"]
    found = next((file for file in files if file in names()), None)
    return PORTRAIT.format(one.name, found) if found else LETTER.format(one.name, initial(one.name))


def you_page(found: b.History, asked: b.HistoryFor) -> Markup:
    """Return the page about a guest's finished games."""
    return HistoryWriter(found, asked).write("you", HEADER.format("You", ""), found)


# --- ratings ------------------------------------------------------------------------------------------------------

RATINGS = Markup("""{header}<section><table class='ratings'><caption class='sr'>Ratings in {title}</caption>
<thead><tr><th scope='col'>Player</th><th scope='col'>Rating</th><th scope='col'>Rated games</th></tr></thead>
<tbody>{rows}</tbody></table>
<p>Guests are listed from {enough} rated games on. The order is that of a cautious estimate, the rating minus three
standard deviations, so that a good start of a few games does not lead the list. The number after ± is two standard
deviations: the rating is likely to be within this range.</p>
<p>The opponents of the room have measured ratings, which their games here do not change. 400 points more mean that a
player finishes before another ten times as often as behind. A guest who deletes their data leaves this list, and the
ratings of the others stay as they are.</p>
<p><a class='btn slim' href='/you'>Your own games and ratings</a></p></section>
""")

RANKED = Markup(
    "<tr><th scope='row'><span aria-hidden='true'>{}</span> {}</th><td>{:.0f} <span class='quiet'>± {:.0f}</span></td>"
    "<td>{}</td></tr>"
)


def ratings_page(found: b.Ratings) -> Markup:
    """Return the page with the ratings in a game."""

    def row(one: b.Ranked) -> Markup:
        known = one.strength
        shown = face(b.PlayedSeat(one.bot, one.name, one.bot or "person", 0, 0))
        games = "measured" if one.bot else known.games
        return RANKED.format(shown, one.name, known.rating, 2 * known.deviation, games)

    header = HEADER.format(f"Ratings in {found.title}", "")
    return RATINGS.format(header=header, title=found.title, enough=ENOUGH, rows=EMPTY.join(map(row, found.players)))
