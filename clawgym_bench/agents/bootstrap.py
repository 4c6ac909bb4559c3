"""The system prompt, made from the workspace's bootstrap files as OpenClaw does.

The files are read from the sandbox when a session begins, so that what the agent wrote into its
memory in one session is there in the next.
"""

from importlib import resources

from clawgym_bench.sandbox.protocol import Sandbox

BOOTSTRAP_FILES = (
    "AGENTS.md",
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "TOOLS.md",
    "MEMORY.md",
)
FILE_CHARACTERS = 20_000


async def system_prompt(sandbox: Sandbox) -> str:
    """The prompt for a new conversation in `sandbox`."""
    template = resources.files("clawgym_bench.agents").joinpath("system_prompt.md").read_text()
    text = template.replace("{workspace}", sandbox.workspace).strip()
    for name in BOOTSTRAP_FILES:
        try:
            content = await sandbox.read(f"{sandbox.workspace}/{name}", limit=4 * FILE_CHARACTERS)
        except OSError:
            continue
        shown = content.decode(errors="replace").strip()
        if len(shown) > FILE_CHARACTERS:
            shown = shown[:FILE_CHARACTERS] + f"\n[cut here; use `read` for the rest of {name}]"
        if shown:
            text += f"\n\n## {name}\n\n{shown}"
    return text
