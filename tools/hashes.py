"""Write docs/hosting/requirements.txt: exact versions, with the hashes of wheels for Debian 12 and 13.

    uv run python -m tools.hashes

It takes the versions of the work tree's lock file; `uv lock --upgrade` upgrades them.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs/hosting/requirements.txt"
EXTRAS = ("metrics", "postgres")

ON_DEBIAN = re.compile(r"-(?:py2\.py3|py3|cp311|cp313|cp3\d+-abi3)-(?:.*manylinux.*(?:x86_64|aarch64)|none-any)\.whl$")
"""The wheels for Python 3.11 and 3.13, with the processors for which the dependencies have wheels."""


def exported() -> list[str]:
    """Return the requirements of a room, each with its marker."""
    command = ["uv", "export", "--quiet", "--no-emit-project", "--no-hashes", "--no-header", "--no-annotate"]
    command += [part for extra in EXTRAS for part in ("--extra", extra)]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def main() -> None:
    locked = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    wheels = {(one["name"], one["version"]): one.get("wheels", ()) for one in locked if "version" in one}
    written = []
    for line in exported():
        requirement, _, marker = line.partition(" ; ")
        if "== 'win32'" in marker or "== 'emscripten'" in marker:
            continue
        name, _, version = requirement.partition("==")
        hashes = sorted(one["hash"] for one in wheels[name, version] if ON_DEBIAN.search(one["url"]))
        written.append(" \\\n".join([line, *(f"    --hash={hash}" for hash in hashes)]))
    FILE.write_text("\n".join(written) + "\n")


if __name__ == "__main__":
    main()
