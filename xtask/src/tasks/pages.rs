//! What a browser measures or draws.

use anyhow::Result;

use super::{Ready, build};
use crate::files::remove_folder;
use crate::web::Scripts;

/// `cargo xtask screenshots`: the README's pictures come first, because it is photographed with them. Pictures of an
/// earlier run are removed, so that all show the same state.
pub(crate) fn screenshots(ready: &Ready) -> Result<()> {
    picture(ready)?;
    let scripts = ready.browser()?;
    let (workspace, out) = (ready.workspace, ready.workspace.target.join("screenshots"));
    ready.steps.step("taking pictures of every page", || {
        remove_folder(&out)?;
        scripts.script("screenshots.mjs", &out)
    })?;
    println!("    {}", workspace.shown(&out));
    Ok(())
}

/// `cargo xtask picture`: always of the same game, so that a new picture shows the changes of the page.
pub(crate) fn picture(ready: &Ready) -> Result<()> {
    ready.bots()?;
    let scripts = ready.browser()?;
    let out = ready.workspace.root.join("web/screenshots");
    ready.steps.step("drawing the pictures", || scripts.script("picture.mjs", &out))?;
    println!("    {}", ready.workspace.shown(&out));
    Ok(())
}

/// `cargo xtask paints`.
pub(crate) fn paints(ready: &Ready) -> Result<()> {
    measure(ready, "visiting on a slow line", "paints.mjs")
}

/// `cargo xtask recompute`.
pub(crate) fn recompute(ready: &Ready) -> Result<()> {
    measure(ready, "checking a tournament in three ways", "recompute.mjs")
}

/// Runs a script with the release binary, whose files are compressed as they are sent.
fn measure(ready: &Ready, step: &str, script: &str) -> Result<()> {
    build(ready)?;
    let workspace = ready.workspace;
    let scripts = || Scripts::ready(workspace, workspace.arena())?.with_browser();
    let scripts = ready.steps.step("making a browser ready", scripts)?;
    ready.steps.step(step, || scripts.script(script, &workspace.target))
}

/// `cargo xtask heap`: the test that the gate runs with fewer plies.
pub(crate) fn heap(ready: &Ready) -> Result<()> {
    let scripts = ready.browser()?;
    ready.steps.step("leaving a room open", || scripts.at_length().test_file("browser/figures.test.mjs"))
}
