"""The page of the deal of the day as a document: the deal, what came of the guest's try, and the week. The page's
script opens tables, shows numbers, and checks records."""

from typing import ClassVar

from markupsafe import Markup

from fairdeal.engine.scene import count_of
from fairdeal.protocol import bodies as b
from fairdeal.server.documents import EMPTY, HEADER, Writer

STATES = {
    "open": "can still be played",
    "begun": "begun",
    "over": "played",
    "unfinished": "not finished",
    "missed": "not played",
    "gone": "table deleted",
}
"""The states of a guest's try, in words."""


class Page(Writer):
    """The writer of the page."""

    forms: ClassVar[dict[str, Markup]] = {
        "page": Markup(
            "{3}<div class='days' data-deal='{0.deal}' data-today='{0.today}' data-table='{0.table}' "
            "data-more='{0.waits}' data-text='{0.text}'><article class='bill'><div>"
            "<p class='sign'>Deal of the day · No. {0.deal}</p><h2>{0.title}</h2><p class='sign'>{0.begins:time}</p>"
            "<p>{0.goal}</p><dl class='sign'><div><dt>One try</dt><dd>no way back</dd></div>{0.rivals:each rival}<div>"
            "<dt>Beside</dt><dd>{0.best}</dd></div></dl>{0:act}<p class='problem' role='status'></p></div></article>"
            "<div>{1}<section class='week'><h2>The week</h2><ol>{0.week:each}</ol><p>{0:row}A row ends when a "
            "deal closes that you have not played; each can be played on two days.</p></section>"
            "<section><h2>Is it fair?</h2><div class='said' role='status'></div>{0:proof}</section></div>"
            "{2}</div>"
        ),
        "rival": Markup("<div><dt>Against</dt><dd>{0}</dd></div>"),
        "open": Markup(
            "<button class='btn lit play'>Play</button><p class='small'>You can play it until {0.closes:time}.</p>"
        ),
        "begun": Markup(
            "<a class='btn lit' href='/t/{0.table}'>Go on</a><p class='small'>Your try counts if it ends before "
            "{0.closes:time}.</p>"
        ),
        "over": Markup("<p class='done sign'><b>{0.result}</b><span>{0.best} {0:best}</span></p>{0.is_open:again}"),
        "again": Markup("<button class='btn play fun'>Play again for fun</button>"),
        "past": Markup("<p>Your try: {0.state:in_state}.</p>"),
        "compared": Markup(
            "<section><h2>Side by side</h2><table><thead><tr><th scope='col'>Player</th>"
            "<th scope='col'>Result</th><th scope='col'>Where you parted</th></tr></thead><tbody>"
            "<tr><th scope='row'>You</th><td>{0.result}</td><td></td></tr>{0.beside:each}</tbody>"
            "</table>{0.marks:marks}<p>{0.missed}</p>{0.waits:waits}<p class='small quiet'>You see {0.best} and "
            "the guests with whom you have finished a game in this room. They see your result, too.</p></section>"
        ),
        "marks": Markup(
            "<p>Your decisions: <span class='marks' role='img' aria-label='{0:in_words}'>{0}</span> "
            "<small class='quiet'>● as good as the best move found, ○ slightly worse, ■ worse</small></p>"
        ),
        "waits": Markup(
            "<p class='small quiet'>More is to come: the room is still playing and analysing the deal.</p>"
        ),
        "Beside": Markup("<tr><th scope='row'>{0.name}</th><td>{0.result}</td><td>{0:parted}</td></tr>"),
        "Stamp": Markup(
            "<li data-state='{0.state}'><a href='/today?deal={0.deal}'><b class='sign' aria-hidden='true'>{0.deal}</b>"
            "<small>{0.title}</small><span class='sr'>No. {0.deal}, {0.state:in_state}</span></a></li>"
        ),
        "closed": Markup(
            "<p>The cards follow from a link of the room’s chain and from numbers of guests, and from nothing else. "
            "<a class='link' href='/api/today/record?deal={0.deal}' download>Download the record</a>, and the log of "
            "your game, then</p><p><code>fairdeal verify LOG --daily RECORD</code></p>"
        ),
        "sealed": Markup(
            "<p>The cards follow from a link of the room’s chain, whose end is <code>{0.end}</code>, and from the "
            "numbers, if any, that guests bound two days before. The room cannot change the link, and opens it on "
            "{0.closes:time}, when nobody can play the deal any more: then everybody can check the cards.</p>"
        ),
        "shared": Markup(
            "<section class='print'><h2>To share</h2><img src='/api/today/picture.png?deal={0.deal}&as={0.waits}' "
            "width='360' height='360' alt='{0.text}'><button class='btn main shares'>Share</button>"
            "<button class='btn copies'>Copy as text</button></section>"
        ),
    }

    def act(self, found: b.Today) -> Markup:
        """Return what the guest can do, or has done."""
        return self.write(found.state if found.state in self.forms else "past", found)

    def best(self, found: b.Today) -> str:
        """Return the result of the strongest opponent."""
        return found.beside[0].result if found.beside and found.beside[0].bot else "is still playing"

    def proof(self, found: b.Today) -> Markup:
        return self.write("sealed" if found.is_open else "closed", found)

    def in_state(self, state: str) -> str:
        return STATES[state]

    def in_words(self, marks: str) -> str:
        """Return the marks of decisions in words."""
        best, slight = marks.count("●"), marks.count("○")
        return f"{best} of {count_of(len(marks), 'decision')} as good as the best move found, {slight} slightly worse"

    def parted(self, other: b.Beside) -> str:
        """Return where the game of another player differs from the guest's."""
        if other.theirs and other.yours:
            return f"decision {other.alike + 1}: {other.theirs}; you: {other.yours}"
        return f"nowhere in {count_of(other.alike, 'decision')}"

    def row(self, found: b.Today) -> str:
        """Return how many deals the guest has played in a row."""
        return f"{count_of(found.row, 'deal')} in a row. " if found.row > 1 else ""


def today_page(found: b.Today) -> Markup:
    """Return the page of a deal of the day for a guest."""
    page = Page()
    over = [page.write(form, found) if found.text else EMPTY for form in ("compared", "shared")]
    return page.write("page", found, *over, HEADER.format("Deal of the day", ""))
