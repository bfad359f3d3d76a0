//! Animates a game: each position replaces the one before.

use std::io::Write;
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::Shown;
use crate::watch::screen::up;

/// Shows turn after turn, each for `pace`.
pub(super) fn run(game: &dyn Shown, pace: Duration, out: &mut dyn Write) -> Result<()> {
    let mut drawn = 0;
    for turn in 0..=game.last() {
        if turn > 0 {
            thread::sleep(pace);
        }
        let mut frame = Vec::new();
        game.show(&mut frame, turn)?;
        out.write_all(up(drawn).as_bytes())?;
        out.write_all(&frame)?;
        out.flush()?;
        drawn = frame.iter().filter(|byte| **byte == b'\n').count();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Growing;

    impl Shown for Growing {
        fn last(&self) -> usize {
            2
        }

        fn show(&self, out: &mut dyn Write, turn: usize) -> Result<()> {
            (0..=turn).try_for_each(|line| Ok(writeln!(out, "{turn}.{line}")?))
        }
    }

    #[test]
    fn each_position_takes_the_place_of_the_one_before() {
        let mut said = Vec::new();
        run(&Growing, Duration::ZERO, &mut said).expect("shown");
        let expected = format!("0.0\n{}1.0\n1.1\n{}2.0\n2.1\n2.2\n", up(1), up(2));
        assert_eq!(String::from_utf8_lossy(&said), expected);
    }
}
