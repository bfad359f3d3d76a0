//! The steps of a command: each is announced, timed, and named when it fails.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The steps so far, in order.
#[derive(Default)]
pub(crate) struct Steps {
    done: RefCell<Vec<(String, Duration)>>,
    /// How many there will be, if that is known.
    total: Cell<Option<usize>>,
}

impl Steps {
    /// From now on, steps are announced as one of so many.
    pub(crate) fn expect(&self, total: usize) {
        self.total.set(Some(total));
    }

    /// Announces and runs one step.
    ///
    /// # Errors
    /// The step's own, preceded by its name.
    pub(crate) fn step<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("==> {}", self.announcement(name));
        let start = Instant::now();
        let value = work().with_context(|| format!("step \"{name}\" failed"))?;
        self.done.borrow_mut().push((name.to_owned(), start.elapsed()));
        Ok(value)
    }

    /// The name, after the place among all steps. More than were expected are not counted.
    fn announcement(&self, name: &str) -> String {
        let place = self.done.borrow().len() + 1;
        match self.total.get() {
            Some(total) if place <= total => format!("{place} of {total}: {name}"),
            _ => name.to_owned(),
        }
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

    #[test]
    fn a_step_is_announced_as_one_of_all_where_their_number_is_known() {
        let steps = Steps::default();
        assert_eq!(steps.announcement("linting"), "linting");
        steps.expect(2);
        assert_eq!(steps.announcement("linting"), "1 of 2: linting");
        assert!(steps.step("linting", || Ok(())).is_ok());
        assert_eq!(steps.announcement("testing"), "2 of 2: testing");
        assert!(steps.step("testing", || Ok(())).is_ok());
        assert_eq!(steps.announcement("more"), "more");
    }
}
