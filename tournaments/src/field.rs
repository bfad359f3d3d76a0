//! Games of more than two seats, and the standings by mean share.
//!
//! A game gives each entrant its share of the ruleset's final tally, in millionths. An entrant is ranked by the mean
//! over its games. Two-seat games of the same tournament, the cage, only break ties.

mod fairness;
mod means;

use std::collections::BTreeMap;

use arena_record::ForfeitCode;
use arena_rules::{BySeat, Rng, Seat, Seed};
use sha2::{Digest, Sha256};

use self::means::{Means, mean, rounded_mean};
use crate::bots::Bots;
use crate::certainty::{Compared, Placing, Ranks, ranks, superiority};
use crate::format::FIELD;
use crate::note::{Note, Remark};
use crate::report::percent_of;
use crate::standings::{Column, Gap, Rank, Row, Share, Value};
use crate::{
    Entrant, Format, GameResult, Leave, RoundRobin, Schedule, ScheduledGame, Settled, Stage, Standings, Tally,
};

/// Separates the hashes of these games' seeds from all others.
const FIELD_TAG: &[u8] = b"arena/field-seed/1";
/// The same, for the seating in them.
const DEAL_TAG: &[u8] = b"arena/field-deal/1";

/// Games of more than two seats, followed by a round robin of two-seat games, which only counts between entrants with
/// equal scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The seed from which all draws and the games' seeds are derived.
    pub seed: u64,
    /// Seats of a game.
    pub seats: u8,
    /// The number of games with that many seats.
    pub games: u32,
    /// Pairs of two-seat games per pairing.
    pub pairs: u32,
}

impl Field {
    /// All games. Entrants are dealt from a shuffled deck, so that all play equally often, give or take one game; the
    /// seating is shuffled separately. Empty with fewer entrants than seats.
    pub fn games(self, entrants: &[Entrant]) -> Schedule {
        let mut deal = Rng::new(&hash(DEAL_TAG, self.seed, &[]), 0);
        let mut deck: Vec<usize> = Vec::new();
        let mut field = Schedule::default();
        if entrants.len() < self.seats.into() {
            return field;
        }
        for game in 0..self.games {
            let mut seated: Vec<usize> = Vec::new();
            while seated.len() < self.seats.into() {
                if let Some(place) = deck.iter().position(|entrant| !seated.contains(entrant)) {
                    seated.push(deck.remove(place));
                } else {
                    let mut fresh: Vec<usize> = (0..entrants.len()).collect();
                    deal.shuffle(&mut fresh);
                    deck.extend(fresh);
                }
            }
            deal.shuffle(&mut seated);
            let (number, seed) = (field.len(), hash(FIELD_TAG, self.seed, &game.to_le_bytes()));
            let seats = BySeat::from(seated);
            let stage = Stage::Main;
            field.push(&ScheduledGame { number, round: number, pairing: number, pair: 0, stage, seats, seed });
        }
        let behind = field.len();
        for game in RoundRobin::new(self.seed, self.pairs).games(entrants).iter() {
            field.push(&ScheduledGame {
                number: behind + game.number,
                round: behind + game.round,
                pairing: behind + game.pairing,
                stage: Stage::Cage,
                ..game
            });
        }
        field
    }
}

fn hash(tag: &[u8], seed: u64, more: &[u8]) -> Seed {
    Sha256::new().chain_update(tag).chain_update(seed.to_le_bytes()).chain_update(more).finalize().into()
}

impl Format for Field {
    fn name(&self) -> &'static str {
        FIELD
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Schedule {
        if settled.is_empty() { self.games(entrants) } else { Schedule::default() }
    }

    fn games_max(&self, entrants: usize) -> usize {
        let cage = RoundRobin::new(self.seed, self.pairs);
        self.games as usize + cage.games_max(entrants)
    }

    /// Ranked by mean share; entrants with equal shares by their two-seat games against each other. Games that were
    /// played alike count once, and entrants with equal bytes share the games of all of them.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings {
        let bots = Bots::of(entrants);
        let mut sums = vec![Sums::default(); entrants.len()];
        let mut shares = vec![Shares::default(); bots.count()];
        settled.void().flat_map(|game| game.seats.into_values()).for_each(|entrant| sums[entrant].void += 1);
        settled.left.iter().for_each(|(entrant, left)| sums[*entrant].left = Some(left.why));
        let placings = settled.placings(entrants.len(), |_, scheduled| scheduled);
        sums.iter_mut().zip(placings).for_each(|(sums, placing)| sums.placing = placing);
        let mut by_seat = vec![0_u64; self.seats.into()];
        let (mut games, mut cage_games) = (0_u32, 0_u32);
        for ((game, result), is_new) in settled.counted().zip(settled.distinct(|entrant| bots.bot(entrant))) {
            if !is_new {
                continue;
            }
            match (game.stage, game.seats.values()) {
                (Stage::Cage, &[first, second]) => {
                    cage_games += 1;
                    for (own, other, seat) in [(first, second, Seat(0)), (second, first, Seat(1))] {
                        sums[own].cage.entry(other).or_default().add(result.winner.map(|winner| winner == seat));
                    }
                }
                _ => {
                    share_out((&game, games as usize), &result, &bots, &mut shares, &mut by_seat);
                    games += 1;
                }
            }
        }
        let by_seat = by_seat.into_iter().map(|sum| sum / u64::from(games.max(1))).collect();
        let void = settled.void().count() as u32;
        let rows = rank(entrants, &sums, &Scored { shares: &shares, bots: &bots }, games as usize);
        let mut table = self.table(rows, Totals { games, cage_games, void, by_seat });
        table.notes.extend(bots.note("score").into_iter().chain(Note::cancelled(settled.cancelled())));
        table
    }

    fn reports(&self, _title: Option<&str>, entrants: &[Entrant], settled: &Settled) -> Vec<(&'static str, String)> {
        fairness::files(entrants, settled, self.seats)
    }
}

/// The sums for a bot.
#[derive(Clone, Default)]
struct Shares {
    /// Its share in each of its games; the mean of its seats if it had several.
    of: Vec<u64>,
    /// The places of these games among the counted ones.
    played: Vec<usize>,
    /// Games in which its share was the only largest one, or which it won on equal shares.
    firsts: u32,
    /// Its forfeits in counted games of the field.
    forfeits: BTreeMap<ForfeitCode, u32>,
}

/// The shares of all bots, by entrant.
struct Scored<'a> {
    shares: &'a [Shares],
    bots: &'a Bots,
}

impl Scored<'_> {
    fn of(&self, entrant: usize) -> &Shares {
        &self.shares[self.bots.bot(entrant)]
    }
}

/// Means by entrant.
struct MeansOf<'a> {
    means: Means,
    bots: &'a Bots,
}

impl MeansOf<'_> {
    /// The lead of one over another. A bot is as good as itself.
    fn lead(&self, one: usize, other: usize) -> Share {
        match self.bots.are_one(one, other) {
            true => Share { mean: 0, low: Some(0), high: Some(0) },
            false => self.means.lead(self.bots.bot(one), self.bots.bot(other)),
        }
    }
}

impl Compared for MeansOf<'_> {
    fn doubt(&self, one: usize, other: usize) -> f64 {
        match self.bots.are_one(one, other) {
            true => 0.5,
            false => self.means.doubt(self.bots.bot(one), self.bots.bot(other)),
        }
    }
}

/// The sums for an entrant.
#[derive(Clone, Default)]
struct Sums {
    void: u32,
    left: Option<Leave>,
    /// How it may be placed.
    placing: Placing,
    /// Its two-seat games by opponent.
    cage: BTreeMap<usize, Tally>,
}

/// The sums for all entrants.
struct Totals {
    /// Games of the field that count.
    games: u32,
    /// Two-seat games that count.
    cage_games: u32,
    void: u32,
    /// The mean share of each seat, which shows how even the seats are.
    by_seat: Vec<u64>,
}

/// Gives each bot of a game its share.
fn share_out(
    (game, place): (&ScheduledGame, usize),
    result: &GameResult,
    bots: &Bots,
    shares: &mut [Shares],
    by_seat: &mut [u64],
) {
    let whole: u64 = result.tally.values().iter().map(|tally| u64::from(*tally)).sum();
    let most = result.tally.values().iter().max().copied().unwrap_or(0);
    let leaders = result.tally.values().iter().filter(|tally| **tally == most).count();
    let mut seated: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for (seat, entrant) in game.seats.iter() {
        let (tally, bot) = (result.tally[seat], bots.bot(*entrant));
        let share = (u64::from(tally) * Share::WHOLE).checked_div(whole).unwrap_or(0);
        by_seat[seat.index()] += share;
        seated.entry(bot).or_default().push(share);
        let is_first = leaders == 1 || result.winner == Some(seat);
        shares[bot].firsts += u32::from(most > 0 && tally == most && is_first);
    }
    for (bot, seats) in seated {
        shares[bot].of.push(rounded_mean(&seats));
        shares[bot].played.push(place);
    }
    for (seat, code) in &result.forfeits {
        *shares[bots.bot(game.seats[*seat])].forfeits.entry(*code).or_default() += 1;
    }
}

/// Half points of each of several entrants from their two-seat games against each other, in order; nothing for all if
/// some of these have not met. Games of a bot against itself count for nobody.
fn against_each_other(level: &[usize], sums: &[Sums], bots: &Bots) -> Vec<u32> {
    let rivals = |one: usize| level.iter().copied().filter(move |other| !bots.are_one(one, *other));
    let have_met = level.iter().all(|one| rivals(*one).all(|other| sums[*one].cage.contains_key(&other)));
    let points = |one: &usize| {
        let games = rivals(*one).filter_map(|other| sums[*one].cage.get(&other));
        if have_met { games.map(|tally| tally.half_points()).sum() } else { 0 }
    };
    level.iter().map(points).collect()
}

/// The rows, best first, after this many games of the field.
fn rank(entrants: &[Entrant], sums: &[Sums], scored: &Scored<'_>, games: usize) -> Vec<Row> {
    let shares = scored.shares.iter().map(|shares| (&*shares.of, &*shares.played));
    let means = MeansOf { means: Means::of(shares, games), bots: scored.bots };
    let placings: Vec<Placing> = sums.iter().map(|sums| sums.placing).collect();
    let within = ranks(&placings, &means);
    let level = |entrant: &usize| (placings[*entrant], std::cmp::Reverse(rounded_mean(&scored.of(*entrant).of)));
    let (mut order, mut unplaced): (Vec<usize>, Vec<usize>) =
        (0..entrants.len()).partition(|entrant| placings[*entrant] != Placing::Nowhere);
    order.sort_by_key(level);
    unplaced.sort_by_key(|entrant| &entrants[*entrant].name);
    let mut places: Vec<(Rank, usize)> = Vec::new();
    for tied in order.chunk_by(|a, b| level(a) == level(b)) {
        let of_each: BTreeMap<usize, u32> =
            tied.iter().copied().zip(against_each_other(tied, sums, scored.bots)).collect();
        let points = |entrant: &usize| std::cmp::Reverse(of_each[entrant]);
        let mut tied_order = tied.to_vec();
        tied_order.sort_by_key(|entrant| (points(entrant), &entrants[*entrant].name));
        let above = places.len();
        for same in tied_order.chunk_by(|a, b| points(a) == points(b)) {
            let rank = 1 + above + tied_order.iter().filter(|other| points(other) < points(&same[0])).count();
            places.extend(same.iter().map(|entrant| (Rank(Some(rank)), *entrant)));
        }
    }
    let next = places.iter().skip(1).map(|(_, entrant)| Some(*entrant)).chain(std::iter::repeat(None));
    let next: Vec<Option<usize>> = next.take(entrants.len()).collect();
    places.extend(unplaced.into_iter().map(|entrant| (Rank(None), entrant)));
    let certain = |entrant: usize, next: Option<usize>| Certainty {
        ranks: within[entrant],
        lead: next.map(|next| (means.lead(entrant, next), superiority(means.doubt(entrant, next)))),
    };
    let rows = places.iter().zip(next).map(|((rank, entrant), next)| {
        let (sums, shares) = (&sums[*entrant], scored.of(*entrant));
        row(*rank, &entrants[*entrant], sums, shares, certain(*entrant, next))
    });
    rows.collect()
}

/// The certainty of an entrant's place.
struct Certainty {
    ranks: Option<Ranks>,
    /// The lead over the next entrant, and the probability, in ten-thousandths, that it is the better one.
    lead: Option<(Share, u32)>,
}

fn row(rank: Rank, entrant: &Entrant, sums: &Sums, shares: &Shares, certainty: Certainty) -> Row {
    let Certainty { ranks, lead } = certainty;
    let values = vec![
        Value::Share(mean(&shares.of)),
        Value::Ranks(ranks),
        Value::Count(shares.of.len() as u32),
        Value::Count(shares.firsts),
        Value::Tally(sums.cage.values().fold(Tally::default(), |all, tally| all + *tally)),
        Value::Lead(lead.map(|(lead, _)| Gap::Share(lead))),
        lead.map_or(Value::Nothing, |(_, likelier)| Value::Chance(likelier)),
        Value::Forfeits(shares.forfeits.clone()),
    ];
    let Sums { void, left, .. } = *sums;
    let Entrant { name, display, id } = entrant.clone();
    Row { rank, name, display, id, values, void, left }
}

impl Field {
    fn table(&self, rows: Vec<Row>, totals: Totals) -> Standings {
        let Totals { games, cage_games, void, by_seat } = totals;
        let (score, what) = if self.pairs == 0 {
            let text = "score: mean share of the tally at the end of a game; 95 % interval over games. Equal scores share the rank";
            (text.to_owned(), Remark::ShareOfTally)
        } else {
            let text = format!(
                "score: mean share of coloured cells at the end of a game; 95 % interval over games. Ties go by the {cage_games} two-seat games"
            );
            (text, Remark::ShareOfCells(cage_games))
        };
        let even: Vec<String> = by_seat.iter().map(|mean| percent_of(*mean)).collect();
        let means = even.join(", ");
        let even = format!("games of {} seats: {games}; by seat: {means} %", self.seats);
        let seats = Remark::SeatShares(self.seats, games, means);
        let notes = [Note::meaning(&score, what), Note::fact(even, seats)];
        Standings {
            title: None,
            // In the same order as in `row`.
            columns: vec![
                Column::new("score", "score").in_json().in_csv().in_text(2, 16),
                Column::new("rank", "ranks").in_json().in_csv().in_text(1, 6),
                Column::new("games", "games").in_json().in_csv().in_text(1, 6),
                Column::new("firsts", "first").in_json().in_csv().in_text(1, 6),
                Column::new("cage", "cage").in_json().in_csv().in_text(1, 6),
                Column::new("lead", "lead").in_json().in_csv(),
                Column::new("superiority", "likelier").in_json().in_csv(),
                Column::new("forfeits", "forfeits").in_json().in_csv().in_text(1, 8),
            ],
            rows,
            totals: vec![
                ("seats", Value::Count(self.seats.into())),
                ("games_counted", Value::Count(games)),
                ("cage_games_counted", Value::Count(cage_games)),
                ("games_void", Value::Count(void)),
                ("score_by_seat", Value::Shares(by_seat)),
            ],
            void,
            notes: notes.into_iter().chain(Note::void(void)).collect(),
            crosstable: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use arena_record::EntrantId;

    use super::*;
    use crate::Left;

    fn entrants(names: &[&str]) -> Vec<Entrant> {
        let make = |name: &&str| Entrant::new(*name, EntrantId::of_bytes(name.as_bytes()));
        names.iter().map(make).collect()
    }

    const THREE: Field = Field { seed: 1, seats: 3, games: 90, pairs: 1 };

    /// The standings after games with the final tallies of `tally` and the winners of two-seat games of `winner`.
    fn results(
        names: &[Entrant],
        tally: impl Fn(usize, usize) -> u32,
        winner: impl Fn(usize, usize) -> usize,
    ) -> Settled {
        results_of(&THREE, names, tally, winner)
    }

    fn results_of(
        field: &Field,
        names: &[Entrant],
        tally: impl Fn(usize, usize) -> u32,
        winner: impl Fn(usize, usize) -> usize,
    ) -> Settled {
        let result = |game: ScheduledGame| {
            let number = game.number;
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&(number as u64).to_le_bytes());
            let seats = game.seats.clone();
            let winner = match seats.values() {
                [a, b] => seats.iter().find(|(_, entrant)| **entrant == winner(*a, *b)).map(|(seat, _)| seat),
                _ => None,
            };
            let tally: BySeat<u32> = seats.map(|entrant| tally(entrant, number));
            (
                game,
                GameResult {
                    winner,
                    forfeits: Vec::new(),
                    tally,
                    digest,
                    reason: arena_rules::Reason::Majority,
                    turns: 0,
                },
            )
        };
        field.games(names).iter().map(result).collect()
    }

    /// Two-seat games only break ties: one that leaves before them has played all of its games, however many they are.
    #[test]
    fn who_withdrew_after_the_field_keeps_its_place() {
        let names = entrants(&["ant", "bee", "cat", "dog"]);
        let field = Field { pairs: 40, ..THREE };
        for (leaves_at, is_placed) in [(THREE.games as usize, true), (THREE.games as usize / 3, false)] {
            let mut settled = results_of(&field, &names, |entrant, _| 4 - entrant as u32, usize::min);
            settled.left.insert(0, Left { from: leaves_at, why: Leave::Withdrawn });
            for place in leaves_at..settled.len() {
                if settled.seated(place).any(|entrant| entrant == 0) {
                    settled.decide(place, crate::Fate::Cancelled);
                }
            }
            let table = field.standings(&names, &settled);
            let row = table.rows.iter().find(|row| row.name == "ant").expect("listed");
            assert_eq!(row.rank, Rank(is_placed.then_some(1)), "{}", table.to_table());
        }
    }

    fn share(row: &Row) -> Share {
        match &row.values[0] {
            Value::Share(share) => *share,
            other => panic!("{other:?}"),
        }
    }

    fn count(table: &Standings, row: usize, column: &str) -> u32 {
        match table.value(&table.rows[row], column) {
            Some(Value::Count(count)) => *count,
            other => panic!("{column}: {other:?}"),
        }
    }

    #[test]
    fn a_field_is_dealt_evenly_into_every_seat() {
        let names: Vec<String> = (0..16).map(|number| format!("bot{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for (count, seats) in [(5, 5), (7, 5), (9, 4), (16, 16)] {
            let field = Field { seed: 3, seats, games: 700, pairs: 2 };
            let games = field.games(&entrants(&names[..count]));
            assert_eq!(games.len(), 700 + count * (count - 1) * 2);
            assert_eq!(games.len(), field.games_max(count));
            let games: Vec<ScheduledGame> = games.iter().collect();
            assert!(games.iter().enumerate().all(|(number, game)| game.number == number));
            let (field, cages) = games.split_at(700);
            let mut played = vec![0_usize; count];
            let mut sat: BTreeMap<(usize, usize), usize> = BTreeMap::new();
            for game in field {
                let distinct: BTreeSet<usize> = game.seats.values().iter().copied().collect();
                assert_eq!(distinct.len(), usize::from(seats));
                for (seat, entrant) in game.seats.iter() {
                    played[*entrant] += 1;
                    *sat.entry((seat.index(), *entrant)).or_default() += 1;
                }
            }
            let (least, most) = (played.iter().min().copied(), played.iter().max().copied());
            assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "{played:?}");
            // Each entrant in each seat about 700 / count times: five standard deviations.
            let expected = 700.0 / count as f64;
            let far = sat.values().find(|times| (**times as f64 - expected).abs() > 5.0 * expected.sqrt());
            assert_eq!((far, sat.len()), (None, count * usize::from(seats)));
            assert!(field.iter().all(|game| (game.stage, game.seats.seats()) == (Stage::Main, seats)));
            assert!(cages.iter().all(|game| (game.stage, game.seats.seats()) == (Stage::Cage, 2)));
            let seeds: BTreeSet<_> = field.iter().map(|game| game.seed).collect();
            assert_eq!(seeds.len(), 700);
        }
        let few = Field { seed: 3, seats: 5, games: 10, pairs: 1 };
        assert!(few.games(&entrants(&names[..4])).is_empty(), "too few to fill the seats");
    }

    #[test]
    fn who_wins_a_tie_of_the_tally_has_a_first_and_shares_the_rank() {
        let names = entrants(&["ant", "bee", "cat", "dog"]);
        let won = |winner: &str| {
            let played = results(&names, |_, _| 10, |a, b| a.min(b));
            let games = played.counted().map(|(game, mut result)| {
                // Cages end in draws: wins would separate equal entrants.
                let of_field = game.seats.iter().filter(|_| game.seats.seats() > 2);
                result.winner = of_field.into_iter().find(|(_, at)| names[**at].name == winner).map(|(seat, _)| seat);
                (game, result)
            });
            Field { pairs: 0, ..THREE }.standings(&names, &games.collect())
        };
        let [table, nobody] = ["cat", "nobody"].map(won);
        let of = |name: &str| table.rows.iter().position(|row| row.name == name).expect("it played");
        assert_eq!(count(&table, of("cat"), "firsts"), count(&table, of("cat"), "games"));
        assert_eq!(count(&table, of("dog"), "firsts"), 0);
        assert_eq!(
            nobody.rows.iter().map(|row| row.rank).collect::<Vec<_>>(),
            table.rows.iter().map(|row| row.rank).collect::<Vec<_>>()
        );
        assert!((0..4).all(|row| count(&nobody, row, "firsts") == 0), "nobody won");
    }

    #[test]
    fn shares_are_averaged_and_the_mean_decides() {
        let names = entrants(&["ant", "bee", "cat", "dog"]);
        // All games are equal except for one entrant, which always has three times as much.
        let games = results(&names, |entrant, _| if entrant == 2 { 30 } else { 10 }, |a, b| a.min(b));
        let table = THREE.standings(&names, &games);
        let best = &table.rows[0];
        assert_eq!((best.name.as_str(), share(best).mean), ("cat", 600_000));
        assert_eq!(count(&table, 0, "firsts"), count(&table, 0, "games"));
        assert_eq!(table.total("games_counted"), Some(&Value::Count(90)));
        assert_eq!(table.total("cage_games_counted"), Some(&Value::Count(12)));
        assert_eq!((0..4).map(|row| count(&table, row, "games")).sum::<u32>(), 3 * 90);
    }

    #[test]
    fn the_cage_decides_between_equals_and_only_there() {
        let names = entrants(&["ant", "bee", "cat"]);
        // In the cage the last entrant beats all others, and the second beats the first.
        let games = results(&names, |entrant, _| if entrant == 2 { 1 } else { 10 }, |a, b| a.max(b));
        let table = THREE.standings(&names, &games);
        let order: Vec<(Option<usize>, &str)> = table.rows.iter().map(|row| (row.rank.0, row.name.as_str())).collect();
        assert_eq!(
            order,
            [(Some(1), "bee"), (Some(2), "ant"), (Some(3), "cat")],
            "a won cage does not lift a lower score"
        );
        assert_eq!(share(&table.rows[0]).mean, share(&table.rows[1]).mean);
        // Without a winner in the cage they share the rank.
        let even = results(&names, |_, _| 1, |_, _| usize::MAX);
        let table = THREE.standings(&names, &even);
        assert!(table.rows.iter().all(|row| row.rank == Rank(Some(1))));
        assert_eq!(table.rows[0].name, "ant");
    }

    #[test]
    fn the_cage_is_asked_only_where_all_that_are_level_met_there_and_are_different_bots() {
        let ranks = |names: &[Entrant], games: &Settled| -> Vec<Option<usize>> {
            let table = THREE.standings(names, games);
            let rank = |entrant: &Entrant| table.rows.iter().find(|row| row.name == entrant.name).map(|row| row.rank.0);
            names.iter().filter_map(rank).collect()
        };
        // All are level, and in the cage the later entrant wins. The last withdraws before its last two-seat game.
        let names = entrants(&["ant", "bee", "cat"]);
        let mut games = results(&names, |_, _| 1, |a, b| a.max(b));
        assert_eq!(ranks(&names, &games), [Some(3), Some(2), Some(1)]);
        let against_ant = |place: &usize| games.seated(*place).collect::<BTreeSet<_>>() == [0, 2].into();
        let last: Vec<usize> = (90..games.len()).filter(against_ant).collect();
        games.left.insert(2, Left { from: last[0], why: Leave::Withdrawn });
        last.into_iter().for_each(|place| games.decide(place, crate::Fate::Cancelled));
        assert_eq!(ranks(&names, &games), [Some(1); 3], "else who met more of the others would be ahead");
        // The first two are one bot: what it wins against itself counts for neither name.
        let mut names = names;
        names[1].id = names[0].id.clone();
        let games = results(&names, |_, _| 1, |a, b| if a + b == 1 { 0 } else { a.max(b) });
        assert_eq!(ranks(&names, &games), [Some(2), Some(2), Some(1)]);
    }

    #[test]
    fn a_board_without_survivors_gives_nobody_anything() {
        let names = entrants(&["ant", "bee", "cat"]);
        let games = results(&names, |entrant, number| u32::from(number % 2 == 0 && entrant == 0), |a, _| a);
        let table = THREE.standings(&names, &games);
        let [best, next] = [0, 1].map(|row: usize| share(&table.rows[row]));
        assert_eq!((best.mean, next.mean), (500_000, 0));
        // Of 90 games 45: Wilson's interval with Student's quantile for 89 degrees of freedom, 1.987.
        assert_eq!((best.low, best.high), (Some(396_951), Some(603_049)));
        // In 90 games nothing else: 0.025^(1/90) is 0.95984.
        assert_eq!((next.low, next.high), (None, Some(40_159)));
    }

    #[test]
    fn one_game_or_games_without_scatter_are_not_certainty() {
        let names = entrants(&["ant", "bee", "cat"]);
        let table = |games: u32, tally: fn(usize, usize) -> u32| {
            let field = Field { games, ..THREE };
            field.standings(&names, &results_of(&field, &names, tally, |_, _| usize::MAX))
        };
        let told = |table: &Standings, row: usize, column: &str| {
            table.value(&table.rows[row], column).expect("a column").to_string()
        };
        let one = table(1, |entrant, _| [40, 35, 25][entrant]);
        assert_eq!(
            ["score", "rank", "lead", "superiority"].map(|column| told(&one, 0, column)),
            ["40.0 %", "1-3", "5.0 %", "50.0 %"]
        );
        // Were more than 26.5 % of all games different, 12 equal ones would have a probability below 2.5 %.
        let all = table(12, |entrant, _| u32::from(entrant == 0));
        assert_eq!(
            ["score", "rank", "lead"].map(|column| told(&all, 0, column)),
            ["100.0 -26.5 %", "1", "100.0 -52.9 %"]
        );
        assert_eq!(
            ["score", "rank", "lead"].map(|column| told(&all, 1, column)),
            ["0.0 +26.5 %", "2-3", "0.0 ± 26.5 %"]
        );
        let csv = all.to_csv();
        assert!(csv.lines().nth(1).is_some_and(|line| line.contains(",1.000000,0.735352,,1,1,12,")), "{csv}");
        // If two entrants are equal, n games all go to the same one of them with a probability of 2^-n.
        for (games, likelier, ranks) in [(2, "75.0 %", "1-3"), (4, "93.8 %", "1-3"), (6, "98.4 %", "1")] {
            let won = table(games, |entrant, _| u32::from(entrant == 0));
            assert_eq!([told(&won, 0, "superiority"), told(&won, 0, "rank")], [likelier, ranks]);
        }
    }

    #[test]
    fn a_lead_is_no_surer_than_the_games_that_show_it() {
        let names = entrants(&["ant", "bee", "cat"]);
        let field = Field { games: 40, ..THREE };
        // The last wins nearly always, and the others only a few games, all of them by the first.
        for (won, ranks) in [(5, ["1", "2-3", "2-3"]), (6, ["1", "2", "3"])] {
            let tally = |entrant: usize, number: usize| u32::from(entrant == if number < won { 0 } else { 2 });
            let table = field.standings(&names, &results_of(&field, &names, tally, |_, _| usize::MAX));
            let rank = |row: &Row| table.value(row, "rank").expect("a column").to_string();
            assert_eq!(table.rows.iter().map(rank).collect::<Vec<_>>(), ranks, "{won}");
        }
    }

    #[test]
    fn equal_games_count_once_and_the_quarantined_stand_last() {
        let names = entrants(&["ant", "bee", "cat"]);
        let games = results(&names, |entrant, _| if entrant == 0 { 5 } else { 1 }, |a, _| a);
        let equal = |(game, result)| (game, GameResult { digest: [0; 32], ..result });
        let mut games: Settled = games.counted().map(equal).collect();
        games.left.insert(0, Left { from: 0, why: Leave::Quarantined });
        let table = THREE.standings(&names, &games);
        let counted = table.total("games_counted");
        assert!(matches!(counted, Some(Value::Count(1..=6))), "one game for each way to sit: {counted:?}");
        assert_eq!(table.rows.last().map(|row| (row.name.as_str(), row.is_quarantined())), Some(("ant", true)));
    }

    #[test]
    fn everything_is_said_in_one_round() {
        let names = entrants(&["ant", "bee", "cat"]);
        let settled = results(&names, |_, _| 1, |a, _| a);
        assert_eq!(THREE.next(&names, &Settled::default()), THREE.games(&names));
        assert!(THREE.next(&names, &settled).is_empty());
    }

    #[test]
    fn a_circle_in_the_two_seat_games_is_reported() {
        let names = entrants(&["ant", "bee", "cat"]);
        let report = |pairs: u32, winner: fn(usize, usize) -> usize| {
            let field = Field { pairs, ..THREE };
            let files = field.reports(None, &names, &results_of(&field, &names, |_, _| 1, winner));
            files.into_iter().find(|(name, _)| *name == "fairness.txt").map(|(_, text)| text).expect("a report")
        };
        // Each of three beats the next one in 20 of 20 games: all are level, and each pairing is (20 - 10) / sqrt(5)
        // away.
        let circle = report(10, |a, b| if (a + 1) % 3 == b { a } else { b });
        let said =
            "in the two-seat games ratings do not explain who beat whom: chi-square 60.00 with 1 degree of freedom";
        assert!(circle.contains(said) && circle.contains("20.00 points where 10.00 were expected, 4.47 "), "{circle}");
        // Where nobody of less strength ever wins nothing can be said, and so it is said.
        assert!(
            report(10, usize::min).contains("\nthe two-seat games do not tell whether ratings explain who beat whom")
        );
        assert!(!report(0, usize::min).contains("two-seat"), "there are none");
    }
}
