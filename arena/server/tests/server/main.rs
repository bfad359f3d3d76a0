//! The server from outside, over real connections: one module per concern.

mod games;
mod guide;
mod limits;
mod pages;
mod rooms;
mod safety;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use arena_server::{Assets, Site, Stop, serve};
use arena_service::{Config, Service};
use arena_store::MemoryStore;
use arena_worker::Pool;
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use ureq::Agent;
use ureq::http::{Response, StatusCode};

/// A server that ends with the test. Its workers cannot start: nothing here plays a module.
struct Fixture {
    address: SocketAddr,
    service: Service,
    stop: Stop,
    serving: JoinHandle<()>,
    _folder: TempDir,
}

async fn fixture() -> Fixture {
    let folder = tempfile::tempdir().expect("a folder");
    let pool = Pool::new(PathBuf::from("no-such-program"), Vec::new(), 0);
    let store = Arc::new(MemoryStore::default());
    let config = Config { store, data: folder.path().into(), pool, standing_threads: 1 };
    let service = Service::open(config).await.expect("a service");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let stop = Stop::default();
    let site = Site { service: service.clone(), assets: Assets::embedded(), secure: false, log_addresses: false };
    let serving = tokio::spawn(serve(site, listener, stop.clone()));
    Fixture { address, service, stop, serving, _folder: folder }
}

/// What was answered.
struct Answer {
    status: StatusCode,
    response: Response<()>,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }

    fn header(&self, name: &str) -> &str {
        self.response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().into()
    }
}

/// A request in the making.
#[derive(Clone, Default)]
struct Ask {
    method: &'static str,
    path: String,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

fn get(path: &str) -> Ask {
    Ask { method: "GET", path: path.into(), ..Ask::default() }
}

fn post(path: &str, body: impl Into<Vec<u8>>) -> Ask {
    Ask { method: "POST", path: path.into(), body: body.into(), ..Ask::default() }
}

fn post_json(path: &str, body: Value) -> Ask {
    post(path, body.to_string()).with("content-type", "application/json")
}

impl Ask {
    fn with(mut self, name: &'static str, value: impl Into<String>) -> Ask {
        self.headers.push((name, value.into()));
        self
    }

    fn bearer(self, code: &str) -> Ask {
        self.with("authorization", format!("Bearer {code}"))
    }

    fn form(self) -> Ask {
        self.with("content-type", "application/x-www-form-urlencoded")
    }
}

impl Fixture {
    async fn ask(&self, ask: Ask) -> Answer {
        let url = format!("http://{}{}", self.address, ask.path);
        let asked = tokio::task::spawn_blocking(move || {
            let config = Agent::config_builder().http_status_as_error(false).max_redirects(0);
            let agent: Agent = config.max_redirects_will_error(false).build().into();
            let mut request = ureq::http::Request::builder().method(ask.method).uri(&url);
            for (name, value) in &ask.headers {
                request = request.header(*name, value);
            }
            let response = match ask.method {
                "GET" => agent.run(request.body(()).expect("a request")),
                _ => agent.run(request.body(ask.body).expect("a request")),
            };
            let (parts, mut body) = response.expect("an answer").into_parts();
            let text = body.read_to_string().expect("text");
            (parts, text)
        });
        let (parts, text) = asked.await.expect("asked");
        Answer { status: parts.status, response: Response::from_parts(parts, ()), text }
    }

    /// An account's player code.
    async fn account(&self, name: &str) -> String {
        let answer = self.ask(post_json("/api/v1/accounts", serde_json::json!({ "name": name }))).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()["code"].as_str().expect("a code").into()
    }

    async fn end(self) {
        self.stop.now();
        self.serving.await.expect("served");
        self.service.close().await;
    }
}
