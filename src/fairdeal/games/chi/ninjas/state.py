"""Chaos Ninjas: the cards, the actions and the phases."""

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.options import option_number
from fairdeal.games.chi.ninjas.options import NinjaOptions
from fairdeal.games.chi.state import ROW

# Kinds of cards (NINJA-01): twelve Attackers, twelve Defenders, Counter, Spirit.
ATTACKER = 0
DEFENDER = 12
COUNTER = 24
SPIRIT = 25
KINDS = 26
OF_A_COLOUR = 2
"""Number of Attackers, and of Defenders, of each colour."""

CARDS = 64
"""Number of cards in the largest deck, which has eight Counters and eight Spirits."""

ALL_KINDS = (1 << KINDS) - 1
DEFENDERS = ((1 << COUNTER) - 1) & ~((1 << DEFENDER) - 1)
"""All kinds, and the kinds of Defenders, as bit sets."""

# Defenders are named after their abilities (NINJA-31 to 42), in the order of the colours.
STRIKER, SCOUT, QUARTERMASTER, PICKPOCKET, SHIELD, PHANTOM = 12, 13, 14, 15, 16, 17
SCHOLAR, THORN, MEDIC, WALL, DECOY, SHADOW = 18, 19, 20, 21, 22, 23

# Cards in play are numbered by colour, with Spirits last. The kind is that number plus DEFENDER, except for a Spirit,
# because the kind of the Counter lies in between.
SPIRIT_IN_PLAY = 12
IN_PLAY = 13
SHIELD_IN_PLAY, WALL_IN_PLAY = SHIELD - DEFENDER, WALL - DEFENDER

SEATS = 4
TO_WIN = 6
"""NINJA-06: number of cards in play that wins the game. No seat ever has more (section 8)."""

MOST_IN_HAND = 20
"""NINJA-03: maximum number of cards in a hand: a limit of 10, plus 2 with a Quartermaster, two returning Phantoms and
two cards drawn in a turn. The remaining places are for given positions."""

WATCHING = SEATS
"""The viewer number of the spectators, who share one memory. In sets of viewers, it follows the seats."""

ACTIONS = Actions(
    draw=ROW,
    play=IN_PLAY,
    target=(SEATS - 1) * IN_PLAY,
    with_=DEFENDER,
    first=DEFENDER,
    answer=1,
    pass_=1,
    skip=1,
    use_decoy=1,
    rob=SEATS - 1,
    card=KINDS,
    no_action=1,
    with_spirit=1,
)
"""The actions (specification, section 8).

An attack consists of its target, the first of two Attackers, if there are two, and the last or only one. Opponents are
counted clockwise from the player's seat.
"""
DRAW, PLAY, TARGET, WITH, FIRST, ANSWER, PASS, SKIP, USE_DECOY, ROB, CARD, NO_ACTION, WITH_SPIRIT = ACTIONS.firsts
ACTION_COUNT = len(ACTIONS)

ACT, DUEL, DECOYING, STRIKING, SCOUTING, ROBBING, GIVING, TAKING, SUFFERING, DISCARDING, OVER = range(11)
PHASES = ("act", "duel", "decoy", "strike", "scout", "rob", "give", "take", "thorn", "discard", "over")
"""Names of the phases in positions and texts."""

GUARDIAN = option_number(NinjaOptions, spirit="guardian")
WILD = option_number(NinjaOptions, spirit="wild")
SAME_COLOUR = option_number(NinjaOptions, pair_attack="same_colour")
STACK = option_number(NinjaOptions, same_colour="stack")
