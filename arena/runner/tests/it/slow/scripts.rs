//! Games between scripts are the same on any number of threads, in any order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::scope;

use arena_interpreter::Interpreter;
use arena_record::Budgets;
use arena_rules::{BySeat, Rng};
use arena_runner::{Contender, Ended, GameTerms, Host, InProcess};
use arena_sandbox::Sandbox;
use arena_scripts::{Language, bundle};
use arena_wire::Game;
use arena_worker::Wall;

const CONQUERORS: &str = "conquerors@2";
/// Numbers of threads.
const THREADS: [usize; 3] = [1, 2, 4];

/// A script with its language.
pub(crate) type Written = (Language, &'static str);

/// Scripts that use much of their language and little fuel: garbage, sorting, numbers with fractions, promises, state
/// of their own.
pub(crate) const SMALL: [Written; 5] = [
    (Language::JavaScript, include_str!("../../../../../sdk/templates/javascript/bot.js")),
    (Language::JavaScript, "const seen = new Map();
    function turn(o) {
      const name = ([row, col]) => `${row},${col}`;
      for (const at of o.board.cells()) seen.set(name(at), (seen.get(name(at)) ?? 0) + Math.sin(at[0] * at[1]));
      const cells = o.rng.shuffle(o.legal()).slice(0, 24).sort(() => Math.random() - 0.5);
      log([...seen.values()].reduce((sum, value) => sum + value, 0).toExponential(12), JSON.stringify(cells.slice(0, 2)));
      return cells.length < 4 ? best(o) : place(cells.slice(0, 4));
    }"),
    (Language::JavaScript, "let chosen = null;
    function turn(o) {
      const all = candidates(o);
      const values = worths(o, all.filter((_, at) => at % 9 === o.ply % 9), { generations: 2 });
      Promise.resolve(values).then((values) => { chosen = Math.max(...values); });
      return chosen === null || chosen > 3 ? best(o, { fuel: 900_000 }) : all[o.rng.below(all.length)];
    }"),
    (Language::Python, include_str!("../../../../../sdk/templates/python/bot.py")),
    (Language::Python, "
import math, random
seen = {}

def turn(o):
    for row, col in o.board.cells():
        name = f'{row},{col}'
        seen[name] = seen.get(name, 0) + math.sin(row * col)
    cells = sorted(o.rng.shuffle(o.legal())[:24], key=lambda cell: random.random())
    print(sum(seen.values()), list(seen.items())[:2], sorted({str(cell) for cell in cells}))
    return place(cells[:4]) if len(cells) >= 4 else best(o, fuel=900_000)
"),
];

/// Games between scripts, each with a seed of its own.
pub(crate) struct Games {
    bots: Vec<Contender>,
    terms: GameTerms,
    games: Vec<(Vec<usize>, [u8; 32])>,
}

impl Games {
    /// So many games, in which each script meets each other in turn; several times where there are more seats.
    pub(crate) fn between(host: &dyn Host, ruleset: &str, scripts: &[Written], count: usize) -> Games {
        let game = Game::named(ruleset).unwrap();
        let budgets = Budgets::of(game.allowance);
        let module = |(language, text): &Written| bundle(*language, text.as_bytes()).unwrap();
        let bots: Vec<Contender> = scripts.iter().map(|script| host.load(&module(script), &budgets).unwrap()).collect();
        let all_seats = usize::from(game.shape(game.ranked).unwrap().seats);
        let seats = |number: usize| {
            let (one, step) = (number % bots.len(), 1 + number / bots.len() % (bots.len() - 1));
            (0..all_seats).map(|seat| (one + seat * step) % bots.len()).collect()
        };
        let games = (0..count).map(|number| (seats(number), [number as u8; 32])).collect();
        Games { terms: GameTerms::new(ruleset, game.ranked, budgets, Wall::None), bots, games }
    }

    /// The results in the order of the games, which are played on so many threads in an order drawn for them.
    fn played(&self, host: &(dyn Host + Sync), threads: usize) -> Vec<String> {
        let mut order: Vec<usize> = (0..self.games.len()).collect();
        Rng::new(&[threads as u8; 32], 0).shuffle(&mut order);
        let (next, results) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); order.len()]));
        scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(number) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let (seats, seed) = &self.games[*number];
                        let seats: Vec<&Contender> = seats.iter().map(|bot| &self.bots[*bot]).collect();
                        let finished = host.play(&self.terms.game(*seed, &BySeat::from(seats))).unwrap();
                        let Ended::Played(record) = &finished.ended else { panic!("{}", finished.text) };
                        assert!(record.forfeits.is_empty(), "{:?}", record.forfeits);
                        results.lock().unwrap()[*number] = finished.text;
                    }
                });
            }
        });
        results.into_inner().unwrap()
    }

    /// Plays them on every number of threads.
    pub(crate) fn are_the_same(&self, host: &(dyn Host + Sync)) {
        let [alone, others @ ..] = THREADS.map(|threads| self.played(host, threads));
        assert!(alone.iter().all(|text| !text.is_empty()));
        for other in others {
            assert!(other == alone, "a game differs");
        }
    }
}

#[test]
fn games_of_scripts_are_the_same_on_any_number_of_threads_in_any_order() {
    let host = InProcess::new(Sandbox::of(Interpreter::new()));
    Games::between(&host, CONQUERORS, &SMALL, 10).are_the_same(&host);
}
