"""How the cost of every command grows with the size of the model.

    python benchmarks/growth.py [SECONDS [LARGEST [TABLE …]]]

Eight tables: bodies of the plane in closed loops (a scissor lift), the same with masses for what forces need, bodies of
space in an open chain, bodies of space in loops with redundant equations (the same lift, three equations too many in
every loop), points of interest on a four-bar, rows of its table, and variants that are moved and that are simulated.

Every command runs in a process of its own; one that does not end well is not tried at the next size. All tables take
at most SECONDS (3600) of the processor, each an equal share, a process at most a third of what its table has left:
what takes longer is "too slow", what is not tried is "-". Sizes end at LARGEST (10,000; rows at 100 times that). TABLE
names some of the tables: "rows", "chain in space".

Times are of the processor, with the encoder of a film; short ones are the shortest of three. The exponent p of
time = c · sizeᵖ is fitted over what a size adds to the smallest size, in time and in bodies, where that is more than a
fifth of a second: to start, and to load what a command needs, costs the same at every size. Memory, at its peak, is
counted likewise.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scissor_lift import exponent
from start_up import mubo_command
from timing import EXAMPLES, duration, print_table, sized

SIZES = sized((10, 100, 1_000, 10_000), (4,))
LEAST = 0.2  # seconds beyond the smallest size: shorter ones tell more of the machine than of the growth
SHORT = 3.0  # seconds: what takes less is run three times, and the shortest counts
FILM = ("--fps", "5", "--size", "320x240")
MODEL, STEP = "MODEL", "STEP"
ABOUT_Y = ("axis = [0, 1, 0]",)


@dataclass(frozen=True)
class Cost:
    seconds: float  # of the processor
    memory: float  # bytes, at the peak
    ended: str  # "" where all is well


@dataclass(frozen=True)
class Family:
    """Models of one kind: how one of a size is written to a folder, and the commands by the name of their line.

    In a command MODEL is the file, and STEP is followed by what makes it as many rows.
    """

    name: str
    each: str
    sizes: tuple[int, ...]
    write: Callable[[int, Path], tuple[str, ...]]
    commands: dict[str, tuple[str, ...]]


def lift(bodies: int, folder: Path) -> tuple[str, ...]:
    """Stages of two crossed bars; the lowest slides on the ground."""
    angle = 0.6
    across, up = math.cos(angle), math.sin(angle)
    lines = ['name = "lift"', "[body.ground]", "points = { A = [0, 0], B = [0, 0] }"]
    for k in range(bodies // 2):
        middle = f"position = [{across / 2!r}, {(k + 0.5) * up!r}]"
        lines += [f"[body.a{k}]", middle, f"angle = {angle!r}", "points = { l = [-0.5, 0], m = [0, 0], r = [0.5, 0] }"]
        lines += [f"[body.b{k}]", middle, f"angle = {math.pi - angle!r}"]
        lines += ["points = { l = [0.5, 0], m = [0, 0], r = [-0.5, 0] }"]
        lines += pin(f"m{k}", f"a{k}.m", f"b{k}.m")
        if k:
            lines += pin(f"r{k}", f"a{k - 1}.r", f"b{k}.r") + pin(f"l{k}", f"b{k - 1}.l", f"a{k}.l")
    lines += [*pin("foot", "ground.A", "a0.l"), "[joint.slide]", 'type = "slot"', 'between = ["ground.B", "b0.r"]']
    lines += ["axis = [1, 0]", "[driver.d]", 'of = "a0.phi"', 'motion = "0.6 + 0.2*t"']
    lines += ["[analysis]", 'type = "kinematics"', "start = 0", "end = 1", "step = 0.25"]
    return written(folder / f"lift{bodies}.toml", lines)


def loaded_lift(bodies: int, folder: Path) -> tuple[str, ...]:
    """The lift of heavy bars, for forces and for what moves under them."""
    path = Path(lift(bodies, folder)[0])
    heavy = path.read_text().replace("position = [", "mass = 1\ninertia = 0.08\nposition = [")
    heavy = heavy.replace('name = "lift"', 'name = "lift"\ngravity = [0, -9.81]')
    return written(folder / f"loaded{bodies}.toml", [heavy.replace("end = 1\nstep = 0.25", "end = 0.04\nstep = 0.01")])


def chain(bodies: int, folder: Path) -> tuple[str, ...]:
    """Rods of 1 m hinged about y and x in turn, from rest."""
    lines = [
        'name = "chain"',
        "dimension = 3",
        "gravity = [0, 0, -9.81]",
        "[body.ground]",
        "points = { O = [0, 0, 0] }",
    ]
    for k in range(bodies):
        lines += [f"[body.b{k}]", "points = { t = [0, 0, 0.5], e = [0, 0, -0.5] }"]
        lines += ["mass = 1", "inertia = [0.1, 0.1, 0.01]"]
        lines += pin(f"j{k}", f"b{k - 1}.e" if k else "ground.O", f"b{k}.t")
        lines += [f"axis = [{k % 2}, {1 - k % 2}, 0]"]
    lines += ["[initial.j0]", "q = 0.3", "[analysis]", 'type = "simulate"', "start = 0", "end = 0.02", "step = 0.005"]
    lines += ["rtol = 1e-6", "atol = 1e-6"]
    return written(folder / f"chain{bodies}.toml", lines)


def lift_in_space(bodies: int, folder: Path) -> tuple[str, ...]:
    """The scissor lift with pins about y: each of its loops has three equations too many."""
    angle = 0.6
    across, up = math.cos(angle), math.sin(angle)
    lines = ['name = "lift in space"', "dimension = 3", "gravity = [0, 0, 0]"]
    lines += ["[body.ground]", "points = { A = [0, 0, 0], B = [0, 0, 0] }"]
    for k in range(bodies // 2):
        for name, turn, end in (("a", angle, 0.5), ("b", math.pi - angle, -0.5)):
            lines += [f"[body.{name}{k}]", f"position = [{across / 2!r}, 0, {(k + 0.5) * up!r}]"]
            lines += [f"orientation = [{math.cos(turn / 2)!r}, 0, {-math.sin(turn / 2)!r}, 0]"]
            lines += [f"points = {{ l = [{-end}, 0, 0], m = [0, 0, 0], r = [{end}, 0, 0] }}"]
        lines += [*pin(f"m{k}", f"a{k}.m", f"b{k}.m"), *ABOUT_Y]
        if k:
            lines += [*pin(f"r{k}", f"a{k - 1}.r", f"b{k}.r"), *ABOUT_Y]
            lines += [*pin(f"l{k}", f"b{k - 1}.l", f"a{k}.l"), *ABOUT_Y]
    lines += [*pin("foot", "ground.A", "a0.l"), *ABOUT_Y]
    lines += ["[joint.slide]", 'type = "point_on_plane"', 'between = ["ground.B", "b0.r"]', "axis = [0, 0, 1]"]
    lines += ["[driver.d]", 'of = "foot"', 'motion = "-0.6 - 0.2*t"']
    lines += ["[analysis]", 'type = "kinematics"', "start = 0", "end = 1", "step = 0.25"]
    return written(folder / f"space{bodies}.toml", lines)


def points(number: int, folder: Path) -> tuple[str, ...]:
    """The four-bar of the examples with points of interest round its coupler's origin, at 37 positions."""
    lines = [(EXAMPLES / "four_bar.toml").read_text()]
    for k in range(number):
        lines += [f"[point.Q{k}]", 'body = "coupler"', f"at = [{math.cos(k)!r}, {math.sin(k)!r}]"]
    return (*written(folder / f"points{number}.toml", lines), "--step", repr(1 / 36))


def rows(number: int, folder: Path) -> tuple[str, ...]:
    """The four-bar of the examples, asked for so many positions."""
    return (str(EXAMPLES / "four_bar.toml"), "--step", repr(1 / number))


def variants(number: int, folder: Path) -> tuple[str, ...]:
    """Designs of a four-bar, in the core's batch."""
    return (str(EXAMPLES / "parameters.toml"), "--vary", f"c=0.1:0.12:{number}", "--measure", "stroke")


def simulated_variants(number: int, folder: Path) -> tuple[str, ...]:
    """Designs of a pole on a cart, in many simulations in one call."""
    return (str(EXAMPLES / "cart_pole.toml"), "--vary", f"half_length=0.4:0.6:{number}", "--measure", "max lean")


def pin(name: str, one: str, other: str) -> list[str]:
    return [f"[joint.{name}]", 'type = "revolute"', f'between = ["{one}", "{other}"]']


def written(path: Path, lines: Sequence[str]) -> tuple[str, ...]:
    path.write_text("\n".join(lines) + "\n")
    return (str(path),)


def families(largest: int) -> list[Family]:
    """Every command over the models it is for, those that solve first."""
    sizes = tuple(size for size in SIZES if size <= largest)
    moved = {"kinematics": ("kinematics", MODEL, STEP, "-o", "out.csv")}
    simulated = {"simulate": ("simulate", MODEL, "-o", "out.csv")}
    tables = {"compare": ("compare", "out.csv", "out.csv")}
    looked = {"check": ("check", MODEL), "convert": ("convert", MODEL, "-o", "out.toml")}
    drawn = {
        "plot": ("plot", MODEL, STEP, "-o", "out.png"),
        "report": ("report", MODEL, STEP, "-o", "out.html"),
        "animate": ("animate", MODEL, STEP, "-o", "out.gif", *FILM),
        "export": ("export", MODEL, STEP, "-o", "out.glb"),
        "run": ("run", MODEL, STEP, "-o", "folder"),
    }
    forced = {
        "inverse": ("inverse", MODEL, "-o", "out.csv"),
        "statics": ("statics", MODEL, "-o", "out.csv"),
        "simulate": ("simulate", MODEL, "-o", "out.csv"),
        "linearize": ("linearize", MODEL, "--free", "d", "--about", "position"),
    }
    proven = {"verify": ("verify", MODEL)}
    swept = {"sweep": ("sweep", MODEL, STEP, "--workers", "1", "-o", "out.parquet")}
    stored = {"kinematics to Parquet": ("kinematics", MODEL, STEP, "-o", "out.parquet")}
    return [
        Family("bodies of the plane", "body", sizes, lift, {**moved, **tables, **looked, **proven, **drawn}),
        Family("bodies with masses", "body", sizes, loaded_lift, forced),
        Family("chain in space", "body", sizes, chain, {**simulated, **tables, **looked, **drawn}),
        Family("loops in space", "body", sizes, lift_in_space, {**moved, **tables, **looked}),
        Family("points of interest", "point", sizes, points, {**moved, **tables, **looked, **drawn}),
        Family("rows", "row", tuple(100 * size for size in sizes), rows, {**moved, **stored, **tables, **drawn}),
        Family("variants", "variant", tuple(100 * size for size in sizes), variants, swept),
        Family("simulated variants", "variant", sizes, simulated_variants, swept),
    ]


def filled(command: Sequence[str], model: Sequence[str]) -> list[str]:
    """The arguments of a command for a model: its file, and how its rows are asked for."""
    parts = {MODEL: model[:1], STEP: model[1:]}
    return [part for word in command for part in parts.get(word, (word,))]


def cost(arguments: Sequence[str], folder: str, limit: float) -> Cost:
    """One command in a process of its own, which may take so many seconds of the processor."""
    most = max(1, math.ceil(limit))
    child = subprocess.Popen(
        arguments,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most)),
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    late = child.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    ended = "too slow" if late else f"exit {child.returncode}" if child.returncode else ""
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, ended)


def measured(family: Family, folder: str, seconds: float) -> dict[str, list[Cost]]:
    """Every command at every size, up to the first that does not end well; small sizes first."""
    out: dict[str, list[Cost]] = {name: [] for name in family.commands}
    for size in family.sizes:
        model = family.write(size, Path(folder))
        for table in Path(folder).glob("out.csv"):  # of the size before
            table.unlink()
        for name, command in [*family.commands.items()][: sized(None, 1)]:
            if seconds > 1 and not any(one.ended for one in out[name]):
                arguments = [mubo_command(), *filled(command, model)]
                tries = [cost(arguments, folder, seconds / 3)]
                while len(tries) < sized(3, 1) and tries[-1].seconds < SHORT and not tries[-1].ended:
                    tries.append(cost(arguments, folder, seconds / 3))
                out[name].append(min(tries, key=lambda one: (one.ended, one.seconds)))
                seconds -= sum(one.seconds for one in tries)
    return out


def grown(sizes: Sequence[int], costs: Sequence[Cost]) -> tuple[str, str]:
    """The fitted exponent, and the memory of each body, point or row."""
    well = [(size, one) for size, one in zip(sizes, costs, strict=False) if not one.ended]
    if len(well) < 2:
        return "-", "-"
    (few, least), (many, most) = well[0], well[-1]
    added = [(size - few, one.seconds - least.seconds) for size, one in well]
    long = [(size, seconds) for size, seconds in added if seconds > LEAST]
    power = f"{exponent(tuple(s for s, _ in long), [t for _, t in long]):.2f}" if len(long) > 1 else "-"
    return power, f"{max(most.memory - least.memory, 0) / (many - few) / 1000:.1f} kB"


def lines(family: Family, folder: str, seconds: float) -> list[list[str]]:
    out = [[family.name, *(f"{size:,}" for size in family.sizes), "exponent", f"memory of a {family.each}"]]
    for name, costs in measured(family, folder, seconds).items():
        shown = [one.ended or duration(one.seconds) for one in costs]
        shown += ["-"] * (len(family.sizes) - len(shown))
        out.append([name, *shown, *grown(family.sizes, costs)])
    return out


def main() -> None:
    given = [word for word in sys.argv[1:] if not word.startswith("--")]
    seconds = float(given[0]) if given else 3600.0
    largest = int(given[1]) if len(given) > 1 else SIZES[-1]
    named = given[2:]
    every = [family for family in families(largest) if not named or family.name in named][: sized(None, 2)]
    if not every:
        raise SystemExit(f"tables are {', '.join(family.name for family in families(largest))}")
    print(f"whole processes, in all at most about {seconds:g} s of the processor")
    for family in every:
        with tempfile.TemporaryDirectory() as folder:
            print()
            print_table(lines(family, folder, seconds / len(every)))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
