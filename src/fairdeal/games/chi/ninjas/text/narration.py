"""Chaos Ninjas: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import UNKNOWN, Record
from fairdeal.engine.scene import Line, Voice
from fairdeal.games.chi.ninjas.cards import a_card, kind_in_play
from fairdeal.games.chi.ninjas.rules.legal import target_seat
from fairdeal.games.chi.ninjas.state import (
    ANSWER,
    CARD,
    DECOYING,
    DISCARDING,
    DUEL,
    GIVING,
    IN_PLAY,
    NO_ACTION,
    OVER,
    PASS,
    PHANTOM,
    PLAY,
    ROB,
    SCOUT,
    SCOUTING,
    SKIP,
    SPIRIT,
    STRIKING,
    SUFFERING,
    TAKING,
    TARGET,
    TO_WIN,
    USE_DECOY,
    WITH,
)
from fairdeal.games.chi.ninjas.text.notation import attackers_of
from fairdeal.games.chi.ninjas.text.outcome import decided, victory
from fairdeal.games.chi.ninjas.text.prompts import cards_words, target_words, titled
from fairdeal.games.chi.text.telling import flushed, gained, is_reshuffled


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    lines = move_lines(before, after, player, actions, voice)
    if flushed(before, after, actions[0]):
        lines.append(Line("The row was all Attackers and is dealt anew.", ("NINJA-08",)))
    if is_reshuffled(before, after):
        lines.append(Line("The discard pile is shuffled and becomes the deck.", ("CHI-50",)))
    if int(after.phase) == OVER:
        reason, clause = decided(after, voice)
        lines.append(Line(f"{victory(after, voice)} {reason}", (clause,)))
    return lines


def move_lines(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    action = actions[0]
    if action < PLAY:
        return draw_lines(before, after, player, action, voice)
    if action < TARGET:
        return play_lines(before, after, player, kind_in_play(action - PLAY), voice)
    if action < WITH:
        return attack_lines(before, after, player, actions, voice)
    if action == ANSWER:
        return [Line(f"{voice.does(player, 'answer')} with a Counter.")]
    if action == PASS:
        return pass_lines(before, after, player, voice)
    if action == USE_DECOY:
        line = Line(f"{voice.does(player, 'let')} the Decoy fall instead.", ("NINJA-41",))
        return [line, *reward_lines(before, after, int(before.duel.attacker), (), voice)]
    if action == SKIP:
        return skip_lines(before, after, player, voice)
    if action == NO_ACTION:
        return [Line(f"{voice.does(player, 'can', 'can')} do nothing.", ("CHI-13",))]
    if action < CARD:
        robbed = (player + action - ROB + 1) % int(before.players)
        return [Line(f"{voice.does(player, 'rob')} {voice.name(robbed)}.", ("NINJA-34",))]
    return card_lines(before, after, player, action - CARD, voice)


def draw_lines(before: Record, after: Record, player: int, place: int, voice: Voice) -> list[Line]:
    kind = int(before.row[place])
    lines = [Line(f"{voice.does(player, 'take')} {a_card(kind)} from the row.")]
    new = gained(before, after, player)
    if len(new) > 1:
        if kind in new:
            new.remove(kind)
        lines.append(Line(f"The Scholar draws {told(new[0])} from the deck.", ("NINJA-37",)))
    return lines


def told(kind: int) -> str:
    return "a card" if kind == UNKNOWN else a_card(kind)


def play_lines(before: Record, after: Record, player: int, kind: int, voice: Voice) -> list[Line]:
    what = a_card(kind) if kind == SPIRIT else f"the {titled(before, kind)}"
    lines = [Line(f"{voice.does(player, 'play')} {what}.")]
    if kind == SCOUT:
        lines += drawn_lines(gained(before, after, player, (kind,)), player, "NINJA-32", voice)
    if int(after.areas[player].length) >= TO_WIN:
        lines.append(Line(f"Six in play: {voice.does(player, 'win')} next turn, unless one falls.", ("NINJA-06",)))
    return lines


def drawn_lines(new: Sequence[int], player: int, clause: str, voice: Voice) -> list[Line]:
    """A card that came from the deck; only who draws it is told which."""
    return [Line(f"{voice.does(player, 'draw')} {told(kind)} from the deck.", (clause,)) for kind in new]


def attack_lines(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """NINJA-42: under a Shadow two cards are not answered, and what they do is told at once."""
    what, cards = target_words(before, player, actions[0], voice), attackers_of(actions)
    lines = [Line(f"{voice.does(player, 'attack')} {what} with {cards_words(cards)}.")]
    if int(after.phase) == DUEL:
        return lines
    lines.append(Line("The Shadow keeps it from being countered.", ("NINJA-42",)))
    defender = int(target_seat(before, player, actions[0] - TARGET))
    if int(after.phase) != DECOYING:
        victim = kind_in_play((actions[0] - TARGET) % IN_PLAY)
        lines += fall_lines(before, after, player, defender, victim, cards, voice)
    return lines


def pass_lines(before: Record, after: Record, player: int, voice: Voice) -> list[Line]:
    """CHI-42: who passes has lost."""
    attacker, defender = int(before.duel.attacker), int(before.duel.defender)
    victim = int(before.areas[defender].cards[int(before.duel.target)])
    lines = [Line(f"{voice.does(player, 'give')} in.")]
    if player == attacker:
        lines.append(Line(f"{voice.does(defender, 'keep')} the {titled(before, victim)}.", ("NINJA-13",)))
    elif int(after.phase) != DECOYING:
        lines += fall_lines(before, after, attacker, defender, victim, (), voice)
    return lines


def fall_lines(
    before: Record, after: Record, attacker: int, defender: int, victim: int, left: Sequence[int], voice: Voice
) -> list[Line]:
    """NINJA-14: a card falls; `left` are the cards that the attacker played with this very move."""
    lines = [Line(f"{voice.does(defender, 'lose')} the {titled(before, victim)}.")]
    if victim == PHANTOM and before.options.abilities:
        lines.append(Line(f"The Phantom returns to {voice.of(defender)} hand.", ("NINJA-36",)))
    if int(after.phase) == SUFFERING:
        lines.append(Line(f"The Thorn costs {voice.name(attacker)} a card.", ("NINJA-38",)))
    return lines + reward_lines(before, after, attacker, left, voice)


def reward_lines(before: Record, after: Record, attacker: int, left: Sequence[int], voice: Voice) -> list[Line]:
    return drawn_lines(gained(before, after, attacker, left), attacker, "NINJA-13", voice)


def skip_lines(before: Record, after: Record, player: int, voice: Voice) -> list[Line]:
    if int(before.phase) == DECOYING:
        attacker = int(before.duel.attacker)
        victim = int(before.areas[player].cards[int(before.duel.target)])
        spared = Line(f"{voice.does(player, 'keep')} the Decoy.")
        return [spared, *fall_lines(before, after, attacker, player, victim, (), voice)]
    if int(before.phase) == STRIKING:
        return [Line(f"{voice.does(player, 'do', 'does')} not strike.")]
    return [Line(f"{voice.does(player, 'take')} nothing from the discard pile.")]


def card_lines(before: Record, after: Record, player: int, kind: int, voice: Voice) -> list[Line]:
    """What is done with one card of the hand, or of the discard pile."""
    phase = int(before.phase)
    if phase == TAKING:
        return [Line(f"{voice.does(player, 'take')} {a_card(kind)} from the discard pile.", ("NINJA-39",))]
    if phase == GIVING:
        robber = int(before.turn)
        card = a_card(kind) if voice.viewer in (player, robber) else "a card"
        return [Line(f"{voice.does(player, 'give')} {voice.name(robber)} {card}.", ("NINJA-34",))]
    clause = {SCOUTING: "NINJA-32", SUFFERING: "NINJA-38", DISCARDING: "NINJA-03"}[phase]
    lines = [Line(f"{voice.does(player, 'discard')} {a_card(kind)}.", (clause,))]
    if phase == SUFFERING:
        lines += reward_lines(before, after, player, (kind,), voice)
    return lines
