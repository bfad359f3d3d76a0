/* A bot for Conway's Conquerors: of all blocks that it may place, the one after which it stands best. */
#include "arena.h"

/* Generations to look ahead: ours, and the one after the enemy's next turn. */
enum { AHEAD = 2 };

/* Whether nothing lives in the block at this corner or next to it. */
static bool is_free(conquerors_observation *seen, int top, int left) {
    for (int row = top - 1; row <= top + 2; row++)
        for (int col = left - 1; col <= left + 2; col++) {
            bool on_board = row >= 0 && row < CONQUERORS_ROWS && col >= 0 && col < CONQUERORS_COLS;
            if (on_board && seen->cells[row][col]) return false;
        }
    return true;
}

/* Our points less the enemy's after this block, if the enemy did nothing. */
static int worth(conquerors_bits now, int seat, int top, int left) {
    now.of[seat][top] |= 3u << left;
    now.of[seat][top + 1] |= 3u << left;
    for (int i = 0; i < AHEAD; i++) {
        conquerors_bits next;
        conquerors_next(&now, &next);
        now = next;
    }
    return conquerors_score(&now, seat) - conquerors_score(&now, 1 - seat);
}

static void turn(arena_observation *any, arena_action *action) {
    conquerors_observation *seen = &any->conquerors;
    conquerors_bits now = conquerors_bits_of(seen->cells);
    int best = -10000, best_top = 0, best_left = 0;
    for (int top = 0; top + 1 < CONQUERORS_ROWS; top++)
        for (int left = 0; left + 1 < CONQUERORS_COLS; left++) {
            if (!is_free(seen, top, left)) continue;
            if (!conquerors_open(seen, left) || !conquerors_open(seen, left + 1)) continue;
            int points = worth(now, seen->seat, top, left);
            if (points <= best) continue;
            best = points, best_top = top, best_left = left;
        }
    if (best > -10000) {
        arena_log_number("points after this block", best);
        for (int i = 0; i < 4; i++) conquerors_place(seen, action, best_top + i / 2, best_left + i % 2);
    }
    conquerors_finish(seen, action); /* whatever else is legal, if there was no room for a block */
}

ARENA_BOT(turn)
