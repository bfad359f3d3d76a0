//! Which bots count as one, under whatever name: in standing tournaments and in those of accounts.

use arena_record::Hex;
use arena_scripts::script_of;
use sha2::{Digest, Sha256};

/// The identity of a module: the hash of its bytes without custom sections, which have no effect, or of its script
/// without comments and spaces.
pub(crate) type Core = Hex<32>;

/// The core of a module: of a script that of its tokens, in whatever interpreter. For bytes that are not a module it is
/// their hash.
pub(crate) fn core(module: &[u8]) -> Core {
    let hash = |hash: Sha256| Hex(hash.finalize().into());
    if let Some(script) = script_of(module) {
        return hash(Sha256::new().chain_update(script.fingerprint()));
    }
    let (header, mut rest) = module.split_at(module.len().min(8));
    let mut sum = Sha256::new().chain_update(header);
    while !rest.is_empty() {
        let Some((id, content, after)) = section(rest) else { return hash(Sha256::new().chain_update(module)) };
        if id != 0 {
            sum.update([id]);
            sum.update((content.len() as u64).to_le_bytes());
            sum.update(content);
        }
        rest = after;
    }
    hash(sum)
}

/// A section's id and content, and what follows.
fn section(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (id, mut rest) = bytes.split_first()?;
    let mut length = 0_u64;
    for shift in (0..35).step_by(7) {
        let (byte, after) = rest.split_first()?;
        rest = after;
        length |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            let (content, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            return Some((*id, content, after));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use arena_scripts::{Language, bundle};

    use super::*;

    #[test]
    fn comments_and_spaces_make_no_other_script() {
        let of = |language: Language, text: &str| {
            let module = bundle(language, text.as_bytes()).expect("a script");
            assert_eq!(core(&[&module[..], &[0, 2, 1, b'x']].concat()), core(&module), "with a custom section");
            core(&module)
        };
        assert_eq!(of(Language::JavaScript, "let a = 1; // not mine"), of(Language::JavaScript, "let a=1;"));
        assert_ne!(of(Language::JavaScript, "let a = 1;"), of(Language::JavaScript, "let a = 2;"));
        assert_eq!(of(Language::Python, "if a: # not mine\n\tb"), of(Language::Python, "if a :\n  b\n\n"));
        assert_ne!(of(Language::Python, "if a:\n  b\n  c"), of(Language::Python, "if a:\n  b\nc"));
        assert_ne!(of(Language::Python, "a"), of(Language::JavaScript, "a"));
    }

    #[test]
    fn custom_sections_and_how_lengths_are_written_make_no_other_module() {
        let module = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0";
        let same: [&[u8]; 3] = [
            b"\0asm\x01\0\0\0\0\x03\x01xy\x01\x04\x01\x60\0\0",
            b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\0\x01\0",
            b"\0asm\x01\0\0\0\x01\x84\0\x01\x60\0\0",
        ];
        for copy in same {
            assert_eq!(core(copy), core(module), "{copy:?}");
        }
        let others: [&[u8]; 4] =
            [b"", b"\0asm\x01\0\0\0", b"\0asm\x01\0\0\0\x01\x04\x01\x60\0", b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\x01"];
        for other in others {
            assert_ne!(core(other), core(module), "{other:?}");
        }
    }
}
