//! Who may do what, within which quotas: pure functions over small views, which the store loads in the transaction that
//! writes. Not here: how a view is loaded (`sql`), and the limits themselves (`limits.rs`).

pub(crate) mod contest;
pub(crate) mod names;
pub(crate) mod room;
pub(crate) mod submit;
