//! The scope that a token needs for a request. A request that is not listed needs the widest scope, so that a new one
//! is not opened to tokens by oversight.

use arena_store::Scope;
use axum::http::Method;

use crate::security::shows_logs;

/// Whether a token with a scope may make a request that needs `needed`. No program that plays needs logs.
pub(crate) fn may(scope: Scope, needed: Scope, route: &str) -> bool {
    scope.covers(needed) && (scope != Scope::Play || !shows_logs(route))
}

/// The scope for a request, by its route; `None` if no token is enough.
pub(crate) fn needed(method: &Method, route: &str) -> Option<Scope> {
    match route {
        // A new code or token would allow everything for good, and a deletion cannot be undone. The page lists the
        // tokens.
        "/account" | "/account/code" | "/account/token" | "/account/tokens" | "/account/tokens/{number}/revocation" => {
            None
        }
        "/account/deletion" | "/api/v1/account/deletion" => None,
        "/api/v1/account/tokens" | "/api/v1/account/tokens/{number}/revocation" => None,
        // The method is that of reading, but turns are played through it.
        "/api/v1/rooms/{id}/socket" | "/api/v1/worlds/{name}/socket" => Some(Scope::Play),
        "/api/v1/volunteers/modules/{hash}" => Some(Scope::Work),
        // Everything at once is more than a program needs that reads or plays.
        "/api/v1/account/export" | "/api/v1/account/games.tar" => Some(Scope::All),
        _ if method.is_safe() => Some(Scope::Read),
        "/submit" | "/api/v1/bots/{name}/versions" | "/api/v1/checks" => Some(Scope::Submit),
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
    use std::collections::BTreeSet;

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

    /// What a token needs for each request about its account.
    const OF_THE_ACCOUNT: [(Method, &str, Option<Scope>); 16] = [
        (Method::GET, "/account", None),
        (Method::POST, "/account", None),
        (Method::POST, "/account/name", Some(Scope::All)),
        (Method::GET, "/account/code", None),
        (Method::POST, "/account/code", None),
        (Method::POST, "/account/tokens", None),
        (Method::POST, "/account/tokens/{number}/revocation", None),
        (Method::GET, "/account/token", None),
        (Method::POST, "/account/deletion", None),
        (Method::GET, "/api/v1/account", Some(Scope::Read)),
        (Method::GET, "/api/v1/account/export", Some(Scope::All)),
        (Method::GET, "/api/v1/account/games.tar", Some(Scope::All)),
        (Method::POST, "/api/v1/account/deletion", None),
        (Method::GET, "/api/v1/account/tokens", None),
        (Method::POST, "/api/v1/account/tokens", None),
        (Method::POST, "/api/v1/account/tokens/{number}/revocation", None),
    ];

    #[test]
    fn each_request_about_the_account_is_in_the_table_and_needs_what_it_says() {
        let document: serde_json::Value = serde_json::from_str(&crate::openapi()).expect("JSON");
        let paths = document["paths"].as_object().expect("paths").iter();
        let of_programs = paths.flat_map(|(path, item)| {
            item.as_object().into_iter().flatten().map(move |(method, _)| (method.to_uppercase(), path.clone()))
        });
        let of_people = include_str!("router.rs").lines().flat_map(|line| {
            let path = line.split(".route(\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
            let methods = ["get(", "post("].into_iter().filter(move |method| line.contains(*method));
            methods.map(move |method| (method.trim_end_matches('(').to_uppercase(), path.to_owned()))
        });
        let is_of_account = |path: &str| path.trim_start_matches("/api/v1").split('/').nth(1) == Some("account");
        let found: BTreeSet<(String, String)> =
            of_programs.chain(of_people).filter(|(_, path)| is_of_account(path)).collect();
        let told: BTreeSet<(String, String)> =
            OF_THE_ACCOUNT.iter().map(|(method, path, _)| (method.to_string(), (*path).to_owned())).collect();
        assert_eq!(found, told);
        for (method, path, wanted) in OF_THE_ACCOUNT {
            assert_eq!(needed(&method, path), wanted, "{method} {path}");
            for scope in Scope::EVERY {
                let may = needed(&method, path).is_some_and(|needed| scope.covers(needed));
                let is_named = match wanted {
                    Some(Scope::Read) => scope != Scope::Work,
                    Some(_) => scope == Scope::All,
                    None => false,
                };
                assert_eq!(may, is_named, "{method} {path} by {scope:?}");
            }
        }
    }

    #[test]
    fn private_logs_are_for_those_scopes_that_read_or_submit() {
        let document: serde_json::Value = serde_json::from_str(&crate::openapi()).expect("JSON");
        let of_programs = document["paths"].as_object().expect("paths").keys().map(String::as_str);
        let of_people = include_str!("router.rs").split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next());
        let shown: BTreeSet<&str> = of_programs.chain(of_people).filter(|route| shows_logs(route)).collect();
        let known = [
            "/api/v1/bots/{name}/versions/{number}/logs",
            "/api/v1/games/{id}/again",
            "/api/v1/games/{id}/log",
            "/api/v1/games/{id}/profile",
            "/bots/{name}/versions/{number}",
            "/games/{id}/again",
            "/games/{id}/log",
            "/games/{id}/profile",
        ];
        assert_eq!(shown, BTreeSet::from(known));
        for route in known {
            let needed = needed(&Method::GET, route).expect("a token is enough");
            let readers = Scope::EVERY.into_iter().filter(|scope| may(*scope, needed, route));
            assert!(readers.eq([Scope::Read, Scope::Submit, Scope::All]), "{route}");
        }
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
