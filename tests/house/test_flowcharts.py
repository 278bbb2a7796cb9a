"""The flowcharts of the pages are those that tools/draw_flowcharts.py draws."""

import runpy

from conftest import ROOT


def test_the_flowcharts_are_up_to_date():
    script = runpy.run_path(str(ROOT / "tools" / "draw_flowcharts.py"))
    for page, drawings in script["PAGES"].items():
        text = (ROOT / "docs" / page).read_text()
        for name, steps in drawings.items():
            assert (ROOT / "docs" / "pictures" / name).read_text() == script["flowchart"](steps)
            assert f"(pictures/{name})" in text
