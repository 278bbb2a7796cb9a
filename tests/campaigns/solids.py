"""The plates of a linkage as Open Cascade reads them from a STEP file: valid solids of the volume area times thickness.

It needs `pip install cadquery-ocp-novtk`, some hundred megabytes, and so is no part of the tests, in which Euler's
formula is asked of the same file and its edges are counted:

    python tests/campaigns/solids.py
"""

import tempfile
from pathlib import Path

from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.GProp import GProp_GProps
from OCP.STEPControl import STEPControl_Reader

import mubo

LEG = Path(__file__).parents[2] / "examples/jansen_leg.toml"
THICK = 3.0  # mm


def main() -> int:
    parts = mubo.load(LEG).parts(hole="4 mm", width="12 mm", thickness=f"{THICK} mm")
    reader = STEPControl_Reader()
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "leg.step"
        parts.save(path)
        reader.ReadFile(str(path))
        count, wrong = reader.TransferRoots(), 0
    for k, plate in enumerate(parts.plates, 1):
        shape, found = reader.Shape(k), GProp_GProps()
        BRepGProp.VolumeProperties_s(shape, found)
        wanted = THICK * plate.moments.area
        right = BRepCheck_Analyzer(shape).IsValid() and abs(found.Mass() - wanted) < 1e-9 * wanted
        wrong += not right
        print(
            f"{plate.body}: {found.Mass():.9g} mm^3, area times thickness {wanted:.9g}: {'right' if right else 'WRONG'}"
        )
    print(f"{count} solids, {wrong} wrong")
    return int(wrong > 0 or count != len(parts.plates))


if __name__ == "__main__":
    raise SystemExit(main())
