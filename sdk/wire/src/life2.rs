//! Life2 in bytes: windows of a world's life. It uses [wide] frames.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use arena_rules::life2::{
    Action, BASE_AT, Base, Bases, CELLS_A_TURN, COINS_AT_START_MAX, Cell, Census, GENERATIONS, GENERATIONS_A_TURN,
    Ground, Kingdom, Length, Options, Position, SEATS_MAX, SEATS_MIN, SHORT_GENERATIONS, SLOTS, Side, Slot, Target,
    VIEW_SIDE, VIEW_SIDE_MIN, View, WindowSetup,
};
use arena_rules::{Phrase, Ruleset, Seat, Seed};

use crate::wide::{self, Header, Window};
use crate::{ActionError, Allowance, Call, Input, ObservationError, Picture, Point, Protocol, Tool};

/// Bytes of a seat in the table: base row and column, its coins, coins in the wallet, living cells, ground.
const ENTRY_LEN: usize = 20;
/// The offset of the cells: after the table of nine seats.
const CELLS_AT: usize = Header::LEN + ENTRY_LEN * SEATS_MAX as usize;
/// Length of every observation.
pub const OBSERVATION_LEN: usize = CELLS_AT + VIEW_SIDE as usize * VIEW_SIDE as usize;

/// Bits of a cell with the ground's owner: 1 + seat, or 0 for nobody.
const OWNER: u8 = 0x0f;
/// The bit of a cell that lives.
const LIVES: u8 = 0x10;

const PASS: u8 = 0;
const PLACE: u8 = 1;
/// The first cell is the centre of a view, the second the view's rows and columns; then come cells to place, if any.
const LOOK: u8 = 2;

const PLACES: Tool =
    Tool { name: "place", verb: "places", input: Input::Cells { most: CELLS_A_TURN as u16 }, spread: 0 };
const PASSES: Tool = Tool { name: "pass", verb: "passes", input: Input::Nothing, spread: 0 };

const SEATS_ARE: &str = "seats=";
const COINS_ARE: &str = ",coins=";
const FIXED_BASES: &str = ",bases=fixed";
const SHORT: &str = ",generations=600";

/// Bytes of the ground in a world's state: one bit for each cell's life, and four for its owner.
const GROUND_LEN: usize = 512 * 512 / 8 * 5;

/// Rows and columns of a picture, and of the block of cells behind each of its cells.
const PICTURE_SIDE: u16 = 64;
const BLOCK_SIDE: u16 = 512 / PICTURE_SIDE;

/// A bot's observation at its turn: the ground around its base, and counts of all kingdoms. It shows neither which seats have
/// forfeited nor since when a kingdom has had no living cells.
pub type Observation = crate::Observation<Position>;

impl Protocol for Position {
    const TAG: u8 = 4;
    const TITLE: &'static str = "Life2";
    // As many seats as the game has built-in opponents: with fewer bots than seats there is no game. Definitions can ask for nine.
    const RANKED: &'static str = "seats=3,coins=1000";
    const CASUAL: &'static str = "seats=2,coins=1000,bases=fixed";
    const TURNS_MAX: u16 = GENERATIONS / GENERATIONS_A_TURN;
    const CELLS_A_TURN: u64 = 512 * 512 * GENERATIONS_A_TURN as u64;
    const CAGES: bool = false;
    const PICTURE_BLOCK: u16 = BLOCK_SIDE;
    const WIDE: bool = true;
    const ANCHOR: &'static [&'static str] = &["expander@1", "besieger@1"];
    const TOOLS: &'static [Tool] = &[PLACES, PASSES];
    const RULES: &'static [&'static str] = &[
        "Two to nine kingdoms on a board of 512 by 512 cells without edges. Each begins with a base of eight by eight cells, whose \
         inside is its ground, and with coins. In every turn a kingdom may make up to 60 cells of its own ground live, for a coin \
         each, which goes into its base. Then the world goes on for 30 generations of Conway’s rules.",
        "Ground on which a cell is born goes to the kingdom that most of the cell’s three neighbours belong to, and stays with \
         it when the cell dies. Ground that an enemy cuts off from its base turns neutral, and its cells die.",
        "No enemy is ever born in a base. Each birth that it refuses costs it a coin, which the attacker gets. A base without \
         coins falls: its kingdom is out, and its ground is nobody’s.",
        "Every 3000 generations, twice in a game, everything that lives in one of the sixteen quadrants dies: first in the upper \
         left one, then in the one to its right. Ground stays. Nobody falls for having no living cell.",
        "After 6000 generations the kingdom with the most ground wins; with equal ground, the one with more living cells.",
    ];
    // Two hundred turns: a game gets about as much fuel as one of Conquerors, within a small factor.
    const ALLOWANCE: Allowance = Allowance { fuel_per_move: 10_000_000, fuel_per_game: None };

    fn observation_len(&self) -> usize {
        OBSERVATION_LEN
    }

    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8> {
        let view = self.sees(seat);
        let View { corner, rows, cols } = view;
        let window = Window { top: corner.y, left: corner.x, rows, cols };
        let header = Header { seat, own: self.seats(), turns: self.turns(), window, seat_seed: *seat_seed };
        let mut bytes = header.encode(Position::TAG);
        let census = self.census();
        for number in 0..SEATS_MAX {
            if number >= self.seats() {
                bytes.extend([0; ENTRY_LEN]);
                continue;
            }
            let kingdom = self.kingdom(Seat(number));
            let (row, col, coins) = kingdom.map_or((0, 0, 0), |Kingdom { base, coins, .. }| (base.y, base.x, *coins));
            let Census { cells, ground } = census[usize::from(number) + 1];
            bytes.extend([row, col].into_iter().flat_map(u16::to_le_bytes));
            let numbers = [four_bytes(coins), four_bytes(self.coins(Seat(number))), cells, ground];
            bytes.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        }
        let ground = self.world().ground();
        bytes.extend(view.cells().map(|cell| {
            let lives = if ground.is_alive(cell) { LIVES } else { 0 };
            ground.owner(cell).map_or(0, Slot::number) | lives
        }));
        // A smaller view leaves the rest empty: all observations have the length announced to the bot at its start.
        bytes.resize(OBSERVATION_LEN, 0);
        bytes
    }

    fn observe(bytes: &[u8]) -> Result<Observation, ObservationError> {
        let wrong = ObservationError::Byte;
        let expect = |at: usize, good: bool| if good { Ok(()) } else { Err(wrong(at)) };
        if bytes.len() != OBSERVATION_LEN {
            return Err(ObservationError::Length { expected: OBSERVATION_LEN, got: bytes.len() });
        }
        let Header { seat, own: seats, turns, window, seat_seed } = Header::decode(Position::TAG, bytes)?;
        expect(3, (SEATS_MIN..=SEATS_MAX).contains(&seats))?;
        expect(2, seat.0 < seats)?;
        expect(4, turns <= Position::TURNS_MAX)?;
        let Window { top, left, rows, cols } = window;
        expect(6, top < Side::WORLD.length() && left < Side::WORLD.length())?;
        let sides = VIEW_SIDE_MIN..=VIEW_SIDE;
        expect(10, sides.contains(&rows) && sides.contains(&cols))?;
        let view = View { corner: Cell { x: left, y: top }, rows, cols };
        let end = CELLS_AT + window.area();
        (end..OBSERVATION_LEN).try_for_each(|at| expect(at, bytes[at] == 0))?;
        let mut ground = Ground::empty(Side::WORLD);
        let mut seen = [Census::default(); SLOTS + 1];
        for ((at, byte), cell) in bytes.iter().enumerate().skip(CELLS_AT).zip(view.cells()) {
            if *byte != 0 {
                expect(at, *byte & !(OWNER | LIVES) == 0 && *byte & OWNER <= seats)?;
                ground.set_owner(cell, Slot::new(*byte & OWNER));
                ground.set_alive(cell, *byte & LIVES != 0);
            }
            let count = &mut seen[usize::from(*byte & OWNER)];
            count.ground += 1;
            count.cells += u32::from(*byte & LIVES != 0);
        }
        let (mut bases, mut wallets) = (Vec::new(), Vec::new());
        let mut beyond = [Census::default(); SLOTS + 1];
        for (number, entry) in bytes[Header::LEN..CELLS_AT].chunks_exact(ENTRY_LEN).enumerate() {
            let at = Header::LEN + ENTRY_LEN * number;
            if number >= usize::from(seats) {
                (0..ENTRY_LEN).try_for_each(|offset| expect(at + offset, entry[offset] == 0))?;
                continue;
            }
            let two = |offset: usize| u16::from_le_bytes([entry[offset], entry[offset + 1]]);
            let four = |offset: usize| u32::from_le_bytes(core::array::from_fn(|byte| entry[offset + byte]));
            let (base, coins, slot) = (Base { x: two(2), y: two(0) }, four(4), number + 1);
            expect(at, coins > 0 || (base.x, base.y) == (0, 0))?;
            bases.push((coins > 0).then_some((base, coins.into())));
            wallets.push(four(8).into());
            // The inside of a base belongs to its kingdom, whether visible or not.
            for cell in (coins > 0).then(|| base.interior(Side::WORLD)).into_iter().flatten() {
                if !view.sees(cell) {
                    ground.set_owner(cell, Slot::new(slot as u8));
                    seen[slot].ground += 1;
                }
            }
            let rest = |all: u32, seen: u32| all.checked_sub(seen).ok_or(wrong(at + 12));
            beyond[slot] =
                Census { cells: rest(four(12), seen[slot].cells)?, ground: rest(four(16), seen[slot].ground)? };
        }
        let setup = WindowSetup { seats, turns, ground, bases, wallets, beyond };
        let position = setup.position().map_err(|error| ObservationError::Position(error.to_string()))?;
        let position = if position.sees(seat) == view { position } else { position.looking(view) };
        Ok(Observation { position, seat, seat_seed })
    }

    fn turns_played(&self) -> u32 {
        self.turns().into()
    }

    /// A board of 512 x 512 cells is too large to look at, so a picture's cell is a block of eight by eight, and its owner the one
    /// with most of the block's ground.
    fn picture(&self) -> Picture {
        let side = usize::from(PICTURE_SIDE);
        let mut counts = vec![[0_u8; SLOTS]; side * side];
        let ground = self.world().ground();
        for slot in Slot::all().take(self.seats().into()) {
            for cell in ground.of(slot) {
                let block = usize::from(cell.y / BLOCK_SIDE) * side + usize::from(cell.x / BLOCK_SIDE);
                counts[block][slot.index()] += 1;
            }
        }
        let owner = |counts: [u8; SLOTS]| {
            let most = counts.into_iter().max().filter(|most| *most > 0)?;
            (1..).zip(counts).find(|(_, count)| *count == most).map(|(owner, _)| owner)
        };
        let cells = counts.into_iter().map(|counts| owner(counts).unwrap_or(0)).collect();
        Picture { rows: PICTURE_SIDE, cols: PICTURE_SIDE, cells, tally: self.tally() }
    }

    fn clock(&self) -> Option<Phrase> {
        Some(Phrase::new(
            "generation",
            &[("generation", self.world().generation()), ("generations", GENERATIONS.into())],
        ))
    }

    fn limit(&self, seat: Seat, tool: &Tool) -> Option<Phrase> {
        (*tool == PLACES).then(|| Phrase::new("coins-left", &[("coins", self.coins(seat))]))
    }

    fn decode_action(bytes: &[u8]) -> Result<Action, ActionError> {
        let action = wide::Action::decode(bytes)?;
        let wrong = |kind| Err(ActionError::Cells { kind, cells: action.cells().len() as u16 });
        match (action.kind, action.cells()) {
            (PASS, []) => Ok(Action::Pass),
            (PASS, _) => wrong("pass"),
            (PLACE, []) => wrong("placement"),
            (PLACE, cells) => Ok(Action::Place(cells.iter().map(target).collect())),
            (LOOK, [centre, size, cells @ ..]) => {
                let view = View::around(target(centre), size.row, size.col).ok_or(ActionError::Kind(LOOK))?;
                Ok(Action::Look(view, cells.iter().map(target).collect()))
            }
            (kind, _) => Err(ActionError::Kind(kind)),
        }
    }

    fn encode_action(action: &Action) -> Vec<u8> {
        let (kind, cells) = match action {
            Action::Pass => (PASS, Vec::new()),
            Action::Place(cells) => (PLACE, cells.iter().map(point).collect()),
            Action::Look(view, cells) => {
                let looks = [point(&view.centre()), Point { row: view.rows, col: view.cols }];
                (LOOK, looks.into_iter().chain(cells.iter().map(point)).collect())
            }
        };
        // No player's action has more cells than two bytes can count, so nothing is encoded.
        wide::Action::new(kind, cells).map_or_else(Vec::new, |action| action.encode())
    }

    fn describe(action: &Action) -> Vec<Call> {
        Vec::from([match action {
            Action::Place(cells) | Action::Look(_, cells) if !cells.is_empty() => {
                Call::new(PLACES, cells.iter().map(point))
            }
            Action::Pass | Action::Place(_) | Action::Look(..) => Call::new(PASSES, [] as [Point; 0]),
        }])
    }

    fn compose(calls: &[Call]) -> Option<Action> {
        let [Call { tool, cells }] = calls else { return None };
        match (*tool, &cells[..]) {
            (PASSES, []) => Some(Action::Pass),
            (PLACES, [_, ..]) if cells.len() <= wide::CELLS_MAX => {
                Some(Action::Place(cells.iter().map(target).collect()))
            }
            _ => None,
        }
    }

    fn choices(&self, seat: Seat, calls: &[Call]) -> Vec<Point> {
        let [Call { tool: PLACES, cells }] = calls else { return Vec::new() };
        let most = self.coins(seat).min(CELLS_A_TURN as u64);
        let Some(slot) = Slot::new(seat.0.saturating_add(1)).filter(|_| self.awaiting().contains(seat)) else {
            return Vec::new();
        };
        if cells.len() as u64 >= most {
            return Vec::new();
        }
        let ground = self.world().ground().of(slot).map(Target::from);
        let open = ground.filter(|cell| !cells.contains(&point(cell)) && self.may_place(seat, *cell).is_ok());
        open.map(|cell| point(&cell)).collect()
    }

    fn pass() -> Option<Action> {
        Some(Action::Pass)
    }

    /// Without the outcome, which follows from the rest.
    fn state(&self) -> Vec<u8> {
        let mut bytes = Vec::from([self.seats()]);
        bytes.extend((0..SEATS_MAX).map(|seat| u8::from(self.forfeited().contains(Seat(seat)))));
        for Census { cells, ground } in self.beyond() {
            bytes.extend([cells, ground].into_iter().flat_map(|count| count.to_le_bytes()));
        }
        // Most of a world is empty, so only the words of its ground that are not zero are written, with their places.
        let world = self.world().state();
        let (numbers, ground) = world.split_at(world.len() - GROUND_LEN);
        bytes.extend(numbers);
        for (place, word) in
            (0_u16..).zip(ground.chunks_exact(8)).filter(|(_, word)| word.iter().any(|byte| *byte != 0))
        {
            bytes.extend(place.to_le_bytes());
            bytes.extend(word);
        }
        bytes
    }

    /// Short games are for samples.
    fn may_count(options: &Options) -> bool {
        options.length == Length::Full
    }

    fn duel(options: &Options) -> Option<Options> {
        (options.seats > 2).then_some(Options { seats: 2, ..*options })
    }

    fn starts_from_seed(options: &Options) -> bool {
        options.bases == Bases::Shuffled
    }

    fn options_help() -> String {
        format!(
            "write `{SEATS_ARE}N{COINS_ARE}M` with N from {SEATS_MIN} to {SEATS_MAX} and M from 1 to {COINS_AT_START_MAX}, \
             `{FIXED_BASES}` after it if the game's seed is not to shuffle the bases, and `{SHORT}` last for a short game, which \
             counts for no standings"
        )
    }

    fn options_text(options: &Options) -> String {
        let Options { seats, coins, bases, length } = options;
        let bases = if *bases == Bases::Fixed { FIXED_BASES } else { "" };
        let length = if *length == Length::Short { SHORT } else { "" };
        format!("{SEATS_ARE}{seats}{COINS_ARE}{coins}{bases}{length}")
    }

    fn parse_options(text: &str) -> Option<Options> {
        let (seats, rest) = text.strip_prefix(SEATS_ARE)?.split_once(COINS_ARE)?;
        let (rest, length) = match rest.strip_suffix(SHORT) {
            Some(rest) => (rest, Length::Short),
            None => (rest, Length::Full),
        };
        let (coins, bases) = match rest.strip_suffix(FIXED_BASES) {
            Some(rest) => (rest, Bases::Fixed),
            None => (rest, Bases::Shuffled),
        };
        let options = Options { seats: seats.parse().ok()?, coins: coins.parse().ok()?, bases, length };
        let fits =
            (SEATS_MIN..=SEATS_MAX).contains(&options.seats) && (1..=COINS_AT_START_MAX).contains(&options.coins);
        (fits && Position::options_text(&options) == text).then_some(options)
    }
}

const _: () = assert!(GENERATIONS_A_TURN * Position::TURNS_MAX == GENERATIONS && SHORT_GENERATIONS == 600);
const _: () = assert!(BASE_AT < VIEW_SIDE);

fn point(cell: &Target) -> Point {
    Point { row: cell.row, col: cell.col }
}

fn target(cell: &Point) -> Target {
    Target { row: cell.row, col: cell.col }
}

/// A number of coins in four bytes; in a window it is always far smaller.
fn four_bytes(coins: u64) -> u32 {
    u32::try_from(coins).unwrap_or(u32::MAX)
}
