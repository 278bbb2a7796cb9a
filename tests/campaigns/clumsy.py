"""Clumsy and hostile users of the studio, in a real browser: any keys, drags, taps, edits and reloads, in any order.

`python tests/campaigns/clumsy.py --seconds 60 [--first SEED] [--families clumsy]`. A case is its seed: a model, and
thirty things that a person does without waiting for what comes of it. After each case the page must be at rest, show
the text of the file, have stated no error of its own, follow a hand again, and give the first bytes back by undo.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Error, sync_playwright
from tallied import campaign

sys.path.append(str(Path(__file__).parents[1]))

from conftest import CHROMIUM, CHROMIUM_ARGUMENTS, EXAMPLES

MODELS = ("four_bar", "slider_crank", "parameters", "loaded_four_bar", "tappet_cam", "jansen_leg", "released_four_bar")
ACTS = 30  # of a case
KEYS = (
    "Escape",
    "Delete",
    "e",
    "f",
    "n",
    "p",
    "v",
    "a",
    "c",
    "s",
    "l",
    "i",
    "t",
    " ",
    "ArrowLeft",
    "ArrowRight",
    "Home",
)
KEYS += (
    "End",
    "1",
    "2",
    "3",
    "4",
    "5",
    "?",
    "+",
    "-",
    "Alt+ArrowUp",
    "Alt+ArrowRight",
    "Control+z",
    "Control+y",
    "Tab",
)
SNIPPETS = ("x", "\n", " # a note", '"', "]", "= = 1", "[body.new]\n", "1e999", "'", "\\", "[driver.motor]\n")
# What the page is waiting for; nothing once it is at rest.
WAITS = """() => {
  const { hand, state, connection, editor } = studio;
  const shown = Number.parseInt(document.body.dataset.answered ?? "-1", 10);
  if (!connection.open) return "a connection";
  if (hand.busy || hand.lane.waiting) return "an answer to the hand";
  if (shown !== state?.version || document.body.dataset.answered !== String(shown)) return "the whole answer";
  if (editor.text !== state.text.replaceAll("\\r\\n", "\\n")) return "the text";
  return "";
}"""
PINS = """() => [...document.querySelectorAll("#overlay [data-pin]")].map((one) => {
  const box = document.querySelector("#overlay").getBoundingClientRect();
  return [box.x + Number(one.getAttribute("cx")), box.y + Number(one.getAttribute("cy"))];
})"""


class User:
    """Someone at the page who does not wait."""

    def __init__(self, page, chance, path):
        self.page, self.chance, self.path = page, chance, path

    def place(self):
        """A pin, or any place of the drawing."""
        pins = self.page.evaluate(PINS)
        if pins and self.chance.random() < 0.8:
            return self.chance.choice(pins)
        box = self.page.locator("#figure").bounding_box()
        return [box["x"] + self.chance.random() * box["width"], box["y"] + self.chance.random() * box["height"]]

    def drag(self, end=True):
        x, y = self.place()
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for _ in range(self.chance.randint(1, 4)):
            x, y = x + self.chance.uniform(-80, 80), y + self.chance.uniform(-80, 80)
            self.page.mouse.move(x, y, steps=self.chance.randint(1, 5))
        if end:
            self.page.mouse.up()

    def drag_and_press(self):
        self.drag(end=False)
        self.key()
        self.page.mouse.move(*self.place())
        self.page.mouse.up()

    def click(self):
        button = self.chance.choice(("left", "left", "left", "right", "middle"))
        self.page.mouse.click(*self.place(), button=button, click_count=self.chance.randint(1, 3))

    def fingers(self):
        """Two fingers: the second comes while the first one drags, and either may be lifted first."""
        client = self.page.context.new_cdp_session(self.page)
        (ax, ay), (bx, by) = self.place(), self.place()
        one, other = {"x": ax, "y": ay, "id": 1}, {"x": bx, "y": by, "id": 2}

        def send(kind, *points):
            client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

        send("touchStart", one)
        send("touchMove", {**one, "x": ax + 30})
        send("touchStart", {**one, "x": ax + 30}, other)
        send("touchMove", {**one, "x": ax + 60}, {**other, "x": bx - 30})
        send("touchEnd", self.chance.choice((one, other)))
        send(self.chance.choice(("touchEnd", "touchCancel")))
        client.detach()

    def key(self):
        self.page.keyboard.press(self.chance.choice(KEYS))

    def storm(self):
        for _ in range(self.chance.randint(3, 12)):
            self.page.keyboard.press(self.chance.choice(("Control+z", "Control+z", "Control+y")))

    def tool(self):
        """A button that is seen, whichever it is; those that lead to other pages are left out."""
        shown = (
            "#rail button, #tabs button, #bar-of-selection button, #words button, #panel button, .tools button, #play"
        )
        buttons = [one for one in self.page.locator(shown).all() if one.is_visible()]
        if buttons:
            self.chance.choice(buttons).click(timeout=1000, force=True)

    def write(self):
        """Something typed anywhere in the text."""
        lines = self.page.locator(".cm-line")
        lines.nth(self.chance.randrange(lines.count())).click(timeout=1000)
        self.page.keyboard.press(self.chance.choice(("Home", "End")))
        self.page.keyboard.insert_text(self.chance.choice(SNIPPETS))
        self.page.locator("#figure").focus()

    def field(self):
        """Something typed into a field of a value."""
        fields = self.page.locator("#values input, #lengths input")
        if fields.count():
            one = fields.nth(self.chance.randrange(fields.count()))
            one.fill(self.chance.choice(("0", "-1", "1e9", "", "abc", "2 cm", "1e-12", "'", "nan")), timeout=1000)
            one.press("Enter", timeout=1000)

    def resize(self):
        self.page.set_viewport_size({"width": self.chance.choice((390, 800, 1400)), "height": 850})

    def reload(self):
        self.page.reload()
        self.page.wait_for_selector("body[data-version]")

    def disconnect(self):
        self.page.evaluate("studio.connection.socket.close()")

    def another_editor(self):
        text = self.path.read_text()
        self.path.write_text(text.replace("2", "3", 1) if self.chance.random() < 0.5 else text + "\n# another\n")


FAMILIES = {
    "clumsy": ("drag", "drag", "drag_and_press", "click", "fingers", "key", "storm", "tool", "tool", "field", "resize"),
    "hostile": ("drag", "drag_and_press", "write", "field", "storm", "reload", "disconnect", "another_editor", "tool"),
}


class Studio:
    """A server and a browser, opened at the first case."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp())
        program = Path(sys.executable).parent / "mubo"
        self.server = subprocess.Popen(
            [program, "studio", self.folder, "--no-browser"], stdout=subprocess.PIPE, text=True
        )
        self.address = re.search(r"http://\S+", self.server.stdout.readline())[0]
        self.browser = sync_playwright().start().chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)


def at_rest(page, seconds=60):
    """Waits until nothing is waited for; what is waited for still, or ""."""
    for _ in range(10 * seconds):
        if not (waits := page.evaluate(WAITS)):
            return ""
        page.wait_for_timeout(100)
    return waits


def judged(page, path, first):
    """What is wrong after a case; "" where all is well."""
    page.mouse.up()
    page.wait_for_timeout(1000)  # after which what another editor wrote has been seen, where the machine is free
    for _ in range(300):
        if waits := at_rest(page):
            return f"it waits for {waits}"
        if same := path.read_bytes().decode() == page.evaluate("studio.state.text"):
            break
        page.wait_for_timeout(100)
    if not same:
        return "the file has another text than the page"
    for _ in range(400):
        if page.locator("#undo").is_disabled():
            break
        before = page.get_attribute("body", "data-version")
        page.evaluate("studio.undo()")
        page.wait_for_function("v => document.body.dataset.version !== v", arg=before)
    if path.read_bytes() != first:
        return "undo did not give the first bytes back"
    if waits := at_rest(page):
        return f"after undo it waits for {waits}"
    page.evaluate("studio.hand.locks.all.length = 0; studio.edit(true); studio.rail.choose('select')")
    page.set_viewport_size({"width": 1400, "height": 850})
    page.evaluate(
        "studio.panel.hide(); studio.guide.end(); studio.store.change({ selected: null }); studio.viewer.fit()"
    )
    x, y = page.evaluate(PINS)[-1]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 9, y + 7, steps=3)
    taken = page.evaluate("studio.hand.busy || document.querySelector('#words p')?.textContent")
    page.mouse.up()
    waits = at_rest(page)
    return "" if taken and not waits else f"no part follows a hand any more: {taken}, {waits}"


def case(seed, family):
    global STUDIO
    STUDIO = STUDIO or Studio()
    chance = random.Random(seed)
    model = chance.choice(MODELS)
    first = (EXAMPLES / f"{model}.toml").read_bytes()
    path = STUDIO.folder / f"{model}_{seed}_{family}.toml"
    path.write_bytes(first)
    context = STUDIO.browser.new_context(viewport={"width": 1400, "height": 850}, has_touch=True)
    page, errors, done = context.new_page(), [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{STUDIO.address}?file={path.name}")
    page.wait_for_selector("body[data-answered]")
    user = User(page, chance, path)
    for _ in range(ACTS):
        done.append(chance.choice(FAMILIES[family]))
        try:
            getattr(user, done[-1])()
        except Error as error:  # a button went away before it was pressed
            done[-1] += f" ({str(error).splitlines()[0][:60]})"
    wrong = judged(page, path, first) or (json.dumps(errors) if errors else "")
    with suppress(Error):
        context.close()
    return ("WRONG", f"{model}: {wrong}; {' '.join(done)}") if wrong else ("right", "")


STUDIO = None

if __name__ == "__main__":
    try:
        campaign(__doc__, FAMILIES, case)
    finally:
        if STUDIO is not None:
            STUDIO.server.terminate()
