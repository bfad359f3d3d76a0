//! Whether a visitor who stays is still admitted: at a socket, or while a request waits for news.

use std::time::Duration;

use arena_clock::Clock;
use arena_service::{Service, with_causes};
use arena_store::AccountId;
use tracing::debug;

use crate::app::App;
use crate::identity::{Pass, Visitor};
use crate::problem::{Problem, Result};
use crate::session_cache::Endings;
use crate::visitors::Taker;

/// A visitor who was admitted.
pub(crate) struct Admission {
    service: Service,
    account: Option<AccountId>,
    /// The account's credentials.
    pass: Option<Pass>,
    endings: Endings,
    /// Where it comes from.
    taker: Taker,
}

/// Why a visitor is not admitted any more.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Barred {
    /// The account is disabled or deleted, or its credentials have ended.
    Out,
    /// The operator has banned the network.
    Banned,
}

impl Barred {
    fn problem(self) -> Problem {
        match self {
            Barred::Out => Problem::sign_in(),
            Barred::Banned => Problem::banned(),
        }
    }
}

impl Admission {
    /// That of a visitor; `endings` are heard since before it was recognised, or nearly.
    pub(crate) fn new(app: &App, visitor: &Visitor, endings: Endings, taker: &Taker) -> Admission {
        let (account, pass) = (visitor.account_id(), visitor.pass.clone());
        Admission { service: app.service().clone(), account, pass, endings, taker: taker.clone() }
    }

    /// The clock of its site.
    pub(crate) fn clock(&self) -> &Clock {
        self.service.clock()
    }

    /// Waits until it may have ended.
    pub(crate) async fn may_have_ended(&mut self) {
        self.endings.of(self.account).await;
    }

    /// Asks whether it has ended.
    pub(crate) async fn check(&self) -> Result<(), Barred> {
        if self.taker.is_banned() {
            return Err(Barred::Banned);
        }
        let Admission { service, account: Some(account), pass: Some(pass), .. } = self else {
            return Ok(());
        };
        match pass.still_admits(service, *account).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Barred::Out),
            Err(error) => {
                // Without the store nothing can be done anyway.
                debug!(cause = with_causes(&error), "whether a visitor is still admitted cannot be told");
                Ok(())
            }
        }
    }

    /// Waits for news, so long at most. A stopping server waits no longer.
    ///
    /// # Errors
    /// As soon as the visitor is not admitted any more.
    pub(crate) async fn wait(&mut self, app: &App, held: Duration, news: impl Future) -> Result<()> {
        let barred = async {
            loop {
                self.may_have_ended().await;
                if let Err(barred) = self.check().await {
                    return barred;
                }
            }
        };
        tokio::select! {
            barred = barred => Err(barred.problem()),
            _ = app.clock().timeout(held, app.stopping.run_until_cancelled(news)) => Ok(()),
        }
    }
}
