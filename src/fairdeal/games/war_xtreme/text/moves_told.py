"""WAR X-TREME: the move itself in words; what is still secret is told as done, not as what."""

from __future__ import annotations

from fairdeal.engine.records import HOUSE, Record
from fairdeal.engine.scene import Line, Voice, count_of, listed
from fairdeal.engine.seats import is_in
from fairdeal.games.war_xtreme.catalogue.names import Words, plural_rank, rank_name
from fairdeal.games.war_xtreme.catalogue.tables import AT_RIVAL, WARD
from fairdeal.games.war_xtreme.rules.effects import equipment_of_action, target_of_action
from fairdeal.games.war_xtreme.rules.piles import deck_size
from fairdeal.games.war_xtreme.state import (
    ACT,
    ASK,
    BUY_IN,
    CALL,
    CALLING,
    CATCH,
    CHOICE,
    DISPUTE,
    DISPUTING,
    EQUIP,
    EXTREME,
    FLEE,
    FLIP,
    IN_PLAY,
    PASS,
    RACE,
    RECRUIT,
    SEATS,
    SEEDED,
    SWEEP,
    TRUST,
    YES,
)
from fairdeal.games.war_xtreme.text.draft import is_slot, tricks_in_words
from fairdeal.games.war_xtreme.text.standing import kit_in

WILD = 16


def move_lines(before: Record, after: Record, player: int, action: int, words: Words, voice: Voice) -> list[Line]:
    """The move, and what it did at once."""
    phase = int(before.phase)
    if player == HOUSE:
        return [Line("Time is up, and nobody was quick enough.", ("WAR-19",))]
    if phase == EXTREME:
        return extreme_lines(before, after, player, action, voice)
    if phase == DISPUTING:
        return dispute_lines(before, after, player, action, voice)
    if phase == RACE:
        return [race_line(before, after, player, action, words, voice)]
    if phase == CHOICE:
        return [choice_line(before, player, action, voice)]
    if action >= EQUIP:
        return kit_lines(before, after, player, action, words, voice)
    if CATCH <= action < DISPUTE:
        return catch_lines(before, after, player, action - CATCH, voice)
    return [plain_line(before, player, action, voice)]


def plain_line(before: Record, player: int, action: int, voice: Voice) -> Line:
    if action == PASS:
        return Line(f"{voice.does(player, 'pass', 'passes')}.")
    if action == FLIP:
        return Line(f"{voice.does(player, 'flip')}.")
    if action == SWEEP:
        return Line(f"{voice.does(player, 'sweep')} the table clean.", ("WAR-32",))
    if RECRUIT <= action < TRUST:
        return Line(f"{voice.does(player, 'pick')} slot {action - RECRUIT + 1}.")
    if action == TRUST:
        return Line(
            f"{voice.does(player, 'trust')} {voice.name(int(before.regroup.owner))}. How touching.", ("WAR-62",)
        )
    if action < ACT:
        owner = voice.of(int(before.regroup.owner))
        return Line(f"{voice.does(player, 'distrust')} {owner} shuffle: {tricks_in_words(action)}.", ("WAR-63",))
    if int(before.phase) == CALLING:
        rank = action - CALL
        return Line(
            f"{voice.title(player)}: the Wild {'stands' if rank == WILD else f'is as good as {rank_name(rank)}'}.",
            ("WAR-26",),
        )
    if action >= ASK:
        return Line(f"{voice.does(player, 'ask')} {voice.name(action - ASK)} for trust.", ("WAR-61",))
    rival = voice.name((action - DISPUTE) % SEATS)
    return Line(f"{voice.does(player, 'want')} to settle something with {rival} by war.", ("WAR-89",))


def extreme_lines(before: Record, after: Record, player: int, action: int, voice: Voice) -> list[Line]:
    """WAR-03: nobody is told what the others said before all have."""
    lines = []
    if player == voice.viewer:
        lines.append(Line("You feel extreme." if action == YES else "You do not feel extreme. It happens."))
    else:
        lines.append(Line(f"{voice.names[player]} has answered."))
    if int(after.phase) != EXTREME:
        out = [voice.name(seat) for seat in range(int(after.players)) if not is_in(int(after.alive), seat)]
        if out:
            text = listed(out)
            verb = "is" if len(out) == 1 and out != ["you"] else "are"
            lines.append(Line(f"{text[0].upper()}{text[1:]} {verb} not dealt in.", ("WAR-03",)))
    return lines


def dispute_lines(before: Record, after: Record, player: int, action: int, voice: Voice) -> list[Line]:
    """WAR-89, 90: a quarrel, and who may brag."""
    if action != YES:
        return [Line(f"{voice.does(player, 'decline')}. The wiser one gives in.", ("WAR-89",))]
    lines = [Line(f"{voice.does(player, 'accept')}.", ("WAR-89",))]
    for seat in range(int(after.players)):
        if int(after.seats[seat].brag) > int(before.seats[seat].brag):
            lines.append(Line(f"{voice.does(seat, 'win')} the right to brag about it.", ("WAR-90",)))
            return lines
    return [*lines, Line("Tax settles it: nobody may brag.", ("WAR-90",))]


def race_line(before: Record, after: Record, player: int, action: int, words: Words, voice: Voice) -> Line:
    """WAR-18 to 20: in a seeded race actions are secret until all have named one."""
    if int(before.options.race) == SEEDED and player != voice.viewer:
        return Line(f"{voice.names[player]} has moved.")
    if action == PASS:
        return Line(f"{voice.does(player, 'stand')} still.")
    name = words.actions[action - ACT]
    wrong = is_in(int(after.locked), player)
    end = "; wrong one, out of the race" if wrong else "!"
    return Line(f"{voice.title(player)}: {name}{end}{'.' if wrong else ''}", ("WAR-19",) if wrong else ("WAR-18",))


def choice_line(before: Record, player: int, action: int, voice: Voice) -> Line:
    """WAR-54: chosen in secret."""
    if player != voice.viewer:
        return Line(f"{voice.names[player]} has chosen.")
    if action == FLEE:
        return Line("You choose to flee.")
    return Line(f"You choose to buy into the war of {plural_rank(int(before.wars[action - BUY_IN].rank))}.")


def kit_lines(before: Record, after: Record, player: int, action: int, words: Words, voice: Voice) -> list[Line]:
    """WAR-74, 81: equipment, unless a bodyguard stops it."""
    number, target = equipment_of_action(action), target_of_action(action)
    kit, tables = words.equipment[number - 1], before.options.catalogue
    slot = is_slot(before, number)
    whom = f" at slot {target}" if slot and target else f" on {voice.name(target - 1)}" if target else ""
    if target - 1 == player and not slot:
        whom = " on yourself" if player == voice.viewer else " on their own seat"
    lines = [Line(f"{voice.does(player, 'play')} {kit.name}{whom}.", ("WAR-74",))]
    if target and int(tables.equipment_target[number - 1]) == AT_RIVAL:
        guards = [one for one in kit_in(before, IN_PLAY + target - 1) if int(tables.equipment_op[one - 1]) == WARD]
        if guards:
            guard = words.equipment[guards[0] - 1].name
            lines.append(Line(f"{guard} takes it for {voice.name(target - 1)}. Both are junk now.", ("WAR-81",)))
    return lines


def catch_lines(before: Record, after: Record, player: int, accused: int, voice: Voice) -> list[Line]:
    """WAR-85, 86."""
    if int(after.caught) != int(before.caught):
        return [
            Line(f"{voice.does(player, 'catch', 'catches')} {voice.name(accused)} with a hidden card!", ("WAR-85",))
        ]
    paid = int(deck_size(before.decks[player])) - int(deck_size(after.decks[player]))
    price = f" It costs {count_of(paid, 'card')}." if paid > 0 else ""
    return [Line(f"{voice.does(player, 'accuse')} {voice.name(accused)}, wrongly.{price}", ("WAR-86",))]
