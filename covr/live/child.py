"""The process in which models are compiled and solved: how it gets jobs, and reports."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from queue import SimpleQueue
from typing import Any, TextIO

# --- How a job in another process reports what it finds, and receives messages while it works -------------------------
# A line is a JSON object, in both directions. When the input ends, the one who asked is gone, and the process ends at
# once, whatever it is doing: nobody would read the result.


Message = Mapping[str, Any]


class Channel:
    """The two pipes of a process that works on jobs.

    heard: called with each message that comes while a job runs, in the thread that reads; it must return at once.
    """

    def __init__(self, out: TextIO) -> None:
        self.heard: Callable[[Message], None] | None = None
        self._out = out
        self._lock = threading.Lock()
        self._jobs: SimpleQueue[Message] = SimpleQueue()

    def listen(self) -> None:
        """Read messages until there are none, and then end the process. For a thread of its own."""
        for line in sys.stdin:
            message = json.loads(line)
            if "to" in message:
                heard = self.heard
                if heard is not None:
                    heard(message)
            else:
                self._jobs.put(message)
        os._exit(0)

    def job(self) -> Message:
        """The next job; waits for it."""
        return self._jobs.get()

    def tell(self, message: Message) -> None:
        """Tell what was found. May be called from any thread; waits while nobody reads."""
        line = json.dumps(message) + "\n"
        with self._lock:
            self._out.write(line)
            self._out.flush()


# --- child -----------------------------------------------------------------------------------------------------------
# The process in which models are compiled and solved: reads a job a line from standard input, and tells what it finds.
#
# Started as `python -m covr.live.child MODULE`. The module's `work` does the jobs; `warm`, if it has one, is called
# before the first. The process ends when its input does, so it never outlives the one who asks.


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
