//! The effects of a generation's births: sieges, new ground, and ground that is cut off.

use alloc::vec::Vec;

use super::cells::bits;
use super::fates::{BirthWord, Fates};
use super::ground::OWNER_BITS;
use super::ties::Change;
use super::{Cause, Fall, Slot, World, flood};

/// A birth refused by a base.
struct Siege {
    index: usize,
    attacker: u8,
    defender: Slot,
}

impl World {
    /// Applies all deaths, then all births in ascending order, then removes what they cut off. Returns the kingdoms that fell.
    pub(super) fn evolve(&mut self) -> Vec<Fall> {
        // Without living cells there are no births, and a world may be empty for years.
        if self.ground.alive.iter().all(|word| *word == 0) {
            return Vec::new();
        }
        let Fates { survivors, births } = Fates::of(&self.ground);
        let sieges = self.sieges(&births);
        self.ground.alive = survivors;
        let (changes, falls) = if self.bears(&sieges) {
            (self.births_at_once(births, &sieges), Vec::new())
        } else {
            self.births_one_by_one(&births)
        };
        self.cut_off(&changes);
        falls
    }

    /// The births in bases of other kingdoms, ascending.
    fn sieges(&self, births: &[BirthWord]) -> Vec<Siege> {
        let side = self.ground.side();
        let born = |index: usize| {
            let at = births.binary_search_by_key(&(index / 64), |birth| birth.word).ok()?;
            (births[at].born >> (index % 64) & 1 == 1).then(|| births[at].owner(index % 64))
        };
        let mut sieges = Vec::new();
        for (defender, kingdom) in self.kingdoms() {
            for index in kingdom.base.indices(side) {
                if let Some(attacker) = born(index).filter(|owner| *owner != defender.number()) {
                    sieges.push(Siege { index, attacker, defender });
                }
            }
        }
        sieges.sort_by_key(|siege| siege.index);
        sieges
    }

    /// Whether every base has more coins than these sieges cost it.
    fn bears(&self, sieges: &[Siege]) -> bool {
        self.kingdoms().all(|(slot, kingdom)| {
            let costs = sieges.iter().filter(|siege| siege.defender == slot && siege.attacker != 0).count();
            kingdom.coins > costs as u64
        })
    }

    /// The births of a generation in which no base falls, so that their order makes no difference.
    fn births_at_once(&mut self, mut births: Vec<BirthWord>, sieges: &[Siege]) -> Vec<Change> {
        for siege in sieges {
            self.pays(siege.defender, siege.attacker);
            if let Ok(at) = births.binary_search_by_key(&(siege.index / 64), |birth| birth.word) {
                births[at].born &= !(1 << (siege.index % 64));
            }
        }
        let mut changes = Vec::new();
        for birth in &births {
            let before = &self.ground.owners[birth.word];
            let changed = (0..OWNER_BITS).fold(0, |all, bit| all | before[bit] ^ birth.owners[bit]) & birth.born;
            for place in bits(changed) {
                let index = 64 * birth.word + place;
                changes.push(Change { index, from: self.ground.owner_at(index), to: birth.owner(place) });
            }
            self.ground.alive[birth.word] |= birth.born;
        }
        let World { ground, ties, kingdoms, .. } = self;
        ties.change(ground, super::world::bases(kingdoms), &changes);
        changes
    }

    /// The births of a generation in which a base falls: births after that see it gone, and cells born before fall with it.
    fn births_one_by_one(&mut self, births: &[BirthWord]) -> (Vec<Change>, Vec<Fall>) {
        let side = self.ground.side();
        let (mut changes, mut falls) = (Vec::new(), Vec::new());
        for birth in births {
            for place in bits(birth.born) {
                let (index, owner) = (64 * birth.word + place, birth.owner(place));
                let cell = side.cell(index);
                let base = self.kingdoms().find(|(_, kingdom)| kingdom.base.protects(side, cell));
                match base.map(|(slot, _)| slot) {
                    Some(defender) if defender.number() != owner => falls.extend(self.pays(defender, owner)),
                    _ => {
                        let from = self.ground.owner_at(index);
                        if from != owner {
                            changes.push(Change { index, from, to: owner });
                            self.ground.set_owner_at(index, owner);
                        }
                        self.ground.set_lives(index, true);
                    }
                }
            }
        }
        self.tie_again();
        (changes, falls)
    }

    /// A refused birth costs the base a coin, which goes to the kingdom whose cell would have been born; for neutral births it is lost.
    /// Without a coin left the base falls at once.
    fn pays(&mut self, defender: Slot, attacker: u8) -> Option<Fall> {
        let attacker = Slot::new(attacker)?;
        let earner = self.kingdom(attacker).map(|kingdom| kingdom.account);
        if let Some(account) = earner {
            self.earns(account, 1);
        }
        let kingdom = self.kingdoms[defender.index()].as_mut()?;
        kingdom.coins -= 1;
        if kingdom.coins > 0 {
            return None;
        }
        let fall = Fall { account: kingdom.account, cause: Cause::Siege(earner) };
        self.eliminate(defender);
        Some(fall)
    }

    /// Ground next to its owner's losses that is no longer connected to the base turns neutral, and cells on it die.
    fn cut_off(&mut self, changes: &[Change]) {
        for slot in Slot::all() {
            if self.kingdom(slot).is_none() {
                continue;
            }
            for index in self.loose_beside(slot, changes) {
                self.ground.set_owner_at(index, 0);
                self.ground.set_lives(index, false);
            }
        }
    }

    /// The ground of a slot that touches its losses and is connected to no base.
    fn loose_beside(&self, slot: Slot, changes: &[Change]) -> Vec<usize> {
        let lost = changes.iter().filter(|change| change.from == slot.number());
        let beside = lost.flat_map(|change| self.ground.side().beside(change.index));
        let loose = |index: &usize| self.ground.owner_at(*index) == slot.number() && !self.ties.holds(*index);
        let from: Vec<usize> = beside.filter(loose).collect();
        match from[..] {
            [] => from,
            _ => flood::pieces(&self.ground, self.ties.plane(), slot.number(), from),
        }
    }
}

impl BirthWord {
    /// The owner of the birth at a place.
    fn owner(&self, place: usize) -> u8 {
        (0..OWNER_BITS).fold(0, |owner, bit| owner | ((self.owners[bit] >> place & 1) as u8) << bit)
    }
}
