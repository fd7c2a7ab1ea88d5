"""Chaos Ninjas: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import Line, Voice
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chi.ninjas.cards import a_card
from fairdeal.games.chi.ninjas.rules.legal import kind_in_play, rival
from fairdeal.games.chi.ninjas.state import (
    ACTIONS,
    DECOYING,
    DUEL,
    GIVING,
    OVER,
    PHANTOM,
    SCOUT,
    SPIRIT,
    STRIKING,
    SUFFERING,
    TAKING,
    TO_WIN,
)
from fairdeal.games.chi.ninjas.text.asked import ASKED
from fairdeal.games.chi.ninjas.text.notation import aimed_at, attackers_of
from fairdeal.games.chi.ninjas.text.outcome import decided, victory
from fairdeal.games.chi.ninjas.text.prompts import attacked, cards_words, target_words, titled
from fairdeal.games.chi.text.telling import flushed, gained, is_reshuffled


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    lines = move_lines(before, after, player, actions, voice)
    if flushed(before, after, actions[0]):
        lines.append(Line("The row was all Attackers and is dealt anew.", ("NINJA-08",)))
    if is_reshuffled(before, after):
        lines.append(Line("The discard pile is shuffled and becomes the deck.", ("CHI-50",)))
    if after.phase == OVER:
        reason, clause = decided(after, voice)
        lines.append(Line(f"{victory(after, voice)} {reason}", (clause,)))
    return lines


def move_lines(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    match ACTIONS.decode(actions[0]):
        case "draw", place:
            return draw_lines(before, after, player, before.row[place], voice)
        case "play", number:
            return play_lines(before, after, player, kind_in_play(number), voice)
        case "target", _:
            return attack_lines(before, after, player, actions, voice)
        case "answer", _:
            return [Line(f"{voice.does(player, 'answer')} with a Counter.")]
        case "pass", _:
            return pass_lines(before, after, player, voice)
        case "use_decoy", _:
            line = Line(f"{voice.does(player, 'let')} the Decoy fall instead.", ("NINJA-41",))
            return [line, *drawn_lines(before, after, before.duel.attacker, (), "NINJA-13", voice)]
        case "skip", _:
            return skip_lines(before, after, player, voice)
        case "no_action", _:
            return [Line(f"{voice.does(player, 'can', 'can')} do nothing.", ("CHI-13",))]
        case "rob", number:
            robbed = voice.name(rival(before, player, number))
            return [Line(f"{voice.does(player, 'rob')} {robbed}.", ("NINJA-34",))]
        case _, kind:
            return card_lines(before, after, player, kind, voice)


def draw_lines(before: Snapshot, after: Snapshot, player: int, kind: int, voice: Voice) -> list[Line]:
    lines = [Line(f"{voice.does(player, 'take')} {a_card(kind)} from the row.")]
    new = gained(before, after, player)
    if len(new) > 1:
        if kind in new:
            new.remove(kind)
        lines.append(Line(f"The Scholar draws {told(new[0])} from the deck.", ("NINJA-37",)))
    return lines


def told(kind: int) -> str:
    return "a card" if kind == UNKNOWN else a_card(kind)


def play_lines(before: Snapshot, after: Snapshot, player: int, kind: int, voice: Voice) -> list[Line]:
    what = a_card(kind) if kind == SPIRIT else f"the {titled(before, kind)}"
    lines = [Line(f"{voice.does(player, 'play')} {what}.")]
    if kind == SCOUT:
        lines += drawn_lines(before, after, player, (kind,), "NINJA-32", voice)
    if after.areas[player].length >= TO_WIN:
        lines.append(Line(f"Six in play: {voice.does(player, 'win')} next turn, unless one falls.", ("NINJA-06",)))
    return lines


def drawn_lines(
    before: Snapshot, after: Snapshot, player: int, left: Sequence[int], clause: str, voice: Voice
) -> list[Line]:
    """Cards that came from the deck, only who draws them is told which; `left` are those that the player played or
    discarded with this very move."""
    return [
        Line(f"{voice.does(player, 'draw')} {told(kind)} from the deck.", (clause,))
        for kind in gained(before, after, player, left)
    ]


def attack_lines(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """NINJA-42: under a Shadow two cards are not answered, and what they do is told at once."""
    what, cards = target_words(before, player, actions[0], voice), attackers_of(actions)
    lines = [Line(f"{voice.does(player, 'attack')} {what} with {cards_words(cards)}.")]
    if after.phase != DUEL:
        lines.append(Line("The Shadow keeps it from being countered.", ("NINJA-42",)))
        defender, victim = aimed_at(before, player, actions[0])
        lines += fall_lines(before, after, player, defender, victim, cards, voice)
    return lines


def pass_lines(before: Snapshot, after: Snapshot, player: int, voice: Voice) -> list[Line]:
    """CHI-42: who passes has lost."""
    attacker, defender, victim = before.duel.attacker, before.duel.defender, attacked(before)
    lines = [Line(f"{voice.does(player, 'give')} in.")]
    if player == attacker:
        lines.append(Line(f"{voice.does(defender, 'keep')} the {titled(before, victim)}.", ("NINJA-13",)))
    else:
        lines += fall_lines(before, after, attacker, defender, victim, (), voice)
    return lines


def fall_lines(
    before: Snapshot, after: Snapshot, attacker: int, defender: int, victim: int, left: Sequence[int], voice: Voice
) -> list[Line]:
    """NINJA-14: a card falls, unless a Decoy may; `left` are the cards that the attacker played with this very move."""
    if after.phase == DECOYING:
        return []
    lines = [Line(f"{voice.does(defender, 'lose')} the {titled(before, victim)}.")]
    if victim == PHANTOM and before.options.abilities:
        lines.append(Line(f"The Phantom returns to {voice.of(defender)} hand.", ("NINJA-36",)))
    if after.phase == SUFFERING:
        lines.append(Line(f"The Thorn costs {voice.name(attacker)} a card.", ("NINJA-38",)))
    return lines + drawn_lines(before, after, attacker, left, "NINJA-13", voice)


def skip_lines(before: Snapshot, after: Snapshot, player: int, voice: Voice) -> list[Line]:
    if before.phase == DECOYING:
        spared = Line(f"{voice.does(player, 'keep')} the Decoy.")
        return [spared, *fall_lines(before, after, before.duel.attacker, player, attacked(before), (), voice)]
    if before.phase == STRIKING:
        return [Line(f"{voice.does(player, 'do', 'does')} not strike.")]
    return [Line(f"{voice.does(player, 'take')} nothing from the discard pile.")]


def card_lines(before: Snapshot, after: Snapshot, player: int, kind: int, voice: Voice) -> list[Line]:
    """What is done with one card of the hand, or of the discard pile."""
    clause, robber = ASKED[before.phase].clause, before.turn
    if before.phase == TAKING:
        return [Line(f"{voice.does(player, 'take')} {a_card(kind)} from the discard pile.", (clause,))]
    if before.phase == GIVING:
        card = a_card(kind) if voice.viewer in (player, robber) else "a card"
        return [Line(f"{voice.does(player, 'give')} {voice.name(robber)} {card}.", (clause,))]
    lines = [Line(f"{voice.does(player, 'discard')} {a_card(kind)}.", (clause,))]
    if before.phase == SUFFERING:
        lines += drawn_lines(before, after, player, (kind,), "NINJA-13", voice)
    return lines
