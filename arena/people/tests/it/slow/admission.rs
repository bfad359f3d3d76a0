//! Whether a game may be rated, before it begins; and what counts where it should not have been.

use arena_people::{
    Annulled, Browser, Finished, GameMode, PRACTICE_GAMES_MIN, People, Side, SignIns, Uncounted, Unrated, Verdict,
};
use arena_record::Hex;
use arena_rules::{BySeat, Reason, Seat};

use crate::games::{account, bot, built_in, game, guest, person};

/// Games of practice of persons with these numbers, each in the browser with the same number.
fn practice(persons: &[u8], games: u32) -> Vec<Finished> {
    let one = |person: &u8, number: u32| {
        let number = u16::from(*person) * 100 + number as u16;
        game(number, [account(*person, *person), built_in("easy")])
    };
    persons.iter().flat_map(|person| (0..games).map(move |number| one(person, number))).collect()
}

fn admits<const N: usize>(games: &[Finished], sides: [Side; N]) -> Result<(), Unrated> {
    People::fold(games).admits(&BySeat::from(sides), &SignIns::new())
}

#[test]
fn both_accounts_have_ten_finished_games_against_built_in_opponents() {
    let enough = practice(&[1, 2], PRACTICE_GAMES_MIN);
    assert_eq!(admits(&enough, [account(1, 1), account(2, 2)]), Ok(()));
    assert_eq!(PRACTICE_GAMES_MIN, 10);
    assert_eq!(People::fold(&enough).practice_games(person(1)), 10);
    assert_eq!(People::fold(&enough).practice_games(person(3)), 0);
    for missing in [0, 10] {
        let mut games = enough.clone();
        games.remove(missing);
        let seat = if missing == 0 { Seat(0) } else { Seat(1) };
        let too_few = Unrated::Practice { seat, finished: 9 };
        assert_eq!(admits(&games, [account(1, 1), account(2, 2)]), Err(too_few));
        assert_eq!(
            too_few.to_string(),
            "a rated game between people needs 10 finished games of each against built-in opponents; one of them has 9"
        );
    }
}

#[test]
fn who_gives_up_has_not_practised_and_who_loses_or_plays_unrated_has() {
    let mut games = practice(&[1, 2], PRACTICE_GAMES_MIN);
    let pair = [account(1, 1), account(2, 2)];
    games[3].outcome.winner = Some(Seat(1));
    games[4].outcome.winner = None;
    games[5].terms = GameMode::Casual;
    games[6].outcome.reason = Reason::Forfeit; // the opponent's
    assert_eq!(admits(&games, pair.clone()), Ok(()));
    games[3].outcome.reason = Reason::Forfeit; // the person's own
    assert_eq!(admits(&games, pair), Err(Unrated::Practice { seat: Seat(0), finished: 9 }));
}

#[test]
fn what_a_program_plays_is_no_practice_of_its_account() {
    let mut games = practice(&[1, 2], PRACTICE_GAMES_MIN);
    games[0].sides = BySeat::from([Side { browser: None, ..account(1, 1) }, built_in("easy")]);
    let pair = [account(1, 1), account(2, 2)];
    assert_eq!(admits(&games, pair), Err(Unrated::Practice { seat: Seat(0), finished: 9 }));
}

#[test]
fn games_with_others_are_no_practice() {
    let pair = || [account(1, 1), account(2, 2)];
    for other in [account(3, 3), guest(3), bot()] {
        let mut games = practice(&[1, 2], PRACTICE_GAMES_MIN);
        games[0].sides = BySeat::from([account(1, 1), other.clone()]);
        assert_eq!(admits(&games, pair()), Err(Unrated::Practice { seat: Seat(0), finished: 9 }), "{other:?}");
        games[0].sides = BySeat::from([account(1, 1), built_in("easy"), other.clone()]);
        assert_eq!(admits(&games, pair()), Err(Unrated::Practice { seat: Seat(0), finished: 9 }), "{other:?}");
        games[0].sides = BySeat::from([account(1, 1), built_in("easy"), built_in("hard")]);
        assert_eq!(admits(&games, pair()), Ok(()));
    }
}

#[test]
fn two_accounts_of_one_browser_are_never_rated_together() {
    let mut games = practice(&[1, 2], PRACTICE_GAMES_MIN);
    assert_eq!(admits(&games, [account(1, 7), account(2, 7)]), Err(Unrated::OneBrowser), "now");
    assert_eq!(admits(&games, [account(1, 2), account(2, 3)]), Err(Unrated::OneBrowser), "one now, the other before");
    games[0].sides = BySeat::from([account(1, 9), built_in("easy")]);
    assert_eq!(admits(&games, [account(1, 1), account(2, 2)]), Ok(()));
    games[10].sides = BySeat::from([account(2, 9), built_in("easy")]);
    assert_eq!(admits(&games, [account(1, 1), account(2, 2)]), Err(Unrated::OneBrowser), "both before");
    games[0].annulled = Some(Annulled { reason: "a mistake".into() });
    games.extend(practice(&[1], 11).into_iter().skip(10));
    assert_eq!(admits(&games, [account(1, 1), account(2, 2)]), Ok(()), "an annulled game says nothing");
}

#[test]
fn to_sign_in_in_a_browser_is_enough_to_be_known_there() {
    let people = People::fold(&practice(&[1, 2], PRACTICE_GAMES_MIN));
    let admits = |sign_ins: &[(u8, u8)]| {
        let mut known = SignIns::new();
        for (number, browser) in sign_ins {
            known.entry(person(*number)).or_default().insert(Browser(Hex([*browser; 32])));
        }
        people.admits(&BySeat::from([account(1, 8), account(2, 9)]), &known)
    };
    assert_eq!(admits(&[(1, 3), (2, 4), (3, 8), (3, 9)]), Ok(()), "what a third one does is nothing to them");
    assert_eq!(admits(&[(1, 3), (2, 4), (2, 3)]), Err(Unrated::OneBrowser), "both have signed in there");
    assert_eq!(admits(&[(2, 8)]), Err(Unrated::OneBrowser), "where the other plays now");
    assert_eq!(admits(&[(1, 2)]), Err(Unrated::OneBrowser), "where the other practised");
}

#[test]
fn guests_bots_oneself_and_tables_of_three_are_never_rated() {
    let games = practice(&[1, 2, 3], PRACTICE_GAMES_MIN);
    let (ann, bob) = (account(1, 1), account(2, 2));
    assert_eq!(admits(&games, [ann.clone(), guest(5)]), Err(Unrated::Guest));
    assert_eq!(admits(&games, [guest(5), built_in("easy")]), Err(Unrated::Guest));
    assert_eq!(admits(&games, [bot(), guest(5)]), Err(Unrated::Guest));
    assert_eq!(admits(&games, [ann.clone(), bot()]), Err(Unrated::Bot));
    assert_eq!(admits(&games, [built_in("easy"), bot()]), Err(Unrated::Bot));
    assert_eq!(admits(&games, [built_in("easy"), built_in("hard")]), Err(Unrated::Bot));
    assert_eq!(admits(&games, [ann.clone(), account(1, 8)]), Err(Unrated::SameAccount));
    assert_eq!(admits(&games, [ann.clone(), bob, account(3, 3)]), Err(Unrated::Seats));
    assert_eq!(admits(&games, [ann.clone()]), Err(Unrated::Seats));
    // Against a built-in opponent from the first game on, in either seat.
    assert_eq!(admits(&[], [ann.clone(), built_in("easy")]), Ok(()));
    assert_eq!(admits(&[], [built_in("easy"), ann]), Ok(()));
}

#[test]
fn what_can_never_be_rated_does_not_count_whatever_its_row_says() {
    let verdict = |game: &Finished| People::fold([game]).verdict(&game.room).expect("it was folded");
    let not = |why| Verdict::Not(why);
    assert_eq!(verdict(&game(1, [account(1, 1), account(2, 2)])), Verdict::Counts { points: 143 });
    assert_eq!(verdict(&game(1, [account(1, 1), account(2, 1)])), not(Uncounted::OneBrowser));
    assert_eq!(verdict(&game(1, [account(1, 1), account(1, 2)])), not(Uncounted::Kind));
    assert_eq!(verdict(&game(1, [account(1, 1), guest(2)])), not(Uncounted::Kind));
    assert_eq!(verdict(&game(1, [account(1, 1), bot()])), not(Uncounted::Kind));
    assert_eq!(verdict(&game(1, [built_in("easy"), built_in("hard")])), not(Uncounted::Kind));
    assert_eq!(verdict(&game(1, [account(1, 1), account(2, 2), account(3, 3)])), not(Uncounted::Kind));
    let casual = Finished { terms: GameMode::Casual, ..game(1, [account(1, 1), account(2, 2)]) };
    assert_eq!(verdict(&casual), not(Uncounted::Casual));
}
