//! Replicates rate-limit usage between servers, so that a visitor has one share over all of them. Servers send this
//! once a second; until then a visitor may have more. None of it is stored or logged.

use std::iter;
use std::sync::Arc;

use arena_record::Hex;
use arena_service::Service;
use arena_store::{AccountId, Sent, ServerId, ServerMessage};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use tracing::debug;

use super::table::{AT_ONCE, RATES, TELL_EVERY};
use super::{Key, Line, Network, Visitors};
use crate::limit_kind::LimitKind;

/// Lines in a message; each has less than 70 bytes.
const LINES_AT_ONCE: usize = 100;

/// A message to the other servers.
struct Message {
    message: ServerMessage,
    /// What of it no later message says.
    given: Vec<Line>,
}

/// Sends what visitors take here to the other servers, and receives the same from them, until the server stops.
pub(crate) async fn share(visitors: Arc<Visitors>, service: Service, stopping: CancellationToken) {
    let store = service.store();
    if !store.is_shared() {
        return;
    }
    visitors.rates.will_be_told();
    let (own, mut messages, mut every) =
        (store.server(), store.notifications().messages, service.clock().interval(TELL_EVERY));
    loop {
        tokio::select! {
            () = stopping.cancelled() => return,
            () = every.tick() => {
                let mut waiting = visitors.to_send().into_iter();
                while let Some(message) = waiting.next() {
                    if let Err(error) = store.send_to_servers(message.message.clone()).await {
                        debug!(%error, "other servers are told a second later what this one gives to visitors");
                        visitors.unsent(iter::once(message).chain(waiting));
                        break;
                    }
                }
            }
            heard = messages.recv() => match heard {
                Ok(sent) => visitors.receive(&sent, own),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            },
        }
    }
}

impl Visitors {
    /// Messages for the other servers: what was taken since the last ones, and what is held.
    fn to_send(&self) -> Vec<Message> {
        let is_told = |(_, key, _): &Line| spell(*key).is_some();
        let spelt = |lines: &[Line]| -> Vec<(String, String, u32)> {
            let spelt = |(what, key, count): &Line| Some((what.words().to_owned(), spell(*key)?, *count));
            lines.iter().filter_map(spelt).collect()
        };
        let given: Vec<Line> = self.rates.to_send().into_iter().filter(is_told).collect();
        let held: Vec<Line> = self.held().flat_map(|held| held.to_send()).filter(is_told).collect();
        let given = given.chunks(LINES_AT_ONCE).map(|lines| Message {
            message: ServerMessage::Visitors { given: spelt(lines), held: Vec::new() },
            given: lines.into(),
        });
        let held = held.chunks(LINES_AT_ONCE).map(|lines| Message {
            message: ServerMessage::Visitors { given: Vec::new(), held: spelt(lines) },
            given: Vec::new(),
        });
        given.chain(held).collect()
    }

    /// Takes back messages that could not be sent: the next ones say the same. If one was heard all the same, a visitor
    /// has less for it.
    fn unsent(&self, messages: impl Iterator<Item = Message>) {
        messages.flat_map(|message| message.given).for_each(|(what, key, amount)| self.rates.note(what, key, amount));
    }

    /// Applies a message of another server.
    fn receive(&self, sent: &Sent, own: ServerId) {
        let ServerMessage::Visitors { given, held } = &sent.message else { return };
        if sent.from == own {
            return;
        }
        let known = |(what, key, count): &(String, String, u32)| Some((named(what)?, read(key)?, *count));
        given.iter().filter_map(known).for_each(|line| self.rates.given_elsewhere(line));
        for (what, key, count) in held.iter().filter_map(known) {
            if let Some(held) = self.held().find(|held| held.what() == what) {
                held.held_elsewhere(sent.from.0, key, count);
            }
        }
    }
}

fn named(words: &str) -> Option<LimitKind> {
    let mut all = RATES.into_iter().map(|rate| rate.what).chain(AT_ONCE.into_iter().map(|limit| limit.what));
    all.find(|what| what.words() == words)
}

/// A key as servers write it; `None` for keys that each server has for itself.
fn spell(key: Key) -> Option<String> {
    Some(match key {
        Key::Account(AccountId(id)) => format!("a{id}"),
        Key::Network(Network::V4(bytes)) => format!("4{}", Hex(bytes)),
        Key::Network(Network::V6(bytes)) => format!("6{}", Hex(bytes)),
        Key::Everybody => "e".into(),
        Key::Others | Key::Around(_) => return None,
    })
}

fn read(text: &str) -> Option<Key> {
    let (kind, rest) = text.split_at_checked(1)?;
    match kind {
        "a" => rest.parse().ok().map(|id| Key::Account(AccountId(id))),
        "4" => rest.parse().ok().map(|Hex(bytes)| Key::Network(Network::V4(bytes))),
        "6" => rest.parse().ok().map(|Hex(bytes)| Key::Network(Network::V6(bytes))),
        "e" if rest.is_empty() => Some(Key::Everybody),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::time::Duration;

    use arena_clock::Clock;

    use super::*;
    use crate::metrics::Metrics;
    use crate::visitors::{Origin, Proxies, Taker};

    fn server() -> Arc<Visitors> {
        let visitors = Arc::new(Visitors::new(Proxies::default(), Metrics::default(), &Clock::manual(Duration::ZERO)));
        visitors.rates.will_be_told();
        visitors
    }

    fn visitor(visitors: &Arc<Visitors>, network: u8) -> Taker {
        let origin = Origin::of(IpAddr::from([192, network, 0, 1]));
        Taker { visitors: visitors.clone(), origin, cost: 1, charged: Arc::default() }
    }

    /// The number that is granted in a row.
    /// More than any share has: a test ends that is never refused.
    const ENDLESS: u32 = 1_000_000;

    fn given(taker: &Taker, what: LimitKind) -> u32 {
        (0..ENDLESS).find(|_| taker.take(what, None).is_err()).expect("a share ends")
    }

    const ONE: ServerId = ServerId(Hex([1; 16]));
    const TWO: ServerId = ServerId(Hex([2; 16]));

    /// What the first server sends.
    fn sent(one: &Visitors) -> Vec<Sent> {
        one.to_send().into_iter().map(|message| Sent::new(ONE, message.message)).collect()
    }

    #[test]
    fn a_visitor_has_one_share_at_all_servers() {
        let (one, two) = (server(), server());
        let all = given(&visitor(&one, 7), LimitKind::Sessions);
        // The first time they cannot be sent.
        one.unsent(one.to_send().into_iter());
        let all_sent = sent(&one);
        for message in &all_sent {
            two.receive(message, ONE);
            assert_eq!(visitor(&two, 7).take(LimitKind::Sessions, None), Ok(()), "its own messages change nothing");
            two.receive(message, TWO);
        }
        assert_eq!(all_sent.len(), 1);
        assert!(visitor(&two, 7).take(LimitKind::Sessions, None).is_err());
        assert_eq!(given(&visitor(&two, 8), LimitKind::Sessions), all, "another network has its own");
        assert_eq!(sent(&one), [], "everything is sent once");
        let nonsense = vec![("requests".to_owned(), "x".to_owned(), 1), ("nothing".to_owned(), "e".to_owned(), 1)];
        one.receive(&Sent::new(ONE, ServerMessage::Visitors { given: nonsense.clone(), held: nonsense }), TWO);
        assert_eq!(given(&visitor(&one, 9), LimitKind::Sessions), all);
    }

    #[test]
    fn what_is_held_at_one_server_is_held_at_all() {
        let (one, two) = (server(), server());
        let mut holds: Vec<_> = (0..ENDLESS).map_while(|_| visitor(&one, 7).socket(None).ok()).collect();
        sent(&one).iter().for_each(|message| two.receive(message, TWO));
        assert!(visitor(&two, 7).socket(None).is_err());
        visitor(&two, 8).socket(None).expect("another network has its own");
        holds.truncate(holds.len() / 2);
        sent(&one).iter().for_each(|message| two.receive(message, TWO));
        visitor(&two, 7).socket(None).expect("half are free");
    }

    #[test]
    fn what_is_told_at_once_fits_into_a_message_and_is_read_as_it_was_said() {
        let longest = Key::Network(Network::V6([0xff; 7]));
        let keys = [Key::Account(AccountId(i64::MAX)), longest, Key::Network(Network::V4([1, 2, 3])), Key::Everybody];
        for key in keys {
            assert_eq!(spell(key).as_deref().and_then(read), Some(key));
        }
        assert_eq!((spell(Key::Others), read(""), read("e1"), read("4zz")), (None, None, None, None));
        let what = RATES.iter().map(|rate| rate.what.words()).max_by_key(|words| words.len()).expect("rates");
        let line = (what.to_owned(), spell(keys[0]).expect("a key"), u32::MAX);
        let message = ServerMessage::Visitors { given: vec![line; LINES_AT_ONCE], held: Vec::new() };
        assert!(message.text(ONE).is_ok(), "it fits");
    }
}
