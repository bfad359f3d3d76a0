//! A terminal in memory, for tests of what is drawn on one.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use console::strip_ansi_codes;
use indicatif::{ProgressBar, ProgressDrawTarget, TermLike};

const ROWS: u16 = 24;
pub(crate) const COLUMNS: u16 = 80;

/// What it shows, without colours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terminal(Arc<Mutex<Screen>>);

/// Letters in rows, and the place of the cursor.
#[derive(Debug, Default)]
struct Screen {
    letters: Vec<[char; COLUMNS as usize]>,
    row: usize,
    column: usize,
}

impl Terminal {
    /// The terminal on which a bar is drawn from now on.
    pub(crate) fn of(bar: &ProgressBar) -> Terminal {
        let terminal = Terminal::default();
        bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
        terminal
    }

    /// Its rows without spaces at their ends, down to the last one that is not empty.
    pub(crate) fn rows(&self) -> Vec<String> {
        let row = |letters: &[char; COLUMNS as usize]| letters.iter().collect::<String>().trim_end().to_owned();
        let mut rows: Vec<String> = self.screen().letters.iter().map(row).collect();
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        rows
    }

    fn screen(&self) -> MutexGuard<'_, Screen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Screen {
    /// The row of the cursor.
    fn here(&mut self) -> &mut [char; COLUMNS as usize] {
        if self.letters.len() <= self.row {
            self.letters.resize(self.row + 1, [' '; COLUMNS as usize]);
        }
        &mut self.letters[self.row]
    }

    fn put(&mut self, letter: char) {
        match letter {
            '\r' => self.column = 0,
            '\n' => (self.row, self.column) = (self.row + 1, 0),
            _ => {
                // The cursor stays in a full row until there is another letter.
                if self.column == usize::from(COLUMNS) {
                    (self.row, self.column) = (self.row + 1, 0);
                }
                let column = self.column;
                self.here()[column] = letter;
                self.column += 1;
            }
        }
    }
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        COLUMNS
    }

    fn height(&self) -> u16 {
        ROWS
    }

    fn move_cursor_up(&self, rows: usize) -> io::Result<()> {
        let mut screen = self.screen();
        screen.row = screen.row.saturating_sub(rows);
        Ok(())
    }

    fn move_cursor_down(&self, rows: usize) -> io::Result<()> {
        self.screen().row += rows;
        Ok(())
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.screen().column += columns;
        Ok(())
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        let mut screen = self.screen();
        screen.column = screen.column.saturating_sub(columns);
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)?;
        self.write_str("\n")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        let mut screen = self.screen();
        strip_ansi_codes(text).chars().for_each(|letter| screen.put(letter));
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        let mut screen = self.screen();
        screen.here().fill(' ');
        screen.column = 0;
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}
