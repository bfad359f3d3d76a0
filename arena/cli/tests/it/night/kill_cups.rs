//! A site that is killed during an account's tournament of built-in opponents and a bot: while it is entered, frozen,
//! between its rounds and at its end. It is resumed, nothing of its log is lost or duplicated, and its folder verifies.
#![cfg(target_os = "linux")]

use std::net::Ipv4Addr;
use std::process::Command;
use std::sync::atomic::{AtomicU8, Ordering};

use serde_json::{Value, json};

use crate::eventually::eventually;
use crate::process::finished;
use crate::site::{Site, get, post, post_json};

const CUP: &str = "/api/v1/tournaments/cup-1";
/// Each round has its own seed, drawn when the previous round is finished.
const ROUNDS: usize = 12;

/// The bytes of the bot that an account enters.
fn mason() -> Vec<u8> {
    wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap()
}

/// The site's view of the tournament. It is requested often, so each request comes from another network.
async fn view(site: &Site, life: u8) -> Value {
    static ASKED: AtomicU8 = AtomicU8::new(0);
    let network = 84 + ASKED.fetch_add(1, Ordering::Relaxed) % 128;
    let answer = site.ask(Ipv4Addr::new(127, network, life, 1), get(CUP)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

/// Waits until a condition holds.
async fn once(site: &Site, life: u8, is: impl Fn(&Value) -> bool) -> Value {
    eventually("the next stage of the tournament", async || {
        let view = view(site, life).await;
        assert!(view["trouble"].is_null(), "{view}");
        if is(&view) { Ok(view) } else { Err(view) }
    })
    .await
}

/// The number of such events in its log.
fn count(view: &Value, event: &str) -> usize {
    view["log"].as_array().unwrap().iter().filter(|line| line["event"] == event).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_site_resumes_an_accounts_tournament_wherever_it_was() {
    is_resumed(ROUNDS).await;
}

/// The site is killed in each of so many rounds.
pub(crate) async fn is_resumed(rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    // A site is killed when it is dropped.
    let start = || Site::start(folder.path(), &["--no-standing"]);
    let from = Ipv4Addr::new(127, 83, 0, 1);
    let reserved =
        ["easy", "normal", "hard"].map(|name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n"));
    let definition = format!("name = \"cup\"\nformat = \"ladder\"\nrounds = {rounds}\n{}", reserved.concat());
    let site = start();
    let claimed = site.ask(from, post_json("/api/v1/accounts", &json!({ "name": "Ann" }))).await;
    let code = claimed.json()["code"].as_str().unwrap().to_owned();
    let versions = post("/api/v1/bots/mine/versions", "application/wasm", mason());
    let submitted = site.ask(from, versions.bearer(&code)).await;
    assert_eq!(submitted.status, 201, "{}", submitted.body);
    let wanted = json!({ "definition": definition, "entry": "open", "places": 5, "late": true });
    let opened = site.ask(from, post_json("/api/v1/tournaments", &wanted).bearer(&code)).await;
    assert_eq!(opened.status, 201, "{}", opened.body);
    let entries = format!("{CUP}/entries");
    let entered = site.ask(from, post_json(&entries, &json!({ "bot": "mine" })).bearer(&code)).await;
    assert!((200..300).contains(&entered.status), "{}", entered.body);
    let entry = view(&site, 1).await;
    drop(site);

    let site = start();
    let again = view(&site, 2).await;
    assert_eq!(
        (&again["stage"], &again["log"], &again["commitment"]),
        (&json!("entry"), &entry["log"], &entry["commitment"])
    );
    let begun = site.ask(from, post(&format!("{CUP}/start"), "application/json", "").bearer(&code)).await;
    assert!((200..300).contains(&begun.status), "{}", begun.body);
    drop(site);

    // Its field is frozen, and then each later round.
    let is_over = |view: &Value| view["stage"] == "finished";
    let mut log = 3;
    for round in 0..rounds {
        let life = 3 + round as u8;
        let site = start();
        let at = once(&site, life, |view| is_over(view) || count(view, "frozen") + count(view, "drawn") > round).await;
        let lines = at["log"].as_array().unwrap().len();
        assert!(lines >= log, "{at}");
        log = lines;
        drop(site);
    }
    let site = start();
    let over = once(&site, 50, is_over).await;
    drop(site);
    let site = start();
    let last = view(&site, 51).await;
    for key in ["stage", "log", "played", "total", "seed", "secret", "standings", "meetings"] {
        assert_eq!(last[key], over[key], "{key}");
    }
    for (event, times) in
        [("opened", 1), ("entered", 1), ("closed", 1), ("frozen", 1), ("drawn", rounds - 1), ("finished", 1)]
    {
        assert_eq!(count(&last, event), times, "{event}: {}", last["log"]);
    }
    // Two pairs a round.
    assert_eq!((&last["played"], &last["total"]), (&json!(4 * rounds), &json!(4 * rounds)));
    let games = site.ask(from, get("/api/v1/games?tournament=cup-1")).await.json();
    assert_eq!(games.as_array().unwrap().len(), 4 * rounds);
    assert!(last["standings"].to_string().contains("mine"), "{}", last["standings"]);
    site.stop();

    let cup = folder.path().join("data/tournaments/cup-1");
    let verified = finished(Command::new(env!("CARGO_BIN_EXE_arena")).arg("verify").arg(&cup));
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}
