//! The calls of accounts in a world, and why they are refused.

use alloc::vec::Vec;
use core::fmt;

use super::{
    Account, BASE_COST, Base, CELLS_A_CALL, COINS_MAX, Cell, FAUCET, Grace, Kingdom, QUADRANTS_A_SIDE, Slot, World,
};

/// Column and row as given, not yet known to be on the board.
pub type Word = (i32, i32);

/// A call of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Call {
    /// Join, with the top left cell of the base here.
    Join {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
    },
    /// Bring cells on own ground to life, for a coin each: all of them or none.
    Place(Vec<Word>),
    /// Take [`FAUCET`] coins.
    Faucet,
}

/// Why a call is refused. A refused call changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The account holds a slot.
    AlreadyInGame,
    /// The account has fewer coins than a base costs.
    NeedCoins,
    /// A cell is not on the board.
    OutOfRange,
    /// There is a base in the quadrant.
    QuadrantTaken,
    /// The base would overlap another one.
    OverlapsBase,
    /// Every slot is held.
    NoSlot,
    /// There are more than [`CELLS_A_CALL`] cells.
    TooManyCells,
    /// The account holds no slot.
    NotInGame,
    /// There are fewer coins than cells.
    InsufficientCoins,
    /// The ground is somebody else's, or neutral.
    NotYourTerritory,
    /// The cell is in the wall of the own base.
    OnWall,
    /// The cell is alive.
    CellAlive,
    /// The wallet would hold more than [`COINS_MAX`].
    WalletFull,
}

/// The texts are those of the first implementation, which players' programs know.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::AlreadyInGame => write!(f, "Already in game"),
            Refusal::NeedCoins => write!(f, "Need {BASE_COST} coins to join"),
            Refusal::OutOfRange => write!(f, "Coordinates out of range"),
            Refusal::QuadrantTaken => write!(f, "Quadrant already has a base"),
            Refusal::OverlapsBase => write!(f, "Overlaps existing base"),
            Refusal::NoSlot => write!(f, "No free slot"),
            Refusal::TooManyCells => write!(f, "Max {CELLS_A_CALL} cells per call"),
            Refusal::NotInGame => write!(f, "Not in game"),
            Refusal::InsufficientCoins => write!(f, "Insufficient coins"),
            Refusal::NotYourTerritory => write!(f, "Not your territory"),
            Refusal::OnWall => write!(f, "Cannot place on walls"),
            Refusal::CellAlive => write!(f, "Cell already alive"),
            Refusal::WalletFull => write!(f, "Wallet is full"),
        }
    }
}

impl core::error::Error for Refusal {}

crate::phrases! {
    Refusal {
        Refusal::AlreadyInGame => "already-in-game"(),
        Refusal::NeedCoins => "need-coins"(coins = BASE_COST),
        Refusal::OutOfRange => "out-of-range"(),
        Refusal::QuadrantTaken => "quadrant-taken"(),
        Refusal::OverlapsBase => "overlaps-base"(),
        Refusal::NoSlot => "no-slot"(),
        Refusal::TooManyCells => "too-many-placed"(most = CELLS_A_CALL as u64),
        Refusal::NotInGame => "not-in-game"(),
        Refusal::InsufficientCoins => "insufficient-coins"(),
        Refusal::NotYourTerritory => "not-your-territory"(),
        Refusal::OnWall => "on-wall"(),
        Refusal::CellAlive => "cell-lives"(),
        Refusal::WalletFull => "wallet-full"(),
    }
}

impl World {
    /// Makes a call of an account, between two generations. Returns the slot's number for joining, the number of cells placed, or
    /// the coins in the wallet after the faucet.
    ///
    /// # Errors
    /// When it is refused. Then the world is unchanged.
    pub fn call(&mut self, account: Account, call: &Call) -> Result<u64, Refusal> {
        match call {
            Call::Join { x, y } => self.join(account, (*x, *y)).map(|slot| slot.number().into()),
            Call::Place(cells) => self.place(account, cells),
            Call::Faucet => self.faucet(account),
        }
    }

    /// The cell of a word, if it is on the board.
    fn read(&self, (x, y): Word) -> Result<Cell, Refusal> {
        let length = i32::from(self.ground.side().length());
        let inside = (0..length).contains(&x) && (0..length).contains(&y);
        inside.then_some(Cell { x: x as u16, y: y as u16 }).ok_or(Refusal::OutOfRange)
    }

    /// The quadrant of a cell, row by row from 0.
    pub fn quadrant(&self, cell: Cell) -> u8 {
        let length = self.ground.side().length() / QUADRANTS_A_SIDE;
        (cell.y / length * QUADRANTS_A_SIDE + cell.x / length) as u8
    }

    /// The answer that a call would get. The world is unchanged.
    ///
    /// # Errors
    /// When it is refused.
    pub fn answer(&self, account: Account, call: &Call) -> Result<u64, Refusal> {
        match call {
            Call::Join { x, y } => self.joinable(account, (*x, *y)).map(|(slot, _)| slot.number().into()),
            Call::Place(cells) => self.placement(account, cells).map(|_| cells.len() as u64),
            Call::Faucet => self.after_faucet(account),
        }
    }

    /// The slot and the base of a kingdom that an account may found.
    fn joinable(&self, account: Account, corner: Word) -> Result<(Slot, Base), Refusal> {
        if self.slot_of(account).is_some() {
            return Err(Refusal::AlreadyInGame);
        }
        if self.balance(account) < BASE_COST {
            return Err(Refusal::NeedCoins);
        }
        let (side, Cell { x, y }) = (self.ground.side(), self.read(corner)?);
        let base = Base { x, y };
        let corner_of = |base: Base| self.quadrant(Cell { x: base.x, y: base.y });
        if self.kingdoms().any(|(_, kingdom)| corner_of(kingdom.base) == corner_of(base)) {
            return Err(Refusal::QuadrantTaken);
        }
        if self.kingdoms().any(|(_, kingdom)| kingdom.base.overlaps(side, base)) {
            return Err(Refusal::OverlapsBase);
        }
        let slot = Slot::all().find(|slot| self.kingdom(*slot).is_none()).ok_or(Refusal::NoSlot)?;
        Ok((slot, base))
    }

    fn join(&mut self, account: Account, corner: Word) -> Result<Slot, Refusal> {
        let (side, (slot, base)) = (self.ground.side(), self.joinable(account, corner)?);
        // Removes ground that births gave to the slot after its last kingdom fell.
        self.ground.clear_owner(slot.number());
        self.wallets.entry(account).and_modify(|coins| *coins -= BASE_COST);
        base.interior(side).for_each(|cell| self.ground.set_owner(cell, Some(slot)));
        let lives = base.interior(side).any(|cell| self.ground.is_alive(cell));
        let idle_since = (!lives && self.grace == Grace::AtJoining).then_some(self.generation);
        self.kingdoms[slot.index()] = Some(Kingdom { account, base, coins: BASE_COST, lives, idle_since });
        self.tie_again();
        Ok(slot)
    }

    /// The slot of an account and the cells that it may place; `None` for no cells.
    fn placement(&self, account: Account, cells: &[Word]) -> Result<Option<(Slot, Vec<Cell>)>, Refusal> {
        if cells.len() > CELLS_A_CALL {
            return Err(Refusal::TooManyCells);
        }
        if cells.is_empty() {
            return Ok(None);
        }
        let slot = self.slot_of(account).ok_or(Refusal::NotInGame)?;
        if self.balance(account) < cells.len() as u64 {
            return Err(Refusal::InsufficientCoins);
        }
        let cells = cells.iter().map(|word| self.placeable(slot, *word)).collect::<Result<_, _>>()?;
        Ok(Some((slot, cells)))
    }

    fn place(&mut self, account: Account, cells: &[Word]) -> Result<u64, Refusal> {
        let Some((slot, cells)) = self.placement(account, cells)? else { return Ok(0) };
        let cost = cells.len() as u64;
        cells.iter().for_each(|cell| self.ground.set_alive(*cell, true));
        self.wallets.entry(account).and_modify(|coins| *coins -= cost);
        if let Some(kingdom) = &mut self.kingdoms[slot.index()] {
            kingdom.coins = kingdom.coins.saturating_add(cost);
            (kingdom.lives, kingdom.idle_since) = (true, None);
        }
        Ok(cost)
    }

    /// The cell of a word, if the slot may bring it to life.
    pub(super) fn placeable(&self, slot: Slot, word: Word) -> Result<Cell, Refusal> {
        let cell = self.read(word)?;
        if self.ground.owner(cell) != Some(slot) {
            return Err(Refusal::NotYourTerritory);
        }
        if self.kingdom(slot).is_some_and(|kingdom| kingdom.base.is_wall(self.ground.side(), cell)) {
            return Err(Refusal::OnWall);
        }
        if self.ground.is_alive(cell) { Err(Refusal::CellAlive) } else { Ok(cell) }
    }

    /// What is in an account's wallet after the faucet.
    fn after_faucet(&self, account: Account) -> Result<u64, Refusal> {
        let coins = self.balance(account);
        if coins > COINS_MAX - FAUCET { Err(Refusal::WalletFull) } else { Ok(coins + FAUCET) }
    }

    fn faucet(&mut self, account: Account) -> Result<u64, Refusal> {
        let coins = self.after_faucet(account)?;
        self.earns(account, FAUCET);
        Ok(coins)
    }
}
