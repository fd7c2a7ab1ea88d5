"""What a page asks for is there, comes in few requests and few bytes, and is kept for good."""

import gzip
import json
import re
import shutil
from pathlib import Path
from urllib.parse import urljoin

import pytest

import fairdeal
from fairdeal.protocol import pages
from fairdeal.server import static_files
from fairdeal.server.app import PAGES
from fairdeal.server.static_files import WEB, kept, modules_of, names, without_comments
from tests.server.in_node import answer_of, needs_node
from tests.server.inside import HOST

GZIP = [HOST, ("accept-encoding", "gzip")]
FEW, SMALL = 39, 250_000
"""Requests and bytes of the first view of the lobby, headers of some 500 bytes included."""
SHOWN = ["/api/me", "/api/lobby"]
"""What the lobby asks for when its modules run, beside its covers."""
APART = {"styles.css", "stage.css", "analysis.css"}
"""The list of stylesheets, and what instruments bring with them."""
ADDRESS = re.compile(r"url\('([^']+)'\)")
"""An address in a stylesheet, which depends on the sheet's folder."""


def ours(kind):
    """Return the paths of the client's files of a kind, without those of other projects."""
    return [path for path in WEB.rglob(f"*.{kind}") if not path.is_relative_to(WEB / "vendor")]


def named(text):
    """The files that a page asks for by itself."""
    return re.findall(r'<(?:link|script)[^>]* (?:href|src)="([^"]+)"', text)


async def test_a_page_names_every_module_that_it_needs_and_each_is_there(guest):
    for path, first in [*PAGES.items(), ("/t/{table}?move=3", "replay/replay.js")]:
        asked = named((await guest.get(path.format(game="chi", lesson="first", table="x", evening="x"))).body.decode())
        modules = {name.split("/", 3)[3] for name in asked if name.endswith(".js")}
        assert modules == modules_of("main.js") | modules_of(first)
        for name in asked:
            assert (await guest.get(name)).status == 200, name


async def test_a_page_with_cards_names_their_look(guest):
    table, seen = (await guest.played_by_bots()).id, 0
    for path in [*PAGES, "/t/{table}?move=3"]:
        asked = named(
            (await guest.get(path.format(game="chi", lesson="first", table=table, evening="x"))).body.decode()
        )
        place = f"tables/{table}" if "{table}" in path else "lessons/chi/first"
        look = {"/games/chi/skin.css", "/games/chi/emblems.svg", f"/api/{place}/faces"}
        has_cards = "{table}" in path or "{lesson}" in path
        assert look & set(asked) == (look if has_cards else set()), path
        assert {(await guest.get(name)).status for name in look} == {200}
        seen += has_cards
    assert seen > 3


def test_pages_request_everything_where_it_is_tried_again():
    """A module is imported by a function that `loaded`, `later` or `useModule` is given, or ahead of its use."""
    sources = {path.relative_to(WEB).as_posix(): path.read_text("utf-8") for path in ours("js")}
    code = {name: re.sub(r"/\*\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL) for name, text in sources.items()}
    found = {
        word: sorted(name for name, text in code.items() if re.search(pattern, text))
        for word, pattern in {
            "fetch": r"(?<![\w.])fetch\(",
            "worker": r"new Worker\(",
            "stylesheet": r"rel: 'stylesheet'",
            "import": r"(?<!=> )(?<!=> \(await )(?<!Promise\.all\(\[)import\('",
        }.items()
    }
    assert found == {
        "fetch": ["faults/again.js", "kit/api.js", "worker.js"],
        "worker": ["fair/workers.js"],
        "stylesheet": ["kit/lazy.js"],
        "import": [],
    }
    assert sum(text.count("import('") for text in code.values()) > 20


def tags(answer):
    """The tags of a page that messengers read."""
    return dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)"', answer.body.decode()))


async def test_the_link_of_a_replay_has_a_preview_with_a_picture_whose_words_do_not_say_how_the_game_ended(guest):
    table = (await guest.played_by_bots()).id
    found = tags(await guest.another().get(f"/t/{table}?move=0"))
    names = [chair["name"] for chair in (await guest.get(f"/api/tables/{table}")).json()["chairs"]]
    assert found["og:title"] == f"Chi: {names[0]} and {names[1]}"
    assert not re.search("win|won|[0-9]", found["og:description"])
    assert found["og:image"] == f"http://{HOST[1]}/api/tables/{table}/picture.png"
    assert (await guest.get(found["og:image"].removeprefix(f"http://{HOST[1]}"))).status == 200
    assert tags(await guest.get(f"/t/{table}")) == {}
    assert tags(await guest.get("/t/nowhere?move=0")) == {}


async def test_the_link_of_an_unfinished_game_has_no_preview(guest):
    live = await guest.open()
    answer = await guest.another().get(f"/t/{live.id}?move=0")
    assert answer.status == 200
    assert tags(answer) == {}


async def test_the_first_view_of_the_lobby_is_few_requests_and_few_bytes(guest):
    games = (await guest.get("/api/games")).json()
    shelf = [f"/games/{game['name']}/cover.svg" for game in games]
    asked = ["/", *dict.fromkeys(named((await guest.get("/")).body.decode())), *SHOWN, *shelf]
    answers = [await guest.get(name, headers=GZIP) for name in asked]
    assert {answer.status for answer in answers} == {200}
    assert len(shelf) >= 11
    assert len(asked) <= FEW
    assert 50_000 < sum(len(answer.body) + 500 for answer in answers) <= SMALL
    lobby, table = map(modules_of, ("lobby/lobby.js", "table/table.js"))
    assert "fair/proof.js" in table - lobby, "no deal is checked in the lobby"


@pytest.mark.parametrize("first", sorted({*PAGES.values(), "replay/replay.js"}))
def test_a_page_is_made_of_few_modules(first):
    assert len(modules_of("main.js") | modules_of(first)) <= 51


async def test_the_stylesheets_come_as_one(guest):
    answer = await guest.get("/web/styles.css")
    assert answer.headers["content-type"].startswith("text/css")
    text = ADDRESS.sub("", answer.body.decode())
    assert "@import" not in text
    sheets = [path for path in ours("css") if path.name not in APART]
    assert len(sheets) > 10
    texts = {path.name: without_comments(ADDRESS.sub("", path.read_text("utf-8"))) for path in sheets}
    assert [name for name, written in texts.items() if written not in text] == []


async def test_what_a_stylesheet_names_is_there_seen_from_its_folder_and_from_that_of_the_list(guest):
    for path in ours("css"):
        sheet = f"/web/{path.relative_to(WEB).as_posix()}"
        addresses = ADDRESS.findall((await guest.get(sheet)).body.decode())
        assert addresses or path.name not in (static_files.SHEETS, "tokens.css")
        for address in addresses:
            assert (await guest.get(urljoin(sheet, address))).status == 200, (sheet, address)


def test_only_colours_differ_by_night():
    """`light-dark()` stands where a colour does and nowhere else; nothing else may ask for the scheme."""
    sources = [*ours("css"), *ours("js"), *Path(fairdeal.__file__).parent.glob("games/**/look/*.css")]
    asking = [path.name for path in sources if "prefers-color-scheme" in path.read_text("utf-8")]
    assert len(sources) > 80
    assert asking == []
    assert "light-dark(" in (WEB / "styles" / "tokens.css").read_text("utf-8")


OF_TABLES = [
    *(path for path in ours("css") if path.name not in ("styles.css", "lobby.css")),
    *Path(fairdeal.__file__).parent.glob("games/*/look/skin.css"),
]
"""Stylesheets with rules for tables."""


@pytest.mark.parametrize("sheet", OF_TABLES, ids=lambda path: path.relative_to(path.parents[2]).as_posix())
def test_what_changes_on_a_table_does_not_make_a_page_look_at_all_of_it_again(sheet):
    """A browser asks `:has()` again whenever anything changes inside, and then looks at all that the rest of the
    selector may mean: at every element where it says `*` or a place alone. So does a sibling that may be anything."""
    selectors = selectors_of(sheet.read_text("utf-8"))
    assert selectors
    assert [one for one in selectors if re.search(r"\.(app|table|field)\b[^ >+~]*:has\(", one)] == []
    assert [one for one in selectors if re.search(r":has\(.*\).*[ >+~](\*|:(?!is\()[a-z])", one)] == []
    assert [one for one in selectors if re.search(r"[+~] *(\*|:(?!is\()[a-z])", one)] == []


@pytest.mark.parametrize("sheet", ours("css"), ids=lambda path: path.name)
def test_siblings_are_found_by_more_than_their_tags(sheet):
    """Where a card is added or removed, a browser restyles all elements below that a rule such as `input + span` may
    mean. It leaves out rules whose first sibling has a class or an attribute."""
    selectors = [re.sub(r"\(.*\)", "", one) for one in selectors_of(sheet.read_text("utf-8"))]
    assert [one for one in selectors if re.search(r"(^| )[a-z0-9:-]+ [+~] ", one)] == []


def selectors_of(sheet):
    """The selectors of a stylesheet that have declarations, one by one, those of nested rules with what they are in."""
    plain = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    found, around = {}, [[""]]
    for head, sign in re.findall(r"([^{};]*)([{};])", plain):
        if sign != "{" and head.strip() and not head.strip().startswith("@"):
            found |= dict.fromkeys(around[-1])
        if sign == "}":
            around.pop()
        elif sign == "{" and head.strip().startswith("@"):
            around.append(around[-1])
        elif sign == "{":
            own = [" ".join(one.split()) for one in re.split(r",(?![^(]*\))", head)]
            own = [one if "&" in one else f"& {one}" for one in own]
            around.append([one.replace("&", parent).strip() for parent in around[-1] for one in own])
    return [*found]


def test_the_selectors_of_nested_rules_are_found():
    sheet = ".a { top: 0; &[b] > c, d { left: 0 } @media (width > 1px) { e { :is(f, g) { right: 0 } } } } h { top: 0 }"
    assert selectors_of(sheet) == [".a", ".a[b] > c", ".a d", ".a e :is(f, g)", "h"]


OF_ONE = [
    "analysis/analysis.css",
    "dock/chances.css",
    "learn/lesson.css",
    "learn/rules.css",
    "lobby/lobby.css",
    "privacy/privacy.css",
    "scene/inspector.css",
    "scene/middle.css",
    "stage/stage.css",
    "styles/opponents.css",
    "styles/popover.css",
    "table/ending.css",
]
"""Stylesheets of one page or one instrument each."""

SHARED = {"bad", "form", "further", "page", "sheet-foot", "wide"}
"""Classes of theirs that several modules give to what is alike."""


def test_no_module_gives_a_class_that_means_something_else_elsewhere():
    """A rule for `.word` alone, written for races, once took the ground from the word that ends an attack."""
    givers = {}
    for module in ours("js"):
        for given in re.findall(r'class="([^"]*)"', module.read_text("utf-8")):
            for name in given.split():
                givers.setdefault(name, set()).add(module.name)
    alone = {
        selector[1:]
        for sheet in OF_ONE
        for selector in selectors_of((WEB / sheet).read_text("utf-8"))
        if re.fullmatch(r"\.[\w-]+", selector)
    }
    assert len(alone & givers.keys()) > 100
    assert {name: givers[name] for name in alone & givers.keys() - SHARED if len(givers[name]) > 1} == {}
    assert {name for name in alone if len(givers.get(name, ())) > 1} >= SHARED


async def test_a_file_is_kept_for_good_under_the_version_of_now_alone(guest):
    now = next(name for name in named((await guest.get("/")).body.decode()) if name.endswith("main.js"))
    assert "immutable" in (await guest.get(now)).headers["cache-control"]
    for name in ("/web/main.js", "/web/v-000000000000/main.js", "/web/v-000000000000/protocol.js", "/"):
        answer = await guest.get(name)
        assert (answer.status, answer.headers["cache-control"]) == (200, "no-cache"), name
    assert (await guest.get("/web/v-000000000000/main.js")).body == (WEB / "main.js").read_bytes()


async def test_a_file_of_now_says_what_it_says_on_the_disk_but_for_comments_and_is_read_once(guest, monkeypatch):
    types = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "woff2": "font/woff2"}
    asked = {
        name: f"/web/{static_files.version()}/{name}"
        for name in static_files.names()
        if name.rpartition(".")[2] in types
    }
    plain = {name: await guest.get(path) for name, path in asked.items()}
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} is read again"))
    packed = {name: await guest.get(path, headers=GZIP) for name, path in asked.items()}
    monkeypatch.undo()
    assert len(asked) > 60
    for name, answer in plain.items():
        assert answer.headers["content-type"].startswith(types[name.rpartition(".")[2]]), name
        written = static_files.source(name)
        served = without_comments(written.decode()).encode() if name.endswith((".js", ".css")) else written
        assert answer.body == served or name == static_files.SHEETS
        is_packed = packed[name].headers.get("content-encoding") == "gzip"
        assert is_packed == (not name.endswith(".woff2")), name
        assert (gzip.decompress(packed[name].body) if is_packed else packed[name].body) == answer.body, name


def version_of(folder, monkeypatch):
    """The version that a room works out for these files when it starts."""
    with monkeypatch.context() as patch:
        patch.setattr(static_files, "WEB", folder)
        patch.setattr(static_files, "names", static_files.names.__wrapped__)
        return static_files.version.__wrapped__()


def test_the_version_changes_with_any_file(tmp_path, monkeypatch):
    shutil.copytree(WEB, tmp_path / "web")
    assert version_of(tmp_path / "web", monkeypatch) == static_files.version()
    with (tmp_path / "web" / "vendor" / "htm-preact.js").open("a") as script:
        script.write("\n")
    assert version_of(tmp_path / "web", monkeypatch) != static_files.version()
    monkeypatch.setattr(pages, "module", lambda: "export const MANY = 5;")
    assert version_of(WEB, monkeypatch) != static_files.version(), "the protocol has changed"


async def test_what_says_the_same_to_everybody_comes_small_and_once_and_what_is_yours_as_it_is(guest):
    for name in ("/", "/web/styles.css", "/api/games", "/api/games/chi/page", "/games/chi/cover.svg"):
        small = await guest.get(name, headers=GZIP)
        assert small.headers["content-encoding"] == "gzip", name
        assert len(small.body) < len((await guest.get(name)).body) * 0.6
    for name in ("/api/games", "/api/games/chi/page", "/games/chi/cover.svg"):
        known = (await guest.get(name)).headers["etag"]
        again = await guest.get(name, headers=[HOST, ("if-none-match", known)])
        assert (again.status, again.body) == (304, b""), name
    for name in (
        "/api/me",
        "/api/lobby",
        f"/api/tables/{(await guest.post('/api/tables', game='chi')).json()['id']}",
    ):
        assert "content-encoding" not in (await guest.get(name, headers=GZIP)).headers, name


SAME = """
const { readFileSync } = require('node:fs');
const { parse } = require('internal/deps/acorn/acorn/dist/acorn');
const wrong = [];
const program = (text) => {
    const comments = [], tree = parse(text, { ecmaVersion: 'latest', sourceType: 'module', onComment: comments });
    const inside = (name, value) =>
        ['start', 'end'].includes(name) ? undefined : typeof value === 'bigint' ? String(value) : value;
    return [JSON.stringify(tree, inside), comments.length, text.split('\\n').length];
};
const pairs = JSON.parse(readFileSync('pairs.json', 'utf8'));
let fewer = 0;
for (const [name, written, served] of pairs) {
    const [before, after] = [program(written), program(served)];
    if (before[0] !== after[0] || before[2] !== after[2]) wrong.push(name);
    fewer += before[1] - after[1];
}
console.log(JSON.stringify({ fewer, wrong }));
"""
"""Compares programs with what is served, by the parser that Node.js brings with it."""


@needs_node
def test_modules_are_served_without_comments_and_do_the_same(tmp_path):
    modules = [name for name in names() if name.endswith(".js")]
    pairs = [(name, static_files.source(name).decode(), kept(name).plain.decode()) for name in modules]
    (tmp_path / "pairs.json").write_text(json.dumps(pairs), "utf-8")
    (tmp_path / "same.cjs").write_text(SAME, "utf-8")
    found = answer_of(tmp_path, "--expose-internals", "same.cjs")
    assert found["wrong"] == []
    assert found["fewer"] > 1000
    licences = [text for _, written, _ in pairs for text in re.findall(r"/\*![^*]+", written)]
    assert licences
    served = "".join(text for _, _, text in pairs)
    assert [text for text in licences if text not in served] == []
