//! The files that pages load, compiled in.

use arena_record::Hex;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::problem::Problem;

/// Every file of `web/static` and the module of `web/engine`, by name.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// `GET /static/FILE`. Files may change with every release under the same name, so browsers ask again each time, and are
/// mostly told that nothing has changed.
pub(crate) async fn file(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let (_, bytes) = FILES.iter().find(|(known, _)| *known == name).ok_or_else(Problem::no_such_page)?;
    let digest = Sha256::digest(bytes);
    let tag = format!("\"{}\"", Hex::<16>(std::array::from_fn(|index| digest[index])));
    let cached = headers.get(IF_NONE_MATCH).is_some_and(|sent| sent.as_bytes() == tag.as_bytes());
    let head = [(CONTENT_TYPE, content_type(&name).to_owned()), (CACHE_CONTROL, "no-cache".into()), (ETAG, tag)];
    Ok(if cached { (StatusCode::NOT_MODIFIED, head).into_response() } else { (head, *bytes).into_response() })
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_type_and_the_engine_is_among_them() {
        assert!(FILES.iter().any(|(name, bytes)| *name == "arena_engine.wasm" && bytes.starts_with(b"\0asm")));
        for (name, bytes) in FILES {
            assert!(!bytes.is_empty(), "{name}");
            assert_ne!(content_type(name), "application/octet-stream", "{name}");
        }
    }
}
