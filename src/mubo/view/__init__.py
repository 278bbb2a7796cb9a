"""Pictures of results. matplotlib is loaded here, when a picture is asked for."""

from mubo.view.plot import KINDS, plot

__all__ = ["KINDS", "plot"]
