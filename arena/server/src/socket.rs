//! Sockets of live rooms, worlds and tournaments. The latest state is sent after each change; sockets of rooms and
//! worlds also take commands.

use std::time::Duration;

use arena_rooms::RoomId;
use arena_service::contests::ContestSnapshot;
use arena_service::{Snapshot, with_causes};
use axum::extract::{Extension, Path};
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, debug};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tungstenite::{Error, Message, Utf8Bytes};

use crate::admission::{Admission, Barred};
use crate::api::Query;
use crate::api::tournaments::{TournamentMessage, find};
use crate::api::worlds::{After, find as find_world};
use crate::app::App;
use crate::clean_text::refused_message;
use crate::frames::{Handshake, Socket, TooManyFrames};
use crate::games::room_of;
use crate::identity::{Reader, Visitor};
use crate::limits::{
    FOLLOWER_PAUSE, MESSAGE_BYTES_MAX, MESSAGE_BYTES_READ_MAX, PING_EVERY, READ_BUFFER_BYTES, SILENCE_MAX, WORLD_PAUSE,
    WORLD_WRITE_BUFFER_BYTES_MAX, WRITE_BUFFER_BYTES_MAX, WRITE_DEADLINE,
};
use crate::problem::{Problem, Result};
use crate::room_protocol::{Known, RoomMessage, Speaker, error as error_message};
use crate::security::same_origin;
use crate::visitors::{Caller, Taker};
use crate::world_protocol;

/// Sent at intervals to show that the connection lives.
const BEAT: &str = r#"{"type":"beat"}"#;

/// Time limit of a closing handshake.
const FAREWELL: Duration = Duration::from_secs(1);

/// `GET /api/v1/rooms/ID/socket`
pub(crate) async fn open(
    app: App,
    (Path(id), Query(known)): (Path<String>, Query<Known>),
    visitor: Visitor,
    headers: HeaderMap,
    taker: Taker,
    Extension(Caller { place, .. }): Extension<Caller>,
    handshake: Handshake,
) -> Result<Response> {
    same_origin(&headers)?;
    let id: RoomId = id.parse().map_err(|_| Problem::no_such_page())?;
    let room = room_of(app.service(), &id).await?;
    let held = (place, taker.socket(visitor.account_id())?);
    let admission = Admission::new(&app, &visitor, app.sessions.endings(), &taker);
    let speaker = Speaker::new(&app, room, &visitor, taker).knowing(known);
    let hello = speaker.hello(&app).await?;
    Ok(talks(&app, handshake, sized(), Some(hello), move || {
        let (states, held) = (speaker.room.watch(), (held, speaker.attending()));
        (Talk { beat: speaker.beat(), peer: speaker, admission, states }, held)
    }))
}

/// `GET /api/v1/tournaments/ID/socket`: sends the progress of a tournament whenever it changes.
pub(crate) async fn follow(
    app: App,
    Path(id): Path<String>,
    Reader(visitor): Reader,
    headers: HeaderMap,
    taker: Taker,
    Extension(Caller { place, .. }): Extension<Caller>,
    handshake: Handshake,
) -> Result<Response> {
    same_origin(&headers)?;
    let contest = find(&app, &id).await?.contest.id;
    let held = (place, taker.socket(visitor.account_id())?);
    let admission = Admission::new(&app, &visitor, app.sessions.endings(), &taker);
    let states = app.service().contests().watch(contest);
    let talk = Talk { beat: Follower.beat(), peer: Follower, admission, states };
    Ok(talks(&app, handshake, sized(), None, move || (talk, held)))
}

/// `GET /api/v1/worlds/NAME/socket`: sends the generation of a world and the calls made in it, and takes calls.
pub(crate) async fn call(
    app: App,
    (Path(name), Query(After { after })): (Path<String>, Query<After>),
    visitor: Visitor,
    headers: HeaderMap,
    taker: Taker,
    Extension(Caller { place, .. }): Extension<Caller>,
    handshake: Handshake,
) -> Result<Response> {
    same_origin(&headers)?;
    let world = find_world(&app, &name)?;
    let held = (place, taker.socket(visitor.account_id())?);
    let admission = Admission::new(&app, &visitor, app.sessions.endings(), &taker);
    let caller = world_protocol::Caller::new(&app, world, &visitor, taker, after);
    let hello = caller.hello().await;
    let sized = sized().max_write_buffer_size(WORLD_WRITE_BUFFER_BYTES_MAX);
    Ok(talks(&app, handshake, sized, Some(hello), move || {
        let states = caller.world.watch();
        (Talk { beat: caller.beat(), peer: caller, admission, states }, held)
    }))
}

/// Has a peer talk over a socket, once the request has become one. What comes with the talk is held until its end.
fn talks<P: Peer + Sync + 'static, H: Send + 'static>(
    app: &App,
    handshake: Handshake,
    sized: WebSocketConfig,
    hello: Option<String>,
    begin: impl FnOnce() -> (Talk<P>, H) + Send + 'static,
) -> Response {
    let (stopping, sockets, span) = (app.stopping.clone(), app.sockets.clone(), tracing::Span::current());
    handshake.then(sized, app.clock(), move |socket| {
        let (talk, held) = begin();
        // Tracked, so that stopping waits for it; hyper no longer does.
        let talk = async move {
            talk.run(socket, hello, stopping).await;
            drop(held);
        };
        sockets.track_future(talk.instrument(span))
    })
}

/// A socket's limits.
fn sized() -> WebSocketConfig {
    WebSocketConfig::default()
        .max_message_size(Some(MESSAGE_BYTES_READ_MAX))
        .max_frame_size(Some(MESSAGE_BYTES_READ_MAX))
        .read_buffer_size(READ_BUFFER_BYTES)
        // States are whole messages, so buffering them gains nothing.
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE_BUFFER_BYTES_MAX)
}

/// The peer of a socket.
trait Peer: Send {
    /// The state that is sent.
    type State: Clone + Send + Sync;

    /// The shortest pause after a state. Of the states in between, only the latest is sent.
    const PAUSE: Duration;

    /// A state as a message.
    fn state(&mut self, state: &Self::State) -> String;

    /// A further message besides a state, sent once.
    fn more(&mut self, _state: &Self::State) -> Option<String> {
        None
    }

    /// The message at intervals that shows that the connection lives.
    fn beat(&self) -> Utf8Bytes {
        Utf8Bytes::from_static(BEAT)
    }

    /// Carries out a message; returns the answer.
    fn receive(&mut self, text: &str) -> impl Future<Output = String> + Send;
}

/// A follower of a tournament.
struct Follower;

impl Peer for Follower {
    type State = ContestSnapshot;

    const PAUSE: Duration = FOLLOWER_PAUSE;

    fn state(&mut self, ContestSnapshot { progress, revision, .. }: &ContestSnapshot) -> String {
        let (played, total) = progress.map_or((0, 0), |progress| (progress.played, progress.total));
        let message = TournamentMessage::State { played, total, revision: *revision };
        serde_json::to_value(message).unwrap_or_default().to_string()
    }

    async fn receive(&mut self, _: &str) -> String {
        error_message("bad_message", "this socket takes no messages: it says how far the tournament is")
    }
}

/// An open socket.
struct Talk<P: Peer> {
    peer: P,
    admission: Admission,
    states: watch::Receiver<P::State>,
    /// The last beat that was sent.
    beat: Utf8Bytes,
}

/// Why a socket is closed.
#[derive(Debug)]
enum End {
    /// The peer is gone, or does not read.
    Gone,
    /// The peer closes it.
    Closed,
    /// The peer violates the protocol.
    Broken,
    /// The peer sent a message that is not text.
    NotText,
    /// The peer is not admitted any more. Checked when some of its credentials may have ended, on every message and on
    /// every ping.
    Barred(Barred),
    /// The peer sends too much, or nothing sensible.
    Policy,
    /// A message is too long.
    TooLong,
}

impl End {
    /// The reason of a failed read.
    fn of(error: &Error) -> End {
        match error {
            Error::Utf8(_) => End::NotText,
            Error::Capacity(_) => End::TooLong,
            Error::Io(error) if error.get_ref().is_some_and(|cause| cause.is::<TooManyFrames>()) => End::Policy,
            _ => End::Broken,
        }
    }
}

impl<P: Peer> Talk<P> {
    #[expect(clippy::disallowed_methods, reason = "a deadline for writing")]
    async fn run(mut self, mut socket: Socket, hello: Option<String>, stopping: CancellationToken) {
        let end = stopping.run_until_cancelled(self.talk(&mut socket, hello)).await;
        debug!(?end, "a socket closes");
        let (code, reason) = match end {
            None => (CloseCode::Restart, "the server stops"),
            Some(Err(End::Policy)) => (CloseCode::Policy, "too many messages"),
            Some(Err(End::Barred(Barred::Out))) => (CloseCode::Policy, "you are signed out"),
            Some(Err(End::Barred(Barred::Banned))) => {
                (CloseCode::Policy, "the operator has banned your network for a time")
            }
            Some(Err(End::Broken)) => (CloseCode::Protocol, "this is not a message of a room"),
            Some(Err(End::NotText)) => (CloseCode::Invalid, "this is not UTF-8"),
            Some(Err(End::TooLong)) => (CloseCode::Size, "too long for a message of a room"),
            Some(Err(End::Gone) | Ok(())) => return,
            Some(Err(End::Closed)) => return farewell(&mut socket).await,
        };
        let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
        if timeout(FAREWELL, socket.send(Message::Close(Some(frame)))).await.is_ok() {
            farewell(&mut socket).await;
        }
    }

    async fn talk(&mut self, socket: &mut Socket, hello: Option<String>) -> Result<(), End> {
        if let Some(hello) = hello {
            send(socket, hello.into()).await?;
        }
        self.show(socket).await?;
        let clock = self.admission.clock().clone();
        let mut pings = clock.interval(PING_EVERY);
        let mut heard = clock.now();
        let mut next = clock.now() + P::PAUSE;
        loop {
            let (states, admission, clock) = (&mut self.states, &mut self.admission, &clock);
            let changed = async move {
                clock.sleep_until(next).await;
                states.changed().await
            };
            tokio::select! {
                changed = changed => {
                    changed.map_err(|_| End::Gone)?;
                    self.show(socket).await?;
                    next = clock.now() + P::PAUSE;
                }
                message = socket.next() => {
                    heard = clock.now();
                    match message {
                        Some(Ok(Message::Text(text))) if text.len() > MESSAGE_BYTES_MAX => return Err(End::TooLong),
                        Some(Ok(Message::Text(text))) => self.receive(socket, text.as_str()).await?,
                        Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                        Some(Ok(Message::Binary(_))) => {
                            let message = "this socket takes text messages, not binary ones";
                            send(socket, error_message("bad_message", message).into()).await?;
                        }
                        Some(Ok(Message::Close(_))) => return Err(End::Closed),
                        Some(Err(error)) => {
                            debug!(cause = with_causes(&error), "a socket does not keep the protocol");
                            let end = End::of(&error);
                            if matches!(end, End::Policy) {
                                let message = "slow down: too many messages in a short time";
                                send(socket, error_message("rate_limited", message).into()).await?;
                            }
                            return Err(end);
                        }
                        None => return Err(End::Gone),
                    }
                }
                () = admission.may_have_ended() => self.admission.check().await.map_err(End::Barred)?,
                () = pings.tick() => {
                    if clock.since(heard) > SILENCE_MAX {
                        return Err(End::Gone);
                    }
                    self.admission.check().await.map_err(End::Barred)?;
                    deliver(socket, Message::Ping(Default::default())).await?;
                    // Pages do not see pings; this message shows them that the server lives.
                    self.beat = self.peer.beat();
                    send(socket, self.beat.clone()).await?;
                }
            }
        }
    }

    async fn receive(&mut self, socket: &mut Socket, text: &str) -> Result<(), End> {
        self.admission.check().await.map_err(End::Barred)?;
        let reply = match refused_message(text) {
            Some((code, why)) => error_message(code, why),
            None => self.peer.receive(text).await,
        };
        send(socket, reply.into()).await
    }

    /// Sends the latest state. Earlier ones are skipped, since each is complete.
    async fn show(&mut self, socket: &mut Socket) -> Result<(), End> {
        // No state is kept while a message is sent: peers that read nothing would each keep another one alive.
        let text = {
            let state = self.states.borrow_and_update().clone();
            self.peer.state(&state)
        };
        send(socket, text.into()).await?;
        let more = {
            let state = self.states.borrow().clone();
            self.peer.more(&state)
        };
        if let Some(more) = more {
            send(socket, more.into()).await?;
        }
        let beat = self.peer.beat();
        if beat != self.beat {
            self.beat = beat.clone();
            send(socket, beat).await?;
        }
        Ok(())
    }
}

impl Peer for Speaker {
    type State = Snapshot;

    const PAUSE: Duration = Duration::ZERO;

    fn state(&mut self, state: &Snapshot) -> String {
        self.news(state)
    }

    fn more(&mut self, state: &Snapshot) -> Option<String> {
        self.new_chat(state)
    }

    fn beat(&self) -> Utf8Bytes {
        RoomMessage::Beat { watching: self.room.spectators(), here: self.room.here() }.sorted().into()
    }

    async fn receive(&mut self, text: &str) -> String {
        Speaker::receive(self, text).await.text
    }
}

impl Peer for world_protocol::Caller {
    type State = arena_world::LogTail;

    const PAUSE: Duration = WORLD_PAUSE;

    fn state(&mut self, state: &arena_world::LogTail) -> String {
        self.news(state)
    }

    async fn receive(&mut self, text: &str) -> String {
        world_protocol::Caller::receive(self, text).await.text
    }
}

/// Lets the closing handshake finish, for a moment.
#[expect(clippy::disallowed_methods, reason = "a deadline for reading")]
async fn farewell(socket: &mut Socket) {
    let drain = async {
        while let Some(Ok(_)) = socket.next().await {}
        socket.get_mut().drain().await;
    };
    let _ = timeout(FAREWELL, drain).await;
}

async fn send(socket: &mut Socket, text: Utf8Bytes) -> Result<(), End> {
    deliver(socket, Message::Text(text)).await
}

/// A peer that reads nothing for that long counts as gone. A page reconnects by itself and gets the latest state.
#[expect(clippy::disallowed_methods, reason = "a deadline for writing")]
async fn deliver(socket: &mut Socket, message: Message) -> Result<(), End> {
    let sent = timeout(WRITE_DEADLINE, socket.send(message)).await.map_err(|_| End::Gone)?;
    sent.map_err(|error| {
        debug!(cause = with_causes(&error), "a socket takes nothing more");
        End::Gone
    })
}
