"""`python -m clawgym_train.cli`, for launchers such as accelerate."""

from clawgym_train.cli import main

main()
