"""Terminals that nobody looks at."""

import pytest
from textual import _wait
from textual._compositor import Compositor
from textual.geometry import Region
from textual.widget import Widget

_wait.SLEEP_GRANULARITY, _wait.SLEEP_IDLE = 1 / 200, 1 / 4000
"""Seconds in which a program that has heard a key is looked at twice, and what it may work meanwhile when it is done
with it; Textual's own are four times as long."""

COMPOSE = Compositor.render_update


def draw_what_changed(compositor, full=False, screen_stack=None, simplify=False):
    """Every part of the screen that has changed draws itself, and what it draws is not put together to lines of a
    terminal: that would be half of the work, and a program that is run by a test throws them away."""
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
    """Screens are laid out and drawn but not composed, unless a test has the mark `painted` with its game."""
    mark = request.node.get_closest_marker("painted")
    if not (mark and request.getfixturevalue("name") in mark.args):
        monkeypatch.setattr(Compositor, "render_update", draw_what_changed)
