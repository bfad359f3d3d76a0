//! What the log of a bot that is a script says of an error. The log is its author's alone: of its words, only the
//! numbers of a line and a column leave it.

use arena_scripts::Language;

/// Lines of the log that an error takes at most: the message, the line with its caret, the stack and a hint.
const ERROR_LINES_MAX: usize = 16;

/// Where in the log the error begins with which it ends; `None` if there is none.
pub fn error_line(language: Language, log: &[String]) -> Option<usize> {
    let first = log.len().saturating_sub(ERROR_LINES_MAX);
    let is_error = |line: &String| line.strip_prefix(language.file()).is_some_and(|rest| rest.starts_with(':'));
    log[first..].iter().rposition(is_error).map(|at| first + at)
}

/// The place of that error, if it names one: `FILE:LINE:COLUMN`, or `FILE:LINE`.
pub(super) fn place(language: Language, log: &[String]) -> Option<String> {
    let mut numbers = log[error_line(language, log)?].split(':').skip(1).map_while(|part| part.parse::<u32>().ok());
    let line = format!("{}:{}", language.file(), numbers.next()?);
    Some(numbers.next().map_or(line.clone(), |column| format!("{line}:{column}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_numbers_of_a_place_are_taken_from_a_log() {
        let chatter = ["x"; ERROR_LINES_MAX];
        for (log, at, place_of) in [
            (&["bot.js:3:7: SyntaxError: unexpected token", "  let x y", "        ^"][..], Some(0), Some("bot.js:3:7")),
            (&["x", "bot.js:3:7: one", "bot.js:4:1: two", "    at x (bot.js:9:9)"], Some(2), Some("bot.js:4:1")),
            (&["bot.js: there is no function `turn`"], Some(0), None),
            (&["bot.js:3:secret: no"], Some(0), Some("bot.js:3")),
            (&["bot.js:secret:3: no"], Some(0), None),
            (&["bot.js 3:7: no", "other.js:3:7: no", "at bot.js:1:2"], None, None),
            (&[], None, None),
            (&[&["bot.js:3:7: long ago"][..], &chatter].concat(), None, None),
        ] {
            let log: Vec<String> = log.iter().map(|line| (*line).into()).collect();
            assert_eq!(error_line(Language::JavaScript, &log), at, "{log:?}");
            assert_eq!(place(Language::JavaScript, &log).as_deref(), place_of, "{log:?}");
        }
    }
}
