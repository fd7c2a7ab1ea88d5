"""Print the size of the project in tokens, beside that of the last release. There is no limit: it is a mirror.

    uv run python -m tools.tokens [--write RELEASE]

Comments, docstrings and layout are not counted, nor are vendored files. A string is one token, but of a string
with tags, each word is one, because it is part of a page. `--write` keeps the sizes of today in tokens.toml, as those
of a release.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import tokenize
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = Path(__file__).with_name("tokens.toml")

LAYOUT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}

COMMENT = re.compile(r"/\*.*?\*/|(?:^|(?<=\s))//[^\n]*", re.DOTALL)
OF_SCRIPT = re.compile(r"'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|[\w$#-]+|=>|[=!]==?|&&|\|\||\?[?.]|\.\.\.|[^\w\s]")
"""A token of JavaScript or CSS. The text of a template is read as code, word by word."""

TAG = re.compile(r"</?[a-z]")
TEXTS = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}

PARTS = {
    "src, Python": ("src/", (".py",)),
    "of which games": ("src/fairdeal/games/", (".py",)),
    "src, JavaScript": ("src/", (".js",)),
    "src, CSS": ("src/", (".css",)),
    "tests": ("tests/", (".py", ".mjs")),
}


def of_python(source: str) -> int:
    """Return the number of tokens of a Python source."""
    count, begins = 0, True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in LAYOUT:
            begins |= token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
            continue
        if not (begins and token.type == tokenize.STRING):  # a docstring
            has_tags = token.type in TEXTS and TAG.search(token.string)
            count += len(token.string.split()) if has_tags else 1
        begins = False
    return count


def of_script(source: str) -> int:
    """Return the number of tokens of a source in JavaScript or CSS."""
    return len(OF_SCRIPT.findall(COMMENT.sub("", source)))


def sizes() -> dict[str, int]:
    """Return the number of tokens of each part."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found: Counter[str] = Counter(dict.fromkeys(PARTS, 0))
    for name in listed.splitlines():
        of = [part for part, (folder, ends) in PARTS.items() if name.startswith(folder) and name.endswith(ends)]
        if of and "/vendor/" not in name and (ROOT / name).is_file():
            source = (ROOT / name).read_text("utf-8")
            count = of_python(source) if name.endswith(".py") else of_script(source)
            found.update(dict.fromkeys(of, count))
    return dict(found)


def write(release: str) -> None:
    """Keep the sizes of today as those of a release."""
    lines = [f'release = "{release}"', "", "[tokens]", *(f'"{part}" = {count}' for part, count in sizes().items())]
    FILE.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.tokens", description="Print the size of the project.")
    parser.add_argument("--write", metavar="RELEASE", help="keep the sizes of today as those of a release")
    given = parser.parse_args()
    if given.write:
        write(given.write)
    kept = tomllib.loads(FILE.read_text("utf-8"))
    print(f"Tokens, beside those of {kept['release']}:")
    for part, count in sizes().items():
        was = kept["tokens"][part]
        print(f"  {part:16} {count:9,} {count - was:+9,} {100 * (count - was) / was:+6.1f} %")


if __name__ == "__main__":
    main()
