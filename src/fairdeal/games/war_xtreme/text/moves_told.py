"""WAR X-TREME: the move itself in words; what is still secret is told as done, not as what."""

from __future__ import annotations

from fairdeal.engine.scene import Line, Voice, count_of, listed
from fairdeal.engine.seats import is_in
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.war_xtreme.catalogue.names import Words, plural_rank, rank_name
from fairdeal.games.war_xtreme.catalogue.tables import AT_RIVAL, WARD, WILD_RANK
from fairdeal.games.war_xtreme.rules.piles import deck_size
from fairdeal.games.war_xtreme.state import ACTIONS, IN_PLAY, SEEDED, phase_of
from fairdeal.games.war_xtreme.text.draft import is_slot, kit_and_target, tricks_in_words
from fairdeal.games.war_xtreme.text.prompts import WINDOWS
from fairdeal.games.war_xtreme.text.standing import kit_in


def move_lines(before: Snapshot, after: Snapshot, player: int, action: int, words: Words, voice: Voice) -> list[Line]:
    """The move, and what it did at once."""
    verb, which = ACTIONS.decode(action)
    match verb:
        case "yes" | "no" if phase_of(before) == "EXTREME":
            return extreme_lines(after, player, verb, voice)
        case "yes":
            return [Line(f"{voice.does(player, 'accept')}.", ("WAR-89",)), brag_line(before, after, voice)]
        case "equip":
            return kit_lines(before, player, *kit_and_target(which), words, voice)
        case "pass" | "act" if phase_of(before) == "RACE":
            return [race_line(after, player, verb, which, words, voice)]
        case "flee" | "buy_in":
            return [choice_line(before, player, verb, which, voice)]
        case "pass" if phase_of(before) in WINDOWS and player != voice.viewer:
            return []  # only who holds something to play can pass
        case "catch":
            return [catch_line(before, after, player, which, voice)]
    return [plain_line(before, player, verb, which, voice)]


def plain_line(before: Snapshot, player: int, verb: str, which: int, voice: Voice) -> Line:
    match verb:
        case "flip":
            return Line(f"{voice.does(player, 'flip')}.")
        case "sweep":
            return Line(f"{voice.does(player, 'sweep')} the table clean.", ("WAR-32",))
        case "recruit":
            return Line(f"{voice.does(player, 'pick')} slot {which + 1}.")
        case "ask":
            return Line(f"{voice.does(player, 'ask')} {voice.name(which)} for trust.", ("WAR-61",))
        case "trust":
            owner = voice.name(before.regroup.owner)
            return Line(f"{voice.does(player, 'trust')} {owner}. How touching.", ("WAR-62",))
        case "distrust":
            distrusts = f"{voice.does(player, 'distrust')} {voice.of(before.regroup.owner)} shuffle"
            return Line(f"{distrusts}: {tricks_in_words(which)}.", ("WAR-63",))
        case "call":
            stands = "stands" if which == WILD_RANK else f"is as good as {rank_name(which)}"
            return Line(f"{voice.title(player)}: the Wild {stands}.", ("WAR-26",))
        case "dispute":
            rival = voice.name(which)
            return Line(f"{voice.does(player, 'want')} to settle something with {rival} by war.", ("WAR-89",))
        case "no":
            return Line(f"{voice.does(player, 'decline')}. The wiser one gives in.", ("WAR-89",))
        case "clock":
            return Line("Time is up, and nobody was quick enough.", ("WAR-19",))
    return Line(f"{voice.does(player, 'pass', 'passes')}.")


def extreme_lines(after: Snapshot, player: int, verb: str, voice: Voice) -> list[Line]:
    """WAR-03: nobody is told what the others said before all have."""
    told = f"{voice.names[player]} has answered."
    if player == voice.viewer:
        told = "You feel extreme." if verb == "yes" else "You do not feel extreme. It happens."
    out = [voice.name(seat) for seat in range(after.players) if not is_in(after.alive, seat)]
    if phase_of(after) == "EXTREME" or not out:
        return [Line(told)]
    verb = "is" if len(out) == 1 and out != ["you"] else "are"
    return [Line(told), Line(f"{capital(listed(out))} {verb} not dealt in.", ("WAR-03",))]


def capital(text: str) -> str:
    """A sentence that begins with a capital letter."""
    return text[0].upper() + text[1:]


def brag_line(before: Snapshot, after: Snapshot, voice: Voice) -> Line:
    """WAR-90: who has won a quarrel."""
    for seat, (account, old) in enumerate(zip(after.seats, before.seats, strict=True)):
        if account.brag > old.brag:
            return Line(f"{voice.does(seat, 'win')} the right to brag about it.", ("WAR-90",))
    return Line("Tax settles it: nobody may brag.", ("WAR-90",))


def race_line(after: Snapshot, player: int, verb: str, which: int, words: Words, voice: Voice) -> Line:
    """WAR-18 to 20: in a seeded race actions are secret until all have named one."""
    if after.options.race == SEEDED and player != voice.viewer:
        return Line(f"{voice.names[player]} has moved.")
    if verb == "pass":
        return Line(f"{voice.does(player, 'stand')} still.")
    told = f"{voice.title(player)}: {words.actions[which]}"
    if is_in(after.locked, player):
        return Line(f"{told}; wrong one, out of the race.", ("WAR-19",))
    return Line(f"{told}!", ("WAR-18",))


def choice_line(before: Snapshot, player: int, verb: str, war: int, voice: Voice) -> Line:
    """WAR-54: chosen in secret."""
    if player != voice.viewer:
        return Line(f"{voice.names[player]} has chosen.")
    if verb == "flee":
        return Line("You choose to flee.")
    return Line(f"You choose to buy into the war of {plural_rank(before.wars[war].rank)}.")


def kit_lines(before: Snapshot, player: int, number: int, target: int, words: Words, voice: Voice) -> list[Line]:
    """WAR-74, 81: equipment, unless a bodyguard stops it."""
    tables, seat = before.options.catalogue, target - 1
    if not target:
        on = ""
    elif is_slot(before, number):
        on = f" at slot {target}"
    elif seat == player:
        on = " on yourself" if player == voice.viewer else " on their own seat"
    else:
        on = f" on {voice.name(seat)}"
    lines = [Line(f"{voice.does(player, 'play')} {words.equipment[number - 1].name}{on}.", ("WAR-74",))]
    if target and tables.equipment_target[number - 1] == AT_RIVAL:
        guards = [one for one in kit_in(before, IN_PLAY + seat) if tables.equipment_op[one - 1] == WARD]
        for guard in guards[:1]:
            name = words.equipment[guard - 1].name
            lines.append(Line(f"{name} takes it for {voice.name(seat)}. Both are junk now.", ("WAR-81",)))
    return lines


def catch_line(before: Snapshot, after: Snapshot, player: int, accused: int, voice: Voice) -> Line:
    """WAR-85, 86."""
    if after.caught != before.caught:
        catches = voice.does(player, "catch", "catches")
        return Line(f"{catches} {voice.name(accused)} with a hidden card!", ("WAR-85",))
    paid = deck_size(before.decks[player]) - deck_size(after.decks[player])
    price = f" It costs {count_of(paid, 'card')}." if paid > 0 else ""
    return Line(f"{voice.does(player, 'accuse')} {voice.name(accused)}, wrongly.{price}", ("WAR-86",))
