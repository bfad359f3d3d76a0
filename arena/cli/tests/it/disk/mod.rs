//! A disk of a test's own, which can be full.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether a command did its work; it may not exist.
pub(crate) fn does(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|done| done.status.success())
}

/// A file system of its own in memory, which goes with the test.
pub(crate) struct Disk(PathBuf);

impl Disk {
    /// `None` where this process may not mount one.
    pub(crate) fn mounted(at: PathBuf, size: &str) -> Option<Disk> {
        fs::create_dir_all(&at).unwrap();
        let path = at.display().to_string();
        if !does("mount", &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs", &path]) {
            return None;
        }
        Some(Disk(at))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn try_remount(&self, options: &str) -> bool {
        does("mount", &["-o", &format!("remount,{options}"), &self.0.display().to_string()])
    }

    pub(crate) fn remount(&self, options: &str) {
        assert!(self.try_remount(options), "{options}");
    }

    /// Makes it so large that nothing more fits.
    pub(crate) fn fill(&self) {
        let fits = || {
            let used = Command::new("df").args(["--block-size=1K", "--output=used"]).arg(&self.0).output().unwrap();
            let used = String::from_utf8(used.stdout).unwrap();
            self.try_remount(&format!("size={}k", used.lines().last().unwrap().trim()))
        };
        // The site may write meanwhile, and what is used cannot be taken away.
        assert!((0..1_000).any(|_| fits()));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        does("umount", &["--lazy", &self.0.display().to_string()]);
    }
}
