"""What the repository holds of other projects is listed in one place, and is as their packages have it."""

import hashlib
import re
from pathlib import Path

import pytest

from fairdeal.server.static_files import WEB
from tests.conftest import ROOT

LIST = WEB / "vendor" / "README.md"
OURS = {"src/fairdeal/server/web/vendor/htm-preact.d.ts", "src/fairdeal/server/web/vendor/README.md"}
JOINED = "src/fairdeal/server/web/vendor/htm-preact.js"
LICENSES = ("LICENSE", "LICENSE.preact", "LICENSE.htm", "LICENSE.axe-core")


def rows():
    """Files, package, version, licence and digest of each line of the table."""
    lines = [line for line in LIST.read_text("utf-8").splitlines() if line.startswith("| ")]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[1:]]


def digest(text):
    return hashlib.sha256(text).hexdigest()[:16]


def as_packaged(package):
    """A file of htm-preact.js as its package has it."""
    text = (ROOT / JOINED).read_text("utf-8")
    name = package.rpartition("/")[2].partition(".")[0]
    (body,) = re.findall(rf"^const {name} = \([^\n]*=> \{{\n(.*?)\n\}}\)", text, re.MULTILINE | re.DOTALL)
    if name == "htm":
        start, _, end = body.rpartition("return function")
        return f"{start}export default function{end}\n".encode()
    start, _, end = body.rpartition("return{")
    pairs = [pair.split(":") for pair in end.removesuffix("};").split(",")]
    exports = ",".join(f"{inside} as {outside}" for outside, inside in pairs)
    head = 'import{options as n}from"preact";' if name == "hooks" else ""
    return f"{head}{start}export{{{exports}}};\n//# sourceMappingURL={name}.module.js.map\n".encode()


def test_every_vendored_file_is_listed_with_a_version_and_a_licence():
    folders = [WEB / "vendor", ROOT / "tests" / "server" / "vendor"]
    held = {path.relative_to(ROOT).as_posix() for folder in folders for path in folder.rglob("*") if path.is_file()}
    listed = {path.relative_to(ROOT).as_posix() for files, *_ in rows() for path in ROOT.glob(files)}
    licences = {name for name in held if Path(name).name in LICENSES}
    assert len(held) > 15
    assert held - listed - licences - OURS == set()
    for files, package, version, licence, _ in rows():
        assert package
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
        name = re.fullmatch(r"[A-Za-z0-9.-]+ \((.+)\)", licence)[1]
        assert any((folder / name).is_file() for folder in [*folders, (ROOT / files).parent])


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[1])
def test_a_vendored_file_is_as_its_package_has_it(row):
    files, package, *_, found = row
    if files == JOINED:
        assert digest(as_packaged(package)) == found
    else:
        held = sorted(path for path in ROOT.glob(files) if path.is_file())
        assert len(held) > 1
        assert digest(b"".join(path.read_bytes() for path in held)) == found
