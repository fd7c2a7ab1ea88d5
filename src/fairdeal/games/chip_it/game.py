"""CHIP IT: everything fairdeal knows of the game."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.game import Game, Rules
from fairdeal.engine.records import Record
from fairdeal.engine.scene import count_of
from fairdeal.games.chip_it import rules
from fairdeal.games.chip_it.cards import SKIN, cost, faces, number_of
from fairdeal.games.chip_it.draft import pick
from fairdeal.games.chip_it.explain import explain
from fairdeal.games.chip_it.greedy import greedy
from fairdeal.games.chip_it.legal import is_open, legal_actions
from fairdeal.games.chip_it.narration import narrate
from fairdeal.games.chip_it.notation import played, read_move, write_move
from fairdeal.games.chip_it.options import PRESETS, ChipItOptions
from fairdeal.games.chip_it.positions import read_position, write_position
from fairdeal.games.chip_it.prompts import why
from fairdeal.games.chip_it.scene import scene
from fairdeal.games.chip_it.state import ACTIONS, State


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    play = played(actions)
    if play is None:
        if actions[0]:
            return f"Giving back {count_of(actions[0], 'point')} saves more than any play would."
        return "Every play here costs more points than its cards are worth."
    price = sum(cost(kind, play.value) or 0 for kind in play.kinds)
    cards = count_of(len(play.kinds), "card")
    if len(play.kinds) == int(state.hands[player].length):
        return "It empties the hand." if price else "It empties the hand without a single point."
    lowest = number_of(play.kinds[0])
    if is_open(state):
        return f"Leading is the time to be rid of low cards: {cards} from {lowest} up for {count_of(price, 'point')}."
    if not price:
        return f"{cards} gone and not a point to pay."
    return f"{cards} gone for {count_of(price, 'point')}: passes give points back faster than cards leave a hand."


GAME = Game(
    name="chip-it",
    title="Chip It",
    designer="Chikasuzu",
    publisher="AMIGO",
    blurb="Make any card fit by taking points, then get rid of cards and points alike.",
    players=(2, 6),
    minutes=(10, 20),
    weight="light",
    rules_version=1,
    specification="chip-it",
    clause_prefix="CHIP",
    actions=ACTIONS,
    state=State,
    rules=Rules.of(rules, legal_actions=legal_actions),
    greedy=greedy,
    options=ChipItOptions,
    presets=PRESETS,
    write_move=write_move,
    read_move=read_move,
    explain=explain,
    write_position=write_position,
    read_position=read_position,
    narrate=narrate,
    scene=scene,
    pick=pick,
    why=why,
    reason=reason,
    faces=faces,
    skin=SKIN,
    look="fairdeal.games.chip_it",
)
