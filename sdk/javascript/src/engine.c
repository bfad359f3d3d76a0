// QuickJS, and what its interface lacks.

#include "quickjs.c"

size_t malloc_usable_size(void *block);

static void *get(void *opaque, size_t size) { (void)opaque; return malloc(size); }
static void *get_zeroed(void *opaque, size_t count, size_t size) { (void)opaque; return calloc(count, size); }
static void *resize(void *opaque, void *block, size_t size) { (void)opaque; return realloc(block, size); }
static void put(void *opaque, void *block) { (void)opaque; free(block); }
static size_t size_of(const void *block) { return malloc_usable_size((void *)block); }

// A runtime that counts what it allocates, so that it knows when to look for garbage.
JSRuntime *arena_runtime(void) {
    static const JSMallocFunctions functions = {get_zeroed, get, put, resize, size_of};
    return JS_NewRuntime2(&functions, NULL);
}

// The script's name in its functions.
static JSAtom script;

// A context without a clock, and without what shows when garbage is collected.
JSContext *arena_context(JSRuntime *rt, const char *name) {
    JSContext *cx = JS_NewContextRaw(rt);
    if (!cx || JS_AddIntrinsicBaseObjects(cx) || JS_AddIntrinsicEval(cx) || JS_AddIntrinsicRegExp(cx) ||
        JS_AddIntrinsicJSON(cx) || JS_AddIntrinsicMapSet(cx) || JS_AddIntrinsicTypedArrays(cx) ||
        JS_AddIntrinsicPromise(cx))
        return NULL;
    script = JS_NewAtom(cx, name);
    return cx;
}

// The lines of the script that are running, the innermost first: their address, and how many there are in the high half. May be asked at
// any moment, even in the middle of an allocation: it changes nothing.
uint64_t arena_lines_of(JSContext *cx) {
    static uint32_t lines[64];
    uint64_t count = 0;
    for (JSStackFrame *sf = cx->rt->current_stack_frame; sf && count < countof(lines); sf = sf->prev_frame) {
        JSObject *function = JS_VALUE_GET_OBJ(sf->cur_func);
        if (!js_class_has_bytecode(function->class_id) || !sf->cur_pc)
            continue;
        JSFunctionBytecode *code = function->u.func.function_bytecode;
        int column;
        // A generator that has not begun is at its first operator, all others are behind one.
        uint32_t at = sf->cur_pc == code->byte_code_buf ? 0 : sf->cur_pc - code->byte_code_buf - 1;
        if (code->filename == script)
            lines[count++] = find_line_num(cx, code, at, &column);
    }
    return (uintptr_t)lines | count << 32;
}

// How many loops and calls the script may make until the interrupt handler is asked next.
void arena_ask_after(JSContext *cx, int polls) { cx->interrupt_counter = polls; }

void arena_throw(JSContext *cx, int is_range, const char *message) {
    if (is_range)
        JS_ThrowRangeError(cx, "%s", message);
    else
        JS_ThrowTypeError(cx, "%s", message);
}

// The shim of the crate asks a host for the time. There is none.
double __rquickjs_host_now_us(void) { return 0; }
