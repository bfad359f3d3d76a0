//! Where the gate's tests keep their files: in memory, where there is room. They kill processes, never the machine, so
//! they prove the same there; at night they use the disk.

use rustix::fs::{StatVfsMountFlags, statvfs};

/// The file system in memory.
const FOLDER: &str = "/dev/shm";

/// Free bytes for which it is used: twice what tests take, most of it for some hundred databases of 8 MB.
const ROOM_BYTES: u64 = 6 << 30;

/// What tells programs where temporary files belong.
const TEMPORARY: &str = "TMPDIR";

/// The variable with that folder: nothing if the environment has one, there is no room, or no program may run there.
pub(crate) fn temporary() -> Option<(&'static str, &'static str)> {
    let system = statvfs(FOLDER).ok()?;
    let fits = system.f_bavail.saturating_mul(system.f_frsize) >= ROOM_BYTES;
    let runs = !system.f_flag.contains(StatVfsMountFlags::NOEXEC);
    (std::env::var_os(TEMPORARY).is_none() && fits && runs).then_some((TEMPORARY, FOLDER))
}
