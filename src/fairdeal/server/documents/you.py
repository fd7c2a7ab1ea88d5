"""The pages about finished games as documents: a guest's own ones, and the ratings of all guests in a game."""

from collections.abc import Iterable
from typing import ClassVar
from urllib.parse import urlencode

from markupsafe import Markup

from fairdeal.engine.game import Game
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import count_of
from fairdeal.engine.scene.points import minus
from fairdeal.protocol import bodies as b
from fairdeal.server.documents import EMPTY, HEADER, Writer
from fairdeal.server.static_files import names
from fairdeal.server.storage.queries import MOST_IN_HISTORY
from fairdeal.server.storage.ratings import ENOUGH, Ranked, anchors
from fairdeal.table.analysis import with_sign
from fairdeal.table.names import ISOLATE

LOWEST, HIGHEST = 750.0, 2050.0
"""The ends of the axis on which ratings are drawn."""

MARKS = {"won": "●", "shared": "◐", "lost": "○"}
"""The outcomes of games as marks."""

FEW = 5
"""Number of rated games from which a rating is shown as a number."""


class GamesWriter(Writer):
    """Writes the pages. `asked` are the games that are listed."""

    asked = b.HistoryFor()

    forms: ClassVar = {
        "you": Markup(
            "{1}<section class='owner'><span class='face' aria-hidden='true'>{0.name:initial}</span><div>"
            "<h2>{0.name}</h2><p>{0:about}{0.since:since}</p></div></section><div class='days'>{0.away:away}"
            "{0.standings:stands}<section><h2>Games</h2>{0:only}{2:people}{3:opponents}<ol class='played'>"
            "{0.played:each}</ol>{0.older:next}</section></div>"
        ),
        "since": Markup(", the oldest of {0:time}"),
        "away": Markup(
            "<section><h2>Days away</h2>{0.until:until}<p>While you are away, clocks in days stand still, and others "
            "there see until when. You have {0.left:days} left in this year.</p><form><label>Away until <input "
            "class='linkfield' name='until' type='date' required></label> <button class='btn main'>Be away</button>"
            "{0.until:back}<p class='bad' role='alert'></p></form></section>"
        ),
        "until": Markup("<p>You are away until {0:time}.</p>"),
        "back": Markup(" <button class='btn' name='until' formnovalidate>I am back</button>"),
        "stands": Markup(
            "<section><h2>How you stand</h2>{0:each}<p class='quiet small'>The dot is your rating after rated games, "
            "and the bar is where it is likely to be: within two standard deviations. The portraits are at the "
            "measured ratings of the opponents.</p></section>"
        ),
        "Standing": Markup(
            "<article><img class='cover' src='/games/{0.game}/cover.svg' alt=''/><h3>{0.title}</h3>{0.strength:number}"
            "{0:axis}<ol class='form' aria-label='Last results, the latest first'>{0.last:each outcome}</ol>"
            "<p class='small'>{0:sums} <a class='link' href='/you?game={0.game}'>Games<span class='sr'> of {0.title}"
            "</span></a>{0:ranking}</p></article>"
        ),
        "ratings": Markup(
            " · <a class='link' href='/ratings/{0.game}'>All ratings<span class='sr'> in {0.title}</span></a>"
        ),
        "number": Markup("<p class='number'><b>{0:few}</b> after {0.games} rated</p>"),
        "lines": Markup(
            "<svg class='axis' aria-hidden='true'><line x1='0' x2='100%' y1='28' y2='28'/><g>{0:each portrait}</g>"
            "<line class='spread' x1='{1:place}' x2='{3:place}' y1='28' y2='28'/><circle cx='{2:place}' cy='28' r='6'/>"
            "</svg>"
        ),
        "portrait": Markup("<image href='/web/faces/{0[0]}.svg' x='{0[1]:place}' width='16' height='16'/>"),
        "outcome": Markup("<li title='{0}'><span aria-hidden='true'>{0:mark}</span><span class='sr'>{0}</span></li>"),
        "Met": Markup("<li><a class='link' href='/you?{0.key:query}'>with {0.name}</a>: {0:score}</li>"),
        "Played": Markup(
            "<li><img class='cover' src='/games/{0.game}/cover.svg' alt=''/><div><h3><a "
            "href='/t/{0.table}?move=0'>{0.title}</a></h3><p class='faces'>{0.others:each}</p><p class='small quiet'>"
            "{0.ended:time}{0.decided:decided}</p></div><p class='result'><b>{0.result}</b>{0:change}</p></li>"
        ),
        "PlayedSeat": Markup("{0:shown}"),
        "decided": Markup("<br/>{0}"),
        "changed": Markup(" <span class='small' title='change of your rating'>{0}</span>"),
        "next": Markup("<a class='btn slim' href='/you?{0:further}'>Older</a>"),
        "people": Markup("<h3>People</h3><ul>{0:each}</ul>"),
        "opponents": Markup("<h3>Opponents of the room</h3><ul>{0:each}</ul>"),
        "narrowed": Markup("<p>Only games{0}. <a class='link' href='/you'>All games</a></p>"),
        "face": Markup(
            "<span class='face' data-bot='true' title='{0}'><img class='portrait' src='/web/{1}' alt='{0}'/></span>"
        ),
        "letter": Markup(
            "<span class='face' title='{0}'><span aria-hidden='true'>{0:initial}</span><span class='sr'>{0}</span>"
            "</span>"
        ),
        "all": Markup(
            "{1}<section><table class='ratings'><caption class='sr'>{2}</caption><thead><tr><th scope='col'>Player</th>"
            "<th scope='col'>Rating</th><th scope='col'>Rated games</th></tr></thead><tbody>{0:each}</tbody></table>"
            "<p>Guests are listed from {3} rated games on, in the order of a cautious estimate: the rating minus three "
            "standard deviations. The number after ± is two of them. The opponents of the room have measured ratings, "
            "which games here do not change. 400 points more mean that a player finishes before another ten times as "
            "often as behind.</p><p><a class='btn slim' href='/you'>Your own games and ratings</a></p></section>"
        ),
        "Ranked": Markup(
            "<tr><th scope='row'><span aria-hidden='true'>{0:shown}</span> {0.name}</th><td>{0.strength.text}</td>"
            "<td>{0:counted}</td></tr>"
        ),
    }

    def about(self, found: b.History) -> str:
        """Return the number of games."""
        if not found.games:
            return "No game that you have played in this room is over. Then it is listed here."
        return ("The last " if found.games >= MOST_IN_HISTORY else "") + count_of(found.games, "finished game")

    def few(self, known: b.Strength) -> str:
        """Return a rating as a number, if it is known well enough."""
        return known.text if known.games >= FEW else "?"

    def axis(self, one: b.Standing) -> Markup:
        """Return the rating on the axis of the opponents' portraits."""
        known = one.strength
        if known is None:
            return EMPTY
        ends = [known.rating + part * known.deviation for part in (-2, 0, 2)]
        return self.write("lines", anchors(find_game(one.game)).items(), *ends)

    def place(self, rating: float) -> str:
        """Return the place of a rating on the axis, in percent of its length."""
        return f"{100 * (min(max(rating, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST):.1f}%"

    def mark(self, outcome: str) -> str:
        return MARKS[outcome]

    def ranking(self, one: b.Standing) -> Markup:
        """Return the link to the ratings, if the game has any."""
        return self.write("ratings", one) if one.wins and anchors(find_game(one.game)) else EMPTY

    def sums(self, one: b.Standing) -> str:
        """Return what the games add up to, in words."""
        parts = [count_of(one.games, "game")]
        parts += [f"{won} of {of} won with {players} players" for players, (won, of) in one.wins.items()]
        if one.streak > 1:
            parts.append(f"the last {one.streak} won")
        if one.best is not None:
            parts.append(f"highest score {minus(one.best)} in {one.best_of} games by the same rules")
        return f"{', '.join(parts)}."

    def only(self, found: b.History) -> Markup:
        """Return which games were asked for."""
        kinds = [f" of {one.title}" for one in found.standings if one.game == self.asked.game]
        others = [f" with {one.name}" for one in found.met if one.key == self.asked.opponent]
        return self.write("narrowed", "".join(kinds + others)) if self.asked.game or self.asked.opponent else EMPTY

    def days(self, number: int) -> str:
        return count_of(number, "day")

    def query(self, key: str) -> str:
        return urlencode({"with": key})

    def further(self, after: str) -> str:
        return urlencode({"game": self.asked.game, "with": self.asked.opponent, "after": after})

    def initial(self, name: str) -> str:
        """Return the letter that stands for a person."""
        return name.lstrip(ISOLATE)[:1].upper()

    def score(self, one: b.Met) -> str:
        return f"{count_of(one.games, 'game')}, you {one.you}, {one.name} {one.they}"

    def shown(self, one: b.PlayedSeat | Ranked) -> Markup:
        """Return the portrait of a bot, or the initial of a person."""
        files = (f"faces/{name}.svg" for name in (one.name.lower(), one.plays) if one.plays != "person")
        found = next((file for file in files if file in names()), None)
        return self.write("face", one.name, found) if found else self.write("letter", one.name)

    def change(self, game: b.Played) -> Markup:
        """Return the change of the rating, if the game was rated."""
        if game.change is None:
            return EMPTY
        return self.write("changed", with_sign(minus(round(game.change))))

    def counted(self, one: Ranked) -> str:
        return "measured" if one.plays != "person" else str(one.strength.games)


def you_page(found: b.History, asked: b.HistoryFor) -> Markup:
    """Return the page about a guest's finished games."""
    people, bots = ([one for one in found.met if one.bot == bot] for bot in (False, True))
    writer = GamesWriter()
    writer.asked = asked
    return writer.write("you", found, HEADER.format("You", ""), people, bots)


def ratings_page(game: Game, players: Iterable[Ranked]) -> Markup:
    """Return the page with the ratings in a game."""
    title = f"Ratings in {game.title}"
    return GamesWriter().write("all", players, HEADER.format(title, ""), title, ENOUGH)
