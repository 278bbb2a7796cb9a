"""The studies of the page in a real browser: free body, its polygon and diagrams; instant centres and velocities."""

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
    for name in ("four_bar", "whitworth"):
        runs[name] = mubo.load(EXAMPLES / f"{name}.toml").kinematics()
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


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def centres(page):
    found = page.locator("#drawing .centre").evaluate_all(
        "all => all.map(e => [e.dataset.centre, e.dataset.x, e.dataset.y])"
    )
    return {name: np.array([float(x), float(y)]) for name, x, y in found}


def test_instant_centres_of_a_four_bar(opened, folder):  # noqa: F811
    """The coupler's centre is where the lines of crank and rocker meet; that of crank and rocker lies on the frame and
    divides it as the angular velocities: I A · ω2 = I D · ω4 (Kennedy; Norton, Design of Machinery, chapter 6)."""
    run = folder[1]["four_bar"]
    k = 12
    page = opened("four_bar", f"#t={float(run['t'][k])!r}&study=velocities")
    page.keyboard.press("c")
    found = centres(page)
    assert len(found) == 6  # n (n − 1)/2 of four bodies
    a, d = np.array([0.0, 0.0]), np.array([2.5, 0.0])
    b = a + 2 * np.array([np.cos(run["crank.phi"][k]), np.sin(run["crank.phi"][k])])
    c = found["coupler rocker"]
    assert found["ground crank"] == pytest.approx(a, abs=1e-9)
    assert found["crank coupler"] == pytest.approx(b, abs=1e-9)
    assert np.hypot(*(c - d)) == pytest.approx(4.0, rel=1e-9)  # the rocker's length
    s = cross(d - a, c - d) / cross(b - a, c - d)
    assert found["ground coupler"] == pytest.approx(a + s * (b - a), rel=1e-8)
    other = found["crank rocker"]
    assert other[1] == pytest.approx(0.0, abs=1e-9)
    assert (other[0] - a[0]) * run["crank.omega"][k] == pytest.approx(
        (other[0] - d[0]) * run["rocker.omega"][k], rel=1e-8
    )
    assert page.locator("#drawing .centre.absolute").count() == 3
    assert values(page, "#velocity-study", "ground – coupler") == pytest.approx(list(found["ground coupler"]), rel=1e-9)


def test_the_moving_centrode_rolls_on_the_fixed_one(opened, folder):  # noqa: F811
    """At any time both pass through the instant centre, with one tangent: rolling without slip (Reuleaux 1875)."""
    run = folder[1]["four_bar"]
    page = opened("four_bar", f"#t={float(run['t'][12])!r}")
    page.keyboard.press("c")
    at = centres(page)["ground coupler"]
    gaps = page.locator("#drawing .centrode").evaluate_all(
        """(all, [x, y]) => all.map((path) => {
          const own = path.transform.baseVal.consolidate()?.matrix;
          let [best, angle] = [Infinity, 0];
          const points = path.getAttribute("d").split(/(?=[ML])/).map((w) => w.slice(1).split(" ").map(Number));
          const moved = points.map(([a, b]) => own ? [own.a*a + own.c*b + own.e, own.b*a + own.d*b + own.f] : [a, b]);
          moved.forEach((p, k) => {
            const far = Math.hypot(p[0] - x, p[1] - y);
            if (far < best && k + 1 < moved.length && k) {
              best = far;
              angle = Math.atan2(moved[k + 1][1] - moved[k - 1][1], moved[k + 1][0] - moved[k - 1][0]);
            }
          });
          return [best, angle];
        })""",
        at.tolist(),
    )
    (near, fixed), (close, moving) = gaps
    assert max(near, close) < 1e-4  # rows are among the samples
    assert abs(np.sin(fixed - moving)) < 1e-2  # chords of neighbouring samples


def test_the_polygons_close_with_coriolis(opened, folder):  # noqa: F811
    """Whitworth's slotted arm about Q, its crank of radius r = 60 about O, 30 above Q, at ω:
    R² = r² + d² + 2 r d sin φ, Ṙ = r d ω cos φ / R, ω₄ = ω (r² + r d sin φ)/R²; Coriolis 2 ω₄ Ṙ."""
    run = folder[1]["whitworth"]
    k = 20
    page = opened("whitworth", f"#t={float(run['t'][k])!r}&study=velocities")
    phi, omega = np.radians(run["crank.phi"][k]), np.radians(run["crank.omega"][k])
    r, d = 60.0, 30.0
    long = np.sqrt(r**2 + d**2 + 2 * r * d * np.sin(phi))
    slide = r * d * omega * np.cos(phi) / long
    turn = omega * (r**2 + r * d * np.sin(phi)) / long**2
    legs = page.locator("#velocity-study tbody tr").evaluate_all(
        "all => all.map(row => [row.cells[0].innerText, row.cells[1].innerText, row.cells[2]?.dataset.value])"
    )
    sizes = [(name, kind, float(value)) for name, kind, value in legs if name.startswith("slot: block on arm")]
    velocity, coriolis, along = sizes
    assert velocity[1:] == ("sliding", pytest.approx(abs(slide), rel=1e-8))
    assert coriolis[1:] == ("Coriolis", pytest.approx(abs(2 * turn * slide), rel=1e-8))
    assert along[1] == "sliding"
    steps = 1e-5
    ahead, behind = (np.sqrt(r**2 + d**2 + 2 * r * d * np.sin(phi + e * omega)) for e in (steps, -steps))
    rise = (ahead - 2 * long + behind) / steps**2
    # a_rel along the slot is R̈: the centripetal part R ω₄² belongs to the arm's own point
    assert along[2] == pytest.approx(abs(rise), rel=1e-4)
    assert values(page, "#velocity-study", "arm")[0] == pytest.approx(np.degrees(turn), rel=1e-9)
    assert page.locator('#velocity-study [data-kind="Coriolis"]').count() == 1


def test_another_run_moves_behind_with_differences(opened, folder, command, tmp_path):  # noqa: F811
    """Before and after: a crank of 2.1 instead of 2 that turns alike. B lies on its end: B.x differs by 0.1 cos φ."""
    text = (EXAMPLES / "four_bar.toml").read_text() + '\n[point.B]\nbody = "crank"\nat = [1.0, 0]\n'
    (tmp_path / "after.toml").write_text(text)
    (tmp_path / "before.toml").write_text(
        text.replace("B = [1, 0]", "B = [1.1, 0]").replace("at = [1.0, 0]", "at = [1.1, 0]")
    )
    answer = command("report", "after.toml", "--reference", "before.toml", "-o", folder[0] / "pair.html")
    assert answer.returncode == 0, answer.stderr
    page = opened("pair", "#t=0.25&charts=B.x,B.x.difference")
    phi = 1.0472 + 2 * np.pi * 0.25
    shown = page.locator('.value[data-column="B.x.difference"]').inner_text().replace("−", "-")
    assert float(shown) == pytest.approx(-100 * np.cos(phi), rel=1e-3)  # mm
    assert page.locator('.chart[data-columns="B.x"] .reference').count() == 1
    turned = page.locator('#drawing .other [data-frame="crank"]').first
    assert float(turned.get_attribute("transform").split("rotate(")[1][:-1]) == pytest.approx(np.degrees(phi), abs=1e-3)
    page.keyboard.press("o")
    assert not page.locator("#drawing .other").is_visible()
    page.locator('.chart[data-columns="B.x"] .menu summary').click()
    page.get_by_role("button", name="show the difference").first.click()
    assert page.locator('.chart[data-columns="B.x.difference"]').count() == 2
