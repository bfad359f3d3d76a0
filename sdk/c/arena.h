/* arena.h: bots for the arena in C.
 *
 *     #include "arena.h"
 *
 *     static void turn(arena_observation *seen, arena_action *action) {
 *         conquerors_place(&seen->conquerors, action, 12, 3);   // a cell, if it may be placed
 *         conquerors_finish(&seen->conquerors, action);         // some legal end of the turn
 *     }
 *     ARENA_BOT(turn)
 *
 * Freestanding: no libc, no allocation, one file. It wraps the contract of ABI.md and adds no rule of its own: the words
 * used here are explained there. An instance lives for one game, so static variables last from turn to turn. */
#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Observations ---------------------------------------------------------------------------------------------- */

enum { ARENA_VERSION = 1 };

/* The ruleset's byte in observations. */
enum { ARENA_CONQUERORS = 1, ARENA_WAR_OF_LIFE = 2, ARENA_GAME_OF_GAME_OF_LIFE = 3, ARENA_LIFE2 = 4 };

/* What all games have in front. */
typedef struct {
    uint8_t version, game, seat, ruleset_byte;
    uint16_t ply;
    uint8_t ruleset_bytes[10];
    uint8_t seed[32];
} arena_header;

enum { CONQUERORS_ROWS = 26, CONQUERORS_COLS = 28, CONQUERORS_HOME_COLS = 8, CONQUERORS_CELLS_A_TURN = 4 };

/* Cells: 0 dead, 1 + seat a living one. */
typedef uint8_t conquerors_board[CONQUERORS_ROWS][CONQUERORS_COLS];

typedef struct {
    uint8_t version, game, seat, options; /* option bit 0: the way into the enemy's home needs a cell at home */
    uint16_t ply;
    uint8_t round, nothing;
    uint8_t cooldown[2], skip_used[2]; /* by seat */
    uint8_t nothing_either[4];
    uint8_t seed[32];
    conquerors_board cells;
} conquerors_observation;

enum { WAR_OF_LIFE_SIDE = 8 };

typedef struct {
    uint8_t version, game, seat, nothing;
    uint16_t ply;
    uint8_t nothing_either[10];
    uint8_t seed[32];
    uint8_t cells[WAR_OF_LIFE_SIDE][WAR_OF_LIFE_SIDE]; /* 0 empty, 1 + seat a piece */
} war_of_life_observation;

/* Game of Game of Life. */
enum { GOGOL_SEATS_MAX = 16, GOGOL_SIDE_MAX = 24, GOGOL_BLACK = 255, GOGOL_NOWHERE = 255 };

typedef struct {
    uint8_t version, game, seat, seats;
    uint16_t generation;
    uint8_t side, nothing[9];
    uint8_t seed[32];
    uint8_t last[GOGOL_SEATS_MAX][2];               /* row and column of each seat's last action */
    uint8_t cells[GOGOL_SIDE_MAX * GOGOL_SIDE_MAX]; /* `side` rows of `side`: 0 dead, 1 + seat a living one, or black */
} gogol_observation;

/* Life2. A bot sees a part of the world, with its base in the middle, and counts rows and columns from the corner of that. */
enum { LIFE2_SEATS_MAX = 9, LIFE2_SIDE = 64, LIFE2_WORLD = 512, LIFE2_BASE_AT = 28, LIFE2_BASE_SIDE = 8, LIFE2_CELLS_A_TURN = 60 };

/* Bits of a cell: the ground's owner, 1 + seat or 0, and whether it lives. */
enum { LIFE2_OWNER = 15, LIFE2_LIVES = 16 };

typedef struct {
    uint16_t base_row, base_col; /* in the world */
    uint32_t base_coins;         /* 0: the kingdom has fallen */
    uint32_t coins, cells, ground;
} life2_kingdom;

typedef struct {
    uint8_t version, game, seat, seats;
    uint16_t turn, top, left, rows, cols, nothing; /* where the corner is in the world */
    uint8_t seed[32];
    life2_kingdom kingdoms[LIFE2_SEATS_MAX];
    uint8_t cells[LIFE2_SIDE][LIFE2_SIDE];
} life2_observation;

/* What a bot sees; `any.game` says which game it is. It is the bot's own memory and may be written to. */
typedef union {
    arena_header any;
    conquerors_observation conquerors;
    war_of_life_observation war_of_life;
    gogol_observation gogol;
    life2_observation life2;
} arena_observation;

_Static_assert(sizeof(arena_header) == 48, "ABI.md: 16 bytes and the seed");
_Static_assert(sizeof(conquerors_observation) == 776, "ABI.md: the length of an observation");
_Static_assert(sizeof(war_of_life_observation) == 112, "ABI.md: the length of an observation");
_Static_assert(offsetof(gogol_observation, cells) == 80, "ABI.md: where the cells begin");
_Static_assert(sizeof(life2_observation) == 4324, "ABI.md: the length of an observation");

/* ---- Actions --------------------------------------------------------------------------------------------------- */

/* Kinds of actions. A pass is 0, where a game has one. */
enum { ARENA_PASS = 0, CONQUERORS_PLACE = 1, CONQUERORS_BOMB = 2, CONQUERORS_SKIP = 3, WAR_OF_LIFE_MOVE = 1, GOGOL_CELL = 1, LIFE2_PLACE = 1 };

typedef struct {
    uint8_t row, col;
} arena_cell;

/* A turn begins with a pass, and a bot makes something better of it. */
typedef struct {
    uint8_t version, kind, count;
    arena_cell cells[255];
} arena_action;

/* Adds a cell to the action and makes it one of this kind. */
static inline void arena_add(arena_action *action, uint8_t kind, int row, int col) {
    action->kind = kind;
    action->cells[action->count].row = (uint8_t)row;
    action->cells[action->count].col = (uint8_t)col;
    action->count++;
}

/* ---- The log --------------------------------------------------------------------------------------------------- */

__attribute__((import_module("arena"), import_name("log"))) void arena_log_bytes(const char *text, size_t length);

/* Writes a line to the bot's log. It costs fuel by the byte; a game keeps 64 lines and 8,192 bytes. */
static inline void arena_log(const char *line) {
    size_t length = 0;
    while (line[length]) length++;
    arena_log_bytes(line, length);
}

/* Logs `name: number`. The name is cut after 100 bytes. */
static inline void arena_log_number(const char *name, int64_t number) {
    char line[128], digits[20];
    size_t length = 0, count = 0;
    while (name[length] && length < 100) {
        line[length] = name[length];
        length++;
    }
    line[length++] = ':';
    line[length++] = ' ';
    if (number < 0) line[length++] = '-';
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    while (count) line[length++] = digits[--count];
    arena_log_bytes(line, length);
}

/* ---- Random numbers -------------------------------------------------------------------------------------------- */

/* ChaCha with 8 rounds: the generator of ABI.md, word for word. */
typedef struct {
    uint32_t state[16], words[16];
    unsigned used;
} arena_rng;

static inline arena_rng arena_rng_of(const uint8_t seed[32], uint64_t stream) {
    arena_rng rng = {.state = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, .used = 16};
    for (int i = 0; i < 8; i++) {
        const uint8_t *word = seed + 4 * i;
        rng.state[4 + i] =
            word[0] | (uint32_t)word[1] << 8 | (uint32_t)word[2] << 16 | (uint32_t)word[3] << 24;
    }
    rng.state[14] = (uint32_t)stream;
    rng.state[15] = (uint32_t)(stream >> 32);
    return rng;
}

/* This turn's generator: the seat's seed, the ply as the stream. */
static inline arena_rng arena_rng_of_turn(const arena_observation *seen) {
    return arena_rng_of(seen->any.seed, seen->any.ply);
}

static inline void arena_quarter(uint32_t *x, int a, int b, int c, int d) {
#define ARENA_MIX(p, q, r, bits) x[p] += x[q], x[r] ^= x[p], x[r] = x[r] << bits | x[r] >> (32 - bits)
    ARENA_MIX(a, b, d, 16), ARENA_MIX(c, d, b, 12), ARENA_MIX(a, b, d, 8), ARENA_MIX(c, d, b, 7);
#undef ARENA_MIX
}

/* The next word of the stream. */
static inline uint32_t arena_word(arena_rng *rng) {
    if (rng->used == 16) {
        uint32_t *x = rng->words;
        for (int i = 0; i < 16; i++) x[i] = rng->state[i];
        for (int twice = 0; twice < 4; twice++) {
            for (int i = 0; i < 4; i++) arena_quarter(x, i, 4 + i, 8 + i, 12 + i);
            for (int i = 0; i < 4; i++) arena_quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
        }
        for (int i = 0; i < 16; i++) x[i] += rng->state[i];
        if (++rng->state[12] == 0) rng->state[13]++;
        rng->used = 0;
    }
    return rng->words[rng->used++];
}

/* A number of 0..n; 0 for n = 0. Takes one word. */
static inline uint32_t arena_below(arena_rng *rng, uint32_t n) {
    return (uint32_t)((uint64_t)arena_word(rng) * n >> 32);
}

/* Shuffles `count` items of `size` bytes each. */
static inline void arena_shuffle(arena_rng *rng, void *items, uint32_t count, size_t size) {
    uint8_t *bytes = items;
    for (uint32_t last = count; last-- > 1;) {
        uint8_t *a = bytes + last * size, *b = bytes + arena_below(rng, last + 1) * size;
        for (size_t i = 0; i < size; i++) {
            uint8_t kept = a[i];
            a[i] = b[i];
            b[i] = kept;
        }
    }
}

/* ---- Conway's Conquerors --------------------------------------------------------------------------------------- */

/* The first of the eight columns of a seat's home. */
static inline int conquerors_home(int seat) { return seat == 0 ? 0 : CONQUERORS_COLS - CONQUERORS_HOME_COLS; }

/* Whether a cell of this seat lives in columns `from`..`to`. */
static inline bool conquerors_lives(conquerors_board cells, int seat, int from, int to) {
    for (int row = 0; row < CONQUERORS_ROWS; row++)
        for (int col = from; col < to; col++)
            if (cells[row][col] == 1 + seat) return true;
    return false;
}

/* Whether columns `col`'s zone is open to the mover now: see "What is legal". */
static inline bool conquerors_open(conquerors_observation *seen, int col) {
    const int width = CONQUERORS_HOME_COLS, right = CONQUERORS_COLS - width;
    int own = conquerors_home(seen->seat), enemy = conquerors_home(1 - seen->seat);
    if (col >= own && col < own + width) return true;
    bool at_home = conquerors_lives(seen->cells, seen->seat, own, own + width);
    if (col >= width && col < right) return at_home;
    return (at_home || !(seen->options & 1)) && conquerors_lives(seen->cells, seen->seat, width, right) &&
           conquerors_lives(seen->cells, seen->seat, enemy, enemy + width);
}

/* Whether this cell may be placed as the next of this turn. */
static inline bool conquerors_may_place(conquerors_observation *seen, const arena_action *action, int row, int col) {
    return action->count < CONQUERORS_CELLS_A_TURN && row >= 0 && row < CONQUERORS_ROWS && col >= 0 &&
           col < CONQUERORS_COLS && seen->cells[row][col] == 0 && conquerors_open(seen, col);
}

/* Places a cell if it may be placed: in the action, and on the seen board, where the next one is judged. */
static inline bool conquerors_place(conquerors_observation *seen, arena_action *action, int row, int col) {
    if (!conquerors_may_place(seen, action, row, col)) return false;
    seen->cells[row][col] = (uint8_t)(1 + seen->seat);
    arena_add(action, CONQUERORS_PLACE, row, col);
    return true;
}

/* Whether the bomb may be thrown, anywhere, instead of placing cells. */
static inline bool conquerors_bomb_is_ready(const conquerors_observation *seen) {
    return seen->round >= 7 && seen->cooldown[seen->seat] == 0;
}

/* Makes whatever was placed a legal turn: adds the first cells that may be placed, row by row, up to four; where none
 * was and none may be, it is the skip, else the bomb in the first corner, else the pass. */
static inline void conquerors_finish(conquerors_observation *seen, arena_action *action) {
    if (action->kind == CONQUERORS_BOMB || action->kind == CONQUERORS_SKIP) return;
    for (bool found = true; found && action->count < CONQUERORS_CELLS_A_TURN;) {
        bool open[CONQUERORS_COLS];
        for (int col = 0; col < CONQUERORS_COLS; col++) open[col] = conquerors_open(seen, col);
        found = false;
        for (int cell = 0; cell < CONQUERORS_ROWS * CONQUERORS_COLS && !found; cell++) {
            int row = cell / CONQUERORS_COLS, col = cell % CONQUERORS_COLS;
            found = open[col] && seen->cells[row][col] == 0 && conquerors_place(seen, action, row, col);
        }
    }
    if (action->count > 0) return;
    if (!seen->skip_used[seen->seat]) action->kind = CONQUERORS_SKIP;
    else if (conquerors_bomb_is_ready(seen)) arena_add(action, CONQUERORS_BOMB, 0, 0);
}

/* A board to think on: a bit for each cell of a seat, bit `col` of word `row`. A generation of it costs some 10,000 fuel. */
typedef struct {
    uint32_t of[2][CONQUERORS_ROWS];
} conquerors_bits;

static inline conquerors_bits conquerors_bits_of(conquerors_board cells) {
    conquerors_bits bits;
    for (int row = 0; row < CONQUERORS_ROWS; row++) {
        bits.of[0][row] = bits.of[1][row] = 0;
        for (int col = 0; col < CONQUERORS_COLS; col++)
            if (cells[row][col]) bits.of[cells[row][col] - 1][row] |= 1u << col;
    }
    return bits;
}

/* Living cells of a seat, those in the enemy's home twice. */
static inline int conquerors_score(const conquerors_bits *bits, int seat) {
    const uint32_t enemy = 0xffu << conquerors_home(1 - seat);
    int score = 0;
    for (int row = 0; row < CONQUERORS_ROWS; row++)
        score += __builtin_popcount(bits->of[seat][row]) + __builtin_popcount(bits->of[seat][row] & enemy);
    return score;
}

/* The two low bits of the sums of each bit and its neighbours to the left and right. */
static inline void conquerors_across(uint32_t row, uint32_t sum[2]) {
    uint32_t left = row << 1, right = row >> 1;
    sum[0] = left ^ row ^ right;
    sum[1] = (left & row) | (left & right) | (row & right);
}

/* The board a generation later. Sums are bit by bit, for a row at once; they count the cell itself, so that a dead cell
 * with a sum of three is born and a living one with three or four stays. */
static inline void conquerors_next(const conquerors_bits *now, conquerors_bits *next) {
    uint32_t living[3][2] = {{0, 0}, {0, 0}, {0, 0}}, red[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    for (int row = -1; row < CONQUERORS_ROWS; row++) {
        /* The three rows around `row` are kept by turns; the one below it is new. */
        uint32_t *below = living[(row + 2) % 3], *below_red = red[(row + 2) % 3];
        bool is_last = row + 1 == CONQUERORS_ROWS;
        conquerors_across(is_last ? 0 : now->of[0][row + 1] | now->of[1][row + 1], below);
        conquerors_across(is_last ? 0 : now->of[1][row + 1], below_red);
        if (row < 0) continue;
        const uint32_t(*l)[2] = living, (*r)[2] = red;
        uint32_t ones = l[0][0] ^ l[1][0] ^ l[2][0];
        uint32_t carry = (l[0][0] & l[1][0]) | (l[0][0] & l[2][0]) | (l[1][0] & l[2][0]);
        uint32_t a = l[0][1], b = l[1][1], c = l[2][1], parity = a ^ b ^ c ^ carry;
        uint32_t two_or_more = (a & b) | (c & carry) | ((a | b) & (c | carry));
        uint32_t three = ones & parity & ~two_or_more, four = ~ones & two_or_more & ~parity & ~(a & b & c & carry);
        /* Of three parents at least two are red if the sum of the red has its second bit. */
        uint32_t red_carry = (r[0][0] & r[1][0]) | (r[0][0] & r[2][0]) | (r[1][0] & r[2][0]);
        uint32_t turns_red = r[0][1] ^ r[1][1] ^ r[2][1] ^ red_carry;
        uint32_t blue_now = now->of[0][row], red_now = now->of[1][row];
        uint32_t born = three & ~(blue_now | red_now) & ((1u << CONQUERORS_COLS) - 1);
        next->of[0][row] = (blue_now & (three | four)) | (born & ~turns_red);
        next->of[1][row] = (red_now & (three | four)) | (born & turns_red);
    }
}

/* ---- War of Life ----------------------------------------------------------------------------------------------- */

/* There are 210 pairs of neighbours on the board, and of two neighbours at most one may move to the other. */
enum { WAR_OF_LIFE_MOVES_MAX = 210 };

typedef struct {
    arena_cell from, to;
} war_of_life_move;

/* All legal moves; gives their number. There is at least one, or the bot would not be asked. */
static inline uint32_t war_of_life_moves(const war_of_life_observation *seen,
                                         war_of_life_move moves[WAR_OF_LIFE_MOVES_MAX]) {
    const int side = WAR_OF_LIFE_SIDE;
    uint32_t count = 0;
    for (int from = 0; from < side * side; from++) {
        int row = from / side, col = from % side;
        if (seen->cells[row][col] != 1 + seen->seat) continue;
        for (int y = row ? row - 1 : 0; y <= row + 1 && y < side; y++)
            for (int x = col ? col - 1 : 0; x <= col + 1 && x < side; x++) {
                if (seen->cells[y][x]) continue;
                war_of_life_move move = {{(uint8_t)row, (uint8_t)col}, {(uint8_t)y, (uint8_t)x}};
                moves[count++] = move;
            }
    }
    return count;
}

/* Makes the action this move. */
static inline void war_of_life_play(arena_action *action, war_of_life_move move) {
    arena_add(action, WAR_OF_LIFE_MOVE, move.from.row, move.from.col);
    arena_add(action, WAR_OF_LIFE_MOVE, move.to.row, move.to.col);
}

/* ---- Game of Game of Life -------------------------------------------------------------------------------------- */

/* A cell of the torus: rows and columns from -side on, and beyond the last, wrap. */
static inline uint8_t gogol_cell(const gogol_observation *seen, int row, int col) {
    int side = seen->side;
    return seen->cells[side * ((row + side) % side) + (col + side) % side];
}

/* Whether an own cell lives within two king's moves: an action further away is a pass. */
static inline bool gogol_is_near(const gogol_observation *seen, int row, int col) {
    for (int y = row - 2; y <= row + 2; y++)
        for (int x = col - 2; x <= col + 2; x++)
            if (gogol_cell(seen, y, x) == 1 + seen->seat) return true;
    return false;
}

/* Acts on a cell: a dead one is claimed, an own one killed. */
static inline void gogol_act(arena_action *action, int row, int col) { arena_add(action, GOGOL_CELL, row, col); }

/* ---- Life2 ----------------------------------------------------------------------------------------------------- */

/* Whether this cell may be placed as the next of this turn: own ground, not the wall, dead, and a coin for it. */
static inline bool life2_may_place(const life2_observation *seen, const arena_action *action, int row, int col) {
    if (row < 0 || row >= LIFE2_SIDE || col < 0 || col >= LIFE2_SIDE || seen->cells[row][col] != 1 + seen->seat) return false;
    int down = row - LIFE2_BASE_AT, right = col - LIFE2_BASE_AT, last = LIFE2_BASE_SIDE - 1;
    bool in_base = down >= 0 && down <= last && right >= 0 && right <= last;
    bool is_wall = in_base && (down == 0 || down == last || right == 0 || right == last);
    return !is_wall && action->count < LIFE2_CELLS_A_TURN && action->count < seen->kingdoms[seen->seat].coins;
}

/* Places a cell if it may be placed: in the action, and on the seen part of the world. */
static inline bool life2_place(life2_observation *seen, arena_action *action, int row, int col) {
    if (!life2_may_place(seen, action, row, col)) return false;
    seen->cells[row][col] |= LIFE2_LIVES;
    arena_add(action, LIFE2_PLACE, row, col);
    return true;
}

/* The bytes of an action of Life2, whose cells are two bytes each way and counted from the corner of the world; their number. */
static inline size_t life2_write(const life2_observation *seen, const arena_action *action, uint8_t *bytes) {
    bytes[0] = ARENA_VERSION, bytes[1] = action->kind, bytes[2] = action->count, bytes[3] = 0;
    for (int i = 0; i < action->count; i++) {
        unsigned row = (seen->top + action->cells[i].row) % LIFE2_WORLD, col = (seen->left + action->cells[i].col) % LIFE2_WORLD;
        uint8_t *cell = bytes + 4 + 4 * i;
        cell[0] = (uint8_t)row, cell[1] = (uint8_t)(row >> 8), cell[2] = (uint8_t)col, cell[3] = (uint8_t)(col >> 8);
    }
    return 4 + 4 * (size_t)action->count;
}

/* ---- The contract ---------------------------------------------------------------------------------------------- */

/* Exports `turn`, a function (arena_observation *, arena_action *) -> void, as the bot; once per module. */
#define ARENA_BOT(turn)                                                                                                \
    static arena_observation arena_seen;                                                                               \
    static arena_action arena_answer;                                                                                  \
    static uint8_t arena_wide[4 + 4 * 255];                                                                            \
    __attribute__((export_name("arena_observation"))) void *arena_export_observation(size_t length) {                  \
        return length <= sizeof arena_seen ? &arena_seen : 0;                                                          \
    }                                                                                                                  \
    __attribute__((export_name("arena_turn"))) uint64_t arena_export_turn(size_t length) {                             \
        (void)length;                                                                                                  \
        arena_answer.version = ARENA_VERSION;                                                                          \
        arena_answer.kind = ARENA_PASS;                                                                                \
        arena_answer.count = 0;                                                                                        \
        turn(&arena_seen, &arena_answer);                                                                              \
        if (arena_seen.any.game == ARENA_LIFE2)                                                                        \
            return (uint64_t)life2_write(&arena_seen.life2, &arena_answer, arena_wide) << 32 | (uintptr_t)&arena_wide; \
        return (uint64_t)(3 + 2 * arena_answer.count) << 32 | (uintptr_t)&arena_answer;                                \
    }

#endif
