"""WAR X-TREME: codes and names of the cards in a catalogue."""

from collections.abc import Sequence

from fairdeal.games.war_xtreme.catalogue.entries import Equipment, Regular, Suit, Unique
from fairdeal.games.war_xtreme.catalogue.tables import CARD_KINDS, FACES, REGULAR_FACES, TURNED, UNIQUE_FACES, kind_of

RANK_NAMES = {
    21: "Tax",
    20: "Win",
    19: "Speed",
    18: "War",
    17: "Joker",
    16: "Wild",
    15: "Ace",
    14: "King",
    13: "Queen",
    12: "Princess",
    11: "Jack",
    1: "Lose",
    0: "nothing",
}
"""WAR-10: names of the ranks that have names. The others are written as numbers."""


SINGULAR = (1, 18, 19, 20, 21)
"""Ranks whose names do not refer to people."""


def rank_name(rank: int) -> str:
    """Return the name of a rank, such as `King` or `9`."""
    return RANK_NAMES.get(rank, str(rank))


def a_rank(rank: int) -> str:
    """Return a rank with its article, such as `a King` or `an 8`."""
    name = rank_name(rank)
    return f"{'an' if name in ('Ace', '8', '11') else 'a'} {name}"


def in_words(rank: int, name: str = "") -> str:
    """Return a card as it appears in a sentence, without its suit, such as `a King`, `an 8` or `Rise Up (War)`."""
    return f"{name} ({rank_name(rank)})" if name else a_rank(rank)


def plural_rank(rank: int) -> str:
    """Return a rank in the plural, such as `Kings`, `9s`, `Princesses` or `Win cards`."""
    name = rank_name(rank)
    if rank in SINGULAR:
        return f"{name} cards"
    return f"{name}es" if name.endswith("s") else f"{name}s"


class Words:
    """The codes and names of all cards, speed actions and equipment of one catalogue. Equipment is numbered from 1."""

    def __init__(
        self, suits: Sequence[Suit], regular: Sequence[Regular], unique: Sequence[Unique], kit: Sequence[Equipment]
    ) -> None:
        self.suits = tuple(suit.id for suit in suits)
        self.regular = tuple(regular)
        self.unique = tuple(one for suit in self.suits for one in unique if one.suit == suit)
        self.equipment = tuple(kit)
        turned = [TURNED - kind for kind in range(CARD_KINDS)]
        self.codes = {card: self.code_of(card) for card in (*turned, *range(CARD_KINDS))}
        self.card_of = {code: card for card, code in self.codes.items()}
        self.actions = tuple(dict.fromkeys(one.action for one in self.unique if one.action))
        self.action_of = {action: number for number, action in enumerate(self.actions)}
        self.kit_of = {one.id: one.no for one in self.equipment}

    def suit_of(self, card: int) -> str:
        return self.suits[kind_of(card) // FACES]

    def unique_card(self, card: int) -> Unique | None:
        """Return the entry of a special card, or None for a regular card."""
        suit, face = divmod(kind_of(card), FACES)
        return None if face < REGULAR_FACES else self.unique[UNIQUE_FACES * suit + face - REGULAR_FACES]

    def regular_face(self, card: int) -> Regular:
        return self.regular[kind_of(card) % FACES]

    def ends(self, card: int) -> list[str]:
        """Return the marks at the ends of a regular card, with the upper one first."""
        ends = self.regular_face(card).face.split(":")
        return ends if card >= 0 else ends[::-1]

    def ranks(self, card: int) -> tuple[int, ...]:
        """Return the ranks of a regular card, with that of the upper end first."""
        ranks = self.regular_face(card).ranks
        return ranks if card >= 0 else ranks[::-1]

    def code_of(self, card: int) -> str:
        """Return the code of a card (section 5), with the upper end first, such as `ninja/9:6` or `robot/tax`."""
        unique = self.unique_card(card)
        return f"{self.suit_of(card)}/{unique.face if unique else ':'.join(self.ends(card))}"

    def name_of(self, card: int) -> str:
        """Return the name of a card, such as `Ninja King`, `Zombie 9` or `Rise Up`."""
        unique = self.unique_card(card)
        return unique.name if unique else f"{titled(self.suit_of(card))} {rank_name(self.ranks(card)[0])}"

    def lying_name(self, card: int) -> str:
        """Return the name of a card in a camp, where suits and upper ends do not matter, such as `9/6`, `King` or `Rise
        Up`."""
        unique = self.unique_card(card)
        return unique.name if unique else "/".join(rank_name(rank) for rank in self.regular_face(card).ranks)

    def rank_and_name(self, card: int) -> tuple[int, str]:
        """Return the rank of a card and, for a special card, its name (else an empty string)."""
        unique = self.unique_card(card)
        return (unique.rank, unique.name) if unique else (self.ranks(card)[0], "")

    def rank_in_words(self, card: int) -> str:
        return in_words(*self.rank_and_name(card))


def titled(word: str) -> str:
    """Return an id as a title: `ball-and-chain` becomes `Ball and chain`."""
    return word.replace("-", " ").capitalize()
