//! Where a bundle's script is.

use core::cell::UnsafeCell;

/// The most bytes of a script.
const SCRIPT_MAX: usize = 65_536;
/// Bytes of the length before it.
const LENGTH_LEN: usize = 4;

/// A script's length in four bytes, the lowest first, its text, and zeros. All zeros without a script.
#[repr(transparent)]
pub(crate) struct Script(UnsafeCell<[u8; LENGTH_LEN + SCRIPT_MAX + 1]>);

// SAFETY: nothing writes there, and a module has one thread.
unsafe impl Sync for Script {}

/// The address of the script is this export's value.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name of an export")]
pub(crate) static arena_script: Script = Script(UnsafeCell::new([0; LENGTH_LEN + SCRIPT_MAX + 1]));

/// The script with the zero behind it.
pub(crate) fn script_bytes() -> &'static [u8] {
    // SAFETY: nothing writes there; read as volatile because the compiler only knows the zeros.
    unsafe {
        let start = arena_script.0.get().cast::<u8>();
        let length = u32::from_le(start.cast::<u32>().read_volatile()) as usize;
        let text = core::hint::black_box(start.add(LENGTH_LEN));
        core::slice::from_raw_parts(text, length.min(SCRIPT_MAX) + 1)
    }
}

/// The script's text.
pub(crate) fn script() -> &'static str {
    core::str::from_utf8(script_bytes().strip_suffix(&[0]).unwrap_or_default()).unwrap_or_default()
}
