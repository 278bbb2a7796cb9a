"""The plates of a linkage as Open Cascade reads them from a STEP file: valid solids of the volume area times thickness,
and how far plates and pins of the assembly overlap.

It needs `pip install cadquery-ocp-novtk`, some hundred megabytes, and so is no part of the tests, in which Euler's
formula is asked of the same file and its edges are counted:

    python tests/campaigns/solids.py
"""

import tempfile
from itertools import combinations
from pathlib import Path

from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.GProp import GProp_GProps
from OCP.STEPControl import STEPControl_Reader

import mubo

LEG = Path(__file__).parents[2] / "examples/jansen_leg.toml"
THICK = 3.0  # mm


def volume(shape):
    found = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, found)
    return found.Mass()


def judge(at):
    """How many solids are wrong, of parts side by side or put together; and what overlaps."""
    parts = mubo.load(LEG).parts(hole="4 mm", width="12 mm", thickness=f"{THICK} mm", at=at)
    reader = STEPControl_Reader()
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "leg.step"
        parts.save(path)
        reader.ReadFile(str(path))
        count, wrong = reader.TransferRoots(), 0
    shapes = {}
    for k, one in enumerate(parts.placed, 1):
        shape, plate = reader.Shape(k), one.plate
        wanted = plate.thickness * plate.moments.area
        right = BRepCheck_Analyzer(shape).IsValid() and abs(volume(shape) - wanted) < 1e-9 * wanted
        wrong += not right
        shapes[plate.body] = shape
        print(f"{plate.body}: {volume(shape):.9g} mm^3, wanted {wanted:.9g}: {'right' if right else 'WRONG'}")
    print(f"{count} solids, {wrong} wrong\n")
    return wrong + abs(count - len(parts.placed)), shapes


def main() -> int:
    wrong, _ = judge(None)
    more, shapes = judge("0.1 s")
    plates = mubo.load(LEG).bodies
    for one, two in combinations(shapes, 2):
        common = volume(BRepAlgoAPI_Common(shapes[one], shapes[two]).Shape())
        if common > 1e-6 * volume(shapes[one]):
            both = one in plates and two in plates
            more += both
            print(
                f"{one} and {two} overlap by {common:.4g} mm^3{': WRONG' if both else ', a pin that crosses a plate'}"
            )
    print(f"{len(shapes) * (len(shapes) - 1) // 2} pairs of the assembly")
    return int(wrong + more > 0)


if __name__ == "__main__":
    raise SystemExit(main())
