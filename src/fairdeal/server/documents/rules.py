"""The rules of a game as documents: in short, with its cards, and every clause by number."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar

from markupsafe import Markup

from fairdeal.engine import page as pages
from fairdeal.engine.options import read_options
from fairdeal.engine.registry import find_game
from fairdeal.engine.tips import OWN, Bite
from fairdeal.protocol.bodies import PageFacts
from fairdeal.server.documents import EMPTY, HEADER, Writer
from fairdeal.table.lessons import offers_of

MARKS = {"R": "in print", "A": "our ruling", "X": "of this edition"}
"""Words for the marks of clauses."""

MANY = 4
"""Number of cards of a kind that fit beside its text."""

BUTTONS = Markup(
    "<span class='gap-x'></span><button class='btn slim turn-rules'>{}</button>"
    "<button class='btn slim print'>Print</button>"
)


class RulesWriter(Writer):
    """Writes the rules of a game, with its cards by their notation. `options` are the options of a table that differ
    from their defaults."""

    forms: ClassVar = {
        "in short": Markup(
            "{0}<h2 class='sr'>The rules</h2><div class='columns' data-skin='{1.skin.name}' data-look='{1:look}'>"
            "<section class='told goal'><h3>Goal</h3>{1.page.goal:Said}</section>{1.page:parts}"
            "<p class='quiet small by'>{1.title} is by {1.designer}, published by {1.publisher}. This is an unofficial "
            "edition with rules in our own words.</p>{2:taught}</div>"
        ),
        "part": Markup("<section class='told' data-part='{0}'><h3>{1}</h3>{2}</section>"),
        "set_up": Markup("{:each}"),
        "turn": Markup("<ol class='turns'>{:each step}</ol>"),
        "cards": Markup("<ul class='kinds'>{:each}</ul>"),
        "end": Markup("{:each}"),
        "scoring": Markup("{0.said:each}<div class='sums'>{0.sums:each}</div>"),
        "asked": Markup("{:each}"),
        "bites": Markup("{:each}<p><button class='btn slim again'>Show rule notes again</button></p>"),
        "step": Markup("<li>{:Said}</li>"),
        "Said": Markup("<p>{0.text}{0.clause:source}</p>{0.cards:row}{0.otherwise:here}"),
        "Kind": Markup(
            "<li data-many='{0.faces:many}'>{0.faces:row}<b>{0.name}</b><p>{0.text}{0.clause:source}</p></li>"
        ),
        "Sum": Markup(
            "<table class='sum'><caption>{0.title}</caption><tbody>{0.rows:each}</tbody><tfoot><tr><th scope='row'>"
            "{0.unit}</th><td>{0.total}</td></tr></tfoot></table>"
        ),
        "Row": Markup("<tr><th scope='row'>{0.text}{0.cards:row}</th><td>{0.value}</td></tr>"),
        "Question": Markup(
            "<div class='asked'><h4>{0.ask}</h4><p>{0.answer}{0.clause:source}</p>{0.otherwise:here}</div>"
        ),
        "Bite": Markup("<div class='bite'><p>{0.text}{0.clause:source}</p>{0:example}</div>"),
        "source": Markup(" <button class='clause quiet'>{}</button>"),
        "row": Markup("<div class='drawn'>{:items}</div>"),
        "Card": Markup("<span data-card='{:json}'></span>"),
        "str": Markup("<span>{}</span>"),
        "difference": Markup("<p class='here'>{}</p>"),
        "taught": Markup(
            "<section class='told taught'><h3>Learn it</h3><p><a class='btn slim' href='{0[0][0]}'>Play the first "
            "lesson: 90 seconds</a></p>{0:further}</section>"
        ),
        "lesson": Markup("<a href='{0[0]}'>{0[1]}</a>"),
        "all": Markup(
            "{}<h2 class='sr'>The rules</h2><input type='search' class='find-rule' aria-label='Find in the rules' "
            "placeholder='Find in the rules'/>{:each heading}"
        ),
        "heading": Markup("<section><h3>{0[0]}</h3>{0[1]:each}</section>"),
        "Clause": Markup(
            "<article id='clause-{0.id}' class='rule'><b>{0.id}</b> <small class='quiet'>{0.mark:mark}</small>"
            "<p>{0.text}</p></article>"
        ),
    }

    def __init__(self, facts: PageFacts, options: Mapping[str, Any]) -> None:
        self.facts, self.options = facts, options

    def look(self, facts: PageFacts) -> str:
        return self.json({"faces": facts.faces, "skin": facts.skin})

    def parts(self, page: pages.Page) -> Markup:
        """Return the parts that the page has, each below its heading."""
        found = ((name, head, getattr(page, name)) for name, head in pages.HEADS.items())
        return EMPTY.join(self.write("part", name, head, self.write(name, part)) for name, head, part in found if part)

    def many(self, faces: Sequence[str]) -> str:
        return "long" if len(faces) > MANY else "some" if len(faces) > 1 else "one"

    def items(self, row: Iterable[str]) -> Markup:
        """Return cards, which pages draw, and words between them."""
        cards = self.facts.cards
        return self.format_field([cards.get(item, item.removeprefix(pages.WORDS).strip()) for item in row], "each")

    def example(self, bite: Bite) -> Markup:
        """Return the example of a tip, with its own cards in place of the viewer's."""
        rows = ([part for item in row for part in (bite.cards if item == OWN else [item])] for row in bite.rows)
        return self.format_field(rows, "each row")

    def here(self, otherwise: Mapping[str, str | dict[str, str]]) -> Markup:
        """Return the differences at the table."""
        return self.format_field(pages.differs(otherwise, self.options), "each difference")

    def further(self, lessons: Sequence[tuple[str, str]]) -> Markup:
        """Return the links to the lessons after the first one."""
        links = Markup(" · ").join(self.write("lesson", one) for one in lessons[1:])
        return Markup("<p class='further'>Then: {}</p>").format(links) if links else EMPTY

    def mark(self, mark: str) -> str:
        return MARKS[mark]


def rules_in_short(name: str, options: Mapping[str, Any]) -> Markup:
    """Return the rules page of a game, for a table with the options that differ from their defaults."""
    facts = facts_of(name)
    header = HEADER.format(facts.title, BUTTONS.format("Every rule, by number"))
    lessons = [(f"/learn/{name}/{one.name}", one.title) for one in facts.lessons]
    return RulesWriter(facts, options).write("in short", header, facts, lessons)


def all_clauses(name: str) -> Markup:
    """Return every clause of a game below its heading, with a field that searches in them."""
    facts, clauses = facts_of(name), pages.told_clauses(find_game(name))
    header = HEADER.format(facts.title, BUTTONS.format("The rules in short"))
    return RulesWriter(facts, {}).write("all", header, groupby(clauses, lambda one: one.heading))


@functools.cache
def facts_of(name: str) -> PageFacts:
    """Return the rules page of a game, with its cards and their faces."""
    game = find_game(name)
    faces = game.faces(read_options(game.options, {}))
    page = pages.filled(pages.page_of(game), faces)
    cards = pages.cards_of(page, faces, game.skin.name)
    return PageFacts(
        title=game.title,
        designer=game.designer,
        publisher=game.publisher,
        page=page,
        heads=pages.HEADS,
        cards=cards,
        faces={card.face: faces[card.face] for card in cards.values() if card.face},
        skin=game.skin,
        lessons=offers_of(game),
    )
