//! The queue behind a site's address.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use arena_record::EntrantId;
use arena_server::volunteering as wire;
use arena_service::fleet::{NoAnswer, Source};
use arena_store::{Claim, Claimed, Lease, NewEnd, OtherRelease, Taken};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::remote::{Answer, Site};

/// The variable with the token, if there is no flag.
const TOKEN: &str = "ARENA_TOKEN";

/// Bytes of results that are sent together, unless a single one has more.
const TOGETHER: usize = wire::ENDS_BYTES_MAX / 4;

pub(super) struct SiteQueue {
    site: Arc<Site>,
    token: Arc<str>,
}

impl SiteQueue {
    pub(super) fn new(server: &str, token: Option<String>, ca: Option<&Path>) -> Result<SiteQueue> {
        let token = token.or_else(|| std::env::var(TOKEN).ok()).filter(|token| !token.trim().is_empty());
        let token = token.with_context(|| {
            format!(
                "playing games for a site needs a token, in {TOKEN}: its operator makes one with \
                 `arena admin worker add`, or you make one with the scope `work` at {server}/account"
            )
        })?;
        let site = Site::new(server, ca, "worker")?;
        Ok(SiteQueue { site: Arc::new(site), token: token.trim().into() })
    }

    /// Sends a request on a thread that may block.
    async fn post<T: DeserializeOwned>(&self, path: &'static str, body: &impl Serialize) -> Result<T, NoAnswer> {
        let body = serde_json::to_value(body).map_err(|error| NoAnswer::Lasting(error.into()))?;
        let (site, token) = (self.site.clone(), self.token.clone());
        let asked = tokio::task::spawn_blocking(move || site.post_json_as(path, &token, &body)).await;
        let answer = asked.map_err(|error| NoAnswer::Passing(error.to_string()))?.map_err(no_answer)?;
        let body = said(answer)?.body;
        serde_json::from_value(body).map_err(|_| {
            NoAnswer::Lasting(anyhow!("the site runs another release: install the one that it runs").into())
        })
    }
}

/// For now: a site that cannot be reached is asked again.
fn no_answer(error: anyhow::Error) -> NoAnswer {
    NoAnswer::Passing(format!("{error:#}"))
}

/// Checks that an answer is the expected one.
fn said(answer: Answer) -> Result<Answer, NoAnswer> {
    match answer.status {
        200..300 => Ok(answer),
        // A worker that was suspended in the middle of a request was too slow.
        408 | 429 | 500.. => Err(NoAnswer::Passing(answer.problem())),
        _ => Err(NoAnswer::Lasting(anyhow!(answer.problem()).into())),
    }
}

fn written(leases: &[Lease]) -> Vec<wire::Lease> {
    leases.iter().map(wire::Lease::from).collect()
}

fn end(end: &NewEnd) -> wire::End {
    wire::End { lease: (&end.lease).into(), is_void: end.is_void, text: end.text.clone() }
}

impl Source for SiteQueue {
    async fn claim(&self, semantics: &[String], games_max: usize, lease_ms: u64) -> Result<Claim, NoAnswer> {
        let wanted = wire::ClaimWanted { semantics: semantics.into(), games: games_max, lease_ms };
        let claim: wire::Claim = self.post("/api/v1/volunteers/claims", &wanted).await?;
        let game = |game: wire::ClaimedGame| Some(Claimed { lease: game.lease.parsed()?, job: game.job });
        let other = |wire::OtherRelease { semantics, build }| OtherRelease { semantics, build };
        Ok(Claim {
            games: claim.games.into_iter().filter_map(game).collect(),
            others: claim.others.into_iter().map(other).collect(),
        })
    }

    async fn renew(&self, leases: &[Lease], lease_ms: u64) -> Result<Vec<Lease>, NoAnswer> {
        let renewal = wire::Renewal { leases: written(leases), lease_ms };
        let lost: wire::Leases = self.post("/api/v1/volunteers/renewals", &renewal).await?;
        Ok(lost.leases.iter().filter_map(wire::Lease::parsed).collect())
    }

    async fn hand_back(&self, leases: &[Lease]) -> Result<(), NoAnswer> {
        self.post("/api/v1/volunteers/returns", &wire::Leases { leases: written(leases) }).await
    }

    async fn submit(&self, ends: &[NewEnd]) -> Result<Vec<Taken>, NoAnswer> {
        let mut taken = Vec::with_capacity(ends.len());
        let mut rest = ends;
        while !rest.is_empty() {
            let mut bytes = 0;
            let fits = rest.iter().take_while(|end| {
                bytes += end.text.len();
                bytes <= TOGETHER
            });
            let (now, later) = rest.split_at(fits.count().max(1));
            let ends = wire::Ends { ends: now.iter().map(end).collect() };
            let became: wire::Taking = self.post("/api/v1/volunteers/ends", &ends).await?;
            taken.extend(became.taken.into_iter().map(Taken::from));
            rest = later;
        }
        Ok(taken)
    }

    fn module(&self, entrant: &EntrantId) -> Result<Option<Vec<u8>>, NoAnswer> {
        let Some(hash) = entrant.hash() else { return Ok(None) };
        self.site.module(&format!("/api/v1/volunteers/modules/{hash}"), &self.token).map_err(no_answer)
    }
}
