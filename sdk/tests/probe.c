/* The probe of arena.h for layers.test.mjs, where the questions are listed: a bot that also exports `question`, the address for
 * a question, and `probe`, which answers it in 32-bit words. Questions about Life2 are answered in the bot's turn. */
#include "../c/arena.h"

static uint8_t asked[8192];
static uint32_t words[8192];

__attribute__((export_name("question"))) void *probe_question(void) { return asked; }

static uint32_t number(size_t at) {
    const uint8_t *bytes = asked + at;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

__attribute__((export_name("probe"))) uint64_t probe(void) {
    uint32_t count = number(44), n = number(48);
    arena_rng rng = arena_rng_of(asked, number(32) | (uint64_t)number(36) << 32);
    for (uint32_t i = 0; i < count; i++) {
        switch (number(40)) {
        case 0: words[i] = arena_word(&rng); break;
        case 1: words[i] = arena_below(&rng, n); break;
        case 2: words[i] = i;
        }
    }
    if (number(40) == 2) arena_shuffle(&rng, words, count, sizeof words[0]);
    if (number(40) == 3) {
        conquerors_board cells;
        for (size_t i = 0; i < sizeof cells; i++) (&cells[0][0])[i] = asked[52 + i];
        conquerors_bits now = conquerors_bits_of(cells), next;
        conquerors_next(&now, &next);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t row = i / CONQUERORS_COLS, col = i % CONQUERORS_COLS;
            words[i] = (next.of[0][row] >> col & 1) + 2 * (next.of[1][row] >> col & 1);
        }
    }
    if (number(40) == 9) {
        uint64_t fuel = (uint64_t)arena_fuel();
        words[0] = (uint32_t)fuel, words[1] = (uint32_t)(fuel >> 32);
    }
    return (uint64_t)(4 * count) << 32 | (uintptr_t)words;
}

/* Whether a step of a turn could be done: a look, or a cell to place. */
static bool step(life2_observation *seen, arena_action *action, size_t at) {
    int row = (int)number(at + 4), col = (int)number(at + 8);
    if (number(at)) return life2_look(action, row, col, (int)number(at + 12), (int)number(at + 16));
    return life2_place(seen, action, row, col);
}

static void turn(arena_observation *any, arena_action *action) {
    life2_observation *seen = &any->life2;
    uint32_t what = number(40), count = number(44), n = number(48);
    if (what == 8) {
        for (uint32_t i = 0; i < count; i += 2) {
            int row, col;
            bool acted = gogol_last_move(&any->gogol, (int)i / 2, &row, &col);
            words[i] = acted ? (uint32_t)row : UINT32_MAX;
            words[i + 1] = acted ? (uint32_t)col : UINT32_MAX;
        }
        return;
    }
    if (what == 4) {
        const life2_kingdom *of = &seen->kingdoms[n];
        const uint32_t view[14] = {
            seen->seats, seen->turn, seen->top, seen->left, seen->rows, seen->cols, of->base_row, of->base_col,
            of->base_coins, of->coins, of->cells, of->ground, life2_row(seen, of->base_row), life2_col(seen, of->base_col)};
        for (int i = 0; i < 14; i++) words[i] = view[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        /* The view with a rim of one cell around it. */
        int width = seen->cols + 2, row = (int)i / width - 1, col = (int)i % width - 1;
        uint8_t cell = life2_cell(seen, row, col);
        if (what == 5) words[i] = (cell & LIFE2_OWNER) + (cell & LIFE2_LIVES ? 256 : 0);
        if (what == 6) words[i] = life2_may_place(seen, action, row, col);
        if (what == 7) words[i] = step(seen, action, 52 + 20 * i);
    }
}

ARENA_BOT(turn)
