//! The files of `sdk/` that are compiled in: templates, layers and the contract.

/// Files by their paths in `sdk/`, with their texts.
const SDK: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sdk.rs"));

/// A file of the SDK, or all files in one of its folders, with their destinations.
pub(super) fn under(from: &str, to: &str) -> impl Iterator<Item = (String, &'static str)> {
    SDK.iter().filter_map(move |(path, text)| {
        let rest = path.strip_prefix(from)?;
        let rest = match rest.strip_prefix('/') {
            Some(rest) => rest,
            None if rest.is_empty() => rest,
            None => return None,
        };
        // Under its real name, git would apply it to this repository.
        let rest = if rest == "gitignore" { ".gitignore" } else { rest };
        let between = if to.is_empty() || rest.is_empty() { "" } else { "/" };
        Some((format!("{to}{between}{rest}"), *text))
    })
}
