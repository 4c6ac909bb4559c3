"""ClawGym-Bench."""
