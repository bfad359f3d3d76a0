//! A client that asks the fixture's server.

use serde_json::Value;
use ureq::Agent;
use ureq::http::{Response, StatusCode};

use crate::fixture::Fixture;

/// What was answered.
pub(crate) struct Answer {
    /// What was asked: method and path.
    pub(crate) asked: String,
    pub(crate) status: StatusCode,
    pub(crate) response: Response<()>,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The cookies that it sets, each as `name=value`, in the order of their names.
    pub(crate) fn cookies(&self) -> Vec<String> {
        let set = self.response.headers().get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
        let mut cookies: Vec<String> = set.map(|value| value.split(';').next().unwrap_or_default().into()).collect();
        cookies.sort();
        cookies
    }

    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().into()
    }
}

/// A request in the making.
#[derive(Clone, Default)]
pub(crate) struct Ask {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn get(path: &str) -> Ask {
    Ask { method: "GET", path: path.into(), ..Ask::default() }
}

pub(crate) fn post(path: &str, body: impl Into<Vec<u8>>) -> Ask {
    Ask { method: "POST", path: path.into(), body: body.into(), ..Ask::default() }
}

pub(crate) fn post_json(path: &str, body: Value) -> Ask {
    post(path, body.to_string()).with("content-type", "application/json")
}

pub(crate) fn put_json(path: &str, body: Value) -> Ask {
    Ask { method: "PUT", ..post_json(path, body) }
}

pub(crate) fn delete(path: &str) -> Ask {
    Ask { method: "DELETE", path: path.into(), ..Ask::default() }
}

impl Ask {
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Ask {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn bearer(self, code: &str) -> Ask {
        self.with("authorization", format!("Bearer {code}"))
    }

    pub(crate) fn form(self) -> Ask {
        self.with("content-type", "application/x-www-form-urlencoded")
    }
}

impl Fixture {
    pub(crate) async fn ask(&self, ask: Ask) -> Answer {
        let asked = format!("{} {}", ask.method, ask.path);
        let url = format!("http://{}{}", self.address, ask.path);
        let words = asked.clone();
        let answered = tokio::task::spawn_blocking(move || {
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
            let (parts, mut body) =
                response.unwrap_or_else(|error| panic!("{words} is not answered: {error}")).into_parts();
            // Fonts and modules are asked for, too.
            let text = String::from_utf8_lossy(&body.read_to_vec().expect("bytes")).into_owned();
            (parts, text)
        });
        let (parts, text) = answered.await.expect("asked");
        Answer { asked, status: parts.status, response: Response::from_parts(parts, ()), text }
    }

    /// An account's player code.
    pub(crate) async fn account(&self, name: &str) -> String {
        let answer = self.ask(post_json("/api/v1/accounts", serde_json::json!({ "name": name }))).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()["code"].as_str().expect("a code").into()
    }
}
