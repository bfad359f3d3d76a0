// Included by py/qstr.c: the names by their hashes, so that none is looked for one after another.

#define SLOTS (8192)
// The first so many names are here; those beyond are looked for.
#define NAMES_MAX (3 * SLOTS / 4)

// Numbers of names; zero where there is none.
static uint16_t slots[SLOTS];

static void index_name(qstr q, size_t hash) {
    if (q >= NAMES_MAX) {
        return;
    }
    size_t at = hash % SLOTS;
    while (slots[at]) {
        at = (at + 1) % SLOTS;
    }
    slots[at] = q;
}

void arena_index_names(void) {
    for (qstr q = 1; q < MP_QSTRnumber_of; q++) {
        index_name(q, qstr_hash(q));
    }
}

// The name with these letters; MP_QSTRnull if it is not among the first.
static qstr indexed(const char *text, size_t len, size_t hash) {
    for (size_t at = hash % SLOTS; slots[at]; at = (at + 1) % SLOTS) {
        qstr q = slots[at];
        const qstr_pool_t *pool = find_qstr(&q);
        if (pool->hashes[q] == hash && pool->lengths[q] == len && memcmp(pool->qstrs[q], text, len) == 0) {
            return pool->total_prev_len + q;
        }
    }
    return MP_QSTRnull;
}
