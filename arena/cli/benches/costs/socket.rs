//! As much of a WebSocket as a room needs: whole messages of text.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use crate::site::FORWARDED;

/// The bits of a frame's head: a whole message, its kinds, and a mask, without which a server takes nothing.
const WHOLE: u8 = 0x80;
const TEXT: u8 = 1;
const PING: u8 = 9;
const PONG: u8 = 10;
const MASKED: u8 = 0x80;

/// A socket of a room.
pub(crate) struct Socket(BufReader<TcpStream>);

impl Socket {
    /// Opens the socket of a room for a visitor, who is the owner of `code` or nobody.
    pub(crate) fn open(address: &str, room: &str, visitor: &str, code: Option<&str>) -> Socket {
        let mut stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        let bearer = code.map_or(String::new(), |code| format!("Authorization: Bearer {code}\r\n"));
        write!(
            stream,
            "GET /api/v1/rooms/{room}/socket HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{FORWARDED}: {visitor}\r\n{bearer}\r\n"
        )
        .expect("written");
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(reader.read_line(&mut head).expect("an answer"), 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 101"), "{head}");
        Socket(reader)
    }

    /// The next text.
    pub(crate) fn read(&mut self) -> String {
        loop {
            let [kind, length] = self.bytes();
            let length = match length {
                126 => usize::from(u16::from_be_bytes(self.bytes())),
                127 => u64::from_be_bytes(self.bytes()) as usize,
                length => length.into(),
            };
            let mut payload = vec![0; length];
            self.0.read_exact(&mut payload).expect("a frame");
            match kind & !WHOLE {
                TEXT => return String::from_utf8(payload).expect("text"),
                PING => self.send(PONG, &payload),
                kind => panic!("a frame of kind {kind}"),
            }
        }
    }

    /// Says a text of at most 65,535 bytes.
    pub(crate) fn say(&mut self, text: &str) {
        self.send(TEXT, text.as_bytes());
    }

    /// Masked with zeros, which change nothing.
    fn send(&mut self, kind: u8, payload: &[u8]) {
        let length = u16::try_from(payload.len()).expect("a short message");
        let mut frame = vec![WHOLE | kind, MASKED | 126];
        frame.extend(length.to_be_bytes());
        frame.extend([0; 4]);
        frame.extend(payload);
        self.0.get_mut().write_all(&frame).expect("written");
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).expect("a frame");
        bytes
    }
}
