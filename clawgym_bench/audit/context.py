"""What the gates of one task share: the task, a backend, and results that several need."""

from dataclasses import dataclass, field

from clawgym_bench.agents.reference import script
from clawgym_bench.audit.play import assess, play
from clawgym_bench.checks import Evidence
from clawgym_bench.grading import Grade
from clawgym_bench.sandbox import Backend
from clawgym_bench.task import Task


@dataclass
class Context:
    """One task under audit. Costly results are made once and kept while the task is audited."""

    task: Task
    backend: Backend
    seed: int = 0
    _reference: tuple[Evidence, Grade] | None = field(default=None, repr=False)

    @property
    def has_reference(self) -> bool:
        return bool(self.task.tree("solution"))

    async def reference(self) -> tuple[Evidence, Grade]:
        """The reference solution as carried out in a sandbox, and its grade."""
        if self._reference is None:
            evidence = await play(self.task, script("oracle"), self.backend)
            self._reference = (evidence, await assess(self.task, evidence, self.backend))
        return self._reference

    async def grade(self, evidence: Evidence) -> Grade:
        return await assess(self.task, evidence, self.backend)


