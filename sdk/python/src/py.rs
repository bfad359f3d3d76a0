//! MicroPython, as far as this crate needs it. All `unsafe` of the crate is here and in the exports.
//!
//! Its values are words. Those that are references live as long as something that the collector sees refers to them; it runs between calls
//! of ours alone, so here they are as good as numbers. What is kept longer is [`Value::kept`].

use core::cell::{Cell, RefCell};
use core::ffi::{CStr, c_char, c_int, c_void};
use std::rc::Rc;
use std::thread_local;

/// A value of the script.
#[repr(transparent)]
#[derive(Clone, PartialEq)]
pub(crate) struct Value(usize);

/// An error was raised; MicroPython has it.
#[derive(Debug)]
pub(crate) struct Thrown;

pub(crate) type Result<T> = core::result::Result<T, Thrown>;

/// A function of ours: gets the object whose method it is, and the arguments.
pub(crate) type Native = fn(&Value, &[Value]) -> Result<Value>;

/// What an object of the script may hold for us.
pub(crate) type Held = Rc<dyn core::any::Any>;

/// What is wrong with an action that is a coroutine, and with options that are none.
pub(crate) const PROMISE: &str = "a generator: leave out `yield` and `async`";
pub(crate) const OPTIONS: &str = "options go by name, such as generations=4";

/// A line that is running, or that an error came through.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Place {
    file: *const c_char,
    pub(crate) line: u32,
    function: *const c_char,
}

unsafe extern "C" {
    fn arena_start(top: *const c_void, stack: usize);
    fn arena_collect();
    fn arena_spend();
    fn arena_is_full() -> c_int;
    fn arena_running(places: *mut Place, most: usize) -> usize;
    fn arena_take_raised() -> usize;
    fn arena_raise(kind: c_int, text: *const u8, len: usize);
    fn arena_trace(error: usize, places: *mut Place, most: usize) -> usize;
    fn arena_type_of(value: usize) -> c_int;
    fn arena_int(number: i64) -> usize;
    fn arena_float(number: f64) -> usize;
    fn arena_str(text: *const u8, len: usize) -> usize;
    fn arena_list(count: usize, values: *const usize) -> usize;
    fn arena_cells(count: usize, numbers: *const u16) -> usize;
    fn arena_to_float(value: usize) -> f64;
    fn arena_to_int(value: usize, number: *mut isize) -> c_int;
    fn arena_text(value: usize, len: *mut usize) -> *const u8;
    fn arena_described(value: usize, as_repr: c_int) -> usize;
    fn arena_item(value: usize, name: *const u8, len: usize) -> usize;
    fn arena_items(value: usize, len: *mut usize, items: *mut *mut usize);
    fn arena_call(function: usize, count: usize, values: *const usize) -> usize;
    fn arena_keep(slot: usize, value: usize);
    fn arena_set_global(name: *const u8, len: usize, value: usize) -> usize;
    fn arena_global(name: *const u8, len: usize) -> usize;
    fn arena_run(text: *const u8, len: usize, file: *const c_char) -> usize;
    fn arena_function(kind: c_int, index: u32, options: c_int, name: *const u8, len: usize) -> usize;
    fn arena_class(name: *const u8, len: usize) -> usize;
    fn arena_object(class: usize, held: *mut c_void, bytes: usize) -> usize;
    fn arena_set_field(object: usize, name: *const u8, len: usize, value: usize) -> usize;
    fn arena_held(value: usize) -> *const c_void;
    safe static arena_column: Column;
}

#[repr(transparent)]
struct Column(Cell<usize>);

// SAFETY: a module has one thread.
unsafe impl Sync for Column {}

const NONE: usize = 6;
const FALSE: usize = 1 << 3 | 6;
const TRUE: usize = 3 << 3 | 6;

/// What `arena_type_of` says.
const INT: c_int = 1;
const FLOAT: c_int = 2;
const STR: c_int = 3;
const LIST: c_int = 4;
const TUPLE: c_int = 5;
const DICT: c_int = 6;
const FUNCTION: c_int = 7;
const GENERATOR: c_int = 8;

/// Kinds of functions of ours.
const PLAIN: c_int = 0;
const METHOD: c_int = 1;
const GETTER: c_int = 2;
/// Those that take options by name, after as many arguments as they need.
const WITH_OPTIONS: [&str; 3] = ["best", "candidates", "worths"];

/// Objects that hold something have it twice: as what they hold, and here as its size.
const HELD_BYTES: usize = 48;

thread_local! {
    static NATIVES: RefCell<Vec<(Native, bool)>> = const { RefCell::new(Vec::new()) };
    static KEPT: Cell<usize> = const { Cell::new(0) };
    /// The class of objects without one of their own.
    static PLAIN_CLASS: RefCell<Value> = const { RefCell::new(Value::NULL) };
}

/// Makes the interpreter, with so many bytes of the machine's stack.
pub(crate) fn start(stack: usize) -> Result<()> {
    let here = 0_u8;
    // SAFETY: called once, before anything else of MicroPython.
    unsafe { arena_start((&raw const here).cast(), stack) };
    PLAIN_CLASS.set(Value::prototype(c"Object")?.kept());
    Ok(())
}

/// Looks for garbage if much was made, or in any case. To be called between turns.
pub(crate) fn collect(in_any_case: bool) {
    // SAFETY: no value is anywhere but where MicroPython sees it.
    unsafe {
        if in_any_case || arena_is_full() != 0 {
            arena_collect();
        }
    }
}

/// Gives the memory free that is kept for the report of an error.
pub(crate) fn spend() {
    // SAFETY: MicroPython runs.
    unsafe { arena_spend() }
}

/// The lines that are running, the innermost first.
pub(crate) fn running(places: &mut [Place]) -> usize {
    // SAFETY: there is space for as many.
    unsafe { arena_running(places.as_mut_ptr(), places.len()) }
}

/// Runs a script.
pub(crate) fn run(text: &str, name: &CStr) -> Result<Value> {
    // SAFETY: the text is of this length, and the name ends in a zero.
    checked(unsafe { arena_run(text.as_ptr(), text.len(), name.as_ptr()) })
}

/// The error that was raised.
pub(crate) fn caught() -> Value {
    // SAFETY: called after an error.
    Value(unsafe { arena_take_raised() })
}

/// Raises a `TypeError`.
pub(crate) fn type_error(message: &str) -> Thrown {
    raise(0, message)
}

/// Raises a `ValueError`.
pub(crate) fn range_error(message: &str) -> Thrown {
    raise(1, message)
}

fn raise(kind: c_int, message: &str) -> Thrown {
    // SAFETY: the text is of this length.
    unsafe { arena_raise(kind, message.as_ptr(), message.len()) };
    Thrown
}

/// Where a syntax error is in its line.
pub(crate) fn column() -> usize {
    arena_column.0.get()
}

/// What has the global variables as its attributes.
pub(crate) fn global() -> Value {
    Value(0)
}

fn checked(raw: usize) -> Result<Value> {
    if raw == 0 { Err(Thrown) } else { Ok(Value(raw)) }
}

/// A name as Python has it: `skip_used` for `skipUsed`; and what is a word of the language with a line behind it.
fn name(of: &CStr) -> String {
    let mut name = String::new();
    for letter in of.to_bytes().iter().map(|byte| char::from(*byte)) {
        // Classes begin with a capital.
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
            name.push(letter.to_ascii_lowercase());
        } else {
            name.push(letter);
        }
    }
    if name == "pass" {
        name.push('_');
    }
    name
}

impl Value {
    pub(crate) const UNDEFINED: Value = Value(NONE);
    pub(crate) const NULL: Value = Value(NONE);

    /// A whole number. Without memory for a large one the game ends.
    pub(crate) fn int(number: i32) -> Value {
        Value::number(number.into()).unwrap_or_else(|Thrown| crate::arena_fail())
    }

    pub(crate) fn bool(is: bool) -> Value {
        Value(if is { TRUE } else { FALSE })
    }

    /// A number: an integer if it is whole.
    pub(crate) fn number(number: f64) -> Result<Value> {
        const SMALL: f64 = 1_073_741_824.0;
        if number.fract() != 0.0 || !number.is_finite() {
            return Value::fraction(number);
        }
        if (-SMALL..SMALL).contains(&number) {
            return Ok(Value((number as i32 as usize) << 1 | 1));
        }
        // SAFETY: MicroPython runs.
        checked(unsafe { arena_int(number as i64) })
    }

    pub(crate) fn fraction(number: f64) -> Result<Value> {
        // SAFETY: MicroPython runs.
        checked(unsafe { arena_float(number) })
    }

    pub(crate) fn text(text: &str) -> Result<Value> {
        // SAFETY: pointer and length are those of a string.
        checked(unsafe { arena_str(text.as_ptr(), text.len()) })
    }

    pub(crate) fn object() -> Result<Value> {
        PLAIN_CLASS.with_borrow(|class| {
            // SAFETY: it is a class of ours.
            checked(unsafe { arena_object(class.0, core::ptr::null_mut(), 0) })
        })
    }

    /// The class of objects of ours.
    pub(crate) fn prototype(name: &CStr) -> Result<Value> {
        let name = name.to_bytes();
        // SAFETY: pointer and length are those of a string.
        checked(unsafe { arena_class(name.as_ptr(), name.len()) })
    }

    /// The same, for as long as the interpreter runs.
    pub(crate) fn kept(self) -> Value {
        let slot = KEPT.replace(KEPT.get() + 1);
        // SAFETY: a dozen are kept, and there is space for sixteen.
        unsafe { arena_keep(slot, self.0) };
        self
    }

    pub(crate) fn array(values: Vec<Value>) -> Result<Value> {
        // SAFETY: a value is a word.
        checked(unsafe { arena_list(values.len(), values.as_ptr().cast()) })
    }

    /// A list of pairs of whole numbers.
    pub(crate) fn cells(cells: impl IntoIterator<Item = (u16, u16)>) -> Result<Value> {
        let numbers: Vec<[u16; 2]> = cells.into_iter().map(|(row, col)| [row, col]).collect();
        // SAFETY: there are two numbers for each pair.
        checked(unsafe { arena_cells(numbers.len(), numbers.as_ptr().cast()) })
    }

    /// A pair of whole numbers.
    pub(crate) fn pair(one: i32, two: i32) -> Result<Value> {
        Value::cells([(one as u16, two as u16)])?.at(0)
    }

    /// As MicroPython has it.
    pub(crate) fn raw(self) -> usize {
        self.0
    }

    fn kind(&self) -> c_int {
        // SAFETY: the value lives.
        unsafe { arena_type_of(self.0) }
    }

    pub(crate) fn is_undefined(&self) -> bool {
        self.0 == NONE
    }

    /// Whether attributes are to be looked for.
    pub(crate) fn is_object(&self) -> bool {
        self.kind() >= DICT
    }

    pub(crate) fn is_string(&self) -> bool {
        self.kind() == STR
    }

    pub(crate) fn is_array(&self) -> bool {
        matches!(self.kind(), LIST | TUPLE)
    }

    pub(crate) fn is_function(&self) -> bool {
        self.kind() == FUNCTION
    }

    /// Whether it is a function that has yet to run.
    pub(crate) fn is_promise(&self) -> bool {
        self.kind() == GENERATOR
    }

    /// The whole number that it is; `None` for anything else, such as a string of digits.
    pub(crate) fn as_int(&self) -> Option<i32> {
        if self.0 & 1 == 1 {
            return Some(self.0 as i32 >> 1);
        }
        match self.kind() {
            INT => {
                let mut number = 0;
                // SAFETY: it is an integer.
                (unsafe { arena_to_int(self.0, &mut number) } != 0).then_some(number as i32)
            }
            FLOAT => {
                let number = self.to_number().ok()?;
                (f64::from(number as i32) == number).then_some(number as i32)
            }
            _ => None,
        }
    }

    /// The number that it is.
    pub(crate) fn to_number(&self) -> Result<f64> {
        match self.kind() {
            // SAFETY: it is a number.
            INT | FLOAT => Ok(unsafe { arena_to_float(self.0) }),
            _ => Err(type_error("this is to be a number")),
        }
    }

    /// What `str(value)` is.
    pub(crate) fn to_text(&self) -> Result<String> {
        self.described(false)
    }

    /// What `repr(value)` is.
    pub(crate) fn to_json(&self) -> Result<Value> {
        Value::text(&self.described(true)?)
    }

    fn described(&self, as_repr: bool) -> Result<String> {
        // SAFETY: the value lives; what is returned is a string.
        unsafe {
            let text = checked(arena_described(self.0, as_repr.into()))?;
            let mut len = 0;
            let data = arena_text(text.0, &mut len);
            Ok(String::from_utf8_lossy(core::slice::from_raw_parts(data, len)).into_owned())
        }
    }

    /// An attribute, or an item of a dict; none if there is none.
    pub(crate) fn get(&self, of: &CStr) -> Result<Value> {
        let name = name(of);
        // SAFETY: the value lives, and the name is of this length.
        unsafe {
            if self.0 == 0 {
                return checked(arena_global(name.as_ptr(), name.len()));
            }
            checked(arena_item(self.0, name.as_ptr(), name.len()))
        }
    }

    /// The elements of a list or a tuple: where they are, and how many.
    fn items(&self) -> (*mut Value, usize) {
        let (mut len, mut items) = (0, core::ptr::null_mut());
        // SAFETY: it is a list or a tuple, and a value is a word.
        unsafe { arena_items(self.0, &mut len, &mut items) };
        (items.cast(), len)
    }

    fn place(&self, index: u32) -> Result<*mut Value> {
        let (items, len) = self.items();
        // SAFETY: there is such an element.
        if (index as usize) < len {
            Ok(unsafe { items.add(index as usize) })
        } else {
            Err(range_error("a list has changed"))
        }
    }

    pub(crate) fn at(&self, index: u32) -> Result<Value> {
        // SAFETY: there is such an element.
        Ok(unsafe { (*self.place(index)?).clone() })
    }

    pub(crate) fn len(&self) -> Result<u32> {
        Ok(self.items().1 as u32)
    }

    /// Replaces an element of a list.
    pub(crate) fn put(&self, index: u32, to: Value) -> Result<()> {
        if self.kind() != LIST {
            return Err(type_error("a tuple cannot be changed: use a list"));
        }
        let place = self.place(index)?;
        // SAFETY: there is such an element, and nothing of ours refers to it.
        unsafe { place.write(to) };
        Ok(())
    }

    /// Sets an attribute.
    pub(crate) fn set(&self, of: &CStr, to: Value) -> Result<()> {
        let name = name(of);
        // SAFETY: the object is one of ours.
        let done = unsafe {
            if self.0 == 0 {
                arena_set_global(name.as_ptr(), name.len(), to.0)
            } else {
                arena_set_field(self.0, name.as_ptr(), name.len(), to.0)
            }
        };
        checked(done).map(drop)
    }

    fn is_class(&self) -> bool {
        self.0 != 0 && self.kind() == FUNCTION
    }

    /// Gives a class a method, or an object a function.
    pub(crate) fn method(&self, of: &CStr, length: u8, native: Native) -> Result<()> {
        let kind = if self.is_class() { METHOD } else { PLAIN };
        self.set(of, function(kind, of, length, native)?)
    }

    /// What it is as a word is known to `objects`.
    pub(crate) fn words(&self, _: Native) -> Result<()> {
        Ok(())
    }

    /// In Python nothing turns into JSON by itself.
    pub(crate) fn json(&self, _: Native) -> Result<()> {
        Ok(())
    }

    /// Gives a class a property that is computed.
    pub(crate) fn getter(&self, of: &CStr, native: Native) -> Result<()> {
        self.set(of, function(GETTER, of, 0, native)?)
    }

    /// Makes a class global, with this to make an object.
    pub(crate) fn class(&self, of: &CStr, length: u8, native: Native) -> Result<()> {
        self.set(c"__new__", function(PLAIN, of, length, native)?)?;
        global().set(of, self.clone())
    }

    pub(crate) fn call(&self, arguments: &[Value]) -> Result<Value> {
        // SAFETY: all values live, and a value is a word.
        checked(unsafe { arena_call(self.0, arguments.len(), arguments.as_ptr().cast()) })
    }

    /// An object of this class that holds something of ours.
    pub(crate) fn holding(class: &Value, held: Held) -> Result<Value> {
        let bytes = size_of_val(&*held) + HELD_BYTES;
        let held = Box::into_raw(Box::new(held));
        // SAFETY: the class is one of ours; the box is dropped by `arena_drop`, or here.
        unsafe { checked(arena_object(class.0, held.cast(), bytes)).inspect_err(|_| drop(Box::from_raw(held))) }
    }

    /// What it holds of this type.
    pub(crate) fn held<T: 'static>(&self) -> Option<Rc<T>> {
        // SAFETY: objects of ours have a box, which lives as long as they do, or nothing.
        let held = unsafe { arena_held(self.0).cast::<Held>().as_ref() };
        held.cloned().and_then(|held| held.downcast().ok())
    }

    /// The places that an error came through, the innermost first.
    pub(crate) fn trace(&self, places: &mut [Place]) -> usize {
        // SAFETY: there is space for as many.
        unsafe { arena_trace(self.0, places.as_mut_ptr(), places.len()) }
    }

    /// The name of its class.
    pub(crate) fn class_name(&self) -> Result<String> {
        self.get(c"__class__")?.get(c"__name__")?.to_text()
    }
}

impl Place {
    pub(crate) const NONE: Place = Place { file: c"".as_ptr(), line: 0, function: c"".as_ptr() };

    pub(crate) fn file(&self) -> &str {
        // SAFETY: names of MicroPython end in zeros, and live as long as it does.
        unsafe { CStr::from_ptr(self.file) }.to_str().unwrap_or_default()
    }

    pub(crate) fn function(&self) -> &str {
        // SAFETY: as above.
        unsafe { CStr::from_ptr(self.function) }.to_str().unwrap_or_default()
    }
}

/// Makes a function of ours one of the script's.
fn function(kind: c_int, of: &CStr, length: u8, native: Native) -> Result<Value> {
    let index = NATIVES.with_borrow_mut(|natives| {
        natives.push((native, kind != PLAIN));
        natives.len() - 1
    });
    let name = name(of);
    let options = if WITH_OPTIONS.contains(&name.as_str()) { length.into() } else { -1 };
    // SAFETY: the name is of this length.
    checked(unsafe { arena_function(kind, index as u32, options, name.as_ptr(), name.len()) })
}

/// Calls a function of ours; nothing if it has raised an error.
#[unsafe(no_mangle)]
extern "C" fn arena_native(index: u32, count: usize, values: *const Value) -> usize {
    let (native, is_method) = NATIVES.with_borrow(|natives| natives[index as usize]);
    // SAFETY: there are so many, and they live during the call.
    let arguments = if count == 0 { &[] } else { unsafe { core::slice::from_raw_parts(values, count) } };
    let (this, arguments) = match arguments {
        [this, rest @ ..] if is_method => (this, rest),
        _ => (&Value::UNDEFINED, arguments),
    };
    match native(this, arguments) {
        Ok(value) => value.0,
        Err(Thrown) => 0,
    }
}

#[unsafe(no_mangle)]
extern "C" fn arena_drop(held: *mut c_void) {
    // SAFETY: `holding` has made the box, and this is called once.
    drop(unsafe { Box::from_raw(held.cast::<Held>()) });
}

/// An argument; none where there is none.
pub(crate) fn argument(arguments: &[Value], index: usize) -> &Value {
    arguments.get(index).unwrap_or(const { &Value::UNDEFINED })
}
