//! `/bots`: bots and their versions.

use arena_record::{Forfeit, ForfeitCode, Record};
use arena_runner::{Archive, Contender};
use arena_store::{IndexedGame, Page, TournamentId};
use serde_json::json;

use crate::client::{get, put_json};
use crate::fixture::{MODULE, fixture, fixture_where, keep};
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_built_in_opponent_has_a_page_in_each_game() {
    let fixture = fixture().await;
    assert_snapshot("people/bot-built-in", &fixture.ask(get("/bots/easy")).await);
    assert_snapshot("people/bot-of-many", &fixture.ask(get("/bots/greedy?game=game-of-game-of-life")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_waits_for_its_verdict_has_a_page_and_its_log_is_for_its_owner() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let owner = fixture.owner(&ann).await;
    let version = fixture.pending(owner, "talker", "conquerors@2").await;
    fixture.logged(version, "<script>secret</script>\n").await;
    assert_snapshot("people/bot", &fixture.ask(get("/bots/talker")).await);
    let page = get("/bots/talker/versions/1");
    let own = fixture.ask(page.clone().bearer(&ann)).await;
    assert_snapshot("people/version-own", &own);
    assert!(own.text.contains("&#60;script&#62;secret") && !own.text.contains("<script>"), "{}", own.text);
    let stranger = fixture.ask(page.clone()).await;
    assert_snapshot("people/version", &stranger);
    for other in [stranger, fixture.ask(page.bearer(&bob)).await] {
        assert!(other.text.contains("talker") && !other.text.contains("secret"), "{}", other.text);
    }
    fixture.end().await;
}

/// The mark of the version that plays, in the table of a bot's versions.
const PLAYS: &str = "<span class=\"tag\">plays</span>";

/// The part of a page from a tag's id to the end of its paragraph.
fn part<'a>(page: &'a str, id: &str) -> &'a str {
    let from = page.find(&format!("<p id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}: {page}"));
    &page[from..from + page[from..].find("</p>").expect("its end")]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_says_that_an_accepted_bot_does_not_play_and_why() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let accepted = async |code: &str, name: &str, module: &[u8]| {
        fixture.accepted_as(code, name, module).await;
        // Tells the site that the field has changed, as a judge does.
        let chosen = put_json(&format!("/api/v1/bots/{name}/active"), json!({ "version": 1 })).bearer(code);
        assert_eq!(fixture.ask(chosen).await.status, 200, "{name}");
        fixture.ask(get(&format!("/bots/{name}/versions/1"))).await
    };
    for (name, module) in [("first", MODULE), ("second", b"\0asm, too"), ("third", b"\0asm again")] {
        let page = accepted(&ann, name, module).await.text;
        assert!(page.contains("<p class=\"headline\">Accepted</p>"), "{page}");
        assert!(part(&page, "placing").contains("It plays in the next edition of the"), "{page}");
        assert!(fixture.ask(get(&format!("/bots/{name}"))).await.text.contains(PLAYS), "{name}");
    }
    for (code, name, module, why) in [
        (&bob, "copy", MODULE, "It does the same as <a href=\"/bots/first\">first</a>, whose owner had it first"),
        (&ann, "fourth", b"\0asm at last", "other bots of its owner have all places of an account"),
    ] {
        let verdict = accepted(code, name, module).await;
        assert!(verdict.text.contains("<p class=\"headline\">Accepted, but it does not play</p>"), "{}", verdict.text);
        assert!(part(&verdict.text, "placing").contains(why), "{}", verdict.text);
        let page = fixture.ask(get(&format!("/bots/{name}"))).await.text;
        assert!(part(&page, "left-out").contains(why) && !page.contains(PLAYS), "{page}");
        assert_snapshot(&format!("people/version-{name}"), &verdict);
        let answer = fixture.ask(get(&format!("/api/v1/bots/{name}/versions/1"))).await;
        assert_snapshot(&format!("api/version-{name}"), &answer);
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_begins_with_the_games_that_its_bot_lost_by_forfeit() {
    let fault = |record: &mut Record| {
        record.outcome.reason = "forfeit".into();
        record.outcome.winner = Some(1);
        let detail = "an unreachable instruction was reached (a panic or an assertion, most likely)".into();
        record.forfeits = vec![Forfeit { seat: 0, turn: Some(4), code: ForfeitCode::Trap, detail }];
    };
    let fixture = fixture_where(fault).await;
    let last = fixture.ask(get("/api/v1/games/standing-1.5")).await.json();
    let loser = last["seats"][0]["name"].as_str().unwrap_or_else(|| panic!("{last}"));
    let page = fixture.ask(get(&format!("/bots/{loser}"))).await.text;
    let faults = part(&page, "faults");
    assert!(faults.contains("1 of 4 games of edition 1 lost by forfeit: 1 <code>trap</code>."), "{faults}");
    let example = "<a href=\"/games/standing-1.5\">standing-1.5</a>, in turn 5: an unreachable instruction was reached";
    assert!(faults.contains(example), "{faults}");
    let [faults, games] = ["id=\"faults\"", "id=\"games\""].map(|id| page.find(id).expect(id));
    assert!(faults < games, "before all of its games");
    fixture.end().await;
}

/// The numbers of the games in the list of a bot's page.
fn listed(page: &str) -> Vec<&str> {
    let rows = page.split("<tr data-result=").skip(1);
    rows.filter_map(|row| row.split_once("<a href=\"/games/")?.1.split_once('"')).map(|(id, _)| id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn results_by_opponent_in_a_field_are_those_of_the_lists_that_they_lead_to() {
    let fixture = fixture().await;
    let built_in: Vec<&str> = Contender::usual("game-of-game-of-life@1").collect();
    let own = format!("/bots/{}?game=game-of-game-of-life", built_in[0]);
    let page = fixture.ask(get(&own)).await.text;
    let table = page.split_once("<table id=\"opponents\">").and_then(|(_, rest)| rest.split_once("</table>"));
    let (table, _) = table.expect("a table");
    assert_eq!(table.matches("<tr><th scope=\"row\">").count(), built_in.len() - 1, "{table}");
    for other in &built_in[1..] {
        let row = table.split("<tr>").find(|row| row.contains(&format!(">{other}</a></th>"))).expect(other);
        let mut counts = Vec::new();
        for result in ["won", "drew", "lost"] {
            let list = fixture.ask(get(&format!("{own}&opponent={other}&result={result}"))).await.text;
            counts.push(listed(&list).len().to_string());
        }
        assert!(row.contains(&format!("<td class=\"num\">{}</td>", counts.join("-"))), "{row}: {counts:?}");
        assert!(row.contains(&format!("opponent={other}&amp;result=lost#games")), "{row}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_lists_the_games_that_ended_by_a_forfeit() {
    let fixture = fixture().await;
    let edition = TournamentId::parse("standing-1").expect("an id");
    let mut games = fixture.store.games(&edition, Page::first(50)).await.expect("read");
    games[0].outcome.reason = "forfeit".into();
    fixture.store.reindex(&edition, &games).await.expect("indexed");
    let one = games[0].entrants.values()[0].baseline().expect("built in").0.to_owned();
    let page = fixture.ask(get(&format!("/bots/{one}?end=forfeit"))).await.text;
    assert_eq!(listed(&page), ["standing-1.0"]);
    assert!(page.contains("<option value=\"forfeit\" selected>"), "{page}");
    let all = fixture.ask(get(&format!("/bots/{one}?end="))).await.text;
    assert!(listed(&all).len() > 1, "{all}");
    let unknown = fixture.ask(get(&format!("/bots/{one}?end=rain")).with("accept", "text/html")).await;
    assert_eq!(unknown.status, 404);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_has_the_fuel_of_its_turns() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let bot = fixture.accepted(&ann, MODULE).await;
    let edition = TournamentId::parse("standing-1").expect("an id");
    let mut games = fixture.store.games(&edition, Page::first(50)).await.expect("read");
    let mut record = Archive::open(&fixture.service.tournaments().join(&games[0].path))
        .expect("finished")
        .record(0)
        .expect("its record");
    record.header.opponents.clear();
    record.header.entrants[0] = bot;
    for (turn, plays) in record.turns.iter_mut().map(|turn| &mut turn.plays).enumerate() {
        for play in plays.iter_mut().filter(|play| play.seat == 0) {
            play.fuel = Some(1_000 + turn as u64);
        }
    }
    let last = record.turns.iter().rposition(|turn| turn.plays.iter().any(|play| play.seat == 0)).expect("a turn");
    keep(&fixture.service.tournaments().join("metered"), 0, &record);
    games[0] = IndexedGame::new(0, &record, "metered");
    fixture.store.reindex(&edition, &games).await.expect("indexed");
    let page = fixture.ask(get("/bots/talker?version=1")).await.text;
    let section = page.split_once("<section id=\"fuel\"").and_then(|(_, rest)| rest.split_once("</section>"));
    let (section, _) = section.expect("its fuel");
    assert!(section.contains("1 of the games below") && section.contains(&format!("1,{last:03} at most")), "{section}");
    let without = fixture.ask(get("/bots/easy")).await.text;
    assert!(!without.contains("<section id=\"fuel\""), "built-in opponents are not metered");
    fixture.end().await;
}
