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
    /// Whether the game was over when the page was requested.
    pub(crate) over: bool,
    /// The same game again, for a person against a bot in a room that was not joined by others.
    pub(crate) rematch: Option<Rematch>,
    /// Whether people found and joined the room, so that a rematch needs their consent.
    pub(crate) table: bool,
    /// Whether all players are people, who may agree on a draw.
    pub(crate) people: bool,
    /// The kind of games in words; `None` for the usual one.
    pub(crate) kind: Option<String>,
    /// Whether the room has a chat.
    pub(crate) chat: bool,
    /// Whether the game is rated.
    pub(crate) rated: bool,
    /// Whether the game is new, and the visitor without a cookie: perhaps a player whose browser refused it.
    pub(crate) cookieless: bool,
    /// The start of a practice game.
    pub(crate) practice: Option<Practice>,
}

impl RoomPage {
    /// The page of a game in the page alone.
    pub(super) fn alone(shell: Shell, ruleset: &str, title: String, seats: Vec<Who>, practice: Practice) -> RoomPage {
        RoomPage {
            shell,
            room: String::new(),
            ruleset: ruleset.into(),
            face: Face::with(ruleset, &practice.options),
            title,
            seats,
            over: false,
            rematch: None,
            table: false,
            people: false,
            kind: None,
            chat: false,
            rated: false,
            cookieless: false,
            practice: Some(practice),
        }
    }

    /// The game's name in addresses; `None` for a game that this release does not know.
    fn game(&self) -> Option<&'static str> {
        Some(Game::named(&self.ruleset).ok()?.name())
    }
}

/// The parameters of a game with the same seats as one that was played.
pub(crate) struct Rematch {
    game: &'static str,
    turns: Option<u16>,
    opponent: String,
    seat: usize,
    other: usize,
}

impl Rematch {
    /// A rematch of a person against a bot. A person has no page.
    pub(super) fn of(ruleset: &str, options: &str, seats: &[Who]) -> Option<Rematch> {
        let [first, second] = seats else { return None };
        let (seat, bot) = if first.page.is_none() { (0, second) } else { (1, first) };
        bot.page.as_ref()?;
        let game = Game::named(ruleset).ok()?.name();
        let turns = turns_of(ruleset, options);
        Some(Rematch { game, turns, opponent: bot.name.clone(), seat, other: 1 - seat })
    }
}

/// The start of a practice game.
pub(crate) struct Practice {
    /// The game's name in addresses.
    pub(crate) game: &'static str,
    pub(crate) options: String,
    /// The game's seed, in hex.
    pub(crate) seed: String,
    /// The visitor's seat; `None` for both.
    pub(crate) seat: Option<u8>,
    /// The opponent's id; empty without an opponent.
    pub(crate) opponent: String,
    /// The numbers of seats to choose from, each with its options, and whether it is chosen.
    pub(crate) many: Vec<(u8, String, bool)>,
    /// Whether all seats play at once, so that two people at one device would see each other's turn.
    pub(crate) at_once: bool,
    /// The opponents to choose from, and whether each is chosen.
    pub(crate) choices: Vec<(String, bool)>,
    /// Whether there may be more, which are named instead.
    pub(crate) more: bool,
    /// The lesson that it belongs to.
    pub(crate) lesson: Option<LessonView>,
    /// The game that it continues.
    pub(crate) from: Option<From>,
    /// Names and pages by seat, in JSON.
    pub(crate) names: String,
    pub(crate) pages: String,
}

/// A lesson beside its board.
pub(crate) struct LessonView {
    /// The title of its game.
    pub(crate) game: &'static str,
    /// Its number, from 1.
    pub(crate) number: usize,
    /// The number of lessons of its game.
    pub(crate) of: usize,
    pub(crate) title: String,
    pub(crate) text: String,
    /// The task, and the text after it is done.
    pub(crate) task: String,
    pub(crate) done: String,
    /// The goal's name in `rooms/lesson.js`.
    pub(crate) goal: &'static str,
    /// The position that it begins with, in hex.
    pub(crate) from: String,
    /// Addresses of the lessons before and after it.
    pub(crate) before: Option<String>,
    pub(crate) next: String,
}

/// A game that was played, up to a turn.
pub(crate) struct From {
    pub(crate) id: String,
    pub(crate) turn: usize,
}
