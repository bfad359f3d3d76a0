//! The standing tournament: stopped at any moment, it ends as if it had not been.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_record::EntrantId;
use arena_runner::{Contender, Depth, Finding, SeedOrigin, Workers, verify_folder};
use arena_service::limits::{BOTS_PER_OWNER_MAX, EDITIONS_KEPT_MAX, ENTRANTS_MAX};
use arena_service::{Placing, Progress, Standing, WhyOut};
use arena_store::{DisplayName, Removed, TournamentId, Verdict};
use arena_tournaments::{Definition, Secret, Source};
use arena_wire::GAMES;
use arena_worker::Pool;

use super::{
    FIRST, NOW, Place, account, bot_name, in_time, judged, mason, passer, settled, until, until_played, until_settled,
};

/// The files of a finished edition's results, by name, and its records, by number.
pub(crate) fn results(edition: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(edition.join("results")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        found.insert(name, fs::read(&path).expect("readable"));
    }
    let archive = arena_runner::Archive::open(edition).expect("finished");
    for number in archive.numbers().map(|number| number.expect("readable")) {
        found.insert(number.to_string(), archive.record(number).expect("readable").to_text().into());
    }
    found
}

fn tournament(number: u32) -> TournamentId {
    TournamentId::parse(&format!("standing-{number}")).expect("an id")
}

/// The file in a folder, or deeper, whose name has this text in it.
fn file_of(folder: &Path, text: &str) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.find_map(|path| {
        if path.is_dir() { file_of(&path, text) } else { path.file_name()?.to_str()?.contains(text).then_some(path) }
    })
}

/// A place where a bot was accepted before its first service.
pub(crate) async fn place_with_a_bot() -> Place {
    let place = Place::with_standing();
    fs::create_dir_all(place.data()).expect("a folder");
    accept_a_bot(&place).await;
    place
}

/// Submits a bot while no service has the place, and accepts it.
async fn accept_a_bot(place: &Place) {
    let store = place.store().await;
    let name = DisplayName::parse("Ann").expect("a name");
    let owner = store.create_account(&name, NOW).await.expect("an account").0.id;
    let submission = store.submit(owner, &bot_name("mason"), FIRST.ruleset, mason(), NOW).await.expect("taken");
    store.set_verdict(submission.version().id, Verdict::Accepted).await.expect("pending");
    // The same secrets wherever such a place is made, and so the same games.
    for number in 1..=2 {
        store.secret(FIRST.ruleset, number, [number as u8; 32]).await.expect("kept");
    }
    store.close().await;
}

fn definition(place: &Place, number: u32) -> Definition {
    let text = fs::read_to_string(place.edition(number).join("definition.toml")).expect("a definition");
    Definition::parse(&text).expect("a definition")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edition_is_drawn_with_the_secret_that_the_one_before_committed_to_and_never_with_it_again() {
    let place = Place::with_standing();
    let service = place.open().await;
    let first = until_settled(&service).await;
    let owner = account(&service, "Ann").await;
    judged(&service, owner, "mason", mason()).await;
    let of_second = |progress: &Progress| progress.edition == 2;
    let playing =
        until(service.standing().watch(FIRST), |standing| standing.playing.as_ref().is_some_and(of_second)).await;
    let playing = playing.playing.as_ref().expect("it is played");
    let second = until(service.standing().watch(FIRST), |standing| {
        standing.edition.as_ref().is_some_and(|edition| edition.number == 2)
    });
    let second = second.await.edition.clone().expect("the second");
    service.close().await;

    let draw = second.draw.expect("drawn");
    assert_eq!(first.draw.and_then(|draw| draw.next), Some(draw.secret.commitment()));
    let written = definition(&place, 2);
    assert_eq!(written.draw, Some(draw));
    assert!(playing.played < playing.total && playing.draw == Some(draw), "it was shown before: {playing:?}");
    let newcomers: Vec<_> = playing.newcomers.iter().map(|(id, _)| id.clone()).collect();
    assert_eq!(newcomers, [EntrantId::of_bytes(&mason())], "of a bot that was not in the one before, how far it is");
    assert_eq!(written.seed, draw.secret.seed(second.entrants.iter().map(|(_, id)| id)));
    let host = Workers::new(Pool::new(env!("CARGO_BIN_EXE_service-test-worker").into(), vec![place.death().into()], 1));
    let depth = Depth::Sample { games: 1, seed: 1 };
    for (edition, after, origin) in [(1, None, SeedOrigin::Drawn), (2, Some(1), SeedOrigin::Committed)] {
        let after = after.map(|number| place.edition(number));
        let verified = verify_folder(&place.edition(edition), after.as_deref(), &host, depth, 1, |_| {});
        let verified = verified.expect("readable");
        assert_eq!((verified.finding, verified.coverage.seed), (Finding::Sampled, Some(origin)));
    }

    let store = place.store().await;
    let kept = async |number| store.secret(FIRST.ruleset, number, [99; 32]).await.expect("kept");
    assert_eq!(draw.next, Some(Secret(kept(3).await).commitment()), "the next secret waits");
    assert_eq!((kept(1).await, kept(2).await), ([99; 32], [99; 32]), "those that were revealed are gone");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edition_that_was_stopped_ends_with_the_bytes_of_one_that_was_not() {
    let (whole, stopped) = (place_with_a_bot().await, place_with_a_bot().await);
    let service = whole.open().await;
    let first = until_settled(&service).await;
    service.close().await;
    assert_eq!((first.number, first.games), (1, 4 * 3 * 20));

    let mut interrupted = 0;
    for games in [1, 30, 60] {
        let service = stopped.open().await;
        until_played(&service, 1, games).await;
        service.close().await;
        interrupted += usize::from(!stopped.edition(1).join("results").exists());
    }
    assert!(interrupted > 0, "it was never still being played");
    let service = stopped.open().await;
    let edition = until_settled(&service).await;
    assert_eq!(edition.number, 1);
    assert_eq!(edition.standings, first.standings);
    service.close().await;
    assert_eq!(results(&stopped.edition(1)), results(&whole.edition(1)));
    assert_eq!(definition(&stopped, 1), definition(&whole, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_edition_is_shown_again_and_its_index_restored_without_a_game() {
    let place = Place::with_standing();
    let service = place.open().await;
    let first = until_settled(&service).await;
    service.close().await;
    let store = place.store().await;
    assert_eq!(store.games_count(&tournament(1)).await.expect("readable"), first.games);
    let page = arena_store::Page::first(100);
    let games = store.games(&tournament(1), page.clone()).await.expect("readable");
    store.reindex(&tournament(1), &games[..3]).await.expect("the index is nobody's truth");
    store.close().await;

    let service = place.open().await;
    let again = until_settled(&service).await;
    assert_eq!((again.number, &again.standings, &again.entrants), (1, &first.standings, &first.entrants));
    assert_eq!((&again.build, &again.semantics), (&first.build, &first.semantics));
    assert_eq!(service.store().games_count(&tournament(1)).await.expect("readable"), first.games);
    assert_eq!(service.store().games(&tournament(1), page).await.expect("readable"), games);
    assert!(!place.edition(2).exists());
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edition_of_other_semantics_is_left_and_the_next_one_played() {
    let place = Place::with_standing();
    let service = place.open().await;
    until_played(&service, 1, 5).await;
    service.close().await;
    let manifest = place.edition(1).join("manifest.json");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let ours = arena_runner::semantics_id("conquerors@2");
    assert!(text.contains(&ours));
    fs::write(&manifest, text.replace(&ours, &"0".repeat(64))).expect("written");

    let service = place.open().await;
    let said = until(service.standing().watch(FIRST), |standing| standing.trouble.is_some()).await;
    let trouble = said.trouble.clone().expect("trouble");
    assert!(trouble.contains("edition 1") && trouble.contains("semantics"), "{trouble}");
    assert!(!trouble.contains(&*place.data().to_string_lossy()), "{trouble}");
    assert_eq!(settled(&place, &service).await.number, 2);
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_whose_file_is_damaged_is_left_out_and_the_others_play() {
    let place = Place::with_standing();
    let service = place.open().await;
    let owner = account(&service, "Ann").await;
    let version = judged(&service, owner, "broken", mason()).await;
    let hash = version.entrant.hash().expect("a bot").to_owned();
    until_settled(&service).await;
    service.close().await;
    fs::remove_dir_all(place.data().join("tournaments")).expect("removed");
    fs::write(file_of(&place.data(), &hash).expect("its bytes are in a file"), b"\0asm").expect("written");

    let service = place.open().await;
    let edition = until_settled(&service).await;
    let names: Vec<&str> = edition.entrants.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["easy", "normal", "hard"]);
    // It is not tried again and again.
    assert!(!place.edition(2).exists());
    service.close().await;
}

/// Forfeits its first turn; no two numbers are the same module.
fn loser(number: usize) -> std::sync::Arc<[u8]> {
    let text = format!(
        "(module (memory (export \"memory\") 1) (global i32 (i32.const {number}))
         (func (export \"arena_observation\") (param i32) (result i32) (i32.const 1024))
         (func (export \"arena_turn\") (param i32) (result i64) unreachable))"
    );
    wat::parse_str(text).expect("a module").into()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_bot_without_a_place_is_told_so_at_once_and_why() {
    let place = Place::with_standing();
    fs::create_dir_all(place.data()).expect("a folder");
    let store = place.store().await;
    let mut bots = Vec::new();
    let submit = async |owner, name: &str, number| {
        let bot = bot_name(name);
        let version =
            store.submit(owner, &bot, FIRST.ruleset, loser(number), NOW).await.expect("taken").version().clone();
        store.set_verdict(version.id, Verdict::Accepted).await.expect("pending");
        (bot, version)
    };
    let account = async |name: &str| {
        store.create_account(&DisplayName::parse(name).expect("a name"), NOW).await.expect("an account").0.id
    };
    let (ann, bob) = (account("Ann").await, account("Bob").await);
    for number in 0..=BOTS_PER_OWNER_MAX {
        bots.push(submit(ann, &format!("bot-{number}"), number).await);
    }
    bots.push(submit(bob, "stolen", 0).await);
    bots.push(submit(bob, "left-over", BOTS_PER_OWNER_MAX).await);
    store.close().await;
    let service = place.open().await;
    let others: Vec<String> = (0..BOTS_PER_OWNER_MAX).map(|number| format!("bot-{number}")).collect();
    let mut wanted = vec![Placing::Plays; BOTS_PER_OWNER_MAX];
    wanted.push(Placing::Out(WhyOut::OwnersOthers(others)));
    wanted.push(Placing::Out(WhyOut::CopyOf("bot-0".into())));
    // Its original is beyond its owner's places, so that it plays itself.
    wanted.push(Placing::Plays);
    let placings = async || {
        let mut placings = Vec::new();
        for (name, version) in &bots {
            let bot = service.store().bot_by_name(name).await.expect("readable").expect("there");
            placings.push(service.placing(&bot, version).await.expect("readable"));
        }
        placings
    };
    assert_eq!(placings().await, wanted, "perhaps before the field is chosen");
    until(service.standing().watch(FIRST), |standing| !standing.left_out.is_empty()).await;
    assert_eq!(placings().await, wanted);
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_there_are_more_newcomers_than_places_they_qualify_and_the_best_play() {
    let place = Place::with_standing();
    fs::create_dir_all(place.data()).expect("a folder");
    let store = place.store().await;
    let places = ENTRANTS_MAX - Contender::usual(FIRST.ruleset).count();
    let mut owner = None;
    for number in 0..=places {
        if number % BOTS_PER_OWNER_MAX == 0 {
            let name = DisplayName::parse(&format!("Owner {number}")).expect("a name");
            owner = Some(store.create_account(&name, NOW).await.expect("an account").0.id);
        }
        // The newest is the best, and the last whose turn it is.
        let bytes = if number == places { mason() } else { loser(number) };
        let (owner, bot) = (owner.expect("the first has one"), bot_name(&format!("bot-{number}")));
        let submission = store.submit(owner, &bot, FIRST.ruleset, bytes, NOW).await.expect("taken");
        store.set_verdict(submission.version().id, Verdict::Accepted).await.expect("pending");
    }
    store.close().await;
    let service = place.open().await;
    let standing = until(service.standing().watch(FIRST), |standing| standing.playing.is_some()).await;
    assert_eq!(standing.qualifying.len(), places + 1, "all have played");
    let best = &standing.qualifying[0];
    assert_eq!((best.bot.as_str(), best.plays), (format!("bot-{places}").as_str(), true));
    assert!(best.score > 0 && standing.qualifying[1].score == 0, "{:?}", &standing.qualifying[..2]);
    let out: Vec<_> = standing.left_out.iter().map(|bot| (&*bot.bot, &bot.why)).collect();
    assert_eq!(out.len(), 1);
    assert_eq!(out[0].1, &WhyOut::Newcomer);
    let file = Source::File(format!("{}.wasm", best.id.hash().expect("of bytes")));
    let drawn = definition(&place, 1);
    assert!(drawn.entrants.iter().any(|entrant| entrant.source == file), "it was drawn with the best");
    service.close().await;
    // Another process knows what they came to.
    let service = place.open().await;
    let again = until(service.standing().watch(FIRST), |standing| standing.playing.is_some()).await;
    assert_eq!(again.qualifying, standing.qualifying);
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oldest_edition_makes_place_and_its_games_are_gone_since_then() {
    let place = Place::with_standing();
    let kept = u32::try_from(EDITIONS_KEPT_MAX).expect("few");
    let service = place.open().await;
    assert_eq!(until_settled(&service).await.tournament, tournament(1));
    service.close().await;
    accept_a_bot(&place).await;
    for number in 2..=kept {
        // Editions that nobody can read any more, all but for their places.
        let results = place.edition(number).join("results");
        fs::create_dir_all(&results).expect("a folder");
        fs::write(place.edition(number).join("results/standings.json"), "").expect("written");
        fs::write(place.edition(number).join("manifest.json"), "").expect("written");
    }
    // One that was being prepared when the process died, and what is not ours.
    fs::create_dir_all(place.edition(kept + 1).join("entrants")).expect("a folder");
    fs::create_dir_all(place.data().join("tournaments/standing-007")).expect("a folder");
    let service = place.open().await;
    let newer = |standing: &Arc<Standing>| standing.edition.as_ref().is_some_and(|edition| edition.number > 1);
    let latest = until(service.standing().watch(FIRST), newer).await.edition.clone().expect("an edition");
    assert_eq!(latest.number, kept + 1);
    service.close().await;
    assert!(!place.edition(1).exists() && place.edition(2).exists());
    assert!(place.data().join("tournaments/standing-007").exists());
    let store = place.store().await;
    let gone = async |number| store.gone_since(&Removed::Games(tournament(number))).await.expect("read").is_some();
    assert_eq!((gone(1).await, gone(2).await, gone(kept + 1).await), (true, false, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_has_editions_of_its_own_and_a_new_bot_does_not_wait_for_those_of_others_to_end() {
    let place = Place { held: GAMES, ..place_with_a_bot().await };
    let service = place.open().await;
    let first = until_settled(&service).await;
    assert_eq!(first.tournament.as_str(), "standing-1");
    for game in &GAMES[1..] {
        // A bot that is accepted by one of them: the playing thread makes room for its game soon.
        let owner = account(&service, game.name()).await;
        let name = bot_name(&format!("of-{}", game.name()));
        let submitted = service.judge().submit(owner, &name, Some(game), passer(), NOW).await.expect("taken");
        super::verdict(&service, submitted.version().id).await;
        let begun = in_time(&place.clock, service.standing().watch(game), |standing| {
            standing.playing.as_ref().is_some_and(|progress| progress.played > 0) || standing.edition.is_some()
        });
        let begun = begun.await;
        let finished = begun.edition.as_ref().map_or(0, |edition| edition.number);
        let number = begun.playing.as_ref().map_or(finished, |progress| progress.edition);
        let folder = place.data().join(format!("tournaments/{}-{number}", game.name()));
        let definition = fs::read_to_string(folder.join("definition.toml")).expect("a definition");
        assert!(definition.contains(&format!("ruleset = \"{}\"", game.ruleset)), "{definition}");
        assert!(definition.contains(game.ranked), "{definition}");
        let usual: Vec<&str> = arena_runner::Contender::usual(game.ruleset).collect();
        for built_in in arena_runner::Contender::built_in(game.ruleset) {
            // Those made for other options play in no standing tournament.
            let plays = definition.contains(&format!("baseline = \"{built_in}\""));
            assert_eq!(plays, usual.contains(&built_in), "{definition}");
        }
        assert!(!definition.contains("mason"), "a bot of another game does not play");
    }
    assert!(!place.edition(2).exists(), "bots of other games are no change of this field");
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn editions_of_a_game_whose_tournament_is_not_held_are_shown_and_no_other_begins() {
    let held = Place::with_standing();
    let service = held.open().await;
    let first = until_settled(&service).await;
    service.close().await;

    let place = Place { held: &[], ..held };
    let service = place.open().await;
    let is_shown = |standing: &Arc<Standing>| standing.edition.is_some() && !standing.waiting;
    let shown = until(service.standing().watch(FIRST), is_shown).await;
    assert_eq!((shown.held, &shown.edition.as_ref().expect("shown").standings), (false, &first.standings));
    let owner = account(&service, "Ann").await;
    judged(&service, owner, "mason", mason()).await;
    let after = until(service.standing().watch(FIRST), is_shown).await;
    assert_eq!(after.edition.as_ref().map(|edition| edition.number), Some(1));
    service.close().await;
    assert!(!place.edition(2).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edition_shows_no_name_of_a_bot_whose_account_was_deleted_and_its_folder_stays() {
    let place = place_with_a_bot().await;
    let service = place.open().await;
    let before = until_settled(&service).await;
    let (_, mason) = before.entrants.iter().find(|(name, _)| name == "mason").expect("it plays").clone();
    let files = results(&place.edition(1));
    let owner = service.store().bot_by_name(&bot_name("mason")).await.expect("read").expect("it is there").account;
    service.delete_account(owner, NOW).await.expect("deleted");
    let names = |edition: &arena_service::Edition| {
        let row = edition.standings.rows.iter().find(|row| row.id == mason).expect("its row").name.clone();
        (row, edition.name(&mason).expect("it played").to_owned())
    };
    let deleted = || ("deleted".to_owned(), "deleted".to_owned());
    let shown = service.standing().of(FIRST).edition.clone().expect("an edition");
    if shown.number == 1 {
        assert_eq!(names(&shown), deleted());
    }
    service.close().await;
    assert_eq!(results(&place.edition(1)), files);

    // And after a restart, whichever edition is the latest by then.
    let service = place.open().await;
    let shown = until(service.standing().watch(FIRST), |standing| standing.edition.is_some()).await.edition.clone();
    let shown = shown.expect("an edition");
    if shown.number == 1 {
        assert_eq!(names(&shown), deleted());
    }
    let is_next = |standing: &Arc<Standing>| standing.edition.as_ref().is_some_and(|edition| edition.number > 1);
    let next = until(service.standing().watch(FIRST), is_next).await;
    assert_eq!(next.edition.as_ref().expect("the next").name(&mason), None, "it plays no more");
    assert_eq!(service.store().module(&mason).await.expect("its bytes stay").len(), self::mason().len());
    service.close().await;
}
