//! The walls on Linux.

use std::fs;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr,
    RulesetError, Scope,
};
use rustix::io::Errno;
use rustix::process::{Gid, Resource, Rlimit, Signal, Uid, getrlimit, setrlimit};

use super::{WallError, WorkerWall, seccomp};
use crate::limits::{ADDRESS_SPACE_BYTES_MAX, WORKER_MEMORY_BYTES_MAX};

/// The user and group that own nothing.
const NOBODY: u32 = 65_534;
/// The first version of Landlock that covers TCP.
const LANDLOCK_MIN: ABI = ABI::V4;
/// The name of a limit that is set twice.
const DESCRIPTORS: &str = "the limit of descriptors";

pub(super) fn is_single_threaded() -> Result<(), WallError> {
    match fs::read_dir("/proc/self/task").map(Iterator::count) {
        Ok(1) => Ok(()),
        Ok(count) => Err(WallError::Threads(count)),
        Err(error) => Err(WallError::of("the threads", "counted")(error)),
    }
}

pub(super) fn raise(wall: WorkerWall) -> Result<(), WallError> {
    match wall {
        // The portable part looks at the environment.
        WorkerWall::Environment => Ok(()),
        WorkerWall::Descriptors => close_descriptors(),
        WorkerWall::User => become_nobody().map_err(WallError::of("root", "made nobody")),
        WorkerWall::NoNewPrivileges => {
            rustix::thread::set_no_new_privs(true).map_err(WallError::of("no_new_privs", "set"))?;
            proven("no_new_privs", rustix::thread::no_new_privs() == Ok(true))
        }
        WorkerWall::ParentDeath => {
            const WHAT: &str = "the signal at the parent's death";
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(WallError::of(WHAT, "set"))?;
            let signal = rustix::process::parent_process_death_signal();
            proven(WHAT, signal == Ok(Some(Signal::KILL)))
        }
        WorkerWall::Limits => limit_resources(),
        WorkerWall::Landlock => landlock(),
        WorkerWall::Seccomp => seccomp::install().and_then(|()| {
            let tried = UnixStream::pair().map(drop).map_err(|error| error.raw_os_error());
            proven("seccomp", tried == Err(Some(libc::EPERM)))
        }),
    }
}

fn proven(what: &'static str, holds: bool) -> Result<(), WallError> {
    if holds { Ok(()) } else { Err(WallError::NotHolding(what)) }
}

/// Closes everything but standard input, output and error.
fn close_descriptors() -> Result<(), WallError> {
    #[expect(unsafe_code, reason = "there is no safe function that closes descriptors nobody owns")]
    // SAFETY: called before this process opened anything itself, so nobody holds a descriptor from 3 on.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, 0_u32) };
    if closed != 0 {
        return Err(WallError::of("descriptors", "closed")(std::io::Error::last_os_error()));
    }
    // The three, and the descriptor that reads the list.
    match fs::read_dir("/proc/self/fd").map(Iterator::count) {
        Ok(count) => proven("no descriptor but the pipe's", count <= 4),
        Err(error) => Err(WallError::of("the descriptors", "counted")(error)),
    }
}

fn become_nobody() -> Result<(), Errno> {
    let root = |id: Uid| id.is_root();
    if root(rustix::process::getuid()) || root(rustix::process::geteuid()) {
        let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
        rustix::thread::set_thread_groups(&[])?;
        rustix::thread::set_thread_res_gid(gid, gid, gid)?;
        rustix::thread::set_thread_res_uid(uid, uid, uid)?;
    }
    let is_root = root(rustix::process::getuid()) || root(rustix::process::geteuid());
    let capabilities = rustix::thread::capabilities(None)?;
    let none = capabilities.effective.is_empty() && capabilities.permitted.is_empty();
    if is_root || !none { Err(Errno::PERM) } else { Ok(()) }
}

fn limit_resources() -> Result<(), WallError> {
    let limits = [
        ("the limit of core dumps", Resource::Core, 0),
        ("the limit of files' lengths", Resource::Fsize, 0),
        ("the limit of locked memory", Resource::Memlock, 0),
        ("the limit of message queues", Resource::Msgqueue, 0),
        ("the limit of memory", Resource::Data, WORKER_MEMORY_BYTES_MAX),
        ("the limit of address space", Resource::As, ADDRESS_SPACE_BYTES_MAX),
        // The standard three stay open; Landlock needs one more for a moment.
        (DESCRIPTORS, Resource::Nofile, 4),
    ];
    for (what, resource, most) in limits {
        lower(what, resource, most)?;
    }
    Ok(())
}

/// Lowers a limit for good; a limit that is lower already stays.
fn lower(what: &'static str, resource: Resource, most: u64) -> Result<(), WallError> {
    let hard = getrlimit(resource).maximum.map_or(most, |hard| hard.min(most));
    setrlimit(resource, Rlimit { current: Some(hard), maximum: Some(hard) }).map_err(WallError::of(what, "set"))?;
    proven(what, getrlimit(resource).maximum == Some(hard))
}

/// Forbids all paths, TCP ports and signals to others.
fn landlock() -> Result<(), WallError> {
    let restricted = || -> Result<RestrictionStatus, RulesetError> {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(ABI::V6))?
            .handle_access(AccessNet::from_all(ABI::V6))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?
            .restrict_self()
    };
    let status = restricted().map_err(WallError::of("Landlock", "set"))?;
    match status.landlock {
        LandlockStatus::Available { effective_abi, .. } if effective_abi >= LANDLOCK_MIN => {}
        other => {
            return Err(WallError::Landlock { found: format!("{other:?}"), needed: format!("{LANDLOCK_MIN:?}") });
        }
    }
    let is_denied = |error: &std::io::Error| error.kind() == ErrorKind::PermissionDenied;
    proven("Landlock for files", fs::read_dir("/").is_err_and(|error| is_denied(&error)))?;
    proven(
        "Landlock for TCP",
        TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], 9))).is_err_and(|error| is_denied(&error)),
    )
}

/// Forbids processes, threads and further descriptors.
pub(super) fn forbid_more() -> Result<(), WallError> {
    lower("the limit of processes", Resource::Nproc, 0)?;
    lower(DESCRIPTORS, Resource::Nofile, 0)
}

/// Limits this process to this many more seconds of processor time, up to the next full second; then SIGXCPU ends it.
pub(crate) fn limit_processor_time(seconds: u64) {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let most = u64::try_from(used.tv_sec).unwrap_or_default() + 1 + seconds;
    // Cannot fail: the limit is lowered, or raised below the hard limit, which is not set.
    let _ = setrlimit(Resource::Cpu, Rlimit { current: Some(most), maximum: getrlimit(Resource::Cpu).maximum });
}

/// Removes that limit.
pub(crate) fn lift_processor_time() {
    let maximum = getrlimit(Resource::Cpu).maximum;
    // Cannot fail, as above.
    let _ = setrlimit(Resource::Cpu, Rlimit { current: maximum, maximum });
}
