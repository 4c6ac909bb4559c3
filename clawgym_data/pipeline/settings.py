"""What decides the outcome of a run, and nothing else: workers and displays are not here."""

from clawgym_bench.audit.gates import GATES
from clawgym_bench.errors import InputError
from clawgym_data.pipeline.balance import Targets
from clawgym_data.pipeline.stages import Record

ALWAYS = ("lint", "oracle", "variants", "junk")
SAMPLED = ("mutants", "tamper", "hijack", "determinism")


class Settings(Record):
    """`gates` judge every draft, `sampled_gates` besides a share `mutant_share` of them.

    `words`, `plan`, `words_same_plan` are the bounds of novelty; `skeleton_share` the most that one
    composition may hold. At most `attempts` drafts are made for each task asked for.
    """

    n: int
    gates: tuple[str, ...] = ALWAYS
    sampled_gates: tuple[str, ...] = SAMPLED
    mutant_share: float = 0.05
    sandbox: str = "bwrap"
    words: float = 0.5
    plan: float = 0.8
    words_same_plan: float = 0.35
    skeleton_share: float = 0.002
    targets: Targets = Targets()
    validation_share: float = 0.05
    test_share: float = 0.05
    attempts: int = 12
    shard_tasks: int = 1_000

    @property
    def most_per_plan(self) -> int:
        return max(1, int(self.skeleton_share * self.n))

    @property
    def last_attempt(self) -> int:
        """No attempt has this number or a higher one."""
        return self.n * self.attempts + 64

    def check(self) -> None:
        """Raises `InputError` for what cannot be run."""
        if self.n < 1:
            raise InputError(f"-n {self.n}: ask for at least one task")
        unknown = sorted({*self.gates, *self.sampled_gates} - set(GATES))
        if unknown:
            raise InputError(
                f"--gates: no gate {', '.join(unknown)}; there are {', '.join(GATES)}, or none"
            )
        if not 0 <= self.mutant_share <= 1:
            raise InputError(f"--mutant-share {self.mutant_share}: give a share between 0 and 1")
        if self.sandbox not in ("bwrap", "docker"):
            raise InputError(f"--sandbox {self.sandbox}: must be bwrap or docker")
        if self.validation_share + self.test_share >= 1:
            raise InputError("validation and test together leave nothing to train on")
