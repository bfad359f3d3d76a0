//! A block of lines: redrawn in a terminal, otherwise a line for each state.

use std::io::{self, Write};

/// Moves up this many lines, and clears everything below.
pub(crate) fn up(lines: usize) -> String {
    if lines == 0 { String::new() } else { format!("\x1b[{lines}A\x1b[J") }
}

/// Makes the terminal cut long lines during drawing, so that the cursor finds the way back.
const NO_WRAP: &str = "\x1b[?7l";
const WRAP: &str = "\x1b[?7h";

pub(super) struct Screen<'a> {
    out: &'a mut dyn Write,
    is_terminal: bool,
    /// The lines about the bot as it is now.
    states: Vec<String>,
    drawn: usize,
}

impl Screen<'_> {
    pub(super) fn new(out: &mut dyn Write, is_terminal: bool) -> Screen<'_> {
        Screen { out, is_terminal, states: Vec::new(), drawn: 0 }
    }

    /// Starts a new block in place of the current one.
    pub(super) fn clear(&mut self) {
        self.states.clear();
    }

    /// Adds a line that stays. In a terminal, a line that is already in the block is not repeated.
    pub(super) fn state(&mut self, line: String) -> io::Result<()> {
        if !self.is_terminal {
            writeln!(self.out, "{line}")?;
            return self.out.flush();
        }
        if !self.states.contains(&line) {
            self.states.push(line);
        }
        self.draw(&[])
    }

    /// Shows temporary lines below the block, in a terminal only.
    pub(super) fn passing(&mut self, lines: &[String]) -> io::Result<()> {
        if self.is_terminal { self.draw(lines) } else { Ok(()) }
    }

    fn draw(&mut self, passing: &[String]) -> io::Result<()> {
        write!(self.out, "{}{NO_WRAP}", up(self.drawn))?;
        for line in self.states.iter().chain(passing) {
            writeln!(self.out, "{line}")?;
        }
        self.drawn = self.states.len() + passing.len();
        write!(self.out, "{WRAP}")?;
        self.out.flush()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;

    fn drawn(is_terminal: bool) -> String {
        let mut bytes = Vec::new();
        let mut screen = Screen::new(&mut bytes, is_terminal);
        screen.state("accepted".into()).unwrap();
        screen.passing(&["1 pair".into(), "fuel".into()]).unwrap();
        screen.state("played".into()).unwrap();
        screen.clear();
        screen.state("refused".into()).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_pipe_gets_each_state_once_and_nothing_that_passes() {
        assert_eq!(drawn(false), "accepted\nplayed\nrefused\n");
    }

    #[test]
    fn a_terminal_shows_a_state_once() {
        let said = |is_terminal| {
            let mut bytes = Vec::new();
            let mut screen = Screen::new(&mut bytes, is_terminal);
            for line in ["same", "other", "same"] {
                screen.state(line.into()).unwrap();
            }
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(said(false), "same\nother\nsame\n");
        assert!(said(true).ends_with(&format!("{}{NO_WRAP}same\nother\n{WRAP}", up(2))));
    }

    #[test]
    fn a_terminal_is_cleared_by_as_many_lines_as_were_drawn() {
        let text = drawn(true).replace(NO_WRAP, "").replace(WRAP, "");
        let expected =
            format!("accepted\n{}accepted\n1 pair\nfuel\n{}accepted\nplayed\n{}refused\n", up(1), up(3), up(2));
        assert_eq!(text, expected);
    }
}
