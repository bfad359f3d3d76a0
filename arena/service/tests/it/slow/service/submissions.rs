//! Submissions: judged once, as `arena check` does, whatever happens meanwhile.

use arena_record::Budgets;
use arena_rules::Seat;
use arena_runner::{Archive, InProcess, qualify};
use arena_sandbox::{Sandbox, WALL_MS_DEFAULT};
use arena_service::{AgainError, GameLog, LogError};
use arena_store::{Order, Player, Submission, SubmitError, VersionState, Which};
use arena_tournaments::Value;
use arena_wire::{GAMES, Game};
use arena_worker::Wall;

use super::{FIRST, NOW, Place, account, bot_name, judged, mason, passer, until_settled, verdict};

/// Places one cell where four could be placed: forfeits its first turn.
const QUITTER: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x500000000)))"#;

/// The guide's bot with a mistake, which places cells where an opening may have some; it logs a line in each turn.
fn careless() -> Vec<u8> {
    let text = include_str!("../../../../../../guide/bots/wat/careless.wat");
    let logs = text.replacen("(module", "(module (import \"arena\" \"log\" (func $log (param i32 i32)))", 1);
    let turn = "(local $n i32) (local $row i32) (local $col i32)";
    let logs = logs.replacen(turn, &format!("{turn} (call $log (i32.const 0) (i32.const 1))"), 1);
    wat::parse_str(logs).expect("a module")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_bot_plays_in_the_next_edition() {
    let place = Place::with_standing();
    let service = place.open().await;
    let owner = account(&service, "Ann").await;
    let version = judged(&service, owner, "Mason-1", mason()).await;
    assert_eq!(version.state, VersionState::Accepted);
    let edition = until_settled(&service).await;
    let names: Vec<&str> = edition.entrants.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["easy", "normal", "hard", "Mason-1"]);
    assert_eq!(edition.entrants[3].1, version.entrant);
    let row = edition.standings.rows.iter().find(|row| row.name == "Mason-1").expect("a row");
    assert_eq!(row.id, version.entrant);
    assert_eq!(edition.standings.value(row, "played"), Some(&Value::Count(3 * 2 * 20)));
    // Its games are in the index, and their records where it says.
    assert_eq!(service.store().games_count(&edition.tournament).await.expect("readable"), edition.games);
    let page = arena_store::Page::first(1);
    let (player, among) = (Player::Bot(version.id.bot), [edition.tournament.clone()]);
    let games = service.store().games_of(&player, &among, &Which::default(), Order::LostFirst, page).await;
    let games = games.expect("readable");
    let game = &games[0].game;
    let archive = Archive::open(&service.tournaments().join(&game.path)).expect("finished");
    let record = archive.record(game.number as usize).expect("a record");
    assert_eq!(record.digest.0, game.digest);
    assert!(record.header.entrants.contains(&version.entrant));
    // What it logged in it can be had again; this one never logs.
    let seat = record.header.entrants.iter().position(|entrant| *entrant == version.entrant).expect("a seat");
    let logs =
        service.rooms().slots().game_log(record.clone(), &version.entrant).await.expect("the same game once more");
    let wanted = GameLog { seat: Seat(seat as u8), lines: Vec::new(), dropped: 0 };
    assert_eq!(logs, [wanted]);
    // The same bytes play the same game; another bot plays another one from its first turn on.
    let (mine, turns) = (Seat(seat as u8), record.turns.len());
    let same = service.rooms().slots().play_again(record.clone(), mine, &version.entrant).await.expect("played");
    assert_eq!((same.first_other, &same.game), (None, &record));
    let scatter: &[u8] = include_bytes!("../../../../../../bots/gallery/released/scatter.wasm");
    let scatter = judged(&service, owner, "Scatter-1", scatter.into()).await;
    let other = service.rooms().slots().play_again(record.clone(), mine, &scatter.entrant).await.expect("played");
    assert_eq!(other.first_other, Some(seat), "its first turn");
    assert!(other.game.digest != record.digest && turns > 2);
    let nobody = service.rooms().slots().play_again(record.clone(), Seat(2), &scatter.entrant).await;
    assert!(matches!(nobody, Err(AgainError::NoSeat(Seat(2)))), "{nobody:?}");
    let mut peopled = record.clone();
    peopled.header.entrants[1 - seat] = arena_record::EntrantId::of_person(arena_record::Hex([1; 8]));
    let refused = service.rooms().slots().play_again(peopled, mine, &scatter.entrant).await;
    assert!(matches!(refused, Err(AgainError::Person)), "{refused:?}");
    let mut other = record;
    other.digest = arena_record::Hex([0; 32]);
    let refused = service.rooms().slots().game_log(other, &version.entrant).await;
    assert!(matches!(refused, Err(LogError::OtherGame)), "{refused:?}");
    // Nothing of this machine is in what is published.
    let definition = std::fs::read_to_string(place.edition(edition.number).join("definition.toml")).expect("a file");
    assert!(!definition.contains(&*place.data().to_string_lossy()), "{definition}");
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_is_judged_by_its_own_game_and_what_it_logged_is_kept_with_its_version() {
    let place = Place::new();
    let service = place.open().await;
    let owner = account(&service, "Ann").await;
    let passer = passer();
    let game = Game::named("game-of-game-of-life").expect("a game");
    let submitted =
        service.judge().submit(owner, &bot_name("passer"), Some(game), passer.clone(), NOW).await.expect("taken");
    let version = verdict(&service, submitted.version().id).await;
    assert_eq!(version.state, VersionState::Accepted);
    let logs = service.store().sample_logs(version.id).await.expect("readable");
    let lines = arena_sandbox::LOG_LINES_MAX;
    for (seat, log) in (0..).zip(&logs) {
        assert_eq!((log.seat, log.text.as_str()), (seat, "hi\n".repeat(lines).as_str()));
        assert!(log.dropped > 0, "a game lasts longer");
    }
    assert_eq!(logs.len(), 2);
    // A later version plays the same game without saying so, and no other.
    let mut again = passer.to_vec();
    // A custom section without a name: other bytes, the same bot.
    again.extend([0, 1, 0]);
    let version = judged(&service, owner, "passer", again.into()).await;
    assert_eq!((version.id.number, version.state), (2, VersionState::Accepted));
    let other = service.judge().submit(owner, &bot_name("passer"), Some(FIRST), passer.clone(), NOW).await;
    assert!(matches!(other, Err(SubmitError::OtherGame(game)) if game == "game-of-game-of-life@1"));
    // Nobody can pass for a built-in opponent of any game.
    let built_in = service.judge().submit(owner, &bot_name("Minimax"), None, passer, NOW).await;
    assert!(matches!(built_in, Err(SubmitError::NameTaken)));
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_version_leaves_the_one_before_active_and_says_what_check_says() {
    let place = Place::new();
    let service = place.open().await;
    let owner = account(&service, "Ann").await;
    let good = judged(&service, owner, "steady", mason()).await;
    assert_eq!(good.state, VersionState::Accepted);
    let cut = mason()[..100].to_vec();
    let here = InProcess::new(Sandbox::new().expect("a sandbox"));
    for bytes in [b"#!/bin/sh".to_vec(), cut, wat::parse_str(QUITTER).expect("a module"), careless()] {
        let checked = qualify(&here, &bytes, &GAMES[0], &Budgets::DEFAULT, 1, Wall::Milliseconds(WALL_MS_DEFAULT));
        let objection = checked.expect("the machine works").objection().expect("bad");
        let version = judged(&service, owner, "steady", bytes.into()).await;
        assert_eq!(version.state, VersionState::Refused(objection));
        let bot = service.store().bot_by_name(&bot_name("steady")).await.expect("readable").expect("the bot");
        assert_eq!(bot.active, Some(good.id));
    }
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forfeit_from_an_opening_is_said_and_the_log_is_of_that_game() {
    let place = Place::new();
    let service = place.open().await;
    let owner = account(&service, "Ann").await;
    let version = judged(&service, owner, "careless", careless().into()).await;
    let VersionState::Refused(objection) = version.state else { panic!("{:?}", version.state) };
    assert_eq!(objection.code, "illegal_move");
    let (_, rest) = objection
        .message
        .english()
        .split_once("it forfeits a sample game from an opening against easy, as ")
        .expect("it is from an opening");
    let (seat, rest) = rest.split_once(": in turn ").expect("the seat");
    let (turn, _) = rest.split_once(": the cell at row ").expect("the turn");
    let seat = FIRST.seat_names.iter().position(|name| *name == seat).expect("a seat");
    let own_turns = turn.parse::<usize>().expect("a number").div_ceil(2);
    let logs = service.store().sample_logs(version.id).await.expect("readable");
    assert_eq!(logs.len(), 2);
    // It logs a line in each turn, the last one included.
    assert_eq!((usize::from(logs[seat].seat), logs[seat].text.lines().count()), (seat, own_turns));
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_nobody_judged_is_judged_by_the_next_process() {
    let place = Place::new();
    // As if the process had died between taking it and judging it.
    std::fs::create_dir_all(place.data()).expect("a folder");
    let store = place.store().await;
    let name = arena_store::DisplayName::parse("Ann").expect("a name");
    let owner = store.create_account(&name, NOW).await.expect("an account").0.id;
    let submission = store.submit(owner, &bot_name("late"), FIRST.ruleset, mason(), NOW).await.expect("taken");
    let Submission::New(version) = submission else { panic!("it was not there") };
    store.close().await;
    let service = place.open().await;
    let version = verdict(&service, version.id).await;
    assert_eq!(version.state, VersionState::Accepted);
    // The same bytes again are the same version.
    let again = service.judge().submit(owner, &bot_name("late"), None, mason(), NOW).await.expect("taken");
    assert_eq!(again, Submission::Known(version));
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_no_machine_here_can_judge_stays_pending_and_its_author_reads_that_the_fault_is_ours() {
    let place = Place::new();
    // A worker that uses up its processor time, whatever the module.
    std::fs::write(place.death(), "kill -XCPU $$\n").expect("written");
    let service = place.open_with("/bin/sh".into(), 4).await;
    let owner = account(&service, "Ann").await;
    let version = judged(&service, owner, "heavy", mason()).await;
    assert_eq!(version.state, VersionState::Pending, "no verdict on the bot");
    assert_eq!(service.queues().unjudgeable, [version.id], "the operator sees it");
    assert!(service.judge().is_unjudgeable(version.id), "and so does its author");
    // Bytes that are no module need no worker: the queue goes on.
    let other = judged(&service, owner, "text", (*b"no module").into()).await;
    assert!(matches!(other.state, VersionState::Refused(_)), "{:?}", other.state);
    service.close().await;
    std::fs::remove_file(place.death()).expect("removed");
    let service = place.open().await;
    let later = verdict(&service, version.id).await;
    assert_eq!(later.state, VersionState::Accepted, "a better machine accepts it");
    assert!(!service.judge().is_unjudgeable(version.id));
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_dies_while_it_judges_is_no_fault_of_the_bot() {
    let place = Place::new();
    let service = place.open().await;
    let owner = account(&service, "Ann").await;
    std::fs::write(place.death(), "").expect("written");
    let version = judged(&service, owner, "lucky", mason()).await;
    assert!(!place.death().exists(), "a worker died");
    assert_eq!(version.state, VersionState::Accepted);
    service.close().await;
}
