//! The arena's figures, as ratios of CPU time within one run: `cargo xtask bench`.
//!
//! Every round runs each subject once, so that a machine whose speed drifts drifts for all of them; a figure is the
//! median of the rounds' ratios. Gated figures fail the run below their bar. Times are this thread's CPU time, for
//! information.

mod game_of_game_of_life;
mod life2;
mod lookahead;
mod war_of_life;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use arena_baselines::conquerors::{Params, Tier, TierParams, choose_with};
use arena_oracle as naive;
use arena_record::Budgets;
use arena_referee::Player as _;
use arena_rules::conquerors::{Board, Boards, Colour, Impacts, Options, Position};
use arena_rules::{BySeat, Rng, Ruleset, Seat};
use arena_runner::{Contender, GameTerms, Host, InProcess};
use arena_sandbox::{Bot, Sandbox, SandboxPlayer};
use arena_wire::Protocol;
use arena_worker::Wall;
use cpu_time::ThreadTime;

/// Rounds of which the median is taken.
const ROUNDS: usize = 7;
/// Games of each tier in a round.
const GAMES: u64 = 12;
/// Bars of the gated figures.
const NEXT_MIN: f64 = 200.0;
const TOGETHER_MIN: f64 = 2.0;
const SCORING_MIN: f64 = 20.0;
const GREEDY_GAMES_MIN: f64 = 10.0;
const HARD_GAMES_MIN: f64 = 8.0;
const GREEDY_GUEST_GAMES_MIN: f64 = 4.0;
const HARD_GUEST_GAMES_MIN: f64 = 3.0;
const CRANK_MIN: f64 = 20.0;
const MINIMAX_MIN: f64 = 10.0;
const NINE_SEATS_MIN: f64 = 20.0;
const SETTLED_WORLD_MIN: f64 = 25.0;
const DENSE_WORLD_MIN: f64 = 5.0;
const LOOKAHEAD_MIN: f64 = 1.5;
/// It was 5 while guests were built without vectors. With them a whole board takes less fuel, because four of its rows
/// fit into one; a lookahead, which computes a few rows here and there, a word each, gains little.
const LOOKAHEAD_FUEL_MIN: f64 = 3.0;

fn main() -> ExitCode {
    let boards = mid_game_boards();
    let (mut next, mut next_naive) = (sampler(|| next_fast(&boards)), sampler(|| next_naive(&boards)));
    let mut eights: Vec<Boards> =
        boards.as_chunks().0.iter().map(|eight| Boards::new(&eight.each_ref().map(|(board, _)| *board))).collect();
    let mut together = sampler(move || next_together(&mut eights));
    let (mut score, mut score_naive) = (sampler(|| score_fast(&boards)), sampler(|| score_naive(&boards)));
    let war = war_of_life::boards();
    let (mut crank, mut crank_naive) =
        (sampler(|| war_of_life::crank(&war)), sampler(|| war_of_life::crank_naive(&war)));
    let (mut minimax, mut minimax_naive) =
        (sampler(|| war_of_life::minimax(&war)), sampler(|| war_of_life::minimax_naive(&war)));
    let tasks: Vec<lookahead::Task> = boards.iter().map(|(board, _)| lookahead::task(*board)).collect();
    let (mut ahead, mut whole) = (sampler(|| lookahead::ahead(&tasks)), sampler(|| lookahead::whole(&tasks)));
    let nine = game_of_game_of_life::boards();
    let mut nine_seats = sampler(|| game_of_game_of_life::generation(&nine));
    let mut nine_seats_naive = sampler(|| game_of_game_of_life::generation_naive(&nine));
    let worlds = [life2::soup(512), life2::settled(512)];
    let realms = worlds.each_ref().map(life2::plain);
    let [mut dense, mut settled] = worlds.each_ref().map(|world| sampler(move || life2::generations(world)));
    let [mut dense_naive, mut settled_naive] =
        realms.each_ref().map(|realm| sampler(move || life2::generations_naive(realm)));
    let large = [life2::soup(4096), life2::settled(4096)];
    let [mut large_dense, mut large_settled] = large.each_ref().map(|world| sampler(move || life2::generations(world)));
    let tiers = Tier::ALL.map(|tier| (tier, Guest::load(tier.name(), &Options::V2)));
    let older = Older::all();

    let mut figures: Vec<Figure> = vec![
        Figure::gated("one generation, times the naive rule", NEXT_MIN),
        Figure::gated("scoring all candidates, times the naive window", SCORING_MIN),
        Figure::gated("one generation of eight boards together, times alone", TOGETHER_MIN),
    ];
    let of_tiers = figures.len();
    for (tier, _) in &tiers {
        let (native, guest) = match tier {
            Tier::Hard => (HARD_GAMES_MIN, HARD_GUEST_GAMES_MIN),
            _ => (GREEDY_GAMES_MIN, GREEDY_GUEST_GAMES_MIN),
        };
        figures.push(Figure::gated(&format!("{} games, native, times the naive engine", tier.name()), native));
        figures.push(Figure::gated(&format!("{} games, guest, times the naive engine", tier.name()), guest));
    }
    let of_war_of_life = figures.len();
    figures.push(Figure::gated("War of Life, one generation, times the naive grid", CRANK_MIN));
    figures.push(Figure::gated("War of Life, minimax, times all of it on the naive grid", MINIMAX_MIN));
    figures.push(Figure::gated("Game of Game of Life, nine seats, times the naive grid", NINE_SEATS_MIN));
    figures.push(Figure::gated("Life2, nine kingdoms in a settled world, times the naive grid", SETTLED_WORLD_MIN));
    figures.push(Figure::gated("Life2, nine kingdoms in dense soup, times the naive grid", DENSE_WORLD_MIN));
    figures.push(Figure::gated("four generations of a turn, times whole boards", LOOKAHEAD_MIN));
    figures.push(Figure::gated("the same in a guest: fuel, not time", LOOKAHEAD_FUEL_MIN));
    let mut times = Times::default();
    for round in 0..ROUNDS as u64 {
        let naive_next = next_naive();
        let alone = times.note("one generation", next());
        figures[0].ratios.push(ratio(naive_next, alone));
        figures[2].ratios.push(ratio(alone, times.note("one generation of a board among eight", together())));
        figures[1].ratios.push(ratio(score_naive(), times.note("scoring a mid-game board", score())));
        for (index, (tier, guest)) in tiers.iter().enumerate() {
            let seeds = round * GAMES..(round + 1) * GAMES;
            let slow = per_game(seeds.clone(), |seed| naive_game(*tier, seed));
            let fast = per_game(seeds.clone(), |seed| native_game(*tier, seed));
            let guest_time = per_game(seeds.clone(), |seed| guest.game(seed));
            times.note(&format!("{} game, naive engine", tier.name()), slow);
            times.note(&format!("{} game, native", tier.name()), fast);
            times.note(&format!("{} game, guest with record", tier.name()), guest_time);
            figures[of_tiers + 2 * index].ratios.push(ratio(slow, fast));
            figures[of_tiers + 1 + 2 * index].ratios.push(ratio(slow, guest_time));
        }
        let [
            crank_figure,
            minimax_figure,
            nine_seats_figure,
            settled_figure,
            dense_figure,
            lookahead_figure,
            fuel_figure,
        ] = &mut figures[of_war_of_life..]
        else {
            unreachable!("seven were pushed")
        };
        crank_figure.ratios.push(ratio(crank_naive(), times.note("War of Life, one generation", crank())));
        minimax_figure.ratios.push(ratio(minimax_naive(), times.note("War of Life, a minimax move", minimax())));
        let generation = times.note("Game of Game of Life, a generation of nine seats", nine_seats());
        nine_seats_figure.ratios.push(ratio(nine_seats_naive(), generation));
        settled_figure
            .ratios
            .push(ratio(settled_naive(), times.note("Life2, a generation of 512 x 512, settled", settled())));
        dense_figure.ratios.push(ratio(dense_naive(), times.note("Life2, a generation of 512 x 512, dense", dense())));
        times.note("Life2, a generation of 4096 x 4096, settled", large_settled());
        times.note("Life2, a generation of 4096 x 4096, dense", large_dense());
        let game = seconds(|| game_of_game_of_life::greedy_game(round));
        times.note("Game of Game of Life, a game of nine greedy seats", game);
        for older in &older {
            let seeds = round * GAMES..(round + 1) * GAMES;
            times
                .note(&format!("{} game, native", older.name), per_game(seeds.clone(), |seed| older.native_game(seed)));
            times.note(
                &format!("{} game, guest with record", older.name),
                per_game(seeds, |seed| older.guest.game(seed)),
            );
        }
        lookahead_figure.ratios.push(ratio(whole(), times.note("four generations of a turn", ahead())));
        fuel_figure.ratios.push(lookahead::fuel_ratio(&boards[round as usize * boards.len() / ROUNDS].0));
        sandbox_times(&mut times);
    }
    report(&figures, &times)
}

/// A figure over the rounds.
struct Figure {
    name: String,
    bar: f64,
    ratios: Vec<f64>,
}

impl Figure {
    fn gated(name: &str, bar: f64) -> Figure {
        Figure { name: name.into(), bar, ratios: Vec::new() }
    }
}

/// Seconds by name, in the order of their first mention.
#[derive(Default)]
struct Times(Vec<(String, Vec<f64>)>);

impl Times {
    fn note(&mut self, name: &str, seconds: f64) -> f64 {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, all)) => all.push(seconds),
            None => self.0.push((name.into(), vec![seconds])),
        }
        seconds
    }
}

fn ratio(slow: f64, fast: f64) -> f64 {
    slow / fast
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

#[expect(clippy::print_stdout, reason = "a benchmark is for reading")]
fn report(figures: &[Figure], times: &Times) -> ExitCode {
    println!("ratios of CPU time, median of {ROUNDS} interleaved rounds (least - most)");
    let mut passed = true;
    for Figure { name, bar, ratios } in figures {
        let (middle, least, most) = (
            median(ratios),
            ratios.iter().copied().fold(f64::INFINITY, f64::min),
            ratios.iter().copied().fold(0.0, f64::max),
        );
        let verdict = if middle >= *bar { "ok" } else { "BELOW" };
        passed &= middle >= *bar;
        println!("  {verdict:<6}{name:<52}{middle:>8.1}  ({least:.1} - {most:.1}), bar {bar}");
    }
    println!("\nCPU time on this machine, median (reported, not gated)");
    for (name, all) in &times.0 {
        let seconds = median(all);
        println!("  {name:<58}{:>12}   {:>12.0} a second and core", nice(seconds), 1.0 / seconds);
    }
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn nice(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s => format!("{:.2} ms", s * 1e3),
    }
}

/// CPU seconds that `work` takes.
fn seconds(work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_secs_f64()
}

/// A measurement of `work`, which tells how many units it did: seconds per unit, repeated for at least 30 ms.
fn sampler(mut work: impl FnMut() -> u64) -> impl FnMut() -> f64 {
    move || {
        let start = ThreadTime::now();
        let mut units = 0;
        while start.elapsed() < Duration::from_millis(30) {
            units += work();
        }
        start.elapsed().as_secs_f64() / units as f64
    }
}

fn per_game(seeds: std::ops::Range<u64>, game: impl Fn(u64)) -> f64 {
    let games = (seeds.end - seeds.start) as f64;
    seconds(|| seeds.for_each(game)) / games
}

/// Boards before turns of normal and hard self-play, in both engines' forms.
fn mid_game_boards() -> Vec<(Board, naive::Board)> {
    let mut boards = Vec::new();
    for (tier, seed) in [(Tier::Normal, 1), (Tier::Normal, 2), (Tier::Hard, 3), (Tier::Hard, 4), (Tier::Hard, 5)] {
        walk(tier, seed, |position| {
            if position.ply() >= 6 {
                let text = position.board().to_string();
                boards.extend(naive::parse_board(&text).map(|naive| (*position.board(), naive)));
            }
        });
    }
    boards
}

fn next_fast(boards: &[(Board, naive::Board)]) -> u64 {
    for (board, _) in boards {
        let next = black_box(board).next();
        black_box(&next);
    }
    boards.len() as u64
}

fn next_together(eights: &mut [Boards]) -> u64 {
    eights.iter_mut().for_each(|boards| black_box(boards).advance());
    (eights.len() * Boards::COUNT) as u64
}

fn next_naive(boards: &[(Board, naive::Board)]) -> u64 {
    for (_, board) in boards {
        let next = naive::next(black_box(board));
        black_box(&next);
    }
    boards.len() as u64
}

/// Own and enemy change for every cell red may place in, summed so that nothing is left out.
fn score_fast(boards: &[(Board, naive::Board)]) -> u64 {
    for (board, _) in boards {
        let reach = arena_rules::conquerors::Reach::of(board, Colour::Red, &Options::V2);
        let candidates = reach.cells() & !board.living();
        let impacts = Impacts::of(black_box(board), Colour::Red);
        let sum: i32 =
            candidates.cells().map(|cell| i32::from(impacts.own(cell)) - i32::from(impacts.enemy(cell))).sum();
        black_box(sum);
    }
    boards.len() as u64
}

fn score_naive(boards: &[(Board, naive::Board)]) -> u64 {
    for (_, board) in boards {
        let candidates = naive::legal_cells(board, naive::Player::Red, naive::Options::V2);
        let sum: i64 = candidates
            .into_iter()
            .map(|cell| {
                let impact = naive::impact(black_box(board), naive::Player::Red, cell);
                impact.own - impact.enemy
            })
            .sum();
        black_box(sum);
    }
    boards.len() as u64
}

fn seat_rng(seed: u64, seat: Seat, ply: u16) -> Rng {
    let mut key = [seat.0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    Rng::new(&key, ply.into())
}

/// Plays a native game of a tier against itself, showing every position.
fn walk(tier: Tier, seed: u64, see: impl FnMut(&Position)) -> Position {
    walk_by(&Options::V2, Params::SHIPPED.of(tier), seed, see)
}

/// The same by other rules and with other numbers.
fn walk_by(options: &Options, params: &TierParams, seed: u64, mut see: impl FnMut(&Position)) -> Position {
    let mut position = Position::start(&(*options).into(), &[0; 32]);
    while let Some(seat) = position.to_move().map(Colour::seat) {
        see(&position);
        let mut words = seat_rng(seed, seat, position.ply());
        let turn = choose_with(&position, seat, params, &mut words);
        position.advance(BySeat::new(2, |other| (other == seat).then(|| turn.clone())));
    }
    position
}

fn native_game(tier: Tier, seed: u64) {
    black_box(walk(tier, seed, |_| {}));
}

/// The same game by the naive rule and naive scoring: equal words, equal turns.
fn naive_game(tier: Tier, seed: u64) {
    let tier = match tier {
        Tier::Easy => naive::Tier::Easy,
        Tier::Normal => naive::Tier::Normal,
        Tier::Hard => naive::Tier::Hard,
    };
    let mut game = naive::Game::new(naive::Options::V2);
    let mut ply = 0;
    while game.outcome.is_none() {
        let mut words = seat_rng(seed, Seat((ply % 2) as u8), ply);
        let turn = naive::choose_turn(tier, &naive::Params::SHIPPED, &game, &mut || words.word());
        if game.play(&turn).is_err() {
            break;
        }
        ply += 1;
    }
    black_box(game);
}

/// A baseline as a `.wasm` guest, played against itself by the referee: fuel, checks and record.
struct Guest {
    host: InProcess,
    terms: GameTerms,
    contender: Contender,
}

/// A player of a release before V2, as a native one and as a guest, in the V1 game.
struct Older {
    name: String,
    tier: Tier,
    params: Params,
    guest: Guest,
}

impl Older {
    fn all() -> Vec<Older> {
        let releases = [("v54", Params::V5_4), ("v55", Params::V5_5)];
        let players = releases.into_iter().flat_map(|release| Tier::ALL.map(|tier| (release, tier)));
        let older = players.map(|((release, params), tier)| {
            let name = format!("{}-{release}", tier.name());
            Older { guest: Guest::load(&name, &Options::V5), name, tier, params }
        });
        older.collect()
    }

    fn native_game(&self, seed: u64) {
        black_box(walk_by(&Options::V5, self.params.of(self.tier), seed, |_| {}));
    }
}

impl Guest {
    fn load(name: &str, options: &Options) -> Guest {
        let path = bots_folder().join(format!("baseline-{name}.wasm"));
        let bytes = std::fs::read(&path)
            .unwrap_or_else(|error| panic!("{}: {error}; run this as `cargo xtask bench`", path.display()));
        let options = Position::options_text(&(*options).into());
        let terms = GameTerms::new(Position::ID, &options, Budgets::DEFAULT, Wall::Milliseconds(10_000));
        let host = InProcess::new(Sandbox::new().expect("this machine runs bots"));
        let contender = host.load(&bytes, &Budgets::DEFAULT).expect("a bot of ours is accepted");
        Guest { host, terms, contender }
    }

    fn game(&self, seed: u64) {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let game = self.terms.game(key, &BySeat::from([&self.contender, &self.contender]));
        black_box(self.host.play(&game).expect("a baseline plays to the end"));
    }
}

fn bots_folder() -> PathBuf {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bots");
    std::env::var_os("ARENA_BOTS_DIR").map_or(default, PathBuf::from)
}

fn load(bytes: &[u8]) -> Bot {
    let sandbox = Sandbox::new().expect("this machine runs bots");
    sandbox.load(bytes, &Budgets::DEFAULT).expect("a bot of ours is accepted")
}

/// What a call and a fresh instance cost, with a guest that does nothing.
fn sandbox_times(times: &mut Times) {
    let idle = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\03\00")
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64) (i64.const 0x300000000)))"#;
    let bot = load(&wat::parse_str(idle).expect("valid text"));
    let observation = Position::start(&Options::V2.into(), &[0; 32]).observation(Seat(0), &[0; 32]);
    let fuel = Budgets::DEFAULT.fuel_per_move;
    let started = || {
        let mut player = SandboxPlayer::new(&bot);
        player.start(observation.len(), fuel).expect("it starts");
        player
    };
    let mut player = started();
    let turns = 20_000;
    let turn = seconds(|| {
        for _ in 0..turns {
            black_box(player.turn(black_box(&observation), fuel).expect("it answers"));
        }
    });
    times.note("turn call with copies, fuel reset and checks", turn / f64::from(turns));
    let instances = 2_000;
    let fresh = seconds(|| {
        for _ in 0..instances {
            black_box(started().turn(&observation, fuel).expect("it answers"));
        }
    });
    times.note("fresh instance with its first call", fresh / f64::from(instances));
}
