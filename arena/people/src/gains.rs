//! What an owner of several accounts can still gain, in a simulated month. A test compares these numbers with the
//! simulation (`examples/farming.rs`).

/// The gain of an owner with several accounts in a month: the others lose to the first as often as it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gain {
    /// Accounts of the owner.
    pub accounts: u64,
    /// Points that the first account won from the others.
    pub on_purpose: u64,
    /// Points of the first account that count.
    pub points: u64,
    /// Its place among itself and thirty honest people, from 1.
    pub place: u32,
}

/// The simulated months, by number of accounts.
pub const GAINS: [Gain; 9] = [
    Gain { accounts: 1, on_purpose: 0, points: 8_023, place: 31 },
    Gain { accounts: 2, on_purpose: 23_220, points: 8_914, place: 31 },
    Gain { accounts: 3, on_purpose: 46_440, points: 10_027, place: 31 },
    Gain { accounts: 5, on_purpose: 92_880, points: 13_371, place: 31 },
    Gain { accounts: 8, on_purpose: 162_540, points: 26_741, place: 1 },
    Gain { accounts: 10, on_purpose: 208_980, points: 80_230, place: 1 },
    Gain { accounts: 11, on_purpose: 232_200, points: 240_223, place: 1 },
    Gain { accounts: 16, on_purpose: 348_300, points: 356_323, place: 1 },
    Gain { accounts: 31, on_purpose: 696_600, points: 704_623, place: 1 },
];

impl Gain {
    /// How many times as many points as with a single account, with one decimal.
    pub fn times_one_account(&self) -> String {
        let alone = GAINS[0].points;
        let tenths = (10 * self.points + alone / 2) / alone;
        format!("{}.{}", tenths / 10, tenths % 10)
    }

    /// The points with a comma before the last three digits; they are below a million.
    pub fn points_written(&self) -> String {
        written(self.points)
    }

    /// The points won on purpose, in the same form.
    pub fn on_purpose_written(&self) -> String {
        written(self.on_purpose)
    }
}

fn written(number: u64) -> String {
    if number < 1_000 { number.to_string() } else { format!("{},{:03}", number / 1_000, number % 1_000) }
}
