//! How much an answer asks of the store: never more for more rows.

use arena_record::EntrantId;
use arena_runner::Archive;
use arena_store::{BotName, DisplayName, IndexedGame, Page, TournamentId, Verdict};
use arena_wire::GAMES;
use serde_json::json;

use crate::client::{Ask, delete, get, post, post_json, put_json};
use crate::fixture::{Fixture, NOW, OPERATOR, fixture, keep};
use crate::routes::is_of;
use crate::snapshot::addresses;

/// Queries for one answer at most, that of who asks among them.
const QUERIES_MAX: u64 = 7;
/// The same where the answer comes with a verdict, and so with what the judge asks.
const QUERIES_TO_JUDGE_MAX: u64 = 16;
/// The same of an export: one for each kind of thing that an account has.
const QUERIES_TO_EXPORT_MAX: u64 = 9;
/// The same of an entry in a tournament in which a copy of the bot loses its place: each of both is an event.
const QUERIES_TO_ENTER_MAX: u64 = 9;
/// The same of a list of a bot's games with every wish, of one edition or of all: its version, the edition that it
/// played in, the opponent and the last game of the page before are looked up, each by itself.
const QUERIES_FOR_WISHES_MAX: u64 = 12;

/// More than any list shows.
const BOTS: usize = 60;

/// A tournament of many bots, each with an owner of its own: game 0 has a record of two seats, game 1 one of more.
pub(super) async fn crowd(fixture: &Fixture) {
    let mut bots = Vec::new();
    for number in 0..BOTS {
        let owner = DisplayName::parse(&format!("Owner {number}")).expect("a name");
        let (owner, _) = fixture.store.create_account(&owner, NOW).await.expect("made");
        // The same bytes play two games, each under a name of its own.
        for (name, ruleset) in [("bot", GAMES[0].ruleset), ("cell", "game-of-game-of-life@1")] {
            let name = BotName::parse(&format!("{name}-{number}")).expect("a name");
            let module = format!("module {number}").into_bytes();
            let submitted = fixture.store.submit(owner.id, &name, ruleset, module.into(), NOW).await.expect("taken");
            let version = submitted.version();
            fixture.store.set_verdict(version.id, Verdict::Accepted).await.expect("judged");
            if ruleset == GAMES[0].ruleset {
                bots.push(version.entrant.clone());
            }
        }
    }
    let mut games = Vec::new();
    for (number, edition) in ["standing-1", "game-of-game-of-life-1"].into_iter().enumerate() {
        let played = TournamentId::parse(edition).expect("an id");
        let played = fixture.store.game(&played, 0).await.expect("read").expect("indexed");
        let folder = fixture.service.tournaments().join(&played.path);
        let mut record = Archive::open(&folder).expect("finished").record(0).expect("its record");
        record.header.opponents.clear();
        record.header.entrants = bots[..record.header.entrants.len()].to_vec();
        let path = format!("crowd-{number}");
        keep(&fixture.service.tournaments().join(&path), number, &record);
        games.push(IndexedGame::new(number as u32, &record, path));
    }
    for number in 2..BOTS {
        let pair: [EntrantId; 2] = [bots[number - 1].clone(), bots[number].clone()];
        games.push(IndexedGame { number: number as u32, entrants: pair.into(), ..games[0].clone() });
    }
    fixture.store.reindex(&TournamentId::parse("cup").expect("an id"), &games).await.expect("indexed");
    // And a game of two of them in an edition.
    let edition = TournamentId::parse("standing-1").expect("an id");
    let mut of_edition = fixture.store.games(&edition, Page::first(50)).await.expect("read");
    let pair: [EntrantId; 2] = [bots[0].clone(), bots[1].clone()];
    of_edition.push(IndexedGame { number: 1_000, entrants: pair.into(), ..of_edition[0].clone() });
    fixture.store.reindex(&edition, &of_edition).await.expect("indexed");
}

/// One request for each address, by an account with bots; what ends its session comes last.
pub(super) async fn asks(fixture: &Fixture) -> Vec<Ask> {
    let ann = fixture.account("Ann").await;
    let owner = fixture.owner(&ann).await;
    for name in ["lifer", "talker"] {
        // Judged already, or the judge would do that while it judges what is submitted.
        let version = fixture.pending(owner, name, "conquerors@2").await;
        fixture.store.set_verdict(version, Verdict::Accepted).await.expect("pending");
    }
    // Of more bots than a list shows, and of its owner none.
    let definition = "name = \"cup\"\nformat = \"swiss\"\npairs = 1\nrounds = 1";
    let cup = json!({ "definition": definition, "entry": "open", "places": 64 });
    let opened = fixture.ask(post_json("/api/v1/tournaments", cup).bearer(&ann)).await;
    assert_eq!(opened.status, 201, "{}", opened.text);
    let cup = arena_store::ContestId(1);
    for number in 0..BOTS {
        let name = BotName::parse(&format!("bot-{number}")).expect("a name");
        let bot = fixture.store.bot_by_name(&name).await.expect("read").expect("it is there");
        let now = fixture.service.now();
        fixture.service.contests().enter(cup, bot.account, name.as_str(), now).await.expect("a place is free");
    }
    // A copy of Ann's bot, which loses its place to the original.
    let bob = fixture.account("Bob").await;
    let bob = fixture.owner(&bob).await;
    let version = fixture.pending(bob, "copier", "conquerors@2").await;
    fixture.store.set_verdict(version, Verdict::Accepted).await.expect("pending");
    fixture.service.contests().enter(cup, bob, "copier", fixture.service.now()).await.expect("a place is free");
    // Two that can start, because nobody plays in them but built-in opponents.
    let seat = |name: &str| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n");
    let definition = format!("name = \"ready\"\npairs = 1\n{}{}", seat("easy"), seat("normal"));
    for id in ["cup-2", "cup-3"] {
        let ready = json!({ "definition": definition, "entry": "open", "places": 4 });
        let opened = fixture.ask(post_json("/api/v1/tournaments", ready).bearer(&ann)).await;
        assert_eq!(opened.json()["id"], id, "{}", opened.text);
    }
    let room = fixture.ask(post_json("/api/v1/rooms", json!({ "opponent": "easy", "seat": 1 })).bearer(&ann)).await;
    let room = room.json()["room"].as_str().expect("an id").to_owned();
    fixture.meadow().await;
    let hash = EntrantId::of_bytes(b"module 0");
    let pages = [
        "/",
        "/standings",
        "/standings/conquerors",
        "/bots/bot-0",
        "/bots/bot-0?version=1&opponent=bot-1&after=0",
        "/bots/bot-0?edition=all&opponent=bot-1&order=latest&after=standing-1.1000",
        "/bots/easy?opponent=bot-1&after=0",
        "/authors/1",
        "/people",
        "/practice?game=conquerors&opponent=bot-1",
        "/practice?from=cup.0&turn=3",
        "/workshop?from=cup.0&turn=3",
        "/games",
        "/games?bot=easy",
        "/open",
        "/tournaments",
        "/tournaments/new",
        "/tournaments/cup-1",
        "/volunteers",
        "/account/code",
        "/bots/lifer/versions/1",
        "/games/cup.0",
        "/games/cup.1",
        "/games/cup.0/picture.png",
        "/bots/easy/picture.png",
        "/games/cup.0/log",
        "/games/cup.0/again?version=1",
        "/games/cup.0/profile",
        "/submit",
        "/workshop",
        "/play",
        "/lobby",
        "/account",
        "/account/token",
        "/guide",
        "/guide/",
        "/guide.md",
        "/guide/abi.md",
        "/llms.txt",
        arena_server::COSTLIEST_SEARCH,
        "/guide/wat",
        "/guide/files/guide/bots/wat/bot.wat",
        "/api",
        "/privacy",
        "/offline",
        "/learn",
        "/learn/conquerors/1",
        "/learn/life2",
        "/rules/conquerors",
        "/rules/world",
        "/operator",
        "/worlds",
        "/worlds/meadow",
    ];
    let answers = [
        "/account",
        "/account/tokens",
        "/account/export",
        "/account/games.tar",
        "/bots",
        "/bots/bot-0",
        "/bots/easy/games?opponent=hard",
        "/bots/bot-0/games?version=1&opponent=bot-1&after=0",
        "/bots/bot-0/games?edition=all&opponent=bot-1&order=latest&after=standing-1.1000",
        "/bots/lifer/versions",
        "/bots/lifer/versions/1",
        "/bots/lifer/versions/1/logs",
        "/standings",
        "/people",
        "/tournaments",
        "/tournaments/cup-1",
        "/volunteers",
        "/tournaments/standing-1/folder",
        "/games",
        "/games?tournament=cup",
        "/games/cup.0",
        "/games/cup.1",
        "/games/cup.0/record",
        "/games/cup.1/log",
        "/games/cup.1/again?version=1",
        "/games/cup.1/profile",
        "/limits",
        "/lobby",
        "/operator",
        "/operator/audit",
        "/worlds",
        "/worlds/meadow",
        "/worlds/meadow/events",
        "/worlds/meadow/spans",
        "/worlds/meadow/spans/0",
    ];
    let mut asks: Vec<Ask> = pages.iter().map(|page| get(page)).collect();
    asks.extend(answers.iter().map(|answer| get(&format!("/api/v1{answer}"))));
    let module = format!("/api/v1/modules/{}", hash.hash().expect("a bot"));
    let (of_people, of_programs) = (format!("/rooms/{room}"), format!("/api/v1/rooms/{room}"));
    let events = format!("{of_programs}/events");
    asks.extend([module, of_people.clone(), of_programs.clone(), events].iter().map(|path| get(path)));
    let lease = json!({ "tournament": "cup-1", "key": "00".repeat(32), "token": 1 });
    let form = "--part\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nmine\r\n--part\r\n\
        Content-Disposition: form-data; name=\"file\"; filename=\"bot.wasm\"\r\n\r\nno module\r\n--part--\r\n";
    asks.extend([
        post("/submit", form).with("content-type", "multipart/form-data; boundary=part"),
        post("/api/v1/bots/other/versions", "no module").with("content-type", "application/wasm"),
        post("/api/v1/checks", "no module").with("content-type", "application/wasm"),
        post_json("/api/v1/accounts", json!({ "name": "Carol" })),
        post_json("/api/v1/rooms", json!({ "opponent": "easy", "seat": 1 })),
        post_json(
            &format!("{of_programs}/turns"),
            json!({ "ply": 1, "client_seq": 1, "action": "0101040a020a030b020b03" }),
        ),
        post_json(&format!("{of_programs}/commands"), json!({ "type": "draw", "ply": 1 })),
        post_json(&format!("{of_programs}/resignation"), json!({ "ply": 1 })),
        post_json(&format!("{of_programs}/bots"), json!({ "opponent": "easy" })),
        post_json("/api/v1/worlds/meadow/commands", json!({ "type": "faucet" })),
        post_json("/api/v1/lobby", json!({ "public": true })),
        post_json("/api/v1/lobby/joins", json!({ "code": "zzzzzz" })),
        post_json("/api/v1/lobby/pairings", json!({})),
        post_json("/api/v1/volunteers/claims", json!({ "semantics": ["ab".repeat(32)], "games": 64, "lease_ms": 1 })),
        post_json("/api/v1/volunteers/renewals", json!({ "leases": [lease], "lease_ms": 1 })),
        post_json("/api/v1/volunteers/returns", json!({ "leases": [lease] })),
        post_json(
            "/api/v1/volunteers/ends",
            json!({ "ends": [{ "lease": lease, "is_void": false, "text": "a game" }] }),
        ),
        get(&format!("/api/v1/volunteers/modules/{}", "00".repeat(32))),
        post("/lobby", "door=public&seat=draw").form(),
        post("/lobby/joins", "code=zzzzzz").form(),
        post("/lobby/pairings", "game=conquerors").form(),
        post(&format!("{of_people}/seat"), "seat=0").form(),
        post(&format!("{of_people}/bots"), "opponent=easy&seat=all").form(),
        post(&format!("{of_people}/leave"), "").form(),
        post_json("/api/v1/tournaments", json!({ "definition": "name = \"x\"", "entry": "open" })),
        post_json(
            "/api/v1/tournaments",
            json!({ "definition": "name = \"x\"", "entry": "invited", "invited": ["Owner 0"] }),
        ),
        post_json("/api/v1/tournaments/cup-1/entries", json!({ "bot": "lifer" })),
        post_json("/api/v1/tournaments/cup-1/withdrawals", json!({ "bot": "lifer", "reason": "late" })),
        post_json("/api/v1/tournaments/cup-2/start", json!({})),
        post_json("/api/v1/bots/nothing/challenges", json!({ "bot": "lifer", "games": 2 })),
        post("/tournaments/new", "name=x").form(),
        post("/tournaments/cup-1/entries", "bot=talker").form(),
        post("/tournaments/cup-1/withdrawals", "bot=talker&reason=late").form(),
        post("/tournaments/cup-3/start", "").form(),
        post("/bots/easy/challenges", "bot=lifer&games=2").form(),
        post("/tournaments/cup-1/cancellation", "reason=late").form(),
        post_json("/api/v1/tournaments/cup-1/cancellation", json!({ "reason": "late" })),
        post("/play", "opponent=easy&seat=1").form(),
        post("/language", "language=es&back=/").form(),
        put_json("/api/v1/bots/lifer/active", json!({ "version": 1 })),
        put_json("/api/v1/bots/lifer/name", json!({ "name": "lived" })),
        delete("/api/v1/bots/lived"),
        post("/bots/talker/versions/1/licence", "licence=MIT").form(),
        post("/bots/talker/active", "version=").form(),
        post("/bots/talker/name", "name=quiet").form(),
        post("/bots/quiet/delete", "name=quiet").form(),
        post("/account", "name=Eve").form(),
        post("/account/name", "name=Anna").form(),
        post("/account/tokens", "name=laptop&scope=read&days=30").form(),
        post("/account/tokens/1/revocation", "").form(),
        post_json("/api/v1/account/tokens", json!({ "name": "laptop", "scope": "read", "days": 30 })),
        post_json("/api/v1/account/tokens/2/revocation", json!({})),
        post("/session", format!("code={ann}")).form(),
        post("/session/end", "").form(),
        // A wrong name, or nobody would be left to ask.
        post("/account/deletion", "name=x").form(),
        post_json("/api/v1/account/deletion", json!({ "name": "x" })),
        post("/account/code", "").form(),
    ]);
    let act = json!({ "act": "rename_account", "name": "Owner 1", "new_name": "Owner One", "reason": "a test" });
    let cup = json!({ "definition": "name = \"cup\"\npairs = 1", "entry": "open" });
    let cup = json!({ "owner": "Owner 2", "reason": "a test", "tournament": cup });
    let of_operators = [
        post_json("/api/v1/operator/tournaments", cup),
        post_json("/api/v1/operator/acts", act),
        post("/operator/acts", "act=open_rooms&name=&reason=a+test").form(),
        post("/operator/session", format!("token={OPERATOR}")).form(),
        post("/operator/session/end", "").form(),
    ];
    let mut asks: Vec<Ask> = asks.into_iter().chain(of_operators).collect();
    // The operator's before the others: the account's code ends with the last of them.
    asks.sort_by_key(|ask| !ask.path.contains("/operator"));
    let who = |ask: &Ask| if ask.path.contains("/operator") { OPERATOR.to_owned() } else { ann.clone() };
    asks.into_iter().map(|ask| ask.clone().bearer(&who(&ask))).collect()
}

/// Whether a whole game is played again for the answer, which costs the most of an account's share of requests.
fn plays_again(ask: &Ask) -> bool {
    let path = ask.path.split('?').next().unwrap_or_default();
    path.contains("/games/") && ["/log", "/again", "/profile"].iter().any(|end| path.ends_with(end))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_asks_more_of_the_store_for_more_rows() {
    // Each part at a site of its own: an account has no share for all of them at once.
    let parts: [fn(&Ask) -> bool; 3] =
        [plays_again, |ask| ask.method == "GET" && !plays_again(ask), |ask| ask.method != "GET"];
    for part in parts {
        no_answer_of(part).await;
    }
}

async fn no_answer_of(part: fn(&Ask) -> bool) {
    let fixture = fixture().await;
    crowd(&fixture).await;
    let asks = asks(&fixture).await;
    let asked = |method: &str, address: &str| {
        let path = |ask: &Ask| ask.path.split('?').next().unwrap_or_default().to_owned();
        asks.iter().any(|ask| ask.method == method && is_of(address, &path(ask)))
    };
    let left_out: Vec<_> = addresses().into_iter().filter(|(method, address)| !asked(method, address)).collect();
    assert!(left_out.is_empty(), "{left_out:?}");
    for ask in asks.into_iter().filter(part) {
        let before = fixture.counted.queries();
        let answer = fixture.ask(ask).await;
        let queries = fixture.counted.queries() - before;
        assert!(!answer.status.is_server_error(), "{}: {}", answer.asked, answer.text);
        assert!(!answer.text.contains("share of requests"), "{}: {}", answer.asked, answer.text);
        let judges = ["POST /submit", "POST /api/v1/bots/other/versions"].contains(&answer.asked.as_str());
        let wishes = ["version=", "edition="].iter().any(|wish| answer.asked.contains(wish));
        // One that is refused asks less.
        let acts = ["/entries", "/start", "/active", "/name", "/delete"].iter().any(|end| answer.asked.ends_with(end));
        if acts || answer.asked.starts_with("DELETE") {
            assert!(answer.status.is_success() || answer.status.is_redirection(), "{}: {}", answer.asked, answer.text);
        }
        let most = match (judges, wishes) {
            (true, _) => QUERIES_TO_JUDGE_MAX,
            (_, true) => QUERIES_FOR_WISHES_MAX,
            _ if answer.asked == "GET /api/v1/account/export" => QUERIES_TO_EXPORT_MAX,
            _ if answer.asked.ends_with("/entries") => QUERIES_TO_ENTER_MAX,
            _ => QUERIES_MAX,
        };
        assert!(queries <= most, "{} takes {queries} queries", answer.asked);
    }
    let games = fixture.ask(get("/api/v1/games?tournament=cup")).await.json();
    assert_eq!(games.as_array().map(Vec::len), Some(50));
    assert_eq!(games[49]["seats"][1]["name"], "bot-49", "each row has its names");
    let many = fixture.ask(get("/api/v1/games/cup.1")).await.json();
    let seats = many["seats"].as_array().unwrap_or_else(|| panic!("{many}"));
    assert!(seats.len() > 2, "{many}");
    for (seat, who) in seats.iter().enumerate() {
        assert_eq!(who["name"], format!("cell-{seat}"));
    }
    fixture.end().await;
}
