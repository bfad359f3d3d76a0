//! The layout of these tests is that of the routes: a module that answers at an address has a file of its own name
//! here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Folders of modules in `src`, each with that of their tests.
const FOLDERS: [(&str, &str); 2] = [("api", "api"), ("pages", "people")];

/// Files about what several modules do together: the folder, the file, what it follows.
const JOURNEYS: [(&str, &str, &str); 3] = [
    ("api", "players", "the example programs, from a token to the end of a game"),
    ("people", "rated", "a rated game, from practice to the leaderboard"),
    ("people", "sources", "a source, from its author's licence to another author's draft"),
];

/// The files of a folder of this crate by their names, but for the one about the folder itself.
fn files(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let sources = entries.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let names = sources.map(|path| path.file_stem().and_then(|name| name.to_str()).expect("text").to_owned());
    names.filter(|name| name != "mod").collect()
}

/// The modules of a folder that the router sends requests to.
fn addressed(folder: &str) -> BTreeSet<String> {
    let path = format!("{folder}::");
    // What follows is a module, or something that the folder itself defines.
    let named = include_str!("../../../src/router.rs").split(&path).skip(1).filter_map(|rest| rest.split_once("::"));
    let modules = named.map(|(module, _)| module.to_owned());
    modules.filter(|module| module.chars().all(|c| c.is_ascii_lowercase() || c == '_')).collect()
}

#[test]
fn each_module_with_an_address_has_a_file_of_its_name_and_each_file_a_module() {
    for (modules, tests) in FOLDERS {
        let (there, addressed) = (files(&format!("tests/it/slow/{tests}")), addressed(modules));
        assert!(addressed.len() > 15, "{addressed:?}");
        let without: Vec<_> = addressed.difference(&there).collect();
        assert!(without.is_empty(), "tests/it/slow/{tests} has no file for {without:?} of src/{modules}");
        let known = files(&format!("src/{modules}"));
        let others: Vec<_> = there.difference(&known).map(String::as_str).collect();
        let journeys = JOURNEYS.into_iter().filter(|(folder, ..)| *folder == tests);
        let journeys: Vec<_> = journeys.map(|(_, file, _)| file).collect();
        assert_eq!(others, journeys, "files in tests/it/slow/{tests} that no module of src/{modules} is called like");
    }
}

#[test]
fn each_file_is_compiled_and_has_a_test() {
    for (_, tests) in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/slow").join(tests);
        let read = |file: &str| fs::read_to_string(folder.join(format!("{file}.rs"))).expect("text");
        let declared = read("mod");
        for file in files(&format!("tests/it/slow/{tests}")) {
            assert!(declared.contains(&format!("mod {file};\n")), "{tests}/mod.rs leaves out {file}");
            assert!(read(&file).contains("\n#[tokio::test"), "{tests}/{file}.rs has no test");
        }
    }
}
