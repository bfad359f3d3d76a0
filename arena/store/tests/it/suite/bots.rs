//! Bots, their versions and the bytes of those.

use std::sync::Arc;

use arena_record::{EntrantId, Objection};
use arena_store::{
    AccountId, BotError, BotId, Licence, Limits, MODULE_BYTES_MAX, OBJECTION_TEXT_BYTES_MAX, Page, StoreError,
    Submission, SubmitError, Verdict, VerdictError, Version, VersionId, VersionState,
};

use super::{Fixture, GAME, NOW, bot_name, bytes, fixture, fixture_with, later, refused};

impl Fixture {
    async fn active(&self, name: &str) -> Option<u32> {
        let bot = self.store.bot_by_name(&bot_name(name)).await.expect("read").expect(name);
        bot.active.map(|active| active.number)
    }
}

#[tokio::test]
async fn a_submission_is_pending_and_its_bytes_are_kept() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let submitted = fixture.store.submit(ada.id, &bot_name("Greedy"), GAME, bytes("one"), NOW).await.expect("taken");
    let Submission::New(version) = &submitted else { panic!("{submitted:?}") };
    let bot = fixture.store.bot_by_name(&bot_name("GREEDY")).await.expect("read").expect("the bot");
    assert_eq!((bot.account, bot.name.as_str(), bot.active, bot.created_at), (ada.id, "Greedy", None, NOW));
    assert_eq!(fixture.store.bot(bot.id).await.expect("read"), Some(bot.clone()));
    let expected = Version {
        id: VersionId { bot: bot.id, number: 1 },
        entrant: EntrantId::of_bytes(b"one"),
        size_bytes: 3,
        state: VersionState::Pending,
        submitted_at: NOW,
        licence: None,
    };
    assert_eq!(*version, expected);
    assert_eq!(fixture.store.version(version.id).await.expect("read"), Some(expected.clone()));
    assert_eq!(fixture.store.module(&version.entrant).await.expect("read"), b"one");
    for unknown in [EntrantId::of_bytes(b"two"), EntrantId::of_baseline("hard", 1)] {
        assert!(matches!(fixture.store.module(&unknown).await, Err(StoreError::Damaged(_))));
    }
    assert_eq!(fixture.store.pending_versions(Page::first(100)).await.expect("read"), [expected]);
}

#[tokio::test]
async fn an_author_lets_the_source_of_a_version_be_shown_and_takes_that_back() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let [first, second] = [fixture.submit(ada.id, "bot-x", "one").await, fixture.submit(ada.id, "bot-x", "two").await];
    for licence in Licence::ALL.into_iter().map(Some).chain([None]) {
        fixture.store.license(first.id, licence).await.expect("written");
        let shown = fixture.store.version(first.id).await.expect("read").expect("the version").licence;
        assert_eq!(shown, licence);
    }
    fixture.store.license(first.id, Some(Licence::Mit)).await.expect("written");
    // A verdict changes nothing about it, and another version has its own.
    assert_eq!(
        fixture.store.set_verdict(first.id, Verdict::Accepted).await.expect("pending").licence,
        Some(Licence::Mit)
    );
    assert_eq!(fixture.store.version(second.id).await.expect("read").expect("the version").licence, None);
    let unknown = VersionId { number: 99, ..first.id };
    fixture.store.license(unknown, Some(Licence::Mit)).await.expect("nothing to do");
    assert_eq!(Licence::ALL.map(|licence| Licence::of_spdx(licence.spdx())), Licence::ALL.map(Some));
}

#[tokio::test]
async fn the_last_accepted_version_is_active() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let first = fixture.submit(ada.id, "bot-x", "one").await;
    fixture.judge(&first, Verdict::Accepted).await;
    assert_eq!(fixture.active("bot-x").await, Some(1));
    let second = fixture.submit(ada.id, "bot-x", "two").await;
    let second = fixture.judge(&second, refused()).await;
    assert_eq!(fixture.active("bot-x").await, Some(1), "a refused one changes nothing");
    let versions = fixture.store.versions(second.id.bot, Page::first(100)).await.expect("read");
    assert_eq!(versions[0], second, "its author reads why");
    let VersionState::Refused(objection) = &second.state else { panic!("{second:?}") };
    assert_eq!((objection.code.as_str(), objection.offset), ("float_op", Some(77)));
    let third = fixture.submit(ada.id, "bot-x", "three").await;
    assert_eq!(third.id, second.id, "it makes way for the next, which gets its number");
    let fourth = fixture.submit(ada.id, "bot-x", "four").await;
    fixture.judge(&fourth, Verdict::Accepted).await;
    fixture.judge(&third, Verdict::Accepted).await;
    assert_eq!(fixture.active("bot-x").await, Some(3), "by number, not by when it was judged");
    let versions = fixture.store.versions(second.id.bot, Page::first(100)).await.expect("read");
    assert_eq!(versions.iter().map(|version| version.id.number).collect::<Vec<_>>(), [3, 2, 1]);
    let below = fixture.store.versions(second.id.bot, Page::after(3, 1)).await.expect("read");
    assert_eq!(below[0].entrant, third.entrant);
    assert_eq!(fixture.store.pending_versions(Page::first(100)).await.expect("read"), []);
}

#[tokio::test]
async fn a_verdict_is_given_once() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let version = fixture.submit(ada.id, "bot-x", "one").await;
    let long = "é".repeat(OBJECTION_TEXT_BYTES_MAX);
    let verdict =
        Verdict::Refused(Objection { code: "c".into(), message: long.clone().into(), hint: "".into(), offset: None });
    let judged = fixture.judge(&version, verdict.clone()).await;
    assert_eq!(fixture.judge(&version, verdict).await, judged, "the same again changes nothing");
    let VersionState::Refused(objection) = &judged.state else { panic!("{judged:?}") };
    assert_eq!(*objection.message.english(), long[..OBJECTION_TEXT_BYTES_MAX], "clipped");
    assert!(matches!(fixture.store.set_verdict(version.id, Verdict::Accepted).await, Err(VerdictError::AlreadyJudged)));
    assert!(matches!(fixture.store.set_verdict(version.id, refused()).await, Err(VerdictError::AlreadyJudged)));
    let nothing = VersionId { number: 2, ..version.id };
    assert!(matches!(fixture.store.set_verdict(nothing, refused()).await, Err(VerdictError::NoSuchVersion)));
    assert_eq!(fixture.store.version(version.id).await.expect("read"), Some(judged));
}

#[tokio::test]
async fn the_same_bytes_are_submitted_once() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let first = fixture.submit(ada.id, "bot-x", "one").await;
    let again = fixture.store.submit(ada.id, &bot_name("BOT-X"), GAME, bytes("one"), later(9)).await.expect("taken");
    assert_eq!(again, Submission::Known(first.clone()), "still pending");
    let first = fixture.judge(&first, Verdict::Accepted).await;
    let again = fixture.store.submit(ada.id, &bot_name("bot-x"), GAME, bytes("one"), later(9)).await.expect("taken");
    assert_eq!(again, Submission::Known(first), "accepted");
    let second = fixture.submit(ada.id, "bot-x", "two").await;
    fixture.judge(&second, Verdict::Accepted).await;
    let back = fixture.submit(ada.id, "bot-x", "one").await;
    assert_eq!(back.id.number, 3, "going back to older bytes is a new version");
    fixture.judge(&back, refused()).await;
    assert_eq!(fixture.submit(ada.id, "bot-x", "one").await.id.number, 3, "a refused one may be tried again");
    fixture.submit(ada.id, "other", "one").await;
}

#[tokio::test]
async fn a_name_belongs_to_who_had_it_first() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    fixture.submit(ada.id, "Greedy", "one").await;
    for content in ["one", "two"] {
        let refused = fixture.store.submit(bob.id, &bot_name("greedy"), GAME, bytes(content), NOW).await;
        assert!(matches!(refused, Err(SubmitError::NameTaken)));
    }
    let nobody = fixture.store.submit(AccountId(99_999), &bot_name("ghost"), GAME, bytes("x"), NOW).await;
    assert!(matches!(nobody, Err(SubmitError::NoSuchAccount)));
    let kept = fixture.store.module(&EntrantId::of_bytes(b"two")).await;
    assert!(matches!(kept, Err(StoreError::Damaged(_))), "nothing of a refused submission is kept");
}

#[tokio::test]
async fn names_that_look_alike_are_one_bots() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    fixture.submit(ada.id, "coolname", "one").await;
    for (account, name) in [
        (bob.id, "c00lname"),
        (bob.id, "cool-name"),
        (bob.id, "COOL.NAME"),
        (bob.id, "coolnarne"),
        (ada.id, "cooIname"),
    ] {
        let refused = fixture.store.submit(account, &bot_name(name), GAME, bytes("two"), NOW).await;
        assert!(matches!(refused, Err(SubmitError::NameTaken)), "{name}: {refused:?}");
    }
    assert_eq!(fixture.submit(ada.id, "CoolName", "two").await.id.number, 2, "in other capitals it is the same bot");
    for name in ["coolnames", "cool"] {
        fixture.submit(bob.id, name, "one").await;
    }
}

#[tokio::test]
async fn what_is_refused_takes_no_name_number_or_place() {
    let limits = Limits { bots_per_account_max: 2, versions_per_bot_per_day_max: 1, ..Limits::DEFAULT };
    let fixture = fixture_with(limits).await;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    // As many as one likes, and none counts as a bot or as a version of today.
    for number in 0..6 {
        for name in ["squatted", &format!("name-{number}")] {
            let version = fixture.submit(ada.id, name, &format!("{name} {number}")).await;
            assert_eq!(version.id.number, 1);
            fixture.judge(&version, refused()).await;
            let kept = fixture.store.module(&version.entrant).await;
            assert!(matches!(kept, Err(StoreError::Damaged(_))), "its bytes are not kept");
        }
    }
    let left = fixture.store.bots_of(ada.id, Page::first(100)).await.expect("read");
    assert!(left.len() <= 3, "what is left of them is bounded: {left:?}");
    // The name is anybody's, in any look of it.
    let taken = fixture.submit(bob.id, "Squ-atted", "bob's").await;
    let bot = fixture.store.bot_by_name(&bot_name("squ-atted")).await.expect("read").expect("the bot");
    assert_eq!((bot.account, bot.id), (bob.id, taken.id.bot));
    let refused_now = fixture.store.submit(ada.id, &bot_name("squatted"), GAME, bytes("again"), NOW).await;
    assert!(matches!(refused_now, Err(SubmitError::NameTaken)));
    // Bytes that somebody else has are kept for that one.
    let shared = fixture.submit(ada.id, "sharer", "bob's").await;
    fixture.judge(&shared, refused()).await;
    assert_eq!(fixture.store.module(&taken.entrant).await.expect("read"), b"bob's");
    for name in ["first", "second"] {
        fixture.submit(ada.id, name, name).await;
    }
}

#[tokio::test]
async fn the_queue_and_the_space_of_modules_are_bounded() {
    let limits = Limits { pending_per_account_max: 2, pending_max: 3, module_bytes_max: 10, ..Limits::DEFAULT };
    let fixture = fixture_with(limits).await;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    let submit = async |account, name: &str, content: &str| {
        fixture.store.submit(account, &bot_name(name), GAME, bytes(content), NOW).await
    };
    let first = submit(ada.id, "one", "1234").await.expect("taken").version().clone();
    submit(ada.id, "two", "12").await.expect("taken");
    assert!(matches!(submit(ada.id, "three", "1").await, Err(SubmitError::TooManyWaiting(2))));
    assert!(matches!(submit(ada.id, "two", "12").await, Ok(Submission::Known(_))), "costs no place");
    let third = submit(bob.id, "four", "1").await.expect("another has its own").version().clone();
    assert!(matches!(submit(bob.id, "five", "1").await, Err(SubmitError::QueueFull)));
    fixture.judge(&third, Verdict::Accepted).await;
    let full = submit(bob.id, "five", "1234").await;
    assert!(matches!(full, Err(SubmitError::Store(StoreError::NoSpace))), "{full:?}");
    fixture.judge(&first, refused()).await;
    submit(bob.id, "five", "1234").await.expect("the bytes of a refused one are free again");
}

#[tokio::test]
async fn racing_submissions_get_a_number_each() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let tasks: Vec<_> = (0..8)
        .map(|task| {
            let store = fixture.store.clone();
            let content = bytes(&format!("content {}", task / 2));
            tokio::spawn(async move { store.submit(ada.id, &bot_name("racer"), GAME, content, NOW).await })
        })
        .collect();
    let mut new = Vec::new();
    for task in tasks {
        match task.await.expect("no panic").expect("taken") {
            Submission::New(version) => new.push(version.id.number),
            Submission::Known(version) => assert!(version.id.number <= 8),
        }
    }
    new.sort_unstable();
    assert!(new.len() >= 4, "{new:?}");
    assert_eq!(new, (1..=new.len() as u32).collect::<Vec<_>>(), "each number once, without gaps");
    let bots = fixture.store.bots_of(ada.id, Page::first(100)).await.expect("read");
    assert_eq!(bots.len(), 1);
    let versions = fixture.store.versions(bots[0].id, Page::first(100)).await.expect("read");
    assert_eq!(versions.len(), new.len());
}

#[tokio::test]
async fn quotas_hold_at_the_limit_and_not_before() {
    let limits =
        Limits { bots_per_account_max: 2, versions_per_bot_per_day_max: 3, versions_per_bot_max: 5, ..Limits::DEFAULT };
    let fixture = fixture_with(limits).await;
    let (ada, _) = fixture.account("Ada").await;
    let submit = async |name: &str, content: &str, seconds: i64| {
        fixture.store.submit(ada.id, &bot_name(name), GAME, bytes(content), later(seconds)).await
    };
    submit("one", "1", 0).await.expect("the first bot");
    submit("two", "1", 0).await.expect("the second bot");
    assert!(matches!(submit("three", "1", 0).await, Err(SubmitError::TooManyBots(2))));
    submit("one", "2", 10).await.expect("the second version");
    submit("one", "3", 20).await.expect("the third version");
    assert!(matches!(submit("one", "4", 30).await, Err(SubmitError::TooManyToday { max: 3, .. })));
    assert!(matches!(submit("one", "4", 86_399).await, Err(SubmitError::TooManyToday { max: 3, .. })));
    assert!(matches!(submit("one", "3", 30).await, Ok(Submission::Known(_))), "costs nothing");
    submit("two", "2", 30).await.expect("another bot has its own");
    submit("one", "4", 86_400).await.expect("the first is a day old");
    submit("one", "5", 200_000).await.expect("the fifth version");
    assert!(matches!(submit("one", "6", 900_000).await, Err(SubmitError::TooManyVersions(5))));
}

#[tokio::test]
async fn modules_are_taken_up_to_the_limit() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let of = |size: u64| -> Arc<[u8]> { vec![7; size as usize].into() };
    let submit = async |name: &str, size: u64| fixture.store.submit(ada.id, &bot_name(name), GAME, of(size), NOW).await;
    let largest = submit("large", MODULE_BYTES_MAX).await.expect("the largest");
    let kept = fixture.store.module(&largest.version().entrant).await.expect("read");
    assert_eq!(kept.len() as u64, MODULE_BYTES_MAX);
    assert!(matches!(submit("larger", MODULE_BYTES_MAX + 1).await, Err(SubmitError::TooLarge)));
    submit("empty", 0).await.expect("judging it is for others");
}

#[tokio::test]
async fn a_bot_plays_one_game_for_good() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let submit = async |name: &str, game: &str, content: &str| {
        fixture.store.submit(ada.id, &bot_name(name), game, bytes(content), NOW).await
    };
    let first = submit("lifer", "life@1", "one").await.expect("taken").version().clone();
    let bot = fixture.store.bot(first.id.bot).await.expect("read").expect("the bot");
    assert_eq!(bot.game, "life@1");
    for content in ["one", "two"] {
        match submit("LIFER", GAME, content).await {
            Err(SubmitError::OtherGame(game)) => assert_eq!(game, "life@1"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(submit("lifer", "life@1", "two").await.expect("taken").version().id.number, 2);
    fixture.judge(&first, Verdict::Accepted).await;
    let other = submit("builder", GAME, "one").await.expect("the same bytes may try another game").version().clone();
    fixture.judge(&other, Verdict::Accepted).await;
    for (game, names) in
        [(Some("life@1"), vec!["lifer"]), (Some(GAME), vec!["builder"]), (None, vec!["lifer", "builder"])]
    {
        let field = fixture.store.active_bots(game, Page::first(100)).await.expect("read");
        assert_eq!(field.iter().map(|active| active.bot.name.as_str()).collect::<Vec<_>>(), names);
    }
}

#[tokio::test]
async fn lists_are_read_in_pages() {
    let fixture = fixture_with(Limits { bots_per_account_max: 200, ..Limits::DEFAULT }).await;
    let (ada, _) = fixture.account("Ada").await;
    for index in 0..103 {
        let version = fixture.submit(ada.id, &format!("bot-{index}"), &format!("{index}")).await;
        if index != 50 {
            fixture.judge(&version, Verdict::Accepted).await;
        }
    }
    let all = fixture.store.bots_of(ada.id, Page::first(u32::MAX)).await.expect("read");
    assert_eq!(all.len(), 100, "however many are asked for");
    let rest = fixture.store.bots_of(ada.id, Page::after(all[99].id, 100)).await.expect("read");
    assert_eq!(rest.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>(), ["bot-100", "bot-101", "bot-102"]);
    let field = fixture.store.active_bots(Some(GAME), Page::first(100)).await.expect("read");
    assert_eq!(field.len(), 100);
    assert!(field.iter().all(|active| active.bot.active == Some(active.version.id)));
    assert!(!field.iter().any(|active| active.bot.name.as_str() == "bot-50"));
    let rest = fixture.store.active_bots(Some(GAME), Page::after(field[99].bot.id, 100)).await.expect("read");
    assert_eq!(rest.len(), 2);
    assert_eq!(fixture.store.bots_of(ada.id, Page::first(0)).await.expect("read"), []);
    let pending = fixture.store.pending_versions(Page::first(100)).await.expect("read");
    assert_eq!(pending.len(), 1);
    assert_eq!(fixture.store.pending_versions(Page::after(pending[0].id, 100)).await.expect("read"), []);
}

#[tokio::test]
async fn active_bots_are_found_by_their_names_whatever_their_case() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    for name in ["one", "two", "three", "four"] {
        let version = fixture.submit(ada.id, name, name).await;
        fixture.judge(&version, if name == "four" { refused() } else { Verdict::Accepted }).await;
    }
    let two = fixture.store.bot_by_name(&bot_name("two")).await.expect("read").expect("the bot");
    let found = async |game: &str, names: &[&str]| -> Vec<String> {
        let names: Vec<_> = names.iter().map(|name| bot_name(name)).collect();
        let found = fixture.store.active_bots_named(game, &names).await.expect("read");
        assert!(found.iter().all(|active| active.bot.active == Some(active.version.id)));
        found.iter().map(|active| active.bot.name.to_string()).collect()
    };
    assert_eq!(found(GAME, &["three", "TWO", "four", "absent", "two"]).await, ["two", "three"], "oldest first");
    assert!(found("life@1", &["two"]).await.is_empty());
    assert!(found(GAME, &[]).await.is_empty());
    fixture.store.choose_version(two.id, None).await.expect("withdrawn");
    assert_eq!(found(GAME, &["one", "two"]).await, ["one"]);
}

#[tokio::test]
async fn the_version_that_plays_is_the_owners_choice_until_a_later_one_is_accepted() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    for content in ["one", "two"] {
        let version = fixture.submit(ada.id, "bot-x", content).await;
        fixture.judge(&version, Verdict::Accepted).await;
    }
    let third = fixture.submit(ada.id, "bot-x", "three").await;
    let bot = third.id.bot;
    let choose = async |number| fixture.store.choose_version(bot, number).await;
    let playing = async || {
        let bots = fixture.store.active_bots(Some(GAME), Page::first(9)).await.expect("read");
        bots.first().map(|active| active.version.id.number)
    };
    for number in [Some(1), None, Some(2), Some(1)] {
        let chosen = choose(number).await.expect("chosen").active.map(|active| active.number);
        assert_eq!((chosen, fixture.active("bot-x").await, playing().await), (number, number, number));
    }
    for bad in [Some(0), Some(3), Some(4)] {
        assert!(matches!(choose(bad).await, Err(BotError::NotAccepted)), "{bad:?}");
    }
    fixture.judge(&third, Verdict::Accepted).await;
    assert_eq!(fixture.active("bot-x").await, Some(1), "it was submitted before the choice");
    let fourth = fixture.submit(ada.id, "bot-x", "four").await;
    assert_eq!(fixture.active("bot-x").await, Some(1));
    choose(None).await.expect("withdrawn");
    fixture.judge(&fourth, refused()).await;
    let again = fixture.submit(ada.id, "bot-x", "four again").await;
    assert_eq!(again.id, fourth.id, "the number of one from before the choice");
    assert_eq!(fixture.active("bot-x").await, None);
    fixture.judge(&again, Verdict::Accepted).await;
    assert_eq!(fixture.active("bot-x").await, Some(4), "and yet submitted later");
    let nobody = fixture.store.choose_version(BotId(99_999), None).await;
    assert!(matches!(nobody, Err(BotError::NoSuchBot)));
}

#[tokio::test]
async fn a_renamed_bot_keeps_its_names_from_others() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    let version = fixture.submit(ada.id, "greedy", "one").await;
    fixture.submit(bob.id, "other", "two").await;
    let left = fixture.submit(bob.id, "left", "three").await;
    fixture.judge(&left, refused()).await;
    let bot = version.id.bot;
    let rename = async |name: &str| fixture.store.rename_bot(bot, &bot_name(name)).await;
    for taken in ["other", "OTHER", "0ther"] {
        assert!(matches!(rename(taken).await, Err(BotError::NameTaken)), "{taken}");
    }
    for name in ["Greedy", "gr-eedy", "left", "left"] {
        assert_eq!(rename(name).await.expect("free").name, bot_name(name));
        let found = fixture.store.bot_by_name(&bot_name(name)).await.expect("read").expect(name);
        assert_eq!((found.id, found.name), (bot, bot_name(name)));
    }
    assert_eq!(fixture.store.bot(left.id.bot).await.expect("read"), None, "what was refused makes way");
    assert_eq!(fixture.store.bot_by_name(&bot_name("greedy")).await.expect("read"), None);
    for account in [ada.id, bob.id] {
        let again = fixture.store.submit(account, &bot_name("Greedy"), GAME, bytes("four"), NOW).await;
        assert!(matches!(again, Err(SubmitError::NameTaken)), "{again:?}");
    }
    let lost = fixture.submit(bob.id, "lost", "five").await;
    fixture.judge(&lost, refused()).await;
    for (id, name) in [(lost.id.bot, "found"), (BotId(99_999), "found")] {
        assert!(matches!(fixture.store.rename_bot(id, &bot_name(name)).await, Err(BotError::NoSuchBot)));
    }
}

#[tokio::test]
async fn a_deleted_bot_leaves_what_was_accepted_and_its_place_is_free() {
    let limits = Limits { bots_per_account_max: 1, module_bytes_max: 8, ..Limits::DEFAULT };
    let fixture = fixture_with(limits).await;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    let shared = fixture.submit(ada.id, "mine", "one").await;
    fixture.judge(&shared, Verdict::Accepted).await;
    let alone = fixture.submit(ada.id, "mine", "two!!").await;
    let full = fixture.store.submit(bob.id, &bot_name("his"), GAME, bytes("one"), NOW).await;
    assert!(matches!(full, Err(SubmitError::Store(StoreError::NoSpace))), "{full:?}");
    fixture.judge(&alone, refused()).await;
    fixture.submit(bob.id, "his", "one").await;
    let alone = fixture.submit(ada.id, "mine", "2").await;
    let bot = shared.id.bot;
    for _ in 0..2 {
        fixture.store.delete_bot(bot, NOW).await.expect("also when it is gone");
    }
    assert_eq!(fixture.store.bot(bot).await.expect("read"), None);
    assert_eq!(fixture.store.pending_versions(Page::first(9)).await.expect("read").len(), 1, "Bob's");
    assert_eq!(fixture.store.module(&shared.entrant).await.expect("Bob has it, too"), b"one");
    assert!(matches!(fixture.store.module(&alone.entrant).await, Err(StoreError::Damaged(_))));
    assert!(matches!(fixture.store.choose_version(bot, None).await, Err(BotError::NoSuchBot)));
    for account in [ada.id, bob.id] {
        let again = fixture.store.submit(account, &bot_name("mine"), GAME, Arc::from([]), NOW).await;
        assert!(matches!(again, Err(SubmitError::NameTaken)), "{again:?}");
    }
    let again = fixture.store.submit(ada.id, &bot_name("ours"), GAME, Arc::from([]), NOW).await.expect("a place");
    assert_ne!(again.version().id.bot, bot, "a number is given once");
    assert_eq!(fixture.store.problems().await.expect("read"), [""; 0]);
}
