"""`python -m core`: Rowlens without a browser. The commands stand in `core/cli/app.py`."""

from core.cli.app import main

if __name__ == "__main__":
    main()
