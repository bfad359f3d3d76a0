//! Limits: what something may not exceed, declared once, with its constant.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A limit, as people read it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limit {
    /// The name of what it limits. Names are stable.
    pub name: Cow<'static, str>,
    /// The bound, in [`unit`](Limit::unit)s.
    pub value: u64,
    /// What is counted, for example bytes.
    pub unit: Cow<'static, str>,
    /// Why it is neither lower nor higher.
    pub reason: Cow<'static, str>,
    /// What an operator may make of it, if no result depends on it.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub adjustable: Option<Adjustable>,
}

/// What an operator may make of a limit while a site runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Adjustable {
    /// What it is unless the operator adjusts it.
    pub default: u64,
    /// The lowest that it may be.
    pub min: u64,
    /// The highest that it may be.
    pub max: u64,
}

impl Limit {
    /// A limit with a name of its own.
    pub const fn new(name: &'static str, value: u64, unit: &'static str, reason: &'static str) -> Limit {
        let (name, unit, reason) = (Cow::Borrowed(name), Cow::Borrowed(unit), Cow::Borrowed(reason));
        Limit { name, value, unit, reason, adjustable: None }
    }

    /// The same limit, which an operator may adjust.
    pub fn adjustable(self, default: u64, min: u64, max: u64) -> Limit {
        Limit { adjustable: Some(Adjustable { default, min, max }), ..self }
    }

    /// A limit whose name is put together.
    pub fn named(name: String, value: impl Into<u64>, unit: &'static str, reason: &'static str) -> Limit {
        Limit { name: name.into(), value: value.into(), unit: unit.into(), reason: reason.into(), adjustable: None }
    }
}

/// Declares limits: for each a constant, documented, and a row of the list with the first name.
///
/// ```
/// arena_limits::limits! { pub LIMITS:
///     /// A shelf holds forty.
///     pub BOOKS_MAX: u32 = 40, "books", "of a shelf", "what a person carries";
/// }
/// assert_eq!((BOOKS_MAX, &*LIMITS[0].name, LIMITS[0].value), (40, "books", 40));
/// ```
#[macro_export]
macro_rules! limits {
    ($listed:vis $list:ident: $(
        $(#[$doc:meta])*
        $vis:vis $constant:ident: $type:ident = $value:expr, $name:literal, $unit:literal, $reason:literal;
    )+) => {
        $(
            #[doc = concat!("`", $name, "`: ", $unit, "; ", $reason, ".")]
            ///
            $(#[$doc])*
            $vis const $constant: $type = $value;
        )+

        /// These limits, for people to read.
        $listed const $list: &[$crate::Limit] =
            &[$($crate::Limit::new($name, $crate::amount!($type, $constant), $unit, $reason)),+];
    };
}

/// The value of a constant of a limit: of a time its seconds.
#[doc(hidden)]
#[macro_export]
macro_rules! amount {
    (Duration, $constant:ident) => {
        $constant.as_secs()
    };
    ($number:ident, $constant:ident) => {
        $constant as u64
    };
}
