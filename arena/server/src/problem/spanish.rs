//! What errors say in Spanish: their sentence, and what to do about it. Their English is their own.

use arena_people::{PRACTICE_GAMES_MIN, Unrated};
use arena_rooms::{CHAT_CHARS_MAX, EVENTS_MAX, Rejected};
use arena_service::contests::{ContestRefused, Illegal};
use arena_service::limits::{
    BOTS_PER_OWNER_MAX, CONTEST_ENTRANTS_MAX, CONTEST_ENTRIES_MAX, CONTEST_ENTRIES_OF_BOT_MAX, CONTEST_ENTRY_DAYS_MAX,
};
use arena_service::{AgainError, CheckError, LogError, OpenRoomError, PlayError, RoomUnavailable};
use arena_store::{
    AccountError, ActError, AdjustError, BotError, CONTEST_EVENT_BYTES_MAX, ContestError, MODULE_BYTES_MAX, NameError,
    NotANotice, NotAReason, NotASecret, QueueError, StoreError, SubmitError, TokenError,
};

use crate::language::Text;
use crate::text::*;

/// An error that a page may show in Spanish.
pub(crate) trait InSpanish {
    /// Its sentence and its hint, without capital and full stop; no hint if there is nothing to do.
    fn in_spanish(&self) -> [Text; 2];
}

/// For each error, what it says for each of its cases.
macro_rules! in_spanish {
    ($($error:ident { $($case:pat => $told:expr,)+ })+) => {$(
        impl InSpanish for $error {
            fn in_spanish(&self) -> [Text; 2] {
                match self {
                    $($case => $told,)+
                }
            }
        }
    )+};
}

in_spanish! {
    Rejected {
        Rejected::NotYourSeat => [refused_play_not_your_seat(), hint_play_not_your_seat()],
        Rejected::NotYourTurn => [refused_play_not_your_turn(), hint_play_not_your_turn()],
        Rejected::StalePly { current } => [refused_play_stale_ply(current), hint_play_stale_ply()],
        Rejected::BadAction(why) => [refused_play_bad_action(why), hint_play_bad_action()],
        Rejected::IllegalMove(why) => [refused_play_illegal_move(why), hint_play_illegal_move()],
        Rejected::StaleSequence => [refused_play_stale_sequence(), hint_play_stale_sequence()],
        Rejected::NotStarted => [refused_play_not_started(), hint_play_not_started()],
        Rejected::NotAbandoned => [refused_play_not_abandoned(), hint_play_not_abandoned()],
        Rejected::Started => [refused_play_started(), hint_play_started()],
        Rejected::HostStays => [refused_play_host_stays(), hint_play_host_stays()],
        Rejected::NotHost => [refused_play_not_host(), hint_play_not_host()],
        Rejected::RoomTaken => [refused_play_room_taken(), hint_play_room_taken()],
        Rejected::SeatTaken => [refused_play_seat_taken(), hint_play_seat_taken()],
        Rejected::AlreadySeated => [refused_play_already_seated(), hint_play_already_seated()],
        Rejected::NotInvited => [refused_play_not_invited(), hint_play_not_invited()],
        Rejected::NoSuchMessage => [refused_play_no_such_message(), hint_play_no_such_message()],
        Rejected::ProgramInRated => [refused_play_program_in_rated(), hint_play_program_in_rated()],
        Rejected::BotsAgreeToNothing => [refused_play_bots_agree_to_nothing(), hint_play_bots_agree_to_nothing()],
        Rejected::OtherGame => [refused_play_other_game(), hint_play_other_game()],
        Rejected::NothingSaid => [refused_play_nothing_said(), hint_play_nothing_said()],
        Rejected::ChatTooLong => [refused_play_chat_too_long(CHAT_CHARS_MAX), hint_play_nothing_said()],
        Rejected::ChatTooFast => [refused_play_chat_too_fast(), hint_play_chat_too_fast()],
        Rejected::NoChat => [refused_play_no_chat(), hint_play_no_chat()],
        Rejected::NotOver => [refused_play_not_over(), hint_play_not_over()],
        Rejected::GameOver => [refused_play_game_over(), hint_play_game_over()],
        Rejected::RoomFull => [refused_play_room_full(EVENTS_MAX), hint_play_room_full()],
    }

    Unrated {
        Unrated::Seats => [refused_rated_seats(), hint_rated_seats()],
        Unrated::Guest => [refused_rated_guest(), hint_rated_guest()],
        Unrated::Bot => [refused_rated_bot(), hint_rated_seats()],
        Unrated::SameAccount => [refused_rated_same_account(), hint_rated_seats()],
        Unrated::Practice { finished, .. } =>
            [refused_rated_practice(finished, PRACTICE_GAMES_MIN), hint_rated_practice()],
        Unrated::OneBrowser => [refused_rated_one_browser(), hint_rated_seats()],
    }

    PlayError {
        PlayError::Rejected(error) => error.in_spanish(),
        PlayError::Unrated(error) => error.in_spanish(),
        PlayError::Unavailable(error) => error.in_spanish(),
        PlayError::NoNext(error) => error.in_spanish(),
    }

    OpenRoomError {
        OpenRoomError::NoSuchOpponent => [refused_no_such_opponent(), hint_no_such_opponent()],
        OpenRoomError::NoRooms(game) => [refused_room_no_rooms(format_args!("{game:?}")), hint_room_no_rooms()],
        OpenRoomError::NoSuchGame(game) => [refused_room_no_such_game(game.title), hint_no_such_rooms()],
        OpenRoomError::DoesNotStart(why) => [refused_room_does_not_start(why), hint_room_does_not_start()],
        OpenRoomError::NoSuchSeat | OpenRoomError::Machine(_) => [refused_unavailable(), hint_unavailable()],
        OpenRoomError::Closed => [refused_room_closed(), hint_closed()],
        OpenRoomError::Full => [refused_room_full(), hint_full()],
        OpenRoomError::TooMany { again_in, max } => [refused_room_too_many(again_in, max), hint_too_many_rooms()],
        OpenRoomError::NoSuchCode => [refused_room_no_such_code(), hint_room_no_such_code()],
        OpenRoomError::Clock => [refused_room_clock(), hint_room_clock()],
        OpenRoomError::RatedIsPublic => [refused_room_rated_is_public(), hint_room_rated_is_public()],
        OpenRoomError::RatedIsUsual => [refused_rated_is_usual(), hint_rated_is_usual()],
        OpenRoomError::Play(error) => error.in_spanish(),
        OpenRoomError::Store(error) => error.in_spanish(),
    }

    RoomUnavailable {
        RoomUnavailable::Full => [refused_room_full(), hint_unavailable()],
        RoomUnavailable::Store(error) => {
            let [sentence, _] = error.in_spanish();
            [sentence, hint_unavailable()]
        },
    }

    CheckError {
        CheckError::Late => [refused_check_late(), hint_check_late()],
        CheckError::Machine => [refused_check_machine(), hint_unavailable()],
    }

    AgainError {
        AgainError::Person => [refused_again_person(), hint_again_person()],
        AgainError::NoSeat(_) => [refused_again_no_seat(), hint_not_your_bot()],
        AgainError::Log(error) => error.in_spanish(),
    }

    LogError {
        LogError::OtherRelease => [refused_log_other_release(), hint_no_log()],
        LogError::OtherGame => [refused_log_other_game(), hint_no_log()],
        LogError::Machine(_) => [refused_unavailable(), hint_unavailable()],
        LogError::Store(error) => error.in_spanish(),
    }

    Illegal {
        Illegal::NotOpened => [refused_contest_not_opened(), hint_contest_not_opened()],
        Illegal::Closed => [refused_contest_closed(), hint_contest_not_opened()],
        Illegal::NotInvited => [refused_contest_not_invited(), hint_not_invited()],
        Illegal::Twice => [refused_contest_twice(), Text::default()],
        Illegal::SameBot => [refused_contest_same_bot(), Text::default()],
        Illegal::TooManyOfAccount =>
            [refused_contest_too_many_of_account(BOTS_PER_OWNER_MAX), hint_contest_too_many_of_account()],
        Illegal::TooOften => [refused_contest_too_often(CONTEST_ENTRIES_OF_BOT_MAX), hint_contest_not_opened()],
        Illegal::TooManyEntries => [refused_contest_too_many_entries(CONTEST_ENTRIES_MAX), hint_contest_not_opened()],
        Illegal::NotIn => [refused_contest_not_in(), Text::default()],
        Illegal::Over => [refused_contest_over(), Text::default()],
        Illegal::OtherField => [refused_contest_other_field(), hint_contest_not_opened()],
        Illegal::OtherStage => [refused_contest_other_stage(), hint_contest_not_opened()],
    }

    ContestRefused {
        ContestRefused::Terms(error) => error.in_spanish(),
        ContestRefused::Illegal(error) => error.in_spanish(),
        ContestRefused::Quota(error) => error.in_spanish(),
        ContestRefused::Act(error) => error.in_spanish(),
        ContestRefused::Store(error) => error.in_spanish(),
        ContestRefused::NoSuchBot(bot) =>
            [refused_contest_no_such_bot(format_args!("{bot:?}")), hint_contest_no_such_bot()],
        ContestRefused::Reserved(bot) => [refused_contest_reserved(format_args!("{bot:?}")), Text::default()],
        ContestRefused::NotYourBot(bot) =>
            [refused_contest_not_your_bot(format_args!("{bot:?}")), hint_contest_not_your_bot()],
        ContestRefused::OtherGame { bot, game } =>
            [refused_contest_other_game(format_args!("{bot:?}"), format_args!("{game:?}")), Text::default()],
        ContestRefused::Twice(bot) => [refused_contest_entered_twice(format_args!("{bot:?}")), hint_twice()],
        ContestRefused::Date => [refused_contest_date(CONTEST_ENTRY_DAYS_MAX), hint_contest_date()],
        ContestRefused::Places { given, least } =>
            [refused_contest_places(CONTEST_ENTRANTS_MAX, given, least), Text::default()],
        ContestRefused::NoLateEntry => [refused_contest_no_late_entry(), Text::default()],
        ContestRefused::TooFew(number) => [refused_contest_too_few(number), Text::default()],
        ContestRefused::NotYours => [refused_contest_not_yours(), Text::default()],
    }

    BotError {
        BotError::NoSuchBot => [refused_no_such_bot(), hint_no_such_bot()],
        BotError::NotAccepted => [refused_bot_not_accepted(), hint_no_such_version()],
        BotError::NameTaken => [refused_bot_name_taken(), hint_name_taken()],
        BotError::Store(error) => error.in_spanish(),
    }

    ContestError {
        ContestError::NoSuchContest => [refused_no_such_tournament(), hint_contest_no_such_contest()],
        ContestError::NoSuchAccount => [refused_sign_in(), hint_sign_in()],
        ContestError::Disabled => [refused_disabled(), hint_disabled()],
        ContestError::Closed => [refused_closed(), hint_closed()],
        ContestError::TooManyOfAccount(number) =>
            [refused_contest_too_many_unfinished(number), hint_too_many_tournaments()],
        ContestError::TooMany(number) => [refused_contest_too_many(number), hint_contest_too_many()],
        ContestError::TooMuchToday { again_in, fuel, games } =>
            [refused_contest_too_much_today(again_in, fuel, games), hint_contest_too_much_today()],
        ContestError::TooLarge { fuel, games } =>
            [refused_contest_too_large(fuel, games), hint_contest_too_much_today()],
        ContestError::TooMuch { fuel, games } => [refused_contest_too_much(fuel, games), hint_contest_too_many()],
        ContestError::Taken => [refused_busy(), hint_contest_taken()],
        ContestError::Over => [refused_contest_unchangeable(), Text::default()],
        ContestError::EventTooLarge(bytes) =>
            [refused_contest_event_too_large(bytes, CONTEST_EVENT_BYTES_MAX), Text::default()],
        ContestError::Store(error) => error.in_spanish(),
    }

    QueueError {
        QueueError::Quarantined { .. } | QueueError::Banned { .. } => [refused_banned(), hint_banned()],
        QueueError::TooLong(_) | QueueError::TooMany => [refused_too_large(), hint_too_large()],
        QueueError::Store(error) => error.in_spanish(),
    }

    AdjustError {
        AdjustError::Unknown(_) => [refused_no_such_limit(), hint_no_such_limit()],
        AdjustError::Beyond { .. } => [refused_bad_limit(), hint_bad_limit()],
    }

    ActError {
        ActError::NoSuchBot => [refused_no_such_bot(), hint_no_such_bot()],
        ActError::NoSuchAccount => [refused_no_such_account(), hint_no_such_account()],
        ActError::NoSuchGame => [refused_no_such_game(), hint_no_such_game()],
        ActError::NameTaken => [refused_act_name_taken(), hint_name_taken()],
        ActError::Contest(error) => error.in_spanish(),
        ActError::Store(error) => error.in_spanish(),
        ActError::World(_) => [refused_unavailable(), hint_unavailable()],
        ActError::NoSuchPlace => [refused_no_such_place(), hint_no_such_place()],
        ActError::NoSuchSlot => [refused_no_such_slot(), hint_no_such_slot()],
        ActError::TooManyBots => [refused_too_many_seated(), hint_too_many_seated()],
        ActError::UnfitBot => [refused_unfit(), hint_unfit()],
        ActError::TooManyWorlds(_) => [refused_too_many_worlds(), hint_too_many_worlds()],
        ActError::NoSuchBan => [refused_no_such_ban(), hint_no_such_ban()],
        ActError::TooManyBans => [refused_too_many_bans(), hint_too_many_bans()],
        ActError::NoSuchTournament => [refused_no_such_tournament(), hint_no_such_tournament()],
    }

    NameError {
        NameError::Empty => [refused_name_empty(), hint_bad_name()],
        NameError::TooLong { max } => [refused_name_too_long(max), hint_bad_name()],
        NameError::Character(' ') => [refused_name_spaces(), hint_bad_name()],
        NameError::Character(character) => [refused_name_character(shown(*character)), hint_bad_name()],
        NameError::Place(character) => [refused_name_place(shown(*character)), hint_bad_name()],
        NameError::MixedScripts => [refused_name_mixed_scripts(), hint_bad_name()],
        NameError::Reserved => [refused_name_reserved(), hint_bad_name()],
    }

    TokenError {
        TokenError::NoSuchAccount => [refused_sign_in(), hint_sign_in()],
        TokenError::TooMany(number) => [refused_token_too_many(number), hint_too_many_tokens()],
        TokenError::Store(error) => error.in_spanish(),
    }

    StoreError {
        StoreError::Unavailable(_) => [refused_unavailable(), hint_unavailable()],
        StoreError::NoSpace => [refused_no_space(), hint_no_space()],
        StoreError::Damaged(_) => [refused_damaged(), hint_damaged()],
    }

    AccountError {
        AccountError::NameTaken => [refused_act_name_taken(), hint_name_taken()],
        AccountError::TooManyAccounts => [refused_account_too_many_accounts(), hint_full()],
        AccountError::Closed => [refused_closed(), hint_closed()],
        AccountError::NoSuchAccount => [refused_sign_in(), hint_sign_in()],
        AccountError::Disabled => [refused_disabled(), hint_disabled()],
        AccountError::Store(error) => error.in_spanish(),
    }

    NotASecret {
        NotASecret::Form => [refused_secret_form(), hint_bad_code()],
        NotASecret::AccessToken => [refused_secret_access_token(), hint_bad_code()],
        NotASecret::WorkerToken | NotASecret::Token => [refused_bad_code(), hint_bad_code()],
        NotASecret::Checksum => [refused_secret_checksum(), hint_bad_code()],
    }

    SubmitError {
        SubmitError::NoSuchAccount => [refused_sign_in(), hint_sign_in()],
        SubmitError::Closed => [refused_submit_closed(), hint_closed()],
        SubmitError::Disabled => [refused_submit_disabled(), hint_disabled()],
        SubmitError::NameTaken => [refused_bot_name_taken(), hint_name_taken()],
        SubmitError::OtherGame(game) => [refused_submit_other_game(format_args!("{game:?}")), hint_other_game()],
        SubmitError::TooLarge => [refused_submit_too_large(MODULE_BYTES_MAX), hint_submit_too_large()],
        SubmitError::TooManyBots(number) => [refused_submit_too_many_bots(number), hint_too_many_bots()],
        SubmitError::TooManyToday { again_in, max } =>
            [refused_submit_too_many_today(again_in, max), hint_too_many_versions()],
        SubmitError::TooManyWaiting(number) => [refused_submit_too_many_waiting(number), hint_too_many_waiting()],
        SubmitError::QueueFull => [refused_submit_queue_full(), hint_busy()],
        SubmitError::TooManyVersions(number) => [refused_submit_too_many_versions(number), hint_name_taken()],
        SubmitError::Store(error) => error.in_spanish(),
    }

    NotANotice {
        NotANotice => [refused_bad_notice(), hint_bad_notice()],
    }

    NotAReason {
        NotAReason => [refused_bad_reason(), hint_bad_reason()],
    }
}

/// A character in a sentence: by its number if it is not plain.
fn shown(character: char) -> String {
    match character {
        ' ' => refused_name_a_space().into(),
        plain if plain.is_ascii_graphic() => format!("`{plain}`"),
        other => refused_name_the_character(format_args!("`U+{:04X}`", u32::from(other))).into(),
    }
}
