//! The world: ground, kingdoms and wallets, and its generations.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::ground::SLOTS;
use super::ties::Ties;
use super::{Account, Base, COINS_MAX, Cell, Ground, QUADRANTS_A_SIDE, Side, Slot};

/// How often things happen, in generations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rates {
    /// From one wipe of a quadrant to the next; at least 1.
    pub wipe: u32,
    /// How long a kingdom without a living cell keeps its slot.
    pub grace: u32,
}

/// When grace begins for a kingdom that never had a living cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grace {
    /// When it joins: the founding document's rule.
    AtJoining,
    /// Not before it has had one: the rule of the first worlds here, as in the first implementation.
    AtLoss,
}

/// How a kingdom fell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Its base lost its last coin to a cell of this account; `None` if nobody held that cell's slot.
    Siege(Option<Account>),
    /// It had no living cell for as long as grace lasts.
    Grace,
}

/// The end of a kingdom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fall {
    /// Whose kingdom it was.
    pub account: Account,
    /// Why it fell.
    pub cause: Cause,
}

impl Rates {
    /// The founding document's, at its ten generations a second: a wipe every 5 minutes, 10 minutes of grace.
    pub const FOUNDING: Rates = Rates { wipe: 3_000, grace: 6_000 };
}

/// The holder of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kingdom {
    /// Its account.
    pub account: Account,
    /// Where its base stands.
    pub base: Base,
    /// Coins in the base, which falls when there are none.
    pub coins: u64,
    /// Whether any of its cells is alive; after a base was set on the last of them, until the next generation.
    pub lives: bool,
    /// The generation since which it has no living cells; `None` while it has some. Also `None` before it had any where grace does
    /// not begin at joining.
    pub idle_since: Option<u64>,
}

/// The next wipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NextWipe {
    /// Its quadrant, row by row from 0.
    pub quadrant: u8,
    /// How many generations from now; at least 1.
    pub generations: u32,
}

/// A world between two generations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct World {
    pub(super) rates: Rates,
    pub(super) grace: Grace,
    pub(super) generation: u64,
    pub(super) ground: Ground,
    /// Derived from ground and bases.
    pub(super) ties: Ties,
    pub(super) kingdoms: [Option<Kingdom>; SLOTS],
    pub(super) wallets: BTreeMap<Account, u64>,
}

/// The kingdoms' bases, by slot.
pub(super) fn bases(kingdoms: &[Option<Kingdom>; SLOTS]) -> impl Iterator<Item = (Slot, &Base)> + Clone {
    Slot::all().zip(kingdoms).filter_map(|(slot, kingdom)| Some((slot, &kingdom.as_ref()?.base)))
}

impl World {
    /// A world without kingdoms.
    pub fn new(side: Side, rates: Rates) -> World {
        let ground = Ground::empty(side);
        let ties = Ties::of(&ground, core::iter::empty());
        let rates = Rates { wipe: rates.wipe.max(1), ..rates };
        World {
            rates,
            grace: Grace::AtJoining,
            generation: 0,
            ground,
            ties,
            kingdoms: [None; SLOTS],
            wallets: BTreeMap::new(),
        }
    }

    /// The ground and its living cells.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// How often things happen.
    pub fn rates(&self) -> Rates {
        self.rates
    }

    /// When grace begins for a kingdom that never had a living cell.
    pub fn grace(&self) -> Grace {
        self.grace
    }

    /// The same world under the rule of the first worlds.
    #[must_use]
    pub fn with_grace_at_loss(self) -> World {
        World { grace: Grace::AtLoss, ..self }
    }

    /// Brings the world under the founding document's rule. For a kingdom that never had a living cell, grace begins now.
    pub fn begin_grace_at_joining(&mut self) {
        self.grace = Grace::AtJoining;
        for kingdom in self.kingdoms.iter_mut().flatten().filter(|kingdom| !kingdom.lives) {
            kingdom.idle_since.get_or_insert(self.generation);
        }
    }

    /// Generations since the start.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The kingdom in a slot.
    pub fn kingdom(&self, slot: Slot) -> Option<&Kingdom> {
        self.kingdoms[slot.index()].as_ref()
    }

    /// All kingdoms, in the order of their slots.
    pub fn kingdoms(&self) -> impl Iterator<Item = (Slot, &Kingdom)> {
        Slot::all().filter_map(|slot| Some((slot, self.kingdom(slot)?)))
    }

    /// The slot that an account holds.
    pub fn slot_of(&self, account: Account) -> Option<Slot> {
        self.kingdoms().find(|(_, kingdom)| kingdom.account == account).map(|(slot, _)| slot)
    }

    /// The coins in an account's wallet.
    pub fn balance(&self, account: Account) -> u64 {
        self.wallets.get(&account).copied().unwrap_or_default()
    }

    /// Every wallet that ever had a coin, by account.
    pub fn wallets(&self) -> impl Iterator<Item = (Account, u64)> {
        self.wallets.iter().map(|(account, coins)| (*account, *coins))
    }

    /// Whether ground is connected to its owner's base. Ground that never was is not taken away for that.
    pub fn hangs_on_base(&self, cell: Cell) -> bool {
        self.ties.holds(self.ground.side().index(cell))
    }

    /// The next wipe.
    pub fn next_wipe(&self) -> NextWipe {
        let every = u64::from(self.rates.wipe);
        let quadrants = u64::from(QUADRANTS_A_SIDE) * u64::from(QUADRANTS_A_SIDE);
        let quadrant = (self.generation / every % quadrants) as u8;
        NextWipe { quadrant, generations: (every - self.generation % every) as u32 }
    }

    /// Computes one generation; then the wipe, if one is due; then removes kingdoms whose grace period is over. Returns the kingdoms
    /// that fell, in order.
    pub fn step(&mut self) -> Vec<Fall> {
        let NextWipe { quadrant, generations } = self.next_wipe();
        let mut falls = self.evolve();
        self.generation += 1;
        if generations == 1 {
            self.wipe(quadrant);
        }
        self.pass_grace(&mut falls);
        falls
    }

    /// Kills all cells of a quadrant; the ground keeps its owners.
    fn wipe(&mut self, quadrant: u8) {
        let length = self.ground.side().length() / QUADRANTS_A_SIDE;
        let (left, top) = (u16::from(quadrant) % QUADRANTS_A_SIDE, u16::from(quadrant) / QUADRANTS_A_SIDE);
        for y in top * length..(top + 1) * length {
            for x in left * length..(left + 1) * length {
                self.ground.set_alive(Cell { x, y }, false);
            }
        }
    }

    /// Notes kingdoms without living cells, and removes those that had none for too long; coins in their bases are lost.
    fn pass_grace(&mut self, falls: &mut Vec<Fall>) {
        for slot in Slot::all() {
            let Some(kingdom) = &mut self.kingdoms[slot.index()] else { continue };
            let lives = self.ground.has_living(slot, kingdom.base.y);
            kingdom.idle_since = match (kingdom.lives, lives) {
                (_, true) => None,
                (true, false) => Some(self.generation),
                (false, false) => kingdom.idle_since,
            };
            kingdom.lives = lives;
            if kingdom.idle_since.is_some_and(|since| self.generation - since >= u64::from(self.rates.grace)) {
                falls.push(Fall { account: kingdom.account, cause: Cause::Grace });
                self.eliminate(slot);
                self.tie_again();
            }
        }
    }

    /// Frees the slot of an account, on the order of the world's host and not by its rules: the kingdom ends, and the coins in its base are lost.
    /// Returns whether the account held one.
    pub fn free(&mut self, account: Account) -> bool {
        let Some(slot) = self.slot_of(account) else { return false };
        self.eliminate(slot);
        self.tie_again();
        true
    }

    /// Removes a kingdom: its cells die, its ground turns neutral, its slot becomes free. Its account keeps the wallet.
    pub(super) fn eliminate(&mut self, slot: Slot) {
        self.kingdoms[slot.index()] = None;
        self.ground.clear_owner(slot.number());
    }

    /// Recomputes which ground is connected to its base.
    pub(super) fn tie_again(&mut self) {
        self.ties = Ties::of(&self.ground, bases(&self.kingdoms));
    }

    /// Adds coins to a wallet, up to [`COINS_MAX`].
    pub(super) fn earns(&mut self, account: Account, coins: u64) {
        let wallet = self.wallets.entry(account).or_default();
        *wallet = wallet.saturating_add(coins).min(COINS_MAX);
    }
}
