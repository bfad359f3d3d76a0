//! Plays any game of rooms through a site's HTTP API, with a token of the scope `play`: cells that the rules offer.
//!
//! `ARENA_TOKEN=... cargo run --package arena-server --example player -- http://127.0.0.1:8080 [CODE OF A ROOM]`

use std::error::Error;
use std::time::Duration;

use arena_record::{Bytes, Play};
use arena_rules::{BySeat, Seat};
use arena_wire::{Call, Point, Protocol, Visitor};
use serde_json::{Value, json};
use ureq::Agent;

type Outcome<T> = Result<T, Box<dyn Error>>;

#[expect(clippy::print_stdout, reason = "an example is an edge")]
fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let site = arguments.next().ok_or("which site?")?;
    println!("{}", play(&site, &std::env::var("ARENA_TOKEN")?, arguments.next().as_deref())?);
    Ok(())
}

/// Plays a game to its end, and says how it ended: `null` for a room that was closed.
pub(crate) fn play(site: &str, token: &str, code: Option<&str>) -> Outcome<Value> {
    let agent = Agent::config_builder().timeout_global(Some(Duration::from_secs(40))).build().into();
    let api = Api(agent, format!("{site}/api/v1"), format!("Bearer {token}"));
    let pairing = ("/lobby/pairings", json!({ "game": "conquerors" }));
    let (path, said) = code.map_or(pairing, |code| ("/lobby/joins", json!({ "code": code })));
    let joined = api.ask(path, Some(&said))?;
    let room = format!("/rooms/{}", joined["room"].as_str().ok_or("no room")?);
    let (mut after, mut own) = (String::new(), None);
    loop {
        let news = api.ask(&format!("{room}/events{after}"), None)?;
        after = format!("?after={}", news["version"]);
        // Of a long game, news tell the latest turns alone.
        let state = api.ask(&room, None)?;
        if !state["outcome"].is_null() || state["people"]["finished"] == true {
            return Ok(state["outcome"].clone());
        }
        if own.is_none() && state["people"]["started"] == true {
            // Seats may have been drawn: the first answer of a poll says which is one's own.
            own = api.ask(&format!("{room}/events"), None)?["messages"][0]["you"][0].as_u64();
        }
        let asked = |own: &u64| state["awaiting"].as_array().is_some_and(|asked| asked.contains(&json!(own)));
        let Some(seat) = own.filter(asked) else { continue };
        let (ruleset, options) = (state["ruleset"].as_str().unwrap_or(""), state["options"].as_str().unwrap_or(""));
        let action = arena_wire::start(ruleset, options, &[0; 32], Turn(&state["turns"], Seat(u8::try_from(seat)?)))??;
        let said = json!({ "type": "turn", "ply": state["ply"], "client_seq": state["ply"], "action": action });
        api.ask(&format!("{room}/commands"), Some(&said))?;
    }
}

struct Api(Agent, String, String);

impl Api {
    /// Asks, and again where a share is used up.
    fn ask(&self, path: &str, said: Option<&Value>) -> Outcome<Value> {
        loop {
            let request = ureq::http::Request::builder().uri(format!("{}{path}", self.1));
            let request = request.header("authorization", &self.2).header("content-type", "application/json");
            let answer = match said {
                None => self.0.run(request.body(())?),
                Some(said) => self.0.run(request.method("POST").body(said.to_string())?),
            };
            match answer {
                #[allow(clippy::disallowed_methods, reason = "a program of its own, which its site asks to wait")]
                Err(ureq::Error::StatusCode(429 | 503)) => std::thread::sleep(Duration::from_secs(2)),
                answer => return Ok(serde_json::from_reader(answer?.into_body().into_reader())?),
            }
        }
    }
}

/// These turns, and a seat to find the next one for.
struct Turn<'a>(&'a Value, Seat);

impl Visitor for Turn<'_> {
    type Out = Outcome<Bytes>;

    fn visit<P: Protocol>(self, mut position: P) -> Outcome<Bytes> {
        for plays in serde_json::from_value::<Vec<Vec<Play>>>(self.0.clone())? {
            let mut turn = BySeat::new(position.seats(), |_| None);
            for Play { seat, action, .. } in plays {
                let action = P::decode_action(&action.0).map_err(|error| error.to_string())?;
                turn[Seat(seat)] = position.check(Seat(seat), &action).ok();
            }
            position.advance(turn);
        }
        // Taking what is offered until nothing is left makes a legal action.
        let mut call = Call::new(P::TOOLS[0], [] as [Point; 0]);
        loop {
            let offered = position.choices(self.1, std::slice::from_ref(&call));
            let Some(cell) = offered.get(offered.len() / 3) else { break };
            call.cells.push(*cell);
        }
        let action = P::compose(&[call]).or_else(P::pass).ok_or("there is nothing to play")?;
        Ok(Bytes(P::encode_action(&action)))
    }
}
