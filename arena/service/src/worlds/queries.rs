//! Queries about a world.

use arena_rules::life2::{Base, Census, Kingdom, NextWipe, SLOTS, Slot, World};
use serde::Serialize;

use crate::limits::GENERATION_EVERY;

/// The next wipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Wipe {
    /// Its quadrant, row by row from 0.
    pub next_quadrant: u8,
    /// How many generations until then; at least 1.
    pub generations_until: u32,
    /// The same in whole seconds, if no generation is late.
    pub seconds_until: u64,
}

/// A base.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BaseInfo {
    /// The column of its top left cell.
    pub x: u16,
    /// The row of its top left cell.
    pub y: u16,
    /// Its coins.
    pub coins: u64,
    /// The number of its slot, from 1.
    pub slot: u8,
    /// Always true: a base that fell is not listed.
    pub alive: bool,
}

/// The holder of a slot and its state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SlotInfo {
    /// Its number, from 1.
    pub slot: u8,
    /// The number of the account.
    pub account: i64,
    /// Its base.
    pub base: BaseInfo,
    /// Living cells.
    pub alive_cells: u32,
    /// Cells of ground, connected to the base or not.
    pub territory_cells: u32,
    /// Whether it has no living cells left and will be removed.
    pub in_grace_period: bool,
    /// In how many generations; `None` outside of the grace period.
    pub grace_generations_remaining: Option<u64>,
}

/// The ground of a slot that is connected to its base.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TerritoryInfo {
    /// Its number, from 1.
    pub slot: u8,
    /// How many cells.
    pub cells: u32,
    /// Column, row and length of each run of cells, row by row.
    pub runs: Vec<(u16, u16, u16)>,
}

impl Wipe {
    /// The next wipe of a world.
    pub fn of(world: &World) -> Wipe {
        let NextWipe { quadrant, generations } = world.next_wipe();
        let seconds_until = u64::from(generations) * GENERATION_EVERY.as_millis() as u64 / 1_000;
        Wipe { next_quadrant: quadrant, generations_until: generations, seconds_until }
    }
}

impl BaseInfo {
    /// The base of a slot, if the slot is held.
    pub fn of(world: &World, slot: Slot) -> Option<BaseInfo> {
        let Kingdom { base: Base { x, y }, coins, .. } = *world.kingdom(slot)?;
        Some(BaseInfo { x, y, coins, slot: slot.number(), alive: true })
    }
}

impl SlotInfo {
    /// The state of each slot; `None` for free ones.
    pub fn all(world: &World) -> [Option<SlotInfo>; SLOTS] {
        let census = world.ground().census();
        let mut slots = [const { None }; SLOTS];
        for (slot, place) in Slot::all().zip(&mut slots) {
            *place = SlotInfo::of(world, slot, census[usize::from(slot.number())]);
        }
        slots
    }

    fn of(world: &World, slot: Slot, Census { cells, ground }: Census) -> Option<SlotInfo> {
        let kingdom = world.kingdom(slot)?;
        let grace = |since: u64| (since + u64::from(world.rates().grace)).saturating_sub(world.generation());
        Some(SlotInfo {
            slot: slot.number(),
            account: kingdom.account.0.cast_signed(),
            base: BaseInfo::of(world, slot)?,
            alive_cells: cells,
            territory_cells: ground,
            in_grace_period: kingdom.idle_since.is_some(),
            grace_generations_remaining: kingdom.idle_since.map(grace),
        })
    }
}

impl TerritoryInfo {
    /// The connected ground of a slot in a world.
    pub fn of(world: &World, slot: Slot) -> TerritoryInfo {
        let mut runs: Vec<(u16, u16, u16)> = Vec::new();
        let mut cells = 0;
        for cell in world.ground().of(slot).filter(|cell| world.hangs_on_base(*cell)) {
            cells += 1;
            match runs.last_mut() {
                Some((x, y, length)) if *y == cell.y && *x + *length == cell.x => *length += 1,
                _ => runs.push((cell.x, cell.y, 1)),
            }
        }
        TerritoryInfo { slot: slot.number(), cells, runs }
    }
}

#[cfg(test)]
mod tests {
    use arena_rules::life2::{Account, Call, Cell, Ground, Kingdom, Rates, Setup, Side};

    use super::*;

    #[test]
    fn territory_is_the_ground_that_hangs_on_the_base() {
        let one = Slot::new(1).expect("a slot");
        let (base, mut ground) = (Base { x: 60, y: 60 }, Ground::empty(Side::WORLD));
        let (corridor, island) = ((67..70).map(|x| Cell { x, y: 63 }), [Cell { x: 300, y: 300 }]);
        base.interior(Side::WORLD).chain(corridor).chain(island).for_each(|cell| ground.set_owner(cell, Some(one)));
        let mut kingdoms = [None; SLOTS];
        kingdoms[0] = Some(Kingdom { account: Account(1), base, coins: 100, lives: false, idle_since: None });
        let wallets = [(Account(1), 1)].into();
        let setup = Setup { rates: Rates::FOUNDING, generation: 0, ground, kingdoms, wallets };
        let mut world = setup.world().expect("a world");
        let territory = TerritoryInfo::of(&world, one);
        let runs = (61..67).map(|y| (61, y, if y == 63 { 9 } else { 6 })).collect();
        assert_eq!(territory, TerritoryInfo { slot: 1, cells: 36 + 3, runs });
        // Ground that never hung on the base is still the kingdom's: it counts, and cells may be placed on it.
        assert_eq!(SlotInfo::all(&world)[0].as_ref().map(|slot| slot.territory_cells), Some(36 + 3 + 1));
        assert_eq!(world.call(Account(1), &Call::Place(vec![(300, 300)])), Ok(1));
    }
}
