#!/bin/sh
# As RUSTC_WORKSPACE_WRAPPER: compiles the crates of the workspace, and no others, as a later build with one migration more.
exec "$@" --cfg arena_later
