"""Chaos Ninjas: what a move did, in words."""

from collections.abc import Iterator, Sequence

from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import Line, Voice
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chi.ninjas.rules.legal import kind_in_play, rival
from fairdeal.games.chi.ninjas.state import ACTIONS, PHANTOM, PHASES, SCOUT, SPIRIT, TO_WIN
from fairdeal.games.chi.ninjas.text.explain import clause_of
from fairdeal.games.chi.ninjas.text.notation import aimed_at, attackers_of, verb_of
from fairdeal.games.chi.ninjas.text.outcome import decided, victory
from fairdeal.games.chi.ninjas.text.prompts import attacked, called, cards_words, target_words, titled
from fairdeal.games.chi.text.telling import gained, pile_lines


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    lines = list(move_lines(before, after, player, actions, voice))
    lines += pile_lines(before, after, actions[0], "Attackers", "NINJA-08")
    if after.over:
        reason, clause = decided(after, voice)
        lines.append(Line(f"{victory(after, voice)} {reason}", (clause,)))
    return lines


def move_lines(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> Iterator[Line]:
    match ACTIONS.decode(actions[0]):
        case "draw", place:
            kind = before.row[place]
            yield Line(f"{voice.does(player, 'take')} {called(before, kind)} from the row.")
            new = gained(before, after, player)
            if len(new) > 1:
                drawn = [other for other in new if other != kind] or new
                yield Line(
                    f"{voice.title_of(player)} Scholar draws {told(before, drawn[0])} from the deck.",
                    ("NINJA-37",),
                )
        case "play", number:
            kind = kind_in_play(number)
            yield Line(
                f"{voice.does(player, 'play')} {'a Spirit' if kind == SPIRIT else f'the {titled(before, kind)}'}."
            )
            if kind == SCOUT:
                yield from drawn_lines(before, after, player, (kind,), "NINJA-32", voice)
            if after.areas[player].length >= TO_WIN:
                wins = f"{voice.does_then(player, 'win')} next turn"
                yield Line(f"Six in play: {wins}, unless one falls.", ("NINJA-06",))
        case "target", _:
            yield from attack_lines(before, after, player, actions, voice)
        case "answer", _:
            yield Line(f"{voice.does(player, 'block')} with a Counter.")
        case "pass", _:
            yield Line(f"{voice.does(player, 'give')} in.")
            if player == before.duel.attacker:  # CHI-42: who passes has lost
                victim = titled(before, attacked(before))
                yield Line(f"{voice.does(before.duel.defender, 'keep')} the {victim}.", ("NINJA-13",))
            else:
                yield from fall_lines(before, after, before.duel.attacker, player, attacked(before), (), voice)
        case "use_decoy", _:
            yield Line(f"{voice.does(player, 'let')} the Decoy fall instead.", ("NINJA-41",))
            yield from drawn_lines(before, after, before.duel.attacker, (), "NINJA-13", voice)
        case "skip", _ if PHASES[before.phase] == "decoy":
            yield Line(f"{voice.does(player, 'keep')} the Decoy.")
            yield from fall_lines(before, after, before.duel.attacker, player, attacked(before), (), voice)
        case "skip", _ if PHASES[before.phase] == "strike":
            yield Line(f"{voice.does(player, 'do', 'does')} not strike.")
        case "skip", _:
            yield Line(f"{voice.does(player, 'take')} nothing from the discard pile.")
        case "no_action", _:
            yield Line(f"{voice.does(player, 'can', 'can')} do nothing.", ("CHI-13",))
        case "rob", number:
            yield Line(f"{voice.does(player, 'rob')} {voice.name(rival(before, player, number))}.", ("NINJA-34",))
        case "card", kind:
            yield from card_lines(before, after, player, kind, voice)


def told(state: Snapshot, kind: int) -> str:
    return "a card" if kind == UNKNOWN else called(state, kind)


def drawn_lines(
    before: Snapshot, after: Snapshot, player: int, left: Sequence[int], clause: str, voice: Voice
) -> Iterator[Line]:
    """Cards that came from the deck, only who draws them is told which; `left` are those that they played or discarded
    with this very move."""
    for kind in gained(before, after, player, left):
        yield Line(f"{voice.does(player, 'draw')} {told(before, kind)} from the deck.", (clause,))


def attack_lines(
    before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice
) -> Iterator[Line]:
    """NINJA-42: under a Shadow two cards are not answered, and what they do is told at once."""
    what, cards = target_words(before, player, actions[0], voice), attackers_of(actions)
    yield Line(f"{voice.does(player, 'attack')} {what} with {cards_words(cards)}.")
    if PHASES[after.phase] != "duel":
        yield Line("The Shadow keeps it from being countered.", ("NINJA-42",))
        defender, victim = aimed_at(before, player, actions[0])
        yield from fall_lines(before, after, player, defender, victim, cards, voice)


def fall_lines(
    before: Snapshot, after: Snapshot, attacker: int, defender: int, victim: int, left: Sequence[int], voice: Voice
) -> Iterator[Line]:
    """NINJA-14: a card falls, unless a Decoy may; `left` are the cards that the attacker played with this very move."""
    if PHASES[after.phase] == "decoy":
        return
    yield Line(f"{voice.does(defender, 'lose')} the {titled(before, victim)}.")
    if victim == PHANTOM and before.options.abilities:
        yield Line(f"The Phantom returns to {voice.of(defender)} hand.", ("NINJA-36",))
    if PHASES[after.phase] == "thorn":
        yield Line(f"The Thorn costs {voice.name(attacker)} a card.", ("NINJA-38",))
    yield from drawn_lines(before, after, attacker, left, "NINJA-13", voice)


def card_lines(before: Snapshot, after: Snapshot, player: int, kind: int, voice: Voice) -> Iterator[Line]:
    """What is done with one card of the hand, or of the discard pile."""
    clause, robber = (clause_of(before),), before.turn
    match verb_of(before):
        case "take":
            yield Line(f"{voice.does(player, 'take')} {called(before, kind)} from the discard pile.", clause)
        case "give":
            card = called(before, kind) if voice.viewer in (player, robber) else "a card"
            yield Line(f"{voice.does(player, 'give')} {voice.name(robber)} {card}.", clause)
        case "discard":
            yield Line(f"{voice.does(player, 'discard')} {called(before, kind)}.", clause)
            if PHASES[before.phase] == "thorn":
                yield from drawn_lines(before, after, player, (kind,), "NINJA-13", voice)
