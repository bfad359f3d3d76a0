maxsize = 0x7FFFFFFF
version = "3.4.0; MicroPython v1.25.0"
version_info = (3, 4, 0)
implementation = "micropython"


def setrecursionlimit(_):
    pass


def exit(*_):
    raise SystemExit
