//! The measures of the operator that requests depend on, in memory: what is closed, a notice on all pages, bans of
//! networks, annulled tournaments. What is done at one server holds at the others within seconds.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::Arc;

use arena_service::{Service, edition_of};
use arena_store::{Gate, Measure, MeasureKind, StoreError, TournamentId, UnixSeconds};
use arena_wire::Game;
use ipnet::IpNet;
use parking_lot::{RwLock, RwLockReadGuard};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::dates::date;
use crate::language::{Text, is_closed};
use crate::text;

/// The measures, as they were read last.
#[derive(Default)]
pub(crate) struct Measures {
    last: RwLock<Read>,
    /// Held while they are read, so that what was read earlier never replaces what was read later.
    reading: Mutex<()>,
}

#[derive(Default)]
struct Read {
    closed: BTreeSet<Gate>,
    all: Vec<Measure>,
    notice: Option<Arc<str>>,
    bans: Vec<IpNet>,
    annulled: BTreeMap<String, Annulled>,
}

/// That a tournament is void: its standings say nothing about its bots. It stays as it is, so that everybody may
/// recompute it.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub(crate) struct Annulled {
    /// When it was annulled, in seconds since 1970.
    pub(crate) at: i64,
    /// The operator's reason.
    pub(crate) reason: String,
}

impl Measures {
    /// Reads all measures anew; what is over is deleted. While visitors may change nothing, clocks in rooms stand
    /// still.
    ///
    /// Returns whether other networks are banned than before.
    ///
    /// # Errors
    /// If the store fails; the earlier ones then hold.
    pub(crate) async fn read(&self, service: &Service) -> Result<bool, StoreError> {
        let _reading = self.reading.lock().await;
        let (closed, all) = (service.store().closed().await?, service.store().measures(service.now()).await?);
        service.rooms().set_read_only(closed.contains(&Gate::Changes));
        let mut read = Read { closed, all: all.clone(), ..Read::default() };
        for Measure { kind, since, .. } in all {
            match kind {
                MeasureKind::Notice(text) => read.notice = Some(text.into()),
                // Written by this server or another one, in the same form.
                MeasureKind::Ban(network) => read.bans.extend(network.parse::<IpNet>()),
                // The store reads it where it holds.
                MeasureKind::Limit(..) => {}
                MeasureKind::Annulled(id, reason) => {
                    read.annulled.insert(id.to_string(), Annulled { at: since.0, reason: reason.to_string() });
                }
            }
        }
        let mut kept = self.last.write();
        let others = kept.bans != read.bans;
        *kept = read;
        Ok(others)
    }

    fn now(&self) -> RwLockReadGuard<'_, Read> {
        self.last.read()
    }

    /// What is closed.
    pub(crate) fn closed(&self) -> BTreeSet<Gate> {
        self.now().closed.clone()
    }

    /// All that were taken, the oldest first.
    pub(crate) fn all(&self) -> Vec<Measure> {
        self.now().all.clone()
    }

    /// Whether visitors may change nothing.
    pub(crate) fn is_read_only(&self) -> bool {
        self.now().closed.contains(&Gate::Changes)
    }

    /// Whether requests from this address are refused.
    pub(crate) fn bans(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.now().bans.iter().any(|network| network.contains(&address))
    }

    /// The notice on all pages.
    pub(crate) fn notice(&self) -> Option<Arc<str>> {
        self.now().notice.clone()
    }

    /// Why and when a tournament was annulled, if it was. Whatever says something of a tournament asks it.
    pub(crate) fn annulled(&self, id: &str) -> Option<Annulled> {
        self.now().annulled.get(id).cloned()
    }

    /// The numbers of a game's editions that were annulled.
    pub(crate) fn annulled_editions(&self, game: &Game) -> BTreeSet<u32> {
        let number = |id: &String| {
            let (of, number) = edition_of(&TournamentId::parse(id).ok()?)?;
            (of.ruleset == game.ruleset).then_some(number)
        };
        self.now().annulled.keys().filter_map(number).collect()
    }
}

impl Annulled {
    /// What pages say of it.
    pub(crate) fn sentence(&self) -> String {
        text::games_the_operator_annulled_it_on(date(UnixSeconds(self.at)), &self.reason).into()
    }
}

/// What the operator has closed, in a sentence for all pages.
pub(crate) fn closed() -> Option<Text> {
    if is_closed(Gate::Changes) {
        return Some(text::base_read_only());
    }
    let what = |gate: Gate| match gate {
        Gate::Submissions => text::base_submissions(),
        Gate::Rooms => text::base_new_games(),
        Gate::Accounts => text::base_sign_up(),
        Gate::Tournaments | Gate::Changes => text::base_new_tournaments(),
    };
    let closed: Vec<Text> = Gate::EVERY.into_iter().filter(|gate| is_closed(*gate)).map(what).collect();
    (!closed.is_empty()).then(|| text::base_closed_for_now(closed.join(", ")))
}
