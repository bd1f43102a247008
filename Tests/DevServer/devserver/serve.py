"""The server as a process: `python -m devserver.serve --state FILE`."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import signal
from pathlib import Path

from .app import running
from .settings import Settings

log = logging.getLogger("devserver")


async def serve(state: Path) -> None:
    # Read from a file and not from arguments, which every user of the machine can see.
    told = json.loads(state.read_text())
    settings = Settings(told["database"], told["jwt_secret"], told["publishable_key"])
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with running(settings, told["port"], told["control_port"]) as server:
        log.info("listening at %s, control at %s", server.url, server.control_url)
        await stop.wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="devserver.serve")
    parser.add_argument("--state", type=Path, required=True)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(serve(parser.parse_args().state))


if __name__ == "__main__":
    main()
