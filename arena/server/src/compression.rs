//! Compression of what is made for a visitor: pages, answers in JSON, records. Short answers are compressed where they
//! are sent, long ones beside the threads that serve everybody.

use std::io::Write;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::task::spawn_blocking;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};

/// Smallest answer that is compressed, in bytes; below, nothing is gained.
const BYTES_MIN: u16 = 512;
/// Smallest answer that is compressed on a thread of its own, in bytes: a millisecond, several times what a short
/// answer takes in all.
const ASIDE_BYTES_MIN: u64 = 48 << 10;
/// Compression level: about a millisecond for 50 kB.
const QUALITY: u32 = 4;
/// Bytes of the window, as a power of two: the usual one.
const WINDOW_BITS: u32 = 22;

/// The layer for short answers.
pub(crate) fn layer() -> CompressionLayer<impl Predicate> {
    let is_open = |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| is_open(headers);
    CompressionLayer::new()
        .quality(CompressionLevel::Precise(QUALITY as i32))
        .compress_when(SizeAbove::new(BYTES_MIN.into()).and(is_open))
}

fn header(headers: &HeaderMap, name: HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Whether an answer is text.
pub(crate) fn is_text(headers: &HeaderMap) -> bool {
    let kind = header(headers, CONTENT_TYPE);
    kind.starts_with("text/") || kind.contains("json")
}

/// Whether an answer may be compressed. It must contain no secret, which its compressed length could reveal.
fn is_open(headers: &HeaderMap) -> bool {
    !header(headers, CACHE_CONTROL).contains("no-store") && is_text(headers)
}

/// Whether the visitor's browser accepts brotli.
pub(crate) fn takes_brotli(headers: &HeaderMap) -> bool {
    let mut codings = header(headers, ACCEPT_ENCODING)
        .split(',')
        .map(|coding| coding.split_once(';').map_or(coding, |(coding, _)| coding).trim());
    codings.any(|coding| coding.eq_ignore_ascii_case("br"))
}

/// Bytes in brotli.
pub(crate) fn brotli(bytes: &[u8], quality: u32, window_bits: u32) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut writer = ::brotli::CompressorWriter::new(&mut packed, 4096, quality, window_bits);
    // Writing to memory cannot fail.
    let _ = writer.write_all(bytes);
    drop(writer);
    packed
}

/// Compresses long answers.
pub(crate) async fn aside(request: Request, next: Next) -> Response {
    let takes = takes_brotli(request.headers());
    let answer = next.run(request).await;
    let is_long = answer.body().size_hint().exact().is_some_and(|bytes| bytes >= ASIDE_BYTES_MIN);
    let is_plain = !answer.headers().contains_key(CONTENT_ENCODING);
    if !(takes && is_long && is_plain && is_open(answer.headers())) {
        return answer;
    }
    let (mut parts, body) = answer.into_parts();
    let packed = async {
        // It is in memory: its length is known.
        let whole = to_bytes(body, usize::MAX).await.ok()?;
        spawn_blocking(move || brotli(&whole, QUALITY, WINDOW_BITS)).await.ok()
    };
    let Some(packed) = packed.await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
    if parts.headers.get(VARY).is_none_or(|vary| vary != "accept-encoding") {
        parts.headers.append(VARY, HeaderValue::from_static("accept-encoding"));
    }
    Response::from_parts(parts, Body::from(packed))
}
