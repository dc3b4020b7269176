"""One slot over time: when it stirs, when it is still again, and what is then believed of it."""

from dataclasses import dataclass, field

from vision.reading import Reading
from vision.votes import decide

COVERED_AFTER = 45  # frames that something hides a slot before that is told
_LONGEST_WAIT = 16  # frames between two readings of a slot that stays covered
_NEXT_TO_A_HAND = 3  # the same where only a hand beside the slot speaks against what is read
_DOUBT_EVERY = 20  # frames between two readings of a slot that nobody is sure of
_DOUBT_TRIES = 6
_BESIDE = 2  # frames without motion that are enough though something moves beside the slot


@dataclass
class SlotWatch:
    """What is believed of a slot (`reading`, None at first) and what is being found out.

    `open`: its look is not understood yet. `still`: frames since it last moved. `hidden`: frames
    since something began to cover it. `told`: that it is covered has been told. `held`, `queued`:
    frames that a decision has waited for other slots. `contested`: its card seems to lie elsewhere.
    """

    reading: Reading | None = None
    open: bool = True
    still: int = 0
    hidden: int = 0
    told: bool = False
    held: int = 0
    queued: int = 0
    contested: bool = False
    _votes: list[Reading] = field(default_factory=list)
    _covered: int = 0
    _wait: int = 0
    _doubts: int = 0
    _beside: bool = False
    _doubted: bool = False
    _stirred: bool = False

    def frame(self, stirred: bool, moving: bool, beside: bool = False) -> None:
        """A frame went by; `stirred`: it looks other than believed, `moving`: than just before.

        `beside`: something moves beside it, perhaps a hand that is also here.
        """
        self._beside, self._stirred = beside, stirred
        if stirred and not self.open:
            self.reopen()
        if not self.open:
            self._wonder()
            return
        self._wait = max(0, self._wait - 1)
        self.hidden += bool(self.hidden)
        if moving:
            self.still = self._wait = self._covered = 0
            self._votes.clear()
        else:
            self.still += 1

    def reopen(self) -> None:
        """Find out anew what lies here."""
        self.open = True
        self.still = self._wait = self._covered = self.held = self.queued = 0
        self._votes.clear()

    @property
    def due(self) -> bool:
        """Whether a reading of this frame would help."""
        return self.open and self._wait == 0 and self.still >= (_BESIDE if self._beside else 1)

    @property
    def is_certain(self) -> bool:
        """Whether what lies here is known and nothing has spoken against it since."""
        known = self.reading is not None and self.reading.sure
        return known and not self.open and not self._doubted

    @property
    def is_read(self) -> bool:
        """Whether something new seems to lie here and is being read, frame after frame."""
        news = any((vote.state, vote.card) != self.key for vote in self._votes)
        return self.open and self._stirred and news

    @property
    def named(self) -> Reading | None:
        """The last reading that named a card, since the slot is still."""
        return next((vote for vote in reversed(self._votes) if vote.card is not None), None)

    def vote(self, reading: Reading, alike: bool) -> Reading | None:
        """Take a reading in; what is to be believed, once that is clear.

        `alike`: the slot looks as it did, so that more must speak for a change.
        """
        if reading.state == "covered":
            self.postpone()
            return None
        self._votes.append(reading)
        return decide(self._votes, self.reading if alike else None)

    def postpone(self) -> None:
        """Something is in the way: look again after a while, each time a longer one."""
        self._votes.clear()
        self._wait = min(2**self._covered, _LONGEST_WAIT)
        self._covered += 1
        self.hidden = max(1, self.hidden)

    def delay(self) -> None:
        """A hand is near: wait for it to go. Votes stay, for they are void if the slot moves."""
        self._covered += 1
        self._wait = min(self._covered, _NEXT_TO_A_HAND)
        self.hidden = max(1, self.hidden)

    def settle(self, reading: Reading, doubted: bool = False) -> None:
        """Believe it; what is not sure, or doubted, is looked at again from time to time."""
        self._doubted = doubted
        if self.reading is None or (reading.state, reading.card) != self.key:
            self._doubts = 0
        self.reading = reading
        self.open = self.told = self.contested = False
        self.hidden = self.held = self.queued = self._covered = 0
        self._votes.clear()
        self._wait = _DOUBT_EVERY

    @property
    def key(self) -> tuple[str, str | None] | None:
        """What is believed, without how sure."""
        return None if self.reading is None else (self.reading.state, self.reading.card)

    @property
    def to_tell(self) -> bool:
        """Whether it has been covered for so long that people should know."""
        return self.open and not self.told and self.hidden >= COVERED_AFTER

    def _wonder(self) -> None:
        old = self.reading
        # An empty slot that looks as it did needs no second opinion, however dark it is.
        doubted = self._doubted or (old is not None and not old.sure and old.state != "empty")
        if not doubted or self._doubts >= _DOUBT_TRIES:
            return
        self._wait -= 1
        if self._wait <= 0:
            self._doubts += 1
            self.reopen()
