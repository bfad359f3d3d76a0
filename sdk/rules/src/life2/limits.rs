//! Accounts, and the constants of the rules.

/// Coins that joining costs, which become the base's first coins. Source: the founding document, "Technical Limits".
pub const BASE_COST: u64 = 100;
/// Coins from one call of the faucet. Source: the same.
pub const FAUCET: u64 = 1_000;
/// Cells of one call, at most. Source: the first implementation, docs/rules.md.
pub const CELLS_A_CALL: usize = 1_000;
/// The most coins in a wallet: the largest whole number that every reader of JSON represents exactly.
pub const COINS_MAX: u64 = (1 << 53) - 1;
/// Quadrants in a row, and in a column. Source: the founding document, 16 quadrants of 128 x 128.
pub const QUADRANTS_A_SIDE: u16 = 4;

/// An account: a number that only its issuer can connect to a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Account(pub u64);
