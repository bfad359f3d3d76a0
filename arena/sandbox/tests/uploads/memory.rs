//! What a process keeps, read now and then.

use std::fmt;

/// Resident memory, in bytes, by the number of uploads answered so far.
#[derive(Default)]
pub(crate) struct Memory(Vec<(u64, u64)>);

impl Memory {
    /// Notes what the process has now; nothing where the system does not say.
    pub(crate) fn read(&mut self, uploads: u64) {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.strip_suffix("kB"));
        self.0.extend(line.and_then(|kib| kib.trim().parse::<u64>().ok()).map(|kib| (uploads, kib << 10)));
    }

    /// Bytes that an upload adds, by least squares over the second half of the readings; 0 for fewer than two.
    pub(crate) fn slope(&self) -> f64 {
        let mut all: Vec<(f64, f64)> = self.0.iter().map(|(uploads, bytes)| (*uploads as f64, *bytes as f64)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let half = &all[all.len() / 2..];
        let mean = |of: fn(&(f64, f64)) -> f64| half.iter().map(of).sum::<f64>() / half.len().max(1) as f64;
        let (x, y) = (mean(|at| at.0), mean(|at| at.1));
        let covariance: f64 = half.iter().map(|at| (at.0 - x) * (at.1 - y)).sum();
        let variance: f64 = half.iter().map(|at| (at.0 - x) * (at.0 - x)).sum();
        if variance > 0.0 { covariance / variance } else { 0.0 }
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib: Vec<String> = self.0.iter().map(|(_, bytes)| (bytes >> 20).to_string()).collect();
        write!(f, "memory in MiB: {}", mib.join(" "))
    }
}

#[test]
fn the_slope_is_that_of_the_second_half() {
    let rising = |uploads: u64| if uploads < 50 { 7_000 * uploads } else { 350_000 + 3 * (uploads - 50) };
    let memory = Memory((0..100).map(|uploads| (uploads, rising(uploads))).collect());
    assert!((memory.slope() - 3.0).abs() < 1e-9, "{}", memory.slope());
    assert!(Memory::default().slope() == 0.0);
}
