"""`cairn play` as a program: what it says, how it stops, and when it cannot start."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

from webui.qr import qr_text

TOP = Path(__file__).parent.parent.parent
PATIENCE = 20

QUIETLY = ("--camera", "none", "--listen", "127.0.0.1", "--port", "0")


def start(*words: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(TOP / "cairn.py"), *words],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )


def read_until_links(program: subprocess.Popen[str]) -> str:
    """What it says at the start, up to the words that come last."""
    assert program.stderr is not None
    said = ""
    while "Ctrl-C" not in said:
        line = program.stderr.readline()
        assert line, said
        said += line
    return said


def test_it_says_where_it_is_and_stops_though_phones_listen(tmp_path: Path) -> None:
    words = ("play", *QUIETLY, "--data", str(tmp_path))
    with start(*words, LC_ALL="C.UTF-8") as program:
        said = read_until_links(program)
        seat, host = re.findall(r"http://127\.0\.0\.1:\d+/join/\S+", said)
        assert seat != host
        assert qr_text(seat) in said
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        opener.open(seat, timeout=PATIENCE).close()
        base = seat.partition("/join/")[0]
        with opener.open(f"{base}/api/stream", timeout=PATIENCE) as stream:
            assert stream.readline()
            program.send_signal(signal.SIGINT)
            assert program.wait(PATIENCE) == 0


def test_a_folder_that_is_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    words = ("play", *QUIETLY, "--data", str(tmp_path))
    with start(*words) as program:
        read_until_links(program)
        with start(*words) as second:
            assert second.stderr is not None
            assert "another Cairn uses it" in second.stderr.read()
            assert second.wait(PATIENCE) == 2
        program.terminate()
        assert program.wait(PATIENCE) == 0


def test_without_a_command_it_plays_and_a_port_in_use_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        try:
            taken.bind(("0.0.0.0", 8000))
            taken.listen()
        except OSError:
            pass  # somebody else has it, which is just as well
        with start(XDG_DATA_HOME=str(tmp_path)) as program:
            assert program.stderr is not None
            said = program.stderr.read()
            assert program.wait(PATIENCE) == 2
    assert said.startswith("cairn: port 8000: cannot be used")
    assert len(said.splitlines()) == 1
