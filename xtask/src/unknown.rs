//! The error for an unknown name: `xtask` exits with 2 instead of 1.

use std::error::Error;
use std::fmt;

/// An unknown name.
#[derive(Debug)]
pub(crate) struct Unknown {
    /// The kind of thing it should name.
    pub(crate) kind: &'static str,
    pub(crate) given: String,
    /// The known names, as a list for people.
    pub(crate) known: String,
}

// Written by hand: a derive would be the only reason for this program to compile a parser of Rust.
impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} `{}`; there are: {}", self.kind, self.given, self.known)
    }
}

impl Error for Unknown {}
