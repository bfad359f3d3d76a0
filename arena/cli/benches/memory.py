#!/usr/bin/env python3
"""What a game adds to the memory of running, resuming and verifying a tournament: python3 arena/cli/benches/memory.py --help"""

import argparse
import os
import subprocess
import sys
import tempfile

DEFINITION = """name = "memory"
ruleset = "conquerors@2"
seed = 1
format = "round-robin"
pairs = {pairs}
[[entrants]]
name = "easy"
baseline = "easy"
[[entrants]]
name = "hard"
baseline = "hard"
"""


def resident(command: list[str]) -> int:
    """The most bytes that were resident in a command's process."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{said}")
    return usage.ru_maxrss * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description="Resident memory of commands over a tournament of N and of 2 N games.")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--arena", default="target/release/arena", help="the arena's binary")
    chosen = parser.parse_args()
    readings: dict[str, list[int]] = {}
    for games in (chosen.games, 2 * chosen.games):
        with tempfile.TemporaryDirectory() as folder:
            definition, out = os.path.join(folder, "memory.toml"), os.path.join(folder, "out")
            with open(definition, "w") as file:
                file.write(DEFINITION.format(pairs=games // 2))
            run = [chosen.arena, "tournament", "run", definition, "--out", out, "--threads", "1"]
            commands = {"run": run, "resume": [chosen.arena, "tournament", "resume", out]}
            commands["verify"] = [chosen.arena, "verify", out]
            for name, command in commands.items():
                readings.setdefault(name, []).append(resident(command))
    print(f"{'':10}{chosen.games:>12} games{2 * chosen.games:>12} games   bytes a game")
    for name, (few, many) in readings.items():
        print(f"{name:10}{few / 1e6:>12.1f} MB   {many / 1e6:>12.1f} MB   {(many - few) / chosen.games:>12.0f}")


if __name__ == "__main__":
    main()
