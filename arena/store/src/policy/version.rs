//! Which version of a bot plays: its verdict, and its owner's choice.

use crate::{BotError, VerdictError, VersionState};

/// What decides on a choice, at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChoiceView {
    /// Whether the bot is there.
    pub(crate) is_there: bool,
    /// Whether the version is an accepted one; `None` if the bot is withdrawn.
    pub(crate) is_accepted: Option<bool>,
}

/// Whether a bot's owner may choose the version that plays, or withdraw the bot.
pub(crate) fn may_choose(view: ChoiceView) -> Result<(), BotError> {
    match view {
        ChoiceView { is_there: false, .. } => Err(BotError::NoSuchBot),
        ChoiceView { is_accepted: Some(false), .. } => Err(BotError::NotAccepted),
        _ => Ok(()),
    }
}

/// Whether a version in a state, `None` if it is not there, gets a verdict; `false` if it has this one.
pub(crate) fn may_judge(before: Option<&VersionState>, verdict: &VersionState) -> Result<bool, VerdictError> {
    match before.ok_or(VerdictError::NoSuchVersion)? {
        before if before == verdict => Ok(false),
        VersionState::Pending => Ok(true),
        _ => Err(VerdictError::AlreadyJudged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_an_accepted_version_or_none_of_a_bot_that_is_there() {
        for (is_there, is_accepted, refused) in [
            (true, None, None),
            (true, Some(true), None),
            (true, Some(false), Some("NotAccepted")),
            (false, None, Some("NoSuchBot")),
            (false, Some(false), Some("NoSuchBot")),
        ] {
            let error = may_choose(ChoiceView { is_there, is_accepted }).map_err(|error| format!("{error:?}"));
            assert_eq!(error.err().as_deref(), refused);
        }
    }

    #[test]
    fn the_first_verdict_stands_and_may_be_repeated() {
        let (pending, accepted) = (VersionState::Pending, VersionState::Accepted);
        let decided = |before, verdict| may_judge(before, verdict).map_err(|error| format!("{error:?}"));
        assert_eq!(decided(None, &accepted), Err("NoSuchVersion".into()));
        assert_eq!(decided(Some(&pending), &accepted), Ok(true));
        assert_eq!(decided(Some(&accepted), &accepted), Ok(false));
        assert_eq!(decided(Some(&accepted), &pending), Err("AlreadyJudged".into()));
    }
}
