"""What `import mubo` gives: the public names, all of them, and nothing of a process that is not its own."""

import subprocess
import sys

import mubo


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_dir_is_the_public_list():
    assert dir(mubo) == sorted(mubo.__all__)
    assert "synthesize" in dir(mubo)
    assert not [name for name in dir(mubo) if name.startswith("_")]


def test_every_public_name_exists_and_is_documented():
    for name in mubo.__all__:
        assert getattr(mubo, name).__doc__, name


def test_every_public_name_can_be_the_first_that_is_used():
    for name in ("Model", "load", "compare", "synthesize", "laws", "errors", "__version__"):
        run(f"import mubo; mubo.{name}")
    assert run("from mubo import *; print(Model.__name__, callable(synthesize))") == "Model True"


def test_import_leaves_signals_and_arguments_alone():
    """A script that is itself called mubo is not taken for the command."""
    code = """
import signal, sys
sys.argv = ["/somewhere/mubo"]
handlers = lambda: [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
before = handlers()
import mubo
mubo.Model
print(before == handlers(), "mubo.interrupt" in sys.modules)
"""
    assert run(code) == "True False"
