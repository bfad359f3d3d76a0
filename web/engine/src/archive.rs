//! Archives of tournaments, as `arena tournament export` packs them.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

/// Bytes of an archive that a page opens, packed and unpacked: what a browser's tab has room for. Larger ones are for `arena verify`.
pub(crate) const PACKED_BYTES_MAX: usize = 64 << 20;
const UNPACKED_BYTES_MAX: u64 = 512 << 20;

/// What Zstandard packed; `None` when it is nothing such, or becomes too large.
pub(crate) fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let decoder = StreamingDecoder::new(packed).ok()?;
    decoder.take(UNPACKED_BYTES_MAX + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= UNPACKED_BYTES_MAX).then_some(bytes)
}
