"""A card deck is a file format: what works on a mechanism works on it, and on the native file it is converted to."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.legacy.okins1964.linkage import Drive, Positions, VectorLinkage, VectorLoop
from mubo.legacy.okins1964.read import model_of

MAIN = ("eleven_bar", "type1", "type2")


def loaded(name):
    return mubo.load(EXAMPLES / f"{name}.deck")


@pytest.mark.parametrize("name", MAIN)
@pytest.mark.filterwarnings("ignore:the motion stops")
def test_converted_it_moves_the_same(name, tmp_path):
    """Every column of the deck's own run, to 1e-12; the native file reads back to the same bodies and joints."""
    deck = loaded(name)
    for ending in ("toml", "json"):
        deck.save(tmp_path / f"x.{ending}")
        other = mubo.load(tmp_path / f"x.{ending}")
        assert (other.bodies, other.joints, other.measures) == (deck.bodies, deck.joints, deck.measures)
        one, two = deck.kinematics(), other.kinematics()
        assert one.header() == two.header()
        for column in one.columns:
            np.testing.assert_allclose(two[column], one[column], rtol=0, atol=1e-12)


def test_a_closure_deck_is_converted_to_bars(tmp_path):
    """CLOSURE names no links: every vector is a bar, so that 18 bars in 5 loops have 18 − 2 · 5 = 8 freedoms."""
    loaded("closure").save(tmp_path / "x.toml")
    report = mubo.load(tmp_path / "x.toml").check()
    assert report.as_dict()["mobility"]["gruebler"] == 8
    assert not report.ok


def test_a_length_of_the_cards_is_a_parameter(command, tmp_path):
    """Type I is a parallelogram of 1 and 2: with all sides ten times as long the angles stay, and so do the 1964 cards
    of θ, whose decimal digits a factor of ten leaves as they are."""
    deck = loaded("type1")
    longer = deck.replace(r1=10, r2=20, r3=10, r4=20)
    np.testing.assert_allclose(longer.kinematics()["z3.theta"], deck.kinematics()["z3.theta"], atol=1e-9)
    one, two = (model.kinematics(scheme="1964") for model in (deck, longer))
    np.testing.assert_allclose(two["z2.theta"], one["z2.theta"], atol=1e-12)
    done = command("kinematics", EXAMPLES / "type2.deck", "--set", "r2=1.2", "--end", "1", "--step", "0.5")
    assert done.returncode == 0, done.stderr


def test_sweep_of_a_deck():
    """The range of the rocker of Type II over the length of its coupler: as runs of such decks have it."""
    deck = loaded("type2")
    sweep = deck.sweep({"r2": [1.048, 1.1, 1.2]}, ["range z3.theta"], 0, 1, 0.25, workers=1)
    values = [float(value) for value in sweep["range z3.theta"]]
    alone = deck.replace(r2=1.2).kinematics(0, 1, 0.25)["z3.theta"]
    assert values[2] == pytest.approx(np.ptp(alone), rel=1e-6)


def crank_with_mass():
    """The parallelogram of Type I before its change point with bars of 3 kg per unit and gravity."""
    deck = loaded("type1")
    deck.gravity = (0, -9.81)
    for name in ("crank", "link1", "link2"):
        first, second = deck.bodies[name].points
        body = deck.bodies[name]
        deck.bodies[name] = type(body)(
            name, body.position, body.angle, body.points, mass=3.0, inertia=(0.1,),
            center=tuple((a + b) / 2 for a, b in zip(body.points[first], body.points[second], strict=True)),
        )  # fmt: skip
    return deck


def test_inverse_of_a_deck():
    """Crank and rocker turn at a constant rate and the coupler does not turn, so that the torque is that of gravity:
    half of the crank, half of the rocker and the whole coupler hang on arms of cos θ: (3/2 + 3/2 + 3) g cos θ."""
    run = crank_with_mass().inverse(0, 1.6, 0.4)
    theta = np.radians(170 + 5 * run["t"])
    np.testing.assert_allclose(run["crank.effort"], 6 * 9.81 * np.cos(theta), rtol=1e-9)


def test_strength_of_a_deck():
    """The load of a pin is the largest of its reactions."""
    deck = crank_with_mass()
    deck.pin("B", diameter=0.02, width=0.03)
    found = deck.strength(0, 1.6, 0.4)
    force = deck.inverse(0, 1.6, 0.4)["B.on_link1.f"]
    assert found.check("pin B", "largest load").value == pytest.approx(force.max(), rel=1e-6)


def test_optimize_a_deck():
    """The coupler of Type II for a range of the rocker that a longer one has: the length is found again."""
    deck = loaded("type2")
    wanted = float(np.ptp(deck.replace(r2=1.15).kinematics(0, 1, 0.25)["z3.theta"]))
    asked = {"fit": {"range z3.theta": f"{wanted!r} deg"}, "starts": 1, "workers": 1}
    found = deck.optimize({"r2": [1.04, 1.3]}, start=0, end=1, step=0.25, **asked)
    assert found.model.parameters["r2"].value == pytest.approx(1.15, abs=1e-5)


def test_a_vector_in_two_places_is_a_body_that_turns_with_its_link():
    """Two four-bars with the same crank, drawn apart: the second loop has z1 beside vectors of its own, which no order
    of vectors joins to the first. Its angles are those of the first four-bar with the same lengths."""
    first = mubo.Model.from_definition(model_of(_pair(), EXAMPLES / "pair.deck"))
    run = first.kinematics()
    np.testing.assert_allclose(run["z5.theta"], run["z2.theta"], atol=1e-9)
    np.testing.assert_allclose(run["z6.theta"], run["z3.theta"], atol=1e-9)


def _pair():
    """Crank z1, coupler z2, rocker z3, frame z4 twice: z5 and z6 are as long as z2 and z3."""
    theta = np.radians(80.0)
    tip = complex(np.cos(theta), np.sin(theta))
    reach = 2.4 - tip
    along = (2.2**2 - 1.3**2 + abs(reach) ** 2) / (2 * abs(reach))
    joint = tip + (along + 1j * np.sqrt(2.2**2 - along**2)) * reach / abs(reach)
    angles = [80.0, *np.degrees(np.angle([joint - tip, joint - 2.4])), 180.0]
    return VectorLinkage(
        lengths=(1.0, 2.2, 1.3, 2.4, 2.2, 1.3),
        angles=(*map(float, angles), float(angles[1]), float(angles[2])),
        loops=(VectorLoop((1, 2, -3, 4), 4), VectorLoop((1, 5, -6, 4), 5)),
        links=((2,), (3,), (5,), (6,)),
        frame=(4,),
        drive=Drive("crank", 10.0),
        positions=Positions(5, 0.5, False, 1),
    )


def test_batch_of_a_deck():
    """Five lengths of link 8 in one call: as the deck with such a length has it at the end of the stroke."""
    deck = loaded("eleven_bar")
    length = deck.build().bodies["link8"].points["I"]
    batch = deck.batch(
        {"link8.I": np.outer([0.99, 1.0, 1.01], length)}, 0, 16, step=4, columns=["link9.phi"], threads=1
    )
    assert batch.ok.all()
    for factor, found in zip((0.99, 1.0, 1.01), batch["link9.phi"], strict=True):
        alone = deck.replace(r12=6.6 * factor).kinematics(0, 16, step=4)
        assert found == pytest.approx(alone["link9.phi"][:5], abs=1e-8)
