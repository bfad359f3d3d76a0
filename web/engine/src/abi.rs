//! The module's exports. Buffers are boxed slices, so an address and a length describe one completely.

/// The largest buffers that the features need, in bytes.
const BYTES_MAX: &[usize] = &[
    #[cfg(any(feature = "pages", feature = "opponents"))]
    crate::REQUEST_BYTES_MAX,
    #[cfg(feature = "worlds")]
    crate::WORLD_REQUEST_BYTES_MAX,
    #[cfg(feature = "archives")]
    crate::archive::PACKED_BYTES_MAX,
    #[cfg(feature = "meter")]
    crate::metered::MODULE_BYTES_MAX,
    #[cfg(feature = "ledger")]
    crate::ledger::FOLDER_BYTES_MAX,
];

/// A buffer of this many bytes to write a request in; null if a request may not be that long.
#[expect(unsafe_code, reason = "the page finds it by name; no other symbol is called so")]
#[unsafe(no_mangle)]
extern "C" fn arena_alloc(bytes: usize) -> *mut u8 {
    if BYTES_MAX.iter().all(|most| bytes > *most) {
        return core::ptr::null_mut();
    }
    give(vec![0; bytes])
}

/// Exports of functions that take back a buffer from [`arena_alloc`] with a request. An answer is in a buffer of its
/// own, with its address in the high half and its length in the low one.
macro_rules! exports {
    ($($(#[$about:meta])* $name:ident($request:ident $(, $given:ident: $ty:ty)*) => $answer:expr;)*) => {$(
        $(#[$about])*
        ///
        /// # Safety
        /// Address and length must be those of a buffer that was handed out and not yet taken back.
        #[expect(unsafe_code, reason = "the page finds it by name, and passes a buffer as address and length")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(address: *mut u8, bytes: usize $(, $given: $ty)*) -> u64 {
            // SAFETY: as the caller promises.
            let $request = unsafe { take(address, bytes) };
            $answer
        }
    )*};
}

exports! {
    /// Answers a request, with the page as the engine of bots.
    #[cfg(feature = "opponents")]
    arena_call(request) => handed(crate::call_with(&String::from_utf8_lossy(&request), Some(&page::Page)));
    /// Answers a request.
    #[cfg(all(feature = "pages", not(feature = "opponents")))]
    arena_call(request) => handed(crate::call(&String::from_utf8_lossy(&request)));
    /// Checks and meters a module.
    #[cfg(feature = "meter")]
    arena_meter(module, memory_bytes: u64, module_bytes: u64) =>
        handed(crate::metered(&module, memory_bytes, module_bytes));
    /// Makes a module of a text.
    #[cfg(any(feature = "texts", feature = "python"))]
    arena_text(text) => handed(crate::made(&String::from_utf8_lossy(&text)));
    /// Says what is to be read of the folder with these entries.
    #[cfg(feature = "ledger")]
    arena_own(entries) => handed(crate::own(&entries));
    /// Reads a folder.
    #[cfg(feature = "ledger")]
    arena_ledger(folder) => handed(crate::ledger(&folder));
    /// Unpacks an archive; 0 if the bytes are none.
    #[cfg(feature = "archives")]
    arena_unpack(packed) => crate::archive::unpacked(&packed).map_or(0, handed);
    /// Answers a request about a world.
    #[cfg(feature = "worlds")]
    arena_world(request) => handed(crate::call_world(&String::from_utf8_lossy(&request)));
}

/// What so many pairs of games say of who is stronger, by half points of the first one. The answer is as those of
/// `exports!`.
#[cfg(any(feature = "texts", feature = "python"))]
#[expect(unsafe_code, reason = "the page finds it by name; no other symbol is called so")]
#[unsafe(no_mangle)]
extern "C" fn arena_pairs(lost: u32, one: u32, two: u32, three: u32, won: u32) -> u64 {
    handed(crate::pairs([lost, one, two, three, won]))
}

/// A byte for each cell of the world: their address in the high half, their number in the low one. The buffer is not
/// freed.
#[cfg(feature = "worlds")]
#[expect(unsafe_code, reason = "the page finds it by name; no other symbol is called so")]
#[unsafe(no_mangle)]
extern "C" fn arena_world_cells() -> u64 {
    let (address, bytes) = crate::painted_world();
    (address.addr() as u64) << 32 | bytes as u64
}

/// Takes an answer's buffer back.
///
/// # Safety
/// Address and length must be those of a buffer that was handed out and not yet taken back.
#[expect(unsafe_code, reason = "the page finds it by name, and passes a buffer as address and length")]
#[unsafe(no_mangle)]
unsafe extern "C" fn arena_free(address: *mut u8, bytes: usize) {
    // SAFETY: as the caller promises.
    drop(unsafe { take(address, bytes) });
}

/// A buffer with these bytes, as an answer.
fn handed(answer: impl Into<Vec<u8>>) -> u64 {
    let bytes = answer.into();
    let length = bytes.len() as u64;
    (give(bytes).addr() as u64) << 32 | length
}

fn give(bytes: Vec<u8>) -> *mut u8 {
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// # Safety
/// Address and length must be those of a buffer from [`give`] that was not yet taken back.
#[expect(unsafe_code, reason = "the inverse of `give`")]
unsafe fn take(address: *mut u8, bytes: usize) -> Box<[u8]> {
    // SAFETY: as the caller promises.
    unsafe { Box::from_raw(core::ptr::slice_from_raw_parts_mut(address, bytes)) }
}

/// The page as the engine of bots: what `web/static/rules/guests.js` imports into this module.
#[cfg(feature = "opponents")]
mod page {
    #![expect(unsafe_code, reason = "imports are called by address; the page writes only where it is told to")]

    use crate::Guests;

    #[link(wasm_import_module = "guests")]
    unsafe extern "C" {
        fn instantiate(seat: u32) -> u32;
        fn call(seat: u32, function: u32, argument: u32) -> u32;
        fn returned() -> u64;
        fn fuel(seat: u32) -> i64;
        fn set_fuel(seat: u32, fuel: i64);
        fn memory_bytes(seat: u32) -> u32;
        fn read(seat: u32, address: u32, into: *mut u8, bytes: usize);
        fn write(seat: u32, address: u32, from: *const u8, bytes: usize);
    }

    pub(super) struct Page;

    // SAFETY of all: the page gets numbers, and in the last two a buffer that lives as long as the call.
    impl Guests for Page {
        fn instantiate(&self, seat: u8) -> u32 {
            unsafe { instantiate(seat.into()) }
        }

        fn call(&self, seat: u8, function: u32, argument: u32) -> u32 {
            unsafe { call(seat.into(), function, argument) }
        }

        fn returned(&self) -> u64 {
            unsafe { returned() }
        }

        fn fuel(&self, seat: u8) -> i64 {
            unsafe { fuel(seat.into()) }
        }

        fn set_fuel(&self, seat: u8, fuel: i64) {
            unsafe { set_fuel(seat.into(), fuel) }
        }

        fn memory_bytes(&self, seat: u8) -> u32 {
            unsafe { memory_bytes(seat.into()) }
        }

        fn read(&self, seat: u8, address: u32, into: &mut [u8]) {
            unsafe { read(seat.into(), address, into.as_mut_ptr(), into.len()) }
        }

        fn write(&self, seat: u8, address: u32, bytes: &[u8]) {
            unsafe { write(seat.into(), address, bytes.as_ptr(), bytes.len()) }
        }
    }
}
