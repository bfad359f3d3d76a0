// What clang's lowering of setjmp and longjmp calls: a table for each running function that has called setjmp, of 40 bytes.

#include <stddef.h>
#include <stdint.h>

typedef struct {
    intptr_t jump;
    uint32_t place;
} entry_t;

#define ENTRIES (5)

typedef struct {
    entry_t entries[ENTRIES];
} table_t;

// As many functions as can nest on the machine's stack.
static table_t tables[4096];
static table_t *next = tables;

void *malloc(size_t size) {
    if (size != sizeof(table_t) || next == tables + sizeof(tables) / sizeof(*tables)) {
        __builtin_trap();
    }
    return next++;
}

// Functions end in reverse: what is above was left by a jump.
void free(void *table) { next = table; }

// A place in a function has one jump at a time.
table_t *saveSetjmp(int *jump, int place, table_t *table, int size) {
    *jump = (intptr_t)jump;
    for (int i = 0; i < ENTRIES; i++) {
        entry_t *entry = &table->entries[i];
        if (entry->jump == *jump || entry->jump == 0 || entry->place == place) {
            // Only the first entry of a new table is zero.
            if (entry->jump == 0 && i + 1 < ENTRIES) {
                entry[1].jump = 0;
            }
            *entry = (entry_t){*jump, place};
            return table;
        }
    }
    __builtin_trap();
}

int getTempRet0(void) { return ENTRIES - 1; }

int testSetjmp(intptr_t jump, table_t *table, int size) {
    for (int i = 0; i < ENTRIES && table->entries[i].jump; i++) {
        if (table->entries[i].jump == jump) {
            next = table + 1;
            return table->entries[i].place;
        }
    }
    return 0;
}

void __wasm_longjmp(void *jump, int value) {
    static struct {
        void *jump;
        int value;
    } thrown;
    thrown.jump = jump;
    thrown.value = value;
    __builtin_wasm_throw(1, &thrown);
}
