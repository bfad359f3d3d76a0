//! The records of a report's games, packed in parts: a page unpacks only the part with the game that is watched, so
//! that it can carry more than a browser holds in one text.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Bytes of a page's records, packed. 200,000 games of Conquerors, the most of a tournament, have 140 MB; 10,000 games
/// of Game of Game of Life with five seats, the most of a field, have 270 MB, of which a page carries the first ones. A
/// browser takes minutes to open a larger page.
const BYTES_MAX: usize = 200_000_000;
/// Bytes of text at which a part is full: unpacked in some milliseconds, and packed hardly worse than all records in
/// one.
const PART_BYTES: usize = 1 << 20;

/// Records, and where each of them is.
pub struct Records {
    bytes_max: usize,
    /// Packed parts.
    parts: Vec<String>,
    bytes: usize,
    /// The text of the next part, and the records in it.
    text: String,
    lines: usize,
    kept: usize,
    left_out: usize,
}

/// Where a page has a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Which part has it.
    pub(super) part: usize,
    /// Its line there.
    pub(super) line: usize,
}

impl Default for Records {
    fn default() -> Records {
        Records::within(BYTES_MAX)
    }
}

impl Records {
    fn within(bytes_max: usize) -> Records {
        Records { bytes_max, parts: Vec::new(), bytes: 0, text: String::new(), lines: 0, kept: 0, left_out: 0 }
    }

    /// Adds a record's text, which is one line; `None` if the page is full.
    ///
    /// # Errors
    /// If it cannot be packed.
    pub fn add(&mut self, record: &str) -> io::Result<Option<Place>> {
        if self.bytes >= self.bytes_max {
            self.left_out += 1;
            return Ok(None);
        }
        let place = Place { part: self.parts.len(), line: self.lines };
        self.text.push_str(record);
        (self.lines, self.kept) = (self.lines + 1, self.kept + 1);
        if self.text.len() >= PART_BYTES {
            self.pack()?;
        }
        Ok(Some(place))
    }

    /// Packs what was added since the last part.
    pub(super) fn pack(&mut self) -> io::Result<()> {
        if self.lines > 0 {
            let part = packed(self.text.as_bytes())?;
            self.bytes += part.len();
            self.parts.push(part);
            self.text.clear();
            self.lines = 0;
        }
        Ok(())
    }

    /// The packed parts.
    pub(super) fn parts(&self) -> &[String] {
        &self.parts
    }

    /// Records in the page, and records that did not fit.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.kept, self.left_out)
    }
}

/// Bytes as the page's script reads them: gzip in base64.
pub(super) fn packed(bytes: &[u8]) -> io::Result<String> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(BASE64.encode(packed.finish()?))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn unpacked(part: &str) -> String {
        let mut text = String::new();
        GzDecoder::new(&*BASE64.decode(part).unwrap()).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn every_record_is_where_its_place_says() {
        let mut records = Records::default();
        let text = |number: usize| format!("{number}{}\n", " ".repeat(PART_BYTES / 100));
        let places: Vec<Place> = (0..250).map(|number| records.add(&text(number)).unwrap().unwrap()).collect();
        records.pack().unwrap();
        assert_eq!((records.parts().len(), records.counts()), (3, (250, 0)));
        let parts: Vec<String> = records.parts().iter().map(|part| unpacked(part)).collect();
        for (number, Place { part, line }) in places.into_iter().enumerate() {
            assert_eq!(parts[part].split_inclusive('\n').nth(line), Some(&*text(number)));
        }
    }

    #[test]
    fn a_full_page_takes_no_more_and_counts_what_it_lacks() {
        let mut records = Records::within(1);
        let long = "x".repeat(PART_BYTES - 1) + "\n";
        assert!(records.add(&long).unwrap().is_some());
        assert_eq!((records.add(&long).unwrap(), records.add("x\n").unwrap()), (None, None));
        records.pack().unwrap();
        assert_eq!((records.parts().len(), records.counts()), (1, (1, 2)));
    }
}
