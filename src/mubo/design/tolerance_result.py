"""The result of a tolerance analysis: a line per measure, and a line per measure and source."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.design.sweep import analysis_of, objectives_of
from mubo.design.tolerance import Spread, ToleranceStack, tolerance, tolerances_of
from mubo.docstrings import documented
from mubo.errors import ResultError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.results.presentation import Presented, presented_by
from mubo.results.table import data_frame
from mubo.results.table_files import write_lines
from mubo.studies.design import ToleranceOptions

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, repr=False)
class Tolerances(Presented):
    """Worst case, three sigma and Monte Carlo of every measure, and what every source contributes.

    Examples
    --------
    >>> found = mubo.load("tolerances.toml").tolerance(["mass"], {"c": 0.1}, samples=0)
    >>> found["mass"]["worst"]  # nothing of its mass depends on c
    0.0
    """

    stack: ToleranceStack
    spread: Spread | None = None  # of random samples; None where none were asked for

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures.

        Examples
        --------
        >>> model = mubo.load("tolerances.toml")
        >>> model.tolerance(["stroke"], samples=0).measures
        ('stroke',)
        """
        return self.stack.sensitivity.measures

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of everything that is not exact.

        Examples
        --------
        >>> mubo.load("tolerances.toml").tolerance(["stroke"], samples=0).sources
        ('a', 'b', 'c', 'd', 'clearance of B')
        """
        return tuple(source.name for source in self.stack.sources)

    @property
    def worst(self) -> Array:
        """Half the width of every measure where all deviations add up, to first order.

        Examples
        --------
        >>> found = mubo.load("tolerances.toml").tolerance(["stroke"], samples=0)
        >>> bool(found.worst[0] > 3 * found.sigma[0])
        True
        """
        return self.stack.worst(self.stack.sensitivity.derivatives)

    @property
    def sigma(self) -> Array:
        """Standard deviation of every measure, to first order.

        Examples
        --------
        >>> mubo.load("tolerances.toml").tolerance(["stroke"], samples=0).sigma.shape
        (1,)
        """
        return self.stack.sigma(self.stack.sensitivity.derivatives)

    @property
    def shares(self) -> Array:
        """The part of each source in the variance of each measure, which add up to one: measures × sources.

        Examples
        --------
        >>> found = mubo.load("tolerances.toml").tolerance(["stroke"], samples=0)
        >>> float(found.shares.sum().round(12))
        1.0
        """
        squares = (self.stack.sizes(self.stack.sensitivity.derivatives) * self.stack.sigmas) ** 2
        total = np.sum(squares, axis=1, keepdims=True)
        return np.asarray(np.divide(squares, total, out=np.zeros_like(squares), where=total > 0))

    def __getitem__(self, name: str) -> dict[str, float]:
        if name not in self.measures:
            raise ResultError(f'"{name}" was not measured. {nearest(name, self.measures)}', names=[name])
        k = self.measures.index(name)
        wide = min(3 * self.sigma[k], self.worst[k])  # uniform spreads end before three sigma
        out = {"nominal": self.stack.sensitivity.values[k], "worst": self.worst[k], "three sigma": wide}
        if self.spread is not None:
            low, high = self.spread.limits[k]
            out |= {"mean": self.spread.mean[k], "sigma": self.spread.sigma[k], "low": low, "high": high}
        return {key: float(value) for key, value in out.items()}

    @documented(returns="The table as a pandas data frame.", raises={"ResultError": "If pandas is not installed."})
    def table(self) -> pandas.DataFrame:
        """One line per measure; its contributions in percent behind.

        >>> found = mubo.load("tolerances.toml").tolerance(["stroke"], samples=0)
        >>> list(found.table().columns)[:5]
        ['measure', 'unit', 'nominal', 'worst', 'three sigma']
        """
        return data_frame(self._lines())

    def _lines(self) -> list[dict[str, Any]]:
        units, out = self.stack.sensitivity.units, []
        for k, name in enumerate(self.measures):
            shares = {f"{source} %": float(100 * x) for source, x in zip(self.sources, self.shares[k], strict=True)}
            out.append({"measure": name, "unit": units[name], **self[name], **shares})
        return out

    @documented(
        points="Points whose band of positions is drawn; none draws the limits of the measures.",
        path="Picture to write, .png, .svg or .pdf; none is written without it.",
        magnify="Factor by which the band is widened; by default one that can be seen, which the picture states.",
        returns="The matplotlib figure.",
    )
    def plot(self, *points: str, path: str | Path | None = None, magnify: float | None = None) -> Any:
        """A picture: of every measure its limits and contributions; or the band round the path of `points`, drawn
        `magnify` times as wide (default: a width that can be seen, which the picture states).

        >>> found = mubo.load("tolerances.toml").tolerance(["stroke"], samples=0)
        >>> figure = found.plot("P", path="band.png")
        """
        return presented_by("Tolerances.plot")(self, list(points), path, magnify)

    @documented(path="Page to write, .html.", returns="The page, which a notebook shows.")
    def report(self, path: str | Path) -> Any:
        """Writes one page with the distribution and the limits of every measure, its contributions, and the motion.

        >>> page = mubo.load("tolerances.toml").tolerance(["stroke"], samples=0).report("tolerances.html")
        """
        return presented_by("Tolerances.report")(self, path)

    @documented(path="Table to write: .csv, .xlsx, .parquet or .tex.")
    def save(self, path: str | Path) -> None:
        """Writes the table: .csv, .xlsx, .parquet, or .tex for LaTeX.

        >>> mubo.load("tolerances.toml").tolerance(["stroke"], samples=0).save("tolerances.csv")
        """
        lines = self._lines()
        write_lines(Path(path), list(lines[0]), (list(line.values()) for line in lines), "tolerance")

    @property
    def summary(self) -> dict[str, Any]:
        """The result as a dictionary for programs.

        Examples
        --------
        >>> mubo.load("tolerances.toml").tolerance(["stroke"], samples=0).summary["model"]
        'crank-rocker with tolerances'
        """
        names, shares = self.sources, self.shares
        out: dict[str, Any] = {"status": "ok", "model": self.stack.sensitivity.run.model.name, "measures": {}}
        for k, name in enumerate(self.measures):
            parts = {source: float(x) for source, x in zip(names, shares[k], strict=True)}
            out["measures"][name] = {**self[name], "unit": self.stack.sensitivity.units[name], "shares": parts}
        if self.spread is not None:
            status = self.spread.status
            out["samples"] = {"count": len(status), "ran": self.spread.ran, "status": dict(Counter(status))}
        return out


def answer_tolerance(definition: ModelDefinition, options: ToleranceOptions) -> Tolerances:
    """Answers the study `tolerance`."""
    stack, spread = tolerance(
        definition,
        tolerances_of(definition, options.of or {}, options.clearance or {}),
        objectives_of(definition, options.measures),
        analysis_of(definition, options.analysis),
        options.times,
        samples=options.samples,
        seed=options.seed,
        workers=options.workers,
        linear=lambda stack: options.linear(Tolerances(stack)),
        progress=options.progress,
    )
    return Tolerances(stack, spread)
