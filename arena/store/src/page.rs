//! Lists are read page by page, each starting after the last key of the one before.

use crate::PAGE_MAX;

/// The part of a list to read. By key and not by offset: so every page costs the same, and rows that are inserted meanwhile neither
/// shift nor repeat others.
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

    /// The page of rows that are in memory: `follows` says whether a row comes after one with that key.
    pub(crate) fn of<T>(self, rows: impl Iterator<Item = T>, follows: impl Fn(&T, &K) -> bool) -> Vec<T> {
        let Page { after, limit } = self;
        let rows = rows.filter(|row| after.as_ref().is_none_or(|after| follows(row, after)));
        rows.take(limit as usize).collect()
    }

    /// The key to start after, in the database's form; `start` precedes all keys.
    pub(crate) fn key<T>(self, start: T, key: impl FnOnce(K) -> T) -> T {
        self.after.map_or(start, key)
    }

    pub(crate) fn limit(&self) -> i64 {
        i64::from(self.limit)
    }
}
