"""The time of one move: how much is allowed, how much is played, and since when it runs. All in ms, all from stamps."""


class Stopwatch:
    """Runs and halts; `elapsed` is played time only, `remaining` is what is left of `allowed` and never negative."""

    def __init__(self) -> None:
        self.allowed = 0
        self.played = 0
        self.since: int | None = None

    def wind(self, allowed: int) -> None:
        """A fresh move of `allowed` ms, halted."""
        self.allowed = allowed
        self.played = 0
        self.since = None

    def run(self, at: int) -> None:
        self.since = at

    def halt(self, at: int) -> None:
        if self.since is not None:
            self.played += at - self.since
            self.since = None

    def elapsed(self, at: int) -> int:
        """Played ms up to the stamp `at`."""
        return self.played if self.since is None else self.played + at - self.since

    def remaining(self, at: int) -> int:
        """Ms left at the stamp `at`, 0 when the time is over."""
        return max(0, self.allowed - self.elapsed(at))

    def leave(self, remaining: int) -> None:
        """Correct a halted stopwatch so that `remaining` ms are left; what was played stays played."""
        self.allowed = self.played + remaining

    @property
    def deadline(self) -> int | None:
        """The stamp at which the time is over, None while halted."""
        return None if self.since is None else self.since + self.allowed - self.played
