//! What all handlers share.

use std::sync::Arc;

use arena_service::Service;
pub(crate) use arena_service::now;
use arena_store::{PlayedGame, Store};
use axum::extract::FromRef;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::assets::Assets;
use crate::fuel::Fuel;
use crate::hosts::PublicUrl;
use crate::latest::Latest;
use crate::metrics::Metrics;
use crate::names::Known;
use crate::operator::{OperatorToken, Operators};
use crate::recognised::Recognised;
use crate::show::Showcase;
use crate::visitors::TrustedProxy;
use crate::waiting_rooms::WaitingRooms;

/// A site: the service behind it, and how it is reached.
#[derive(Clone)]
pub struct Site {
    /// What runs.
    pub service: Service,
    /// The files that pages load.
    pub assets: Assets,
    /// The site's address in browsers, whose host requests name; without one they name an address of the machine.
    pub public_url: Option<PublicUrl>,
    /// Whether browsers reach the site over TLS, through a proxy: cookies then never travel without it.
    pub secure: bool,
    /// Whose word is taken for where a request comes from.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// What the operator proves with that it is the operator; without one there is no operator's page.
    pub operator: Option<OperatorToken>,
    /// What is counted for the operator.
    pub metrics: Metrics,
    /// Whether the log has the addresses of requests.
    pub log_addresses: bool,
}

/// The state of the router.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) site: Site,
    pub(crate) operators: Arc<Operators>,
    /// Set when the server stops: sockets end then.
    pub(crate) stopping: CancellationToken,
    /// Sockets that are open: hyper hands them over, so the connections do not know of them.
    pub(crate) sockets: TaskTracker,
    /// Games to look at.
    pub(crate) showcase: Showcase,
    /// Pictures of games that were drawn.
    pub(crate) previews: Latest<Arc<[u8]>>,
    /// The first page of a bot's games, by the bot and the edition.
    pub(crate) first_games: Latest<Arc<[PlayedGame]>>,
    /// What bots' turns cost, by the games that it is of.
    pub(crate) fuels: Latest<Option<Arc<Fuel>>>,
    /// Who waits for news.
    pub(crate) recognised: Arc<Recognised>,
    /// Rooms that wait for others.
    pub(crate) waiting_rooms: Arc<WaitingRooms>,
    /// Who sits in rooms that the lobby lists.
    pub(crate) known: Arc<Known>,
    /// The OpenAPI document.
    pub(crate) openapi: Arc<str>,
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

    pub(crate) fn store(&self) -> &dyn Store {
        self.site.service.store()
    }
}
