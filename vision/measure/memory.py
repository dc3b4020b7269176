"""How much memory the commands take, each in a process of its own."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2

from calibration.layout import Layout, layout_to_json
from vision.simulated import print_deck, set_table

# The kernel's own high-water mark: what getrusage tells is at first the parent's.
_RUN = """
import sys
from cairn import main
try:
    main(sys.argv[1:], standalone_mode=False)
finally:
    with open("/proc/self/status") as status:
        most = next(line for line in status if line.startswith("VmHWM"))
    print("most", most.split()[1], file=sys.stderr)
"""


def measure_memory(seed: int, layout: Layout) -> dict[str, float]:
    """Megabytes at most of calibrate, teach and read with this layout at 1080p."""
    deck = print_deck(seed)
    table = set_table(seed, layout, deck, "ordinary")
    names = list(deck.faces)
    laid = dict(zip(table.slots, names, strict=False))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        cv2.imwrite(str(place / "empty.jpg"), table.empty_photo(1).image)
        cv2.imwrite(str(place / "backs.jpg"), table.backs_photo(2).image)
        cv2.imwrite(str(place / "teach.jpg"), table.photo(laid, 3).image)
        (place / "layout.json").write_text(json.dumps(layout_to_json(layout)), "utf-8")
        teach = [{"photo": "teach.jpg", "cards": laid}]
        (place / "teach.json").write_text(json.dumps(teach), "utf-8")
        steps = {
            "calibrate": "--layout layout.json --empty empty.jpg --backs backs.jpg --out table",
            "teach": "--table table --cards teach.json --out deck",
            "read": "--table table --deck deck teach.jpg",
        }
        return {step: _run(step, words.split(), place) for step, words in steps.items()}


def _run(step: str, words: list[str], place: Path) -> float:
    root = str(Path(__file__).parents[2])
    code = f"import sys; sys.path.insert(0, {root!r})\n{_RUN}"
    done = subprocess.run(
        [sys.executable, "-c", code, step, *words], cwd=place, capture_output=True, text=True
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("most ")]
    if done.returncode != 0 or not lines:
        raise RuntimeError(f"cairn {step} failed: {done.stderr.strip()[-300:]}")
    return round(int(lines[-1].split()[1]) / 1024, 1)
