/* beekeeper: four cells in a column become a beehive of six, two generations later, and stay one.
 *
 *     .    .     .
 *     O    .     O
 *     O   OOO   O O
 *     O   OOO   O O
 *     O    .     O
 *
 * One hive at home first, because neutral is open only to those who live there. Then hives on the border: a line in the
 * last neutral column swells into the enemy's home, where two of its six cells count double and open the door. Then hives
 * behind the door. A place is taken when nothing lives there or next to it; it never looks at what the enemy plans. */
#include "arena.h"

/* Rows and columns of a hive, and of the ring around it that must be dead. */
enum { LINE = 4, RING_ROWS = LINE + 2, RING_COLS = 5 };

/* Rows between the tops of hives one below the other: one dead row stays between them. */
enum { STEP = LINE + 1 };

/* Columns for lines, as blue sees them, in the order of their worth: on the border, behind it, in neutral, at home. */
static const uint8_t columns[] = {19, 24, 15, 4, 11};

static int mirrored(int seat, int col) { return seat == 0 ? col : CONQUERORS_COLS - 1 - col; }

static bool is_free(conquerors_observation *seen, int top, int col) {
    for (int row = top - 1; row < top - 1 + RING_ROWS; row++)
        for (int near = col - RING_COLS / 2; near <= col + RING_COLS / 2; near++) {
            bool on_board = row >= 0 && row < CONQUERORS_ROWS && near >= 0 && near < CONQUERORS_COLS;
            if (on_board && seen->cells[row][near]) return false;
        }
    return true;
}

/* Places a line in this column (as blue sees it), as near to the middle row as there is a free place. */
static bool build(conquerors_observation *seen, arena_action *action, int blue_col) {
    const int tops = (CONQUERORS_ROWS - LINE) / STEP + 1, col = mirrored(seen->seat, blue_col);
    if (!conquerors_open(seen, col)) return false;
    for (int i = 0; i < tops; i++) {
        int away = (i + 1) / 2, top = STEP * (tops / 2 + (i % 2 ? -away : away));
        if (!is_free(seen, top, col)) continue;
        for (int row = top; row < top + LINE; row++) conquerors_place(seen, action, row, col);
        return true;
    }
    return false;
}

static void turn(arena_observation *any, arena_action *action) {
    conquerors_observation *seen = &any->conquerors;
    if (any->any.game != ARENA_CONQUERORS) {
        arena_log("I keep bees in Conway's Conquerors only");
        __builtin_trap();
    }
    int home = conquerors_home(seen->seat);
    bool settled = conquerors_lives(seen->cells, seen->seat, home, home + CONQUERORS_HOME_COLS);
    bool built = !settled && build(seen, action, 4);
    for (size_t i = 0; i < sizeof columns && !built; i++) built = build(seen, action, columns[i]);
    conquerors_finish(seen, action);
}

ARENA_BOT(turn)
