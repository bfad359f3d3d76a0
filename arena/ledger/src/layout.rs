//! The files of a tournament's folder. Paths are relative to it, with `/` as separator.

/// The definition, with all defaults written out.
pub const DEFINITION: &str = "definition.toml";
/// The frozen entrants and terms, with a checksum. Written last, so a folder with a manifest has started.
pub const MANIFEST: &str = "manifest.json";
/// Finished games, in the order in which they finished.
pub const JOURNAL: &str = "journal";
/// The position in the journal of each game that counts, by its number in the schedule.
pub const INDEX: &str = "index";
/// Where the index is written before it is moved into place.
pub const INDEX_NEW: &str = "index.new";
/// The folder with the bots' bytes.
pub const ENTRANTS: &str = "entrants";
/// The folder with the results.
pub const RESULTS: &str = "results";
/// Where results are written before they are moved into place.
pub const RESULTS_NEW: &str = "results.new";
/// Where old results are moved while they are replaced.
pub const RESULTS_OLD: &str = "results.old";

/// Whether a tournament's folder can have a file or folder of this name, with `/` as separator.
pub fn is_own(name: &str) -> bool {
    match name.split_once('/') {
        None => {
            let own = [DEFINITION, MANIFEST, JOURNAL, INDEX, INDEX_NEW, ENTRANTS, RESULTS, RESULTS_NEW, RESULTS_OLD];
            own.contains(&name)
        }
        Some((ENTRANTS, file)) => file.ends_with(".wasm"),
        Some((RESULTS | RESULTS_NEW | RESULTS_OLD, file)) => {
            file.rsplit_once('.').is_some_and(|(_, kind)| ["csv", "json", "svg", "txt"].contains(&kind))
        }
        Some(_) => false,
    }
}

/// The file of a bot, by the hash of its bytes.
pub fn bot_file(hash: &str) -> String {
    format!("{ENTRANTS}/{hash}.wasm")
}
