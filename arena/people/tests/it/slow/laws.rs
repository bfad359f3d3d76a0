//! Laws of the fold, over made-up histories: few people in few browsers, so that all rules meet.

use std::collections::{BTreeMap, BTreeSet};

use arena_people::{
    Annulled, Browser, Day, Finished, GameMode, Month, OutOfOrder, PAIR_GAMES_A_DAY_MAX, PRACTICE_GAMES_MIN, People,
    Row, Side, SignIns, Span, Strength, Uncounted, Verdict, Who,
};
use arena_record::Hex;
use arena_rooms::PersonId;
use arena_rules::{BySeat, Outcome, Reason, Seat};
use proptest::prelude::*;
use proptest::sample::select;

use crate::games::{DAY, account, bot, built_in, game, guest, person};

const PEOPLE: u8 = 5;
const GAMES: [&str; 2] = ["conquerors", "war-of-life"];

fn everybody() -> Vec<PersonId> {
    (1..=PEOPLE).map(person).collect()
}

fn any_side() -> impl Strategy<Value = Side> {
    prop_oneof![
        // Mostly in their own browsers.
        11 => (1..=PEOPLE).prop_map(|number| account(number, number)),
        1 => (1..=PEOPLE, 1_u8..=7).prop_map(|(number, browser)| account(number, browser)),
        4 => select(vec!["easy", "hard"]).prop_map(built_in),
        1 => (1_u8..=7).prop_map(guest),
        1 => Just(bot()),
    ]
}

/// A game without a room. Several end in the same second; over three days that begin in one month and end in another.
fn any_game() -> impl Strategy<Value = Finished> {
    let sides = prop_oneof![
        20 => [any_side(), any_side()].prop_map(BySeat::from),
        1 => [any_side(), any_side(), any_side()].prop_map(BySeat::from),
    ];
    let end = (
        select(vec![None, Some(Seat(0)), Some(Seat(1))]),
        select(vec![Reason::Extinction, Reason::Forfeit]),
        0..60_u32,
    );
    let time = (0_i64..3, 0_i64..4, 0..900_u32);
    let rest = (select(vec!["conquerors@2", "conquerors@3", "war-of-life@1"]), 0_u8..60, prop::bool::weighted(0.1));
    (sides, end, time, rest, prop::bool::weighted(0.1)).prop_map(
        |(sides, end, time, (ruleset, digest, casual), annulled)| {
            let mut tally = BySeat::new(sides.seats(), |_| 20);
            tally[Seat(0)] += end.2;
            Finished {
                ruleset: ruleset.into(),
                terms: if casual { GameMode::Casual } else { GameMode::Rated },
                outcome: Outcome { winner: end.0, reason: end.1, tally },
                sides,
                round: Some(1 + u32::from(digest % 13)),
                elapsed_s: time.2,
                digest: Hex([digest; 32]),
                finished_at: DAY + time.0 * 86_400 + time.1,
                annulled: annulled.then(|| Annulled { reason: "made up".into() }),
                ..game(0, [bot()])
            }
        },
    )
}

/// Games in rooms of their own, in the order in which they were made up.
fn any_history() -> impl Strategy<Value = Vec<Finished>> {
    proptest::collection::vec(any_game(), 0..120).prop_map(|games| {
        (0..).zip(games).map(|(number, made)| Finished { room: game(number, [bot()]).room, ..made }).collect()
    })
}

/// All that anybody can see, but for the verdicts.
fn seen(people: &People) -> (Vec<Vec<Row>>, Vec<BTreeMap<PersonId, Strength>>) {
    let months = [DAY, DAY + 2 * 86_400].map(|at| Span::Month(Month::of(at)));
    let spans = [Span::AllTime].into_iter().chain(months);
    let of_game =
        |span| GAMES.map(|name| people.table(name, span).map(|table| table.rows(|_| true)).unwrap_or_default());
    let last_day = Day::of(DAY + 2 * 86_400);
    (spans.flat_map(of_game).collect(), GAMES.map(|name| people.strengths(name, last_day, &everybody())).to_vec())
}

fn in_order(mut games: Vec<Finished>) -> Vec<Finished> {
    games.sort_by_key(Finished::moment);
    games
}

fn counts(people: &People, game: &Finished) -> bool {
    matches!(people.verdict(&game.room), Some(Verdict::Counts { .. }))
}

fn accounts(game: &Finished) -> BTreeSet<PersonId> {
    game.sides.values().iter().filter_map(|side| side.who.account()).collect()
}

proptest! {
    #[test]
    fn the_order_in_which_games_come_does_not_matter(
        (games, shuffled) in any_history().prop_flat_map(|games| (Just(games.clone()), Just(games).prop_shuffle())),
    ) {
        prop_assert_eq!(People::fold(&games), People::fold(&shuffled));
        let twice = games.iter().chain(&shuffled);
        prop_assert_eq!(People::fold(twice), People::fold(&games));
    }

    #[test]
    fn in_two_halves_is_at_once(games in any_history(), at in any::<prop::sample::Index>()) {
        let games = in_order(games);
        let (first, second) = games.split_at(at.index(games.len() + 1));
        let mut people = People::fold(first);
        for game in second {
            let verdict = people.add(game).expect("it is later");
            prop_assert_eq!(Some(verdict), people.verdict(&game.room));
        }
        prop_assert_eq!(&people, &People::fold(&games));
        for earlier in games.iter().rev().take(3) {
            prop_assert_eq!(people.add(earlier), Err(OutOfOrder));
        }
        prop_assert_eq!(people, People::fold(&games));
    }

    #[test]
    fn annulled_is_as_if_it_had_not_been_played(
        games in any_history(),
        sides in [any_side(), any_side()],
    ) {
        let rest: Vec<&Finished> = games.iter().filter(|game| game.annulled.is_none()).collect();
        let (with, without) = (People::fold(&games), People::fold(rest));
        prop_assert_eq!(seen(&with), seen(&without));
        let sides = BySeat::from(sides);
        prop_assert_eq!(with.admits(&sides, &SignIns::new()), without.admits(&sides, &SignIns::new()));
        for game in games.iter().filter(|game| game.annulled.is_some()) {
            prop_assert_eq!(with.verdict(&game.room), Some(Verdict::Not(Uncounted::Annulled)));
        }
    }

    #[test]
    fn what_does_not_count_leaves_no_trace(games in any_history()) {
        let people = People::fold(&games);
        let counted: Vec<&Finished> = games.iter().filter(|game| counts(&people, game)).collect();
        prop_assert_eq!(seen(&people), seen(&People::fold(counted.clone())));
        for game in counted {
            prop_assert_eq!(game.terms, GameMode::Rated);
            prop_assert_eq!(game.sides.seats(), 2);
            prop_assert!(!accounts(game).is_empty());
            let both = |side: &Side| matches!(side.who, Who::Account(_) | Who::BuiltIn(_));
            prop_assert!(game.sides.values().iter().all(both));
        }
    }

    #[test]
    fn the_first_games_of_a_pair_on_a_day_count(games in any_history()) {
        let people = People::fold(&games);
        let mut met: BTreeMap<(i64, BTreeSet<Who>), u32> = BTreeMap::new();
        for game in in_order(games) {
            let pair = game.sides.values().iter().map(|side| side.who.clone()).collect();
            let games = met.entry((game.finished_at.div_euclid(86_400), pair)).or_default();
            let is_full = *games == PAIR_GAMES_A_DAY_MAX;
            prop_assert_eq!(people.verdict(&game.room) == Some(Verdict::Not(Uncounted::DayIsFull)), is_full && {
                let alone = People::fold([&game]);
                counts(&alone, &game)
            });
            *games += u32::from(counts(&people, &game));
            prop_assert!(*games <= PAIR_GAMES_A_DAY_MAX);
        }
    }

    /// A model of the table, by itself: from the verdicts, and with the tenth found from above.
    #[test]
    fn tables_are_the_sums_of_what_counts(games in any_history()) {
        let people = People::fold(&games);
        for name in GAMES {
            let table = people.table(name, Span::AllTime);
            for who in (1..=PEOPLE).map(person) {
                let (mut built_in, mut partners, mut played) = (0, BTreeMap::new(), 0);
                for game in games.iter().filter(|game| game.game() == name) {
                    let Some(Verdict::Counts { points }) = people.verdict(&game.room) else { continue };
                    if !accounts(game).contains(&who) {
                        continue;
                    }
                    played += 1;
                    let won = game.outcome.winner.is_some_and(|seat| game.sides[seat].who == Who::Account(who));
                    let points = if won { u64::from(points) } else { 0 };
                    match accounts(game).into_iter().find(|other| *other != who) {
                        Some(partner) => *partners.entry(partner).or_insert(0) += points,
                        None => built_in += points,
                    }
                }
                let total = |most: u64| built_in + partners.values().map(|points| most.min(*points)).sum::<u64>();
                let mut most = u64::MAX;
                while total(most) / 10 < most {
                    most = total(most) / 10;
                }
                let row = table.and_then(|table| table.row(who, |_| true));
                prop_assert_eq!(row.map_or(0, |row| row.games), played);
                let Some(row) = row else { continue };
                prop_assert_eq!((row.points, row.held_back), (total(most), total(u64::MAX) - total(most)));
                prop_assert_eq!(row.games, row.won + row.drawn + row.lost);
            }
        }
    }

    #[test]
    fn months_have_together_the_games_of_all_time(games in any_history()) {
        let people = People::fold(&games);
        let months: BTreeSet<Month> = games.iter().map(|game| Month::of(game.finished_at)).collect();
        for name in GAMES {
            let count = |span| people.table(name, span).map_or(0, |table| {
                table.rows(|_| true).iter().map(|row| row.games).sum::<u32>()
            });
            prop_assert_eq!(months.iter().map(|month| count(Span::Month(*month))).sum::<u32>(), count(Span::AllTime));
        }
    }

    #[test]
    fn equals_share_a_place_and_nobody_hidden_has_one(games in any_history(), hidden in 1..=PEOPLE) {
        let people = People::fold(&games);
        let Some(table) = people.table("conquerors", Span::AllTime) else { return Ok(()) };
        let shown = |who| who != person(hidden);
        let rows = table.rows(shown);
        prop_assert!(rows.iter().all(|row| shown(row.account)));
        for row in &rows {
            let better = rows.iter().filter(|other| (other.points, other.won) > (row.points, row.won)).count();
            prop_assert_eq!(row.rank as usize, better + 1);
            prop_assert_eq!(table.row(row.account, shown), Some(*row));
        }
        prop_assert!(rows.is_sorted_by_key(|row| row.rank));
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// As a site does it: a game is rated if it is admitted when it begins.
    #[test]
    fn who_counts_has_practised_and_shares_no_browser(games in any_history(), others in any_history()) {
        let history = in_order(games.into_iter().chain(others).enumerate().map(|(number, made)| {
            Finished { room: game(number as u16, [bot()]).room, ..made }
        }).collect());
        let mut people = People::default();
        let mut before: Vec<Finished> = Vec::new();
        for mut game in history {
            let admitted = people.admits(&game.sides, &SignIns::new()).is_ok();
            game.terms = if admitted { GameMode::Rated } else { GameMode::Casual };
            people.add(&game).expect("it is later");
            if let ([one, other], true) = (&*accounts(&game).into_iter().collect::<Vec<_>>(), counts(&people, &game)) {
                for who in [one, other] {
                    prop_assert!(practice(&before, *who) >= PRACTICE_GAMES_MIN as usize);
                }
                prop_assert!(browsers(&before, &game, *one).is_disjoint(&browsers(&before, &game, *other)));
            }
            before.push(game);
        }
    }
}

/// How many games against built-in opponents alone somebody finished in a browser without giving up.
fn practice(games: &[Finished], who: PersonId) -> usize {
    let is_own = |side: &Side| side.who == Who::Account(who);
    let in_browser = |side: &Side| is_own(side) && side.browser.is_some();
    let finished = games.iter().filter(|game| {
        let sides = game.sides.values();
        let own = sides.iter().filter(|side| is_own(side)).count();
        let built_in = sides.iter().filter(|side| matches!(side.who, Who::BuiltIn(_))).count();
        let won = game.outcome.winner.is_some_and(|seat| is_own(&game.sides[seat]));
        sides.iter().any(in_browser)
            && own == 1
            && own + built_in == sides.len()
            && (won || game.outcome.reason != Reason::Forfeit)
    });
    finished.filter(|game| game.annulled.is_none() && game.sides.seats() > 1).count()
}

/// The browsers that somebody was seen in, with that of a game.
fn browsers(before: &[Finished], game: &Finished, who: PersonId) -> BTreeSet<Browser> {
    let games = before.iter().filter(|game| game.annulled.is_none()).chain([game]);
    let sides = games.flat_map(|game| game.sides.values());
    sides.filter(|side| side.who == Who::Account(who)).filter_map(|side| side.browser).collect()
}

#[test]
fn a_months_table_begins_anew_at_midnight_of_utc() {
    let mut games = [1, 2, 3].map(|number| game(number, [account(1, 1), built_in("hard")]));
    games[0].finished_at = DAY + 86_399;
    games[1].finished_at = DAY + 86_400;
    games[2].finished_at = DAY + 86_401;
    let people = People::fold(&games);
    let played =
        |span| people.table("conquerors", span).and_then(|table| table.row(person(1), |_| true)).expect("a row").games;
    let spans = ["2026-11", "2026-12"].map(|month| Span::Month(month.parse().expect("a month")));
    assert_eq!([played(spans[0]), played(spans[1]), played(Span::AllTime)], [1, 2, 3]);
}

#[test]
fn the_fourth_game_of_a_day_does_not_count_and_the_first_of_the_next_does() {
    let mut games = [1, 2, 3, 4, 5].map(|number| game(number, [account(1, 1), account(2, 2)]));
    games[1].sides = BySeat::from([account(2, 2), account(1, 1)]); // seats do not matter
    games[2].ruleset = "war-of-life@1".into(); // nor does the game
    games[4].finished_at = DAY + 86_400;
    let people = People::fold(&games);
    let verdicts = games.each_ref().map(|game| counts(&people, game));
    assert_eq!(verdicts, [true, true, true, false, true]);
}

#[test]
fn the_same_game_again_counts_once_and_with_seats_swapped_once_more() {
    let mut games = [1, 2, 3].map(|number| game(number, [account(1, 1), built_in("hard")]));
    for game in &mut games {
        game.digest = Hex([7; 32]);
    }
    games[2].sides = BySeat::from([built_in("hard"), account(1, 1)]);
    let people = People::fold(&games);
    let verdicts = games.each_ref().map(|game| people.verdict(&game.room).expect("folded"));
    assert_eq!(verdicts[0], Verdict::Counts { points: 163 });
    assert_eq!(verdicts[1], Verdict::Not(Uncounted::PlayedBefore));
    assert!(matches!(verdicts[2], Verdict::Counts { .. }));
}

#[test]
fn ratings_are_of_games_between_people_and_of_the_day_they_began() {
    let mut games = [1, 2, 3].map(|number| game(number, [account(1, 1), account(2, 2)]));
    games[2].sides = BySeat::from([account(1, 1), built_in("hard")]);
    let people = People::fold(&games);
    let today = people.strengths("conquerors", Day::of(DAY), &everybody());
    let [winner, loser] = [1, 2].map(|number| today[&person(number)]);
    assert_eq!(today.len(), 2);
    assert_eq!(winner.rating() + loser.rating(), 3_000);
    assert!(winner.rating() > 1_600 && winner.half_interval() < 600, "{winner:?}");
    // Both games were with somebody of whom nothing was known when the day began: their order does not matter.
    games[0].outcome.winner = Some(Seat(1));
    let other_first = People::fold(&games);
    games[0].outcome.winner = Some(Seat(0));
    games[1].outcome.winner = Some(Seat(1));
    let people = People::fold(&games);
    assert_eq!(
        people.strengths("conquerors", Day::of(DAY), &everybody()),
        other_first.strengths("conquerors", Day::of(DAY), &everybody())
    );
    let later = people.strengths("conquerors", Day(Day::of(DAY).0 + 60), &everybody());
    assert!(later[&person(1)].deviation_thousandths > today[&person(1)].deviation_thousandths);
}
