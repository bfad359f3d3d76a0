//! A room's socket of a person or a program, which breaks with the server and is opened again.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::eventually::within;
use crate::site::Visited;

pub(crate) struct Line {
    from: Ipv4Addr,
    path: String,
    code: String,
    /// The socket that is open, and to which server.
    open: Option<(SocketAddr, TcpStream)>,
    /// Which server behind a proxy opened it last, where the proxy says so in this header.
    pub(crate) server: Option<String>,
}

pub(crate) const SERVER: &str = "X-Server";

impl Line {
    /// Of somebody with this code, to the room with this address.
    pub(crate) fn new(from: Ipv4Addr, room: &str, code: &str) -> Line {
        Line { from, path: format!("{room}/socket?turns=0"), code: code.into(), open: None, server: None }
    }

    /// Says something; gives the answer, or nothing where the socket breaks before it, or none is to be had.
    pub(crate) async fn try_say(&mut self, site: Visited, said: &Value) -> Option<Value> {
        let open = self.open.take().filter(|(to, _)| *to == site.address);
        let mut stream = match open {
            Some((_, stream)) => stream,
            None => within("a socket", self.connect(site)).await?,
        };
        let answer = within("what came of a command", exchange(&mut stream, said)).await?;
        self.open = Some((site.address, stream));
        Some(answer)
    }

    async fn connect(&mut self, site: Visited) -> Option<TcpStream> {
        let mut stream = site.try_connect(self.from).await.ok()?;
        let Line { path, code, server, .. } = self;
        let upgrade = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nauthorization: Bearer {code}\r\n\r\n",
            site.address
        );
        stream.write_all(upgrade.as_bytes()).await.ok()?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.ok()?);
        }
        let head = String::from_utf8_lossy(&head);
        assert_eq!(&head[9..12], "101", "{head}");
        *server = head.lines().find_map(|line| line.strip_prefix(SERVER)).map(str::to_owned);
        Some(stream)
    }
}

/// Says something and waits for what came of it. Pings are answered, and states passed over.
async fn exchange(stream: &mut TcpStream, said: &Value) -> Option<Value> {
    send(stream, 0x81, said.to_string().as_bytes()).await?;
    loop {
        let first = stream.read_u8().await.ok()?;
        let length = match stream.read_u8().await.ok()? {
            126 => usize::from(stream.read_u16().await.ok()?),
            short => usize::from(short),
        };
        let mut content = vec![0; length];
        stream.read_exact(&mut content).await.ok()?;
        match first {
            0x81 => {
                let heard: Value = serde_json::from_slice(&content).unwrap();
                if heard["what"] == said["type"] && heard["ply"] == said["ply"] {
                    return Some(heard);
                }
            }
            0x89 => send(stream, 0x8a, &content).await?,
            _ => return None,
        }
    }
}

/// Sends a frame, masked with zeros, which change nothing.
async fn send(stream: &mut TcpStream, first: u8, content: &[u8]) -> Option<()> {
    let length = content.len() as u16;
    let mut bytes = vec![first];
    match content.len() {
        ..126 => bytes.push(0x80 | length as u8),
        _ => bytes.extend([&[0xfe][..], &length.to_be_bytes()].concat()),
    }
    bytes.extend([0; 4]);
    bytes.extend(content);
    stream.write_all(&bytes).await.ok()
}
