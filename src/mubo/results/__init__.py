"""Results: columns with names and units, events, and the record of how they were solved."""

from mubo.results.columns import Column, Columns
from mubo.results.record import Deferred, Event, Record, Summary
from mubo.results.run import Run
from mubo.results.table import require_ending

__all__ = ["Column", "Columns", "Deferred", "Event", "Record", "Run", "Summary", "require_ending"]
