//! How a test watches a store, and disturbs it. No store of a site has a probe.

use crate::error::Result;
use std::sync::Arc;

/// What happens at a store.
#[derive(Debug)]
pub enum Event<'a> {
    /// It is asked for a connection.
    Asked,
    /// It is asked whether the disk has room for something new.
    Space,
    /// A statement is sent with this text among its values.
    Text(&'a str),
    /// A statement was answered with rows of so many bytes; a number has eight.
    Read(u64),
}

/// Sees what happens. An error becomes the store's answer where it is [asked](Event::Asked) or has
/// [no space](Event::Space), and means nothing elsewhere.
pub type Probe = Arc<dyn Fn(Event<'_>) -> Result<()> + Send + Sync>;
