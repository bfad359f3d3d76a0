//! Tournaments that accounts start: from entry to a folder that is verified, whatever is stopped on the way.

use std::path::PathBuf;
use std::time::Duration;

use arena_runner::{Depth, Finding, SeedOrigin, Workers, verify_folder};
use arena_service::Service;
use arena_service::contests::{
    Admission, By, ContestDetails, ContestRefused, ContestTerms, Event, Illegal, NewContest, Stage,
};
use arena_store::{AccountId, Act, ContestId, Reason, UnixSeconds};
use arena_tournaments::{Commitment, Definition, FormKeys};
use arena_worker::Pool;
use sha2::{Digest, Sha256};

use super::{FIRST, Place, account, bot_name, judged, mason, until};

const DEFINITION: &str = "name = \"cup\"\npairs = 1\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n";

fn new(owner: AccountId, definition: &str, rule: Admission) -> NewContest {
    let (terms, named) = ContestTerms::parse(FormKeys::default(), definition).expect("terms");
    let bots = Vec::new();
    NewContest { owner, terms, named, bots, rule, places: Some(3), until: None, late: false, by_operator: None }
}

async fn shown(service: &Service, id: ContestId) -> ContestDetails {
    service.contests().shown(id).await.expect("read").expect("it is there")
}

/// Waits until the log says that it is over.
async fn ended(service: &Service, id: ContestId) -> ContestDetails {
    let mut watched = service.contests().watch(id);
    loop {
        // Before the log is read: what is appended after that is another revision.
        let before = watched.borrow_and_update().revision;
        let contest = shown(service, id).await;
        if contest.state.is_over() {
            return contest;
        }
        until(watched.clone(), |shown| shown.revision != before).await;
    }
}

/// Another bot that does the same: it has data besides.
fn other() -> std::sync::Arc<[u8]> {
    mason().iter().copied().chain(*b"\x0b\x04\x01\x01\x01x").collect()
}

/// And another again.
fn third() -> std::sync::Arc<[u8]> {
    mason().iter().copied().chain(*b"\x0b\x04\x01\x01\x01y").collect()
}

/// The same bot in other bytes: with a custom section, which has no effect.
fn copied() -> std::sync::Arc<[u8]> {
    mason().iter().copied().chain(*b"\0\x03\x01xy").collect()
}

fn folder(place: &Place, id: ContestId) -> PathBuf {
    place.data().join(format!("tournaments/cup-{}", id.0))
}

fn reason() -> Reason {
    Reason::parse("a reason").expect("one")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_is_entered_drawn_played_and_verified() {
    let place = Place::new();
    let service = place.open().await;
    let (ann, bob) = (account(&service, "Ann").await, account(&service, "Bob").await);
    judged(&service, ann, "mason", mason()).await;
    judged(&service, bob, "copy", mason()).await;
    let now = service.now();
    let id = service.contests().open(new(ann, DEFINITION, Admission::Open), now).await.expect("opened");
    let published = shown(&service, id).await.state.commitment;
    service.contests().enter(id, ann, "mason", now).await.expect("her own");
    for (who, bot, wanted) in [(ann, "mason", Illegal::Twice), (bob, "copy", Illegal::SameBot)] {
        let refused = service.contests().enter(id, who, bot, now).await;
        assert!(matches!(&refused, Err(ContestRefused::Illegal(illegal)) if *illegal == wanted), "{refused:?}");
    }
    let refused = service.contests().enter(id, bob, "mason", now).await;
    assert!(matches!(refused, Err(ContestRefused::NotYourBot(_))), "{refused:?}");
    let refused = service.contests().start(id, bob, now).await;
    assert!(matches!(refused, Err(ContestRefused::NotYours)), "{refused:?}");
    let refused = service.contests().withdraw(id, ann, "easy", &reason(), now).await;
    assert!(matches!(refused, Err(ContestRefused::Reserved(_))), "{refused:?}");
    assert!(matches!(shown(&service, id).await.state.stage, Stage::Entry), "a place is free");
    service.contests().start(id, ann, now).await.expect("two are in");

    let contest = ended(&service, id).await;
    let Stage::Finished { definition, games } = &contest.state.stage else { panic!("{:?}", contest.state.stage) };
    assert_eq!(*games, 2);
    let definition = Definition::parse(definition).expect("a definition");
    let draw = definition.draw.expect("drawn");
    assert_eq!(Commitment(arena_record::Hex(Sha256::digest(draw.secret.0).into())), published);
    let standings = contest.shown.standings.as_deref().expect("standings");
    assert_eq!(standings.rows.len(), 2);
    assert_eq!(contest.shown.meetings.len(), 1);
    let meeting = &contest.shown.meetings[0];
    assert_eq!((meeting.played, meeting.games, meeting.wins.iter().sum::<u32>() + meeting.draws), (2, 2, 2));
    let refused = service.contests().enter(id, bob, "copy", now).await;
    assert!(matches!(refused, Err(ContestRefused::Illegal(Illegal::Over | Illegal::Closed))), "{refused:?}");
    service.close().await;

    let host = Workers::new(Pool::new(env!("CARGO_BIN_EXE_service-test-worker").into(), vec![place.death().into()], 1));
    let verified = verify_folder(&folder(&place, id), None, &host, Depth::Everything, 1, |_| {}).expect("readable");
    assert_eq!((verified.finding, verified.coverage.seed), (Finding::Identical, Some(SeedOrigin::Drawn)));

    // As if another release had played it.
    let manifest = folder(&place, id).join("manifest.json");
    let text = std::fs::read_to_string(&manifest).expect("a manifest");
    let others = text.replace(&arena_runner::semantics_id(FIRST.ruleset), &"0".repeat(64));
    assert_ne!(others, text);
    std::fs::write(&manifest, others).expect("written");
    let service = place.open().await;
    let shown = shown(&service, id).await.shown;
    let table = std::fs::read_to_string(folder(&place, id).join("results/standings.txt")).expect("standings");
    let earlier = shown.earlier.as_deref().expect("what it wrote is there");
    assert_eq!((&earlier.table, shown.standings.is_some()), (&table, false));
    assert!(earlier.build.starts_with("arena "), "{}", earlier.build);
    service.delete_account(ann, now).await.expect("she is there");
    let shown = self::shown(&service, id).await.shown;
    let table = &shown.earlier.as_deref().expect("still").table;
    assert!(table.contains("deleted") && !table.contains("mason"), "{table}");
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_whose_entry_ends_does_not_wait_for_the_end_of_an_edition() {
    let place = Place::with_standing();
    let service = place.open().await;
    let ann = account(&service, "Ann").await;
    super::until_settled(&service).await;
    // Its games last longer than a look at the edition takes.
    let many = DEFINITION.replace("pairs = 1", "pairs = 100") + "[[entrants]]\nname = \"hard\"\nbaseline = \"hard\"\n";
    let soon = UnixSeconds(service.now().0 + 10);
    let cup = NewContest { until: Some(soon), ..new(ann, &many, Admission::Open) };
    let id = service.contests().open(cup, service.now()).await.expect("opened");
    judged(&service, ann, "mason", mason()).await;
    super::until_played(&service, 2, 1).await;
    assert!(matches!(shown(&service, id).await.state.stage, Stage::Entry), "it has its date");
    place.clock.advance(Duration::from_secs(11));
    until(service.contests().watch(id), |shown| shown.progress.is_some_and(|progress| progress.played > 0)).await;
    let edition = service.standing().of(FIRST).edition.clone().expect("the first");
    assert_eq!(edition.number, 1, "the second has games left to play");
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_that_was_stopped_goes_on_and_who_is_taken_out_plays_no_more() {
    let place = Place::new();
    let service = place.open().await;
    let ann = account(&service, "Ann").await;
    judged(&service, ann, "mason", mason()).await;
    judged(&service, ann, "other", other()).await;
    let text = DEFINITION.replace("pairs = 1", "pairs = 40");
    let mut cup = new(ann, &text, Admission::Named);
    cup.bots = vec![bot_name("mason"), bot_name("other")];
    let id = service.contests().open(cup, service.now()).await.expect("opened");
    until(service.contests().watch(id), |shown| shown.progress.is_some_and(|progress| progress.played > 0)).await;
    service.close().await;

    let service = place.open().await;
    if !shown(&service, id).await.state.is_over() {
        let taken_out = service.contests().withdraw(id, ann, "other", &reason(), service.now()).await;
        taken_out.expect("it plays");
    }
    let contest = ended(&service, id).await;
    assert!(matches!(contest.state.stage, Stage::Finished { .. }), "{:?}", contest.state.stage);
    let said: Vec<&Event> = contest.events.iter().map(|(_, event)| event).collect();
    assert!(matches!(said[..], [Event::Opened { .. }, Event::Frozen { .. }, .., Event::Finished { .. }]), "{said:?}");
    service.close().await;
    let host = Workers::new(Pool::new(env!("CARGO_BIN_EXE_service-test-worker").into(), vec![place.death().into()], 1));
    let depth = Depth::Sample { games: 4, seed: 1 };
    let verified = verify_folder(&folder(&place, id), None, &host, depth, 1, |_| {}).expect("readable");
    assert_eq!(verified.finding, Finding::Sampled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_level_match_of_a_knockout_is_one_meeting_with_its_further_pairs_and_stands_in_the_bracket() {
    let place = Place::new();
    let service = place.open().await;
    let ann = account(&service, "Ann").await;
    judged(&service, ann, "mason", mason()).await;
    judged(&service, ann, "other", other()).await;
    // The two play alike, so each pair is level.
    let text = "name = \"cup\"\nformat = \"knockout\"\npairs = 1\nfurther-pairs = 2\n";
    let mut cup = new(ann, text, Admission::Named);
    cup.bots = vec![bot_name("mason"), bot_name("other")];
    let id = service.contests().open(cup, service.now()).await.expect("opened");
    let contest = ended(&service, id).await;
    let [meeting] = &contest.shown.meetings[..] else { panic!("{:?}", contest.shown.meetings) };
    assert_eq!(
        (meeting.round, meeting.name.map(|name| name.to_string()).as_deref(), meeting.played, meeting.games),
        (1, Some("final"), 6, 6)
    );
    assert_eq!(meeting.wins[0], meeting.wins[1]);
    let svg = contest.shown.bracket.as_deref().expect("a bracket").svg(None);
    assert!(svg.contains(">mason<") && svg.contains(">other<"), "{svg}");
    // Who is deleted has no name in the picture either.
    service.delete_account(ann, service.now()).await.expect("she is there");
    let bracket = shown(&service, id).await.shown.bracket;
    assert!(!bracket.as_deref().expect("still").svg(None).contains("mason"));
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_enter_between_rounds_and_each_round_is_drawn_from_who_is_in() {
    let place = Place::new();
    let service = place.open().await;
    let (ann, bob) = (account(&service, "Ann").await, account(&service, "Bob").await);
    judged(&service, ann, "mason", mason()).await;
    judged(&service, bob, "other", other()).await;
    let now = service.now();
    // Two are always left: with fewer it is over.
    let hard = "[[entrants]]\nname = \"hard\"\nbaseline = \"hard\"\n";
    let ladder = DEFINITION.replace("pairs = 1", "format = \"ladder\"\nrounds = 5") + hard;
    let with = |definition: &str, rule| NewContest { late: true, places: Some(4), ..new(ann, definition, rule) };
    for (definition, rule) in [(DEFINITION, Admission::Open), (&*ladder, Admission::Named)] {
        let refused = service.contests().open(with(definition, rule), now).await;
        assert!(matches!(refused, Err(ContestRefused::NoLateEntry)), "{refused:?}");
    }
    let id = service.contests().open(with(&ladder, Admission::Open), now).await.expect("opened");
    let published = shown(&service, id).await.state.commitment;
    service.contests().enter(id, ann, "mason", now).await.expect("her own");
    service.contests().start(id, ann, now).await.expect("three are in");
    until(service.contests().watch(id), |shown| shown.progress.is_some_and(|progress| progress.played > 0)).await;
    service.contests().enter(id, bob, "other", now).await.expect("a place is left");
    let refused = service.contests().withdraw(id, ann, "mason", &reason(), now).await;
    refused.expect("the organiser may, until the end");
    let refused = service.contests().enter(id, ann, "mason", now).await;
    assert!(matches!(refused, Err(ContestRefused::Illegal(Illegal::Twice))), "{refused:?}");
    service.close().await;

    let service = place.open().await;
    let contest = ended(&service, id).await;
    let Stage::Finished { definition, .. } = &contest.state.stage else { panic!("{:?}", contest.state.stage) };
    let first = Definition::parse(definition).expect("a definition").draw.expect("drawn").secret;
    let later = contest.events.iter().filter_map(|(_, event)| match event {
        Event::Drawn { round, secret, .. } => Some((*round, *secret)),
        _ => None,
    });
    let (mut before, mut rounds) = (published, 0);
    for (round, secret) in std::iter::once((0, first)).chain(later) {
        assert_eq!((round, secret.commitment()), (rounds, before));
        (before, rounds) = (secret.as_commitment(), rounds + 1);
    }
    assert_eq!(rounds, 5);
    let names: Vec<&str> = contest.state.names.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["mason", "other"]);
    let mut played = contest.shown.meetings.iter().filter(|meeting| meeting.played > 0);
    assert!(played.any(|meeting| meeting.round > 1 && meeting.names.contains(&"other".into())));
    service.close().await;
    let host = Workers::new(Pool::new(env!("CARGO_BIN_EXE_service-test-worker").into(), vec![place.death().into()], 1));
    let verified = verify_folder(&folder(&place, id), None, &host, Depth::Everything, 1, |_| {}).expect("readable");
    assert_eq!((verified.finding, verified.coverage.seed), (Finding::Identical, Some(SeedOrigin::Drawn)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_with_who_came_follows_one_that_leaves_a_single_entrant() {
    let place = Place::new();
    let service = place.open().await;
    let (ann, bob) = (account(&service, "Ann").await, account(&service, "Bob").await);
    judged(&service, ann, "mason", mason()).await;
    judged(&service, ann, "third", third()).await;
    judged(&service, bob, "other", other()).await;
    let now = service.now();
    let swiss = DEFINITION.replace("pairs = 1", "format = \"swiss\"\nrounds = 2\npairs = 20");
    for comes in [true, false] {
        let contest = NewContest { late: true, places: Some(4), ..new(ann, &swiss, Admission::Open) };
        let id = service.contests().open(contest, now).await.expect("opened");
        for bot in ["mason", "third"] {
            service.contests().enter(id, ann, bot, now).await.expect("her own");
        }
        service.contests().start(id, ann, now).await.expect("three are in");
        until(service.contests().watch(id), |shown| shown.progress.is_some_and(|progress| progress.played > 0)).await;
        for bot in ["mason", "third"] {
            service.contests().withdraw(id, ann, bot, &reason(), now).await.expect("the organiser may");
        }
        if comes {
            service.contests().enter(id, bob, "other", now).await.expect("a place is left");
        }
        let contest = ended(&service, id).await;
        assert!(matches!(contest.state.stage, Stage::Finished { .. }), "{:?}", contest.state.stage);
        let played = contest.shown.meetings.iter().filter(|meeting| meeting.played > 0);
        let second = played.filter(|meeting| meeting.round == 2).map(|meeting| {
            let mut names = meeting.names.clone();
            names.sort();
            names
        });
        let expected = comes.then(|| vec!["easy".to_owned(), "other".into()]);
        assert_eq!(second.collect::<Vec<_>>(), Vec::from_iter(expected));
    }
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_does_not_shut_the_author_out_of_a_tournament() {
    let place = Place::new();
    let service = place.open().await;
    let (ann, bob, eve) =
        (account(&service, "Ann").await, account(&service, "Bob").await, account(&service, "Eve").await);
    judged(&service, ann, "mason", mason()).await;
    judged(&service, eve, "copy", copied()).await;
    judged(&service, bob, "own-copy", mason()).await;
    let now = service.now();
    let open = NewContest { places: Some(8), ..new(bob, DEFINITION, Admission::Open) };
    let id = service.contests().open(open.clone(), now).await.expect("opened");
    service.contests().enter(id, eve, "copy", now).await.expect("its place is free");
    service.contests().enter(id, ann, "mason", now).await.expect("she had it first");
    let state = shown(&service, id).await.state;
    assert_eq!(state.playing().map(|entrant| entrant.account).collect::<Vec<_>>(), [ann.0]);
    let out = state.entrants.iter().find(|(entrant, _)| entrant.account == eve.0).and_then(|(_, why)| why.clone());
    assert!(out.is_some_and(|why| why.english().contains("submitted first")), "who was taken out reads why");
    for (account, bot) in [(eve, "copy"), (bob, "own-copy")] {
        let refused = service.contests().enter(id, account, bot, now).await;
        assert!(matches!(refused, Err(ContestRefused::Illegal(Illegal::SameBot))), "{refused:?}");
    }
    // The organiser takes out whom they like, and so keeps a bot of their own.
    let id = service.contests().open(open, now).await.expect("opened");
    service.contests().enter(id, bob, "own-copy", now).await.expect("its place is free");
    let refused = service.contests().enter(id, ann, "mason", now).await;
    assert!(matches!(refused, Err(ContestRefused::Illegal(Illegal::SameBot))), "{refused:?}");
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_a_tournament_is_refused_and_one_may_be_cancelled() {
    let place = Place::new();
    let service = place.open().await;
    let (ann, bob) = (account(&service, "Ann").await, account(&service, "Bob").await);
    judged(&service, ann, "mason", mason()).await;
    judged(&service, bob, "other", other()).await;
    let now = service.now();
    let refused = async |new: NewContest| service.contests().open(new, now).await.expect_err("none").to_string();
    for (definition, rule, words) in [
        ("name = \"x\"\nformat = \"swis\"", Admission::Open, "`format` is one of"),
        ("name = \"x\"\nlaps = 3", Admission::Open, "laps"),
        ("name = \"x\"\npairs = 0", Admission::Open, "`pairs` is 1 to"),
        ("name = \"x\"\nruleset = \"chess@1\"", Admission::Open, "chess@1"),
        ("name = \"x\"\npairs = 9000", Admission::Open, "the fuel of a tournament"),
        (DEFINITION, Admission::Named, "at least 2 entrants"),
    ] {
        let said = match ContestTerms::parse(FormKeys::default(), definition) {
            Err(wrong) => wrong.to_string(),
            Ok(_) => refused(new(ann, definition, rule)).await,
        };
        assert!(said.contains(words), "{definition}: {said}");
    }
    let with = |bots: &[&str]| NewContest {
        bots: bots.iter().map(|bot| bot_name(bot)).collect(),
        ..new(ann, "name = \"x\"\npairs = 1", Admission::Named)
    };
    assert!(refused(with(&["mason", "mason"])).await.contains("\"mason\" is entered twice"));
    let many: Vec<String> = (0..65).map(|bot| format!("bot-{bot}")).collect();
    let said = refused(with(&many.iter().map(String::as_str).collect::<Vec<_>>())).await;
    assert!(said.contains("has 2 to 64 entrants, not 65"), "nobody is looked up: {said}");
    assert!(refused(with(&["mason", "stranger"])).await.contains("no bot called \"stranger\""));
    assert!(refused(with(&["other"])).await.contains("not your bot"));
    let late = |until| NewContest { until: Some(UnixSeconds(until)), ..new(ann, DEFINITION, Admission::Open) };
    for until in [0, now.0, now.0 + 31 * 86_400] {
        assert!(refused(late(until)).await.contains("within the next 30 days"), "{until}");
    }
    for places in [1, 65] {
        let said = refused(NewContest { places: Some(places), ..new(ann, DEFINITION, Admission::Open) }).await;
        assert!(said.contains("places"), "{said}");
    }

    // The first of a gauntlet meets all others: the order of a definition is kept.
    let hash = arena_record::EntrantId::of_bytes(&mason());
    let file = format!("[[entrants]]\nname = \"m\"\nfile = \"{}.wasm\"\n", hash.hash().expect("of bytes"));
    let easy =
        "[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n[[entrants]]\nname = \"hard\"\nbaseline = \"hard\"\n";
    let gauntlet = format!("name = \"g\"\nformat = \"gauntlet\"\npairs = 1\n{file}{easy}");
    let gauntlet = service.contests().open(new(ann, &gauntlet, Admission::Named), now).await.expect("opened");
    let played = ended(&service, gauntlet).await;
    let met: Vec<&[String]> = played.shown.meetings.iter().map(|meeting| &meeting.names[..]).collect();
    assert_eq!(met, [["mason", "easy"], ["mason", "hard"]]);

    // A challenge is a tournament of two, of which one may be anybody's.
    let challenge = service.contests().open(with(&["mason", "other"]), now).await.expect("opened");
    assert!(matches!(ended(&service, challenge).await.state.stage, Stage::Finished { games: 2, .. }));
    // Or of the gallery, if no such bot plays here.
    let challenge = service.contests().open(with(&["mason", "raider"]), now).await.expect("opened");
    let played = ended(&service, challenge).await;
    assert!(matches!(played.state.stage, Stage::Finished { games: 2, .. }), "{:?}", played.state.stage);
    assert_eq!((&played.state.reserved[..], played.state.entrants.len()), (&["raider".to_owned()][..], 1));

    let id = service
        .contests()
        .open(new(ann, DEFINITION, Admission::Invited { accounts: vec![bob.0] }), now)
        .await
        .expect("opened");
    let eve = account(&service, "Eve").await;
    let refused = service.contests().enter(id, eve, "mason", now).await;
    assert!(matches!(refused, Err(ContestRefused::Illegal(Illegal::NotInvited))), "{refused:?}");
    service.contests().enter(id, bob, "other", now).await.expect("he is invited");
    service.contests().withdraw(id, bob, "other", &reason(), now).await.expect("his own");
    assert!(service.contests().cancel(id, bob, &reason(), now).await.is_err());
    service.contests().cancel(id, ann, &reason(), now).await.expect("hers");
    assert!(matches!(shown(&service, id).await.state.stage, Stage::Cancelled { .. }));
    let game = FIRST.ruleset;
    assert_eq!(shown(&service, id).await.contest.game, game);
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn folders_of_what_was_cancelled_or_forgotten_while_nobody_played_go_at_the_next_start() {
    let place = Place::new();
    let service = place.open().await;
    let ann = account(&service, "Ann").await;
    let now = service.now();
    let id = service.contests().open(new(ann, DEFINITION, Admission::Open), now).await.expect("opened");
    service.contests().cancel(id, ann, &reason(), now).await.expect("hers");
    service.close().await;
    let left = [folder(&place, id), folder(&place, ContestId(999))];
    let other = place.data().join("tournaments/cup-of-tea");
    for folder in left.iter().chain([&other]) {
        std::fs::create_dir_all(folder.join("results")).expect("a folder");
    }
    let service = place.open().await;
    // What is opened now is played after the first look.
    let with = NewContest {
        bots: Vec::new(),
        ..new(
            ann,
            "name = \"x\"\npairs = 1\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n[[entrants]]\nname = \"hard\"\nbaseline = \"hard\"\n",
            Admission::Named,
        )
    };
    let next = service.contests().open(with, now).await.expect("opened");
    ended(&service, next).await;
    assert!(left.iter().all(|folder| !folder.exists()) && other.exists());
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_that_do_not_fit_refuse_a_start_and_who_is_disabled_organises_nothing() {
    let place = Place::new();
    let service = place.open().await;
    let ann = account(&service, "Ann").await;
    let now = service.now();
    let hard = "[[entrants]]\nname = \"hard\"\nbaseline = \"hard\"\n";
    let swiss = DEFINITION.replace("pairs = 1", "format = \"swiss\"\npairs = 1\nrounds = 5") + hard;
    let swiss = NewContest { places: Some(8), ..new(ann, &swiss, Admission::Open) };
    let id = service.contests().open(swiss.clone(), now).await.expect("opened");
    let other = service.contests().open(swiss, now).await.expect("opened");
    let said = service.contests().start(id, ann, now).await.expect_err("of two").to_string();
    assert!(said.contains("`rounds` is 1 to 1"), "{said}");
    assert!(matches!(shown(&service, id).await.state.stage, Stage::Entry), "nothing is lost");
    let spam = Reason::parse("it is spam").expect("one");
    let entry = service.cancel_contest_as_operator(other, &spam, now).await.expect("the operator may");
    assert_eq!((&*entry.act, entry.contest, &entry.reason), ("cancel_tournament", Some(other), &spam));
    let cancelled = Stage::Cancelled { by: By::Operator, reason: "it is spam".into() };
    assert_eq!(shown(&service, other).await.state.stage, cancelled);
    let refused = service.cancel_contest_as_operator(other, &spam, now).await;
    assert!(matches!(refused, Err(ContestRefused::Illegal(Illegal::Over))), "{refused:?}");
    assert!(matches!(shown(&service, id).await.state.stage, Stage::Entry), "only that one");
    service.act(&Act::DisableAccount(ann), &reason(), now).await.expect("the operator may");
    assert!(matches!(shown(&service, id).await.state.stage, Stage::Cancelled { by: By::Operator, .. }));
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_what_the_operator_starts_are_bounded_as_at_home_and_count_towards_no_limit_of_accounts() {
    let place = Place::new();
    let service = place.open().await;
    let ann = account(&service, "Ann").await;
    let field = "name = \"cup\"\nruleset = \"game-of-game-of-life@1\"\noptions = \"seats=3\"\nformat = \"field\"\ngames = 10000\n\
        pairs = 0\n[[entrants]]\nname = \"random\"\nbaseline = \"random\"\n[[entrants]]\nname = \"greedy\"\nbaseline = \"greedy\"\n";
    let wanted = NewContest { places: Some(4), ..new(ann, field, Admission::Open) };
    let refused = service.contests().open(wanted.clone(), service.now()).await;
    assert!(matches!(refused, Err(ContestRefused::Terms(_))), "{refused:?}");
    let wanted = NewContest { by_operator: Some(Reason::parse("a test").expect("a reason")), ..wanted };
    let id = service.contests().open(wanted.clone(), service.now()).await.expect("an operator's");
    let contest = shown(&service, id).await;
    assert_eq!((contest.contest.counted.games, contest.contest.counted.fuel), (0, 0));
    contest.state.terms.check(3).expect("it may begin, also after a restart");
    service.close().await;
}
