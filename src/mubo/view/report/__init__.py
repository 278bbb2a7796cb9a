"""The one-file report: a page that shows the moving mechanism, its charts, its equations and the proof, offline."""

from mubo.view.report.page import write_report

__all__ = ["write_report"]
