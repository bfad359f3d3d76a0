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

// A context without a clock, and without what shows when garbage is collected.
JSContext *arena_context(JSRuntime *rt) {
    JSContext *cx = JS_NewContextRaw(rt);
    if (!cx || JS_AddIntrinsicBaseObjects(cx) || JS_AddIntrinsicEval(cx) || JS_AddIntrinsicRegExp(cx) ||
        JS_AddIntrinsicJSON(cx) || JS_AddIntrinsicMapSet(cx) || JS_AddIntrinsicTypedArrays(cx) ||
        JS_AddIntrinsicPromise(cx))
        return NULL;
    return cx;
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
