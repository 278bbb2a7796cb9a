"""Links as parts to cut: read back by ezdxf; areas and inertias by closed forms; closed solids; what does not fit."""

import csv
import math
import re

import ezdxf
import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.applications.workshop.plates import PlateSizes, plates_of
from mubo.geometry.contours import Contour, offset_contour
from mubo.geometry.polygons import moments, triangles
from mubo.geometry.triangle_meshes import read_mesh

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
    plates = {plate.body: plate for plate in plates_of(leg.build(), PlateSizes(HOLE, WIDTH))}
    area = 50 * WIDTH + math.pi * (WIDTH / 2) ** 2 - 2 * math.pi * (HOLE / 2) ** 2  # the upper rod is 50 mm long
    assert plates["upper_rod"].moments.area == pytest.approx(area, rel=1e-12)
    low, high = plates["upper_rod"].contour.box
    assert high - low == pytest.approx([50 + WIDTH, WIDTH], rel=1e-12)
    # A triangle with sides e, b, d goes out by its circumference times R and a whole circle (Steiner's formula).
    b, d, e = 41.5, 40.1, 55.8
    half = (b + d + e) / 2
    triangle = math.sqrt(half * (half - b) * (half - d) * (half - e))
    area = triangle + 2 * half * WIDTH / 2 + math.pi * (WIDTH / 2) ** 2 - 3 * math.pi * (HOLE / 2) ** 2
    assert plates["shoulder"].moments.area == pytest.approx(area, rel=1e-9)


def test_moments_of_lines_and_arcs():
    """A disc has r⁴ π/2; any contour has the moments of a polygon with very many corners on it, arcs inwards too."""
    disc = offset_contour(np.array([[3.0, 4.0]]), 2.0).moments
    assert (disc.area, disc.polar) == pytest.approx((4 * math.pi, 8 * math.pi), rel=1e-14)
    assert disc.center == pytest.approx([3, 4], abs=1e-14)
    waved = Contour(np.array([[0, 0], [4, 0], [4, 3], [0, 3.0]]), np.array([0, 0.5, -0.3, 0]))
    fine = moments(waved.corners(1e-7))
    assert waved.moments.area == pytest.approx(fine.area, rel=1e-7)
    assert waved.moments.center == pytest.approx(fine.center, rel=1e-7)
    assert waved.moments.polar == pytest.approx(fine.polar, rel=1e-7)
    # 4 × 3, and segments of a circle beside it and cut out of it
    corners = waved.corners(1e-7)
    assert waved.box[0] == pytest.approx(corners.min(axis=0), abs=1e-6)
    assert waved.box[1] == pytest.approx(corners.max(axis=0), abs=1e-6)


def test_a_body_weighs_what_its_plate_weighs():
    """The shape "link" by Steiner's formula, the plate by Green's theorem: mass, centre and inertia of a triangle."""
    model = mubo.Model("plate")
    points = {"A": (0, 0), "B": (3, 0.2), "C": (1, 2)}
    shape = {"kind": "link", "width": 0.8, "thickness": 0.05, "hole": 0.3, "holes": ["A", "B"]}
    model.body("link", points=points, shape=shape, density=7850)
    model.ground.point("A", (0, 0))
    model.revolute("A", "ground.A", "link.A")
    model.body("other", points={"B": (0, 0), "D": (1, 0)})
    model.revolute("B", "link.B", "other.B")
    body = model.build().bodies["link"].own
    (plate, *_) = plates_of(model.build(), PlateSizes(hole=0.1, width=0.2))
    assert [hole.diameter for hole in plate.holes] == [0.3, 0.3]
    assert body.mass == pytest.approx(plate.mass, rel=1e-13)
    assert body.center == pytest.approx(plate.moments.center, rel=1e-13)
    assert body.inertia[0] == pytest.approx(plate.inertia, rel=1e-13)


def test_a_mass_follows_the_parameters_of_its_link(tmp_path):
    """∂m/∂b of a bar L × b with round ends: ρ t (L + π b/2)."""
    text = """
[parameters]
b = 0.1
[body.link]
points = { A = [0, 0], B = [1, 0] }
shape = { kind = "link", width = "b", thickness = 0.01 }
density = 1000
"""
    path = tmp_path / "link.toml"
    path.write_text(text)
    mass = mubo.load(path).build().bodies["link"].own.mass
    assert mass == pytest.approx(10 * (0.1 + math.pi * 0.05**2), rel=1e-13)
    assert mass.slope("b") == pytest.approx(10 * (1 + math.pi * 0.05), rel=1e-12)


def test_a_polygon_with_holes_is_covered_by_triangles_once():
    outer = offset_contour(np.array([[0, 0], [60, 3], [20, 40.0]]), 6).corners(0.05)
    holes = [offset_contour(np.array(at, float), 2).corners(0.05) for at in ([[0, 0]], [[60, 3]], [[10, 8], [40, 9]])]
    parts = triangles(outer, holes)
    assert len(parts) == len(outer) + sum(map(len, holes)) + 2 * len(holes) - 2
    twice = [float((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0]) for a, b, c in parts]
    assert min(twice) >= -1e-12
    area = moments(outer).area - sum(moments(hole).area for hole in holes)
    assert sum(twice) / 2 == pytest.approx(area, rel=1e-12)


def edges_of(triangle_list):
    """Directed edges of triangles, as pairs of places."""
    corners = np.round(triangle_list, 6)
    return [(tuple(t[k]), tuple(t[(k + 1) % 3])) for t in corners for k in range(3)]


def test_solids_of_triangles_close_and_have_the_volume_of_their_plates(leg, tmp_path):
    """Every edge is walked once each way; the volume is that of prisms on the chords, a little below that of arcs."""
    parts = leg.parts(hole="4 mm", width="12 mm", thickness="3 mm", at="0.1 s")
    parts.save(tmp_path / "leg.stl")
    text = (tmp_path / "leg.stl").read_text()
    assert text.count("endsolid") == len(parts.plates) + len(parts.pins)
    (tmp_path / "one.stl").write_text(text.partition("endsolid crank")[0] + "endsolid crank\n")
    mesh = read_mesh(tmp_path / "one.stl")
    edges = edges_of(mesh.triangles)
    assert len(edges) == len(set(edges))
    assert {(b, a) for a, b in edges} == set(edges)
    volume, center, _ = mesh.properties()
    assert volume == pytest.approx(3 * parts.plates[0].moments.area, rel=3e-3)
    turned = 2 * math.pi * 0.1
    assert center[:2] == pytest.approx([7.5 * math.cos(turned), 7.5 * math.sin(turned)], abs=1e-5)  # of the crank


def entities_of(path):
    """Entities of a STEP file by number: their text."""
    lines = path.read_text().partition("DATA;\n")[2].partition("ENDSEC;")[0].splitlines()
    return {number: rest.rstrip(";") for number, _, rest in (line.partition("=") for line in lines)}


def test_solids_of_step_are_closed_shells(leg, tmp_path):
    """Every reference exists; an edge bounds two faces, once in each sense; V − E + F − holes in faces = 2 (1 − g)."""
    parts = leg.parts(hole="4 mm", width="12 mm", thickness="3 mm")
    parts.save(tmp_path / "leg.step")
    entities = entities_of(tmp_path / "leg.step")
    for text in entities.values():
        assert all(number in entities for number in re.findall(r"#\d+", text))

    def named(word):
        return [text for text in entities.values() if text.startswith(f"{word}(")]

    oriented = [re.findall(r"#\d+|\.[TF]\.", text) for text in named("ORIENTED_EDGE")]
    assert sorted(map(tuple, oriented)) == sorted({tuple(one) for one in oriented})
    assert len(oriented) == 2 * len(named("EDGE_CURVE"))
    holes = sum(len(plate.holes) for plate in parts.plates)
    euler = len(named("VERTEX_POINT")) - len(named("EDGE_CURVE")) + len(named("ADVANCED_FACE"))
    rings = len(named("FACE_BOUND"))
    assert euler - rings == 2 * (len(parts.plates) - holes)
    assert re.findall(r"MANIFOLD_SOLID_BREP\('(\w+)'", "\n".join(entities.values())) == [p.body for p in parts.plates]


def test_a_slot_is_as_long_as_the_travel_of_its_pin():
    """The pin of a bell crank of 60 mm under a pull of ±30 mm: √(60² − x²) goes from 60 down to 30 √3."""
    model = mubo.load(EXAMPLES / "bell_crank.toml")
    plates = {plate.body: plate for plate in model.parts(hole=10, width=30).plates}
    (slot,) = plates["pull"].holes
    assert abs(slot.end[1] - slot.center[1]) == pytest.approx(60 - 30 * math.sqrt(3), rel=1e-9)
    straight = 30 * slot_length(slot) + math.pi * 15**2 - 10 * slot_length(slot) - math.pi * 5**2
    assert plates["pull"].moments.area == pytest.approx(straight, rel=1e-12)


def slot_length(slot):
    return math.dist(slot.center, slot.end)


def test_parts_put_together_meet_at_their_pins_and_lie_in_layers(leg):
    """Holes of one joint are at one place; joined plates do not lie in one layer."""
    placed = {one.plate.body: one for one in leg.parts(hole=4, width=12, thickness=3, at=0.37).placed}
    at = {}
    for one in placed.values():
        for hole, cut in zip(one.plate.holes, one.cuts, strict=True):
            at.setdefault(hole.joint, []).append((cut.moments.center, one.bottom))
    for places in at.values():
        assert np.allclose([center for center, _ in places], places[0][0], atol=1e-9)
        assert len({bottom for _, bottom in places}) == len(places)


def test_pins_reach_through_the_plates_that_they_join(leg, tmp_path):
    """One pin for all joints at one place, from its lowest to its highest plate; those of the ground into the base."""
    parts = leg.parts(hole=4, width=12, thickness=3, at=0.37)
    bodies = {plate.body for plate in parts.plates}
    plates = [one for one in parts.placed if one.plate.body in bodies]
    pins = [one for one in parts.placed if one.plate.body not in bodies]
    holes = {}
    for one in plates:
        for cut in one.cuts:
            holes.setdefault(tuple(np.round(cut.moments.center, 6)), []).append(one)
    at = {tuple(np.round(one.contour.moments.center, 6)): one for one in pins}
    fixed = {tuple(np.round(place, 6)) for place in leg.ground.points.values()}
    assert set(at) == set(holes)
    for place, pin in at.items():
        lowest = min(one.bottom for one in holes[place])
        assert pin.bottom == (-3 if place in fixed else lowest)
        assert pin.bottom + pin.plate.thickness == max(one.bottom for one in holes[place]) + 3
        assert pin.plate.moments.area == pytest.approx(math.pi * 2**2, rel=1e-12)
    assert [row[0] for row in parts.rows[-len(pins) :]] == [one.plate.body for one in pins]
    parts.save(tmp_path / "leg.step")
    assert (tmp_path / "leg.step").read_text().count("MANIFOLD_SOLID_BREP") == len(plates) + len(pins)
    assert not leg.parts(hole=4, width=12).pins


def test_plates_that_are_put_into_one_layer_and_overlap_are_named(leg):
    model = leg.copy()
    for name in ("crank", "upper_rod"):
        model.outline(name, layer=2)
    with pytest.raises(mubo.ModelError, match="body upper_rod and body crank overlap in layer 2"):
        _ = model.parts(hole=4, width=12, at=0).placed


def test_a_sheet_gives_the_distances_of_holes(leg, tmp_path):
    """The holy numbers of the leg stand on its sheet; the list of parts is below."""
    parts = leg.parts(hole="4 mm", width="12 mm", thickness="3 mm")
    words = {text.get_text() for axes in parts.plot(tmp_path / "leg.pdf").axes for text in axes.texts}
    assert {"15", "50", "61.9", "39.3", "39.4", "36.7", "49", "65.7", "41.5", "40.1", "55.8"} <= words
    assert {"scale 1 : 1", "Jansen leg", "2 × ⌀4   R6   t = 3"} <= words
    assert (tmp_path / "leg.pdf").read_bytes().startswith(b"%PDF")


def test_parts_of_the_command_line(command, tmp_path):
    command("examples", "jansen_leg")
    done = command(
        *("export", "jansen_leg.toml", "-o", "leg.svg", "--parts", "leg.csv", "--hole", "4 mm", "--width", "12")
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
        (
            {"hole": "4 mm"},
            "bodies crank, upper_rod, shoulder, lower_rod, link, strut and leg: their width is not known",
        ),
        ({}, r"pin_upper, .*: the diameter of the pin is not known; bodies crank, .* --hole '6 mm' --width '20 mm'"),
        ({"hole": "14 mm", "width": "12 mm"}, "body crank: the hole of shaft is 1.17 times as wide as the link"),
        ({"hole": "4 mm", "width": "12 mm", "thickness": "0 mm"}, "thickness: must be positive"),
        ({"hole": "16 mm", "width": "40 mm"}, "body crank: the holes of shaft and pin_upper overlap"),
    ],
)
def test_parts_that_cannot_be_made_are_named(leg, given, message, tmp_path):
    with pytest.raises(mubo.ModelError, match=f"(?s){message}"):
        leg.save_parts(tmp_path / "leg.dxf", **given)
    assert not (tmp_path / "leg.dxf").exists()


def test_a_polygon_keeps_its_form_in_either_sense(leg):
    """An L of area 3 with its corners clockwise is no hull."""
    corners = [(0, 0), (0, 2), (1, 2), (1, 1), (2, 1), (2, 0)]
    for ring in (corners, corners[::-1]):
        model = leg.copy()
        model.outline("crank", polygon=ring)
        (plate,) = [one for one in plates_of(model.build(), PlateSizes(0.1, WIDTH)) if one.body == "crank"]
        assert plate.moments.area == pytest.approx(3 - 2 * math.pi * 0.05**2, rel=1e-12)


def test_a_density_in_the_unit_of_another_length_is_refused():
    """7850 in a model in mm is 7850 kg/mm³: a link of steel weighed 3,677 t, and nothing said so."""
    model = mubo.load(EXAMPLES / "jansen_leg.toml")
    with pytest.raises(mubo.ModelError, match=r'7\.85e\+12 kg/m\^3.*plain number is in kg/mm\^3(.|\n)*"7850 kg/m\^3"'):
        model.parts(hole="4 mm", width="12 mm", thickness="3 mm", density=7850)
    parts = model.parts(hole="4 mm", width="12 mm", thickness="3 mm", density="7850 kg/m^3")
    crank = next(plate for plate in parts.plates if plate.body == "crank")
    area = 15 * 12 + math.pi * 6**2 - 2 * math.pi * 2**2  # a bar with round ends and two holes
    assert crank.mass == pytest.approx(7.85e-6 * 3 * area, rel=1e-12)
