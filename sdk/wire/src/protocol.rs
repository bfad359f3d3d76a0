//! What a ruleset needs to be spoken.

use alloc::string::String;
use alloc::vec::Vec;

use arena_rules::{Rng, Ruleset, Seat, Seed};

use crate::{ActionError, Call, Observation, ObservationError, Picture, Point, RoomKind, Stages, Tool, Zone};

/// A ruleset that can be spoken in bytes, and that says what its actions are, so that nobody else reads their bytes.
///
/// An action is described as a list of [`Call`]s: a tool and the cells that it is used on. Today every action is one call. A
/// game whose turn takes several, such as Life2 with its enter, leave and place, names these its tools and describes a turn as
/// one call each, in order; [`choices`](Protocol::choices) speaks of the last call of the list, those before it being done.
pub trait Protocol: Ruleset {
    /// The ruleset's byte in observations.
    const TAG: u8;
    /// What the game is called, for people.
    const TITLE: &'static str;
    /// Options of games for standings, unless somebody asks for others; canonical.
    const RANKED: &'static str;
    /// Options of sample games and rooms; canonical. Such games have two seats, and their first position does not depend on
    /// the game's seed.
    const CASUAL: &'static str;
    /// The fewest and the most seats of games between people, who see each other's options: those of [`CASUAL`](Protocol::CASUAL), unless
    /// [`in_room`](Protocol::in_room) has others.
    const ROOM_SEATS: (u8, u8) = (2, 2);
    /// How many turns games between people may have, the usual number first; none where they do not choose.
    const ROOM_TURNS: &'static [u16] = &[];
    /// The kinds of games that people choose among for rooms, the usual one, which is [casual](Protocol::casual), first; none where they do
    /// not choose. The first positions of all of them do not depend on the game's seed.
    const ROOM_KINDS: &'static [RoomKind] = &[];
    /// Turns of the longest game.
    const TURNS_MAX: u16;
    /// Cells that the automaton goes through in a turn, where that is as much work as the seats' thinking; else 0. Who plays many games
    /// plays fewer of such a game.
    const CELLS_A_TURN: u64 = 0;
    /// Whether observations and actions are [wide](crate::wide) frames. Pages have such games in modules of their own.
    const WIDE: bool = false;
    /// What people call the seats; without a name they are numbered.
    const SEAT_NAMES: &'static [&'static str] = &[];
    /// What a seat can do in a turn, the usual one first. Names are unique.
    const TOOLS: &'static [Tool];
    /// The rules in short, for people: a paragraph each.
    const RULES: &'static [&'static str];
    /// The zones of the board, from the left; none where all of it is one ground.
    const ZONES: &'static [Zone] = &[];
    /// Fuel of a bot in this game, unless a tournament gives other budgets.
    const ALLOWANCE: Allowance;

    /// Options of the casual game with this number: what [`CASUAL`](Protocol::CASUAL) says, or, where the rules have many such
    /// starts, one of them. People see the options, so they hold nothing that is to be secret.
    fn casual(_number: u32) -> String {
        Self::CASUAL.into()
    }

    /// Options of a game between people with so many seats and turns, out of [`ROOM_SEATS`](Protocol::ROOM_SEATS) and
    /// [`ROOM_TURNS`](Protocol::ROOM_TURNS), whose first position does not depend on the game's seed. `None` where all such games are
    /// [casual](Protocol::casual) ones, or these are none.
    fn in_room(_seats: u8, _turns: u16) -> Option<String> {
        None
    }

    /// Length of every observation of this game, in bytes.
    fn observation_len(&self) -> usize;

    /// What `seat` sees: all that the rules make visible, its own seat and its seed; nothing else.
    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8>;

    /// What a bot can know from the bytes of an observation; the inverse of [`observation`](Protocol::observation).
    ///
    /// # Errors
    /// When they are not an observation of this version and ruleset.
    fn observe(bytes: &[u8]) -> Result<Observation<Self>, ObservationError>;

    /// Turns since the start, which number the generator's streams.
    fn turns_played(&self) -> u32;

    /// What is on the board, in the form that all games share: for painters and tables.
    fn picture(&self) -> Picture;

    /// How far the game is, for people: `Round 3 of 12`. Empty where the number of turns says it.
    fn clock(&self) -> String {
        String::new()
    }

    /// What limits a tool for a seat besides the board: `ready in 2`. Empty where nothing does.
    fn limit(&self, _seat: Seat, _tool: &Tool) -> String {
        String::new()
    }

    /// What is open to a seat for the next cell of these calls, in words: zones as the seat sees them. None where the rules have
    /// no such thing, or the seat is not asked.
    fn open(&self, _seat: Seat, _calls: &[Call]) -> Vec<&'static str> {
        Vec::new()
    }

    /// What these calls lead to; also of calls that are only the beginning of a turn. `None` where turns have no stages, and where
    /// the calls are refused.
    fn stages(&self, _seat: Seat, _calls: &[Call]) -> Option<Stages> {
        None
    }

    /// The action that bytes stand for.
    ///
    /// # Errors
    /// When the bytes are not exactly one action of this version. Whether the action is legal is another question.
    fn decode_action(bytes: &[u8]) -> Result<Self::Action, ActionError>;

    /// The bytes of an action; the inverse of [`decode_action`](Protocol::decode_action).
    fn encode_action(action: &Self::Action) -> Vec<u8>;

    /// What an action is made of.
    fn describe(action: &Self::Action) -> Vec<Call>;

    /// The action made of these calls; the inverse of [`describe`](Protocol::describe). `None` when they are none: too many
    /// calls, or too many or few cells for the tool. Whether the action is legal is another question.
    fn compose(calls: &[Call]) -> Option<Self::Action>;

    /// The cells that can come next in the last of these calls, row by row; none when it has all its cells, is none that the
    /// seat may begin, or would have to be taken back first. Two laws: who takes what is offered until nothing is has a legal
    /// action, and every legal turn is reached so. Of cells that come to the same turn only one need be offered.
    fn choices(&self, seat: Seat, calls: &[Call]) -> Vec<Point>;

    /// The action of a seat that does nothing; `None` where the rules ask for something.
    fn pass() -> Option<Self::Action>;

    /// All that makes up the position, in canonical bytes: equal positions have equal bytes and unequal ones do not.
    /// Digests of games are made of these.
    fn state(&self) -> Vec<u8>;

    /// Whether games with these options may count for standings. Those that are for people, or for a study alone, may not.
    fn may_count(options: &Self::Options) -> bool;

    /// Whether these options exist for a study alone: no room plays them.
    fn for_study(_options: &Self::Options) -> bool {
        false
    }

    /// Options of a two-seat game of the same kind, which breaks ties; `None` where games have two seats anyway.
    fn duel(_options: &Self::Options) -> Option<Self::Options> {
        None
    }

    /// Whether the first position depends on the game's seed, so that showing such a game takes the seed.
    fn starts_from_seed(options: &Self::Options) -> bool;

    /// What may be written as options, in a sentence that a wrong spelling gets.
    fn options_help() -> String;

    /// Options as canonical text; the inverse of [`parse_options`](Protocol::parse_options).
    fn options_text(options: &Self::Options) -> String;

    /// The options that a text stands for; `None` when it is not canonical.
    fn parse_options(text: &str) -> Option<Self::Options>;
}

impl<P: Protocol> Observation<P> {
    /// This turn's generator: ChaCha8 keyed by the seat's seed, its stream the number of turns played.
    pub fn rng(&self) -> Rng {
        Rng::new(&self.seat_seed, self.position.turns_played().into())
    }

    /// The bytes of this observation, as `sdk/ABI.md` lays them out.
    pub fn encode(&self) -> Vec<u8> {
        self.position.observation(self.seat, &self.seat_seed)
    }

    /// The observation that bytes stand for.
    ///
    /// # Errors
    /// When they are not an observation of this version and ruleset.
    pub fn decode(bytes: &[u8]) -> Result<Observation<P>, ObservationError> {
        P::observe(bytes)
    }
}

/// Fuel that a bot has, by the rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// For each turn, at most.
    pub fuel_per_move: u64,
    /// For all turns of a game together. A seat whose bank is empty passes; `None` where there is no bank.
    pub fuel_per_game: Option<u64>,
}
