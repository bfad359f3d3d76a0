#!/bin/sh
# Makes {{module}}. Takes clang with its WebAssembly linker where they are, else the clang in PyPI's package ziglang, which it
# fetches into .tools if need be.
set -eu
cd "$(dirname "$0")"
export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}$PWD/.tools"
if command -v clang >/dev/null && command -v wasm-ld >/dev/null; then
    cc="clang --target=wasm32" ld=wasm-ld
else
    if ! python3 -c 'import ziglang' 2>/dev/null; then
        if ! python3 -m pip --version >/dev/null 2>&1; then
            echo "build.sh: clang and wasm-ld are needed (Debian: apt-get install clang lld), or Python 3 with pip" >&2
            exit 1
        fi
        echo "build.sh: fetching a compiler, 100 MB" >&2
        PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --target .tools --requirement requirements.txt
    fi
    cc="python3 -m ziglang cc --target=wasm32-freestanding" ld="python3 -m ziglang wasm-ld"
fi
# -g0: no debug information, and the names of functions stay, for `arena check`; clang would lose them if it linked.
$cc -std=c11 -Wall -Wextra -O2 -g0 -mbulk-memory -c -o bot.o bot.c
# The stack comes first: beyond its end there is no memory, so that a bot that uses it up traps instead of writing over its data.
$ld --no-entry --stack-first -z stack-size=65536 -o {{module}} bot.o
rm bot.o
