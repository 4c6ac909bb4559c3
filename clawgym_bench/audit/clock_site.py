"""Runs inside a sandbox only, as `sitecustomize`: moves Python's clock by CLOCK_OFFSET seconds.

`date.today()` and `datetime.today()` ask `time.time`; `datetime.now()` asks the kernel, so the
class is replaced by one that looks the same and accepts instances of the old one as its own.
"""

# mypy: ignore-errors

import datetime
import os
import time


def move(offset):
    real_time, real_time_ns, real = time.time, time.time_ns, datetime.datetime
    gmtime, localtime, ctime = time.gmtime, time.localtime, time.ctime
    asctime, strftime = time.asctime, time.strftime

    class Same(type):
        def __instancecheck__(cls, value):
            return isinstance(value, real)

        def __subclasscheck__(cls, other):
            return issubclass(other, real)

    class Moved(real, metaclass=Same):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(time.time(), tz)

        @classmethod
        def utcnow(cls):
            moment = cls.fromtimestamp(time.time(), datetime.timezone.utc)  # noqa: UP017
            return moment.replace(tzinfo=None)

    def moment(seconds):
        return time.time() if seconds is None else seconds

    time.time = lambda: real_time() + offset
    time.time_ns = lambda: real_time_ns() + offset * 10**9
    time.gmtime = lambda seconds=None: gmtime(moment(seconds))
    time.localtime = lambda seconds=None: localtime(moment(seconds))
    time.ctime = lambda seconds=None: ctime(moment(seconds))
    time.asctime = lambda *given: asctime(*(given or [time.localtime()]))
    time.strftime = lambda form, *given: strftime(form, *(given or [time.localtime()]))
    Moved.__name__, Moved.__qualname__ = "datetime.datetime", "datetime"  # as repr shows it
    Moved.__module__ = "datetime"
    datetime.datetime = Moved


if os.environ.get("CLOCK_OFFSET"):
    move(int(os.environ["CLOCK_OFFSET"]))
