//! A game for any number of seats, one after the other: the largest sum of digits wins. A seat that is out is asked no
//! more, and the others go on.

use std::fmt;

use arena_record::Hex;
use arena_rooms::{Opened, Seated};
use arena_rules::{BySeat, Outcome, Reason, Ruleset, Seat, Seats, Seed};
use arena_wire::{ActionError, Allowance, Call, Input, Observation, ObservationError, Picture, Point, Protocol, Tool};

use crate::table::{easy, opened};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Toy {
    turns_left: u16,
    next: u8,
    sums: Vec<u32>,
    out: Vec<bool>,
}

pub(crate) struct ToyOptions {
    seats: u8,
    turns: u16,
}

/// The first event of a toy game of so many turns.
pub(crate) fn toy_opened(seats: &[Seated], turns: u16) -> Opened {
    Opened {
        ruleset: Toy::ID.into(),
        options: Toy::options_text(&ToyOptions { seats: seats.len() as u8, turns }),
        seats: seats.to_vec(),
        starts: vec![None; seats.len()],
        browsers: Vec::new(),
        table: None,
        seed: Hex([3; 32]),
        ..opened([easy(), easy()])
    }
}

impl Toy {
    /// The first seat that is not out, from the next one on.
    fn mover(&self) -> Option<Seat> {
        let seats = self.seats();
        let order = (0..seats).map(|step| (self.next + step) % seats);
        order.map(Seat).find(|seat| !self.out[seat.index()])
    }
}

/// A number above 9.
pub(crate) struct NoDigit;

impl fmt::Display for NoDigit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a digit is at most 9")
    }
}

arena_rules::phrases! {
    NoDigit {
        NoDigit => "no-digit"(),
    }
}

impl Ruleset for Toy {
    const ID: &'static str = "toy@1";

    type Options = ToyOptions;
    type Action = u8;
    type Checked = u8;
    type Refusal = NoDigit;

    fn start(options: &ToyOptions, _seed: &Seed) -> Toy {
        let seats = usize::from(options.seats);
        Toy { turns_left: options.turns, next: 0, sums: vec![0; seats], out: vec![false; seats] }
    }

    fn seats(&self) -> u8 {
        self.sums.len() as u8
    }

    fn awaiting(&self) -> Seats {
        self.mover().filter(|_| self.turns_left > 0).map_or(Seats::NONE, Seats::only)
    }

    fn check(&self, _seat: Seat, action: &u8) -> Result<u8, NoDigit> {
        if *action <= 9 { Ok(*action) } else { Err(NoDigit) }
    }

    fn advance(&mut self, turns: BySeat<Option<u8>>) {
        self.turns_left -= 1;
        let answer = turns.iter().find_map(|(seat, turn)| Some((seat, (*turn)?)));
        if let Some((seat, digit)) = answer {
            self.sums[seat.index()] += u32::from(digit);
            self.next = (seat.0 + 1) % self.seats();
        }
    }

    fn forfeit(&mut self, seat: Seat) {
        if self.outcome().is_none() {
            self.out[seat.index()] = true;
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let all_out = self.mover().is_none();
        if self.turns_left > 0 && !all_out {
            return None;
        }
        let tally = BySeat::new(self.seats(), |seat| if self.out[seat.index()] { 0 } else { self.sums[seat.index()] });
        let winner = tally.iter().filter(|(seat, _)| !self.out[seat.index()]).max_by_key(|(_, sum)| **sum);
        let reason = if all_out { Reason::Forfeit } else { Reason::Majority };
        let winner = winner.map(|(seat, _)| seat);
        Some(Outcome { winner, reason, tally })
    }
}

/// Its digit is the column of a cell.
const SAYS: Tool = Tool { name: "say", verb: "says", input: Input::Cell, spread: 0 };

impl Protocol for Toy {
    const TAG: u8 = 200;
    const TITLE: &'static str = "Toy";
    const RANKED: &'static str = "2,9";
    const CASUAL: &'static str = "2,9";
    const TURNS_MAX: u16 = 100;
    const TOOLS: &'static [Tool] = &[SAYS];
    const RULES: &'static [&'static str] = &["The larger sum wins."];
    const ALLOWANCE: Allowance = Allowance { fuel_per_move: 1, fuel_per_game: None };

    fn observation_len(&self) -> usize {
        2 + self.state().len()
    }

    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8> {
        [&[seat.0, seat_seed[0]], &self.state()[..]].concat()
    }

    /// Nobody in these tests reads them.
    fn observe(bytes: &[u8]) -> Result<Observation<Toy>, ObservationError> {
        Err(ObservationError::Length { expected: 0, got: bytes.len() })
    }

    fn turns_played(&self) -> u32 {
        self.next.into()
    }

    fn picture(&self) -> Picture {
        Picture { rows: 0, cols: 0, cells: Vec::new(), tally: BySeat::from(self.sums.clone()) }
    }

    fn describe(action: &u8) -> Vec<Call> {
        vec![Call::new(SAYS, [Point::new(0_u16, *action)])]
    }

    fn compose(calls: &[Call]) -> Option<u8> {
        let [Call { tool: SAYS, cells }] = calls else { return None };
        let [Point { row: 0, col }] = cells[..] else { return None };
        col.try_into().ok()
    }

    fn choices(&self, _seat: Seat, calls: &[Call]) -> Vec<Point> {
        let chosen = calls.iter().any(|call| !call.cells.is_empty());
        if chosen { Vec::new() } else { (0..=9_u16).map(|digit| Point::new(0_u16, digit)).collect() }
    }

    fn pass() -> Option<u8> {
        Some(0)
    }

    /// The first byte; the others are padding, so that actions can have any length.
    fn decode_action(bytes: &[u8]) -> Result<u8, ActionError> {
        bytes.first().copied().ok_or(ActionError::Short { least: 1, got: 0 })
    }

    fn encode_action(action: &u8) -> Vec<u8> {
        vec![*action]
    }

    fn state(&self) -> Vec<u8> {
        let mut bytes = self.turns_left.to_le_bytes().to_vec();
        bytes.push(self.next);
        bytes.extend(self.sums.iter().flat_map(|sum| sum.to_le_bytes()));
        bytes.extend(self.out.iter().map(|out| u8::from(*out)));
        bytes
    }

    fn may_count(_options: &ToyOptions) -> bool {
        true
    }

    fn starts_from_seed(_options: &ToyOptions) -> bool {
        false
    }

    fn options_help() -> String {
        "write SEATS,TURNS".into()
    }

    fn options_text(options: &ToyOptions) -> String {
        format!("{},{}", options.seats, options.turns)
    }

    fn parse_options(text: &str) -> Option<ToyOptions> {
        let (seats, turns) = text.split_once(',')?;
        Some(ToyOptions { seats: seats.parse().ok()?, turns: turns.parse().ok()? })
    }
}
