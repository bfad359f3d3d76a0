//! Where everything is in a tournament's folder. Paths are relative to it, with `/` between the names.

/// What was asked for, with all defaults written out.
pub const DEFINITION: &str = "definition.toml";
/// Who plays, frozen, with a checksum. It is written last, so a folder with one has started.
pub const MANIFEST: &str = "manifest.json";
/// Finished games, in the order in which they finished.
pub const JOURNAL: &str = "journal";
/// Where in the journal each game is that counts, by its number in the schedule.
pub const INDEX: &str = "index";
/// Where the index is written before it is put in its place.
pub(crate) const INDEX_NEW: &str = "index.new";
/// The folder with the bots' bytes.
pub const ENTRANTS: &str = "entrants";
/// The folder with what the games come to.
pub const RESULTS: &str = "results";
/// Where results are written before they are put in their place.
pub(crate) const RESULTS_NEW: &str = "results.new";
/// Where results are that others replace.
pub(crate) const RESULTS_OLD: &str = "results.old";

/// The file of a bot, by the hash of its bytes.
pub fn bot_file(hash: &str) -> String {
    format!("{ENTRANTS}/{hash}.wasm")
}
