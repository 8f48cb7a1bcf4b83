"""The process in which models are compiled and solved: reads a job a line from standard input, and tells what it finds.

Started as `python -m covr.live.child MODULE`. The module's `work` does the jobs; `warm`, if it has one, is called
before the first. The process ends when its input does, so it never outlives the one who asks.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from importlib import import_module

from covr.live.channel import Channel


def main(module: str) -> None:
    """Do jobs until there are none. Whatever else prints goes to standard error; Ctrl-C is for the one who asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = Channel(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    threading.Thread(target=channel.listen, daemon=True).start()
    room = import_module(module)
    if hasattr(room, "warm"):
        room.warm()
    while True:
        job = channel.job()
        try:
            room.work(job, channel)
        except Exception as error:  # a fault of covr's own must not end the process
            if os.environ.get("COVR_TRACEBACK"):
                traceback.print_exc()
            channel.tell({"failed": f"{type(error).__name__}: {str(error)[:500]}"})


if __name__ == "__main__":
    main(sys.argv[1])
