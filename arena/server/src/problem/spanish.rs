//! What errors say in Spanish: their sentence, and what to do about it. Their English is their own.

use arena_people::{PRACTICE_GAMES_MIN, Unrated};
use arena_rooms::{CHAT_CHARS_MAX, EVENTS_MAX, Rejected};
use arena_service::contests::{ContestRefused, Illegal, TermsError};
use arena_service::limits::{
    BOTS_PER_OWNER_MAX, CONTEST_ENTRANTS_MAX, CONTEST_ENTRIES_MAX, CONTEST_ENTRIES_OF_BOT_MAX, CONTEST_ENTRY_DAYS_MAX,
};
use arena_service::{AgainError, LogError, OpenRoomError, PlayError, RoomUnavailable};
use arena_store::{
    AccountError, ActError, AdjustError, BotError, ContestError, MODULE_BYTES_MAX, NameError, NotANotice, NotAReason,
    NotASecret, QueueError, StoreError, SubmitError, TokenError,
};

use crate::language::Text;
use crate::text;
use crate::visitors::{Key, UsedUp};

/// An error that a page may show in Spanish.
pub(crate) trait InSpanish {
    /// Its sentence and its hint, without capital and full stop; no hint if there is nothing to do.
    fn in_spanish(&self) -> [Text; 2];
}

impl InSpanish for Rejected {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            Rejected::NotYourSeat => [text::refused_play_not_your_seat(), text::hint_play_not_your_seat()],
            Rejected::NotYourTurn => [text::refused_play_not_your_turn(), text::hint_play_not_your_turn()],
            Rejected::StalePly { current } => [text::refused_play_stale_ply(current), text::hint_play_stale_ply()],
            Rejected::BadAction(why) => [text::refused_play_bad_action(why), text::hint_play_bad_action()],
            Rejected::IllegalMove(why) => [text::refused_play_illegal_move(why), text::hint_play_illegal_move()],
            Rejected::StaleSequence => [text::refused_play_stale_sequence(), text::hint_play_stale_sequence()],
            Rejected::NotStarted => [text::refused_play_not_started(), text::hint_play_not_started()],
            Rejected::NotAbandoned => [text::refused_play_not_abandoned(), text::hint_play_not_abandoned()],
            Rejected::Started => [text::refused_play_started(), text::hint_play_started()],
            Rejected::HostStays => [text::refused_play_host_stays(), text::hint_play_host_stays()],
            Rejected::NotHost => [text::refused_play_not_host(), text::hint_play_not_host()],
            Rejected::RoomTaken => [text::refused_play_room_taken(), text::hint_play_room_taken()],
            Rejected::SeatTaken => [text::refused_play_seat_taken(), text::hint_play_seat_taken()],
            Rejected::AlreadySeated => [text::refused_play_already_seated(), text::hint_play_already_seated()],
            Rejected::NotInvited => [text::refused_play_not_invited(), text::hint_play_not_invited()],
            Rejected::NoSuchMessage => [text::refused_play_no_such_message(), text::hint_play_no_such_message()],
            Rejected::ProgramInRated => [text::refused_play_program_in_rated(), text::hint_play_program_in_rated()],
            Rejected::BotsAgreeToNothing => {
                [text::refused_play_bots_agree_to_nothing(), text::hint_play_bots_agree_to_nothing()]
            }
            Rejected::OtherGame => [text::refused_play_other_game(), text::hint_play_other_game()],
            Rejected::NothingSaid => [text::refused_play_nothing_said(), text::hint_play_nothing_said()],
            Rejected::ChatTooLong => [text::refused_play_chat_too_long(CHAT_CHARS_MAX), text::hint_play_nothing_said()],
            Rejected::ChatTooFast => [text::refused_play_chat_too_fast(), text::hint_play_chat_too_fast()],
            Rejected::NoChat => [text::refused_play_no_chat(), text::hint_play_no_chat()],
            Rejected::NotOver => [text::refused_play_not_over(), text::hint_play_not_over()],
            Rejected::GameOver => [text::refused_play_game_over(), text::hint_play_game_over()],
            Rejected::RoomFull => [text::refused_play_room_full(EVENTS_MAX), text::hint_play_room_full()],
        }
    }
}

impl InSpanish for Unrated {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            Unrated::Seats => [text::refused_rated_seats(), text::hint_rated_seats()],
            Unrated::Guest => [text::refused_rated_guest(), text::hint_rated_guest()],
            Unrated::Bot => [text::refused_rated_bot(), text::hint_rated_seats()],
            Unrated::SameAccount => [text::refused_rated_same_account(), text::hint_rated_seats()],
            Unrated::Practice { finished, .. } => {
                [text::refused_rated_practice(finished, PRACTICE_GAMES_MIN), text::hint_rated_practice()]
            }
            Unrated::OneBrowser => [text::refused_rated_one_browser(), text::hint_rated_seats()],
        }
    }
}

impl InSpanish for PlayError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            PlayError::Rejected(error) => error.in_spanish(),
            PlayError::Unrated(error) => error.in_spanish(),
            PlayError::Unavailable(error) => error.in_spanish(),
            PlayError::NoNext(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for OpenRoomError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            OpenRoomError::NoSuchOpponent => [text::refused_no_such_opponent(), text::hint_no_such_opponent()],
            OpenRoomError::NoRooms(game) => {
                [text::refused_room_no_rooms(format_args!("{game:?}")), text::hint_room_no_rooms()]
            }
            OpenRoomError::NoSuchGame(game) => {
                [text::refused_room_no_such_game(game.title), text::hint_no_such_rooms()]
            }
            OpenRoomError::DoesNotStart(why) => {
                [text::refused_room_does_not_start(why), text::hint_room_does_not_start()]
            }
            OpenRoomError::NoSuchSeat | OpenRoomError::Machine(_) => {
                [text::refused_unavailable(), text::hint_unavailable()]
            }
            OpenRoomError::Closed => [text::refused_room_closed(), text::hint_closed()],
            OpenRoomError::Full => [text::refused_room_full(), text::hint_full()],
            OpenRoomError::TooMany { again_in, max } => {
                [text::refused_room_too_many(again_in, max), text::hint_too_many_rooms()]
            }
            OpenRoomError::NoSuchCode => [text::refused_room_no_such_code(), text::hint_room_no_such_code()],
            OpenRoomError::Clock => [text::refused_room_clock(), text::hint_room_clock()],
            OpenRoomError::RatedIsPublic => [text::refused_room_rated_is_public(), text::hint_room_rated_is_public()],
            OpenRoomError::RatedIsUsual => [text::refused_rated_is_usual(), text::hint_rated_is_usual()],
            OpenRoomError::Play(error) => error.in_spanish(),
            OpenRoomError::Store(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for RoomUnavailable {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            RoomUnavailable::Full => [text::refused_room_full(), text::hint_unavailable()],
            RoomUnavailable::Store(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for AgainError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            AgainError::Person => [text::refused_again_person(), text::hint_again_person()],
            AgainError::NoSeat(_) => [text::refused_again_no_seat(), text::hint_not_your_bot()],
            AgainError::Log(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for LogError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            LogError::OtherRelease => [text::refused_log_other_release(), text::hint_no_log()],
            LogError::OtherGame => [text::refused_log_other_game(), text::hint_no_log()],
            LogError::Machine(_) => [text::refused_unavailable(), text::hint_unavailable()],
            LogError::Store(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for Illegal {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            Illegal::NotOpened => [text::refused_contest_not_opened(), text::hint_contest_not_opened()],
            Illegal::Closed => [text::refused_contest_closed(), text::hint_contest_not_opened()],
            Illegal::NotInvited => [text::refused_contest_not_invited(), text::hint_not_invited()],
            Illegal::Twice => [text::refused_contest_twice(), Text::default()],
            Illegal::SameBytes => [text::refused_contest_same_bytes(), Text::default()],
            Illegal::TooManyOfAccount => [
                text::refused_contest_too_many_of_account(BOTS_PER_OWNER_MAX),
                text::hint_contest_too_many_of_account(),
            ],
            Illegal::TooOften => {
                [text::refused_contest_too_often(CONTEST_ENTRIES_OF_BOT_MAX), text::hint_contest_not_opened()]
            }
            Illegal::TooManyEntries => {
                [text::refused_contest_too_many_entries(CONTEST_ENTRIES_MAX), text::hint_contest_not_opened()]
            }
            Illegal::NotIn => [text::refused_contest_not_in(), Text::default()],
            Illegal::Over => [text::refused_contest_over(), Text::default()],
            Illegal::OtherField => [text::refused_closed(), text::hint_contest_not_opened()],
            Illegal::OtherStage => [text::refused_contest_other_stage(), text::hint_contest_not_opened()],
        }
    }
}

impl InSpanish for ContestRefused {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            ContestRefused::Terms(error) => error.in_spanish(),
            ContestRefused::Illegal(error) => error.in_spanish(),
            ContestRefused::Quota(error) => error.in_spanish(),
            ContestRefused::Act(error) => error.in_spanish(),
            ContestRefused::Store(error) => error.in_spanish(),
            ContestRefused::NoSuchBot(bot) => {
                [text::refused_contest_no_such_bot(format_args!("{bot:?}")), text::hint_contest_no_such_bot()]
            }
            ContestRefused::Reserved(bot) => [text::refused_contest_reserved(format_args!("{bot:?}")), Text::default()],
            ContestRefused::NotYourBot(bot) => {
                [text::refused_contest_not_your_bot(format_args!("{bot:?}")), text::hint_contest_not_your_bot()]
            }
            ContestRefused::OtherGame { bot, game } => {
                [text::refused_contest_other_game(format_args!("{bot:?}"), format_args!("{game:?}")), Text::default()]
            }
            ContestRefused::Twice(bot) => [text::refused_contest_twice_2(format_args!("{bot:?}")), text::hint_twice()],
            ContestRefused::Date => [text::refused_contest_date(CONTEST_ENTRY_DAYS_MAX), text::hint_contest_date()],
            ContestRefused::Places { given, least } => {
                [text::refused_contest_places(CONTEST_ENTRANTS_MAX, given, least), Text::default()]
            }
            ContestRefused::NoLateEntry => [text::refused_contest_no_late_entry(), Text::default()],
            ContestRefused::TooFew(number) => [text::refused_contest_too_few(number), Text::default()],
            ContestRefused::NotYours => [text::refused_contest_not_yours(), Text::default()],
        }
    }
}

impl InSpanish for TermsError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            TermsError::Definition(_)
            | TermsError::Toml(_)
            | TermsError::Seeds(_)
            | TermsError::Display
            | TermsError::Openings(_)
            | TermsError::Game(_)
            | TermsError::Unplayable(_) => [text::refused_bad_tournament(), text::hint_bad_tournament()],
            TermsError::Key(key) => [text::refused_terms_key(key), text::hint_bad_tournament()],
            TermsError::Budgets(key) => [text::refused_terms_budgets(key), text::hint_bad_tournament()],
            TermsError::Entrants(number) => {
                [text::refused_terms_entrants(CONTEST_ENTRANTS_MAX, number), text::hint_bad_tournament()]
            }
            TermsError::TooManyGames { entrants, games, most } => {
                [text::refused_terms_too_many_games(entrants, games, most), text::hint_bad_tournament()]
            }
        }
    }
}

impl InSpanish for BotError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            BotError::NoSuchBot => [text::refused_no_such_bot(), text::hint_no_such_bot()],
            BotError::NotAccepted => [text::refused_bot_not_accepted(), text::hint_no_such_version()],
            BotError::NameTaken => [text::refused_bot_name_taken(), text::hint_name_taken()],
            BotError::Store(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for ContestError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            ContestError::NoSuchContest => [text::refused_no_such_tournament(), text::hint_contest_no_such_contest()],
            ContestError::NoSuchAccount => [text::refused_sign_in(), text::hint_sign_in()],
            ContestError::Disabled => [text::refused_disabled(), text::hint_disabled()],
            ContestError::Closed => [text::refused_closed(), text::hint_closed()],
            ContestError::TooManyOfAccount(number) => {
                [text::refused_contest_too_many_of_account_2(number), text::hint_too_many_tournaments()]
            }
            ContestError::TooMany(number) => [text::refused_contest_too_many(number), text::hint_contest_too_many()],
            ContestError::TooMuchToday { again_in, fuel, games } => {
                [text::refused_contest_too_much_today(again_in, fuel, games), text::hint_contest_too_much_today()]
            }
            ContestError::TooLarge { .. } => [text::refused_bad_tournament(), text::hint_contest_too_much_today()],
            ContestError::TooMuch { fuel, games } => {
                [text::refused_contest_too_much(fuel, games), text::hint_contest_too_many()]
            }
            ContestError::Taken => [text::refused_busy(), text::hint_contest_taken()],
            ContestError::Over => [text::refused_contest_over_2(), Text::default()],
            ContestError::EventTooLarge(_) => [text::refused_contest_over(), Text::default()],
            ContestError::Store(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for QueueError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            QueueError::Quarantined { .. } | QueueError::Banned { .. } => [text::refused_banned(), text::hint_banned()],
            QueueError::TooLong(_) | QueueError::TooMany => [text::refused_too_large(), text::hint_too_large()],
            QueueError::Store(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for AdjustError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            AdjustError::Unknown(_) | AdjustError::Beyond { .. } => [text::refused_bad_limit(), Text::default()],
        }
    }
}

impl InSpanish for ActError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            ActError::NoSuchBot => [text::refused_no_such_bot(), text::hint_no_such_bot()],
            ActError::NoSuchAccount => [text::refused_no_such_account(), text::hint_no_such_account()],
            ActError::NoSuchGame => [text::refused_no_such_game(), text::hint_no_such_game()],
            ActError::NameTaken => [text::refused_act_name_taken(), text::hint_name_taken()],
            ActError::Contest(error) => error.in_spanish(),
            ActError::Store(error) => error.in_spanish(),
            ActError::World(_) => [text::refused_unavailable(), text::hint_unavailable()],
            ActError::NoSuchPlace => [text::refused_no_such_place(), text::hint_no_such_place()],
            ActError::NoSuchSlot => [text::refused_no_such_slot(), text::hint_no_such_slot()],
            ActError::TooManyBots => [text::refused_too_many_seated(), text::hint_too_many_seated()],
            ActError::UnfitBot => [text::refused_unfit(), text::hint_unfit()],
            ActError::TooManyWorlds(_) => [text::refused_too_many_worlds(), text::hint_too_many_worlds()],
            ActError::NoSuchBan => [text::refused_no_such_ban(), text::hint_no_such_ban()],
            ActError::TooManyBans => [text::refused_too_many_bans(), text::hint_too_many_bans()],
            ActError::NoSuchTournament => [text::refused_no_such_tournament(), text::hint_no_such_tournament()],
        }
    }
}

impl InSpanish for NameError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            NameError::Empty => [text::refused_name_empty(), text::hint_bad_name()],
            NameError::TooLong { max } => [text::refused_name_too_long(max), text::hint_bad_name()],
            NameError::Character(' ') => [text::refused_name_spaces(), text::hint_bad_name()],
            NameError::Character(character) => [text::refused_name_character(shown(*character)), text::hint_bad_name()],
            NameError::Place(character) => [text::refused_name_place(shown(*character)), text::hint_bad_name()],
            NameError::MixedScripts => [text::refused_name_mixed_scripts(), text::hint_bad_name()],
            NameError::Reserved => [text::refused_name_reserved(), text::hint_bad_name()],
        }
    }
}

impl InSpanish for TokenError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            TokenError::NoSuchAccount => [text::refused_sign_in(), text::hint_sign_in()],
            TokenError::TooMany(number) => [text::refused_token_too_many(number), text::hint_too_many_tokens()],
            TokenError::Store(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for StoreError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            StoreError::Unavailable(_) => [text::refused_unavailable(), text::hint_unavailable()],
            StoreError::NoSpace => [text::refused_no_space(), text::hint_no_space()],
            StoreError::Damaged(_) => [text::refused_damaged(), text::hint_damaged()],
        }
    }
}

impl InSpanish for AccountError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            AccountError::NameTaken => [text::refused_act_name_taken(), text::hint_name_taken()],
            AccountError::TooManyAccounts => [text::refused_account_too_many_accounts(), text::hint_full()],
            AccountError::Closed => [text::refused_closed(), text::hint_closed()],
            AccountError::NoSuchAccount => [text::refused_sign_in(), text::hint_sign_in()],
            AccountError::Disabled => [text::refused_disabled(), text::hint_disabled()],
            AccountError::Store(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for NotASecret {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            NotASecret::Form => [text::refused_secret_form(), text::hint_bad_code()],
            NotASecret::AccessToken => [text::refused_secret_access_token(), text::hint_bad_code()],
            NotASecret::WorkerToken | NotASecret::Token => [text::refused_bad_code(), text::hint_bad_code()],
            NotASecret::Checksum => [text::refused_secret_checksum(), text::hint_bad_code()],
        }
    }
}

impl InSpanish for SubmitError {
    fn in_spanish(&self) -> [Text; 2] {
        match self {
            SubmitError::NoSuchAccount => [text::refused_sign_in(), text::hint_sign_in()],
            SubmitError::Closed => [text::refused_submit_closed(), text::hint_closed()],
            SubmitError::Disabled => [text::refused_submit_disabled(), text::hint_disabled()],
            SubmitError::NameTaken => [text::refused_bot_name_taken(), text::hint_name_taken()],
            SubmitError::OtherGame(game) => {
                [text::refused_submit_other_game(format_args!("{game:?}")), text::hint_other_game()]
            }
            SubmitError::TooLarge => [text::refused_submit_too_large(MODULE_BYTES_MAX), text::hint_submit_too_large()],
            SubmitError::TooManyBots(number) => {
                [text::refused_submit_too_many_bots(number), text::hint_too_many_bots()]
            }
            SubmitError::TooManyToday { again_in, max } => {
                [text::refused_submit_too_many_today(again_in, max), text::hint_too_many_versions()]
            }
            SubmitError::TooManyWaiting(number) => {
                [text::refused_submit_too_many_waiting(number), text::hint_too_many_waiting()]
            }
            SubmitError::QueueFull => [text::refused_submit_queue_full(), text::hint_busy()],
            SubmitError::TooManyVersions(number) => {
                [text::refused_submit_too_many_versions(number), text::hint_too_many_versions()]
            }
            SubmitError::Store(error) => error.in_spanish(),
        }
    }
}

impl InSpanish for NotANotice {
    fn in_spanish(&self) -> [Text; 2] {
        [text::refused_bad_notice(), text::hint_bad_notice()]
    }
}

impl InSpanish for NotAReason {
    fn in_spanish(&self) -> [Text; 2] {
        [text::refused_bad_reason(), text::hint_bad_reason()]
    }
}

impl InSpanish for UsedUp {
    fn in_spanish(&self) -> [Text; 2] {
        match self.key {
            Key::Account(_) | Key::Network(_) => [text::refused_too_many(), text::hint_too_many()],
            Key::Everybody | Key::Others | Key::Around(_) => [text::refused_busy(), text::hint_busy()],
        }
    }
}

/// A character in a sentence: by its number if it is not plain.
fn shown(character: char) -> String {
    match character {
        ' ' => text::refused_name_a_space().into(),
        plain if plain.is_ascii_graphic() => format!("`{plain}`"),
        other => text::refused_name_the_character(format_args!("`U+{:04X}`", u32::from(other))).into(),
    }
}
