//! Answers that compute for long keep nobody waiting. Not here: what they cost, see `visitors::table`.

use std::future::poll_fn;
use std::pin::pin;

use tokio::task::block_in_place;

/// The requests that may take more than twenty times as much of the processor as `/healthz`: method and route. All
/// others stay below, which `cargo xtask night --only costs` measures; forms do what the API does.
pub const ASIDE: [(&str, &str); 12] = [
    ("GET", "/bots/{name}"),
    ("POST", "/api/v1/bots/{name}/versions"),
    ("POST", "/api/v1/checks"),
    ("POST", "/submit"),
    ("POST", "/api/v1/tournaments"),
    ("POST", "/tournaments/new"),
    ("POST", "/api/v1/account/deletion"),
    ("POST", "/account/deletion"),
    ("POST", "/account"),
    ("POST", "/api/v1/accounts"),
    ("POST", "/session"),
    ("POST", "/operator/session"),
];

/// Whether the answer to a request is one of [`ASIDE`].
pub(crate) fn is_aside(method: &str, route: &str) -> bool {
    ASIDE.contains(&(if method == "HEAD" { "GET" } else { method }, route))
}

/// The output of a future. While it computes, the other tasks of its thread move to another thread. It needs a runtime
/// of several threads.
pub(crate) async fn aside<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|context| block_in_place(|| future.as_mut().poll(context))).await
}
