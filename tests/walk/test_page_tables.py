"""Tables of the page in a real browser: extremes that are grouped, sorted, searched and copied with every digit."""

import pytest
from conftest import EXAMPLES
from test_page_instrument import opened  # noqa: F401
from test_report_browser import browser, launch  # noqa: F401

import mubo


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("tables")
    runs = {"four_bar": mubo.load(EXAMPLES / "four_bar.toml").kinematics()}
    runs["four_bar"].report(place / "four_bar.html")
    return place, runs


def names(page):
    return page.locator("[data-extremes] tbody tr:not(.group) > th").all_inner_texts()


def test_extremes_are_grouped_sorted_and_searched(opened, folder):  # noqa: F811
    page, found = opened("four_bar"), folder[1]["four_bar"].extremes
    groups = page.locator("#extremes .group").all_inner_texts()
    assert "P" in groups
    assert len(groups) == len(set(groups))
    assert page.locator("[data-extremes] tbody svg path").count() == len(names(page)) == len(found)
    greatest = page.locator("#extremes thead button", has_text="greatest")
    greatest.click()
    assert names(page) == sorted(found, key=lambda name: -found[name]["max"][0])
    greatest.click()
    assert names(page) == sorted(found, key=lambda name: found[name]["max"][0])
    greatest.click()
    assert page.locator("#extremes .group").count() == len(groups)
    page.fill("#extremes input", "d v")
    assert names(page) == ["D.v"]


def test_numbers_have_four_digits_and_are_copied_with_all(opened, folder):  # noqa: F811
    page, found = opened("four_bar"), folder[1]["four_bar"].extremes
    row = page.locator("#extremes tr", has=page.locator('th:text-is("P.x")'))
    least = row.locator("[data-value]").first
    assert float(least.inner_text().replace("−", "-")) == pytest.approx(found["P.x"]["min"][0], rel=5e-4)
    assert len(least.inner_text().strip("−").replace(".", "")) <= 4
    copied = row.evaluate(
        """row => {
          const range = document.createRange();
          range.selectNodeContents(row.closest("tbody"));
          getSelection().removeAllRanges();
          getSelection().addRange(range);
          const data = new DataTransfer();
          document.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, cancelable: true }));
          return data.getData("text/plain");
        }"""
    )
    line = next(line for line in copied.split("\n") if line.startswith("P.x\t"))
    assert repr(found["P.x"]["min"][0]) in line.split("\t")
