//! Worlds of Life2 as the plain realm, for tests and benches.

use arena_oracle::life2::{Fort, Realm};
use arena_rules::life2::{Slot, World};

pub(crate) fn realm(world: &World) -> Realm {
    let side = world.ground().side();
    let cells = || (0..side.area()).map(|index| side.cell(index));
    let fort = |slot: Slot| {
        let kingdom = world.kingdom(slot)?;
        let (x, y) = (kingdom.base.x.into(), kingdom.base.y.into());
        Some(Fort { x, y, coins: kingdom.coins, lives: kingdom.lives, idle_since: kingdom.idle_since })
    };
    Realm {
        side: side.length().into(),
        alive: cells().map(|cell| world.ground().is_alive(cell)).collect(),
        owner: cells().map(|cell| world.ground().owner(cell).map_or(0, Slot::number)).collect(),
        forts: Slot::all().map(fort).collect(),
        loot: vec![0; Slot::all().count()],
        generation: world.generation(),
        wipe: world.rates().wipe.into(),
        grace: world.rates().grace.into(),
    }
}
