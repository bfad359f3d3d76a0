//! What a ruleset needs so that bots, pages and commands can use it.

use alloc::string::String;
use alloc::vec::Vec;

use arena_rules::{Phrase, Rng, Ruleset, Seat, Seed};

use crate::{ActionError, Call, Observation, ObservationError, Picture, Point, RoomKind, Stages, Tool, Zone};

/// A ruleset with an encoding in bytes and a description of its actions, so that no other code reads their bytes.
///
/// An action is described as a list of [`Call`]s: a tool and the cells that it is used on. In all current games every action is
/// one call. A game whose turn consists of several describes it as one call for each, in order; [`choices`](Protocol::choices) is about the
/// last call of the list, with those before it done.
pub trait Protocol: Ruleset {
    /// The ruleset's byte in observations.
    const TAG: u8;
    /// What the game is called, for people.
    const TITLE: &'static str;
    /// Default options of games for standings; canonical.
    const RANKED: &'static str;
    /// Options of rooms and of the first sample games; canonical. Such games have two seats, and their first position does not depend on the
    /// game's seed. Where [`RANKED`](Protocol::RANKED) is these options and an opening, a bot's last sample games are played with that, too:
    /// they do depend on the seed.
    const CASUAL: &'static str;
    /// The fewest and the most seats of games between people, who can see the options: those of [`CASUAL`](Protocol::CASUAL), unless
    /// [`in_room`](Protocol::in_room) returns others.
    const ROOM_SEATS: (u8, u8) = (2, 2);
    /// The maximum numbers of turns from which people may choose, the usual one first; empty if there is no choice.
    const ROOM_TURNS: &'static [u16] = &[];
    /// The kinds of games from which people may choose for rooms, the usual one first, which is [casual](Protocol::casual); empty if there
    /// is no choice. Their first positions do not depend on the game's seed.
    const ROOM_KINDS: &'static [RoomKind] = &[];
    /// Turns of the longest game.
    const TURNS_MAX: u16;
    /// Cells that the automaton computes in a turn, if that takes as long as the seats' thinking; otherwise 0. Tournaments with a limit on
    /// such work play fewer of these games.
    const CELLS_A_TURN: u64 = 0;
    /// Whether [two-seat games](Protocol::duel) break ties in fields of this game, unless a tournament says otherwise; if not, equal scores
    /// share the rank.
    const CAGES: bool = true;
    /// The built-in opponents, with their versions, whose mean rating is the zero of a tournament in which all of them play; none: there is no
    /// such zero.
    const ANCHOR: &'static [&'static str] = &[];
    /// Rows and columns of cells behind each cell of a [picture](Protocol::picture): more than one if a board is too large to look at.
    const PICTURE_BLOCK: u16 = 1;
    /// Whether observations and actions are [wide](crate::wide) frames. Pages load such games from a module of their own.
    const WIDE: bool = false;
    /// The seats' names for people; seats without a name are numbered.
    const SEAT_NAMES: &'static [&'static str] = &[];
    /// What a seat can do in a turn, the usual one first. Names are unique.
    const TOOLS: &'static [Tool];
    /// The rules in short, for people: one string for each paragraph.
    const RULES: &'static [&'static str];
    /// The zones of the board, from the left; empty if the board is not divided.
    const ZONES: &'static [Zone] = &[];
    /// A bot's fuel in this game, unless a tournament sets other budgets.
    const ALLOWANCE: Allowance;

    /// Options of the casual game with this number: [`CASUAL`](Protocol::CASUAL), or one of the numbered starts if the rules have
    /// many. People can see the options, so they contain nothing secret.
    fn casual(_number: u32) -> String {
        Self::CASUAL.into()
    }

    /// Options of a game between people with this many seats and turns, within [`ROOM_SEATS`](Protocol::ROOM_SEATS) and
    /// [`ROOM_TURNS`](Protocol::ROOM_TURNS), whose first position does not depend on the game's seed. `None` if all such games are
    /// [casual](Protocol::casual), or the numbers are not allowed.
    fn in_room(_seats: u8, _turns: u16) -> Option<String> {
        None
    }

    /// Length of every observation of this game, in bytes.
    fn observation_len(&self) -> usize;

    /// The observation of `seat`: all that the rules make visible, its own seat and its seed; nothing else.
    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8>;

    /// Parses an observation into what a bot can know; the inverse of [`observation`](Protocol::observation).
    ///
    /// # Errors
    /// When they are not an observation of this version and ruleset.
    fn observe(bytes: &[u8]) -> Result<Observation<Self>, ObservationError>;

    /// Turns since the start, which are also the generator's stream.
    fn turns_played(&self) -> u32;

    /// The board, in the form that all games share: for drawing and for tables.
    fn picture(&self) -> Picture;

    /// The progress of the game, such as a round of how many. `None` if the number of turns says it.
    fn clock(&self) -> Option<Phrase> {
        None
    }

    /// What limits a seat's use of a tool besides the board, such as the turns until it is ready. `None` if nothing does.
    fn limit(&self, _seat: Seat, _tool: &Tool) -> Option<Phrase> {
        None
    }

    /// What is open to a seat for the next cell of these calls: zones from the seat's point of view. Empty if the rules have no
    /// such thing, or the seat is not asked.
    fn open(&self, _seat: Seat, _calls: &[Call]) -> Vec<Phrase> {
        Vec::new()
    }

    /// What these calls lead to, even if they are only the beginning of a turn. `None` if turns have no stages, or the calls are
    /// refused.
    fn stages(&self, _seat: Seat, _calls: &[Call]) -> Option<Stages> {
        None
    }

    /// Parses an action.
    ///
    /// # Errors
    /// When the bytes are not exactly one action of this version. Whether the action is legal is not checked.
    fn decode_action(bytes: &[u8]) -> Result<Self::Action, ActionError>;

    /// The bytes of an action; the inverse of [`decode_action`](Protocol::decode_action).
    fn encode_action(action: &Self::Action) -> Vec<u8>;

    /// Describes an action.
    fn describe(action: &Self::Action) -> Vec<Call>;

    /// The action of these calls; the inverse of [`describe`](Protocol::describe). `None` if they are not an action: too many
    /// calls, or too many or few cells for the tool. Whether the action is legal is not checked.
    fn compose(calls: &[Call]) -> Option<Self::Action>;

    /// The cells that can come next in the last of these calls, row by row; empty if it has all its cells, the seat may not begin it,
    /// or a cell would have to be taken back first. Two laws hold: taking offered cells until none is left makes a legal action, and every
    /// legal turn can be made like this. Among cells that lead to the same turn, one is enough.
    fn choices(&self, seat: Seat, calls: &[Call]) -> Vec<Point>;

    /// The action of a seat that does nothing; `None` if the rules do not allow that.
    fn pass() -> Option<Self::Action>;

    /// The whole position in canonical bytes: equal positions have equal bytes, and different positions have different bytes.
    /// Digests of games are made from these.
    fn state(&self) -> Vec<u8>;

    /// Whether games with these options may count for standings. Games for people or for a study may not.
    fn may_count(options: &Self::Options) -> bool;

    /// Whether these options exist only for a study; no room plays them.
    fn for_study(_options: &Self::Options) -> bool {
        false
    }

    /// Options of a two-seat game of the same kind; `None` if games have two seats anyway.
    fn duel(_options: &Self::Options) -> Option<Self::Options> {
        None
    }

    /// Whether the first position depends on the game's seed, so that showing the game requires the seed.
    fn starts_from_seed(options: &Self::Options) -> bool;

    /// A sentence that describes valid options, shown for invalid ones.
    fn options_help() -> String;

    /// Options as canonical text; the inverse of [`parse_options`](Protocol::parse_options).
    fn options_text(options: &Self::Options) -> String;

    /// Parses options; `None` if the text is not canonical.
    fn parse_options(text: &str) -> Option<Self::Options>;
}

impl<P: Protocol> Observation<P> {
    /// This turn's generator: ChaCha8 keyed by the seat's seed, its stream the number of turns played.
    pub fn rng(&self) -> Rng {
        Rng::new(&self.seat_seed, self.position.turns_played().into())
    }

    /// The bytes of this observation, as described in `sdk/ABI.md`.
    pub fn encode(&self) -> Vec<u8> {
        self.position.observation(self.seat, &self.seat_seed)
    }

    /// Parses an observation.
    ///
    /// # Errors
    /// When they are not an observation of this version and ruleset.
    pub fn decode(bytes: &[u8]) -> Result<Observation<P>, ObservationError> {
        P::observe(bytes)
    }
}

/// A bot's fuel under the rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// For each turn, at most.
    pub fuel_per_move: u64,
    /// For all turns of a game together; a seat whose bank is empty passes. `None` in games without a bank.
    pub fuel_per_game: Option<u64>,
}
