//! A store moves from a folder to a server and back, and is the same there.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use arena_record::Hex;
use arena_rooms::PersonId;
use arena_store::{
    AccountId, Act, AskedGame, CopyError, Counted, Gate, IndexedGame, Keeping, KeptLine, Limits, NewContest, NewEnd,
    NewPeopleGame, NewToken, Notice, Phase, Piece, Reason, SampleLog, Scope, Store, TournamentId, Verdict, WorkerName,
    WorldName,
};

use sha2::{Digest as _, Sha256};
use sqlx::Connection as _;

use super::cluster::{cluster, is_there};
use super::suite::{GAME, NOW, TERMS, bot_name, bytes, display, later, refused, room_id};
use super::{fresh, open_at, patient};

/// Something in every table.
async fn fill(store: &Store) -> AccountId {
    let (ada, _) = store.create_account(&display("Ada"), NOW).await.expect("an account");
    let (gone, _) = store.create_account(&display("Tombstones"), NOW).await.expect("an account");
    store.create_session(ada.id, later(100)).await.expect("a session");
    store.note_browser(ada.id, Hex([5; 32]), NOW).await.expect("noted");
    let token = NewToken { name: display("laptop"), scope: Scope::Submit, expires_at: later(100) };
    store.create_token(ada.id, &token, NOW).await.expect("a token");
    for (number, content) in ["one", "two", "three"].into_iter().enumerate() {
        let name = bot_name(&format!("bot-{number}"));
        let version = store.submit(ada.id, &name, GAME, bytes(content), NOW).await.expect("taken").version().clone();
        let verdict = if number == 1 { refused() } else { Verdict::Accepted };
        store.set_verdict(version.id, verdict).await.expect("a verdict");
        let log = SampleLog { seat: 0, text: "hello\n".into(), dropped: 7 };
        store.keep_sample_logs(version.id, &[log]).await.expect("kept");
    }
    store.submit(gone.id, &bot_name("left"), GAME, bytes("left"), NOW).await.expect("taken");
    store.delete_account(gone.id, NOW).await.expect("deleted");
    let game = IndexedGame {
        number: 3,
        entrants: vec!["baseline:easy@1".parse().expect("an entrant"); 2].into(),
        outcome: arena_record::OutcomeRecord { winner: None, reason: "rounds".into(), tally: vec![1, 2] },
        digest: [7; 32],
        path: "cup".into(),
    };
    for cup in ["cup", "old"].map(|cup| TournamentId::parse(cup).expect("an id")) {
        store.reindex(&cup, std::slice::from_ref(&game)).await.expect("indexed");
    }
    store.remove_games(&TournamentId::parse("old").expect("an id"), NOW).await.expect("removed");
    store.create_room(&room_id(1), "start", &TERMS, NOW).await.expect("a room");
    store.append(&room_id(1), 1, "Zeichen: ü, 生", NOW).await.expect("a place");
    store.finish_room(&room_id(1), &[PersonId(Hex([8; 8]))], later(9)).await.expect("finished");
    let game = NewPeopleGame { accounts: (ada.id, None), keeping: Keeping::Practice, game: "won" };
    store.tally_room(&room_id(1), Some(&game), NOW).await.expect("kept");
    let meadow = WorldName::parse("meadow").expect("a name");
    store.begin_span(&meadow, 0, "start").await.expect("begun");
    store.append_to_world(&meadow, 0, 1, "a line").await.expect("next");
    let counted = Counted { phase: Phase::Entry, games: 10, fuel: 1_000 };
    let new =
        NewContest { owner: ada.id, name: "cup", game: GAME, event: "{}", counted, secret: [9; 32], by_operator: None };
    store.open_contest(&new, NOW).await.expect("a tournament");
    store.secret("standing", 4, [3; 32]).await.expect("a secret");
    let reason = Reason::parse("because").expect("a reason");
    store.act(&Act::Close(Gate::Rooms), &reason, NOW).await.expect("closed");
    let notice = Notice::parse("Back at noon.").expect("a notice");
    store.act(&Act::PostNotice(notice), &reason, NOW).await.expect("posted");
    fill_queue(store, ada.id).await;
    ada.id
}

fn played() -> TournamentId {
    TournamentId::parse("played").expect("an id")
}

/// Of three games, one that counts, one that was taken back, and one that a volunteer submitted and the site's own
/// workers are to check.
async fn fill_queue(store: &Store, account: AccountId) {
    let asked = |key| AskedGame {
        key: Hex([key; 32]),
        semantics: "ours".into(),
        build: "1.0".into(),
        job: "{}".into(),
        is_sampled: false,
    };
    store.ask_games(&played(), &[asked(3), asked(1), asked(2)]).await.expect("asked");
    let own = |name| WorkerName::parse(name).expect("a name");
    store.add_worker(&own("honest"), NOW).await.expect("a worker");
    for worker in [own("honest"), own("liar"), WorkerName::of_volunteer(account)] {
        let claim = store.claim(&worker, &["ours".into()], 1, 60_000).await.expect("claimed");
        let end = |lease| NewEnd { lease, is_void: false, is_sampled: false, text: "an end".into() };
        let ends: Vec<NewEnd> = claim.games.into_iter().map(|game| end(game.lease)).collect();
        store.submit_ends(&worker, &ends).await.expect("taken");
    }
    store.quarantine(&own("liar"), "it lied").await.expect("quarantined");
}

#[tokio::test]
async fn a_store_that_moves_to_a_server_and_back_is_the_same() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let first = Arc::new(Store::open(folder.path()).await.expect("a store"));
    let ada = fill(&first).await;
    assert_eq!(empty(folder.path()).await, ["operator_sessions", "queued_modules"], "the only ones that do not move");
    let server = Store::connect_with(&fresh().await, patient(Limits::DEFAULT)).await.expect("a store");
    let there = first.copy_into(&server).await.expect("a copy");
    assert_eq!(there.digest, first.digest().await.expect("read"));
    assert_eq!(there.modules, 2);

    let second = tempfile::tempdir().expect("a folder");
    let second = Arc::new(Store::open(second.path()).await.expect("a store"));
    assert_eq!(server.copy_into(&second).await.expect("a copy"), there);

    // Each goes on as the first would have.
    let stores: [Arc<Store>; 3] = [first, Arc::new(server), second];
    for store in &stores {
        assert_eq!(store.problems().await.expect("read"), [""; 0]);
        let ends = store.end_hashes(&played()).await.expect("read");
        assert_eq!(ends.values().map(Option::is_some).collect::<Vec<_>>(), [false, false, true]);
        let (next, _) = store.create_account(&display("Next"), NOW).await.expect("an account");
        assert_eq!(next.id.0, ada.0 + 2);
        let submitted = store.submit(next.id, &bot_name("next"), GAME, bytes("next"), NOW).await.expect("taken");
        assert_eq!(submitted.version().id.bot.0, 5);
        let taken = store.submit(next.id, &bot_name("bot-0"), GAME, bytes("next"), NOW).await;
        assert!(matches!(taken, Err(arena_store::SubmitError::NameTaken)), "{taken:?}");
    }
}

/// The tables without rows of the store in a folder.
async fn empty(folder: &Path) -> Vec<String> {
    let file = format!("sqlite://{}", folder.join("arena.db").display());
    let file = sqlx::SqlitePool::connect(&file).await.expect("a connection");
    let tables = "select name from sqlite_master where type = 'table' and name not like 'sqlite%'
                  and name not like '\\_%' escape '\\' order by name";
    let tables: Vec<(String,)> = sqlx::query_as(tables).fetch_all(&file).await.expect("tables");
    let mut empty = Vec::new();
    for (table,) in tables {
        let rows = sqlx::AssertSqlSafe(format!("select count(*) from {table}"));
        let (rows,): (i64,) = sqlx::query_as(rows).fetch_one(&file).await.expect("a count");
        if rows == 0 {
            empty.push(table);
        }
    }
    file.close().await;
    empty
}

#[tokio::test]
async fn a_store_that_has_something_is_not_written_over() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let from = Store::open(folder.path()).await.expect("a store");
    let url = fresh().await;
    let to = Store::connect_with(&url, patient(Limits::DEFAULT)).await.expect("a store");
    fill(&to).await;
    let before = to.digest().await.expect("read");
    let refused = from.copy_into(&to).await;
    assert!(matches!(refused, Err(CopyError::NotEmpty("accounts"))), "{refused:?}");
    assert_eq!(to.digest().await.expect("read"), before);
    open_at(&url, Limits::DEFAULT).await.create_account(&display("Later"), NOW).await.expect("an account");
    assert_ne!(to.digest().await.expect("read"), before, "the digest is of everything");
}

#[tokio::test]
async fn both_databases_have_the_same_columns() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    drop(Store::open(folder.path()).await.expect("a store"));
    let file = format!("sqlite://{}", folder.path().join("arena.db").display());
    let file = sqlx::SqlitePool::connect(&file).await.expect("a connection");
    let here = "select t.name || '.' || c.name from sqlite_master t join pragma_table_info(t.name) c
                where t.type = 'table' and t.name not like 'sqlite%' and t.name not like '\\_%' escape '\\'";
    let here: Vec<(String,)> = sqlx::query_as(here).fetch_all(&file).await.expect("columns");
    let url = fresh().await;
    let name = url.split(['/', '?']).nth(3).expect("a name");
    // What servers tell each other is where there are several.
    let there = "select table_name || '.' || column_name from information_schema.columns
                 where table_schema = 'public' and table_name not like '\\_%' and table_name not in
                 ('modules', 'duties', 'news', 'kept_folders', 'kept_files', 'kept_lines', 'kept_pieces')";
    let there: BTreeSet<String> = cluster().sql(name, there).lines().map(str::to_owned).collect();
    assert_eq!(here.into_iter().map(|(column,)| column).collect::<BTreeSet<_>>(), there);
}

/// A line of a journal, or a result as a worker submits it.
fn line(label: &str, content: &str) -> String {
    let rest = format!("{label} {content}\n");
    format!("{:.16} {rest}", Hex::<32>(Sha256::digest(&rest).into()).to_string())
}

#[tokio::test]
async fn journals_that_were_files_in_pieces_become_lines_and_results_are_there_once() {
    if !is_there() {
        return;
    }
    let url = fresh().await;
    drop(Store::connect(&url).await.expect("today's tables"));
    // The tables of the step before, with a journal whose second piece begins within a letter.
    let contents = [("3", "{\"a\":\"é\"}"), ("change", "{\"b\":1}"), ("0", "{\"a\":\"é\"}")];
    let text = contents.map(|(label, content)| line(label, content)).concat();
    let (first, second) = text.as_bytes().split_at(text.find('é').expect("a letter") + 1);
    let mut old = sqlx::PgConnection::connect(&url).await.expect("a connection");
    let tables = "drop table kept_lines; drop table results; alter table kept_folders drop column cuts;
                  alter table queued_ends add column text text not null default '', drop column refuted;
                  alter table volunteers drop column refuted; alter table queued_games drop column asked_ms;
                  alter table versions drop column refusal_told;
                  alter table versions drop column licence;
                  delete from _sqlx_migrations where version >= 16;
                  insert into kept_folders (name, version) values ('cup-1', 7)";
    sqlx::raw_sql(tables).execute(&mut old).await.expect("the tables of that step");
    for (place, content) in (0_i64..).zip([first, second]) {
        let piece = Piece::of(content);
        let kept = sqlx::query("insert into kept_pieces (hash, content) values ($1, $2)");
        kept.bind(piece.hash.to_string()).bind(content).execute(&mut old).await.expect("a piece");
        let named = "insert into kept_files (folder, file, piece, hash, bytes) values ('cup-1', 'journal', $1, $2, $3)";
        let named = sqlx::query(named).bind(place).bind(piece.hash.to_string()).bind(piece.bytes as i64);
        named.execute(&mut old).await.expect("a file");
    }
    for worker in ["one", "two"] {
        let end = sqlx::query(
            "insert into queued_ends (tournament, key, worker, end_hash, is_void, text)
             values ('cup-1', 'k', $1, $2, 0, $3)",
        );
        let submitted = line("0", contents[0].1);
        let hash = Piece::of(submitted.as_bytes()).hash.to_string();
        end.bind(worker).bind(hash).bind(submitted).execute(&mut old).await.expect("a result");
    }
    let store = Store::connect(&url).await.expect("the step is made");
    let cup = TournamentId::parse("cup-1").expect("a name");
    let kept = store.kept_folder(&cup).await.expect("read").expect("a folder");
    assert_eq!((kept.version, kept.lines, kept.journal_bytes, kept.files.len()), (7, 3, text.len() as u64, 0));
    let lines = store.kept_lines(&cup, 0).await.expect("read");
    let expected = contents.map(|(label, content)| KeptLine { label: label.into(), text: line("0", content) });
    assert_eq!(lines, expected);
    let (results,): (i64,) = sqlx::query_as("select count(*) from results").fetch_one(&mut old).await.expect("a count");
    assert_eq!(results, 2, "each once");
    assert_eq!(store.problems().await.expect("read"), [""; 0]);
}
