//! The results of two-seat games and the strengths that follow from them: a fold over games in schedule order.

use std::collections::BTreeMap;

use arena_record::ForfeitCode;
use arena_rules::Seat;

use crate::anchor::Scale;
use crate::bots::Bots;
use crate::certainty::{Compared, Placing, is_settled, ranks, superiority};
use crate::note::{Note, Remark};
use crate::ranking::{Bouts, Ranking};
use crate::rating::{Fit, PairResult, Rating, Strengths};
use crate::standings::{Column, Gap, Rank, Row, Value};
use crate::transitivity::{Deviation, Transitivity, transitivity};
use crate::{Entrant, Leave, PairCounts, ScheduledGame, SeatTally, Settled, Standings, Tally};

/// Columns about strengths, which standings of two entrants leave out.
const OF_STRENGTH: [&str; 6] = ["rating", "strength", "anchored", "rank", "lead", "superiority"];

/// The result of a tournament's two-seat games.
pub(crate) struct Scores {
    /// By entrant, in the entrants' order.
    pub(crate) of: Vec<Score>,
    /// Games that were played.
    pub(crate) played: u32,
    /// Games that count: those between the same bots in the same seats with equal digests are one.
    pub(crate) games: u32,
    /// Games that are void.
    pub(crate) void: u32,
    /// Counted games from the first seat's view.
    pub(crate) first_seat: Tally,
    /// All forfeits in counted games.
    pub(crate) forfeits: BTreeMap<ForfeitCode, u32>,
    /// The bots behind the entrants. What games show about strengths is about bots, and each game shows it once.
    pub(crate) bots: Bots,
    /// The results of the pairs of games, by bot. A bot's games against itself say nothing about its strength.
    pub(crate) pairs: Vec<PairResult>,
    /// The strengths that follow from them, by bot.
    pub(crate) strengths: Strengths,
    /// Where ratings have their zero.
    scale: Scale,
    /// Notes on entrants with equal bytes, and on games that are not played because an entrant had left.
    remarks: Vec<Note>,
}

/// Strengths with their uncertainty, by entrant.
pub(crate) struct Rated<'a> {
    fit: Fit,
    bots: &'a Bots,
}

impl Rated<'_> {
    pub(crate) fn rating(&self, entrant: usize) -> Rating {
        self.fit.rating(self.bots.bot(entrant))
    }

    /// The difference of two as a rating. A bot is as strong as itself.
    fn difference(&self, one: usize, other: usize) -> Rating {
        match self.bots.are_one(one, other) {
            true => Rating::default(),
            false => self.fit.difference_rating(self.bots.bot(one), self.bots.bot(other)),
        }
    }
}

impl Compared for Rated<'_> {
    fn doubt(&self, one: usize, other: usize) -> f64 {
        self.fit.doubt(self.bots.bot(one), self.bots.bot(other))
    }
}

/// The result of an entrant.
#[derive(Clone, Default)]
pub(crate) struct Score {
    /// Strength in tenths of an Elo point above the field. Entrants are ranked by it, even if their games give it no
    /// upper or lower end.
    pub(crate) strength_tenths: i64,
    /// Games it took part in.
    played: u32,
    /// Its games that are void.
    void: u32,
    /// Why it no longer plays, if it left.
    pub(crate) left: Option<Leave>,
    /// How it may be placed.
    placing: Placing,
    /// Its counted games by seat.
    pub(crate) by_seat: SeatTally,
    /// Its forfeits in counted games.
    pub(crate) forfeits: BTreeMap<ForfeitCode, u32>,
    /// Its counted games by opponent.
    against: BTreeMap<usize, Tally>,
}

impl Score {
    pub(crate) fn tally(&self) -> Tally {
        self.by_seat.first + self.by_seat.second
    }
}

impl Scores {
    /// The fold. Games that were played alike count once: for strengths those of the same bots, for an entrant's points
    /// those against the same entrant.
    pub(crate) fn of(entrants: &[Entrant], settled: &Settled) -> Scores {
        let count = entrants.len();
        let mut scores = Scores {
            of: vec![Score::default(); count],
            played: 0,
            games: 0,
            void: 0,
            first_seat: Tally::default(),
            forfeits: BTreeMap::new(),
            bots: Bots::of(entrants),
            pairs: Vec::new(),
            strengths: Strengths::default(),
            scale: Scale::default(),
            remarks: Vec::new(),
        };
        for game in settled.void() {
            scores.void += 1;
            game.seats.values().iter().for_each(|entrant| scores.of[*entrant].void += 1);
        }
        settled.left.iter().for_each(|(entrant, left)| scores.of[*entrant].left = Some(left.why));
        scores.remarks = scores.bots.note("rating").into_iter().chain(Note::cancelled(settled.cancelled())).collect();
        scores.pairs = scores.count(settled);
        scores.strengths = Strengths::of(scores.bots.count(), &scores.pairs);
        scores.scale = Scale::of(settled.anchor.as_ref(), entrants, &scores.bots, &scores.pairs);
        let tenths = scores.strengths.tenths();
        for (entrant, score) in scores.of.iter_mut().enumerate() {
            score.strength_tenths = tenths[scores.bots.bot(entrant)];
        }
        scores.placed(settled.placings(count, |_, scheduled| scheduled))
    }

    /// With other placings than by the games that are scheduled so far.
    pub(crate) fn placed(mut self, placings: Vec<Placing>) -> Scores {
        self.of.iter_mut().zip(placings).for_each(|(score, placing)| score.placing = placing);
        self
    }

    /// The order by rating, then by points; removed entrants are last.
    pub(crate) fn ranking(&self, entrants: &[Entrant]) -> Ranking {
        self.ranking_by(entrants, |entrant| {
            let score = &self.of[entrant];
            std::cmp::Reverse((score.strength_tenths, score.tally().half_points()))
        })
    }

    /// The order by a key, the smallest first; removed entrants are last.
    pub(crate) fn ranking_by<K: Ord>(&self, entrants: &[Entrant], key: impl Fn(usize) -> K) -> Ranking {
        Ranking::by(entrants, |entrant| {
            let placing = self.of[entrant].placing;
            (placing != Placing::Nowhere).then(|| (placing, key(entrant)))
        })
    }

    /// The strengths with their uncertainty.
    pub(crate) fn fit(&self) -> Rated<'_> {
        let fit = match &self.scale {
            Scale::Held { bots, rating, .. } => Fit::anchored(self.bots.count(), &self.pairs, bots, *rating),
            Scale::Field | Scale::Adrift(_) => Fit::of(self.bots.count(), &self.pairs),
        };
        Rated { fit, bots: &self.bots }
    }

    /// Whether the first `top` places are settled at look number `look`, with this probability of error. Entrants that
    /// are placed last take none of them.
    pub(crate) fn is_settled(&self, top: usize, wrong: f64, look: u32) -> bool {
        let is_placed = |entrant: &usize| self.of[*entrant].placing == Placing::ByGames;
        let mut order: Vec<usize> = (0..self.of.len()).filter(is_placed).collect();
        order.sort_by_key(|entrant| std::cmp::Reverse(self.of[*entrant].strength_tenths));
        is_settled(&order, top, wrong, look, &self.fit())
    }

    /// Whether the interval of every rating reaches at most this many Elo points on either side, except of those who
    /// left: more games would not make theirs shorter.
    pub(crate) fn is_within(&self, elo: u32) -> bool {
        let fit = self.fit();
        let reach = |rating| match rating {
            Rating::Estimate { tenths, low, high } => (tenths - low).max(high - tenths),
            Rating::WonAll { .. } | Rating::LostAll { .. } => 0,
        };
        let mut playing = (0..self.of.len()).filter(|entrant| self.of[*entrant].left.is_none());
        playing.all(|entrant| reach(fit.rating(entrant)) <= 10 * i64::from(elo))
    }

    /// Counts wins and forfeits, and returns the results of the pairs.
    fn count(&mut self, settled: &Settled) -> Vec<PairResult> {
        let mut pairs: Vec<((usize, u32), PairResult)> = Vec::with_capacity(settled.len() / 2);
        let of_entrants = settled.distinct(|entrant| entrant);
        let of_bots = match self.bots.are_all_different() {
            true => of_entrants.clone(),
            false => settled.distinct(|entrant| self.bots.bot(entrant)),
        };
        for ((game, result), (is_new, is_new_to_both)) in settled.counted().zip(of_bots.into_iter().zip(of_entrants)) {
            let [first, second] = *game.seats.values() else { continue };
            self.played += 1;
            self.of[first].played += 1;
            self.of[second].played += 1;
            if is_new {
                self.games += 1;
                self.first_seat.add(result.winner.map(|winner| winner == Seat(0)));
                result.forfeits.iter().for_each(|(_, code)| *self.forfeits.entry(*code).or_default() += 1);
                let both = [first, second].map(|entrant| self.bots.bot(entrant));
                if both[0] != both[1] {
                    add(&mut pairs, &game, result.winner, both);
                }
            }
            if !is_new_to_both {
                continue;
            }
            for (seat, code) in &result.forfeits {
                *self.of[game.seats[*seat]].forfeits.entry(*code).or_default() += 1;
            }
            for (own, other, seat) in [(first, second, Seat(0)), (second, first, Seat(1))] {
                let won = result.winner.map(|winner| winner == seat);
                let score = &mut self.of[own];
                score.against.entry(other).or_default().add(won);
                let by_seat = if seat == Seat(0) { &mut score.by_seat.first } else { &mut score.by_seat.second };
                by_seat.add(won);
            }
        }
        // The games of a pair usually follow each other.
        pairs.sort_unstable_by_key(|(pair, _)| *pair);
        pairs.dedup_by(|(pair, more), (kept, result)| {
            let is_same = pair == kept;
            if is_same {
                result.games += more.games;
                result.half_points += more.half_points;
            }
            is_same
        });
        pairs.into_iter().map(|(_, result)| result).collect()
    }

    /// The pairs of the first two entrants whose games both count, by result. If the two are one bot, both games of a
    /// pair are the same one.
    fn counts(&self) -> PairCounts {
        let mut counts = PairCounts::default();
        if !self.bots.are_all_different() {
            (0..self.games).for_each(|_| counts.add(2));
        }
        let whole = self.pairs.iter().filter(|pair| pair.games == 2);
        whole.for_each(|pair| counts.add(pair.half_points));
        counts
    }

    /// The input for tie-breaks by games.
    pub(crate) fn bouts(&self) -> Bouts {
        let met = |score: &Score| score.against.iter().map(|(other, tally)| (*other, tally.half_points())).collect();
        Bouts {
            points: self.of.iter().map(|score| score.tally().half_points()).collect(),
            met: self.of.iter().map(met).collect(),
            unplayed: vec![Vec::new(); self.of.len()],
        }
    }

    /// The standings in an order. The format's other results come first, as columns with a value for each entrant.
    pub(crate) fn standings(
        &self,
        entrants: &[Entrant],
        ranking: &Ranking,
        more: Vec<(Column, Vec<Value>)>,
    ) -> Standings {
        let placed = ranking.places().filter(|(rank, _)| rank.0.is_some());
        let (fit, order) = (self.fit(), placed.map(|(_, entrant)| entrant).collect::<Vec<_>>());
        let placings: Vec<Placing> = self.of.iter().map(|score| score.placing).collect();
        let ranks = ranks(&placings, &fit);
        // Where a rating is a bound, people would not see the strength by which rows are ordered.
        let is_bound = |entrant: usize| !matches!(fit.rating(entrant), Rating::Estimate { .. });
        let strength = Column::new("strength", "strength").in_json().in_csv();
        let strength = if (0..self.of.len()).any(is_bound) { strength.in_text(2, 8) } else { strength };
        let columns = columns(strength);
        // With two entrants there is one figure, their difference, which a sentence states.
        let has_anchor = self.scale.said().is_some();
        let is_told = |column: &Column| {
            (entrants.len() != 2 || !OF_STRENGTH.contains(&column.name)) && (has_anchor || column.name != "anchored")
        };
        let next = |entrant: usize| {
            let place = order.iter().position(|one| *one == entrant)?;
            order.get(place + 1).copied()
        };
        let said = self.scale.said().filter(|_| entrants.len() != 2);
        let anchor = said.map(|said| ("anchor", Value::Words(said)));
        let is_anchored = Value::Words(if self.scale.bots().is_some() { "yes" } else { "no" }.into());
        let row = |(rank, entrant): (Rank, usize)| {
            let (Entrant { name, display, id }, score) = (entrants[entrant].clone(), &self.of[entrant]);
            let (tally, next) = (score.tally(), next(entrant));
            let own = [
                Value::Rating(fit.rating(entrant)),
                Value::Strength(score.strength_tenths + fit.fit.moved()),
                is_anchored.clone(),
                Value::Ranks(ranks[entrant]),
                Value::Count(score.played),
                Value::Count(tally.games()),
                Value::Count(tally.wins),
                Value::Count(tally.draws),
                Value::Count(tally.losses),
                Value::Points(tally.half_points()),
                Value::Score(tally),
                Value::BySeat(score.by_seat),
                Value::Lead(next.map(|next| Gap::Elo(fit.difference(entrant, next)))),
                next.map_or(Value::Nothing, |next| Value::Chance(superiority(fit.doubt(entrant, next)))),
                Value::Forfeits(score.forfeits.clone()),
            ];
            let own = columns.iter().zip(own).filter(|(column, _)| is_told(column)).map(|(_, value)| value);
            let values = more.iter().map(|(_, values)| values[entrant].clone()).chain(own).collect();
            Row { rank, name, display, id, values, void: score.void, left: score.left }
        };
        Standings {
            title: None,
            columns: more
                .iter()
                .map(|(column, _)| column)
                .chain(columns.iter().filter(|column| is_told(column)))
                .cloned()
                .collect(),
            rows: ranking.places().map(row).collect(),
            totals: [
                ("games_played", Value::Count(self.played)),
                ("games_counted", Value::Count(self.games)),
                ("games_void", Value::Count(self.void)),
                ("first_seat", Value::Tally(self.first_seat)),
                ("forfeits", Value::Forfeits(self.forfeits.clone())),
            ]
            .into_iter()
            .chain(anchor)
            .collect(),
            void: self.void,
            notes: self.notes(entrants),
            crosstable: None,
        }
    }

    /// For each row of a ranking, the counted games against each row.
    pub(crate) fn crosstable(&self, ranking: &Ranking) -> Vec<Vec<Tally>> {
        let order = || ranking.places().map(|(_, entrant)| entrant);
        let against = |one: usize, other: usize| self.of[one].against.get(&other).copied().unwrap_or_default();
        order().map(|one| order().map(|other| against(one, other)).collect()).collect()
    }

    /// Whether one number for each bot explains the results.
    pub(crate) fn transitivity(&self, entrants: &[Entrant]) -> Option<Transitivity> {
        transitivity(&self.bots.firsts(entrants), &self.strengths, &self.pairs)
    }

    /// A note on results that ratings do not explain.
    fn misfit(&self, entrants: &[Entrant]) -> Option<Note> {
        let found = self.transitivity(entrants).filter(Transitivity::is_misfit)?;
        let Deviation { entrants: names, points_hundredths, expected_hundredths, .. } = found.worst.first()?;
        let shown = |name: &String| entrants.iter().find(|entrant| entrant.name == *name).map(Entrant::shown);
        let [one, other] = names.each_ref().map(|name| shown(name).unwrap_or(name));
        let points = |hundredths: &u64| format!("{}.{:02}", hundredths / 100, hundredths % 100);
        let (points, expected) = (points(points_hundredths), points(expected_hundredths));
        let text = format!(
            "ratings do not explain who beat whom: {one} scored {points} points against {other}, where they expect {expected}"
        );
        let names = [one.to_owned(), other.to_owned()];
        Some(Note::fact(text, Remark::Misfit(names, [points, expected])))
    }

    fn notes(&self, entrants: &[Entrant]) -> Vec<Note> {
        let (rating, of_rating) = match &self.scale {
            Scale::Held { rating, names, .. } => {
                let text = format!(
                    "rating: Bradley-Terry strength in Elo points, {rating} in the mean of {names:?}, one pseudo-draw per entrant; 95 % interval of the difference to that mean over pairs"
                );
                (text, Remark::RatingHeld(*rating, names.clone()))
            }
            Scale::Field | Scale::Adrift(_) => {
                let text = "rating: Bradley-Terry strength in Elo points above the field, one pseudo-draw per entrant; 95 % interval over pairs";
                (text.to_owned(), Remark::Rating)
            }
        };
        let ranks = "ranks: where its rating may stand, 95 % for each; lead: the difference to the next, 95 %; likelier: the chance that it is the stronger of the two";
        let Tally { wins, draws, losses } = self.first_seat;
        let games = if self.played == 1 {
            "1 game".into()
        } else if self.games == self.played {
            format!("{} games, all distinct", self.played)
        } else {
            format!(
                "{} games, {} distinct: games that were played alike count once (bots that ignore their seed repeat themselves)",
                self.played, self.games
            )
        };
        let games = Note::fact(games, Remark::Games([self.played, self.games]));
        let first_seat = format!("first seat: won {wins}, drew {draws}, lost {losses}");
        let first_seat = Note::fact(first_seat, Remark::FirstSeat(self.first_seat));
        let before = match entrants {
            [one, other] => {
                let (names, counts) = ([one.shown(), other.shown()], self.counts());
                let what = Remark::Compared(names.map(str::to_owned), counts);
                vec![Note::fact(counts.sentence(names), what), first_seat]
            }
            _ => {
                let adrift = match &self.scale {
                    Scale::Adrift(why) => Some(why.clone()),
                    Scale::Field | Scale::Held { .. } => None,
                };
                let rating = [Note::meaning(&rating, of_rating)].into_iter().chain(adrift);
                rating.chain([Note::meaning(ranks, Remark::Ranks), first_seat]).collect()
            }
        };
        let remarks = Note::void(self.void).into_iter().chain(self.remarks.clone()).chain(self.misfit(entrants));
        before.into_iter().chain(remarks).chain([games]).collect()
    }
}

/// Adds a game to its pair, whose points are counted for the bot with the lower number. `seated` are the bots by seat.
fn add(pairs: &mut Vec<((usize, u32), PairResult)>, game: &ScheduledGame, winner: Option<Seat>, seated: [usize; 2]) {
    let (low, high) = (seated[0].min(seated[1]), seated[0].max(seated[1]));
    let half_points = winner.map_or(1, |winner| 2 * u32::from(seated[winner.index()] == low));
    let key = (game.pairing, game.pair);
    match pairs.last_mut() {
        Some((last, pair)) if *last == key => {
            pair.games += 1;
            pair.half_points += half_points;
        }
        _ => pairs.push((key, PairResult { first: low, second: high, games: 1, half_points })),
    }
}

/// The columns of all standings, given that of strengths.
fn columns(strength: Column) -> [Column; 15] {
    [
        Column::new("rating", "rating").in_json().in_csv().in_text(3, 12),
        strength,
        // A table alone must say whether its ratings can be compared with those of another.
        Column::new("anchored", "anchored").in_csv(),
        Column::new("rank", "ranks").in_json().in_csv().in_text(2, 7),
        Column::new("played", "played").in_json(),
        Column::new("games", "games").in_json().in_csv().in_text(2, 6),
        Column::new("wins", "won").in_json().in_csv().in_text(1, 5),
        Column::new("draws", "drawn").in_json().in_csv().in_text(1, 5),
        Column::new("losses", "lost").in_json().in_csv().in_text(1, 5),
        Column::new("points", "points").in_json().in_csv().in_text(2, 7),
        Column::new("score", "score").in_text(2, 6),
        Column::new("by_seat", "by seat").in_json(),
        Column::new("lead", "lead").in_json().in_csv(),
        Column::new("superiority", "likelier").in_json().in_csv(),
        Column::new("forfeits", "forfeits").in_json().in_csv().in_text(2, 0),
    ]
}

#[cfg(test)]
mod tests {
    use arena_record::EntrantId;
    use arena_rules::BySeat;

    use super::*;
    use crate::{Format, GameResult, Left, NoteKind, RoundRobin, SettledGame};

    fn entrants(names: &[&str]) -> Vec<Entrant> {
        let make = |name: &&str| Entrant::new(*name, EntrantId::of_bytes(name.as_bytes()));
        names.iter().map(make).collect()
    }

    fn round_robin(pairs: u32) -> RoundRobin {
        RoundRobin::new(1, pairs)
    }

    /// Games always won by the earlier entrant; digests count up, or are all equal.
    fn results(names: &[Entrant], pairs: u32, distinct: bool) -> Settled {
        let result = |game: ScheduledGame| {
            let winner = Seat(u8::from(game.seats.values()[0] > game.seats.values()[1]));
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&if distinct { game.number as u64 } else { 0 }.to_le_bytes());
            (
                game,
                GameResult {
                    winner: Some(winner),
                    forfeits: Vec::new(),
                    tally: BySeat::from([0, 0]),
                    digest,
                    reason: arena_rules::Reason::Majority,
                    turns: 0,
                },
            )
        };
        round_robin(pairs).games(names).iter().map(result).collect()
    }

    fn names(standings: &Standings) -> Vec<&str> {
        standings.rows.iter().map(|row| row.name.as_str()).collect()
    }

    /// The standings file's values of a row, as text for people.
    fn told(standings: &Standings, row: usize, columns: &[&str]) -> Vec<String> {
        let row = &standings.rows[row];
        columns.iter().map(|column| standings.value(row, column).expect("a column").to_string()).collect()
    }

    #[test]
    fn the_stronger_is_above_and_points_add_up() {
        let entrants = entrants(&["ant", "bee", "cat", "dog"]);
        let scores = Scores::of(&entrants, &results(&entrants, 5, true));
        assert_eq!((scores.played, scores.games), (60, 60));
        assert_eq!(scores.of.iter().map(|score| score.tally().half_points()).sum::<u32>(), 2 * 60);
        assert_eq!(scores.first_seat, Tally { wins: 30, draws: 0, losses: 30 });
        let standings = round_robin(5).standings(&entrants, &results(&entrants, 5, true));
        assert_eq!(names(&standings), ["ant", "bee", "cat", "dog"]);
        assert_eq!(
            told(&standings, 0, &["wins", "draws", "losses", "points", "score"]),
            ["30", "0", "0", "30.0", "100.0 %"]
        );
        let crosstable = standings.crosstable.expect("a crosstable");
        assert_eq!(crosstable[1][0], Tally { wins: 0, draws: 0, losses: 10 });
    }

    #[test]
    fn equal_games_count_once() {
        let entrants = entrants(&["ant", "bee"]);
        let all_equal = Scores::of(&entrants, &results(&entrants, 50, false));
        let one_pair = Scores::of(&entrants, &results(&entrants, 1, false));
        assert_eq!((all_equal.played, all_equal.games), (100, 2));
        assert_eq!(all_equal.fit().rating(0), one_pair.fit().rating(0));
        assert_eq!(all_equal.of[0].tally(), one_pair.of[0].tally());
    }

    #[test]
    fn two_have_one_figure_in_a_sentence_and_no_other() {
        for count in [2, 3] {
            let entrants = entrants(&["ant", "bee", "cat"][..count]);
            let standings = round_robin(4).standings(&entrants, &results(&entrants, 4, true));
            let [json, csv] = [standings.to_json(), standings.to_csv()];
            for column in OF_STRENGTH.into_iter().filter(|column| !matches!(*column, "strength" | "anchored")) {
                let has_it = [json.contains(&format!("\"{column}_high\"")), csv.contains(&format!(",{column}"))];
                let in_json = count == 3 && column != "superiority";
                assert_eq!(has_it, [in_json, count == 3], "{count}: {column}");
                assert_eq!(standings.value(&standings.rows[0], column).is_some(), count == 3, "{count}: {column}");
            }
            assert_eq!(json.contains("superiority"), count == 3, "{json}");
            assert_eq!(told(&standings, 0, &["points"]), [["8.0"], ["16.0"]][count - 2]);
        }
    }

    #[test]
    fn equals_share_a_rank_and_stand_by_name() {
        let entrants = entrants(&["dog", "cat"]);
        let mut games = results(&entrants, 4, true);
        games = games.counted().map(|(game, result)| (game, GameResult { winner: None, ..result })).collect();
        let standings = round_robin(4).standings(&entrants, &games);
        assert_eq!(names(&standings), ["cat", "dog"]);
        assert_eq!(standings.rows.iter().map(|row| row.rank.0).collect::<Vec<_>>(), [Some(1), Some(1)]);
    }

    #[test]
    fn void_games_count_for_nobody_and_the_quarantined_stand_last() {
        let entrants = entrants(&["ant", "bee", "cat"]);
        // The strongest entrant is removed after its first games.
        let taken_out = |(game, result): (ScheduledGame, GameResult)| {
            let is_void = game.number >= 4 && game.seats.values().contains(&0);
            SettledGame { game, result: (!is_void).then_some(result) }
        };
        let mut games: Settled = results(&entrants, 5, true).counted().map(taken_out).collect();
        games.left.insert(0, Left { from: 4, why: Leave::Quarantined });
        let void = games.void().count() as u32;
        let with = round_robin(5).standings(&entrants, &games);
        assert!(void > 0 && with.void == void);
        assert_eq!(with.rows.iter().map(|row| row.void).sum::<u32>(), 2 * void);
        assert_eq!(with.rows.last().map(|row| (row.name.as_str(), row.is_quarantined())), Some(("ant", true)));
        assert!(with.notes.iter().any(|note| note.kind == NoteKind::Void));
        let counted = games.counted().collect();
        let without = round_robin(5).standings(&entrants, &counted);
        for row in &with.rows {
            let same = without.rows.iter().find(|other| other.name == row.name);
            // All except the ranks and the lead over the next: the order is different.
            let is_own =
                |value: &&Value| !matches!(value, Value::Ranks(_) | Value::Lead(_) | Value::Chance(_) | Value::Nothing);
            let own = |row: &Row| row.values.iter().filter(is_own).cloned().collect::<Vec<_>>();
            assert_eq!(same.map(own), Some(own(row)));
        }
    }

    #[test]
    fn who_withdrew_before_half_of_its_games_has_no_place_and_the_others_keep_theirs() {
        use crate::{Fate, Field, Gauntlet, Ladder, Rank, Swiss, TieBreaks};
        let names = entrants(&["ant", "bee", "cat", "dog", "elk"]);
        let tie_breaks = TieBreaks::default();
        let formats: [(&dyn Format, usize); 5] = [
            (&RoundRobin::new(1, 2), 0),
            (&Gauntlet { seed: 1, pairs: 4, stop: None }, 1),
            (&Swiss { seed: 1, pairs: 1, rounds: 4, tie_breaks }, 0),
            (&Ladder { seed: 1, rounds: 6, stop: None }, 0),
            (&Field { seed: 1, seats: 3, games: 40, pairs: 0 }, 0),
        ];
        for (format, gone) in formats {
            for (leaves_after, is_placed) in [(1, false), (usize::MAX, true)] {
                let mut settled = Settled::default();
                let mut played = 0;
                loop {
                    let next = format.next(&names, &settled);
                    if next.is_empty() {
                        break;
                    }
                    let first = settled.len();
                    settled.append(next);
                    for place in first..settled.len() {
                        let seated: Vec<usize> = settled.seated(place).collect();
                        let plays = seated.contains(&gone);
                        if plays && played == leaves_after {
                            settled.left.entry(gone).or_insert(Left { from: place, why: Leave::Withdrawn });
                        }
                        if plays && settled.left.contains_key(&gone) {
                            settled.decide(place, Fate::Cancelled);
                            continue;
                        }
                        played += usize::from(plays);
                        // It wins all games that it plays.
                        let best = seated.iter().position(|one| *one == gone).or_else(|| {
                            let least = seated.iter().min()?;
                            seated.iter().position(|one| one == least)
                        });
                        let winner = best.map(|seat| Seat(seat as u8));
                        let tally = (0..seated.len()).map(|seat| u32::from(Some(seat) == best)).collect::<Vec<_>>();
                        let result = crate::testing::won(winner, place);
                        settled.keep(place, &GameResult { tally: BySeat::from(tally), ..result });
                        settled.decide(place, Fate::Counted);
                    }
                }
                if is_placed {
                    settled.left.insert(gone, Left { from: settled.len(), why: Leave::Withdrawn });
                }
                let standings = format.standings(&names, &settled);
                let own = standings.rows.iter().position(|row| row.name == names[gone].name).expect("listed");
                let (row, name) = (&standings.rows[own], format.name());
                assert_eq!(row.rank.0.is_some(), is_placed, "{name}: {}", standings.to_table());
                assert_eq!(row.rank == Rank(Some(1)), is_placed, "{name}: it won all");
                let ranks: Vec<usize> = standings.rows.iter().filter_map(|row| row.rank.0).collect();
                assert_eq!((ranks.len(), ranks[0]), (4 + usize::from(is_placed), 1), "{name}");
                let json: serde_json::Value = serde_json::from_str(&standings.to_json()).expect("JSON");
                assert_eq!(json["entrants"][own]["rank"].is_null(), !is_placed, "{name}");
                assert_eq!(json["entrants"][own]["rank_low"].is_null(), !is_placed, "{name}");
                if !is_placed {
                    assert_eq!(own, 4, "{name}: at the end");
                    let csv = standings.to_csv();
                    assert!(
                        csv.lines().last().is_some_and(|line| line.starts_with(&format!(",{}", row.name))),
                        "{csv}"
                    );
                    let table = standings.to_table();
                    assert!(table.lines().nth(5).is_some_and(|line| line.starts_with("  –  ")), "{table}");
                    let lead = standings.value(&standings.rows[3], "lead").map(ToString::to_string);
                    assert_eq!(lead, Some(String::new()), "{name}: the last with a rank is ahead of nobody");
                }
            }
        }
    }

    #[test]
    fn the_strength_that_orders_rows_is_in_every_file_even_of_a_champion() {
        let entrants = entrants(&["ant", "bee", "cat", "dog"]);
        let standings = round_robin(3).standings(&entrants, &results(&entrants, 3, true));
        let json: serde_json::Value = serde_json::from_str(&standings.to_json()).expect("JSON");
        let csv = standings.to_csv();
        let column = csv.lines().next().and_then(|head| head.split(',').position(|name| name == "strength"));
        let in_csv = csv.lines().skip(1).filter_map(|line| line.split(',').nth(column?)?.parse::<f64>().ok());
        let in_json = json["entrants"].as_array().into_iter().flatten().filter_map(|row| row["strength"].as_f64());
        let (in_csv, in_json): (Vec<f64>, Vec<f64>) = (in_csv.collect(), in_json.collect());
        assert!(in_json.len() == 4 && in_csv == in_json && in_json.is_sorted_by(|one, next| one > next), "{csv}");
        assert!(json["entrants"][0]["rating"].is_null(), "it won all");
        let table = standings.to_table();
        let strength = told(&standings, 0, &["strength"]).concat();
        assert!(table.lines().next().is_some_and(|head| head.contains("strength")), "{table}");
        assert!(table.lines().nth(1).is_some_and(|line| line.contains(&format!(" {strength} "))), "{table}");
        let games = results(&entrants, 3, true);
        let drawn = games.counted().map(|(game, result)| (game, GameResult { winner: None, ..result }));
        let table = round_robin(3).standings(&entrants, &drawn.collect()).to_table();
        assert!(!table.contains("strength  "), "ratings say it: {table}");
    }

    #[test]
    fn standings_say_that_ratings_do_not_explain_the_results() {
        let mut entrants = entrants(&["ant", "bee", "cat"]);
        entrants[1].display = Some("Bee & Co.".into());
        let note = |winner: fn(usize, usize) -> usize| {
            let games = round_robin(10).games(&entrants);
            let ended = games.iter().map(|game| {
                let [one, other] = *game.seats.values() else { panic!("two seats") };
                // One game of five goes the other way.
                let (winner, number) = (winner(one.min(other), one.max(other)), game.number);
                let winner = if number % 5 == 0 { one + other - winner } else { winner };
                let seat = game.seats.iter().find(|(_, entrant)| **entrant == winner).map(|(seat, _)| seat);
                (game, crate::testing::won(seat, number))
            });
            let standings = round_robin(10).standings(&entrants, &ended.collect());
            let note = standings.notes.into_iter().find(|note| note.text.starts_with("ratings do not explain"));
            note.map(|note| note.text)
        };
        assert_eq!(note(|one, _| one), None);
        let circle = note(|one, other| if other - one == 1 { one } else { other }).expect("a circle");
        assert!(
            circle.contains(" scored 16.00 points against ") && circle.contains(", where they expect 10.00"),
            "{circle}"
        );
        assert!(circle.contains("Bee & Co."), "{circle}");
    }

    #[test]
    fn forfeits_are_counted_for_the_entrant_in_the_seat() {
        let entrants = entrants(&["ant", "bee"]);
        let trapped = |(game, result): (ScheduledGame, GameResult)| {
            let bee = game.seats.iter().find(|(_, entrant)| **entrant == 1).map(|(seat, _)| seat);
            let forfeits = bee.map(|seat| (seat, ForfeitCode::Trap)).into_iter().collect();
            (game, GameResult { forfeits, ..result })
        };
        let games: Settled = results(&entrants, 2, true).counted().map(trapped).collect();
        let scores = Scores::of(&entrants, &games);
        assert_eq!(scores.forfeits, BTreeMap::from([(ForfeitCode::Trap, 4)]));
        assert_eq!(scores.of[1].forfeits, scores.forfeits);
        assert!(scores.of[0].forfeits.is_empty());
    }
}
