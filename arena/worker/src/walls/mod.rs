//! The walls between a worker and the machine, in case a bot ever breaks out of the engine. Not here: the sandbox of
//! the engine (`arena_sandbox`), which is the first wall.
//!
//! A worker needs its pipe, memory and a clock. Everything else is taken from the process, which has one thread and
//! starts no other; each wall is tested as soon as it stands. Native code that got out can only compute, write nonsense
//! into the pipe, and be killed.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod seccomp;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "linux.rs"]
mod system;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "unsupported.rs"]
mod system;

mod error;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr};

use error::WallError;

pub(crate) use system::{lift_processor_time, limit_processor_time};

/// One of the walls, in the order in which they are raised.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum WorkerWall {
    /// No environment variables, because they often hold secrets.
    Environment,
    /// No descriptors but standard input, output and error.
    Descriptors,
    /// Not root and without capabilities: root becomes nobody.
    User,
    /// No executed program can gain rights (`PR_SET_NO_NEW_PRIVS`).
    NoNewPrivileges,
    /// Ends with its parent (`PR_SET_PDEATHSIG`).
    ParentDeath,
    /// No core dump, no written file, bounded memory and address space, no further process, thread or descriptor.
    Limits,
    /// No path, no TCP port, and on newer kernels no signal to others (Landlock).
    Landlock,
    /// Only the system calls on a list of about 30 (seccomp).
    Seccomp,
}

impl WorkerWall {
    /// Every wall.
    pub const ALL: [WorkerWall; 8] = [
        WorkerWall::Environment,
        WorkerWall::Descriptors,
        WorkerWall::User,
        WorkerWall::NoNewPrivileges,
        WorkerWall::ParentDeath,
        WorkerWall::Limits,
        WorkerWall::Landlock,
        WorkerWall::Seccomp,
    ];
}

/// What a worker does when a wall is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WallPolicy {
    /// It runs no bot.
    Required,
    /// It runs bots within those that hold.
    Best,
}

impl WallPolicy {
    /// Its name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            WallPolicy::Required => "required",
            WallPolicy::Best => "best",
        }
    }
}

/// A text that is not a policy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is neither \"required\" nor \"best\"")]
pub struct UnknownPolicy(String);

impl FromStr for WallPolicy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<WallPolicy, UnknownPolicy> {
        [WallPolicy::Required, WallPolicy::Best]
            .into_iter()
            .find(|policy| policy.as_str() == text)
            .ok_or_else(|| UnknownPolicy(text.into()))
    }
}

/// The walls of a worker.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Walls {
    /// Walls that hold: raised and tested.
    pub holding: Vec<WorkerWall>,
    /// Walls that do not.
    pub missing: Vec<MissingWall>,
}

/// A wall that does not hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MissingWall {
    /// The wall.
    pub wall: WorkerWall,
    /// The error that kept it from being raised, or showed that it does not hold.
    pub why: String,
}

impl Walls {
    /// Whether a worker may run bots within these.
    pub fn satisfy(&self, policy: WallPolicy) -> bool {
        match policy {
            WallPolicy::Required => WorkerWall::ALL.iter().all(|wall| self.holding.contains(wall)),
            WallPolicy::Best => true,
        }
    }
}

impl fmt::Display for Walls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holding: Vec<&str> = self.holding.iter().map(|wall| wall.into()).collect();
        write!(f, "holding: {}", if holding.is_empty() { "none".into() } else { holding.join(", ") })?;
        for MissingWall { wall, why } in &self.missing {
            write!(f, "; missing: {wall} ({why})")?;
        }
        Ok(())
    }
}

/// Raises walls round this process, for good. Call it in a process with one thread: otherwise the walls that belong to
/// threads are missing. With [`Limits`](WorkerWall::Limits) or [`Seccomp`](WorkerWall::Seccomp) it can start no thread
/// afterwards; with the former it can write no file, not even one that is its output.
pub fn raise(which: &[WorkerWall]) -> Walls {
    let mut walls = Walls::default();
    let alone = system::is_single_threaded();
    let why = |error: WallError| error.to_string();
    for wall in WorkerWall::ALL.into_iter().filter(|wall| which.contains(wall)) {
        let raised = match (wall, &alone) {
            (WorkerWall::Environment, _) => is_environment_empty().map_err(why),
            (_, Err(error)) => Err(error.to_string()),
            (_, Ok(())) => system::raise(wall).map_err(why),
        };
        match raised {
            Ok(()) => walls.holding.push(wall),
            Err(why) => walls.missing.push(MissingWall { wall, why }),
        }
    }
    // Last, because walls need descriptors while they are raised and tested.
    let limited = walls.holding.contains(&WorkerWall::Limits);
    if let Some(error) = limited.then(system::forbid_more).and_then(Result::err) {
        walls.holding.retain(|wall| *wall != WorkerWall::Limits);
        walls.missing.push(MissingWall { wall: WorkerWall::Limits, why: error.to_string() });
    }
    walls
}

/// The initial environment of a process stays readable in it, so the process must be started without one.
fn is_environment_empty() -> Result<(), WallError> {
    match std::env::vars_os().count() {
        0 => Ok(()),
        count => Err(WallError::Environment(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_pipe() {
        for wall in WorkerWall::ALL {
            assert_eq!(serde_json::to_string(&wall).ok(), Some(format!("\"{wall}\"")));
        }
    }

    #[test]
    fn required_means_every_wall() {
        let all = Walls { holding: WorkerWall::ALL.to_vec(), missing: Vec::new() };
        assert!(all.satisfy(WallPolicy::Required));
        for wall in WorkerWall::ALL {
            let mut less = all.clone();
            less.holding.retain(|other| *other != wall);
            assert!(!less.satisfy(WallPolicy::Required), "{wall}");
            assert!(less.satisfy(WallPolicy::Best), "{wall}");
        }
    }

    #[test]
    fn a_process_with_threads_and_an_environment_gets_no_wall() {
        // The tests' process has an environment and threads, and no wall may be raised round it.
        let walls = raise(&WorkerWall::ALL);
        assert_eq!(walls.holding, []);
        assert_eq!(walls.missing.len(), WorkerWall::ALL.len());
    }
}
