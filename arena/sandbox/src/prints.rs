//! Output that goes nowhere.

/// What Rust's library says when it cannot print: every module with `print!`, `eprint!` or `dbg!` has it, also without names of
/// functions, and a panic alone brings none of it along.
const CANNOT_PRINT: &[u8] = b"failed printing to ";

/// Whether a module seems to print with Rust's standard library. It may: nobody sees what it prints.
pub fn prints(bytes: &[u8]) -> bool {
    bytes.windows(CANNOT_PRINT.len()).any(|some| some == CANNOT_PRINT)
}
