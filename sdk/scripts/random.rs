//! Random numbers: of the seat's seed, one sequence for each turn, by the generator of the contract.

use core::cell::RefCell;

use arena_rules::Rng;

use crate::host::{self, Result, Value, argument};

thread_local! {
    static RNG: RefCell<Option<Rng>> = const { RefCell::new(None) };
    static OBJECT: RefCell<Value> = const { RefCell::new(Value::UNDEFINED) };
}

/// Makes `o.rng`.
pub(crate) fn install() -> Result<()> {
    let rng = Value::object()?;
    rng.method(c"word", 0, |_, _| Value::number(word()?.into()))?;
    rng.method(c"below", 1, below)?;
    rng.method(c"shuffle", 1, shuffle)?;
    OBJECT.set(rng.kept());
    Ok(())
}

/// Begins a turn's sequence, and gives it to the object that the turn gets.
pub(crate) fn begin(rng: Rng, o: &Value) -> Result<()> {
    RNG.set(Some(rng));
    o.set(c"rng", OBJECT.with_borrow(Value::clone))
}

/// The next number from 0 to 2 ** 32 - 1.
pub(crate) fn word() -> Result<u32> {
    RNG.with_borrow_mut(|rng| rng.as_mut().map(Rng::word)).ok_or_else(|| {
        host::type_error(
            "random numbers begin with the first turn, because their seed comes with it: draw them in turn(o)",
        )
    })
}

/// The next number from 0 to 1, 1 excluded, of 53 bits.
pub(crate) fn fraction() -> Result<Value> {
    const HIGH: f64 = 67_108_864.0;
    let (high, low) = (word()? >> 5, word()? >> 6);
    Value::fraction((f64::from(high) * HIGH + f64::from(low)) / (HIGH * 134_217_728.0))
}

fn below(_: &Value, arguments: &[Value]) -> Result<Value> {
    let Some(limit) = argument(arguments, 0).as_int().and_then(|limit| u32::try_from(limit).ok()) else {
        return Err(host::type_error("o.rng.below(n): n is a whole number, and the result one of 0 to n - 1"));
    };
    Value::number(arena_rules::scale(word()?, limit).into())
}

/// Shuffles a list in place, from its last element down, as the contract says.
fn shuffle(_: &Value, arguments: &[Value]) -> Result<Value> {
    let list = argument(arguments, 0);
    if !list.is_array() {
        return Err(host::type_error("o.rng.shuffle(list) needs a list"));
    }
    for last in (1..list.len()?).rev() {
        let other = arena_rules::scale(word()?, last + 1);
        let (one, two) = (list.at(last)?, list.at(other)?);
        list.put(last, two)?;
        list.put(other, one)?;
    }
    Ok(list.clone())
}
