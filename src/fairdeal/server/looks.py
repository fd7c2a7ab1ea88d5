"""The drawings of games, from their `look` folders, and default drawings for games without them."""

from importlib.resources import files

from markupsafe import Markup

from fairdeal.engine.files import read_text
from fairdeal.engine.game import Game

SERVED = {
    "cover.svg": "image/svg+xml",
    "box.svg": "image/svg+xml",
    "skin.css": "text/css",
    "emblems.svg": "image/svg+xml",
}
"""The files of a look that browsers may request, with their media types."""

NAMES = {"cover.svg": ("{name}.cover.svg", "cover.svg"), "box.svg": ("cover.svg",)}
"""Alternative names for the files in the folder, in order of preference."""

EMPTY = Markup('<svg xmlns="http://www.w3.org/2000/svg"/>')


def look_of(game: Game, file: str) -> str:
    """Return the text of a file of a game's look: one of SERVED, or `cards.svg`. If the game's package lacks the file,
    it is taken from the parent package, and if that lacks it too, a default is drawn."""
    package = game.look
    folders = [files(where) / "look" for where in (package, package.rpartition(".")[0]) if where]
    paths = [folder / name.format(name=game.name) for folder in folders for name in NAMES.get(file, (file,))]
    return next((read_text(path) for path in paths if path.is_file()), None) or drawn_plainly(game, file)


def drawn_plainly(game: Game, file: str) -> str:
    """Return the default file of a game that has no drawings: a cover with its sign and title, or plain cards in its
    colours."""
    skin = game.skin
    if file in ("emblems.svg", "cards.svg"):
        return EMPTY
    if file == "skin.css":
        inks = {f"[data-back='{skin.name}']": skin.back}
        inks |= {f"[data-skin='{skin.name}'][data-kind='{kind}']": ink for kind, ink in skin.kinds.items()}
        plain = "--fs: 4.6em; --on: {0.ink}; --g: linear-gradient({0.ground}, {0.ground});"
        return "\n".join(f".card{card} {{ {plain.format(ink)} }}" for card, ink in inks.items())
    cover = Markup("""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 320" role="img" aria-label="{title}, box cover">
<rect width="240" height="320" fill="{cloth[0]}"/><circle cx="120" cy="128" r="84" fill="{back.ground}"/>
<text x="120" y="162" font-size="100" fill="{back.ink}" {words}>{sign}</text>
<text x="120" y="284" font-size="40" fill="{cloth[1]}" {words} textLength="180">{title}</text></svg>""")
    return cover.format(
        title=game.title.upper(),
        cloth=skin.cloth,
        back=skin.back,
        sign=skin.back_sign,
        words=Markup("font-family=\"Fairdeal, 'Arial Narrow', sans-serif\" font-weight='800' text-anchor='middle'"),
    )
