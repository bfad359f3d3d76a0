//! Sentences beside standings.

/// A sentence beside the standings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Its subject.
    pub kind: NoteKind,
    /// One line.
    pub text: String,
}

/// The subject of a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteKind {
    /// The meaning of a column.
    Meaning,
    /// A result of the games.
    Fact,
    /// Games that do not count.
    Void,
}

impl Note {
    pub(crate) fn meaning(text: &str) -> Note {
        Note { kind: NoteKind::Meaning, text: text.into() }
    }

    pub(crate) fn fact(text: String) -> Note {
        Note { kind: NoteKind::Fact, text }
    }

    /// A note on games that are not played because an entrant had left; `None` without such games.
    pub(crate) fn cancelled(games: usize) -> Option<Note> {
        let text = format!("games not played: {games}; an entrant had left before");
        (games > 0).then_some(Note { kind: NoteKind::Fact, text })
    }

    /// A note on this many void games; `None` for 0.
    pub(crate) fn void(games: u32) -> Option<Note> {
        let text = format!(
            "void games: {games}; they count for nobody: a bot's process died in them each time, or a bot was quarantined before"
        );
        (games > 0).then_some(Note { kind: NoteKind::Void, text })
    }
}
