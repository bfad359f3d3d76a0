//! Life2 a second time: a byte a cell, a loop over every cell and its eight neighbours, a flood of everything.
//!
//! Source: the founding document; the open points as in docs/rules.md.

/// Rows and columns of a base.
const BASE: usize = 8;
/// Kingdoms at a time.
pub const SLOTS: usize = 9;

/// A base and its coins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fort {
    /// Leftmost column.
    pub x: usize,
    /// Topmost row.
    pub y: usize,
    /// Coins in it.
    pub coins: u64,
    /// Whether the kingdom has a living cell.
    pub lives: bool,
    /// The generation after which it had none any more.
    pub idle_since: Option<u64>,
}

/// A torus of `side` x `side` cells, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Realm {
    /// Rows and columns.
    pub side: usize,
    /// Whether each cell lives.
    pub alive: Vec<bool>,
    /// Whose the ground is: 0 nobody, else a slot.
    pub owner: Vec<u8>,
    /// The bases: that of slot 1 first.
    pub forts: Vec<Option<Fort>>,
    /// Coins that each slot's sieges brought.
    pub loot: Vec<u64>,
    /// Generations since the start.
    pub generation: u64,
    /// Generations between wipes.
    pub wipe: u64,
    /// Generations that a kingdom without cells keeps its slot.
    pub grace: u64,
}

impl Realm {
    /// The eight around a cell, from the north-west, row by row.
    fn around(&self, index: usize) -> [usize; 8] {
        let (x, y, side) = (index % self.side, index / self.side, self.side);
        let (west, east) = ((x + side - 1) % side, (x + 1) % side);
        let (north, south) = ((y + side - 1) % side * side, (y + 1) % side * side);
        let row = y * side;
        [north + west, north + x, north + east, row + west, row + east, south + west, south + x, south + east]
    }

    fn beside(&self, index: usize) -> [usize; 4] {
        let around = self.around(index);
        [around[1], around[3], around[4], around[6]]
    }

    /// One generation, the wipe that is due, and who goes.
    pub fn step(&mut self) {
        let mut births = Vec::new();
        let mut deaths = Vec::new();
        for index in 0..self.alive.len() {
            let living = self.around(index).iter().filter(|at| self.alive[**at]).count();
            match (self.alive[index], living) {
                (true, 2 | 3) => {}
                (true, _) => deaths.push(index),
                (false, 3) => births.push((index, self.heir(index))),
                (false, _) => {}
            }
        }
        for index in deaths {
            self.alive[index] = false;
        }
        let mut lost = vec![Vec::new(); SLOTS + 1];
        for (index, owner) in births {
            let fort = (1..=SLOTS as u8).find(|slot| self.inside(*slot, index));
            match fort {
                Some(defender) if defender != owner => self.siege(defender, owner),
                _ => {
                    if self.owner[index] != owner {
                        lost[usize::from(self.owner[index])].push(index);
                    }
                    self.owner[index] = owner;
                    self.alive[index] = true;
                }
            }
        }
        for slot in 1..=SLOTS as u8 {
            if !lost[usize::from(slot)].is_empty() && self.forts[usize::from(slot) - 1].is_some() {
                self.cut_off(slot, &lost[usize::from(slot)]);
            }
        }
        self.generation += 1;
        if self.generation.is_multiple_of(self.wipe) {
            self.wipe_quadrant((self.generation / self.wipe - 1) as usize % 16);
        }
        self.let_go();
    }

    fn heir(&self, index: usize) -> u8 {
        let parents: Vec<u8> =
            self.around(index).iter().filter(|at| self.alive[**at]).map(|at| self.owner[*at]).collect();
        let count = |owner: u8| parents.iter().filter(|parent| **parent == owner).count();
        let most = (1..=SLOTS as u8).map(count).max().unwrap_or(0);
        if count(0) > most {
            return parents.iter().copied().find(|owner| *owner != 0).unwrap_or(0);
        }
        let best: Vec<u8> = (1..=SLOTS as u8).filter(|owner| count(*owner) == most).collect();
        best[index % best.len()]
    }

    fn inside(&self, slot: u8, index: usize) -> bool {
        let Some(fort) = &self.forts[usize::from(slot) - 1] else { return false };
        let (x, y) = (index % self.side, index / self.side);
        (x + self.side - fort.x) % self.side < BASE && (y + self.side - fort.y) % self.side < BASE
    }

    fn siege(&mut self, defender: u8, attacker: u8) {
        if attacker == 0 {
            return;
        }
        if self.forts[usize::from(attacker) - 1].is_some() {
            self.loot[usize::from(attacker) - 1] += 1;
        }
        let Some(fort) = &mut self.forts[usize::from(defender) - 1] else { return };
        fort.coins -= 1;
        if fort.coins == 0 {
            self.end(defender);
        }
    }

    fn end(&mut self, slot: u8) {
        self.forts[usize::from(slot) - 1] = None;
        for index in 0..self.owner.len() {
            if self.owner[index] == slot {
                self.owner[index] = 0;
                self.alive[index] = false;
            }
        }
    }

    /// Which ground of a slot its base reaches.
    pub fn reached(&self, slot: u8) -> Vec<bool> {
        let mut reached = vec![false; self.owner.len()];
        let Some(fort) = &self.forts[usize::from(slot) - 1] else { return reached };
        let mut next = Vec::new();
        for down in 1..BASE - 1 {
            for right in 1..BASE - 1 {
                next.push((fort.y + down) % self.side * self.side + (fort.x + right) % self.side);
            }
        }
        while let Some(index) = next.pop() {
            if self.owner[index] == slot && !reached[index] {
                reached[index] = true;
                next.extend(self.beside(index));
            }
        }
        reached
    }

    fn cut_off(&mut self, slot: u8, lost: &[usize]) {
        let reached = self.reached(slot);
        let mut next: Vec<usize> = lost.iter().flat_map(|index| self.beside(*index)).collect();
        while let Some(index) = next.pop() {
            if self.owner[index] == slot && !reached[index] {
                self.owner[index] = 0;
                self.alive[index] = false;
                next.extend(self.beside(index));
            }
        }
    }

    fn wipe_quadrant(&mut self, quadrant: usize) {
        let length = self.side / 4;
        for index in 0..self.alive.len() {
            if index / self.side / length * 4 + index % self.side / length == quadrant {
                self.alive[index] = false;
            }
        }
    }

    fn let_go(&mut self) {
        let mut lives = [false; SLOTS + 1];
        for index in 0..self.alive.len() {
            if self.alive[index] {
                lives[usize::from(self.owner[index])] = true;
            }
        }
        for (slot, lives) in (0_usize..).zip(lives).skip(1) {
            let Some(fort) = &mut self.forts[slot - 1] else { continue };
            if lives {
                fort.idle_since = None;
            } else if fort.lives {
                fort.idle_since = Some(self.generation);
            }
            fort.lives = lives;
            if fort.idle_since.is_some_and(|since| self.generation - since >= self.grace) {
                self.end(slot as u8);
            }
        }
    }
}
