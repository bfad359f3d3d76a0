//! No request costs more than it is charged. A search over every address, with every parameter of the API's document,
//! for the request that takes most: reads and writes of the store, bytes of the rows that it reads, bytes of the answer
//! itself. All of it is counted and none of it measured, so it is the same on every machine; what processors take is
//! `cargo bench --package arena --bench costs`.
//!
//! A site with more rows than any list shows is asked. `cargo xtask costs` tries more requests of each address.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use arena_rules::Rng;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::queries::{asks, crowd};
use super::strangers::assert_no_cache_keeps_what_is_anns;
use crate::client::{Answer, Ask};
use crate::eventually::eventually;
use crate::fixture::{Fixture, fixture};
use crate::routes::is_of;
use crate::snapshot::addresses;

/// What an answer took.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Work {
    /// Reads and writes of the store.
    asked: u64,
    /// Bytes of the rows that the store read.
    read: u64,
    /// Bytes of the answer.
    sent: u64,
}

impl Work {
    /// The part of a bound that it takes, the largest of the three.
    fn part_of(self, bound: Work) -> f64 {
        let parts = [(self.asked, bound.asked), (self.read, bound.read), (self.sent, bound.sent)];
        parts.into_iter().map(|(work, bound)| work as f64 / bound as f64).fold(0.0, f64::max)
    }

    /// The larger one of each part.
    fn or_more(self, other: Work) -> Work {
        Work { asked: self.asked.max(other.asked), read: self.read.max(other.read), sent: self.sent.max(other.sent) }
    }
}

/// What a request may take that is charged so much or more, up to the next row: the bound of each address is that of
/// its price. Each is little more than a search of a hundred requests of each address found on this site.
const BOUNDS: [(u64, Work); 4] = [
    // A page, or a page of a list.
    (10, Work { asked: 7, read: 24 << 10, sent: 24 << 10 }),
    // A change, a bot's page, a picture, a search, a module.
    // What the judge asks for a verdict that comes with the answer is among it: it reads a module to weigh it, and
    // again when its turn comes.
    (40, Work { asked: 24, read: 160 << 10, sent: 192 << 10 }),
    // All editions of a bot, or a whole world.
    (200, Work { asked: 12, read: 8 << 10, sent: 24 << 10 }),
    // All of an account or of a tournament, or that it is not there: its terms are read for that, as for a page.
    (400, Work { asked: 14, read: 24 << 10, sent: 64 << 10 }),
];

/// Bytes of text that a unit of a price pays for.
const TEXT_BYTES: u64 = 2 << 10;

/// The row of the bounds for what is charged so much.
fn row(charged: u64) -> Option<usize> {
    BOUNDS.iter().rposition(|(price, _)| charged >= *price)
}

fn bound(charged: u64) -> Work {
    let of_price = row(charged).map(|row| BOUNDS[row]);
    // What is charged nothing may take nothing.
    let bound = of_price.map_or(Work { asked: 1, read: 1, sent: 1 }, |(_, bound)| bound);
    Work { sent: bound.sent.max((charged + 1) * TEXT_BYTES), ..bound }
}

/// What a setting of the environment says.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// What is drawn: a seed tries the same again.
struct Draw(Rng);

impl Draw {
    fn new(seed: u64) -> Draw {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Draw(Rng::new(&key, 0))
    }

    fn below(&mut self, most: usize) -> usize {
        self.0.below(most as u32) as usize
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// Words that some parameter or field takes.
const WORDS: [&str; 36] = [
    "easy",
    "hard",
    "bot-0",
    "bot-1",
    "bot-59",
    "cell-0",
    "lifer",
    "all",
    "latest",
    "oldest",
    "conquerors",
    "life2",
    "game-of-game-of-life",
    "war-of-life",
    "standing-1",
    "standing-1.0",
    "standing-1.1000",
    "cup",
    "cup.0",
    "cup.1",
    "cup-1",
    "game-of-game-of-life-1",
    "meadow",
    "es",
    "public",
    "draw",
    "read",
    "true",
    "won",
    "lost",
    "0",
    "1",
    "59",
    "-1",
    "4294967295",
    "18446744073709551615",
];

/// Letters and figures, each a word: the query of a search that once took a site down.
fn letters() -> String {
    let each: Vec<String> = ('a'..='z').chain('0'..='9').map(|letter| letter.to_string()).collect();
    each.join("+")
}

/// A value of a parameter or a field: something that exists, or something long.
fn value(draw: &mut Draw) -> String {
    match draw.below(8) {
        0 => letters(),
        1 => "e+".repeat(10 + draw.below(2_000)),
        2 => "a".repeat(1 + draw.below(6_000)),
        3 => "%F0%9F%8E%B2".repeat(1 + draw.below(200)),
        _ => draw.of(&WORDS).into(),
    }
}

/// The names of the query's parameters of each operation, by method and address, and the fields of its body with their
/// schemas; pages have the parameters of the API, too.
struct Parameters {
    of: BTreeMap<(String, String), Vec<String>>,
    all: Vec<String>,
    fields: BTreeMap<(String, String), Vec<(String, Value)>>,
}

impl Parameters {
    fn of_the_document() -> Parameters {
        let document: Value = serde_json::from_str(&arena_server::openapi()).expect("JSON");
        let (mut of, mut all) = (BTreeMap::new(), vec!["q".to_owned(), "from".to_owned(), "turn".to_owned()]);
        let mut fields = BTreeMap::new();
        for (path, item) in document["paths"].as_object().expect("paths") {
            for (method, operation) in item.as_object().expect("operations") {
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                let in_query = parameters.filter(|parameter| parameter["in"] == "query");
                let names: Vec<String> =
                    in_query.filter_map(|parameter| Some(parameter["name"].as_str()?.to_owned())).collect();
                all.extend(names.iter().cloned());
                of.insert((method.to_uppercase(), path.clone()), names);
                let schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str();
                let schema = schema.and_then(|name| document.pointer(name.trim_start_matches('#')));
                let own = schema.and_then(|schema| schema["properties"].as_object()).into_iter().flatten();
                let own: Vec<(String, Value)> = own.map(|(name, of)| (name.clone(), of.clone())).collect();
                fields.insert((method.to_uppercase(), path.clone()), own);
            }
        }
        all.sort();
        all.dedup();
        Parameters { of, all, fields }
    }

    fn draw<'a>(&'a self, method: &str, address: &str, draw: &mut Draw) -> &'a str {
        let own = self.of.get(&(method.to_owned(), address.to_owned())).filter(|own| !own.is_empty());
        let names = own.unwrap_or(&self.all);
        &names[draw.below(names.len())]
    }
}

/// A request of the same address that is somewhat different.
fn varied(ask: &Ask, address: &str, parameters: &Parameters, draw: &mut Draw) -> Ask {
    let mut ask = ask.clone();
    let (path, query) = ask.path.split_once('?').unwrap_or((&ask.path, ""));
    let (mut path, mut query) = (path.to_owned(), query.to_owned());
    match draw.below(if ask.body.is_empty() { 4 } else { 9 }) {
        0 => {
            let name = parameters.draw(ask.method, address, draw);
            let others = query.split('&').filter(|part| !part.is_empty() && part.split('=').next() != Some(name));
            let mut parts: Vec<String> = others.map(str::to_owned).collect();
            parts.push(format!("{name}={}", value(draw)));
            query = parts.join("&");
        }
        1 => {
            let segments = path.split('/').zip(address.split('/'));
            let segments = segments.map(|(segment, of)| {
                if of.starts_with('{') && !of.starts_with("{*") && draw.below(2) == 0 {
                    draw.of(&WORDS).to_owned()
                } else {
                    segment.to_owned()
                }
            });
            path = segments.collect::<Vec<_>>().join("/");
        }
        2 => ask.headers.push(("accept", draw.of(&["text/html", "application/json", "*/*"]).into())),
        3 => ask.headers.push(("accept-language", draw.of(&["es", "en"]).into())),
        4 => ask.body = larger(&ask.body, draw),
        5 | 6 => {
            let fields = parameters.fields.get(&(ask.method.to_owned(), address.to_owned()));
            if let Some(fields) = fields.filter(|fields| !fields.is_empty()) {
                ask.body = with_field(&ask.body, &fields[draw.below(fields.len())], draw);
            }
        }
        _ => ask.body = changed(&ask.body, draw),
    }
    query.truncate(8_000);
    ask.path = if query.is_empty() { path } else { format!("{path}?{query}") };
    ask
}

/// A body with another field of its schema: a list of as many as there may be, or a word.
fn with_field(body: &[u8], (name, schema): &(String, Value), draw: &mut Draw) -> Vec<u8> {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice::<Value>(body) else { return body.to_vec() };
    let value = if schema["type"] == "array" {
        let each = |number: usize| match (name.as_str(), number % OWNERS) {
            ("bots", number) => format!("bot-{number}"),
            (_, number) => format!("Owner {number}"),
        };
        (0..1 + draw.below(OWNERS)).map(each).collect()
    } else {
        Value::from(draw.of(&["invited", "named", "open", "cup-1", "lifer", "easy"]))
    };
    fields.insert(name.clone(), value);
    Value::Object(fields).to_string().into_bytes()
}

/// Accounts that can be named.
const OWNERS: usize = 60;

/// Bytes of a body that has room for another kilobyte.
const BODY_BYTES: usize = 63 << 10;

/// A body with as much as may be of something in it.
fn larger(body: &[u8], draw: &mut Draw) -> Vec<u8> {
    let Ok(mut json) = serde_json::from_slice::<Value>(body) else {
        let word = draw.of(&["a", "&bot=lifer", "\n[[entrants]]\nname = \"x\"\nbaseline = \"easy\""]);
        return [body, word.repeat((BODY_BYTES / word.len()).saturating_sub(body.len())).as_bytes()].concat();
    };
    if draw.below(4) == 0 {
        return ["[".repeat(BODY_BYTES / 2), "]".repeat(BODY_BYTES / 2)].concat().into_bytes();
    }
    let Some(fields) = json.as_object_mut().filter(|fields| !fields.is_empty()) else { return body.to_vec() };
    let at = draw.below(fields.len());
    let Some(field) = fields.values_mut().nth(at) else { return body.to_vec() };
    match field {
        Value::Array(values) => {
            let one = values.first().cloned().unwrap_or(Value::from(1));
            let each = one.to_string().len() + 1;
            *values = vec![one; BODY_BYTES / each];
        }
        Value::String(text) => {
            let word = draw.of(&["a", "\n[[entrants]]\nname = \"x\"\nbaseline = \"easy\"", "e "]);
            *text += &word.repeat(BODY_BYTES / (word.len() + 8));
        }
        other => *other = Value::from(i64::MAX),
    }
    json.to_string().into_bytes()
}

/// A body in which something is something else.
fn changed(body: &[u8], draw: &mut Draw) -> Vec<u8> {
    let word = draw.of(&WORDS);
    if let Ok(Value::Object(mut fields)) = serde_json::from_slice::<Value>(body) {
        let at = draw.below(fields.len());
        if let Some(field) = fields.values_mut().nth(at) {
            *field = word.parse::<i64>().map_or(Value::from(word), Value::from);
        }
        return Value::Object(fields).to_string().into_bytes();
    }
    let Ok(text) = str::from_utf8(body) else { return body.to_vec() };
    let mut parts: Vec<String> = text.split('&').map(str::to_owned).collect();
    let at = draw.below(parts.len());
    if let Some((name, _)) = parts[at].split_once('=') {
        parts[at] = format!("{name}={word}");
    }
    parts.join("&").into_bytes()
}

/// How many minutes a visitor waits for a share.
const WAITS_MAX: usize = 3;

impl Fixture {
    /// An answer, what it takes and what its request is charged. A visitor whose share is used up waits for it; some
    /// shares come back within hours, and such a refusal is what the request comes to.
    pub(super) async fn work_of(&self, ask: &Ask) -> (Answer, Work, u64) {
        let mut worked = self.worked(ask).await;
        for _ in 0..WAITS_MAX {
            if worked.0.status != 429 {
                break;
            }
            self.clock.advance(Duration::from_secs(60));
            let mut last = self.counted.queries();
            let rests = async || std::mem::replace(&mut last, self.counted.queries()) == self.counted.queries();
            eventually("a site at rest", rests).await;
            worked = self.worked(ask).await;
        }
        worked
    }

    /// The same, at once.
    async fn worked(&self, ask: &Ask) -> (Answer, Work, u64) {
        let before = (self.counted.queries(), self.counted.read(), self.metrics.charged());
        let answer = self.ask(ask.clone()).await;
        let (asked, read) = (self.counted.queries() - before.0, self.counted.read() - before.1);
        let charged = self.metrics.charged() - before.2;
        // Most games of the crowd are in the index alone.
        let is_missing = ["he record of this game", "he folder of this tournament"]
            .iter()
            .any(|what| answer.text.contains(&format!("{what} is damaged")));
        assert!(answer.status != 500 || is_missing, "{}: {}", answer.asked, answer.text);
        assert_no_cache_keeps_what_is_anns(&answer);
        let sent = answer.text.len() as u64;
        (answer, Work { asked, read, sent }, charged)
    }
}

/// How often a request that is beyond its bound is sent again.
const AGAIN_MAX: usize = 4;

/// The request of an address that takes the largest part of its bound.
struct Costliest {
    ask: Ask,
    part: f64,
    work: Work,
    charged: u64,
    status: u16,
}

impl Costliest {
    async fn of(fixture: &Fixture, ask: Ask) -> Costliest {
        let (answer, mut work, charged) = fixture.work_of(&ask).await;
        // The site also works by itself: it judges, and ends rooms that were left. What is the request's is there each
        // time.
        for _ in 0..AGAIN_MAX {
            if work.part_of(bound(charged)) <= 1.0 {
                break;
            }
            let (again, less, _) = fixture.work_of(&ask).await;
            if again.status == answer.status && less.part_of(bound(charged)) < work.part_of(bound(charged)) {
                work = less;
            }
        }
        Costliest { part: work.part_of(bound(charged)), ask, work, charged, status: answer.status.as_u16() }
    }
}

/// What a sign-up with the longest body is charged, if that comes in parts of so many bytes: each a chunk, or sent by
/// itself in a body that says how long it is.
async fn charged_in_parts(fixture: &Fixture, bytes: usize, are_chunks: bool) -> u64 {
    let body = json!({ "name": "a".repeat(BODY_BYTES) }).to_string();
    let length: String =
        if are_chunks { "transfer-encoding: chunked".into() } else { format!("content-length: {}", body.len()) };
    let head = format!(
        "POST /api/v1/accounts HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
         connection: close\r\n{length}\r\n\r\n",
        fixture.address
    );
    let mut parts: Vec<Vec<u8>> = body.as_bytes().chunks(bytes).map(<[u8]>::to_vec).collect();
    if are_chunks {
        let chunk = |part: &Vec<u8>| [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
        parts = vec![[parts.iter().map(chunk).collect::<Vec<_>>().concat(), b"0\r\n\r\n".to_vec()].concat()];
    }
    let before = fixture.metrics.charged();
    let mut stream = TcpStream::connect(fixture.address).await.expect("connected");
    stream.set_nodelay(true).expect("each part is sent by itself");
    stream.write_all(head.as_bytes()).await.expect("written");
    for part in parts {
        stream.write_all(&part).await.expect("written");
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 422 "), "the name is too long: {answer}");
    fixture.metrics.charged() - before
}

/// Each chunk wakes the request: 64 kB in chunks of a byte took 584 times what `/healthz` does, and were charged 40.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_in_many_chunks_is_charged_for_them_and_one_in_usual_packets_hardly() {
    let fixture = fixture().await;
    let whole = charged_in_parts(&fixture, usize::MAX, false).await;
    assert_eq!(charged_in_parts(&fixture, BODY_BYTES, true).await, whole);
    for bytes in [1, 2, 10, 100] {
        let chunks = (BODY_BYTES / bytes) as u64;
        let more = charged_in_parts(&fixture, bytes, true).await - whole;
        assert!((chunks / 64..=chunks / 64 + 1).contains(&more), "{more} for {chunks} chunks");
    }
    // The smallest packets that a line may have.
    let more = charged_in_parts(&fixture, 536, false).await - whole;
    assert!(more <= 2, "{more}");
    fixture.end().await;
}

/// What ends the account that asks, or its session.
fn ends_the_search(ask: &Ask) -> bool {
    ["/account/code", "/session/end", "/session"].contains(&ask.path.as_str()) && ask.method == "POST"
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_takes_more_than_its_price_allows() {
    let (tries, seed) = (setting("ARENA_COST_REQUESTS", 6), setting("ARENA_COST_SEED", 1));
    let (fixture, parameters, mut draw) = (fixture().await, Parameters::of_the_document(), Draw::new(seed));
    crowd(&fixture).await;
    let asks = asks(&fixture).await;
    let addresses = addresses();
    let mut found: Vec<(String, Costliest)> = Vec::new();
    let mut most = [Work::default(); BOUNDS.len()];
    let mut note = |costliest: &Costliest| {
        if let Some(row) = row(costliest.charged) {
            most[row] = most[row].or_more(costliest.work);
        }
    };
    for ask in asks.iter().filter(|ask| !ends_the_search(ask)) {
        let path = ask.path.split('?').next().unwrap_or_default();
        let of = addresses.iter().find(|(method, address)| method == ask.method && is_of(address, path));
        let Some((_, address)) = of else { continue };
        let mut costliest = Costliest::of(&fixture, ask.clone()).await;
        note(&costliest);
        for _ in 0..tries {
            let other = Costliest::of(&fixture, varied(&costliest.ask, address, &parameters, &mut draw)).await;
            note(&other);
            if other.part > costliest.part {
                costliest = other;
            }
        }
        found.push((format!("{} {address}", ask.method), costliest));
    }
    found.sort_by(|(_, one), (_, other)| other.part.total_cmp(&one.part));
    let mut out = io::stdout();
    for (address, Costliest { part, work, charged, status, ask }) in found.iter().take(40) {
        let shown: String = ask.path.chars().take(100).collect();
        writeln!(out, "{:>4.0} % of {charged:>3}: {work:?} {status} {address} {shown}", part * 100.0).expect("written");
    }
    for ((price, bound), most) in BOUNDS.iter().zip(most) {
        writeln!(out, "{price:>3} and more: {most:?} at most, of {bound:?}").expect("written");
    }
    let beyond: Vec<&str> =
        found.iter().filter(|(_, costliest)| costliest.part > 1.0).map(|(address, _)| address.as_str()).collect();
    assert!(beyond.is_empty(), "beyond the bound of their price: {beyond:?}");
    assert!(found.len() > 100, "{} addresses", found.len());
    fixture.end().await;
}
