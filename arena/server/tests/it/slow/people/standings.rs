//! `/standings`.

use arena_wire::GAMES;

use crate::client::get;
use crate::fixture::{fixture, fixture_of};
use crate::slow::people::escaped;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_first_game_has_the_short_address() {
    let fixture = fixture().await;
    assert_snapshot("people/standings", &fixture.ask(get("/standings")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_has_its_columns() {
    let fixture = fixture().await;
    for game in GAMES {
        let page = fixture.ask(get(&format!("/standings/{}", game.name()))).await;
        assert_snapshot(&format!("people/standings-{}", game.name()), &page);
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_has_pages_that_lead_to_the_others() {
    let fixture = fixture().await;
    for game in GAMES {
        let page = fixture.ask(get(&format!("/standings/{}", game.name()))).await;
        assert_eq!(page.status, 200, "{}", game.name());
        for other in GAMES {
            assert!(page.text.contains(&escaped(other.title)), "{} leads to {}", game.name(), other.name());
        }
        let answer = fixture.ask(get(&format!("/api/v1/standings?game={}", game.name()))).await.json();
        assert_eq!((answer["game"].as_str(), answer["title"].as_str()), (Some(game.ruleset), Some(game.title)));
        for name in arena_runner::Contender::usual(game.ruleset) {
            let page = fixture.ask(get(&format!("/bots/{name}?game={}", game.name()))).await;
            assert_eq!(page.status, 200, "{name}");
            assert!(page.text.contains(&format!("/standings/{}\">{}", game.name(), escaped(game.title))), "{name}");
        }
        let play = fixture.ask(get(&format!("/play?game={}", game.name()))).await;
        if !game.suits_rooms() {
            assert_eq!(play.code(), "no_rooms");
            continue;
        }
        for name in arena_runner::Contender::usual(game.ruleset) {
            assert!(play.text.contains(&format!("value=\"{name}\"")), "{name}");
        }
    }
    let first = fixture.ask(get("/api/v1/standings")).await.json();
    assert_eq!(first["game"], GAMES[0].ruleset);
    for path in ["/api/v1/standings?game=chess", "/standings/chess", "/api/v1/bots?game=chess", "/play?game=chess"] {
        let answer = fixture.ask(get(path)).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (404, "no_such_game"), "{path}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn places_are_compared_with_those_of_the_edition_before() {
    let fixture = fixture_of(&[3, 4]).await;
    let page = fixture.ask(get("/standings")).await.text;
    let rows = page.matches("<tr data-bot=").count();
    // Both editions are alike.
    let same = "<td class=\"trend\"><span class=\"half\">=</span></td>";
    assert!(rows > 2 && page.matches(same).count() == rows, "{page}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_edition_has_no_places_to_compare() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/standings")).await.text;
    assert!(page.contains("<tr data-bot=") && !page.contains("class=\"trend\""), "{page}");
    fixture.end().await;
}
