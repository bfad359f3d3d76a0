//! The one list of all rulesets. All code that knows a game by its name comes through here.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use arena_rules::{Seat, Seed};

use crate::{ActionError, Allowance, Call, Protocol, RoomKind, RoomWish, Tool, Zone};

/// A piece of work that can be done with any ruleset.
pub trait Visitor {
    /// What the work results in.
    type Out;

    /// Does the work with a game at its start.
    fn visit<P: Protocol>(self, start: P) -> Self::Out;
}

/// A ruleset or an option this release does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownGame {
    /// No ruleset of that name and version.
    Ruleset(String),
    /// Not the canonical text of options of that ruleset.
    Options {
        /// The text.
        text: String,
        /// What it could have been.
        help: String,
    },
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownGame::Ruleset(id) => {
                write!(f, "no ruleset {id:?} here; this release has ")?;
                for (number, game) in GAMES.iter().enumerate() {
                    write!(f, "{}{:?}", if number == 0 { "" } else { ", " }, game.ruleset)?;
                }
                Ok(())
            }
            UnknownGame::Options { text, help } => write!(f, "{text:?} are not options of the ruleset: {help}"),
        }
    }
}

impl core::error::Error for UnknownGame {}

/// What can be said of a ruleset without a position.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// Name and version, as records carry it.
    pub ruleset: &'static str,
    /// What it is called, for people.
    pub title: &'static str,
    /// Its byte in observations.
    pub tag: u8,
    /// [`Protocol::RANKED`].
    pub ranked: &'static str,
    /// [`Protocol::CASUAL`].
    pub casual: &'static str,
    /// [`Protocol::SEAT_NAMES`].
    pub seat_names: &'static [&'static str],
    /// [`Protocol::TOOLS`].
    pub tools: &'static [Tool],
    /// [`Protocol::RULES`].
    pub rules: &'static [&'static str],
    /// [`Protocol::ZONES`].
    pub zones: &'static [Zone],
    /// [`Protocol::ALLOWANCE`].
    pub allowance: Allowance,
    /// [`Protocol::TURNS_MAX`].
    pub turns_max: u16,
    /// [`Protocol::ROOM_SEATS`].
    pub room_seats: (u8, u8),
    /// [`Protocol::ROOM_TURNS`].
    pub room_turns: &'static [u16],
    /// [`Protocol::ROOM_KINDS`].
    pub room_kinds: &'static [RoomKind],
    /// [`Protocol::CELLS_A_TURN`].
    pub cells_a_turn: u64,
    /// [`Protocol::WIDE`].
    pub wide: bool,
    casual_number: fn(u32) -> String,
    in_room: fn(u8, u16) -> Option<String>,
    read: fn(&[u8]) -> Result<Vec<Call>, ActionError>,
    write: fn(&[Call]) -> Option<Vec<u8>>,
}

/// What options say of games with them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many seats there are.
    pub seats: u8,
    /// Whether the seats answer one after the other.
    pub alternates: bool,
    /// [`Protocol::may_count`].
    pub may_count: bool,
    /// Options of the two-seat games of the same kind, which break ties; `None` where games have two seats anyway.
    pub duel: Option<String>,
}

/// The shape of games of a ruleset with these options.
///
/// # Errors
/// When ruleset or options are unknown.
pub fn shape(ruleset: &str, options: &str) -> Result<Shape, UnknownGame> {
    struct ShapeOf<'a>(&'a str);

    impl Visitor for ShapeOf<'_> {
        type Out = Result<Shape, UnknownGame>;

        fn visit<P: Protocol>(self, start: P) -> Self::Out {
            let options = options_of::<P>(self.0)?;
            Ok(Shape {
                seats: start.seats(),
                alternates: start.awaiting().iter().count() == 1,
                may_count: P::may_count(&options),
                duel: P::duel(&options).as_ref().map(P::options_text),
            })
        }
    }

    start(ruleset, options, &[0; 32], ShapeOf(options))?
}

impl Game {
    const fn of<P: Protocol>() -> Game {
        Game {
            ruleset: P::ID,
            title: P::TITLE,
            tag: P::TAG,
            ranked: P::RANKED,
            casual: P::CASUAL,
            seat_names: P::SEAT_NAMES,
            tools: P::TOOLS,
            rules: P::RULES,
            zones: P::ZONES,
            allowance: P::ALLOWANCE,
            turns_max: P::TURNS_MAX,
            room_seats: P::ROOM_SEATS,
            room_turns: P::ROOM_TURNS,
            room_kinds: P::ROOM_KINDS,
            cells_a_turn: P::CELLS_A_TURN,
            wide: P::WIDE,
            casual_number: P::casual,
            in_room: P::in_room,
            read: |bytes| P::decode_action(bytes).map(|action| P::describe(&action)),
            write: |calls| P::compose(calls).map(|action| P::encode_action(&action)),
        }
    }

    /// The game of this name: a ruleset with its version, or without where there is one version.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<&'static Game, UnknownGame> {
        let found = GAMES.iter().find(|game| game.ruleset == name || game.name() == name);
        found.ok_or_else(|| UnknownGame::Ruleset(name.into()))
    }

    /// What people call a seat.
    pub fn seat_name(&self, seat: Seat) -> String {
        self.seat_names.get(seat.index()).map_or_else(|| seat.to_string(), |name| (*name).into())
    }

    /// [`Protocol::casual`].
    pub fn casual_number(&self, number: u32) -> String {
        (self.casual_number)(number)
    }

    /// The tool of this name.
    pub fn tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().copied().find(|tool| tool.name == name)
    }

    /// What the bytes of an action are made of.
    ///
    /// # Errors
    /// When they are no action of this game.
    pub fn describe(&self, action: &[u8]) -> Result<Vec<Call>, ActionError> {
        (self.read)(action)
    }

    /// The bytes of the action made of these calls; `None` when they are no action of this game.
    pub fn compose(&self, calls: &[Call]) -> Option<Vec<u8>> {
        (self.write)(calls)
    }

    /// The shape of games with these options.
    ///
    /// # Errors
    /// When the options are none of this game's.
    pub fn shape(&self, options: &str) -> Result<Shape, UnknownGame> {
        shape(self.ruleset, options)
    }

    /// Options of a room that is as somebody wishes it. `drawn` chooses among casual starts where the wish does not. `None` when no room is
    /// so.
    pub fn room_options(&self, wish: &RoomWish, drawn: u32) -> Option<String> {
        let (fewest, most) = self.room_seats;
        let seats = wish.seats.unwrap_or(fewest);
        if !self.suits_rooms() || !(fewest..=most).contains(&seats) {
            return None;
        }
        let kind = match &wish.kind {
            Some(name) => self.room_kinds.iter().find(|kind| kind.name == name.as_str())?.options,
            None => None,
        };
        if wish.number.is_some() && (kind.is_some() || !self.has_numbers()) {
            return None;
        }
        match (self.room_turns.first(), wish.turns) {
            (None, None) => Some(kind.map_or_else(|| self.casual_number(wish.number.unwrap_or(drawn)), String::from)),
            (None, Some(_)) => None,
            (Some(usual), turns) => {
                let turns = turns.unwrap_or(*usual);
                self.room_turns.contains(&turns).then(|| (self.in_room)(seats, turns)).flatten()
            }
        }
    }

    /// The kind of a room with these options; `None` where people do not choose.
    pub fn room_kind(&self, options: &str) -> Option<&'static RoomKind> {
        let of_options = self.room_kinds.iter().find(|kind| kind.options == Some(options));
        of_options.or_else(|| self.room_kinds.first())
    }

    /// Whether options are those of a room of which nobody chose anything, whatever was drawn.
    pub fn is_usual(&self, options: &str) -> bool {
        let drawn = self.number_of(options).unwrap_or_default();
        self.room_options(&RoomWish::default(), drawn).as_deref() == Some(options)
    }

    /// Whether there are many casual starts, by numbers.
    pub fn has_numbers(&self) -> bool {
        self.casual_number(0) != self.casual_number(1)
    }

    /// The number of the casual start that these options are of, where there are many.
    pub fn number_of(&self, options: &str) -> Option<u32> {
        let digits = options.rsplit(|letter: char| !letter.is_ascii_digit()).next()?;
        let number = digits.parse().ok()?;
        (self.has_numbers() && self.casual_number(number) == options).then_some(number)
    }

    /// Whether people play it in rooms, against each other and against bots: two in turns, or as many as it takes at once on a board that a
    /// room's page shows whole.
    pub fn suits_rooms(&self) -> bool {
        !self.wide || self.suits_practice()
    }

    /// Whether its seats play all at once, so that nobody moves first.
    pub fn plays_at_once(&self) -> bool {
        self.shape(self.casual).is_ok_and(|shape| !shape.alternates)
    }

    /// Whether a page alone can play it, against a built-in opponent or with two people at one device: two seats that answer one after the
    /// other, and no bank of fuel.
    pub fn suits_practice(&self) -> bool {
        let two_in_turn = self.shape(self.casual).is_ok_and(|shape| shape.seats == 2 && shape.alternates);
        two_in_turn && self.allowance.fuel_per_game.is_none()
    }

    /// Its name without the version.
    pub fn name(&self) -> &'static str {
        self.ruleset.split('@').next().unwrap_or(self.ruleset)
    }
}

macro_rules! rulesets {
    ($($(#[$when:meta])? $position:ty),* $(,)?) => {
        /// Every ruleset, the founding one first.
        pub const GAMES: &[Game] = &[$($(#[$when])? Game::of::<$position>()),*];

        /// Starts a game of the named ruleset and hands it to `visitor`.
        ///
        /// # Errors
        /// When ruleset or options are unknown.
        pub fn start<V: Visitor>(ruleset: &str, options: &str, seed: &Seed, visitor: V) -> Result<V::Out, UnknownGame> {
            $($(#[$when])? if ruleset == <$position as arena_rules::Ruleset>::ID {
                return Ok(visitor.visit(begin::<$position>(options, seed)?));
            })*
            Err(UnknownGame::Ruleset(ruleset.into()))
        }
    };
}

// Modules for pages have some of them, so that a room loads no rules of games that have none: those with wide frames, or the others
// (`xtask/src/workspace.rs`). All else has all.
rulesets![
    #[cfg(not(arena_games = "wide"))]
    arena_rules::conquerors::Position,
    #[cfg(not(arena_games = "wide"))]
    arena_rules::war_of_life::Position,
    #[cfg(not(arena_games = "wide"))]
    arena_rules::game_of_game_of_life::Position,
    #[cfg(not(arena_games = "narrow"))]
    arena_rules::life2::Position,
    #[cfg(arena_tiny_game)]
    crate::tiny_game::Position,
];

// A page looks for a game by `wide`.
#[cfg(any(arena_games = "narrow", arena_games = "wide"))]
const _: () = {
    let mut at = 0;
    while at < GAMES.len() {
        assert!(GAMES[at].wide == cfg!(arena_games = "wide"));
        at += 1;
    }
};

/// The options of ruleset `P` that a text stands for.
///
/// # Errors
/// When it is not canonical; with what could have been written.
pub fn options_of<P: Protocol>(text: &str) -> Result<P::Options, UnknownGame> {
    P::parse_options(text).ok_or_else(|| UnknownGame::Options { text: text.into(), help: P::options_help() })
}

fn begin<P: Protocol>(options: &str, seed: &Seed) -> Result<P, UnknownGame> {
    Ok(P::start(&options_of::<P>(options)?, seed))
}
