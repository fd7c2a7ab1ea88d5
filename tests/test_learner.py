"""The learner of examples/learner, as far as it needs NumPy alone."""

import importlib.util
import sys

import numpy as np
import pytest

import fairdeal
from fairdeal.engine.observe.layout import layout_of
from tests.conftest import ROOT

PLACE = ROOT / "examples" / "learner" / "stretches.py"


@pytest.fixture(scope="module")
def stretches():
    spec = importlib.util.spec_from_file_location("stretches", PLACE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["stretches"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["stretches"]


def test_the_result_is_credited_to_the_decisions_of_each_seat(stretches):
    """Seats 0 and 1 take turns; seat 1 wins by the last decision but one, and a new game begins."""
    stretch = stretches.Stretch.blank(steps=5, games=1, inputs=1, actions=1, players=2)
    stretch.player[:, 0] = [0, 1, 0, 1, 0]
    stretch.value[:, 0] = [0.5, 0.2, 0.1, 0.4, 0.3]
    stretch.done[3, 0], stretch.reward[3, 0] = True, [-1, 1]
    found, targets = stretches.advantages(stretch, 2)
    last_of_0, last_of_1 = -1 - 0.1, 1 - 0.4
    expected = [
        0.1 - 0.5 + stretches.LAMBDA * last_of_0,
        0.4 - 0.2 + stretches.LAMBDA * last_of_1,
        last_of_0,
        last_of_1,
        0,  # nobody knows yet what came of it
    ]
    np.testing.assert_allclose(found[:, 0], expected, atol=1e-6)
    np.testing.assert_allclose(targets, found + stretch.value, atol=1e-6)


def test_places_that_are_alike_share_their_inputs(stretches):
    layout = layout_of(fairdeal.load("chi"))
    inputs = stretches.Inputs.of(layout, ["areas.cards"])
    seen = np.random.default_rng(7).integers(0, 3, (4, layout.size)).astype(layout.dtype)
    told = inputs.told(seen)
    areas = layout.unflatten(seen)["areas.cards"]
    assert told.shape == (4, layout.size - areas[0].size + areas[0].size // areas.shape[2])
    expected = np.zeros_like(told)
    for number, column in enumerate(inputs.column):
        expected[:, column] += seen[:, number]
    np.testing.assert_array_equal(told, expected)
    (plane,) = (plane for plane in layout.planes if plane.name == "areas.cards")
    first = inputs.column[plane.start]
    np.testing.assert_array_equal(told[:, first : first + 36], areas.sum(axis=2)[:, 0])
