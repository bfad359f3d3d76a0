//! Licences under which authors let pages show the source of a version.

/// A licence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Licence {
    /// The MIT licence.
    Mit,
    /// The Apache licence, version 2.0.
    Apache2,
    /// The GNU general public licence, version 3 or later.
    Gpl3,
    /// The public domain, as far as there is one.
    Cc0,
}

impl Licence {
    /// All of them, the usual one first.
    pub const ALL: [Licence; 4] = [Licence::Mit, Licence::Apache2, Licence::Gpl3, Licence::Cc0];

    /// Its identifier. Source: the SPDX licence list.
    pub const fn spdx(self) -> &'static str {
        match self {
            Licence::Mit => "MIT",
            Licence::Apache2 => "Apache-2.0",
            Licence::Gpl3 => "GPL-3.0-or-later",
            Licence::Cc0 => "CC0-1.0",
        }
    }

    /// The licence with this identifier.
    pub fn of_spdx(text: &str) -> Option<Licence> {
        Licence::ALL.into_iter().find(|licence| licence.spdx() == text)
    }
}
