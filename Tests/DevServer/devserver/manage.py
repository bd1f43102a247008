"""What `scripts/devserver` does: start, stop, restart, status, reset, run, test.

One checkout has one development server. What is remembered of it lies in the checkout's `.cache`: ports,
keys and where its database is. Nothing but the standard library is needed to stop it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fcntl
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from .cluster import Cluster, ClusterError, SystemUser, free_port, is_free

PACKAGE = Path(__file__).resolve().parent.parent
CHECKOUT = PACKAGE.parent.parent
CACHE = CHECKOUT / ".cache"
DATABASE = "devserver"


def say(text: str) -> None:
    """To people; standard output is for the variables."""
    print(f"devserver: {text}", file=sys.stderr, flush=True)


@dataclass
class State:
    """What one start leaves for the next. The keys stay the same, so that a stored session stays good."""

    port: int
    control_port: int
    database_port: int | None
    password: str
    jwt_secret: str
    publishable_key: str
    place: str
    database: str = ""
    demo_version: str = ""
    pid: int | None = None

    FILE = CACHE / "devserver.json"

    @staticmethod
    def load() -> State | None:
        with contextlib.suppress(FileNotFoundError):
            return State(**json.loads(State.FILE.read_text()))
        return None

    @staticmethod
    def load_or_new() -> State:
        return State.load() or State(
            0,
            0,
            None,
            secrets.token_hex(16),
            secrets.token_hex(32),
            f"sb_publishable_{secrets.token_urlsafe(24)}",
            str(_place()),
        )

    def save(self) -> None:
        _write_private(State.FILE, json.dumps(asdict(self), indent=1))

    @property
    def cluster(self) -> Cluster:
        return Cluster(Path(self.place), self.password)

    @property
    def control_url(self) -> str:
        return f"http://127.0.0.1:{self.control_port}/control"

    def variables(self) -> dict[str, str]:
        return {
            "OFFLINE_TEST_URL": f"http://127.0.0.1:{self.port}",
            "OFFLINE_TEST_KEY": self.publishable_key,
            "OFFLINE_TEST_JWT_SECRET": self.jwt_secret,
            "OFFLINE_TEST_DATABASE": self.database,
            "OFFLINE_TEST_CONTROL": self.control_url,
        }


def _place() -> Path:
    """Where the cluster lies: in the checkout, unless who runs PostgreSQL may not enter there."""
    inside = CACHE / "postgres"
    CACHE.mkdir(exist_ok=True)
    if SystemUser.suitable().can_enter(CACHE):
        return inside
    outside = Path(tempfile.mkdtemp(prefix="supabase-offline-postgres-", dir="/var/tmp"))
    say(f"the user that runs PostgreSQL cannot enter this checkout; its data goes to {outside}")
    return outside


def _write_private(path: Path, text: str) -> None:
    """Whole or not at all, and for nobody else's eyes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.touch(mode=0o600)
    fresh.chmod(0o600)
    fresh.write_text(text)
    fresh.replace(path)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Two starts at once would make two clusters; the second waits for the first."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "devserver.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# The database


def _start_database(state: State) -> None:
    cluster = state.cluster
    if cluster.exists and not cluster.is_readable:
        say(f"the database was made by PostgreSQL {cluster.version}, which is gone; making a new one")
        cluster.remove()
    if not cluster.exists:
        say(f"making a PostgreSQL cluster in {cluster.place}")
        state.demo_version = ""
    cluster.start(state.database_port)
    state.database_port = cluster.port
    state.database = cluster.dsn(DATABASE)
    state.save()


def _fill_database(state: State, *, again: bool) -> None:
    """Creates the database where it is missing, and lays out the demo in it."""
    import psycopg

    from . import demo

    async def fill() -> None:
        maintenance = state.cluster.dsn("postgres")
        async with await psycopg.AsyncConnection.connect(maintenance, autocommit=True) as connection:
            known = await (
                await connection.execute("select from pg_database where datname = %s", (DATABASE,))
            ).fetchone()
            if known is None:
                await connection.execute(f"create database {DATABASE} template template0".encode())
        if known is None or again or not state.demo_version:
            async with await psycopg.AsyncConnection.connect(state.database) as connection:
                await demo.reset(connection)
            state.demo_version = demo.version()
        elif state.demo_version != demo.version():
            say(
                "schema.sql has changed since the database was laid out; `scripts/devserver reset` takes it up"
            )

    asyncio.run(fill())
    state.save()


# The HTTP server


def _ask(url: str, method: str = "GET") -> bytes | None:
    request = urllib.request.Request(url, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=10) as answer:
            return bytes(answer.read())
    except (urllib.error.URLError, OSError):
        return None


def _is_ours(pid: int) -> bool:
    """Whether a process is this checkout's server: numbers of processes are used again."""
    proc = Path(f"/proc/{pid}/cmdline")
    if proc.exists():
        words = proc.read_bytes().decode(errors="replace")
    elif Path("/proc/self").exists():
        return False
    else:
        done = subprocess.run(
            ["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        words = done.stdout
    return "devserver.serve" in words and str(State.FILE) in words


def _server_runs(state: State) -> bool:
    return state.pid is not None and _is_ours(state.pid)


def _start_server(state: State) -> None:
    if _server_runs(state):
        return
    state.pid = None
    fixed = os.environ.get("OFFLINE_DEVSERVER_PORT")
    if fixed:
        state.port = int(fixed)
    elif not state.port or not is_free(state.port):
        if state.port:
            say(f"port {state.port} is taken by now; choosing another")
        state.port = free_port()
    if not state.control_port or not is_free(state.control_port):
        state.control_port = free_port()
    if not is_free(state.port):
        raise ClusterError(f"port {state.port} is in use")
    state.save()
    log = CACHE / "devserver.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "devserver.serve", "--state", str(State.FILE)],
            cwd=PACKAGE,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that Ctrl-C in the terminal that started it leaves it alone
        )
    state.pid = process.pid
    state.save()
    for _ in range(200):
        if _ask(f"{state.control_url}/health") is not None:
            return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    _stop_server(state)
    raise ClusterError(f"the server did not come up; its words, from {log}:\n{log.read_text()[-2000:]}")


def _stop_server(state: State) -> None:
    pid, state.pid = state.pid, None
    if pid is not None and _is_ours(pid):
        os.kill(pid, signal.SIGTERM)
        for step in range(100):
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)  # where it is our own child
            if not _is_ours(pid):
                break
            if step == 80:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)
    state.save()


# Commands


def start(env_file: Path, *, server_only: bool = False) -> State:
    with _alone():
        state = State.load_or_new()
        running = _server_runs(state)
        if server_only and state.cluster.port is None:
            raise ClusterError("the database does not run; use `scripts/devserver start`")
        if not server_only:
            before = state.database
            _start_database(state)
            _fill_database(state, again=False)
            if running and state.database != before:
                _stop_server(state)  # it would ask where the database no longer is
        _start_server(state)
        say(f"{'already running' if running else 'running'} at http://127.0.0.1:{state.port}")
        _write_private(env_file, _lines(state))
    return state


def stop(*, server_only: bool = False) -> None:
    with _alone():
        state = State.load()
        if state is None:
            say("not running")
            return
        _stop_server(state)
        if not server_only:
            state.cluster.stop()
        say("the HTTP server is stopped, the database goes on" if server_only else "stopped")


def status() -> int:
    state = State.load()
    if state is None:
        print("never started")
        return 3
    server = f"runs at http://127.0.0.1:{state.port}" if _server_runs(state) else "is stopped"
    port = state.cluster.port
    print(f"server {server}")
    print(f"database {f'runs on port {port}' if port else 'is stopped'} ({state.place})")
    return 0 if _server_runs(state) and port else 3


def reset() -> None:
    with _alone():
        state = State.load_or_new()
        stopped = state.cluster.port is None
        _start_database(state)
        _fill_database(state, again=True)
        if _server_runs(state):
            _ask(f"{state.control_url}/reload", "POST")
        if stopped:
            state.cluster.stop()
        say("the database is as new")


def run(env_file: Path, command: list[str]) -> int:
    """With a command: that, with the variables set. Without: until Ctrl-C. Stops what it started."""
    known = State.load()
    was_running = known is not None and _server_runs(known)
    state = start(env_file)
    try:
        if command:
            return subprocess.run(command, env=os.environ | state.variables(), check=False).returncode
        print(_lines(state), end="", flush=True)
        say("Ctrl-C ends it")
        while _server_runs(state):
            time.sleep(0.5)
        return 0
    except KeyboardInterrupt:
        return 130 if command else 0
    finally:
        if not was_running:
            stop()


def test(arguments: list[str]) -> int:
    """The server's own tests, on a cluster of their own."""
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=PACKAGE, check=False).returncode


def _lines(state: State) -> str:
    # No value holds a quote: they are hexadecimal, base64 and URLs.
    return "".join(f"export {name}='{value}'\n" for name, value in state.variables().items())


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/devserver", description="The development server of this checkout."
    )
    commands = parser.add_subparsers(dest="command", required=True)

    def command(
        name: str, help: str, *, env: bool = False, server_only: bool = False
    ) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help)
        if env:
            sub.add_argument(
                "--env-file",
                type=Path,
                default=CACHE / "devserver.env",
                metavar="FILE",
                help="where the variables are written (default: .cache/devserver.env)",
            )
        if server_only:
            sub.add_argument("--server-only", action="store_true", help="leave the database alone")
        return sub

    command("start", "start it and print its variables", env=True, server_only=True)
    command("stop", "stop it; the data stays", server_only=True)
    command("restart", "stop and start", env=True, server_only=True)
    command("status", "say what runs; exit status 0 if all does")
    command("reset", "back to the demo's first rows")
    command("run", "start it, run a command or wait for Ctrl-C, stop it", env=True).add_argument(
        "arguments", nargs="*", metavar="COMMAND", help="after `--`"
    )
    command("test", "run its own tests").add_argument("arguments", nargs="*", help="for pytest, after `--`")
    given = parser.parse_args()
    try:
        match given.command:
            case "start":
                print(_lines(start(given.env_file, server_only=given.server_only)), end="")
            case "stop":
                stop(server_only=given.server_only)
            case "restart":
                stop(server_only=given.server_only)
                print(_lines(start(given.env_file, server_only=given.server_only)), end="")
            case "status":
                return status()
            case "reset":
                reset()
            case "run":
                return run(given.env_file, given.arguments)
            case "test":
                return test(given.arguments)
    except ClusterError as error:
        say(str(error))
        return 1
    except PermissionError as error:
        say(f"{error}: was this server started by another user?")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
