//! A socket whose calls end at a deadline.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// The shortest time that a system waits; none would mean for ever.
const LEAST: Duration = Duration::from_millis(1);

/// One direction of a socket.
pub(crate) struct Timed {
    pipe: UnixStream,
    deadline: Instant,
    limit: Duration,
    is_first: bool,
    /// What the system waits now, as it was last told.
    waits: Option<Duration>,
}

impl Timed {
    pub(crate) fn new(pipe: UnixStream) -> Timed {
        Timed { pipe, deadline: Instant::now(), limit: LEAST, is_first: true, waits: None }
    }

    /// Calls end after `limit`, from now on.
    pub(crate) fn begin(&mut self, limit: Duration) {
        let limit = limit.max(LEAST);
        (self.deadline, self.limit, self.is_first) = (Instant::now() + limit, limit, true);
    }

    /// Tells the system how long the next call may wait, if that is news. The first call of a message, mostly its only one,
    /// has the whole limit, which is the same from one message to the next.
    fn wait(&mut self, tell: fn(&UnixStream, Option<Duration>) -> io::Result<()>) -> io::Result<()> {
        let left = if self.is_first { self.limit } else { self.deadline.saturating_duration_since(Instant::now()) };
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.is_first = false;
        let left = left.max(LEAST);
        if self.waits != Some(left) {
            tell(&self.pipe, Some(left))?;
            self.waits = Some(left);
        }
        Ok(())
    }
}

impl Read for Timed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.wait(UnixStream::set_read_timeout)?;
        self.pipe.read(into)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait(UnixStream::set_write_timeout)?;
        self.pipe.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}
