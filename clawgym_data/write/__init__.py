"""The second engine: a model writes tasks, or rewrites what the composer has written.

Every answer of a model is data. It is parsed and bounded here, built into a task with declarative
checks, and judged by the audit like any other; what a draft wants to be run is run in a sandbox.
"""

from clawgym_data.write.account import Account, Budget
from clawgym_data.write.answers import Answers
from clawgym_data.write.enrich import EnrichEngine
from clawgym_data.write.skills import Skill, Skills, read_skills
from clawgym_data.write.writer import ModelEngine

__all__ = [
    "Account",
    "Answers",
    "Budget",
    "EnrichEngine",
    "ModelEngine",
    "Skill",
    "Skills",
    "read_skills",
]
