//! What pages say, in both languages, on sites in states that are drawn by lot: counts agree with their nouns, no text
//! was left unfilled, names are printed as they were given, links lead to something, and a number is the same wherever
//! it stands.

mod editions;
mod night;
mod page;
mod town;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use self::page::Page;
use self::town::Town;
use crate::client::get;
use crate::fixture::{Fixture, OPERATOR};
use crate::routes::is_of;
use crate::snapshot::addresses_of_people;

/// Addresses that nobody reads there: they need a bot that plays here, an account's form sent before, or are no pages
/// but pictures, and chapters of the guide, which are the same on every site.
const UNREAD: [&str; 13] = [
    "/bots/{name}/picture.png",
    "/bots/{name}/versions/{number}",
    "/authors/{number}",
    "/games/{id}/picture.png",
    "/games/{id}/log",
    "/games/{id}/again",
    "/games/{id}/profile",
    "/account/code",
    "/account/token",
    "/guide/",
    "/guide.md",
    "/llms.txt",
    "/guide/files/{*path}",
];

/// The site that the gate looks at.
const GATE: u64 = 1;

/// Pages that one visitor reads at most, in each language.
const PAGES_MAX: usize = 100;
/// How many clicks from its first pages a visitor goes at most.
const CLICKS_MAX: usize = 8;
/// Pages after which the clock is moved forward, so that nobody's share of requests is used up, and by how much.
const PAUSE_AFTER: usize = 40;
const PAUSE: Duration = Duration::from_secs(4);

/// Nouns that pages count, each with its plural, by language.
const NOUNS: [(&str, &[(&str, &str)]); 2] = [
    (
        "en",
        &[
            ("account", "accounts"),
            ("bot", "bots"),
            ("cell", "cells"),
            ("coin", "coins"),
            ("copy", "copies"),
            ("day", "days"),
            ("edition", "editions"),
            ("entrant", "entrants"),
            ("game", "games"),
            ("generation", "generations"),
            ("hour", "hours"),
            ("kingdom", "kingdoms"),
            ("line", "lines"),
            ("minute", "minutes"),
            ("month", "months"),
            ("pair", "pairs"),
            ("place", "places"),
            ("player", "players"),
            ("point", "points"),
            ("room", "rooms"),
            ("round", "rounds"),
            ("seat", "seats"),
            ("second", "seconds"),
            ("slot", "slots"),
            ("spectator", "spectators"),
            ("submission", "submissions"),
            ("token", "tokens"),
            ("tournament", "tournaments"),
            ("turn", "turns"),
            ("unit", "units"),
            ("version", "versions"),
            ("week", "weeks"),
            ("world", "worlds"),
        ],
    ),
    (
        "es",
        &[
            ("bot", "bots"),
            ("casilla", "casillas"),
            ("célula", "células"),
            ("copia", "copias"),
            ("cuenta", "cuentas"),
            ("día", "días"),
            ("edición", "ediciones"),
            ("envío", "envíos"),
            ("espectador", "espectadores"),
            ("generación", "generaciones"),
            ("hora", "horas"),
            ("jugador", "jugadores"),
            ("línea", "líneas"),
            ("mes", "meses"),
            ("minuto", "minutos"),
            ("moneda", "monedas"),
            ("mundo", "mundos"),
            ("par", "pares"),
            ("participante", "participantes"),
            ("partida", "partidas"),
            ("plaza", "plazas"),
            ("punto", "puntos"),
            ("reino", "reinos"),
            ("ronda", "rondas"),
            ("sala", "salas"),
            ("segundo", "segundos"),
            ("semana", "semanas"),
            ("torneo", "torneos"),
            ("turno", "turnos"),
            ("unidad", "unidades"),
            ("versión", "versiones"),
        ],
    ),
];

/// What stands in no sentence: what a program says of a value that it lacks or cannot print.
const UNFILLED: [&str; 7] = ["undefined", "NaN", "[object", "Some(", "None", "null", "{}"];

/// Pages whose text is about programs, and may have such words.
const OF_PROGRAMS: [&str; 2] = ["/guide", "/api"];

/// Who reads.
struct Reader<'a> {
    name: &'a str,
    code: Option<&'a str>,
    /// Where it begins.
    from: Vec<String>,
}

/// Everybody who reads a site: a stranger, its operator, and its people.
fn readers(town: &Town) -> Vec<Reader<'_>> {
    let addresses = addresses_of_people().into_iter().filter(|(method, path)| method == "GET" && !path.contains('{'));
    let front: Vec<String> = addresses.map(|(_, path)| path).collect();
    let stranger = Reader { name: "a stranger", code: None, from: front.clone() };
    let operator = Reader { name: "the operator", code: Some(OPERATOR), from: vec!["/operator".into()] };
    let people = town.codes.iter().map(|(name, code)| Reader { name, code: Some(code), from: front.clone() });
    [stranger, operator].into_iter().chain(people).collect()
}

/// Reads the pages of a site, and lists everything that is false in them.
async fn false_words(seed: u64) -> (Vec<String>, BTreeSet<String>) {
    let town = Town::built(seed).await;
    let fixture = &town.fixture;
    let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
    for reader in readers(&town) {
        for (language, nouns) in NOUNS {
            for (path, page) in read(fixture, &reader, language, &mut wrong).await {
                let faults = faults(&page, &path, nouns, &town.names);
                wrong.extend(faults.into_iter().map(|fault| format!("{}, {language}, {path}: {fault}", reader.name)));
                seen.insert(path.split('?').next().unwrap_or_default().to_owned());
            }
        }
    }
    wrong.extend(town.numbers().await);
    town.fixture.end().await;
    (wrong, seen)
}

/// The pages that a reader finds, by following links. Notes links that lead nowhere.
async fn read(
    fixture: &Fixture,
    reader: &Reader<'_>,
    language: &str,
    wrong: &mut Vec<String>,
) -> BTreeMap<String, Page> {
    let mut waiting: Vec<(String, String)> = reader.from.iter().map(|path| (path.clone(), String::new())).collect();
    let (mut known, mut pages): (BTreeSet<String>, BTreeMap<String, Page>) =
        (reader.from.iter().cloned().collect(), BTreeMap::new());
    let mut parts: Vec<(String, String, String)> = Vec::new();
    for _ in 0..CLICKS_MAX {
        for (path, from) in std::mem::take(&mut waiting) {
            if pages.len() == PAGES_MAX {
                break;
            }
            if pages.len() % PAUSE_AFTER == PAUSE_AFTER - 1 {
                fixture.clock.advance(PAUSE);
            }
            let ask = get(&path).with("accept", "text/html").with("accept-language", language);
            let answer = fixture.ask(if let Some(code) = reader.code { ask.bearer(code) } else { ask }).await;
            assert_ne!(answer.status, 429, "{path}: {}", answer.text);
            let leads = answer.status.as_u16() < 400 || matches!(answer.status.as_u16(), 401 | 403);
            if !leads && !from.is_empty() {
                wrong.push(format!("{}, {from}: its link to {path} gets {}", reader.name, answer.status));
            }
            if !answer.header("content-type").starts_with("text/html") {
                continue;
            }
            let page = Page::of(&answer.text);
            for link in &page.links {
                let (to, part) = link.split_once('#').unwrap_or((link.as_str(), ""));
                let to = if to.is_empty() { path.clone() } else { to.to_owned() };
                if !part.is_empty() && !part.contains('=') {
                    parts.push((path.clone(), to.clone(), part.to_owned()));
                }
                // Chapters of the guide are the same on every site, and files are no pages.
                let is_a_page = !["/static/", "/api/", "/guide/"].iter().any(|other| to.starts_with(other));
                if is_a_page && !to.contains("/picture.png") && known.insert(to.clone()) {
                    waiting.push((to, path.clone()));
                }
            }
            pages.insert(path, page);
        }
    }
    for (from, to, part) in parts {
        if pages.get(&to).is_some_and(|page| !page.ids.contains(&part)) {
            wrong.push(format!("{}, {from}: its link leads to #{part}, which is not in {to}", reader.name));
        }
    }
    pages
}

/// What is false in a page.
fn faults(page: &Page, path: &str, nouns: &[(&str, &str)], names: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for line in &page.lines {
        found.extend(miscounted(line, nouns).map(|what| format!("\"{what}\" in \"{line}\"")));
        let is_of_programs = OF_PROGRAMS.iter().any(|of| path.starts_with(of));
        let line_of_values = line.replace("None of ", "");
        let is_unfilled =
            |word: &&&str| line_of_values.split([' ', '"', '(', ')', ',', '.', ':']).any(|one| one == **word);
        if let (Some(word), false) = (UNFILLED.iter().find(is_unfilled), is_of_programs) {
            found.push(format!("\"{word}\" in \"{line}\""));
        }
        let is_open = |at: usize| line[at + 1..].split_once('}').is_some_and(|(place, _)| place.parse::<u8>().is_ok());
        if line.match_indices('{').any(|(at, _)| is_open(at)) {
            found.push(format!("a part is missing in \"{line}\""));
        }
        found.extend(names.iter().filter_map(|name| respelt(line, name)).map(|what| format!("a name as \"{what}\"")));
    }
    for (from, to) in &page.named {
        if !page.ids.contains(to) {
            found.push(format!("{from} names #{to}, which is not there"));
        }
    }
    found
}

/// Numbers with nouns that do not agree with them: one with a plural, or any other whole number with a singular.
fn miscounted<'a>(line: &'a str, nouns: &'a [(&str, &str)]) -> impl Iterator<Item = String> + 'a {
    let words: Vec<&str> = line.split_whitespace().collect();
    let pairs: Vec<(&str, &str)> = words.windows(2).map(|pair| (pair[0], pair[1])).collect();
    pairs.into_iter().filter_map(|(number, noun)| {
        let number = number.trim_start_matches(['(', '“', '"']);
        let count: u64 = number.replace(',', "").parse().ok()?;
        let noun: String = noun.chars().take_while(|letter| letter.is_alphabetic()).collect();
        let (one, many) = nouns.iter().find(|(one, many)| *one == noun || *many == noun)?;
        let agrees = one == many || (count == 1) == (noun == *one);
        (!agrees).then(|| format!("{count} {noun}"))
    })
}

/// Where a name stands in other letters than it was given.
fn respelt(line: &str, name: &str) -> Option<String> {
    let (small, small_name) = (line.to_lowercase(), name.to_lowercase());
    // Where a small letter has another length, positions differ; no name here has one.
    let places = small.match_indices(&small_name).map(|(at, _)| at);
    let spelt: Vec<&str> = places.filter_map(|at| line.get(at..at + name.len())).collect();
    spelt.into_iter().find(|spelt| *spelt != name).map(str::to_owned)
}

#[test]
fn counts_placeholders_and_names_are_judged() {
    let [(_, english), (_, spanish)] = NOUNS;
    let of = |line: &str, nouns: &[(&str, &str)]| miscounted(line, nouns).collect::<Vec<_>>();
    assert_eq!(of("1 bots and 0 game, (1 games), 21 bot of 1,001 game", english).len(), 5);
    assert_eq!(of("1 bot and 0 games, 2 bots, version 1 of 1 of them, 1.5 game", english), Vec::<String>::new());
    assert_eq!(of("1 partidas, 2 bots, 0 partida.", spanish), ["1 partidas", "0 partida"]);
    assert_eq!(respelt("Quillon won", "quillon").as_deref(), Some("Quillon"));
    assert_eq!(respelt("quillon won", "quillon"), None);
    let page = |text: &str| Page::of(&format!("<main><p>{text}</p></main>"));
    let count = |text: &str| faults(&page(text), "/", english, &[]).len();
    for (text, wrong) in [("NaN games", 1), ("{0} is here", 1), ("nobody", 0), ("<a aria-describedby=\"x\">y</a>", 1)] {
        assert_eq!(count(text), wrong, "{text}");
    }
    assert_eq!(count("<script>1 bots</script> 1 <b>bots</b>"), 1, "what is marked up is read with the rest");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_says_what_is_not_so() {
    let (wrong, seen) = false_words(GATE).await;
    assert_eq!(wrong, Vec::<String>::new());
    let pages = addresses_of_people().into_iter().filter(|(method, _)| method == "GET").map(|(_, address)| address);
    let unread: Vec<String> = pages.filter(|page| !seen.iter().any(|path| is_of(page, path))).collect();
    assert_eq!(unread, UNREAD);
}
