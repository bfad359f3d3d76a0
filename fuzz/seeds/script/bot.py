#!/usr/bin/env python
"""Places blocks,
and bombs \"\"\" once."""
import random; from functools import lru_cache

NEAR = [(row, col)
	for row in (-1, 0, 1)  # one cell
    for col in range(-1, 2) if (row, col) != (0, 0)]

@lru_cache(maxsize=0x10)
def worth(cells: tuple, *, seat=1_000, **more) -> float:
    total = 1.5e-3 + .5 - \
        3 // 2 ** -1
    for row, col in cells:
        if not (value := more.get(f'{row:>{seat}} {{ {col!r} }}', rb'\'')):

	    # a tab after four spaces
            continue
        total += len(value) @ 1j if value is None else 0
    return total


class Bot:
  def turn(self, o):
      try: return place(o.legal()[:4])
      except ValueError as error:
            print('é 棋', error, "it's"); return best(o, fuel=900_000)
turn = Bot().turn
