/* What layers.test.mjs asks of arena.h. `arena_turn` takes a question and gives 32-bit words; the test says which. */
#include "../c/arena.h"

static uint8_t question[1024];
static uint32_t words[1024];

__attribute__((export_name("arena_observation"))) void *probe_observation(size_t length) {
    (void)length;
    return question;
}

static uint32_t number(size_t at) {
    const uint8_t *bytes = question + at;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

__attribute__((export_name("arena_turn"))) uint64_t probe_turn(size_t length) {
    (void)length;
    uint32_t count = number(44), n = number(48);
    arena_rng rng = arena_rng_of(question, number(32) | (uint64_t)number(36) << 32);
    for (uint32_t i = 0; i < count; i++) {
        switch (number(40)) {
        case 0: words[i] = arena_word(&rng); break;
        case 1: words[i] = arena_below(&rng, n); break;
        default: words[i] = i;
        }
    }
    if (number(40) == 2) arena_shuffle(&rng, words, count, sizeof words[0]);
    if (number(40) == 3) {
        conquerors_board cells;
        for (size_t i = 0; i < sizeof cells; i++) (&cells[0][0])[i] = question[52 + i];
        conquerors_bits now = conquerors_bits_of(cells), next;
        conquerors_next(&now, &next);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t row = i / CONQUERORS_COLS, col = i % CONQUERORS_COLS;
            words[i] = (next.of[0][row] >> col & 1) + 2 * (next.of[1][row] >> col & 1);
        }
    }
    return (uint64_t)(4 * count) << 32 | (uintptr_t)words;
}
