//! Whose processor time is measured: that of every address, or it is said why not. `cargo xtask night --only costs`
//! measures them.

use arena_server::ASIDE;

use crate::routes::{CHANGES, PAGES, UNMEASURED, Why, is_of};
use crate::snapshot::{addresses, addresses_of_machines};

/// Every address, with a method.
fn all() -> Vec<(String, String)> {
    [addresses(), addresses_of_machines()].concat()
}

/// Whether what is asked of a site, or changed there, is of this address.
fn is_measured(all: &[(String, String)], method: &str, address: &str) -> bool {
    let is_asked = |page: &&str| {
        let path = page.split('?').next().unwrap_or_default();
        // `/rules/world` is none of `/rules/{game}`.
        is_of(address, path) && (address == path || all.iter().all(|(_, other)| other != path))
    };
    let route = format!("{method} {address}");
    let is_changed = |change: &&str| change.split(": ").next() == Some(&*route);
    method == "GET" && PAGES.iter().any(is_asked) || CHANGES.iter().any(is_changed)
}

fn read(route: &str) -> (&str, &str) {
    route.split_once(' ').expect("a method and an address")
}

#[test]
fn every_address_is_measured_or_says_why_not() {
    let all = all();
    assert!(all.len() > 100 && all.iter().any(|(_, address)| address == "/healthz"), "{all:?}");
    let excused = |method: &str, address: &str| UNMEASURED.iter().any(|(route, _)| read(route) == (method, address));
    for (method, address) in &all {
        let (is_measured, is_excused) = (is_measured(&all, method, address), excused(method, address));
        assert!(is_measured != is_excused, "{method} {address}: measured {is_measured}, excused {is_excused}");
    }
}

#[test]
fn what_excuses_an_address_and_what_is_measured_is_there() {
    let all = all();
    let is_there = |route: &str| all.iter().any(|(method, address)| read(route) == (method, address));
    for (route, why) in UNMEASURED {
        assert!(is_there(route), "{route}");
        match why {
            Why::Does(other) => {
                let (method, address) = read(other);
                assert!(is_measured(&all, method, address), "{route} is excused by {other}");
            }
            Why::Itself(reason) => assert!(reason.contains(' '), "{route}: {reason}"),
        }
    }
    for change in CHANGES {
        assert!(is_there(change.split(": ").next().unwrap_or_default()), "{change}");
    }
    let does = |route: (&str, &str)| {
        UNMEASURED.iter().find_map(|(other, why)| match why {
            Why::Does(what) if read(other) == route => Some(read(what)),
            _ => None,
        })
    };
    for (method, address) in ASIDE {
        assert!(does((method, address)).is_some() || is_measured(&all, method, address), "{method} {address}");
    }
    for (method, address) in &all {
        let route = (method.as_str(), address.as_str());
        let is_long = does(route).is_some_and(|what| ASIDE.contains(&what));
        assert!(!is_long || ASIDE.contains(&route), "{method} {address} does what keeps others waiting");
    }
    for page in PAGES {
        let path = page.split('?').next().unwrap_or_default();
        assert!(all.iter().any(|(method, address)| method == "GET" && is_of(address, path)), "{page}");
    }
}
