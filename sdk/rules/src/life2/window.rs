//! A window of a world's life, which is a tournament's game. Every seat has a kingdom and its coins from the start; nobody joins or
//! uses the faucet. After the last generation the seat with most ground wins.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use crate::{BySeat, Outcome, Reason, Rng, Ruleset, Seat, Seats, Seed};

use super::calls::Word;
use super::{
    Account, BASE_COST, BASE_SIDE, Base, Call, Cell, Census, Ground, Kingdom, QUADRANTS_A_SIDE, Rates, SLOTS, Setup,
    SetupError, Side, Slot, World,
};

/// Generations of a full window.
pub const GENERATIONS: u16 = 6_000;
/// Generations of a short window, for samples.
pub const SHORT_GENERATIONS: u16 = 600;
/// Generations after each turn: three seconds of a world.
pub const GENERATIONS_A_TURN: u16 = 30;
/// The most cells of a turn. Even if nine seats place as many in every turn, the game fits into the largest record.
pub const CELLS_A_TURN: usize = 60;
/// The fewest seats.
pub const SEATS_MIN: u8 = 2;
/// The most seats: as many as a world has slots.
pub const SEATS_MAX: u8 = SLOTS as u8;
/// The most coins that a seat starts with: more could not be spent.
pub const COINS_AT_START_MAX: u32 = GENERATIONS as u32 / GENERATIONS_A_TURN as u32 * CELLS_A_TURN as u32;
/// Rows and columns of a seat's view, with its base in the middle.
pub const VIEW_SIDE: u16 = 64;
/// The fewest rows, and columns, of a view chosen by a bot in a world.
pub const VIEW_SIDE_MIN: u16 = 8;
/// Rows above and columns left of the base in the view.
pub const BASE_AT: u16 = (VIEW_SIDE - BASE_SIDE) / 2;

/// The generator's stream for quadrants.
const STREAM: u64 = u64::from_le_bytes(*b"life2qd1");
/// Quadrants of a world.
const QUADRANTS: usize = QUADRANTS_A_SIDE as usize * QUADRANTS_A_SIDE as usize;

/// The options of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many seats, from [`SEATS_MIN`] to [`SEATS_MAX`].
    pub seats: u8,
    /// Coins in each seat's wallet at the start, from 1 to [`COINS_AT_START_MAX`]; the base has its own besides.
    pub coins: u32,
    /// Which seat gets which quadrant.
    pub bases: Bases,
    /// How long the game is.
    pub length: Length,
}

/// Which seat gets which quadrant. A base is in the middle of its quadrant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bases {
    /// Drawn from the game's seed.
    Shuffled,
    /// The seats in order, row by row. The seed is not used.
    Fixed,
}

/// The number of generations of a game. A short game is the last part of a full one: generations are counted as if the earlier ones
/// had passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// [`GENERATIONS`].
    Full,
    /// [`SHORT_GENERATIONS`]; it counts for no standings.
    Short,
}

impl Default for Options {
    /// Nine seats in shuffled quadrants, with a thousand coins each.
    fn default() -> Options {
        Options { seats: SEATS_MAX, coins: 1_000, bases: Bases::Shuffled, length: Length::Full }
    }
}

impl Options {
    /// The bases of the seats.
    fn bases(&self, seed: &Seed) -> Vec<Base> {
        let mut quadrants: [u16; QUADRANTS] = core::array::from_fn(|quadrant| quadrant as u16);
        if self.bases == Bases::Shuffled {
            Rng::new(seed, STREAM).shuffle(&mut quadrants);
        }
        let length = Side::WORLD.length() / QUADRANTS_A_SIDE;
        let middle = (length - BASE_SIDE) / 2;
        let base = |quadrant: u16| Base {
            x: quadrant % QUADRANTS_A_SIDE * length + middle,
            y: quadrant / QUADRANTS_A_SIDE * length + middle,
        };
        quadrants.into_iter().take(self.seats.clamp(SEATS_MIN, SEATS_MAX).into()).map(base).collect()
    }
}

/// A cell named by a player, not yet known to be on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Target {
    /// Row from the top, from 0.
    pub row: u16,
    /// Column from the left, from 0.
    pub col: u16,
}

impl Target {
    fn word(self) -> Word {
        (self.col.into(), self.row.into())
    }
}

impl From<Cell> for Target {
    fn from(cell: Cell) -> Target {
        Target { row: cell.y, col: cell.x }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.row, self.col)
    }
}

/// A rectangle of the world, which may extend across its edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Its top left cell.
    pub corner: Cell,
    /// Its rows, from [`VIEW_SIDE_MIN`] to [`VIEW_SIDE`].
    pub rows: u16,
    /// Its columns, from [`VIEW_SIDE_MIN`] to [`VIEW_SIDE`].
    pub cols: u16,
}

impl View {
    /// A view of this size around a cell, which is at half the rows and columns, rounded down, counted from 0. `None` if the cell is not
    /// in the world, or the view is too small or too large.
    pub fn around(centre: Target, rows: u16, cols: u16) -> Option<View> {
        let length = Side::WORLD.length();
        let sides = VIEW_SIDE_MIN..=VIEW_SIDE;
        let fits = centre.row < length && centre.col < length && sides.contains(&rows) && sides.contains(&cols);
        let before = |at: u16, half: u16| (at + length - half) % length;
        fits.then(|| View {
            corner: Cell { x: before(centre.col, cols / 2), y: before(centre.row, rows / 2) },
            rows,
            cols,
        })
    }

    /// The cell from which [`View::around`] makes this view.
    pub fn centre(&self) -> Target {
        let after = |at: u16, half: u16| (at + half) % Side::WORLD.length();
        Target { row: after(self.corner.y, self.rows / 2), col: after(self.corner.x, self.cols / 2) }
    }

    /// Its cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let mask = Side::WORLD.length() - 1;
        let View { corner, rows, cols } = self;
        (0..rows).flat_map(move |down| {
            (0..cols).map(move |right| Cell { x: (corner.x + right) & mask, y: (corner.y + down) & mask })
        })
    }

    /// Whether a cell is in it.
    pub fn sees(&self, cell: Cell) -> bool {
        let within = |at: u16, from: u16| at.wrapping_sub(from) & (Side::WORLD.length() - 1);
        within(cell.x, self.corner.x) < self.cols && within(cell.y, self.corner.y) < self.rows
    }
}

/// What a seat submits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing.
    Pass,
    /// Bring cells on own ground to life, for a coin each.
    Place(Vec<Target>),
    /// The same, or nothing if no cell is named; in a world that never ends, also chooses the view from then on. In a game the view
    /// does not change.
    Look(View, Vec<Target>),
}

/// A checked action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Nothing.
    Pass,
    /// Cells that the seat may place and can pay for.
    Place(Vec<Target>),
}

/// Why an action is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnRefusal {
    /// The game is over.
    GameOver,
    /// The seat's kingdom has fallen, or the seat has dropped out or does not exist.
    NotAwaited,
    /// There are more than [`CELLS_A_TURN`] cells; with their number.
    TooManyCells(usize),
    /// A cell is named twice.
    Twice(Target),
    /// There are more cells than coins; with both numbers.
    Coins(usize, u64),
    /// The rules of the world refuse a cell; with the reason.
    Cell(Target, super::Refusal),
}

impl fmt::Display for TurnRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnRefusal::GameOver => write!(f, "the game is over"),
            TurnRefusal::NotAwaited => write!(f, "this seat's kingdom has fallen, or the seat is out"),
            TurnRefusal::TooManyCells(cells) => write!(f, "a turn places at most {CELLS_A_TURN} cells, not {cells}"),
            TurnRefusal::Twice(cell) => write!(f, "{cell} is named twice"),
            TurnRefusal::Coins(cells, coins) => write!(f, "{cells} cells cost as many coins; the wallet has {coins}"),
            TurnRefusal::Cell(cell, why) => write!(f, "{cell}: {why}"),
        }
    }
}

impl core::error::Error for TurnRefusal {}

crate::phrases! {
    TurnRefusal {
        TurnRefusal::GameOver => "game-over"(),
        TurnRefusal::NotAwaited => "kingdom-is-out"(),
        TurnRefusal::TooManyCells(cells) => "too-many-named"(most = CELLS_A_TURN as u64, named = *cells as u64),
        TurnRefusal::Twice(cell) => "named-twice"(row = cell.row, col = cell.col),
        TurnRefusal::Coins(cells, coins) => "too-few-coins"(cells = *cells as u64, coins = *coins),
        TurnRefusal::Cell(cell, why) => "at-cell"(row = cell.row, col = cell.col) + why,
    }
}

/// What is known of a window between two turns, not yet validated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WindowSetup {
    /// How many seats there are.
    pub seats: u8,
    /// Turns since the start of a game of full length.
    pub turns: u16,
    /// Living cells and owners of the ground, as far as known.
    pub ground: Ground,
    /// Each seat's base and its coins; `None` for kingdoms that have fallen.
    pub bases: Vec<Option<(Base, u64)>>,
    /// Coins in the wallets, by seat.
    pub wallets: Vec<u64>,
    /// Counts for ground that is not known: neutral first, then by seat.
    pub beyond: [Census; SLOTS + 1],
}

impl WindowSetup {
    /// The position described.
    ///
    /// # Errors
    /// The first reason why its world is invalid.
    pub fn position(self) -> Result<Position, SetupError> {
        let WindowSetup { seats, turns, ground, bases, wallets, beyond } = self;
        let mut kingdoms = [None; SLOTS];
        let living = ground.living_owners();
        for (number, base) in bases.into_iter().take(seats.into()).enumerate() {
            let lives = living >> (number + 1) & 1 == 1;
            kingdoms[number] = base.map(|(base, coins)| Kingdom {
                account: Account(number as u64),
                base,
                coins,
                lives,
                idle_since: None,
            });
        }
        let wallets: BTreeMap<_, _> = (0..).map(Account).zip(wallets).take(seats.into()).collect();
        let generation = u64::from(turns) * u64::from(GENERATIONS_A_TURN);
        let world = Setup { rates: Rates::FOUNDING, generation, ground, kingdoms, wallets }.world()?;
        Ok(Position { seats, forfeited: Seats::NONE, world, beyond, looks: None })
    }
}

/// A game between two turns, or its end.
///
/// A bot sees only a part of the world and gets counts for the rest. In a bot's position the only other ground is the inside of
/// bases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    seats: u8,
    forfeited: Seats,
    world: World,
    beyond: [Census; SLOTS + 1],
    /// The view that a bot in a world has chosen; `None` in a game.
    looks: Option<View>,
}

impl Position {
    /// The position of a world for its kingdoms' bots: a game of nine seats, which are the slots in order; free slots count as fallen
    /// kingdoms. Turns are counted from the last wipe, so the next wipe comes when the position says, though its quadrant may differ.
    /// `None` for a world of another size.
    pub fn of_world(world: &World) -> Option<Position> {
        if world.ground().side() != Side::WORLD {
            return None;
        }
        let wallet = |kingdom: Option<&Kingdom>| kingdom.map_or(0, |kingdom| world.balance(kingdom.account));
        let since_wipe = world.generation() % u64::from(Rates::FOUNDING.wipe);
        let setup = WindowSetup {
            seats: SEATS_MAX,
            turns: (since_wipe / u64::from(GENERATIONS_A_TURN)) as u16,
            ground: world.ground().clone(),
            bases: Slot::all().map(|slot| world.kingdom(slot).map(|kingdom| (kingdom.base, kingdom.coins))).collect(),
            wallets: Slot::all().map(|slot| wallet(world.kingdom(slot))).collect(),
            beyond: [Census::default(); SLOTS + 1],
        };
        // A world that was changed only by calls and generations always makes a valid setup.
        setup.position().ok()
    }

    /// The same position with another view.
    pub fn looking(self, view: View) -> Position {
        Position { looks: Some(view), ..self }
    }

    /// The world, as far as known.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The kingdom of a seat, while it stands.
    pub fn kingdom(&self, seat: Seat) -> Option<&Kingdom> {
        slot_of(seat).and_then(|slot| self.world.kingdom(slot))
    }

    /// Coins in a seat's wallet.
    pub fn coins(&self, seat: Seat) -> u64 {
        self.world.balance(Account(seat.0.into()))
    }

    /// Turns since the start of a game of full length.
    pub fn turns(&self) -> u16 {
        (self.world.generation() / u64::from(GENERATIONS_A_TURN)) as u16
    }

    /// The seats that have dropped out.
    pub fn forfeited(&self) -> Seats {
        self.forfeited
    }

    /// Living cells and ground: neutral first, then by seat. Includes what lies beyond the known ground.
    pub fn census(&self) -> [Census; SLOTS + 1] {
        let mut census = self.world.ground().census();
        for (count, beyond) in census.iter_mut().zip(&self.beyond) {
            count.cells += beyond.cells;
            count.ground += beyond.ground;
        }
        census
    }

    /// The counts of what is not in [`Position::world`]; all zero in the position of a game itself.
    pub fn beyond(&self) -> &[Census; SLOTS + 1] {
        &self.beyond
    }

    /// The top left cell of a seat's view; the world's first cell if its kingdom has fallen.
    pub fn view(&self, seat: Seat) -> Cell {
        self.sees(seat).corner
    }

    /// A seat's view: the cells around its base, unless it is a bot in a world that has chosen another.
    pub fn sees(&self, seat: Seat) -> View {
        let length = Side::WORLD.length();
        let before = |at: u16| (at + length - BASE_AT) % length;
        let corner = self
            .kingdom(seat)
            .map_or(Cell { x: 0, y: 0 }, |Kingdom { base, .. }| Cell { x: before(base.x), y: before(base.y) });
        self.looks.unwrap_or(View { corner, rows: VIEW_SIDE, cols: VIEW_SIDE })
    }

    /// Ground by seat; 0 for kingdoms that have fallen and seats that have dropped out.
    pub fn tally(&self) -> BySeat<u32> {
        self.counts(|census| census.ground)
    }

    /// Whether a seat may place a living cell here.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn may_place(&self, seat: Seat, cell: Target) -> Result<(), super::Refusal> {
        let slot = slot_of(seat).filter(|slot| self.world.kingdom(*slot).is_some());
        self.world.placeable(slot.ok_or(super::Refusal::NotInGame)?, cell.word()).map(|_| ())
    }

    fn counts(&self, of: impl Fn(&Census) -> u32) -> BySeat<u32> {
        let census = self.census();
        let playing = self.contenders();
        BySeat::new(self.seats, |seat| if playing.contains(seat) { of(&census[seat.index() + 1]) } else { 0 })
    }

    /// The seats with standing kingdoms.
    fn standing(&self) -> Seats {
        (0..self.seats).map(Seat).filter(|seat| self.kingdom(*seat).is_some()).collect()
    }

    /// The seats with standing kingdoms that have not dropped out.
    fn contenders(&self) -> Seats {
        self.standing().iter().filter(|seat| !self.forfeited.contains(*seat)).collect()
    }

    /// The rule that has ended the game.
    fn ended(&self) -> Option<Reason> {
        match self.standing().iter().count() {
            0 => Some(Reason::MutualExtinction),
            1 => Some(Reason::Extinction),
            _ if self.world.generation() >= GENERATIONS.into() => Some(Reason::Majority),
            _ if self.contenders().iter().nth(1).is_none() => Some(Reason::Forfeit),
            _ => None,
        }
    }
}

/// The slot of a seat: slots are assigned in order.
fn slot_of(seat: Seat) -> Option<Slot> {
    Slot::new(seat.0.checked_add(1)?)
}

impl Ruleset for Position {
    const ID: &'static str = "life2@2";

    type Options = Options;
    type Action = Action;
    type Checked = Turn;
    type Refusal = TurnRefusal;

    fn start(options: &Options, seed: &Seed) -> Position {
        let bases = options.bases(seed);
        let mut ground = Ground::empty(Side::WORLD);
        for (slot, base) in Slot::all().zip(&bases) {
            base.interior(Side::WORLD).for_each(|cell| ground.set_owner(cell, Some(slot)));
        }
        let seats = bases.len() as u8;
        let generations = match options.length {
            Length::Full => GENERATIONS,
            Length::Short => SHORT_GENERATIONS,
        };
        let setup = WindowSetup {
            seats,
            turns: (GENERATIONS - generations) / GENERATIONS_A_TURN,
            ground,
            bases: bases.into_iter().map(|base| Some((base, BASE_COST))).collect(),
            wallets: (0..seats).map(|_| options.coins.into()).collect(),
            beyond: [Census::default(); SLOTS + 1],
        };
        // Bases of different quadrants do not overlap.
        setup.position().unwrap_or_else(|_| Position {
            seats,
            forfeited: Seats::NONE,
            world: World::new(Side::WORLD, Rates::FOUNDING),
            beyond: [Census::default(); SLOTS + 1],
            looks: None,
        })
    }

    fn seats(&self) -> u8 {
        self.seats
    }

    fn awaiting(&self) -> Seats {
        if self.ended().is_some() { Seats::NONE } else { self.contenders() }
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<Turn, TurnRefusal> {
        if self.ended().is_some() {
            return Err(TurnRefusal::GameOver);
        }
        if !self.contenders().contains(seat) {
            return Err(TurnRefusal::NotAwaited);
        }
        let cells = match action {
            Action::Place(cells) => cells,
            Action::Look(_, cells) if !cells.is_empty() => cells,
            Action::Pass | Action::Look(..) => return Ok(Turn::Pass),
        };
        if cells.len() > CELLS_A_TURN {
            return Err(TurnRefusal::TooManyCells(cells.len()));
        }
        if self.coins(seat) < cells.len() as u64 {
            return Err(TurnRefusal::Coins(cells.len(), self.coins(seat)));
        }
        for (at, cell) in cells.iter().enumerate() {
            if cells[..at].contains(cell) {
                return Err(TurnRefusal::Twice(*cell));
            }
            self.may_place(seat, *cell).map_err(|why| TurnRefusal::Cell(*cell, why))?;
        }
        Ok(Turn::Place(cells.clone()))
    }

    /// All cells are placed, then the generations follow. Seats cannot conflict, because each places on its own ground.
    fn advance(&mut self, turns: BySeat<Option<Turn>>) {
        let awaited = self.awaiting();
        if awaited.is_empty() {
            return;
        }
        for (seat, turn) in turns.iter().filter(|(seat, _)| awaited.contains(*seat)) {
            if let Some(Turn::Place(cells)) = turn {
                let cells = Call::Place(cells.iter().map(|cell| cell.word()).collect());
                // Accepted, because it was checked in this position.
                let _ = self.world.call(Account(seat.0.into()), &cells);
            }
        }
        (0..GENERATIONS_A_TURN).for_each(|_| drop(self.world.step()));
    }

    /// With two seats the opponent wins. With more the seat passes from then on, its kingdom stays, and its tally is 0.
    fn forfeit(&mut self, seat: Seat) {
        if self.ended().is_none() && seat.0 < self.seats {
            self.forfeited = self.forfeited.with(seat);
        }
    }

    /// The seat with most ground wins; among equals, the one with most living cells.
    fn outcome(&self) -> Option<Outcome> {
        let reason = self.ended()?;
        let (tally, cells) = (self.tally(), self.counts(|census| census.cells));
        let rank = |seat: Seat| (tally[seat], cells[seat]);
        let best = (0..self.seats).map(|seat| rank(Seat(seat))).max().unwrap_or_default();
        let leaders: Seats = (0..self.seats).map(Seat).filter(|seat| rank(*seat) == best).collect();
        let winner = leaders.iter().next().filter(|seat| best.0 > 0 && leaders == Seats::only(*seat));
        Some(Outcome { winner, reason, tally })
    }
}
