//! What operators do.

use arena_store::{
    AccountError, AccountId, Act, ActError, Adjusted, AuditEntry, BANS_MAX, BotId, ContestError, ContestId, Counted,
    Gate, Limits, Measure, MeasureKind, NewContest, Notice, OPERATOR_SESSIONS_MAX, Page, Phase, REASON_CHARS_MAX,
    Reason, RoomError, SubmitError, TournamentId, Verdict,
};

use super::{Fixture, GAME, NOW, TERMS, bot_name, bytes, display, fixture, fixture_with, later, room_id};

impl Fixture {
    async fn act(&self, act: Act) -> Result<i64, ActError> {
        let reason = Reason::parse("it had to be").expect("a reason");
        self.store.act(&act, &reason, NOW).await.map(|entry| entry.number)
    }

    async fn submitted(&self, account: AccountId, content: &str) -> Result<(), SubmitError> {
        let submitted = self.store.submit(account, &bot_name("lifer"), GAME, bytes(content), NOW).await;
        submitted.map(|_| ())
    }
}

#[tokio::test]
async fn what_is_closed_takes_nothing_until_it_is_opened() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let there = fixture.room(1).await;
    for gate in Gate::EVERY {
        fixture.act(Act::Close(gate)).await.expect("closed");
        fixture.act(Act::Close(gate)).await.expect("closed, twice");
    }
    assert_eq!(fixture.store.closed().await.expect("read"), Gate::EVERY.into());
    assert!(matches!(fixture.submitted(ada.id, "one").await, Err(SubmitError::Closed)));
    let refused = fixture.store.create_room(&room_id(2), "start", &TERMS, NOW).await;
    assert!(matches!(refused, Err(RoomError::Closed)), "{refused:?}");
    fixture.store.create_room(&there, "start", &TERMS, NOW).await.expect("it is there already");
    fixture.store.append(&there, 1, "goes on", NOW).await.expect("games go on");
    fixture.act(Act::Open(Gate::Submissions)).await.expect("open");
    fixture.submitted(ada.id, "one").await.expect("taken");
    assert!(!fixture.store.closed().await.expect("read").contains(&Gate::Submissions));
}

#[tokio::test]
async fn nobody_signs_up_and_no_tournament_starts_while_the_operator_has_closed_that() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let counted = Counted { phase: Phase::Entry, games: 10, fuel: 100 };
    let new = NewContest {
        owner: ada.id,
        name: "cup",
        game: GAME,
        event: "opened",
        secret: [7; 32],
        counted,
        by_operator: None,
    };
    for gate in [Gate::Accounts, Gate::Tournaments] {
        fixture.act(Act::Close(gate)).await.expect("closed");
    }
    let refused = fixture.store.create_account(&display("Bob"), NOW).await;
    assert!(matches!(refused, Err(AccountError::Closed)), "{refused:?}");
    let refused = fixture.store.open_contest(&new, NOW).await;
    assert!(matches!(refused, Err(ContestError::Closed)), "{refused:?}");
    for gate in [Gate::Accounts, Gate::Tournaments] {
        fixture.act(Act::Open(gate)).await.expect("open");
    }
    fixture.store.create_account(&display("Bob"), NOW).await.expect("open");
    fixture.store.open_contest(&new, NOW).await.expect("open");
}

#[tokio::test]
async fn a_measure_holds_until_it_ends_or_is_replaced_and_the_log_names_no_network() {
    let fixture = fixture().await;
    let notice = |text| Act::PostNotice(Notice::parse(text).expect("a notice"));
    let ban = |network: &str, until| Act::Ban { network: network.into(), until };
    let cup = TournamentId::parse("cup-1").expect("an id");
    let measures = async |at| fixture.store.measures(later(at)).await.expect("read");
    fixture.act(notice("maintenance at noon")).await.expect("posted");
    let posted = fixture.act(notice("maintenance at one")).await.expect("posted, instead");
    let banned = fixture.act(ban("192.0.2.0/24", later(100))).await.expect("banned");
    let longer = fixture.act(ban("198.51.100.7/32", later(200))).await.expect("banned");
    let annulled = fixture.act(Act::AnnulTournament(cup.clone())).await.expect("annulled");
    let reason = Reason::parse("it had to be").expect("a reason");
    let measure = |number, kind, until| Measure { number, kind, since: NOW, until };
    let all = [
        measure(posted, MeasureKind::Notice("maintenance at one".into()), None),
        measure(banned, MeasureKind::Ban("192.0.2.0/24".into()), Some(later(100))),
        measure(longer, MeasureKind::Ban("198.51.100.7/32".into()), Some(later(200))),
        measure(annulled, MeasureKind::Annulled(cup.clone(), reason), None),
    ];
    assert_eq!(measures(99).await, all);
    let without_first = [all[0].clone(), all[2].clone(), all[3].clone()];
    assert_eq!(measures(100).await, without_first, "it is over");
    assert_eq!(measures(0).await, without_first, "and deleted");
    assert!(matches!(fixture.act(Act::LiftBan(banned)).await, Err(ActError::NoSuchBan)));
    assert!(matches!(fixture.act(Act::LiftBan(posted)).await, Err(ActError::NoSuchBan)));
    for act in [Act::LiftBan(longer), Act::RemoveNotice, Act::RemoveNotice, Act::RestoreTournament(cup.clone())] {
        fixture.act(act).await.expect("ended");
    }
    assert_eq!(measures(0).await, []);
    let again = fixture.act(Act::RestoreTournament(cup)).await;
    assert!(matches!(again, Err(ActError::NoSuchTournament)), "{again:?}");
    let log = fixture.store.audit(Page::first(20)).await.expect("read");
    let names: Vec<_> = log.iter().rev().map(|entry| entry.name.as_deref().unwrap_or_default()).collect();
    let (first, second) = (format!("ban {banned}"), format!("ban {longer}"));
    assert_eq!(names, ["", "", &first, &second, "cup-1", &second, "", "", "cup-1"]);
    for number in 0..BANS_MAX {
        fixture.act(ban(&number.to_string(), later(1))).await.expect("banned");
    }
    assert!(matches!(fixture.act(ban("one more", later(1))).await, Err(ActError::TooManyBans)));
}

#[tokio::test]
async fn an_adjusted_limit_holds_at_once_until_it_has_its_usual_value_again() {
    let fixture = fixture_with(Limits { accounts_max: 2, ..Limits::DEFAULT }).await;
    let set = |name, value| Act::SetLimit(Adjusted::parse(name, value).expect("within its bounds"));
    fixture.account("Ada").await;
    fixture.act(set("accounts", "1")).await.expect("set");
    let refused = fixture.store.create_account(&display("Bob"), NOW).await;
    assert!(matches!(refused, Err(AccountError::TooManyAccounts)), "{refused:?}");
    fixture.act(set("open_rooms", "7")).await.expect("set");
    let number = fixture.act(set("accounts", "3")).await.expect("set, instead");
    let limits = Limits { accounts_max: 3, open_rooms_max: 7, ..*fixture.store.default_limits() };
    assert_eq!(fixture.store.limits().await.expect("read"), limits);
    let measures = fixture.store.measures(NOW).await.expect("read");
    let kind = MeasureKind::Limit("accounts".into(), "3".into());
    assert_eq!(measures.last(), Some(&Measure { number, kind, since: NOW, until: None }));
    for name in ["Bob", "Eve"] {
        fixture.store.create_account(&display(name), NOW).await.expect("there is room");
    }
    for name in ["accounts", "accounts", "open_rooms"] {
        fixture.act(Act::ResetLimit(Adjusted::name(name).expect("one"))).await.expect("reset, or never set");
    }
    assert_eq!(fixture.store.limits().await.expect("read"), *fixture.store.default_limits());
    let refused = fixture.store.create_account(&display("Joe"), NOW).await;
    assert!(matches!(refused, Err(AccountError::TooManyAccounts)), "who is in stays: {refused:?}");
    let log = fixture.store.audit(Page::first(20)).await.expect("read");
    let said: Vec<_> = log.iter().rev().map(|entry| (&*entry.act, entry.name.as_deref().unwrap_or_default())).collect();
    let reset = |name| ("reset_limit", name);
    let set = |name| ("set_limit", name);
    let all = [set("accounts 1"), set("open_rooms 7"), set("accounts 3"), reset("accounts"), reset("accounts")];
    assert_eq!(said, [&all[..], &[reset("open_rooms")]].concat());
}

#[tokio::test]
async fn a_disabled_bot_does_not_play_and_comes_back_as_it_was() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let version = fixture.submit(ada.id, "lifer", "one").await;
    fixture.judge(&version, Verdict::Accepted).await;
    let (bot, page) = (version.id.bot, Page::first(10));
    let acts = [
        (Act::DisableBot(bot), true),
        (Act::EnableBot(bot), false),
        (Act::DisableAccount(ada.id), true),
        (Act::EnableAccount(ada.id), false),
    ];
    for (act, disabled) in acts {
        fixture.act(act.clone()).await.expect("done");
        let found = fixture.store.bot(bot).await.expect("read").expect("it is there");
        assert_eq!((found.disabled, found.active.is_none()), (disabled, disabled), "{act:?}");
        assert_eq!(fixture.store.active_bots(None, page.clone()).await.expect("read").is_empty(), disabled, "{act:?}");
        let taken = fixture.submitted(ada.id, &act.word().repeat(2)).await;
        assert_eq!(matches!(taken, Err(SubmitError::Disabled)), disabled, "{act:?}: {taken:?}");
    }
    let owner = fixture.store.account(ada.id).await.expect("read").expect("it is there");
    assert!(!owner.disabled);
}

#[tokio::test]
async fn each_act_is_a_line_with_the_name_of_today_and_a_failed_one_is_none() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    fixture.account("Bob").await;
    let version = fixture.submit(ada.id, "lifer", "one").await;
    assert!(matches!(fixture.act(Act::DisableBot(BotId(99_999))).await, Err(ActError::NoSuchBot)));
    assert!(matches!(fixture.act(Act::DisableAccount(AccountId(99_999))).await, Err(ActError::NoSuchAccount)));
    let taken = fixture.act(Act::RenameAccount(ada.id, display("bob"))).await;
    assert!(matches!(taken, Err(ActError::NameTaken)));
    assert!(fixture.store.audit(Page::first(10)).await.expect("read").is_empty());
    let acts = [Act::DisableAccount(ada.id), Act::DisableBot(version.id.bot), Act::Drain];
    for (number, act) in acts.into_iter().enumerate() {
        let reason = Reason::parse(&format!(" reason {number} ")).expect("a reason");
        let entry = fixture.store.act(&act, &reason, later(number as i64)).await.expect("done");
        assert_eq!((entry.number, entry.at, entry.act.clone()), (number as i64 + 1, later(number as i64), act.word()));
        assert_eq!((entry.bot, entry.account), (act.bot(), act.account()));
        assert_eq!(entry.reason.to_string(), format!("reason {number}"));
    }
    fixture.act(Act::RenameAccount(ada.id, display("Countess"))).await.expect("renamed");
    let told = |entries: Vec<arena_store::AuditEntry>| -> Vec<(i64, Option<String>)> {
        entries.into_iter().map(|entry| (entry.number, entry.name)).collect()
    };
    let name = |name: &str| Some(name.to_owned());
    let all = fixture.store.audit(Page::first(10)).await.expect("read");
    assert_eq!(told(all), [(4, name("Countess")), (3, None), (2, name("lifer")), (1, name("Countess"))]);
    let page = fixture.store.audit(Page::after(3, 1)).await.expect("read");
    assert_eq!(told(page), [(2, name("lifer"))]);
}

#[tokio::test]
async fn a_bot_that_is_renamed_keeps_its_old_name_from_others() {
    let fixture = fixture().await;
    let ((ada, _), (bob, _)) = (fixture.account("Ada").await, fixture.account("Bob").await);
    let rude = fixture.submit(ada.id, "rude", "one").await;
    fixture.submit(bob.id, "taken", "two").await;
    let act = |name: &str| Act::RenameBot(rude.id.bot, bot_name(name));
    assert!(matches!(fixture.act(act("t-aken")).await, Err(ActError::NameTaken)));
    let nobody = Act::RenameBot(BotId(99_999), bot_name("polite"));
    assert!(matches!(fixture.act(nobody).await, Err(ActError::NoSuchBot)));
    fixture.act(act("polite")).await.expect("renamed");
    let found = fixture.store.bot(rude.id.bot).await.expect("read").expect("it is there");
    assert_eq!(found.name, bot_name("polite"));
    let again = fixture.store.submit(bob.id, &bot_name("rude"), GAME, bytes("three"), NOW).await;
    assert!(matches!(again, Err(SubmitError::NameTaken)), "{again:?}");
    let log = fixture.store.audit(Page::first(10)).await.expect("read");
    let lines: Vec<_> = log.iter().map(|entry| (&*entry.act, entry.bot, entry.name.as_deref())).collect();
    assert_eq!(lines, [("rename_bot", Some(rude.id.bot), Some("polite"))]);
}

#[tokio::test]
async fn a_tournament_is_cancelled_and_noted_in_one_step_or_neither() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let going = Counted { phase: Phase::Entry, games: 10, fuel: 100 };
    let new = NewContest {
        owner: ada.id,
        name: "cup",
        game: GAME,
        event: "opened",
        secret: [7; 32],
        counted: going,
        by_operator: None,
    };
    let id = fixture.store.open_contest(&new, NOW).await.expect("a tournament");
    let act = |id, seq| {
        let counted = Counted { phase: Phase::Over, ..going };
        fixture.act(Act::CancelContest { id, seq, event: "cancelled".into(), counted })
    };
    let refused = act(id, 0).await;
    assert!(matches!(refused, Err(ActError::Contest(ContestError::Taken))), "{refused:?}");
    let refused = act(ContestId(999), 1).await;
    assert!(matches!(refused, Err(ActError::Contest(ContestError::NoSuchContest))), "{refused:?}");
    assert!(fixture.store.audit(Page::first(10)).await.expect("read").is_empty());
    act(id, 1).await.expect("cancelled");
    let refused = act(id, 2).await;
    assert!(matches!(refused, Err(ActError::Contest(ContestError::Over))), "{refused:?}");
    let (contest, events) = fixture.store.contest(id).await.expect("read").expect("it is there");
    assert_eq!((contest.counted.phase, events.len(), events[1].event.as_str()), (Phase::Over, 2, "cancelled"));
    let told = async || {
        let log = fixture.store.audit(Page::first(10)).await.expect("read");
        let line = |entry: AuditEntry| (entry.act, entry.bot, entry.account, entry.contest, entry.name);
        log.into_iter().map(line).collect::<Vec<_>>()
    };
    type Line = (String, Option<BotId>, Option<AccountId>, Option<ContestId>, Option<String>);
    let line =
        |name: Option<&str>| -> Line { ("cancel_tournament".into(), None, None, Some(id), name.map(str::to_owned)) };
    assert_eq!(told().await, [line(Some("cup"))]);
    fixture.store.forget_contest(id, NOW).await.expect("written");
    assert_eq!(told().await, [line(None)]);
}

#[tokio::test]
async fn a_tournament_of_the_operators_is_opened_and_noted_in_one_step_or_neither() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let reason = Reason::parse("the yearly one").expect("a reason");
    let counted = Counted { phase: Phase::Entry, games: 0, fuel: 0 };
    let (game, secret, by_operator) = (GAME, [7; 32], Some(&reason));
    let new = NewContest { owner: ada.id, name: "cup", game, event: "opened", secret, counted, by_operator };
    let nobodys = NewContest { owner: AccountId(99_999), ..new.clone() };
    let refused = fixture.store.open_contest(&nobodys, NOW).await;
    assert!(matches!(refused, Err(ContestError::NoSuchAccount)), "{refused:?}");
    fixture.store.open_contest(&NewContest { by_operator: None, ..new.clone() }, NOW).await.expect("the account's own");
    assert!(fixture.store.audit(Page::first(10)).await.expect("read").is_empty());
    let id = fixture.store.open_contest(&new, NOW).await.expect("a tournament");
    let log = fixture.store.audit(Page::first(10)).await.expect("read");
    let line = |entry: &AuditEntry| (entry.act.clone(), entry.contest, entry.name.clone(), entry.reason.clone());
    let lines: Vec<_> = log.iter().map(line).collect();
    assert_eq!(lines, [("open_tournament".into(), Some(id), Some("cup".into()), reason.clone())]);
}

#[tokio::test]
async fn an_account_is_found_by_a_name_that_looks_like_its_own() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    for (name, found) in [("Ada", true), ("A-DA", true), ("Adam", false)] {
        let account = fixture.store.account_by_name(&display(name)).await.expect("read");
        assert_eq!(account, found.then(|| ada.clone()), "{name}");
    }
}

#[test]
fn a_reason_is_one_line() {
    for (text, good) in [("why", true), (" why ", true), ("", false), (" ", false), ("a\nb", false), ("a\u{7}", false)]
    {
        assert_eq!(Reason::parse(text).is_ok(), good, "{text:?}");
    }
    let long = "é".repeat(REASON_CHARS_MAX);
    assert!(Reason::parse(&long).is_ok() && Reason::parse(&format!("{long}x")).is_err());
}

#[tokio::test]
async fn the_operators_sessions_last_until_they_expire_or_are_ended_and_the_first_to_expire_makes_way() {
    let fixture = fixture().await;
    let begin = async |number: u8, at: i64| {
        let until = later(at + 100);
        fixture.store.begin_operator_session(&[number; 32], until, later(at)).await.expect("begun");
    };
    let is_open =
        async |number: u8, at: i64| fixture.store.is_operator_session(&[number; 32], later(at)).await.expect("read");
    for number in 0..=OPERATOR_SESSIONS_MAX as u8 {
        begin(number, number.into()).await;
    }
    assert!(!is_open(0, 20).await, "one too many");
    for (number, at, open) in [(1, 100, true), (1, 101, false), (2, 101, true), (200, 0, false)] {
        assert_eq!(is_open(number, at).await, open, "{number} after {at} s");
    }
    for _ in 0..2 {
        fixture.store.end_operator_session(&[2; 32]).await.expect("ended");
        assert!(!is_open(2, 20).await);
    }
    // All others are over.
    begin(100, 200).await;
    assert!(!is_open(3, 20).await && is_open(100, 200).await);
}
