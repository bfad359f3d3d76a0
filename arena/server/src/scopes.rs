//! The scope that a token needs for a request. A request that is not listed needs the widest scope, so that a new one is not opened
//! to tokens by oversight.

use arena_store::Scope;
use axum::http::Method;

/// The scope for a request, by its route; `None` if no token is enough.
pub(crate) fn needed(method: &Method, route: &str) -> Option<Scope> {
    match route {
        // A new code or token would allow everything for good, and a deletion cannot be undone.
        "/account/code" | "/account/token" | "/account/tokens" | "/account/tokens/{number}/revocation" => None,
        "/account/deletion" | "/api/v1/account/deletion" => None,
        "/api/v1/account/tokens" | "/api/v1/account/tokens/{number}/revocation" => None,
        // The method is that of reading, but turns are played through it.
        "/api/v1/rooms/{id}/socket" | "/api/v1/worlds/{name}/socket" => Some(Scope::Play),
        "/api/v1/volunteers/modules/{hash}" => Some(Scope::Work),
        _ if method.is_safe() => Some(Scope::Read),
        "/submit" | "/api/v1/bots/{name}/versions" => Some(Scope::Submit),
        // Tournaments are where submitted bots play.
        "/tournaments/new" | "/api/v1/tournaments" => Some(Scope::Submit),
        "/tournaments/{id}/entries" | "/api/v1/tournaments/{id}/entries" => Some(Scope::Submit),
        "/tournaments/{id}/withdrawals" | "/api/v1/tournaments/{id}/withdrawals" => Some(Scope::Submit),
        "/tournaments/{id}/start" | "/api/v1/tournaments/{id}/start" => Some(Scope::Submit),
        "/tournaments/{id}/cancellation" | "/api/v1/tournaments/{id}/cancellation" => Some(Scope::Submit),
        "/bots/{name}/challenges" | "/api/v1/bots/{name}/challenges" => Some(Scope::Submit),
        "/api/v1/rooms/{id}/commands" | "/api/v1/lobby" | "/api/v1/lobby/joins" | "/api/v1/lobby/pairings" => {
            Some(Scope::Play)
        }
        "/api/v1/worlds/{name}/commands" => Some(Scope::Play),
        "/play" | "/api/v1/rooms" | "/api/v1/rooms/{id}/turns" | "/api/v1/rooms/{id}/resignation" => Some(Scope::Play),
        "/api/v1/rooms/{id}/bots" => Some(Scope::Play),
        "/api/v1/volunteers/claims" | "/api/v1/volunteers/renewals" => Some(Scope::Work),
        "/api/v1/volunteers/returns" | "/api/v1/volunteers/ends" => Some(Scope::Work),
        _ => Some(Scope::All),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_that_is_named_here_is_one() {
        let (here, router, document) = (include_str!("scopes.rs"), include_str!("router.rs"), crate::openapi());
        let named = here.split("#[cfg(test)]").next().into_iter().flat_map(|text| text.split('"').skip(1).step_by(2));
        let mut seen = 0;
        for route in named {
            let quoted = format!("\"{route}\"");
            assert!(router.contains(&quoted) || document.contains(&quoted), "{route}");
            seen += 1;
        }
        assert!(seen >= 12, "{seen}");
    }

    #[test]
    fn what_is_not_listed_needs_the_most() {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            assert_eq!(needed(&method, "/api/v1/whatever/comes"), Some(Scope::All));
            assert_eq!(needed(&method, ""), Some(Scope::All));
        }
        assert_eq!(needed(&Method::GET, "/api/v1/account"), Some(Scope::Read));
        assert_eq!(needed(&Method::GET, "/api/v1/account/tokens"), None);
    }
}
