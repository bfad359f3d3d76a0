//! Text from a file that a person wrote, with whatever editor.

use std::fmt;
use std::io;
use std::path::Path;

use crate::read_at_most;

/// The byte order mark, with which some editors begin a file.
const MARK: &str = "\u{feff}";

/// Why a file is not a text.
#[derive(Debug)]
pub enum TextError {
    /// It cannot be read.
    Io(io::Error),
    /// It has more bytes than this.
    TooLong(u64),
    /// It is UTF-16, as some editors save text.
    Utf16,
    /// It is not UTF-8.
    NotText,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Io(error) => error.fmt(f),
            TextError::TooLong(bytes_max) => write!(f, "it has more than {bytes_max} bytes: is it the right file?"),
            TextError::Utf16 => f.write_str("it is text in UTF-16: save it as UTF-8"),
            TextError::NotText => f.write_str("it is not text in UTF-8: is it the right file?"),
        }
    }
}

impl std::error::Error for TextError {}

/// The text of a file of at most so many bytes, without a byte order mark.
///
/// # Errors
/// When it cannot be read, is too long, or is not text.
pub fn read_text(path: &Path, bytes_max: u64) -> Result<String, TextError> {
    text(read_at_most(path, bytes_max).map_err(TextError::Io)?, bytes_max)
}

/// The same for bytes that were read, at most one more than allowed.
///
/// # Errors
/// When they are too many, or are not text.
pub fn text(bytes: Vec<u8>, bytes_max: u64) -> Result<String, TextError> {
    if bytes.len() as u64 > bytes_max {
        return Err(TextError::TooLong(bytes_max));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(TextError::Utf16);
    }
    let text = String::from_utf8(bytes).map_err(|_| TextError::NotText)?;
    Ok(text.strip_prefix(MARK).map(String::from).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_at_the_beginning_is_not_part_of_a_text() {
        let of = |bytes: &[u8]| text(bytes.into(), 9);
        assert_eq!(of("\u{feff}a\u{feff}".as_bytes()).ok().as_deref(), Some("a\u{feff}"));
        assert_eq!(of(b"").ok().as_deref(), Some(""));
        assert!(matches!(of(b"0123456789"), Err(TextError::TooLong(9))));
        assert!(matches!(of(b"\xff\xfea\0"), Err(TextError::Utf16)));
        assert!(matches!(of(b"\xfe\xff\0a"), Err(TextError::Utf16)));
        assert!(matches!(of(b"\x80"), Err(TextError::NotText)));
    }
}
