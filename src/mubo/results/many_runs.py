"""The result of many simulations: one array of all runs, and a status in words for each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mubo.arrays import Array
from mubo.docstrings import documented
from mubo.errors import ResultError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.results.presentation import Presented

OK = "ok"


@dataclass(frozen=True, repr=False)
class ManyRuns(Presented):
    """Many simulations. `runs["pole.phi"]` is runs × times; rows that a run did not reach are NaN.

    Examples
    --------
    >>> runs = mubo.load("simple_pendulum.toml").simulate_many(0, 1, 0.1, initial={"O.q": [0.1, 0.2, 0.3]})
    >>> runs
    3 simulations of "simple pendulum", 11 times: 3 ok
    """

    model: ModelDefinition  # the nominal one
    t: Array
    names: tuple[str, ...]
    values: Array  # runs × times × names
    status: tuple[str, ...]  # "ok", or why a run ended before the last time
    units: Mapping[str, str]  # of the columns
    reached: Array  # the last time of each run, NaN where it could not be started

    def __getitem__(self, name: str) -> Array:
        if name not in self.names:
            raise ResultError(f'the runs have no column "{name}". {nearest(name, self.names)}', names=[name])
        return np.asarray(self.values[:, :, self.names.index(name)])

    def __len__(self) -> int:
        return len(self.status)

    def __str__(self) -> str:
        whole = int(np.sum(self.ok))
        text = f'{len(self)} simulations of "{self.model.name}", {len(self.t)} times: {whole} ok'
        return text + (f", {len(self) - whole} ended early" if whole < len(self) else "")

    @property
    def ok(self) -> Array:
        """Which runs reached the last time.

        Examples
        --------
        >>> runs = mubo.load("simple_pendulum.toml").simulate_many(0, 1, 0.1, initial={"O.q": [0.1, 0.2]})
        >>> runs.ok
        array([ True,  True])
        """
        return np.array([status == OK for status in self.status], bool)

    @documented(name="Column.", returns="The unit.")
    def unit(self, name: str) -> str:
        """Unit of a column, or "" where the model declares none.

        >>> runs = mubo.load("simple_pendulum.toml").simulate_many(0, 1, 0.1, initial={"O.q": [0.1, 0.2]})
        >>> runs.unit("O.q")
        'rad'
        """
        return self.units[name]
