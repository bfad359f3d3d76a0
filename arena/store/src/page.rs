//! Lists are read page by page, each starting after the last key of the one before.

use crate::PAGE_MAX;

/// The part of a list to read. By key and not by offset: so every page costs the same, and rows that are inserted
/// meanwhile neither shift nor repeat others.
#[derive(Clone, Debug)]
pub struct Page<K> {
    after: Option<K>,
    limit: u32,
}

impl<K> Page<K> {
    /// The first rows, at most `limit` of them and never more than [`PAGE_MAX`].
    pub fn first(limit: u32) -> Page<K> {
        Page { after: None, limit: limit.min(PAGE_MAX) }
    }

    /// The rows after the one with the key `after`, at most `limit` of them and never more than [`PAGE_MAX`].
    pub fn after(after: K, limit: u32) -> Page<K> {
        Page { after: Some(after), limit: limit.min(PAGE_MAX) }
    }

    pub(crate) fn limit(&self) -> i64 {
        i64::from(self.limit)
    }
}

impl<K: Clone> Page<K> {
    /// The key to start after, in the database's form; `start` precedes all keys.
    pub(crate) fn key<T>(&self, start: T, key: impl FnOnce(K) -> T) -> T {
        self.after.clone().map_or(start, key)
    }
}
