#!/bin/sh
# Makes {{module}} with the Zig in PyPI's package ziglang, which it fetches into .tools if need be.
set -eu
cd "$(dirname "$0")"
export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}$PWD/.tools"
if ! python3 -c 'import ziglang' 2>/dev/null; then
    if ! python3 -m pip --version >/dev/null 2>&1; then
        echo "build.sh: Python 3 with pip is needed (Debian: apt-get install python3-pip)" >&2
        exit 1
    fi
    echo "build.sh: fetching Zig, 100 MB" >&2
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --target .tools --requirement requirements.txt
fi
# In two steps, so that the names of functions stay, for `arena check`, without the debug information: -fstrip keeps that out of
# the object file, whose names linking keeps.
python3 -m ziglang build-obj -target wasm32-freestanding -O ReleaseFast -fstrip --dep arena -Mroot=bot.zig -Marena=arena.zig \
    -femit-bin=bot.o
python3 -m ziglang build-exe -target wasm32-freestanding -O ReleaseFast -fno-strip -fno-entry -rdynamic --stack 65536 \
    -femit-bin={{module}} bot.o
rm bot.o
