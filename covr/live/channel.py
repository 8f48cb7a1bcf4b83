"""How a job in another process reports what it finds, and receives messages while it works.

A line is a JSON object, in both directions. When the input ends, the one who asked is gone, and the process ends at
once, whatever it is doing: nobody would read the result.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import Any, TextIO

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
