//! Rooms that wait for others: whose share each takes, and which of them the lobby lists first.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arena_rooms::{Newcomer, PersonId, RoomId};
use arena_service::limits::LOBBY_ROWS_MAX;
use arena_service::{LiveRoom, NewTable, Service, now};
use arena_store::AccountId;
use arena_wire::Game;

use crate::problem::Problem;
use crate::share::What;
use crate::visitors::{Hold, Network, Refusal, Taker};

/// The rooms that wait and were opened by this process. One that another process opened takes no share here.
#[derive(Default)]
pub(crate) struct WaitingRooms(Mutex<HashMap<RoomId, Place>>);

/// A place among them.
struct Place {
    network: Network,
    #[expect(dead_code, reason = "held, never looked at")]
    hold: Hold,
}

impl WaitingRooms {
    /// Opens a room that others may join.
    ///
    /// # Errors
    /// When as many rooms of the visitor wait as may, or the room cannot be opened.
    pub(crate) async fn open(
        &self,
        service: &Service,
        taker: &Taker,
        account: Option<AccountId>,
        new: NewTable,
    ) -> Result<RoomId, Problem> {
        let place = self.place(service, taker, account).map_err(|refusal| taker.told(refusal))?;
        let id = service.open_table(new, now()).await?;
        self.keep(id, place);
        Ok(id)
    }

    /// Finds an opponent: someone who waits, or the next to come.
    ///
    /// # Errors
    /// When the visitor has had its share of attempts; or nobody waits, and as many rooms of the visitor do as may.
    pub(crate) async fn pair(
        &self,
        service: &Service,
        taker: &Taker,
        account: Option<AccountId>,
        (newcomer, game): (Newcomer, &'static Game),
    ) -> Result<RoomId, Problem> {
        taker.take(What::Joins, account)?;
        let place = self.place(service, taker, account);
        let Some(id) = service.pair(newcomer, game, place.is_ok(), now()).await? else {
            return Err(place.err().map_or_else(Problem::no_such_page, |refusal| taker.told(refusal)));
        };
        if let Ok(place) = place {
            // Where the game begins with it, the place is free for the next room that waits.
            self.keep(id, place);
        }
        Ok(id)
    }

    /// A place for a room; those of rooms that wait no longer are free again.
    fn place(&self, service: &Service, taker: &Taker, account: Option<AccountId>) -> Result<Place, Refusal> {
        self.rooms().retain(|id, _| service.is_waiting(id));
        Ok(Place { network: taker.network(), hold: taker.waiting_room(account)? })
    }

    fn keep(&self, id: RoomId, place: Place) {
        self.rooms().insert(id, place);
    }

    /// What the lobby lists of rooms that wait: one of each network first, then a second of each, so that nobody's rooms keep those of
    /// others out. A room whose network is not known stands for its host.
    pub(crate) fn listed(&self, rooms: Vec<Arc<LiveRoom>>) -> Vec<Arc<LiveRoom>> {
        let known = self.rooms();
        let whose = |room: &LiveRoom| {
            known.get(room.id()).map_or(Whose::Host(host(room)), |place| Whose::Network(place.network))
        };
        let order = fair(rooms.iter().map(|room| whose(room)));
        order.into_iter().take(LOBBY_ROWS_MAX).map(|at| rooms[at].clone()).collect()
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<RoomId, Place>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whose room it is, as far as the lobby's order goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    Network(Network),
    Host(Option<PersonId>),
}

fn host(room: &LiveRoom) -> Option<PersonId> {
    room.snapshot().view.table.as_ref().map(|table| table.host)
}

/// The order in which things of several are each's first, then each's second, and so on; among equals as they come.
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
