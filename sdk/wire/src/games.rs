//! The only list of all rulesets. All code that finds a game by its name uses it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use arena_rules::{Seat, Seed};

use crate::{ActionError, Allowance, Call, Protocol, RoomKind, RoomWish, Tool, Zone};

/// Work that can be done with any ruleset.
pub trait Visitor {
    /// What the work results in.
    type Out;

    /// Does the work with a game at its start.
    fn visit<P: Protocol>(self, start: P) -> Self::Out;
}

/// A ruleset or options that this release does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownGame {
    /// No ruleset of that name and version.
    Ruleset(String),
    /// Not the canonical text of options of that ruleset.
    Options {
        /// The text.
        text: String,
        /// A description of valid options.
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

/// The properties of a ruleset that do not depend on a position.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// Name and version, as in records.
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
    /// [`Protocol::CAGES`].
    pub cages: bool,
    /// [`Protocol::ANCHOR`].
    pub anchor: &'static [&'static str],
    /// [`Protocol::PICTURE_BLOCK`].
    pub picture_block: u16,
    /// [`Protocol::WIDE`].
    pub wide: bool,
    casual_number: fn(u32) -> String,
    in_room: fn(u8, u16) -> Option<String>,
    read: fn(&[u8]) -> Result<Vec<Call>, ActionError>,
    write: fn(&[Call]) -> Option<Vec<u8>>,
}

/// The properties of games with certain options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many seats there are.
    pub seats: u8,
    /// Whether the seats answer one after the other.
    pub alternates: bool,
    /// [`Protocol::may_count`].
    pub may_count: bool,
    /// Options of the two-seat games of the same kind; `None` where games have two seats anyway.
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
            cages: P::CAGES,
            anchor: P::ANCHOR,
            picture_block: P::PICTURE_BLOCK,
            wide: P::WIDE,
            casual_number: P::casual,
            in_room: P::in_room,
            read: |bytes| P::decode_action(bytes).map(|action| P::describe(&action)),
            write: |calls| P::compose(calls).map(|action| P::encode_action(&action)),
        }
    }

    /// The game with this name: a ruleset with its version, or without if there is only one version.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<&'static Game, UnknownGame> {
        let found = GAMES.iter().find(|game| game.ruleset == name || game.name() == name);
        found.ok_or_else(|| UnknownGame::Ruleset(name.into()))
    }

    /// The name of a seat, for people.
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

    /// Describes the bytes of an action as calls.
    ///
    /// # Errors
    /// When they are no action of this game.
    pub fn describe(&self, action: &[u8]) -> Result<Vec<Call>, ActionError> {
        (self.read)(action)
    }

    /// The bytes of the action for these calls; `None` if they are not an action of this game.
    pub fn compose(&self, calls: &[Call]) -> Option<Vec<u8>> {
        (self.write)(calls)
    }

    /// The shape of games with these options.
    ///
    /// # Errors
    /// When the options are not this game's.
    pub fn shape(&self, options: &str) -> Result<Shape, UnknownGame> {
        shape(self.ruleset, options)
    }

    /// Options of two-seat games that may count: those for standings or, if those have more seats, those of a two-seat game of the same
    /// kind. `None` if the game has neither.
    pub fn match_options(&self) -> Option<String> {
        let shape = self.shape(self.ranked).ok()?;
        if shape.seats == 2 { Some(self.ranked.into()) } else { shape.duel }
    }

    /// Options of a room with these wishes. `drawn` chooses among casual starts if the wish does not. `None` if no room fits
    /// the wish.
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

    /// The kind of a room with these options; `None` in games without a choice of kinds.
    pub fn room_kind(&self, options: &str) -> Option<&'static RoomKind> {
        let of_options = self.room_kinds.iter().find(|kind| kind.options == Some(options));
        of_options.or_else(|| self.room_kinds.first())
    }

    /// Whether options are those of a room in which nobody chose anything, whatever start was drawn.
    pub fn is_usual(&self, options: &str) -> bool {
        let drawn = self.number_of(options).unwrap_or_default();
        self.room_options(&RoomWish::default(), drawn).as_deref() == Some(options)
    }

    /// Whether there are many numbered casual starts.
    pub fn has_numbers(&self) -> bool {
        self.casual_number(0) != self.casual_number(1)
    }

    /// The number of the casual start with these options, if starts are numbered.
    pub fn number_of(&self, options: &str) -> Option<u32> {
        let digits = options.rsplit(|letter: char| !letter.is_ascii_digit()).next()?;
        let number = digits.parse().ok()?;
        (self.has_numbers() && self.casual_number(number) == options).then_some(number)
    }

    /// Whether people can play it in rooms, against each other and against bots, and a page can run it without a server: two in turns
    /// without a bank of fuel, or any number at once on a board that a room's page shows completely.
    pub fn suits_rooms(&self) -> bool {
        let two_in_turn = self.shape(self.casual).is_ok_and(|shape| shape.seats == 2 && shape.alternates);
        !self.wide || (two_in_turn && self.allowance.fuel_per_game.is_none())
    }

    /// Whether its seats play all at once, so that nobody moves first.
    pub fn plays_at_once(&self) -> bool {
        self.shape(self.casual).is_ok_and(|shape| !shape.alternates)
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

// Modules for pages contain only some of them, so that a room does not load the rules of other games: those with wide frames, or the
// rest (`xtask/src/workspace.rs`). Everything else has all of them.
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

// Pages choose a game's module by `wide`.
#[cfg(any(arena_games = "narrow", arena_games = "wide"))]
const _: () = {
    let mut at = 0;
    while at < GAMES.len() {
        assert!(GAMES[at].wide == cfg!(arena_games = "wide"));
        at += 1;
    }
};

/// Parses the options of ruleset `P`.
///
/// # Errors
/// When the text is not canonical; with a description of valid options.
pub fn options_of<P: Protocol>(text: &str) -> Result<P::Options, UnknownGame> {
    P::parse_options(text).ok_or_else(|| UnknownGame::Options { text: text.into(), help: P::options_help() })
}

fn begin<P: Protocol>(options: &str, seed: &Seed) -> Result<P, UnknownGame> {
    Ok(P::start(&options_of::<P>(options)?, seed))
}
