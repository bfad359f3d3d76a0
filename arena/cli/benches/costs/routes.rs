//! What of a site is measured, and what is not, and why. The gate compares it with every address of a site
//! (`arena/server/tests/it/slow/layers/measured.rs`), so nothing else is used here.

/// What is asked of a site beside `/healthz`: of each kind of route what takes most, as far as asking again costs as
/// much. Words in capitals stand for what the site has: `ROOM` is a room in progress, `LONG` a finished one with the
/// most seats, `OWN` a bot of the account that asks, `MODULE` a bot's bytes, `SPAN` a finished span of a world, and
/// `RELEASE` what files of pages are kept under.
pub(crate) const PAGES: [&str; 81] = [
    "/",
    "/standings",
    "/standings/game-of-game-of-life",
    "/play",
    "/practice?from=standing-1.0&turn=9",
    "/games",
    "/games?bot=mason",
    "/games/standing-1.0",
    "/games/standing-1.0/picture.png",
    "/bots/mason",
    "/bots/mason?opponent=easy&edition=all",
    "/bots/mason/picture.png",
    "/bots/mason/versions/1",
    "/bots/OWN/versions/1",
    "/people",
    "/authors/1",
    "/lobby",
    "/rooms/ROOM",
    "/rooms/LONG",
    "/submit",
    "/account",
    "/account/code",
    "/account/token",
    "/guide",
    "/guide/",
    "/guide/abi",
    "/guide/files/guide/bots/wat/bot.wat",
    "/guide/search?q=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p",
    "/rules/world",
    "/rules/conquerors",
    "/learn",
    "/learn/life2",
    "/learn/conquerors/1",
    "/tournaments",
    "/tournaments/new",
    "/tournaments/cup-1",
    "/open",
    "/worlds",
    "/worlds/meadow",
    "/operator",
    "/offline",
    "/api",
    "/privacy",
    "/api/v1/account",
    "/api/v1/account/tokens",
    "/api/v1/account/export",
    "/api/v1/account/games.tar",
    "/api/v1/standings",
    "/api/v1/standings?game=game-of-game-of-life",
    "/api/v1/limits",
    "/api/v1/bots",
    "/api/v1/bots/mason",
    "/api/v1/bots/mason/versions",
    "/api/v1/bots/mason/versions/1",
    "/api/v1/bots/OWN/versions/1/logs",
    "/api/v1/bots/mason/games",
    "/api/v1/bots/mason/games?edition=all",
    "/api/v1/modules/MODULE",
    "/api/v1/games",
    "/api/v1/games/standing-1.0",
    "/api/v1/games/standing-1.0/record",
    "/api/v1/people",
    "/api/v1/lobby",
    "/api/v1/rooms/ROOM",
    "/api/v1/rooms/ROOM/events",
    "/api/v1/rooms/LONG",
    "/api/v1/rooms/LONG/events",
    "/api/v1/tournaments",
    "/api/v1/tournaments/cup-1",
    "/api/v1/tournaments/standing-1/folder",
    "/api/v1/worlds",
    "/api/v1/worlds/meadow",
    "/api/v1/worlds/meadow/events",
    "/api/v1/worlds/meadow/spans",
    "/api/v1/worlds/meadow/spans/SPAN",
    "/api/v1/operator",
    "/api/v1/operator/audit",
    "/api/v1/openapi.json",
    "/static/RELEASE/arena_engine.wasm",
    "/service-worker.js",
    "/readyz",
];

/// Changes, each a method, an address and what is changed there: of each address what takes most.
pub(crate) const CHANGES: [&str; 36] = [
    "POST /api/v1/accounts: sign-up",
    "POST /session: sign-in",
    "POST /account/name: a new name",
    "POST /api/v1/account/tokens: a token",
    "POST /api/v1/account/tokens/{number}/revocation: its end",
    "POST /language: another language",
    "POST /api/v1/rooms: against a built-in opponent",
    "POST /api/v1/lobby: a room that waits",
    "POST /api/v1/lobby/joins: joining it",
    "POST /api/v1/lobby/pairings: with anybody",
    "POST /api/v1/rooms/{id}/turns: a turn",
    "POST /api/v1/rooms/{id}/commands: a message of a chat",
    "POST /api/v1/rooms/{id}/commands: an offer of a draw",
    "POST /api/v1/rooms/{id}/resignation: a resignation",
    "POST /api/v1/rooms/{id}/bots: a bot in a seat",
    "POST /api/v1/worlds/{name}/commands: the faucet",
    "POST /api/v1/worlds/{name}/commands: a kingdom",
    "POST /api/v1/worlds/{name}/commands: cells",
    "POST /api/v1/worlds/{name}/commands: a bot that plays",
    "POST /api/v1/worlds/{name}/commands: the whole state",
    "POST /api/v1/worlds/{name}/commands: a territory",
    "POST /api/v1/worlds/{name}/commands: all slots",
    "POST /api/v1/bots/{name}/versions: a megabyte that is no bot",
    "POST /submit: a megabyte that is no bot",
    "POST /api/v1/tournaments: the longest definition",
    "POST /api/v1/tournaments: a short one",
    "POST /api/v1/tournaments/{id}/entries: an entry",
    "POST /api/v1/tournaments/{id}/withdrawals: a withdrawal",
    "POST /api/v1/tournaments/{id}/cancellation: a cancellation",
    "PUT /api/v1/bots/{name}/active: the choice of a version",
    "PUT /api/v1/bots/{name}/name: a new name",
    "DELETE /api/v1/bots/{name}: the end of a bot",
    "POST /api/v1/operator/acts: a new name for an account",
    "POST /api/v1/operator/tournaments: a tournament",
    "POST /account/code: a new code",
    "POST /api/v1/account/deletion: the end of an account",
];

/// What is not measured: a method and an address, and why.
pub(crate) const UNMEASURED: [(&str, Why); 43] = [
    ("GET /games/{id}/log", Why::Itself(PLAYS)),
    ("GET /games/{id}/again", Why::Itself(PLAYS)),
    ("GET /games/{id}/profile", Why::Itself(PLAYS)),
    ("GET /api/v1/games/{id}/log", Why::Itself(PLAYS)),
    ("GET /api/v1/games/{id}/again", Why::Itself(PLAYS)),
    ("GET /api/v1/games/{id}/profile", Why::Itself(PLAYS)),
    ("GET /api/v1/rooms/{id}/socket", Why::Itself(SOCKET)),
    ("GET /api/v1/tournaments/{id}/socket", Why::Itself(SOCKET)),
    ("GET /api/v1/worlds/{name}/socket", Why::Itself(SOCKET)),
    ("GET /healthz", Why::Itself("all others are measured by it")),
    ("GET /volunteers", Why::Itself(VOLUNTEERS)),
    ("GET /api/v1/volunteers", Why::Itself(VOLUNTEERS)),
    ("POST /api/v1/volunteers/claims", Why::Itself(VOLUNTEERS)),
    ("POST /api/v1/volunteers/renewals", Why::Itself(VOLUNTEERS)),
    ("POST /api/v1/volunteers/returns", Why::Itself(VOLUNTEERS)),
    ("POST /api/v1/volunteers/ends", Why::Itself(VOLUNTEERS)),
    ("GET /api/v1/volunteers/modules/{hash}", Why::Itself(VOLUNTEERS)),
    ("POST /api/v1/tournaments/{id}/start", Why::Itself(STARTS)),
    ("POST /api/v1/bots/{name}/challenges", Why::Itself(STARTS)),
    ("POST /tournaments/{id}/start", Why::Itself(STARTS)),
    ("POST /bots/{name}/challenges", Why::Itself(STARTS)),
    ("POST /account", Why::Does("POST /api/v1/accounts")),
    ("POST /account/tokens", Why::Does("POST /api/v1/account/tokens")),
    ("POST /account/tokens/{number}/revocation", Why::Does("POST /api/v1/account/tokens/{number}/revocation")),
    ("POST /account/deletion", Why::Does("POST /api/v1/account/deletion")),
    ("POST /session/end", Why::Does("POST /session")),
    ("POST /bots/{name}/active", Why::Does("PUT /api/v1/bots/{name}/active")),
    ("POST /bots/{name}/name", Why::Does("PUT /api/v1/bots/{name}/name")),
    ("POST /bots/{name}/delete", Why::Does("DELETE /api/v1/bots/{name}")),
    ("POST /tournaments/new", Why::Does("POST /api/v1/tournaments")),
    ("POST /tournaments/{id}/entries", Why::Does("POST /api/v1/tournaments/{id}/entries")),
    ("POST /tournaments/{id}/withdrawals", Why::Does("POST /api/v1/tournaments/{id}/withdrawals")),
    ("POST /tournaments/{id}/cancellation", Why::Does("POST /api/v1/tournaments/{id}/cancellation")),
    ("POST /play", Why::Does("POST /api/v1/rooms")),
    ("POST /lobby", Why::Does("POST /api/v1/lobby")),
    ("POST /lobby/joins", Why::Does("POST /api/v1/lobby/joins")),
    ("POST /lobby/pairings", Why::Does("POST /api/v1/lobby/pairings")),
    ("POST /rooms/{id}/seat", Why::Does("POST /api/v1/lobby/joins")),
    ("POST /rooms/{id}/bots", Why::Does("POST /api/v1/rooms/{id}/bots")),
    ("POST /rooms/{id}/leave", Why::Does("POST /api/v1/rooms/{id}/commands")),
    ("POST /operator/session", Why::Does("POST /session")),
    ("POST /operator/session/end", Why::Does("POST /session")),
    ("POST /operator/acts", Why::Does("POST /api/v1/operator/acts")),
];

/// Why a route is not measured.
pub(crate) enum Why {
    /// It does what another does that is measured, and answers with a redirection.
    Does(&'static str),
    /// For a reason of its own.
    Itself(&'static str),
}

const SOCKET: &str = "what is said over it has shares of its own, and is measured as a room's or a world's commands";
const PLAYS: &str = "a whole game is played again, which has a share of its own and a process of its own";
const VOLUNTEERS: &str = "only a site whose games others play has it; the test of counted work has it";
const STARTS: &str = "games begin, which take more than the answer; it writes a line as a cancellation does";

/// What may take more than twenty times `/healthz`, a method and an address, and where that is done: never on a
/// thread that answers others.
pub(crate) const ASIDE: [(&str, &str); 5] = [
    ("GET /bots/{name}", "rows are read on threads of the store, and a game's record beside the others"),
    ("POST /api/v1/bots/{name}/versions", "a module is hashed and judged beside the others"),
    ("POST /submit", "a module is hashed and judged beside the others"),
    ("POST /api/v1/tournaments", "a long definition is read on a thread of its own"),
    ("POST /api/v1/account/deletion", "rows are removed on a thread of the store"),
];

/// Whether a path is one of an address, such as `/games/{id}`.
pub(crate) fn is_of(address: &str, path: &str) -> bool {
    let (mut wanted, mut parts) = (address.split('/'), path.split('/'));
    loop {
        match (wanted.next(), parts.next()) {
            (None, None) => return true,
            (Some(wanted), Some(_)) if wanted.starts_with("{*") => return true,
            (Some(wanted), Some(part)) if wanted == part || wanted.starts_with('{') => {}
            _ => return false,
        }
    }
}
