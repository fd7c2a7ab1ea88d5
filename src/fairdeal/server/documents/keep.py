"""The page on which guests keep their names, as a document. Its forms work without a script."""

from typing import ClassVar, NamedTuple

from markupsafe import Markup

from fairdeal.server.documents import EMPTY, HEADER, PAGE, Writer
from fairdeal.table.names import NAMELESS


class Made(NamedTuple):
    """New words, the link with them, where it works, and its QR code as an address, if others can open it."""

    words: list[str]
    link: str
    works: str
    code: str


class Asked(NamedTuple):
    """The words of a kept name, the name, and whether the guest who entered them has something to bring along."""

    words: str
    name: str
    has: bool


class KeepWriter(Writer):
    """Writes the page of a guest: {0} is their name, {1} what was found, and {2} the words that they typed."""

    forms: ClassVar = {
        "problem": Markup("<p class='note' data-tone='bad' role='alert'>{0}</p>"),
        "nameless": Markup(
            "<section><p>You have no name yet. <a class='link' href='/'>Give yourself one in the lobby</a>, and come "
            "back to keep it.</p></section>"
        ),
        "not kept": Markup(
            "<section><p>The room recognises you, <b>{0}</b>, only by a cookie in your browser. If you keep your name, "
            "you get six words.{0:worth}<form method='post'><button class='btn main' name='act' value='keep'>Keep this "
            "name</button></form></section>"
        ),
        "kept": Markup(
            "<section><p>You keep the name <b>{0}</b>.{0:worth}</section>"
            "<section><h2>If somebody else has a device or the words</h2>"
            "<p>Get new words in place of the old ones. Within two seconds, all other devices are signed out: anyone "
            "who uses them is a new guest.</p><form method='post'><button class='btn' name='act' value='renew'>Sign "
            "out all other devices and make new words</button></form></section>"
            "<section><h2>If you keep it no longer</h2><p>The room forgets your words and reserves no name. You "
            "stay the same guest on the devices that you use now.</p><form method='post'><button class='btn' "
            "name='act' value='stop'>Stop keeping</button></form></section>"
        ),
        "worth": Markup(
            " With the words you are the same guest in every browser, and in a terminal with <code>fairdeal join LINK "
            "--words</code>. No other guest can take the name, or one that looks like it.</p>"
        ),
        "Made": Markup(
            "<section role='status'><h2>Your six words</h2><ol class='stored' translate='no'>{1.words:each}</ol>"
            "<p><b>Write them down: the room cannot show them again</b>, because it stores only a hash of them. "
            "Anyone who knows them is you in this room.</p><p>On your other device, enter them on this page, or open "
            "this link. {1.works}</p><p><a class='link' translate='no' href='{1.link}'>{1.link}</a></p>{1.code:code}"
            "<p><a class='btn main' href='/keep'>I have written them down</a></p></section>"
        ),
        "str": Markup("<li>{}</li>"),
        "code": Markup("<img class='code' alt='The link as a QR code' src='{}'>"),
        "enter": Markup(
            "<section><h2>If you have six words</h2><form method='post'><label><b>The words of your name</b>"
            "<textarea name='words' rows='2' required autocomplete='off' autocapitalize='none' spellcheck='false'>"
            "{2}</textarea></label><button class='btn' name='act' value='read'>Be the same guest here</button></form>"
            "</section>"
        ),
        "Asked": Markup(
            "<section><h2>Be {1.name} on this device?</h2><p>Now this device is {0}.</p>"
            "<form method='post'><input type='hidden' name='words' value='{1.words}'>{1:choices}"
            "<a class='btn' href='/'>Cancel</a></form></section>"
        ),
        "one": Markup("<button class='btn main' name='act' value='bring'>Be {0.name}</button>"),
        "two": Markup(
            "<p><b>Bring it along:</b> everything that this device has in the room is {0.name}’s then. Names in games "
            "and beside lines stay as they are. If that guest had six words, they are forgotten. "
            "This cannot be undone.</p>"
            "<button class='btn main' name='act' value='bring'>Be {0.name}, and bring it along</button>"
            "<p><b>Leave it:</b> it stays as it is, and only the six words of that guest, if it has any, give it "
            "back. At tables with others, they can let a bot play there.</p>"
            "<button class='btn' name='act' value='leave'>Be {0.name}, and leave it</button>"
        ),
    }

    def choices(self, asked: Asked) -> Markup:
        return self.write("two" if asked.has else "one", asked)


def keep_page(
    version: str, name: str, is_kept: bool, found: Made | Asked | None = None, problem: str = "", typed: str = ""
) -> Markup:
    """Return the page of a guest, or only new words, or a question about the words of a name. `problem` is the reason
    why something could not be done with the words that were `typed`."""
    writer = KeepWriter()
    forms = ["nameless" if name == NAMELESS else "kept" if is_kept else "not kept", "enter"]
    if found:
        forms = [type(found).__name__]
    header = HEADER.format("Keep your name", "").replace("#i-", f"/web/{version}/icons.svg#i-")
    script = Markup("<script type='module' src='/web/{}/privacy/keep.js'></script>").format(version)
    told = writer.write("problem", problem) if problem else EMPTY
    body = EMPTY.join([header, told, *(writer.write(form, name, found, typed) for form in forms), script])
    return PAGE.format(version=version, title="Keep your name", kind="rulebook privacy keep", body=body)
