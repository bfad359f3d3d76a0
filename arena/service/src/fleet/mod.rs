//! A tournament's games that other processes play: [workers](work) claim them from the [queue](arena_store::Queue) and submit what came of
//! each. The tournament itself stays where it is: its folder asks its host for games as it always does, and this host asks the queue.
//!
//! A result is believed as far as the rules go: that a record is the game that was asked for and was played by the rules is checked
//! before anybody sees it. That bots answered so is a worker's word, until another has played the game, too; when two differ a third
//! decides, and what the one alone said that was wrong is [taken back](Stands) before a tournament is finished. [Volunteers] are workers
//! that accounts run; the site's own play a [share](Share) of their games, too.

mod asking;
mod cache;
mod elsewhere;
mod hand;
mod job;
mod post;
mod source;
mod stands;
mod volunteers;
mod work;

pub use asking::{Asking, Question};
pub use hand::{Call, Hand, Pace};
pub use job::{Job, NotItsEnd, end, hash_of, key, read_end, text_of};
pub use source::{NoAnswer, OwnQueue, Source};
pub use volunteers::{NotAShare, Share, Volunteers};
pub use work::{News, WorkError, Worker, work};

pub(crate) use elsewhere::Elsewhere;
pub(crate) use post::Post;
pub(crate) use stands::{Stands, Unread};
