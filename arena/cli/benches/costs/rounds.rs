//! What rounds and standings of 1,000 entrants cost: the scheduler's part of a tournament.

use arena_record::{Digest, EntrantId};
use arena_rules::{BySeat, Reason, Rng, Seat};
use arena_tournaments::{
    Entrant, Format, GameResult, Ladder, ScheduledGame, Settled, SettledGame, Swiss, TieBreak, TieBreaks,
};

use crate::cpu::thread_seconds;

const ENTRANTS: usize = 1_000;
const ROUNDS: u32 = 11;
/// Pairs of a pairing in a Swiss tournament, when nothing is said.
const PAIRS: u32 = 4;

/// What a tournament's rounds took, in seconds.
pub(crate) struct Rounds {
    pub(crate) format: &'static str,
    /// The costliest round.
    pub(crate) costliest: f64,
    /// All rounds, one after the other: what deriving them again takes.
    pub(crate) all: f64,
    /// The standings, with rank intervals, and their files.
    pub(crate) standings: f64,
    /// The rounds' part of a game.
    pub(crate) of_a_game: f64,
}

/// A Swiss tournament and a ladder, in which the stronger wins more often.
pub(crate) fn rounds() -> [Rounds; 2] {
    let tie_breaks = TieBreaks::new(&TieBreak::ALL).expect("each once");
    let swiss = Swiss { seed: 1, pairs: PAIRS, rounds: ROUNDS, tie_breaks };
    let ladder = Ladder { seed: 1, rounds: ROUNDS, stop: None };
    [measured(&swiss), measured(&ladder)]
}

fn measured(format: &dyn Format) -> Rounds {
    let entrants: Vec<Entrant> = (0..ENTRANTS).map(entrant).collect();
    let (mut settled, mut rng, mut times) = (Settled::default(), Rng::new(&[1; 32], 0), Vec::new());
    loop {
        let start = thread_seconds();
        let games = format.next(&entrants, &settled);
        if games.is_empty() {
            break;
        }
        times.push(thread_seconds() - start);
        settled.extend(games.iter().map(|game| {
            let result = Some(result(&mut rng, &game));
            SettledGame { game, result }
        }));
    }
    assert_eq!(times.len(), ROUNDS as usize, "all rounds");
    let start = thread_seconds();
    let standings = format.standings(&entrants, &settled);
    let files = standings.files();
    let (took, all) = (thread_seconds() - start, times.iter().sum::<f64>());
    assert!(standings.rows.len() == ENTRANTS && !files.is_empty(), "everybody has a row");
    let costliest = times.iter().copied().fold(0.0, f64::max);
    Rounds { format: format.name(), costliest, all, standings: took, of_a_game: all / settled.len() as f64 }
}

fn entrant(number: usize) -> Entrant {
    let name = format!("bot{number}");
    Entrant::new(name.clone(), EntrantId::of_bytes(name.as_bytes()))
}

/// The stronger is the one whose number is smaller.
fn result(rng: &mut Rng, game: &ScheduledGame) -> GameResult {
    let [first, second] = [0, 1].map(|seat: usize| game.seats.values()[seat] as f64);
    let chance = 1.0 / (1.0 + ((first - second) / 200.0).exp());
    let winner = Some(Seat(u8::from(f64::from(rng.word()) >= chance * 4_294_967_296.0)));
    let mut digest: Digest = [0; 32];
    digest[..8].copy_from_slice(&(game.number as u64).to_le_bytes());
    let (forfeits, tally) = (Vec::new(), BySeat::from([0, 0]));
    GameResult { winner, forfeits, tally, digest, reason: Reason::Majority, turns: 0 }
}
