//! Which acts of the operator's are performed. Not here: names, tournaments and worlds, whose own rules hold for the
//! operator, too.

use crate::{Act, ActError, BANS_MAX};

/// What decides on an act, at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActView {
    /// Whether what it changes is there: a bot, an account, a game, a ban, or a tournament's annulment.
    pub(crate) is_there: bool,
    /// The bans of other networks than the one that it bans.
    pub(crate) other_bans: u64,
}

/// Whether an act is performed.
pub(crate) fn may_act(act: &Act, view: ActView) -> Result<(), ActError> {
    match act {
        Act::Ban { .. } if view.other_bans >= BANS_MAX as u64 => Err(ActError::TooManyBans),
        _ if view.is_there => Ok(()),
        Act::DisableBot(_) | Act::EnableBot(_) => Err(ActError::NoSuchBot),
        Act::DisableAccount(_) | Act::EnableAccount(_) => Err(ActError::NoSuchAccount),
        Act::AnnulGame(_) | Act::RestoreGame(_) => Err(ActError::NoSuchGame),
        Act::LiftBan(_) => Err(ActError::NoSuchBan),
        Act::RestoreTournament(_) => Err(ActError::NoSuchTournament),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AccountId, BotId, TournamentId, UnixSeconds};

    fn decided(act: &Act, is_there: bool, other_bans: u64) -> Option<String> {
        may_act(act, ActView { is_there, other_bans }).err().map(|error| format!("{error:?}"))
    }

    #[test]
    fn an_act_needs_what_it_changes() {
        let (bot, account) = (BotId(1), AccountId(2));
        let tournament = TournamentId::parse("cup-3").expect("an id");
        for (act, code) in [
            (Act::DisableBot(bot), Some("NoSuchBot")),
            (Act::EnableBot(bot), Some("NoSuchBot")),
            (Act::DisableAccount(account), Some("NoSuchAccount")),
            (Act::EnableAccount(account), Some("NoSuchAccount")),
            (Act::LiftBan(4), Some("NoSuchBan")),
            (Act::RestoreTournament(tournament.clone()), Some("NoSuchTournament")),
            (Act::AnnulTournament(tournament), None),
            (Act::RemoveNotice, None),
        ] {
            assert_eq!(decided(&act, false, u64::MAX).as_deref(), code);
            assert_eq!(decided(&act, true, u64::MAX), None);
        }
    }

    #[test]
    fn a_network_is_banned_while_there_are_fewer_others_than_allowed() {
        let ban = Act::Ban { network: "192.0.2.0/24".into(), until: UnixSeconds(1) };
        let max = BANS_MAX as u64;
        assert_eq!(decided(&ban, false, max - 1), None);
        assert_eq!(decided(&ban, false, max).as_deref(), Some("TooManyBans"));
    }
}
