"""What Lighthouse says of the pages: `uv run --group bench python -m benchmarks.pages`.

Lighthouse runs with its usual settings for phones: it loads each page with an empty cache and computes how long a slow
phone on a slow line would have taken. The pages are the lobby, a lesson, a table at which it is the guest's turn, and
the replay and the analysis of a finished game, in a room of its own. Medians count, since single runs differ by ten
points. `--against COMMIT` measures the pages of another commit too, in turns. Node and Chromium must be installed;
`npx` fetches Lighthouse.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.browser import FLAGS, chromium
from benchmarks.load import a_room, checked_out

LIGHTHOUSE = "lighthouse@12.2.0"
"""The last version that runs with Node 20."""

MORE_FLAGS = ["--headless", "--disable-quic", "--disable-component-update", "--disable-sync"]

PAGES = {
    "lobby": ("/", ".shelf .box"),
    "lesson": ("/learn/chi/first", ".coach .question"),
    "table": ("/t/{running}", ".prompt[data-yours]"),
    "replay": ("/t/{finished}?move=3", ".scrub"),
    "analysis": ("/g/{finished}/analysis", ".analysis .result"),
}
"""Pages: their address, and what is there when they can be used."""

SCORES = {"performance": "performance", "accessibility": "accessibility"}
TIMES = {
    "FCP, s": ("first-contentful-paint", 1000),
    "LCP, s": ("largest-contentful-paint", 1000),
    "SI, s": ("speed-index", 1000),
    "TBT, ms": ("total-blocking-time", 1),
    "CLS": ("cumulative-layout-shift", 1),
    "kB": ("total-byte-weight", 1000),
}
"""The measures of Lighthouse, and the units of their figures."""


def prepared(browser: Browser, address: str) -> tuple[str, dict[str, str]]:
    """Make the tables of a new guest, and look whether each page shows what it should. Return the guest's cookie and
    the pages' addresses."""
    context = browser.new_context(base_url=address)
    context.request.get("/api/me")

    def opened(*chairs: str) -> str:
        wishes = {"game": "chi", "chairs": chairs, "options": {"first_player": 0}}
        return str(context.request.post("/api/tables", data=wishes).json()["id"])

    tables = {"running": opened("you", "greedy"), "finished": opened("greedy", "greedy")}
    while context.request.get(f"/api/tables/{tables['finished']}").json()["status"] != "over":
        time.sleep(0.1)
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in context.cookies())
    addresses = {name: f"{address}{path.format(**tables)}" for name, (path, _) in PAGES.items()}
    context.close()
    for name, (_, wanted) in PAGES.items():
        guest = browser.new_context(extra_http_headers={"Cookie": cookie})
        page = guest.new_page()
        page.goto(addresses[name])
        page.wait_for_selector(wanted)
        guest.close()
    return cookie, addresses


def lighthouse(address: str, cookie: str) -> dict[str, Any]:
    """Return the report of Lighthouse about a page, seen by the guest with this cookie."""
    options = ["--quiet", "--output=json", "--only-categories=performance,accessibility"]
    options += [f"--extra-headers={json.dumps({'Cookie': cookie})}", f"--chrome-flags={' '.join(FLAGS + MORE_FLAGS)}"]
    environment = os.environ | {"CHROME_PATH": chromium() or ""}
    command = ["npx", "--yes", LIGHTHOUSE, address, *options]
    found = subprocess.run(command, stdout=subprocess.PIPE, env=environment, text=True, check=True)
    report: dict[str, Any] = json.loads(found.stdout)
    assert "runtimeError" not in report, report["runtimeError"]
    return report


def figures(report: Mapping[str, Any]) -> dict[str, float]:
    """Return the scores, of a hundred, and their parts."""
    scores = {name: report["categories"][name]["score"] * 100 for name in SCORES}
    return scores | {name: report["audits"][audit]["numericValue"] / by for name, (audit, by) in TIMES.items()}


def failures(report: Mapping[str, Any]) -> list[str]:
    """Return the findings that lower the score for accessibility."""
    checked = report["categories"]["accessibility"]["auditRefs"]
    return [one["id"] for one in checked if one["weight"] and report["audits"][one["id"]]["score"] == 0]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="times that each page is loaded (default 5)")
    parser.add_argument("--pages", default=",".join(PAGES), help="pages to measure (default all)")
    parser.add_argument("--against", metavar="COMMIT", help="compare with the pages of this commit, in turns")
    parser.add_argument("--reports", metavar="FOLDER", help="keep Lighthouse's reports here")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=chromium(), args=FLAGS)
        pythons = {chosen.against: stack.enter_context(checked_out(chosen.against))} if chosen.against else {}
        rooms = {}
        for name, python in (pythons | {"here": sys.executable}).items():
            _, address, _ = stack.enter_context(a_room(python=python))
            rooms[name] = prepared(browser, address)
        browser.close()
        heads = [*SCORES, *TIMES]
        print(f"| page | room | {' | '.join(heads)} |\n|---|---|{'---|' * len(heads)}")
        for page in chosen.pages.split(","):
            reports: dict[str, list[dict[str, Any]]] = {name: [] for name in rooms}
            for number in range(chosen.rounds):
                for name, (cookie, addresses) in rooms.items():
                    reports[name].append(lighthouse(addresses[page], cookie))
                    if chosen.reports:
                        kept = Path(chosen.reports, f"{page}-{name}-{number}.json")
                        kept.parent.mkdir(parents=True, exist_ok=True)
                        kept.write_text(json.dumps(reports[name][-1]), encoding="utf-8")
            for name, found in reports.items():
                rows = [figures(report) for report in found]
                told = " | ".join(f"{statistics.median(row[head] for row in rows):.3g}" for head in heads)
                print(f"| {page} | {name} | {told} |", flush=True)
                for failed in sorted({one for report in found for one in failures(report)}):
                    print(f"{page}, {name}: {failed}", file=sys.stderr)


if __name__ == "__main__":
    main()
