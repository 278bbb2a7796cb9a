"""The table of a verification: what was compared, found and allowed, and the verdict."""

from __future__ import annotations

from mubo.analyses.verify.table import Verification, figure
from mubo.view.report.markup import Markup, facts, section, table

HEAD = ("check", "found", "allowed", "verdict", "compared")


def verification_section(verification: Verification | None) -> Markup:
    """Nothing where it was not asked for."""
    if verification is None:
        return Markup("")
    rows = [
        (
            check.name,
            figure(check.found),
            figure(check.allowed),
            check.verdict,
            f"{check.compared}; {check.note}" if check.note else check.compared,
        )
        for check in verification.checks
    ]
    lead = facts([("verdict", verification.verdict)])
    return section("verification", "Verification", lead, table(HEAD, rows, numeric=(1, 2)))
