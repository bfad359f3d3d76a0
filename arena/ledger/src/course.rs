//! The games of a tournament, as far as its format has scheduled them, and which of them count.
//!
//! When all scheduled games are settled, the format is asked for more, until there are none. So a schedule only grows,
//! and follows from the plan and the games' results. Only what counts of a game is kept here: its record is in the
//! journal.

use std::collections::BTreeMap;

use arena_tournaments::{Fate, GameResult, Leave, Left, Settled};

use crate::plan::Plan;
use crate::settlement::settle;
use crate::{Ended, Misfit, VoidGame};

/// The schedule of a tournament, and its progress.
#[derive(Clone)]
pub struct Course {
    /// All scheduled games, with their results.
    pub settled: Settled,
    /// Games that are still to be played.
    pub open: Vec<usize>,
    /// Games that were played and are void.
    void: BTreeMap<usize, VoidGame>,
    /// The maximum number of games of the tournament.
    games_max: usize,
    /// The next round, if it cannot be scheduled because its seed is not drawn yet.
    pub undrawn: Option<usize>,
}

impl Course {
    /// The course before any game has ended.
    pub fn of(plan: &Plan) -> Course {
        let games_max = plan.format.games_max(plan.entrants.len());
        let mut settled = Settled::default();
        settled.anchor.clone_from(&plan.anchor);
        let (open, void) = (Vec::new(), BTreeMap::new());
        let mut course = Course { settled, open, void, games_max, undrawn: None };
        course.settle(plan);
        course
    }

    /// Takes the result of a game, if it is valid. Returns `false` if the schedule does not have the game yet. Call
    /// [`settle`](Course::settle) afterwards.
    ///
    /// # Errors
    /// When this cannot be the result of a game of this tournament.
    pub fn accept(&mut self, plan: &Plan, number: usize, ended: &Ended) -> Result<bool, Misfit> {
        if number >= self.games_max.max(self.settled.len()) {
            return Err(Misfit::NotScheduled);
        }
        let Some(game) = self.settled.game(number) else { return Ok(false) };
        if self.settled.fate(number) == Some(Fate::Cancelled) {
            return Err(Misfit::Left);
        }
        plan.check(&game, ended)?;
        if self.has_ended(number) {
            return Err(Misfit::Twice);
        }
        self.keep(number, ended);
        Ok(true)
    }

    /// Keeps the result of a scheduled game.
    pub fn keep(&mut self, number: usize, ended: &Ended) {
        match ended {
            Ended::Played(record) => self.settled.keep(number, &GameResult::of(record)),
            Ended::Void(void) => drop(self.void.insert(number, void.clone())),
        }
    }

    fn has_ended(&self, number: usize) -> bool {
        self.settled.has_result(number) || self.void.contains_key(&number)
    }

    /// Whether a result counts for the same as the one that was kept.
    pub fn agrees(&self, number: usize, ended: &Ended) -> bool {
        match ended {
            Ended::Played(record) => self.settled.result(number) == Some(GameResult::of(record)),
            Ended::Void(VoidGame { quarantined, .. }) => {
                self.void.get(&number).is_some_and(|void| void.quarantined == *quarantined)
            }
        }
    }

    /// Replaces the result of a game that was played and is void.
    pub fn replace_void(&mut self, number: usize, ended: &Ended) {
        self.void.remove(&number);
        self.keep(number, ended);
    }

    /// Played games that are void, with their results.
    pub fn played_void(&self) -> &BTreeMap<usize, VoidGame> {
        &self.void
    }

    /// Recomputes which games count, and asks for more games when all are settled.
    pub fn settle(&mut self, plan: &Plan) {
        self.undrawn = None;
        loop {
            let round = self.settled.next_round();
            let first = |round| self.settled.first_of(round);
            let entered = plan.entered().map(|(entrant, from)| (entrant, first(from))).collect();
            let gone = plan.gone().into_iter().filter(|(_, (from, _))| *from <= round);
            let gone = gone.map(|(entrant, (from, why))| (entrant, Left { from: first(from), why })).collect();
            self.settled.entered = entered;
            self.open = settle(&mut self.settled, &self.void, gone);
            if !self.open.is_empty() {
                return;
            }
            let present = plan.present(round);
            let Some(format) = plan.format_of(round) else {
                // Whether a round follows does not depend on its seed.
                self.undrawn = Some(round).filter(|_| !plan.format.next(present, &self.settled).is_empty());
                return;
            };
            let next = format.next(present, &self.settled);
            if next.is_empty() {
                return;
            }
            self.settled.append(next);
        }
    }

    /// The games as of now, counting those that have ended.
    pub fn now(&self) -> Settled {
        let (mut now, gone) = (self.settled.clone(), self.settled.left.clone());
        settle(&mut now, &self.void, gone.into_iter().filter(|(_, left)| left.why != Leave::Quarantined).collect());
        now
    }

    /// The first round without an ended game.
    pub fn first_unplayed(&self) -> usize {
        let ended = (0..self.settled.len()).rev().find(|number| self.has_ended(*number));
        let ended = ended.and_then(|number| self.settled.game(number));
        ended.map_or(0, |game| game.round + 1)
    }

    /// Whether everything is played: no game is open, and no more follow.
    pub fn is_over(&self) -> bool {
        self.open.is_empty() && self.undrawn.is_none()
    }

    /// The games that count, in schedule order.
    pub fn counted(&self) -> impl Iterator<Item = usize> {
        (0..self.settled.len()).filter(|number| self.settled.fate(*number) == Some(Fate::Counted))
    }

    /// How many games of each entrant have ended; an entrant without any is absent.
    pub fn ended_of(&self) -> BTreeMap<usize, usize> {
        let mut games = BTreeMap::new();
        let ended = (0..self.settled.len()).filter(|number| self.has_ended(*number));
        for game in ended.filter_map(|number| self.settled.game(number)) {
            game.seats.values().iter().for_each(|entrant| *games.entry(*entrant).or_default() += 1);
        }
        games
    }

    /// Games that need not be played any more.
    pub fn played(&self) -> usize {
        self.settled.len() - self.open.len()
    }

    /// The number of games; while later games depend on earlier ones, the maximum.
    pub fn total(&self) -> usize {
        if self.is_over() { self.settled.len() } else { self.games_max.max(self.settled.len()) }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use arena_record::EntrantId;
    use arena_rules::BySeat;
    use arena_tournaments::{Entrant, Format, RoundRobin, Schedule, ScheduledGame, SettledGame, Stage, Standings};

    use super::*;
    use crate::{VoidGame, testing};

    /// A knockout: the winner goes on, or the first named if nobody wins. Each round follows from the one before.
    struct Cup;

    impl Format for Cup {
        fn name(&self) -> &'static str {
            "cup"
        }

        fn seed(&self) -> u64 {
            1
        }

        fn next(&self, entrants: &[Entrant], settled: &Settled) -> Schedule {
            let winner = |settled: &SettledGame| {
                let seat = settled.result.as_ref().and_then(|result| result.winner).map_or(0, |seat| seat.index());
                settled.game.seats.values()[seat]
            };
            let games: Vec<SettledGame> = settled.games().collect();
            let round = games.last().map_or(0, |settled| settled.game.round + 1);
            let last = games.iter().filter(|settled| settled.game.round + 1 == round);
            let left: Vec<usize> = if round == 0 { (0..entrants.len()).collect() } else { last.map(winner).collect() };
            let number = games.len();
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
        let entrant = |name: &str| Entrant::new(name, EntrantId::of_baseline(name, 1));
        Plan::on(testing::terms(), NAMES.map(entrant).into(), Box::new(Cup))
    }

    fn played(plan: &Plan, game: &ScheduledGame) -> Ended {
        Ended::Played(testing::play(plan.header(game)))
    }

    fn schedule(course: &Course) -> Vec<ScheduledGame> {
        (0..course.settled.len()).filter_map(|number| course.settled.game(number)).collect()
    }

    /// Takes games in an order in which some are not scheduled yet.
    fn taken(plan: &Plan, ended: &[(usize, Ended)]) -> Result<Course, Misfit> {
        let (mut course, mut later) = (Course::of(plan), Vec::new());
        for (number, ended) in ended {
            if !course.accept(plan, *number, ended)? {
                later.push((*number, ended));
            }
        }
        course.settle(plan);
        for (number, ended) in later {
            assert!(course.accept(plan, number, ended)?);
        }
        course.settle(plan);
        Ok(course)
    }

    /// Plays to the end, each time the open game that `pick` chooses; also returns the length of the schedule after
    /// each.
    fn to_the_end(plan: &Plan, pick: impl Fn(&[usize]) -> usize) -> (Course, Vec<(usize, Ended)>, Vec<usize>) {
        let (mut course, mut ended) = (Course::of(plan), Vec::new());
        let mut lengths = Vec::new();
        while !course.is_over() {
            let number = pick(&course.open);
            let before = schedule(&course);
            let game = played(plan, &before[number]);
            assert_eq!(course.accept(plan, number, &game), Ok(true));
            ended.push((number, game));
            course.settle(plan);
            assert!(schedule(&course).starts_with(&before), "what was said once stays");
            lengths.push(course.settled.len());
        }
        ended.sort_by_key(|(number, _)| *number);
        (course, ended, lengths)
    }

    #[test]
    fn a_round_follows_from_the_one_before_whatever_the_order_of_its_games() {
        let plan = plan();
        let (course, ended, lengths) = to_the_end(&plan, |open| open[0]);
        assert_eq!((lengths, course.played(), course.total()), (vec![2, 3, 3], 3, 3));
        let winners = [0, 1].map(|number: usize| {
            let game = course.settled.game(number).unwrap();
            let winner = course.settled.result(number).unwrap().winner;
            game.seats.values()[winner.map_or(0, |seat| seat.index())]
        });
        assert_eq!(schedule(&course)[2].seats.values(), winners);
        let (other, ..) = to_the_end(&plan, |open| open[open.len() - 1]);
        assert_eq!((schedule(&other), &other.open), (schedule(&course), &course.open));
        let first = schedule(&course)[0].seats.values().iter().map(|entrant| (*entrant, 1)).collect();
        assert_eq!(taken(&plan, &ended[..1]).unwrap().ended_of(), first);
        assert_eq!(course.ended_of().values().sum::<usize>(), 2 * 3);
        // From a complete journal, in any order.
        let again = Course::of(&plan);
        assert_eq!((again.played(), again.total()), (0, 3));
        let backwards: Vec<(usize, Ended)> = ended.into_iter().rev().collect();
        let again = taken(&plan, &backwards).unwrap();
        assert_eq!((schedule(&again), &again.open), (schedule(&course), &course.open));
        assert!(again.counted().eq(0..3));
    }

    #[test]
    fn a_game_is_checked_before_anything_follows_from_it() {
        let plan = plan();
        let (_, ended, _) = to_the_end(&plan, |open| open[0]);
        let with = |number: usize, game: Ended| taken(&plan, &[&ended[..2], &[(number, game)]].concat()).map(drop);
        assert_eq!(with(2, ended[2].1.clone()), Ok(()));
        assert_eq!(with(2, ended[0].1.clone()), Err(Misfit::OtherHeader), "of a later round");
        assert_eq!(with(1, ended[1].1.clone()), Err(Misfit::Twice));
        assert_eq!(with(3, ended[0].1.clone()), Err(Misfit::NotScheduled));
        // In a game of built-in opponents no process can die.
        assert_eq!(with(2, Ended::Void(VoidGame { tries: 3, quarantined: vec![] })), Err(Misfit::Void));
    }
}
