//! Frames, each read and written with one call where possible, in buffers that are reused.

use std::io::{self, ErrorKind, Read, Write};

use serde::{Deserialize, Serialize};

use crate::limits::{FRAME_BYTES_KEPT, FRAME_BYTES_MAX};

/// Bytes of the length in front of a message.
const LENGTH: usize = size_of::<u32>();

/// The messages that arrive at one end of a pipe.
pub struct Inbox<R> {
    input: R,
    buffer: Vec<u8>,
    /// Start of the bytes that were read and not yet returned.
    start: usize,
    end: usize,
}

impl<R: Read> Inbox<R> {
    /// Messages from `input`.
    pub fn new(input: R) -> Inbox<R> {
        Inbox { input, buffer: vec![0; FRAME_BYTES_KEPT], start: 0, end: 0 }
    }

    /// The next message; `None` if the input ends between two. It borrows from the buffer.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidData`] if it is not a message or is longer than [`FRAME_BYTES_MAX`]; otherwise the input's
    /// error.
    pub fn next<'a, T: Deserialize<'a>>(&'a mut self) -> io::Result<Option<T>> {
        self.recycle();
        if !self.fill(LENGTH)? {
            return Ok(None);
        }
        let mut length = [0; LENGTH];
        length.copy_from_slice(&self.buffer[self.start..self.start + LENGTH]);
        let length = u32::from_le_bytes(length) as usize;
        if length > FRAME_BYTES_MAX {
            return Err(invalid(format!("a message of {length} bytes; {FRAME_BYTES_MAX} are allowed")));
        }
        if self.buffer.len() < LENGTH + length {
            self.buffer.resize(LENGTH + length, 0);
        }
        self.fill(LENGTH + length)?;
        let at = self.start + LENGTH;
        self.start = at + length;
        postcard::from_bytes(&self.buffer[at..at + length]).map(Some).map_err(invalid)
    }

    /// Moves the unread bytes to the front. A buffer that grew for a module shrinks again.
    fn recycle(&mut self) {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if self.buffer.len() > FRAME_BYTES_KEPT {
            self.buffer.resize(FRAME_BYTES_KEPT.max(self.end), 0);
            self.buffer.shrink_to_fit();
        }
    }

    /// Reads until this many bytes are there; `false` if the input ends before the first.
    fn fill(&mut self, bytes: usize) -> io::Result<bool> {
        while self.end - self.start < bytes {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) if self.end == self.start => return Ok(false),
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

/// The messages that leave one end of a pipe.
pub struct Outbox<W> {
    output: W,
    buffer: Vec<u8>,
}

impl<W: Write> Outbox<W> {
    /// Messages into `output`, which should not buffer them.
    pub fn new(output: W) -> Outbox<W> {
        Outbox { output, buffer: Vec::with_capacity(FRAME_BYTES_KEPT) }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidData`] if it is longer than [`FRAME_BYTES_MAX`]; otherwise the output's error.
    pub fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend([0; LENGTH]);
        let mut buffer = postcard::to_extend(message, buffer).map_err(invalid)?;
        let length = buffer.len() - LENGTH;
        if length > FRAME_BYTES_MAX {
            return Err(invalid(format!("a message of {length} bytes; {FRAME_BYTES_MAX} are allowed")));
        }
        buffer[..LENGTH].copy_from_slice(&(length as u32).to_le_bytes());
        self.output.write_all(&buffer)?;
        self.output.flush()?;
        buffer.truncate(FRAME_BYTES_KEPT);
        buffer.shrink_to(FRAME_BYTES_KEPT);
        self.buffer = buffer;
        Ok(())
    }
}

fn invalid(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Tested = Result<(), Box<dyn std::error::Error>>;

    /// Yields one byte per read.
    struct Drips<'a>(&'a [u8]);

    impl Read for Drips<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let into = into.get_mut(..1).unwrap_or_default();
            self.0.read(into)
        }
    }

    fn sent(messages: &[Vec<u8>]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut outbox = Outbox::new(&mut bytes);
        messages.iter().try_for_each(|message| outbox.send(message))?;
        Ok(bytes)
    }

    fn received(input: impl Read) -> io::Result<Vec<Vec<u8>>> {
        let mut inbox = Inbox::new(input);
        let mut messages = Vec::new();
        while let Some(message) = inbox.next::<Vec<u8>>()? {
            messages.push(message);
        }
        Ok(messages)
    }

    #[test]
    fn what_is_sent_arrives_however_it_is_cut() -> Tested {
        let large = vec![7; FRAME_BYTES_MAX - 8];
        let messages = [vec![], vec![1, 2, 3], large, vec![4; FRAME_BYTES_KEPT], vec![b'\n'; 5]];
        let bytes = sent(&messages)?;
        assert_eq!(received(bytes.as_slice())?, messages);
        assert_eq!(received(Drips(&bytes))?, messages);
        Ok(())
    }

    #[test]
    fn a_message_that_is_cut_short_is_an_error() -> Tested {
        let bytes = sent(&[vec![1, 2, 3]])?;
        for length in 1..bytes.len() {
            let error = received(&bytes[..length]).err().map(|error| error.kind());
            assert_eq!(error, Some(ErrorKind::UnexpectedEof), "{length}");
        }
        Ok(())
    }

    #[test]
    fn a_message_beyond_the_limit_is_neither_sent_nor_read() {
        let kind = |error: Option<io::Error>| error.map(|error| error.kind());
        assert_eq!(kind(sent(&[vec![0; FRAME_BYTES_MAX]]).err()), Some(ErrorKind::InvalidData));
        let header = (FRAME_BYTES_MAX as u32 + 1).to_le_bytes();
        assert_eq!(kind(received(header.as_slice()).err()), Some(ErrorKind::InvalidData));
    }

    #[test]
    fn buffers_that_grew_shrink_again() -> Tested {
        let mut bytes = Vec::new();
        let mut outbox = Outbox::new(&mut bytes);
        outbox.send(&vec![7_u8; FRAME_BYTES_MAX / 2])?;
        assert!(outbox.buffer.capacity() <= FRAME_BYTES_KEPT);
        outbox.send(&Vec::<u8>::new())?;
        let mut inbox = Inbox::new(bytes.as_slice());
        inbox.next::<Vec<u8>>()?;
        inbox.next::<Vec<u8>>()?;
        assert_eq!(inbox.buffer.capacity(), FRAME_BYTES_KEPT);
        Ok(())
    }
}
