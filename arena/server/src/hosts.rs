//! The hosts that a request may name. Another site can let its name point to this machine (DNS rebinding): its requests
//! then come from the visitor's browser, with that name in the headers Host and Origin.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use axum::extract::{Request, State};
use axum::http::Uri;
use axum::http::header::HOST;
use axum::http::uri::{Authority, Scheme};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::{Code, Problem, Result};

/// Health checks, which are requested by machines that know only an address, and may share a network with anybody.
pub(crate) const HEALTH: [&str; 2] = ["/healthz", "/readyz"];

/// The address of a site in browsers: `https://` or `http://`, a host and perhaps a port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl {
    scheme: Scheme,
    authority: Authority,
}

/// What keeps a text from being the address of a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAPublicUrl {
    /// It has no scheme, or another one.
    #[error("the address of a site begins with https:// or http://, such as https://arena.example")]
    Scheme,
    /// It has a path.
    #[error("a site has a host of its own and no path: leave out what follows the host, as in https://arena.example")]
    Path,
    /// Its host has other letters than those of ASCII.
    #[error(
        "write the host as browsers send it, in Punycode: https://xn--mnchen-3ya.example, not https://münchen.example"
    )]
    NotAscii,
    /// Anything else.
    #[error("not the address of a site, such as https://arena.example")]
    Other,
}

impl PublicUrl {
    /// Whether browsers reach the site over TLS.
    pub fn is_secure(&self) -> bool {
        self.scheme == Scheme::HTTPS
    }

    fn is(&self, host: &Authority) -> bool {
        let port = |authority: &Authority| authority.port_u16().unwrap_or(if self.is_secure() { 443 } else { 80 });
        host.host().eq_ignore_ascii_case(self.authority.host()) && port(host) == port(&self.authority)
    }
}

impl FromStr for PublicUrl {
    type Err = NotAPublicUrl;

    fn from_str(text: &str) -> Result<PublicUrl, NotAPublicUrl> {
        if !text.is_ascii() {
            return Err(NotAPublicUrl::NotAscii);
        }
        let known = [Scheme::HTTP, Scheme::HTTPS];
        let lower = text.to_ascii_lowercase();
        if !known.iter().any(|scheme| lower.starts_with(&format!("{scheme}://"))) {
            return Err(NotAPublicUrl::Scheme);
        }
        let parts = text.parse::<Uri>().map_err(|_| NotAPublicUrl::Other)?.into_parts();
        let scheme = parts.scheme.ok_or(NotAPublicUrl::Scheme)?;
        let authority = parts.authority.filter(|authority| !authority.as_str().contains('@'));
        let authority = authority.ok_or(NotAPublicUrl::Other)?;
        let bare = parts.path_and_query.is_none_or(|path| path.as_str() == "/");
        if bare { Ok(PublicUrl { scheme, authority }) } else { Err(NotAPublicUrl::Path) }
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.authority)
    }
}

/// The hosts of a site: that of its public address. Without one, any IP address and `localhost`, because another site
/// cannot take those as its name.
#[derive(Clone, Debug)]
pub(crate) struct Hosts(pub(crate) Option<PublicUrl>);

impl Hosts {
    fn has(&self, host: &Authority) -> bool {
        match &self.0 {
            Some(public) => public.is(host),
            None => {
                let name = host.host().trim_start_matches('[').trim_end_matches(']');
                name.parse::<IpAddr>().is_ok() || name.eq_ignore_ascii_case("localhost")
            }
        }
    }

    /// Checks that a request names exactly one host, and that it is one of this site's.
    fn check(&self, request: &Request) -> Result<()> {
        let mut named = request.headers().get_all(HOST).iter();
        let (Some(host), None) = (named.next(), named.next()) else { return Err(no_host()) };
        let host: Authority = host.to_str().ok().and_then(|host| host.parse().ok()).ok_or_else(no_host)?;
        let other = request.uri().authority().is_some_and(|target| *target != host);
        if other || host.as_str().contains('@') {
            return Err(no_host());
        }
        if self.has(&host) || HEALTH.contains(&request.uri().path()) { Ok(()) } else { Err(foreign_host()) }
    }
}

/// Refuses requests that are meant for another site.
pub(crate) async fn checked(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    match hosts.check(&request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

fn no_host() -> Problem {
    let detail = "a request names its host, once";
    Problem::new(Code::BadHost, detail, "send one header Host with the arena's own name")
}

fn foreign_host() -> Problem {
    Problem::new(
        Code::ForeignHost,
        "the header Host does not name this arena",
        "use the arena's own address; its operator sets it with `arena serve --public-url`",
    )
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn status(public: Option<&str>, uri: &str, hosts: &[&str]) -> u16 {
        let mut request = Request::builder().uri(uri);
        for host in hosts {
            request = request.header(HOST, *host);
        }
        let request = request.body(Body::empty()).expect("a request");
        let hosts = Hosts(public.map(|public| public.parse().expect(public)));
        hosts.check(&request).map_or_else(|problem| problem.status, |()| 200)
    }

    #[test]
    fn a_site_with_a_name_answers_to_it_alone() {
        let public = Some("https://arena.example");
        for host in ["arena.example", "ARENA.example", "arena.example:443"] {
            assert_eq!(status(public, "/", &[host]), 200, "{host}");
        }
        for host in ["evil.example", "arena.example:80", "arena.example.evil.example", "127.0.0.1", "localhost"] {
            assert_eq!(status(public, "/", &[host]), 421, "{host}");
        }
        assert_eq!(status(public, "/healthz", &["127.0.0.1:8080"]), 200);
        assert_eq!(status(Some("http://arena.example:8080"), "/", &["arena.example:8080"]), 200);
        assert_eq!(status(Some("http://arena.example:8080"), "/", &["arena.example"]), 421);
    }

    #[test]
    fn a_site_without_a_name_answers_to_addresses() {
        for host in ["127.0.0.1:8080", "[::1]:8080", "192.0.2.7", "localhost:8080"] {
            assert_eq!(status(None, "/", &[host]), 200, "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example"] {
            assert_eq!(status(None, "/", &[host]), 421, "{host}");
        }
    }

    #[test]
    fn a_request_names_one_host() {
        for hosts in
            [&[][..], &["localhost", "localhost"], &["localhost", "evil.example"], &[""], &["a b"], &["u@localhost"]]
        {
            assert_eq!(status(None, "/", hosts), 400, "{hosts:?}");
        }
        assert_eq!(status(None, "http://localhost/", &["localhost"]), 200);
        assert_eq!(status(None, "http://evil.example/", &["localhost"]), 400);
    }

    #[test]
    fn a_public_address_is_a_scheme_and_a_host() {
        for good in ["https://arena.example", "http://127.0.0.1:8080", "https://arena.example/"] {
            assert!(good.parse::<PublicUrl>().is_ok(), "{good}");
        }
        for (bad, why) in [
            ("", NotAPublicUrl::Scheme),
            ("arena.example", NotAPublicUrl::Scheme),
            ("ftp://arena.example", NotAPublicUrl::Scheme),
            ("https://arena.example/play", NotAPublicUrl::Path),
            ("https://arena.example/?a", NotAPublicUrl::Path),
            ("https://münchen.example", NotAPublicUrl::NotAscii),
            ("https://u@arena.example", NotAPublicUrl::Other),
            ("https://", NotAPublicUrl::Other),
        ] {
            assert_eq!(bad.parse::<PublicUrl>(), Err(why), "{bad}");
        }
    }
}
