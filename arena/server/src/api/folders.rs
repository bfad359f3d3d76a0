//! The folders of finished editions, to be verified elsewhere.

use std::convert::Infallible;
use std::io::{self, Write};
use std::path::Path;
use std::sync::LazyLock;

use arena_runner::layout;
use arena_service::with_causes;
use arena_store::TournamentId;
use axum::body::{Body, Bytes};
use axum::extract::{self, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use http_body_util::channel::{Channel, Sender};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tracing::debug;

use crate::app::App;
use crate::limits::{FOLDER_CHUNK_BYTES, FOLDER_SECONDS, FOLDERS_AT_ONCE_MAX};
use crate::problem::Problem;

/// Held while a folder is sent.
static SENDING: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(FOLDERS_AT_ONCE_MAX));

/// The folder of a finished edition, or of a finished tournament of an account, as a tar archive, to be verified: `curl ADDRESS | tar -x && arena verify ID`.
#[utoipa::path(get, path = "/api/v1/tournaments/{id}/folder", params(("id" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "application/x-tar"), (status = 404, body = Problem),
        (status = 503, body = Problem)))]
pub(crate) async fn show(
    State(app): State<App>,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Problem> {
    let missing = || {
        Problem::not_found(
            "tournament",
            "there is no finished tournament of this name",
            "/standings and /tournaments name those that there are",
        )
    };
    let id = TournamentId::parse(&id).map_err(|_| missing())?;
    // Of those that are finished the games are in the index.
    if app.store().games_count(&id).await? == 0 {
        return Err(missing());
    }
    let Ok(sending) = SENDING.try_acquire() else {
        let detail = format!("{FOLDERS_AT_ONCE_MAX} folders are being sent, as many as are sent at once");
        let problem =
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail, "ask again when one of them is sent");
        return Err(problem.again_in(FOLDER_SECONDS));
    };
    let (name, folder) = (id.to_string(), app.service().tournaments().join(id.as_str()));
    let (sender, body) = Channel::<Bytes, Infallible>::new(1);
    let runtime = Handle::current();
    let send = move || {
        let _sending = sending;
        let mut sink = Sink { sender, runtime, chunk: Vec::new() };
        // The visitor sees that its end is missing, or is gone, which is the usual reason.
        if let Err(error) = pack(&name, &folder, &mut sink).and_then(|()| sink.send()) {
            debug!(cause = with_causes(&error), "a folder was not sent to its end");
        }
    };
    drop(tokio::task::spawn_blocking(send));
    let head = [
        (CONTENT_TYPE, "application/x-tar".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{id}.tar\"")),
    ];
    Ok((head, Body::new(body)).into_response())
}

/// Writes what a folder is verified by: its results last, so that a folder with results is whole.
fn pack(name: &str, folder: &Path, sink: &mut Sink) -> io::Result<()> {
    let mut archive = tar::Builder::new(sink);
    archive.mode(tar::HeaderMode::Deterministic);
    archive.follow_symlinks(false);
    let name = Path::new(name);
    for part in [layout::MANIFEST, layout::DEFINITION, layout::JOURNAL, layout::INDEX] {
        archive.append_path_with_name(folder.join(part), name.join(part))?;
    }
    // Without bots there may be no folder of them.
    for part in [layout::ENTRANTS, layout::RESULTS].into_iter().filter(|part| folder.join(part).is_dir()) {
        archive.append_dir_all(name.join(part), folder.join(part))?;
    }
    archive.finish()
}

/// What is written goes to the visitor in chunks, as fast as they are taken.
struct Sink {
    sender: Sender<Bytes, Infallible>,
    runtime: Handle,
    chunk: Vec<u8>,
}

impl Sink {
    fn send(&mut self) -> io::Result<()> {
        let chunk = std::mem::take(&mut self.chunk);
        let sent = self.runtime.block_on(self.sender.send_data(chunk.into()));
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chunk.extend_from_slice(bytes);
        if self.chunk.len() >= FOLDER_CHUNK_BYTES {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
