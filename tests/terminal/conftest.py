"""Terminals that nobody looks at, and that save games in a folder of the test."""

import pytest
from textual import _wait
from textual._compositor import Compositor
from textual.geometry import Region
from textual.widget import Widget

from fairdeal.terminal.screens import new_table

_wait.SLEEP_GRANULARITY, _wait.SLEEP_IDLE = 1 / 200, 1 / 4000
"""Seconds between two looks at a program that has received a key, and the processor seconds in which it counts as idle;
Textual's own are four times as long."""

COMPOSE = Compositor.render_update


def draw_what_changed(compositor, full=False, screen_stack=None, simplify=False):
    """Let every part of the screen that has changed draw itself, without composing lines for a terminal: that is half
    of the work, and a program that is run by a test throws the lines away."""
    if full or simplify:  # a picture is made
        return COMPOSE(compositor, full, screen_stack, simplify)
    compositor._dirty_regions.clear()
    for widget in compositor.visible_widgets:
        if widget._dirty_regions:
            if type(widget).render_line is Widget.render_line:
                widget._render_content()
            else:
                widget.render_lines(Region(0, 0, *widget.size))
            widget._dirty_regions.clear()
    return None


@pytest.fixture(autouse=True)
def unpainted(request, monkeypatch):
    """Lay out and draw screens without composing them, unless a test has the mark `painted` with its game."""
    mark = request.node.get_closest_marker("painted")
    if not (mark and request.getfixturevalue("name") in mark.args):
        monkeypatch.setattr(Compositor, "render_update", draw_what_changed)


@pytest.fixture(autouse=True)
def logs(tmp_path, monkeypatch):
    """The folder in which the logs of a test are saved."""
    monkeypatch.setattr(new_table, "logs_folder", lambda: tmp_path / "logs")
    return tmp_path / "logs"
