//! Who may open a room, and what its log accepts.

use crate::{Appended, Limits, RoomError, UnixSeconds};

/// What decides on the opening of a room, at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenView {
    /// Whether the log of a room with this id starts with the same event; `None` if there is no such room.
    pub(crate) same: Option<bool>,
    /// Whether the operator has closed rooms.
    pub(crate) closed: bool,
    /// Open rooms.
    pub(crate) open: u64,
    /// Those of the same owner.
    pub(crate) own: u64,
    /// When the first of the latter is closed, if nothing happens in it.
    pub(crate) first_silent_at: Option<UnixSeconds>,
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
    if view.open >= limits.open_rooms_max.into() {
        return Err(RoomError::TooManyRooms);
    }
    let max = limits.open_rooms_per_owner_max;
    if view.own >= max.into() {
        return Err(RoomError::TooManyOfOwner {
            max,
            again_in: now.seconds_until(view.first_silent_at.unwrap_or(now)),
        });
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
    const VIEW: OpenView = OpenView { same: None, closed: false, open: 0, own: 0, first_silent_at: None };

    fn decided(view: OpenView) -> Result<Appended, String> {
        may_open(&view, &LIMITS, NOW).map_err(|error| format!("{error:?}"))
    }

    #[test]
    fn every_quota_of_rooms_holds_at_its_edge() {
        let (all, own) = (u64::from(LIMITS.open_rooms_max), u64::from(LIMITS.open_rooms_per_owner_max));
        let first_silent_at = Some(UnixSeconds(NOW.0 + 60));
        for (open, own, refused) in
            [(all - 1, own - 1, None), (all, own - 1, Some("TooManyRooms")), (all - 1, own, Some("again_in: 60"))]
        {
            match (decided(OpenView { open, own, first_silent_at, ..VIEW }), refused) {
                (Ok(decided), None) => assert_eq!(decided, Appended::New),
                (decided, refused) => {
                    assert!(decided.is_err_and(|error| refused.is_some_and(|code| error.contains(code))));
                }
            }
        }
    }

    #[test]
    fn a_room_that_is_there_is_opened_again_by_the_same_event_alone() {
        let full = OpenView { closed: true, open: u64::MAX, own: u64::MAX, ..VIEW };
        assert_eq!(decided(OpenView { same: Some(true), ..full }), Ok(Appended::Already));
        assert_eq!(decided(OpenView { same: Some(false), ..full }), Err("RoomExists".into()));
        assert_eq!(decided(full), Err("Closed".into()));
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
