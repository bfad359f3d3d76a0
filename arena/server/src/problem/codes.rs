//! The codes of the problems that this crate itself answers, and what they say in Spanish.

use axum::http::StatusCode;

use crate::language::Text;
use crate::text;

macro_rules! codes {
    ($($code:ident: $status:ident, $word:literal, $refused:ident, $hint:expr;)*) => {
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

            /// The status of an answer with it.
            pub(super) fn status(self) -> StatusCode {
                match self {
                    $(Code::$code => StatusCode::$status,)*
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
    AddressInReason: UNPROCESSABLE_ENTITY, "address_in_reason", refused_address_in_reason,
        text::hint_address_in_reason();
    BadBan: UNPROCESSABLE_ENTITY, "bad_ban", refused_bad_ban, text::hint_bad_ban();
    BadExpiry: UNPROCESSABLE_ENTITY, "bad_expiry", refused_bad_expiry, text::hint_bad_expiry();
    BadHost: BAD_REQUEST, "bad_host", refused_bad_host, text::hint_bad_host();
    BadInvitation: UNPROCESSABLE_ENTITY, "bad_invitation", refused_bad_invitation, text::hint_bad_invitation();
    BadLease: UNPROCESSABLE_ENTITY, "bad_lease", refused_bad_lease, text::hint_bad_lease();
    BadLicence: UNPROCESSABLE_ENTITY, "bad_licence", refused_bad_licence, text::hint_bad_licence();
    BadMessage: UNPROCESSABLE_ENTITY, "bad_message", refused_bad_message, text::hint_bad_message();
    BadRequest: BAD_REQUEST, "bad_request", refused_bad_request, text::hint_bad_request();
    BadSemantics: UNPROCESSABLE_ENTITY, "bad_semantics", refused_bad_semantics, text::hint_bad_semantics();
    BadText: UNPROCESSABLE_ENTITY, "bad_text", refused_bad_text, text::hint_bad_text();
    BadTournament: UNPROCESSABLE_ENTITY, "bad_tournament", refused_bad_tournament, text::hint_bad_tournament();
    BannedNetwork: FORBIDDEN, "banned_network", refused_banned_network, text::hint_banned_network();
    Busy: SERVICE_UNAVAILABLE, "busy", refused_busy, text::hint_busy();
    CrossSite: FORBIDDEN, "cross_site", refused_cross_site, text::hint_cross_site();
    Damaged: INTERNAL_SERVER_ERROR, "damaged", refused_damaged, text::hint_damaged();
    Deleted: GONE, "deleted", refused_deleted, text::hint_deleted();
    DoesNotAssemble: UNPROCESSABLE_ENTITY, "does_not_assemble", refused_does_not_assemble,
        text::hint_does_not_assemble();
    DoesNotBundle: UNPROCESSABLE_ENTITY, "does_not_bundle", refused_does_not_bundle, text::hint_does_not_bundle();
    Draining: SERVICE_UNAVAILABLE, "draining", refused_draining, text::hint_draining();
    EmptyFile: UNPROCESSABLE_ENTITY, "empty_file", refused_empty_file, text::hint_empty_file();
    ForeignHost: MISDIRECTED_REQUEST, "foreign_host", refused_bad_host, text::hint_bad_host();
    GoesOn: CONFLICT, "goes_on", refused_goes_on, text::hint_goes_on();
    Gone: GONE, "gone", refused_gone, text::hint_no_such_game();
    Internal: INTERNAL_SERVER_ERROR, "internal", refused_internal, text::hint_internal();
    MethodNotAllowed: METHOD_NOT_ALLOWED, "method_not_allowed", refused_method_not_allowed,
        text::hint_method_not_allowed();
    NeedsScope: FORBIDDEN, "needs_scope", refused_needs_scope, text::hint_needs_scope();
    NoPicture: CONFLICT, "no_picture", refused_no_picture, text::hint_no_picture();
    NoPractice: UNPROCESSABLE_ENTITY, "no_practice", refused_no_practice, text::hint_room_no_rooms();
    NoSuchAuthor: NOT_FOUND, "no_such_author", refused_no_such_author, text::hint_no_such_author();
    NoSuchChapter: NOT_FOUND, "no_such_chapter", refused_no_such_chapter, text::hint_no_such_chapter();
    NoSuchEdition: NOT_FOUND, "no_such_edition", refused_no_such_edition, text::hint_no_such_edition();
    NoSuchEnd: NOT_FOUND, "no_such_end", refused_no_such_end, text::hint_no_such_end();
    NoSuchGame: NOT_FOUND, "no_such_game", refused_no_such_game, text::hint_no_such_game();
    NoSuchLesson: NOT_FOUND, "no_such_lesson", refused_no_such_lesson, text::hint_no_such_lesson();
    NoSuchListing: NOT_FOUND, "no_such_listing", refused_no_such_listing, text::hint_no_such_listing();
    NoSuchModule: NOT_FOUND, "no_such_module", refused_no_such_module, text::hint_no_such_module();
    NoSuchOperator: NOT_FOUND, "no_such_operator", refused_no_such_operator, text::hint_no_such_operator();
    NoSuchOrder: NOT_FOUND, "no_such_order", refused_no_such_order, text::hint_no_such_order();
    NoSuchPage: NOT_FOUND, "no_such_page", refused_no_such_page, text::hint_no_such_operator();
    NoSuchResult: NOT_FOUND, "no_such_result", refused_no_such_result, text::hint_no_such_result();
    NoSuchRoom: NOT_FOUND, "no_such_room", refused_no_such_room, text::hint_no_such_room();
    NoSuchSeat: NOT_FOUND, "no_such_seat", refused_no_such_seat, text::hint_no_such_seat();
    NoSuchSpan: NOT_FOUND, "no_such_span", refused_no_such_span, text::hint_no_such_span();
    NoSuchToken: NOT_FOUND, "no_such_token", refused_no_such_token, text::hint_no_such_token();
    NoSuchTournament: NOT_FOUND, "no_such_tournament", refused_no_such_tournament, text::hint_no_such_tournament();
    NoSuchVersion: NOT_FOUND, "no_such_version", refused_no_such_version, text::hint_no_such_version();
    NoSuchVolunteers: NOT_FOUND, "no_such_volunteers", refused_no_such_volunteers, text::hint_no_such_volunteers();
    NoSuchWorld: NOT_FOUND, "no_such_world", refused_no_such_world, text::hint_no_such_world();
    NoTurns: CONFLICT, "no_turns", refused_no_turns, text::hint_no_turns();
    NotByToken: FORBIDDEN, "needs_code", refused_needs_code, text::hint_needs_code();
    NotConfirmed: UNPROCESSABLE_ENTITY, "not_confirmed", refused_not_confirmed, text::hint_not_confirmed();
    NotFinished: CONFLICT, "not_finished", refused_not_finished, text::hint_not_finished();
    NotTheOperator: UNAUTHORIZED, "not_the_operator", refused_not_the_operator, text::hint_not_the_operator();
    NotYourBot: FORBIDDEN, "not_your_bot", refused_not_your_bot, text::hint_not_your_bot();
    OtherName: UNPROCESSABLE_ENTITY, "other_name", refused_other_name, text::hint_other_name();
    ReadOnly: SERVICE_UNAVAILABLE, "read_only", refused_read_only, text::hint_read_only();
    SignIn: UNAUTHORIZED, "sign_in", refused_sign_in, text::hint_sign_in();
    Stopping: SERVICE_UNAVAILABLE, "stopping", refused_stopping, text::hint_stopping();
    TextTooLong: PAYLOAD_TOO_LARGE, "text_too_long", refused_text_too_long, text::hint_text_too_long();
    TooLarge: PAYLOAD_TOO_LARGE, "too_large", refused_too_large, text::hint_too_large();
    TooSlow: REQUEST_TIMEOUT, "too_slow", refused_too_slow, text::hint_too_slow();
    Unavailable: SERVICE_UNAVAILABLE, "unavailable", refused_unavailable, text::hint_unavailable();
    UnknownPlayer: UNAUTHORIZED, "unknown_code", refused_unknown_code, text::hint_unknown_code();
    UnknownToken: UNAUTHORIZED, "unknown_token", refused_unknown_token, text::hint_unknown_token();
    UnsupportedMediaType: UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", refused_unsupported_media_type,
        text::hint_bad_request();
}
