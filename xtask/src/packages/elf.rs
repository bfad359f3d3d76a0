//! Reads a Linux program's header: its machine, and whether it needs shared libraries.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use fs_err as fs;

/// The start of a program's header: 64 bits, little-endian.
const MAGIC: [u8; 6] = [0x7f, b'E', b'L', b'F', 2, 1];

/// A program header that names the loader of shared libraries: a static program has none.
const PT_INTERP: u32 = 3;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// The number of its machine (`e_machine`).
    pub(crate) machine: u16,
    /// Whether it runs on any Linux of its machine, because it loads no library.
    pub(crate) is_static: bool,
}

/// Reads a program's header.
///
/// # Errors
/// If the file cannot be read, or is not a 64-bit little-endian program.
pub(crate) fn read(path: &Path) -> Result<Program> {
    let bytes = fs::read(path)?;
    ensure!(bytes.starts_with(&MAGIC), "{} is no 64-bit Linux program", path.display());
    parse(&bytes).with_context(|| format!("{} is cut off", path.display()))
}

/// Source: the ELF-64 object file format; offsets of the file header and of the program headers.
fn parse(bytes: &[u8]) -> Option<Program> {
    let machine = u16::from_le_bytes(field(bytes, 18)?);
    let table = usize::try_from(u64::from_le_bytes(field(bytes, 32)?)).ok()?;
    let size = usize::from(u16::from_le_bytes(field(bytes, 54)?));
    let count = usize::from(u16::from_le_bytes(field(bytes, 56)?));
    let mut is_static = true;
    for index in 0..count {
        let kind = u32::from_le_bytes(field(bytes, table.checked_add(index.checked_mul(size)?)?)?);
        is_static &= kind != PT_INTERP;
    }
    Some(Program { machine, is_static })
}

fn field<const SIZE: usize>(bytes: &[u8], at: usize) -> Option<[u8; SIZE]> {
    bytes.get(at..at.checked_add(SIZE)?)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ELF header for a machine, with program headers of these kinds.
    fn program(machine: u16, kinds: &[u32]) -> Vec<u8> {
        let mut bytes = vec![0; 64];
        bytes[..6].copy_from_slice(&MAGIC);
        bytes[18..20].copy_from_slice(&machine.to_le_bytes());
        bytes[32..40].copy_from_slice(&64_u64.to_le_bytes());
        bytes[54..56].copy_from_slice(&56_u16.to_le_bytes());
        bytes[56..58].copy_from_slice(&u16::try_from(kinds.len()).expect("a few").to_le_bytes());
        for kind in kinds {
            let mut header = [0; 56];
            header[..4].copy_from_slice(&kind.to_le_bytes());
            bytes.extend(header);
        }
        bytes
    }

    #[test]
    fn a_program_with_a_loader_is_not_static() {
        assert_eq!(parse(&program(62, &[6, PT_INTERP, 1])), Some(Program { machine: 62, is_static: false }));
        assert_eq!(parse(&program(183, &[6, 1, 2])), Some(Program { machine: 183, is_static: true }));
    }

    #[test]
    fn a_program_that_is_cut_off_is_nothing() {
        let whole = program(62, &[6, 1]);
        for length in 0..whole.len() - 52 {
            assert_eq!(parse(&whole[..length]), None, "{length}");
        }
    }

    #[test]
    fn these_tests_are_a_program() -> Result<()> {
        assert!(read(&std::env::current_exe()?).is_ok());
        assert!(read(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").as_path()).is_err());
        Ok(())
    }
}
