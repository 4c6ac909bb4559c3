"""The command `clawgym-data`, which says how to install what it needs where that is missing."""

import sys

EXTRA = ("datasketch", "mimesis")  # what any command imports at once


def main() -> None:
    """Exit codes: see `clawgym_data.cli`; 2 also where the extra is not installed."""
    try:
        from clawgym_data.cli import app
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        print(
            f"error: clawgym-data needs {error.name}, which is not installed: "
            "pip install 'clawgym[data]' (in a checkout: pip install -e '.[data]')",
            file=sys.stderr,
        )
        sys.exit(2)
    from clawgym_bench.cli import run

    run(app)


if __name__ == "__main__":
    main()
