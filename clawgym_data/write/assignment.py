"""What is drawn for an attempt before the model is asked: who asks, and on what skills.

Pure: seed and number decide.
"""

import random
from dataclasses import dataclass

from clawgym_bench.task.paths import slug
from clawgym_data.compose.composer import draw_world
from clawgym_data.compose.scenario import SUBCATEGORIES, Subcategory, shares
from clawgym_data.compose.world import World
from clawgym_data.write.build import Origin
from clawgym_data.write.prompt import filled, form, nonce
from clawgym_data.write.skills import Skill

SUPPORTING = (1, 3, 3, 2)
"""Weights of none, one, two and three supporting skills."""
SKILL_CHARACTERS = 16_000
DIFFICULTY = ("easy", "medium", "medium", "hard")


@dataclass(frozen=True)
class Assignment:
    """`prompt` is all that the model is told; `origin` what the task will say of itself."""

    prompt: str
    origin: Origin


def assign(seed: int, number: int, skills: tuple[Skill, ...], model: str) -> Assignment:
    """The persona route or, with skills, the skill route."""
    chance = random.Random(f"write/{seed}/{number}")
    weights = shares(SUBCATEGORIES)
    scenario = SUBCATEGORIES[chance.choices(list(weights), list(weights.values()))[0]]
    world = draw_world(chance, scenario)
    difficulty = chance.choice(DIFFICULTY)
    steps = {"easy": 2, "medium": 4, "hard": 6}[difficulty]
    told = world_text(world, scenario)
    common = {
        "world": told,
        "difficulty": difficulty,
        "steps": str(steps),
        "register": world.register,
    }
    source = f"{model}, seed {seed}"
    if not skills:
        ask = filled("persona", nonce=nonce(told), category=scenario.bench_category, **common)
        origin = Origin(
            seed,
            number,
            source,
            "Apache-2.0",
            world.persona,
            scenario.name,
            (scenario.category, scenario.name),
            scenario.bench_category,
        )
        return Assignment(f"{ask}\n\n{form()}", origin)
    primary, *supporting = draw_skills(chance, skills)
    texts = "\n\n".join(
        f"{'Primary' if skill is primary else 'Supporting'} skill “{skill.name}”: "
        f"{skill.description}\n\n{skill.text[:SKILL_CHARACTERS]}"
        for skill in (primary, *supporting)
    )
    names = ", ".join(f"“{skill.name}”" for skill in supporting)
    ask = filled(
        "skill",
        nonce=nonce(told, texts),
        primary=primary.name,
        supporting=f", with the help of {names}" if names else "",
        skills=texts,
        **common,
    )
    tags = tuple(
        dict.fromkeys(("skill", *(f"skill-{slug(s.name)}"[:80] for s in (primary, *supporting))))
    )
    licence = primary.licence or f"unstated (skill {primary.name})"
    used = ", ".join(skill.name for skill in (primary, *supporting))
    origin = Origin(
        seed, number, f"{source}, skills {used}", licence, world.persona, primary.name, tags
    )
    return Assignment(f"{ask}\n\n{form()}", origin)


def draw_skills(chance: random.Random, skills: tuple[Skill, ...]) -> list[Skill]:
    """One primary and up to three others, those that speak of the same things first."""
    primary = chance.choice(skills)
    others = [skill for skill in skills if skill is not primary]
    count = min(len(others), chance.choices(range(4), SUPPORTING)[0])
    ranked = sorted(others, key=lambda skill: (-len(skill.words & primary.words), chance.random()))
    return [primary, *ranked[:count]]


def world_text(world: World, scenario: Subcategory) -> str:
    lines = [
        f"Person: {world.name}, {world.persona.role}. {world.persona.context}",
        f"Organisation: {world.organisation}",
        f"Kind of work: {scenario.name.replace('-', ' ')} ({scenario.category.replace('-', ' ')})",
        f"The day of the request: {world.today:%A}, {world.today.isoformat()}",
        f"Colleagues and contacts: {', '.join(world.people[:8])}",
        f"Places: {', '.join(world.places[:5])}",
        f"Mail domain: {world.mail_domain}. Currency: {world.currency}",
    ]
    return "\n".join(lines)
