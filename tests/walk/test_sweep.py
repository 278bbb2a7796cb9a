"""Sweeps as people use them: closed forms, statuses, files, interruptions, a cluster of two workers."""

import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import EXAMPLES

import mubo
from mubo.cli.main import cli
from mubo.design import variants
from mubo.design.objectives import number_of
from mubo.design.ranges import points_of
from mubo.design.sweep import SweepFolder

EXAMPLE = Path(__file__).parents[2] / "examples" / "parameters.toml"
B, C, D = 3.0, 0.11, 0.12  # coupler over crank; rocker and ground


def swing(a):
    """Of a crank-rocker: the rocker's angles where crank and coupler line up (law of cosines), in degrees."""
    ends = (math.acos((C**2 + D**2 - (B * a + sign * a) ** 2) / (2 * C * D)) for sign in (1, -1))
    first, second = ends
    return math.degrees(first - second)


def time_ratio(a):
    """(180° + θ)/(180° − θ), θ between the crank's directions at the dead positions (law of cosines)."""
    ends = [math.acos((D**2 + (B * a + s * a) ** 2 - C**2) / (2 * D * (B * a + s * a))) for s in (1, -1)]
    theta = abs(math.degrees(ends[0] - ends[1]))
    return (180 + theta) / (180 - theta)


def transmission(a):
    """Least angle between coupler and rocker, where crank and ground line up."""
    angles = [math.degrees(math.acos(((B * a) ** 2 + C**2 - (D + s * a) ** 2) / (2 * B * a * C))) for s in (1, -1)]
    return min(min(angle, 180 - angle) for angle in angles)


@pytest.fixture(scope="module")
def model():
    return mubo.load(EXAMPLE)


def test_measures_are_those_of_closed_forms(model):
    sweep = model.sweep({"a": [0.03, 0.05]}, ["swing", "time ratio", "transmission", "mass"], workers=1)
    assert sweep.status == ["ran", "ran"]
    for k, a in enumerate((0.03, 0.05)):
        assert sweep["swing"][k] == pytest.approx(swing(a), rel=1e-9)
        assert sweep["time ratio"][k] == pytest.approx(time_ratio(a), rel=1e-9)
        assert sweep["transmission"][k] == pytest.approx(transmission(a), rel=1e-9)
        assert sweep["mass"][k] == pytest.approx(2 * (a + B * a + C), rel=1e-14)
    assert sweep.nominal["swing"] == pytest.approx(swing(0.04), rel=1e-9)
    assert sweep.units == {"a": "", "swing": "deg", "time ratio": "", "transmission": "deg", "mass": "kg"}


def test_batches_and_single_runs_agree_and_tell_how_it_went(model):
    """a > 0.0575: the crank (s + l > p + q, Grashof) does not turn round; a > (c + d)/2 never reaches 60°."""
    vary = {"a": [0.035, 0.045, 0.059, 0.2]}
    fast = model.sweep(vary, ["range P.x", "max P.y", "stroke"], workers=1)
    slow = model.sweep(vary, ["range P.x", "max P.y", "stroke", "mass"], workers=1)
    assert fast.work.batched
    assert not slow.work.batched
    for name in ("range P.x", "stroke"):
        assert np.allclose(fast[name][:2], slow[name][:2], rtol=1e-9)
    assert list(fast.ok) == list(slow.ok) == [True, True, False, False]
    for sweep in (fast, slow):
        assert sweep.status[2].startswith("locks at t = 0.")
        assert sweep.status[3].startswith("cannot be assembled beyond a = 0.")
        assert np.all(np.isnan(sweep.values[2:]))
    assert "2 ran, 2 did not" in str(fast)


def test_a_variant_stays_on_the_branch_of_the_nominal_design(model):
    """The estimates of the file would assemble the far variant elsewhere or not at all; led, its rocker stands where
    the nominal one does: on the same side of the line from B to D."""

    def side(run):
        x, y = run["coupler.x"][0], run["coupler.y"][0]
        angle = math.radians(run["coupler.phi"][0])
        return math.copysign(1, (D - x) * math.sin(angle) - (-y) * math.cos(angle))

    sweep = model.sweep({"c": [0.095, 0.15]}, ["stroke"], workers=1)
    assert {side(sweep.run(k)) for k in range(2)} == {side(model.kinematics())}


def test_points(model):
    frozen = model.build()
    grid = points_of(frozen, {"a": "0.03:0.05:3", "beta": ["0.1 rad", 20]})
    assert np.allclose(grid.values[:, 0], [0.03, 0.03, 0.04, 0.04, 0.05, 0.05])
    assert np.allclose(grid.values[:2, 1], [math.degrees(0.1), 20])
    for method in ("latin", "sobol"):
        points = points_of(frozen, {"a": "0.03:0.05", "c": (0.1, 0.2)}, method, samples=16, seed=3)
        assert points.values.shape == (16, 2)
        cells = np.floor((points.values - [0.03, 0.1]) / [0.02, 0.1] * 16)
        assert all(sorted(cells[:, k]) == list(range(16)) for k in range(2))  # one in every sixteenth, of both
        again = points_of(frozen, {"a": "0.03:0.05", "c": (0.1, 0.2)}, method, samples=16, seed=3)
        assert np.array_equal(points.values, again.values)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--vary", "a=0.05:0.03:5"], "reversed"),
        (["--vary", "a=0.05:0.05:5"], "empty"),
        (["--vary", "a=0.03:0.05"], "has no count"),
        (["--vary", "a=0.03:0.05:1"], "at least 2 values"),
        (["--vary", "a=0.03,0.03"], "stands twice"),
        (["--vary", "aa=0.03:0.05:5"], 'Did you mean "a"?'),
        (["--vary", "a"], "NAME=FROM:TO:COUNT"),
        (["--vary", "beta=1kg:2kg:5"], "is an angle"),
        (["--vary", "a=0.03:0.05:4000", "--vary", "c=0.1:0.2:4000"], "1.6e+07 variants"),
        (["--vary", "a=0.03:0.05", "--method", "latin"], "number of samples"),
        (["--vary", "a=0.03:0.05:3", "--measure", "max motor.effort"], "--analysis inverse"),
        (["--vary", "a=0.03:0.05:3", "--measure", "max P.z"], 'Did you mean "P'),
        (["--vary", "a=0.03:0.05:3", "--measure", "biggest P.x"], "is no objective"),
        (["--vary", "a=0.03:0.05:3", "--measure", "stroke of Q"], "no output is called so"),
        (["--vary", "a=0.03:0.05:3", "-o", "x.txt"], "the ending must be .csv, .parquet, .xlsx, .tex"),
    ],
)
def test_bad_input_is_told(arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["sweep", str(EXAMPLE), "--workers", "1", *arguments])
    assert result.exit_code != 0
    told = result.output + str(result.exception)
    assert words in told
    assert not list(tmp_path.iterdir())


def test_forces_of_variants(model):
    """The motor lifts nothing on the whole: its mean power over a turn is zero; and its effort grows with the crank."""
    sweep = model.sweep({"a": [0.03, 0.05]}, ["mean motor.power", "largest motor.effort", "pin load"],
                        analysis="inverse", workers=1)  # fmt: skip
    assert sweep.status == ["ran", "ran"]
    assert np.all(np.abs(sweep["mean motor.power"]) < 1e-5 * sweep["largest motor.effort"])
    assert np.all(np.diff(sweep["largest motor.effort"]) > 0)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_and_pictures(model, ending, tmp_path):
    pandas = pytest.importorskip("pandas")
    path = tmp_path / f"sweep.{ending}"
    sweep = model.sweep({"a": "0.03:0.06:4"}, ["range P.x"], output=path, workers=1)
    read = pandas.read_csv(path) if ending == "csv" else pandas.read_parquet(path)
    assert list(read) == ["a", "range P.x [m]", "status"]
    assert np.array_equal(read["range P.x [m]"], sweep["range P.x"], equal_nan=True)
    assert list(read["status"]) == sweep.status
    assert sorted(tmp_path.iterdir()) == [path]
    for k, columns in enumerate(((), ("P.x", "P.y"), ("rocker.phi",))):
        picture = tmp_path / f"{k}.png"
        sweep.plot(*columns, path=picture)
        assert picture.stat().st_size > 10_000


def command(output, *more):
    arguments = ["sweep", str(EXAMPLE), "--vary", "a=0.03:0.05:130", "--measure", "stroke", "-o", str(output), *more]
    code = f"from mubo.cli.main import main; import sys; sys.argv = ['mubo', *{arguments!r}]; main()"
    return [sys.executable, "-c", code]


def wait_for_parts(folder, process, count=3):
    for _ in range(1200):
        if len(list(folder.glob("part-*.npz"))) >= count:
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    raise AssertionError("no parts")


def test_a_killed_sweep_goes_on_where_it_was(model, tmp_path):
    output = tmp_path / "sweep.parquet"
    parts = SweepFolder(output).folder
    process = subprocess.Popen(command(output, "--workers", "1"), stderr=subprocess.PIPE)
    wait_for_parts(parts, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = {file.name: file.stat().st_mtime_ns for file in parts.glob("part-*.npz")}
    assert 3 <= len(kept) < 65
    assert not output.exists()
    points = {"a": "0.03:0.05:130"}
    with pytest.raises(mubo.ResultError, match="holds parts of a sweep that was not finished"):
        model.sweep(points, ["stroke"], output=output, workers=1)
    with pytest.raises(mubo.ResultError, match="another sweep: its objectives differs"):
        model.sweep(points, ["time ratio"], output=output, resume=True, workers=1)
    done = []
    sweep = model.sweep(points, ["stroke"], output=output, resume=True, workers=1,
                        progress=lambda k, n: done.append((k, n)))  # fmt: skip
    assert done[-1][0] == done[-1][1] <= 130 - 3 * len(kept) + len(kept)
    assert np.allclose(sweep["stroke"], [swing(a) for a in sweep["a"]], rtol=1e-9)
    assert sorted(tmp_path.iterdir()) == [output]


def test_a_cluster_that_loses_a_worker_answers_the_same(model):
    """Two worker processes; one is killed in the middle. Bit-equal to this process."""
    distributed = pytest.importorskip("distributed")
    vary = {"a": np.linspace(0.03, 0.05, 40)}
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        killed = []

        def progress(done, total):
            if not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        there = model.sweep(vary, ["stroke"], cluster=client, progress=progress)
    here = model.sweep(vary, ["stroke"], workers=1)
    assert killed
    assert np.array_equal(there["stroke"], here["stroke"])
    assert there.status == here.status


def test_clusters_that_cannot_be_used_are_refused(model, monkeypatch):
    pytest.importorskip("distributed")
    from mubo.design import workers

    monkeypatch.setattr(workers, "PATIENCE", 1)
    with pytest.raises(mubo.MuboError, match="no scheduler answers at tcp://127"):
        model.sweep({"a": [0.03, 0.05]}, ["stroke"], cluster="tcp://127.0.0.1:9")

    class Client:
        def __init__(self, found):
            self.found = found

        def run(self, function):
            return self.found

    with pytest.raises(workers.ClusterError, match=r"has mubo 0\.0\.9, this machine has"):
        workers.require_same_version(Client({"tcp://other:1": "0.0.9"}))
    with pytest.raises(workers.ClusterError, match="no workers"):
        workers.require_same_version(Client({}))


def test_means_of_smooth_columns_need_few_rows():
    """Over a quarter turn the mean of cos is 2/π and that of cos² is 1/2. The trapezium with the corrections of Euler
    and Maclaurin is wrong by h⁴/720 (f‴(b) − f‴(a)): 3e-6 of it with eight steps; without them by 0.3 %."""
    model = mubo.Model("arm", units={"angle": "rad"})
    model.ground.point("O", (0, 0))
    model.body("arm", points={"O": (0, 0)})
    model.revolute("A", "ground.O", "arm.O")
    model.driver("motor", "arm.phi", "t")
    model.point("P", "arm", (1, 0))
    run = model.kinematics(0, math.pi / 2, math.pi / 16)
    mean, rms = (number_of(how, run.columns, "P.x", dict) for how in ("mean", "rms"))
    assert mean == pytest.approx(2 / math.pi, rel=1e-5)
    assert rms == pytest.approx(math.sqrt(0.5), rel=1e-4)


SIMULATED = ["max cart.x", "last lean", "largest hinge.v", "rms energy.kinetic"]


@pytest.mark.parametrize("stops", [False, True])
def test_simulated_variants_in_one_call_are_those_run_alone(monkeypatch, stops):
    """The same integration of the same equations: bit by bit, statuses included. A pole without length has no inertia.
    Where an event may end a run, every variant is run alone."""
    model = mubo.load(EXAMPLE.parent / "cart_pole.toml")
    model.event("fallen", "pole.phi", 0.06, stop=stops)
    asked = {"vary": {"half_length": [0.3, 0.5, 0.0]}, "measures": SIMULATED, "end": 0.4, "workers": 1}
    many = model.sweep(**asked)
    assert many.work.batched is not stops
    monkeypatch.setattr("mubo.design.sweep.batch_agrees", lambda *_: False)
    alone = model.sweep(**asked)
    assert not alone.work.batched
    assert np.array_equal(many.values, alone.values, equal_nan=True)
    assert many.status == alone.status
    assert many.status[:2] == ["ran", "ran"]
    assert "hinge: nothing resists its motion" in many.status[2]


def test_numbers_that_are_no_columns_are_measured_in_runs():
    model = mubo.load(EXAMPLE.parent / "cart_pole.toml")
    swept = model.sweep({"half_length": [0.5, 0.4]}, ["mass", "max cart.x"], end=0.1, workers=1)
    assert not swept.work.batched
    assert list(swept.status) == ["ran", "ran"]


def test_an_optimum_of_simulations_samples_them_in_one_call(monkeypatch):
    """Half the length at which a falling pole leans least after half a second: the longest."""
    model = mubo.load(EXAMPLE.parent / "cart_pole.toml")
    calls = []
    many = variants.simulate_variants
    monkeypatch.setattr(variants, "simulate_variants", lambda *given: calls.append(given[2]) or many(*given))
    found = model.optimize(
        vary={"half_length": (0.3, 0.8)}, minimize="last lean", analysis="simulate", end=0.2, starts=2, workers=1
    )
    assert found.parameters["half_length"][1] == pytest.approx(0.8, rel=1e-6)
    assert max(calls) > 1


def test_a_turn_of_a_driver_follows_its_speed_in_every_variant_of_a_simulation():
    """A pendulum hangs on a crank of the speed n: one turn ends at 2π/n, where the crank is at 2π."""
    model = mubo.Model("crank with a pendulum", gravity=(0, -9.81))
    model.parameter("n", 4.0)
    model.ground.point("O", (0, 0))
    model.body("crank", points={"O": (0, 0), "P": (0.1, 0)}, mass=1, inertia=0.01)
    model.body("bob", position=(0.1, 0), angle=-1.5, points={"P": (0, 0)}, center=(0.3, 0), mass=1, inertia=0.01)
    model.revolute("O", "ground.O", "crank.O")
    model.revolute("P", "crank.P", "bob.P")
    model.driver("motor", "O", "n*t")
    found = model.sweep({"n": [4.0, 8.0]}, ["last t", "last O.q"], end="1 rev", analysis="simulate", workers=1)
    assert found["last O.q"] == pytest.approx([2 * math.pi] * 2, rel=1e-9)
    assert found["last t"] == pytest.approx([2 * math.pi / 4, 2 * math.pi / 8], rel=1e-9)


def test_every_line_of_a_table_is_a_variant(tmp_path):
    (tmp_path / "cases.csv").write_text("a,beta [deg]\n0.03,20\n0.05,30 \n\n0.04,25\n")
    model = mubo.load(EXAMPLES / "parameters.toml")
    table = model.sweep(tmp_path / "cases.csv", ["range P.x"])
    assert np.array_equal(table["a"], [0.03, 0.05, 0.04])
    for line, (a, beta) in enumerate([(0.03, 20), (0.05, 30), (0.04, 25)]):
        one = model.replace(a=a, beta=f"{beta} deg").kinematics().extremes["P.x"]
        assert table["range P.x"][line] == pytest.approx(one["range"], rel=1e-9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b2\n1,2\n", 'there is no parameter "b2"'),
        ("a,c\n0.03,0.11\n0.04\n", "line 3: 2 values are needed; found 1"),
        ("a\n0.03\nlong\n", "line 3: a: "),
        ("a\n", "has no variant"),
    ],
)
def test_a_table_of_variants_that_cannot_be_read_names_its_line(text, message, tmp_path):
    (tmp_path / "cases.csv").write_text(text)
    with pytest.raises(mubo.MuboError, match=message):
        mubo.load(EXAMPLES / "parameters.toml").sweep(f"@{tmp_path / 'cases.csv'}", ["range P.x"])
