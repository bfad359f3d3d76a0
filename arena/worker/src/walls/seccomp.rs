//! The system calls a worker may use.
//!
//! All others fail with EPERM, which most code survives. If they ended the process instead, a call that this list
//! lacks, such as one of an allocator or a C library we have not met, would look like a bot that kills its worker.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use super::WallError;

/// Allowed whatever their arguments. None takes a path, makes a descriptor, or names another process.
const ALLOWED: [libc::c_long; 27] = [
    // The pipe.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_close,
    // Memory, compiled code among it.
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    // The engine's traps are signals to itself.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    // Locks, and what the process may know of itself.
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_gettid,
    libc::SYS_getpid,
    // Clocks and hash seeds. No verdict depends on either.
    libc::SYS_clock_gettime,
    libc::SYS_gettimeofday,
    libc::SYS_getrandom,
    libc::SYS_restart_syscall,
    // The end.
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// The name of this wall in errors.
const WHAT: &str = "a filter of system calls";

/// Filters the system calls of this thread, the only one of a worker.
pub(super) fn install() -> Result<(), WallError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(WallError::of(WHAT, "made for this machine"))?;
    let eperm = SeccompAction::Errno(libc::EPERM as u32);
    let filter = rules().and_then(|rules| SeccompFilter::new(rules, eperm, SeccompAction::Allow, arch));
    let program: BpfProgram = filter.and_then(TryInto::try_into).map_err(WallError::of(WHAT, "compiled"))?;
    seccompiler::apply_filter(&program).map_err(WallError::of(WHAT, "installed"))
}

fn rules() -> Result<BTreeMap<libc::c_long, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut rules: BTreeMap<libc::c_long, Vec<SeccompRule>> =
        ALLOWED.into_iter().map(|call| (call, Vec::new())).collect();
    let equal =
        |argument, value: u64| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value);
    // An abort is a signal to the process itself.
    let oneself = equal(0, std::process::id().into())?;
    rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![oneself])?]);
    // Its own limits: for the processor time of a compilation, and to forbid further processes and descriptors.
    // Given as numbers, because their type differs between C libraries.
    let limits = [libc::RLIMIT_CPU as u64, libc::RLIMIT_NPROC as u64, libc::RLIMIT_NOFILE as u64];
    let limit = |resource| SeccompRule::new(vec![equal(0, 0)?, equal(1, resource)?]);
    rules.insert(libc::SYS_prlimit64, limits.into_iter().map(limit).collect::<Result<_, _>>()?);
    Ok(rules)
}
