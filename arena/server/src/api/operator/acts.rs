//! Acts of the operator, as they are asked for.

use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use arena_rooms::RoomId;
use arena_service::contests::contest_of;
use arena_store::{
    AccountId, Act, ActError, Adjusted, AuditEntry, BotId, BotName, DisplayName, Gate, Notice, Reason, TournamentId,
    UnixSeconds, WorldName,
};
use axum::http::StatusCode;
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use serde::Deserialize;
use tracing::Instrument;
use utoipa::ToSchema;

use crate::api::bots::find;
use crate::api::tournaments::{find as find_contest, number};
use crate::app::App;
use crate::limits::BAN_HOURS_MAX;
use crate::problem::{Code, Problem, Result};

/// An act of the operator.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ActWord {
    /// Take no submissions.
    CloseSubmissions,
    /// Take them again.
    OpenSubmissions,
    /// Open no rooms.
    CloseRooms,
    /// Open them again.
    OpenRooms,
    /// Create no accounts.
    CloseAccounts,
    /// Create them again.
    OpenAccounts,
    /// Start no tournaments of accounts.
    CloseTournaments,
    /// Start them again.
    OpenTournaments,
    /// Make the site read-only: visitors change nothing.
    CloseChanges,
    /// Let them change things again.
    OpenChanges,
    /// Show a notice on all pages: the new name.
    PostNotice,
    /// Show none any more.
    RemoveNotice,
    /// Refuse all requests of a network or an address, for as many hours as the new name says.
    Ban,
    /// End a ban, by its number.
    LiftBan,
    /// Declare a tournament or an edition void, with the reason on its page. Its folder stays.
    AnnulTournament,
    /// Let it count again.
    RestoreTournament,
    /// Let a bot play no longer.
    DisableBot,
    /// Let it play again.
    EnableBot,
    /// Give a bot another name. Its old one stays with it: nobody else gets it.
    RenameBot,
    /// Let an account do nothing any more, and none of its bots play.
    DisableAccount,
    /// Let it do everything again.
    EnableAccount,
    /// Give an account another name.
    RenameAccount,
    /// Take a game of people out of the count: its record stays.
    AnnulGame,
    /// Let it count again.
    RestoreGame,
    /// End a tournament that an account started, without a result. It keeps its log.
    CancelTournament,
    /// Take no new visitors, before a restart.
    Drain,
    /// Take them again, without one.
    EndDrain,
    /// Start a world of Life2. It continues after a restart, too.
    StartWorld,
    /// Let a bot play in a world, at one of the nine places that the site has there, or nobody.
    SeatBot,
    /// Adjust a limit: the new name is its value, within the bounds that `/api/v1/limits` has.
    SetLimit,
    /// Give a limit its usual value again.
    ResetLimit,
    /// Free a slot of a world: its kingdom ends, and no bot plays for its account any more. The account may join again.
    FreeSlot,
}

/// An act to perform.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAct {
    /// The act.
    act: ActWord,
    /// What it is about: the name of a bot, an account or a world; a world's name, `/` and the number of a place or a
    /// slot, from 1 to 9; `#` and an account's number; a tournament's id such as `cup-7`, or an edition's; a game's id;
    /// a network or an address; a ban's number; or a limit's name.
    #[serde(default)]
    #[schema(required = false)]
    name: String,
    /// The new name, for acts that give one; the text of a notice; the hours of a ban; the value of a limit; for a
    /// place in a world, the name of a bot or of a built-in opponent, or nothing.
    #[serde(default)]
    #[schema(required = false)]
    new_name: String,
    /// The reason, in one line for the log.
    reason: String,
}

impl NewAct {
    /// Does it.
    pub(crate) async fn perform(self, app: &App) -> Result<AuditEntry> {
        let app = app.clone();
        to_its_end(async move { self.performed(&app).await }).await
    }

    async fn performed(&self, app: &App) -> Result<AuditEntry> {
        let reason = Reason::parse(&self.reason)?;
        if has_address(&self.reason) {
            let detail = "a reason has no address: the log keeps it for ever";
            return Err(Problem::new(
                Code::AddressInReason,
                detail,
                "the log names a ban by its number, until it ends",
            ));
        }
        let act = match self.act {
            ActWord::CloseSubmissions => Act::Close(Gate::Submissions),
            ActWord::OpenSubmissions => Act::Open(Gate::Submissions),
            ActWord::CloseRooms => Act::Close(Gate::Rooms),
            ActWord::OpenRooms => Act::Open(Gate::Rooms),
            ActWord::CloseAccounts => Act::Close(Gate::Accounts),
            ActWord::OpenAccounts => Act::Open(Gate::Accounts),
            ActWord::CloseTournaments => Act::Close(Gate::Tournaments),
            ActWord::OpenTournaments => Act::Open(Gate::Tournaments),
            ActWord::CloseChanges => Act::Close(Gate::Changes),
            ActWord::OpenChanges => Act::Open(Gate::Changes),
            ActWord::PostNotice => Act::PostNotice(Notice::parse(&self.new_name)?),
            ActWord::RemoveNotice => Act::RemoveNotice,
            ActWord::Ban => self.ban(app.now())?,
            ActWord::LiftBan => Act::LiftBan(self.name.trim().parse().map_err(|_| ActError::NoSuchBan)?),
            ActWord::AnnulTournament => Act::AnnulTournament(self.tournament(app).await?),
            ActWord::RestoreTournament => {
                Act::RestoreTournament(TournamentId::parse(self.name.trim()).map_err(|_| ActError::NoSuchTournament)?)
            }
            ActWord::DisableBot => Act::DisableBot(self.bot(app).await?),
            ActWord::EnableBot => Act::EnableBot(self.bot(app).await?),
            ActWord::RenameBot => Act::RenameBot(self.bot(app).await?, BotName::parse(self.new_name.trim())?),
            ActWord::DisableAccount => Act::DisableAccount(self.account(app).await?),
            ActWord::EnableAccount => Act::EnableAccount(self.account(app).await?),
            ActWord::RenameAccount => {
                Act::RenameAccount(self.account(app).await?, DisplayName::parse(self.new_name.trim())?)
            }
            ActWord::AnnulGame => Act::AnnulGame(self.game()?),
            ActWord::RestoreGame => Act::RestoreGame(self.game()?),
            ActWord::CancelTournament => {
                let id = number(self.name.trim())?;
                return Ok(app.service().cancel_contest_as_operator(id, &reason, app.now()).await?);
            }
            ActWord::Drain => Act::Drain,
            ActWord::EndDrain => Act::EndDrain,
            ActWord::StartWorld => arena_service::start_of(WorldName::parse(self.name.trim())?),
            ActWord::SeatBot => {
                let (world, place) = self.within_world().ok_or(ActError::NoSuchPlace)?;
                let bot = Some(self.new_name.trim()).filter(|name| !name.is_empty());
                return Ok(app.service().seat_for_site(&world, place, bot, &reason).await?);
            }
            ActWord::SetLimit => Act::SetLimit(Adjusted::parse(self.name.trim(), self.new_name.trim())?),
            ActWord::ResetLimit => Act::ResetLimit(Adjusted::name(self.name.trim())?),
            ActWord::FreeSlot => {
                let (world, slot) = self.within_world().ok_or(ActError::NoSuchSlot)?;
                return Ok(app.service().free_slot(&world, slot, &reason).await?);
            }
        };
        let done = app.service().act(&act, &reason, app.now()).await?;
        if let Act::DisableAccount(account) | Act::EnableAccount(account) | Act::RenameAccount(account, _) = &act {
            app.forget(*account).await;
        }
        app.known.forget();
        app.renew_measures().await?;
        Ok(done)
    }

    /// A ban of a network, such as `2001:db8::/48`, or of an address: one of IPv6 with the /56 around it, which is what
    /// a line has. Narrower networks of IPv6 than a /64, in which a machine chooses its address, are made as wide as
    /// that.
    fn ban(&self, now: UnixSeconds) -> Result<Act> {
        let wrong = |detail: String| {
            let hint = "give an address or a network such as 192.0.2.0/24, and the hours in which it is banned";
            Problem::new(Code::BadBan, detail, hint)
        };
        let text = self.name.trim();
        let of_address = |address: IpAddr| match address.to_canonical() {
            IpAddr::V4(address) => Ipv4Net::from(address).into(),
            IpAddr::V6(address) => Ipv6Net::new_assert(address, LINE_PREFIX_LEN).into(),
        };
        let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(of_address));
        let network = canonical(network.map_err(|_| wrong(format!("`{text}` is not a network")))?);
        let is_everybody = match network {
            IpNet::V4(network) => network.prefix_len() < 8,
            IpNet::V6(network) => network.prefix_len() < 16,
        };
        if is_everybody {
            return Err(wrong(format!("{network} is too much of the internet for a ban")));
        }
        let network = match network {
            IpNet::V6(network) if network.prefix_len() > 64 => Ipv6Net::new_assert(network.addr(), 64).trunc().into(),
            network => network.trunc(),
        };
        let hours = self.new_name.trim().parse().ok().filter(|hours| (1..=BAN_HOURS_MAX).contains(hours));
        let hours = hours.ok_or_else(|| wrong(format!("a ban lasts for 1 to {BAN_HOURS_MAX} hours")))?;
        Ok(Act::Ban { network: network.to_string(), until: UnixSeconds(now.0 + i64::from(hours) * 3_600) })
    }

    /// A tournament of an account, or a finished edition.
    async fn tournament(&self, app: &App) -> Result<TournamentId> {
        let missing = |_| ActError::NoSuchTournament;
        let id = TournamentId::parse(self.name.trim()).map_err(missing)?;
        if contest_of(id.as_str()).is_some() {
            find_contest(app, id.as_str()).await?;
        } else if app.store().games_count(&id).await? == 0 {
            return Err(ActError::NoSuchTournament.into());
        }
        Ok(id)
    }

    /// A world, and the number of a place or a slot in it.
    fn within_world(&self) -> Option<(WorldName, u8)> {
        let (world, number) = self.name.trim().split_once('/')?;
        Some((WorldName::parse(world).ok()?, number.parse().ok()?))
    }

    fn game(&self) -> Result<RoomId> {
        Ok(self.name.trim().parse().map_err(|_| ActError::NoSuchGame)?)
    }

    async fn bot(&self, app: &App) -> Result<BotId> {
        let name = BotName::parse(self.name.trim())?;
        Ok(find(app, name.as_str()).await?.id)
    }

    async fn account(&self, app: &App) -> Result<AccountId> {
        account(app, &self.name).await
    }
}

/// Bits of an IPv6 network that a line usually has, as shares of networks are counted.
const LINE_PREFIX_LEN: u8 = 56;

/// A network of IPv4 that is written as one of IPv6, as one of IPv4: requests from it count as such.
fn canonical(network: IpNet) -> IpNet {
    const MAPPED_PREFIX_LEN: u8 = 96;
    let IpNet::V6(v6) = network else { return network };
    match (v6.addr().to_ipv4_mapped(), v6.prefix_len().checked_sub(MAPPED_PREFIX_LEN)) {
        (Some(address), Some(prefix_len)) => Ipv4Net::new_assert(address, prefix_len).into(),
        _ => network,
    }
}

/// The account of a name, or of `#` and its number.
pub(super) async fn account(app: &App, name: &str) -> Result<AccountId> {
    let name = name.trim();
    let found = match name.strip_prefix('#').map(i64::from_str) {
        Some(Ok(number)) => app.store().account(AccountId(number)).await?,
        _ => app.store().account_by_name(&DisplayName::parse(name)?).await?,
    };
    Ok(found.ok_or(ActError::NoSuchAccount)?.id)
}

/// Runs an act to its end even if the operator stops waiting, because what runs here follows it after the store has it.
pub(super) async fn to_its_end<T: Send + 'static>(
    acting: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    let acted = tokio::spawn(acting.in_current_span()).await;
    acted.unwrap_or_else(|error| Err(Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR).caused_by(&error)))
}

/// Whether a text names an address or a network.
fn has_address(text: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || ".:/".contains(c);
    text.split(|c: char| !is_inside(c)).any(|word| {
        let word = word.trim_end_matches(['.', '/']);
        let bare = word.trim_end_matches(':');
        [word, bare].iter().any(|word| word.parse::<IpAddr>().is_ok() || word.parse::<IpNet>().is_ok())
            // With a port, or after a word and a colon.
            || word.split(['/', ':']).any(|part| part.parse::<Ipv4Addr>().is_ok())
    })
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[test]
    fn an_address_is_found_however_it_is_written_and_nothing_else_is_one() {
        for address in [
            "192.0.2.7",
            "a flood from 192.0.2.7.",
            "192.0.2.0/24, again",
            "host=192.0.2.7:8080",
            "from:192.0.2.7",
            "[2001:db8::7]:443",
            "2001:db8::/48 floods",
            "2001:db8::7:",
            "(::ffff:192.0.2.7)",
        ] {
            assert!(has_address(address), "{address}");
        }
        for other in
            ["a flood", "at 12:30:45, twice", "see cup-7, game 3.1", "version 0.2.0 is broken", "arena::bots", "1/2"]
        {
            assert!(!has_address(other), "{other}");
        }
    }

    #[tokio::test]
    async fn an_act_is_done_to_its_end_although_nobody_waits_for_it() {
        let ((go_on, told), (done, ended)) = (oneshot::channel(), oneshot::channel());
        let acting = to_its_end(async move {
            told.await.expect("somebody says so");
            done.send(()).expect("somebody hears it");
            Ok(())
        });
        tokio::select! {
            biased;
            _ = acting => panic!("it has to be told"),
            () = std::future::ready(()) => {}
        }
        go_on.send(()).expect("it waits");
        ended.await.expect("it went on");
    }
}
