//! What the rules say, without words: a code and its named numbers. Pages have the words, in each language.

use alloc::vec::Vec;

/// A sentence, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phrase {
    /// Its code, such as `off-board`.
    pub code: &'static str,
    /// The numbers in it, by their names.
    pub numbers: Vec<(&'static str, u64)>,
}

impl Phrase {
    /// A phrase with these numbers. Not inlined, like what follows, because it is called in so many places.
    #[inline(never)]
    pub fn new(code: &'static str, numbers: &[(&'static str, u64)]) -> Phrase {
        Phrase { code, numbers: numbers.into() }
    }

    /// This phrase, and those that explain it.
    #[inline(never)]
    pub fn because<const WHYS: usize>(self, why: [Phrases; WHYS]) -> Phrases {
        let mut phrases = Phrases::from([self]);
        phrases.extend(why.into_iter().flatten());
        phrases
    }
}

/// A phrase, and those that explain it.
pub type Phrases = Vec<Phrase>;

/// What can be told in phrases.
pub trait Phrased {
    /// The code of each phrase of its own, and the names of its numbers.
    const CODES: &'static [(&'static str, &'static [&'static str])];

    /// Its phrases, each of which the next one explains.
    fn phrases(&self) -> Phrases;
}

/// Gives each value of a type its code and named numbers; after `+`, what explains it.
#[macro_export]
macro_rules! phrases {
    ($type:ty { $($value:pat => $code:literal($($name:ident = $number:expr),*) $(+ $why:expr)?,)+ }) => {
        impl $crate::Phrased for $type {
            const CODES: &'static [(&'static str, &'static [&'static str])] = &[$(($code, &[$(stringify!($name)),*])),+];

            fn phrases(&self) -> $crate::Phrases {
                match self {
                    $($value => $crate::Phrase::new($code, &[$((stringify!($name), u64::from($number))),*])
                        .because([$($crate::Phrased::phrases($why))?]),)+
                }
            }
        }
    };
}
