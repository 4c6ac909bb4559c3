"""The gates by name, in the order in which they run: cheap ones first."""

from collections.abc import Awaitable, Callable

from clawgym_bench.audit import (
    determinism,
    hijack,
    junk,
    lint,
    mutants,
    oracle,
    tamper,
    variants,
)
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import GateResult

Gate = Callable[[Context], Awaitable[GateResult]]

GATES: dict[str, Gate] = {
    lint.NAME: lint.run,
    oracle.NAME: oracle.run,
    variants.NAME: variants.run,
    junk.NAME: junk.run,
    mutants.NAME: mutants.run,
    tamper.NAME: tamper.run,
    hijack.NAME: hijack.run,
    determinism.NAME: determinism.run,
}
