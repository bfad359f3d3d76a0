#!/bin/sh
# As RUSTC_WORKSPACE_WRAPPER: compiles the crates of the workspace, and no others, with the game that only tests have.
exec "$@" --cfg arena_tiny_game
