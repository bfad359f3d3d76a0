//! A world as bytes, for digests and snapshots.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use super::ground::{OWNER_BITS, SLOTS};
use super::{Account, Base, Ground, Kingdom, Rates, Setup, SetupError, Side, World};

/// Why bytes are not a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateError {
    /// They are too short or too long, or a number in them is invalid.
    NotAState,
    /// What they describe is not a world.
    Setup(SetupError),
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::NotAState => write!(f, "not the bytes of a world"),
            StateError::Setup(error) => write!(f, "not a world: {error}"),
        }
    }
}

impl core::error::Error for StateError {}

impl World {
    /// The whole world in canonical bytes: equal worlds have equal bytes, and different worlds have different bytes. When
    /// grace begins is not among them: their reader has to know it. Numbers are little-endian. The ground comes last: first living cells, then each bit of the owners' numbers.
    pub fn state(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(512 + 5 * self.ground.side().area() / 8);
        bytes.extend(self.ground.side().length().to_le_bytes());
        bytes.extend(self.rates.wipe.to_le_bytes());
        bytes.extend(self.rates.grace.to_le_bytes());
        bytes.extend(self.generation.to_le_bytes());
        for kingdom in &self.kingdoms {
            let Some(Kingdom { account, base, coins, lives, idle_since }) = kingdom else {
                bytes.push(0);
                continue;
            };
            bytes.push(1);
            bytes.extend(account.0.to_le_bytes());
            bytes.extend(base.x.to_le_bytes());
            bytes.extend(base.y.to_le_bytes());
            bytes.extend(coins.to_le_bytes());
            bytes.push((*lives).into());
            bytes.extend(idle_since.unwrap_or(u64::MAX).to_le_bytes());
        }
        bytes.extend((self.wallets.len() as u32).to_le_bytes());
        for (account, coins) in &self.wallets {
            bytes.extend(account.0.to_le_bytes());
            bytes.extend(coins.to_le_bytes());
        }
        self.ground.alive.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        for bit in 0..OWNER_BITS {
            self.ground.owners.iter().for_each(|planes| bytes.extend(planes[bit].to_le_bytes()));
        }
        bytes
    }

    /// Parses a world; the inverse of [`World::state`].
    ///
    /// # Errors
    /// When they are not exactly the bytes of a world.
    pub fn of_state(bytes: &[u8]) -> Result<World, StateError> {
        let world = read(bytes).ok_or(StateError::NotAState)?.world().map_err(StateError::Setup)?;
        if world.state() == bytes { Ok(world) } else { Err(StateError::NotAState) }
    }
}

/// The bytes left to read.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn flag(&mut self) -> Option<bool> {
        self.take().map(|[byte]| byte != 0)
    }
}

/// Reads a description. Other spellings than [`World::state`]'s are found by comparing afterwards.
fn read(bytes: &[u8]) -> Option<Setup> {
    let mut rest = Rest(bytes);
    let mut ground = Ground::empty(Side::of_length(rest.u16()?)?);
    let rates = Rates { wipe: rest.u32()?, grace: rest.u32()? };
    let generation = rest.u64()?;
    let mut kingdoms = [None; SLOTS];
    for kingdom in &mut kingdoms {
        if rest.flag()? {
            *kingdom = Some(Kingdom {
                account: Account(rest.u64()?),
                base: Base { x: rest.u16()?, y: rest.u16()? },
                coins: rest.u64()?,
                lives: rest.flag()?,
                idle_since: Some(rest.u64()?).filter(|since| *since != u64::MAX),
            });
        }
    }
    let mut wallets = BTreeMap::new();
    for _ in 0..rest.u32()? {
        wallets.insert(Account(rest.u64()?), rest.u64()?);
    }
    for word in &mut ground.alive {
        *word = rest.u64()?;
    }
    for bit in 0..OWNER_BITS {
        for planes in &mut ground.owners {
            planes[bit] = rest.u64()?;
        }
    }
    rest.0.is_empty().then_some(Setup { rates, generation, ground, kingdoms, wallets })
}
