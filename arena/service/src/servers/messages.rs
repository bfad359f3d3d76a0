//! Sends messages to all servers of the site, this one included. A server applies its own message when it hears it, in
//! the order in which all of them do, so that all servers are the same.

use std::sync::Arc;

use arena_clock::Clock;
use arena_store::{Sent, ServerMessage, Store, StoreError};

use super::pending::Pending;
use crate::limits::MESSAGE_PATIENCE;

/// Sends messages.
pub(crate) struct Messages {
    store: Arc<Store>,
    clock: Clock,
    /// Messages that this server has sent and not applied yet.
    pending: Pending<()>,
}

impl Messages {
    pub(crate) fn new(store: Arc<Store>, clock: Clock) -> Messages {
        Messages { store, clock, pending: Pending::default() }
    }

    /// Sends a message. Returns when this server has applied it, so that its sender sees what it did; if the message is
    /// lost, [a moment](MESSAGE_PATIENCE) later.
    pub(crate) async fn send(&self, message: ServerMessage) -> Result<(), StoreError> {
        let mut question = self.pending.ask();
        self.store.send_to_servers(question.number, message).await?;
        // Lost: nothing that counts depends on it.
        let _ = self.clock.timeout(MESSAGE_PATIENCE, &mut question.answered).await;
        Ok(())
    }

    /// Sends a message that nobody waits for.
    pub(crate) async fn tell(&self, message: ServerMessage) -> Result<(), StoreError> {
        self.store.send_to_servers(0, message).await
    }

    /// Notes that this server has applied a message.
    pub(crate) fn applied(&self, sent: &Sent) {
        if sent.from == self.store.server() {
            self.pending.answer(sent.number, ());
        }
    }
}
