//! Why the arena takes a bot out of a tournament or cancels it, in sentences.

arena_record::sentences! {
    /// All sentences about what the arena does in a tournament.
    pub CONTEST_SENTENCES:
    COPY = "it is the same as a bot that was submitted first, which enters itself";
    BOT_GONE = "the bot or its account was deleted or disabled, or its name is taken";
    NO_ROUND_LEFT = "the tournament ended before its first round";
    ORGANISER_GONE = "the account of the organiser was deleted or disabled";
    OPPONENT_GONE = "this release has no opponent {name}";
    TOO_FEW_ENTRANTS = "entry closed with {counted_entrants}; it takes {least}";
    CANNOT_BEGIN = "it cannot begin: {why}";
    CANNOT_BE_PLAYED = "it cannot be played: {why}";
}
