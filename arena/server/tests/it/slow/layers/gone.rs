//! The addresses of what was removed: each says since when it is gone, in the words of who asks.

use arena_record::Hex;
use arena_rooms::{PersonId, RoomId};
use arena_service::limits::EDITIONS_KEPT_MAX;
use arena_store::{Counted, Limits, NewContest, Page, Phase, RoomTerms, TournamentId};

use crate::client::get;
use crate::fixture::{Fixture, NOW, fixture, fixture_at, fixture_with};

impl Fixture {
    /// Asks as a program for something that is gone; what is said of it.
    async fn gone(&self, path: &str) -> String {
        let gone = self.ask(get(path).with("accept", "application/json")).await;
        assert_eq!((gone.status.as_u16(), gone.code().as_str()), (410, "gone"), "{path}: {}", gone.text);
        gone.json()["detail"].as_str().expect("a sentence").to_owned()
    }

    /// Asks as a person who speaks this language.
    async fn read(&self, path: &str, language: &str) -> String {
        let page = self.ask(get(path).with("accept", "text/html").with("accept-language", language)).await;
        assert_eq!(page.status, 410, "{path}: {}", page.text);
        page.text
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_made_way_says_since_when_wherever_it_had_an_address() {
    let fixture = fixture_with(Limits { finished_room_bytes_max: 0, ..Limits::DEFAULT }).await;
    let id = RoomId(Hex([7; 16]));
    let terms = RoomTerms { owner: PersonId(Hex([1; 8])), silence_seconds_max: 1_000 };
    fixture.store.create_room(&id, "start", &terms, NOW).await.expect("opened");
    fixture.store.finish_room(&id, &[], NOW).await.expect("finished");
    let pages = ["/rooms/ID", "/games/ID", "/games/ID/picture.png", "/practice?from=ID&turn=1"];
    let answers =
        ["/rooms/ID", "/rooms/ID/events", "/games/ID", "/games/ID/record"].map(|path| format!("/api/v1{path}"));
    for path in pages.map(str::to_owned).iter().chain(&answers) {
        let said = fixture.gone(&path.replace("ID", &id.to_string())).await;
        assert_eq!(said, "this room was removed on 2027-01-15, to make space", "{path}");
    }
    for (language, said) in [
        ("en", "This room was removed on 2027-01-15, to make space."),
        ("es", "Esta sala se eliminó el 2027-01-15 para hacer sitio."),
    ] {
        let page = fixture.read(&format!("/rooms/{id}"), language).await;
        assert!(page.contains(said), "{page}");
    }
    for path in ["/rooms", "/games", "/api/v1/rooms", "/api/v1/games"] {
        assert_eq!(fixture.ask(get(&format!("{path}/{}", RoomId(Hex([8; 16]))))).await.status, 404, "{path}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_went_longer_ago_than_is_remembered_is_like_one_that_never_was() {
    let fixture = fixture_with(Limits { finished_room_bytes_max: 0, gone_max: 1, ..Limits::DEFAULT }).await;
    let [earlier, later] = [7, 8].map(|byte| RoomId(Hex([byte; 16])));
    let terms = RoomTerms { owner: PersonId(Hex([1; 8])), silence_seconds_max: 1_000 };
    for id in [earlier, later] {
        fixture.store.create_room(&id, "start", &terms, NOW).await.expect("opened");
        fixture.store.finish_room(&id, &[], NOW).await.expect("finished");
    }
    let never = RoomId(Hex([9; 16]));
    for path in ["/rooms", "/games", "/api/v1/rooms", "/api/v1/games"] {
        for id in [earlier, never] {
            let missing = fixture.ask(get(&format!("{path}/{id}")).with("accept", "application/json")).await;
            assert_eq!((missing.status.as_u16(), missing.code().as_str()), (404, "no_such_room"), "{path}");
            let said = "there is no such room: it never was, or was removed on 2027-01-15 or before";
            assert_eq!(missing.json()["detail"], said, "{path}");
        }
        assert_eq!(fixture.ask(get(&format!("{path}/{later}"))).await.status, 410, "{path}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_that_was_forgotten_says_since_when_and_so_do_its_games() {
    let fixture = fixture().await;
    let owner = fixture.owner(&fixture.account("Ann").await).await;
    let over = Counted { phase: Phase::Over, games: 0, fuel: 0 };
    let open = || async {
        let counted = Counted { phase: Phase::Entry, games: 0, fuel: 0 };
        let new = NewContest {
            owner,
            name: "cup",
            game: "conquerors@2",
            event: "{}",
            secret: [0; 32],
            counted,
            by_operator: None,
        };
        fixture.store.open_contest(&new, NOW).await.expect("opened")
    };
    let (first, second) = (open().await, open().await);
    fixture.store.append_to_contest(first, 1, "{}", &over, NOW).await.expect("over");
    fixture.store.forget_contest(first, NOW).await.expect("forgotten");
    let paths = [
        "/tournaments/cup-1",
        "/games/cup-1.0",
        "/api/v1/tournaments/cup-1",
        "/api/v1/tournaments/cup-1/folder",
        "/api/v1/games/cup-1.0",
        "/api/v1/games?tournament=cup-1",
    ];
    assert_eq!((first.0, second.0), (1, 2));
    for path in paths {
        let said = fixture.gone(path).await;
        assert_eq!(said, "this tournament was removed on 2027-01-15, to make space", "{path}");
    }
    let page = fixture.read("/tournaments/cup-1", "es").await;
    assert!(page.contains("Este torneo se eliminó el 2027-01-15 para hacer sitio."), "{page}");
    for path in ["/tournaments/cup-3", "/games/cup-3.0", "/games/cup-2.0"] {
        assert_eq!(fixture.ask(get(path)).await.status, 404, "{path}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_that_went_longer_ago_than_is_remembered_is_gone_all_the_same() {
    for (gone_max, said) in
        [(0, "this tournament is not kept any more"), (1, "this tournament was removed on 2027-01-15 or before")]
    {
        let fixture = fixture_with(Limits { gone_max, ..Limits::DEFAULT }).await;
        let owner = fixture.owner(&fixture.account("Ann").await).await;
        for phase in [Phase::Over, Phase::Over, Phase::Entry] {
            let counted = Counted { phase, games: 0, fuel: 0 };
            let new = NewContest {
                owner,
                name: "cup",
                game: "conquerors@2",
                event: "{}",
                secret: [0; 32],
                counted,
                by_operator: None,
            };
            let id = fixture.store.open_contest(&new, NOW).await.expect("opened");
            fixture.store.forget_contest(id, NOW).await.expect("forgotten, if it is over");
        }
        assert_eq!(fixture.gone("/tournaments/cup-1").await, said);
        fixture.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_an_old_edition_says_since_when_it_is_gone() {
    let kept = u32::try_from(EDITIONS_KEPT_MAX).expect("few");
    let fixture = fixture_at(kept + 2).await;
    // An edition that this release removed, and one of which it only knows when another took its place.
    let [noted, edition] = [1, kept + 2].map(|n| TournamentId::parse(&format!("standing-{n}")).expect("an id"));
    let games = fixture.store.games(&edition, Page::first(1)).await.expect("read");
    fixture.store.reindex(&noted, &games).await.expect("indexed");
    fixture.store.remove_games(&noted, NOW).await.expect("removed");
    let paths = [
        "/games/standing-N.0",
        "/api/v1/games/standing-N.0",
        "/api/v1/games/standing-N.0/record",
        "/api/v1/games?tournament=standing-N",
        "/api/v1/tournaments/standing-N/folder",
    ];
    for path in paths {
        let said = fixture.gone(&path.replace('N', "1")).await;
        assert_eq!(said, "edition 1 of this tournament was removed on 2027-01-15, to make space", "{path}");
        let said = fixture.gone(&path.replace('N', "2")).await;
        assert!(said.starts_with("edition 2 of this tournament was removed on 20"), "{said}");
    }
    let page = fixture.read("/games/standing-1.0", "es").await;
    assert!(page.contains("La edición 1 de este torneo se eliminó el 2027-01-15 para hacer sitio."), "{page}");
    // Of an edition that may be kept a game is there, or it never was.
    assert_eq!(fixture.ask(get(&format!("/games/{edition}.0"))).await.status, 200);
    assert_eq!(fixture.ask(get("/games/standing-3.0")).await.status, 404);
    fixture.end().await;
}
