//! The bots behind the entrants of a tournament. Entrants with equal bytes are one bot under several names: they share
//! its strength, and a game that two of them played alike is one game.

use std::collections::BTreeMap;

use arena_record::EntrantId;

use crate::Entrant;
use crate::note::{Note, Remark};

/// The bots of a tournament, numbered by their first entrants.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bots {
    /// By entrant: its bot.
    of: Vec<usize>,
    /// By bot: its first entrant.
    first: Vec<usize>,
}

impl Bots {
    pub(crate) fn of(entrants: &[Entrant]) -> Bots {
        let mut known: BTreeMap<&EntrantId, usize> = BTreeMap::new();
        let mut bots = Bots::default();
        for (number, entrant) in entrants.iter().enumerate() {
            let bot = *known.entry(&entrant.id).or_insert(bots.first.len());
            if bot == bots.first.len() {
                bots.first.push(number);
            }
            bots.of.push(bot);
        }
        bots
    }

    /// The number of bots.
    pub(crate) fn count(&self) -> usize {
        self.first.len()
    }

    /// The bot of an entrant.
    pub(crate) fn bot(&self, entrant: usize) -> usize {
        self.of[entrant]
    }

    /// Whether two entrants are one bot.
    pub(crate) fn are_one(&self, one: usize, other: usize) -> bool {
        self.of[one] == self.of[other]
    }

    /// Whether every entrant is a bot of its own.
    pub(crate) fn are_all_different(&self) -> bool {
        self.of.len() == self.first.len()
    }

    /// The first entrant of each bot.
    pub(crate) fn firsts<'a>(&self, entrants: &'a [Entrant]) -> Vec<&'a Entrant> {
        self.first.iter().map(|entrant| &entrants[*entrant]).collect()
    }

    /// The entrants of each bot that has several.
    pub(crate) fn shared(&self) -> Vec<Vec<usize>> {
        let mut entrants = vec![Vec::new(); self.count()];
        self.of.iter().enumerate().for_each(|(entrant, bot)| entrants[*bot].push(entrant));
        entrants.into_iter().filter(|entrants| entrants.len() > 1).collect()
    }

    /// A note on bots that have several names; `what` is the value that these share. `None` if there are none.
    pub(crate) fn note(&self, what: &str) -> Option<Note> {
        let text = format!(
            "equal bytes: {} entrants, {} different; names of the same bot share a {what}, and a game that they played alike counts once in it",
            self.of.len(),
            self.count()
        );
        let (entrants, different) = (self.of.len(), self.count());
        let what = Remark::EqualBytes([entrants, different], what == "rating");
        (!self.are_all_different()).then(|| Note::fact(text, what))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use arena_rules::{Rng, Seat};
    use sha2::{Digest as _, Sha256};

    use super::*;
    use crate::testing::{Trials, by_strength, entrants, play, won};
    use crate::{
        Field, Format, Gauntlet, Knockout, Ladder, Lives, Rank, RoundRobin, Row, ScheduledGame, Seeding, Settled,
        Standings, Swiss, TieBreaks, Value,
    };

    /// Entrants of which each is, by `of`, the one with this number under another name.
    fn twins(of: &[usize]) -> Vec<Entrant> {
        let mut names = entrants(of.len());
        for (copy, of) in of.iter().enumerate() {
            names[copy].id = names[*of].id.clone();
        }
        names
    }

    #[test]
    fn equal_bytes_are_one_bot_and_a_note_says_so() {
        let names = entrants(10);
        assert!(Bots::of(&names).are_all_different() && Bots::of(&names).note("rating").is_none());
        let names = twins(&[0, 1, 2, 3, 4, 0, 1, 2, 3, 0]);
        let bots = Bots::of(&names);
        assert_eq!((bots.count(), bots.bot(9), bots.are_one(5, 9), bots.are_one(4, 9)), (5, 0, true, false));
        assert_eq!(bots.shared(), [vec![0, 5, 9], vec![1, 6], vec![2, 7], vec![3, 8]]);
        let note = bots.note("rating").expect("some are equal");
        assert!(note.text.starts_with("equal bytes: 10 entrants, 5 different; names of the same bot share a rating, "));
    }

    #[test]
    fn no_format_lets_two_bots_play_one_game_twice_under_other_names() {
        let names = twins(&[0, 1, 2, 0, 1, 2, 0]);
        let tie_breaks = TieBreaks::default();
        let formats: [Box<dyn Format>; 6] = [
            Box::new(RoundRobin { cycles: 2, ..RoundRobin::new(3, 2) }),
            Box::new(Gauntlet { seed: 3, pairs: 3, stop: None }),
            Box::new(Swiss { seed: 3, pairs: 2, rounds: 5, tie_breaks }),
            Box::new(Knockout { seed: 3, pairs: 2, further_pairs: 2, seeding: Seeding::Draw, lives: Lives::One }),
            Box::new(Knockout { seed: 3, pairs: 2, further_pairs: 2, seeding: Seeding::Given, lives: Lives::Two }),
            Box::new(Ladder { seed: 3, rounds: 9, stop: None }),
        ];
        for format in formats {
            let settled = play(&*format, &names, by_strength(&mut Rng::new(&[6; 32], 3), 0.2));
            let mut seen = BTreeSet::new();
            for (game, _) in settled.counted() {
                let ids = game.seats.map(|entrant| names[entrant].id.clone()).into_values();
                // A bot that meets itself plays both games of a pair alike, whichever name sits first.
                assert!(seen.insert((ids.clone(), game.seed)) || ids[0] == ids[1], "{}: {ids:?}", format.name());
            }
        }
    }

    /// The games of a tournament that follow from the bots and the number of their pair, of which there are `distinct`.
    fn replayed(format: &dyn Format, names: &[Entrant], distinct: u32) -> Settled {
        let mut settled = Settled::default();
        loop {
            let next = format.next(names, &settled);
            if next.is_empty() {
                return settled;
            }
            let ended = |game: ScheduledGame| {
                let ids = game.seats.values().iter().map(|entrant| names[*entrant].id.as_str());
                let hash = ids.fold(Sha256::new(), |hash, id| hash.chain_update(id));
                let digest: [u8; 32] = hash.chain_update((game.pair % distinct).to_le_bytes()).finalize().into();
                let winner = (digest[0] % 5 < 4).then_some(Seat(digest[0] % 2));
                let mut result = won(winner, 0);
                result.digest = digest;
                crate::SettledGame { game, result: Some(result) }
            };
            settled.extend(next.iter().map(ended).collect::<Vec<_>>());
        }
    }

    fn value<'a>(standings: &'a Standings, name: &str, column: &str) -> &'a Value {
        let row: &Row = standings.rows.iter().find(|row| row.name == name).expect("it played");
        standings.value(row, column).expect("a column")
    }

    #[test]
    fn games_repeated_under_other_names_change_no_rating_and_make_no_interval_shorter() {
        let trials = Trials::new(40, 8);
        let mut rng = trials.rng(1);
        for trial in 0..trials.count {
            let (bots, pairs) = (3 + rng.below(3) as usize, 2 + rng.below(4));
            let copies = 1 + rng.below(5) as usize;
            let of: Vec<usize> = (0..bots).chain((0..copies).map(|_| rng.below(bots as u32) as usize)).collect();
            let (once, often) = (entrants(bots), twins(&of));
            let format = RoundRobin::new(trial, pairs);
            let (games, repeated) = (replayed(&format, &once, pairs), replayed(&format, &often, pairs));
            let (alone, together) = (format.standings(&once, &games), format.standings(&often, &repeated));
            for (copy, of) in of.iter().enumerate() {
                let [one, other] =
                    [value(&together, &often[copy].name, "rating"), value(&alone, &once[*of].name, "rating")];
                assert_eq!(one, other, "{trial}: {} is {}", often[copy].name, once[*of].name);
            }
            let distinct = |standings: &Standings| standings.total("games_counted").cloned();
            // Besides, each bot with several names plays against itself, one game for both of a pair.
            let mirrored = Bots::of(&often).shared().len() as u32 * pairs;
            let Some(Value::Count(one_name)) = distinct(&alone) else { panic!("a count") };
            assert_eq!(distinct(&together), Some(Value::Count(one_name + mirrored)), "{trial}");
            let text = together.to_table();
            assert!(text.contains("equal bytes: ") && text.contains(" distinct: "), "{text}");
            let report = crate::fairness(&often, &repeated);
            let plain = crate::fairness(&once, &games);
            assert_eq!(report.transitivity, plain.transitivity);
            assert_eq!(report.faults.games_distinct, one_name + mirrored);
        }
    }

    #[test]
    fn a_bot_is_as_strong_as_itself_and_shares_its_rank() {
        let names = twins(&[0, 1, 0, 1]);
        let mut beside = 0;
        for pairs in 3..12 {
            let format = RoundRobin::new(3, pairs);
            let standings = format.standings(&names, &replayed(&format, &names, pairs));
            let ranks: BTreeMap<&str, Rank> = standings.rows.iter().map(|row| (row.name.as_str(), row.rank)).collect();
            assert!(ranks["bot0"] == ranks["bot2"] && ranks["bot1"] == ranks["bot3"], "{}", standings.to_table());
            for pair in standings.rows.windows(2).filter(|pair| pair[0].id == pair[1].id) {
                beside += 1;
                assert_eq!(value(&standings, &pair[0].name, "lead").to_string(), "0 ± 0");
                assert_eq!(value(&standings, &pair[0].name, "superiority").to_string(), "50.0 %");
            }
        }
        assert!(beside > 2, "{beside}");
        // Nothing tells twins apart, so a stop that waits for the first place waits in vain.
        let stop = crate::Stop { top: 1, confidence_per_mille: 950, within: None, max_pairs: 40 };
        let stopped = RoundRobin { stop: Some(stop), ..RoundRobin::new(3, 6) };
        let settled = play(&stopped, &names, |game| game.seats.values().iter().find(|one| **one % 2 == 0).copied());
        assert_eq!(settled.len(), stopped.games_max(4));
    }

    #[test]
    fn two_names_of_one_bot_are_level_in_a_sentence_that_says_so() {
        let names = twins(&[0, 0]);
        let format = RoundRobin::new(3, 12);
        let standings = format.standings(&names, &replayed(&format, &names, 12));
        let text = standings.to_table();
        assert!(text.contains("no significant difference: bot0 is at +0 Elo"), "{text}");
        assert!(
            text.contains("24 games, 12 distinct") && text.contains("equal bytes: 2 entrants, 1 different;"),
            "{text}"
        );
    }

    #[test]
    fn in_a_field_too_games_count_once_and_names_share_a_score() {
        let names = twins(&[0, 1, 2, 0]);
        let field = Field { seed: 1, seats: 3, games: 60, pairs: 0 };
        let result = |game: ScheduledGame| {
            let ids = game.seats.values().iter().map(|entrant| names[*entrant].id.as_str());
            let digest = ids.fold(Sha256::new(), |hash, id| hash.chain_update(id)).finalize().into();
            let tally = game.seats.clone().map(|entrant| [5, 2, 1, 5][entrant]);
            (game, crate::GameResult { digest, tally, ..won(None, 0) })
        };
        let settled: Settled = field.games(&names).iter().map(result).collect();
        let standings = field.standings(&names, &settled);
        // Three different bots sit in 6 ways; two seats of the first leave 3 ways for each of the two others.
        assert_eq!(standings.total("games_counted"), Some(&Value::Count(12)));
        assert_eq!(value(&standings, "bot0", "score"), value(&standings, "bot3", "score"));
        assert_eq!(value(&standings, "bot0", "lead").to_string(), "0.0 ± 0.0 %");
        assert_eq!(standings.rows.iter().map(|row| row.rank.0).collect::<Vec<_>>(), [1, 1, 3, 4].map(Some));
        let text = field.reports(None, &names, &settled).into_iter().find(|(name, _)| *name == "fairness.txt");
        let text = text.map(|(_, text)| text).unwrap_or_default();
        let [one, other] = [0, 3].map(|twin: usize| format!("{} {}", names[twin].name, names[twin].id.short()));
        let said = format!("60 played, 12 of them distinct\n  one bot under 2 names: {one}, {other}\n");
        assert!(text.contains(&said), "{text}");
    }
}
