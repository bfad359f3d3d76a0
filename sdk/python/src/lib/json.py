from _json import dumps as _dumps, loads


def dumps(value, *, indent=None, separators=None, sort_keys=False):
    if sort_keys:
        value = _sorted(value)
    if indent is None:
        return _dumps(value, separators=separators or (", ", ": "))
    return _lines(value, " " * indent if isinstance(indent, int) else indent, "\n")


def _sorted(value):
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(part) for part in value] if isinstance(value, (list, tuple)) else value


def _lines(value, indent, end):
    inner = end + indent
    if isinstance(value, dict) and value:
        parts = [_dumps(str(name)) + ": " + _lines(part, indent, inner) for name, part in value.items()]
        return "{" + inner + ("," + inner).join(parts) + end + "}"
    if isinstance(value, (list, tuple)) and value:
        return "[" + inner + ("," + inner).join([_lines(part, indent, inner) for part in value]) + end + "]"
    return _dumps(value)
