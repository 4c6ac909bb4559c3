"""Task sets in the forms of other projects."""

from clawgym_data.export.clawgym import hub_record, write_clawgym
from clawgym_data.export.harbor import write_harbor
from clawgym_data.export.parquet import write_parquet

__all__ = ["hub_record", "write_clawgym", "write_harbor", "write_parquet"]
