//! Hears what the database notifies of.

use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::time::sleep;

use crate::shared::Ropes;

/// What the triggers and servers notify of.
const CHANNELS: [&str; 4] = ["arena_news", "arena_asked", "arena_ended", "arena_said"];

/// The pause before a database that is away is listened to again. Those who wait for it poll meanwhile.
const PAUSE: Duration = Duration::from_secs(1);

/// The connection that is listened on: closing it ends it at the server, too.
pub(super) fn line(options: PgConnectOptions) -> PgPool {
    let pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None).acquire_timeout(PAUSE);
    pool.connect_lazy_with(options)
}

/// Listens until the line is closed.
pub(super) async fn listen(line: PgPool, ropes: Arc<Ropes>) {
    while !line.is_closed() {
        // Whatever ends it, it begins anew.
        let _ = hear(&line, &ropes).await;
        let _ = line.close_event().do_until(sleep(PAUSE)).await;
    }
}

async fn hear(line: &PgPool, ropes: &Ropes) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(line).await?;
    listener.listen_all(CHANNELS).await?;
    // What was notified of before is missed.
    ropes.ring();
    loop {
        let Some(heard) = listener.try_recv().await? else {
            // The connection broke and there is another.
            ropes.ring();
            continue;
        };
        match heard.channel() {
            "arena_news" => ropes.news.send_replace(()),
            "arena_asked" => ropes.asked.send_replace(()),
            "arena_ended" => ropes.ended.send_replace(()),
            // Nobody may listen.
            _ => ropes.said.send(heard.payload().to_owned()).map_or((), |_| ()),
        }
    }
}
