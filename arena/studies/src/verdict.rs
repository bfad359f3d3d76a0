//! What a study says about a claim.

use std::fmt;

/// Whether a claim holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Holds,
    InPart,
    DoesNotHold,
    TooFew,
}

impl Verdict {
    /// The verdict if all of these hold, some, or none. A claim whose interval has both sides is open, and no longer
    /// matters once one claim holds and another does not.
    pub(super) fn of(claims: &[Option<bool>]) -> Verdict {
        match [Some(true), Some(false), None].map(|told| claims.contains(&told)) {
            [true, true, _] => Verdict::InPart,
            [_, _, true] => Verdict::TooFew,
            [true, false, false] => Verdict::Holds,
            [false, _, false] => Verdict::DoesNotHold,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::InPart => "holds in part",
            Verdict::DoesNotHold => "does not hold",
            Verdict::TooFew => "too few games to tell",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_waits_for_claims_that_matter() {
        let [yes, no, open] = [Some(true), Some(false), None];
        for (claims, verdict) in [
            (&[yes, yes][..], Verdict::Holds),
            (&[no, no], Verdict::DoesNotHold),
            (&[yes, no, open], Verdict::InPart),
            (&[yes, open], Verdict::TooFew),
            (&[no, open], Verdict::TooFew),
            (&[open], Verdict::TooFew),
        ] {
            assert_eq!(Verdict::of(claims), verdict, "{claims:?}");
        }
    }
}
