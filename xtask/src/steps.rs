//! The steps of a command: each is announced, metered, and named when it fails.

use std::cell::{Cell, RefCell};

use anyhow::{Context, Result};

use crate::cost::{Cost, Meter};

/// The steps so far, in order.
#[derive(Default)]
pub(crate) struct Steps {
    done: RefCell<Vec<Done>>,
    /// How many there will be, if that is known.
    total: Cell<Option<usize>>,
}

struct Done {
    name: String,
    kind: Kind,
    cost: Cost,
}

/// What a step is for: their sums are printed apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It compiles or installs.
    Build,
    Work,
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
        self.run(name, Kind::Work, work)
    }

    /// The same for a step that compiles or installs.
    ///
    /// # Errors
    /// As [`Steps::step`].
    pub(crate) fn build<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.run(name, Kind::Build, work)
    }

    fn run<T>(&self, name: &str, kind: Kind, work: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("==> {}", self.announcement(name));
        let meter = Meter::start()?;
        let value = work().with_context(|| format!("step \"{name}\" failed"));
        let name = if value.is_ok() { name.to_owned() } else { format!("{name}: failed") };
        self.done.borrow_mut().push(Done { name, kind, cost: meter.read()? });
        value
    }

    /// The name, after the place among all steps. More than were expected are not counted.
    fn announcement(&self, name: &str) -> String {
        let place = self.done.borrow().len() + 1;
        match self.total.get() {
            Some(total) if place <= total => format!("{place} of {total}: {name}"),
            _ => name.to_owned(),
        }
    }

    /// What they cost without compiling and installing.
    pub(crate) fn work(&self) -> Cost {
        self.sum(|done| done.kind == Kind::Work)
    }

    fn sum(&self, counts: impl Fn(&Done) -> bool) -> Cost {
        let mut sum = Cost::default();
        self.done.borrow().iter().filter(|done| counts(done)).for_each(|done| sum += done.cost);
        sum
    }

    /// One line per step, then the sums.
    pub(crate) fn summary(&self) -> String {
        let mut lines = vec![format!("{:>10} {:>10}", "time", "processor")];
        lines.extend(self.done.borrow().iter().map(|done| format!("{}  {}", done.cost, done.name)));
        for (name, sum) in [
            ("compiling and installing", self.sum(|done| done.kind == Kind::Build)),
            ("the rest", self.work()),
            ("in all", self.sum(|_| true)),
        ] {
            lines.push(format!("{sum}  {name}"));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_step_is_named() {
        let steps = Steps::default();
        assert_eq!(steps.step("first", || Ok(7)).ok(), Some(7));
        let failed = steps.step("second", || -> Result<()> { anyhow::bail!("it rained") });
        let said = failed.map_err(|error| format!("{error:#}"));
        assert_eq!(said, Err("step \"second\" failed: it rained".to_owned()));
        let summary = steps.summary();
        assert!(summary.contains("first\n") && summary.contains("second: failed\n"), "{summary}");
        assert!(summary.ends_with("in all"), "{summary}");
    }

    #[test]
    fn builds_are_summed_apart() {
        let steps = Steps::default();
        assert!(steps.build("compiling", || Ok(())).is_ok() && steps.step("testing", || Ok(())).is_ok());
        let cost = Cost { wall: std::time::Duration::from_secs(2), processor: std::time::Duration::from_secs(3) };
        steps.done.borrow_mut().iter_mut().for_each(|done| done.cost = cost);
        let line = |seconds: [f64; 2], name: &str| format!("{:>8.1} s {:>8.1} s  {name}", seconds[0], seconds[1]);
        let sums =
            [line([2.0, 3.0], "compiling and installing"), line([2.0, 3.0], "the rest"), line([4.0, 6.0], "in all")];
        assert!(steps.summary().ends_with(&sums.join("\n")), "{}", steps.summary());
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
