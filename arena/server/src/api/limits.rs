//! Every limit that a visitor can meet, with its unit and reason.

use std::borrow::Cow;

use arena_store::Limits;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::visitors;

/// A limit.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct Limit {
    /// What it limits.
    name: Cow<'static, str>,
    /// The value.
    value: u64,
    /// The unit of the value.
    unit: &'static str,
    /// Why it has this value.
    reason: &'static str,
}

/// All limits: of bots, submissions, rooms and requests.
#[utoipa::path(get, path = "/api/v1/limits", responses((status = 200, body = Vec<Limit>)))]
pub(crate) async fn show(State(app): State<App>) -> axum::Json<Vec<Limit>> {
    let limit = |arena_limits::Limit { name, value, unit, reason }| Limit { name, value, unit, reason };
    axum::Json(all(app.service().bots_per_account()).into_iter().map(limit).collect())
}

/// The limits of this release, with so many bots of an account in an edition. Each is declared where it holds.
pub(crate) fn all(bots_per_account: usize) -> Vec<arena_limits::Limit> {
    let of_game = [
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
    bots.chain(Limits::DEFAULT.list()).chain(declared).chain(visitors::limits()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn limits_have_different_names_and_say_why() {
        let all = all(arena_service::limits::BOTS_PER_OWNER_MAX);
        let names: BTreeSet<&str> = all.iter().map(|limit| &*limit.name).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|limit| limit.value > 0 && !limit.unit.is_empty() && !limit.reason.is_empty()));
    }
}
