//! Who may submit a version of a bot.

use arena_record::EntrantId;

use super::until_fewer;
use crate::{Limits, StoreError, SubmitError, UnixSeconds, Version, VersionId};

/// What decides on a submission, at one moment. A bot whose versions were all refused counts nowhere.
#[derive(Clone, Debug)]
pub(crate) struct SubmitView {
    /// Whether the operator has closed submissions.
    pub(crate) closed: bool,
    /// Whether the account is disabled; `None` if there is no such account.
    pub(crate) disabled: Option<bool>,
    /// The bot that has the name, or one that looks like it.
    pub(crate) holder: Option<Holder>,
    /// The bots of the account.
    pub(crate) bots: u64,
    /// Its versions that wait for their verdicts.
    pub(crate) waiting: u64,
    /// The versions of all accounts that wait.
    pub(crate) waiting_of_all: u64,
    /// The bytes of all versions.
    pub(crate) module_bytes: u64,
}

/// The bot that has a name.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    /// Whether it is the account's, and has this very name.
    pub(crate) is_it: bool,
    pub(crate) disabled: bool,
    pub(crate) game: String,
    /// Its latest version that is not refused.
    pub(crate) latest: Version,
    /// When each such version of the last day stops counting as one of a day; the earliest first.
    pub(crate) today: Vec<UnixSeconds>,
}

/// What a submission would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Admitted {
    /// Nothing new.
    Known(Version),
    /// The first version of a new bot.
    NewBot,
    /// One more version.
    NewVersion(VersionId),
}

/// Whether an account may submit these bytes for this game.
pub(crate) fn may_submit(
    view: SubmitView,
    limits: &Limits,
    game: &str,
    (entrant, size_bytes): (&EntrantId, u64),
    now: UnixSeconds,
) -> Result<Admitted, SubmitError> {
    let is_disabled = view.disabled.ok_or(SubmitError::NoSuchAccount)?;
    if view.closed {
        return Err(SubmitError::Closed);
    }
    if is_disabled {
        return Err(SubmitError::Disabled);
    }
    let admitted = match view.holder {
        None if view.bots >= limits.bots_per_account_max.into() => {
            return Err(SubmitError::TooManyBots(limits.bots_per_account_max));
        }
        None => Admitted::NewBot,
        Some(holder) if !holder.is_it => return Err(SubmitError::NameTaken),
        Some(holder) => may_follow(holder, limits, game, entrant, now)?,
    };
    if matches!(admitted, Admitted::Known(_)) {
        return Ok(admitted);
    }
    if view.waiting >= limits.pending_per_account_max.into() {
        return Err(SubmitError::TooManyWaiting(limits.pending_per_account_max));
    }
    if view.waiting_of_all >= limits.pending_max.into() {
        return Err(SubmitError::QueueFull);
    }
    if view.module_bytes + size_bytes > limits.module_bytes_max {
        return Err(StoreError::NoSpace.into());
    }
    Ok(admitted)
}

/// Whether a bot may get one more version.
fn may_follow(
    Holder { disabled, game, latest, today, .. }: Holder,
    limits: &Limits,
    wanted: &str,
    entrant: &EntrantId,
    now: UnixSeconds,
) -> Result<Admitted, SubmitError> {
    if disabled {
        return Err(SubmitError::Disabled);
    }
    if game != wanted {
        return Err(SubmitError::OtherGame(game));
    }
    if latest.entrant == *entrant {
        return Ok(Admitted::Known(latest));
    }
    if latest.id.number >= limits.versions_per_bot_max {
        return Err(SubmitError::TooManyVersions(limits.versions_per_bot_max));
    }
    let max = limits.versions_per_bot_per_day_max;
    if today.len() >= max as usize {
        return Err(SubmitError::TooManyToday { max, again_in: until_fewer(&today, max, now) });
    }
    Ok(Admitted::NewVersion(VersionId { number: latest.id.number + 1, ..latest.id }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BotId, VersionState};

    const GAME: &str = "conquerors@2";
    const NOW: UnixSeconds = UnixSeconds(1_000_000);
    const LIMITS: Limits = Limits::DEFAULT;

    fn version(number: u32) -> Version {
        let (id, entrant) = (VersionId { bot: BotId(7), number }, EntrantId::of_bytes(b"latest"));
        Version {
            id,
            entrant,
            size_bytes: 6,
            state: VersionState::Accepted,
            submitted_at: UnixSeconds(1),
            licence: None,
        }
    }

    fn holder() -> Holder {
        Holder { is_it: true, disabled: false, game: GAME.into(), latest: version(3), today: Vec::new() }
    }

    fn view(holder: Option<Holder>) -> SubmitView {
        SubmitView {
            closed: false,
            disabled: Some(false),
            holder,
            bots: 0,
            waiting: 0,
            waiting_of_all: 0,
            module_bytes: 0,
        }
    }

    /// The decision about a submission of 10 bytes, as its code or what it would do.
    fn decided(view: SubmitView, bytes: &[u8]) -> Result<Admitted, String> {
        may_submit(view, &LIMITS, GAME, (&EntrantId::of_bytes(bytes), 10), NOW).map_err(|error| format!("{error:?}"))
    }

    #[test]
    fn a_free_name_makes_a_bot_and_its_owner_gets_the_next_version() {
        assert_eq!(decided(view(None), b"new"), Ok(Admitted::NewBot));
        let next = VersionId { bot: BotId(7), number: 4 };
        assert_eq!(decided(view(Some(holder())), b"new"), Ok(Admitted::NewVersion(next)));
    }

    #[test]
    fn the_same_bytes_again_are_known_though_every_quota_is_used_up() {
        let used_up = SubmitView {
            bots: u64::MAX,
            waiting: u64::MAX,
            waiting_of_all: u64::MAX,
            module_bytes: LIMITS.module_bytes_max,
            ..view(Some(Holder { today: vec![NOW; 1_000], latest: version(u32::MAX), ..holder() }))
        };
        assert_eq!(decided(used_up, b"latest"), Ok(Admitted::Known(version(u32::MAX))));
    }

    #[test]
    fn every_quota_holds_at_its_edge() {
        let of = |holder| view(Some(holder));
        let old = |number| of(Holder { latest: version(number), ..holder() });
        let ends = |number| (60..).map(|seconds| UnixSeconds(NOW.0 + seconds)).take(number as usize).collect();
        let today = |number| of(Holder { today: ends(number), ..holder() });
        let Limits { bots_per_account_max, pending_per_account_max, pending_max, .. } = LIMITS;
        let Limits { versions_per_bot_max, versions_per_bot_per_day_max, module_bytes_max, .. } = LIMITS;
        type Case<'a> = (&'a dyn Fn(u64) -> SubmitView, u64, &'a str);
        let cases: [Case<'_>; 6] = [
            (&|bots| SubmitView { bots, ..view(None) }, bots_per_account_max.into(), "TooManyBots"),
            (&|waiting| SubmitView { waiting, ..view(None) }, pending_per_account_max.into(), "TooManyWaiting"),
            (&|waiting_of_all| SubmitView { waiting_of_all, ..view(None) }, pending_max.into(), "QueueFull"),
            (&|number| old(number as u32), versions_per_bot_max.into(), "TooManyVersions"),
            (&today, versions_per_bot_per_day_max.into(), "again_in: 60 "),
            (&|module_bytes| SubmitView { module_bytes, ..view(None) }, module_bytes_max - 9, "NoSpace"),
        ];
        for (view, full, code) in cases {
            assert!(decided(view(full - 1), b"new").is_ok(), "{code}");
            assert!(decided(view(full), b"new").is_err_and(|error| error.contains(code)), "{code}");
        }
        let beyond = decided(today(u64::from(versions_per_bot_per_day_max) + 3), b"new");
        assert!(beyond.is_err_and(|error| error.contains("again_in: 63 ")), "as many as it takes end first");
    }

    #[test]
    fn what_is_closed_disabled_or_anothers_is_refused_whatever_the_bytes() {
        let of = |holder| view(Some(holder));
        for (view, code) in [
            (SubmitView { disabled: None, closed: true, ..view(None) }, "NoSuchAccount"),
            (SubmitView { disabled: Some(true), closed: true, ..view(None) }, "Closed"),
            (SubmitView { disabled: Some(true), ..view(None) }, "Disabled"),
            (of(Holder { is_it: false, disabled: true, ..holder() }), "NameTaken"),
            (of(Holder { disabled: true, game: "other".into(), ..holder() }), "Disabled"),
            (of(Holder { game: "other".into(), ..holder() }), "OtherGame(\"other\")"),
        ] {
            for bytes in [&b"new"[..], b"latest"] {
                assert_eq!(decided(view.clone(), bytes), Err(code.into()));
            }
        }
    }
}
