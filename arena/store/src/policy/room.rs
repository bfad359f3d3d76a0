//! Who may open a room, and what its log accepts.

use super::until_fewer;
use crate::{Appended, Limits, RoomError, StoreError, UnixSeconds};

/// What decides on the opening of a room, at one moment.
#[derive(Clone, Default, Debug)]
pub(crate) struct OpenView {
    /// Whether the log of a room with this id starts with the same event; `None` if there is no such room.
    pub(crate) same: Option<bool>,
    /// Whether the operator has closed rooms.
    pub(crate) closed: bool,
    /// Whether the disk has room for something new.
    pub(crate) has_space: bool,
    /// Open rooms.
    pub(crate) open: u64,
    /// When each of those of the same owner is closed, if nothing happens in it; the earliest first.
    pub(crate) own: Vec<UnixSeconds>,
}

/// Whether a room may be opened, or is already.
pub(crate) fn may_open(view: &OpenView, limits: &Limits, now: UnixSeconds) -> Result<Appended, RoomError> {
    match view.same {
        Some(true) => return Ok(Appended::Already),
        Some(false) => return Err(RoomError::RoomExists),
        None => {}
    }
    if view.closed {
        return Err(RoomError::Closed);
    }
    if !view.has_space {
        return Err(StoreError::NoSpace.into());
    }
    let max = u64::from(limits.open_rooms_max);
    if view.open >= max {
        return Err(RoomError::TooManyRooms { beyond: view.open - max });
    }
    let max = limits.open_rooms_per_owner_max;
    if view.own.len() >= max as usize {
        return Err(RoomError::TooManyOfOwner { max, again_in: until_fewer(&view.own, max, now) });
    }
    Ok(Appended::New)
}

/// What decides on an event for a place in a room's log, at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AppendView {
    /// Whether the event at this place is the same; `None` if there is none.
    pub(crate) same: Option<bool>,
    pub(crate) is_open: bool,
    /// The next place.
    pub(crate) next: u32,
}

/// Whether a room's log accepts an event at the place `seq`, or has it already.
pub(crate) fn may_append(view: Option<AppendView>, limits: &Limits, seq: u32) -> Result<Appended, RoomError> {
    let AppendView { same, is_open, next } = view.ok_or(RoomError::NoSuchRoom)?;
    match same {
        Some(true) => Ok(Appended::Already),
        Some(false) => Err(RoomError::Taken),
        None if !is_open => Err(RoomError::Finished),
        None if seq != next => Err(RoomError::Gap { next }),
        None if seq >= limits.events_per_room_max => Err(RoomError::TooManyEvents(limits.events_per_room_max)),
        None => Ok(Appended::New),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixSeconds = UnixSeconds(1_000_000);
    const LIMITS: Limits = Limits::DEFAULT;

    fn view() -> OpenView {
        OpenView { has_space: true, ..OpenView::default() }
    }

    fn decided(view: OpenView) -> Result<Appended, String> {
        may_open(&view, &LIMITS, NOW).map_err(|error| format!("{error:?}"))
    }

    #[test]
    fn every_quota_of_rooms_holds_at_its_edge() {
        let (all, own) = (u64::from(LIMITS.open_rooms_max), LIMITS.open_rooms_per_owner_max as usize);
        for (open, own, refused) in [
            (all - 1, own - 1, None),
            (all, own - 1, Some("TooManyRooms { beyond: 0 }")),
            (all + 7, own - 1, Some("TooManyRooms { beyond: 7 }")),
            (all - 1, own, Some("again_in: 60 ")),
            (all - 1, own + 3, Some("again_in: 63 ")),
        ] {
            let own = (60..).map(|seconds| UnixSeconds(NOW.0 + seconds)).take(own).collect();
            match (decided(OpenView { open, own, ..view() }), refused) {
                (Ok(decided), None) => assert_eq!(decided, Appended::New),
                (decided, refused) => {
                    assert!(decided.is_err_and(|error| refused.is_some_and(|code| error.contains(code))));
                }
            }
        }
    }

    #[test]
    fn a_room_that_is_there_is_opened_again_by_the_same_event_alone() {
        let full = OpenView { open: u64::MAX, has_space: false, ..view() };
        assert_eq!(decided(OpenView { same: Some(true), closed: true, ..full.clone() }), Ok(Appended::Already));
        assert_eq!(decided(OpenView { same: Some(false), ..full.clone() }), Err("RoomExists".into()));
        assert_eq!(decided(OpenView { closed: true, ..full.clone() }), Err("Closed".into()));
        assert!(decided(full).is_err_and(|error| error.contains("NoSpace")), "before a room makes way for another");
    }

    #[test]
    fn a_log_has_no_gaps_and_its_events_never_change() {
        let most = LIMITS.events_per_room_max;
        let decided =
            |view: Option<AppendView>, seq| may_append(view, &LIMITS, seq).map_err(|error| format!("{error:?}"));
        let there = AppendView { same: None, is_open: true, next: 3 };
        assert_eq!(decided(None, 0), Err("NoSuchRoom".into()));
        assert_eq!(decided(Some(there), 3), Ok(Appended::New));
        assert_eq!(decided(Some(there), 4), Err("Gap { next: 3 }".into()));
        let over = AppendView { is_open: false, ..there };
        assert_eq!(decided(Some(over), 3), Err("Finished".into()));
        assert_eq!(decided(Some(AppendView { same: Some(true), ..over }), 2), Ok(Appended::Already));
        assert_eq!(decided(Some(AppendView { same: Some(false), ..over }), 2), Err("Taken".into()));
        let end = |next| decided(Some(AppendView { next, ..there }), next);
        assert_eq!(end(most - 1), Ok(Appended::New));
        assert_eq!(end(most), Err(format!("TooManyEvents({most})")));
    }
}
