//! Leaderboard points for a game won by a person.

/// The opponent in a won game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// The easy baseline.
    Easy,
    /// The normal baseline, and any built-in opponent without a tier of its own.
    Normal,
    /// The hard baseline.
    Hard,
    /// Another person.
    Person,
}

/// What a win's points depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Win {
    /// The opponent.
    pub opponent: Opponent,
    /// Whether the opponent died out.
    pub by_extinction: bool,
    /// The round counter at the end, from 1.
    pub round: u32,
    /// Seconds the game took.
    pub elapsed_s: u32,
    /// Lead in weighted score at the end.
    pub margin: u32,
}

/// Points of a win: strength of the opponent, plus 40 for an extinction, plus up to 50 for a game shorter than ten
/// minutes, plus 1.5 a cell of margin up to 45, plus up to 25 for an early extinction; each term rounded half up.
/// Source: RR-001 §4.3.
pub fn points(win: &Win) -> u32 {
    let base = match win.opponent {
        Opponent::Easy => 30,
        Opponent::Normal => 70,
        Opponent::Hard => 120,
        Opponent::Person => 100,
    };
    let time = share(50, 600_u32.saturating_sub(win.elapsed_s).min(540), 540);
    let margin = share(3, win.margin, 2).min(45);
    let extinction = if win.by_extinction { 40 + share(25, 12_u32.saturating_sub(win.round).min(11), 11) } else { 0 };
    base + time + margin + extinction
}

/// `whole * part / of`, rounded half up.
fn share(whole: u32, part: u32, of: u32) -> u32 {
    (2 * whole * part + of) / (2 * of)
}
