"""How a process is started that Ctrl-C does not reach: it is for the process that started it alone."""

from __future__ import annotations

import sys
from typing import Any

# Flags of Windows' CreateProcess; `subprocess` has their names on Windows only.
NEW_PROCESS_GROUP = 0x00000200
BELOW_NORMAL_PRIORITY = 0x00004000


def apart(*, humble: bool = False, system: str = sys.platform) -> dict[str, Any]:
    """Arguments of `subprocess.Popen`. humble: on Windows, also lower the priority, so that only processors that are
    free are used; elsewhere a process can do that by itself.  system: as sys.platform names it."""
    if system == "win32":
        return {"creationflags": NEW_PROCESS_GROUP | (BELOW_NORMAL_PRIORITY if humble else 0)}
    return {"start_new_session": True}
