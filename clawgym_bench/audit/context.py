"""What the gates of one task share: the task, a backend, and results that several need."""

import asyncio
import hashlib
from dataclasses import dataclass, field

from clawgym_bench.audit.commands import scored_commands
from clawgym_bench.audit.play import play, solver
from clawgym_bench.checks import Evidence
from clawgym_bench.execution import run_commands, runs_something
from clawgym_bench.grading import Commands, Grade, grade
from clawgym_bench.sandbox import Backend
from clawgym_bench.task import Task


@dataclass
class Context:
    """One task under audit. Costly results are made once and kept while the task is audited."""

    task: Task
    backend: Backend
    seed: int = 0
    _reference: tuple[Evidence, Grade] | None = field(default=None, repr=False)
    _outcomes: dict[bytes, Commands] = field(default_factory=dict, repr=False)

    _scored: dict[bytes, Commands] = field(default_factory=dict, repr=False)

    @property
    def has_reference(self) -> bool:
        return bool(self.task.tree("solution"))

    async def reference(self) -> tuple[Evidence, Grade]:
        """The reference solution as carried out in a sandbox, and its grade."""
        if self._reference is None:
            evidence = await play(self.task, solver(self.task), self.backend)
            self._reference = (evidence, await self.grade(evidence))
        return self._reference

    async def grade(self, evidence: Evidence) -> Grade:
        """The grade by checks. What has to run is run once for equal workspaces: whether it would
        come out the same again is the question of the determinism gate alone."""
        commands = None
        if runs_something(self.task):
            key = _fingerprint(evidence)
            if key not in self._outcomes:
                self._outcomes[key] = await run_commands(
                    self.task, evidence.snapshot, self.backend, evidence.messages
                )
            commands = self._outcomes[key]
        return await asyncio.to_thread(grade, self.task, evidence, commands)

    async def score(self, evidence: Evidence) -> Grade:
        """As `grade`, and with the same score of every check, but no more is run than that needs:
        the findings on checks that run something say what failed first, no more."""
        if not runs_something(self.task):
            return await self.grade(evidence)
        key = _fingerprint(evidence)
        if key in self._outcomes:
            return await self.grade(evidence)
        if key not in self._scored:
            self._scored[key] = await scored_commands(self.task, evidence, self.backend)
        return await asyncio.to_thread(grade, self.task, evidence, self._scored[key])


def _fingerprint(evidence: Evidence) -> bytes:
    """Of what a command can see: the files, and for an imported checker the messages."""
    digest = hashlib.sha256(repr(tuple(evidence.messages)).encode(errors="surrogateescape"))
    for path, content in sorted(evidence.snapshot.files.items()):
        digest.update(f"\0{path}\0".encode(errors="surrogateescape"))
        digest.update(hashlib.sha256(content).digest())
    return digest.digest()
