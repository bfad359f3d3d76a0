//! What the host keeps for a guest.

use wasmtime::StoreLimits;

use crate::Log;

/// What the host keeps for a guest.
pub(crate) struct Guest {
    pub(crate) limits: StoreLimits,
    pub(crate) log: Log,
}
