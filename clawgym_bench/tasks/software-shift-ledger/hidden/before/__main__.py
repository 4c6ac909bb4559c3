import sys

from shiftledger.cli import main

sys.exit(main())
