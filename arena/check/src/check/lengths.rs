//! Lengths that no file has. The parser adds a length to a position before it compares the sum with what is there, and
//! where addresses have 32 bits, as in a page, the sum of a position and a length near 4 GiB overflows.

use wasmparser::{BinaryReader, BinaryReaderError, ConstExpr};

/// The largest length that the parser sees.
const LENGTH_MAX: u32 = i32::MAX.cast_unsigned();
/// Bytes of the magic number and the version.
const HEADER_BYTES: usize = 8;
/// The sections whose entries have lengths in bytes.
const CODE: u8 = 10;
const DATA: u8 = 11;
/// Kinds of data segments.
const PASSIVE: u32 = 1;
const IN_MEMORY: u32 = 2;

/// The module up to the first length above [`LENGTH_MAX`]: there the parser finds the end of the file, and refuses it.
pub(super) fn readable(module: &[u8]) -> &[u8] {
    match walk(module) {
        Err(Stop::TooLong(at)) => &module[..at],
        Ok(()) | Err(Stop::Malformed) => module,
    }
}

/// Why nothing after it is looked at.
enum Stop {
    /// It has a length above [`LENGTH_MAX`] here.
    TooLong(usize),
    /// The parser comes no farther either.
    Malformed,
}

impl From<BinaryReaderError> for Stop {
    fn from(_: BinaryReaderError) -> Stop {
        Stop::Malformed
    }
}

fn walk(module: &[u8]) -> Result<(), Stop> {
    let mut sections = BinaryReader::new(module, 0);
    sections.read_bytes(HEADER_BYTES)?;
    while !sections.eof() {
        let id = sections.read_u8()?;
        let bytes = length(&mut sections)?;
        if ![CODE, DATA].contains(&id) {
            sections.read_bytes(bytes)?;
            continue;
        }
        let end = sections.original_position() + bytes;
        for _ in 0..sections.read_var_u32()? {
            if id == DATA {
                data_place(&mut sections)?;
            }
            let bytes = length(&mut sections)?;
            sections.read_bytes(bytes)?;
        }
        if sections.original_position() != end {
            return Err(Stop::Malformed);
        }
    }
    Ok(())
}

/// Reads where a data segment is written.
fn data_place(reader: &mut BinaryReader<'_>) -> Result<(), BinaryReaderError> {
    let kind = reader.read_var_u32()?;
    if kind == IN_MEMORY {
        reader.read_var_u32()?;
    }
    if kind != PASSIVE {
        reader.read::<ConstExpr<'_>>()?;
    }
    Ok(())
}

fn length(reader: &mut BinaryReader<'_>) -> Result<usize, Stop> {
    let at = reader.original_position();
    let length = reader.read_var_u32()?;
    if length > LENGTH_MAX { Err(Stop::TooLong(at)) } else { Ok(length as usize) }
}
