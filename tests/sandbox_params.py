"""The sandboxes as pytest parameters, each with its marker."""

import pytest

SANDBOXES = [
    pytest.param("bwrap", marks=pytest.mark.bwrap),
    pytest.param("docker", marks=pytest.mark.docker),
]
