//! A name that was typed and names nothing: `xtask` ends with 2, not 1.

use std::error::Error;
use std::fmt;

/// Nothing is called that.
#[derive(Debug)]
pub(crate) struct Unknown {
    /// What it should have named.
    pub(crate) kind: &'static str,
    pub(crate) given: String,
    /// What there is, as a list to read.
    pub(crate) known: String,
}

// By hand: a derive would be all that this program compiles a parser of Rust for.
impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} `{}`; there are: {}", self.kind, self.given, self.known)
    }
}

impl Error for Unknown {}
