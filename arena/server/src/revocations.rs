//! Drops sessions that were revoked on another server.

use arena_store::ServerMessage;
use tokio::sync::broadcast::error::RecvError;

use crate::app::App;

/// Forgets whom other servers name, until this one stops.
pub(crate) async fn follow(app: App) {
    let mut messages = app.store().notifications().messages;
    loop {
        let heard = tokio::select! {
            () = app.stopping.cancelled() => return,
            heard = messages.recv() => heard,
        };
        match heard {
            // What changed here was forgotten with the change.
            Ok(sent) if sent.from == app.store().server() => continue,
            Ok(sent) => match sent.message {
                ServerMessage::AccountChanged(whose) => app.sessions.forget(whose),
                // Another release's message may have named anybody, and so may messages that were missed.
                ServerMessage::Unknown => app.sessions.forget_all(),
                _ => continue,
            },
            Err(RecvError::Lagged(_)) => app.sessions.forget_all(),
            Err(RecvError::Closed) => return,
        }
        // The account may have another name, or none.
        app.known.forget();
    }
}
