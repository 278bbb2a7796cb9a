"""Words to say how a simulation of a growing model begins, and what it looks out for."""

from __future__ import annotations

from typing import Any

from mubo.errors import ModelError
from mubo.model.builder_details import Detailed
from mubo.model.event_target import kind_of_value, watched_column
from mubo.model.initial import initial_of_body, initial_of_joint
from mubo.model.parts import Watch


class Beginning(Detailed):
    """Initial conditions and events, which `simulate` reads."""

    def start(
        self,
        name: str,
        q: Any = (),
        v: Any = (),
        *,
        position: Any = None,
        orientation: Any = None,
        velocity: Any = None,
        omega: Any = None,
        angle: Any = None,
    ) -> None:
        """How a simulation begins: coordinates and rates of a joint, or of a body, in ground axes, as far as its joint
        allows: m.start("disc", position=(0, 0, 1), omega=(0, 0, 30)).

        What is left out is as the bodies are drawn, else zero; at rest.

        >>> model = mubo.load("five_body_chain.toml")
        >>> model.start("spin", q="30 deg", v="1 rad/s")
        >>> model.simulate(0, 0.1, step=0.1)["spin.v"][:1].round(6)
        array([1.])
        """
        of_body = (position, orientation, velocity, omega, angle)
        if any(given is not None for given in of_body):
            self.initial_bodies[name] = initial_of_body(self, name, *of_body)
        if name in self.joints or name not in self.initial_bodies or _given(q) or _given(v):
            self.initial[name] = initial_of_joint(self, name, q, v)

    def watch(self, name: str, of: str, value: float, direction: str = "both", stop: bool = False) -> None:
        """Looks for a joint coordinate ("A", or "A.q2"), a column or a measure to cross a value "up", "down" or "both"
        ways in a simulation: a place, a speed, the size of a load, a reaction.

        >>> model = mubo.load("five_body_chain.toml")
        >>> model.watch("closed", "spin", "90 deg", direction="up", stop=True)
        """
        if direction not in ("up", "down", "both"):
            raise ModelError(f'the direction is "up", "down" or "both"; found "{direction}"')
        reached = self.units.read(value, kind_of_value(watched_column(self, of)))
        self._add(self.events, Watch(name, of, reached, direction, stop))


def _given(values: Any) -> bool:
    return not (isinstance(values, list | tuple) and not values)
