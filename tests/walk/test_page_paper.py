"""The page on paper: printed to PDF by the command, with telling instants, origin and page numbers."""

import re

import pytest
from conftest import EXAMPLES
from test_page_instrument import opened  # noqa: F401
from test_report_browser import browser, launch  # noqa: F401

import mubo
from mubo.errors import ResultError
from mubo.view.report import paper


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("paper")
    runs = {"engine": mubo.load(EXAMPLES / "engine.toml").inverse()}
    runs["stewart"] = mubo.load(EXAMPLES / "stewart_platform.toml").kinematics()
    runs["strong"] = mubo.load(EXAMPLES / "strong_four_bar.toml").strength().run
    for name, run in runs.items():
        run.report(place / f"{name}.html")
    return place, runs


def test_the_command_prints_a_pdf(command):
    answer = command("report", EXAMPLES / "four_bar.toml", "-o", "four_bar.pdf")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.strip() == "four_bar.pdf"


def test_a_pdf_has_pages(folder, tmp_path):
    folder[1]["engine"].report(tmp_path / "engine.pdf")
    data = (tmp_path / "engine.pdf").read_bytes()
    assert data[:5] == b"%PDF-"
    assert len(re.findall(rb"/Type\s*/Page[^s]", data)) > 3


def test_paper_shows_the_instants_of_the_headline(opened, folder):  # noqa: F811
    page, run = opened("engine"), folder[1]["engine"]
    page.emulate_media(media="print")
    page.wait_for_selector("#stills figcaption")  # the page hears of it a moment later
    words = page.locator("#stills figcaption").all_inner_texts()
    assert len(words) == 4
    assert "at the start" in words[0]
    t = run.extremes["C.on_piston.f"]["max"][1]
    assert any(f"t = {t:.4g} s" in text and "largest joint force" in text for text in words)
    assert page.locator("#stills svg").count() == 4
    style = page.locator("style").inner_text()
    assert re.search(r'@bottom-left \{ content: "mubo [\d.]+ on \d{4}-\d\d-\d\d, model [0-9a-f]{12}"', style)
    assert "counter(page)" in style
    page.emulate_media(media="screen")
    page.wait_for_function("document.querySelectorAll('#stills svg').length === 0")


def test_paper_shows_space_at_its_instants(opened):  # noqa: F811
    """Every figure is drawn at its own instant, with its names, and not stretched."""
    page = opened("stewart", color_scheme="dark")
    page.emulate_media(media="print")
    page.wait_for_selector("#stills img")
    pictures = page.locator("#stills img").evaluate_all("all => all.map((one) => one.src)")
    assert len(pictures) == len(set(pictures)) > 1
    assert page.locator("#stills img + svg .label").count() > len(pictures)
    assert page.locator("#stills img").first.evaluate("e => getComputedStyle(e).objectFit") == "contain"


LAID_OUT = """() => {
  const widths = () => [...document.querySelectorAll("#study-pane .plot > svg")].map((e) => e.viewBox.baseVal.width);
  dispatchEvent(new Event("beforeprint"));
  const printed = widths();
  dispatchEvent(new Event("afterprint"));
  const seen = [...document.querySelectorAll("#study-pane .plot > svg")].map((e) => e.clientWidth);
  return [printed, widths(), seen];
}"""


@pytest.mark.parametrize("wide", [400, 900, 1440])
def test_figures_are_laid_out_for_paper_from_windows_of_any_width(opened, wide):  # noqa: F811
    """Three beside each other with gaps of 3 mm on sheets of 210 mm with margins of 15 mm: letters are not scaled."""
    page = opened("strong", size=(wide, 800))
    printed, after, seen = page.evaluate(LAID_OUT)
    assert len(printed) == 12
    assert printed == pytest.approx([(210 - 2 * 15 - 2 * 3) / 3 / 25.4 * 96] * 12, abs=1)
    assert after == pytest.approx(seen, abs=1)


def test_numbers_stand_in_one_line_on_paper(opened):  # noqa: F811
    """Residuals such as 1.8 × 10⁻¹⁵ have the height of the word beside them."""
    page = opened("strong", size=(680, 900))
    page.emulate_media(media="print")
    page.wait_for_selector("#stills figcaption")
    heights = (
        page.locator("#proof table")
        .first.locator("td.number")
        .evaluate_all(
            "all => all.map((e) => { const r = document.createRange(); r.selectNodeContents(e);"
            " return r.getBoundingClientRect().height / parseFloat(getComputedStyle(e).fontSize) })"
        )
    )
    assert len(heights) > 6
    assert max(heights) < 1.6
    beyond = page.locator("#sections .wide").evaluate_all("all => all.map((e) => e.scrollWidth - e.clientWidth)")
    assert max(beyond) <= 1


def test_without_a_browser_the_cure_is_stated(monkeypatch, tmp_path):
    monkeypatch.setattr(paper.shutil, "which", lambda name: None)
    with pytest.raises(ResultError, match=r'cannot write "x.pdf".*chromium') as found:
        paper.find_browser(tmp_path / "x.pdf")
    assert "print it with any browser" in str(found.value)
