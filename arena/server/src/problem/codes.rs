//! The codes of the problems that this crate itself answers, and what they say in Spanish.

use crate::language::Text;
use crate::text;

macro_rules! codes {
    ($($code:ident: $word:literal, $refused:ident, $hint:expr;)*) => {
        /// A code: programs rely on its word.
        #[derive(Clone, Copy)]
        pub(crate) enum Code {
            $($code,)*
        }

        impl Code {
            pub(crate) fn word(self) -> &'static str {
                match self {
                    $(Code::$code => $word,)*
                }
            }

            /// The sentence and the hint.
            pub(crate) fn in_spanish(self) -> [Text; 2] {
                match self {
                    $(Code::$code => [text::$refused(), $hint],)*
                }
            }
        }
    };
}

codes! {
    BadBan: "bad_ban", refused_bad_ban, text::hint_bad_ban();
    BadExpiry: "bad_expiry", refused_bad_expiry, text::hint_bad_expiry();
    BadHost: "bad_host", refused_bad_host, text::hint_bad_host();
    BadInvitation: "bad_invitation", refused_bad_invitation, text::hint_bad_invitation();
    BadLease: "bad_lease", refused_bad_lease, text::hint_bad_lease();
    BadMessage: "bad_message", refused_bad_message, text::hint_bad_message();
    BadRequest: "bad_request", refused_bad_request, text::hint_bad_request();
    BadSemantics: "bad_semantics", refused_bad_semantics, text::hint_bad_semantics();
    BadText: "bad_text", refused_bad_text, text::hint_bad_text();
    BadTournament: "bad_tournament", refused_bad_tournament, text::hint_bad_tournament();
    BannedNetwork: "banned_network", refused_banned_network, text::hint_banned_network();
    Busy: "busy", refused_busy, text::hint_busy();
    CrossSite: "cross_site", refused_cross_site, text::hint_cross_site();
    Damaged: "damaged", refused_damaged, text::hint_damaged();
    Deleted: "deleted", refused_deleted, text::hint_deleted();
    DoesNotAssemble: "does_not_assemble", refused_does_not_assemble, text::hint_does_not_assemble();
    Draining: "draining", refused_draining, text::hint_draining();
    EmptyFile: "empty_file", refused_empty_file, text::hint_empty_file();
    ForeignHost: "foreign_host", refused_bad_host, text::hint_bad_host();
    GoesOn: "goes_on", refused_goes_on, text::hint_goes_on();
    Gone: "gone", refused_gone, text::hint_no_such_game();
    Internal: "internal", refused_internal, text::hint_internal();
    MethodNotAllowed: "method_not_allowed", refused_method_not_allowed, text::hint_method_not_allowed();
    NeedsScope: "needs_scope", refused_needs_scope, text::hint_needs_scope();
    NoPicture: "no_picture", refused_no_picture, text::hint_no_picture();
    NoPractice: "no_practice", refused_no_practice, text::hint_room_no_rooms();
    NoSuchAuthor: "no_such_author", refused_no_such_author, text::hint_no_such_author();
    NoSuchChapter: "no_such_chapter", refused_no_such_chapter, text::hint_no_such_chapter();
    NoSuchEdition: "no_such_edition", refused_no_such_edition, text::hint_no_such_edition();
    NoSuchEnd: "no_such_end", refused_no_such_end, text::hint_no_such_end();
    NoSuchGame: "no_such_game", refused_no_such_game, text::hint_no_such_game();
    NoSuchLesson: "no_such_lesson", refused_no_such_lesson, text::hint_no_such_lesson();
    NoSuchModule: "no_such_module", refused_no_such_module, text::hint_no_such_module();
    NoSuchOperator: "no_such_operator", refused_no_such_operator, text::hint_no_such_operator();
    NoSuchOrder: "no_such_order", refused_no_such_order, text::hint_no_such_order();
    NoSuchPage: "no_such_page", refused_no_such_page, text::hint_no_such_operator();
    NoSuchResult: "no_such_result", refused_no_such_result, text::hint_no_such_result();
    NoSuchRoom: "no_such_room", refused_no_such_room, text::hint_no_such_room();
    NoSuchSeat: "no_such_seat", refused_no_such_seat, text::hint_no_such_seat();
    NoSuchSpan: "no_such_span", refused_no_such_span, text::hint_no_such_span();
    NoSuchToken: "no_such_token", refused_no_such_token, text::hint_no_such_token();
    NoSuchTournament: "no_such_tournament", refused_no_such_tournament, text::hint_no_such_tournament();
    NoSuchVersion: "no_such_version", refused_no_such_version, text::hint_no_such_version();
    NoSuchVolunteers: "no_such_volunteers", refused_no_such_volunteers, text::hint_no_such_volunteers();
    NoSuchWorld: "no_such_world", refused_no_such_world, text::hint_no_such_world();
    NoTurns: "no_turns", refused_no_turns, text::hint_no_turns();
    NotByToken: "needs_code", refused_needs_code, text::hint_needs_code();
    NotConfirmed: "not_confirmed", refused_not_confirmed, text::hint_not_confirmed();
    NotFinished: "not_finished", refused_not_finished, text::hint_not_finished();
    NotTheOperator: "not_the_operator", refused_not_the_operator, text::hint_not_the_operator();
    NotYourBot: "not_your_bot", refused_not_your_bot, text::hint_not_your_bot();
    OtherName: "other_name", refused_other_name, text::hint_other_name();
    ReadOnly: "read_only", refused_read_only, text::hint_read_only();
    SignIn: "sign_in", refused_sign_in, text::hint_sign_in();
    Stopping: "stopping", refused_stopping, text::hint_stopping();
    TextTooLong: "text_too_long", refused_text_too_long, text::hint_text_too_long();
    TooLarge: "too_large", refused_too_large, text::hint_too_large();
    TooSlow: "too_slow", refused_too_slow, text::hint_too_slow();
    Unavailable: "unavailable", refused_unavailable, text::hint_unavailable();
    UnknownPlayer: "unknown_code", refused_unknown_code, text::hint_unknown_code();
    UnknownToken: "unknown_token", refused_unknown_token, text::hint_unknown_token();
    UnsupportedMediaType: "unsupported_media_type", refused_unsupported_media_type, text::hint_bad_request();
}
