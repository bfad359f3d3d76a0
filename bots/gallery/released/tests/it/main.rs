//! Tests of the released modules.

mod pinned;
