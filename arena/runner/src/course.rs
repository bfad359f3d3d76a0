//! The games of a tournament as far as its format has said them, and which of them count.
//!
//! When all games of the schedule are settled the format is asked for the next ones, and again, until there are none. So a
//! schedule only grows, and it follows from the plan and from what became of its games.

use arena_record::Record;
use arena_tournaments::{GameResult, ScheduledGame, Settled, SettledGame};

use crate::plan::Plan;
use crate::settlement::{Settlement, settle};
use crate::{Ended, Misfit};

/// What is played, and how far it is.
pub(crate) struct Course {
    /// All games that are known.
    pub(crate) schedule: Vec<ScheduledGame>,
    /// What is known of them.
    pub(crate) settled: Settlement,
    /// Games of the tournament, at most.
    games_max: usize,
}

impl Course {
    /// Before any game has ended.
    pub(crate) fn of(plan: &Plan) -> Course {
        let games_max = plan.format.games_max(plan.entrants.len());
        let mut course = Course { schedule: Vec::new(), settled: Settlement::default(), games_max };
        course.extend(plan, &|_| None);
        course
    }

    /// The game with this number, if what became of it fits; `None` when the schedule does not have it yet.
    pub(crate) fn check(&self, plan: &Plan, number: usize, ended: &Ended) -> Option<Result<(), Misfit>> {
        self.schedule.get(number).map(|game| plan.check(game, ended))
    }

    /// Works out anew what counts, after these games have ended. What became of a game that was not in the schedule before
    /// is checked before anything follows from it.
    ///
    /// # Errors
    /// The first number in the schedule under which there is no such game.
    pub(crate) fn settle<'a>(
        &mut self,
        plan: &Plan,
        ended: impl Fn(usize) -> Option<&'a Ended>,
    ) -> Result<(), (usize, Misfit)> {
        loop {
            self.settled = settle(&self.schedule, &ended);
            let known = self.schedule.len();
            if !self.is_over() || !self.extend(plan, &ended) {
                return Ok(());
            }
            for game in &self.schedule[known..] {
                let fits = ended(game.number).map_or(Ok(()), |ended| plan.check(game, ended));
                fits.map_err(|why| (game.number, why))?;
            }
        }
    }

    /// Asks for the games after these; whether there are any.
    fn extend<'a>(&mut self, plan: &Plan, ended: &impl Fn(usize) -> Option<&'a Ended>) -> bool {
        let settled = self.results(|number| ended(number)?.record());
        let next = plan.format.next(&plan.entrants, &settled);
        self.settled.open.extend(next.iter().map(|game| game.number));
        self.schedule.extend(next);
        !self.settled.open.is_empty()
    }

    /// Whether all is played: no game is open, and none follows.
    pub(crate) fn is_over(&self) -> bool {
        self.settled.open.is_empty()
    }

    /// Games that need not be played any more.
    pub(crate) fn played(&self) -> usize {
        self.schedule.len() - self.settled.open.len()
    }

    /// All games; as long as later ones follow from others, how many there may be.
    pub(crate) fn total(&self) -> usize {
        if self.is_over() { self.schedule.len() } else { self.games_max.max(self.schedule.len()) }
    }

    /// What the games came to that are settled, from their records.
    pub(crate) fn results<'a>(&self, record: impl Fn(usize) -> Option<&'a Record>) -> Settled {
        let Settlement { counted, void, quarantined, .. } = &self.settled;
        let settled = |game: &ScheduledGame| {
            let result = if counted.contains(&game.number) {
                Some(GameResult::of(record(game.number)?))
            } else if void.contains(&game.number) {
                None
            } else {
                return None;
            };
            Some(SettledGame { game: game.clone(), result })
        };
        let games = self.schedule.iter().filter_map(settled).collect();
        Settled { games, quarantined: quarantined.clone() }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::collections::BTreeMap;

    use arena_record::Budgets;
    use arena_rules::BySeat;
    use arena_sandbox::Wall;
    use arena_tournaments::{Entrant, Format, RoundRobin, Stage, Standings};

    use super::*;
    use crate::{Contender, Terms, VoidGame, testing};

    /// Who wins goes on; the first named where nobody does. A round follows from the one before.
    struct Cup;

    impl Format for Cup {
        fn name(&self) -> &'static str {
            "cup"
        }

        fn seed(&self) -> u64 {
            1
        }

        fn next(&self, entrants: &[Entrant], settled: &Settled) -> Vec<ScheduledGame> {
            let winner = |settled: &SettledGame| {
                let seat = settled.result.as_ref().and_then(|result| result.winner).map_or(0, |seat| seat.index());
                settled.game.seats.values()[seat]
            };
            let round = settled.games.last().map_or(0, |settled| settled.game.round + 1);
            let last = settled.games.iter().filter(|settled| settled.game.round + 1 == round);
            let left: Vec<usize> = if round == 0 { (0..entrants.len()).collect() } else { last.map(winner).collect() };
            let number = settled.games.len();
            let pairs = left.chunks_exact(2).enumerate();
            let game = |(at, pair): (usize, &[usize])| ScheduledGame {
                number: number + at,
                round,
                pairing: number + at,
                pair: 0,
                stage: Stage::Main,
                seats: BySeat::from(pair.to_vec()),
                seed: [(number + at) as u8; 32],
            };
            pairs.map(game).collect()
        }

        fn games_max(&self, entrants: usize) -> usize {
            entrants - 1
        }

        fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings {
            RoundRobin::new(1, 1).standings(entrants, settled)
        }
    }

    const NAMES: [&str; 4] = ["easy", "hard", "normal", "easy"];

    fn plan() -> Plan {
        let entrant = |name: &str| {
            let id = Contender::baseline("conquerors@2", name).unwrap().id();
            Entrant { name: name.into(), id }
        };
        let options = "chain_needs_home,weighted_majority";
        let terms = Terms::new("conquerors@2", options, Budgets::DEFAULT, Wall::None);
        Plan::on(terms, NAMES.map(entrant).into(), Box::new(Cup))
    }

    fn played(plan: &Plan, game: &ScheduledGame) -> Ended {
        let contenders = NAMES.map(|name| Contender::baseline("conquerors@2", name).unwrap());
        Ended::Played(testing::play(plan.fixture(game, &contenders)))
    }

    /// Plays to the end, each time the open game that `pick` chooses; how long the schedule was after each.
    fn to_the_end(plan: &Plan, pick: impl Fn(&[usize]) -> usize) -> (Course, BTreeMap<usize, Ended>, Vec<usize>) {
        let (mut course, mut ended) = (Course::of(plan), BTreeMap::new());
        let mut lengths = Vec::new();
        while !course.is_over() {
            let number = pick(&course.settled.open);
            let before = course.schedule.clone();
            ended.insert(number, played(plan, &before[number]));
            course.settle(plan, |number| ended.get(&number)).unwrap();
            assert!(course.schedule.starts_with(&before), "what was said once stays");
            lengths.push(course.schedule.len());
        }
        (course, ended, lengths)
    }

    #[test]
    fn a_round_follows_from_the_one_before_whatever_the_order_of_its_games() {
        let plan = plan();
        let (course, ended, lengths) = to_the_end(&plan, |open| open[0]);
        assert_eq!((lengths, course.played(), course.total()), (vec![2, 3, 3], 3, 3));
        let winners = [0, 1].map(|number: usize| {
            let game = &course.schedule[number];
            let winner = GameResult::of(ended[&number].record().unwrap()).winner;
            game.seats.values()[winner.map_or(0, |seat| seat.index())]
        });
        assert_eq!(course.schedule[2].seats.values(), winners);
        let (other, ..) = to_the_end(&plan, |open| open[open.len() - 1]);
        assert_eq!((&other.schedule, &other.settled), (&course.schedule, &course.settled));
        // From a journal that has all of it, at once.
        let mut again = Course::of(&plan);
        assert_eq!((again.played(), again.total()), (0, 3));
        again.settle(&plan, |number| ended.get(&number)).unwrap();
        assert_eq!((&again.schedule, &again.settled), (&course.schedule, &course.settled));
    }

    #[test]
    fn a_game_of_a_later_round_is_checked_before_anything_follows_from_it() {
        let plan = plan();
        let (_, mut ended, _) = to_the_end(&plan, |open| open[0]);
        ended.insert(2, ended[&0].clone());
        let settled = Course::of(&plan).settle(&plan, |number| ended.get(&number));
        assert_eq!(settled, Err((2, Misfit::OtherHeader)));
        // Nobody's process dies in a game of built-in opponents.
        ended.insert(2, Ended::Void(VoidGame { tries: 3, quarantined: vec![] }));
        let settled = Course::of(&plan).settle(&plan, |number| ended.get(&number));
        assert_eq!(settled, Err((2, Misfit::Void)));
    }
}
