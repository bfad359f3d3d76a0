// What Python has and MicroPython has not: a stable sort that asks for each key once, and some methods of strings and integers.

#include <string.h>

#include "py/cstack.h"
#include "py/mpz.h"
#include "py/objint.h"
#include "py/objlist.h"
#include "py/objstr.h"
#include "py/pystack.h"
#include "py/runtime.h"

typedef struct {
    mp_obj_t key;
    mp_obj_t item;
} sorted_t;

// Whether the right one comes first: never for equal ones.
static bool swaps(const sorted_t *left, const sorted_t *right, bool reverse) {
    ARENA_STEP(1);
    mp_obj_t less = reverse ? mp_binary_op(MP_BINARY_OP_LESS, left->key, right->key) : mp_binary_op(MP_BINARY_OP_LESS, right->key, left->key);
    return mp_obj_is_true(less);
}

static void merge_sort(sorted_t *items, sorted_t *space, size_t count, bool reverse) {
    if (count < 2) {
        return;
    }
    size_t half = count / 2;
    merge_sort(items, space, half, reverse);
    merge_sort(items + half, space, count - half, reverse);
    if (!swaps(&items[half - 1], &items[half], reverse)) {
        return;
    }
    memcpy(space, items, half * sizeof(*items));
    size_t left = 0, right = half, to = 0;
    while (left < half && right < count) {
        items[to++] = swaps(&space[left], &items[right], reverse) ? items[right++] : space[left++];
    }
    memcpy(items + to, space + left, (half - left) * sizeof(*items));
}

void arena_sort(mp_obj_list_t *list, mp_obj_t key, bool reverse) {
    int open = arena_open && arena_opens(key);
    arena_open = 0;
    mp_cstack_check();
    size_t count = list->len;
    sorted_t *items = m_new(sorted_t, count + count / 2);
    void **shown = mp_pystack_alloc(2 * sizeof(void *));
    shown[0] = list;
    shown[1] = items;
    for (size_t i = 0; i < count && i < list->len; i++) {
        items[i].item = list->items[i];
        arena_open = open;
        items[i].key = key == mp_const_none ? list->items[i] : mp_call_function_1(key, list->items[i]);
        arena_open = 0;
    }
    if (list->len != count) {
        mp_raise_ValueError(MP_ERROR_TEXT("list modified during sort"));
    }
    merge_sort(items, items + count, count, reverse);
    if (list->len != count) {
        mp_raise_ValueError(MP_ERROR_TEXT("list modified during sort"));
    }
    for (size_t i = 0; i < count; i++) {
        list->items[i] = items[i].item;
    }
    mp_pystack_free(shown);
    m_del(sorted_t, items, count + count / 2);
}

// A slice of a text with a step that is not one.
mp_obj_t arena_str_slice(mp_obj_t self, mp_obj_t index) {
    size_t len;
    const char *text = mp_obj_str_get_data(self, &len);
    mp_int_t count = MP_OBJ_SMALL_INT_VALUE(mp_obj_len(self));
    mp_bound_slice_t bounds;
    mp_obj_slice_indices(index, count, &bounds);
    const char **letters = m_new(const char *, count + 1);
    const byte *at = (const byte *)text;
    for (mp_int_t i = 0; i <= count; i++) {
        letters[i] = (const char *)at;
        at = i < count ? utf8_next_char(at) : at;
    }
    vstr_t vstr;
    vstr_init(&vstr, len);
    for (mp_int_t i = bounds.start; bounds.step > 0 ? i < (mp_int_t)bounds.stop : i > (mp_int_t)bounds.stop; i += bounds.step) {
        vstr_add_strn(&vstr, letters[i], letters[i + 1] - letters[i]);
    }
    m_del(const char *, letters, count + 1);
    return mp_obj_new_str_from_vstr(&vstr);
}

static mp_obj_t padded(size_t n_args, const mp_obj_t *args, int before_of_two) {
    size_t len, fill_len = 1;
    const char *text = mp_obj_str_get_data(args[0], &len), *fill = " ";
    size_t has = MP_OBJ_SMALL_INT_VALUE(mp_obj_len(args[0]));
    mp_int_t width = mp_obj_get_int(args[1]);
    if (n_args > 2) {
        fill = mp_obj_str_get_data(args[2], &fill_len);
    }
    if (width <= (mp_int_t)has) {
        return args[0];
    }
    size_t missing = width - has, before = before_of_two ? missing : 0;
    vstr_t vstr;
    vstr_init(&vstr, len + missing * fill_len);
    for (size_t i = 0; i < before; i++) {
        vstr_add_strn(&vstr, fill, fill_len);
    }
    vstr_add_strn(&vstr, text, len);
    for (size_t i = before; i < missing; i++) {
        vstr_add_strn(&vstr, fill, fill_len);
    }
    return mp_obj_new_str_from_vstr(&vstr);
}

static mp_obj_t str_ljust(size_t n_args, const mp_obj_t *args) { return padded(n_args, args, 0); }
MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(arena_str_ljust_obj, 2, 3, str_ljust);

static mp_obj_t str_rjust(size_t n_args, const mp_obj_t *args) { return padded(n_args, args, 1); }
MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(arena_str_rjust_obj, 2, 3, str_rjust);

static mp_obj_t str_zfill(mp_obj_t self, mp_obj_t width) {
    size_t len;
    const char *text = mp_obj_str_get_data(self, &len);
    size_t sign = len && (text[0] == '-' || text[0] == '+');
    mp_int_t missing = mp_obj_get_int(width) - (mp_int_t)len;
    if (missing <= 0) {
        return self;
    }
    vstr_t vstr;
    vstr_init(&vstr, len + missing);
    vstr_add_strn(&vstr, text, sign);
    for (; missing > 0; missing--) {
        vstr_add_byte(&vstr, '0');
    }
    vstr_add_strn(&vstr, text + sign, len - sign);
    return mp_obj_new_str_from_vstr(&vstr);
}
MP_DEFINE_CONST_FUN_OBJ_2(arena_str_zfill_obj, str_zfill);

static mp_obj_t without(mp_obj_t self, mp_obj_t part, int at_end) {
    size_t len, part_len;
    const char *text = mp_obj_str_get_data(self, &len), *data = mp_obj_str_get_data(part, &part_len);
    if (part_len == 0 || part_len > len || memcmp(at_end ? text + len - part_len : text, data, part_len)) {
        return self;
    }
    return mp_obj_new_str(at_end ? text : text + part_len, len - part_len);
}

static mp_obj_t str_removeprefix(mp_obj_t self, mp_obj_t part) { return without(self, part, 0); }
MP_DEFINE_CONST_FUN_OBJ_2(arena_str_removeprefix_obj, str_removeprefix);

static mp_obj_t str_removesuffix(mp_obj_t self, mp_obj_t part) { return without(self, part, 1); }
MP_DEFINE_CONST_FUN_OBJ_2(arena_str_removesuffix_obj, str_removesuffix);

// Capital letters at the beginning of words, or of the text alone.
static mp_obj_t capitals(mp_obj_t self, int of_words) {
    size_t len;
    const char *text = mp_obj_str_get_data(self, &len);
    vstr_t vstr;
    vstr_init(&vstr, len);
    bool begins = true;
    for (size_t i = 0; i < len; i++) {
        unichar letter = (unsigned char)text[i];
        vstr_add_byte(&vstr, begins ? unichar_toupper(letter) : unichar_tolower(letter));
        begins = of_words && letter < 128 && !unichar_isalpha(letter);
    }
    return mp_obj_new_str_from_vstr(&vstr);
}

static mp_obj_t str_title(mp_obj_t self) { return capitals(self, 1); }
MP_DEFINE_CONST_FUN_OBJ_1(arena_str_title_obj, str_title);

static mp_obj_t str_capitalize(mp_obj_t self) { return capitals(self, 0); }
MP_DEFINE_CONST_FUN_OBJ_1(arena_str_capitalize_obj, str_capitalize);

// Bits of the absolute value: how many it takes, or how many are ones.
static mp_obj_t bits(mp_obj_t self, bool ones) {
    size_t count = 0;
    if (!mp_obj_is_exact_type(self, &mp_type_int)) {
        mp_int_t value = mp_obj_get_int(self);
        mp_uint_t left = value < 0 ? -(mp_uint_t)value : (mp_uint_t)value;
        return MP_OBJ_NEW_SMALL_INT(ones ? __builtin_popcount(left) : left ? 32 - __builtin_clz(left) : 0);
    }
    const mpz_t *value = &((mp_obj_int_t *)MP_OBJ_TO_PTR(self))->mpz;
    for (size_t i = 0; i < value->len; i++) {
        unsigned digit = value->dig[i];
        if (ones) {
            count += __builtin_popcount(digit);
        } else if (digit) {
            count = i * MPZ_DIG_SIZE + 32 - __builtin_clz(digit);
        }
    }
    return MP_OBJ_NEW_SMALL_INT(count);
}

static mp_obj_t int_bit_length(mp_obj_t self) { return bits(self, false); }
MP_DEFINE_CONST_FUN_OBJ_1(arena_int_bit_length_obj, int_bit_length);

static mp_obj_t int_bit_count(mp_obj_t self) { return bits(self, true); }
MP_DEFINE_CONST_FUN_OBJ_1(arena_int_bit_count_obj, int_bit_count);

static mp_obj_t no_files(size_t n_args, const mp_obj_t *args, mp_map_t *named) {
    mp_raise_msg(&mp_type_OSError, MP_ERROR_TEXT("there are no files"));
}
MP_DEFINE_CONST_FUN_OBJ_KW(mp_builtin_open_obj, 0, no_files);
