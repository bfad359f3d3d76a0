//! The description of a world, not yet validated.

use alloc::collections::BTreeMap;
use core::fmt;

use super::ground::SLOTS;
use super::ties::Ties;
use super::world::bases;
use super::{Account, Base, COINS_MAX, Grace, Ground, Kingdom, Rates, Slot, World};

/// The most generations in a description: at ten a second this is 28 million years.
pub const GENERATIONS_MAX: u64 = (1 << 53) - 1;

/// Everything a world consists of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// How often things happen.
    pub rates: Rates,
    /// Generations since the start.
    pub generation: u64,
    /// Living cells, and owners of the ground.
    pub ground: Ground,
    /// The kingdoms, by slot.
    pub kingdoms: [Option<Kingdom>; SLOTS],
    /// The wallets.
    pub wallets: BTreeMap<Account, u64>,
}

/// Why a description is not a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// Wipes must be at least a generation apart.
    NoRate,
    /// Ground has an owner's number that is not a slot.
    NoSuchOwner,
    /// A base's corner is off the board.
    OffBoard(Slot),
    /// A base has no coins, so it would have fallen.
    NoCoins(Slot),
    /// A wallet has more coins than it can hold.
    TooManyCoins(Account),
    /// The six by six must belong to the kingdom.
    InteriorLost(Slot),
    /// Two bases have a cell in common.
    Overlap(Slot, Slot),
    /// An account has two kingdoms.
    TwoKingdoms(Slot, Slot),
    /// More generations than [`GENERATIONS_MAX`].
    TooOld,
    /// A kingdom lost its last cell in a future generation.
    IdleTooSoon(Slot),
    /// A kingdom has living cells and does not know of it, or one that lives is idle.
    Lives(Slot),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NoRate => write!(f, "wipes are at least one generation apart"),
            SetupError::NoSuchOwner => write!(f, "ground belongs to slots 1 to {SLOTS}, or to nobody"),
            SetupError::OffBoard(slot) => write!(f, "the base of {slot} is not on the board"),
            SetupError::NoCoins(slot) => write!(f, "the base of {slot} has no coin"),
            SetupError::TooManyCoins(Account(account)) => {
                write!(f, "the wallet of account {account} holds more than {COINS_MAX} coins")
            }
            SetupError::InteriorLost(slot) => write!(f, "the inside of the base of {slot} is not all its own"),
            SetupError::Overlap(one, two) => write!(f, "the bases of {one} and {two} overlap"),
            SetupError::TwoKingdoms(one, two) => write!(f, "{one} and {two} are the same account's"),
            SetupError::TooOld => write!(f, "a world is at most {GENERATIONS_MAX} generations old"),
            SetupError::IdleTooSoon(slot) => write!(f, "{slot} lost its last cell in a generation that is to come"),
            SetupError::Lives(slot) => {
                write!(f, "{slot} has living cells but is said to have none, or lives and is idle")
            }
        }
    }
}

impl core::error::Error for SetupError {}

impl Setup {
    /// The world described.
    ///
    /// # Errors
    /// The first reason why it is not one.
    pub fn world(self) -> Result<World, SetupError> {
        let Setup { rates, generation, ground, kingdoms, wallets } = self;
        if rates.wipe == 0 {
            return Err(SetupError::NoRate);
        }
        if generation > GENERATIONS_MAX {
            return Err(SetupError::TooOld);
        }
        // Numbers from ten to fifteen: the bit for eight together with that for two or four.
        if ground.owners.iter().any(|[_, two, four, eight]| eight & (two | four) != 0) {
            return Err(SetupError::NoSuchOwner);
        }
        if let Some((account, _)) = wallets.iter().find(|(_, coins)| **coins > COINS_MAX) {
            return Err(SetupError::TooManyCoins(*account));
        }
        let held = || Slot::all().zip(&kingdoms).filter_map(|(slot, kingdom)| Some((slot, kingdom.as_ref()?)));
        for (slot, kingdom) in held() {
            check(slot, kingdom, &ground)?;
            if kingdom.idle_since.is_some_and(|since| since > generation) {
                return Err(SetupError::IdleTooSoon(slot));
            }
            for (other, rival) in held().take_while(|(other, _)| *other < slot) {
                if rival.base.overlaps(ground.side(), kingdom.base) {
                    return Err(SetupError::Overlap(other, slot));
                }
                if rival.account == kingdom.account {
                    return Err(SetupError::TwoKingdoms(other, slot));
                }
            }
        }
        let ties = Ties::of(&ground, bases(&kingdoms));
        Ok(World { rates, grace: Grace::AtJoining, generation, ground, ties, kingdoms, wallets })
    }
}

fn check(slot: Slot, kingdom: &Kingdom, ground: &Ground) -> Result<(), SetupError> {
    let (side, Kingdom { base: base @ Base { x, y }, coins, lives, idle_since, .. }) = (ground.side(), *kingdom);
    if x >= side.length() || y >= side.length() {
        return Err(SetupError::OffBoard(slot));
    }
    if coins == 0 {
        return Err(SetupError::NoCoins(slot));
    }
    if base.interior(side).any(|cell| ground.owner(cell) != Some(slot)) {
        return Err(SetupError::InteriorLost(slot));
    }
    // A base set on its last cells takes them from a kingdom, which notices in the next generation.
    if !lives && ground.has_living(slot, y) || lives && idle_since.is_some() {
        return Err(SetupError::Lives(slot));
    }
    Ok(())
}
