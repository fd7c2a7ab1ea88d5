"""Documents that the room writes as HTML, as strings."""

import html
import re
from itertools import groupby

import pytest
from msgspec.structs import replace

import fairdeal
from fairdeal.engine.page import differs, told_clauses
from fairdeal.server.documents import rules
from fairdeal.server.documents.privacy import STORED, privacy_of
from fairdeal.server.documents.rules import all_clauses, facts_of, rules_in_short
from fairdeal.server.limits import DEFAULT_LIMITS
from fairdeal.server.settings import Settings
from fairdeal.server.tables.guests import ONE_YEAR

LINE = "<b>&'\""
"""A text that would end an element or an attribute."""


def words(written):
    """Return the text of a document, or of parts of it."""
    return html.unescape(re.sub(r"<[^>]*>", "", written))


def found(pattern, written):
    return [words(one) for one in re.findall(pattern, written)]


# --- rules --------------------------------------------------------------------------------------------------------


def test_rules_have_every_text_card_and_clause_of_their_page(name):
    facts, written = facts_of(name), rules_in_short(name, {})
    page = facts.page
    parts = [*page.paragraphs(), *page.cards, *page.bites, *(row for sums in page.scoring.sums for row in sums.rows)]
    texts = [part.text for part in parts] + [text for one in page.asked for text in (one.ask, one.answer)]
    makers = f"{facts.title} is by {facts.designer}, published by {facts.publisher}. This is an unofficial edition"
    assert [text for text in (*texts, makers) if text not in words(written)] == []
    cards = [item for row in page.rows() for item in row if item in facts.cards]
    assert written.count("data-card=") == len(cards) > 10
    sources = [one.clause for one in (*parts, *page.asked) if getattr(one, "clause", "")]
    assert sorted(found("<button class='clause quiet'>(.*?)<", written)) == sorted(sources)
    assert found("<h3>(.*?)<", written)[:2] == ["Goal", "Set-up"]
    assert re.findall("href='(/learn/[^']*)'", written) == [f"/learn/{name}/{one.name}" for one in facts.lessons]


def test_rules_say_what_is_different_at_a_table(name):
    otherwise = [*facts_of(name).page.differences()]
    options = {option: 1 for one in otherwise for option in one}
    told = [text for one in otherwise for text in differs(one, options)]
    assert found("<p class='here'>(.*?)</p>", rules_in_short(name, options)) == told != []
    assert "class='here'" not in rules_in_short(name, {})


def test_every_clause_is_below_its_heading_with_its_source(name):
    clauses, written = told_clauses(fairdeal.find_game(name)), all_clauses(name)
    told = [f"{one.id} {rules.MARKS[one.mark]}{one.text}" for one in clauses]
    assert found("<article.*?>(.*?)</article>", written) == told
    assert found("<h3>(.*?)</h3>", written) == [head for head, _ in groupby(clauses, lambda one: one.heading)]


def test_rules_cannot_write_elements(monkeypatch):
    """Nor can the values of options, which a client sends."""
    facts = facts_of("chi").replaced(title=LINE, designer=LINE)
    monkeypatch.setattr(rules, "facts_of", lambda name: facts)
    for written in (rules_in_short("chi", {"hand_limit": LINE}), all_clauses("chi")):
        assert LINE not in written
        assert LINE in words(written)


@pytest.mark.parametrize("part", ["chii/rules.html", "chii/clauses.html", "chi/rules.html?options=7"])
async def test_rules_of_no_game_and_for_no_options_are_refused(part, guest):
    answer = await guest.get(f"/api/games/{part}")
    assert answer.status == 400
    assert "did you mean chi" in answer.json()["reason"] or "options" in part


# --- privacy ------------------------------------------------------------------------------------------------------


def test_the_page_on_privacy_says_what_the_room_is_set_to():
    limits, set_to = (
        replace(DEFAULT_LIMITS, guest_names=7000, chat_lines=1),
        {"log_addresses": True, "contact": "a@b.c"},
    )
    settings = Settings(webhooks=["h.example"], limits=limits, keep_finished_days=1, **set_to)
    written = privacy_of(settings, banned=True)
    told = " ".join(words(written).split())
    days = f"lasts {ONE_YEAR // 86_400} days after your last visit."
    sentences = "last 7,000 names", "The last 1 line of", "are deleted 1 day after", "at h.example.", "kept by a@b.c."
    yes = "excluded you. You can", "The room logs", "Unfinished tables stay", *STORED.values()
    assert [one for one in (days, *sentences, *yes) if one not in told] == []
    assert "href='mailto:a@b.c'" in written
    other = privacy_of(Settings(keep_unfinished_days=60, contact=f"https://x.org/{LINE}"), banned=False)
    told = " ".join(words(other).split())
    no = "tables are deleted 60 days after", "games stay until", "sends nothing there", "does not log network addresses"
    assert [one for one in (*no, f"kept by https://x.org/{LINE}.") if one not in told] == []
    assert "has excluded you" not in told
    assert "href='https://x.org/" in other
    assert LINE not in other
