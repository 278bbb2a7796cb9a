"""The manual page follows from the declarations of the commands."""

import importlib.util

from conftest import ROOT

spec = importlib.util.spec_from_file_location("write_manual", ROOT / "tools" / "write_manual.py")
writer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(writer)


def test_the_manual_is_the_declared_one():
    assert writer.PAGE.read_text(encoding="utf-8") == writer.manual(), "run make format"
