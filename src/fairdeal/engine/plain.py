"""A clause of a specification in the words of people: no marks, no notation, no names of options.

A specification is written for those who program a game. What it says of an option is said here as the option says it of
itself, for a table to choose; what it says of notation and of engines is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairdeal.engine.options import Options, about_of, option_fields
from fairdeal.engine.rulebook import Clause

MARKS = re.compile(r"\*{0,2}\[[RAX]\]\*{0,2} ?")
ASIDES = re.compile(r" ?\((?:`[^`]*`|[^()]*(?:\boptions?\b|https?:)[^()]*)\)", re.IGNORECASE)
"""What stands in brackets and is notation, is about an option, or names a page of the web."""

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"*`(])|(?<=[.!?]\))\s+")
CODE = re.compile(r"`([^`]*)`")
NAMED = re.compile(r"([a-z][a-z_]*)(?:\s*[:=]\s*([\w-]+))?$")
ONLY_UNDER = re.compile(r"Only under `([a-z_]+): [\w-]+`: ")
MACHINE = re.compile(r"https?:|[a-z]_[a-z]|\[|\bnull\b|JSON|^In an engine|^Notation:|\bengine\b")
"""What only those who program a game read."""

WORDS = {"an engine": "the house", "An engine": "The house", "the engine": "the house", "The engine": "The house"}


NOTHING = "This clause is about how a game is written down."


def plain(clause: Clause, options: type[Options]) -> str:
    """What a clause says, for people."""
    text = ASIDES.sub("", MARKS.sub("", clause.text))
    under = ONLY_UNDER.match(text)
    if under:
        text = "Only where a table has chosen so: " + text[under.end() :]
    said: list[str] = []
    for sentence in SENTENCE.split(text):
        for words in told(sentence, options):
            if words not in said:
                said.append(words)
    return " ".join(said).replace(" .", ".") or NOTHING


def told(sentence: str, options: type[Options]) -> Iterator[str]:
    """A sentence as people are told it: itself, or what the table may choose, or nothing."""
    fields = option_fields(options)
    numbers = {name: str(value) for name, value in whole_numbers(options)}
    choices = list(dict.fromkeys(choices_in(sentence, options)))
    if choices:
        for name in choices:
            description = about_of(fields[name]).description or ""
            usual = {True: " Usually yes.", False: " Usually not."}.get(fields[name].default, "")
            asked = usual if description.endswith("?") else ""
            yield f"Up to the table: {description[:1].lower()}{description[1:]}{asked}"
        return
    if re.match(r"(?:See |Default |No option)", sentence):
        return
    sentence = CODE.sub(lambda code: numbers.get(code[1], code[1]), sentence).replace("*", "")
    for word, other in WORDS.items():
        sentence = sentence.replace(word, other)
    if not MACHINE.search(sentence):
        yield sentence


def whole_numbers(options: type[Options]) -> Iterator[tuple[str, object]]:
    """The options that are numbers, with their usual values."""
    for name, field in option_fields(options).items():
        if isinstance(field.default, int) and not isinstance(field.default, bool):
            yield name, field.default


def choices_in(sentence: str, options: type[Options]) -> Iterator[str]:
    """The options that a sentence is about: it calls them so, or gives one with a value."""
    fields = option_fields(options)
    calls = re.search(r"\boptions?\b", sentence, re.IGNORECASE)
    numbers = dict(whole_numbers(options))
    for code in CODE.findall(sentence):
        named = NAMED.match(code)
        if named and named[1] in fields:
            alone = "_" in named[1] and named[1] not in numbers
            if calls or alone or (named[2] and repr(named[2]) in repr(fields[named[1]].type)):
                yield named[1]
