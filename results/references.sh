#!/bin/bash
# Runs the reference agents on the shipped tasks and writes them into results/, each verified.
# A few minutes, no model: bash results/references.sh [agent ...]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${BIN:-.venv/bin}
agents=("$@")
[ ${#agents[@]} -gt 0 ] || agents=(oracle noop echo stub)

for agent in "${agents[@]}"; do
    logs=$(mktemp -d)
    "$bin/inspect" eval clawgym_bench --model none -T agent="$agent" -T sandbox=bwrap \
        --log-dir "$logs" --display none
    "$bin/clawgym-bench" board add "$logs"/*.eval --name "$agent" --replace --by "the maintainers" \
        --recipe "inspect eval clawgym_bench --model none -T agent=$agent -T sandbox=bwrap"
    rm -r "$logs"
    "$bin/clawgym-bench" board verify "results/$agent" --sandbox bwrap --mark
done
