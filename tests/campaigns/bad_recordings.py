"""Recordings that are wrong: mutated copies of the synthetic walk, in the plane, in space and with a skeleton.

`python tests/campaigns/bad_recordings.py --seconds 60 [--first SEED] [--families plane]`. A case draws one mistake of a
laboratory with numbers by chance; it must be refused or noted in words that name it. A case is its seed.
"""

import re
import sys
import tempfile
from pathlib import Path

import numpy as np
from tallied import campaign

sys.path.append(str(Path(__file__).parents[1]))

import synthetic_skeleton
import synthetic_walker as plane
import synthetic_walker_space as walker

import mubo

T = np.arange(90) / 50.0
SPACE = walker.model_text()
MODELS = {
    "plane": SPACE.replace("dimension = 3\n", "").replace("[0, -9.81, 0]", "[0, -9.81]"),
    "space": SPACE,
    "skeleton": synthetic_skeleton.MODEL,
}
FAMILIES = tuple(MODELS)
FORCES = walker.force_text(T)
COLUMNS = FORCES.splitlines()[6].split("\t")
TABLE = np.array([line.split("\t") for line in FORCES.splitlines()[7:]], float)
LATER = {
    str(late): np.array([line.split("\t") for line in walker.force_text(T + late).splitlines()[7:]], float)
    for late in (-0.12, -0.06, 0.06, 0.12)
}
FULL = walker.markers(T)
SEEN = {name: at for name, at in FULL.items() if "KNE" not in name and "ANK" not in name}
BONES = ("RASI", "LASI", "SACR", "RHEE", "LHEE", "RTOE", "LTOE")


class Walk:
    """Files of a walk before they are written: what a mutation changes."""

    def __init__(self, seed, family):
        self.rng, self.family = np.random.default_rng([31, seed]), family
        self.held = {name: at + self.rng.normal(0, 2e-4, at.shape) for name, at in SEEN.items()}
        self.text, self.still, self.table = MODELS[family], walker.markers(T[:5], still=True), TABLE.copy()

    def column(self, name):
        return self.table[:, COLUMNS.index(name)]

    def one(self, names):
        return str(self.rng.choice(list(names)))

    def run(self):
        """Refusal or notes of a gait analysis of the files."""
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            rows = ("\t".join(f"{x:.9g}" for x in row) for row in self.table)
            forces = "\n".join([*FORCES.splitlines()[:7], *rows]) + "\n"
            path = walker.write(here, T, self.text, self.held, forces)
            (here / "static.trc").write_text(plane.trc(self.still, T[:5], rate=50, decimals=6))
            (here / "person.osim").write_text(synthetic_skeleton.skeleton_text())
            try:
                return "\n".join(mubo.load(path).gait().notes)
            except mubo.MuboError as error:
                return f"refused: {error}"


def swapped(walk):
    """Two markers of one leg or of both, from a frame on, for some frames or in all."""
    side = walk.one("RL")
    names = [f"{side}{word}" for word in ("TH0", "TH1", "TH2", "SH0", "SH1", "SH2", "HEE", "TOE", "MET")]
    first, second = walk.rng.choice(names, 2, replace=False)
    start = int(walk.rng.integers(0, 60))
    frames = slice(start, start + int(walk.rng.choice([4, 12, 90])))
    a, b = walk.held[first], walk.held[second]
    a[frames], b[frames] = b[frames].copy(), a[frames].copy()
    return rf"({first}|{second}|exchanged|are not those of the static trial)"


def missing(walk):
    """A marker that the model names is in no frame; a skeleton only loses one of many."""
    name = walk.one(BONES)
    del walk.held[name]
    return rf"{name}|LASI, SACR|30 of its markers|3[0-9] of its markers|{name[0]}.*foot|needs"


def lost(walk):
    """A marker that the model names is blank for half a second and more."""
    name = walk.one(("RHEE", "LHEE", "RTOE", "LTOE"))
    start = int(walk.rng.integers(5, 40))
    walk.held[name][start : start + int(walk.rng.integers(25, 40))] = np.nan
    return rf"{name}|gap|missing|seen|foot_{name[0].lower()}"


def mirrored(walk):
    """The laboratory is left-handed: z to the left."""
    walk.held = {name: at * [1, 1, -1] for name, at in walk.held.items()}
    walk.still = {name: at * [1, 1, -1] for name, at in walk.still.items()}
    return r"mirror|upside down"


def legs(walk):
    """The names of both legs are exchanged in the recording."""
    other = {"R": "L", "L": "R"}
    walk.held = {(name if name == "SACR" else other[name[0]] + name[1:]): at for name, at in walk.held.items()}
    walk.still = {(name if name == "SACR" else other[name[0]] + name[1:]): at for name, at in walk.still.items()}
    return r"exchanged|upside down|mirror"


def foot(walk):
    """Each plate is declared to be under the other foot."""
    foot_of = {"right": "left", "left": "right"}
    for side, number in (("right", 1), ("left", 2)):
        walk.text = walk.text.replace(f'force = "f{number}_"', f'foot = "{foot_of[side]}"\nforce = "f{number}_"')
    return r"acts .* away from it|it is under|is under foot"


def marker_unit(walk):
    """Millimetres that are read as metres, and the like."""
    factor = float(walk.rng.choice([1e-3, 1e-2, 10, 100, 1e3]))
    walk.held = {name: at * factor for name, at in walk.held.items()}
    walk.still = {name: at * factor for name, at in walk.still.items()}
    return r"unit|times as far apart"


def force_unit(walk):
    """Kilonewtons, kilograms or pounds that are read as newtons."""
    factor = float(walk.rng.choice([1e-3, 1 / 9.80665, 1 / 4.4482216, 1e3]))
    for name in COLUMNS:
        if name[0] in "fm":
            walk.column(name)[:] *= factor
    return r"unit"


def plates(walk):
    """The forces of both plates are exchanged."""
    for letter in "xyz":
        for head in "fpm":
            first, second = walk.column(f"{head}1_{letter}"), walk.column(f"{head}2_{letter}")
            first[:], second[:] = second.copy(), first.copy()
    return r"under the|acts|is under foot"


def origin(walk):
    """The centre of pressure of a plate is counted from elsewhere."""
    number, letter = walk.one("12"), "x" if walk.family == "plane" else walk.one("xz")
    walk.column(f"p{number}_{letter}")[:] += float(walk.rng.choice([-1, 1]) * walk.rng.uniform(0.3, 1.5))
    return r"away from it|centres? of pressure|agree|is under|plate"


def sense(walk):
    """A force has the other sense along one axis."""
    number, letter = walk.one("12"), walk.one("xy" if walk.family == "plane" else "xyz")
    walk.column(f"f{number}_{letter}")[:] *= -1
    return r"points down|sense|reversed|motion"


def clock(walk):
    """The forces are recorded later or earlier than the markers."""
    late = walk.one(LATER)
    walk.table[:, 1:] = LATER[late][:, 1:]
    # In the plane a person who leans in space leaves so much that 0.06 s are no more than centres that are moved.
    return r"later|earlier|clock" + ("|centres of pressure" if walk.family == "plane" else "")


def mass(walk):
    """The person has another mass than [subject] states."""
    kilograms = walk.one(["45", "52", "90", "110"])
    walk.text = walk.text.replace('mass = "70 kg"', f'mass = "{kilograms} kg"')
    return rf"{kilograms} kg"


def frozen(walk):
    """A marker keeps its place for some frames."""
    name, start = walk.one(walk.held), int(walk.rng.integers(5, 60))
    walk.held[name][start : start + int(walk.rng.integers(6, 25))] = walk.held[name][start]
    return rf"{name}"


def repeated(walk):
    """All markers are repeated for some frames."""
    start, count = int(walk.rng.integers(5, 60)), int(walk.rng.integers(3, 8))
    for at in walk.held.values():
        at[start : start + count] = at[start]
    return r"frames are repeated|frozen"


def moved(walk):
    """A marker of a thigh or shank is put on elsewhere for the walk."""
    name = walk.one(name for name in walk.held if name[1:3] in ("TH", "SH"))
    shift = walk.rng.normal(size=3)
    walk.held[name] = walk.held[name] + 0.06 * shift / np.linalg.norm(shift)
    return rf"{name}|fit within|are not those of the static trial"


def jump(walk):
    """A marker is elsewhere in one frame."""
    name, frame = walk.one(walk.held), int(walk.rng.integers(8, 80))
    walk.held[name][frame] += walk.rng.choice([-1, 1], 3) * walk.rng.uniform(0.1, 0.3)
    return rf"{name}"


def other_person(walk):
    """The static trial is of a person of another size."""
    factor = float(walk.rng.choice([0.85, 1.15]))
    walk.still = {name: at * factor for name, at in walk.still.items()}
    return r"another person|one person|sits elsewhere|distance|residuals" if walk.family != "skeleton" else r""


def gravity(walk):
    """Gravity points up."""
    walk.text = walk.text.replace("-9.81", "9.81")
    return r"gravity"


MUTATIONS = (swapped, missing, lost, mirrored, legs, foot, marker_unit, force_unit, plates, origin, sense, clock, mass)
MUTATIONS += (frozen, repeated, moved, jump, other_person, gravity)
MIRRORED_IN_THE_PLANE = "skipped: the third axis takes no part in the plane"


def case(seed, family):
    """One mutation of the walk of a family; "right" where it is named."""
    mutation = MUTATIONS[seed % len(MUTATIONS)]
    walk = Walk(seed, family)
    pattern = mutation(walk)
    if not pattern:
        return "skipped: no static trial", ""
    try:
        answer = walk.run()
    except Exception as error:  # the campaign's business: a traceback is the worst answer
        return "WRONG: a traceback", f"{mutation.__name__}: {type(error).__name__}: {error}"
    if re.search(pattern, answer, re.DOTALL):
        return "right: refused" if answer.startswith("refused") else "right: noted", ""
    return "WRONG: not named", f"{mutation.__name__}, expected {pattern}; found {answer[:400]}"


if __name__ == "__main__":
    campaign(__doc__, FAMILIES, case)
