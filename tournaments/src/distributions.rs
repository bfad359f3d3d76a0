//! Student's t and the beta distribution, by arithmetic that is the same on every machine.
//!
//! Both follow from the regularised incomplete beta function I_x(a, b). Source: NIST Digital Library of Mathematical Functions,
//! 8.17.22 (its continued fraction, by the method of Lentz) and 8.17.4 (its symmetry); Student's t by 8.17.2.

/// Terms of the continued fraction, which needs about the root of its larger parameter.
const TERMS_MAX: usize = 20_000;
/// It ends when a term changes nothing any more.
const TINY: f64 = 1e-14;
/// Halvings that find a quantile to the last bit.
const HALVINGS: usize = 60;
/// Quantiles of Student's t lie below this: that of 2.5 % with one degree of freedom is 12.7.
const T_MAX: f64 = 64.0;

/// The probability that Student's t with so many degrees of freedom is above a value, which is not negative.
pub(crate) fn t_above(value: f64, degrees: f64) -> f64 {
    0.5 * beta_below(degrees / 2.0, 0.5, degrees / (degrees + value * value))
}

/// The value that Student's t is above with this probability, from 0.5 % to a half.
pub(crate) fn t_quantile(probability: f64, degrees: f64) -> f64 {
    halved(T_MAX, |value| t_above(value, degrees) > probability)
}

/// The value that a beta variable is below with this probability.
pub(crate) fn beta_quantile(probability: f64, a: f64, b: f64) -> f64 {
    halved(1.0, |value| beta_below(a, b, value) < probability)
}

/// The probability that a beta variable is below a value: I_x(a, b).
fn beta_below(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let log_front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x);
    let front = libm::exp(log_front);
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(a, b, x) / a
    } else {
        1.0 - front * fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction, which converges fast below the mean.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let inverse = |value: f64| 1.0 / if libm::fabs(value) < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value };
    let mut c = 1.0;
    let mut d = inverse(1.0 - (a + b) * x / (a + 1.0));
    let mut product = d;
    for number in 1..TERMS_MAX {
        let number = number as f64;
        let even = number * (b - number) * x / ((a + 2.0 * number - 1.0) * (a + 2.0 * number));
        let odd = -(a + number) * (a + b + number) * x / ((a + 2.0 * number) * (a + 2.0 * number + 1.0));
        let mut change = 1.0;
        for numerator in [even, odd] {
            d = inverse(1.0 + numerator * d);
            c = 1.0 + numerator / c;
            change = c * d;
            product *= change;
        }
        if libm::fabs(change - 1.0) < TINY {
            break;
        }
    }
    product
}

/// The largest value from 0 to `most` that is still below.
fn halved(most: f64, is_below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, most);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if is_below(middle) { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() <= 1e-9 * wanted.abs(), "{found}, {wanted}");
    }

    /// Source: scipy.stats.t.isf and .sf.
    #[test]
    fn student_is_that_of_tables() {
        for (degrees, quantile, above_two) in [
            (1.0, 12.706_204_736_174_705, 0.147_583_617_650_433_26),
            (2.0, 4.302_652_729_749_464, 0.091_751_709_536_136_98),
            (5.0, 2.570_581_835_636_315_5, 0.050_969_739_414_929_174),
            (39.0, 2.022_690_920_036_761, 0.026_249_507_671_927_373),
            (200.0, 1.971_896_223_633_909_3, 0.023_426_593_093_535_484),
        ] {
            close(t_quantile(0.025, degrees), quantile);
            close(t_above(2.0, degrees), above_two);
        }
        close(t_above(0.0, 3.0), 0.5);
        close(t_above(30.0, 3.0), 4.067_640_213_581_979e-5);
        close(t_above(8.0, 39.0), 4.732_761_206_223_772e-10);
    }

    /// Source: scipy.stats.beta.ppf.
    #[test]
    fn beta_is_that_of_tables() {
        for (probability, a, b, wanted) in BETA {
            close(beta_quantile(probability, a, b), wanted);
        }
    }

    const BETA: [(f64, f64, f64, f64); 6] = [
        (0.025, 1.0, 40.0, 0.000_632_744_932_049_419_1),
        (0.975, 1.0, 40.0, 0.088_097_302_878_802_37),
        (0.025, 0.94, 375.0, 5.186_116_885_694_165e-05),
        (0.975, 1.94, 374.0, 0.014_493_776_752_438_837),
        (0.025, 5000.0, 15_000.0, 0.244_022_787_430_750_04),
        (0.975, 250_000.5, 9_750_000.0, 0.025_096_904_249_093_36),
    ];
}
