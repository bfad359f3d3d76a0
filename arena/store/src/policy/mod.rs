//! Who may do what, within which quotas: pure functions over small views, which the store loads in the transaction that
//! writes. Not here: how a view is loaded (`sql`), and the limits themselves (`limits.rs`).

use crate::UnixSeconds;

pub(crate) mod act;
pub(crate) mod contest;
pub(crate) mod names;
pub(crate) mod queue;
pub(crate) mod room;
pub(crate) mod submit;
pub(crate) mod token;
pub(crate) mod version;
pub(crate) mod world;

/// The seconds until fewer than `max` are left of those that end at these times, the earliest first: there may be more
/// than `max`, since an operator may lower a limit.
fn until_fewer(ends: &[UnixSeconds], max: u32, now: UnixSeconds) -> u64 {
    let last = ends.len().saturating_sub(max as usize);
    ends.get(last).map_or(0, |end| now.seconds_until(*end))
}
