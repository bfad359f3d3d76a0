//! How a definition seeds its entrants: in its own order, by their ratings, or by a file.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use toml::Spanned;

use crate::problem::{DefinitionError, Problem, wrong};

/// The value of `seeding` for the order of ratings.
pub(crate) const BY_RATING: &str = "rating";
/// Starts a comment line in the file.
const COMMENT: char = '#';
/// The column of a table with the entrants' names.
const NAME_COLUMN: &str = "name";

/// The source of the order.
pub(crate) enum Order {
    Given,
    /// Highest first. Entrants without a rating come last, in the given order.
    Ratings(Vec<Option<i32>>),
    /// The file's name, and the line of the definition that names it.
    File(String, usize),
}

impl Order {
    /// The order from the keys of a definition and of its entrants.
    pub(crate) fn of<'a>(
        text: &str,
        seeding: &Option<Spanned<String>>,
        seeds: &Option<Spanned<String>>,
        ratings: impl Iterator<Item = Option<&'a Spanned<i32>>> + Clone,
    ) -> Result<Order, DefinitionError> {
        let line = |at: usize| 1 + text[..at].matches('\n').count();
        let is_by_rating = seeding.as_ref().is_some_and(|seeding| seeding.get_ref() == BY_RATING);
        if let (Some(rating), false) = (ratings.clone().flatten().next(), is_by_rating) {
            return wrong(Some(line(rating.span().start)), "rating", Problem::WithoutSeeding);
        }
        match (seeds, seeding) {
            (Some(seeds), Some(_)) => wrong(Some(line(seeds.span().start)), "seeds", Problem::BothSeedings),
            (Some(seeds), None) => Ok(Order::File(seeds.get_ref().clone(), line(seeds.span().start))),
            _ if is_by_rating => {
                Ok(Order::Ratings(ratings.map(|rating| rating.map(|rating| *rating.get_ref())).collect()))
            }
            _ => Ok(Order::Given),
        }
    }

    /// The entrants in this order, best seeded first; each has a name.
    pub(crate) fn seeded<E>(
        self,
        mut entrants: Vec<E>,
        name: impl Fn(&E) -> &str,
        read: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<Vec<E>, DefinitionError> {
        match self {
            Order::Given => {}
            Order::Ratings(ratings) => {
                let mut rated: Vec<(Option<i32>, E)> = ratings.into_iter().zip(entrants).collect();
                rated.sort_by_key(|(rating, _)| Reverse(*rating));
                entrants = rated.into_iter().map(|(_, entrant)| entrant).collect();
            }
            Order::File(file, line) => {
                let wrong = |why: String| wrong(Some(line), "seeds", Problem::Seeds { file: file.clone(), why });
                let places = match read(&file).and_then(|text| places(&text)) {
                    Ok(places) => places,
                    Err(why) => return wrong(why),
                };
                if let Some(missing) = entrants.iter().find(|entrant| !places.contains_key(name(entrant))) {
                    return wrong(format!("no line names the entrant {:?}", name(missing)));
                }
                entrants.sort_by_key(|entrant| places.get(name(entrant)).copied());
            }
        }
        Ok(entrants)
    }
}

/// The line of each name in a file: one name per line, or a table with column names in its first line, such as
/// `standings.csv`. A name contains no quotation mark and no apostrophe, so those around it are the table's (`csv_text`
/// writes `'-one`).
fn places(text: &str) -> Result<BTreeMap<String, usize>, String> {
    let columns: Vec<&str> = text.lines().next().unwrap_or_default().split(',').collect();
    let column = columns.iter().position(|column| column.trim() == NAME_COLUMN).filter(|_| columns.len() > 1);
    let mut places = BTreeMap::new();
    for (number, line) in text.lines().enumerate().skip(usize::from(column.is_some())) {
        let name = line.split(',').nth(column.unwrap_or(0)).unwrap_or_default().trim().trim_matches(['"', '\'']);
        if name.is_empty() || name.starts_with(COMMENT) {
            continue;
        }
        if places.insert(name.into(), number).is_some() {
            return Err(format!("line {}: {name:?} appears twice", number + 1));
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::csv_text;

    #[test]
    fn a_table_names_entrants_as_tables_of_standings_do() {
        for name in ["one", "-one", "--", "-", "_one", ".1"] {
            let table = format!("rank,name,id\n1,{},x\n", csv_text(name));
            assert_eq!(places(&table), Ok(BTreeMap::from([(name.into(), 1)])), "{table}");
        }
    }
}
