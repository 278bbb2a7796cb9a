"""A studio with its browser, for tests of what hands can do: one server and one Chromium for each worker."""

import sys
from pathlib import Path

import pytest
from conftest import CHROMIUM, EXAMPLES
from conftest import CHROMIUM_ARGUMENTS as ARGUMENTS

__all__ = ["ARGUMENTS", "CHROMIUM"]
PROGRAM = Path(sys.executable).parent / "mubo"
WHOLE = "body[data-answered]:not([data-answered*=brief])"


@pytest.fixture(scope="session")
def browser(chromium):
    return chromium


@pytest.fixture(scope="session")
def server(studio_server):
    return studio_server


@pytest.fixture
def opened(browser, server):
    """Opens an example under a name of its own; errors of the page fail the test."""
    folder, address = server
    contexts, errors = [], []

    def open_page(example, **options):
        target = folder / f"{example}_{len(list(folder.iterdir()))}.toml"
        target.write_bytes((EXAMPLES / f"{example}.toml").read_bytes())
        return visit(f"{address}?file={target.name}", **options), target

    def visit(where, **options):
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 850}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(where)
        if "?file=" in where:
            page.wait_for_selector(WHOLE)
        return page

    open_page.visit = visit
    open_page.address = address
    open_page.folder = folder
    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def version(page):
    return int(page.get_attribute("body", "data-version"))


def settle(page, before):
    """Waits for the whole answer to a text after the one of a version."""
    page.wait_for_function("v => Number(document.body.dataset.answered) > v", arg=before)  # a brief answer is no number


def pin(page, reference):
    """The middle of a pin in pixels of the window."""
    circle = page.locator(f'#overlay [data-pin~="{reference}"]')
    box = page.locator("#overlay").bounding_box()
    return box["x"] + float(circle.get_attribute("cx")), box["y"] + float(circle.get_attribute("cy"))


def drag(page, start, shift, steps=8):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + shift[0], start[1] + shift[1], steps=steps)
    page.mouse.up()


def touch_drag(page, start, shift, steps=5):
    """Drags with one finger."""
    touch_along(page, [[start[axis] + shift[axis] * k / steps for axis in (0, 1)] for k in range(steps + 1)])


def touch_along(page, places):
    """Moves one finger through places; it rests before it is lifted: a browser takes a tap after a fling as its end."""
    client = page.context.new_cdp_session(page)
    for k, (x, y) in enumerate(places):
        kind = "touchMove" if k else "touchStart"
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    page.wait_for_timeout(80)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    client.detach()


def choose_tab(page, tab):
    """Opens a tab and waits for its whole answer."""
    page.evaluate("delete document.body.dataset.answered")
    page.click(f"[data-tab={tab}]")
    page.wait_for_selector(WHOLE)
