//! Requests that create something, sent again at random with the same keys and others: what has a key is created once
//! while the key holds, and everything else each time; but nothing is, while the operator has closed it. `cargo xtask
//! repeats` draws more of them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use arena_record::EntrantId;
use arena_rules::Rng;
use serde_json::{Value, json};

use crate::client::{Answer, Ask, get, post};
use crate::fixture::{Fixture, MODULE, OPERATOR, fixture};

/// Sites that the gate draws, and requests to each.
const SITES: u64 = 2;
const REQUESTS: u64 = 80;
/// Submissions to each, and how many versions of a day are accepted at most.
const SUBMISSIONS: u64 = 30;
const ACCEPTED_MAX: usize = 8;
/// How long a form's key is remembered, and a program's.
const FORM: Duration = Duration::from_secs(10);
const PROGRAM: Duration = Duration::from_secs(600);
/// Seconds between two requests: mostly none.
const PAUSES: [u64; 8] = [0, 0, 0, 1, 4, 9, 11, 599];
/// Keys that are used.
const KEYS: [Option<&str>; 3] = [None, Some("0000000000000001"), Some("0000000000000002")];

/// A setting of `cargo xtask`, or the gate's.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |value| value.parse().expect("a number"))
}

/// What the choices of a site are drawn from.
fn drawn(seed: u64, number: u64) -> Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    Rng::new(&key, number)
}

/// A route that creates something, with two bodies.
struct Route {
    path: &'static str,
    bodies: [String; 2],
    /// Where the name of what was made stands in an answer: in this field, or in the header `location`.
    made: Option<&'static str>,
    by_operator: bool,
}

impl Route {
    fn api(path: &'static str, made: &'static str, bodies: [Value; 2]) -> Route {
        Route { path, bodies: bodies.map(|body| body.to_string()), made: Some(made), by_operator: false }
    }

    fn form(path: &'static str, bodies: [&str; 2]) -> Route {
        Route { path, bodies: bodies.map(String::from), made: None, by_operator: false }
    }

    /// All who wait for any opponent wait in one room, and an act has no name.
    fn is_named_anew(&self) -> bool {
        !self.path.ends_with("/pairings") && !self.path.ends_with("/acts")
    }

    fn is_of_tournaments(&self) -> bool {
        self.path.contains("tournaments") || self.path.contains("challenges")
    }

    fn request(&self, body: &str, key: Option<&str>, code: &str) -> Ask {
        let ask = match self.made {
            Some(_) => post(self.path, body).with("content-type", "application/json"),
            None => post(&key.map_or(self.path.into(), |key| format!("{}?once={key}", self.path)), body).form(),
        };
        let ask = ask.bearer(code);
        match key.filter(|_| self.made.is_some()) {
            Some(key) => ask.with("idempotency-key", key),
            None => ask,
        }
    }

    /// The name of what was made; `None` if nothing was.
    fn name_of(&self, answer: &Answer) -> Option<String> {
        match self.made {
            Some(field) if answer.status.is_success() => Some(answer.json()[field].to_string()),
            None if answer.status == 303 => Some(answer.header("location").into()),
            _ => None,
        }
    }
}

fn routes() -> Vec<Route> {
    let cup = |places: u32| json!({ "definition": "name = \"Cup\"\npairs = 1", "entry": "open", "places": places });
    let by_operator = |places: u32| json!({ "owner": "Ann", "reason": "a test", "tournament": cup(places) });
    let challenge = |games: u32| json!({ "bot": "talker", "games": games });
    let act = |act: &str| json!({ "act": act, "reason": "a test" });
    let form =
        "name=Cup&format=swiss&game=conquerors&pairs=1&entry=open&invited=&until=&bots=&reserved=easy&keys=&places=";
    let forms = [4, 5].map(|places| format!("{form}{places}"));
    let routes = [
        Route::api("/api/v1/rooms", "room", [0, 1].map(|seat| json!({ "opponent": "easy", "seat": seat }))),
        Route::api("/api/v1/lobby", "room", [true, false].map(|public| json!({ "public": public }))),
        Route::api("/api/v1/lobby/pairings", "room", ["conquerors", "war-of-life"].map(|game| json!({ "game": game }))),
        Route::api("/api/v1/tournaments", "id", [4, 5].map(cup)),
        Route::api("/api/v1/bots/easy/challenges", "id", [2, 4].map(challenge)),
        Route::form("/play", ["opponent=easy&seat=0", "opponent=easy&seat=1"]),
        Route::form("/lobby", ["door=public&seat=draw&clock=none", "door=private&seat=draw&clock=none"]),
        Route::form("/lobby/pairings", ["game=conquerors", "game=war-of-life"]),
        Route::form("/bots/easy/challenges", ["bot=talker&games=2", "bot=talker&games=4"]),
        Route::form("/tournaments/new", [&forms[0], &forms[1]]),
    ];
    let operators = [
        Route::api("/api/v1/operator/tournaments", "id", [4, 5].map(by_operator)),
        Route::api("/api/v1/operator/acts", "act", ["close_rooms", "open_rooms"].map(act)),
        Route::api("/api/v1/operator/acts", "act", ["close_tournaments", "open_tournaments"].map(act)),
    ];
    let operators = operators.map(|route| Route { by_operator: true, ..route });
    routes.into_iter().chain(operators).collect()
}

/// What is remembered of a request: who sent it where, with which key and body.
type Sent = (String, &'static str, &'static str, String);

/// A site, and what was created there.
struct Site {
    fixture: Fixture,
    rng: Rng,
    at: Duration,
    /// The answer to each key that holds, and until when.
    kept: BTreeMap<Sent, (String, Duration)>,
    /// Everything that was made, by name.
    made: BTreeSet<String>,
    /// Tournaments, and lines of the log of acts, that there must be.
    tournaments: usize,
    acts: usize,
    /// What the operator has closed.
    closed: BTreeSet<String>,
    again: usize,
}

impl Site {
    async fn count(&self, path: &str) -> usize {
        let answer = self.fixture.ask(get(path).bearer(OPERATOR)).await;
        if path.ends_with("audit") {
            answer.text.lines().count()
        } else {
            answer.json().as_array().expect("a list").len()
        }
    }

    fn draw<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.below(of.len() as u32) as usize]
    }

    async fn request(&mut self, route: &Route, people: &[String]) {
        let pause = Duration::from_secs(self.draw(&PAUSES));
        self.fixture.clock.advance(pause);
        self.at += pause;
        let (body, key, person) = (self.draw(&[0, 1]), self.draw(&KEYS), self.draw(&[0, 1]));
        let code = if route.by_operator { OPERATOR } else { &people[person] };
        let ask = route.request(&route.bodies[body], key, code);
        let what = format!("{} {} of {code} with {key:?}, {:?}", route.path, route.bodies[body], self.at);
        let answer = self.fixture.ask(ask).await;
        let gate = if route.is_of_tournaments() { "tournaments" } else { "rooms" };
        // The operator's acts open what is closed; tournaments of the operator's are new ones, too.
        let is_closed = self.closed.contains(gate) && (!route.by_operator || route.is_of_tournaments());
        let is_told_so = is_closed && answer.status == 503 && answer.code() == "closed";
        assert!(is_told_so || !answer.status.is_server_error(), "{what}: {}", answer.text);
        let name = route.name_of(&answer);
        let sent = key.map(|key| (code.to_owned(), route.path, key, route.bodies[body].clone()));
        let (at, mut is_new) = (self.at, name.is_some());
        if let Some(sent) = sent {
            if let Some((first, _)) = self.kept.get(&sent).filter(|(_, until)| *until > at) {
                let again = if route.made.is_some() { answer.text.clone() } else { answer.header("location").into() };
                assert_eq!(again, *first, "{what}: the same request with its key");
                (is_new, self.again) = (false, self.again + 1);
            } else if name.is_some() {
                let within = if route.made.is_some() { PROGRAM } else { FORM };
                let first = if route.made.is_some() { answer.text.clone() } else { answer.header("location").into() };
                self.kept.insert(sent, (first, at + within));
            }
        }
        if let (true, Some(name)) = (is_new, name) {
            let is_first = self.made.insert(name.rsplit('/').next().unwrap_or_default().trim_matches('"').into());
            assert!(is_first || !route.is_named_anew(), "{what}: {name} is there already");
            assert!(!is_closed || !route.is_named_anew(), "{what}: {name} although {gate} are closed");
            self.tournaments += usize::from(route.is_of_tournaments());
            self.acts += usize::from(route.by_operator);
            let act = serde_json::from_str::<Value>(&route.bodies[body]).unwrap_or_default()["act"].clone();
            match act.as_str().and_then(|act| act.split_once('_')) {
                Some(("close", gate)) => drop(self.closed.insert(gate.into())),
                Some((_, gate)) => drop(self.closed.remove(gate)),
                None => {}
            }
        }
        let going = self.fixture.ask(get("/api/v1/operator").bearer(OPERATOR)).await.json()["closed"].clone();
        assert_eq!(going, json!(self.closed), "{what}: what is closed");
        assert_eq!(self.count("/api/v1/operator/audit").await, self.acts, "{what}: lines of the log");
        assert_eq!(self.count("/api/v1/tournaments").await, self.tournaments.min(50), "{what}: tournaments");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_asked_again_is_created_once_for_each_key_that_holds() {
    let (sites, seed) = (setting("ARENA_REPEATS", SITES), setting("ARENA_REPEAT_SEED", 1));
    let mut again = 0;
    for number in 0..sites {
        let fixture = fixture().await;
        let people = [fixture.account("Ann").await, fixture.account("Bob").await];
        fixture.accepted(&people[0], MODULE).await;
        let mut site = Site {
            fixture,
            rng: drawn(seed, number),
            at: Duration::ZERO,
            kept: BTreeMap::new(),
            made: BTreeSet::new(),
            tournaments: 0,
            acts: 0,
            closed: BTreeSet::new(),
            again: 0,
        };
        let routes = routes();
        for _ in 0..REQUESTS {
            // Often one that was just sent.
            let few = site.rng.below(3) as usize;
            let at = site.rng.below(if few == 0 { routes.len() as u32 } else { 3 }) as usize;
            let at = (at + number as usize * 3) % routes.len();
            site.request(&routes[at], &people).await;
        }
        again += site.again;
        site.fixture.end().await;
    }
    assert!(again > 0, "no request was repeated");
}

/// No worker plays here: what is submitted is refused at once, unless it is the accepted version that plays. The next
/// version has the number of a refused one.
#[tokio::test(flavor = "multi_thread")]
async fn a_submission_is_one_version_for_each_key_that_holds() {
    let (sites, seed) = (setting("ARENA_REPEATS", SITES), setting("ARENA_REPEAT_SEED", 1));
    let path = "/api/v1/bots/talker/versions";
    let (mut again, mut known) = (0, 0);
    for number in 0..sites {
        let (fixture, mut rng) = (fixture().await, drawn(seed, number));
        let ann = fixture.account("Ann").await;
        let (mut kept, mut at) = (BTreeMap::new(), Duration::ZERO);
        // What was accepted, the latest last.
        let mut accepted = vec![b"a bot".to_vec()];
        fixture.accepted(&ann, &accepted[0]).await;
        for _ in 0..SUBMISSIONS {
            let pause = Duration::from_secs(PAUSES[rng.below(PAUSES.len() as u32) as usize]);
            fixture.clock.advance(pause);
            at += pause;
            if rng.below(6) == 0 && accepted.len() < ACCEPTED_MAX {
                accepted.push(format!("bot {}", accepted.len()).into());
                fixture.accepted(&ann, accepted.last().expect("just added")).await;
            }
            let sent = accepted.get(rng.below(accepted.len() as u32 + 1) as usize);
            let bytes = sent.map_or(b"never a bot".to_vec(), Vec::clone);
            let playing = accepted.last() == sent;
            let key = KEYS[rng.below(KEYS.len() as u32) as usize];
            let ask = post(path, bytes.clone()).bearer(&ann);
            let answer = fixture.ask(key.into_iter().fold(ask, |ask, key| ask.with("idempotency-key", key))).await;
            let number = answer.json()["number"].clone();
            let what = format!("{sent:?} of {accepted:?} with {key:?} after {at:?}: {}", answer.text);
            if answer.status == 200 {
                assert_eq!(answer.json()["entrant"], EntrantId::of_bytes(&bytes).to_string(), "{what}");
            }
            if let Some((first, _)) = kept.get(&(key, bytes.clone())).filter(|(_, until)| key.is_some() && *until > at)
            {
                assert_eq!((answer.status.as_u16(), &number), (200, first), "{what}");
                again += 1;
            } else if playing {
                assert_eq!(answer.status, 200, "{what}");
                known += 1;
                kept.insert((key, bytes), (number, at + PROGRAM));
            }
            let listed = fixture.ask(get(path).bearer(&ann)).await.text;
            assert_eq!(listed.matches("\"accepted\"").count(), accepted.len(), "{what}: {listed}");
        }
        fixture.end().await;
    }
    assert!(again > 0 && known > 0, "{again} repeated, {known} known");
}

#[test]
fn every_route_of_the_document_that_creates_something_is_drawn() {
    // Taken once by their nature, or submissions, which have a test of their own.
    let others = ["/api/v1/accounts", "/api/v1/bots/{name}/versions", "/api/v1/lobby/joins", "/api/v1/account/tokens"];
    let document: Value = serde_json::from_str(&arena_server::openapi()).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let creating = paths.iter().filter(|(_, methods)| methods["post"]["responses"].get("201").is_some());
    let drawn: Vec<&str> = routes().iter().map(|route| route.path).collect();
    for path in creating.map(|(path, _)| path.replace("{name}", "easy")) {
        let is_other = others.iter().any(|other| other.replace("{name}", "easy") == path);
        assert!(drawn.contains(&path.as_str()) != is_other, "{path}");
    }
}
