"""Measurements of speed and cost; how to run them and what they say: docs/benchmarks.md.

python -m benchmarks.sandbox    lives of sandboxes, ours and others'
python -m benchmarks.harness    what an evaluation costs besides its sandboxes, and how it grows
python -m benchmarks.audit      tasks audited per minute, and how that grows
"""
