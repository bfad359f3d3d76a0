//! A client of a room as programs and pages are: it talks over a socket or by requests, and takes up either where it
//! broke.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use arena_rooms::{PersonId, RoomId};
use arena_service::{LiveRoom, Snapshot};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::task::{JoinHandle, block_in_place};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Somebody's way to the server, from an address of their own.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) to: SocketAddr,
    pub(super) from: Ipv4Addr,
    pub(super) code: String,
}

impl Line {
    async fn connect(&self) -> tokio::net::TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(SocketAddr::from((self.from, 0))).expect("an address of this machine");
        socket.connect(self.to).await.expect("it listens")
    }

    /// A request on a connection of its own, and what was answered: the status and the content. One that breaks is
    /// heard, and answered by nobody.
    pub(super) async fn ask(
        self,
        method: &'static str,
        path: String,
        body: String,
        breaks: bool,
    ) -> Option<(u16, Value)> {
        let mut stream = self.connect().await;
        let Line { to, code, .. } = &self;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {to}\r\nconnection: close\r\nauthorization: Bearer {code}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).await.expect("written");
        if breaks {
            return None;
        }
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Some((status, serde_json::from_str(body).expect("JSON")))
    }
}

/// What one of the two knows, and how it talks.
pub(super) struct Client {
    pub(super) line: Line,
    pub(super) person: PersonId,
    pub(super) room: RoomId,
    pub(super) seat: u8,
    socket: Option<WebSocket<TcpStream>>,
    /// A request that waits for news.
    poll: Option<JoinHandle<Option<(u16, Value)>>>,
    /// The version that the last of these told.
    version: Option<u64>,
    /// The latest state that was heard, and all turns.
    pub(super) state: Value,
    pub(super) turns: Vec<Value>,
    /// What was said in the chat, by its numbers.
    pub(super) chat: Vec<(u64, String)>,
    /// The last number that it gave a command.
    pub(super) number: u64,
    /// The turn that it has made and nobody has answered.
    pub(super) open: Option<Value>,
}

impl Client {
    pub(super) fn new(line: Line, person: PersonId, room: RoomId, seat: u8) -> Client {
        Client {
            line,
            person,
            room,
            seat,
            socket: None,
            poll: None,
            version: None,
            state: Value::Null,
            turns: Vec::new(),
            chat: Vec::new(),
            number: 0,
            open: None,
        }
    }

    fn path(&self) -> String {
        format!("/api/v1/rooms/{}", self.room)
    }

    /// What it knows, as addresses say it.
    fn known(&self) -> String {
        format!("turns={}&said={}", self.turns.len(), self.chat.last().map_or(0, |(number, _)| *number))
    }

    /// Takes in a message, which may be an old one: what was heard stays.
    fn hear(&mut self, message: &Value) {
        match message["type"].as_str() {
            Some("state") => {
                let first = message["first"].as_u64().unwrap_or_default() as usize;
                assert!(first <= self.turns.len(), "turns are left out that it does not know: {message}");
                for (at, turn) in (first..).zip(message["turns"].as_array().expect("turns")) {
                    match self.turns.get(at) {
                        Some(known) => assert_eq!(known, turn, "turn {at}"),
                        None => self.turns.push(turn.clone()),
                    }
                }
                if message["events"].as_u64() >= self.state["events"].as_u64() {
                    self.state = message.clone();
                }
            }
            Some("chat") => {
                for line in message["lines"].as_array().expect("lines") {
                    let number = line["number"].as_u64().expect("a number");
                    if self.chat.last().is_none_or(|(last, _)| *last < number) {
                        self.chat.push((number, line["text"].as_str().expect("a text").to_owned()));
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn has_socket(&self) -> bool {
        self.socket.is_some()
    }

    /// Breaks the socket.
    pub(super) fn hang_up(&mut self) {
        self.socket = None;
    }

    /// Opens a socket, unless it has one; it hears what it does not know.
    pub(super) async fn dial(&mut self) {
        if self.socket.is_some() {
            return;
        }
        let url = format!("ws://{}{}/socket?{}", self.line.to, self.path(), self.known());
        let mut request = url.into_client_request().expect("a request");
        let bearer = format!("Bearer {}", self.line.code).parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
        let stream = self.line.connect().await.into_std().expect("a stream");
        stream.set_nonblocking(false).expect("it waits");
        stream.set_read_timeout(Some(PATIENCE)).expect("not for ever");
        self.socket = block_in_place(|| tungstenite::client(request, stream).ok()).map(|(socket, _)| socket);
    }

    /// Says something over the socket, and hears what comes until it is answered. Nobody answers where the socket
    /// breaks.
    pub(super) fn say(&mut self, said: &Value, breaks: bool) -> Option<Value> {
        let sent = self.socket.as_mut()?.send(Message::text(said.to_string()));
        if sent.is_err() || breaks {
            self.socket = None;
        }
        loop {
            let text = match self.socket.as_mut()?.read() {
                Ok(Message::Text(text)) => text,
                Ok(Message::Close(_)) => return self.cut(),
                Ok(_) => continue,
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    panic!("nobody answers {said}")
                }
                Err(_) => return self.cut(),
            };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message.get("what").is_some() {
                return Some(message);
            }
            // Who says too much at once is not heard, and the socket closes.
            if message["type"] == "error" {
                assert_eq!(message["code"], "rate_limited", "{message}");
                return self.cut();
            }
            self.hear(&message);
        }
    }

    fn cut(&mut self) -> Option<Value> {
        self.socket = None;
        None
    }

    /// Hears what there is on the socket: something that is said there and changes nothing is answered after it.
    pub(super) fn listen(&mut self) {
        if let Some(answer) = self.say(&json!({ "type": "report", "number": 0 }), false) {
            assert!(answer["code"] == "no_such_message" || answer["code"] == "too_many", "{answer}");
        }
    }

    /// Hears what there is to hear by a request that waits, if there is something: `newest` is the version of the room.
    pub(super) async fn poll(&mut self, newest: u64) {
        let poll = self.poll.take().unwrap_or_else(|| {
            let after = self.version.map_or_else(String::new, |version| format!("after={version}&"));
            let path = format!("{}/events?{after}{}", self.path(), self.known());
            tokio::spawn(self.line.clone().ask("GET", path, String::new(), false))
        });
        if self.version == Some(newest) {
            self.poll = Some(poll);
            return;
        }
        let Some((200, told)) = poll.await.expect("asked") else { return };
        self.version = told["version"].as_u64();
        for message in told["messages"].as_array().expect("messages") {
            self.hear(message);
        }
    }

    /// Hears all that there is to hear, by requests; the room as it is then.
    pub(super) async fn catch_up(&mut self, room: &LiveRoom) -> Snapshot {
        loop {
            let shown = room.snapshot();
            if self.version == Some(shown.version) {
                return shown;
            }
            self.poll(shown.version).await;
        }
    }

    /// Breaks the request that waits, if there is one.
    pub(super) fn give_up(&mut self) {
        if let Some(poll) = self.poll.take() {
            poll.abort();
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.give_up();
    }
}
