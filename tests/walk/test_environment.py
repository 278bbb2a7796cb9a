"""A mechanism as an environment of Gymnasium: its own checker, and what an episode is made of."""

import runpy

import numpy as np
import pytest
from conftest import ROOT

import mubo

pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env

from mubo.applications.control.environment import MechanismEnvironment

EXAMPLE = ROOT / "examples" / "learning.py"


@pytest.fixture(scope="module")
def learning():
    return runpy.run_path(str(EXAMPLE))


@pytest.mark.parametrize("name", ["cart_pole", "walking_leg"])
@pytest.mark.filterwarnings("ignore:.*recommend using a symmetric", "ignore:.*A Box observation space")
def test_the_checker_of_gymnasium_is_content(learning, name):
    """It resets twice with one seed, looks at spaces, types and shapes, and steps."""
    check_env(learning[name](), skip_render_check=True)


def test_the_pole_is_kept_up_and_falls_when_nothing_pushes(learning):
    """A pole of half length l falls as e^{√(3 g / 4 l) t} and faster on a cart: in ten seconds it is down."""
    steps = [learning["episode"](learning["cart_pole"](), how)[1] for how in (learning["balance"], lambda _: [0.0])]
    assert steps[0] == 500
    assert steps[1] < 200


def test_a_leg_turns_at_its_rate(learning):
    """The controller keeps one revolution in a second; without a torque the weights move the leg otherwise."""
    rewards = [learning["episode"](learning["walking_leg"](), how)[0] for how in (learning["keep_rate"], lambda _: [0])]
    assert rewards[0] > -10 > rewards[1]


def test_an_episode_is_the_motion_of_the_stepper(learning):
    """The same inputs in the same steps, from the state that was drawn."""
    environment = learning["cart_pole"]()
    environment.reset(seed=5)
    plant = environment.plant.copy()
    for push in (1.0, -3.0, 25.0):
        observation, *_ = environment.step([push])
        outputs = plant.step(0.02, {"push": min(push, 10.0)})  # its limit
        assert observation.tolist() == [*outputs.values()]


def test_a_motion_that_ends_says_why():
    model = mubo.load(ROOT / "examples" / "cart_pole.toml")
    model.event("fallen", "pole.phi", 0.06, stop=True)
    environment = MechanismEnvironment(
        model.stepper(["push"], ["lean"]), {"push": (-1, 1)}, 0.05, lambda outputs, inputs: -(outputs["lean"] ** 2)
    )
    environment.reset(seed=1)
    ended, information = False, {}
    while not ended:
        observation, reward, ended, late, information = environment.step([0.0])
    assert "fallen" in information["reason"]
    assert reward == -(observation[0] ** 2)
    assert not late


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"actions": {"pull": (-1, 1)}}, "must be the inputs of the plant, push; found pull"),
        ({"step": 0.0}, "must be a positive time; found 0"),
        ({"initial": {"hinge": (0, 1)}}, 'no joint coordinate and no rate "hinge"'),
        ({"initial": {"hinge.q": (1, 0)}}, "initial hinge.q: a range is"),
        ({"initial": {"hinge.q": (0, np.inf)}}, "initial hinge.q: a range is"),
    ],
)
def test_wrong_words_are_refused(given, words):
    plant = mubo.load(ROOT / "examples" / "cart_pole.toml").stepper(["push"], ["lean"])
    whole = {"actions": {"push": (-1, 1)}, "step": 0.02, "reward": lambda outputs, inputs: 0.0, **given}
    with pytest.raises(mubo.ModelError, match=words):
        MechanismEnvironment(plant, **whole)
