"""Evaluates a checkpoint by the benchmark: the Inspect provider `clawgym/CHECKPOINT`."""
