"""Pictures and films of results. matplotlib is loaded here, when a picture is asked for."""

from mubo.view.encode import animate
from mubo.view.film import FilmSettings
from mubo.view.plot import KINDS, plot

__all__ = ["KINDS", "FilmSettings", "animate", "plot"]
