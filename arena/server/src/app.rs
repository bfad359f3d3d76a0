//! The state that all handlers share.

use std::convert::Infallible;
use std::sync::Arc;

use arena_clock::{Clock, Instant};
use arena_record::Forfeit;
use arena_service::{Edition, Service, with_causes};
use arena_store::{AccountId, PlayedGame, ServerMessage, Store, StoreError, UnixSeconds, VersionId};
use arena_wire::Game;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::warn;

use crate::assets::Assets;
use crate::featured_games::Showcase;
use crate::fuel::Fuel;
use crate::hosts::PublicUrl;
use crate::latest::Latest;
use crate::limits::MEASURES_EVERY;
use crate::measures::Measures;
use crate::metrics::Metrics;
use crate::names::Known;
use crate::operator::{OperatorToken, Operators};
use crate::session_cache::SessionCache;
use crate::visitors::TrustedProxy;
use crate::waiting_rooms::WaitingRooms;

/// A site: the service behind it, and its settings.
#[derive(Clone)]
pub struct Site {
    /// The running service.
    pub service: Service,
    /// The files that pages load.
    pub assets: Assets,
    /// The site's address in browsers; requests must name its host. Without one they must name an address of the
    /// machine.
    pub public_url: Option<PublicUrl>,
    /// Whether browsers reach the site over TLS, through a proxy. Cookies are then sent only over TLS.
    pub secure: bool,
    /// Proxies that are trusted to say where a request comes from.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// The operator's token. Without one there is no operator's page.
    pub operator: Option<OperatorToken>,
    /// The counters for the operator.
    pub metrics: Metrics,
    /// Whether the log contains the addresses of requests.
    pub log_addresses: bool,
}

/// The state of the router.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) site: Site,
    pub(crate) operators: Arc<Operators>,
    /// Cancelled when the server stops; sockets then end.
    pub(crate) stopping: CancellationToken,
    /// Open sockets. hyper hands them over, so they are no longer tracked as connections.
    pub(crate) sockets: TaskTracker,
    /// Games that are shown on pages.
    pub(crate) showcase: Showcase,
    /// Rendered pictures of games.
    pub(crate) previews: Latest<Arc<[u8]>>,
    /// The first page of a bot's games, by the bot and the edition.
    pub(crate) first_games: Latest<Arc<[PlayedGame]>>,
    /// The fuel of bots' turns, by the games it was taken from.
    pub(crate) fuels: Latest<Option<Arc<Fuel>>>,
    /// The first forfeits of games, by the games.
    pub(crate) faults: Latest<Option<Forfeit>>,
    /// Versions by their submissions' keys, and when they were submitted.
    pub(crate) submitted: Latest<(VersionId, Instant)>,
    /// Visitors who wait for news.
    pub(crate) sessions: Arc<SessionCache>,
    /// Rooms that wait for players.
    pub(crate) waiting_rooms: Arc<WaitingRooms>,
    /// The players in rooms that the lobby lists.
    pub(crate) known: Arc<Known>,
    /// The operator's measures.
    pub(crate) measures: Arc<Measures>,
    /// The OpenAPI document.
    pub(crate) openapi: Arc<str>,
}

/// Handlers take it by itself.
impl FromRequestParts<App> for App {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, app: &App) -> Result<App, Infallible> {
        Ok(app.clone())
    }
}

impl FromRef<App> for Assets {
    fn from_ref(app: &App) -> Assets {
        app.site.assets.clone()
    }
}

impl App {
    pub(crate) fn service(&self) -> &Service {
        &self.site.service
    }

    pub(crate) fn clock(&self) -> &Clock {
        self.site.service.clock()
    }

    /// The date.
    pub(crate) fn now(&self) -> UnixSeconds {
        self.site.service.now()
    }

    pub(crate) fn store(&self) -> &Store {
        self.site.service.store()
    }

    /// The latest edition of a game, in which players have their places; `None` if the operator annulled it.
    pub(crate) fn counted_edition(&self, game: &Game) -> Option<Arc<Edition>> {
        let edition = self.service().standing().of(game).edition.clone();
        edition.filter(|edition| self.measures.annulled(edition.tournament.as_str()).is_none())
    }

    /// That the operator annulled the latest edition of a game, and why, for pages.
    pub(crate) fn latest_annulled(&self, game: &Game) -> Option<String> {
        let edition = self.service().standing().of(game).edition.clone()?;
        Some(self.measures.annulled(edition.tournament.as_str())?.sentence())
    }

    /// Forgets an account's credentials, because some have ended or the account has changed: here, and at the other
    /// servers of the site.
    pub(crate) async fn forget(&self, account: AccountId) {
        self.sessions.forget(account);
        if let Err(error) = self.store().send_to_servers(0, ServerMessage::AccountChanged(account)).await {
            warn!(cause = with_causes(&error), "other servers recognise ended credentials in polls for ten minutes");
        }
    }

    /// Reads the operator's measures anew. Sockets of networks that are banned now end.
    ///
    /// # Errors
    /// If the store fails; the earlier measures then hold.
    pub(crate) async fn renew_measures(&self) -> Result<(), StoreError> {
        if self.measures.read(self.service()).await? {
            self.sessions.forget_all();
        }
        Ok(())
    }

    /// Reads the measures at intervals until the server stops: others may have acted at another one, and bans end.
    pub(crate) async fn follow_measures(self) {
        let mut every = self.clock().interval(MEASURES_EVERY);
        // They were read when the server started.
        every.tick().await;
        while self.stopping.run_until_cancelled(every.tick()).await.is_some() {
            if let Err(error) = self.renew_measures().await {
                warn!(
                    cause = with_causes(&error),
                    "the operator's latest measures are not known; the earlier ones hold"
                );
            }
        }
    }
}
