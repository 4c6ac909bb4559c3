"""`bench.yaml`: what a published task set says about itself.

name: clawgym-bench
version: 0.2.0          # semantic: a changed task raises the minor version
hash: 9c41…             # SHA-256 over ids and contents of all tasks
tasks: {ID: hash, …}    # SHA-256 of each task's content
"""

import re
from pathlib import Path
from typing import Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from clawgym_bench.errors import InputError
from clawgym_bench.task import Task

CARD = "bench.yaml"
VERSION = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$"
HASH = r"^[0-9a-f]{64}$"


class SetCard(BaseModel):
    """`hash` is that of `TaskSet.content_hash`; `tasks` maps ids to `Task.content_hash`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    version: str = Field(pattern=VERSION)
    hash: str = Field(pattern=HASH)
    tasks: dict[str, str]

    @classmethod
    def read(cls, folder: str | Path) -> Self | None:
        """The card in the folder of a set; None where there is none. Raises `InputError`."""
        file = Path(folder) / CARD
        if "://" in str(folder) or not file.is_file():
            return None
        try:
            return cls.model_validate(yaml.safe_load(file.read_text("utf-8")))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise InputError(f"{file}: {where}: {first['msg']}") from error
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise InputError(f"{file}: cannot be read: {error}") from error

    def write(self, folder: Path) -> None:
        text = yaml.safe_dump(self.model_dump(), sort_keys=False, allow_unicode=True)
        (folder / CARD).write_text(text, encoding="utf-8")

    def differences(self, tasks: dict[str, str]) -> list[str]:
        """How a set (id to hash) differs from what the card says, in words."""
        said = self.tasks
        return [
            *(f"{name} is missing" for name in sorted(said.keys() - tasks.keys())),
            *(f"{name} is not on the card" for name in sorted(tasks.keys() - said.keys())),
            *(
                f"{name} was changed"
                for name in sorted(said.keys() & tasks.keys())
                if said[name] != tasks[name]
            ),
        ]


def require_version(version: str) -> None:
    """Raises `InputError` for what is no semantic version."""
    if not re.fullmatch(VERSION, version):
        raise InputError(f"version {version!r}: give three numbers, such as 0.2.0")


def hashes_of(tasks: list[Task]) -> dict[str, str]:
    return {task.id: task.content_hash for task in tasks}
