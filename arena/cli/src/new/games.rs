//! What a template must know of a game. It follows from the list in `wire`; no game is named here.
//!
//! A new game needs these places of `sdk/`, and the tests of [`super::templates`] fail until all are there:
//!
//! | place | what the game needs there |
//! |---|---|
//! | `templates/rust/src/lib.rs` | `impl Bot<some_game::Position>` |
//! | `templates/c/bot.c`, `templates/wat/bot.wat` | a function `some_game`, `$some_game` |
//! | `templates/zig/bot.zig`, `templates/assemblyscript/bot.ts` | a function `someGame` |
//! | `c/arena.h`, `zig/arena.zig`, `assemblyscript/arena.ts`, `wat/arena.wat` | its observation and actions, which those use |
//! | `templates/rust-games/some-game/` | a recording and tests of it, and a bench of its turns |

use arena_baselines::Opponent;
use arena_wire::Game;

/// The option of `arena debug` for the bot's seat, if a turn belongs to all seats.
pub(super) fn seat(game: &Game) -> &'static str {
    if alternates(game) { "" } else { " --seat 1" }
}

/// The turns of the first-named bot in the games of a match.
pub(super) fn turns(game: &Game) -> &'static str {
    if alternates(game) {
        "Games with an even number begin with the bot's turn, those with an odd one with the opponent's."
    } else {
        "Every seat is asked in every turn. In games with an even number the bot has seat 1, in the others seat 2."
    }
}

/// The opponent of a new bot: the weakest built-in one, or the bot itself.
pub(super) fn opponent(game: &Game, module: &str) -> String {
    Opponent::sample(game.ruleset).map_or_else(|| module.to_owned(), |opponent| opponent.name().to_owned())
}

/// Whether the seats of a casual game answer in turn.
fn alternates(game: &Game) -> bool {
    game.shape(game.casual).is_ok_and(|shape| shape.alternates)
}
