//! The same on more sites.

use std::ops::Range;

use super::false_words;

const SITES: Range<u64> = 2..8;

#[tokio::test(flavor = "multi_thread")]
async fn no_page_of_any_site_says_what_is_not_so() {
    let mut all = Vec::new();
    for seed in SITES {
        let (wrong, _) = false_words(seed).await;
        all.extend(wrong.into_iter().map(|wrong| format!("site {seed}: {wrong}")));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
