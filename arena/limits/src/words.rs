//! Numbers in sentences.

use std::fmt::Display;

/// A number of things, in words: `1 game`, `2 games`.
pub fn counted<N: Display + From<u8> + PartialEq>(number: N, thing: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0_usize, 1, 2_000].map(|number| counted(number, "line")), ["0 lines", "1 line", "2000 lines"]);
    }
}
