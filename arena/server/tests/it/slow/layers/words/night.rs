//! The same on more sites.

use super::false_words;

/// How many sites a night reads; which ones, its seed says.
const SITES: u64 = 6;

#[tokio::test(flavor = "multi_thread")]
async fn no_page_of_any_site_says_what_is_not_so() {
    let mut all = Vec::new();
    let night = std::env::var("ARENA_NIGHT_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    for seed in (0..SITES).map(|site| SITES.wrapping_mul(night).wrapping_add(site)) {
        let (wrong, _) = false_words(seed).await;
        all.extend(wrong.into_iter().map(|wrong| format!("site {seed}: {wrong}")));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
