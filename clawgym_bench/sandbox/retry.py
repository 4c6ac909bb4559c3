"""How often a sandbox is tried to be made before the failure is reported."""

CREATE_ATTEMPTS = 3
BACKOFF_SECONDS = (0.5, 2.0)
"""Pause before the second and the third attempt."""
