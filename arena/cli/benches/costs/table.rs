//! Figures by section and name.

/// What a figure is measured in.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    /// So many a second.
    PerSecond,
    /// Millionths of a second; noted in seconds.
    Micros,
    /// Thousandths of a second; noted in seconds.
    Millis,
    /// A ratio.
    Times,
    /// A number of things.
    Count,
    /// Millions of bytes; noted in bytes.
    Megabytes,
}

impl Unit {
    fn shown(self, value: f64) -> String {
        match self {
            Unit::PerSecond => format!("{value:.0}"),
            Unit::Micros => format!("{:.1} us", value * 1e6),
            Unit::Millis => format!("{:.1} ms", value * 1e3),
            Unit::Times => format!("{value:.2}"),
            Unit::Count => format!("{value:.0}"),
            Unit::Megabytes => format!("{:.0} MB", value / 1e6),
        }
    }
}

/// Figures, in the order of their first mention.
#[derive(Default)]
pub(crate) struct Table(Vec<Figure>);

struct Figure {
    section: String,
    name: String,
    unit: Unit,
    values: Vec<f64>,
    /// What the median may be at most.
    bar: Option<f64>,
}

impl Figure {
    /// The least, the median and the most.
    fn spread(&self) -> [f64; 3] {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        [0, sorted.len() / 2, sorted.len() - 1].map(|at| sorted[at])
    }

    fn holds(&self) -> bool {
        self.bar.is_none_or(|bar| self.spread()[1] <= bar)
    }
}

impl Table {
    /// Takes in what one round says.
    pub(crate) fn note(&mut self, section: &str, name: &str, unit: Unit, value: f64) {
        match self.0.iter_mut().find(|figure| figure.section == section && figure.name == name) {
            Some(figure) => figure.values.push(value),
            None => {
                self.0.push(Figure {
                    section: section.into(),
                    name: name.into(),
                    unit,
                    values: vec![value],
                    bar: None,
                });
            }
        }
    }

    /// The same for a figure whose median is to be at most `bar`.
    pub(crate) fn hold(&mut self, section: &str, name: &str, unit: Unit, value: f64, bar: f64) {
        self.note(section, name, unit, value);
        let held = self.0.iter_mut().find(|figure| figure.section == section && figure.name == name);
        held.expect("just noted").bar = Some(bar);
    }

    /// Whether no median is beyond its bar.
    pub(crate) fn holds(&self) -> bool {
        self.0.iter().all(Figure::holds)
    }

    /// Prints medians and spreads, section by section.
    #[expect(clippy::print_stdout, reason = "a benchmark is for reading")]
    pub(crate) fn print(&self, rounds: usize) {
        println!("processor time, median of {rounds} interleaved rounds (least - most)");
        let mut sections: Vec<&str> = Vec::new();
        for Figure { section, .. } in &self.0 {
            if !sections.contains(&section.as_str()) {
                sections.push(section);
            }
        }
        for section in sections {
            println!("\n{section}");
            for figure in self.0.iter().filter(|figure| figure.section == section) {
                let Figure { name, unit, bar, .. } = figure;
                let [least, middle, most] = figure.spread().map(|value| unit.shown(value));
                let bar = bar.map_or(String::new(), |bar| format!(", at most {}", unit.shown(bar)));
                let beyond = if figure.holds() { String::new() } else { format!("  BEYOND: {section}") };
                println!("  {name:<56}{middle:>12}   ({least} - {most}{bar}){beyond}");
            }
        }
    }
}
