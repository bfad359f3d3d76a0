//! Why a bot may not play.

/// Why a bot may not play, in the words that its author reads: the same from a check at home, in a verdict that is kept,
/// and on a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objection {
    /// The stable code, of a refusal or of a forfeit.
    pub code: String,
    /// What is wrong, in a sentence. May quote names from the file, escaped.
    pub message: String,
    /// What the author can do about it.
    pub hint: String,
    /// The byte of the file it is about, where there is one.
    pub offset: Option<u64>,
}
