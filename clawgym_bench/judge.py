"""The rubric judge: one call per criterion, a level and quotes in return.

Everything that the agent produced stands inside blocks delimited by a fresh nonce, so that it
cannot close its block; text of office files is extracted first. A judge that writes prose, calls
tools or invents a level is asked again; when it still gives no verdict the sample is unscored
(`JudgeFailed`), never 0.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from clawgym_bench.checks.readable import readable_text
from clawgym_bench.errors import TaskFault
from clawgym_bench.grading import Verdict
from clawgym_bench.sandbox.snapshot import Snapshot
from clawgym_bench.task.model import Criterion, Task

if TYPE_CHECKING:
    from inspect_ai.model import Model

FILE_CHARACTERS = 40_000
ATTEMPTS = 3


class JudgeFailed(TaskFault):
    """The judge gave no usable verdict on a criterion."""


class Answer(BaseModel):
    """What the judge must answer."""

    model_config = ConfigDict(extra="ignore")

    level: float
    quotes: list[str] = []
    reason: str = ""


async def judge(
    task: Task,
    snapshot: Snapshot,
    messages: Sequence[str],
    model: "Model",
    *,
    cache: bool = True,
) -> list[Verdict]:
    """A verdict per criterion; raises `JudgeFailed`. `cache`: reuse equal calls made before."""
    return [
        await _verdict(task, criterion, snapshot, messages, model, cache=cache)
        for criterion in task.rubric
    ]


async def _verdict(
    task: Task,
    criterion: Criterion,
    snapshot: Snapshot,
    messages: Sequence[str],
    model: "Model",
    *,
    cache: bool,
) -> Verdict:
    from inspect_ai.model import ChatMessage, ChatMessageUser, GenerateConfig

    material = _material(criterion, snapshot, messages)
    if not any(text.strip() for _, text in material):
        return Verdict(criterion.id, 0.0, "nothing was delivered that this criterion reads")
    prompt = judge_prompt(task, criterion, material)
    conversation: list[ChatMessage] = [ChatMessageUser(content=prompt)]
    problem = ""
    for _ in range(ATTEMPTS):
        output = await model.generate(
            conversation, config=GenerateConfig(temperature=0.0), cache=cache
        )
        try:
            answer = parse_answer(output.completion, criterion)
        except ValueError as error:
            problem = str(error)
            conversation += [
                output.message,
                ChatMessageUser(
                    content=f"That is not a verdict: {problem}. Answer with the JSON object only."
                ),
            ]
            continue
        return Verdict(criterion.id, answer.level, answer.reason, tuple(answer.quotes))
    raise JudgeFailed(f"the judge gave no verdict on {criterion.id} in {ATTEMPTS} tries: {problem}")


def _material(
    criterion: Criterion, snapshot: Snapshot, messages: Sequence[str]
) -> list[tuple[str, str]]:
    """Named texts that the judge reads. A file that is not there is an empty text."""
    material = []
    for path in criterion.files:
        content = snapshot.files.get(path)
        material.append((path, "" if content is None else readable_text(path, content)))
    if criterion.message:
        for number, message in enumerate(messages, 1):
            material.append((f"final message of session {number}", message))
    return material


def judge_prompt(
    task: Task, criterion: Criterion, material: Sequence[tuple[str, str]], nonce: str | None = None
) -> str:
    """The whole prompt. `nonce` delimits the data; a function of the data, so that equal
    material gives an equal prompt (and a cached answer) while nobody can know it beforehand."""
    if nonce is None:
        nonce = _nonce(material)
    blocks = []
    for name, text in material:
        shown = text
        if len(text) > FILE_CHARACTERS:
            half = FILE_CHARACTERS // 2
            cut = len(text) - 2 * half
            shown = f"{text[:half]}\n[{cut} characters left out]\n{text[-half:]}"
        blocks.append(
            f"<data {nonce} name={json.dumps(name)}>\n{shown or '(empty)'}\n</data {nonce}>"
        )
    requests = "\n\n".join(task.request(number) for number in range(1, len(task.sessions) + 1))
    levels = "\n".join(f"- {level:g}: {text}" for level, text in sorted(criterion.levels.items()))
    template = resources.files("clawgym_bench").joinpath("judge_prompt.md").read_text()
    values = {
        "nonce": nonce,
        "request": requests,
        "criterion": criterion.criterion,
        "levels": levels,
        "material": "\n\n".join(blocks),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)


def _nonce(material: Sequence[tuple[str, str]]) -> str:
    """Depends on everything in the blocks: text that holds its own nonce cannot be made."""
    digest = hashlib.sha256(json.dumps(list(material)).encode()).hexdigest()
    return digest[:24]


def parse_answer(text: str, criterion: Criterion) -> Answer:
    """The verdict in a judge's answer; raises `ValueError` with what is wrong with it."""
    found: Any = None
    for match in re.finditer(r"\{", text):
        try:
            candidate, _ = json.JSONDecoder().raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(candidate, dict) and "level" in candidate:
            found = candidate
            break
    if found is None:
        raise ValueError("it holds no JSON object with a `level`")
    try:
        answer = Answer.model_validate(found)
    except ValidationError as error:
        raise ValueError(f"its fields are wrong: {error.errors()[0]['msg']}") from error
    allowed = sorted(criterion.levels)
    if answer.level not in allowed:
        levels = ", ".join(f"{level:g}" for level in allowed)
        raise ValueError(f"its level {answer.level:g} is none of {levels}")
    return answer
