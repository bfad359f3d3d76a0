def copy(value):
    kind = type(value)
    if kind in (list, dict, set, bytearray):
        return kind(value)
    if hasattr(value, "__copy__"):
        return value.__copy__()
    if hasattr(value, "copy"):
        return value.copy()
    if hasattr(value, "__dict__") and not isinstance(value, type):
        other = object.__new__(kind)
        for name, part in value.__dict__.items():
            setattr(other, name, part)
        return other
    return value


def deepcopy(value, memo=None):
    memo = {} if memo is None else memo
    if id(value) in memo:
        return memo[id(value)]
    kind = type(value)
    if kind is list:
        other = memo[id(value)] = []
        other.extend(deepcopy(part, memo) for part in value)
    elif kind is dict:
        other = memo[id(value)] = {}
        for name, part in value.items():
            other[deepcopy(name, memo)] = deepcopy(part, memo)
    elif kind in (tuple, set, frozenset):
        other = memo[id(value)] = kind([deepcopy(part, memo) for part in value])
    elif hasattr(value, "__deepcopy__"):
        other = memo[id(value)] = value.__deepcopy__(memo)
    elif hasattr(value, "copy") and not hasattr(value, "__dict__"):
        other = memo[id(value)] = value.copy()
    elif hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value):
        other = memo[id(value)] = object.__new__(kind)
        for name, part in value.__dict__.items():
            setattr(other, name, deepcopy(part, memo))
    else:
        other = value
    return other
