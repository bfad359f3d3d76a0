//! Floats as texts, as Python has them.

/// The float that a text is, with digits, one point at most, `_` and an exponent.
#[unsafe(no_mangle)]
extern "C" fn arena_float_of(text: *const u8, len: usize) -> f64 {
    // SAFETY: there are so many bytes.
    let text = unsafe { core::slice::from_raw_parts(text, len) };
    let text: String = text.iter().filter(|byte| **byte != b'_').map(|byte| char::from(*byte)).collect();
    text.parse().unwrap_or(0.0)
}

/// Writes a float into a buffer of `size` bytes, with a zero behind it: as `repr` does (`r`), with `precision` digits behind the point (`f`),
/// as a number with an exponent (`e`), or as the shorter of both with so many digits (`g`). Returns its length.
#[unsafe(no_mangle)]
extern "C" fn mp_format_float(number: f64, buffer: *mut u8, size: usize, format: u8, precision: i32, sign: u8) -> i32 {
    let mut text = words(number.abs(), format.to_ascii_lowercase(), if precision < 0 { 6 } else { precision as usize });
    if number.is_sign_negative() && !number.is_nan() {
        text.insert(0, '-');
    } else if sign != 0 {
        text.insert(0, char::from(sign));
    }
    if format.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    let len = text.len().min(size.saturating_sub(1));
    // SAFETY: the buffer has space for as many, and one more.
    unsafe {
        core::ptr::copy_nonoverlapping(text.as_ptr(), buffer, len);
        buffer.add(len).write(0);
    }
    len as i32
}

fn words(number: f64, format: u8, precision: usize) -> String {
    if !number.is_finite() {
        return if number.is_nan() { "nan".into() } else { "inf".into() };
    }
    match format {
        b'f' => format!("{number:.precision$}"),
        b'e' => with_exponent(&format!("{number:.precision$e}")),
        b'r' if number == 0.0 || (1e-4..1e16).contains(&number) => format!("{number}"),
        b'r' => with_exponent(&format!("{number:e}")),
        _ => {
            let digits = precision.max(1);
            let scientific = format!("{number:.*e}", digits - 1);
            let exponent =
                scientific.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok()).unwrap_or(0);
            if exponent < -4 || exponent >= digits as i32 {
                let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
                return with_exponent(&format!("{}e{exponent}", trimmed(mantissa)));
            }
            trimmed(&format!("{number:.*}", (digits as i32 - 1 - exponent).max(0) as usize)).to_owned()
        }
    }
}

/// Without zeros at the end of a fraction.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// With the sign of the exponent, and two digits of it at least.
fn with_exponent(text: &str) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}
