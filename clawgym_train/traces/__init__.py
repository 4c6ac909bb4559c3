"""Traces: from Inspect logs of any agent to conversations that a model can be trained on."""

from clawgym_train.traces.collect import Outcome, collect
from clawgym_train.traces.filters import Filters
from clawgym_train.traces.formats import FORMATS
from clawgym_train.traces.trace import Conversation, Trace

__all__ = ["FORMATS", "Conversation", "Filters", "Outcome", "Trace", "collect"]
