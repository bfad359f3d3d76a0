#!/usr/bin/env python3
"""What a game adds to the memory of running, resuming and verifying a tournament: python3 arena/cli/benches/memory.py --help

`cargo xtask bench` runs it. Fails when a median is beyond its bar."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

# What a game may add, in bytes, and what so many games may take in all.
A_GAME_MAX = 200
RESIDENT_MAX = (10_000, 32_000_000)
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
    parser.add_argument("--rounds", type=int, default=3, help="how often all is measured; medians are taken")
    parser.add_argument("--arena", default="target/release/arena", help="the arena's binary")
    chosen = parser.parse_args()
    sizes = (chosen.games, 2 * chosen.games)
    readings: dict[str, dict[int, list[int]]] = {}
    for games in sizes * chosen.rounds:
        with tempfile.TemporaryDirectory() as folder:
            definition, out = os.path.join(folder, "memory.toml"), os.path.join(folder, "out")
            with open(definition, "w") as file:
                file.write(DEFINITION.format(pairs=games // 2))
            run = [chosen.arena, "tournament", "run", definition, "--out", out, "--threads", "1"]
            commands = {"run": run, "resume": [chosen.arena, "tournament", "resume", out]}
            commands["verify"] = [chosen.arena, "verify", out]
            for name, command in commands.items():
                readings.setdefault(name, {}).setdefault(games, []).append(resident(command))
    print(f"{'resident':10}{sizes[0]:>12} games{sizes[1]:>12} games   bytes a game, median of {chosen.rounds} (least - most)")
    beyond, highest = [], {}
    for name, of_sizes in readings.items():
        few, many = (of_sizes[games] for games in sizes)
        highest[name] = max(few)
        added = sorted((more - less) / chosen.games for less, more in zip(few, many))
        least, a_game, most = added[0], statistics.median(added), added[-1]
        few, many = statistics.median(few), statistics.median(many)
        print(f"{name:10}{few / 1e6:>12.1f} MB   {many / 1e6:>12.1f} MB   {a_game:>12.0f} ({least:.0f} - {most:.0f})")
        if a_game > A_GAME_MAX:
            beyond.append(f"{name}: {a_game:.0f} bytes a game, at most {A_GAME_MAX}")
        if sizes[0] <= RESIDENT_MAX[0] and highest[name] > RESIDENT_MAX[1]:
            beyond.append(f"{name}: {highest[name] / 1e6:.1f} MB, at most {RESIDENT_MAX[1] / 1e6:.0f}")
    most = ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in highest.items())
    print(f"most resident with {sizes[0]} games: {most}; at most {RESIDENT_MAX[1] / 1e6:.0f} MB with {RESIDENT_MAX[0]}")
    for one in beyond:
        print(f"BEYOND  {one}")
    if beyond:
        sys.exit(1)


if __name__ == "__main__":
    main()
