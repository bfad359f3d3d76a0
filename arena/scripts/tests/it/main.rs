//! The law of scripts, for what the fuzzer starts from and what it once found.

mod law;

use std::fs;
use std::path::Path;

/// Bytes from one place where a seed is cut to the next.
const STEP: usize = 7;

#[test]
fn the_law_of_scripts_holds_for_the_seeds_of_the_fuzzer_cut_anywhere() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/script");
    let mut count = 0;
    for seed in fs::read_dir(seeds).expect("the folder") {
        let bytes = fs::read(seed.expect("an entry").path()).expect("a file");
        law::holds_for(&bytes);
        (0..bytes.len()).step_by(STEP).for_each(|at| law::holds_for(&bytes[..at]));
        (0..bytes.len()).step_by(STEP).for_each(|at| law::holds_for(&bytes[at..]));
        count += 1;
    }
    assert!(count > 0, "there are seeds");
}
