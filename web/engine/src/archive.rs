//! Archives of tournaments, as `arena tournament export` packs them.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

/// Bytes of an archive that a page opens, packed here and unpacked below: what a browser's tab has room for. `arena verify` opens
/// larger ones.
pub(crate) const PACKED_BYTES_MAX: usize = 64 << 20;
const UNPACKED_BYTES_MAX: u64 = 512 << 20;

/// The unpacked bytes; `None` if Zstandard did not pack them or they become too large.
pub(crate) fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let decoder = StreamingDecoder::new(packed).ok()?;
    decoder.take(UNPACKED_BYTES_MAX + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= UNPACKED_BYTES_MAX).then_some(bytes)
}
