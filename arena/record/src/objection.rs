//! Why a bot may not play.

use crate::Said;

/// Why a bot may not play, for its author: the same at home, in a stored verdict and on a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objection {
    /// The stable code, of a refusal or of a forfeit.
    pub code: String,
    /// What is wrong, in a sentence. May quote names from the file, escaped.
    pub message: Said,
    /// What the author can do about it.
    pub hint: Said,
    /// The position in the file, in bytes, if there is one.
    pub offset: Option<u64>,
}
