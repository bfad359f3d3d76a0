//! Accounts that are deleted.

use arena_record::{EntrantId, Hex};
use arena_store::{
    AccountError, AccountId, Act, BotId, DELETED, NewToken, OwnRoom, Page, Reason, RoomState, SampleLog, Scope,
    SubmitError, Verdict,
};

use super::{GAME, NOW, bot_name, bytes, display, fixture, later, refused, terms};

#[tokio::test]
async fn what_is_an_accounts_own_goes_and_what_was_accepted_stays_under_its_hash() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let (ada, code) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    let session = store.create_session(ada.id, later(60)).await.expect("a session");
    for id in [ada.id, bob.id] {
        store.note_browser(id, Hex([1; 32]), NOW).await.expect("noted");
    }
    let new = NewToken { name: display("laptop"), scope: Scope::All, expires_at: later(60) };
    let (_, secret) = store.create_token(ada.id, &new, NOW).await.expect("a token");
    let [played, refusal, waiting] = [("lifer", "one"), ("broken", "two"), ("newcomer", "three")];
    let mut versions = Vec::new();
    for (name, content) in [played, refusal, waiting, ("lifer", "four")] {
        versions.push(fixture.submit(ada.id, name, content).await);
        if name == "lifer" && content == "one" {
            fixture.judge(&versions[0], Verdict::Accepted).await;
        }
    }
    fixture.judge(&versions[1], refused()).await;
    let log = SampleLog { seat: 0, text: "secret".into(), dropped: 0 };
    store.keep_sample_logs(versions[0].id, &[log]).await.expect("kept");
    let own: Vec<_> = store.versions_of(ada.id, Page::first(10)).await.expect("read");
    assert_eq!(own.iter().map(|version| version.id).collect::<Vec<_>>(), {
        let mut ids: Vec<_> = versions.iter().map(|version| version.id).collect();
        ids.sort();
        ids
    });

    store.delete_account(ada.id, later(1)).await.expect("deleted");
    assert_eq!(store.account(ada.id).await.expect("read"), None);
    assert_eq!(store.account_by_code(&code).await.expect("read"), None);
    assert_eq!(store.account_by_session(&session, NOW).await.expect("read"), None);
    let browsers = store.browsers_of(&[ada.id, bob.id]).await.expect("read");
    assert_eq!(browsers.into_keys().collect::<Vec<_>>(), [bob.id], "the same browser of somebody else stays known");
    assert_eq!(store.account_by_token(&secret, NOW).await.expect("read"), None);
    assert_eq!(store.account_by_name(&display("Ada")).await.expect("read"), None);
    assert!(store.tokens_of(ada.id).await.expect("read").is_empty());
    assert!(store.bots_of(ada.id, Page::first(10)).await.expect("read").is_empty());
    assert!(store.versions_of(ada.id, Page::first(10)).await.expect("read").is_empty());
    assert!(store.active_bots(None, Page::first(10)).await.expect("read").is_empty());
    assert!(store.pending_versions(Page::first(10)).await.expect("read").is_empty());
    for version in &versions {
        assert_eq!(store.bot(version.id.bot).await.expect("read"), None);
        assert_eq!(store.version(version.id).await.expect("read"), None);
        assert!(store.sample_logs(version.id).await.expect("read").is_empty());
        assert!(store.versions(version.id.bot, Page::first(10)).await.expect("read").is_empty());
    }
    for name in ["lifer", "broken", "newcomer"] {
        assert_eq!(store.bot_by_name(&bot_name(name)).await.expect("read"), None);
    }

    let [kept, gone] = ["one", "three"].map(|content| EntrantId::of_bytes(content.as_bytes()));
    let named = store.named(None, &[kept.clone(), gone.clone()]).await.expect("read");
    assert_eq!(named.get(&kept).map(|bot| bot.name.as_str()), Some(DELETED));
    assert!(!named.contains_key(&gone));
    assert_eq!(store.module(&kept).await.expect("read"), b"one");
    assert!(store.module(&gone).await.is_err(), "it was never accepted");
    let taken = store.submit(bob.id, &bot_name("L1FER"), GAME, bytes("five"), NOW).await;
    assert!(matches!(taken, Err(SubmitError::NameTaken)), "{taken:?}");
    for free in ["broken", "newcomer"] {
        store.submit(bob.id, &bot_name(free), GAME, bytes(free), NOW).await.expect("nobody shows it");
    }
    let (again, _) = fixture.account("Ada").await;
    assert!(again.id > bob.id, "numbers are not given again");
    assert!(store.problems().await.expect("read").is_empty());
}

#[tokio::test]
async fn a_deleted_account_is_nobody() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let (ada, _) = fixture.account("Ada").await;
    store.delete_account(ada.id, NOW).await.expect("deleted");
    for id in [ada.id, AccountId(99_999)] {
        assert!(matches!(store.delete_account(id, NOW).await, Err(AccountError::NoSuchAccount)));
        assert!(matches!(store.replace_code(id).await, Err(AccountError::NoSuchAccount)));
        assert!(matches!(store.create_session(id, later(1)).await, Err(AccountError::NoSuchAccount)));
        assert!(matches!(store.note_browser(id, Hex([1; 32]), NOW).await, Err(AccountError::NoSuchAccount)));
        assert!(store.rename_account(id, &display("Eve")).await.is_err());
        let new = NewToken { name: display("laptop"), scope: Scope::Read, expires_at: later(1) };
        assert!(store.create_token(id, &new, NOW).await.is_err());
        let taken = store.submit(id, &bot_name("lifer"), GAME, bytes("one"), NOW).await;
        assert!(matches!(taken, Err(SubmitError::NoSuchAccount)));
        let reason = Reason::parse("a reason").expect("one");
        assert!(store.act(&Act::EnableAccount(id), &reason, NOW).await.is_err());
    }
    assert!(store.rename_account(ada.id, &display("Eve")).await.is_err());
}

#[tokio::test]
async fn bytes_that_somebody_else_submitted_too_are_that_ones() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    for (owner, name) in [(ada.id, "first"), (bob.id, "copy")] {
        let version = fixture.submit(owner, name, "one").await;
        fixture.judge(&version, Verdict::Accepted).await;
    }
    let entrant = EntrantId::of_bytes(b"one");
    let named = |fixture: &super::Fixture| {
        let (store, entrant) = (fixture.store.clone(), entrant.clone());
        async move { store.named(None, std::slice::from_ref(&entrant)).await.expect("read")[&entrant].name.to_string() }
    };
    assert_eq!(named(&fixture).await, "first");
    fixture.store.delete_account(ada.id, NOW).await.expect("deleted");
    assert_eq!(named(&fixture).await, "copy");
    let bot = BotId(1);
    let reason = Reason::parse("a reason").expect("one");
    assert!(fixture.store.act(&Act::DisableBot(bot), &reason, NOW).await.is_err(), "it is gone");
}

#[tokio::test]
async fn the_rooms_of_a_person_are_listed() {
    let fixture = fixture().await;
    for (room, owner) in [(3_u128, 1), (1, 1), (2, 2)] {
        fixture.store.create_room(&super::room_id(room), "start", &terms(owner), NOW).await.expect("a room");
    }
    let rooms = |page| fixture.store.rooms_of(terms(1).owner, page);
    let [first, third] = [1, 3].map(super::room_id);
    assert_eq!(rooms(Page::first(10)).await.expect("read"), [first, third]);
    assert_eq!(rooms(Page::after(first, 10)).await.expect("read"), [third]);
    fixture.store.append(&third, 1, "a turn", later(5)).await.expect("appended");
    fixture.store.finish_room(&third, &[terms(1).owner, terms(2).owner], later(6)).await.expect("finished");
    let latest = |limit| fixture.store.latest_rooms_of(terms(1).owner, limit);
    let own = |id, state, heard_at| OwnRoom { id, state, heard_at, start: "start".into() };
    let all = [own(third, RoomState::Finished { at: later(6) }, later(5)), own(first, RoomState::Open, NOW)];
    assert_eq!(latest(10).await.expect("read"), all);
    assert_eq!(latest(1).await.expect("read"), all[..1]);
    let guest = terms(2).owner;
    let both = [super::room_id(2), third];
    assert_eq!(fixture.store.rooms_of(guest, Page::first(10)).await.expect("read"), both, "opened, and sat in");
    let latest = fixture.store.latest_rooms_of(guest, 1).await.expect("read");
    assert_eq!(latest, all[..1]);
}
