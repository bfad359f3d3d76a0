//! Waiting rooms: whose share each one takes, and in which order the lobby lists them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arena_rooms::{Newcomer, PersonId, RoomId};
use arena_service::limits::LOBBY_ROWS_MAX;
use arena_service::{LiveRoom, NewTable, Service};
use arena_store::AccountId;
use arena_wire::Game;
use parking_lot::Mutex;

use crate::limit_kind::LimitKind;
use crate::problem::{Problem, Result};
use crate::visitors::{Hold, Network, Taker, UsedUp};

/// The waiting rooms that this process opened. Those of other processes take no share here.
#[derive(Default)]
pub(crate) struct WaitingRooms(Mutex<HashMap<RoomId, Place>>);

/// The place of a waiting room.
struct Place {
    network: Network,
    #[expect(dead_code, reason = "held, never looked at")]
    hold: Hold,
}

impl WaitingRooms {
    /// Opens a room that others may join.
    ///
    /// # Errors
    /// If the visitor has too many waiting rooms, or the room cannot be opened.
    pub(crate) async fn open(
        &self,
        service: &Service,
        taker: &Taker,
        account: Option<AccountId>,
        new: NewTable,
    ) -> Result<RoomId> {
        let place = self.place(service, taker, account).map_err(|refusal| taker.problem(refusal))?;
        let id = service.open_table(new, service.now()).await?;
        self.keep(id, place);
        Ok(id)
    }

    /// Finds an opponent: a waiting person, or the next to come.
    ///
    /// # Errors
    /// If the visitor's share of attempts is used up, or nobody waits and the visitor has too many waiting rooms.
    pub(crate) async fn pair(
        &self,
        service: &Service,
        taker: &Taker,
        account: Option<AccountId>,
        (newcomer, game): (Newcomer, &'static Game),
    ) -> Result<RoomId> {
        taker.take(LimitKind::Joins, account)?;
        let place = self.place(service, taker, account);
        let Some(id) = service.pair(newcomer, game, place.is_ok(), service.now()).await? else {
            return Err(place.err().map_or_else(Problem::no_such_page, |refusal| {
                taker.give_back(LimitKind::Joins, account);
                taker.problem(refusal)
            }));
        };
        if let Ok(place) = place {
            // If the game begins at once, the next waiting room gets the place.
            self.keep(id, place);
        }
        Ok(id)
    }

    /// Takes a place for a room, after releasing those of rooms that no longer wait.
    fn place(&self, service: &Service, taker: &Taker, account: Option<AccountId>) -> Result<Place, UsedUp> {
        self.0.lock().retain(|id, _| service.rooms().is_waiting(id));
        Ok(Place { network: taker.network(), hold: taker.waiting_room(account)? })
    }

    fn keep(&self, id: RoomId, place: Place) {
        self.0.lock().insert(id, place);
    }

    /// The lobby's list of waiting rooms: one of each network first, then a second of each, so that no visitor's rooms
    /// displace those of others. A room whose network is unknown counts for its host.
    pub(crate) fn listed(&self, rooms: Vec<Arc<LiveRoom>>) -> Vec<Arc<LiveRoom>> {
        let known = self.0.lock();
        let whose = |room: &LiveRoom| {
            known.get(room.id()).map_or(Whose::Host(host(room)), |place| Whose::Network(place.network))
        };
        let order = fair(rooms.iter().map(|room| whose(room)));
        order.into_iter().take(LOBBY_ROWS_MAX).map(|at| rooms[at].clone()).collect()
    }
}

/// The owner of a room for the lobby's order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    Network(Network),
    Host(Option<PersonId>),
}

fn host(room: &LiveRoom) -> Option<PersonId> {
    room.snapshot().view.table.as_ref().map(|table| table.host)
}

/// The order that takes one thing of each owner, then a second of each, and so on; among equals it keeps the given
/// order.
fn fair<W: Ord>(whose: impl Iterator<Item = W>) -> Vec<usize> {
    let mut counts: BTreeMap<W, usize> = BTreeMap::new();
    let ranked = whose.enumerate().map(|(at, whose)| {
        let count = counts.entry(whose).or_default();
        *count += 1;
        (*count, at)
    });
    let mut ranked: Vec<(usize, usize)> = ranked.collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_each_comes_before_a_second_of_anybody() {
        let order =
            |text: &str| fair(text.chars()).into_iter().filter_map(|at| text.chars().nth(at)).collect::<String>();
        assert_eq!(order("aaaabac"), "abcaaaa");
        assert_eq!(order("abab"), "abab");
        assert_eq!(fair("aab".chars()), [0, 2, 1]);
        assert_eq!(order(""), "");
    }
}
