//! What the log of a world accepts, and which of its spans are forgotten.

use crate::worlds::{WORLD_LINE_BYTES_MAX, WORLD_SPAN_LINES_MAX};
use crate::{Appended, Limits, StoreError, WorldError};

/// What decides on the beginning of a span, at one moment.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct BeginView {
    /// The first generation of the world's latest span; `None` if there is no such world.
    pub(crate) latest: Option<u64>,
    /// Whether the span begins with the same snapshot; `None` if there is no such span.
    pub(crate) same: Option<bool>,
    /// All worlds.
    pub(crate) worlds: u64,
    /// Whether the disk has room for something new.
    pub(crate) has_space: bool,
}

/// Whether a world's log accepts a span that begins at the generation `from`, or has it already.
pub(crate) fn may_begin(view: BeginView, limits: &Limits, from: u64) -> Result<Appended, WorldError> {
    match view {
        BeginView { same: Some(true), .. } => Ok(Appended::Already),
        BeginView { same: Some(false), .. } => Err(WorldError::Taken),
        BeginView { latest: Some(latest), .. } if latest > from => Err(WorldError::NoSuchSpan),
        BeginView { latest: None, worlds, .. } if worlds >= limits.worlds_max.into() => {
            Err(WorldError::TooManyWorlds(limits.worlds_max))
        }
        BeginView { has_space: false, .. } => Err(StoreError::NoSpace.into()),
        _ => Ok(Appended::New),
    }
}

/// What decides on a line for a place in a span, at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AppendView {
    /// Whether the span is the world's latest.
    pub(crate) is_latest: bool,
    /// Whether the line at this place is the same; `None` if there is none.
    pub(crate) same: Option<bool>,
    /// The next place.
    pub(crate) next: u32,
}

/// Whether a span accepts a line at the place `seq`, or has it already.
pub(crate) fn may_append(view: AppendView, seq: u32) -> Result<Appended, WorldError> {
    match view {
        AppendView { is_latest: false, .. } => Err(WorldError::NoSuchSpan),
        AppendView { same: Some(true), .. } => Ok(Appended::Already),
        AppendView { same: Some(false), .. } => Err(WorldError::Taken),
        AppendView { next, .. } if seq != next => Err(WorldError::Gap { next }),
        _ => Ok(Appended::New),
    }
}

/// Whether a line of this many bytes may have the place `seq`, in any span.
pub(crate) fn may_have_place(seq: u32, bytes: usize) -> Result<(), WorldError> {
    if bytes > WORLD_LINE_BYTES_MAX || seq >= WORLD_SPAN_LINES_MAX { Err(WorldError::TooLong) } else { Ok(()) }
}

/// How many of a world's spans are forgotten, the oldest first, so that the rest fits the budget; never the latest.
/// `bytes` has the size of each, in order.
pub(crate) fn forgotten(bytes: &[u64], limits: &Limits) -> usize {
    let fits = |first: &usize| bytes[*first..].iter().sum::<u64>() <= limits.world_bytes_max;
    let last = bytes.len().saturating_sub(1);
    (0..last).find(fits).unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { worlds_max: 2, world_bytes_max: 100, ..Limits::DEFAULT };

    fn code<T>(decided: Result<T, WorldError>) -> Result<T, String> {
        decided.map_err(|error| format!("{error:?}"))
    }

    #[test]
    fn a_world_begins_while_there_are_fewer_and_a_span_only_after_all_others() {
        let view = BeginView { has_space: true, ..BeginView::default() };
        let there = BeginView { latest: Some(600), worlds: 2, ..view };
        for (view, from, decided) in [
            (BeginView { worlds: 1, ..view }, 0, Ok(Appended::New)),
            (BeginView { worlds: 2, ..view }, 0, Err("TooManyWorlds(2)")),
            (there, 601, Ok(Appended::New)),
            (there, 599, Err("NoSuchSpan")),
            (BeginView { same: Some(true), has_space: false, ..there }, 0, Ok(Appended::Already)),
            (BeginView { same: Some(false), has_space: false, ..there }, 600, Err("Taken")),
        ] {
            assert_eq!(code(may_begin(view, &LIMITS, from)), decided.map_err(str::to_owned));
        }
        let full = code(may_begin(BeginView { has_space: false, ..there }, &LIMITS, 700));
        assert!(full.is_err_and(|error| error.contains("NoSpace")));
    }

    #[test]
    fn a_span_has_no_gaps_and_its_lines_never_change() {
        let view = AppendView { is_latest: true, same: None, next: 3 };
        for (view, seq, decided) in [
            (view, 3, Ok(Appended::New)),
            (view, 4, Err("Gap { next: 3 }")),
            (AppendView { same: Some(true), ..view }, 2, Ok(Appended::Already)),
            (AppendView { same: Some(false), ..view }, 2, Err("Taken")),
            (AppendView { is_latest: false, same: Some(true), ..view }, 2, Err("NoSuchSpan")),
        ] {
            assert_eq!(code(may_append(view, seq)), decided.map_err(str::to_owned));
        }
    }

    #[test]
    fn a_line_and_a_span_have_their_lengths_at_most() {
        let (seq, bytes) = (WORLD_SPAN_LINES_MAX - 1, WORLD_LINE_BYTES_MAX);
        assert_eq!(code(may_have_place(seq, bytes)), Ok(()));
        assert_eq!(code(may_have_place(seq + 1, bytes)), Err("TooLong".into()));
        assert_eq!(code(may_have_place(seq, bytes + 1)), Err("TooLong".into()));
    }

    #[test]
    fn no_more_spans_are_forgotten_than_the_budget_asks_for() {
        for (bytes, gone) in [
            (&[][..], 0),
            (&[100], 0),
            (&[101], 0),
            (&[50, 50], 0),
            (&[1, 50, 50], 1),
            (&[9, 99, 2], 2),
            (&[1, 101], 1),
        ] {
            assert_eq!(forgotten(bytes, &LIMITS), gone, "{bytes:?}");
        }
    }
}
