//! Listens to the database's notifications.

use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::time::sleep;

use crate::shared::Ropes;

/// The channels on which triggers and servers notify.
const CHANNELS: [&str; 4] = ["arena_news", "arena_asked", "arena_ended", "arena_said"];

/// The pause before connecting again to a database that is down. Meanwhile waiting tasks poll.
const PAUSE: Duration = Duration::from_secs(1);

/// The connection for listening. Closing it ends it at the server, too.
pub(super) fn line(options: PgConnectOptions) -> PgPool {
    let pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None).acquire_timeout(PAUSE);
    pool.connect_lazy_with(options)
}

/// Listens until the line is closed.
pub(super) async fn listen(line: PgPool, ropes: Arc<Ropes>) {
    while !line.is_closed() {
        // Starts again, whatever ended it.
        let _ = hear(&line, &ropes).await;
        let _ = line.close_event().do_until(sleep(PAUSE)).await;
    }
}

async fn hear(line: &PgPool, ropes: &Ropes) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(line).await?;
    listener.listen_all(CHANNELS).await?;
    // Earlier notifications were missed.
    ropes.ring();
    loop {
        let Some(heard) = listener.try_recv().await? else {
            // The connection broke and was replaced.
            ropes.ring();
            continue;
        };
        match heard.channel() {
            "arena_news" => ropes.news.send_replace(()),
            "arena_asked" => ropes.asked.send_replace(()),
            "arena_ended" => ropes.ended.send_replace(()),
            // Fails if nobody listens.
            _ => ropes.said.send(heard.payload().to_owned()).map_or((), |_| ()),
        }
    }
}
