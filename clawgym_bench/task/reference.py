"""The reference solution and its variants, as steps per session."""

from collections.abc import Mapping
from dataclasses import dataclass

from clawgym_bench.sandbox.protocol import File
from clawgym_bench.task.model import Task


@dataclass(frozen=True)
class Step:
    """What to do in one session: lay `files` over the workspace, run `script`, say `message`.

    `script` is a program text with its interpreter ("bash" or "python3"), run in the workspace.
    """

    files: Mapping[str, File]
    script: str = ""
    interpreter: str = "bash"
    message: str = ""

    @property
    def empty(self) -> bool:
        return not (self.files or self.script or self.message)


def reference_steps(task: Task, variant: str | None = None) -> list[list[Step]]:
    """Per session, the steps of the reference and then, laid over it, those of a variant.

    Files that are not in a folder per session belong to the last session.
    """
    roots = ["solution"] if variant is None else ["solution", f"variants/{variant}"]
    steps: list[list[Step]] = [[] for _ in task.sessions]
    for root in roots:
        tree = task.tree(root)
        if not tree:
            continue
        if any(path.split("/")[0].isdigit() for path in tree):
            for number in range(1, len(task.sessions) + 1):
                prefix = f"{number}/"
                inner = {p[len(prefix) :]: f for p, f in tree.items() if p.startswith(prefix)}
                steps[number - 1].append(_step(inner))
        else:
            steps[-1].append(_step(tree))
    return [[step for step in session if not step.empty] for session in steps]


def variant_names(task: Task) -> list[str]:
    return sorted({path.split("/")[0] for path in task.tree("variants")})


def _step(tree: Mapping[str, File]) -> Step:
    def text(name: str) -> str:
        return tree[name].content.decode() if name in tree else ""

    files = {path[len("files/") :]: f for path, f in tree.items() if path.startswith("files/")}
    python = text("run.py")
    return Step(
        files=files,
        script=python or text("run.sh"),
        interpreter="python3" if python else "bash",
        message=text("message.md").strip(),
    )
