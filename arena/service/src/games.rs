//! Where the games of tournaments are played.

/// Where the games of tournaments are played. Bots are judged and rooms run on the site's own machine in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Games {
    /// In this process and those in which its bots run.
    Here,
    /// By workers over the same store. The results are the same bytes.
    Elsewhere,
}
