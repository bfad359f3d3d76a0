//! A world of Life2 in a page: a state machine of the page's own, which follows what the server sends, or is alone, for
//! a lesson.
//!
//! One function, [`call`], takes requests and gives answers in JSON. The board is a byte for each cell, at [`painted`].

use std::cell::RefCell;

use arena_rules::Phrased;
use arena_rules::life2::{Account, BASE_SIDE, Base, Call, Cell, Kingdom, NextWipe, Rates, Side, Slot, World};
use arena_world::{By, Event, Fallen, LoggedCall, Machine};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::phrases::phrase_views;

/// The longest request, in bytes: the longest snapshot, and the words around it.
pub const REQUEST_BYTES_MAX: usize = arena_world::OPENED_BYTES_MAX + 1024;
/// The greatest number of generations that a try looks ahead.
const AHEAD_MAX: u16 = 64;
/// Rows and columns that are shown around a try: nothing travels further in that many generations.
const AROUND: u16 = AHEAD_MAX;

/// The bits of a cell's byte: the owner's slot, or 0 if it has none; whether it lives; whether it is wall or inside of
/// a base.
const ALIVE: u8 = 1 << 4;
const WALL: u8 = 1 << 5;
const INSIDE: u8 = 1 << 6;

thread_local! {
    static HELD: RefCell<Held> = const { RefCell::new(Held { machine: None, cells: Vec::new() }) };
}

/// The world of this page.
struct Held {
    machine: Option<Machine>,
    /// The cells that [`painted`] gave last.
    cells: Vec<u8>,
}

/// A request.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// Begins a world that is in this page alone.
    Begin,
    /// An account's call in such a world.
    Call { account: i64, call: LoggedCall },
    /// Starts from a snapshot.
    Open { event: Event },
    /// Follows a line of the log, after advancing to its generation.
    Follow { event: Event },
    /// Advances by a generation.
    Step,
    /// The state of the world, for an account if one is given.
    Look { account: Option<i64> },
    /// What a call would do: why it is refused, and what lives around it in each of the following generations.
    Try { account: i64, call: LoggedCall, generations: u16 },
}

/// Answers a request in JSON, `{"op": ..., ...}`, with `{"ok": ...}` or `{"error": {"code": ..., "message": ...}}`.
/// Codes are `bad_request` and `lost`, after which a page needs a new snapshot.
pub fn call(request: &str) -> String {
    let error = |code: &str, message: String| json!({ "error": { "code": code, "message": message } });
    let answer = match serde_json::from_str(request) {
        Ok(request) => match HELD.with_borrow_mut(|held| held.answer(request)) {
            Ok(answer) => json!({ "ok": answer }),
            Err(lost) => error("lost", lost),
        },
        Err(bad) => error("bad_request", bad.to_string()),
    };
    answer.to_string()
}

/// A byte for each cell of the world, row by row; empty without a world. The bytes do not change until the next call.
pub fn painted() -> (*const u8, usize) {
    HELD.with_borrow_mut(|held| {
        held.paint();
        (held.cells.as_ptr(), held.cells.len())
    })
}

impl Held {
    fn answer(&mut self, request: Request) -> Result<Value, String> {
        match &request {
            Request::Begin => self.machine = Some(Machine::new(World::new(Side::WORLD, Rates::FOUNDING))),
            Request::Open { event: Event::Opened(opened) } => {
                self.machine = Some(Machine::open(opened).map_err(|why| why.to_string())?);
            }
            Request::Open { .. } => return Err("a world begins with a snapshot".into()),
            _ => {}
        }
        let machine = self.machine.as_mut().ok_or("there is no world yet")?;
        match request {
            Request::Begin | Request::Open { .. } => {}
            Request::Call { account, call } => return called(machine, account_of(account), &Call::from(&call)),
            Request::Follow { event } => machine.follow(&event).map_err(|why| why.to_string())?,
            // The events it returns are for the server, which writes the log.
            Request::Step => drop(machine.step()),
            Request::Look { account } => return Ok(look(machine, account.map(account_of))),
            Request::Try { account, call, generations } => {
                return Ok(tried(machine.world(), account_of(account), &call, generations.min(AHEAD_MAX)));
            }
        }
        Ok(machine.world().generation().into())
    }

    fn paint(&mut self) {
        self.cells.clear();
        let Some(world) = self.machine.as_ref().map(Machine::world) else { return };
        let (ground, side) = (world.ground(), world.ground().side());
        self.cells.resize(side.area(), 0);
        for slot in Slot::all() {
            for cell in ground.of(slot) {
                self.cells[place(side, cell)] = slot.number();
            }
        }
        for cell in ground.living() {
            self.cells[place(side, cell)] |= ALIVE;
        }
        for (_, Kingdom { base, .. }) in world.kingdoms() {
            let Base { x, y } = *base;
            for (right, down) in (0..BASE_SIDE).flat_map(|down| (0..BASE_SIDE).map(move |right| (right, down))) {
                let cell = Cell { x: (x + right) % side.length(), y: (y + down) % side.length() };
                self.cells[place(side, cell)] |= if base.is_wall(side, cell) { WALL } else { INSIDE };
            }
        }
    }
}

fn account_of(number: i64) -> Account {
    Account(number.cast_unsigned())
}

fn place(side: Side, cell: Cell) -> usize {
    usize::from(cell.y) * usize::from(side.length()) + usize::from(cell.x)
}

fn look(machine: &Machine, account: Option<Account>) -> Value {
    let world = machine.world();
    let census = world.ground().census();
    let slots = world.kingdoms().map(|(slot, kingdom)| {
        let counts = census[usize::from(slot.number())];
        let grace = kingdom.idle_since.map(|since| since + u64::from(world.rates().grace) - world.generation());
        json!({
            "slot": slot.number(), "account": kingdom.account.0.cast_signed(), "base": [kingdom.base.x, kingdom.base.y],
            "coins": kingdom.coins, "cells": counts.cells, "ground": counts.ground, "grace": grace,
        })
    });
    let NextWipe { quadrant, generations } = world.next_wipe();
    json!({
        "side": world.ground().side().length(), "generation": world.generation(), "slots": slots.collect::<Vec<_>>(),
        "wipe": { "quadrant": quadrant, "generations": generations },
        "balance": account.map(|account| world.balance(account)),
        "slot": account.and_then(|account| world.slot_of(account)).map(Slot::number),
        "fallen": account.and_then(|account| machine.fallen(account)).map(fall),
    })
}

/// The end of an account's latest kingdom.
fn fall(fallen: Fallen) -> Value {
    let (cause, by) = match fallen.by {
        By::Grace => ("grace", None),
        By::Operator => ("operator", None),
        By::Siege(attacker) => ("siege", attacker),
    };
    json!({ "generation": fallen.generation, "cause": cause, "by": by.map(|by| i64::from_be_bytes(by.0)) })
}

/// Applies a call: why it is refused, or the rules' answer.
fn called(machine: &mut Machine, account: Account, call: &Call) -> Result<Value, String> {
    let event = match machine.propose(account, call) {
        Ok(event) => event,
        Err(why) => return Ok(json!({ "why": phrase_views(why.phrases()), "answer": 0 })),
    };
    // A call without an event changes nothing.
    let Some(event) = event else { return Ok(json!({ "why": [], "answer": 0 })) };
    machine.follow(&event).map_err(|why| why.to_string())?;
    let answer = if let Event::Called { answer, .. } = event { answer } else { 0 };
    Ok(json!({ "why": [], "answer": answer }))
}

/// What a call would do: why it is refused, or, for placed cells, what lives around them in each of the following
/// generations.
fn tried(world: &World, account: Account, call: &LoggedCall, generations: u16) -> Value {
    let mut ahead = world.clone();
    if let Err(why) = ahead.call(account, &Call::from(call)) {
        return json!({ "why": phrase_views(why.phrases()), "frames": [] });
    }
    let LoggedCall::Place(cells) = call else { return json!({ "why": [], "frames": [] }) };
    let side = world.ground().side();
    let near = |cell: &Cell| {
        let apart = |one: i32, two: u16| {
            let apart = (one - i32::from(two)).rem_euclid(side.length().into()) as u16;
            apart.min(side.length() - apart)
        };
        cells.iter().any(|(x, y)| apart(*x, cell.x).max(apart(*y, cell.y)) <= AROUND)
    };
    let mut frames = Vec::new();
    for _ in 0..generations {
        ahead.step();
        let owner = |cell: Cell| ahead.ground().owner(cell).map_or(0, Slot::number);
        let living = ahead.ground().living().filter(near);
        frames.push(living.map(|cell| json!([cell.x, cell.y, owner(cell)])).collect::<Vec<_>>());
    }
    json!({ "why": [], "frames": frames })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(request: &Value) -> Value {
        serde_json::from_str(&call(&request.to_string())).expect("JSON")
    }

    #[test]
    fn a_world_that_is_in_the_page_alone_answers_calls_by_the_rules() {
        assert_eq!(ask(&json!({ "op": "begin" }))["ok"], 0);
        let says = |call: &Value| ask(&json!({ "op": "call", "account": 1, "call": call }))["ok"].clone();
        let placed = json!({ "place": [[63, 63], [64, 63], [65, 63]] });
        assert_eq!(says(&placed), json!({ "why": [["not-in-game", {}]], "answer": 0 }));
        for (call, answer) in [(json!("faucet"), 1_000), (json!({ "join": [60, 60] }), 1), (placed, 3)] {
            assert_eq!(says(&call), json!({ "why": [], "answer": answer }), "{call}");
        }
        assert_eq!(says(&json!({ "place": [] })), json!({ "why": [], "answer": 0 }));
        for generation in 1..=700 {
            assert_eq!(ask(&json!({ "op": "step" }))["ok"], generation);
        }
        assert_eq!(says(&json!("faucet"))["why"], json!([]), "long after the call before");
        let seen = ask(&json!({ "op": "look", "account": 1 }))["ok"].clone();
        assert_eq!((&seen["slot"], &seen["slots"][0]["cells"]), (&json!(1), &json!(3)));
        assert_eq!(ask(&json!({ "op": "begin" }))["ok"], 0, "anew");
    }

    #[test]
    fn a_page_follows_a_world_and_notices_when_it_is_lost() {
        let mut machine = Machine::new(World::new(Side::WORLD, Rates::FOUNDING));
        let line = |event: &Event| serde_json::to_value(event).expect("plain values");
        let opened = line(&machine.opened("a test"));
        assert_eq!(ask(&json!({ "op": "step" }))["error"]["code"], "lost");
        assert_eq!(ask(&json!({ "op": "open", "event": opened }))["ok"], 0);
        for call in [Call::Faucet, Call::Join { x: 510, y: 60 }, Call::Place(vec![(0, 63), (1, 63), (2, 63)])] {
            let tried = json!({ "op": "try", "account": 7, "call": LoggedCall::from(&call), "generations": 2 });
            let frames = if matches!(call, Call::Place(_)) {
                json!([[[1, 62, 1], [1, 63, 1], [1, 64, 1]], [[0, 63, 1], [1, 63, 1], [2, 63, 1]]])
            } else {
                json!([])
            };
            assert_eq!(ask(&tried)["ok"], json!({ "why": [], "frames": frames }));
            let event = machine.propose(Account(7), &call).expect("allowed").expect("it changes something");
            machine.apply(&event).expect("it was proposed");
            assert_eq!(ask(&json!({ "op": "follow", "event": line(&event) }))["ok"], 0);
        }
        let seen = ask(&json!({ "op": "look", "account": 7 }))["ok"].clone();
        assert_eq!((&seen["balance"], &seen["slot"], &seen["side"]), (&json!(897), &json!(1), &json!(512)));
        assert_eq!(
            seen["slots"],
            json!([{ "slot": 1, "account": 7, "base": [510, 60], "coins": 103, "cells": 3, "ground": 36, "grace": null }])
        );
        let (_, bytes) = painted();
        assert_eq!(bytes, 512 * 512);
        HELD.with_borrow(|held| {
            let at = |x: usize, y: usize| held.cells[512 * y + x];
            assert_eq!((at(1, 63), at(0, 62), at(510, 60), at(100, 100)), (1 | ALIVE | INSIDE, 1 | INSIDE, WALL, 0));
        });
        let refused = json!({ "op": "try", "account": 8, "call": { "place": [[0, 0]] }, "generations": 1 });
        assert_eq!(ask(&refused)["ok"]["why"], json!([["not-in-game", {}]]));
        machine.step();
        assert_eq!(ask(&json!({ "op": "follow", "event": line(&machine.checked()) }))["ok"], 1);
        machine.apply(&machine.propose(Account(9), &Call::Faucet).expect("allowed").expect("coins")).expect("proposed");
        assert_eq!(ask(&json!({ "op": "follow", "event": line(&machine.checked()) }))["error"]["code"], "lost");
    }
}
