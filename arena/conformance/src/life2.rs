//! Readers for Life2. Cells are `[x, y, slot]` and bases `[x, y, coins]`; slots count from 0, -1 is nobody. Accounts
//! have the numbers of the first slots.

use std::collections::BTreeMap;

use arena_rules::life2::{Account, Base, Call, Cell, Ground, Kingdom, Rates, Setup, Side, Slot, Word, World};
use serde::Deserialize;

use crate::difference::{Difference, expect};
use crate::{Lesson, Reader, parse};

/// Slots of the first implementation.
const SLOTS: usize = 8;

pub(crate) fn reader(file: &str) -> Option<Reader> {
    Some(match file {
        "step" => |line| step(&parse(line)?),
        _ => return None,
    })
}

/// A world, its state after each step, and all ground at the end.
#[derive(Deserialize)]
struct Step {
    initial: Initial,
    step_sizes: Vec<u32>,
    after: Vec<State>,
    final_territory: Vec<Vec<[u16; 2]>>,
}

#[derive(Deserialize)]
struct Initial {
    #[serde(flatten)]
    state: State,
    territory: Vec<Vec<[u16; 2]>>,
}

/// A world's state as the vectors show it: for each slot the number of its ground cells and a hash of them.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
struct State {
    generation: u64,
    cells: Vec<(u16, u16, i8)>,
    bases: Vec<Option<(u16, u16, u64)>>,
    wallets: Vec<u64>,
    cell_counts: Vec<u32>,
    territory_count_fnv1a64: Vec<(u32, String)>,
}

fn step(line: &Step) -> Result<(), Difference> {
    let mut world = line.initial.world()?;
    expect("initial", line.initial.state.clone(), state(&world))?;
    for (turn, (steps, after)) in (1..).zip(line.step_sizes.iter().zip(&line.after)) {
        (0..*steps).for_each(|_| drop(world.step()));
        expect("after", after.clone(), state(&world)).map_err(|difference| difference.in_turn(turn))?;
    }
    let ground = slots().map(|slot| world.ground().of(slot).map(|Cell { x, y }| [x, y]).collect());
    expect("final_territory", line.final_territory.clone(), ground.collect())
}

/// Slots in the order of the vectors.
fn slots() -> impl Iterator<Item = Slot> {
    Slot::all().take(SLOTS)
}

fn account(slot: Slot) -> Account {
    Account(slot.index() as u64)
}

impl Initial {
    fn world(&self) -> Result<World, Difference> {
        let State { generation, cells, bases, wallets, cell_counts, .. } = &self.state;
        let mut ground = Ground::empty(Side::WORLD);
        for (slot, cells) in slots().zip(&self.territory) {
            cells.iter().for_each(|[x, y]| ground.set_owner(Cell { x: *x, y: *y }, Some(slot)));
        }
        cells.iter().for_each(|(x, y, _)| ground.set_alive(Cell { x: *x, y: *y }, true));
        let mut kingdoms = [None; 9];
        for (slot, base) in slots().zip(bases) {
            let lives = cell_counts.get(slot.index()).is_some_and(|count| *count > 0);
            kingdoms[slot.index()] = base.map(|(x, y, coins)| {
                let base = Base { x, y };
                Kingdom { account: account(slot), base, coins, lives, idle_since: None }
            });
        }
        let wallets: BTreeMap<_, _> = slots().map(account).zip(wallets.iter().copied()).collect();
        let setup = Setup { rates: Rates::FOUNDING, generation: *generation, ground, kingdoms, wallets };
        setup.world().map_err(Difference::refused)
    }
}

fn state(world: &World) -> State {
    let ground = world.ground();
    let colour = |cell| ground.owner(cell).map_or(-1, |slot| slot.index() as i8);
    let census = ground.census();
    let hash = |slot| {
        let indices = ground.of(slot).map(|cell| ground.side().index(cell) as u64);
        indices.fold(0xcbf2_9ce4_8422_2325_u64, |hash, index| (hash ^ index).wrapping_mul(0x100_0000_01b3))
    };
    State {
        generation: world.generation(),
        cells: ground.living().map(|cell| (cell.x, cell.y, colour(cell))).collect(),
        bases: slots().map(|slot| world.kingdom(slot).map(|held| (held.base.x, held.base.y, held.coins))).collect(),
        wallets: slots().map(|slot| world.balance(account(slot))).collect(),
        cell_counts: slots().map(|slot| census[usize::from(slot.number())].cells).collect(),
        territory_count_fnv1a64: slots()
            .map(|slot| (census[usize::from(slot.number())].ground, format!("{:016x}", hash(slot))))
            .collect(),
    }
}

/// A call and its answer, or a look at the whole world.
#[derive(Deserialize)]
struct Spoken {
    call: Said,
    result: Answer,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Said {
    Faucet { p: u64 },
    Join { p: u64, x: i32, y: i32 },
    Place { p: u64, cells: Cells },
    Dump {},
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Cells {
    These(Vec<Word>),
    /// A list of which the vectors only give the length.
    Count(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    State(State),
    Result(Result<u64, String>),
}

/// The calls of several accounts to one world, from the first line on. Slots in answers count from 0.
pub(crate) fn conversation() -> Lesson {
    let mut world = World::new(Side::WORLD, Rates::FOUNDING);
    Box::new(move |line, _| {
        let Spoken { call, result } = parse(line)?;
        match (call, result) {
            (Said::Dump {}, Answer::State(wanted)) => {
                // The first implementation counts a cell twice that was placed twice.
                let State { cell_counts, .. } = wanted.clone();
                expect("state", wanted, State { cell_counts, ..state(&world) })
            }
            (Said::Faucet { p }, Answer::Result(wanted)) => answer(&mut world, p, &Call::Faucet, wanted),
            (Said::Join { p, x, y }, Answer::Result(wanted)) => {
                answer(&mut world, p, &Call::Join { x, y }, wanted.map(|slot| slot + 1))
            }
            (Said::Place { p, cells }, Answer::Result(wanted)) => {
                answer(&mut world, p, &Call::Place(cells.words()?), wanted)
            }
            _ => Err(Difference::Missing("answer of its call")),
        }
    })
}

impl Cells {
    fn words(self) -> Result<Vec<Word>, Difference> {
        match self {
            Cells::These(words) => Ok(words),
            Cells::Count(text) => {
                let count = text.split(' ').next().and_then(|number| number.parse().ok());
                Ok(vec![(0, 0); count.ok_or_else(|| Difference::unknown("number of cells", text))?])
            }
        }
    }
}

fn answer(world: &mut World, account: u64, call: &Call, wanted: Result<u64, String>) -> Result<(), Difference> {
    let got = world.call(Account(account), call).map_err(|refusal| refusal.to_string());
    expect("result", wanted, got)
}
