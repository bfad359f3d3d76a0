//! The folders of finished editions, to be verified elsewhere.

use std::io;
use std::path::Path;

use arena_runner::layout;
use arena_store::TournamentId;
use axum::extract;
use axum::response::Response;
use tokio::task::spawn_blocking;

use super::archives::{self, Archive};
use crate::app::App;
use crate::problem::{Code, Problem, Result};
use crate::tombstones;
use crate::visitors::Taker;

/// The folder of a finished edition, or of an account's finished tournament, as a tar archive to verify:
/// `curl ADDRESS | tar -x && arena verify ID`.
#[utoipa::path(get, path = "/api/v1/tournaments/{id}/folder", params(("id" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "application/x-tar"), (status = 404), (status = 410),
        (status = 429), (status = 503)))]
pub(crate) async fn show(app: App, extract::Path(id): extract::Path<String>, taker: Taker) -> Result<Response> {
    let missing = || {
        Problem::new(
            Code::NoSuchTournament,
            "there is no finished tournament of this name",
            "/standings and /tournaments list them",
        )
    };
    let id = TournamentId::parse(&id).map_err(|_| missing())?;
    // Only finished tournaments have their games in the index.
    if app.store().games_count(&id).await? == 0 {
        return Err(tombstones::tournament(app.service(), &id).await?.unwrap_or_else(missing));
    }
    let (name, folder) = (id.to_string(), app.service().tournaments().join(id.as_str()));
    // Once the archive has begun, nothing can be said any more.
    let manifest = folder.join(layout::MANIFEST);
    if !spawn_blocking(move || manifest.is_file()).await.unwrap_or_default() {
        let (what, hint) =
            ("the folder of this tournament is damaged", "the operator of this arena has to look at its data");
        return Err(Problem::new(Code::Damaged, what, hint));
    }
    archives::send(id.as_str(), &taker, move |archive| pack(&name, &folder, archive))
}

/// Writes the parts of a folder that verifying needs, its results last, so that a folder with results is complete.
fn pack(name: &str, folder: &Path, archive: &mut Archive<'_>) -> io::Result<()> {
    let name = Path::new(name);
    for part in [layout::MANIFEST, layout::DEFINITION, layout::JOURNAL, layout::INDEX] {
        archive.append_path_with_name(folder.join(part), name.join(part))?;
    }
    // Without bots there may be no folder for them.
    for part in [layout::ENTRANTS, layout::RESULTS].into_iter().filter(|part| folder.join(part).is_dir()) {
        archive.append_dir_all(name.join(part), folder.join(part))?;
    }
    Ok(())
}
