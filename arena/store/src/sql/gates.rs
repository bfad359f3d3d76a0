//! What the operator has closed.

use super::connection::{Connection, query};
use super::error::Stored;
use crate::{Gate, StoreError};

/// Whether something is closed, read in the transaction that depends on it.
pub(super) async fn is_closed(connection: &mut Connection, gate: Gate) -> Result<bool, StoreError> {
    let closed = "select 1 from closed_gates where gate = $1
        union all select 1 from measures where kind = 'closed' and subject = $1";
    query(closed).bind(gate.word()).exists(connection).await.stored()
}
