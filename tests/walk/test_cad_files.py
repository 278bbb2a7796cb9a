"""Outlines from DXF drawings and masses from tables of CAD programs, written here by programs that are not mubo's."""

import math

import ezdxf
import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.geometry.polygons import moments

MODEL = """
name = "drawn"
units = {{ length = "mm", angle = "deg", mass = "kg", time = "s" }}
{top}
[body.ground]
points = {{ A = [0, 0] }}
[body.plate]
points = {{ A = [0, 0], B = [40, 0] }}
{body}
[joint.A]
type = "revolute"
between = ["ground.A", "plate.A"]
{outline}
"""


def load(tmp_path, top="", body="", outline=""):
    path = tmp_path / "drawn.toml"
    path.write_text(MODEL.format(top=top, body=body, outline=outline))
    return mubo.load(path)


def drawing(tmp_path, draw, unit=4, layer="plate"):
    """A slot shape of 40 × 20 mm with round ends, drawn in some way."""
    document = ezdxf.new(units=unit)
    draw(document.modelspace(), {"layer": layer})
    document.modelspace().add_circle((0, 0), 3, {"layer": layer})
    document.saveas(tmp_path / "plate.dxf")


def as_lines(space, look):
    space.add_line((0, -10), (40, -10), look)
    space.add_arc((0, 0), 10, 90, 270, dxfattribs=look)
    space.add_line((0, 10), (40, 10), look)  # drawn the other way round than its neighbours
    space.add_arc((40, 0), 10, 270, 90, dxfattribs=look)


def as_polyline(space, look):
    space.add_lwpolyline([(0, -10, 0), (40, -10, 1), (40, 10, 0), (0, 10, 1)], "xyb", close=True, dxfattribs=look)


def as_old_polyline(space, look):
    space.add_polyline2d([(0, 10, 0), (40, 10, -1), (40, -10, 0), (0, -10, -1)], "xyb", close=True, dxfattribs=look)


@pytest.mark.parametrize("draw", [as_lines, as_polyline, as_old_polyline])
def test_an_outline_is_the_contour_that_encloses_most(tmp_path, draw):
    drawing(tmp_path, draw)
    polygon = load(tmp_path, outline='[outline.plate]\nfile = "plate.dxf"').outlines["plate"]["polygon"]
    area = 40 * 20 + math.pi * 100
    assert abs(moments(np.array(polygon)).area) == pytest.approx(area, rel=1e-3)  # chords: within 1e-4 of 60 mm
    assert np.ptp(polygon, axis=0) == pytest.approx([60, 20], abs=0.012)
    assert len(polygon) > 20


def test_a_drawing_in_inches_and_one_without_a_unit(tmp_path):
    drawing(tmp_path, as_polyline, unit=1, layer="0")
    polygon = load(tmp_path, outline='[outline.plate]\nfile = "plate.dxf"').outlines["plate"]["polygon"]
    assert np.ptp(polygon, axis=0)[1] == pytest.approx(20 * 25.4, rel=1e-3)
    drawing(tmp_path, as_polyline, unit=0)
    polygon = load(tmp_path, outline='[outline.plate]\nfile = "plate.dxf"').outlines["plate"]["polygon"]
    assert np.ptp(polygon, axis=0)[1] == pytest.approx(20, rel=1e-3)


def test_plates_that_were_exported_come_back(tmp_path):
    """The contour of a link of the Jansen leg; a drawing shows where it stands on the sheet, not its own axes."""
    parts = mubo.load(EXAMPLES / "jansen_leg.toml").parts(hole=4, width=12)
    parts.save(tmp_path / "plate.dxf")
    outline = '[outline.plate]\nfile = "plate.dxf"\ndrawn_in = "shoulder"'
    polygon = np.array(load(tmp_path, outline=outline).outlines["plate"]["polygon"])
    (shoulder,) = [plate for plate in parts.plates if plate.body == "shoulder"]
    assert moments(polygon).area == pytest.approx(shoulder.contour.moments.area, rel=1e-3)


@pytest.mark.parametrize(
    ("outline", "words"),
    [
        ('file = "none.dxf"', "none.dxf"),
        ('file = "plate.dxf"\ndrawn_in = "plates"', 'has no layer "plates"'),
        ('file = "plate.dxf"\npolygon = [[0, 0], [1, 0], [0, 1]]', "a file or a polygon, not both"),
        ('file = "open.dxf"', "has no closed contour"),
        ('file = "words.dxf"', "is no text DXF"),
    ],
)
def test_drawings_without_an_outline_are_named(tmp_path, outline, words):
    drawing(tmp_path, as_polyline)
    document = ezdxf.new()
    document.modelspace().add_line((0, 0), (1, 0), {"layer": "plate"})
    document.saveas(tmp_path / "open.dxf")
    (tmp_path / "words.dxf").write_text("a drawing\nof a plate\n")
    with pytest.raises(mubo.ModelError) as refused:
        load(tmp_path, outline=f"[outline.plate]\n{outline}")
    assert words in str(refused.value)
    assert "drawn.toml" in str(refused.value)


def test_a_drawing_is_for_model_files():
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.outline("crank", file="crank.dxf")
    with pytest.raises(mubo.ModelError, match="in Python give its polygon"):
        model.kinematics()


def test_masses_come_from_a_table(tmp_path):
    (tmp_path / "cad.csv").write_text("part,mass [g],x [mm],y [cm],Izz [g mm^2]\nplate,250,20,0.1,52000\n\n")
    body = load(tmp_path, top='masses = "cad.csv"').build().bodies["plate"].own
    assert body.mass == pytest.approx(0.25, rel=1e-14)
    assert body.center == pytest.approx((20, 1), rel=1e-14)
    assert body.inertia[0] == pytest.approx(52, rel=1e-14)


def test_masses_in_space(tmp_path):
    (tmp_path / "cad.csv").write_text("Name;mass;x;y;z;Ixx;Iyy;Izz;Ixy\nlink;2;0;0;0.5;3;4;5;0.1\n")
    path = tmp_path / "space.toml"
    path.write_text(
        'dimension = 3\ngravity = [0, 0, -9.81]\nmasses = "cad.csv"\n[body.link]\npoints = { A = [0, 0, 0] }\n'
        '[body.ground]\npoints = { A = [0, 0, 0] }\n[joint.A]\ntype = "spherical"\nbetween = ["ground.A", "link.A"]\n'
    )
    body = mubo.load(path).build().bodies["link"].own
    assert (body.mass, body.center) == (2, (0, 0, 0.5))
    assert body.inertia == pytest.approx((3, 4, 5, 0.1, 0, 0))


@pytest.mark.parametrize(
    ("table", "body", "words"),
    [
        ("part,mass\nplate,heavy\n", "", 'cad.csv, line 2, mass: expected a number; found "heavy"'),
        ("part,mass\nplate,1,2\n", "", "cad.csv, line 2: 2 cells are needed; found 3"),
        ("part,mas\nplate,1\n", "", 'there is no column "mas" in a table of masses. Did you mean "mass"?'),
        ("mass,x\n1,2\n", "", 'has the columns "part" and "mass"'),
        ("part,mass\nplate,1\n", "mass = 2", "body plate: its mass stands in cad.csv, line 2, and in the model file"),
        ("part,mass [m]\nplate,1\n", "", "is no mass"),
    ],
)
def test_tables_of_masses_that_are_wrong(tmp_path, table, body, words):
    (tmp_path / "cad.csv").write_text(table)
    with pytest.raises(mubo.ModelError) as refused:
        load(tmp_path, top='masses = "cad.csv"', body=body)
    assert words in str(refused.value)


def test_a_part_that_is_no_body_is_noted(tmp_path):
    (tmp_path / "cad.csv").write_text("part,mass,x,y,Izz\nplat,1,0,0,1\n")
    with pytest.warns(UserWarning, match='cad.csv: plat: no body has this name. Did you mean "plate"'):
        load(tmp_path, top='masses = "cad.csv"')
