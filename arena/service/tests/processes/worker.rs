//! The worker process of the tests. With a file's path as its argument it dies instead of answering when that file is
//! there, once: it takes the file with it.

use std::io::{self, Write};
use std::path::PathBuf;
use std::{env, fs, process};

use arena_sandbox::Sandbox;

struct Mortal {
    out: io::Stdout,
    death: Option<PathBuf>,
}

impl Write for Mortal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.death.as_ref().is_some_and(|file| fs::remove_file(file).is_ok()) {
            process::exit(1);
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn main() -> io::Result<()> {
    let sandbox = Sandbox::new().map_err(io::Error::other)?;
    let death = env::args_os().nth(1).map(PathBuf::from);
    arena_worker::serve(&sandbox, io::stdin().lock(), Mortal { out: io::stdout(), death })
}
