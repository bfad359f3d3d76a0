//! Which files are product code, and the product folder of each file.

use std::collections::BTreeSet;

use super::language::Language;
use super::rust;
use super::tree::File;

/// Folders of tests, at any depth.
const TEST_FOLDERS: [&str; 2] = ["tests", "benches"];

/// Folders used only by tests: the second implementation of the rules, the shared code of bots' tests, targets for
/// libFuzzer.
const FOR_TESTS: [&str; 3] = ["arena/oracle/", "bots/gallery/testing/", "fuzz/"];

/// The suffix of JavaScript test files.
const TEST_FILE: &str = ".test.mjs";

/// The prefix of files of tests in Python.
const TEST_PREFIX: &str = "test_";

/// The suffix of types that are generated.
const GENERATED: &str = ".d.ts";

/// The files that are product code.
pub(super) fn of(files: &[File]) -> Vec<&File> {
    let candidates: Vec<&File> = files.iter().filter(|file| !is_test(&file.path)).collect();
    let modules = test_modules(&candidates);
    candidates.into_iter().filter(|file| !is_of_a_module(&file.path, &modules)).collect()
}

/// Whether a file is a test, or generated, by its path.
fn is_test(path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    [TEST_FILE, GENERATED].iter().any(|suffix| path.ends_with(suffix))
        || (file.starts_with(TEST_PREFIX) && file.ends_with(".py"))
        || FOR_TESTS.iter().any(|folder| path.starts_with(folder))
        || folder.split('/').any(|part| TEST_FOLDERS.contains(&part))
}

/// The paths, without extension, of modules that their parents declare as tests.
fn test_modules(files: &[&File]) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for file in files.iter().filter(|file| file.language == Language::Rust) {
        let folder = folder_of_modules(&file.path);
        modules.extend(rust::Source::read(&file.text).test_modules.iter().map(|name| format!("{folder}/{name}")));
    }
    modules
}

/// The folder in which rustc looks for the modules that a file declares.
fn folder_of_modules(path: &str) -> &str {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let own = ["/main", "/lib", "/mod"].iter().find_map(|name| stem.strip_suffix(name));
    own.unwrap_or(stem)
}

/// Whether a file is one of these modules, or below it.
fn is_of_a_module(path: &str, modules: &BTreeSet<String>) -> bool {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    modules.contains(stem) || path.match_indices('/').any(|(end, _)| modules.contains(&path[..end]))
}

/// The folder under which a file is counted: a crate in the root, or else the first two components of its path.
pub(super) fn folder(path: &str, crates: &BTreeSet<String>) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    match parts[..] {
        [first, second, _, ..] if !crates.contains(first) => format!("{first}/{second}"),
        [first, ..] => first.to_owned(),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_no_product_wherever_they_are() {
        for test in [
            "arena/cli/tests/it/new.rs",
            "arena/oracle/src/lib.rs",
            "fuzz/targets/wire.rs",
            "web/tests/lib/site.mjs",
            "web/types/wire.d.ts",
            "sdk/x/a.test.mjs",
            "sdk/x/test_bot.py",
            "bots/gallery/testing/a.rs",
            "sdk/templates/rust-games/a/benches/turns.rs",
        ] {
            assert!(is_test(test), "{test}");
        }
        for product in
            ["arena/cli/src/new.rs", "sdk/rust/src/testing.rs", "sdk/x/bot.py", "web/static/tests.js", "sdk/fuzz/a.rs"]
        {
            assert!(!is_test(product), "{product}");
        }
    }

    #[test]
    fn a_module_of_tests_in_a_file_of_its_own_is_no_product() {
        let file = |path: &str, text: &str| File { path: path.into(), language: Language::Rust, text: text.into() };
        let files = [
            file("a/src/main.rs", "mod b;\n#[cfg(test)]\nmod tidy;\n"),
            file("a/src/b.rs", "#[cfg(all(test, unix))]\nmod tests;\n"),
            file("a/src/b/tests.rs", ""),
            file("a/src/b/tests_of_time.rs", ""),
            file("a/src/tidy.rs", ""),
            file("a/src/tidy/more.rs", ""),
        ];
        let paths: Vec<&str> = of(&files).iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a/src/main.rs", "a/src/b.rs", "a/src/b/tests_of_time.rs"]);
    }

    #[test]
    fn a_file_is_counted_under_its_crate_or_part() {
        let crates = BTreeSet::from(["xtask".to_owned()]);
        for (path, expected) in [
            ("xtask/src/count.rs", "xtask"),
            ("arena/cli/src/new/names.rs", "arena/cli"),
            ("web/static/app.js", "web/static"),
            ("web/a.js", "web"),
            ("a.rs", "a.rs"),
        ] {
            assert_eq!(folder(path, &crates), expected);
        }
    }
}
