"""A move in a log has one spelling, whatever a game reads from people."""

import re
from dataclasses import replace
from functools import cache, partial

import pytest

import fairdeal
from fairdeal.bots.bots import RandomBot
from fairdeal.engine.errors import BadLog
from fairdeal.table.log import Player, read_log
from fairdeal.table.sitting import Sitting
from fairdeal.table.verification import verify
from tests.conftest import SHORT, at_most_two

OTHER_DIGITS = {
    "Arabic-Indic": str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"),
    "fullwidth": str.maketrans("0123456789", "０１２３４５６７８９"),
    "superscript": str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"),
}

NUMBER = r"(?<!\S)(\d+)(?!\S)"
REPLACED = {
    "tab": (" ", "\t"),
    "double blank": (" ", "  "),
    "no-break blank": (" ", "\xa0"),
    "blank at the end": ("$", "\u2003"),
    "blank before": ("^", " "),
    "zero before": (NUMBER, r"0\1"),
    "plus before": (NUMBER, r"+\1"),
    "underscore": (NUMBER, r"\1_0"),
}
SPELLINGS = {
    **{kind: lambda text, digits=digits: text.translate(digits) for kind, digits in OTHER_DIGITS.items()},
    **{name: partial(re.sub, *how) for name, how in REPLACED.items()},
    "capitals": str.upper,
}
"""Other spellings of a move; int() reads most of the numbers."""


@cache
def log_of(name):
    """Return the log of a short game of people, whose moves nobody recomputes."""
    table = fairdeal.load(name, **{"players": at_most_two(name)} | SHORT.get(name, {}))
    sitting = Sitting.open(table, [Player(f"Player {seat}") for seat in range(table.players)], "spelled")
    bot = RandomBot(b"spelled")
    while not sitting.over:
        seat = sitting.state.to_act[0]
        sitting.play(seat, bot.choose(sitting.state.view(seat), seat, sitting.moves_made).actions)
    return sitting.log


def test_another_spelling_of_a_move_is_refused(name):
    log = log_of(name)
    verify(log.text())
    lines = [entry.line for entry in read_log(log.text()).entries]
    last = {entry.text: number for number, entry in enumerate(log.entries)}
    for spelling, spell in SPELLINGS.items():
        for number in [number for text, number in last.items() if spell(text) != text][:8]:
            entries = [*log.entries]
            entries[number] = replace(entries[number], text=spell(entries[number].text))
            with pytest.raises(BadLog) as found:
                verify(replace(log, entries=entries, moves=[*entries]).text())  # with marks that fit
            assert found.value.line == lines[number], spelling


def test_every_spelling_is_tried_in_some_game():
    texts = [entry.text for game in ("chi", "chip-it") for entry in log_of(game).entries]
    for spelling, spell in SPELLINGS.items():
        assert any(spell(text) != text for text in texts), spelling
