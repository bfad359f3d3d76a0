//! `/metrics`, which the operator's machine asks for, and `/readyz`, which the proxy does: each alarm of
//! `docs/operating.md` is raised by what it stands for.

use std::time::Duration;

use arena_server::{note_backup, serve_metrics};
use arena_store::WorkerName;
use serde_json::json;
use tokio::net::TcpListener;

use crate::client::{get, post, post_json};
use crate::fixture::{Fixture, OPERATOR, fixture};

/// The metrics at a moment.
struct Figures(String);

impl Figures {
    /// The value of a series: its name, and what its labels say among others.
    fn find(&self, name: &str, labels: &[&str]) -> Option<f64> {
        let mut lines = self.0.lines().filter_map(|line| line.rsplit_once(' '));
        let is_it = |series: &str| {
            let (of, said) = series.split_once('{').unwrap_or((series, ""));
            of == name && labels.iter().all(|label| said.contains(label))
        };
        lines.find(|(series, _)| is_it(series)).map(|(_, value)| value.parse().expect("a number"))
    }

    /// The same; 0 if nothing was counted yet.
    fn count(&self, name: &str, labels: &[&str]) -> f64 {
        self.find(name, labels).unwrap_or_default()
    }
}

impl Fixture {
    async fn figures(&self) -> Figures {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/metrics", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(serve_metrics(self.metrics.clone(), self.service.clone(), listener));
        let asked = move || ureq::get(&url).call().expect("an answer").body_mut().read_to_string().expect("text");
        let text = tokio::task::spawn_blocking(asked).await.expect("asked");
        serving.abort();
        Figures(text)
    }

    /// What `/readyz` answers: its status and the problem's code.
    async fn ready(&self) -> (u16, String) {
        let answer = self.ask(get("/readyz")).await;
        (answer.status.as_u16(), answer.code())
    }
}

/// Requests that were faults, and those that were refused for now.
async fn failed(fixture: &Fixture) -> [f64; 2] {
    let figures = fixture.figures().await;
    ["fault", "refused"].map(|status| figures.count("arena_requests_total", &[&format!("status=\"{status}\"")]))
}

/// The alarms of `docs/operating.md`: the first cells of its table.
fn alarms() -> impl Iterator<Item = &'static str> {
    let (_, alarms) =
        include_str!("../../../../../docs/operating.md").split_once("## At three in the morning").expect("it");
    alarms.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).take_while(|cell| !cell.is_empty())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_raises_an_alarm_is_there_from_the_start() {
    let fixture = fixture().await;
    let figures = fixture.figures().await;
    let mut seen = 0;
    for series in alarms().flat_map(|cell| cell.split('`')).filter(|name| name.starts_with("arena_")) {
        let (name, labels) = series.split_once('{').unwrap_or((series, ""));
        let name = if name.ends_with("_seconds") && !labels.is_empty() { format!("{name}_count") } else { name.into() };
        let found = figures.find(&name, &[labels.trim_end_matches('}')]);
        assert_eq!(found.is_some(), !series.contains("backup_age"), "{series}");
        seen += 1;
    }
    assert!(seen > 9, "{seen}");
    let absent = alarms().find(|cell| cell.contains("backup_age")).expect("its alarm");
    assert!(absent.contains("or absent"), "{absent}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_does_not_answer_is_a_fault_and_no_refusal() {
    let fixture = fixture().await;
    assert_eq!(fixture.ready().await, (200, String::new()));
    assert_eq!(fixture.figures().await.find("arena_database_up", &[]), Some(1.0));
    assert_eq!(failed(&fixture).await, [0.0, 0.0]);
    fixture.counted.fail(true);
    assert_eq!(fixture.ready().await, (503, "unavailable".into()));
    assert_eq!(fixture.ask(get("/people")).await.status, 503);
    let figures = fixture.figures().await;
    assert_eq!(figures.find("arena_database_up", &[]), Some(0.0));
    assert_eq!(figures.find("arena_rooms", &[]), None, "nobody knows");
    assert!(figures.find("arena_disk_free_bytes", &[]).is_some_and(|bytes| bytes > 0.0), "this is known");
    assert_eq!(failed(&fixture).await, [2.0, 0.0]);
    fixture.counted.fail(false);
    assert_eq!(fixture.ready().await, (200, String::new()));
    assert_eq!(fixture.figures().await.find("arena_database_up", &[]), Some(1.0));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_without_room_for_anything_new_is_no_space_until_there_is_some() {
    let fixture = fixture().await;
    fixture.counted.fill(true);
    let full = fixture.ask(get("/readyz")).await;
    assert_eq!((full.status.as_u16(), full.code().as_str()), (503, "no_space"), "{}", full.text);
    assert_eq!(full.header("retry-after"), "600");
    assert_eq!(fixture.ask(get("/healthz")).await.status, 200, "a restart does not help");
    assert_eq!(fixture.ask(get("/standings")).await.status, 200, "what is there can be read");
    let figures = fixture.figures().await;
    assert_eq!(figures.count("arena_refusals_total", &["limit=\"no_space\""]), 1.0);
    assert_eq!(failed(&fixture).await, [1.0, 0.0], "somebody has to make space");
    fixture.counted.fill(false);
    assert_eq!(fixture.ready().await, (200, String::new()));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_for_now_is_counted_apart_from_faults_and_by_what_refused_it() {
    let fixture = fixture().await;
    let refusals = async |limit: &str, whose: &str| {
        let labels = [format!("limit=\"{limit}\""), format!("whose=\"{whose}\"")];
        fixture.figures().await.count("arena_refusals_total", &labels.each_ref().map(String::as_str))
    };
    let sign_up = |number: u32| post_json("/api/v1/accounts", json!({ "name": format!("Ann {number}") }));
    assert_eq!(fixture.act(json!({ "act": "close_accounts", "reason": "a test" })).await.status, 200);
    assert_eq!(fixture.ask(sign_up(0)).await.code(), "closed");
    assert_eq!((failed(&fixture).await, refusals("closed", "everybody").await), ([0.0, 1.0], 1.0));
    assert_eq!(fixture.act(json!({ "act": "open_accounts", "reason": "a test" })).await.status, 200);
    // Until the network's share of new accounts is used up.
    let mut created = 0;
    for number in 0..1_000 {
        if fixture.ask(sign_up(number)).await.status == 429 {
            break;
        }
        created += 1;
    }
    assert!((1..1_000).contains(&created), "{created} accounts");
    assert_eq!((failed(&fixture).await, refusals("new accounts", "network").await), ([0.0, 2.0], 1.0));
    // A request that is wrong is neither.
    assert_eq!(fixture.ask(get("/no/such/page")).await.status, 404);
    assert_eq!(failed(&fixture).await, [0.0, 2.0]);
    assert_eq!(fixture.figures().await.count("arena_requests_total", &["status=\"4xx\""]), 1.0);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_takes_long_is_seen_among_the_times_of_its_class() {
    let fixture = fixture().await;
    let slow = async |class: &str| {
        let (figures, class) = (fixture.figures().await, format!("class=\"{class}\""));
        let all = figures.count("arena_request_seconds_count", &[&class]);
        all - figures.count("arena_request_seconds_bucket", &["le=\"0.5\"", &class])
    };
    assert_eq!(fixture.ask(get("/people")).await.status, 200);
    assert_eq!(slow("page").await, 0.0);
    fixture.counted.slow_down(&fixture.clock, Duration::from_secs(1));
    assert_eq!(fixture.ask(get("/people")).await.status, 200);
    assert_eq!([slow("page").await, slow("file").await], [1.0, 0.0]);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_submission_that_no_machine_here_can_judge_grows_old_in_the_figures() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let waiting = async || {
        let figures = fixture.figures().await;
        ["arena_pending_versions", "arena_oldest_pending_seconds", "arena_unjudgeable_versions"]
            .map(|name| figures.find(name, &[]).expect("a series"))
    };
    assert_eq!(waiting().await, [0.0, 0.0, 0.0]);
    let bot = include_str!("../../../../../bots/gallery/mason/bot.wat");
    let part = |head: &str, body: &str| format!("--part\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n");
    let form = part("name=\"name\"", "mine") + &part("name=\"text\"", bot) + "--part--\r\n";
    let form = post("/submit", form).with("content-type", "multipart/form-data; boundary=part").bearer(&code);
    let submitted = fixture.ask(form).await;
    assert_eq!(submitted.status, 303, "{}", submitted.text);
    assert_eq!(waiting().await, [1.0, 0.0, 1.0]);
    assert!(fixture.figures().await.count("arena_judge_faults_total", &[]) >= 1.0);
    fixture.clock.advance(Duration::from_secs(1_801));
    assert_eq!(waiting().await[..2], [1.0, 1_801.0]);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_wait_and_workers_that_play_them_are_counted() {
    let fixture = fixture().await;
    let queue = async || {
        let figures = fixture.figures().await;
        ["arena_games_waiting", "arena_games_leased", "arena_workers"]
            .map(|name| figures.find(name, &[]).expect("a series"))
    };
    let oldest = async || fixture.figures().await.find("arena_oldest_game_seconds", &[]);
    assert_eq!(queue().await, [0.0, 0.0, 0.0]);
    fixture.games_wait().await;
    assert_eq!(queue().await, [3.0, 0.0, 0.0], "nobody plays them");
    assert_eq!(oldest().await, Some(0.0));
    fixture.clock.advance(Duration::from_secs(3_601));
    assert_eq!(oldest().await, Some(3_601.0));
    let worker = WorkerName::parse("one").expect("a name");
    fixture.store.claim(&worker, &["ab".repeat(32)], 2, 60_000).await.expect("claimed");
    assert_eq!(queue().await, [1.0, 2.0, 1.0]);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_backup_grows_old_in_the_figures() {
    let fixture = fixture().await;
    let age = async || fixture.figures().await.find("arena_backup_age_seconds", &[]);
    assert_eq!(age().await, None, "there is none");
    note_backup(&fixture.data, &fixture.clock).expect("noted");
    assert_eq!(age().await, Some(0.0));
    fixture.clock.advance(Duration::from_secs(200_001));
    assert_eq!(age().await, Some(200_001.0));
    note_backup(&fixture.data, &fixture.clock).expect("noted");
    assert_eq!(age().await, Some(0.0));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_that_are_tried_are_counted() {
    let fixture = fixture().await;
    let tried = async || fixture.figures().await.find("arena_operator_guesses_total", &[]);
    assert_eq!(tried().await, Some(0.0));
    assert_eq!(fixture.ask(get("/api/v1/operator").bearer(&OPERATOR[1..])).await.status, 401);
    assert_eq!(tried().await, Some(1.0));
    assert_eq!(fixture.ask(get("/api/v1/operator").bearer(OPERATOR)).await.status, 200);
    assert_eq!(tried().await, Some(1.0));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_that_the_site_takes_is_seen_and_so_is_what_it_gives_back() {
    /// From where on the documents say to worry.
    const BYTES: usize = 900_000_000;
    let fixture = fixture().await;
    let is_much = async || fixture.figures().await.find("arena_memory_bytes", &[]).expect("a series") > BYTES as f64;
    assert!(!is_much().await);
    let held = std::hint::black_box(vec![1_u8; BYTES]);
    assert!(is_much().await);
    drop(held);
    assert!(!is_much().await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_series_that_the_documents_name_is_there_and_names_nobody() {
    let fixture = fixture().await;
    fixture.account("Canary").await;
    note_backup(&fixture.data, &fixture.clock).expect("noted");
    assert_eq!(fixture.ask(get("/people")).await.status, 200);
    assert_eq!(fixture.act(json!({ "act": "close_accounts", "reason": "a test" })).await.status, 200);
    assert_eq!(fixture.ask(post_json("/api/v1/accounts", json!({ "name": "Ann" }))).await.status, 503);
    fixture.counted.fill(true);
    assert_eq!(fixture.ready().await.0, 503);
    fixture.counted.fill(false);
    let figures = fixture.figures().await;
    let documents = include_str!("../../../../../docs/operating.md");
    let named = documents.split('`').skip(1).step_by(2).filter(|code| code.starts_with("arena_"));
    let named: Vec<(&str, &str)> =
        named.map(|code| code.trim_end_matches('}').split_once('{').unwrap_or((code, ""))).collect();
    assert!(named.len() > 10, "{named:?}");
    for (name, label) in named {
        // Of times there are buckets, a sum and a count.
        let found = figures.find(name, &[label]).or_else(|| figures.find(&format!("{name}_count"), &[label]));
        assert!(found.is_some(), "there is no {name}{{{label}}}: {}", figures.0);
    }
    for used in ["arena_memory_bytes", "arena_processor_milliseconds"] {
        assert!(figures.find(used, &[]).is_some_and(|value| value > 0.0), "{used}");
    }
    assert!(!figures.0.contains("Canary") && !figures.0.contains("127.0.0"), "{}", figures.0);
    fixture.end().await;
}
