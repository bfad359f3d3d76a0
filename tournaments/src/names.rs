//! Names of entrants in tables of text. They are the organiser's word, so each has its id beside it.

use std::collections::BTreeMap;

use arena_record::EntrantId;

/// The character that begins a text whose direction is its own, and the one that ends it. Source: Unicode, annex 9.
const ISOLATED: [char; 2] = ['\u{2068}', '\u{2069}'];

/// A text between the characters that isolate it from what is beside it, if it has letters that are written from right
/// to left.
pub fn isolated(text: &str) -> String {
    let is_leftward = |letter| {
        matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    };
    let [begin, end] = ISOLATED;
    if text.contains(is_leftward) && !text.contains(begin) { format!("{begin}{text}{end}") } else { text.into() }
}

/// The columns of names and ids in a table.
pub(crate) struct Names<'a> {
    ids: BTreeMap<&'a str, &'a EntrantId>,
    /// Characters of the longest name.
    width: usize,
    /// Characters of the longest id.
    id_width: usize,
}

impl<'a> Names<'a> {
    /// The columns for these names.
    pub(crate) fn of(named: impl IntoIterator<Item = (&'a str, &'a EntrantId)>) -> Names<'a> {
        let ids: BTreeMap<&str, &EntrantId> = named.into_iter().collect();
        let width = ids.keys().map(|name| name.chars().count()).max().unwrap_or(0).max("bot".len());
        let id_width = ids.values().map(|id| id.short().len()).max().unwrap_or(0).max("id".len());
        Names { ids, width, id_width }
    }

    /// A name and an id, each as wide as the longest.
    pub(crate) fn cells(&self, name: &str, id: &str) -> String {
        // The characters that isolate a name take no room.
        let (shown, width) = (isolated(name), self.width);
        let width = width + shown.chars().count() - name.chars().count();
        format!("{shown:<width$}  {id:<0$}", self.id_width)
    }

    /// One name with its id, within a line.
    pub(crate) fn called(&self, name: &str) -> String {
        let id = self.ids.get(name).map_or("", |id| id.short());
        format!("{} {id}", isolated(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{by_strength, entrants, play, won};
    use crate::{
        Field, Format, Gauntlet, Knockout, Ladder, Lives, RoundRobin, ScheduledGame, Seeding, Settled, Standings,
        Swiss, TieBreaks,
    };
    use arena_rules::Rng;

    #[test]
    fn a_name_from_right_to_left_is_isolated_and_takes_no_more_room() {
        let names = ["ant", "مريم", "long-name"];
        let ids = names.map(|name| EntrantId::of_bytes(name.as_bytes()));
        let columns = Names::of(names.into_iter().zip(&ids));
        for (name, id) in names.into_iter().zip(&ids) {
            let cells = columns.cells(name, id.short());
            let shown = cells.chars().filter(|letter| !ISOLATED.contains(letter));
            assert_eq!(shown.collect::<String>(), format!("{name:<9}  {}", id.short()));
            assert_eq!(cells.contains(ISOLATED), name == "مريم");
            assert!(columns.called(name).ends_with(id.short()));
        }
        assert_eq!(isolated("\u{2068}مريم\u{2069}"), "\u{2068}مريم\u{2069}", "once");
    }

    /// Every line of a table or picture that has a name of an entrant as a word has its id, too. Sentences below the
    /// standings name bots of the table above them.
    #[test]
    fn no_line_of_a_table_has_a_name_without_its_id() {
        let mut names = entrants(7);
        names[3].id = names[1].id.clone();
        names[4].display = Some("Team 4".into());
        let tie_breaks = TieBreaks::default();
        let formats: [Box<dyn Format>; 7] = [
            Box::new(RoundRobin::new(3, 2)),
            Box::new(Gauntlet { seed: 3, pairs: 3, stop: None }),
            Box::new(Swiss { seed: 3, pairs: 2, rounds: 5, tie_breaks }),
            Box::new(Knockout { seed: 3, pairs: 2, further_pairs: 2, seeding: Seeding::Draw, lives: Lives::One }),
            Box::new(Knockout { seed: 3, pairs: 2, further_pairs: 2, seeding: Seeding::Given, lives: Lives::Two }),
            Box::new(Ladder { seed: 3, rounds: 9, stop: None }),
            Box::new(Field { seed: 1, seats: 2, games: 40, pairs: 2 }),
        ];
        for format in formats {
            let level = |game: ScheduledGame| (game.clone(), won(None, game.number));
            let settled: Settled = match format.name() {
                "field" => format.next(&names, &Settled::default()).iter().map(level).collect(),
                _ => play(&*format, &names, by_strength(&mut Rng::new(&[6; 32], 3), 0.4)),
            };
            let standings = format.standings(&names, &settled);
            let mut texts = format.reports(None, &names, &settled);
            let tables = Standings { notes: Vec::new(), ..standings };
            texts.extend(tables.files());
            texts.push(("standings.md", tables.to_markdown()));
            texts.push(("games.csv", crate::games_csv(&names, &settled).collect()));
            let mut named = 0;
            for (file, line) in texts.iter().flat_map(|(file, text)| text.lines().map(move |line| (file, line))) {
                if file.ends_with("json") {
                    continue;
                }
                let words: Vec<&str> = line.split(|letter: char| !letter.is_alphanumeric()).collect();
                for entrant in &names {
                    let is_named = words.contains(&&*entrant.name) || line.contains(entrant.shown());
                    named += usize::from(is_named);
                    let said = format!("{}, {file}: {line}", format.name());
                    assert!(!is_named || line.contains(entrant.id.short()), "{said}");
                }
            }
            assert!(named > 20, "{}: {named}", format.name());
        }
    }
}
