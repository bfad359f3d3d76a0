//! What a file is, by its first bytes, so that only what is ours is judged: the rest has a name and a next step.

use std::fmt;
use std::path::Path;

use arena_runner::layout;

/// Bytes of a file that tell its kind: a header of a tar archive.
pub(crate) const HEAD_BYTES: usize = 512;

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A tar archive.
    Tar,
    /// Anything that Zstandard compressed.
    Zstandard,
    /// The record of a game, whole or not.
    Record,
    /// A span of a world's life, whole or not.
    Span,
    /// Nothing that `arena verify` reads.
    Other(Other),
}

/// What else people have in their folders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Other {
    what: &'static str,
    /// What to do with it.
    next: &'static str,
}

const fn other(what: &'static str, next: &'static str) -> Kind {
    Kind::Other(Other { what, next })
}

const EMPTY: Kind = other("an empty file", "it was not written, or not downloaded, to its end: get it again");
const ZIP: Kind = other("a ZIP archive", "unpack it with `unzip` and verify the folder");
const GZIP: Kind = other(
    "a file that gzip compressed",
    "unpack it, a .tar.gz with `tar -xzf` and any other with `gunzip`, and verify what was in it",
);
const SEVEN_ZIP: Kind = other("a 7z archive", "unpack it with `7z x` and verify the folder");
const XZ: Kind = other(
    "a file that xz compressed",
    "unpack it, a .tar.xz with `tar -xJf` and any other with `unxz`, and verify what was in it",
);
const BZIP2: Kind = other(
    "a file that bzip2 compressed",
    "unpack it, a .tar.bz2 with `tar -xjf` and any other with `bunzip2`, and verify what was in it",
);
const RAR: Kind = other("a RAR archive", "unpack it with `unrar x` and verify the folder");
const PAGE: Kind = other(
    "a web page",
    "a site sent it in place of the file: look what it says, and download the file with `curl -fOJ`",
);
const MODULE: Kind =
    other("a WebAssembly module", "`arena check` says whether it is a bot; its games are verified with their records");
const PART: Kind = other("one file of a tournament's folder", "verify the folder");
const UTF_16: Kind = other("a text in UTF-16", "records are UTF-8: get the file again as it was");
const JSON: Kind = other("JSON, but not the record of a game", OURS);
const TEXT: Kind = other("a text", OURS);
const BYTES: Kind = other("no format that this command knows", OURS);
const OURS: &str = "name a tournament's folder or archive (.tar, .tar.zst), a game's record, or a world's span";

/// The first bytes of formats that have such.
const MAGIC: [(&[u8], Kind); 11] = [
    (b"\x28\xb5\x2f\xfd", Kind::Zstandard),
    (b"PK\x03\x04", ZIP),
    (b"PK\x05\x06", ZIP),
    (b"\x1f\x8b", GZIP),
    (b"7z\xbc\xaf\x27\x1c", SEVEN_ZIP),
    (b"\xfd7zXZ\0", XZ),
    (b"BZh", BZIP2),
    (b"Rar!", RAR),
    (b"\0asm", MODULE),
    (b"\xff\xfe", UTF_16),
    (b"\xfe\xff", UTF_16),
];
/// Where a header of a tar archive says so.
const TAR_MAGIC: (usize, &[u8]) = (257, b"ustar");
/// How a record and a span name their formats, in any version.
const RECORD: &str = "\"arena-record/";
const SPAN: &str = "\"arena-world/";
/// How pages begin, in lower case.
const PAGES: [&str; 4] = ["<!doctype", "<!--", "<html", "<?xml"];

impl Kind {
    /// The kind of a file that begins with these bytes, at most [`HEAD_BYTES`] of it.
    pub(crate) fn of(path: &Path, head: &[u8]) -> Kind {
        if head.is_empty() {
            return EMPTY;
        }
        if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
            return *kind;
        }
        if head.get(TAR_MAGIC.0..).is_some_and(|rest| rest.starts_with(TAR_MAGIC.1)) {
            return Kind::Tar;
        }
        // The last character may be cut short.
        let text = match str::from_utf8(head) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() => str::from_utf8(&head[..error.valid_up_to()]).unwrap_or(""),
            Err(_) => "",
        };
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.is_empty() || text.contains('\0') {
            // Ours with a damaged byte, perhaps.
            let begins = |format: &str| head.windows(format.len()).any(|part| part == format.as_bytes());
            return match () {
                () if begins(RECORD) => Kind::Record,
                () if begins(SPAN) => Kind::Span,
                () => BYTES,
            };
        }
        if is_part(path) {
            return PART;
        }
        let lower = text.to_ascii_lowercase();
        match () {
            () if text.starts_with('{') && text.contains(SPAN) => Kind::Span,
            () if text.starts_with('{') && text.contains(RECORD) => Kind::Record,
            () if PAGES.iter().any(|page| lower.starts_with(page)) => PAGE,
            () if text.starts_with(['{', '[']) => JSON,
            () => TEXT,
        }
    }
}

/// Whether a file is one of a tournament's folder.
fn is_part(path: &Path) -> bool {
    let is_named = path
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| [layout::DEFINITION, layout::MANIFEST, layout::JOURNAL, layout::INDEX].contains(&name));
    is_named && path.with_file_name(layout::MANIFEST).is_file()
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, which `arena verify` does not read: {}", self.what, self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ours_has_a_name_and_what_is_ours_is_judged() {
        let mut tar = [0; HEAD_BYTES];
        tar[257..262].copy_from_slice(b"ustar");
        let of = |head: &[u8]| Kind::of(Path::new("file"), head);
        for (head, kind) in [
            (&tar[..], Kind::Tar),
            (b"\x28\xb5\x2f\xfd..", Kind::Zstandard),
            (b"{\"format\":\"arena-record/1\",\"header", Kind::Record),
            ("\u{feff}{\r\n  \"format\": \"arena-record/9\"".as_bytes(), Kind::Record),
            (b"{\"format\":\"arena-record/1\",\"hea\xff\xff\xff", Kind::Record),
            (b"{\"event\":\"opened\",\"format\":\"arena-world/2\"", Kind::Span),
            (b"", EMPTY),
            (b"PK\x03\x04", ZIP),
            (b"\x1f\x8b\x08", GZIP),
            (b"\n <!DOCTYPE html><title>503", PAGE),
            (b"<HTML>", PAGE),
            (b"<!-- a page -->\n<!doctype html>", PAGE),
            (b"\0asm\x01", MODULE),
            (b"{\"code\":\"not_found\"}", JSON),
            (b"version https://git-lfs", TEXT),
            ("h\u{e9}".as_bytes().split_last().map_or(&[][..], |(_, head)| head), TEXT),
            (b"\x80\x81", BYTES),
            (b"a\0b", BYTES),
        ] {
            assert_eq!(of(head), kind, "{}", String::from_utf8_lossy(head));
        }
    }
}
