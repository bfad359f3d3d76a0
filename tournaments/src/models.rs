//! Whether draws and the first seat's advantage pay as parameters of the rating: what models say of pairs that they have not seen.
//!
//! Recorded round robins (`tests/vectors/played`) are cut into ten parts by the numbers of their pairs. Each model is fitted to nine and
//! judged by the logarithm of the chance that it gives to the games of the tenth, and so for all ten. All have the pseudo-draws of
//! [`rating`](crate::Rating). Draws are those of R. Davidson, "On extending the Bradley-Terry model to accommodate ties" (1970): a draw
//! has a chance of n sqrt(p q) beside p and q. The first seat's advantage is a strength that whoever has it has more.
//!
//! - **results**: of win, draw and loss. Where draws are no parameter, they have the part of games that they had in the nine.
//! - **scores**: of the points alone, a draw as half a win and half a loss: what a rating is for.
//!
//! [Decision 17](../../docs/decisions/0017-own-bradley-terry.md) has what it came to.

#![expect(clippy::print_stdout, reason = "what the decision cites")]

use std::collections::BTreeMap;

use crate::rating::{ELO, expected};

/// Parts that the pairs are cut into.
const PARTS: usize = 10;
/// A fit ends when no parameter moves by more than this, or after so many rounds.
const TOLERANCE: f64 = 1e-6;
const ROUNDS_MAX: usize = 300;
/// For the derivatives of a parameter, and how far one moves at once.
const STEP: f64 = 1e-4;
const STEP_MAX: f64 = 1.0;
/// Part of the smaller of two chances that a draw of constant frequency leaves.
const LEFT: f64 = 0.9;

/// A game as the first seat saw it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Game {
    first: usize,
    second: usize,
    /// Half points of the first seat.
    half_points: u8,
}

/// A recorded tournament: its entrants, and its games with the numbers of their pairs.
struct Played {
    entrants: Vec<&'static str>,
    games: Vec<(usize, Game)>,
}

impl Played {
    /// Lines such as `easy hard: lw dl`: of each pair what came of its two games for the one who is named first, who has the first seat
    /// in the first of them. A dot is a game that does not count.
    fn parse(text: &'static str) -> Played {
        let mut played = Played { entrants: Vec::new(), games: Vec::new() };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (both, pairs) = line.split_once(": ").expect("a colon");
            let [one, other] = both.split(' ').map(|name| played.entrant(name)).collect::<Vec<_>>()[..] else {
                panic!("two names: {both}")
            };
            for (number, pair) in pairs.split(' ').enumerate() {
                for (seats, came) in [[one, other], [other, one]].into_iter().zip(pair.chars()) {
                    let own = match came {
                        'w' => 2,
                        'd' => 1,
                        'l' => 0,
                        _ => continue,
                    };
                    let half_points = if seats[0] == one { own } else { 2 - own };
                    played.games.push((number, Game { first: seats[0], second: seats[1], half_points }));
                }
            }
        }
        played
    }

    fn entrant(&mut self, name: &'static str) -> usize {
        let known = self.entrants.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            self.entrants.push(name);
            self.entrants.len() - 1
        })
    }

    /// How often each kind of game was played in pairs whose numbers are wanted.
    fn counts(&self, is_wanted: impl Fn(usize) -> bool) -> BTreeMap<Game, f64> {
        let mut counts = BTreeMap::new();
        for (_, game) in self.games.iter().filter(|(pair, _)| is_wanted(*pair)) {
            *counts.entry(*game).or_default() += 1.0;
        }
        counts
    }
}

/// What a model has besides strengths.
#[derive(Clone, Copy, Debug)]
struct Model {
    draws: bool,
    seats: bool,
}

/// A model with its parameters.
struct Fitted {
    model: Model,
    entrants: usize,
    /// Strengths, the advantage of the first seat, the logarithm of how frequent draws are.
    parameters: Vec<f64>,
    /// The part of games that were drawn.
    drawn: f64,
}

/// The chances of a loss, a draw and a win of the first seat.
type Chances = [f64; 3];

impl Fitted {
    fn to(model: Model, entrants: usize, counts: &BTreeMap<Game, f64>) -> Fitted {
        let (all, drawn) = counts.iter().fold((0.0, 0.0), |(all, drawn), (game, count)| {
            (all + count, drawn + if game.half_points == 1 { *count } else { 0.0 })
        });
        let mut fitted = Fitted { model, entrants, parameters: vec![0.0; entrants + 2], drawn: drawn / all };
        // One parameter after the other, then all strengths together.
        let others = [(model.seats, entrants), (model.draws, entrants + 1)];
        let others = others.into_iter().filter_map(|(is_used, place)| is_used.then_some(place));
        let moves: Vec<Vec<usize>> =
            (0..entrants).chain(others).map(|place| vec![place]).chain([(0..entrants).collect()]).collect();
        for _ in 0..ROUNDS_MAX {
            let moved = moves.iter().fold(0.0_f64, |moved, places| moved.max(fitted.climb(places, counts).abs()));
            if moved < TOLERANCE {
                break;
            }
        }
        fitted
    }

    /// Moves some parameters together by a step of Newton's method, and says how far.
    fn climb(&mut self, places: &[usize], counts: &BTreeMap<Game, f64>) -> f64 {
        let mut moved_by = |step: f64| {
            places.iter().for_each(|place| self.parameters[*place] += step);
            self.likelihood(counts)
        };
        let (here, above, below) = (moved_by(0.0), moved_by(STEP), moved_by(-2.0 * STEP));
        let (slope, bend) = ((above - below) / (2.0 * STEP), (above - 2.0 * here + below) / (STEP * STEP));
        let step = if bend < 0.0 { (-slope / bend).clamp(-STEP_MAX, STEP_MAX) } else { 0.0 };
        moved_by(STEP + step);
        step
    }

    fn draws(&self) -> f64 {
        if self.model.draws { libm::exp(self.parameters[self.entrants + 1]) } else { 0.0 }
    }

    /// The chances of a game by the model; where draws are none of its parameters there are none, and a drawn game is half of either.
    fn chances(&self, first: f64, second: f64) -> Chances {
        let (win, loss) = (libm::exp((first - second) / 2.0), libm::exp((second - first) / 2.0));
        let draws = self.draws();
        let all = win + loss + draws;
        [loss / all, draws / all, win / all]
    }

    fn of_game(&self, game: &Game) -> Chances {
        let advantage = if self.model.seats { self.parameters[self.entrants] } else { 0.0 };
        self.chances(self.parameters[game.first] + advantage, self.parameters[game.second])
    }

    /// The logarithm of the chance of all games and of the pseudo-draws, as they are counted in the fit.
    fn likelihood(&self, counts: &BTreeMap<Game, f64>) -> f64 {
        let log = |chances: Chances, half_points: u8| match (half_points, self.model.draws) {
            (1, false) => (libm::log(chances[0]) + libm::log(chances[2])) / 2.0,
            (half_points, _) => libm::log(chances[usize::from(half_points)]),
        };
        let games =
            counts.iter().fold(0.0, |sum, (game, count)| sum + count * log(self.of_game(game), game.half_points));
        self.parameters[..self.entrants].iter().fold(games, |sum, strength| {
            let chance = expected(*strength, 0.0);
            sum + (libm::log(chance) + libm::log(1.0 - chance)) / 2.0
        })
    }

    /// The logarithms of the chance of a game's result, and of its points.
    fn judged(&self, game: &Game) -> [f64; 2] {
        let [loss, draw, win] = self.of_game(game);
        let score = win + draw / 2.0;
        let points = f64::from(game.half_points) / 2.0;
        let chances = if self.model.draws {
            [loss, draw, win]
        } else {
            let drawn = self.drawn.min(2.0 * LEFT * score.min(1.0 - score));
            [1.0 - score - drawn / 2.0, drawn, score - drawn / 2.0]
        };
        let least = f64::MIN_POSITIVE;
        [
            libm::log(chances[usize::from(game.half_points)].max(least)),
            points * libm::log(score) + (1.0 - points) * libm::log(1.0 - score),
        ]
    }

    /// The strengths in Elo points above their mean.
    fn ratings(&self) -> Vec<f64> {
        let strengths = &self.parameters[..self.entrants];
        let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
        strengths.iter().map(|strength| ELO * (strength - mean)).collect()
    }
}

/// What a parameter gains on pairs that were not seen, in thousandths of a unit of logarithm for each game, with twice its error.
#[derive(Clone, Copy, Debug)]
struct Gain {
    mean: f64,
    twice_error: f64,
}

impl Gain {
    /// From what each pair gained.
    fn of(pairs: &[f64], games: usize) -> Gain {
        let count = pairs.len() as f64;
        let mean = pairs.iter().sum::<f64>() / count;
        let squares = pairs.iter().map(|pair| (pair - mean) * (pair - mean)).sum::<f64>();
        let unit = 1_000.0 * count / games as f64;
        Gain { mean: unit * mean, twice_error: 2.0 * unit * libm::sqrt(squares / (count - 1.0) / count) }
    }
}

const PLAIN: Model = Model { draws: false, seats: false };
const MODELS: [(&str, Model); 3] = [
    ("seats", Model { draws: false, seats: true }),
    ("draws", Model { draws: true, seats: false }),
    ("both", Model { draws: true, seats: true }),
];

/// What a model gains over the plain one in results and in scores, and by how many Elo points it moves a rating at most.
fn compare(played: &Played, model: Model) -> ([Gain; 2], f64) {
    let entrants = played.entrants.len();
    // By pairing and pair.
    let mut gains: BTreeMap<([usize; 2], usize), [f64; 2]> = BTreeMap::new();
    for part in 0..PARTS {
        let seen = played.counts(|pair| pair % PARTS != part);
        let [plain, other] = [PLAIN, model].map(|model| Fitted::to(model, entrants, &seen));
        for (pair, game) in played.games.iter().filter(|(pair, _)| pair % PARTS == part) {
            let both = [game.first.min(game.second), game.first.max(game.second)];
            let gain = gains.entry((both, *pair)).or_default();
            let judged = other.judged(game).into_iter().zip(plain.judged(game));
            gain.iter_mut().zip(judged).for_each(|(gain, (other, plain))| *gain += other - plain);
        }
    }
    let of = |which: usize| Gain::of(&gains.values().map(|gain| gain[which]).collect::<Vec<_>>(), played.games.len());
    let all = played.counts(|_| true);
    let [plain, other] = [PLAIN, model].map(|model| Fitted::to(model, entrants, &all).ratings());
    let moved = plain.iter().zip(&other).map(|(plain, other)| (plain - other).abs()).fold(0.0, f64::max);
    ([of(0), of(1)], moved)
}

#[test]
fn two_parameters_more_pay_too_little() {
    for (name, text) in RECORDED {
        let played = Played::parse(text);
        let drawn = played.games.iter().filter(|(_, game)| game.half_points == 1).count();
        println!("{name}: {} games of {} entrants, {drawn} drawn", played.games.len(), played.entrants.len());
        for (what, model) in MODELS {
            let ([results, scores], moved) = compare(&played, model);
            let all = Fitted::to(model, played.entrants.len(), &played.counts(|_| true));
            let advantage = ELO * all.parameters[all.entrants];
            println!(
                "  {what}: results {:+.2} ± {:.2}, scores {:+.2} ± {:.2} thousandths a game; ratings move by {moved:.1} Elo points at \
                 most; first seat {advantage:+.1} Elo points",
                results.mean, results.twice_error, scores.mean, scores.twice_error
            );
        }
    }
}
