//! The index of games.

use arena_record::{EntrantId, OutcomeRecord};
use arena_rules::BySeat;
use arena_store::{GAMES_PER_TOURNAMENT_MAX, GameError, IndexedGame, Page, TournamentId};

use super::fixture;

fn tournament(name: &str) -> TournamentId {
    TournamentId::parse(name).expect(name)
}

fn entrant(index: u32) -> EntrantId {
    EntrantId::of_baseline("bot", index)
}

/// A game of bot 0 against another one, who sits first in odd games.
pub(super) fn game(number: u32) -> IndexedGame {
    let mut entrants = vec![entrant(0), entrant(1 + number % 3)];
    entrants.rotate_left((number % 2) as usize);
    IndexedGame {
        number,
        entrants: BySeat::from(entrants),
        outcome: OutcomeRecord {
            winner: [None, Some(0), Some(1)][number as usize % 3],
            reason: "majority".into(),
            tally: vec![number, u32::MAX],
        },
        digest: [number as u8; 32],
        path: format!("cups/{number}"),
    }
}

fn numbers(games: &[IndexedGame]) -> Vec<u32> {
    games.iter().map(|game| game.number).collect()
}

#[tokio::test]
async fn an_index_is_replaced_as_a_whole() {
    let fixture = fixture().await;
    let (cup, league) = (tournament("cup"), tournament("league"));
    let games: Vec<_> = (0..1_203).map(game).collect();
    fixture.store.reindex(&cup, &games).await.expect("indexed");
    fixture.store.reindex(&league, &games[..2]).await.expect("indexed");
    assert_eq!(fixture.store.game(&cup, 1_202).await.expect("read"), Some(game(1_202)));
    assert_eq!(fixture.store.game(&cup, 1_203).await.expect("read"), None);
    assert_eq!(fixture.store.games_count(&cup).await.expect("read"), 1_203);
    assert_eq!(fixture.store.games_count(&league).await.expect("read"), 2);
    assert_eq!(fixture.store.games_count(&tournament("nothing")).await.expect("read"), 0);
    fixture.store.reindex(&cup, &games[5..8]).await.expect("indexed");
    assert_eq!(fixture.store.games(&cup, Page::first(100)).await.expect("read"), games[5..8]);
    assert_eq!(fixture.store.games(&league, Page::first(100)).await.expect("read"), games[..2]);
    fixture.store.reindex(&cup, &[]).await.expect("indexed");
    assert_eq!(fixture.store.games(&cup, Page::first(100)).await.expect("read"), []);
    assert_eq!(fixture.store.problems().await.expect("read"), [""; 0]);
}

#[tokio::test]
async fn games_are_read_in_pages_of_at_most_a_hundred() {
    let fixture = fixture().await;
    let cup = tournament("cup");
    let games: Vec<_> = (0..250).map(game).collect();
    fixture.store.reindex(&cup, &games).await.expect("indexed");
    let first = fixture.store.games(&cup, Page::first(1_000_000_000)).await.expect("read");
    assert_eq!(first, games[..100]);
    let next = fixture.store.games(&cup, Page::after(99, 7)).await.expect("read");
    assert_eq!(next, games[100..107]);
    assert_eq!(numbers(&fixture.store.games(&cup, Page::after(248, 100)).await.expect("read")), [249]);
    assert_eq!(fixture.store.games(&cup, Page::after(u32::MAX, 100)).await.expect("read"), []);
    assert_eq!(fixture.store.games(&cup, Page::first(0)).await.expect("read"), []);
}

#[tokio::test]
async fn the_latest_games_come_in_the_opposite_order_of_all() {
    let fixture = fixture().await;
    let cup = tournament("cup");
    let games: Vec<_> = (0..9).map(game).collect();
    fixture.store.reindex(&cup, &games).await.expect("indexed");
    fixture.store.reindex(&tournament("league"), &games[..2]).await.expect("indexed");
    let latest = async |page| numbers(&fixture.store.latest_games(&cup, page).await.expect("read"));
    assert_eq!(latest(Page::first(4)).await, [8, 7, 6, 5]);
    assert_eq!(latest(Page::after(5, 100)).await, [4, 3, 2, 1, 0]);
    assert!(latest(Page::after(0, 100)).await.is_empty());
    assert!(latest(Page::first(0)).await.is_empty());
}

#[tokio::test]
async fn what_cannot_be_a_tournament_changes_nothing() {
    let fixture = fixture().await;
    let cup = tournament("cup");
    fixture.store.reindex(&cup, &[game(1)]).await.expect("indexed");
    let twice = fixture.store.reindex(&cup, &[game(2), game(3), game(2)]).await;
    assert!(matches!(twice, Err(GameError::Twice(2))));
    for path in ["", "/etc/passwd", "../x", "a/../../b", "./a", &"x".repeat(513)] {
        let game = IndexedGame { path: path.into(), ..game(2) };
        assert!(matches!(fixture.store.reindex(&cup, &[game]).await, Err(GameError::Path(2))), "{path}");
    }
    let seats = IndexedGame { entrants: BySeat::from(vec![entrant(1)]), ..game(2) };
    assert!(matches!(fixture.store.reindex(&cup, &[seats]).await, Err(GameError::Seats(2))));
    let many = vec![game(0); GAMES_PER_TOURNAMENT_MAX + 1];
    assert!(matches!(fixture.store.reindex(&cup, &many).await, Err(GameError::TooManyGames(_))));
    assert_eq!(fixture.store.games(&cup, Page::first(100)).await.expect("read"), [game(1)]);
    let longest = IndexedGame { path: "x".repeat(512), ..game(2) };
    fixture.store.reindex(&cup, &[longest]).await.expect("indexed");
}
