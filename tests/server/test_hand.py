"""The viewer's own hand lies as its player leaves it, where the rules give its order no meaning."""

import copy

import pytest
from playwright.sync_api import expect

import fairdeal
from fairdeal.engine.registry import find_game, game_names
from tests.server.test_browser import violations
from tests.server.test_pages import touch
from tests.server.visiting import DESK, INSTANT, PHONE, STILL, Wire, press, sit_at, wait_until

HAND = "() => [...document.querySelectorAll('.hand .card')].map((card) => card.dataset.id)"
KEPT = "() => Object.keys(localStorage).filter((name) => name.startsWith('fairdeal hand'))"
FOCUS = "() => document.activeElement.dataset.id"
SORTED = ("chi", "chaos-ninjas", "chip-it", "war-xtreme")
"""Games whose states sort the cards of all hands; in BOOKS, owners must see their hands and may play any card."""


def hand(page):
    return page.evaluate(HAND)


def moved(cards, place, to):
    cards = [*cards]
    cards.insert(to, cards.pop(place))
    return cards


@pytest.fixture
def table(visit):
    """Sit down to CHIP IT. Return the page, its wire, the scenes that it was sent and what it asked for."""

    def sit(size=DESK, **wishes):
        page, scenes, asked = visit("/", size=size, overheard=True, **STILL | wishes), [], []
        page.evaluate(INSTANT)

        def heard(message):
            scenes.extend([message["scene"]] if message.get("scene") else [])
            return message

        wire = Wire(page, heard, lambda message: asked.append(message["type"]) or message)
        sit_at(page, "chip-it")
        return page, wire, scenes, asked

    return sit


def spot(page, number):
    """A place of a card that no other card covers."""
    box = page.locator(".hand .card").nth(number).bounding_box()
    return box["x"] + 12, box["y"] + box["height"] / 2


def drag(page, number, to):
    page.mouse.move(*spot(page, number))
    page.mouse.down()
    x, y = spot(page, to)
    page.mouse.move(x + 8, y - 12, steps=4)
    page.mouse.up()


def heard(page, text):
    expect(page.locator("#live")).to_have_text(text)


def test_a_card_that_is_dragged_within_a_hand_stays_there(table):
    page, _, _, asked = table()
    dealt, before = hand(page), len(asked)
    last = len(dealt) - 1
    names = [name.partition(",")[0] for name in page.locator(".hand .card").evaluate_all(
        "all => all.map((one) => one.ariaLabel)"
    )]  # fmt: skip
    assert page.locator(".sorts").count() == 0
    drag(page, 0, last)
    assert hand(page) == moved(dealt, 0, last)
    heard(page, f"{names[0]}, place {last + 1} of {last + 1}.")
    assert set(asked[before:]) <= {"draft"}, "the room is told nothing, but asked what the card could be played to"
    assert page.locator(".lifted, [data-gone], [data-making], [data-drop], .hand [data-sel]").count() == 0
    assert page.locator(".hand li").evaluate_all("all => all.every((one) => !one.style.translate)")
    drag(page, 3, 3)
    assert hand(page) == moved(dealt, 0, last)
    assert violations(page) == []
    page.reload()
    page.wait_for_selector(".sorts")
    assert hand(page) == moved(dealt, 0, last)
    press(page, "Sort your cards")
    assert hand(page) == dealt
    heard(page, "Your cards are sorted.")
    assert (page.evaluate(KEPT), page.locator(".sorts").count()) == ([], 0)


def test_keys_move_the_card_that_has_the_focus(table):
    page, wire, scenes, _ = table()
    dealt = hand(page)
    last = len(dealt) - 1
    choices = [choice for choice in scenes[-1]["choices"] if choice.get("on") != dealt[1]]
    wire.tell({"type": "scene", "scene": scenes[-1] | {"choices": choices, "seq": 99}, "log": []})
    page.locator(f".hand [data-id='{dealt[1]}']:not([data-can])").focus()
    for key, place in (("ArrowRight", 2), ("ArrowRight", 3), ("Home", 0), ("ArrowLeft", 0), ("End", last)):
        page.keyboard.press(f"Shift+{key}")
        assert hand(page) == moved(dealt, 1, place), key
        assert page.evaluate(FOCUS) == dealt[1]
    page.keyboard.press("ArrowLeft")
    assert (page.evaluate(FOCUS), hand(page)) == (dealt[last], moved(dealt, 1, last))
    page.keyboard.press("Alt+ArrowLeft")  # which is the browser's
    assert (page.evaluate(FOCUS), hand(page)) == (dealt[last], moved(dealt, 1, last))


def test_a_card_is_dragged_on_while_others_move(table):
    page, wire, scenes, _ = table()
    dealt, scene = hand(page), scenes[-1]
    x, y = spot(page, 3)
    page.mouse.move(*spot(page, 0))
    page.mouse.down()
    page.mouse.move(x, y, steps=4)
    scene |= {"seq": 99, "choices": [], "prompt": {"mode": "waiting", "text": "Bo is choosing"}}
    wire.tell({"type": "scene", "scene": scene, "log": []})
    page.wait_for_selector(".prompt[data-wait]")
    page.mouse.move(x + 4, y, steps=2)
    page.mouse.up()
    assert hand(page) == moved(dealt, 0, 3)
    assert page.locator(".lifted, [data-gone], [data-making], [data-drop]").count() == 0


def test_a_finger_moves_a_card_sideways_and_taps_as_before(table):
    page, *_ = table(PHONE, has_touch=True, is_mobile=True)
    dealt = hand(page)
    x, y = spot(page, 0)
    to, _ = spot(page, 2)
    assert touch(page, "touchEnd", (x, y), (x + 12, y + 1), (x + 30, y + 2), (to + 12, y + 2), lifts=True) == 1
    wait_until(page, lambda: hand(page) == moved(dealt, 0, 2))
    assert page.locator(".card[data-sel]").count() == 0
    page.locator(".hand .card[data-can]").first.tap()
    page.wait_for_selector(".hand .card[data-sel]")
    assert hand(page) == moved(dealt, 0, 2)


def own(scene):
    return next(zone for zone in scene["zones"] if zone.get("any_order"))


def changed(scene, change, **more):
    """The next scene, with other cards in hand."""
    scene = copy.deepcopy(scene) | more
    scene["seq"] += 1
    change(own(scene)["cards"])
    return scene


def test_a_hand_keeps_its_order_while_cards_come_and_go(table):
    page, wire, scenes, _ = table()
    dealt = hand(page)
    drag(page, 0, 4)
    order, scene = moved(dealt, 0, 4), scenes[-1]
    new = {"id": "new.1", "face": own(scene)["cards"][0]["face"]}

    def shows(change, cards, **more):
        nonlocal scene
        scene = changed(scene, change, **more)
        wire.tell({"type": "scene", "scene": scene, "log": []})
        wait_until(page, lambda: hand(page) == cards)

    played = own(scene)["cards"][2]
    left = [card for card in order if card != played["id"]]
    shows(lambda cards: cards.remove(played), left)
    shows(lambda cards: cards.insert(2, played), order)  # the move is taken back
    shows(lambda cards: cards.insert(0, new), [*order, "new.1"])  # a card that is drawn
    shows(lambda cards: cards[5].update(id="other.1"), [card if card != dealt[4] else "other.1" for card in hand(page)])
    shows(lambda cards: None, [card["id"] for card in own(scene)["cards"]], round=ROUND)  # the next deal


ROUND = {
    "number": 1,
    "text": "Round 1 done: Bo 1, you 0.",
    "tallies": [{"seat": 0, "total": 0}, {"seat": 1, "total": 1}],
}


@pytest.mark.parametrize("game", game_names())
def test_hands_may_be_arranged_where_the_rules_give_their_order_no_meaning(game):
    presets = find_game(game).presets
    scenes = {name: fairdeal.load(game, preset=name).deal(1).scene(0) for name in presets}
    found = {name for name, scene in scenes.items() if any(zone.any_order for zone in scene.zones)}
    assert found == ({*presets} if game in SORTED else {"strategic"} if game == "chimax-books" else set())


def test_a_hand_that_is_not_seen_cannot_be_arranged(visit):
    page = visit("/", **STILL)
    page.evaluate(INSTANT)
    sit_at(page, "chimax-books", options={"peek": False})
    dealt = hand(page)
    drag(page, 0, 3)
    page.locator(".hand .card").nth(1).focus()
    page.keyboard.press("Shift+End")
    assert (hand(page), page.evaluate(KEPT)) == (dealt, [])
