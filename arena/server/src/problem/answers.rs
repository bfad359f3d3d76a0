//! The answer to each error: its status, its code, the seconds after which to retry, its sentence and its hint, as
//! `answers.txt` has them. `ARENA_BLESS=1` writes it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use arena_people::Unrated;
use arena_rooms::Rejected;
use arena_rules::{Seat, life2};
use arena_service::contests::{ContestRefused, Illegal, TermsError};
use arena_service::{AgainError, CallError, CheckError, LogError, OpenRoomError, PlayError, RoomUnavailable};
use arena_store::{
    AccountError, ActError, BotError, ContestError, NameError, NotANotice, NotAReason, NotASecret, QueueError,
    StoreError, SubmitError, TokenError, WorkerName, WorldError,
};
use arena_wire::GAMES;
use arena_world::SeatError;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::IntoResponse;

use super::Problem;
use crate::language::Language;

macro_rules! answers {
    ($($error:expr),* $(,)?) => { [$(answer(stringify!($error), $error.into())),*].concat() };
}

fn answer(error: &str, problem: Problem) -> String {
    let (status, code) = (problem.status, problem.code.clone());
    let (detail, hint) = (problem.detail.clone(), problem.hint.clone());
    let response = problem.into_response();
    let after = response.headers().get(RETRY_AFTER).map_or("-", |after| after.to_str().expect("digits"));
    format!("{error}\n  {status} {code} {after}\n  {detail}\n  {hint}\n")
}

fn failed() -> StoreError {
    StoreError::Unavailable("the disk is gone".into())
}

fn damaged() -> StoreError {
    StoreError::Damaged("a hole".into())
}

fn of_the_store() -> String {
    let name = WorkerName::parse("w").expect("a name");
    answers![
        failed(),
        damaged(),
        StoreError::NoSpace,
        NameError::Empty,
        NotASecret::Form,
        NotANotice,
        NotAReason,
        AccountError::NameTaken,
        AccountError::TooManyAccounts,
        AccountError::Closed,
        AccountError::NoSuchAccount,
        AccountError::Store(failed()),
        TokenError::NoSuchAccount,
        TokenError::TooMany(3),
        TokenError::Store(StoreError::NoSpace),
        BotError::NoSuchBot,
        BotError::NotAccepted,
        BotError::NameTaken,
        BotError::Store(damaged()),
        SubmitError::NoSuchAccount,
        SubmitError::Closed,
        SubmitError::Disabled,
        SubmitError::NameTaken,
        SubmitError::OtherGame("conquerors@2".into()),
        SubmitError::TooLarge,
        SubmitError::TooManyBots(2),
        SubmitError::TooManyToday { max: 20, again_in: 77 },
        SubmitError::TooManyWaiting(3),
        SubmitError::QueueFull,
        SubmitError::TooManyVersions(500),
        SubmitError::Store(failed()),
        ContestError::NoSuchContest,
        ContestError::NoSuchAccount,
        ContestError::Disabled,
        ContestError::Closed,
        ContestError::TooManyOfAccount(5),
        ContestError::TooMany(100),
        ContestError::TooMuchToday { games: 10, fuel: 20, again_in: 99 },
        ContestError::TooLarge { games: 10, fuel: 20 },
        ContestError::TooMuch { games: 10, fuel: 20 },
        ContestError::Taken,
        ContestError::Over,
        ContestError::EventTooLarge(9),
        ContestError::Store(damaged()),
        QueueError::Quarantined { name: name.clone(), reason: "wrong".into() },
        QueueError::Banned { reason: "wrong".into() },
        QueueError::TooLong(9),
        QueueError::TooMany,
        QueueError::Store(failed()),
        ActError::NoSuchBot,
        ActError::NoSuchAccount,
        ActError::NoSuchGame,
        ActError::NameTaken,
        ActError::Contest(ContestError::Over),
        ActError::World(WorldError::Taken),
        ActError::NoSuchPlace,
        ActError::NoSuchSlot,
        ActError::TooManyBots,
        ActError::UnfitBot,
        ActError::TooManyWorlds(4),
        ActError::NoSuchBan,
        ActError::TooManyBans,
        ActError::NoSuchTournament,
        ActError::Store(failed()),
    ]
}

fn of_rooms() -> String {
    answers![
        Rejected::NotYourSeat,
        Rejected::NotYourTurn,
        Rejected::StalePly { current: 3 },
        Rejected::BadAction("x".into()),
        Rejected::IllegalMove("x".into()),
        Rejected::StaleSequence,
        Rejected::NotStarted,
        Rejected::NotAbandoned,
        Rejected::Started,
        Rejected::HostStays,
        Rejected::NotHost,
        Rejected::RoomTaken,
        Rejected::SeatTaken,
        Rejected::AlreadySeated,
        Rejected::NotInvited,
        Rejected::NoSuchMessage,
        Rejected::ProgramInRated,
        Rejected::BotsAgreeToNothing,
        Rejected::OtherGame,
        Rejected::NothingSaid,
        Rejected::ChatTooLong,
        Rejected::ChatTooFast,
        Rejected::NoChat,
        Rejected::NotOver,
        Rejected::GameOver,
        Rejected::RoomFull,
        Unrated::Seats,
        Unrated::Guest,
        Unrated::Bot,
        Unrated::SameAccount,
        Unrated::Practice { seat: Seat(1), finished: 3 },
        Unrated::OneBrowser,
        PlayError::Rejected(Rejected::NotHost),
        PlayError::Unrated(Unrated::Guest),
        PlayError::Unavailable(damaged()),
        PlayError::NoNext(Box::new(OpenRoomError::Full)),
        RoomUnavailable::Full,
        RoomUnavailable::Store(StoreError::NoSpace),
        RoomUnavailable::Store(damaged()),
        OpenRoomError::NoSuchOpponent,
        OpenRoomError::NoRooms("Life2"),
        OpenRoomError::NoSuchGame(&GAMES[0]),
        OpenRoomError::DoesNotStart("it traps"),
        OpenRoomError::NoSuchSeat,
        OpenRoomError::Closed,
        OpenRoomError::Full,
        OpenRoomError::TooMany { max: 10, again_in: 88 },
        OpenRoomError::NoSuchCode,
        OpenRoomError::Clock,
        OpenRoomError::RatedIsPublic,
        OpenRoomError::RatedIsUsual,
        OpenRoomError::Play(PlayError::Rejected(Rejected::SeatTaken)),
        OpenRoomError::Machine("no process".into()),
        OpenRoomError::Store(failed()),
    ]
}

fn of_games_and_tournaments() -> String {
    let illegal = |illegal| ContestRefused::Illegal(illegal);
    answers![
        LogError::OtherRelease,
        LogError::OtherGame,
        LogError::Machine("no process".into()),
        LogError::Store(failed()),
        CheckError::Late,
        CheckError::Machine,
        AgainError::Person,
        AgainError::NoSeat(Seat(2)),
        AgainError::Log(LogError::OtherGame),
        ContestRefused::Terms(TermsError::Display),
        illegal(Illegal::NotOpened),
        illegal(Illegal::Closed),
        illegal(Illegal::NotInvited),
        illegal(Illegal::Twice),
        illegal(Illegal::SameBot),
        illegal(Illegal::TooManyOfAccount),
        illegal(Illegal::TooOften),
        illegal(Illegal::TooManyEntries),
        illegal(Illegal::NotIn),
        illegal(Illegal::Over),
        illegal(Illegal::OtherField),
        illegal(Illegal::OtherStage),
        ContestRefused::Quota(ContestError::TooMany(100)),
        ContestRefused::Act(ActError::NoSuchTournament),
        ContestRefused::Store(damaged()),
        ContestRefused::NoSuchBot("mason".into()),
        ContestRefused::Reserved("hard".into()),
        ContestRefused::NotYourBot("mason".into()),
        ContestRefused::OtherGame { bot: "mason".into(), game: "life2@1".into() },
        ContestRefused::Twice("mason".into()),
        ContestRefused::Date,
        ContestRefused::Places { least: 2, given: 1 },
        ContestRefused::NoLateEntry,
        ContestRefused::TooFew(2),
        ContestRefused::NotYours,
    ]
}

fn of_all() -> String {
    [of_the_store(), of_rooms(), of_games_and_tournaments()].concat()
}

/// The arguments of each call in a source that makes a refusal without a hint, its last argument.
fn without_a_hint(source: &str) -> Vec<&str> {
    let calls = ["Problem::new(", ".says("].into_iter().flat_map(|call| source.split(call).skip(1));
    let arguments = calls.filter_map(|rest| {
        let mut depth = 1;
        let end = rest.find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth == 0
        })?;
        Some(rest[..end].trim_end().trim_end_matches(','))
    });
    arguments.filter(|arguments| arguments.ends_with("\"\"")).collect()
}

/// The sources in a folder.
fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    let read =
        |path: PathBuf| if path.is_dir() { sources(&path) } else { fs::read_to_string(&path).into_iter().collect() };
    entries.flat_map(read).collect()
}

#[test]
fn every_refusal_has_a_code_a_sentence_and_a_hint() {
    let answers = of_all();
    let lines: Vec<&str> = answers.lines().collect();
    for answer in lines.chunks(4) {
        assert!(answer.iter().all(|line| !line.trim().is_empty()), "{answer:?}");
        assert!(!answer[3].contains("docs/"), "no site has this file: {answer:?}");
    }
    for status in 400..600 {
        let problem = Problem::of_status(StatusCode::from_u16(status).expect("a status"));
        assert!([&problem.code, &problem.detail, &problem.hint].iter().all(|text| !text.is_empty()), "{status}");
    }
    // And what no error's type has.
    for part in ["limits", "people", "rooms", "server", "service", "store"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(part).join("src");
        for source in sources(&folder) {
            assert_eq!(without_a_hint(&source), [""; 0]);
        }
    }
    // The same cause has the same hint in both languages, where a code has several.
    for source in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/api")) {
        for refusal in source.split("Problem::new(Code::BadTournament").skip(1) {
            let made = refusal.split('}').next().unwrap_or_default();
            assert!(made.contains(".advising("), "Spanish has the hint of the code: {made}");
        }
    }
    assert_eq!(without_a_hint("Problem::new(a, f(b), \"\",\n).at(None); Problem::new(a, \"\", b)"), ["a, f(b), \"\""]);
}

#[test]
fn each_error_has_the_answer_that_is_written_down() {
    let now = of_all();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/problem/answers.txt");
    if env::var_os("ARENA_BLESS").is_some() {
        fs::write(&path, &now).expect("written");
    }
    let before = fs::read_to_string(&path).unwrap_or_default();
    let other = before.lines().zip(now.lines()).find(|(before, now)| before != now);
    assert_eq!(other, None);
    assert_eq!(before.lines().count(), now.lines().count());
}

/// The codes that an area of pages' messages has a text for, in a language.
fn codes_in(area: &str, language: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../web/text/{language}/{area}.ftl"));
    let text = fs::read_to_string(path).expect("an area");
    let ids = text.lines().filter_map(|line| line.strip_prefix("script-answers-")?.split(' ').next());
    ids.map(|code| code.replace('-', "_")).collect()
}

#[test]
fn pages_have_a_message_for_each_answer_that_is_a_code_alone() {
    for language in ["en", "es"] {
        // A page itself notices that its room is gone.
        let wanted = ["too_many", "rate_limited", "read_only", "unavailable", "bad_message", "gone"];
        let in_rooms = BTreeSet::from(wanted.map(str::to_owned));
        assert_eq!(codes_in("script-answers", language), in_rooms);
        let of_calls = [
            CallError::Refused(life2::Refusal::NeedCoins),
            CallError::TooManyWallets,
            CallError::Seat(SeatError::TooMany),
            CallError::Unfit,
            CallError::Busy,
            CallError::Store(damaged()),
        ];
        let codes = of_calls.iter().map(CallError::code).chain(["no_base", "no_such_bot", "no_such_slot", "sign_in"]);
        let in_worlds: BTreeSet<String> = codes.map(str::to_owned).filter(|code| !in_rooms.contains(code)).collect();
        assert_eq!(codes_in("script-world-answers", language), in_worlds);
    }
}

#[test]
fn a_room_says_why_in_the_language_of_the_request_with_the_numbers() {
    let practice = Unrated::Practice { seat: Seat(1), finished: 2 };
    for (problem, words) in [
        (Problem::from(Rejected::StalePly { current: 3 }), "el turno 3"),
        (Rejected::IllegalMove("row 9".into()).into(), "row 9"),
        (practice.into(), "lleva 2"),
    ] {
        assert_eq!(problem.translated(Language::English), None);
        let spanish = problem.translated(Language::Spanish).expect("Spanish");
        assert!(spanish.contains(words), "{spanish}");
    }
}
