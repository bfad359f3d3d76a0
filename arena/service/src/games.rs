//! Who plays.

/// Who plays the games of tournaments. Bots are judged and rooms are played here in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Games {
    /// This process, and those in which its bots run.
    Here,
    /// Workers over the same store. The results are the same bytes.
    Elsewhere,
}
