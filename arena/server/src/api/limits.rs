//! Every limit that a visitor can meet, with its unit and reason.

use std::borrow::Cow;

use arena_limits::Adjustable;
use arena_service::limits::CONTEST_ENTRANTS_MAX;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::problem::Result;
use crate::visitors;

/// A limit.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct Limit {
    /// What it limits.
    name: Cow<'static, str>,
    /// The value.
    value: u64,
    /// The unit of the value.
    unit: Cow<'static, str>,
    /// Why it has this value.
    reason: Cow<'static, str>,
    /// What it is unless the operator adjusts it; only of limits that the operator may adjust.
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<u64>,
    /// The lowest value that the operator may choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u64>,
    /// The highest value that the operator may choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<u64>,
}

impl From<arena_limits::Limit> for Limit {
    fn from(limit: arena_limits::Limit) -> Limit {
        let arena_limits::Limit { name, value, unit, reason, adjustable } = limit;
        let of = |bound: fn(Adjustable) -> u64| adjustable.map(bound);
        let (default, min, max) = (of(|own| own.default), of(|own| own.min), of(|own| own.max));
        Limit { name, value, unit, reason, default, min, max }
    }
}

/// All limits: of bots, submissions, rooms and requests, as the operator has adjusted them.
#[utoipa::path(get, path = "/api/v1/limits", responses((status = 200, body = Vec<Limit>)))]
pub(crate) async fn show(app: App) -> Result<axum::Json<Vec<Limit>>> {
    let store = app.store();
    let of_store = store.limits().await?.list(store.default_limits());
    Ok(axum::Json(all(app.service().standing().bots_per_account(), of_store).into_iter().map(Limit::from).collect()))
}

/// All limits, with those of the store, and so many bots of an account in an edition. Each is declared where it holds.
pub(crate) fn all(bots_per_account: usize, of_store: Vec<arena_limits::Limit>) -> Vec<arena_limits::Limit> {
    let tournaments = of_store.iter().find(|limit| limit.name == "tournaments").map_or(0, |limit| limit.value);
    let of_game = [
        arena_limits::Limit::new(
            "tournaments_entrants",
            tournaments * CONTEST_ENTRANTS_MAX as u64,
            "entrants of all tournaments that are not over, at most",
            "as many tournaments as there may be, each with as many as it may have",
        ),
        arena_limits::Limit::new(
            "world_cells",
            arena_rules::life2::CELLS_A_CALL as u64,
            "cells of a call of place_cells",
            "the first implementation's; one log line of a call fits 13 KiB",
        ),
        arena_limits::Limit::new(
            "field_bots_per_owner",
            bots_per_account as u64,
            "of an account in an edition",
            "more would take others' places, and could help one of them; the operator may choose another number",
        ),
    ];
    let declared = [arena_rooms::LIMITS, arena_service::limits::LIMITS, crate::limits::LIMITS, &of_game].concat();
    let bots = arena_runner::limits().into_iter();
    bots.chain(of_store).chain(declared).chain(visitors::limits()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use std::path::Path;
    use std::{env, fs};

    use super::*;
    use crate::fuel::grouped;

    #[test]
    fn limits_have_different_names_and_say_why() {
        let all = crate::limits();
        let names: BTreeSet<&str> = all.iter().map(|limit| &*limit.name).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|limit| limit.value > 0 && !limit.unit.is_empty() && !limit.reason.is_empty()));
    }

    /// `docs/limits.md` is written by this test with `ARENA_BLESS=1`.
    #[test]
    fn the_list_of_limits_is_what_the_documents_have() {
        let mut text =
            "# Limits\n\nEvery limit of this release, as `arena limits` prints it. An operator may adjust those \
            that have bounds while a site runs, as [operating.md](operating.md#the-operators-page) says. On a site with \
            several servers, each counts rates and what visitors hold at once for itself: in these rows, `of the arena` \
            and `in all` mean at one server.\n\n\
            | limit | value | unit | why | bounds |\n|---|---|---|---|---|\n"
                .to_owned();
        for arena_limits::Limit { name, value, unit, reason, adjustable } in crate::limits() {
            let [value, bounds] = match adjustable {
                Some(Adjustable { min, max, .. }) => [grouped(value), format!("{} to {}", grouped(min), grouped(max))],
                None => [grouped(value), String::new()],
            };
            text += &format!("| `{name}` | {value} | {unit} | {reason} | {bounds} |\n");
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/limits.md");
        if env::var_os("ARENA_BLESS").is_some() {
            fs::write(&path, &text).expect("written");
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text);
    }
}
