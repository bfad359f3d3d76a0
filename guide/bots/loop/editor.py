"""Stands in for a program with ideas of its own: in each round it makes the next of these changes."""
import json
import sys
from pathlib import Path

CHANGES = [
    # A mistake, which the assembler refuses.
    ("(call $below (i32.const 7))", "(call $below (i32.const 7)"),
    # Columns that are four apart, so that blocks do not touch.
    ("(call $below (i32.const 7))", "(i32.add (i32.const 1) (i32.mul (i32.const 4) (call $below (i32.const 2))))"),
    # Only a few tries to find room.
    ("(i64.const 1000000)", "(i64.const 1000)"),
]

source, feedback = map(Path, sys.argv[1:])
before, after = CHANGES[json.loads(feedback.read_text())["round"]]
source.write_text(source.read_text().replace(before, after, 1))
