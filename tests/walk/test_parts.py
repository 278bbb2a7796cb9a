"""Links as parts to cut: read back by ezdxf; areas by closed forms; what does not fit is named."""

import csv
import math

import ezdxf
import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.applications.workshop.plates import plates_of

HOLE, WIDTH = 4.0, 12.0  # mm


@pytest.fixture(scope="module")
def leg():
    return mubo.load(EXAMPLES / "jansen_leg.toml")


def test_holes_of_the_drawing_are_where_the_joints_are(leg, tmp_path):
    leg.save_parts(tmp_path / "leg.dxf", hole="4 mm", width="12 mm")
    drawing = ezdxf.readfile(tmp_path / "leg.dxf")
    assert drawing.header["$INSUNITS"] == 4  # millimetres
    contours = {one.dxf.layer: one for one in drawing.modelspace().query("POLYLINE")}
    assert set(contours) == set(leg.bodies) - {"ground"}
    for name, contour in contours.items():
        assert contour.is_closed
        circles = list(drawing.modelspace().query(f'CIRCLE[layer=="{name}"]'))
        assert {one.dxf.radius for one in circles} == {HOLE / 2}
        points = np.array(sorted(leg.bodies[name].points.values()), float)
        centers = np.array(sorted(tuple(one.dxf.center)[:2] for one in circles))
        assert np.allclose(centers - centers[0], points - points[0], atol=1e-9)  # as placed on the sheet, not turned


def test_a_bar_with_round_ends_has_the_area_of_a_rectangle_and_a_circle(leg):
    plates = {plate.body: plate for plate in plates_of(leg.build(), HOLE, WIDTH)}
    area = 50 * WIDTH + math.pi * (WIDTH / 2) ** 2 - 2 * math.pi * (HOLE / 2) ** 2  # the upper rod is 50 mm long
    assert plates["upper_rod"].area == pytest.approx(area, rel=1e-12)
    low, high = plates["upper_rod"].box
    assert high - low == pytest.approx([50 + WIDTH, WIDTH], rel=1e-12)
    # A triangle with sides e, b, d goes out by its circumference times R and a whole circle (Steiner's formula).
    b, d, e = 41.5, 40.1, 55.8
    half = (b + d + e) / 2
    triangle = math.sqrt(half * (half - b) * (half - d) * (half - e))
    area = triangle + 2 * half * WIDTH / 2 + math.pi * (WIDTH / 2) ** 2 - 3 * math.pi * (HOLE / 2) ** 2
    assert plates["shoulder"].area == pytest.approx(area, rel=1e-9)


def test_parts_of_the_command_line(command, tmp_path):
    command("examples", "jansen_leg")
    done = command(
        *("export", "jansen_leg.toml", "--parts", "leg.svg", "--parts", "leg.csv", "--hole", "4 mm", "--width", "12 mm")
    )
    assert done.returncode == 0, done.stderr
    lines = list(csv.DictReader((tmp_path / "leg.csv").read_text().splitlines()))
    assert [line["part"] for line in lines][:2] == ["crank", "upper_rod"]
    assert float(lines[1]["length [mm]"]) == pytest.approx(50 + WIDTH, rel=1e-12)
    assert (tmp_path / "leg.svg").read_text().count("<path") == 7


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"width": "12 mm"}, "the diameter of the pin is not known"),
        ({"hole": "4 mm"}, "body crank: its width is not known"),
        ({"hole": "14 mm", "width": "12 mm"}, "body crank: the hole of shaft is 1.17 times as wide as the link"),
        ({"hole": "16 mm", "width": "40 mm"}, "body crank: the holes of shaft and pin_upper overlap"),
    ],
)
def test_parts_that_cannot_be_made_are_named(leg, given, message, tmp_path):
    with pytest.raises(mubo.ModelError, match=message):
        leg.save_parts(tmp_path / "leg.dxf", **given)
    assert not (tmp_path / "leg.dxf").exists()


def test_a_polygon_keeps_its_form_in_either_sense(leg):
    """An L of area 3 with its corners clockwise is no hull."""
    corners = [(0, 0), (0, 2), (1, 2), (1, 1), (2, 1), (2, 0)]
    for ring in (corners, corners[::-1]):
        model = leg.copy()
        model.outline("crank", polygon=ring)
        (plate,) = [one for one in plates_of(model.build(), 0.1, WIDTH) if one.body == "crank"]
        assert plate.area == pytest.approx(3 - 2 * math.pi * 0.05**2, rel=1e-12)
