//! Who calls, and the numbers of the rules.

/// Coins that joining costs; they are the base's first. Source: the founding document, "Technical Limits".
pub const BASE_COST: u64 = 100;
/// Coins that a call of the faucet gives. Source: the same.
pub const FAUCET: u64 = 1_000;
/// Cells of one call, at most. Source: the first implementation, docs/rules.md.
pub const CELLS_A_CALL: usize = 1_000;
/// Coins in a wallet, at most: what every reader of JSON takes for a whole number.
pub const COINS_MAX: u64 = (1 << 53) - 1;
/// Quadrants in a row, and in a column. Source: the founding document, 16 quadrants of 128 x 128.
pub const QUADRANTS_A_SIDE: u16 = 4;

/// Who calls: a number that only its giver can tie to a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Account(pub u64);
