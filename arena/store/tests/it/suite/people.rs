//! Games of people, for their leaderboard.

use std::collections::BTreeMap;

use arena_rooms::RoomId;
use arena_store::{AccountId, Act, ActError, GamesKept, Keeping, Limits, NewPeopleGame, Page, PeopleGame, Reason};

use super::{Fixture, NOW, fixture, fixture_with, later, room_id};

impl Fixture {
    /// A room that ended so many seconds later.
    async fn finished(&self, number: u128, seconds: i64) -> RoomId {
        let id = self.room(number).await;
        self.store.finish_room(&id, &[], later(seconds)).await.expect("finished");
        id
    }

    async fn kept(&self) -> (u64, Vec<PeopleGame>) {
        self.store.people_games(Page::first(100)).await.expect("read")
    }
}

fn game(first: AccountId, second: Option<AccountId>, game: &str) -> Option<NewPeopleGame<'_>> {
    Some(NewPeopleGame { accounts: (first, second), keeping: Keeping::Practice, game })
}

#[tokio::test]
async fn a_finished_room_is_looked_at_once_those_that_ended_first_before_others() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let (ada, _) = fixture.account("Ada").await;
    let open = fixture.room(1).await;
    let [late, early, same] =
        [fixture.finished(2, 5).await, fixture.finished(4, 1).await, fixture.finished(3, 1).await];
    assert_eq!(store.rooms_to_tally(later(5)).await.expect("read"), [same, early, late]);
    assert_eq!(store.rooms_to_tally(later(4)).await.expect("read"), [same, early]);
    for _ in 0..2 {
        store.tally_room(&early, game(ada.id, None, "one").as_ref(), NOW).await.expect("kept");
        store.tally_room(&same, None, NOW).await.expect("noted");
        // Neither can be looked at.
        store.tally_room(&open, game(ada.id, None, "open").as_ref(), NOW).await.expect("nothing happens");
        store.tally_room(&room_id(9), game(ada.id, None, "nowhere").as_ref(), NOW).await.expect("nothing happens");
    }
    assert_eq!(store.rooms_to_tally(later(5)).await.expect("read"), [late]);
    store.tally_room(&late, game(ada.id, None, "two").as_ref(), NOW).await.expect("kept");
    let (changes, games) = fixture.kept().await;
    assert_eq!(changes, 0);
    let shown: Vec<_> = games.iter().map(|game| (game.room, game.game.as_str(), game.gone.len())).collect();
    assert_eq!(shown, [(early, "one", 0), (late, "two", 0)]);
    let (_, after) = store.people_games(Page::after(games[0].number, 100)).await.expect("read");
    assert_eq!(after, games[1..]);
    assert_eq!(store.people_games(Page::first(1)).await.expect("read").1, games[..1]);
    store.finish_room(&open, &[], later(9)).await.expect("finished");
    assert_eq!(store.rooms_to_tally(later(9)).await.expect("read"), [open]);
}

#[tokio::test]
async fn games_are_kept_as_long_as_either_account() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let [ada, bob] = [fixture.account("Ada").await.0.id, fixture.account("Bob").await.0.id];
    let pairs = [(ada, None), (ada, Some(bob)), (bob, Some(ada)), (bob, None)];
    for (number, (first, second)) in (1..).zip(pairs) {
        let room = fixture.finished(number, 0).await;
        store.tally_room(&room, game(first, second, "game").as_ref(), NOW).await.expect("kept");
    }
    let (before, games) = fixture.kept().await;
    assert_eq!(games.len(), 4);
    store.delete_account(ada, NOW).await.expect("deleted");
    let (after, games) = fixture.kept().await;
    assert_ne!(before, after);
    let left: Vec<_> = games.iter().map(|game| (game.room, game.gone.clone())).collect();
    assert_eq!(left, [(room_id(2), vec![ada]), (room_id(3), vec![ada]), (room_id(4), vec![])]);
    let own = |account| store.people_games_of(account, Page::first(100));
    assert_eq!(own(bob).await.expect("read"), games);
    assert_eq!(own(ada).await.expect("read"), games[..2]);
    assert_eq!(store.people_games_of(bob, Page::after(games[0].number, 1)).await.expect("read"), games[1..2]);
    let names = store.names_of(&[ada, bob, AccountId(99)]).await.expect("read");
    assert_eq!(names, BTreeMap::from([(bob, super::display("Bob"))]));
    let room = fixture.finished(5, 0).await;
    store.tally_room(&room, game(ada, None, "of nobody").as_ref(), NOW).await.expect("noted");
    let room = fixture.finished(6, 0).await;
    store.tally_room(&room, game(ada, Some(bob), "of Bob").as_ref(), NOW).await.expect("kept");
    let (_, games) = fixture.kept().await;
    assert_eq!(games.last().map(|game| game.game.as_str()), Some("of Bob"));
    store.delete_account(bob, NOW).await.expect("deleted");
    assert!(fixture.kept().await.1.is_empty());
}

#[tokio::test]
async fn an_annulled_game_stays_with_its_reason_and_counts_again_when_it_is_restored() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let ada = fixture.account("Ada").await.0.id;
    let (room, other) = (fixture.finished(1, 0).await, fixture.finished(2, 0).await);
    let reason = Reason::parse("both seats were one person's").expect("a reason");
    let early = store.act(&Act::AnnulGame(room), &reason, NOW).await;
    assert!(matches!(early, Err(ActError::NoSuchGame)), "{early:?}");
    for room in [&room, &other] {
        store.tally_room(room, game(ada, None, "game").as_ref(), NOW).await.expect("kept");
    }
    let (before, _) = fixture.kept().await;
    let entry = store.act(&Act::AnnulGame(room), &reason, NOW).await.expect("done");
    assert_eq!((entry.act.as_str(), entry.game, entry.account, entry.name), ("annul_game", Some(room), None, None));
    let kept = async |room| store.people_game(room).await.expect("read").expect("kept").annulled;
    assert_eq!((kept(&room).await, kept(&other).await), (Some(reason.to_string()), None));
    let (annulled, games) = fixture.kept().await;
    assert_ne!(before, annulled, "who has read them reads them again");
    assert_eq!(store.people_games_of(ada, Page::first(100)).await.expect("read"), games);
    store.act(&Act::RestoreGame(room), &reason, NOW).await.expect("done");
    assert_eq!(kept(&room).await, None);
    assert_ne!(fixture.kept().await.0, annulled);
    let acts = store.audit(Page::first(10)).await.expect("read");
    assert_eq!(acts.iter().map(|entry| entry.game).collect::<Vec<_>>(), [Some(room); 2]);
    assert_eq!(store.people_game(&room_id(9)).await.expect("read"), None);
}

impl Fixture {
    /// A room of five bytes that ended, and whose game is kept.
    async fn played(&self, number: u128, first: AccountId, second: Option<AccountId>, keeping: Keeping) -> RoomId {
        let room = self.finished(number, number as i64).await;
        let game = NewPeopleGame { accounts: (first, second), keeping, game: "game" };
        self.store.tally_room(&room, Some(&game), later(number as i64)).await.expect("kept");
        room
    }

    /// The rooms whose games are kept.
    async fn kept_of(&self) -> Vec<RoomId> {
        self.kept().await.1.into_iter().map(|game| game.room).collect()
    }

    /// Those of these rooms whose logs are there.
    async fn logs(&self, rooms: &[RoomId]) -> Vec<RoomId> {
        let mut there = Vec::new();
        for room in rooms {
            there.extend(self.store.room(room).await.expect("read").map(|room| room.id));
        }
        there
    }
}

#[tokio::test]
async fn games_that_are_too_many_go_those_of_who_has_most_first_and_others_count_on() {
    let limits = Limits { practice_games_max: 4, ..Limits::DEFAULT };
    let fixture = fixture_with(limits).await;
    let store = &fixture.store;
    let [ada, bob] = [fixture.account("Ada").await.0.id, fixture.account("Bob").await.0.id];
    let own = fixture.played(1, ada, None, Keeping::Practice).await;
    let rated = fixture.played(2, ada, Some(bob), Keeping::Rated).await;
    let mut last = Vec::new();
    for number in 3..40 {
        last.push(fixture.played(number, bob, None, Keeping::Practice).await);
    }
    let mut expected = vec![own, rated];
    expected.extend(&last[last.len() - 3..]);
    assert_eq!(fixture.kept_of().await, expected, "rows are counted, not the numbers that were ever given");
    let kept = store.games_kept().await.expect("read");
    assert_eq!((kept.rated_games, kept.practice_games), (1, 4));
    let (before, _) = fixture.kept().await;
    let rated_too = fixture.played(40, ada, Some(bob), Keeping::Rated).await;
    assert!(fixture.kept_of().await.contains(&rated_too), "practice takes no place of rated games");
    assert_eq!(fixture.kept().await.0, before, "what was read holds as long as nothing goes");
    fixture.played(41, bob, None, Keeping::Practice).await;
    assert_ne!(fixture.kept().await.0, before, "who has read them reads them again");
    store.delete_account(bob, NOW).await.expect("deleted");
    assert_eq!(store.games_kept().await.expect("read").practice_games, 1);
}

#[tokio::test]
async fn the_log_of_a_rated_game_stays_with_it_whatever_is_finished_after_it() {
    // Of so few games one goes at once.
    let limits =
        Limits { finished_room_bytes_max: 10, rated_room_bytes_max: 10, rated_games_max: 4, ..Limits::DEFAULT };
    let fixture = fixture_with(limits).await;
    let store = &fixture.store;
    let [ada, bob, eve] =
        [fixture.account("Ada").await.0.id, fixture.account("Bob").await.0.id, fixture.account("Eve").await.0.id];
    let rated = fixture.played(1, ada, Some(bob), Keeping::Rated).await;
    let mut others = Vec::new();
    for number in 2..9 {
        others.push(fixture.played(number, eve, None, Keeping::Practice).await);
    }
    assert_eq!(fixture.logs(&[rated]).await, [rated]);
    assert_eq!(fixture.logs(&others).await, others[others.len() - 2..], "in a budget of their own");
    assert!(fixture.kept_of().await.contains(&others[0]), "what an unrated game said is kept longer than its log");
    let kept = store.games_kept().await.expect("read");
    let all = GamesKept { rated_games: 1, practice_games: 7, rated_room_bytes: 5, finished_room_bytes: 10 };
    assert_eq!(kept, all);

    // Of too many, the oldest of who has most: its game and its log together.
    let more = [
        fixture.played(20, bob, Some(eve), Keeping::Rated).await,
        fixture.played(21, bob, Some(eve), Keeping::Rated).await,
    ];
    assert_eq!(fixture.logs(&[rated, more[0], more[1]]).await, [rated, more[1]]);
    assert!(!fixture.kept_of().await.contains(&more[0]));

    // As long as either account.
    store.delete_account(ada, NOW).await.expect("deleted");
    assert_eq!(store.games_kept().await.expect("read").rated_room_bytes, 10);
    store.delete_account(bob, NOW).await.expect("deleted");
    let kept = store.games_kept().await.expect("read");
    assert_eq!((kept.rated_games, kept.rated_room_bytes, kept.finished_room_bytes), (1, 5, 10));
    fixture.finished(30, 30).await;
    assert_eq!(fixture.logs(&[rated, more[1]]).await, [more[1]], "it is as any other then, and goes with the oldest");
}
