"""ClawGym-Bench: what a task is, how it is run in a sandbox, graded, judged and compared.

inspect eval clawgym_bench --model openai/gpt-5      # in a shell
for task in load_bench(): ...                        # in Python
"""

from clawgym_bench.grading import Grade, grade
from clawgym_bench.task import Task, read_tasks
from clawgym_bench.taskset import TaskSet, load_bench, task_set

__all__ = ["Grade", "Task", "TaskSet", "grade", "load_bench", "read_tasks", "task_set"]
