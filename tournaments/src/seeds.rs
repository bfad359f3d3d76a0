//! How a definition seeds its entrants: in its own order, by their ratings, or by a file.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::keys::{BY_RATING, Keys};
use crate::located::line_of;
use crate::problem::{DefinitionError, Problem, wrong};

/// Starts a comment line in the file.
const COMMENT: char = '#';
/// The column of a table with the entrants' names.
const NAME_COLUMN: &str = "name";

/// The source of the order.
pub(crate) enum Order {
    Given,
    /// Highest first. Entrants without a rating come last, in the given order.
    Ratings(Vec<Option<i32>>),
    /// The file's name.
    File(String),
}

impl Order {
    /// The order from the keys of a definition, whose text places errors.
    pub(crate) fn of(text: &str, Keys { seeding, seeds, entrants, .. }: &Keys) -> Result<Order, DefinitionError> {
        let is_by_rating = seeding.as_deref() == Some(BY_RATING);
        let rated = entrants.iter().position(|entrant| entrant.rating.is_some());
        if let Some(place) = rated.filter(|_| !is_by_rating) {
            return wrong(line_of(text, "entrants.rating", Some(place)), "rating", Problem::WithoutSeeding);
        }
        match seeds {
            Some(_) if seeding.is_some() => wrong(None, "seeds", Problem::BothSeedings),
            Some(file) => Ok(Order::File(file.clone())),
            None if is_by_rating => Ok(Order::Ratings(entrants.iter().map(|entrant| entrant.rating).collect())),
            None => Ok(Order::Given),
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
            Order::File(file) => {
                let wrong = |why: String| wrong(None, "seeds", Problem::Seeds { file: file.clone(), why });
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
