"""The studio in a notebook's cell, in a real browser: the widget's own script and frame, its messages, the object."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from conftest import EXAMPLES
from playwright.async_api import async_playwright
from studio_page import ARGUMENTS, CHROMIUM, WHOLE

import mubo
from mubo.studio.notebook import SCRIPT, Cell, page_in_cell

# What anywidget gives to `render`: the widget's state, and a channel of messages in both directions.
HOST = """
async ([script, page]) => {
  const listeners = [];
  window.hear = (text) => listeners.forEach((one) => one({ mubo: text }));
  const model = {
    get: (name) => ({ page, height: 700 })[name],
    send: (content) => window.toPython(content),
    on: (name, act) => name === "msg:custom" && listeners.push(act),
    off: () => listeners.splice(0),
  };
  const code = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  window.leave = (await import(code)).default.render({ model, el: document.body });
}
"""


async def drag_in_cell(model):
    """Shows a model in a cell, drags the pin B of its crank and takes the drag back; the x of B after each."""
    found = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = await browser.new_page(viewport={"width": 1300, "height": 760})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        running = set()

        def tell(text):
            task = asyncio.ensure_future(page.evaluate("text => window.hear(text)", text))
            running.add(task)
            task.add_done_callback(running.discard)

        cell = Cell(model, tell)
        await page.expose_function("toPython", cell.hear)
        await page.set_content("<!doctype html><title>notebook</title><body></body>")
        await page.evaluate(HOST, [SCRIPT, page_in_cell()])
        frame = page.frame_locator("iframe")
        await frame.locator(WHOLE).wait_for(timeout=60_000)
        circle, overlay = frame.locator('#overlay [data-pin~="crank.B"]'), frame.locator("#overlay")
        box = await overlay.bounding_box()
        x, y = [float(await circle.get_attribute(key)) for key in ("cx", "cy")]
        await page.mouse.move(box["x"] + x, box["y"] + y)
        await page.mouse.down()
        await page.mouse.move(box["x"] + x + 30, box["y"] + y - 20, steps=4)
        await page.mouse.up()
        await frame.locator("#undo:not([disabled])").wait_for(timeout=60_000)
        found.append(model.bodies["crank"].points["B"][0])
        await frame.locator("#undo").click()
        await frame.locator('body[data-answered="2"]').wait_for(timeout=60_000)  # the whole answer to the second change
        found.append(model.bodies["crank"].points["B"][0])
        await page.evaluate("window.leave()")
        await asyncio.gather(*running)
        cell.close()
        await browser.close()
    assert errors == []
    return found


def test_a_drag_in_the_cell_reaches_the_python_object():
    model = mubo.load(EXAMPLES / "four_bar.toml")
    with ThreadPoolExecutor(1) as aside:  # this thread's event loop is that of the Chromium of other tests
        moved, back = aside.submit(asyncio.run, drag_in_cell(model)).result()
    assert moved > 1.05  # B was at 1 m, and thirty pixels are more than a tenth of a metre
    assert back == 1.0
