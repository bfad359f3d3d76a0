// What glue.c and Rust have of each other.
#pragma once

#include "py/obj.h"

// Bytes for Python's objects, for its frames, and for what objects hold of ours outside of both.
#define ARENA_HEAP (1408 * 1024)
#define ARENA_FRAMES (48 * 1024)
#define ARENA_HELD (512 * 1024)
// Loops and returns of a script between two questions whether it is to end, and steps of what takes long without any.
#define ARENA_POLLS (16)
#define ARENA_STEPS (256)
#define ARENA_ARGUMENTS (8)
// Bytes for which an object of ours counts, besides what it holds, until it is collected: to drop it takes fuel.
#define ARENA_DROPPED (200)
// Fuel that it takes to collect a block of the heap.
#define ARENA_MARKED (400)
// Bytes that are kept for the report of an error.
#define ARENA_SPARE (8 * 1024)

enum { ARENA_BOOL, ARENA_INT, ARENA_FLOAT, ARENA_STR, ARENA_LIST, ARENA_TUPLE, ARENA_DICT, ARENA_FUNCTION, ARENA_GENERATOR, ARENA_OTHER };

typedef struct {
    const char *file;
    uint32_t line;
    const char *function;
} arena_place_t;

// Of Rust.
uint64_t arena_left(void);
void arena_end(void) __attribute__((noreturn));
void arena_fail(void) __attribute__((noreturn));
mp_obj_t arena_native(uint32_t index, size_t n_args, const mp_obj_t *args);
mp_obj_t arena_object_text(mp_obj_t object, int as_str);
int arena_object_equal(mp_obj_t left, mp_obj_t right);
int arena_object_hash(mp_obj_t object);
void arena_drop(void *held);
const char *arena_module(const char *path, size_t len, size_t *text_len);
