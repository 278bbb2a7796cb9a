"""The border: what is wrong with a file, a name, a place or a size is one sentence, never a traceback, never a wait."""

import math
import os
import shutil
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from conftest import EXAMPLES

import mubo
from mubo.formats.files import filling, write_text
from mubo.laws import Expression

FOUR_BAR = EXAMPLES / "four_bar_link.toml"
ARM = """
[body.ground]
points = {{ O = [0, 0] }}
[body.arm]
points = {{ O = [0, 0] }}
[joint.O]
type = "revolute"
between = ["ground.O", "arm.O"]
[driver.d]
{driver}
[analysis]
type = "kinematics"
start = 0
end = 1
step = 0.5
"""


def refused(done, says, code=1):
    assert done.returncode == code
    assert says in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("units", ['[{ length = "m" }]', "3", '"mm"', "[[1]]"])
def test_units_are_a_table(command, tmp_path, units):
    (tmp_path / "m.toml").write_text(f"units = {units}\n" + ARM.format(driver='of = "arm.phi"\nmotion = "t"'))
    refused(command("check", "m.toml"), "m.toml, line 1: units: units are a table")


@pytest.mark.parametrize(
    ("text", "at", "value"),
    [("t" + "+t" * 900, 0.5, 450.5), ("t" + "/1" * 900, 0.5, 0.5), ("-" * 1000 + "t", 0.25, 0.25)],
)
def test_long_expressions_are_no_deep_ones(text, at, value):
    import numpy as np

    assert Expression(text)(np.array([at]))[0, 0] == pytest.approx(value)


def test_long_powers_have_their_rates():
    """t^(1^1^…) = t."""
    import numpy as np

    np.testing.assert_allclose(Expression("t" + "^1" * 900)(np.array([2.0]))[0], [2, 1, 0])


def test_a_driver_far_from_the_estimates_takes_no_endless_way(command, tmp_path):
    (tmp_path / "m.toml").write_text(ARM.format(driver='of = "arm.phi"\nmotion = "1e7 + t"'))
    assert command("check", "m.toml").returncode == 0


@pytest.mark.parametrize("value", ["1.1e9", "1e30", "1e308"])
def test_a_driver_of_too_many_turns_is_refused(command, tmp_path, value):
    (tmp_path / "m.toml").write_text(ARM.format(driver=f'of = "arm.phi"\nmotion = "{value} + t"'))
    refused(command("check", "m.toml"), "driver d: its angle at t = 0 is 1")


def test_a_driver_that_runs_through_all_numbers_is_refused(command, tmp_path):
    """Each row asks for about 1e308 positions; all rows together for more than there are numbers."""
    slide = ARM.replace('"revolute"', '"translational"\naxis = [1, 0]\nangle = 0')
    (tmp_path / "m.toml").write_text(slide.format(driver='of = "arm.x"\nmotion = "1e307*sin(t)"'))
    run = command("kinematics", "m.toml", "--start", "0", "--end", "5", "--step", "0.5")
    refused(run, "the drivers move too far to be followed")


def test_infinite_columns_are_an_error_that_names_them(command, tmp_path):
    text = FOUR_BAR.read_text()
    assert "[point.C]" in text
    head, _, tail = text.partition("[point.C]")
    (tmp_path / "m.toml").write_text(
        head + '[point.C]\nbody = "rocker"\nat = [1e308, 0]\n' + tail[tail.index("[analysis]") :]
    )
    refused(command("kinematics", "m.toml", "--step", "0.25"), "column C.vx is not a finite number at t = 0 s: -inf", 3)


@pytest.mark.parametrize("ending", ["csv", "trc", "mot", "c3d"])
def test_pipes_are_no_motion_files(command, tmp_path, ending):
    if ending == "c3d":
        pytest.importorskip("ezc3d")
    os.mkfifo(tmp_path / f"p.{ending}")
    driver = f'of = "arm.phi"\nmotion = {{ table = "p.{ending}", column = "x" }}'
    (tmp_path / "m.toml").write_text(ARM.format(driver=driver))
    refused(command("check", "m.toml"), f"p.{ending} is a pipe or a device, not a file")


def test_pipes_and_devices_are_no_models(command, tmp_path):
    os.mkfifo(tmp_path / "p.toml")
    refused(command("check", "p.toml"), "p.toml is a pipe or a device, not a file")
    refused(command("check", "/dev/zero", "--format", "toml"), "/dev/zero is a pipe or a device")
    refused(command("compare", "p.toml", "/dev/zero"), "p.toml")


def test_names_with_nul(tmp_path):
    model = mubo.load(EXAMPLES / "four_bar.toml")
    for ask in (
        lambda: mubo.load("a\0.toml"),
        lambda: model.save(tmp_path / "a\0.toml"),
        lambda: mubo.compare("a\0.csv", "b.csv"),
    ):
        with pytest.raises(mubo.MuboError, match="cannot be the name of a file"):
            ask()
    with pytest.raises(mubo.MuboError, match="cannot be the name of a file"):
        model.kinematics(0, 1, 0.5).save(tmp_path / "a\0.csv")


@pytest.mark.parametrize("lasts", ["1e-200", "1e200"])
def test_segments_of_impossible_length(command, tmp_path, lasts):
    program = f'{{ program = [{{ law = "cycloidal", lasts = {lasts}, rise = 1 }}] }}'
    (tmp_path / "m.toml").write_text(ARM.format(driver=f'of = "arm.phi"\nmotion = {program}'))
    refused(command("check", "m.toml"), "driver d: a segment that lasts 1e")


def test_programs_that_repeat_without_end(command, tmp_path):
    program = '{ program = [{ law = "cycloidal", lasts = 1e-9, rise = 1 }], repeat = true }'
    (tmp_path / "m.toml").write_text(ARM.format(driver=f'of = "arm.phi"\nmotion = {program}'))
    refused(command("kinematics", "m.toml"), "driver d: the program repeats 1e+09 times from 0 to 1; 100000 are")


def test_huge_samples(command, tmp_path):
    (tmp_path / "h.csv").write_text("t,x\n0,0\n1,1e200\n2,3\n3,4\n")
    for smooth in ('"gcv"', '{ quintic = "gcv" }', "{ butterworth = 0.2 }"):
        driver = f'of = "arm.phi"\nmotion = {{ table = "h.csv", column = "x", smooth = {smooth} }}'
        (tmp_path / "m.toml").write_text(ARM.format(driver=driver))
        done = command("check", "m.toml")  # a filter may leave little of it at the start
        assert done.returncode in (0, 1, 3)
        assert "Traceback" not in done.stderr


def test_pictures_in_no_folder_are_refused(command):
    for question in ("--loops", "--modes"):
        refused(
            command("check", EXAMPLES / "four_bar.toml", question, "-o", "nowhere/x.svg"), "cannot write nowhere/x.svg"
        )


def test_a_results_folder_is_whole_or_not_there(tmp_path):
    def fill(name, text):
        with filling(tmp_path / name) as folder:
            write_text(folder / "a.txt", text)
            raise OSError(28, "No space left on device")

    with pytest.raises(mubo.ResultError, match="No space"):
        fill("new", "a")
    assert not (tmp_path / "new").exists()
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "a.txt").write_text("before")
    with pytest.raises(mubo.ResultError, match="No space"):
        fill("old", "after")
    assert [p.name for p in (tmp_path / "old").iterdir()] == ["a.txt"]
    assert (tmp_path / "old" / "a.txt").read_text() == "before"


def test_a_short_film_is_seen(tmp_path):
    """Boxes of an MP4 file fill it exactly: one that lacks its table of contents, or its end, is not whole."""
    from mubo.view.encode import is_whole_film

    box = lambda name, size: (size + 8).to_bytes(4, "big") + name + bytes(size)  # noqa: E731
    for content, good in (
        (box(b"ftyp", 8) + box(b"moov", 20) + box(b"mdat", 50), True),
        (box(b"ftyp", 8) + box(b"mdat", 50), False),
        ((box(b"ftyp", 8) + box(b"moov", 20) + box(b"mdat", 50))[:-1], False),
        (b"", False),
    ):
        (tmp_path / "x.mp4").write_bytes(content)
        assert is_whole_film(tmp_path / "x.mp4") is good


def interruptible(program, **options):
    """Runs a program that hears Ctrl-C, also where the tests themselves run in the background, deaf to it."""
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, preexec_fn=heard, **options
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interruption_while_loading_is_one_word(tmp_path):
    """The process interrupts itself where numpy is asked for, in the middle of the imports of the command."""
    program = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv = ["mubo", "kinematics", "four_bar.toml"]
from mubo.__main__ import main
main()
"""
    done = interruptible(program)
    assert done.returncode == 130
    assert done.stderr.strip() == "interrupted"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_an_interruption_leaves_no_half_file(tmp_path, number, code):
    """The process interrupts itself in the middle of writing its table."""
    program = f"""
import os, signal, sys
sys.argv = ["/somewhere/mubo", "kinematics", {str(FOUR_BAR)!r}, "-o", "out.csv"]
from mubo.cli.main import main
import mubo.results.table_files as files
from mubo.formats.files import replacing
def half(path, columns, sheet):
    with replacing(path) as temporary, temporary.open("w") as file:
        file.write("t,x")
        file.flush()
        os.kill(os.getpid(), signal.{number})
files.WRITERS[".csv"] = half
main()
"""
    done = interruptible(program, cwd=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (code, "interrupted")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interruption_that_a_module_turns_into_another_error_is_one_word():
    """Compiled modules that are interrupted while they load say that they cannot be imported."""
    program = """
import os, signal, sys
sys.argv = ["/somewhere/mubo", "--help"]
from mubo.cli import main
def broken(**options):
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        raise ImportError("numpy cannot be imported")
main.cli.main = broken
main.main()
"""
    done = interruptible(program)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


SPINNING = """
dimension = 3
gravity = [0, 0, -9.81]
[body.ground]
points = { O = [0, 0, 0] }
[body.top]
points = { O = [0, 0, 0] }
mass = 1
inertia = [0.1, 0.2, 0.3]
[joint.O]
type = "spherical"
between = ["ground.O", "top.O"]
[initial.O]
v = [1, 1e9, 10]
"""


@pytest.mark.parametrize(("formulation", "method"), [("tree", "DOP853"), ("tree", "LSODA"), ("wittenburg", "DOP853")])
def test_a_simulation_takes_so_many_steps_and_no_more(tmp_path, monkeypatch, formulation, method):
    """At 1e9 rad/s a second has 1.6e8 turns. The number of steps is smaller here, to wait less."""
    own, wittenburg = (
        import_module(f"mubo.{at}") for at in ("solvers.dynamics.settings", "legacy.wittenburg.integrate")
    )
    for place, name in ((own, "MOST_STEPS"), (own, "MOST_STIFF_STEPS"), (wittenburg, "MOST_STEPS")):
        monkeypatch.setattr(place, name, 150)
    (tmp_path / "m.toml").write_text(SPINNING)
    with pytest.warns(UserWarning, match="150 steps, the most for"):
        run = mubo.load(tmp_path / "m.toml").simulate(0, 1, step=0.5, formulation=formulation, method=method)
    assert run.summary["status"] == "stopped"


@pytest.mark.parametrize("method", ["DOP853", "LSODA"])
def test_where_python_looks_at_every_step_there_are_fewer(tmp_path, monkeypatch, method):
    own = import_module("mubo.solvers.dynamics.settings")
    for name, most in (("MOST_STEPS", 300), ("MOST_STIFF_STEPS", 300), ("MOST_SENSED", 150)):
        monkeypatch.setattr(own, name, most)
    (tmp_path / "m.toml").write_text(SPINNING + '[event.e]\nof = "energy.potential"\nvalue = 1\n')
    with pytest.warns(UserWarning, match="150 steps, the most for"):
        mubo.load(tmp_path / "m.toml").simulate(0, 1, step=0.5, method=method)


@pytest.mark.parametrize("formulation", ["tree", "absolute"])
def test_a_curve_that_ends_before_the_motion_begins_is_refused_where_friction_needs_reactions(tmp_path, formulation):
    """No forces, so no reactions either, from which the friction would follow."""
    text = (EXAMPLES / "motor_slider_crank.toml").read_text()
    assert "[[-5, 26]" in text
    (tmp_path / "m.toml").write_text(text.replace("[[-5, 26]", "[[0.003, 26]"))
    with pytest.raises(
        mubo.ModelError, match=r"force motor has no size there: a curve of 3 points over v = 0.003 … 60"
    ):
        mubo.load(tmp_path / "m.toml").simulate(formulation=formulation)


def test_a_driven_distance_of_nothing_has_no_rate():
    """A distance that is zero at the start: its derivative has no value there."""
    model = mubo.load(EXAMPLES / "n_four_bar.toml")
    model.driver("gap", ("coupler0.B1", "coupler1.B1"), "t")
    with pytest.raises(mubo.AssemblyError, match="driver gap has no rate at the start, t = 0 s: the two points"):
        model.simulate(0, 1, step=0.5)
    assert "driver gap has no rate" in str(model.check())


@pytest.mark.parametrize("example", ["four_bar_link.toml", "rssr.toml"])
@pytest.mark.parametrize("far", ["1e17", "1e100", "1e300"])
def test_what_is_too_large_to_draw_is_refused_with_its_size(tmp_path, example, far):
    model = mubo.load(EXAMPLES / example)
    model.point("far", "rocker", [float(far), *[0] * (model.dimension - 1)])
    run = model.kinematics(step=0.25)
    for write in (lambda: run.plot(path=tmp_path / "m.svg"), lambda: run.export(tmp_path / "m.glb")):
        if far == "1e17":
            write()
        else:
            with pytest.raises(mubo.MuboError, match="cannot be drawn") as caught:
                write()
            assert f"a point of rocker is {float(far):g} away" in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32" or not shutil.which("setpriv"), reason="takes rights away by setpriv")
def test_a_file_that_may_not_be_read(tmp_path):
    """To root every file is readable: the command runs without that right."""
    secret = tmp_path / "secret.toml"
    secret.write_text(FOUR_BAR.read_text())
    secret.chmod(0)
    less = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    program = Path(sys.executable).parent / "mubo"
    done = subprocess.run([*less, program, "check", secret], capture_output=True, text=True, check=False)
    refused(done, f"cannot read {secret}: Permission denied")


def test_a_deck_of_millions_of_numbers_is_not_taken_apart_to_be_refused(tmp_path):
    """Only what is read is split: nine counts, whatever follows them."""
    from mubo.formats.kabios_records import NumberReader

    reader = NumberReader("1 2 3 4 5 6 7 8 9\n" * 100_000, tmp_path / "m.dat")
    assert reader.has(9)
    assert len(reader.tokens) == 9
    (tmp_path / "m.dat").write_text("1 2 3 4 5 6 7 8 9\n" * 100_000)
    with pytest.raises(mubo.ModelError, match="line 1: there are more equations than coordinates: M = 41"):
        mubo.load(tmp_path / "m.dat")
    (tmp_path / "m.dat").write_text((EXAMPLES / "kabios_four_bar.dat").read_text() + "1 2\n" * 100_000)
    with pytest.raises(mubo.ModelError, match="100000 or more values too many"):
        mubo.load(tmp_path / "m.dat")


def test_pictures_of_names_with_control_characters_are_whole(tmp_path):
    """SVG is XML, which holds no escape characters."""
    import xml.etree.ElementTree as tree

    (tmp_path / "m.toml").write_text(FOUR_BAR.read_text().replace('name = "', 'name = "\\u001b[31m $x ', 1))
    model = mubo.load(tmp_path / "m.toml")
    assert model.name.startswith("\x1b[31m $x ")
    model.kinematics(step=0.5).plot(path=tmp_path / "m.svg")
    tree.parse(tmp_path / "m.svg")


def test_a_direction_of_any_length_is_a_direction():
    """Its length does not count, also where its square is lost."""
    for size in (1e-300, 1.0, 1e300):
        model = mubo.Model("arm", dimension=3)
        model.gravity = (0, 0, -9.81)
        model.ground.point("O", (0, 0, 0))
        model.body("arm", points={"O": (0, 0, 0)}, mass=1, inertia=(1, 1, 1), center=(0.5, 0, 0))
        model.joint("O", "revolute", "ground.O", "arm.O", axis=(0, size, 0))
        assert model.simulate(0, 0.1, step=0.1).summary["status"] == "ok"


def test_an_estimate_of_a_billion_turns_is_as_good_as_what_they_leave():
    model = mubo.load(EXAMPLES / "four_bar.toml")
    turned = model.replace("coupler.angle", model.bodies["coupler"].angle + 2e9 * math.pi)
    found, expected = (m.kinematics(0, 0.1, step=0.1)["P.x"] for m in (turned, model))
    assert found == pytest.approx(expected, abs=1e-12)
