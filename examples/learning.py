"""Two environments of Gymnasium for learning to control: a pole on a cart, and a walking leg of closed loops.

    pip install 'mubo[control]'
    python learning.py

Any library that learns by Gymnasium's interface takes them. Here the controllers are written by hand.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mubo
from mubo.applications.control.environment import MechanismEnvironment

FOLDER = Path(__file__).parent


def cart_pole() -> MechanismEnvironment:
    """Keep the pole up by pushing its cart: a point for every step, until it leans by 12° or the cart is 2.4 m away, as
    in Barto, Sutton and Anderson (1983)."""
    outputs = ["cart.x", "cart.vx", "lean", "pole.omega"]
    start = dict.fromkeys(("rail.q", "rail.v", "hinge.q", "hinge.v"), (-0.05, 0.05))
    return MechanismEnvironment(
        mubo.load(FOLDER / "cart_pole.toml").stepper(["push"], outputs),
        {"push": (-10.0, 10.0)},
        step=0.02,
        reward=lambda outputs, inputs: 1.0,
        ends=lambda outputs: abs(outputs["lean"]) > math.radians(12) or abs(outputs["cart.x"]) > 2.4,
        initial=start,
        duration=10.0,
    )


def walking_leg() -> MechanismEnvironment:
    """Turn the crank of Klann's leg once a second by the torque of its motor, whatever the weights of its links do."""
    leg = mubo.load(FOLDER / "walking_leg.toml")
    leg.gravity = (0, -9810)  # mm/s²
    for name, grams in {"crank": 20, "connecting_rod": 40, "lower_rocker": 15, "upper_rocker": 20, "leg": 60}.items():
        leg = leg.replace(f"{name}.mass", f"{grams} g").replace(f"{name}.inertia", f"{grams * 300} g mm^2")
    return MechanismEnvironment(
        leg.stepper(["motor"], ["crank.phi", "crank.omega", "foot.x", "foot.y"]),
        {"motor": (-2e5, 2e5)},  # kg mm²/s²: 0.2 N m
        step=0.01,
        reward=lambda outputs, inputs: -(((outputs["crank.omega"] - 360) / 360) ** 2),
        initial={"shaft.v": (4.0, 8.0)},
        duration=2.0,
    )


Controller = Callable[[Any], list[float]]


def balance(observation: Any) -> list[float]:
    x, v, lean, rate = observation
    return [-40 * lean - 10 * rate + 2 * x + 4 * v]


def keep_rate(observation: Any) -> list[float]:
    return [200 * (360 - observation[1])]


def episode(environment: MechanismEnvironment, controller: Controller, seed: int = 0) -> tuple[float, int]:
    """The sum of rewards of one episode, and its number of steps."""
    observation, _ = environment.reset(seed=seed)
    total, steps, over = 0.0, 0, False
    while not over:
        observation, reward, ended, late, _ = environment.step(controller(observation))
        total, steps, over = total + reward, steps + 1, ended or late
    return total, steps


if __name__ == "__main__":
    for name, environment, controller in (("cart and pole", cart_pole(), balance), ("leg", walking_leg(), keep_rate)):
        total, steps = episode(environment, controller)
        print(f"{name}: reward {total:.4g} in {steps} steps")
