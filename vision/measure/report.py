"""The figures as a table for people."""

from collections.abc import Mapping, Sequence
from typing import Any

_COLUMNS = (
    ("tables", "tables"),
    ("slots", "slots"),
    ("right", "right %"),
    ("wrong_and_sure", "wrong+sure %"),
    ("unsure", "unsure %"),
    ("boards_right", "boards %"),
    ("read_to_decode", "read/decode"),
    ("read_ms", "read ms"),
    ("calibrate_s", "calibrate s"),
    ("teach_s", "teach s"),
)


def write_report(figures: Mapping[str, Any]) -> str:
    """All figures of a bench as plain text."""
    parts = []
    for title, key in (
        ("light", "grades"),
        ("slots on the table", "slots"),
        ("card width, px", "widths"),
    ):
        if figures.get(key):
            parts.append(_table(title, figures[key]))
    for grade, row in figures.get("grades", {}).items():
        parts.append(_reliability(grade, row["reliability"]))
        parts.append(_asked(f"find, {grade}", row["found"]))
        if row["failures"] or row["wrong"]:
            lines = [f"worst, {grade}:", *row["failures"], *row["wrong"]]
            parts.append("\n  ".join(lines))
    for name, asked in figures.get("photos", {}).items():
        parts += [_asked(f"{name}, {what}", row) for what, row in asked.items()]
    if figures.get("memory_mb"):
        memory = ", ".join(f"{step} {mb} MB" for step, mb in figures["memory_mb"].items())
        parts.append(f"most memory: {memory}")
    return "\n\n".join(parts)


def _table(title: str, rows: Mapping[str, Any]) -> str:
    lines = [[title, *(head for _, head in _COLUMNS), "failed"]]
    for name, row in rows.items():
        cells = [_cell(row[key]) for key, _ in _COLUMNS]
        lines.append([str(name), *cells, str(len(row["failures"]))])
    return _columns(lines)


def _reliability(grade: str, rows: Sequence[Mapping[str, Any]]) -> str:
    lines = [[f"confidence, {grade}", "readings", "claimed %", "right %"]]
    for row in rows:
        span = f"{row['from']:g} to {row['to']:g}"
        lines.append([span, str(row["readings"]), _cell(row["claimed"]), _cell(row["right"])])
    return _columns(lines)


def _asked(title: str, row: Mapping[str, Any]) -> str:
    words = ("right", "wrong_and_sure", "unsure", "not_found")
    shares = ", ".join(f"{word.replace('_', ' ')} {_cell(row[word])} %" for word in words)
    return f"{title}: {row['asked']} asked, {shares}"


def _columns(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def _cell(value: Any) -> str:
    return "-" if value is None else f"{value:g}"
