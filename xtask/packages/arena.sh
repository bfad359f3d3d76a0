#!/bin/sh
# Becomes the arena: the binary of this machine, from the package that npm installed for it.
case $(uname -m) in
    x86_64) machine=x64 ;;
    aarch64) machine=arm64 ;;
    *) machine=$(uname -m) ;;
esac
here=$(dirname "$(readlink -f "$0")")
for folder in "$here/.." "$here/node_modules"; do
    binary=$folder/life-arena-linux-$machine/arena
    if [ -x "$binary" ]; then
        exec "$binary" "$@"
    fi
done
echo "arena: the package life-arena-linux-$machine is not installed: install life-arena again, with optional packages" >&2
exit 2
