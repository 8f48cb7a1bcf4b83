"""A Slurm of one machine, of programs that are installed (Debian: slurm-wlm and munge), in a folder of its own."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")
PATIENCE = 60.0  # seconds for the node to be idle

CONF = """\
ClusterName=covr
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=2
OverTimeLimit=0
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
"""


def missing() -> list[str]:
    """Which of Slurm's programs are not installed."""
    return [name for name in PROGRAMS if shutil.which(name, path=_path()) is None]


@contextmanager
def cluster(place: Path) -> Iterator[dict[str, str]]:
    """A cluster of this machine; inside, the environment in which `sbatch` and `squeue` reach it."""
    environment = {**os.environ, "PATH": _path(), "SLURM_CONF": str(place / "slurm.conf")}
    for name in ("state", "spool"):
        (place / name).mkdir(parents=True)
    key = place / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    host = socket.gethostname().partition(".")[0]
    (place / "slurm.conf").write_text(
        CONF.format(host=host, user=getpass.getuser(), place=place, ports=[_free(), _free()])
    )
    servers = [
        ["munged", "--foreground", "--force", f"--key-file={key}", f"--socket={place}/munge.socket",
         f"--pid-file={place}/munged.pid", f"--log-file={place}/munged.log", f"--seed-file={place}/munged.seed"],
        ["slurmctld", "-D", "-f", f"{place}/slurm.conf"],
        ["slurmd", "-D", "-f", f"{place}/slurm.conf", "-N", host],
    ]  # fmt: skip
    running: list[subprocess.Popen[bytes]] = []
    try:
        for words in servers:
            with (place / f"{words[0]}.out").open("wb") as out:
                running.append(subprocess.Popen(words, env=environment, stdout=out, stderr=out))
            time.sleep(0.5)
        _wait(environment)
        yield environment
    finally:
        for server in reversed(running):
            server.terminate()
        for server in reversed(running):
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def asked(environment: dict[str, str], *words: str) -> str:
    """What one of Slurm's programs says."""
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout


def jobs(environment: dict[str, str]) -> list[tuple[str, str]]:
    """The tasks that are queued or running: number and state."""
    lines = asked(environment, "squeue", "--noheader", "--array", "--format=%i %T").split("\n")
    return [(words[0], words[1]) for line in lines if len(words := line.split()) == 2]


def _wait(environment: dict[str, str]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        done = subprocess.run(
            ["scontrol", "show", "node"], env=environment, capture_output=True, text=True, check=False
        )
        if "State=IDLE " in done.stdout or "State=IDLE\n" in done.stdout:
            return
        time.sleep(0.5)
    raise RuntimeError(f"no node came up: {done.stdout}{done.stderr}")


def _free() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _path() -> str:
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
