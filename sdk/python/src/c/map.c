// MicroPython's py/map.c with other maps: their elements stay in the order in which they came. The sets are as they were.
//
// The MIT License (MIT)
//
// Copyright (c) 2013, 2014 Damien P. George
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
// "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
// distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
// the following conditions:
//
// The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
// MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
// ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
// THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "py/mpconfig.h"
#include "py/misc.h"
#include "py/runtime.h"

// A table of elements in their order. One with more than LINEAR elements has an index behind them, in the same block: `mask + 1` numbers,
// each that of an element and one more, or zero; and before these the number of elements that were ever added. What is removed from it
// leaves an element whose key is MP_OBJ_SENTINEL; a table without an index closes the gap.
#define LINEAR (8)

typedef struct {
    uint32_t mask;
    uint32_t next;
    uint16_t numbers[];
} index_t;

// Maps have at most so many elements, whose numbers fit into 16 bits. There is no space for more.
#define ELEMENTS_MAX (60000)

static index_t *index_of(const mp_map_t *map) { return (index_t *)(map->table + map->alloc); }

static bool has_index(const mp_map_t *map) { return !map->is_fixed && map->alloc > LINEAR; }

static size_t slots_for(size_t elements) {
    size_t slots = 16;
    while (slots < elements + elements / 2) {
        slots *= 2;
    }
    return slots;
}

static size_t bytes_for(size_t elements) {
    size_t bytes = elements * sizeof(mp_map_elem_t);
    return elements > LINEAR ? bytes + sizeof(index_t) + slots_for(elements) * sizeof(uint16_t) : bytes;
}

static void make_table(mp_map_t *map, size_t n) {
    if (n > ELEMENTS_MAX) {
        mp_raise_msg(&mp_type_MemoryError, MP_ERROR_TEXT("a dict has at most 60000 items here"));
    }
    map->table = (mp_map_elem_t *)m_new0(byte, bytes_for(n));
    map->alloc = n;
    map->used = 0;
    if (n > LINEAR) {
        index_of(map)->mask = slots_for(n) - 1;
    }
}

void mp_map_init(mp_map_t *map, size_t n) {
    map->alloc = 0;
    map->table = NULL;
    map->used = 0;
    map->all_keys_are_qstrs = 1;
    map->is_fixed = 0;
    map->is_ordered = 0;
    if (n) {
        make_table(map, n);
    }
}

void mp_map_init_fixed_table(mp_map_t *map, size_t n, const mp_obj_t *table) {
    map->alloc = n;
    map->used = n;
    map->all_keys_are_qstrs = 1;
    map->is_fixed = 1;
    map->is_ordered = 1;
    map->table = (mp_map_elem_t *)table;
}

void mp_map_deinit(mp_map_t *map) {
    if (!map->is_fixed) {
        m_del(byte, (byte *)map->table, bytes_for(map->alloc));
    }
    map->used = map->alloc = 0;
}

void mp_map_clear(mp_map_t *map) {
    mp_map_deinit(map);
    map->all_keys_are_qstrs = 1;
    map->is_fixed = 0;
    map->table = NULL;
}

// A copy of a map's table, for a map that has none of this size yet.
void arena_map_copy(mp_map_t *to, const mp_map_t *from) {
    if (from->is_fixed) {
        memcpy(to->table, from->table, from->alloc * sizeof(mp_map_elem_t));
        if (has_index(to)) {
            mp_map_elem_t *table = to->table;
            make_table(to, from->alloc);
            for (size_t i = 0; i < from->used; i++) {
                mp_map_lookup(to, table[i].key, MP_MAP_LOOKUP_ADD_IF_NOT_FOUND)->value = table[i].value;
            }
        }
    } else {
        memcpy(to->table, from->table, bytes_for(from->alloc));
    }
}

static mp_uint_t hash_of(mp_obj_t key) {
    mp_uint_t hash = mp_obj_is_qstr(key) ? qstr_hash(MP_OBJ_QSTR_VALUE(key))
        : (mp_uint_t)MP_OBJ_SMALL_INT_VALUE(mp_unary_op(MP_UNARY_OP_HASH, key));
    // Small numbers are their own hashes, and tuples mix the low bits only.
    return hash ^ (hash >> 7) ^ (hash >> 15);
}

// The slot of the index for a number that has this hash: the first that is free.
static uint16_t *free_slot(index_t *index, mp_uint_t hash) {
    size_t at = hash & index->mask;
    while (index->numbers[at]) {
        at = (at + 1) & index->mask;
    }
    return &index->numbers[at];
}

static mp_map_elem_t *append(mp_map_t *map, mp_obj_t key, mp_uint_t hash) {
    size_t at = map->used;
    if (has_index(map)) {
        index_t *index = index_of(map);
        at = index->next++;
        *free_slot(index, hash) = at + 1;
    }
    map->used++;
    mp_map_elem_t *element = &map->table[at];
    element->key = key;
    element->value = MP_OBJ_NULL;
    if (!mp_obj_is_qstr(key)) {
        map->all_keys_are_qstrs = 0;
    }
    return element;
}

// Makes space for one more, and leaves gaps behind.
static void grow(mp_map_t *map) {
    mp_map_t old = *map;
    size_t n = old.alloc == 0 ? 2 : old.used < 4 ? 4 : old.used < LINEAR ? LINEAR : old.used + old.used / 2 + 4;
    make_table(map, n);
    map->all_keys_are_qstrs = 1;
    for (size_t i = 0; i < old.alloc; i++) {
        if (mp_map_slot_is_filled(&old, i)) {
            mp_uint_t hash = n > LINEAR ? hash_of(old.table[i].key) : 0;
            append(map, old.table[i].key, hash)->value = old.table[i].value;
        }
    }
    m_del(byte, (byte *)old.table, bytes_for(old.alloc));
}

// Where a key was found last in any map: what is looked up again and again is in the same place of the same map.
static uint8_t found_at[128];

static uint8_t *found_last(mp_obj_t key) { return &found_at[((uintptr_t)key >> 2) % sizeof(found_at)]; }

static bool is_same(mp_obj_t one, mp_obj_t other, bool only_pointers) {
    return one == other || (!only_pointers && mp_obj_equal(one, other));
}

static mp_map_elem_t *removed(mp_map_t *map, mp_map_elem_t *element) {
    map->used--;
    if (has_index(map)) {
        element->key = MP_OBJ_SENTINEL;
        return element;
    }
    // What is behind the others is for the caller to look at, who then clears it.
    mp_map_elem_t *last = &map->table[map->used];
    mp_obj_t value = element->value;
    memmove(element, element + 1, (last - element) * sizeof(*element));
    last->key = MP_OBJ_NULL;
    last->value = value;
    return last;
}

mp_map_elem_t *MICROPY_WRAP_MP_MAP_LOOKUP(mp_map_lookup)(mp_map_t *map, mp_obj_t key, mp_map_lookup_kind_t kind) {
    uint8_t *last = found_last(key);
    if (*last < map->alloc && map->table[*last].key == key && kind != MP_MAP_LOOKUP_REMOVE_IF_FOUND) {
        return &map->table[*last];
    }
    bool only_pointers = map->all_keys_are_qstrs;
    if (only_pointers && !mp_obj_is_qstr(key)) {
        if (mp_obj_is_exact_type(key, &mp_type_str)) {
            only_pointers = false;
        } else if (kind != MP_MAP_LOOKUP_ADD_IF_NOT_FOUND) {
            // What cannot be a key is no key of an empty dict either.
            if (!mp_obj_is_small_int(key)) {
                mp_unary_op(MP_UNARY_OP_HASH, key);
            }
            return NULL;
        }
    }
    mp_map_elem_t *found = NULL;
    mp_uint_t hash = 0;
    if (has_index(map)) {
        index_t *index = index_of(map);
        hash = hash_of(key);
        for (size_t at = hash & index->mask; index->numbers[at]; at = (at + 1) & index->mask) {
            mp_map_elem_t *element = &map->table[index->numbers[at] - 1];
            if (element->key != MP_OBJ_SENTINEL && is_same(element->key, key, only_pointers)) {
                found = element;
                break;
            }
        }
    } else {
        if (kind == MP_MAP_LOOKUP_ADD_IF_NOT_FOUND && !mp_obj_is_qstr(key)) {
            hash_of(key);
        }
        for (mp_map_elem_t *element = map->table, *end = element + map->used; element < end; element++) {
            if (is_same(element->key, key, only_pointers)) {
                found = element;
                break;
            }
        }
    }
    if (found) {
        *last = found - map->table;
        return kind == MP_MAP_LOOKUP_REMOVE_IF_FOUND ? removed(map, found) : found;
    }
    if (kind != MP_MAP_LOOKUP_ADD_IF_NOT_FOUND) {
        return NULL;
    }
    size_t next = has_index(map) ? index_of(map)->next : map->used;
    if (next == map->alloc) {
        grow(map);
        hash = has_index(map) ? hash_of(key) : 0;
    }
    return append(map, key, hash);
}

// This table of sizes is used to control the growth of hash tables.
// The first set of sizes are chosen so the allocation fits exactly in a
// 4-word GC block, and it's not so important for these small values to be
// prime.  The latter sizes are prime and increase at an increasing rate.
static const uint16_t hash_allocation_sizes[] = {
    0, 2, 4, 6, 8, 10, 12, // +2
    17, 23, 29, 37, 47, 59, 73, // *1.25
    97, 127, 167, 223, 293, 389, 521, 691, 919, 1223, 1627, 2161, // *1.33
    3229, 4831, 7243, 10861, 16273, 24407, 36607, 54907, // *1.5
};

static size_t get_hash_alloc_greater_or_equal_to(size_t x) {
    for (size_t i = 0; i < MP_ARRAY_SIZE(hash_allocation_sizes); i++) {
        if (hash_allocation_sizes[i] >= x) {
            return hash_allocation_sizes[i];
        }
    }
    // ran out of primes in the table!
    // return something sensible, at least make it odd
    return (x + x / 2) | 1;
}

/******************************************************************************/
/* set                                                                        */

#if MICROPY_PY_BUILTINS_SET

void mp_set_init(mp_set_t *set, size_t n) {
    set->alloc = n;
    set->used = 0;
    set->table = m_new0(mp_obj_t, set->alloc);
}

static void mp_set_rehash(mp_set_t *set) {
    size_t old_alloc = set->alloc;
    mp_obj_t *old_table = set->table;
    set->alloc = get_hash_alloc_greater_or_equal_to(set->alloc + 1);
    set->used = 0;
    set->table = m_new0(mp_obj_t, set->alloc);
    for (size_t i = 0; i < old_alloc; i++) {
        if (old_table[i] != MP_OBJ_NULL && old_table[i] != MP_OBJ_SENTINEL) {
            mp_set_lookup(set, old_table[i], MP_MAP_LOOKUP_ADD_IF_NOT_FOUND);
        }
    }
    m_del(mp_obj_t, old_table, old_alloc);
}

mp_obj_t mp_set_lookup(mp_set_t *set, mp_obj_t index, mp_map_lookup_kind_t lookup_kind) {
    // Note: lookup_kind can be MP_MAP_LOOKUP_ADD_IF_NOT_FOUND_OR_REMOVE_IF_FOUND which
    // is handled by using bitwise operations.

    if (set->alloc == 0) {
        if (lookup_kind & MP_MAP_LOOKUP_ADD_IF_NOT_FOUND) {
            mp_set_rehash(set);
        } else {
            return MP_OBJ_NULL;
        }
    }
    mp_uint_t hash = MP_OBJ_SMALL_INT_VALUE(mp_unary_op(MP_UNARY_OP_HASH, index));
    size_t pos = hash % set->alloc;
    size_t start_pos = pos;
    mp_obj_t *avail_slot = NULL;
    for (;;) {
        mp_obj_t elem = set->table[pos];
        if (elem == MP_OBJ_NULL) {
            // found NULL slot, so index is not in table
            if (lookup_kind & MP_MAP_LOOKUP_ADD_IF_NOT_FOUND) {
                if (avail_slot == NULL) {
                    avail_slot = &set->table[pos];
                }
                set->used++;
                *avail_slot = index;
                return index;
            } else {
                return MP_OBJ_NULL;
            }
        } else if (elem == MP_OBJ_SENTINEL) {
            // found deleted slot, remember for later
            if (avail_slot == NULL) {
                avail_slot = &set->table[pos];
            }
        } else if (mp_obj_equal(elem, index)) {
            // found index
            if (lookup_kind & MP_MAP_LOOKUP_REMOVE_IF_FOUND) {
                // delete element
                set->used--;
                if (set->table[(pos + 1) % set->alloc] == MP_OBJ_NULL) {
                    // optimisation if next slot is empty
                    set->table[pos] = MP_OBJ_NULL;
                } else {
                    set->table[pos] = MP_OBJ_SENTINEL;
                }
            }
            return elem;
        }

        // not yet found, keep searching in this table
        pos = (pos + 1) % set->alloc;

        if (pos == start_pos) {
            // search got back to starting position, so index is not in table
            if (lookup_kind & MP_MAP_LOOKUP_ADD_IF_NOT_FOUND) {
                if (avail_slot != NULL) {
                    // there was an available slot, so use that
                    set->used++;
                    *avail_slot = index;
                    return index;
                } else {
                    // not enough room in table, rehash it
                    mp_set_rehash(set);
                    // restart the search for the new element
                    start_pos = pos = hash % set->alloc;
                }
            } else {
                return MP_OBJ_NULL;
            }
        }
    }
}

mp_obj_t mp_set_remove_first(mp_set_t *set) {
    for (size_t pos = 0; pos < set->alloc; pos++) {
        if (mp_set_slot_is_filled(set, pos)) {
            mp_obj_t elem = set->table[pos];
            // delete element
            set->used--;
            if (set->table[(pos + 1) % set->alloc] == MP_OBJ_NULL) {
                // optimisation if next slot is empty
                set->table[pos] = MP_OBJ_NULL;
            } else {
                set->table[pos] = MP_OBJ_SENTINEL;
            }
            return elem;
        }
    }
    return MP_OBJ_NULL;
}

void mp_set_clear(mp_set_t *set) {
    m_del(mp_obj_t, set->table, set->alloc);
    set->alloc = 0;
    set->used = 0;
    set->table = NULL;
}

#endif // MICROPY_PY_BUILTINS_SET
