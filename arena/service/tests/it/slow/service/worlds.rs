//! Worlds with bots of accounts, in workers as a site has them.

use std::sync::Arc;

use arena_runner::world_start_fuel_max;
use arena_service::CallError;
use arena_store::{VersionState, WorldName};
use arena_wire::Game;

use super::{NOW, Place, account, bot_name, verdict};

/// Passes in Life2, once its start has counted to a number.
fn starting(rounds: u64) -> Arc<[u8]> {
    let text = format!(
        r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\00\00\00")
            (func (export "arena_observation") (param i32) (result i32) (local $left i64)
                (local.set $left (i64.const {rounds}))
                (loop $on
                    (local.set $left (i64.sub (local.get $left) (i64.const 1)))
                    (br_if $on (i64.ne (local.get $left) (i64.const 0))))
                (i32.const 1024))
            (func (export "arena_turn") (param i32) (result i64) (i64.const 0x400000000)))"#
    );
    wat::parse_str(text).expect("a module").into()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_starts_too_slowly_for_a_world_plays_games_and_is_not_seated() {
    let place = Place::new();
    let service = place.open().await;
    let owner = account(&service, "Ann").await;
    let world = service.worlds().start(&WorldName::parse("meadow").expect("a name")).await.expect("a world");
    let game = Game::named("life2").expect("a game");
    let mut bots = Vec::new();
    for (name, rounds) in [("quick", 1), ("slow", world_start_fuel_max() / 2)] {
        let submission =
            service.judge().submit(owner, &bot_name(name), Some(game), starting(rounds), NOW).await.expect("taken");
        let version = verdict(&service, submission.version().id).await;
        assert_eq!(version.state, VersionState::Accepted, "{name}");
        bots.push(service.worlds().bot(name, Some(owner)).await.expect("it plays Life2"));
    }
    world.seat(owner, Some(bots[0].clone())).await.expect("a start of a moment");
    let refused = world.seat(owner, Some(bots[1].clone())).await.expect_err("each minute begins with it");
    assert!(matches!(refused, CallError::Unfit), "{refused:?}");
    assert_eq!(refused.code(), "unfit");
    assert!(refused.to_string().contains("takes more fuel than a turn has"), "{refused}");
    assert_eq!(world.seated().await, [(owner, bots[0].clone())], "who plays goes on");
    service.close().await;
}
