//! The steps of a command: each is announced, timed, and named when it fails.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The steps so far, in order.
#[derive(Default)]
pub(crate) struct Steps {
    done: RefCell<Vec<(String, Duration)>>,
}

impl Steps {
    /// Announces and runs one step.
    ///
    /// # Errors
    /// The step's own, preceded by its name.
    pub(crate) fn step<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("==> {name}");
        let start = Instant::now();
        let value = work().with_context(|| format!("step \"{name}\" failed"))?;
        self.done.borrow_mut().push((name.to_owned(), start.elapsed()));
        Ok(value)
    }

    /// Their total duration.
    pub(crate) fn took(&self) -> Duration {
        self.done.borrow().iter().map(|(_, took)| *took).sum()
    }

    /// One line per step with its duration, then the sum.
    pub(crate) fn summary(&self) -> String {
        let done = self.done.borrow();
        let mut lines: Vec<String> =
            done.iter().map(|(name, took)| format!("{:>8.1} s  {name}", took.as_secs_f64())).collect();
        lines.push(format!("{:>8.1} s  in all", self.took().as_secs_f64()));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_step_is_named_and_not_counted() {
        let steps = Steps::default();
        assert_eq!(steps.step("first", || Ok(7)).ok(), Some(7));
        let failed = steps.step("second", || -> Result<()> { anyhow::bail!("it rained") });
        let said = failed.map_err(|error| format!("{error:#}"));
        assert_eq!(said, Err("step \"second\" failed: it rained".to_owned()));
        let summary = steps.summary();
        assert!(summary.contains("first") && !summary.contains("second"), "{summary}");
        assert!(summary.ends_with("in all"), "{summary}");
    }
}
