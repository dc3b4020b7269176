"""What vision says of a slot in one picture, and of a whole picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["empty", "card", "face-down", "covered"]


@dataclass(frozen=True)
class Reading:
    """One slot: `card` only in state "card"; `also` the next likeliest cards, best first."""

    state: State
    card: str | None
    confidence: float
    sure: bool
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.card is not None) != (self.state == "card"):
            raise ValueError(f"a card is named exactly in state card, not {self.state}")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence {self.confidence} is not between 0 and 1")

    def to_json(self) -> dict[str, Any]:
        """As `cairn read` prints it."""
        return {
            "state": self.state,
            "card": self.card,
            "confidence": round(self.confidence, 4),
            "sure": self.sure,
            "also": list(self.also),
        }


@dataclass(frozen=True)
class PhotoReading:
    """Every slot of one picture, and how far the picture has shifted since calibration."""

    slots: Mapping[str, Reading]
    shifted_px: float

    def to_json(self) -> dict[str, Any]:
        """As `cairn read` prints it, without photo and time."""
        slots = {slot: reading.to_json() for slot, reading in self.slots.items()}
        return {"slots": slots, "shifted_px": round(self.shifted_px, 2)}
