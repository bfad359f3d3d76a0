//! Why a bot may not play that is one, and what its author can do about it, in sentences.

arena_record::sentences! {
    /// All sentences about sample games.
    pub SAMPLE_SENTENCES:
    FORFEIT = "it forfeits a sample game against {opponent}, as {seat}: in turn {turn}: {detail} ({code})";
    FORFEIT_AT_START = "it forfeits a sample game against {opponent}, as {seat}: before the first turn: {detail} ({code})";
    FORFEIT_FROM_OPENING = "it forfeits a sample game from an opening against {opponent}, as {seat}: in turn {turn}: \
        {detail} ({code})";
    FORFEIT_FROM_OPENING_AT_START = "it forfeits a sample game from an opening against {opponent}, as {seat}: before \
        the first turn: {detail} ({code})";
    SCRIPT_AT_START = "{place}: the script does not start: {detail} ({code})";

    ANOTHER_GAME = "the bot plays another game: say which with `--game`. To play this one too, in Rust implement \
        Bot<{module}::Position> and name it in bot!; in other languages write a turn of it";
    START_FUEL = "do less in the start; tables can be made at compile time, or one by one in the first turns";
    TURN_FUEL = "search less in a turn, or ask how much fuel is left and stop; `arena check` shows where the fuel goes";
    RECURSION = "a recursion used up the stack: recurse less deeply, or keep a list of what is still to do";
    ADDRESSES = "addresses are bytes from the start of the exported memory; ABI.md of every project has the calls";
    ACTION_OF_ANOTHER_GAME = "these bytes are an action of {title}: say which game the bot plays, with `--game {game}`";
    ACTIONS = "ABI.md of every project has the bytes of every action; the layers of the SDK write them";
    RULES = "ABI.md of every project has the rules; in Rust `Position::check` says what is wrong with an action \
        before it is returned";
    ONLY_PEOPLE = "only people can lose so";
    MEMORY_REFUSED = "memory.grow was refused at {most}; the bot asked for {more} bytes more than the {had} it had: \
        keep less at once";
    NO_TIME = "there is no clock, because verdicts come from fuel: count boards, and stop after a fixed number";
    PANIC_LOGGED = "the panic in the bot's log says where and why";
    SCRIPT_LOGGED = "the error in the bot's log says where and why; `arena check` shows the log";
    LOG_FULL = "the log was full, so a panic may have said why in a line that was dropped: log less";
    SILENT_PANIC = "a panic or an assertion without a word: log something before it; `arena check` shows the log";
    BAD_INDEX = "an index or a pointer out of bounds, most likely: log something before it; `arena check` shows the \
        log";
    LOG_SOMETHING = "log something before it; `arena check` shows the log";
}
