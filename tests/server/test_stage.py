"""Instruments in real Chromium: every one plays a move by gesture and one by keys, and shows what was decided."""

import functools
import itertools
import time

import msgspec
import pytest
from playwright.sync_api import expect

import fairdeal
from fairdeal.engine.scene.instruments import Fight, Race, Reels
from fairdeal.games.chimax.fate.state import SPIN
from fairdeal.games.chimax.jackpot.state import FLIP
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from tests.scenes import scene_of, scene_with
from tests.server.measuring import CONTRAST, LEAST, MEASURE, resize
from tests.server.test_browser import violations
from tests.server.visiting import (
    BOTH_SIZES,
    DESK,
    PHONE,
    SCREENS,
    STILL,
    Wire,
    middle,
    plain,
    press,
    sit_at,
    wait_until,
    waits_forever,
)

LYING = SCREENS["lying"]


INKS_OF_CARDS = """() => [...document.querySelectorAll('.column .card b')].map((one) => getComputedStyle(one).color)"""
LAMPS = """() => ['.lamps [data-now]', '.lamps [data-done]', '.lamps i:not([data-now], [data-done])']
    .map((lamp) => document.querySelector(lamp)).map(getComputedStyle)
    .map((style) => style.forcedColorAdjust === 'none' ? style.backgroundColor : 'Canvas')"""


@pytest.fixture
def visit(visit):
    return functools.partial(visit, overheard=True)


def sit(page, game, rivals=1, wanted=".stage > *", scene=None, **options):
    """Sit down at a table, or look at a scene of one; return its wire, with the choices that the page picks there, as
    it picks them. Whatever the room sends afterwards, the page has the scene that it was shown last."""

    def from_page(message):
        if message["type"] != "pick":
            return message
        wire.picks.append(message["choice"])
        if scene is None:
            return message
        wire.tell({"type": "done", "id": message["id"]})  # or the page would say that it waits
        return None

    def from_room(message):
        return message | {"scene": plain(wire.shown)} if wire.shown and message.get("scene") else message

    wire = Wire(page, from_room, from_page)
    wire.picks, wire.shown = [], scene
    sit_at(page, game, ["you", *["greedy"] * rivals], wanted, options=options)
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    return wire


def pull(page, start, *way):
    """Press at a point, pull along others, let go."""
    page.mouse.move(*start)
    page.mouse.down()
    for x, y in way:
        page.mouse.move(start[0] + x, start[1] + y, steps=4)
    page.mouse.up()


def inside(page, part):
    """Does a part of the stage keep within it?"""
    return page.evaluate(
        """(part) => {
            const stage = document.querySelector('.stage').getBoundingClientRect();
            const box = document.querySelector(part).getBoundingClientRect();
            return box.left >= stage.left - 1 && box.right <= stage.right + 1
                && box.top >= stage.top - 1 && box.bottom <= stage.bottom + 1;
        }""",
        part,
    )


def gap(page):
    return int(page.locator(".fan[role=slider]").get_attribute("aria-valuenow"))


@pytest.mark.deal("first")  # one in which no infinity comes up, which would end the round at once
@BOTH_SIZES
def test_a_pack_is_cut_by_a_pull_and_by_keys(size, visit):
    """On a phone the filled button lifts where the gap is."""
    page = visit(size=size, **STILL)
    picks = sit(page, "chimax-cut", 2, first_dealer=2).picks
    page.wait_for_selector(".fan[role=slider]")
    assert page.locator(".prompt .opt").count() == 0, "the places of a deck are no buttons"
    assert violations(page) == []
    fan = page.locator(".fan")
    count = int(fan.get_attribute("aria-valuemax"))
    first, last = page.locator(".slot .card").first.bounding_box(), page.locator(".slot .card").last.bounding_box()
    start = first["x"] + (last["x"] - first["x"]) / 4 + 2, middle(first)[1]
    pull(page, start, (0, -30))
    assert abs(gap(page) - count / 4) < 3, "the gap lies under the thumb"
    assert fan.get_attribute("data-lifted") is None, "a short pull lifts nothing"
    pull(page, start, (0, -80), (0, -5))
    assert page.locator(".cut").count() == 0, "pulled back, nothing is lifted"
    place = gap(page)
    pull(page, start, (0, -90))
    page.wait_for_selector(".cut .card[data-kind]")
    assert picks == [place]
    assert violations(page) == []
    assert "are higher" in page.locator(".odds").inner_text()
    press(page, "Cut again")
    page.locator(".fan[role=slider]").focus()
    for key, here in (("Home", 1), ("PageDown", None), ("End", count - 1), ("ArrowLeft", count - 2), ("m", count // 2)):
        page.keyboard.press(key)
        if here is not None:
            expect(fan, key).to_have_attribute("aria-valuenow", str(here))
    assert page.locator(".fan output").is_visible()
    page.keyboard.press("ArrowRight")
    if size is PHONE:
        press(page, "Lift here")
    else:
        page.keyboard.press("Enter")
    wait_until(page, lambda: len(picks) == 2)
    assert picks[1:] == [count // 2 + 1]


@pytest.mark.parametrize("game", ["chimax-order", "chimax-jackpot"])
def test_a_pack_is_cut_before_a_deal_too(game, visit):
    page = visit(**STILL)
    picks = sit(
        page, game, int(game == "chimax-order"), cut="player", **({"first_dealer": 1} if "order" in game else {})
    ).picks
    page.wait_for_selector(".fan[role=slider]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".fan[role=slider]", state="detached")
    assert len(picks) == 1


@BOTH_SIZES
def test_the_wheel_is_spun_by_a_drag_and_by_a_key(size, visit):
    page = visit(size=size, **STILL)
    picks = sit(page, "chimax-fate", 1, first_dealer=1).picks
    wheel = page.locator(".wheel[data-can]")
    wheel.wait_for()
    assert violations(page) == []
    box = wheel.bounding_box()
    x, y = middle(box)
    start, radius = (x + box["width"] * 0.4, y), box["width"] * 0.4
    pull(page, start, (-radius * 0.3, radius * 0.7), (0, 0))
    assert picks == [], "turned back, it is not spun"
    pull(page, start, (-radius * 0.3, radius * 0.7))
    page.wait_for_selector(".sector[data-said]")
    assert page.locator(".wheel[data-can]").count() == 0
    assert picks == [SPIN]
    said = page.locator(".says").text_content()
    assert page.locator(".wheel").get_attribute("aria-label") == f"The wheel says {said}"
    assert page.locator(".sector[data-said] text").text_content().strip() == said
    assert inside(page, ".wheel")
    assert violations(page) == []
    page.locator(".card[data-can]").first.click()
    page.wait_for_selector(".prize [data-gone], .wheel[data-can]")


def test_the_wheel_turns_to_what_it_says_and_a_key_ends_the_turning(visit):
    page = visit()
    sit(page, "chimax-fate", 1, first_dealer=1)
    page.evaluate("document.documentElement.style.setProperty('--spin', '60s')")
    page.locator(".wheel[data-can]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".wheel[data-runs]")
    page.wait_for_selector(".card[data-can]")
    assert not page.locator(".prompt .ask b").is_visible(), "the prompt waits for the wheel"
    page.keyboard.press("Shift")
    page.wait_for_selector(".wheel:not([data-runs])")
    turned = page.evaluate(
        """() => {
            const said = document.querySelector('.sector[data-said] text').getBoundingClientRect();
            const wheel = document.querySelector('.wheel').getBoundingClientRect();
            return [said.left + said.width / 2 - wheel.left - wheel.width / 2, said.top - wheel.top];
        }"""
    )
    assert abs(turned[0]) < 3, "the sector stands under the pointer"
    assert turned[1] < 60


@BOTH_SIZES
def test_the_machine_is_pulled_and_flipped_by_a_key(size, visit):
    page = visit(size=size, **STILL)
    picks = sit(page, "chimax-jackpot", 0).picks
    assert inside(page, ".machine")
    lever = middle(page.locator(".lever").bounding_box())
    pull(page, lever, (0, 40), (0, 0))
    assert picks == [], "let go too early, it springs back"
    pull(page, lever, (0, 90))
    page.wait_for_selector(".column li .card[data-kind]")
    assert picks == [FLIP]
    page.wait_for_selector(".lever:not(:disabled)")
    page.locator(".lever").focus()
    page.keyboard.press("f")
    page.wait_for_function("() => document.querySelectorAll('.column .card').length === 2")
    assert picks[-1] == FLIP


@BOTH_SIZES
def test_the_machine_says_why_a_line_pays_how_far_par_is_and_which_cards_would_pay(size, visit):
    page = visit(size=size, **STILL)
    pays = scene_of("chimax-jackpot", lambda stage: isinstance(stage, Reels) and stage.lines and stage.points)
    wire = sit(page, "chimax-jackpot", 0, scene=pays)
    picks = wire.picks
    line, stage = page.locator(".lines button").first, pays.stage
    assert " ".join(line.inner_text().lower().split()).endswith(f"{stage.lines[0].why} +{stage.lines[0].value}")
    assert page.locator("[data-pays] .card").count() >= 3
    assert page.locator(".tally li[data-full]").count() == stage.points
    assert page.locator(".tally li[data-full] .card").count() >= 3
    assert page.locator(".tally p").inner_text().split() == [str(stage.points), "of", "par", str(stage.par)]
    assert inside(page, ".machine")
    assert violations(page) == []
    inks = page.evaluate(INKS_OF_CARDS)
    page.emulate_media(forced_colors="active")
    assert len(inks) > 6
    assert page.evaluate(INKS_OF_CARDS) == inks, "cards keep their colours where the room gives up its own"
    assert len({*page.evaluate(LAMPS)}) == 3, "it is seen how many spins are left"
    page.emulate_media(forced_colors="none")
    line.click()
    wait_until(page, lambda: picks)
    assert picks == [stage.lines[0].choice]
    needs = scene_of("chimax-jackpot", lambda stage: isinstance(stage, Reels) and 0 < len(stage.outs) < 4)
    wire.show(needs)
    expect(page.locator(".need .card")).to_have_count(len(needs.stage.outs))
    assert page.locator(".need span").last.inner_text() == needs.stage.need


ALL_SEEN = """() => {
    const { left, right } = document.querySelector('.prompt').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('.prompt .opt')].map((one) => one.getBoundingClientRect());
    return boxes.length > 12 && boxes.every((box) => box.left >= left && box.right <= right && box.width > 30
        && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest('.opt'));
}"""
"""All values are wide enough, and can be tapped without scrolling."""


def values_of_a_card():
    """A scene of CHIP IT in which a chosen card has more values than fit side by side."""
    state = fairdeal.load("chip-it", players=2).deal(1)
    seat = state.to_act[0]
    drafts = [(choice.id,) for choice in state.scene(seat).choices if choice.kind == "card"]
    return max((state.scene(seat, draft) for draft in drafts), key=lambda scene: len(scene.choices))


def test_values_are_seen_at_once_or_are_a_number_with_steps(visit):
    page = visit(**STILL)
    wire = sit(page, "chimax-jackpot", 0, scene=scene_with("chimax-jackpot", lambda scene: len(values(scene)) > 12))
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        page.wait_for_function(ALL_SEEN)
    scene = values_of_a_card()
    offered = values(scene)
    wire.show(scene)
    field, main = page.get_by_role("textbox", name="Value"), page.locator(".prompt .btn.main")
    expect(field).to_have_value(offered[0].label)
    assert violations(page) == []
    expect(page.get_by_role("button", name="Lower value")).to_be_disabled()
    press(page, "Higher value")
    field.fill(offered[5].label)
    wait_until(page, lambda: len(wire.picks) == 2)
    assert wire.picks == [offered[1].id, offered[5].id]
    field.fill("1")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.press("Enter")
    assert len(wire.picks) == 2, "a number that is not possible plays nothing"
    field.press("PageUp")
    wait_until(page, lambda: len(wire.picks) == 3)
    assert wire.picks[-1] == offered[10].id
    expect(main).to_have_count(1)


def values(scene):
    return [choice for choice in scene.choices if choice.kind == "value"]


def test_a_pass_is_filled_only_where_nothing_else_can_be_chosen(visit):
    def passes(beside_cards):
        def wanted(scene):
            kinds = [choice.kind for choice in scene.choices]
            return kinds.count("button") > 1 and scene.draft is None and ("card" in kinds) == beside_cards

        return scene_with("chip-it", wanted, players=3)

    page = visit(**STILL)
    wire = sit(page, "chip-it", 2, ".prompt .acts", passes(True))
    expect(page.locator(".prompt .btn.main")).to_have_count(0)
    wire.show(passes(False))
    expect(page.locator(".prompt .btn:not(.main)")).to_have_count(0)


def test_a_spot_of_a_trick_is_always_the_same_players(visit):
    page = visit(**STILL)
    picks = sit(page, "chimax-books", 3).picks
    page.wait_for_selector(".prompt[data-yours]")
    names = page.locator(".trick .who span:last-child").all_inner_texts()
    assert names == ["You", "Bo", "Cleo", "Dai"]
    assert violations(page) == []
    page.locator(".hand .card[data-can]").first.click()
    page.wait_for_selector(".trick [data-wins] .card")
    assert len(picks) == 1
    assert page.locator(".trick .who span:last-child").all_inner_texts() == names


def test_eight_fighters_are_distinct_on_a_phone_held_either_way(visit):
    def fight(is_one):
        def wanted(scene):
            return isinstance(scene.stage, Fight) and len(scene.stage.columns) == 8 and is_one(scene.stage.columns)

        return scene_with("war-xtreme", wanted, players=8, ask_extreme=False)

    scenes = {
        "fight": fight(lambda columns: all(one.value for one in columns)),
        "war": fight(lambda columns: max(len(one.steps) for one in columns) >= 3),
    }
    page = visit(**STILL)
    wire = sit(page, "war-xtreme", 7, ".fight", scenes["fight"])
    for kind, scene in scenes.items():
        wire.show(scene)
        expect(page.locator(".prompt .ask b")).to_have_text(scene.prompt.text)
        for size in (PHONE, LYING):
            resize(page, size)
            assert inside(page, ".fight"), kind
            assert page.evaluate(MEASURE, LEAST)["wrong"] == [], kind
        assert page.locator(".fight li").count() == 8
        assert page.locator(".fight .card").count() >= 8


def race_scene(**time_of):
    """A race of eight answers, with so much time."""
    scene = scene_of("war-xtreme", lambda stage: isinstance(stage, Race) and stage.answers[0].choice >= 0, players=4)
    if not time_of:
        return scene
    limit = {"until": time.time() + time_of["left"], "lasts": time_of["lasts"]}
    return msgspec.structs.replace(scene, prompt=msgspec.structs.replace(scene.prompt, **limit))


@BOTH_SIZES
def test_a_race_is_answered_at_its_place(size, visit):
    """By a tap on the phone, and by its key on the desk."""
    page = visit(size=size, **STILL)
    picks = sit(page, "war-xtreme", 3, ".answer", race_scene(lasts=900.0, left=600.0)).picks
    assert page.locator(".answer").count() == 8
    assert 300 < int(page.locator(".seconds").inner_text().split()[0]) <= 600
    assert page.locator(".prompt .clock").count() == 0, "the time is told once, at the card"
    assert not page.locator(".drain").is_visible(), "with reduced motion only the number tells the time"
    assert page.locator(".prompt .btn").all_inner_texts() == ["Stand still"], "no answer is told twice"
    for shown in (LYING, size):
        resize(page, shown)
        assert all(inside(page, part) for part in (".race", ".framed", ".seconds")), shown
    assert violations(page) == []
    for colours in ({"color_scheme": "dark"}, {"color_scheme": "light"}):
        page.emulate_media(**colours)
        marks = page.evaluate(CONTRAST, ".answer svg, .shouted strong")
        assert len(marks) == 9
        assert min(marks) >= 3, f"an answer cannot be told: {colours}"
    answer = race_scene().stage.answers[5]
    if size is PHONE:
        press(page, answer.label)
    else:
        page.keyboard.press(answer.key)
    wait_until(page, lambda: picks)
    assert picks == [answer.choice]


@pytest.mark.parametrize("wishes", [STILL, {}], ids=["still", "moving"])
def test_a_viewer_who_wants_no_motion_has_calm_races_and_the_time_drains_for_the_others(wishes, visit):
    page = visit(**wishes)
    sit(page, "war-xtreme", 3, ".answer", race_scene(lasts=900.0, left=600.0))
    table = page.url.rpartition("/")[2]
    calm = "([table, calm]) => fetch(`/api/tables/${table}`).then((one) => one.json()).then((one) => one.calm === calm)"
    page.wait_for_function(calm, arg=[table, bool(wishes)])
    if wishes:
        page.emulate_media(reduced_motion="no-preference")
        page.wait_for_function(calm, arg=[table, False])
        return
    line = page.locator(".drain rect")
    gone = line.evaluate("(line) => parseFloat(getComputedStyle(line).strokeDashoffset)")
    assert 0.33 < gone < 0.66, "it began when the race did, not when the page saw it"
    card, frame = page.locator(".timed .card").bounding_box(), line.bounding_box()
    assert frame["x"] < card["x"]
    assert frame["x"] + frame["width"] > card["x"] + card["width"]


def test_an_open_pile_is_fanned_out_by_a_tap_and_by_its_key(visit):
    def piled(scene):
        return scene.choices and any(zone.id == "discard" and len(zone.cards) > 2 for zone in scene.zones)

    scene = scene_with("chi", piled, players=2)
    cards = next(zone.cards for zone in scene.zones if zone.id == "discard")
    page = visit(**STILL)
    sit(page, "chi", 1, wanted=".zone[data-zone=discard][data-fans]", scene=scene, first_player=0)
    page.locator(".zone[data-zone=discard] .cards").click()
    fanned = page.locator(".pile .card")
    expect(fanned).to_have_count(len(cards))
    assert [face.get_attribute("data-id").split(".", 1)[1] for face in fanned.all()] == [
        card.id for card in reversed(cards)
    ]
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(fanned).to_have_count(0)
    page.keyboard.press("d")
    expect(fanned).to_have_count(len(cards))


CHI = {
    "row": ["yang3-blue", "yang6-lime", "yin-grey", "yin-purple", "yang3-yellow", "yang6-teal"],
    "start": 0,
    "turn": 1,
    "hands": [["chi", "chi", "yang6-orange"], ["yin-red", "chi", "yang6-lime"]],
    "areas": [[["yang3-grey"], ["yang3-red"]], []],
}
NINJAS = {
    "row": ["atk-red", "def-lime", "spirit", "atk-grey", "counter", "def-pink"],
    "start": 0,
    "turn": 1,
    "hands": [["counter"], ["atk-blue", "atk-pink", "counter"], []],
    "areas": [["def-yellow"], ["def-black"], []],
}


def scenes_of(game, position, *moves, **options):
    """What seat 0 sees before the first of these moves, `seat: move`, and after each."""
    table = fairdeal.load(game, **options)
    players = [Player(name, "person") for name in ("Ada", "Bo", "Cleo")[: table.players]]
    sitting = Sitting.open(table, players, "attacks", table.setup(position, "attacks"))
    found = [sitting.scene(0)]
    for seat, move in (text.split(": ") for text in moves):
        sitting.play(int(seat), move)
        found.append(sitting.scene(0))
    return found


LOOKS_ON = waits_forever(900)
"""What came of an attack is looked at until a key or a tap ends it."""

TRAVELS = """const animate = Element.prototype.animate;
    globalThis.travelled = [];
    Element.prototype.animate = function (frames, how) {
        if (how?.id === 'travel') globalThis.travelled.push(this.closest('[data-zone]')?.dataset.zone);
        return animate.call(this, frames, how);
    }"""
"""Keeps the zones to which cards have travelled."""

LIES = """() => {
    const box = (one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return [left, top, width, height];
    };
    const head = document.querySelector('.arrow .head').getBoundingClientRect();
    return {
        places: [...document.querySelectorAll('.exchange li')].map(box),
        turned: [...document.querySelectorAll('.exchange .card')].map((card) => getComputedStyle(card).rotate),
        breathes: getComputedStyle(document.querySelector('.exchange [data-attacks]'), '::before').animationName,
        target: box(document.querySelector('.mine .card[data-aim]').closest('li')),
        leans: getComputedStyle(document.querySelector('.mine .card[data-aim]')).rotate,
        head: [head.left + head.width / 2, head.top + head.height],
    };
}"""


def test_an_attack_lies_between_the_players_until_a_word_ends_it(visit):
    scenes = scenes_of("chi", CHI, "1: yin yin-red on 1", "0: chi", "1: chi", "0: pass")
    page = visit()
    page.add_init_script(TRAVELS)
    page.add_init_script(LOOKS_ON)
    wire = sit(page, "chi", 1, wanted=".band", scene=scenes[0], first_player=0)
    row = page.locator("[data-zone=row] .card").first
    lay = row.bounding_box()
    wire.show(scenes[1])
    page.wait_for_selector(".exchange .card")
    assert page.locator(".attack .does").inner_text().endswith("Bo attacks your red 3")
    assert page.locator(".attack .says").inner_text() == "You may block with a Chi"
    lies = page.evaluate(LIES)
    left, top, width, _ = lies["target"]
    assert abs(lies["head"][0] - left - width / 2) < 10, "the arrow ends over what is attacked"
    assert 0 < top - lies["head"][1] < 20
    resize(page, PHONE)
    turned = page.evaluate(LIES)
    assert abs(turned["head"][0] - turned["target"][0] - turned["target"][2] / 2) < 10, "also on another screen"
    resize(page, DESK)
    assert (lies["leans"], lies["turned"], lies["breathes"]) == ("3deg", ["none"], "none")
    wire.show(scenes[2])
    page.wait_for_selector(".exchange [data-across]")
    assert page.evaluate(LIES)["breathes"] == "breathe", "while the other decides"
    wire.show(scenes[3])
    page.wait_for_selector(".exchange li:nth-child(3)")
    lies = page.evaluate(LIES)
    assert lies["turned"] == ["none", "90deg", "none"]
    steps = [after[0] - before[0] for before, after in itertools.pairwise(lies["places"])]
    assert all(0.5 < step / lies["places"][0][2] < 1 for step in steps), "half a card and more can be seen of each"
    assert violations(page) == []
    wire.show(scenes[4])
    page.wait_for_selector(".exchange .word")
    assert page.locator(".exchange .word").inner_text() == "BROKEN"
    assert row.bounding_box() == lay
    assert page.locator(".exchange .card").count() == 3, "nothing has gone where it belongs yet"
    expect(page.locator("#live")).to_contain_text("You give in")
    told = page.locator(".prompt .ask").inner_text()
    assert told.count("You lose the red 3.") == 1, told
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector(".attack", state="detached")
    page.wait_for_function("() => travelled.includes('discard')")  # where the cards belong
    assert page.evaluate("travelled").count("duel") >= 3, "from the hands to the exchange"
    assert row.bounding_box() == lay, "the row keeps its place"
    expect(page.locator(".prompt[data-yours]")).to_have_count(1)


def test_a_viewer_who_missed_an_attack_sees_how_it_ended(visit):
    """A page that was away while it was made does not know which card was attacked: it points at the player."""
    scenes = scenes_of("chi", CHI, "1: yin yin-red on 1", "0: chi", "1: pass")
    page = visit(**STILL)
    page.add_init_script(LOOKS_ON)
    wire = sit(page, "chi", 1, wanted=".band", scene=scenes[0], first_player=0)
    wire.show(scenes[-1])
    page.wait_for_selector(".exchange .word")
    assert page.locator(".exchange .word").inner_text() == "BLOCKED"
    assert page.locator(".arrow .head").get_attribute("transform"), "it points at somebody"
    told = page.locator(".prompt .help > span")
    told.evaluate("(told) => told.textContent = told.textContent.padEnd(170, ' and so on')")
    lies = told.evaluate(
        "({ scrollWidth, clientWidth, scrollHeight, clientHeight, parentElement }) => "
        "[scrollWidth - clientWidth, scrollHeight - clientHeight, parentElement.closest('.prompt').scrollHeight"
        " - parentElement.closest('.prompt').clientHeight]"
    )
    assert max(lies) <= 1, "a long story is told whole, in two lines"


def test_an_attack_that_nobody_could_answer_is_shown_too(visit):
    scenes = scenes_of("chaos-ninjas", NINJAS, "1: attack 0:0 atk-blue atk-pink", players=3)
    page = visit(size=PHONE, **STILL)
    page.add_init_script(LOOKS_ON)
    wire = sit(page, "chaos-ninjas", 2, wanted=".band", scene=scenes[0], first_player=0, players=3)
    wire.show(scenes[1])
    page.wait_for_selector(".exchange .word")
    assert page.locator(".exchange .word").inner_text() == "DEFEATED"
    played = page.locator(".exchange [data-attacks] .card").all()
    assert [card.get_attribute("data-id").split("?")[0] for card in played] == ["hand1", "hand1"], "out of Bo's hand"
    assert page.locator(".mine .card[data-aim]").count() == 1
    page.locator(".exchange .card").first.click()
    page.wait_for_selector(".attack", state="detached")
    expect(page.locator(".mine .card")).to_have_count(0)


OTHERS = """async () => {
    const { others } = await import('/web/scene/seat.js');
    const chairs = ['person', 'person', 'greedy'].map((plays, seat) => ({ seat, plays, you: seat === 0 }));
    const seats = (state) => [{ seat: 0, state: 'out' }, { seat: 1, state }, { seat: 2, state: 'here' }];
    return ['here', 'away', 'out'].map((state) => others({ chairs }, { seats: seats(state) }));
}"""


def test_who_is_out_skips_to_the_end_of_what_bots_still_play(visit):
    table = fairdeal.load("war-xtreme", players=3, ask_extreme=False, max_rounds=6)
    rivals = [{"army": [f"{suit}/{rank}" for rank in ("K", 3, 4)]} for suit in ("ninja", "princess")]
    seats = [{"alive": False, "out_round": 2}, *rivals]
    pool = {"slots": ["zombie/3"] * 8, "tax": ["zombie/4"] * 6, "store": [1, 2, 3]}
    state, scenes = table.setup({"round": 5, "seats": seats} | pool, seed=1), []
    while not scenes or not state.over:
        scenes.append(msgspec.structs.replace(state.seen_by(0, ("You", "Bo", "Cy")).scene(), seq=len(scenes)))
        state.play(state.to_act[0], next(state.moves(state.to_act[0])))
    scenes.append(msgspec.structs.replace(state.seen_by(0, ("You", "Bo", "Cy")).scene(), seq=len(scenes)))
    page = visit(**STILL)
    wire = sit(page, "war-xtreme", 2, ".status-line[data-kind='out']", scenes[0], players=3)
    expect(page.locator(".status-line")).to_contain_text("You are out. 2 are still playing.")
    before = page.locator(".prompt").inner_text()
    press(page, "Skip to the end")
    for scene in scenes[1:-1]:
        wire.show(scene)
    expect(page.locator(".status-line")).to_contain_text(f"Skipping to the end: move {len(scenes) - 2} …")
    assert page.locator(".prompt").inner_text() == before, "nothing is drawn"
    wire.show(scenes[-1])
    page.wait_for_selector(".verdict")
    assert page.evaluate(OTHERS) == [1, 1, 0], "people who are out do not play"
