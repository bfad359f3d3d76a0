//! What the operator has closed, and the limits that the operator has adjusted.

use super::connection::{Connection, query};
use crate::error::Result;
use crate::operations::LIMIT;
use crate::{Gate, Limits, Store};

/// Whether something is closed, read in the transaction that depends on it.
pub(super) async fn is_closed(connection: &mut Connection, gate: Gate) -> Result<bool> {
    let closed = "select 1 from closed_gates where gate = $1
        union all select 1 from measures where kind = 'closed' and subject = $1";
    query(closed).bind(gate).exists(connection).await
}

impl Store {
    /// The limits as the operator has adjusted them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn limits(&self) -> Result<Limits> {
        self.limits_in(&mut self.reader().await?).await
    }

    /// The limits unless the operator adjusts them.
    pub fn default_limits(&self) -> &Limits {
        &self.limits
    }

    /// The limits, read in the transaction that depends on them: so an act holds at once, at every server. What another
    /// release adjusted, and this one may not, stays as it is here.
    pub(super) async fn limits_in(&self, connection: &mut Connection) -> Result<Limits> {
        let adjusted: Vec<(String, String)> =
            query("select subject, text from measures where kind = $1").bind(LIMIT).fetch_all(connection).await?;
        let mut limits = self.limits;
        for (name, value) in adjusted {
            limits.adjust(&name, value.parse().unwrap_or_default());
        }
        Ok(limits)
    }
}
