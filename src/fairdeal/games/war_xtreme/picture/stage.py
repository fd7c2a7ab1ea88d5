"""WAR X-TREME: the race for a Speed card, with its answers around the card."""

from collections.abc import Sequence

from fairdeal.engine.kit.seats import members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Zone
from fairdeal.engine.scene.instruments import NO_CHOICE, Answer, Race
from fairdeal.games.war_xtreme.catalogue.names import Words, titled
from fairdeal.games.war_xtreme.catalogue.tables import SPEED
from fairdeal.games.war_xtreme.picture.cards import art_of
from fairdeal.games.war_xtreme.rules.fight import fighters, in_clash, printed_actions, seats_of_kind
from fairdeal.games.war_xtreme.state import ACTIONS, phase_of

KEYS = "78946123"
"""Keys of the answers around the card: those of a number pad, starting at the upper left."""


def race(state: Snapshot, words: Words, zones: Sequence[Zone], legal: Sequence[int]) -> Race | None:
    """WAR-18: return the race, in which every answer has a fixed place, or None outside a race.

    Return None too if a catalogue has more answers than a number pad has places.
    """
    if phase_of(state) != "RACE" or len(words.actions) > len(KEYS):
        return None
    wanted = printed_actions(state, fighters(state))
    asked = [number for number in range(len(words.actions)) if wanted >> number & 1]
    owner = members(seats_of_kind(state, fighters(state), SPEED))[0]
    name = f"{'recruit' if in_clash(state) else 'table'}{owner}"
    lies = next(zone for zone in zones if zone.id == name)
    suit_of = {one.action: words.suits.index(one.suit) for one in reversed(words.unique)}
    suits = [suit_of[action] for action in words.actions]
    choices = {which: action for action in legal for verb, which in [ACTIONS.decode(action)] if verb == "act"}
    return Race(
        word=" or ".join(titled(words.actions[number]) for number in asked),
        answers=tuple(
            Answer(
                label=titled(action),
                key=KEYS[number],
                choice=choices.get(number, NO_CHOICE),
                art=art_of(words, suits[number]),
                tone=suits[number],
            )
            for number, action in enumerate(words.actions)
        ),
        zones=tuple(zone.id for zone in zones if zone.place == "centre" or zone is lies),
        card=lies.cards[-1].id,
        tone=suits[asked[0]],
        out=tuple(members(state.locked)),
    )
