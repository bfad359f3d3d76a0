//! Listens to the database's notifications.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::time::{sleep, timeout};

use crate::shared::Notifiers;
use crate::sql::connection::within;

/// The channels on which triggers and servers notify.
const CHANNELS: [&str; 3] = ["arena_news", "arena_ended", "arena_said"];

/// The pause before connecting again to a database that is down. Meanwhile waiting tasks poll.
const PAUSE: Duration = Duration::from_secs(1);

/// After how long without a notification the database is asked for a sign of life, in times of how long it may take to
/// give one.
const QUIET_WAITS: u32 = 6;

/// The connection for listening, in a pool of its own that takes no other.
pub(super) struct Line {
    options: PgConnectOptions,
    wait: Duration,
    pool: Mutex<PgPool>,
}

impl Line {
    /// A connection that is not made yet; `wait` is how long the database may take to answer.
    pub(super) fn new(options: PgConnectOptions, wait: Duration) -> Arc<Line> {
        let pool = Mutex::new(pool(&options));
        Arc::new(Line { options, wait, pool })
    }

    fn pool(&self) -> PgPool {
        self.pool.lock().clone()
    }

    /// Takes another pool, unless the line is closed: a connection that does not answer may never return to the last
    /// one.
    fn renew(&self) {
        let mut held = self.pool.lock();
        if !held.is_closed() {
            *held = pool(&self.options);
        }
    }

    /// Ends the connection, at the server, too.
    pub(super) async fn close(&self) {
        self.pool().close().await;
    }
}

fn pool(options: &PgConnectOptions) -> PgPool {
    let pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None).acquire_timeout(PAUSE);
    pool.connect_lazy_with(options.clone())
}

/// Listens until the line is closed.
#[expect(clippy::disallowed_methods, reason = "another machine comes back in real time")]
pub(super) async fn listen(line: Arc<Line>, notifiers: Arc<Notifiers>) {
    loop {
        let pool = line.pool();
        if pool.is_closed() {
            return;
        }
        // Starts again, whatever ended it.
        let _ = receive(&pool, line.wait, &notifiers).await;
        line.renew();
        let _ = pool.close_event().do_until(sleep(PAUSE)).await;
    }
}

#[expect(clippy::disallowed_methods, reason = "patience with another machine is real time")]
async fn receive(pool: &PgPool, wait: Duration, notifiers: &Notifiers) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    within(wait, listener.listen_all(CHANNELS)).await?;
    // Earlier notifications were missed.
    notifiers.ring();
    loop {
        let Ok(heard) = timeout(wait * QUIET_WAITS, listener.try_recv()).await else {
            // Nothing has happened, or the host is gone: who only listens is not told.
            within(wait, sqlx::query("select 1").execute(&mut listener)).await?;
            continue;
        };
        let Some(heard) = heard? else {
            // The connection broke and was replaced.
            notifiers.ring();
            continue;
        };
        match heard.channel() {
            "arena_news" => notifiers.news.send_replace(()),
            "arena_ended" => notifiers.ended.send_replace(()),
            _ => notifiers.receive(heard.payload()),
        }
    }
}
