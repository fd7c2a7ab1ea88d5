"""The page of the deal of the day as a document: the deal, what came of the guest's try, and the week. The page's
script opens tables, shows numbers, and checks records."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

from markupsafe import Markup

from fairdeal.engine.scene import count_of, listed
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
            "{header}<div class='days' data-deal='{0.deal}' data-today='{0.today}' data-table='{0.table}' "
            "data-state='{0.state}' data-more='{0.waits}' data-text='{0.text}'>{bill}<div>{beside}"
            "<section class='week'><h2>The week</h2><ol>{0.week:each}</ol><p>{0:row_said}</p></section>"
            "<section class='proof'><h2>Is it fair?</h2><div class='said' role='status'></div>"
            "{proof}</section></div>"
            "{print}</div>"
        ),
        "bill": Markup(
            "<article class='bill'><div><p class='sign'>Deal of the day · No. {0.deal}</p><h2>{0.title}</h2>"
            "<p class='sign'>{0.begins:date}</p><p>{0.goal}</p><dl><div><dt>One try</dt><dd>no way back</dd></div>"
            "{0.rivals:rivals}<div><dt>Beside</dt><dd>{0.best}</dd></div></dl>{act}"
            "<p class='problem' role='status'></p></div></article>"
        ),
        "rivals": Markup("<div><dt>Against</dt><dd>{0:listed}</dd></div>"),
        "open": Markup(
            "<button class='btn lit play'>Play</button><p class='small'>You can play it until {0.closes:time}.</p>"
            "{before}"
        ),
        "before": Markup(
            "<p class='small'><a class='link' href='/today?deal={0.before}'>Deal No. {0.before}</a>, of yesterday, can "
            "still be played.</p>"
        ),
        "begun": Markup(
            "<a class='btn lit' href='/t/{0.table}'>Go on</a><p class='small'>Your try counts if it ends before "
            "{0.closes:time}.</p>{before}"
        ),
        "over": Markup("<p class='done'><b>{0.result}</b><span>{0.best} {best}</span></p>{again}{before}"),
        "again": Markup("<button class='btn play fun'>Play again for fun</button>"),
        "unfinished": Markup("<p>Your try was not finished in time.</p>"),
        "missed": Markup("<p>You did not play this deal.</p>"),
        "gone": Markup("<p>The table of your try was deleted.</p>"),
        "beside": Markup(
            "<section><h2>Side by side</h2><table><thead><tr><th scope='col'>Player</th>"
            "<th scope='col'>Result</th><th scope='col'>Where you parted</th></tr></thead><tbody>"
            "<tr><th scope='row'>You</th><td>{0.result}</td><td></td></tr>{0.beside:each}</tbody>"
            "</table>{0.marks:marks}{0.missed:cost}"
            "{0.waits:waits}<p class='small quiet'>Beside {0.best}, you see the guests with "
            "whom you have finished a game in this room, and they see you.</p></section>"
        ),
        "hidden": Markup(
            "<section><h2>Side by side</h2><p>What {0.best} and your friends made of this deal is shown "
            "beside your own game when that is over. Friends are the guests with whom you have finished a game in this "
            "room.</p></section>"
        ),
        "marks": Markup(
            "<p>Your decisions: <span class='marks' role='img' aria-label='{0:in_words}'>{0}</span> "
            "<small class='quiet'>"
            "● as good as the best move found, ○ slightly worse, ■ worse</small></p>"
        ),
        "cost": Markup("<p>{0}</p>"),
        "waits": Markup(
            "<p class='small quiet'>More is to come: the room is still playing and analysing the deal.</p>"
        ),
        "Beside": Markup("<tr><th scope='row'>{0.name}</th><td>{0.result}</td><td>{0:parted}</td></tr>"),
        "Stamp": Markup(
            "<li data-state='{0.state}'><a href='/today?deal={0.deal}'><b aria-hidden='true'>{0.begins:initial}</b>"
            "<small>{0.title}</small><span class='sr'>No. {0.deal}, {0:state}</span></a></li>"
        ),
        "closed": Markup(
            "<p>The cards follow from a link of the room’s chain and from numbers of guests, and from nothing else. "
            "<a class='link' href='/api/today/record?deal={0.deal}' download>Download the record</a>, and the log of "
            "your game, then</p><pre>fairdeal verify LOG --daily RECORD</pre>"
        ),
        "sealed": Markup(
            "<p>The cards follow from a link of the room’s chain, whose end is <code>{0.end:code}</code>, and from the "
            "numbers, if any, that guests bound two days before. The room cannot change the link, and opens it at "
            "{0.closes:time}, when nobody can play the deal any more: then everybody can check the cards.</p>"
        ),
        "print": Markup(
            "<section class='print'><h2>To share</h2><img src='/api/today/picture.png?deal={0.deal}{look}' width='360' "
            "height='360' alt='{0.text}'><button class='btn main shares'>Share</button>"
            "<button class='btn copies'>Copy as text</button></section>"
        ),
        "time": Markup("<time datetime='{0:iso}'>{0:utc}</time>"),
    }

    def iso(self, at: float) -> str:
        return datetime.fromtimestamp(at, UTC).isoformat()

    def utc(self, at: float) -> str:
        return f"{datetime.fromtimestamp(at, UTC):%H:%M} UTC on {self.date(at)}"

    def date(self, at: float) -> str:
        when = datetime.fromtimestamp(at, UTC)
        return f"{when:%A}, {when.day} {when:%B}"

    def initial(self, at: float) -> str:
        return self.date(at)[0]

    def code(self, end: str) -> str:
        return f"{end[:4]} {end[4:8]} {end[8:12]}"

    def listed(self, names: tuple[str, ...]) -> str:
        return listed(names)

    def state(self, stamp: b.Stamp) -> str:
        return STATES[stamp.state]

    def in_words(self, marks: str) -> str:
        """Return the marks of decisions in words."""
        best, slight = marks.count("●"), marks.count("○")
        return f"{best} of {count_of(len(marks), 'decision')} as good as the best move found, {slight} slightly worse"

    def parted(self, other: b.Beside) -> str:
        """Return where the game of another player differs from the guest's."""
        if other.theirs and other.yours:
            return f"decision {other.alike + 1}: {other.theirs}; you: {other.yours}"
        return f"nowhere in {count_of(other.alike, 'decision')}"

    def row_said(self, found: b.Today) -> str:
        """Return how many deals the guest has played in a row."""
        row = f"{count_of(found.row, 'deal')} in a row. " if found.row > 1 else ""
        return f"{row}A row ends when a deal closes that you have not played; each can be played on two days."


def today_page(found: b.Today) -> Markup:
    """Return the page of a deal of the day for a guest."""
    page, is_over = Page(), found.state == "over"
    best = found.beside[0].result if found.beside and found.beside[0].bot else "is still playing"
    is_open = found.today - found.deal < 2

    def form(name: str, **more: Markup | str) -> Markup:
        return Markup(page.vformat(page.forms[name], [found], more))  # noqa: S704 - the writer escapes

    before = form("before") if found.before else EMPTY
    act = form(found.state, before=before, best=best, again=form("again") if is_open and is_over else EMPTY)
    return form(
        "page",
        header=HEADER.format("Deal of the day", ""),
        bill=form("bill", act=act),
        beside=form("beside") if is_over else form("hidden"),
        proof=form("sealed" if is_open else "closed"),
        print=form("print", look=f"&as={len(found.text)}") if is_over else EMPTY,
    )
