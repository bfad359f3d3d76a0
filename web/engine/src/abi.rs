//! The module's exports. Buffers are boxed slices, so an address and a length describe one completely.

/// The largest buffer that is handed out, in bytes.
#[cfg(not(any(feature = "archives", feature = "worlds")))]
const BYTES_MAX: usize = crate::REQUEST_BYTES_MAX;
#[cfg(all(feature = "worlds", not(feature = "archives")))]
const BYTES_MAX: usize = crate::WORLD_REQUEST_BYTES_MAX;
#[cfg(feature = "archives")]
const BYTES_MAX: usize = crate::archive::PACKED_BYTES_MAX;

/// A buffer of this many bytes to write a request in; null if a request may not be that long.
#[expect(unsafe_code, reason = "the page finds it by name; no other symbol is called so")]
#[unsafe(no_mangle)]
extern "C" fn arena_alloc(bytes: usize) -> *mut u8 {
    if bytes > BYTES_MAX {
        return core::ptr::null_mut();
    }
    give(vec![0; bytes])
}

/// Answers the request in a buffer from [`arena_alloc`], and takes the buffer back. The answer is in a buffer of its
/// own, with its address in the high half and its length in the low one.
///
/// # Safety
/// Address and length must be those of a buffer that was handed out and not yet taken back.
#[cfg(any(feature = "pages", feature = "opponents"))]
#[expect(unsafe_code, reason = "the page finds it by name, and passes a buffer as address and length")]
#[unsafe(no_mangle)]
unsafe extern "C" fn arena_call(address: *mut u8, bytes: usize) -> u64 {
    // SAFETY: as the caller promises.
    let request = unsafe { take(address, bytes) };
    let answer = crate::call(&String::from_utf8_lossy(&request)).into_bytes();
    let bytes = answer.len() as u64;
    (give(answer).addr() as u64) << 32 | bytes
}

/// Unpacks the archive in a buffer from [`arena_alloc`], and takes the buffer back. The answer is as in [`arena_call`];
/// 0 if the bytes are not an archive.
///
/// # Safety
/// Address and length must be those of a buffer that was handed out and not yet taken back.
#[cfg(feature = "archives")]
#[expect(unsafe_code, reason = "the page finds it by name, and passes a buffer as address and length")]
#[unsafe(no_mangle)]
unsafe extern "C" fn arena_unpack(address: *mut u8, bytes: usize) -> u64 {
    // SAFETY: as the caller promises.
    let packed = unsafe { take(address, bytes) };
    let Some(unpacked) = crate::archive::unpacked(&packed) else { return 0 };
    let bytes = unpacked.len() as u64;
    (give(unpacked).addr() as u64) << 32 | bytes
}

/// Answers a request about a world as [`arena_call`] does.
///
/// # Safety
/// Address and length must be those of a buffer that was handed out and not yet taken back.
#[cfg(feature = "worlds")]
#[expect(unsafe_code, reason = "the page finds it by name, and passes a buffer as address and length")]
#[unsafe(no_mangle)]
unsafe extern "C" fn arena_world(address: *mut u8, bytes: usize) -> u64 {
    // SAFETY: as the caller promises.
    let request = unsafe { take(address, bytes) };
    let answer = crate::call_world(&String::from_utf8_lossy(&request)).into_bytes();
    let bytes = answer.len() as u64;
    (give(answer).addr() as u64) << 32 | bytes
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
