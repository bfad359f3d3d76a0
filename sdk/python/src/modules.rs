//! Modules in Python, which scripts import.

use crate::py::{self, Result, Value};
use crate::random;

/// The modules by their files.
const MODULES: [(&str, &str); 18] = [
    ("__future__.py", include_str!("lib/__future__.py")),
    ("abc.py", include_str!("lib/abc.py")),
    ("bisect.py", include_str!("lib/bisect.py")),
    ("collections.py", include_str!("lib/collections.py")),
    ("contextlib.py", include_str!("lib/contextlib.py")),
    ("copy.py", include_str!("lib/copy.py")),
    ("dataclasses.py", include_str!("lib/dataclasses.py")),
    ("enum.py", include_str!("lib/enum.py")),
    ("functools.py", include_str!("lib/functools.py")),
    ("heapq.py", include_str!("lib/heapq.py")),
    ("itertools.py", include_str!("lib/itertools.py")),
    ("json.py", include_str!("lib/json.py")),
    ("math.py", include_str!("lib/math.py")),
    ("operator.py", include_str!("lib/operator.py")),
    ("random.py", include_str!("lib/random.py")),
    ("string.py", include_str!("lib/string.py")),
    ("sys.py", include_str!("lib/sys.py")),
    ("typing.py", include_str!("lib/typing.py")),
];

/// The text of a module; nothing if there is none.
#[unsafe(no_mangle)]
extern "C" fn arena_module(path: *const u8, len: usize, text_len: &mut usize) -> *const u8 {
    // SAFETY: there are so many bytes.
    let path = unsafe { core::slice::from_raw_parts(path, len) };
    MODULES.iter().find(|(name, _)| name.as_bytes() == path).map_or(core::ptr::null(), |(_, text)| {
        *text_len = text.len();
        text.as_ptr()
    })
}

/// Adds what modules need.
pub(crate) fn install() -> Result<()> {
    let global = py::global();
    global.method(c"_word", 0, |_, _| Value::number(random::word()?.into()))?;
    global.method(c"_fraction", 0, |_, _| random::fraction())
}
