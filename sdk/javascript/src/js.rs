//! QuickJS, as far as this crate needs it. All `unsafe` of the crate is here and in the exports.
//!
//! There is one context, made by [`start`], which is never freed: the arena drops the whole instance.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::{Cell, RefCell};
use core::ffi::{CStr, c_char, c_int, c_void};
use std::rc::Rc;
use std::thread_local;

/// The allocator of the libc, so that there are not two of them.
struct Libc;

#[global_allocator]
static LIBC: Libc = Libc;

// SAFETY: the libc's functions do what the trait asks for; all their blocks are aligned to 16 bytes.
unsafe impl GlobalAlloc for Libc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the alignment is a power of two.
        unsafe {
            if layout.align() <= 16 { malloc(layout.size()) } else { aligned_alloc(layout.align(), layout.size()) }
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: the block was allocated here.
        unsafe { free(block) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the block was allocated here; a larger alignment than the libc's is not kept, and nothing here asks for one.
        unsafe {
            debug_assert!(layout.align() <= 16);
            realloc(block, size)
        }
    }
}

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn aligned_alloc(align: usize, size: usize) -> *mut u8;
    fn realloc(block: *mut u8, size: usize) -> *mut u8;
    fn free(block: *mut u8);
}

/// A value of the script. Counted: dropped when the last of its owners is.
#[repr(transparent)]
pub(crate) struct Value(u64);

/// An error was thrown; the context has it.
#[derive(Debug)]
pub(crate) struct Thrown;

pub(crate) type Result<T> = core::result::Result<T, Thrown>;

/// A function of ours: gets `this` and the arguments.
pub(crate) type Native = fn(&Value, &[Value]) -> Result<Value>;

#[repr(C)]
struct Context([u8; 0]);
#[repr(C)]
struct Runtime([u8; 0]);
#[repr(C)]
struct ClassDef {
    name: *const c_char,
    finalizer: Option<unsafe extern "C" fn(*mut Runtime, u64)>,
    mark: Option<unsafe extern "C" fn()>,
    call: Option<unsafe extern "C" fn()>,
    exotic: *const c_void,
}

type Tracker = unsafe extern "C" fn(*mut Context, u64, u64, bool, *mut c_void);
type Trampoline = unsafe extern "C" fn(*mut Context, u64, c_int, *const u64, c_int) -> u64;

unsafe extern "C" {
    fn arena_runtime() -> *mut Runtime;
    fn arena_context(rt: *mut Runtime, script: *const c_char) -> *mut Context;
    fn arena_lines_of(cx: *mut Context) -> u64;
    fn arena_ask_after(cx: *mut Context, polls: c_int);
    fn arena_throw(cx: *mut Context, is_range: c_int, message: *const c_char);
    fn JS_SetMaxStackSize(rt: *mut Runtime, size: usize);
    fn JS_UpdateStackTop(rt: *mut Runtime);
    fn JS_SetInterruptHandler(
        rt: *mut Runtime,
        ask: unsafe extern "C" fn(*mut Runtime, *mut c_void) -> c_int,
        opaque: *mut c_void,
    );
    fn JS_NewClassID(rt: *mut Runtime, id: *mut u32) -> u32;
    fn JS_NewClass(rt: *mut Runtime, id: u32, def: *const ClassDef) -> c_int;
    fn JS_NewObjectProtoClass(cx: *mut Context, proto: u64, class: u32) -> u64;
    fn JS_SetOpaque(value: u64, opaque: *mut c_void) -> c_int;
    fn JS_GetOpaque(value: u64, class: u32) -> *mut c_void;
    fn JS_Eval(cx: *mut Context, text: *const c_char, len: usize, name: *const c_char, flags: c_int) -> u64;
    fn JS_Call(cx: *mut Context, function: u64, this: u64, argc: c_int, argv: *const u64) -> u64;
    fn JS_ExecutePendingJob(rt: *mut Runtime, cx: *mut *mut Context) -> c_int;
    fn JS_SetHostPromiseRejectionTracker(rt: *mut Runtime, tell: Tracker, opaque: *mut c_void);
    fn JS_GetException(cx: *mut Context) -> u64;
    fn JS_Throw(cx: *mut Context, error: u64) -> u64;
    fn JS_IsUncatchableError(value: u64) -> bool;
    fn JS_FreeValue(cx: *mut Context, value: u64);
    fn JS_DupValue(cx: *mut Context, value: u64) -> u64;
    fn JS_ToFloat64(cx: *mut Context, out: *mut f64, value: u64) -> c_int;
    fn JS_NewNumber(cx: *mut Context, number: f64) -> u64;
    fn JS_NewStringLen(cx: *mut Context, text: *const c_char, len: usize) -> u64;
    fn JS_ToCStringLen2(cx: *mut Context, len: *mut usize, value: u64, cesu8: bool) -> *const c_char;
    fn JS_FreeCString(cx: *mut Context, text: *const c_char);
    fn JS_NewObject(cx: *mut Context) -> u64;
    fn JS_NewArrayFrom(cx: *mut Context, count: c_int, values: *const u64) -> u64;
    fn JS_IsArray(value: u64) -> bool;
    fn JS_IsFunction(cx: *mut Context, value: u64) -> bool;
    fn JS_IsPromise(value: u64) -> bool;
    fn JS_GetLength(cx: *mut Context, value: u64, out: *mut i64) -> c_int;
    fn JS_GetPropertyStr(cx: *mut Context, value: u64, name: *const c_char) -> u64;
    fn JS_GetPropertyUint32(cx: *mut Context, value: u64, index: u32) -> u64;
    fn JS_SetPropertyUint32(cx: *mut Context, value: u64, index: u32, to: u64) -> c_int;
    fn JS_DefinePropertyValueStr(cx: *mut Context, value: u64, name: *const c_char, to: u64, flags: c_int) -> c_int;
    fn JS_DefinePropertyGetSet(cx: *mut Context, value: u64, name: u32, get: u64, set: u64, flags: c_int) -> c_int;
    fn JS_NewAtom(cx: *mut Context, name: *const c_char) -> u32;
    fn JS_FreeAtom(cx: *mut Context, atom: u32);
    fn JS_GetGlobalObject(cx: *mut Context) -> u64;
    fn JS_NewCFunction2(
        cx: *mut Context,
        run: Trampoline,
        name: *const c_char,
        length: c_int,
        kind: c_int,
        magic: c_int,
    ) -> u64;
    fn JS_SetConstructorBit(cx: *mut Context, function: u64, is: bool) -> bool;
    fn JS_JSONStringify(cx: *mut Context, value: u64, replacer: u64, space: u64) -> u64;
}

const TAG_INT: u32 = 0;
const TAG_BOOL: u32 = 1;
const TAG_UNDEFINED: u32 = 3;
const TAG_EXCEPTION: u32 = 6;
const TAG_NULL: u32 = 2;
const TAG_OBJECT: u32 = u32::MAX;
const TAG_SYMBOL: u32 = -8_i32 as u32;
const TAG_STRING: u32 = -7_i32 as u32;
const TAG_STRING_ROPE: u32 = -6_i32 as u32;

const fn simple(tag: u32, payload: u32) -> u64 {
    (tag as u64) << 32 | payload as u64
}

const EXCEPTION: u64 = simple(TAG_EXCEPTION, 0);
/// `JS_CFUNC_generic_magic`.
const WITH_MAGIC: c_int = 1;
/// Writable and configurable, as built-in functions are.
const HIDDEN: c_int = 0b011;
/// Writable, configurable and enumerable.
const SHOWN: c_int = 0b111;

thread_local! {
    static CONTEXT: Cell<*mut Context> = const { Cell::new(core::ptr::null_mut()) };
    static RUNTIME: Cell<*mut Runtime> = const { Cell::new(core::ptr::null_mut()) };
    static CLASS: Cell<u32> = const { Cell::new(0) };
    /// The reason of a promise that was rejected, and of which nobody takes note.
    static REJECTED: RefCell<Option<Value>> = const { RefCell::new(None) };
    static NATIVES: RefCell<Vec<Native>> = const { RefCell::new(Vec::new()) };
}

fn cx() -> *mut Context {
    CONTEXT.get()
}

/// What is wrong with an action that is a promise, and with options that are none.
pub(crate) const PROMISE: &str = "a promise: leave out `async`";
pub(crate) const OPTIONS: &str = "options are an object, such as {generations: 4}";

/// What an object of the script may hold for us.
pub(crate) type Held = Rc<dyn core::any::Any>;

/// Makes the context. `script` is what the script is called, `ask` is asked again and again whether the script is to end.
pub(crate) fn start(stack: usize, script: &CStr, ask: unsafe extern "C" fn() -> bool) {
    thread_local!(static ASK: Cell<Option<unsafe extern "C" fn() -> bool>> = const { Cell::new(None) });
    unsafe extern "C" fn interrupt(_: *mut Runtime, _: *mut c_void) -> c_int {
        // SAFETY: the context lives as long as the runtime that calls this.
        unsafe {
            arena_ask_after(cx(), POLLS);
            ASK.get().is_some_and(|ask| ask()).into()
        }
    }
    unsafe extern "C" fn finalize(_: *mut Runtime, value: u64) {
        // SAFETY: `hold` has put a box there, or nothing.
        unsafe {
            let held = JS_GetOpaque(value, CLASS.get()).cast::<Held>();
            if !held.is_null() {
                drop(Box::from_raw(held));
            }
        }
    }
    unsafe extern "C" fn reject(cx: *mut Context, _: u64, reason: u64, is_handled: bool, _: *mut c_void) {
        // SAFETY: the reason lives during the call.
        REJECTED.set((!is_handled).then(|| Value(unsafe { JS_DupValue(cx, reason) })));
    }
    ASK.set(Some(ask));
    let class = ClassDef {
        name: c"Arena".as_ptr(),
        finalizer: Some(finalize),
        mark: None,
        call: None,
        exotic: core::ptr::null(),
    };
    // SAFETY: called once, before anything else of QuickJS.
    unsafe {
        let runtime = arena_runtime();
        RUNTIME.set(runtime);
        JS_SetMaxStackSize(runtime, stack);
        CONTEXT.set(arena_context(runtime, script.as_ptr()));
        JS_SetInterruptHandler(runtime, interrupt, core::ptr::null_mut());
        JS_SetHostPromiseRejectionTracker(runtime, reject, core::ptr::null_mut());
        let mut id = 0;
        CLASS.set(JS_NewClassID(runtime, &mut id));
        JS_NewClass(runtime, CLASS.get(), &class);
        arena_ask_after(cx(), POLLS);
    }
}

/// The lines of the script that are running, the innermost first: their address, and how many there are in the high half.
pub(crate) fn lines() -> u64 {
    let context = cx();
    // SAFETY: a context that was made lives.
    if context.is_null() { 0 } else { unsafe { arena_lines_of(context) } }
}

/// Loops and calls of a script between two questions whether it is to end: as much as a thousandth of a turn's fuel.
const POLLS: c_int = 16;

/// Says that the stack begins here. To be called at each entry.
pub(crate) fn enter() {
    // SAFETY: the runtime was made by `start`.
    unsafe { JS_UpdateStackTop(RUNTIME.get()) }
}

/// Runs a script; `text` ends in a zero, which is not part of it.
pub(crate) fn eval(text: &[u8], name: &CStr) -> Result<Value> {
    assert_eq!(text.last(), Some(&0), "QuickJS reads up to a zero");
    // SAFETY: text and name end in zeros.
    checked(unsafe { JS_Eval(cx(), text.as_ptr().cast(), text.len() - 1, name.as_ptr(), 0) })
}

/// Runs what promises have left to do.
pub(crate) fn run_jobs() -> Result<()> {
    let mut context = core::ptr::null_mut();
    loop {
        // SAFETY: the runtime was made by `start`.
        match unsafe { JS_ExecutePendingJob(RUNTIME.get(), &mut context) } {
            0 => return REJECTED.take().map_or(Ok(()), |reason| Err(rethrow(reason))),
            1 => {}
            _ => return Err(Thrown),
        }
    }
}

/// The error that was thrown.
pub(crate) fn caught() -> Value {
    // SAFETY: the context was made by `start`.
    Value(unsafe { JS_GetException(cx()) })
}

/// Throws a `TypeError`. Only the first 255 bytes of the message are kept.
pub(crate) fn type_error(message: &str) -> Thrown {
    throw(false, message)
}

/// Throws a `RangeError`.
pub(crate) fn range_error(message: &str) -> Thrown {
    throw(true, message)
}

fn throw(is_range: bool, message: &str) -> Thrown {
    let text = std::ffi::CString::new(message.replace('\0', "")).unwrap_or_default();
    // SAFETY: the text ends in a zero.
    unsafe { arena_throw(cx(), is_range.into(), text.as_ptr()) };
    Thrown
}

/// The object that has the global variables as its properties.
pub(crate) fn global() -> Value {
    // SAFETY: the context was made by `start`.
    Value(unsafe { JS_GetGlobalObject(cx()) })
}

fn checked(raw: u64) -> Result<Value> {
    if raw == EXCEPTION { Err(Thrown) } else { Ok(Value(raw)) }
}

fn done(code: c_int) -> Result<()> {
    if code < 0 { Err(Thrown) } else { Ok(()) }
}

impl Drop for Value {
    fn drop(&mut self) {
        if !self.is_simple() {
            // SAFETY: this was an owner.
            unsafe { JS_FreeValue(cx(), self.0) }
        }
    }
}

impl Clone for Value {
    fn clone(&self) -> Value {
        // SAFETY: `self` is an owner, so the value lives.
        Value(unsafe { JS_DupValue(cx(), self.0) })
    }
}

impl Value {
    pub(crate) const UNDEFINED: Value = Value(simple(TAG_UNDEFINED, 0));
    pub(crate) const NULL: Value = Value(simple(TAG_NULL, 0));

    pub(crate) fn int(number: i32) -> Value {
        Value(simple(TAG_INT, number as u32))
    }

    pub(crate) fn bool(is: bool) -> Value {
        Value(simple(TAG_BOOL, is.into()))
    }

    pub(crate) fn number(number: f64) -> Result<Value> {
        // SAFETY: the context was made by `start`.
        checked(unsafe { JS_NewNumber(cx(), number) })
    }

    pub(crate) fn text(text: &str) -> Result<Value> {
        // SAFETY: pointer and length are those of a string.
        checked(unsafe { JS_NewStringLen(cx(), text.as_ptr().cast(), text.len()) })
    }

    pub(crate) fn object() -> Result<Value> {
        // SAFETY: the context was made by `start`.
        checked(unsafe { JS_NewObject(cx()) })
    }

    /// What objects of ours have in common.
    pub(crate) fn prototype(_: &CStr) -> Result<Value> {
        Value::object()
    }

    /// The same, for as long as the interpreter runs.
    pub(crate) fn kept(self) -> Value {
        self
    }

    pub(crate) fn fraction(number: f64) -> Result<Value> {
        Value::number(number)
    }

    pub(crate) fn cells(cells: impl IntoIterator<Item = (u16, u16)>) -> Result<Value> {
        let pairs = cells.into_iter().map(|(row, col)| Value::pair(row.into(), col.into()));
        Value::array(pairs.collect::<Result<_>>()?)
    }

    pub(crate) fn array(values: Vec<Value>) -> Result<Value> {
        // What the array now owns is not dropped here, but the vector's own block is.
        let values: Vec<_> = values.into_iter().map(core::mem::ManuallyDrop::new).collect();
        // SAFETY: a value is a word, and the array becomes the owner of all of them.
        checked(unsafe { JS_NewArrayFrom(cx(), values.len() as c_int, values.as_ptr().cast()) })
    }

    /// An array of two whole numbers: a cell, of which there are many.
    pub(crate) fn pair(one: i32, two: i32) -> Result<Value> {
        let values = [one, two].map(|number| simple(TAG_INT, number as u32));
        // SAFETY: there are two of them, and they are no references.
        checked(unsafe { JS_NewArrayFrom(cx(), 2, values.as_ptr()) })
    }

    fn tag(&self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Whether it is no reference.
    fn is_simple(&self) -> bool {
        // The tags of references are -9 to -1.
        self.tag() < -9_i32 as u32
    }

    pub(crate) fn is_undefined(&self) -> bool {
        self.tag() == TAG_UNDEFINED
    }

    pub(crate) fn is_object(&self) -> bool {
        self.tag() == TAG_OBJECT
    }

    pub(crate) fn is_symbol(&self) -> bool {
        self.tag() == TAG_SYMBOL
    }

    pub(crate) fn is_string(&self) -> bool {
        matches!(self.tag(), TAG_STRING | TAG_STRING_ROPE)
    }

    pub(crate) fn is_array(&self) -> bool {
        // SAFETY: the value lives.
        unsafe { JS_IsArray(self.0) }
    }

    pub(crate) fn is_function(&self) -> bool {
        // SAFETY: the value lives.
        unsafe { JS_IsFunction(cx(), self.0) }
    }

    pub(crate) fn is_promise(&self) -> bool {
        // SAFETY: the value lives.
        unsafe { JS_IsPromise(self.0) }
    }

    /// Whether it is the error of a script that was ended.
    pub(crate) fn is_end(&self) -> bool {
        // SAFETY: the value lives.
        unsafe { JS_IsUncatchableError(self.0) }
    }

    /// The whole number that it is; `None` for anything else, such as a string of digits.
    pub(crate) fn as_int(&self) -> Option<i32> {
        match self.tag() {
            TAG_INT => Some(self.0 as u32 as i32),
            TAG_BOOL | TAG_NULL | TAG_UNDEFINED => None,
            _ if self.is_simple() => {
                let number = self.to_number().ok()?;
                (number as i32 as f64 == number).then_some(number as i32)
            }
            _ => None,
        }
    }

    /// The number that it is or stands for.
    pub(crate) fn to_number(&self) -> Result<f64> {
        let mut number = 0.0;
        // SAFETY: the value lives.
        done(unsafe { JS_ToFloat64(cx(), &mut number, self.0) }).map(|()| number)
    }

    /// What `String(value)` is. Half characters are replaced.
    pub(crate) fn to_text(&self) -> Result<String> {
        let mut len = 0;
        // SAFETY: the value lives; what is returned has `len` bytes and is freed once.
        unsafe {
            let text = JS_ToCStringLen2(cx(), &mut len, self.0, false);
            if text.is_null() {
                return Err(Thrown);
            }
            let bytes = core::slice::from_raw_parts(text.cast(), len);
            let owned = String::from_utf8_lossy(bytes).into_owned();
            JS_FreeCString(cx(), text);
            Ok(owned)
        }
    }

    /// What `JSON.stringify(value)` is.
    pub(crate) fn to_json(&self) -> Result<Value> {
        // SAFETY: the value lives.
        checked(unsafe { JS_JSONStringify(cx(), self.0, Value::UNDEFINED.0, Value::UNDEFINED.0) })
    }

    pub(crate) fn get(&self, name: &CStr) -> Result<Value> {
        // SAFETY: the value lives, and the name ends in a zero.
        checked(unsafe { JS_GetPropertyStr(cx(), self.0, name.as_ptr()) })
    }

    pub(crate) fn at(&self, index: u32) -> Result<Value> {
        // SAFETY: the value lives.
        checked(unsafe { JS_GetPropertyUint32(cx(), self.0, index) })
    }

    pub(crate) fn len(&self) -> Result<u32> {
        let mut len = 0;
        // SAFETY: the value lives.
        done(unsafe { JS_GetLength(cx(), self.0, &mut len) })?;
        Ok(len.clamp(0, u32::MAX.into()) as u32)
    }

    /// Replaces an element of an array.
    pub(crate) fn put(&self, index: u32, to: Value) -> Result<()> {
        // SAFETY: the value lives, and the array becomes the owner of the other.
        done(unsafe { JS_SetPropertyUint32(cx(), self.0, index, core::mem::ManuallyDrop::new(to).0) })
    }

    /// Sets a property that loops over properties see.
    pub(crate) fn set(&self, name: &CStr, to: Value) -> Result<()> {
        self.define(name, to, SHOWN)
    }

    fn define(&self, name: &CStr, to: Value, flags: c_int) -> Result<()> {
        let to = core::mem::ManuallyDrop::new(to);
        // SAFETY: the value lives, the name ends in a zero, and the object becomes the owner of the other value.
        done(unsafe { JS_DefinePropertyValueStr(cx(), self.0, name.as_ptr(), to.0, flags) })
    }

    /// Gives it a method, or a function if it is the global object.
    pub(crate) fn method(&self, name: &CStr, length: u8, native: Native) -> Result<()> {
        self.define(name, function(name, length, native)?, HIDDEN)
    }

    /// Says what it is as a word.
    pub(crate) fn words(&self, native: Native) -> Result<()> {
        self.method(c"toString", 0, native)
    }

    /// Says what it is as JSON.
    pub(crate) fn json(&self, native: Native) -> Result<()> {
        self.method(c"toJSON", 0, native)
    }

    /// Gives it a property that is computed.
    pub(crate) fn getter(&self, name: &CStr, native: Native) -> Result<()> {
        let get = core::mem::ManuallyDrop::new(function(name, 0, native)?);
        // SAFETY: the value lives, the name ends in a zero, and the object becomes the owner of the function.
        unsafe {
            let atom = JS_NewAtom(cx(), name.as_ptr());
            let code = JS_DefinePropertyGetSet(cx(), self.0, atom, get.0, Value::UNDEFINED.0, HIDDEN);
            JS_FreeAtom(cx(), atom);
            done(code)
        }
    }

    /// Makes a class of it, whose instances have it as their prototype: a global constructor.
    pub(crate) fn class(&self, name: &CStr, length: u8, native: Native) -> Result<()> {
        let constructor = function(name, length, native)?;
        // SAFETY: the value lives.
        unsafe { JS_SetConstructorBit(cx(), constructor.0, true) };
        constructor.define(c"prototype", self.clone(), 0)?;
        self.define(c"constructor", constructor.clone(), HIDDEN)?;
        global().define(name, constructor, HIDDEN)
    }

    pub(crate) fn call(&self, this: &Value, arguments: &[Value]) -> Result<Value> {
        let argv = arguments.as_ptr().cast();
        // SAFETY: all values live, and a value is a word.
        checked(unsafe { JS_Call(cx(), self.0, this.0, arguments.len() as c_int, argv) })
    }

    /// An object with this prototype that holds something of ours.
    pub(crate) fn holding(prototype: &Value, held: Held) -> Result<Value> {
        // SAFETY: the prototype lives; the box is dropped by the finalizer.
        unsafe {
            let object = checked(JS_NewObjectProtoClass(cx(), prototype.0, CLASS.get()))?;
            JS_SetOpaque(object.0, Box::into_raw(Box::new(held)).cast());
            Ok(object)
        }
    }

    /// What it holds of this type.
    pub(crate) fn held<T: 'static>(&self) -> Option<Rc<T>> {
        // SAFETY: the class's objects have a box, which lives as long as the object, or nothing.
        let held = unsafe { JS_GetOpaque(self.0, CLASS.get()).cast::<Held>().as_ref() };
        held.cloned().and_then(|held| held.downcast().ok())
    }
}

/// Makes a function of ours one of the script's.
pub(crate) fn function(name: &CStr, length: u8, native: Native) -> Result<Value> {
    unsafe extern "C" fn run(_: *mut Context, this: u64, argc: c_int, argv: *const u64, magic: c_int) -> u64 {
        let native = NATIVES.with_borrow(|natives| natives[magic as usize]);
        let this = core::mem::ManuallyDrop::new(Value(this));
        let arguments = match argc {
            0 => &[],
            // SAFETY: there are so many, they live during the call, and a value is a word.
            _ => unsafe { core::slice::from_raw_parts(argv.cast::<Value>(), argc as usize) },
        };
        match native(&this, arguments) {
            Ok(value) => core::mem::ManuallyDrop::new(value).0,
            Err(Thrown) => EXCEPTION,
        }
    }
    let magic = NATIVES.with_borrow_mut(|natives| {
        natives.push(native);
        natives.len() - 1
    });
    // SAFETY: the name ends in a zero.
    checked(unsafe { JS_NewCFunction2(cx(), run, name.as_ptr(), length.into(), WITH_MAGIC, magic as c_int) })
}

/// An argument; `undefined` where there is none.
pub(crate) fn argument(arguments: &[Value], index: usize) -> &Value {
    arguments.get(index).unwrap_or(const { &Value::UNDEFINED })
}

/// Throws an error of the script again.
pub(crate) fn rethrow(error: Value) -> Thrown {
    // SAFETY: the context becomes the owner.
    unsafe { JS_Throw(cx(), core::mem::ManuallyDrop::new(error).0) };
    Thrown
}
