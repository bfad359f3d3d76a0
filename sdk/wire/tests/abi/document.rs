//! The blocks of `sdk/ABI.md` that tests check.

use arena_rules::Seed;

/// The document.
pub(crate) const ABI: &str = include_str!("../../../ABI.md");

/// A fenced block marked `vector NAME`: its lines `key = value`, in order.
pub(crate) struct Vector(pub(crate) Vec<(&'static str, &'static str)>);

impl Vector {
    /// All blocks of this name; at least one.
    pub(crate) fn all(name: &str) -> Vec<Vector> {
        let fence = format!("```vector {name}");
        let mut vectors = Vec::new();
        let mut lines = ABI.lines();
        while lines.by_ref().any(|line| line == fence) {
            let body = lines.by_ref().take_while(|line| *line != "```");
            let pairs = body.map(|line| line.split_once('=').expect("key = value"));
            vectors.push(Vector(pairs.map(|(key, value)| (key.trim(), value.trim())).collect()));
        }
        assert!(!vectors.is_empty(), "the document has no vector {name}");
        vectors
    }

    pub(crate) fn get(&self, key: &str) -> &'static str {
        let found = self.0.iter().find(|(name, _)| *name == key);
        found.unwrap_or_else(|| panic!("the vector has no {key}")).1
    }

    /// The lines whose key begins with this word, by the rest of the key. At least one.
    pub(crate) fn under(&self, word: &str) -> Vec<(&'static str, &'static str)> {
        let split = self.0.iter().filter_map(|(key, value)| Some((key.strip_prefix(word)?.trim(), *value)));
        let lines: Vec<_> = split.collect();
        assert!(!lines.is_empty(), "the vector has no {word}");
        lines
    }

    /// The bytes of an observation: so many, zero but for what stands at offsets.
    pub(crate) fn observation(&self) -> Vec<u8> {
        let mut written = vec![0; self.get("length").parse().expect("a length")];
        for (at, text) in self.under("bytes") {
            let (at, bytes) = (at.parse::<usize>().expect("an offset"), bytes(text));
            written[at..at + bytes.len()].copy_from_slice(&bytes);
        }
        written
    }

    pub(crate) fn seed(&self, key: &str) -> Seed {
        bytes(self.get(key)).try_into().expect("32 bytes")
    }
}

pub(crate) fn bytes(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("two hex digits")).collect()
}

pub(crate) fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace().map(|number| number.parse().expect("a decimal number")).collect()
}

/// Decimal, or hexadecimal after `0x`.
pub(crate) fn number(text: &str) -> u64 {
    let parsed = text.strip_prefix("0x").map_or_else(|| text.parse(), |digits| u64::from_str_radix(digits, 16));
    parsed.expect("a number")
}
