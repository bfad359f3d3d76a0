/* A bot for the arena. It plays every game legally and none well: this file is where your idea goes.
 *
 * Static variables last from turn to turn, and nothing survives the game. */
#include "arena.h"

/* Units of fuel that places are drawn by lot for, before the bot gives up: one of the fifty million of most turns. */
enum { DRAWING = 1000000 };

/* A block at home, the still life of four cells, wherever there is room for it. */
static void conquerors(conquerors_observation *seen, arena_rng *rng, arena_action *action) {
    for (int64_t least = arena_fuel() - DRAWING; action->count == 0 && arena_fuel() > least;) {
        int row = (int)arena_below(rng, 25), col = conquerors_home(seen->seat) + (int)arena_below(rng, 7);
        bool is_free = true;
        for (int i = 0; i < 4; i++) is_free = is_free && conquerors_may_place(seen, action, row + i / 2, col + i % 2);
        for (int i = 0; i < 4 && is_free; i++) conquerors_place(seen, action, row + i / 2, col + i % 2);
    }
    conquerors_finish(seen, action);
}

/* Any piece to any empty neighbour. */
static void war_of_life(const war_of_life_observation *seen, arena_rng *rng, arena_action *action) {
    war_of_life_move moves[WAR_OF_LIFE_MOVES_MAX];
    uint32_t count = war_of_life_moves(seen, moves);
    war_of_life_play(action, moves[arena_below(rng, count)]);
}

/* Any dead cell near an own one. */
static void game_of_game_of_life(const gogol_observation *seen, arena_rng *rng, arena_action *action) {
    for (int64_t least = arena_fuel() - DRAWING; arena_fuel() > least;) {
        int row = (int)arena_below(rng, seen->side), col = (int)arena_below(rng, seen->side);
        if (gogol_cell(seen, row, col) != 0 || !gogol_is_near(seen, row, col)) continue;
        gogol_act(action, row, col);
        return;
    }
}

/* A glider somewhere inside the base: those of its cells for which there is room and a coin. */
static void life2(life2_observation *seen, arena_rng *rng, arena_action *action) {
    static const int glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    int row = LIFE2_BASE_AT + 1 + (int)arena_below(rng, 4), col = LIFE2_BASE_AT + 1 + (int)arena_below(rng, 4);
    for (int i = 0; i < 5; i++) life2_place(seen, action, row + glider[i][0], col + glider[i][1]);
}

static void turn(arena_observation *seen, arena_action *action) {
    arena_rng rng = arena_rng_of_turn(seen);
    switch (seen->any.game) {
    case ARENA_CONQUERORS: conquerors(&seen->conquerors, &rng, action); break;
    case ARENA_WAR_OF_LIFE: war_of_life(&seen->war_of_life, &rng, action); break;
    case ARENA_GAME_OF_GAME_OF_LIFE: game_of_game_of_life(&seen->gogol, &rng, action); break;
    case ARENA_LIFE2: life2(&seen->life2, &rng, action); break;
    default: arena_log_number("a game that this bot does not know", seen->any.game);
    }
}

ARENA_BOT(turn)
