"""WAR X-TREME: scenes, and moves picked card by card."""

import pytest

import fairdeal
from fairdeal.engine.records import SPECTATOR
from fairdeal.table.clocks import Reflexes

pytestmark = pytest.mark.skipif("war-xtreme" not in fairdeal.game_names(), reason="the game is not installed")

NAMES = ("Ann", "Bo", "Cleo")


def seat(army, **more):
    return {"army": army.split()} | more


def state_of(*seats, **options):
    """Return the start of round 5 with these seats."""
    table = fairdeal.load("war-xtreme", **{"players": len(seats), "ask_extreme": False, "trust": False} | options)
    filled = {"slots": ["zombie/3"] * 8, "tax": ["zombie/4"] * 6, "store": [1, 2, 3]}
    return table.setup({"round": 5, "seats": list(seats)} | filled)


def flip_all(state):
    for number in state.to_act:
        state.play(number, "flip")


def scene_of(state, viewer, picks=()):
    return state.seen_by(viewer, NAMES[: state.players]).scene(picks)


def cards(scene, name):
    """Return the cards of a zone."""
    return next(zone.cards for zone in scene.zones if zone.id == name)


def choice_of(scene, **wanted):
    """Return the choice with these values of its fields."""
    (found,) = [one for one in scene.choices if all(getattr(one, name) == value for name, value in wanted.items())]
    return found


def test_a_round_that_sweeps_itself_still_shows_what_was_turned():
    state = state_of(seat("ninja/K ninja/3"), seat("princess/9:6 princess/4"))
    state.play(0, "flip")
    before, actions = state.seen_by(0, NAMES[:2]), state.read_move(1, "flip")
    state.play(1, "flip")
    lines = before.narrate(state.seen_by(0, NAMES[:2]), 1, actions)
    assert "All turn: you a King, Bo a 9." in [line.text for line in lines]
    scene = scene_of(state, 0)
    assert [(one.seat, one.face, one.leads, one.note) for one in scene.stage.columns] == [
        (0, "ninja/K", True, "won"),
        (1, "princess/9:6", False, ""),
    ]
    assert (scene.stage.title, scene.stage.done) == ("You take the pot.", True)
    assert scene.headline.big == "K"


def columns(scene):
    """Return the columns of a fight by seat: zones, value, sum and note."""
    return {one.seat: (one.steps, one.value, one.parts, one.note) for one in scene.stage.columns}


def test_a_reveal_stands_in_line_with_what_each_card_counts_and_who_leads_or_has_fled():
    state = state_of(
        seat("ninja/9:6 ninja/3", hand=[1]),
        seat("princess/K princess/4", hand=[2]),
        seat("zombie/5 zombie/3", hand=[6]),
    )
    flip_all(state)
    state.play(0, "equip 1")
    scene = scene_of(state, 1)
    assert [one.seat for one in scene.stage.columns] == [1, 2, 0], "from the viewer on"
    assert columns(scene) == {
        0: (("table0",), "12", "9 + 3", ""),
        1: (("table1",), "14", "", "leads"),
        2: (("table2",), "5", "", ""),
    }
    assert (scene.stage.title, scene.stage.pot) == ("You lead with a King", 3)
    state.play(state.to_act[0], "pass" if state.to_act == (1,) else "equip 6")
    if state.to_act == (2,):
        state.play(2, "equip 6")
    assert columns(scene_of(state, 1))[2] == ((), "", "", "fled")
    assert scene_of(state, 1).stage.pot == 2


def test_the_columns_of_a_war_stay_in_place_when_somebody_flees():
    rest = "ninja/3 ninja/4 ninja/5 ninja/10"
    state = state_of(seat(f"ninja/7 {rest}"), seat("zombie/K zombie/3 zombie/4"), seat(f"princess/7 {rest}"))
    flip_all(state)
    before = [column.seat for column in scene_of(state, 0).stage.columns]
    state.play(1, "flee")
    scene = scene_of(state, 0)
    assert scene.stage.title == "War of 7s"
    assert [column.seat for column in scene.stage.columns] == before == [0, 1, 2]
    assert columns(scene)[1] == ((), "", "", "fled")


def test_a_war_has_a_lane_for_every_warrior_and_its_recruits_stay_hidden():
    rest = "ninja/3 ninja/4 ninja/5 ninja/10"
    state = state_of(seat(f"ninja/7 {rest}"), seat(f"princess/7 {rest}"), seat("zombie/K zombie/3 zombie/4"))
    flip_all(state)
    state.play(2, "flee")
    scene = scene_of(state, 0)
    assert [panel.rows for panel in scene.panels] == [("You", "Bo")]
    assert [card.face for card in cards(scene, "stakes0")] == [None] * 3
    assert scene.panels[0].title == scene.stage.title == "War of 7s"
    steps = {seat: (f"turned{seat}", f"stakes{seat}", f"recruit{seat}") for seat in (0, 1)}
    assert columns(scene) == {seat: (steps[seat], "", "", "") for seat in (0, 1)} | {2: ((), "", "", "fled")}
    assert scene.stage.pot == 8
    assert {choice.on for choice in scene.choices if choice.kind == "card"} == {f"slot{slot}" for slot in range(1, 9)}
    state.play(0, "recruit 3")
    assert cards(scene_of(state, 0), "recruit0")[0].face is None
    assert cards(scene_of(state, SPECTATOR), "slots")[2].back == "gap"


def test_equipment_is_picked_then_aimed_then_played():
    state = state_of(seat("ninja/K ninja/3", hand=[13]), seat("princess/7 princess/4"), seat("zombie/5 zombie/3"))
    picked = state.pick(0, (), choice_of(scene_of(state, 0), on="kit/kit/evil-eye.1").id)
    assert picked.move is None
    aiming = scene_of(state, 0, picked.draft)
    assert [choice.on for choice in aiming.choices if choice.kind == "seat"] == ["1", "2"]
    aimed = state.pick(0, picked.draft, choice_of(aiming, on="2").id)
    assert aimed.move is None
    button = choice_of(scene_of(state, 0, aimed.draft), main=True)
    assert button.label == "Play it on Cleo"
    state.play_actions(0, state.pick(0, aimed.draft, button.id).move)
    assert [card.face for card in cards(scene_of(state, 1), "play2")] == ["kit/evil-eye"]


def test_distrust_gathers_what_it_does():
    state = fairdeal.load("war-xtreme", ask_extreme=False).setup(
        {
            "round": 5,
            "phase": "REGROUP",
            "acting": [1],
            "seats": [seat("ninja/K ninja/9:6 ninja/3"), seat("princess/7 princess/4")],
            "regroup": {"owner": 0, "asked": 1, "new": 3, "for": "round"},
        }
    )
    draft = ()
    for trick in ("Shuffle", "… and rotate"):
        draft = state.pick(1, draft, choice_of(scene_of(state, 1, draft), label=trick).id).draft
    main = choice_of(scene_of(state, 1, draft), main=True)
    assert main.label == "Shuffle and rotate it"
    assert state.game.write_move(state.record, 1, state.pick(1, draft, main.id).move) == "distrust shuffle rotate"


def test_only_its_owner_sees_what_is_hidden():
    state = state_of(seat("ninja/K ninja/3", hand=[15]), seat("princess/7 princess/4"))
    assert "must be played" in scene_of(state, 0).prompt.text
    flip_all(state)
    assert [card.mark for card in cards(scene_of(state, 0), "kit")] == ["hidden"]
    assert next(counter.value for counter in scene_of(state, 1).seats[0].counters if counter.label == "kit") == 1


def racing():
    state = state_of(seat("monster/speed ninja/3"), seat("princess/7 princess/4"), race="seeded")
    flip_all(state)
    return state


def choosing():
    cards = ("ninja/5", "princess/5", "zombie/Q", "monster/K")
    state = state_of(*(seat(f"{card} ninja/3 ninja/4") for card in cards))
    flip_all(state)
    return state


def being_asked():
    return fairdeal.load("war-xtreme", players=3).deal(1)


@pytest.mark.parametrize("moment", [being_asked, racing, choosing])
def test_others_learn_of_a_secret_choice_without_its_content(moment):
    """Only the player learns what was chosen (WAR-03, 20, 54)."""
    state = moment()
    by, other = state.to_act[:2]
    told = {by: set(), other: set(), SPECTATOR: set()}
    for action in state.legal_actions(by):
        after = state.copy()
        after.play_actions(by, (action,))
        for viewer, found in told.items():
            found.add(tuple(state.seen_by(viewer).happened(after.seen_by(viewer), by, (action,))))
    assert len(told[by]) == len(state.legal_actions(by)) > 1
    assert told[other] == told[SPECTATOR]
    (events,) = told[other]
    assert [event.seats for event in events] == [(by,)]


@pytest.mark.parametrize(
    ("cards", "title"),
    [(15, "Unemployed"), (16, "Lemonade Stand CEO"), (54, "Zoo Owner"), (61, "President Of Everything")],
)
def test_the_title_of_a_seat_follows_from_its_cards(cards, title):
    """WAR-67."""
    state = state_of(seat("ninja/3 " * (cards - 1), camp=["ninja/4"]), seat("princess/7"))
    assert title in scene_of(state, 1).seats[0].note


def test_a_card_that_cannot_be_played_has_a_reason_with_its_clause():
    state = state_of(seat("ninja/K ninja/3", hand=[1]), seat("princess/7 princess/4"))
    text, clause = state.seen_by(0, NAMES[:2]).why((), "kit/kit/rocket-boots.1")
    assert (clause, "after the cards are turned" in text) == ("WAR-75", True)


def test_bots_draw_their_time_in_a_race_and_need_longer_than_a_flip():
    state = state_of(seat("monster/speed ninja/3"), seat("princess/7 princess/4"), seat("zombie/5 zombie/3"))
    reflexes = Reflexes()
    assert reflexes.next(state, {1, 2}, pause=0.7, now=100)[0] < 101.1
    assert reflexes.next(state, {1, 2}, pause=0, now=100) == (100, 1)
    flip_all(state)
    ((when, quickest),) = {reflexes.next(state, {1, 2}, pause=0.7, now=100) for _ in range(3)}
    assert 102 <= when <= 106
    reflexes.moved(quickest)
    assert reflexes.next(state, {1, 2}, pause=0.7, now=when)[0] >= when
