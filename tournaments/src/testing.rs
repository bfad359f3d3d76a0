//! Entrants and results for the tests of formats.

use arena_record::EntrantId;
use arena_rules::{BySeat, Rng, Seat};

use crate::{Entrant, Format, GameResult, ScheduledGame, Settled, SettledGame};

/// The trials of a test that draws them.
pub(crate) struct Trials {
    pub(crate) count: u64,
    key: [u8; 32],
}

impl Trials {
    /// So many trials with this key in the gate. `cargo xtask coverage` makes more of them, with the seed of its night.
    pub(crate) fn new(usual: u64, key: u8) -> Trials {
        const TOURNAMENTS_A_MULTIPLE: u64 = 1_000;
        let setting = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
        let times = setting("ARENA_TOURNAMENTS").map_or(1, |count| count.div_ceil(TOURNAMENTS_A_MULTIPLE));
        let mut trials = Trials { count: usual * times, key: [key; 32] };
        if let Some(seed) = setting("ARENA_TOURNAMENT_SEED") {
            trials.key[..8].copy_from_slice(&seed.to_le_bytes());
        }
        trials
    }

    /// The random numbers of one of them.
    pub(crate) fn rng(&self, number: u64) -> Rng {
        Rng::new(&self.key, number)
    }
}

/// A number of entrants.
pub(crate) fn entrants(count: usize) -> Vec<Entrant> {
    let make = |number: usize| {
        let name = format!("bot{number}");
        Entrant::new(name.clone(), EntrantId::of_bytes(name.as_bytes()))
    };
    (0..count).map(make).collect()
}

/// A drawn game.
pub(crate) fn drawn() -> GameResult {
    won(None, 0)
}

/// A game won by a seat, different from all games with another number.
pub(crate) fn won(winner: Option<Seat>, number: usize) -> GameResult {
    let mut digest = [0; 32];
    digest[..8].copy_from_slice(&(number as u64).to_le_bytes());
    GameResult {
        winner,
        forfeits: Vec::new(),
        tally: BySeat::from([0, 0]),
        digest,
        reason: arena_rules::Reason::Majority,
        turns: 0,
    }
}

/// Plays a tournament to its end, like a runner: `winner` gives the winner of each game. Also checks the invariants of
/// all formats.
pub(crate) fn play(
    format: &dyn Format,
    entrants: &[Entrant],
    mut winner: impl FnMut(&ScheduledGame) -> Option<usize>,
) -> Settled {
    let mut settled = Settled::default();
    loop {
        let next = format.next(entrants, &settled);
        if next.is_empty() {
            assert!(settled.len() <= format.games_max(entrants.len()), "{} games", settled.len());
            return settled;
        }
        let next: Vec<ScheduledGame> = next.iter().collect();
        for (pair, number) in next.chunks(2).zip((settled.len()..).step_by(2)) {
            let [one, other] = pair else { panic!("half a pair") };
            assert_eq!((one.number, other.number, one.seed), (number, number + 1, other.seed));
            let (straight, swapped) = (one.seats.values(), other.seats.values());
            assert!(straight[0] == swapped[1] && straight[1] == swapped[0] && straight[0] != straight[1]);
        }
        for game in next {
            let winner = winner(&game);
            let seat = winner.and_then(|winner| game.seats.iter().find(|(_, entrant)| **entrant == winner));
            let result = Some(won(seat.map(|(seat, _)| seat), game.number));
            settled.extend([SettledGame { game, result }]);
        }
    }
}

/// The winner of a game, if each entrant is stronger by `slope` than the next one; a drawn lot decides.
pub(crate) fn by_strength(rng: &mut Rng, slope: f64) -> impl FnMut(&ScheduledGame) -> Option<usize> {
    move |game| {
        let [first, second] = *game.seats.values() else { panic!("two seats") };
        let chance = 1.0 / (1.0 + libm::exp((first as f64 - second as f64) * slope));
        Some(if f64::from(rng.word()) < chance * 4_294_967_296.0 { first } else { second })
    }
}
