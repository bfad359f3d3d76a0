//! Runs the author's own build command.

use std::io::{self, Read};
use std::process::{Command, Stdio};

/// Bytes kept from the end of a build's output, where compilers print errors.
const OUTPUT_BYTES_MAX: usize = 16 << 10;
/// Lines of it that are shown.
const LINES_SHOWN: usize = 20;

/// Runs a command with the shell. If it fails, returns the lines to show.
///
/// # Errors
/// If there is no shell.
pub(super) fn build(command: &str) -> io::Result<Result<(), Vec<String>>> {
    let mut shell = Command::new("sh");
    // Both outputs go into one pipe, so that their lines stay in order.
    shell.arg("-c").arg(format!("exec 2>&1\n{command}")).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = shell.spawn()?;
    let output = child.stdout.take().map_or(Ok(Vec::new()), |output| end_of(output, OUTPUT_BYTES_MAX))?;
    let status = child.wait()?;
    if status.success() {
        return Ok(Ok(()));
    }
    let text = String::from_utf8_lossy(&output);
    let lines: Vec<&str> = text.lines().collect();
    let shown = lines[lines.len().saturating_sub(LINES_SHOWN)..].iter().map(|line| format!("  {}", plain(line)));
    Ok(Err([format!("build failed, {status}: {}", plain(command))].into_iter().chain(shown).collect()))
}

/// The last bytes of a stream, at most `bytes_max`.
fn end_of(mut stream: impl Read, bytes_max: usize) -> io::Result<Vec<u8>> {
    let (mut kept, mut buffer) = (Vec::new(), [0; 1 << 12]);
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(kept),
            Ok(read) => kept.extend_from_slice(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        kept.drain(..kept.len().saturating_sub(bytes_max));
    }
}

/// A line without control characters for the terminal.
fn plain(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(all(test, unix))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_fails_shows_the_end_of_its_output() {
        assert_eq!(build("echo fine").unwrap(), Ok(()));
        let shown = build("echo one; seq 1 50000; printf 'last\\033[2J' >&2; exit 3").unwrap().unwrap_err();
        assert!(shown[0].starts_with("build failed, exit status: 3: echo one;"), "{}", shown[0]);
        assert_eq!(shown.len(), 1 + LINES_SHOWN);
        assert_eq!(shown.last().unwrap(), "  last [2J");
        assert_eq!(shown[LINES_SHOWN - 1], "  50000");
    }

    #[test]
    fn no_more_is_kept_than_is_said() {
        let stream: Vec<u8> = (0..100_000_u32).map(|number| number as u8).collect();
        assert_eq!(end_of(&stream[..], 1_000).unwrap(), stream[99_000..]);
        assert_eq!(end_of(&stream[..10], 1_000).unwrap(), stream[..10]);
    }
}
