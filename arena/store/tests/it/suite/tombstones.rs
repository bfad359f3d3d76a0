//! What was removed, and since when.

use arena_store::{
    ContestId, Counted, Keeping, Limits, NewContest, NewPeopleGame, Phase, Removed, TournamentId, UnixSeconds,
};

use super::{Fixture, GAME, NOW, fixture, fixture_with, later, room_id};

impl Fixture {
    async fn gone(&self, what: &Removed) -> Option<UnixSeconds> {
        self.store.gone_since(what).await.expect("read")
    }
}

fn games_of(tournament: &str) -> Removed {
    Removed::Games(TournamentId::parse(tournament).expect("an id"))
}

#[tokio::test]
async fn a_room_that_makes_way_is_gone_since_that_moment() {
    let fixture = fixture_with(Limits { finished_room_bytes_max: 10, ..Limits::DEFAULT }).await;
    let store = &fixture.store;
    let [one, two, three] = [1, 2, 3].map(|number| Removed::Room(room_id(number)));
    // Five bytes each: the third to end is one too many.
    for number in [1, 2, 3] {
        fixture.room(number).await;
        assert_eq!(fixture.gone(&one).await, None, "it is there");
        store.finish_room(&room_id(number), &[], later(number as i64)).await.expect("finished");
    }
    assert_eq!(fixture.gone(&one).await, Some(later(3)));
    assert_eq!((fixture.gone(&two).await, fixture.gone(&three).await), (None, None));
    assert_eq!(fixture.gone(&Removed::Contest(ContestId(1))).await, None, "nor anything else of that number");
    // Who opens one of that name again has it until it goes again.
    fixture.room(1).await;
    store.finish_room(&room_id(1), &[], later(4)).await.expect("finished");
    assert_eq!((fixture.gone(&one).await, fixture.gone(&two).await), (Some(later(3)), Some(later(4))));
    assert!(store.problems().await.expect("read").is_empty());
}

#[tokio::test]
async fn the_room_of_a_rated_game_that_makes_way_is_gone_and_that_of_a_practice_game_stays() {
    let fixture = fixture_with(Limits { rated_games_max: 1, practice_games_max: 1, ..Limits::DEFAULT }).await;
    let store = &fixture.store;
    let [ada, bob] = [fixture.account("Ada").await.0.id, fixture.account("Bob").await.0.id];
    let kinds = [(Keeping::Rated, Some(bob)), (Keeping::Rated, Some(bob)), (Keeping::Practice, None)];
    for (number, (keeping, second)) in (1..).zip(kinds.into_iter().chain([kinds[2]])) {
        let room = fixture.room(number).await;
        store.finish_room(&room, &[], later(number as i64)).await.expect("finished");
        let game = NewPeopleGame { accounts: (ada, second), keeping, game: "game" };
        store.tally_room(&room, Some(&game), later(10 + number as i64)).await.expect("kept");
    }
    let mut gone = Vec::new();
    for number in 1..=4 {
        gone.push(fixture.gone(&Removed::Room(room_id(number))).await);
    }
    assert_eq!(gone, [Some(later(12)), None, None, None]);
    assert!(store.room(&room_id(3)).await.expect("read").is_some(), "only what it counted for went");
}

#[tokio::test]
async fn a_tournament_that_is_forgotten_is_gone_and_one_that_goes_on_is_not() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let owner = fixture.account("Ada").await.0.id;
    let counted = Counted { phase: Phase::Entry, games: 1, fuel: 1 };
    let new =
        NewContest { owner, name: "cup", game: GAME, event: "opened", secret: [7; 32], counted, by_operator: None };
    let id = store.open_contest(&new, NOW).await.expect("a tournament");
    let gone = Removed::Contest(id);
    store.forget_contest(id, later(1)).await.expect("written");
    store.forget_contest(ContestId(999), later(1)).await.expect("written");
    assert_eq!(fixture.gone(&gone).await, None, "it is not over");
    assert_eq!(fixture.gone(&Removed::Contest(ContestId(999))).await, None, "it never was");
    store.append_to_contest(id, 1, "over", &Counted { phase: Phase::Over, ..counted }, NOW).await.expect("ended");
    for seconds in [2, 3] {
        store.forget_contest(id, later(seconds)).await.expect("written");
        assert_eq!(fixture.gone(&gone).await, Some(later(2)));
    }
}

#[tokio::test]
async fn games_that_are_removed_are_gone_and_those_that_are_replaced_are_not() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let cup = TournamentId::parse("cup").expect("an id");
    store.reindex(&cup, &[super::games::game(3)]).await.expect("indexed");
    store.reindex(&cup, &[]).await.expect("indexed");
    store.remove_games(&cup, later(1)).await.expect("there are none");
    assert_eq!(fixture.gone(&games_of("cup")).await, None);
    store.reindex(&cup, &[super::games::game(3)]).await.expect("indexed");
    store.remove_games(&cup, later(2)).await.expect("removed");
    assert_eq!(fixture.gone(&games_of("cup")).await, Some(later(2)));
    assert_eq!((store.games_count(&cup).await.expect("read"), fixture.gone(&games_of("cup-1")).await), (0, None));
}

#[tokio::test]
async fn so_many_are_remembered_and_the_oldest_are_forgotten_first() {
    let fixture = fixture_with(Limits { gone_max: 3, ..Limits::DEFAULT }).await;
    let store = &fixture.store;
    let remove = async |number: i64| {
        let tournament = TournamentId::parse(&format!("cup-{number}")).expect("an id");
        store.reindex(&tournament, &[super::games::game(0)]).await.expect("indexed");
        // Clocks differ: what counts is which came first.
        store.remove_games(&tournament, later(100 - number)).await.expect("removed");
    };
    let forgotten = async || store.forgotten_before().await.expect("read");
    assert_eq!(forgotten().await, None);
    for number in 1..=3 {
        remove(number).await;
    }
    // What is removed again takes no place.
    remove(2).await;
    assert_eq!(fixture.gone(&games_of("cup-1")).await, Some(later(99)), "three are remembered");
    assert_eq!(forgotten().await, None, "and none is forgotten");
    remove(4).await;
    assert_eq!(forgotten().await, Some(later(98)), "the first was removed before the second");
    let mut gone = Vec::new();
    for number in 1..=4 {
        gone.push(fixture.gone(&games_of(&format!("cup-{number}"))).await);
    }
    assert_eq!(gone, [None, Some(later(98)), Some(later(97)), Some(later(96))], "and no fourth");
}
