"""The files that the campaign of mutated inputs changes: one or more of every kind that mubo reads.

Model files are the examples, some of them written again in other formats; motion files and result tables come from
formulas and runs. All are made once, in a folder that lasts as long as the process.
"""

import functools
import os
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import mubo

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "walk"))
from marker_files import markers, mot_text, trc_text  # noqa: E402

EXAMPLES = ROOT / "examples"
SANITIZED = "ASAN_OPTIONS" in os.environ  # such a core is slower and maps terabytes, which it does not use
ALSO_JSON = ("four_bar.toml", "five_body_chain.toml", "space_arm.toml", "planetary_gear.toml", "kabios_thigh.dat")
ALSO_KABIOS = ("five_bar.toml", "scotch_yoke.toml", "watt_six_bar.toml")
T = np.arange(31) / 25

ARM = """name = "arm"
dimension = 3
gravity = [0, 0, -9.81]
[body.ground]
points = { A = [0, 0, 0] }
[body.upper]
points = { A = [0, 0, 0], B = [0.5, 0, 0] }
shape = { kind = "box", a = 0.5, b = 0.05, c = 0.04 }
mass = 2
[body.fore]
points = { B = [0, 0, 0], C = [0.3, 0, 0] }
shape = { kind = "cylinder", length = 0.3, radius = 0.02, along = "x" }
mass = 1
[body.hand]
points = { C = [0, 0, 0] }
shape = { kind = "sphere", radius = 0.05 }
mass = 0.3
[joint.shoulder]
type = "revolute"
between = ["ground.A", "upper.A"]
axis = [0, 1, 0]
[joint.elbow]
type = "revolute"
between = ["upper.B", "fore.B"]
axis = [0, 0, 1]
[joint.wrist]
type = "prismatic"
between = ["fore.C", "hand.C"]
axis = [1, 0, 0]
"""
# The same arm with every kind of load of space.
PUSHED = (
    ARM
    + """[force.gust]
type = "point_force"
at = "hand.C"
direction = [0, 0, 1]
force = { table = "curve.csv", over = "shoulder.q", column = "F" }
[force.turned]
type = "body_torque"
body = "upper"
direction = [0, 1, 0]
axes = "body"
torque = "2*cos(shoulder.q) - 0.1*upper.wy"
[force.rope]
type = "force_between"
between = ["ground.A", "hand.C"]
force = "-20*(length - 0.5) - rate"
[force.cubic]
type = "cubic_spring"
between = ["ground.A", "fore.C"]
stiffness = 5
cubic = 2
length = 0.5
[force.motor]
type = "joint_effort"
of = "elbow"
effort = { points = [[-9, 1], [0, 0], [9, -1]], over = "v" }
[force.held]
type = "joint_spring"
of = "wrist"
stiffness = 300
damping = 2
[force.stop]
type = "joint_stop"
of = "wrist"
upper = 0.1
stiffness = 2000
[force.rub]
type = "friction"
of = "shoulder"
viscous = 0.1
[analysis]
type = "statics"
start = 0
end = 0.4
step = 0.05
"""
)
CURVE = "shoulder.q [deg],F [N]\n" + "".join(f"{q},{q * q / 4000}\n" for q in range(-720, 721, 90))
# A cart moved by one column of a motion file, with an arm turned by another.
MOVED = """name = "measured"
units = {{ length = "mm", angle = "deg", time = "s" }}
[body.cart]
points = {{ A = [0, 0] }}
[body.arm]
angle = 30
points = {{ A = [0, 0], tip = [100, 0] }}
[joint.rail]
type = "translational"
between = ["ground.O", "cart.A"]
axis = [1, 0]
angle = 0
[joint.pin]
type = "revolute"
between = ["cart.A", "arm.A"]
[body.ground]
points = {{ O = [0, 0] }}
[driver.x]
of = "cart.x"
motion = {x}
[driver.turn]
of = "arm.phi"
motion = {turn}
[analysis]
type = "kinematics"
start = 0
end = 1.2
step = 0.05
"""
TABLE = ('{{ table = "{0}", column = "{1}", smooth = "gcv" }}', '{{ table = "{0}", column = "{2}", smooth = 1e-6 }}')
SEGMENT = (
    '{{ segment = "{0}", from = "HIP", to = "KNEE", coordinate = "x" }}',
    '{{ segment = "{0}", from = "HIP", to = "KNEE", coordinate = "phi" }}',
)
MOTIONS = {  # file: the laws that read it
    "walk.trc": [law.format("walk.trc") for law in SEGMENT],
    "walk.c3d": [law.format("walk.c3d") for law in SEGMENT],
    "walk.mot": [law.format("walk.mot", "tx", "knee") for law in TABLE],
    "walk.sto": [law.format("walk.sto", "tx", "knee") for law in TABLE],
    "walk.csv": [law.format("walk.csv", "x", "angle") for law in TABLE],
    "walk.tsv": [law.format("walk.tsv", "x", "angle") for law in TABLE],
}
READ = ("walk.", "shank_walk.", "curve.")  # files that models read


@dataclass(frozen=True)
class Source:
    """A file to be changed, and what is opened then: a model, or a result table to be compared with itself."""

    changed: str
    opened: str
    table: bool = False


@functools.cache
def folder():
    """Where all files are; removed when the process ends."""
    keep = tempfile.TemporaryDirectory()
    path = Path(keep.name)
    folder.keep = keep
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a format does not hold is said
        _models(path)
        _motions(path)
        _tables(path)
    return path


def _models(path):
    for example in EXAMPLES.iterdir():
        if example.suffix in (".toml", ".dat", ".deck", ".trc"):
            (path / example.name).write_bytes(example.read_bytes())
    for name in ALSO_JSON:
        mubo.load(path / name).save(path / f"also_{Path(name).stem}.json")
    for name in ALSO_KABIOS:
        mubo.load(path / name).save(path / f"also_{Path(name).stem}.dat")
    (path / "arm.toml").write_text(ARM)
    (path / "pushed.toml").write_text(PUSHED)
    (path / "curve.csv").write_text(CURVE)
    mubo.load(path / "arm.toml").save(path / "arm.urdf")
    mubo.load(path / "stewart_platform.toml").save(path / "floating.urdf")


def _motions(path):
    (path / "walk.trc").write_text(trc_text(T))
    for name in ("walk.mot", "walk.sto"):
        (path / name).write_text(mot_text(T))
    rows = np.column_stack([T, 10 * np.sin(2 * T), 30 + 5 * np.cos(3 * T)]).tolist()
    for name, separator in (("walk.csv", ","), ("walk.tsv", "\t")):
        lines = [["time [s]", "x [mm]", "angle [deg]"], *([repr(value) for value in row] for row in rows)]
        (path / name).write_text("\n".join(separator.join(line) for line in lines) + "\n")
    _write_c3d(path / "walk.c3d")
    for name, (x, turn) in MOTIONS.items():
        (path / f"by_{Path(name).suffix[1:]}.toml").write_text(MOVED.format(x=x, turn=turn))


def _write_c3d(path):
    """Needs ezc3d (the extra `mocap`); without it there is no such file, and none is changed.

    Nor with sanitizers: ezc3d gives memory of `new[]` to numpy, which frees it by `free`, and that ends the process.
    """
    if SANITIZED:
        return
    try:
        import ezc3d
    except ImportError:
        return
    content = ezc3d.c3d()
    for name, value in (("RATE", [25.0]), ("LABELS", ("HIP", "KNEE")), ("UNITS", ["mm"])):
        content["parameters"]["POINT"][name]["value"] = value
    content["data"]["points"] = np.ones((4, 2, len(T)))
    content["data"]["points"][:3] = np.stack([marker.T for marker in markers(T).values()], axis=1)
    content["data"]["meta_points"]["residuals"] = np.zeros((1, 2, len(T)))
    content.write(str(path))


def _tables(path):
    run = mubo.load(path / "four_bar.toml").kinematics(0, 1, step=0.1)
    for ending in ("csv", "json", "txt"):
        run.save(path / f"result.{ending}")


@functools.cache
def sources():
    """Every file that is changed, by kind: `{".toml": [Source, …], …}`."""
    names = sorted(path.name for path in folder().iterdir())
    found = [Source(name, name) for name in names if not name.startswith((*READ, "result."))]
    found += [Source(name, f"by_{Path(name).suffix[1:]}.toml") for name in MOTIONS if name in names]
    found += [Source("shank_walk.trc", "guided_shank.toml"), Source("curve.csv", "pushed.toml")]
    found += [Source(name, name, table=True) for name in names if name.startswith("result.")]
    kinds = {}
    for source in found:
        kinds.setdefault(("result " if source.table else "") + Path(source.changed).suffix, []).append(source)
    return kinds
