"""The studies of the page in a real browser: the free body of a link, its polygon and diagrams."""

import numpy as np
import pytest
from conftest import EXAMPLES
from test_page_instrument import opened, time_of  # noqa: F401
from test_report_browser import browser, launch  # noqa: F401

import mubo


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Pages of an engine with its forces, of a four-bar with its strength, and of one without forces."""
    place = tmp_path_factory.mktemp("studies")
    runs = {"engine": mubo.load(EXAMPLES / "engine.toml").inverse()}
    runs["strong"] = mubo.load(EXAMPLES / "strong_four_bar.toml").strength().run
    runs["four_bar"] = mubo.load(EXAMPLES / "four_bar.toml").kinematics()
    for name, run in runs.items():
        run.report(place / f"{name}.html")
    return place, runs


def values(page, root, row):
    """Full numbers of the row of a study's table that begins so."""
    found = page.locator(f"{root} tr", has=page.locator(f'th:text-is("{row}")'))
    return [float(cell) for cell in found.locator("[data-value]").evaluate_all("all => all.map(e => e.dataset.value)")]


def test_the_free_body_has_its_forces_and_closes_by_dalembert(opened, folder):  # noqa: F811
    """On the rod act B, the opposite of C, its weight, −m a_G and −J α: m and J of a steel bar with a mass at B."""
    run = folder[1]["engine"]
    t = float(run["t"][20])
    page = opened("engine", f"#t={t!r}&study=body&part=body:rod")
    columns = {name: run[name][20] for name in run.columns}
    assert values(page, "#body-study", "B, by crank")[:2] == pytest.approx(
        [columns["B.on_rod.fx"], columns["B.on_rod.fy"]], rel=1e-9
    )
    assert values(page, "#body-study", "C, by piston")[:2] == pytest.approx(
        [-columns["C.on_piston.fx"], -columns["C.on_piston.fy"]], rel=1e-9
    )
    bar = 7800 * 0.15 * 0.024 * 0.012  # ρ L w t
    mass = bar + 0.12
    arm = 0.075 * bar / mass  # of the centre of mass from B
    phi, omega, alpha = (columns[f"rod.{word}"] for word in ("phi", "omega", "alpha"))
    along = np.array([np.cos(phi), np.sin(phi)])
    across = np.array([-along[1], along[0]])
    a = np.array([columns["rod.ax"], columns["rod.ay"]]) + arm * (alpha * across - omega**2 * along)
    assert values(page, "#body-study", "inertia −m a")[:2] == pytest.approx(list(-mass * a), rel=1e-6)
    assert values(page, "#body-study", "weight")[1] == pytest.approx(-mass * 9.81, rel=1e-6)
    inertia = bar * (0.15**2 + 0.024**2) / 12 + bar * (0.075 - arm) ** 2 + 0.12 * arm**2
    assert values(page, "#body-study", "inertia −J α") == pytest.approx([-inertia * alpha], rel=1e-6)
    assert values(page, "#body-study", "sum") == [0, 0, 0]
    assert float(page.locator("#body-study [data-gap]").get_attribute("data-gap")) < 1e-6
    assert page.locator('#body-study .pair svg >> nth=0 >> [data-acts="B"]').count() == 1


def test_the_free_body_follows_time_and_selection(opened, folder):  # noqa: F811
    run = folder[1]["engine"]
    page = opened("engine", "#t=0&study=body&part=body:rod")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    k = int(np.argmin(np.abs(run["t"] - time_of(page))))
    assert values(page, "#body-study", "B, by crank")[0] == pytest.approx(run["B.on_rod.fx"][k], rel=1e-9)
    page.locator("#body-study select").select_option("crank")
    assert page.locator("#facts h3").inner_text() == "body crank"
    assert values(page, "#body-study", "B, by rod")[0] == pytest.approx(-run["B.on_rod.fx"][k], rel=1e-9)
    assert values(page, "#body-study", "shaft, by ground") == pytest.approx([run["shaft.effort"][k]], rel=1e-6)
    page.locator('[data-study="charts"]').click()
    assert page.locator("#plots .chart").first.is_visible()
    page.locator('[data-study="charts"]').press("ArrowRight")
    assert page.locator("#body-study").is_visible()


@pytest.mark.parametrize("link", ["crank", "rocker"])
def test_moment_diagrams_are_those_of_strength(opened, folder, link):  # noqa: F811
    """N, V, M of the page, from columns, against those of the strength study, from the solver's own wrenches."""
    run = folder[1]["strong"]
    worst = run.record.strength.worst[link]
    page = opened("strong", f"#t={worst.t!r}&study=body&part=body:{link}")
    most = float(np.max(np.abs([worst.n, worst.v])))  # between rows the page has cubics: a part of the largest force
    for letter, largest, of in (("N", worst.n, most), ("V", worst.v, most), ("M", worst.m, most * worst.s[-1])):
        shown = float(page.locator(f'[data-diagram="{letter}"]').get_attribute("data-largest"))
        assert shown == pytest.approx(np.max(np.abs(largest)), abs=1e-3 * of)


def test_what_is_missing_is_stated(opened):  # noqa: F811
    page = opened("four_bar", "#study=body")
    assert "no forces" in page.locator("#body-study").inner_text()
    assert "--forces" in page.locator("#body-study").inner_text()
