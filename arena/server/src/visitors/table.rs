//! The table of all limits of visitors. `arena limits` and `/api/v1/limits` print it.

use std::time::Duration;

use arena_limits::Limit;

use crate::limit_kind::LimitKind;
use crate::limits::{
    ALL_EDITIONS_COST, ARCHIVE_SECONDS, ARCHIVES_AT_ONCE_MAX, ARCHIVES_NETWORK_MAX, BODY_FRAMES_A_UNIT, HEAD_DEADLINE,
    HOLDERS_COST, MODULE_KILOBYTES_A_UNIT, NAME_COST, PING_EVERY, POLL_HELD, SILENCE_MAX, TURNED_AWAY_MAX,
    TURNED_AWAY_NETWORK_MAX, VERDICT_WAIT, WHOLE_WORLD_COST,
};

/// A bucket of a given size that refills steadily.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    pub(crate) burst: u32,
    pub(crate) per_hour: u32,
}

/// A limit on a rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) what: LimitKind,
    /// An account's share; `None` if there is no account yet.
    pub(crate) account: Option<Bucket>,
    /// A network's share; a whole class or office may use one network.
    pub(crate) network: Bucket,
    /// The common share of all visitors.
    pub(crate) everybody: Bucket,
    reason: &'static str,
}

/// A limit on things that are held at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtOnce {
    pub(crate) what: LimitKind,
    pub(crate) account: Option<u32>,
    pub(crate) network: u32,
    pub(crate) everybody: u32,
    /// Time after which an abandoned one is released.
    pub(crate) free_after: Duration,
    pub(crate) reason: &'static str,
}

/// For each that a visitor's networks have, on average, so many must be left for everybody else. A /48 or a /16 gets a
/// fifth of what is there, a /32 a third.
pub(super) const LEFT_FOR_EACH_MAX: f64 = 9.0;
/// The part of what would leave a lone network exactly its share. It gets that, too, when it comes again before all is
/// forgotten.
const LEFT_PART: f64 = 0.8;

/// The same, given the share of everybody and that of a network.
pub(super) fn left_for_each(everybody: u32, network: u32) -> f64 {
    (LEFT_PART * (f64::from(everybody) / f64::from(network.max(1)) - 1.0)).min(LEFT_FOR_EACH_MAX)
}

const fn bucket(burst: u32, per_hour: u32) -> Bucket {
    Bucket { burst, per_hour }
}

/// Limits on rates. A request takes its [`cost`], a submission the kilobytes of its module besides, and everything else
/// takes one.
pub(crate) const RATES: [Rate; 15] = [
    Rate {
        what: LimitKind::Requests,
        account: Some(bucket(6_000, 720_000)),
        // A page with its files costs about 70.
        network: bucket(12_000, 1_440_000),
        everybody: bucket(120_000, 28_800_000),
        reason: "200 a second for an account, 400 for a network, 8,000 in all; a page with its files costs about 70",
    },
    Rate {
        what: LimitKind::Accounts,
        account: None,
        network: bucket(40, 20),
        everybody: bucket(400, 720),
        reason: "a school class can sign up within an hour; filling 100,000 accounts takes days",
    },
    Rate {
        what: LimitKind::Sessions,
        account: None,
        network: bucket(60, 360),
        everybody: bucket(1_000, 7_200),
        reason: "each writes a row; a person signs in once in half a year",
    },
    Rate {
        what: LimitKind::Rooms,
        account: Some(bucket(20, 120)),
        network: bucket(60, 360),
        everybody: bucket(600, 18_000),
        reason: "each starts an opponent and takes one of the open places",
    },
    Rate {
        what: LimitKind::Uploads,
        account: Some(bucket(30, 30)),
        network: bucket(120, 120),
        everybody: bucket(600, 1_200),
        reason: "each costs a compilation and its sample games",
    },
    // An account's take its submissions.
    Rate {
        what: LimitKind::Checks,
        account: None,
        network: bucket(10, 20),
        everybody: bucket(100, 400),
        reason: "each costs what a submission does, and takes one of its network's; who wants more claims a name",
    },
    Rate {
        what: LimitKind::Kilobytes,
        account: Some(bucket(16 << 10, 2 << 10)),
        network: bucket(64 << 10, 4 << 10),
        everybody: bucket(256 << 10, 40 << 10),
        reason: "accepted modules stay; a network that submits all the time fills the space for them in half a year",
    },
    Rate {
        what: LimitKind::Replays,
        account: Some(bucket(20, 60)),
        network: bucket(80, 240),
        everybody: bucket(400, 1_200),
        reason: "each starts all bots of a game and plays it to its end, a second or two, one at a time",
    },
    Rate {
        what: LimitKind::Tournaments,
        account: Some(bucket(60, 120)),
        network: bucket(240, 480),
        everybody: bucket(1_200, 4_800),
        reason: "each writes a line of a tournament's log; a class enters its bots in a minute",
    },
    Rate {
        what: LimitKind::Plies,
        account: Some(bucket(200, 18_000)),
        network: bucket(1_200, 180_000),
        everybody: bucket(6_000, 3_600_000),
        reason: "a person plays one every few seconds, and each is written to the disk",
    },
    Rate {
        what: LimitKind::Joins,
        account: Some(bucket(15, 900)),
        network: bucket(60, 3_600),
        everybody: bucket(600, 36_000),
        reason: "15 a minute for an account: nobody finds a room's code by trying",
    },
    Rate {
        what: LimitKind::Calls,
        account: Some(bucket(40, 7_200)),
        network: bucket(160, 14_400),
        everybody: bucket(400, 28_800),
        reason: "8 a second in all: each is written to the disk, and told to everybody who watches the world",
    },
    Rate {
        what: LimitKind::Cells,
        account: Some(bucket(1_000, 108_000)),
        network: bucket(3_000, 270_000),
        everybody: bucket(9_000, 540_000),
        reason: "150 a second in all: each is ten bytes to everybody who watches the world",
    },
    Rate {
        what: LimitKind::Seats,
        account: Some(bucket(10, 60)),
        network: bucket(40, 240),
        everybody: bucket(200, 1_200),
        reason: "each may compile a bot, and everybody who watches the world asks for the names again",
    },
    Rate {
        what: LimitKind::Forms,
        account: None,
        network: bucket(20, 1_200),
        everybody: bucket(200, 12_000),
        reason: "what was typed comes back though it was not admitted, which nobody pays for; a person types few a minute",
    },
];

/// Limits on what is held at once.
pub(crate) const AT_ONCE: [AtOnce; 5] = [
    AtOnce {
        what: LimitKind::Connections,
        account: None,
        network: 400,
        everybody: 15_000,
        free_after: HEAD_DEADLINE,
        reason: "each costs two buffers and a descriptor; a browser opens six",
    },
    AtOnce {
        what: LimitKind::Sockets,
        account: Some(40),
        network: 200,
        everybody: 12_500,
        // Silence is looked for with each ping.
        free_after: Duration::from_secs(SILENCE_MAX.as_secs() + PING_EVERY.as_secs()),
        reason: "fewer than connections, so that pages are answered whatever sockets there are",
    },
    AtOnce {
        what: LimitKind::Polls,
        account: Some(12),
        network: 200,
        everybody: 4_000,
        free_after: POLL_HELD,
        reason: "each holds a connection where sockets do not get through; a page has one",
    },
    AtOnce {
        what: LimitKind::Waiting,
        account: Some(3),
        network: 40,
        everybody: 1_000,
        free_after: Duration::from_secs(arena_service::limits::WAITING_SECONDS_MAX as u64),
        reason: "rooms that wait for others: who opens more is in none of them, and the lobby has room for several networks",
    },
    AtOnce {
        what: LimitKind::Checking,
        account: Some(2),
        network: 4,
        everybody: 60,
        free_after: VERDICT_WAIT,
        reason: "each has a module of up to a megabyte in memory until its turn with the judge",
    },
];

/// The limit on archives that are sent at once. It is no row of the table above: a network may have a quarter of so
/// few.
pub(super) const ARCHIVES: AtOnce = AtOnce {
    what: LimitKind::Archives,
    account: None,
    network: ARCHIVES_NETWORK_MAX,
    everybody: ARCHIVES_AT_ONCE_MAX,
    free_after: Duration::from_secs(ARCHIVE_SECONDS),
    reason: "each holds a thread as long as its visitor reads",
};

/// The limit on connections without a place that are still told so. It is no row of the table above, either.
pub(super) const TURNED_AWAY: AtOnce = AtOnce {
    what: LimitKind::Connections,
    account: None,
    network: TURNED_AWAY_NETWORK_MAX,
    everybody: TURNED_AWAY_MAX,
    free_after: HEAD_DEADLINE,
    reason: "each holds a descriptor until it was answered",
};

pub(super) fn at_once(what: LimitKind) -> AtOnce {
    // Both kinds have a row, as a test checks.
    AT_ONCE.into_iter().find(|row| row.what == what).unwrap_or(AT_ONCE[0])
}

/// Cost of a file from memory, in units of what `/healthz` takes of the processor, as all costs here.
/// `cargo xtask night --only costs` measures that no answer takes more than it costs; what bots take for it has a share
/// of its own ([`LimitKind::Replays`], [`LimitKind::Uploads`]).
pub(super) const FILE: u32 = 2;
/// Cost of an answer of the API, such as a page of a list.
const ANSWER: u32 = 10;
/// Cost of a page: a few answers, written in HTML and compressed.
const PAGE: u32 = 20;
/// Cost of a bot's page, a module of up to a megabyte, a picture that is drawn, or a search of the whole guide.
const PICTURE: u32 = 40;
/// Cost of a change, which writes to the disk.
const CHANGE: u32 = 40;
/// Cost of deleting an account with all that is its own.
const DELETION: u32 = 100;
/// Cost of all data of a tournament or an account: up to hundreds of pages, sent as a file.
const ALL: u32 = 400;
/// Cost of replaying a whole game.
const GAME_AGAIN: u32 = 800;
/// Bytes of an answer in text for each of which it costs at least one: it is written for the visitor and compressed.
/// 630 kB, the standings of 64 entrants, take 156 times what `/healthz` does.
const TEXT_BYTES: u64 = 2 << 10;

/// The cost of an answer in text, by its length.
pub(super) fn cost_of_text(bytes: u64) -> u32 {
    u32::try_from(bytes / TEXT_BYTES).unwrap_or(u32::MAX)
}

/// The class of a request in figures, by its route: how long an answer takes depends on it.
pub(crate) fn class(changes: bool, route: &str) -> &'static str {
    match route {
        "/api/v1/rooms/{id}/events" | "/api/v1/worlds/{name}/events" | "/api/v1/lobby" if !changes => "held",
        "/submit" | "/api/v1/bots/{name}/versions" | "/api/v1/checks" if changes => "judged",
        "/bots/{name}" => "page",
        _ => match cost(changes, route) {
            FILE => "file",
            ANSWER | PAGE => "page",
            ALL => "archive",
            GAME_AGAIN => "game_again",
            _ if changes => "change",
            _ => "picture",
        },
    }
}

/// The cost of a request, by its route.
pub(super) fn cost(changes: bool, route: &str) -> u32 {
    match route {
        "/static/{version}/{*file}" | "/healthz" | "/readyz" => FILE,
        "/games/{id}/log" | "/games/{id}/again" | "/games/{id}/profile" => GAME_AGAIN,
        "/api/v1/games/{id}/log" | "/api/v1/games/{id}/again" | "/api/v1/games/{id}/profile" => GAME_AGAIN,
        "/api/v1/tournaments/{id}/folder" | "/api/v1/account/games.tar" | "/api/v1/account/export" => ALL,
        "/api/v1/modules/{hash}" | "/games/{id}/picture.png" | "/bots/{name}/picture.png" | "/guide/search" => PICTURE,
        "/bots/{name}" => PICTURE,
        "/account/deletion" | "/api/v1/account/deletion" => DELETION,
        _ if changes => CHANGE,
        // All that its page has.
        "/api/v1/operator" => PAGE,
        _ if route.starts_with("/api/") => ANSWER,
        _ => PAGE,
    }
}

/// The rows of the table as named limits.
pub(crate) fn limits() -> Vec<Limit> {
    let word = |what: LimitKind| format!("{what:?}").to_lowercase();
    let rates = RATES.into_iter().flat_map(|Rate { what, account, network, everybody, reason }| {
        let buckets = [("account", account), ("network", Some(network)), ("arena", Some(everybody))];
        buckets.into_iter().filter_map(|(whose, bucket)| Some((whose, bucket?))).flat_map(move |(whose, bucket)| {
            let row =
                |name, value: u32, unit| Limit::named(format!("{}_{name}_{whose}", word(what)), value, unit, reason);
            let (at_once, per_hour) = units(whose, what == LimitKind::Requests);
            [row("burst", bucket.burst, at_once), row("per_hour", bucket.per_hour, per_hour)]
        })
    });
    let held = AT_ONCE.into_iter().flat_map(|AtOnce { what, account, network, everybody, reason, .. }| {
        let rows = [("account", account), ("network", Some(network)), ("arena", Some(everybody))];
        rows.into_iter().filter_map(move |(whose, most)| {
            let (unit, _) = units(whose, false);
            Some(Limit::named(format!("{}_{whose}", word(what)), most?, unit, reason))
        })
    });
    let prices = [
        ("cost_file", FILE, "it is in memory"),
        ("cost_answer", ANSWER, "a few queries"),
        ("cost_page", PAGE, "a few queries, written in HTML and compressed"),
        (
            "cost_picture",
            PICTURE,
            "a module has up to a megabyte, a picture is drawn, the whole guide is searched, a bot's page looks up a dozen things",
        ),
        ("cost_change", CHANGE, "it is written to the disk"),
        ("cost_deletion", DELETION, "an account ends with its sessions, tokens, bots, tournaments and games of people"),
        ("cost_world", WHOLE_WORLD_COST, "half a megabyte, beside the request"),
        ("cost_world_names", HOLDERS_COST, "two queries, over a socket"),
        ("cost_name", NAME_COST, "a query"),
        ("cost_all_editions", ALL_EDITIONS_COST, "up to some hundred milliseconds, beside the request"),
        ("cost_all", ALL, "all of a tournament or an account is up to hundreds of pages"),
        ("cost_game_again", GAME_AGAIN, "a second or two of a core"),
    ];
    let of_text = Limit::new(
        "cost_text_bytes",
        TEXT_BYTES,
        "bytes of an answer in text, for each of which it costs at least one",
        "it is written for the visitor and compressed",
    );
    let of_module = Limit::new(
        "cost_module_kilobytes",
        MODULE_KILOBYTES_A_UNIT.into(),
        "KiB of a submitted module, for each of which it costs one more",
        "it is received, hashed and looked through",
    );
    let of_frames = Limit::new(
        "cost_body_frames",
        BODY_FRAMES_A_UNIT.into(),
        "chunks or packets of a request's body, for each of which it costs one more",
        "each wakes the request, however few bytes it has; a hundred take what one /healthz does",
    );
    let unit = "of the cost of requests, each the processor time of one /healthz";
    let prices = prices.map(|(name, cost, reason)| Limit::new(name, cost.into(), unit, reason));
    let left = Limit::new(
        "left_for_each_max",
        LEFT_FOR_EACH_MAX as u64,
        "for everybody else, for each that a visitor's networks (IPv4 /16 and /24, IPv6 /32 to /64) have on average",
        "what is everybody's goes to the least served first: no provider's networks shut out the others",
    );
    rates.chain(held).chain(prices).chain([of_text, of_module, of_frames, left]).collect()
}

/// The units of an amount at once, and of one within an hour.
fn units(whose: &str, by_cost: bool) -> (&'static str, &'static str) {
    match (whose, by_cost) {
        ("account", false) => ("of an account at once", "of an account within an hour"),
        ("account", true) => ("cost of an account's requests at once", "cost of an account's requests within an hour"),
        ("network", false) => ("of a network (IPv4 /24, IPv6 /56) at once", "of a network within an hour"),
        ("network", true) => ("cost of a network's requests at once", "cost of a network's requests within an hour"),
        (_, false) => ("of the arena at once", "of the arena within an hour"),
        (_, true) => ("cost of all requests at once", "cost of all requests within an hour"),
    }
}

#[cfg(test)]
mod tests {
    use arena_store::{Limits, MODULE_BYTES_MAX};

    use super::*;

    #[test]
    fn a_network_has_a_part_of_everybodys_share_and_an_account_a_part_of_its_networks() {
        for Rate { what, account, network, everybody, .. } in RATES {
            let account = account.unwrap_or(network);
            assert!(account.burst <= network.burst && account.per_hour <= network.per_hour, "{what:?}");
            assert!(network.burst * 2 <= everybody.burst && network.per_hour * 2 <= everybody.per_hour, "{what:?}");
        }
        for AtOnce { what, account, network, everybody, .. } in AT_ONCE {
            assert_eq!(at_once(what).what, what);
            assert!(account.unwrap_or(network) <= network && network * 10 <= everybody, "{what:?}");
        }
        let [connections, sockets, ..] = AT_ONCE;
        assert!(sockets.everybody < connections.everybody && sockets.network < connections.network);
    }

    #[test]
    fn what_guests_have_is_what_the_documents_say() {
        let text = include_str!("../../../../docs/running-a-site.md").replace("\n  ", " ");
        let joins = RATES.into_iter().find(|rate| rate.what == LimitKind::Joins).expect("a row").network;
        assert_eq!(joins.burst, joins.per_hour / 60, "so many at once are a minute's");
        let (waiting, polls) = (at_once(LimitKind::Waiting).network, at_once(LimitKind::Polls).network);
        let said =
            format!("{waiting} waiting rooms, {} joins a minute, and {polls} requests that wait for news", joins.burst);
        assert!(text.contains(&said), "{said}");
    }

    #[test]
    fn the_shares_of_worlds_are_those_that_watching_one_is_counted_with() {
        let of = |what| RATES.into_iter().find(|rate| rate.what == what).map(|rate| rate.everybody.per_hour);
        // `arena/world/tests/it/slow/watchers.rs` has the number of bytes that this causes.
        assert_eq!(of(LimitKind::Calls), Some(8 * 3_600));
        assert_eq!(of(LimitKind::Cells), Some(150 * 3_600));
        assert_eq!(of(LimitKind::Seats), Some(3_600 / 3));
    }

    #[test]
    fn what_requests_cost_is_what_the_documents_say() {
        let text = include_str!("../../../../docs/running-a-site.md").replace('\n', " ");
        let said = format!(
            "A file costs {FILE}, an answer of the API {ANSWER}, a page {PAGE}, a bot's page, a module, a picture, a search of the guide or a change {CHANGE}, all of a \
             tournament or an account {ALL}, and a game that is played again {GAME_AGAIN}; a page or another answer in text costs at least one for each {} KiB.",
            TEXT_BYTES >> 10
        );
        assert!(text.contains(&said), "{said}");
        let said = format!("A submitted module costs one more for each {MODULE_KILOBYTES_A_UNIT} KiB,");
        assert!(text.contains(&said), "{said}");
        let said = format!("the body of a request one more for each {BODY_FRAMES_A_UNIT} chunks or packets");
        assert!(text.contains(&said), "{said}");
        assert_eq!(PICTURE, CHANGE);
        for route in ["/api/v1/tournaments/{id}/folder", "/api/v1/account/games.tar", "/api/v1/account/export"] {
            assert_eq!(cost(false, route), ALL, "{route}");
        }
    }

    #[test]
    fn playing_a_game_again_has_one_price_on_pages_and_in_the_api() {
        for why in ["log", "again", "profile"] {
            for route in [format!("/games/{{id}}/{why}"), format!("/api/v1/games/{{id}}/{why}")] {
                assert_eq!(cost(false, &route), GAME_AGAIN, "{route}");
            }
        }
    }

    #[test]
    fn no_network_fills_the_space_for_modules_within_half_a_year() {
        let row = RATES.into_iter().find(|rate| rate.what == LimitKind::Kilobytes).expect("a row");
        let space = Limits::DEFAULT.module_bytes_max >> 10;
        let days = |bucket: Bucket| (space - u64::from(bucket.burst)) / (24 * u64::from(bucket.per_hour));
        assert!(days(row.network) > 182, "{}", days(row.network));
        assert!(days(row.everybody) > 14, "{}", days(row.everybody));
    }

    #[test]
    fn the_costliest_request_fits_every_bucket() {
        let costliest = cost(false, "/games/{id}/log");
        assert!(costliest >= cost(true, "/play") && cost(true, "/play") > cost(false, "/play"));
        for Rate { what, account, network, everybody, .. } in RATES {
            let most = match what {
                LimitKind::Requests => costliest,
                LimitKind::Kilobytes => (MODULE_BYTES_MAX >> 10) as u32,
                _ => 1,
            };
            let bursts = [account.unwrap_or(network).burst, network.burst, everybody.burst];
            assert!(bursts.into_iter().all(|burst| most <= burst), "{what:?}");
        }
    }
}
