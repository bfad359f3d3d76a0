//! A short sample of each thing with real processes that `night` does at length: the same code, with few faults and a
//! fixed seed.
#![cfg(target_os = "linux")]

use crate::cluster;
use crate::night::machines::Faults;
use crate::night::soak::Lasts;
use crate::night::{floods, kill, kill_cups, kill_games, load, machines, soak, worlds};
use crate::site::Site;

const SEED: u64 = 1;

/// The protocol of leases, with the database's own clock.
#[test]
fn a_server_and_a_worker_that_are_killed_change_no_result() {
    if cluster::is_there() {
        let faults = Faults { servers: 1, workers: 1, crashes: 0, stops: 0 };
        println!("{}", machines::whatever_dies(faults, SEED));
    }
}

#[test]
fn a_tournament_that_is_killed_ends_with_the_same_bytes() {
    // A Swiss tournament: what is played next depends on what was played.
    println!("{}", kill::killed(2, 2, SEED));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_site_resumes_an_accounts_tournament() {
    kill_cups::is_resumed(3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_keeps_games_between_people_and_their_clocks() {
    // One of each kind that nobody has to wait for: to its end, to a draw, a resignation; with a bot, and with a bot
    // and two people.
    println!("{}", kill_games::killed(&[0, 1, 2, 4, 5, 6], 2, SEED).await);
}

#[test]
fn a_killed_world_comes_back_with_every_answered_call() {
    println!("{}", worlds::killed(None, 1, SEED));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_rooms_gets_its_share_while_an_honest_visitor_plays() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing"]);
    floods::takes_its_share_of_rooms(&site).await;
}

#[test]
fn two_rooms_and_their_spectators_lose_no_ply() {
    load::loaded(2, 10, false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_is_killed_and_stopped_among_visitors_loses_nothing() {
    soak::soaked(Lasts::Restarts(2), SEED, &["--no-standing"]).await;
}
