"""The singularities of O'Kins (1964), Tables IV and V: a change point of a parallelogram, a lock-up of a four-bar."""

import json
import warnings
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from conftest import DATA

import mubo
from mubo.legacy.okins1964.arrays import singular_lines
from mubo.legacy.okins1964.gauss import reduce_by_gauss
from mubo.legacy.okins1964.linkage import VectorLoop
from mubo.legacy.okins1964.read import model_of
from mubo.legacy.okins1964.scheme import Singular

TYPE1, TYPE2 = DATA / "okins_type1.deck", DATA / "okins_type2.deck"
LOCK_UP = 119.994178137624  # arccos of the triangle 1, 1, 1.048 + 0.684: z2 and z3 in one line


def test_lock_up_by_the_law_of_cosines():
    """The reference itself: at lock-up the crank, the frame and the stretched z2 + z3 form a triangle."""
    reach = 1.048 + 0.684
    assert np.degrees(np.arccos((1 + 1 - reach**2) / 2)) == pytest.approx(LOCK_UP, abs=1e-11)


def test_parallelogram_is_followed_through_its_change_point():
    run = mubo.load(TYPE1).kinematics()
    assert run.summary["status"] == "ok"
    np.testing.assert_allclose(run["crank.value"], [170, 174, 178, 182, 186, 186, 182, 178, 174, 170], atol=1e-12)
    np.testing.assert_allclose(run["z2.theta"], 0, atol=1e-9)
    np.testing.assert_allclose(run["z3.theta"], run["crank.value"] - 180, atol=1e-9)
    np.testing.assert_allclose(run["z3.omega"], [5] * 5 + [-5] * 5, atol=1e-9)
    there, back = run.events
    for event in (there, back):
        assert event.kind == "bifurcation"
        assert event.drivers["crank"] == pytest.approx(180, abs=1e-6)
    assert there.t == pytest.approx(2.0, abs=1e-7)
    assert back.t == pytest.approx(4.4, abs=1e-7)
    assert there.rates["smooth"]["link2"] == pytest.approx(5, abs=1e-9)  # link 2 of the cards is z3
    assert there.rates["other"]["link1"] == pytest.approx(10 / 3, abs=1e-9)
    assert there.rates["other"]["link2"] == pytest.approx(-5 / 3, abs=1e-9)
    assert back.rates["smooth"]["link2"] == pytest.approx(-5, abs=1e-9)


def test_the_other_branch(reference):
    """The antiparallelogram, with its closed form; on the way back the run takes the crossing again and ends at its
    start."""
    run = mubo.load(TYPE1).kinematics(branch="other")
    assert run.summary["status"] == "ok"
    stored = {row["crank_deg"]: row for row in reference("okins_singular")["type1"]["branches"]["antiparallelogram"]}
    for k, degrees in ((3, 182.0), (4, 186.0)):
        row = stored[degrees]
        assert run["z2.theta"][k] == pytest.approx(row["theta2_deg"], abs=1e-9)
        assert run["z3.theta"][k] == pytest.approx(row["theta3_deg"], abs=1e-9)
        assert run["z2.omega"][k] == pytest.approx(row["omega2_deg_s"], abs=1e-9)
        assert run["z3.omega"][k] == pytest.approx(row["omega3_deg_s"], abs=1e-9)
    for name in ("z2.theta", "z3.theta"):
        assert run[name][-1] == pytest.approx(run[name][0], abs=1e-9)


def test_lock_up_stops_the_run(reference):
    with pytest.warns(UserWarning, match="locks"):
        run = mubo.load(TYPE2).kinematics()
    assert run.summary["status"] == "stopped"
    np.testing.assert_allclose(run["crank.value"], [110, 114, 118])
    (event,) = run.events
    assert event.kind == "limit"
    assert event.drivers["crank"] == pytest.approx(LOCK_UP, abs=1e-6)
    assert event.t == pytest.approx(reference("okins_singular")["type2"]["lockup_time_s"], abs=1e-9)
    assert event.bodies == ("link1", "link2")
    assert "pins B, C and D lie in one line" in event.message
    stored = {row["crank_deg"]: row for row in reference("okins_singular")["type2"]["branch_given"]}
    for k, degrees in enumerate((110.0, 114.0, 118.0)):
        assert run["z2.theta"][k] == pytest.approx(stored[degrees]["theta2_deg"], abs=1e-9)
        assert run["z3.omega"][k] == pytest.approx(stored[degrees]["omega3_deg_s"], abs=1e-9)
        assert run["z3.alpha"][k] == pytest.approx(stored[degrees]["alpha3_deg_s2"], abs=1e-8)


def test_a_bent_coupler_locks_with_its_pins_in_one_line():
    """Type II with a coupler of two vectors, 15 degrees to either side of the one that is their sum: no vector lies in
    the direction of another, but the pins at the ends of coupler and rocker do."""
    bend = 15.0
    half = 1.048 / 2 / np.cos(np.radians(bend))
    linkage = replace(
        mubo.load(TYPE2).origin.data.linkage,
        lengths=(1.0, half, half, 0.684, 1.0),
        angles=(110.0, -19.87 + bend, -19.87 - bend, -58.6, 180.0),
        loops=(VectorLoop((1, 2, 3, 4, 5), 4),),
        links=((2, 3), (4,)),
        frame=(5,),
    )
    with pytest.warns(UserWarning, match="locks"):
        (event,) = mubo.Model.from_definition(model_of(linkage, TYPE2)).kinematics().events
    assert event.drivers["crank"] == pytest.approx(LOCK_UP, abs=1e-6)
    assert "pins B, D and E lie in one line" in event.message


def test_lock_up_on_the_command_line(command, tmp_path):
    done = command("kinematics", TYPE2, "-o", "out.csv", "--json")
    assert done.returncode == 3
    summary = json.loads(done.stdout)
    assert summary["status"] == "stopped"
    assert summary["events"][0]["drivers"]["crank"] == pytest.approx(LOCK_UP, abs=1e-6)
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("t [s],")
    assert ",z1.r,z1.theta [deg],z1.omega [deg/s],z1.alpha [deg/s^2]," in lines[0]


def printed(table, key, step):
    row = next(row for row in table if row["step"] == step)
    return [float(x) for x in row["printed"][key]]


def test_the_scheme_of_1964_steps_over_the_lock_up(reference):
    """Its rows at 122 and 126 degrees are those of Table V, and no positions: the summary says so."""
    table = reference("okins_singular")["type2"]["table"]
    with pytest.warns(UserWarning, match="locks"):
        run = mubo.load(TYPE2).kinematics(scheme="1964")
    assert len(run) == 10
    for step in range(1, 11):
        theta = [run[f"z{n}.theta"][step - 1] for n in range(1, 5)]
        np.testing.assert_allclose(theta, printed(table, "theta", step), atol=0.02)
    assert any("steps 4 to 10 of the listing are no positions" in text for text in run.summary["warnings"])
    assert run.summary["residual"]["position"] > 0.2


@pytest.mark.parametrize(("deck", "other"), [(TYPE1, []), (TYPE2, [("92.85", "92.84"), ("-65.07", "-65.06")])])
def test_tables_four_and_five_digit_for_digit(deck, other, reference):
    """Forwards and backwards, as the computer's eight digits give them; two numbers of Table V differ in the last."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        cards = mubo.load(deck).kinematics(scheme="1964").listing.splitlines()
    found = []
    for row in reference("okins_singular")["type1" if deck == TYPE1 else "type2"]["table"]:
        at = next(k for k, line in enumerate(cards) if line.startswith(f"   {row['step']:3d}  "))
        punched = " ".join(cards[at + 1 : at + 4]).split()
        printed = [text for key in ("theta", "omega", "alpha") for text in row["printed"][key]]
        found += [(a, b) for a, b in zip(printed, punched, strict=True) if float(a) != float(b)]
    assert found == other


def test_arrays_where_the_deck_starts_singular(tmp_path):
    """All vectors in line: GAUSS leaves nothing but the eighth digit of the sines for its second pivot."""
    deck = tmp_path / "flat.deck"
    first = "2 2 5 1 4 0.8 5.0 1 1 4 1 0 1"
    deck.write_text(f"{first}\n3.0 2.0 1.0 4.0\n0.0 0.0 180.0 180.0\n2 0 3 0\n")
    with pytest.raises(mubo.SingularityError, match="singular position") as error:
        mubo.load(deck).kinematics(scheme="1964")
    assert "AY, BEE and COLSWP of GAUSS, velocity\n    .2000E 01-.5000E 00" in str(error.value)


def test_a_zero_pivot_is_written_as_the_programs_do():
    """Two equal columns: 1·1 - 1·1 = 0 in any arithmetic."""
    one, two = Decimal(1), Decimal(2)
    reduction = reduce_by_gauss([[one, one], [two, two]], [one, one])
    assert reduction.X is None
    assert next(singular_lines(Singular(1, [[one, one], [two, two]], reduction))) == " ACOEF( 2, 2) IS ZERO"
