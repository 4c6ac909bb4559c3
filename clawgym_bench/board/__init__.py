"""Results of runs: the board that shows them and the gate that compares them."""

from clawgym_bench.board.regress import Comparison, Verdict, compare
from clawgym_bench.board.result import RunResult, read_result, result_of_log

__all__ = ["Comparison", "RunResult", "Verdict", "compare", "read_result", "result_of_log"]
