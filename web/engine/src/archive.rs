//! Archives of tournaments, as `arena tournament export` packs them. Their source is not trusted, so they are read
//! within limits.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

/// Bytes of an archive that a page opens, packed here and unpacked below: what a browser's tab has room for.
/// `arena verify` opens larger ones.
pub(crate) const PACKED_BYTES_MAX: usize = 64 << 20;
const UNPACKED_BYTES_MAX: usize = 512 << 20;
/// How many times larger than an archive its content may be, as for `arena verify`.
const RATIO_MAX: usize = 200;
/// Bytes up to which the content may be of any ratio.
const SMALL_BYTES: usize = 1 << 20;
/// Bytes of the largest window that the decoder sets up: what `zstd -19` takes, as for `arena verify`.
const WINDOW_BYTES_MAX: u64 = 8 << 20;
/// The first bytes of a frame. Source: RFC 8878, section 3.1.1, like the bits below.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const SINGLE_SEGMENT: u8 = 1 << 5;
const DICTIONARY: u8 = 0b11;

/// The unpacked bytes; `None` if the bytes are not one whole frame of Zstandard's format, or it goes beyond the limits.
pub(crate) fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    if packed.len() > PACKED_BYTES_MAX || window_bytes(packed)? > WINDOW_BYTES_MAX {
        return None;
    }
    let bytes_max = packed.len().saturating_mul(RATIO_MAX).clamp(SMALL_BYTES, UNPACKED_BYTES_MAX);
    let mut bytes = Vec::new();
    let mut decoder = StreamingDecoder::new(packed).ok()?;
    (&mut decoder).take(bytes_max as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= bytes_max && decoder.into_inner().is_empty()).then_some(bytes)
}

/// The window that a frame's header asks for; `None` if it is none, or the frame needs a dictionary.
fn window_bytes(packed: &[u8]) -> Option<u64> {
    let rest = packed.strip_prefix(&MAGIC)?;
    let (descriptor, rest) = rest.split_first()?;
    if descriptor & DICTIONARY != 0 {
        return None;
    }
    if descriptor & SINGLE_SEGMENT == 0 {
        let window = rest.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 0b111));
    }
    // The content is the window.
    let field = rest.get(..1 << (descriptor >> 6))?;
    let number = field.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    Some(if field.len() == 2 { number + 256 } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest block. Source: RFC 8878, section 3.1.1.2.3.
    const BLOCK: u32 = 128 << 10;
    const RAW: u32 = 0;
    const REPEATED: u32 = 1;
    /// A window of 8 MiB: 2^(10 + 13).
    const WINDOW: u8 = 13 << 3;

    /// A frame of blocks without a size: each its kind, its length and its bytes.
    fn frame(window: u8, blocks: &[(u32, u32, &[u8])]) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[0, window]].concat();
        for (at, (kind, length, content)) in blocks.iter().enumerate() {
            let header = length << 3 | kind << 1 | u32::from(at + 1 == blocks.len());
            bytes.extend(&header.to_le_bytes()[..3]);
            bytes.extend(*content);
        }
        bytes
    }

    fn text(window: u8) -> Vec<u8> {
        frame(window, &[(RAW, 5, b"hello"), (REPEATED, 3, b"!")])
    }

    #[test]
    fn a_window_of_eight_mebibytes_is_opened_and_no_larger_one() {
        assert_eq!(unpacked(&text(WINDOW)).as_deref(), Some(&b"hello!!!"[..]));
        for window in WINDOW + 1..=u8::MAX {
            assert_eq!(unpacked(&text(window)), None, "{window}");
        }
        // One segment: its size is the window. 8 bytes, then 2^32 + 8.
        let body = &text(0)[6..];
        let one = |descriptor: u8, size: &[u8]| [&MAGIC[..], &[descriptor | SINGLE_SEGMENT], size, body].concat();
        assert_eq!(unpacked(&one(0, &[8])).as_deref(), Some(&b"hello!!!"[..]));
        assert_eq!(unpacked(&one(3 << 6, &[8, 0, 0, 0, 1, 0, 0, 0])), None);
        assert_eq!(unpacked(&one(1, &[7, 8])), None, "a dictionary");
        assert_eq!(window_bytes(&one(1 << 6, &[1, 1])), Some(256 + 257));
    }

    #[test]
    fn content_stays_within_its_limits_and_nothing_follows_the_frame() {
        // 131,072 bytes from four: a megabyte is allowed, whatever the ratio, and more is not.
        let repeated = |blocks: usize| frame(WINDOW, &vec![(REPEATED, BLOCK, &b"x"[..]); blocks]);
        assert_eq!(unpacked(&repeated(8)).map(|bytes| bytes.len()), Some(SMALL_BYTES));
        assert_eq!(unpacked(&repeated(9)), None);
        // With so many bytes of its own, it may be larger.
        let own = vec![7; BLOCK as usize];
        let with = |blocks: usize| {
            let all = [vec![(RAW, BLOCK, &own[..])], vec![(REPEATED, BLOCK, &b"x"[..]); blocks]].concat();
            frame(WINDOW, &all)
        };
        assert_eq!(unpacked(&with(100)).map(|bytes| bytes.len()), Some(101 * BLOCK as usize));
        assert_eq!(unpacked(&with(210)), None);
        for more in [&b"x"[..], &text(WINDOW), &[0; 9]] {
            assert_eq!(unpacked(&[&text(WINDOW)[..], more].concat()), None);
        }
    }

    #[test]
    fn what_is_changed_or_broken_off_is_refused_or_opened_and_never_panics() {
        let whole = frame(WINDOW, &[(RAW, 5, b"hello"), (REPEATED, BLOCK, b"!"), (RAW, 2, b"ab")]);
        for length in 0..whole.len() {
            assert_eq!(unpacked(&whole[..length]), None, "{length} bytes");
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                assert!(unpacked(&changed).is_none_or(|bytes| bytes.len() <= SMALL_BYTES), "{at}, {bit}");
            }
        }
    }
}
