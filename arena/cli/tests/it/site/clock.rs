//! The hour as a test wants it: a site is started with a clock of its own.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::left_out::left_out;

/// A clock that starts as the machine's.
pub(crate) struct Clock {
    preloaded: PathBuf,
    wanted: PathBuf,
    file: File,
    from: i64,
}

impl Clock {
    /// A clock in this folder, so often as fast as the machine's; `None`, with a line, where there is no C compiler.
    pub(crate) fn new(folder: &Path, speed: i64) -> Option<Clock> {
        let (preloaded, wanted) = (folder.join("clock.so"), folder.join("clock"));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/site/clock.c");
        let made = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&preloaded).arg(source).status();
        if !made.is_ok_and(|made| made.success()) {
            left_out("a site with a clock of its own needs a C compiler, `cc`");
            return None;
        }
        let from = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos()).unwrap();
        fs::write(&wanted, [0; 24]).unwrap();
        let file = File::options().write(true).open(&wanted).unwrap();
        let clock = Clock { preloaded, wanted, file, from };
        clock.set(speed, 0);
        Some(clock)
    }

    fn set(&self, speed: i64, nanos: i64) {
        let numbers = [self.from, speed, nanos].map(i64::to_le_bytes).concat();
        self.file.write_all_at(&numbers, 0).unwrap();
    }

    /// Puts it so many seconds before or behind the machine's, for all who look at it now.
    pub(crate) fn jump(&self, seconds: i64) {
        self.set(1, seconds * 1_000_000_000);
    }

    /// Lets a command have this clock.
    pub(crate) fn given_to(&self, mut command: Command) -> Command {
        command.env("LD_PRELOAD", &self.preloaded).env("ARENA_TEST_CLOCK", &self.wanted);
        command
    }
}
