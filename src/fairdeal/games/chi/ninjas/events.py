"""Chaos Ninjas: the events of a move."""

from collections.abc import Iterator, Sequence
from typing import Any

from fairdeal.engine import events
from fairdeal.engine.events import Event
from fairdeal.engine.kit.seats import rival
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import Voice, with_article
from fairdeal.engine.scene.instruments import Attack
from fairdeal.games.chi.events import DidNothing, GaveIn
from fairdeal.games.chi.ninjas.cards import CODES, KIND_OF
from fairdeal.games.chi.ninjas.picture.attack import played
from fairdeal.games.chi.ninjas.rules.legal import kind_in_play
from fairdeal.games.chi.ninjas.state import ACTIONS, COUNTER, DECOY, PHANTOM, PHASES, SCOUT, SPIRIT, TO_WIN
from fairdeal.games.chi.ninjas.text.explain import clause_of
from fairdeal.games.chi.ninjas.text.notation import aimed_at, attackers_of, verb_of
from fairdeal.games.chi.ninjas.text.outcome import won
from fairdeal.games.chi.ninjas.text.prompts import attacked, cards_words, titled
from fairdeal.games.chi.picture.parts import attack_on
from fairdeal.games.chi.text.telling import gained, pile_events

# In this module, `name` is a card's name at the table: `lime Pickpocket`, or `lime Defender` without abilities.


class Drew(events.Drew):
    """NINJA-05, 13, 32, 39: a card taken from the row, the deck or the discard pile."""

    name: str = "card"
    source: str = "deck"

    def sentence(self, voice: Voice) -> str:
        does = voice.does(self.seat, "draw" if self.source == "deck" else "take")
        return f"{does} {with_article(self.name)} from the {self.source}."


class ScholarDrew(Drew):
    """NINJA-37: a second card, drawn from the deck by a Scholar."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.title_of(self.seat)} Scholar draws {with_article(self.name)} from the deck."


class Played(events.Played):
    """NINJA-05, 20: a Defender or a Spirit brought into play."""

    name: str = ""

    def sentence(self, voice: Voice) -> str:
        article = "a" if self.cards[0] == CODES[SPIRIT] else "the"
        return f"{voice.does(self.seat, 'play')} {article} {self.name}."


class SixInPlay(events.Act):
    """NINJA-06: a sixth card in play, which wins unless one of the six falls before the seat's next turn."""

    def sentence(self, voice: Voice) -> str:
        return f"Six in play: {voice.does_then(self.seat, 'win')} next turn, unless one falls."


class Attacked(events.Attacked):
    """NINJA-10: an attack with one or two cards on a card in play, called `name`."""

    name: str = ""

    def sentence(self, voice: Voice) -> str:
        cards = cards_words([KIND_OF[card] for card in self.cards])
        return f"{voice.does(self.seat, 'attack')} {voice.of(self.defender)} {self.name} with {cards}."


class Shadowed(Event):
    """NINJA-42: the announcement that an attack cannot be countered."""

    words = "The Shadow keeps it from being countered."


class Blocked(events.Blocked):
    """NINJA-12: a block with a Counter."""

    words = "You block with a Counter."


class KeptDecoy(events.Kept):
    """NINJA-41: a seat's decision to keep its Decoy and lose the attacked card."""

    words = "You keep the Decoy."


class AttackEnded(events.AttackEnded):
    """NINJA-13, 14, 41: the end of an attack with `cards` on the card `victim`.

    `word` is COUNTERED, HIT (the defender may still lose a Decoy instead), DECOY, DEFEATED, or VANISHED for a Phantom.
    """

    word: str
    victim: str
    name: str
    cards: tuple[str, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        return (CODES[DECOY] if self.word == "DECOY" else self.victim,)

    def outcome(self, voice: Voice) -> str:
        return f"{voice.does(self.defender, 'keep' if self.word == 'COUNTERED' else 'lose')} the {self.name}"

    def sentence(self, voice: Voice) -> str:
        match self.word:
            case "HIT":
                return ""
            case "DECOY":
                return f"{voice.does(self.defender, 'let')} the Decoy fall instead."
        return f"{self.outcome(voice)}."

    def attack(self, voice: Voice) -> Attack:
        text = {
            "HIT": f"{voice.does(self.defender, 'may', 'may')} lose a Decoy instead",
            "DECOY": f"{voice.does(self.defender, 'lose')} the Decoy instead",
            "VANISHED": f"It returns to {voice.of(self.defender)} hand",
        }
        return attack_on(
            voice,
            self.attacker,
            self.defender,
            self.name,
            text=text.get(self.word) or self.outcome(voice),
            attackers=sum(card != CODES[COUNTER] for card in self.cards),
            word=self.word,
            faces=self.cards,
        )


class PhantomReturned(events.Kept):
    """NINJA-36: the return of a defeated Phantom to its owner's hand."""

    def sentence(self, voice: Voice) -> str:
        return f"The Phantom returns to {voice.of(self.seat)} hand."


class ThornStung(events.Act):
    """NINJA-38: an attacker's duty to discard a card after defeating a Thorn."""

    def sentence(self, voice: Voice) -> str:
        return f"The Thorn costs {voice.name(self.seat)} a card."


class DidNotStrike(events.Passed):
    """NINJA-31: a Striker's decision not to attack."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'do', 'does')} not strike."


class TookNothing(events.Passed):
    """NINJA-39: a Medic's decision not to take a card."""

    words = "You take nothing from the discard pile."


class Robbed(events.Act):
    """NINJA-34: the choice of a seat that must give away a card."""

    robbed: int

    @property
    def seats(self) -> tuple[int, ...]:
        return self.seat, self.robbed

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'rob')} {voice.name(self.robbed)}."


class Gave(events.Lost):
    """NINJA-34: a card given to the robber. Only the two seats involved can see it."""

    name: str = "card"
    robber: int = -1

    @property
    def seats(self) -> tuple[int, ...]:
        return self.seat, self.robber

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'give')} {voice.name(self.robber)} {with_article(self.name)}."


class Discarded(events.Discarded):
    """NINJA-03, 32, 38: a card discarded above the limit, after a Scout, or because of a Thorn."""

    name: str = ""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'discard')} {with_article(self.name)}."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of the move, then the events of its consequences."""
    found = [*moved(before, after, player, actions, viewer)]
    found += pile_events(before, after, actions[0], "Attackers", "NINJA-08")
    return [*found, won(after)] if after.over else found


def moved(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> Iterator[Event]:
    match ACTIONS.decode(actions[0]):
        case "draw", place:
            kind = before.row[place]
            yield Drew(player, *named(before, kind), source="row")
            new = gained(before, after, player)
            if len(new) > 1:
                drawn = [other for other in new if other != kind] or new
                yield ScholarDrew(player, *named(before, drawn[0]), clauses=("NINJA-37",))
        case "play", number:
            kind = kind_in_play(number)
            yield Played(player, *named(before, kind))
            if kind == SCOUT:
                yield from drawn_from_deck(before, after, player, (kind,), "NINJA-32")
            if after.areas[player].length >= TO_WIN and not after.over:
                yield SixInPlay(player, clauses=("NINJA-06",))
        case "target", _:
            yield from attack_made(before, after, player, actions)
        case "answer", _:
            yield Blocked(player)
        case "pass", _:
            yield GaveIn(player)
            if player == before.duel.attacker:  # CHI-42: the seat that passes has lost
                yield ended(before, "COUNTERED", *under_way(before), clauses=("NINJA-13",))
            else:
                yield from got_through(before, after, *under_way(before))
        case "use_decoy", _:
            yield ended(before, "DECOY", *under_way(before), clauses=("NINJA-41",))
            yield from drawn_from_deck(before, after, before.duel.attacker, (), "NINJA-13")
        case "skip", _ if PHASES[before.phase] == "decoy":
            yield KeptDecoy(player, (CODES[DECOY],))
            yield from got_through(before, after, *under_way(before))
        case "skip", _:
            yield DidNotStrike(player) if PHASES[before.phase] == "strike" else TookNothing(player)
        case "no_action", _:
            yield DidNothing(player, clauses=("NINJA-08",))
        case "rob", number:
            yield Robbed(player, rival(before, player, number), clauses=("NINJA-34",))
        case "card", kind:
            yield from card_moved(before, after, player, kind, viewer)


def named(state: Snapshot, kind: int) -> tuple[tuple[str], str]:
    """Return the face of a card and its name at this table."""
    return (("",), "card") if kind == UNKNOWN else ((CODES[kind],), titled(state, kind))


def drawn_from_deck(before: Snapshot, after: Snapshot, seat: int, left: Sequence[int], clause: str) -> Iterator[Drew]:
    """Yield the cards that a seat drew from the deck. Only that seat sees their faces.

    `left` lists the cards that the seat played or discarded in the same move.
    """
    for kind in gained(before, after, seat, left):
        yield Drew(seat, *named(before, kind), clauses=(clause,))


def attack_made(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int]) -> Iterator[Event]:
    """NINJA-42: yield an attack, and its result if a Shadow prevents a Counter."""
    (defender, victim), cards = aimed_at(before, player, actions[0]), attackers_of(actions)
    yield Attacked(player, tuple([CODES[kind] for kind in cards]), defender, titled(before, victim))
    if PHASES[after.phase] != "duel":
        yield Shadowed(clauses=("NINJA-42",))
        yield from got_through(before, after, player, defender, victim, cards, left=cards)


def under_way(state: Snapshot) -> tuple[int, int, int, list[int]]:
    """Return the current attack: the attacker, the defender, the kind of the attacked card, and the kinds of the played
    cards."""
    return state.duel.attacker, state.duel.defender, attacked(state), played(state)


def ended(
    before: Snapshot, word: str, attacker: int, defender: int, victim: int, cards: Sequence[int], **more: Any
) -> AttackEnded:
    faces = tuple([CODES[kind] for kind in cards])
    return AttackEnded(attacker, defender, word, CODES[victim], titled(before, victim), faces, **more)


def got_through(
    before: Snapshot,
    after: Snapshot,
    attacker: int,
    defender: int,
    victim: int,
    cards: Sequence[int],
    left: Sequence[int] = (),
) -> Iterator[Event]:
    """NINJA-14: yield the events of a successful attack, including the possible offer of a Decoy.

    `left` lists the cards that the attacker played in the same move.
    """
    vanished = victim == PHANTOM and before.options.abilities
    word = "HIT" if PHASES[after.phase] == "decoy" else "VANISHED" if vanished else "DEFEATED"
    yield ended(before, word, attacker, defender, victim, cards)
    if word == "HIT":
        return
    if vanished:
        yield PhantomReturned(defender, (CODES[PHANTOM],), clauses=("NINJA-36",))
    if PHASES[after.phase] == "thorn":
        yield ThornStung(attacker, clauses=("NINJA-38",))
    yield from drawn_from_deck(before, after, attacker, left, "NINJA-13")


def card_moved(before: Snapshot, after: Snapshot, player: int, kind: int, viewer: int) -> Iterator[Event]:
    """Yield the event of a card chosen from the hand or the discard pile."""
    clauses, robber = (clause_of(before),), before.turn
    match verb_of(before):
        case "take":
            yield Drew(player, *named(before, kind), "discard pile", clauses=clauses)
        case "give":
            seen = kind if viewer in (player, robber) else UNKNOWN
            yield Gave(player, *named(before, seen), robber, clauses=clauses)
        case "discard":
            yield Discarded(player, *named(before, kind), clauses=clauses)
            if PHASES[before.phase] == "thorn":
                yield from drawn_from_deck(before, after, player, (kind,), "NINJA-13")
