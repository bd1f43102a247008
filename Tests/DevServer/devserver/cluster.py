"""A private PostgreSQL cluster, listening on 127.0.0.1 only, with a password of its own.

PostgreSQL refuses to run as root, so root runs it as another user of the system; everything else about
it is the same for root and for everybody.
"""

from __future__ import annotations

import contextlib
import locale
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OWNER = "postgres"

_CONFIGURATION = """
# Added by the development server.
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
password_encryption = 'scram-sha-256'
timezone = 'UTC'
log_timezone = 'UTC'
max_connections = 60
shared_buffers = '64MB'
jit = off
"""


class ClusterError(Exception):
    """Something a person has to mend, in words for that person."""


def free_port() -> int:
    """A port nobody listens on. Somebody may take it before it is used: whoever uses it tries again."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As servers do: a port whose last connections still fade away is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def find_binaries() -> Path:
    """Where initdb and pg_ctl are: the newest of Debian's, else what is on the path, else Homebrew's."""
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: _number(p.parent.name), reverse=True
    )
    on_path = shutil.which("initdb")
    brew = [
        p
        for prefix in ("/opt/homebrew/opt", "/usr/local/opt")
        for p in sorted(Path(prefix).glob("postgresql*/bin"), reverse=True)
    ]
    for folder in [*debian, *([Path(on_path).parent] if on_path else []), *brew]:
        if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
            return folder
    raise ClusterError("no PostgreSQL server found: run scripts/setup")


def _number(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


@dataclass(frozen=True)
class SystemUser:
    """Who runs PostgreSQL: ourselves, unless we are root."""

    uid: int | None = None
    gid: int | None = None

    @staticmethod
    def suitable(data: Path | None = None) -> SystemUser:
        """`data`: where a cluster may already be, which then stays its maker's."""
        if os.geteuid() != 0:
            return SystemUser()
        if data is not None and data.exists():
            made = data.stat()
            return SystemUser(made.st_uid, made.st_gid)
        for name in ("postgres", "nobody"):
            with contextlib.suppress(KeyError):
                entry = pwd.getpwnam(name)
                return SystemUser(entry.pw_uid, entry.pw_gid)
        raise ClusterError("running as root, and there is no user postgres or nobody to run PostgreSQL as")

    def run(self, arguments: list[str | Path], *, cwd: Path | str = "/") -> None:
        """Runs a program as this user; its words are the error's if it fails."""
        other: dict[str, Any] = {}
        if self.uid is not None:
            other = {"user": self.uid, "group": self.gid, "extra_groups": []}
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PG")}
        # To a file: a server that pg_ctl starts would keep a pipe open for as long as it runs.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                [str(a) for a in arguments],
                cwd=cwd,
                env=environment | {"LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                **other,
            )
            output.seek(0)
            words = output.read().decode(errors="replace").strip()
        if done.returncode != 0:
            raise ClusterError(f"{Path(str(arguments[0])).name} failed: {words}")

    def can_enter(self, folder: Path) -> bool:
        try:
            self.run(["/bin/sh", "-c", 'cd "$0"', folder])
        except ClusterError:
            return False
        return True


class Cluster:
    """The cluster in the folder `place`, which it has for itself: `data`, `log` and nothing else."""

    def __init__(self, place: Path, password: str) -> None:
        self.place = place
        self.password = password
        self.data = place / "data"
        self.log = place / "log"
        self.user = SystemUser.suitable(self.data)

    @property
    def exists(self) -> bool:
        return (self.data / "PG_VERSION").exists()

    @property
    def port(self) -> int | None:
        """The port it listens on, while it runs."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
            pid, port, status = int(lines[0]), int(lines[3]), lines[7].strip()
            with contextlib.suppress(PermissionError):
                os.kill(pid, 0)
        except (OSError, ValueError, IndexError):
            return None
        # The number of its process may be another's by now, as after a restart of the machine.
        with socket.socket() as probe:
            return port if status == "ready" and probe.connect_ex(("127.0.0.1", port)) == 0 else None

    @property
    def version(self) -> str:
        """The major version that made the data."""
        return (self.data / "PG_VERSION").read_text().strip()

    @property
    def is_readable(self) -> bool:
        """Whether programs of the data's own version are here; another version cannot read it."""
        done = subprocess.run(
            [str(self.binaries() / "postgres"), "--version"], capture_output=True, text=True, check=False
        )
        return self.version in done.stdout.split(")", 1)[-1].split(".")[0]

    def binaries(self) -> Path:
        own = Path("/usr/lib/postgresql") / self.version / "bin" if self.exists else None
        return own if own and (own / "pg_ctl").exists() else find_binaries()

    def create(self, configuration: str = "") -> None:
        self.place.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self.data, ignore_errors=True)
        if self.user.uid is not None and self.user.gid is not None:
            os.chown(self.place, self.user.uid, self.user.gid)
        self.place.chmod(0o700)
        with tempfile.NamedTemporaryFile("w", prefix="devserver-") as secret:
            secret.write(self.password)
            secret.flush()
            if self.user.uid is not None and self.user.gid is not None:
                os.chown(secret.name, self.user.uid, self.user.gid)
            self.user.run(
                [
                    self.binaries() / "initdb",
                    "--pgdata",
                    self.data,
                    "--username",
                    OWNER,
                    "--pwfile",
                    secret.name,
                    "--auth",
                    "scram-sha-256",
                    "--encoding",
                    "UTF8",
                    # The order of text in a hosted project; Debian has no such locale in its C library.
                    "--locale-provider",
                    "icu",
                    "--icu-locale",
                    "en-US",
                    "--locale",
                    _plain_locale(),
                ]
            )
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(_CONFIGURATION + configuration)

    def start(self, port: int | None = None) -> None:
        """Starts it, at best on `port`; on another where that one is taken."""
        if self.port is not None:
            return
        if not self.exists:
            self.create()
        for attempt in range(5):
            wanted = port if port is not None and attempt == 0 and is_free(port) else free_port()
            try:
                self.user.run(
                    [
                        self.binaries() / "pg_ctl",
                        "start",
                        "--wait",
                        "--silent",
                        "--timeout",
                        "60",
                        "--pgdata",
                        self.data,
                        "--log",
                        self.log,
                        "--options",
                        f"-p {wanted}",
                    ]
                )
                return
            except ClusterError as error:
                words = self.log.read_text(errors="replace") if self.log.exists() else ""
                if "Address already in use" not in words[-2000:] or attempt == 4:
                    raise ClusterError(f"{error}\n{words[-2000:]}") from error

    def stop(self) -> None:
        if self.exists and (self.data / "postmaster.pid").exists():
            with contextlib.suppress(ClusterError):
                self.user.run(
                    [
                        self.binaries() / "pg_ctl",
                        "stop",
                        "--wait",
                        "--silent",
                        "--mode",
                        "fast",
                        "--pgdata",
                        self.data,
                    ]
                )

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.place, ignore_errors=True)

    def dsn(self, database: str) -> str:
        return f"postgresql://{OWNER}:{self.password}@127.0.0.1:{self.port}/{database}"


def _plain_locale() -> str:
    for name in ("C.UTF-8", "en_US.UTF-8"):
        try:
            saved = locale.setlocale(locale.LC_CTYPE)
            locale.setlocale(locale.LC_CTYPE, name)
            locale.setlocale(locale.LC_CTYPE, saved)
        except locale.Error:
            continue
        return name
    return "C"


@contextlib.contextmanager
def temporary_cluster() -> Iterator[Cluster]:
    """A cluster for one run of tests. Its folder is where another user can reach it."""
    cluster = Cluster(Path(tempfile.mkdtemp(prefix="devserver-", dir="/tmp")), os.urandom(16).hex())
    try:
        # Nothing of it outlives the run, so it need not reach the disk.
        cluster.create("fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n")
        cluster.start()
        yield cluster
    finally:
        cluster.remove()
