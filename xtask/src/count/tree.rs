//! The files of the workspace, as they are now or as they were in a commit.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;

use super::language::Language;
use crate::files::remove_folder;
use crate::process::output;
use crate::workspace::Workspace;

/// A file in a counted language.
pub(super) struct File {
    /// Relative to the root.
    pub(super) path: String,
    pub(super) language: Language,
    pub(super) text: String,
}

/// The files to count.
pub(super) struct Tree {
    pub(super) files: Vec<File>,
    /// Folders in the root that are crates.
    pub(super) crates: BTreeSet<String>,
}

/// The files that git tracks or would track, as they are now.
///
/// # Errors
/// If the workspace is not under git, or a file cannot be read.
pub(super) fn here(workspace: &Workspace) -> Result<Tree> {
    let names = git(workspace, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    read(&names, &workspace.root)
}

/// The files of a commit.
///
/// # Errors
/// If Git knows no such commit, or `target` cannot be written.
pub(super) fn at(workspace: &Workspace, revision: &str) -> Result<Tree> {
    let commit = git(workspace, &["rev-parse", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")])
        .with_context(|| format!("there is no commit {revision}"))?;
    let commit = commit.trim_end();
    let names = git(workspace, &["ls-tree", "-r", "-z", "--name-only", commit])?;
    let folder = workspace.target.join("count");
    remove_folder(&folder)?;
    let tree = folder.join("tree");
    fs::create_dir_all(&tree)?;
    let archive = folder.join("tree.tar");
    output(workspace_git(workspace).args(["archive", "--format=tar", "--output"]).arg(&archive).arg(commit))?;
    output(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&tree))?;
    let tree = read(&names, &tree)?;
    remove_folder(&folder)?;
    Ok(tree)
}

/// The files with these names, each ended by a zero byte, that exist in a folder.
fn read(names: &str, folder: &Path) -> Result<Tree> {
    let mut tree = Tree { files: Vec::new(), crates: BTreeSet::new() };
    for path in names.split_terminator('\0') {
        if let Some((parent, "Cargo.toml")) = path.split_once('/') {
            tree.crates.insert(parent.to_owned());
        }
        let Some(language) = Language::of(path) else { continue };
        // A removed file stays tracked until the next commit.
        if folder.join(path).is_file() {
            tree.files.push(File { path: path.to_owned(), language, text: fs::read_to_string(folder.join(path))? });
        }
    }
    Ok(tree)
}

fn git(workspace: &Workspace, arguments: &[&str]) -> Result<String> {
    output(workspace_git(workspace).args(arguments))
}

fn workspace_git(workspace: &Workspace) -> Command {
    let mut git = Command::new("git");
    git.current_dir(&workspace.root);
    git
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_a_language_and_crates_of_the_root_are_found() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir(folder.path().join("a"))?;
        for path in ["a/Cargo.toml", "a/b.rs", "c.css"] {
            fs::write(folder.path().join(path), path)?;
        }
        let tree = read("a/Cargo.toml\0a/b.rs\0a/removed.rs\0c.css\0d/e/Cargo.toml\0", folder.path())?;
        let paths: Vec<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a/b.rs", "c.css"]);
        assert_eq!(tree.crates, BTreeSet::from(["a".to_owned()]));
        Ok(())
    }

    #[test]
    fn what_is_no_commit_is_refused() -> Result<()> {
        let workspace = Workspace::here()?;
        assert!(at(&workspace, "no-such-commit").is_err());
        assert!(at(&workspace, "--all").is_err());
        Ok(())
    }
}
