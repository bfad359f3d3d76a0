//! The page of a room, on the server or in the page alone.

use arena_wire::Game;
use askama::Template;

use super::Shell;
use crate::names::{Face, Who, turns_of};

#[derive(Template)]
#[template(path = "room.html")]
pub(crate) struct RoomPage {
    pub(crate) shell: Shell,
    /// The room's id; empty for a game in the page alone.
    pub(crate) room: String,
    /// Name and version of the ruleset.
    pub(crate) ruleset: String,
    pub(crate) face: Face,
    pub(crate) title: String,
    pub(crate) seats: Vec<Who>,
    /// Whether the game was over when the page was asked for.
    pub(crate) over: bool,
    /// The same game once more, of a person against a bot without a table.
    pub(crate) rematch: Option<Rematch>,
    /// Whether people found and joined it, who play once more by consent.
    pub(crate) table: bool,
    /// Whether only people are at the board, who may agree.
    pub(crate) people: bool,
    /// Which kind of games it is, in words; none of the usual.
    pub(crate) kind: Option<String>,
    /// Whether people chat.
    pub(crate) chat: bool,
    /// Whether it counts for both.
    pub(crate) rated: bool,
    /// What a game in the page alone begins with.
    pub(crate) practice: Option<Practice>,
}

impl RoomPage {
    /// The game's name in addresses; none of a game that this release does not know.
    fn game(&self) -> Option<&'static str> {
        Some(Game::named(&self.ruleset).ok()?.name())
    }
}

/// A game like one that was played: who sat where, to be asked for again.
pub(crate) struct Rematch {
    game: &'static str,
    turns: Option<u16>,
    opponent: String,
    seat: usize,
    other: usize,
}

impl Rematch {
    /// That of a person against a bot: people have no page.
    pub(super) fn of(ruleset: &str, options: &str, seats: &[Who]) -> Option<Rematch> {
        let [first, second] = seats else { return None };
        let (seat, bot) = if first.page.is_none() { (0, second) } else { (1, first) };
        bot.page.as_ref()?;
        let game = Game::named(ruleset).ok()?.name();
        let turns = turns_of(ruleset, options);
        Some(Rematch { game, turns, opponent: bot.name.clone(), seat, other: 1 - seat })
    }
}

/// What a practice game begins with.
pub(crate) struct Practice {
    /// The game's name in addresses.
    pub(crate) game: &'static str,
    pub(crate) options: String,
    /// The game's seed, in hex.
    pub(crate) seed: String,
    /// The visitor's seat; none where both are.
    pub(crate) seat: Option<u8>,
    /// The id of who has the other; empty where nobody has.
    pub(crate) opponent: String,
    /// Who can be played against, and which one is.
    pub(crate) choices: Vec<(String, bool)>,
    /// What is learnt with it.
    pub(crate) lesson: Option<LessonView>,
    /// The game that is played on from.
    pub(crate) from: Option<From>,
    /// Names and pages by seat, in JSON.
    pub(crate) names: String,
    pub(crate) pages: String,
}

/// A lesson beside its board.
pub(crate) struct LessonView {
    /// What its game is called.
    pub(crate) game: &'static str,
    /// From 1.
    pub(crate) number: usize,
    /// How many its game has.
    pub(crate) of: usize,
    pub(crate) title: String,
    pub(crate) text: String,
    /// What is to be done, and what is said once it is.
    pub(crate) task: String,
    pub(crate) done: String,
    /// The goal, as `lesson.js` has it.
    pub(crate) goal: &'static str,
    /// The position that it begins with, in hex.
    pub(crate) from: String,
    /// Addresses of the lessons around it.
    pub(crate) before: Option<String>,
    pub(crate) next: String,
    /// Whether what follows the last one is a board for practice; otherwise it is the lobby.
    pub(crate) practises: bool,
}

/// A game that was played, up to a turn.
pub(crate) struct From {
    pub(crate) id: String,
    pub(crate) turn: usize,
}
