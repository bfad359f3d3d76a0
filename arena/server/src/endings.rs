//! Hears from the other servers of a site whose credentials have ended there, so that they end here as well.

use arena_store::ServerMessage;
use tokio::sync::broadcast::error::RecvError;

use crate::app::App;

/// Forgets whom other servers name, until this one stops.
pub(crate) async fn follow(app: App) {
    if !app.store().is_shared() {
        return;
    }
    let mut messages = app.store().notifications().messages;
    loop {
        let heard = tokio::select! {
            () = app.stopping.cancelled() => return,
            heard = messages.recv() => heard,
        };
        match heard {
            Ok(sent) => {
                let ServerMessage::AccountChanged(whose) = sent.message else { continue };
                app.sessions.forget(whose);
            }
            // The messages that were missed may have named anybody.
            Err(RecvError::Lagged(_)) => app.sessions.forget_all(),
            Err(RecvError::Closed) => return,
        }
        // The account may have another name, or none.
        app.known.forget();
    }
}
