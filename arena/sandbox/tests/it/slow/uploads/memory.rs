//! What a process keeps, read while no upload is being answered.
//!
//! Resident memory alone does not tell a leak from an allocator's pool: glibc gives a pool back from its end only, so
//! one block that lives holds what is free below it. Hence what lives is counted at the allocator too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};

/// Blocks that are allocated and not yet freed.
static BLOCKS: AtomicI64 = AtomicI64::new(0);
/// Bytes in them.
static BYTES: AtomicI64 = AtomicI64::new(0);

/// The system's allocator, counting.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn count(blocks: i64, bytes: i64) {
    BLOCKS.fetch_add(blocks, Ordering::Relaxed);
    BYTES.fetch_add(bytes, Ordering::Relaxed);
}

#[expect(unsafe_code, reason = "an allocator is unsafe by its trait; this one hands every call on")]
// SAFETY: every call goes to the system's allocator as it came, and what that answers is handed back unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as i64);
        // SAFETY: the caller keeps the contract of this call.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as i64);
        // SAFETY: the caller keeps the contract of this call.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(0, size as i64 - layout.size() as i64);
        // SAFETY: the caller keeps the contract of this call.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-1, -(layout.size() as i64));
        // SAFETY: the caller keeps the contract of this call.
        unsafe { System.dealloc(block, layout) }
    }
}

/// What the process has at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// Uploads answered so far.
    uploads: u64,
    /// Blocks allocated and not freed.
    pub(crate) blocks: f64,
    /// Bytes in those blocks.
    pub(crate) heap_bytes: f64,
    /// Memory that the system counts as resident, in bytes; 0 where it does not say.
    pub(crate) resident_bytes: f64,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reading { uploads, blocks, heap_bytes, resident_bytes } = self;
        let [heap, resident] = [heap_bytes, resident_bytes].map(|bytes| bytes / 1024.0);
        write!(f, "after {uploads} uploads: {blocks} blocks, {heap:.0} KiB of heap, {resident:.0} KiB resident")
    }
}

/// Readings of a process, in order.
#[derive(Default)]
pub(crate) struct Memory(Vec<Reading>);

impl Memory {
    /// Notes what the process has now, and says it.
    pub(crate) fn read(&mut self, uploads: u64) -> Reading {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.strip_suffix("kB"));
        let resident_kib: u64 = line.and_then(|kib| kib.trim().parse().ok()).unwrap_or(0);
        let reading = Reading {
            uploads,
            blocks: BLOCKS.load(Ordering::Relaxed) as f64,
            heap_bytes: BYTES.load(Ordering::Relaxed) as f64,
            resident_bytes: (resident_kib << 10) as f64,
        };
        self.0.push(reading);
        reading
    }

    /// What an upload adds to this figure, by least squares over the second half of the readings; 0 for fewer than two.
    pub(crate) fn slope(&self, of: fn(&Reading) -> f64) -> f64 {
        let half: Vec<(f64, f64)> =
            self.0[self.0.len() / 2..].iter().map(|reading| (reading.uploads as f64, of(reading))).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| half.iter().map(of).sum::<f64>() / half.len().max(1) as f64;
        let (x, y) = (mean(|at| at.0), mean(|at| at.1));
        let covariance: f64 = half.iter().map(|at| (at.0 - x) * (at.1 - y)).sum();
        let variance: f64 = half.iter().map(|at| (at.0 - x) * (at.0 - x)).sum();
        if variance > 0.0 { covariance / variance } else { 0.0 }
    }
}

#[test]
fn the_slope_is_that_of_the_second_half() {
    let rising = |uploads: u64| if uploads < 50 { 7_000 * uploads } else { 350_000 + 3 * (uploads - 50) };
    let reading = |uploads| Reading { uploads, blocks: 5.0, heap_bytes: rising(uploads) as f64, resident_bytes: 0.0 };
    let memory = Memory((0..100).map(reading).collect());
    assert!((memory.slope(|reading| reading.heap_bytes) - 3.0).abs() < 1e-9);
    assert!(memory.slope(|reading| reading.blocks).abs() < 1e-9);
    assert!(Memory::default().slope(|reading| reading.heap_bytes) == 0.0);
}
