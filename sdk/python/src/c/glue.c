// MicroPython, and what its interface lacks. Functions that are called from Rust raise nothing: what is raised, they note.

#include "glue.h"

#include <string.h>

#include "py/bc.h"
#include "py/builtin.h"
#include "py/compile.h"
#include "py/cstack.h"
#include "py/gc.h"
#include "py/objexcept.h"
#include "py/objfun.h"
#include "py/objint.h"
#include "py/objmodule.h"
#include "py/objstr.h"
#include "py/objtuple.h"
#include "py/objtype.h"
#include "py/pystack.h"
#include "py/runtime.h"

MP_REGISTER_ROOT_POINTER(mp_obj_t arena_raised);
MP_REGISTER_ROOT_POINTER(mp_obj_t arena_kept[16]);
MP_REGISTER_ROOT_POINTER(byte *arena_spare);

// Runs what may raise; if it does, the value is MP_OBJ_NULL.
#define PROTECTED(value) \
    nlr_buf_t nlr; \
    if (nlr_push(&nlr) == 0) { \
        mp_obj_t done = value; \
        nlr_pop(); \
        return done; \
    } \
    MP_STATE_VM(arena_raised) = MP_OBJ_FROM_PTR(nlr.ret_val); \
    return MP_OBJ_NULL;

// Memory, and its collection.

static char heap[ARENA_HEAP] __attribute__((aligned(16)));
static char frames[ARENA_FRAMES] __attribute__((aligned(16)));
arena_frame_t *arena_frame;
int arena_polls = 1;
int arena_steps = ARENA_STEPS;
// Fuel that the last collection took, and blocks of the heap that it left in use.
static uint64_t collection;
size_t arena_blocks;
// Bytes that objects of ours hold outside of the heap, and how many of them are new since the last collection.
static size_t held_bytes, new_bytes;

void arena_start(void *top, size_t stack) {
    mp_cstack_init_with_top(top, stack);
    mp_pystack_init(frames, frames + sizeof(frames));
    gc_init(heap, heap + sizeof(heap));
    mp_init();
    // What is ours is known everywhere, as builtins are, and in the module `arena`.
    mp_obj_t module = mp_obj_new_module(MP_QSTR_arena);
    MP_STATE_VM(mp_module_builtins_override_dict) = mp_obj_module_get_globals(module);
    mp_obj_t known = MP_OBJ_FROM_PTR(MP_STATE_VM(mp_module_builtins_override_dict));
    mp_obj_dict_store(known, MP_OBJ_NEW_QSTR(MP_QSTR_RecursionError), MP_OBJ_FROM_PTR(&mp_type_RuntimeError));
    mp_obj_dict_store(known, MP_OBJ_NEW_QSTR(MP_QSTR_log), MP_OBJ_FROM_PTR(&mp_builtin_print_obj));
    MP_STATE_VM(arena_spare) = m_new(byte, ARENA_SPARE);
}

// Values hide in the machine's registers, so nothing is collected where one may be: in the middle of most native functions.
void gc_collect(void) {}

// Gives the memory free that is kept for the report of an error.
void arena_spend(void) {
    if (MP_STATE_VM(arena_spare)) {
        m_del(byte, MP_STATE_VM(arena_spare), ARENA_SPARE);
        MP_STATE_VM(arena_spare) = NULL;
    }
}

// To be called where all values are in frames, in the heap, or in what is kept.
void arena_collect(void) {
    uint64_t left = arena_left();
    MP_STATE_MEM(gc_alloc_amount) = 0;
    new_bytes = 0;
    arena_blocks = 0;
    gc_collect_start();
    gc_collect_end();
    collection = left - arena_left();
}

// Whether as much was allocated since the last collection that another is worth its fuel: a third of what was free.
int arena_is_full(void) {
    size_t free = ARENA_HEAP / MICROPY_BYTES_PER_GC_BLOCK - arena_blocks;
    return MP_STATE_MEM(gc_alloc_amount) > free / 3 || new_bytes > ARENA_HELD / 8;
}

void arena_ask(void) {
    arena_steps = ARENA_STEPS;
    if (arena_left() == 0) {
        arena_end();
    }
}

void arena_poll(void) {
    arena_polls = ARENA_POLLS;
    arena_ask();
    // Garbage stays where it is when its collection might use up the fuel: the end is to have a line.
    if (arena_frame && arena_frame->open && arena_is_full() && arena_left() > collection + ARENA_MARKED * MP_STATE_MEM(gc_alloc_amount)) {
        arena_collect();
    }
}

extern const mp_obj_type_t mp_type_closure;
int arena_open;

MP_DECLARE_CONST_FUN_OBJ_KW(list_sort_obj);

// Whether nothing is hidden while this runs a function of the script: what it has is in frames, where that shows it.
int arena_opens(void *function) {
    const mp_obj_type_t *type = mp_obj_get_type(function);
    if (type == &mp_type_type) {
        return mp_obj_is_instance_type((const mp_obj_type_t *)function);
    }
    // A method that is bound has its function behind its type.
    if (type == &mp_type_bound_meth) {
        return arena_opens(((void **)function)[1]);
    }
    return type == &mp_type_fun_bc || type == &mp_type_closure || function == &mp_builtin_sorted_obj || function == &mp_builtin_max_obj ||
        function == &mp_builtin_min_obj || function == &list_sort_obj;
}

mp_vm_return_kind_t arena_mp_execute_bytecode(mp_code_state_t *state, mp_obj_t inject);

mp_vm_return_kind_t mp_execute_bytecode(mp_code_state_t *state, mp_obj_t inject) {
    arena_frame_t frame = {arena_frame, state, !arena_frame || (arena_frame->open && arena_open)};
    arena_open = 0;
    arena_frame = &frame;
    mp_vm_return_kind_t kind = arena_mp_execute_bytecode(state, inject);
    arena_frame = frame.outer;
    return kind;
}

// Where a frame is: its line, and its file and function if asked for.
static size_t place(mp_code_state_t *state, qstr *file, qstr *function) {
    const byte *ip = state->fun_bc->bytecode;
    MP_BC_PRELUDE_SIG_DECODE(ip);
    MP_BC_PRELUDE_SIZE_DECODE(ip);
    const byte *top = ip + n_info;
    size_t at = state->ip - (ip + n_info + n_cell);
    *function = mp_decode_uint_value(ip);
    *file = state->fun_bc->context->constants.source_file;
    for (size_t i = 0; i < 1 + n_pos_args + n_kwonly_args; ++i) {
        ip = mp_decode_uint_skip(ip);
    }
    return mp_bytecode_get_source_line(ip, top, at);
}

// The frames of Python that are running, the innermost first. May be asked at any moment: it changes nothing.
size_t arena_running(arena_place_t *places, size_t most) {
    size_t count = 0;
    for (arena_frame_t *frame = arena_frame; frame; frame = frame->outer) {
        for (mp_code_state_t *state = frame->state; state; state = state->prev) {
            if (count == most || !state->fun_bc) {
                return count;
            }
            qstr file, function;
            size_t line = place(state, &file, &function);
            places[count++] = (arena_place_t){qstr_str(file), line, qstr_str(function)};
        }
    }
    return count;
}

// Errors.

// What is raised where nothing notes it ends the game, and its author reads it.
void nlr_jump_fail(void *value) {
    MP_STATE_VM(arena_raised) = MP_OBJ_FROM_PTR(value);
    arena_fail();
}

mp_obj_t arena_take_raised(void) {
    mp_obj_t raised = MP_STATE_VM(arena_raised);
    MP_STATE_VM(arena_raised) = MP_OBJ_NULL;
    return raised;
}

void arena_raise(int kind, const char *text, size_t len) {
    static const mp_obj_type_t *const kinds[] = {&mp_type_TypeError, &mp_type_ValueError, &mp_type_MemoryError};
    nlr_buf_t nlr;
    if (nlr_push(&nlr) == 0) {
        mp_obj_t message = mp_obj_new_str(text, len);
        MP_STATE_VM(arena_raised) = mp_obj_new_exception_args(kinds[kind], 1, &message);
        nlr_pop();
    } else {
        MP_STATE_VM(arena_raised) = MP_OBJ_FROM_PTR(nlr.ret_val);
    }
}

// Where a syntax error is, beside its line.
size_t arena_column;

// The places that an error has come through, the outermost last.
size_t arena_trace(mp_obj_t error, arena_place_t *places, size_t most) {
    size_t len, *values;
    if (!mp_obj_is_exception_instance(error)) {
        return 0;
    }
    mp_obj_exception_get_traceback(error, &len, &values);
    size_t count = 0;
    for (; count < most && 3 * count < len; count++) {
        size_t *at = values + 3 * count;
        places[count] = (arena_place_t){qstr_str(at[0]), at[1], qstr_str(at[2])};
    }
    return count;
}

// Values.

int arena_type_of(mp_obj_t value) {
    if (mp_obj_is_bool(value)) return ARENA_BOOL;
    if (mp_obj_is_int(value)) return ARENA_INT;
    if (mp_obj_is_float(value)) return ARENA_FLOAT;
    if (mp_obj_is_str(value)) return ARENA_STR;
    const mp_obj_type_t *type = mp_obj_get_type(value);
    if (type == &mp_type_list) return ARENA_LIST;
    if (type == &mp_type_dict) return ARENA_DICT;
    if (type == &mp_type_gen_instance) return ARENA_GENERATOR;
    if (MP_OBJ_TYPE_GET_SLOT_OR_NULL(type, iter) == mp_obj_tuple_getiter) return ARENA_TUPLE;
    if (mp_obj_is_callable(value)) return ARENA_FUNCTION;
    return ARENA_OTHER;
}

mp_obj_t arena_int(int64_t number) { PROTECTED(mp_obj_new_int_from_ll(number)) }
mp_obj_t arena_float(double number) { PROTECTED(mp_obj_new_float(number)) }
mp_obj_t arena_str(const char *text, size_t len) { PROTECTED(mp_obj_new_str(text, len)) }
mp_obj_t arena_list(size_t count, const mp_obj_t *values) { PROTECTED(mp_obj_new_list(count, (mp_obj_t *)values)) }

static mp_obj_t cells(size_t count, const uint16_t *numbers) {
    mp_obj_t list = mp_obj_new_list(count, NULL);
    mp_obj_list_t *self = MP_OBJ_TO_PTR(list);
    for (size_t i = 0; i < count; i++) {
        mp_obj_t pair[2] = {MP_OBJ_NEW_SMALL_INT(numbers[2 * i]), MP_OBJ_NEW_SMALL_INT(numbers[2 * i + 1])};
        self->items[i] = mp_obj_new_tuple(2, pair);
    }
    return list;
}

mp_obj_t arena_cells(size_t count, const uint16_t *numbers) { PROTECTED(cells(count, numbers)) }

double arena_to_float(mp_obj_t value) { return mp_obj_get_float(value); }

// The value of a large whole number; false if it has more than 32 bits.
int arena_to_int(mp_obj_t value, mp_int_t *number) {
    return mpz_as_int_checked(&((mp_obj_int_t *)MP_OBJ_TO_PTR(value))->mpz, number);
}

const char *arena_text(mp_obj_t value, size_t *len) { return mp_obj_str_get_data(value, len); }

static mp_obj_t described(mp_obj_t value, mp_print_kind_t kind) {
    vstr_t vstr;
    mp_print_t print;
    vstr_init_print(&vstr, 16, &print);
    mp_obj_print_helper(&print, value, kind);
    return mp_obj_new_str_from_vstr(&vstr);
}

mp_obj_t arena_described(mp_obj_t value, int as_repr) { PROTECTED(described(value, as_repr ? PRINT_REPR : PRINT_STR)) }

static mp_obj_t item(mp_obj_t value, qstr name) {
    if (mp_obj_get_type(value) == &mp_type_dict) {
        mp_map_elem_t *elem = mp_map_lookup(mp_obj_dict_get_map(value), MP_OBJ_NEW_QSTR(name), MP_MAP_LOOKUP);
        return elem ? elem->value : mp_const_none;
    }
    mp_obj_t dest[2];
    mp_load_method_protected(value, name, dest, false);
    return dest[0] == MP_OBJ_NULL ? mp_const_none : dest[0];
}

mp_obj_t arena_item(mp_obj_t value, const char *name, size_t len) { PROTECTED(item(value, qstr_from_strn(name, len))) }

void arena_items(mp_obj_t value, size_t *len, mp_obj_t **items) { mp_obj_get_array(value, len, items); }

mp_obj_t arena_call(mp_obj_t function, size_t count, const mp_obj_t *values) {
    PROTECTED(mp_call_function_n_kw(function, count, 0, values))
}

void arena_keep(size_t slot, mp_obj_t value) { MP_STATE_VM(arena_kept)[slot] = value; }

static mp_obj_t stored(const char *name, size_t len, mp_obj_t value) {
    mp_obj_dict_store(MP_OBJ_FROM_PTR(MP_STATE_VM(mp_module_builtins_override_dict)), MP_OBJ_NEW_QSTR(qstr_from_strn(name, len)), value);
    return mp_const_none;
}

mp_obj_t arena_set_global(const char *name, size_t len, mp_obj_t value) { PROTECTED(stored(name, len, value)) }

static mp_obj_t global(qstr name) {
    mp_map_elem_t *elem = mp_map_lookup(&mp_globals_get()->map, MP_OBJ_NEW_QSTR(name), MP_MAP_LOOKUP);
    return elem ? elem->value : mp_const_none;
}

mp_obj_t arena_global(const char *name, size_t len) { PROTECTED(global(qstr_from_strn(name, len))) }

static mp_obj_t ran(const char *text, size_t len, qstr file) {
    mp_lexer_t *lexer = mp_lexer_new_from_str_len(file, text, len, 0);
    return mp_parse_compile_execute(lexer, MP_PARSE_FILE_INPUT, mp_globals_get(), mp_globals_get());
}

mp_obj_t arena_run(const char *text, size_t len, const char *file) { PROTECTED(ran(text, len, qstr_from_str(file))) }

// Functions of ours.

typedef struct {
    mp_obj_base_t base;
    uint32_t index;
    // Where a dict with the arguments by name goes; none are taken if it is negative.
    int options;
    qstr name;
} native_t;

static mp_obj_t native_call(mp_obj_t self_in, size_t n_args, size_t n_kw, const mp_obj_t *args) {
    native_t *self = MP_OBJ_TO_PTR(self_in);
    mp_obj_t all[ARENA_ARGUMENTS];
    if (n_kw) {
        if (self->options < 0 || n_args > (size_t)self->options) {
            mp_raise_msg_varg(&mp_type_TypeError, MP_ERROR_TEXT("%q takes no arguments by name here"), self->name);
        }
        mp_obj_t options = mp_obj_new_dict(n_kw);
        for (size_t i = 0; i < n_kw; i++) {
            mp_obj_dict_store(options, args[n_args + 2 * i], args[n_args + 2 * i + 1]);
        }
        for (size_t i = 0; i <= (size_t)self->options; i++) {
            all[i] = i < n_args ? args[i] : mp_const_none;
        }
        all[self->options] = options;
        args = all;
        n_args = self->options + 1;
    }
    mp_obj_t value = arena_native(self->index, n_args, args);
    if (value == MP_OBJ_NULL) {
        nlr_raise(arena_take_raised());
    }
    return value;
}

static MP_DEFINE_CONST_OBJ_TYPE(type_function, MP_QSTR_function, MP_TYPE_FLAG_NONE, call, native_call);
static MP_DEFINE_CONST_OBJ_TYPE(type_method, MP_QSTR_function, MP_TYPE_FLAG_BINDS_SELF, call, native_call);
static MP_DEFINE_CONST_OBJ_TYPE(type_getter, MP_QSTR_property, MP_TYPE_FLAG_NONE, call, native_call);

static mp_obj_t native(int kind, uint32_t index, int options, qstr name) {
    static const mp_obj_type_t *const kinds[] = {&type_function, &type_method, &type_getter};
    native_t *self = mp_obj_malloc(native_t, kinds[kind]);
    self->index = index;
    self->options = options;
    self->name = name;
    return MP_OBJ_FROM_PTR(self);
}

mp_obj_t arena_function(int kind, uint32_t index, int options, const char *name, size_t len) {
    PROTECTED(native(kind, index, options, qstr_from_strn(name, len)))
}

// Objects of ours: with attributes, and with what Rust holds for them.

typedef struct {
    mp_obj_base_t base;
    void *held;
    size_t held_bytes;
    mp_map_t fields;
} object_t;

static void object_attr(mp_obj_t self_in, qstr name, mp_obj_t *dest) {
    object_t *self = MP_OBJ_TO_PTR(self_in);
    if (dest[0] != MP_OBJ_NULL) {
        return;
    }
    mp_obj_t key = MP_OBJ_NEW_QSTR(name);
    mp_map_elem_t *elem = self->fields.used ? mp_map_lookup(&self->fields, key, MP_MAP_LOOKUP) : NULL;
    if (elem) {
        dest[0] = elem->value;
        return;
    }
    elem = mp_map_lookup(&MP_OBJ_TYPE_GET_SLOT(self->base.type, locals_dict)->map, key, MP_MAP_LOOKUP);
    if (elem && mp_obj_is_exact_type(elem->value, &type_getter)) {
        dest[0] = native_call(elem->value, 1, 0, &self_in);
    } else {
        dest[1] = MP_OBJ_SENTINEL;
    }
}

static void object_print(const mp_print_t *print, mp_obj_t self, mp_print_kind_t kind) {
    size_t len;
    mp_obj_t text = arena_object_text(self, kind == PRINT_STR);
    if (text == MP_OBJ_NULL) {
        nlr_raise(arena_take_raised());
    }
    const char *data = mp_obj_str_get_data(text, &len);
    mp_print_strn(print, data, len, 0, 0, 0);
}

static mp_obj_t object_binary(mp_binary_op_t op, mp_obj_t left, mp_obj_t right) {
    return op == MP_BINARY_OP_EQUAL ? mp_obj_new_bool(arena_object_equal(left, right)) : MP_OBJ_NULL;
}

static mp_obj_t object_unary(mp_unary_op_t op, mp_obj_t self) {
    if (op == MP_UNARY_OP_HASH) {
        return MP_OBJ_NEW_SMALL_INT(arena_object_hash(self));
    }
    return op == MP_UNARY_OP_BOOL ? mp_const_true : MP_OBJ_NULL;
}

static mp_obj_t object_new(const mp_obj_type_t *type, size_t n_args, size_t n_kw, const mp_obj_t *args) {
    mp_map_elem_t *elem = mp_map_lookup(&MP_OBJ_TYPE_GET_SLOT(type, locals_dict)->map, MP_OBJ_NEW_QSTR(MP_QSTR___new__), MP_MAP_LOOKUP);
    if (!elem) {
        mp_raise_msg_varg(&mp_type_TypeError, MP_ERROR_TEXT("%q objects are made by the arena"), type->name);
    }
    return native_call(elem->value, n_args, n_kw, args);
}

static mp_obj_t object_del(mp_obj_t self_in) {
    object_t *self = MP_OBJ_TO_PTR(self_in);
    if (self->held) {
        arena_drop(self->held);
        held_bytes -= self->held_bytes;
        self->held = NULL;
    }
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(object_del_obj, object_del);

static mp_obj_t class(qstr name) {
    mp_obj_full_type_t *type = m_new0(mp_obj_full_type_t, 1);
    mp_obj_t members = mp_obj_new_dict(0);
    *type = (mp_obj_full_type_t){
        .base = {&mp_type_type},
        .flags = MP_TYPE_FLAG_EQ_CHECKS_OTHER_TYPE,
        .name = name,
        .slot_index_make_new = 1,
        .slot_index_print = 2,
        .slot_index_unary_op = 3,
        .slot_index_binary_op = 4,
        .slot_index_attr = 5,
        .slot_index_locals_dict = 6,
        .slots = {object_new, object_print, object_unary, object_binary, object_attr, MP_OBJ_TO_PTR(members)},
    };
    mp_obj_dict_store(members, MP_OBJ_NEW_QSTR(MP_QSTR___del__), MP_OBJ_FROM_PTR(&object_del_obj));
    return MP_OBJ_FROM_PTR(type);
}

mp_obj_t arena_class(const char *name, size_t len) { PROTECTED(class(qstr_from_strn(name, len))) }

static mp_obj_t object(mp_obj_t type, void *held, size_t bytes) {
    if (held && held_bytes + bytes > ARENA_HELD) {
        mp_raise_msg(&mp_type_MemoryError, MP_ERROR_TEXT("too many boards and actions at once"));
    }
    object_t *self = m_malloc_with_finaliser(sizeof(object_t));
    self->base.type = MP_OBJ_TO_PTR(type);
    self->held = held;
    mp_map_init(&self->fields, 0);
    self->held_bytes = held ? bytes : 0;
    held_bytes += self->held_bytes;
    new_bytes += self->held_bytes + ARENA_DROPPED;
    return MP_OBJ_FROM_PTR(self);
}

mp_obj_t arena_object(mp_obj_t type, void *held, size_t bytes) { PROTECTED(object(type, held, bytes)) }

static mp_obj_t set_field(mp_obj_t self, qstr name, mp_obj_t value) {
    mp_map_t *map = &((object_t *)MP_OBJ_TO_PTR(self))->fields;
    if (mp_obj_is_type(self, &mp_type_type)) {
        map = &MP_OBJ_TYPE_GET_SLOT((mp_obj_type_t *)MP_OBJ_TO_PTR(self), locals_dict)->map;
    } else if (mp_obj_is_type(self, &mp_type_dict)) {
        map = mp_obj_dict_get_map(self);
    }
    mp_map_lookup(map, MP_OBJ_NEW_QSTR(name), MP_MAP_LOOKUP_ADD_IF_NOT_FOUND)->value = value;
    return mp_const_none;
}

mp_obj_t arena_set_field(mp_obj_t self, const char *name, size_t len, mp_obj_t value) {
    PROTECTED(set_field(self, qstr_from_strn(name, len), value))
}

void *arena_held(mp_obj_t value) {
    if (!mp_obj_is_obj(value)) {
        return NULL;
    }
    const mp_obj_type_t *type = mp_obj_get_type(value);
    if (!MP_OBJ_TYPE_HAS_SLOT(type, attr) || MP_OBJ_TYPE_GET_SLOT(type, attr) != object_attr) {
        return NULL;
    }
    return ((object_t *)MP_OBJ_TO_PTR(value))->held;
}

// Modules in Python are texts.

mp_import_stat_t mp_import_stat(const char *path) {
    size_t len;
    return arena_module(path, strlen(path), &len) ? MP_IMPORT_STAT_FILE : MP_IMPORT_STAT_NO_EXIST;
}

mp_lexer_t *mp_lexer_new_from_file(qstr path) {
    size_t len;
    const char *text = arena_module(qstr_str(path), qstr_len(path), &len);
    return mp_lexer_new_from_str_len(path, text, len, 0);
}
