"""Everything that a program may want to keep or send can be pickled, for every game, and opened in another process."""

import gc
import importlib
import inspect
import pickle
import pkgutil
import weakref
from copy import copy, deepcopy
from dataclasses import replace
from multiprocessing import get_context
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

import gymnasium
import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, external_sampling_mccfr
from open_spiel.python.policy import Policy, TabularPolicy, UniformRandomPolicy
from pettingzoo import AECEnv

import fairdeal
from fairdeal.bots import custom
from fairdeal.bots.bots import ask
from fairdeal.bots.registry import BOTS, bots_of, find_bot
from fairdeal.engine import errors
from fairdeal.engine.game import Game
from fairdeal.engine.kit.actions import Actions, Texts
from fairdeal.engine.kit.positions import CardCounter
from fairdeal.engine.kit.snapshots import numbers_in
from fairdeal.engine.observe.layout import Layout
from fairdeal.engine.registry import find_game, game_names
from fairdeal.engine.scene.zones import CardIds
from fairdeal.engine.state import Seen, State, Table
from fairdeal.environments.batch import Batch, batch
from fairdeal.environments.gymnasium import GameEnv, id_of
from fairdeal.environments.openspiel import Observer
from fairdeal.environments.pettingzoo import env
from fairdeal.environments.turns import Turns
from fairdeal.environments.vector import VectorGames
from fairdeal.environments.versions import versions_of
from tests.conftest import OF_A_KIND, ROOT, refusal

MACHINERY = {
    "fairdeal.engine.compile": "compiled code and its files",
    "fairdeal.engine.drivers": "the arrays of a compiled loop",
    "fairdeal.engine.written": "declarations in the modules of a game, which is pickled by its name",
    "fairdeal.engine.observe.recording": "the arrays of a compiled loop",
    "fairdeal.environments.helpers": "threads",
    "fairdeal.environments.stepping": "the arrays of a compiled loop",
}
"""Modules whose classes hold what belongs to a process or to a module, with the reason. A batch saves its arrays."""

MADE = {
    "CardCounter": lambda: CardCounter(["ace", "king"], [4, 4], "ace", "CHI-01"),
    "CardIds": lambda: CardIds(("ace", "king")),
    "Texts": lambda: Texts(Actions(draw=2), draw="draw {}"),
    "BadCase": lambda: errors.BadCase("case 3"),
    "BadLesson": lambda: errors.BadLesson("chi.yaml", 2, "no such move"),
    "BadLog": lambda: errors.BadLog(3, "not a move", "moves"),
    "BadOption": lambda: errors.BadOption("players", 9, "too many", "Players: “9” is not possible."),
    "BadPosition": lambda: errors.BadPosition("hands[0]", "ace", "no such card"),
    "BrokenGame": lambda: errors.BrokenGame("chi", "it does not load"),
    "FairdealError": lambda: errors.FairdealError("wrong"),
    "IllegalMove": lambda: errors.IllegalMove("draw 9", "there are six", "CHI-20"),
    "NotReplayable": lambda: errors.NotReplayable(1, "older rules"),
    "UnknownGame": lambda: errors.UnknownGame("chii", ["chi"], ["chi", "chip-it"]),
}
"""Makers of what no game leads to, by class."""


def things(name):
    """Return everything of a game that can be kept, by a word for it, some moves after the deal."""
    dice, table = np.random.default_rng(5), fairdeal.load(name)
    turns = Turns(table)
    turns.deal(7)
    for _ in range(5):
        play(turns, dice)
    seat, state, open_spiel = turns.player, turns.moment, new_in_open_spiel(name)
    open_spiel.apply_action(7)
    for _ in range(5):
        if not open_spiel.is_terminal():
            open_spiel.apply_action(int(dice.choice(open_spiel.legal_actions())))
    agents, agent = env(name), gymnasium.make(id_of(name, max(versions_of(table.game))), disable_env_checker=True)
    agents.reset(seed=7), agent.reset(seed=7)
    seen = state.seen_by(seat)
    seen.scene()
    found = {
        "game": table.game,
        "table": table,
        "state": state,
        "view": state.view(seat, 100),
        "seen": seen,
        "turns": turns,
        "layout": agents.unwrapped.layout,
        "pettingzoo": agents,
        "gymnasium": agent,
        "open_spiel game": open_spiel.get_game(),
        "open_spiel": open_spiel,
        "open_spiel observer": (open_spiel.get_game().make_py_observer(), open_spiel.clone()),
        "open_spiel policy": UniformRandomPolicy(open_spiel.get_game()),
    }
    bots = [*bots_of(table.game), *(bot for bot in BOTS if bot != "learned" or table.game.learned)]
    return found | {f"bot {bot}": (find_bot(bot, table, 0, bytes(32)), table.deal(7)) for bot in bots}


def new_in_open_spiel(name, **parameters):
    return pyspiel.load_game(f"fairdeal_{name.replace('-', '_')}", parameters).new_initial_state()


def play(turns, dice):
    if not turns.over:
        turns.act(dice.choice(turns.legal_actions(turns.player)))


def sent(thing):
    return pickle.loads(pickle.dumps(thing))


def facts(thing):
    """Return what follows from a thing, which is equal in every process. A game in progress is played on."""
    dice = np.random.default_rng(1)
    if isinstance(thing, Game):
        return thing.name, thing is find_game(thing.name)
    if isinstance(thing, Table):
        return repr(thing), thing.deal(3).record.tobytes()
    if isinstance(thing, State):
        return thing.position(), thing.viewer, [*thing.moves(thing.to_act[0])] if thing.to_act else []
    if isinstance(thing, Seen):
        return thing.digest, thing.scene(), [*numbers_in(thing.shown)]
    if isinstance(thing, Layout):
        return thing.planes, thing.observe(thing.table.deal(3).view(0, 100), 0).tolist()
    if isinstance(thing, Turns):
        for _ in range(20):
            play(thing, dice)
        return thing.state.record.tobytes(), thing.order.tobytes(), thing.player, thing.moves
    if isinstance(thing, AECEnv):
        told = []
        for agent in thing.agent_iter(20):
            seen, *others = thing.last()
            told.append((agent, seen["observation"].tobytes(), str(others)))
            thing.step(None if any(others[1:3]) else dice.choice(np.flatnonzero(seen["action_mask"])))
        return told
    if isinstance(thing, gymnasium.Env):
        told = []
        for _ in range(20):
            seen, reward, over, *_ = thing.step(dice.choice(np.flatnonzero(thing.unwrapped.action_masks())))
            told.append((seen.tobytes(), reward, over))
            if over:
                thing.reset()
        return told
    if isinstance(thing, Batch | VectorGames):
        games = thing if isinstance(thing, Batch) else thing.games
        told = [[array.tolist() for array in games.arrays]]
        for _ in range(20):
            told.append([np.asarray(array).tolist() for array in thing.step(games.sample(dice))[:3]])
        return told
    if isinstance(thing, pyspiel.State):
        for _ in range(20):
            if not thing.is_terminal():
                thing.apply_action(int(dice.choice(thing.legal_actions())))
        return str(thing), thing.history(), thing.returns()
    if isinstance(thing, pyspiel.Game):
        return str(thing), str(thing.new_initial_state())
    if isinstance(thing, Policy):
        return {str(key): value for key, value in thing.action_probabilities(dealt(thing.game)).items()}
    if isinstance(thing, tuple) and isinstance(thing[0], Observer):
        thing[0].set_from(thing[1], 0)
        return thing[0].dict["observation"].tolist()
    if isinstance(thing, tuple):
        bot, state = thing
        return [ask(bot, state, state.to_act[0], turn) for turn in range(3)]
    raise AssertionError(f"nothing is known of a {type(thing)}")


def dealt(game):
    state = game.new_initial_state()
    state.apply_action(3)
    return state


def answer(wire):
    """Send back what follows from the pickled things that come over a wire, or the errors as text."""
    while True:
        found = {}
        for word, content in wire.recv().items():
            try:
                found[word] = facts(pickle.loads(content))
            except Exception as problem:  # not all errors can be sent
                found[word] = repr(problem)
        wire.send(found)


@pytest.fixture(scope="module")
def elsewhere():
    """A function that asks a process of its own, which has none of the objects of this one, for what follows."""
    here, there = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=answer, args=(there,), daemon=True)
    process.start()

    def ask_there(pickles):
        here.send(pickles)
        assert here.poll(60), "the other process does not answer"
        return here.recv()

    yield ask_there
    process.kill()
    process.join()


def test_what_is_kept_of_a_game_goes_on_in_another_process_as_it_does_here(name, elsewhere):
    here = things(name)
    there = elsewhere({word: pickle.dumps(thing) for word, thing in here.items()})
    for word, thing in here.items():
        assert there[word] == facts(thing), word


def ours():
    """Return all classes of the engine and of the environments, except those of MACHINERY."""
    modules = [
        importlib.import_module(found.name)
        for package in (fairdeal.engine, fairdeal.environments)
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not found.name.startswith(tuple(MACHINERY))
    ]
    return {
        kind
        for module in modules
        for kind in vars(module).values()
        if inspect.isclass(kind) and kind.__module__ == module.__name__
    }


def reached(roots):
    """Yield the objects to which some objects lead, without modules, functions and classes."""
    seen, left = {}, [*roots]
    while left:
        one = left.pop()
        if id(one) not in seen and not issubclass(type(one), LEAVES):
            seen[id(one)] = one
            yield one
            left += gc.get_referents(one)


LEAVES = (
    *(type, ModuleType, FunctionType, MethodType, BuiltinFunctionType, str, bytes, int, float, np.ndarray, np.dtype),
    *weakref.ProxyTypes,
)


def made(kind):
    """Return an instance of a class: that of MADE, or one with None in every field without a default."""
    if kind.__name__ in MADE:
        return MADE[kind.__name__]()
    given = inspect.signature(kind).parameters
    return kind(**{name: None for name, field in given.items() if field.default is field.empty})


def test_every_class_of_the_engine_and_the_environments_can_be_pickled():
    met = {}
    for name in game_names():
        for one in reached([things(name), VectorGames(name, 2) if name in OF_A_KIND else ()]):
            met.setdefault(type(one), one)
    tried = 0
    for kind in ours():
        if getattr(kind, "_is_protocol", False):
            continue
        for one in [one for kind_met, one in met.items() if issubclass(kind_met, kind)] or [made(kind)]:
            again = sent(one)
            assert type(again) is type(one)
            assert again == one or pickle.dumps(again) == pickle.dumps(sent(again)), kind
            tried += 1
    assert tried > 150


@pytest.mark.parametrize(
    "made_of", [lambda: batch("chi", 130, seed=3, threads=2), lambda: VectorGames("chi", 4, stacks_to_end=4)]
)
def test_batches_go_on_in_another_process_as_they_do_here(made_of, elsewhere):
    games = made_of()
    facts(games)
    assert elsewhere({"games": pickle.dumps(games)})["games"] == facts(games)


@pytest.mark.parametrize("solver", [cfr.CFRSolver, external_sampling_mccfr.ExternalSamplingSolver, TabularPolicy])
def test_solvers_and_policies_of_open_spiel_are_kept(solver):
    game = new_in_open_spiel("chimax-cut", players=2, mode="one_cut", rounds=1, recuts=0, shuffles=1).get_game()
    kept = solver(game)
    again = sent(kept)
    for one in (kept, again):
        if solver is cfr.CFRSolver:
            one.evaluate_and_update_policy()
    policies = [one if solver is TabularPolicy else one.average_policy() for one in (kept, again)]
    assert facts(policies[0]) == facts(policies[1])


def test_only_an_installed_game_is_pickled():
    other = replace(find_game("chi"), title="Chee")
    with pytest.raises(pickle.PicklingError, match="only installed games can be pickled, and this game chi is not"):
        pickle.dumps(Table(other, fairdeal.load("chi").options).deal(1))
    state = Table(other, fairdeal.load("chi").options).deal(1)
    assert deepcopy(state) == copy(state) == state
    assert deepcopy(state).game is other


def test_a_state_of_other_rules_is_not_opened():
    state = fairdeal.load("chi").deal(1)
    state.record.rules_version += 1
    with refusal("pickled by other rules than those of version 1"):
        sent(state)


def test_changed_options_are_kept():
    text = (ROOT / "examples" / "my-war-catalogue.toml").read_text("utf-8")
    for table in (fairdeal.load("chi", preset="mixed", stacks_to_end=4), fairdeal.load("war-xtreme", catalogue=text)):
        assert sent(table).options == table.options
        assert sent(table.deal(5).view(0)) == table.deal(5).view(0)


class Own:
    """A bot of a user."""

    recall = 0

    def __init__(self, table, seat, key):
        self.asked = 0

    def choose(self, view, player, turn):
        self.asked += 1
        return next(view.moves(player))


def test_a_bot_of_ones_own_keeps_what_it_knows():
    custom.admit([f"{__name__}:Own"])
    game = GameEnv("chi", opponents=(f"{__name__}:Own",), seat=1)
    game.reset(seed=4)
    facts(game)
    again = sent(game)
    assert again.bots[0].bot.asked == game.bots[0].bot.asked > 0
    assert facts(again) == facts(game)
