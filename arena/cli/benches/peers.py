#!/usr/bin/env python3
"""What other programs spend on what the arena does, as processor time: python3 arena/cli/benches/peers.py --help"""

import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile

UNSWBC = "unswbc==1.2.11"


def spent(command: list[str], folder: str) -> float:
    """Seconds of processor time, user and system, of a command and all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{shlex.join(command)} failed:\n{done.stderr.decode(errors='replace')}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def unswbc(folder: str) -> dict[str, list[str]]:
    """Installs unswbc into a folder and makes a bot with it; its commands."""
    subprocess.run([sys.executable, "-m", "venv", "env"], cwd=folder, check=True)
    subprocess.run(["env/bin/pip", "install", "--quiet", UNSWBC], cwd=folder, check=True)
    program = os.path.join(folder, "env/bin/unswbc")
    subprocess.run([program, "init", "c", "bot"], cwd=folder, check=True, capture_output=True)
    run = [program, "run", "--no-replay", "--seed", "1", "maps/arena.map", "bot", "bot"]
    return {"unswbc, start-up": [program, "--version"], "unswbc, a match of its example against itself": run}


def main() -> None:
    parser = argparse.ArgumentParser(description="Processor time of other programs, interleaved: median (least - most).")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--arena", default="arena", help="the arena's binary")
    parser.add_argument("--unswbc", action="store_true", help=f"install {UNSWBC} for the moment, and measure it, too")
    parser.add_argument(
        "--games",
        nargs=2,
        action="append",
        default=[],
        metavar=("N", "COMMAND"),
        help="a command that plays N games, such as the original's program: its time for a game",
    )
    chosen = parser.parse_args()
    arena = os.path.abspath(chosen.arena) if os.sep in chosen.arena else chosen.arena
    with tempfile.TemporaryDirectory() as folder:
        commands = {
            "arena, start-up": ([arena, "--version"], 1),
            "arena, a game of easy against hard": ([arena, "play", "easy", "hard", "--games", "100"], 100),
            "python3, start-up": (["python3", "-c", "pass"], 1),
            "node, start-up": (["node", "-e", "0"], 1),
        }
        if chosen.unswbc:
            commands |= {name: (command, 1) for name, command in unswbc(folder).items()}
        for games, command in chosen.games:
            commands[f"a game of: {command}"] = (shlex.split(command), int(games))
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(chosen.rounds):
            for name, (command, games) in commands.items():
                times[name].append(spent(command, folder) / games)
    for name, seconds in times.items():
        least, middle, most = (1e3 * of for of in (min(seconds), statistics.median(seconds), max(seconds)))
        print(f"{name:<50}{middle:>10.1f} ms   ({least:.1f} - {most:.1f})")


if __name__ == "__main__":
    main()
