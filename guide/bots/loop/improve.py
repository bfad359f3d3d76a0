"""Lets a program improve a bot: improve.py SOURCE BUILD MODULE FIELD ROUNDS EDITOR...

In each round EDITOR runs with two more arguments: SOURCE, which it changes, and feedback.json, which says what became
of its last change. BUILD, a line for the shell, makes MODULE from SOURCE. A change that is refused, or scores no more
than before against FIELD (names and files, with commas between them), is undone."""
import json
import subprocess
import sys
from pathlib import Path

GAME = "conquerors"
GAMES = 20  # against each of the field, for the bot before a change and after it
NAME, WHY, LINE, LINES = 32, 1000, 200, 20  # most characters of a name, a reason, a logged line; most of these lines
source, build, module, field, rounds, *editor = sys.argv[1:]
source, module, kept = Path(source), Path(module), Path("kept.wasm")


def arena(*words):
    """What a command answers in JSON. With the exit code 1 it says no."""
    done = subprocess.run(["arena", *map(str, words), "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode < 2 else sys.exit(done.stderr)


def refusal():
    """Why SOURCE makes no accepted bot; empty if it does."""
    built = subprocess.run(build, shell=True, capture_output=True, text=True)
    checked = {"message": built.stderr} if built.returncode else arena("check", module, "--game", GAME)
    return "" if checked.get("accepted") else checked["message"]


def lost_to(opponent):
    """The kept bot's last turn in the first of ten games that it lost."""
    arena("play", kept, opponent, "--game", GAME, "--games", 10, "--records", "games")
    for number, file in enumerate(sorted(Path("games").glob("[0-9]*.json"))):
        game, seat = json.loads(file.read_text()), number % 2
        turns = [turn for turn, said in enumerate(game["turns"], 1) if seat in [play["seat"] for play in said["plays"]]]
        if game["outcome"]["winner"] == 1 - seat and turns:
            asked = arena("debug", kept, file, "--turn", turns[-1], "--seat", seat + 1)
            log = [line[:LINE] for line in asked["log"][:LINES]]
            return {"game": str(file), "turn": turns[-1], "answer": asked.get("answer"), "log": log}


why, is_better, scores, worst = refusal(), True, [], field.split(",")[0]
if why:
    sys.exit(why)
for number in range(int(rounds) + 1):
    best = (source.read_bytes(), module.read_bytes()) if is_better else best
    for file, bytes_ in zip([source, module, kept], [*best, best[1]]):
        file.write_bytes(bytes_)
    report = {"round": number, "kept": is_better, "why": why[:WHY], "scores": scores, "lost": lost_to(worst)}
    Path("feedback.json").write_text(json.dumps(report))
    print(json.dumps(report), flush=True)
    if number < int(rounds):
        subprocess.run([*editor, source, "feedback.json"])
        why, is_better, scores = refusal(), False, []
        if not why and module.read_bytes() != best[1]:
            match = arena("play", module, kept, "--game", GAME, "--against", field, "--games", GAMES)
            why, is_better = match["sentence"], (match["ahead"] or 0) > 0
            scores = [{"name": one["name"][:NAME], "now": one["a"], "before": one["b"]} for one in match["field"]]
            worst = min(zip(scores, field.split(",")), key=lambda one: one[0][("before", "now")[is_better]] or 0)[1]
