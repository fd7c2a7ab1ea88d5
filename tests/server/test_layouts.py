"""Layouts in two dimensions, boxes of several games and their covers, in real Chromium over made-up scenes."""

import random
import re

import msgspec
import pytest
from playwright.sync_api import expect

import fairdeal
from fairdeal.bots.levels import FACES
from fairdeal.bots.registry import bots_of, usual_bot
from fairdeal.engine.registry import find_game, game_names
from fairdeal.engine.scene import LogLine, Moved, Prompt
from fairdeal.testing.play import play_at_random
from tests import scenes
from tests.server.measuring import resize
from tests.server.test_browser import violations
from tests.server.visiting import BOTH_SIZES, DESK, PHONE, STILL, Wire, plain, press, sit_at, watch

GAME = "chimax-match-2"
"""The game whose look the made-up scenes wear."""

pytestmark = pytest.mark.skipif(GAME not in game_names(), reason="the game is not installed")

MADE_UP = {
    "28 places": scenes.grid_scene(),
    "39 places": scenes.grid_scene(39, 13, (6, 7), 4),
    "reels": scenes.reel_scene(6),
    "long reels": scenes.reel_scene(13),
    "declared": scenes.declared_scene(),
    "four rows": scenes.rows_scene(),
    "areas": scenes.areas_scene(),
}


MADE_UP_FACES = msgspec.json.encode(scenes.FACES).decode()
WITH_FACES = """(faces) => {
    const ask = fetch;
    window.fetch = async (what, ...more) =>
        new URL(what.url ?? what, location).pathname.endsWith('/faces') ? Response.json(faces) : ask(what, ...more);
}"""
"""The page asks for no faces: they are made up like the scenes. If Playwright answered, nothing would be kept."""


@pytest.fixture
def show(visit, room):
    """Opens a page that draws a made-up scene; gives the page and a way to send it another."""

    def draw(scene, size=DESK, **wishes):
        page = visit(size=size, overheard=True, **STILL | wishes)
        page.add_init_script(f"({WITH_FACES})({MADE_UP_FACES})")
        wire = Wire(page, lambda message: message | {"scene": plain(scene)} if message.get("scene") else message)
        sit_at(page, GAME, wanted=".prompt", options={"players": 2})
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        return page, wire.show

    return draw


OUT_OF_SIGHT = """() => {
    const room = document.querySelector('.field').getBoundingClientRect();
    const scrolling = document.querySelectorAll('.field [data-scrolls]').length;
    return [...document.querySelectorAll('.field :is(.card, .gap)')].map((one) => one.getBoundingClientRect())
        .filter((box) => box.top < room.top - 1 || box.bottom > room.bottom + 1 || box.left < 0
            || box.right > innerWidth)
        .length + scrolling;
}"""


@BOTH_SIZES
@pytest.mark.parametrize("made_up", MADE_UP)
def test_all_places_and_columns_fit_without_scrolling(made_up, size, show):
    """Places on the phone are as large as a finger in one direction."""
    page, _ = show(MADE_UP[made_up], size)
    assert page.evaluate(OUT_OF_SIGHT) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if size == PHONE:
        assert violations(page) == []
    if size == PHONE and made_up in ("28 places", "39 places"):
        cards = page.locator(".centre button.card")
        sides = cards.evaluate_all("(all) => all.map((one) => [one.offsetWidth, one.offsetHeight])")
        assert all(width >= 36 and height >= 44 for width, height in sides), sides
    if size == DESK and made_up == "declared":
        card, plain_card = page.locator("[data-id='book.2']"), page.locator("[data-id='hand.25']")
        assert card.locator(".big").inner_text() == "?", "a question mark keeps its sign"
        assert card.locator(".as").inner_text() == "25"
        assert card.get_attribute("aria-label") == "question mark standing for 25"
        block = card.locator(".as").evaluate("(one) => getComputedStyle(one).backgroundColor")
        assert block == plain_card.locator(".g").evaluate("(one) => getComputedStyle(one).backgroundColor")
        assert card.locator(".as").bounding_box()["y"] > card.locator(".big").bounding_box()["y"]


def test_many_piles_beside_the_middle_fit_on_a_desk(show):
    page, _ = show(scenes.areas_scene(piles=4))
    assert page.evaluate(OUT_OF_SIGHT) == 0


TRAVELLING = "document.getAnimations().filter((one) => one.id === 'travel')"


def test_a_card_on_its_way_to_a_pile_does_not_shrink_it(show):
    before = scenes.areas_scene()
    theirs, mine, *others, pile = before.zones[:6]
    card, *rest = mine.cards
    moved = LogLine("You discard.", 0, (Moved(card.id, mine.id, pile.id, card.id),))
    zones = (theirs, mine.replaced(cards=tuple(rest)), *others, pile.replaced(cards=(card,)), *before.zones[6:])
    page, show_next = show(before, reduced_motion="no-preference")
    travels = watch(page, f"() => {TRAVELLING}.length")
    show_next(before.replaced(seq=before.seq + 1, zones=zones, events=(moved,)))
    travels()
    page.evaluate(f"Promise.allSettled({TRAVELLING}.map((one) => one.finished))")
    card_width, pile_width = (
        page.locator(f"[data-zone={name}] .card").last.evaluate("(one) => getComputedStyle(one).width")
        for name in (pile.id, others[-1].id)
    )
    assert card_width == pile_width
    assert page.locator(".right[data-scrolls]").count() == 0


def last_scenes(game, players):
    """A game as seat 0 sees it before its last move and after it."""
    dice, state = random.Random(players), fairdeal.load(game, players=players).deal("1")
    before = state.scene(0)
    while not state.over:
        before = state.scene(0)
        play_at_random(state, dice)
    return before, state.scene(0)


WHERE = """() => Object.fromEntries([...document.querySelectorAll(
        '.middle [data-layout=grid] li, .trick .card, .machine .reel, [data-zone=out]')]
    .filter((one) => one.checkVisibility()).map((one, number) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [one.dataset.id ?? number, [x, y, width, height].map(Math.round)];
    }))"""

STAYS = {"order": 13, "match-2": 28, "match-3": 39, "fate": 13, "jackpot": 3, "books": 1, "cut": 1}
"""Of how many places and cards in the middle of a stage of Chimax it is seen that they stay; of Cut it is the pile of
what is out."""


@BOTH_SIZES
@pytest.mark.parametrize("stage", STAYS)
def test_what_still_lies_there_holds_still_when_the_game_ends(stage, size, show):
    game = f"chimax-{stage}"
    before, after = last_scenes(game, min(2, find_game(game).players[1]))
    page, send = show(before, size)
    page.wait_for_selector(".stage > *" if before.stage else ".centre")
    was = page.evaluate(WHERE)
    send(after)
    page.wait_for_selector(".ending")
    now = page.evaluate(WHERE)
    stayed = [one for one in was if one in now]
    assert len(stayed) >= STAYS[stage], stayed
    assert {one: now[one] for one in stayed} == {one: was[one] for one in stayed}


def test_a_look_ends_the_turning_of_the_wheel_and_the_end_leaves_it_silent(show):
    dice, state = random.Random(1), fairdeal.load("chimax-fate", players=2).deal("1")
    told = [state.scene(0)]
    while not state.over:
        play_at_random(state, dice)
        told.append(state.scene(0))
    spun = next(number for number, scene in enumerate(told) if scene.stage.at >= 0)
    looked = next(number for number in range(spun, len(told)) if told[number].stage.used > told[spun].stage.used)
    page, send = show(told[0], reduced_motion="no-preference")
    page.evaluate("document.documentElement.style.setProperty('--spin', '60s')")
    page.wait_for_selector(".wheel")
    send(told[spun])
    page.wait_for_selector(".app[data-turning] .wheel[data-runs]")
    assert told[looked].stage.spins == told[spun].stage.spins
    send(told[looked])
    page.wait_for_selector(".app:not([data-turning]) .wheel:not([data-runs]) .sector[data-said]")
    send(msgspec.structs.replace(told[spun], stage=msgspec.structs.replace(told[spun].stage, spins=99)))
    page.wait_for_selector(".wheel[data-runs]")
    send(told[-1])
    page.wait_for_selector(".ending")
    page.wait_for_selector(".app:not([data-turning]) .wheel:not([data-runs])")
    assert page.locator(".wheel .says").text_content() == ""


RINGED = """() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const [ring, room] = [box('.zone:has(> [data-layout=ring])'), box('.field')];
    return [ring.width > 90, ring.top - room.top, room.bottom - ring.bottom];
}"""


@pytest.mark.skipif("war-xtreme" not in game_names(), reason="the game is not installed")
def test_the_ring_that_one_chooses_from_is_whole_at_every_size(show):
    state, dice = fairdeal.load("war-xtreme", players=4).deal("2"), random.Random(2)
    while not any(zone.layout == "ring" and zone.heed for zone in state.scene(0).zones):
        play_at_random(state, dice)
    page, _ = show(state.scene(0), PHONE)
    for label, size in {"phone": PHONE, "lying": {"width": 844, "height": 390}, "desk": DESK}.items():
        resize(page, size)
        is_open, above, below = page.evaluate(RINGED)
        assert (is_open, above >= 0, below >= 0) == (True, True, True), (label, above, below)


ARROWS = {
    "28 places": [
        ("layout.3", "ArrowDown", "layout.10"),
        ("layout.10", "ArrowUp", "layout.3"),
        ("layout.10", "ArrowRight", "layout.12"),
        ("layout.12", "ArrowLeft", "layout.10"),
    ],
    "39 places": [("layout.3", "ArrowDown", "layout.16")],
    "reels": [
        ("reel0.0", "ArrowDown", "reel0.5"),
        ("reel0.5", "ArrowRight", "reel1.declared"),
        ("reel2.0", "ArrowLeft", "reel1.declared"),
    ],
}
"""Where a key leads from a card."""


def test_arrows_lead_where_the_eye_expects_and_an_empty_place_is_no_button(show):
    """It is spoken, and the layout is lit as a whole. The focus stays there when its card is turned."""
    page, send = show(MADE_UP["28 places"])
    assert page.get_by_role("img", name="empty place", exact=False).count() == len(scenes.GAPS)
    assert page.get_by_role("img", name="empty place 2", exact=True).count() == 1
    assert page.locator("button.gap").count() == 0
    assert page.get_by_role("button", name="place 1, face-down card, can be chosen").count() == 1
    assert page.locator("[data-zone=layout][data-lit]").count() == 1
    assert page.locator(".card[data-id='layout.9'][data-can]").count() == 0
    for made_up, ways in ARROWS.items():
        send(MADE_UP[made_up])
        for here, key, there in ways:
            page.locator(f"[data-id='{here}']").focus()
            page.keyboard.press(key)
            page.wait_for_selector(f"[data-id='{there}']:focus")
    send(MADE_UP["28 places"])
    page.locator("[data-id='layout.3']").focus()
    zone = scenes.layout(28, 7, (4, 7), up=2)
    choices = tuple(choice for choice in scenes.grid_scene().choices if choice.on != "layout.3")
    send(msgspec.structs.replace(scenes.grid_scene(), seq=6, zones=(zone,), choices=choices))
    page.wait_for_selector("[data-id='layout.3'][data-kind=n25]")
    page.wait_for_selector("[data-id='layout.4']:focus")


KINDS_SHOWN = """() => {
  const kind = (id) => document.querySelector(`[data-id='${id}']`)?.dataset.kind ?? '';
  const note = () => {
    const now = `${kind('layout.9')} ${kind('layout.10')}`;
    if (shown.at(-1)?.[0] !== now) shown.push([now, performance.now()]);
  };
  window.shown = [];
  note();
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""Keeps what two cards show, and since when, by the page's own clock."""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_miss_is_lingered_on(motion, show):
    page, send = show(MADE_UP["28 places"], reduced_motion=motion)
    page.evaluate(KINDS_SHOWN)
    send(scenes.turned_back_scene())
    page.wait_for_selector("[data-id='layout.10'][data-back=chimax][data-new]")
    shown = page.evaluate("shown")
    assert [kinds.split() for kinds, _ in shown] == [["n25"], ["n25", "n3"], []]
    assert shown[2][1] - shown[1][1] > 400  # milliseconds
    assert page.locator("[data-id='layout.10']").inner_text().strip() == "∞"


EDGE_ON = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('[data-layout=grid] .card[data-back] { animation: none !important; scale: 0.02 1 !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    const animate = Element.prototype.animate;
    window.sizes = [];
    Element.prototype.animate = function (frames, how) {
        if (how?.id === 'travel') sizes.push(Number(/scale\\((.*)\\)/.exec(frames[0].transform)[1]));
        return animate.call(this, frames, how);
    };
}"""
"""Stops cards that are turned down while they are seen from the side. Keeps the sizes from which cards travel."""


def test_a_card_that_moves_while_it_is_turned_over_keeps_its_size(show):
    page, send = show(MADE_UP["28 places"], reduced_motion="no-preference")
    page.evaluate(EDGE_ON)
    send(scenes.turned_back_scene())
    page.wait_for_selector("[data-id='layout.10'][data-back]")
    assert max(page.evaluate("sizes"), default=1) < 2


def test_a_pair_is_looked_at_before_it_flies_though_the_game_goes_on(show):
    page, send = show(MADE_UP["28 places"])
    page.evaluate(KINDS_SHOWN)
    send(scenes.taken_scene())
    page.wait_for_selector("[data-id='layout.10'][data-kind=n25][data-new]")
    assert page.locator("[data-id='pair1.3'], [data-id='pair1.4']").count() == 0
    going_on = {"seq": 7, "events": (), "prompt": Prompt("waiting", "Mira looks for a 3")}
    send(msgspec.structs.replace(scenes.taken_scene(), **going_on))
    page.wait_for_selector(".prompt:has-text('Mira looks for a 3')")
    page.wait_for_selector("[data-id='pair1.4']")
    assert [kinds.split() for kinds, _ in page.evaluate("shown")] == [["n25"], ["n25", "n25"], []]
    assert page.locator("[data-zone=layout] .gap").count() == len(scenes.GAPS) + 2


# --- the shelf ------------------------------------------------------------------------------------------------------


async def test_the_shelf_tells_the_opponents_of_every_game(guest):
    games = (await guest.get("/api/games")).json()
    assert [facts["name"] for facts in games] == game_names()
    for facts in games:
        game = find_game(facts["name"])
        assert [level["id"] for level in facts["levels"]] == bots_of(game)
        assert facts["usual"] == usual_bot(game)
        assert facts["usual"] == ("juno" if "juno" in bots_of(game) else "pip")
        for level in facts["levels"]:
            face = FACES[level["id"]]
            assert (level["name"], level["line"], level["pips"]) == (face.name, face.line, face.pips)


async def test_every_game_has_a_cover_of_its_own_and_a_box_the_cover_of_all(guest):
    async def drawing(name, file):
        return (await guest.get(f"/games/{name}/{file}.svg")).body.decode()

    covers = {name: await drawing(name, "cover") for name in game_names()}
    assert len(set(covers.values())) == len(covers)
    assert all(cover.startswith("<svg") and "<text" in cover for cover in covers.values())
    for name in game_names():
        mates = [other for other in game_names() if find_game(other).look == find_game(name).look]
        assert (await drawing(name, "box") == covers[name]) == (len(mates) == 1)


def test_games_that_look_alike_come_in_one_box(visit):
    page = visit("/")
    page.wait_for_selector(".box .cover")
    inside = [name for name in game_names() if find_game(name).look == find_game(GAME).look]
    alone = len(game_names()) - len(inside)
    assert page.locator(".boxes > .box[data-game]").count() == alone
    page.get_by_role("region", name=f"a box of {len(inside)} games").wait_for()
    expect(page.locator(".box[data-inside]")).to_have_count(len(inside))
    assert violations(page) == []
    page.get_by_role("link", name=re.compile(f"^{find_game(GAME).title} ")).click()
    page.get_by_role("form", name=f"New table of {find_game(GAME).title}").wait_for()
    press(page, "Seat 2:")
    page.locator(".levels input").first.wait_for(state="attached")
    offered = page.locator(".levels input").evaluate_all("(inputs) => inputs.map((one) => one.value)")
    assert offered == bots_of(find_game(GAME))


def test_a_game_for_one_is_opened_from_the_shelf(visit):
    page = visit("/")
    alone = next(find_game(name) for name in game_names() if find_game(name).players == (1, 1))
    page.get_by_role("link", name=f"{alone.title} 1 player").focus()
    page.keyboard.press("Tab")
    assert page.locator(":focus").get_attribute("aria-label") == f"Play now: {alone.title}"
    page.keyboard.press("Enter")
    page.wait_for_selector(".prompt[data-yours]")
    assert page.locator(".seat").count() == 0
