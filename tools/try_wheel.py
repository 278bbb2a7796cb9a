"""Installs a wheel in an environment of its own and runs every line of README there, without compiler and Node.js.

python tools/try_wheel.py mubo-0.2.0-….whl [--environment FOLDER]

PATH is the folder of that environment alone. Besides the lines of README: a page and a film are written, the studio
serves its page to who has its token and to nobody else, and the manual page is there.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import venv
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
MORE = (
    "mubo animate four_bar.toml --size 320x240 -o four_bar.gif",
    "mubo plot engine.toml --forces -o forces.png",
    "mubo simulate released_four_bar.toml -o released.csv",
    "mubo verify four_bar.toml",
    "mubo doctor",
)


def blocks(language: str) -> str:
    """Return the lines of README in one language."""
    return "".join(re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL))


class Trial:
    """An environment with the wheel and an empty folder in which its commands run."""

    def __init__(self, wheel: Path, environment: Path) -> None:
        self.bin = environment / ("Scripts" if sys.platform == "win32" else "bin")
        if not (self.bin / "mubo").exists():
            venv.create(environment, with_pip=True)
            subprocess.run([self.bin / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
        self.folder = Path(tempfile.mkdtemp(prefix="mubo-wheel-"))
        self.settings = {"PATH": str(self.bin), "HOME": str(self.folder), "LANG": "C.UTF-8"}
        for tool in ("cc", "c++", "gcc", "clang", "node", "npm"):
            assert shutil.which(tool, path=str(self.bin)) is None, tool

    def run(self, line: str) -> str:
        """Run a command as somebody types it; anything but exit code 0 ends the trial."""
        words = shlex.split(line, comments=True)
        words[0] = str(self.bin / words[0])
        done = subprocess.run(words, cwd=self.folder, env=self.settings, capture_output=True, text=True)
        print(f"{'ok' if done.returncode == 0 else 'FAILED'}  {line}")
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        return done.stdout

    def studio(self, line: str) -> None:
        """Start the studio, fetch its page with the token of its address and without."""
        words = [str(self.bin / "mubo"), *shlex.split(line, comments=True)[1:], "--no-browser"]
        with subprocess.Popen(words, cwd=self.folder, env=self.settings, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = re.search(r"http://127\S+", server.stdout.readline())
            assert address, "the studio prints no address"
            page = urllib.request.urlopen(address[0]).read().decode()
            try:
                urllib.request.urlopen("/".join(address[0].split("/")[:3]) + "/")
                refused = False
            except urllib.error.HTTPError as error:
                refused = error.code in (401, 403, 404)
            server.terminate()
        print(f"ok  {line}: {len(page)} characters of page; without its token {'refused' if refused else 'SERVED'}")
        assert refused
        assert "<script" in page


def main() -> int:
    """Try the wheel; print every line that ran."""
    parser = argparse.ArgumentParser()
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--environment", type=Path, default=Path(tempfile.gettempdir()) / "mubo-wheel-environment")
    words = parser.parse_args()
    trial = Trial(words.wheel.resolve(), words.environment.resolve())
    lines = [line for line in blocks("sh").splitlines() if line.startswith("mubo")]
    for line in lines:
        (trial.studio if line.split()[1] == "studio" else trial.run)(line)
    (trial.folder / "program.py").write_text(blocks("python"), encoding="utf-8")
    trial.run("python program.py")
    (trial.folder / "pendulum.toml").write_text(blocks("toml"), encoding="utf-8")
    trial.run("mubo run pendulum.toml")
    trial.run("mubo examples released_four_bar")
    for line in MORE:
        trial.run(line)
    manual = trial.bin.parent / "share" / "man" / "man1" / "mubo.1"
    assert manual.exists() or sys.platform == "win32", "the wheel brings no manual page"
    print(f"{words.wheel.name}, {words.wheel.stat().st_size / 1e6:.1f} MB: every line of README runs")
    shutil.rmtree(trial.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
