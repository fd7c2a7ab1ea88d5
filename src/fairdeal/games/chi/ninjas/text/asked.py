"""Chaos Ninjas: what is asked in the course of a turn, in words."""

from __future__ import annotations

from typing import NamedTuple

from fairdeal.games.chi.ninjas.state import (
    DECOYING,
    DISCARDING,
    DUEL,
    GIVING,
    ROBBING,
    SCOUTING,
    STRIKING,
    SUFFERING,
    TAKING,
)


class Asked(NamedTuple):
    """What a phase asks: its clause, the question and what to know about it; why no other `move` is legal, and why
    another card that is tapped cannot be chosen."""

    clause: str
    question: str
    about: str
    move: str
    tap: str


ASKED = {
    DUEL: Asked(
        "CHI-41",
        "",
        "Whoever plays the last card wins.",
        "an attack must be answered first: `counter` or `pass`",
        "An attack must be answered first, with a Counter or by letting it happen.",
    ),
    DECOYING: Asked(
        "NINJA-41",
        "",
        "",
        "say first whether the Decoy falls instead: `decoy` or `skip`",
        "First say whether your Decoy falls instead.",
    ),
    STRIKING: Asked(
        "NINJA-31",
        "Your Striker is here: attack at once?",
        "A card of yours, then its target.",
        "the Striker may attack now: `attack` something, or `skip`",
        "A Striker may attack and do nothing else.",
    ),
    SCOUTING: Asked(
        "NINJA-32",
        "Your Scout has drawn a card. Which one do you discard?",
        "",
        "after a Scout a card is discarded",
        "The Scout asks for a card of your hand to discard.",
    ),
    ROBBING: Asked(
        "NINJA-34",
        "Whom does your Pickpocket rob?",
        "He chooses what to give.",
        "choose whom the Pickpocket robs",
        "First choose whom your Pickpocket robs.",
    ),
    GIVING: Asked(
        "NINJA-34",
        "{robber} robs you. Which card do you give?",
        "Nobody else sees it.",
        "you are robbed: `give` a card",
        "You are robbed: choose a card of your hand to give.",
    ),
    TAKING: Asked(
        "NINJA-39",
        "Which Defender does your Medic bring back?",
        "It goes to your hand.",
        "the Medic may `take` a Defender from the discard pile, or `skip`",
        "Your Medic may take a Defender from the discard pile.",
    ),
    SUFFERING: Asked(
        "NINJA-38",
        "The Thorn stings. Which card do you discard?",
        "Then you draw one.",
        "the Thorn makes you discard a card",
        "The Thorn asks for a card of your hand to discard.",
    ),
    DISCARDING: Asked(
        "NINJA-03",
        "Which card do you discard?",
        "{over} above the limit.",
        "you have more than {limit} cards: discard one",
        "Your hand is over the limit: a card of it must be discarded first.",
    ),
}
"""By phase; those of a plain turn and of the end ask nothing of this sort. Words in braces are filled in."""
