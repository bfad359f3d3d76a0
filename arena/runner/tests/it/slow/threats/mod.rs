//! Hostile inputs, row by row: files that are no bots, and bots that do what they can to lose, hang, cheat or break
//! out.
//!
//! Each row has the number it has in the project's list of threats: A for the file, B for the running bot. Its cases go
//! the way an upload goes, [`arena_runner::qualify`] with worker processes. A refusal has a stable code; a fault ends
//! the bot's own two games with a code and gives them to the other seat. Nothing panics, and a game of honest players,
//! played beside each case in the same pool of workers, has the same record each time. Then the cases end the same in
//! the other engines (`engines.rs`).

mod bots;
mod contents;
mod cost;
mod engines;
mod faults;
mod files;
mod laws;
mod rows;

use rows::{Proof, Row};

/// Every row that has a fixture here. The others of the list are about versions, quotas, opponents and processes, and
/// stand with those: A18 to A20 and B19, B20, B22 to B26.
fn wanted() -> Vec<String> {
    let a = [1].into_iter().chain(3..=17).map(|number| format!("A{number}"));
    let b = (1..=18).chain([21]).map(|number| format!("B{number}"));
    a.chain(b).collect()
}

fn all() -> Vec<Row> {
    [files::rows(), contents::rows(), cost::rows(), faults::rows(), laws::rows()].into_iter().flatten().collect()
}

#[test]
fn no_row_is_missing_and_none_is_empty() {
    let mut found = Vec::new();
    for Row { id, proof } in all() {
        found.push(id.to_string());
        match proof {
            Proof::Cases(cases) => assert!(!cases.is_empty(), "{id}"),
            Proof::Law(_) => {}
            Proof::Elsewhere { text, test } => {
                assert!(text.contains(&format!("#[test]\nfn {test}(")), "{id}: there is no test {test}");
            }
        }
    }
    let order = |id: &String| (id[..1].to_string(), id[1..].parse::<u32>().unwrap());
    found.sort_by_key(order);
    found.dedup();
    assert_eq!(found, wanted());
}

#[test]
fn files_that_are_no_modules() {
    rows::hold(files::rows());
}

#[test]
fn modules_that_are_no_bots() {
    rows::hold(contents::rows());
}

#[test]
fn modules_and_bots_that_cost_too_much() {
    rows::hold(cost::rows());
}

#[test]
fn bots_that_fail() {
    rows::hold(faults::rows());
}

#[test]
fn what_no_bot_gains() {
    rows::hold(laws::rows());
}
