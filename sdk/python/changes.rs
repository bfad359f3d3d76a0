//! For the build script: what is changed in MicroPython.

/// Changes of MicroPython: the file, what it has once, and what is there instead.
pub(crate) const CHANGES: [(&str, &str, &str); 80] = [
    // Where each operator is, even if nothing of it can fail: for profiles, and for the end of fuel.
    (
        "py/vm.c",
        "#define MARK_EXC_IP_GLOBAL() { code_state->ip = ip; }",
        "#define MARK_EXC_IP_GLOBAL() { *(const byte *volatile *)&code_state->ip = ip; }",
    ),
    // Jumps leave frames.
    ("py/nlr.h", "    void *pystack;\n", "    void *pystack;\n    arena_frame_t *frame;\n"),
    (
        "py/nlr.h",
        "(nlr_buf)->pystack = MP_STATE_THREAD(pystack_cur)\n",
        "(nlr_buf)->pystack = MP_STATE_THREAD(pystack_cur), (nlr_buf)->frame = arena_frame\n",
    ),
    (
        "py/nlr.h",
        "MP_STATE_THREAD(pystack_cur) = (nlr_buf)->pystack\n",
        "MP_STATE_THREAD(pystack_cur) = (nlr_buf)->pystack, arena_frame = (nlr_buf)->frame, arena_open = 0\n",
    ),
    // The column of a syntax error.
    (
        "py/parse.c",
        "        mp_obj_exception_add_traceback(exc, lex->source_name, lex->tok_line, MP_QSTRnull);",
        "        extern size_t arena_column;\n        arena_column = lex->tok_column;\n        \
         mp_obj_exception_add_traceback(exc, lex->source_name, lex->tok_line, MP_QSTRnull);",
    ),
    // Brackets nest in the compiler as calls do, and it asks whether it is to end.
    (
        "py/compile.c",
        "static void compile_node(compiler_t *comp, mp_parse_node_t pn) {\n",
        "#include \"py/cstack.h\"\nstatic void compile_node(compiler_t *comp, mp_parse_node_t pn) {\n    ARENA_STEP(1);\n    mp_cstack_check();\n",
    ),
    // Calls that nest too deep are one error.
    (
        "py/pystack.c",
        "mp_raise_type_arg(&mp_type_RuntimeError, MP_OBJ_NEW_QSTR(MP_QSTR_pystack_space_exhausted))",
        "mp_raise_recursion_depth()",
    ),
    // Dicts in order (src/c/map.c).
    (
        "py/objdict.c",
        "memcpy(other->map.table, self->map.table, self->map.alloc * sizeof(mp_map_elem_t));",
        "void arena_map_copy(mp_map_t *, const mp_map_t *);\n    arena_map_copy(&other->map, &self->map);",
    ),
    (
        "py/objdict.c",
        "    size_t cur = 0;\n    #if MICROPY_PY_COLLECTIONS_ORDEREDDICT\n    if (self->map.is_ordered) {\n        cur = self->map.used - 1;\n    }\n    \
         #endif\n    mp_map_elem_t *next = dict_iter_next(self, &cur);\n    assert(next);\n    self->map.used--;\n",
        "    size_t cur = self->map.alloc;\n    while (!mp_map_slot_is_filled(&self->map, --cur)) {\n    }\n    \
         mp_map_elem_t *next = &self->map.table[cur];\n",
    ),
    (
        "py/objdict.c",
        "    next->key = MP_OBJ_SENTINEL; // must mark key as sentinel to indicate that it was deleted\n    next->value = MP_OBJ_NULL;\n",
        "    mp_map_lookup(&self->map, items[0], MP_MAP_LOOKUP_REMOVE_IF_FOUND)->value = MP_OBJ_NULL;\n",
    ),
    // Cells are not to have the hash of their sum.
    (
        "py/objtuple.c",
        "hash += MP_OBJ_SMALL_INT_VALUE(mp_unary_op(MP_UNARY_OP_HASH, self->items[i]));",
        "hash = hash * 1000003 + MP_OBJ_SMALL_INT_VALUE(mp_unary_op(MP_UNARY_OP_HASH, self->items[i]));",
    ),
    // Classes know the names that are annotated in them, for dataclasses.
    (
        "py/compile.c",
        "        if (kind == PN_annassign) {\n",
        "        if (kind == PN_annassign) {\n            \
         if (comp->scope_cur->kind == SCOPE_CLASS && MP_PARSE_NODE_IS_ID(pns->nodes[0])) {\n                \
         EMIT_ARG(load_const_tok, MP_TOKEN_KW_NONE);\n                \
         compile_load_id(comp, MP_QSTR___annotations__);\n                \
         EMIT_ARG(load_const_str, MP_PARSE_NODE_LEAF_ARG(pns->nodes[0]));\n                \
         EMIT_ARG(subscr, MP_EMIT_SUBSCR_STORE);\n            }\n",
    ),
    (
        "py/compile.c",
        "        check_for_doc_string(comp, pns->nodes[2]);\n        compile_node(comp, pns->nodes[2]); // 2 is class body\n",
        "        EMIT_ARG(build, 0, MP_EMIT_BUILD_MAP);\n        compile_store_id(comp, MP_QSTR___annotations__);\n        \
         compile_node(comp, pns->nodes[2]); // 2 is class body\n",
    ),
    // Classes are told of those that inherit from them; and may be iterated over and indexed, for enumerations.
    (
        "py/modbuiltins.c",
        "    return new_class;\n}",
        "    if (n_args > 2) {\n        mp_obj_t dest[2];\n        mp_load_method_maybe(args[2], MP_QSTR___init_subclass__, dest);\n        \
         if (dest[0] != MP_OBJ_NULL) {\n            mp_call_function_1(dest[0], new_class);\n        }\n    }\n    return new_class;\n}",
    ),
    (
        "py/objtype.c",
        "MP_DEFINE_CONST_OBJ_TYPE(\n    mp_type_type,\n",
        "static mp_obj_t type_subscr(mp_obj_t self, mp_obj_t index, mp_obj_t value) {\n    mp_obj_t dest[2];\n    \
         if (value != MP_OBJ_SENTINEL) {\n        return MP_OBJ_NULL;\n    }\n    \
         mp_load_method_maybe(self, MP_QSTR___class_getitem__, dest);\n    \
         return dest[0] == MP_OBJ_NULL ? self : mp_call_function_2(dest[0], self, index);\n}\n\
         static mp_obj_t type_getiter(mp_obj_t self, mp_obj_iter_buf_t *buf) {\n    mp_obj_t dest[2];\n    \
         mp_load_method(self, MP_QSTR___class_iter__, dest);\n    \
         return mp_getiter(mp_call_function_1(dest[0], self), buf);\n}\n\
         MP_DEFINE_CONST_OBJ_TYPE(\n    mp_type_type,\n",
    ),
    (
        "py/objtype.c",
        "    call, type_call,\n    attr, type_attr\n",
        "    call, type_call,\n    subscr, type_subscr,\n    iter, type_getiter,\n    attr, type_attr\n",
    ),
    // A stable sort (src/c/more.c).
    (
        "py/objlist.c",
        "        mp_quicksort(self->items, self->items + self->len - 1,\n            \
         args.key.u_obj == mp_const_none ? MP_OBJ_NULL : args.key.u_obj,\n            \
         args.reverse.u_bool ? mp_const_false : mp_const_true);\n",
        "        void arena_sort(mp_obj_list_t *, mp_obj_t, bool);\n        arena_sort(self, args.key.u_obj, args.reverse.u_bool);\n",
    ),
    (
        "py/objint.c",
        "static const mp_rom_map_elem_t int_locals_dict_table[] = {\n",
        "MP_DECLARE_CONST_FUN_OBJ_1(arena_int_bit_length_obj);\nMP_DECLARE_CONST_FUN_OBJ_1(arena_int_bit_count_obj);\n\
         static const mp_rom_map_elem_t int_locals_dict_table[] = {\n    \
         { MP_ROM_QSTR(MP_QSTR_bit_length), MP_ROM_PTR(&arena_int_bit_length_obj) },\n    \
         { MP_ROM_QSTR(MP_QSTR_bit_count), MP_ROM_PTR(&arena_int_bit_count_obj) },\n",
    ),
    (
        "py/objstr.c",
        "static const mp_rom_map_elem_t array_bytearray_str_bytes_locals_table[] = {\n",
        "MP_DECLARE_CONST_FUN_OBJ_VAR_BETWEEN(arena_str_ljust_obj);\nMP_DECLARE_CONST_FUN_OBJ_VAR_BETWEEN(arena_str_rjust_obj);\n\
         MP_DECLARE_CONST_FUN_OBJ_2(arena_str_zfill_obj);\nMP_DECLARE_CONST_FUN_OBJ_2(arena_str_removeprefix_obj);\n\
         MP_DECLARE_CONST_FUN_OBJ_2(arena_str_removesuffix_obj);\nMP_DECLARE_CONST_FUN_OBJ_1(arena_str_title_obj);\n\
         MP_DECLARE_CONST_FUN_OBJ_1(arena_str_capitalize_obj);\n\
         static const mp_rom_map_elem_t array_bytearray_str_bytes_locals_table[] = {\n",
    ),
    (
        "py/objstr.c",
        "    { MP_ROM_QSTR(MP_QSTR_center), MP_ROM_PTR(&str_center_obj) },\n",
        "    { MP_ROM_QSTR(MP_QSTR_center), MP_ROM_PTR(&str_center_obj) },\n    \
         { MP_ROM_QSTR(MP_QSTR_ljust), MP_ROM_PTR(&arena_str_ljust_obj) },\n    \
         { MP_ROM_QSTR(MP_QSTR_rjust), MP_ROM_PTR(&arena_str_rjust_obj) },\n    \
         { MP_ROM_QSTR(MP_QSTR_zfill), MP_ROM_PTR(&arena_str_zfill_obj) },\n    \
         { MP_ROM_QSTR(MP_QSTR_removeprefix), MP_ROM_PTR(&arena_str_removeprefix_obj) },\n    \
         { MP_ROM_QSTR(MP_QSTR_removesuffix), MP_ROM_PTR(&arena_str_removesuffix_obj) },\n    \
         { MP_ROM_QSTR(MP_QSTR_title), MP_ROM_PTR(&arena_str_title_obj) },\n    \
         { MP_ROM_QSTR(MP_QSTR_capitalize), MP_ROM_PTR(&arena_str_capitalize_obj) },\n",
    ),
    // Floats as Python writes and reads them (src/numbers.rs).
    (
        "py/objfloat.c",
        "mp_format_float(o_val, buf, sizeof(buf), 'g', precision, '\\0');",
        "mp_format_float(o_val, buf, sizeof(buf), 'r', precision, '\\0');",
    ),
    (
        "py/parsenum.c",
        "        // work out the exponent\n",
        "        double arena_float_of(const char *, size_t);\n        dec_val = arena_float_of(str_val_start, str - str_val_start);\n        \
         goto is_read;\n        // work out the exponent\n",
    ),
    (
        "py/parsenum.c",
        "    if (allow_imag && str < top && (*str | 0x20) == 'j') {\n",
        "is_read:\n    if (allow_imag && str < top && (*str | 0x20) == 'j') {\n",
    ),
    // What nests in C has a stack to measure it by.
    (
        "py/obj.c",
        "    mp_cstack_check();\n",
        "    char pad[160];\n    __asm__ volatile(\"\" : : \"r\"(pad) : \"memory\");\n    mp_cstack_check();\n",
    ),
    (
        "py/sequence.c",
        "bool mp_seq_cmp_objs(mp_uint_t op, const mp_obj_t *items1, size_t len1, const mp_obj_t *items2, size_t len2) {\n",
        "#include \"py/cstack.h\"\n\
         bool mp_seq_cmp_objs(mp_uint_t op, const mp_obj_t *items1, size_t len1, const mp_obj_t *items2, size_t len2) {\n    \
         char pad[160];\n    __asm__ volatile(\"\" : : \"r\"(pad) : \"memory\");\n    mp_cstack_check();\n",
    ),
    (
        "py/objtuple.c",
        "        case MP_UNARY_OP_HASH: {\n",
        "        case MP_UNARY_OP_HASH: {\n            void mp_cstack_check(void);\n            char pad[64];\n            \
         __asm__ volatile(\"\" : : \"r\"(pad) : \"memory\");\n            mp_cstack_check();\n",
    ),
    // Text with a step, and with its letters as they are.
    (
        "py/objstrunicode.c",
        "                mp_raise_NotImplementedError(MP_ERROR_TEXT(\"only slices with step=1 (aka None) are supported\"));\n",
        "                mp_obj_t arena_str_slice(mp_obj_t, mp_obj_t);\n                return arena_str_slice(self_in, index);\n",
    ),
    (
        "py/objstrunicode.c",
        "        } else if (ch < 0x100) {\n            mp_printf(print, \"\\\\x%02x\", ch);\n",
        "        } else if (ch > 0xa0 && ch != 0xad) {\n            int len = ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;\n            \
         mp_print_strn(print, (const char *)s - len, len, 0, 0, 0);\n        \
         } else if (ch < 0x100) {\n            mp_printf(print, \"\\\\x%02x\", ch);\n",
    ),
    // Dicts of classes that inherit from them.
    (
        "py/objdict.c",
        "        // given a positional argument\n",
        "        mp_obj_t native = mp_obj_cast_to_native_base(args[1], MP_OBJ_FROM_PTR(&mp_type_dict));\n        \
         mp_obj_t pair[2] = {args[0], native == MP_OBJ_NULL ? args[1] : native};\n        args = pair;\n",
    ),
    // `a > b` asks `b` whether it is less.
    (
        "py/runtime.c",
        "    if (op == MP_BINARY_OP_CONTAINS) {\n        // If type didn't support containment",
        "    if (op == MP_BINARY_OP_LESS || op == MP_BINARY_OP_MORE || op == MP_BINARY_OP_LESS_EQUAL || op == MP_BINARY_OP_MORE_EQUAL) {\n        \
         const mp_obj_type_t *other = mp_obj_get_type(rhs);\n        \
         if (MP_OBJ_TYPE_HAS_SLOT(other, binary_op)) {\n            \
         int less = op == MP_BINARY_OP_LESS || op == MP_BINARY_OP_LESS_EQUAL;\n            \
         mp_obj_t result = MP_OBJ_TYPE_GET_SLOT(other, binary_op)(less ? op + 1 : op - 1, rhs, lhs);\n            \
         if (result != MP_OBJ_NULL) {\n                return result;\n            }\n        }\n    }\n    \
         if (op == MP_BINARY_OP_CONTAINS) {\n        // If type didn't support containment",
    ),
    // Names have a table (src/c/names.h).
    (
        "py/qstr.c",
        "// qstr_mutex must be taken while in this function\n",
        "#include \"names.h\"\n// qstr_mutex must be taken while in this function\n",
    ),
    (
        "py/qstr.c",
        "    MP_STATE_VM(qstr_last_chunk) = NULL;\n\n    #if MICROPY_PY_THREAD &&",
        "    MP_STATE_VM(qstr_last_chunk) = NULL;\n    void arena_index_names(void);\n    arena_index_names();\n\n    #if MICROPY_PY_THREAD &&",
    ),
    (
        "py/qstr.c",
        "    MP_STATE_VM(last_pool)->len++;\n",
        "    MP_STATE_VM(last_pool)->len++;\n    index_name(MP_STATE_VM(last_pool)->total_prev_len + at, hash);\n",
    ),
    (
        "py/qstr.c",
        "    // search pools for the data\n",
        "    qstr known = indexed(str, str_len, str_hash);\n    \
         if (known || MP_STATE_VM(last_pool)->total_prev_len + MP_STATE_VM(last_pool)->len <= NAMES_MAX) {\n        \
         return known;\n    }\n    // search pools for the data\n",
    ),
    // Short ways through the grammar (src/c/rules.h).
    (
        "py/parse.c",
        "static uint8_t pop_rule(parser_t *parser,",
        "#include \"rules.h\"\nstatic uint8_t pop_rule(parser_t *parser,",
    ),
    (
        "py/parse.c",
        "        switch (rule_act & RULE_ACT_KIND_MASK) {\n            case RULE_ACT_OR:\n",
        "        if (is_short(&parser, rule_id, i, backtrack)) {\n            goto next_rule;\n        }\n        \
         switch (rule_act & RULE_ACT_KIND_MASK) {\n            case RULE_ACT_OR:\n",
    ),
    (
        "py/parse.c",
        "                        assert(kind == RULE_ARG_RULE);\n                        if (i + 1 < n) {\n",
        "                        if (is_other(lex, rule_arg[i])) {\n                            continue;\n                        }\n                        \
         if (i + 1 < n) {\n",
    ),
    (
        "py/parse.c",
        "                    } else {\n                        push_rule(&parser, rule_src_line, rule_id, i + 1); // save this and-rule\n",
        "                    } else if ((rule_arg[i] & RULE_ARG_KIND_MASK) == RULE_ARG_OPT_RULE && is_other(lex, rule_arg[i])) {\n                        \
         push_result_node(&parser, MP_PARSE_NODE_NULL);\n                    } else {\n                        \
         push_rule(&parser, rule_src_line, rule_id, i + 1); // save this and-rule\n",
    ),
    // Nodes do not grow a block of memory one by one.
    (
        "py/parse.c",
        "        mp_parse_chunk_t *new_data = (mp_parse_chunk_t *)m_renew_maybe(byte, chunk,\n            \
         sizeof(mp_parse_chunk_t) + chunk->alloc,\n            sizeof(mp_parse_chunk_t) + chunk->alloc + num_bytes, false);\n",
        "        mp_parse_chunk_t *new_data = NULL;\n",
    ),
    // Keywords are compared by their first letters first, and identifiers looked for where they were last.
    (
        "py/lexer.c",
        "            int cmp = strcmp(s, tok_kw[i]);\n",
        "            int cmp = (byte)*s - (byte)*tok_kw[i];\n            cmp = cmp ? cmp : strcmp(s, tok_kw[i]);\n",
    ),
    (
        "py/scope.c",
        "    for (mp_uint_t i = 0; i < scope->id_info_len; i++) {\n        if (scope->id_info[i].qst == qst) {\n",
        "    static uint16_t last[256];\n    uint16_t *at = &last[qst % 256];\n    \
         if (*at < scope->id_info_len && scope->id_info[*at].qst == qst) {\n        return &scope->id_info[*at];\n    }\n    \
         for (mp_uint_t i = 0; i < scope->id_info_len; i++) {\n        if (scope->id_info[i].qst == qst) {\n            *at = i;\n",
    ),
    // Calls that hide no value from the collector (`arena_open` in src/c/glue.c).
    (
        "py/vm.c",
        "                    SET_TOP(mp_call_function_n_kw(*sp, unum & 0xff, (unum >> 8) & 0xff, sp + 1));\n",
        "                    arena_open = arena_opens(*sp);\n                    \
         SET_TOP(mp_call_function_n_kw(*sp, unum & 0xff, (unum >> 8) & 0xff, sp + 1));\n                    arena_open = 0;\n",
    ),
    (
        "py/vm.c",
        "                    SET_TOP(mp_call_method_n_kw(unum & 0xff, (unum >> 8) & 0xff, sp));\n",
        "                    arena_open = arena_opens(*sp);\n                    \
         SET_TOP(mp_call_method_n_kw(unum & 0xff, (unum >> 8) & 0xff, sp));\n                    arena_open = 0;\n",
    ),
    (
        "py/vm.c",
        "                    mp_obj_t value = mp_iternext_allow_raise(obj);\n",
        "                    arena_open = mp_obj_is_type(obj, &mp_type_gen_instance);\n                    \
         mp_obj_t value = mp_iternext_allow_raise(obj);\n                    arena_open = 0;\n",
    ),
    (
        "py/vm.c",
        "                        ret_kind = mp_resume(TOP(), send_value, MP_OBJ_NULL, &ret_value);\n",
        "                        arena_open = mp_obj_is_type(TOP(), &mp_type_gen_instance);\n                        \
         ret_kind = mp_resume(TOP(), send_value, MP_OBJ_NULL, &ret_value);\n                        arena_open = 0;\n",
    ),
    (
        "py/objclosure.c",
        "        mp_obj_t *args2 = m_new(mp_obj_t, n_total);\n",
        "        mp_obj_t *args2 = mp_pystack_alloc(n_total * sizeof(mp_obj_t));\n",
    ),
    ("py/objclosure.c", "        m_del(mp_obj_t, args2, n_total);\n", "        mp_pystack_free(args2);\n"),
    ("py/objclosure.c", "#include \"py/obj.h\"\n", "#include \"py/obj.h\"\n#include \"py/pystack.h\"\n"),
    ("py/objtype.c", "#include \"py/objtype.h\"\n", "#include \"py/objtype.h\"\n#include \"py/pystack.h\"\n"),
    (
        "py/objtype.c",
        "    // look for __new__ function\n",
        "    int open = arena_open;\n    arena_open = 0;\n    // look for __new__ function\n",
    ),
    (
        "py/objtype.c",
        "        mp_obj_t init_ret;\n",
        "        mp_obj_t init_ret;\n        mp_obj_instance_t **shown = mp_pystack_alloc(sizeof(*shown));\n        *shown = o;\n        \
         arena_open = open && arena_opens(init_fn[0]);\n",
    ),
    (
        "py/objtype.c",
        "            mp_obj_t *args2 = m_new(mp_obj_t, 2 + n_args + 2 * n_kw);\n",
        "            mp_obj_t *args2 = mp_pystack_alloc((2 + n_args + 2 * n_kw) * sizeof(mp_obj_t));\n",
    ),
    (
        "py/objtype.c",
        "            m_del(mp_obj_t, args2, 2 + n_args + 2 * n_kw);\n        }\n",
        "        }\n        arena_open = 0;\n        mp_pystack_free(shown);\n",
    ),
    ("py/objlist.c", "static MP_DEFINE_CONST_FUN_OBJ_KW(list_sort_obj,", "MP_DEFINE_CONST_FUN_OBJ_KW(list_sort_obj,"),
    (
        "py/modbuiltins.c",
        "    mp_obj_t self = mp_obj_list_make_new(&mp_type_list, 1, 0, args);\n",
        "    int open = arena_open;\n    arena_open = 0;\n    mp_obj_t self = mp_obj_list_make_new(&mp_type_list, 1, 0, args);\n    arena_open = open;\n",
    ),
    (
        "py/modbuiltins.c",
        "    mp_obj_t key_fn = key_elem == NULL ? MP_OBJ_NULL : key_elem->value;\n    if (n_args == 1) {\n",
        "    mp_obj_t key_fn = key_elem == NULL ? MP_OBJ_NULL : key_elem->value;\n    \
         int open = arena_open && key_fn != MP_OBJ_NULL && arena_opens(key_fn);\n    arena_open = 0;\n    if (n_args == 1) {\n        \
         mp_obj_t *shown = mp_pystack_alloc(4 * sizeof(mp_obj_t));\n",
    ),
    (
        "py/modbuiltins.c",
        "            mp_obj_t key = key_fn == MP_OBJ_NULL ? item : mp_call_function_1(key_fn, item);\n",
        "            shown[0] = iterable, shown[1] = item, shown[2] = best_key, shown[3] = best_obj;\n            arena_open = open;\n            \
         mp_obj_t key = key_fn == MP_OBJ_NULL ? item : mp_call_function_1(key_fn, item);\n            arena_open = 0;\n",
    ),
    (
        "py/modbuiltins.c",
        "        if (best_obj == MP_OBJ_NULL) {\n            default_elem",
        "        mp_pystack_free(shown);\n        if (best_obj == MP_OBJ_NULL) {\n            default_elem",
    ),
    ("py/modbuiltins.c", "#include \"py/builtin.h\"\n", "#include \"py/builtin.h\"\n#include \"py/pystack.h\"\n"),
    // What is full, or free, is passed by sixteen blocks at once; and what is in use is counted.
    (
        "py/gc.c",
        "                byte a = area->gc_alloc_table_start[i];\n                // *FORMAT-OFF*\n",
        "                uint32_t blocks;\n                \
         while (n_free == 0 && i + sizeof(blocks) < area->gc_alloc_table_byte_len) {\n                    \
         memcpy(&blocks, area->gc_alloc_table_start + i, sizeof(blocks));\n                    \
         if (((blocks | blocks >> 1) & 0x55555555) != 0x55555555) {\n                        break;\n                    }\n                    \
         i += sizeof(blocks);\n                }\n                \
         byte a = area->gc_alloc_table_start[i];\n                // *FORMAT-OFF*\n",
    ),
    (
        "py/gc.c",
        "        for (size_t block = 0; block <= area->gc_last_used_block; block++) {\n            MICROPY_GC_HOOK_LOOP(block);\n            switch",
        "        for (size_t block = 0; block <= area->gc_last_used_block; block++) {\n            uint32_t blocks;\n            \
         while (block % 16 == 0 && block + 16 <= area->gc_last_used_block) {\n                \
         memcpy(&blocks, area->gc_alloc_table_start + block / BLOCKS_PER_ATB, sizeof(blocks));\n                \
         if (blocks) {\n                    break;\n                }\n                block += 16;\n            }\n            switch",
    ),
    (
        "py/gc.c",
        "                    } else {\n                        last_used_block = block;\n",
        "                    } else {\n                        arena_blocks++;\n                        last_used_block = block;\n",
    ),
    (
        "py/gc.c",
        "                    free_tail = 0;\n                    last_used_block = block;\n",
        "                    free_tail = 0;\n                    arena_blocks++;\n                    last_used_block = block;\n",
    ),
    (
        "py/gc.c",
        "    int free_tail = 0;\n    #if MICROPY_GC_SPLIT_HEAP_AUTO\n",
        "    int free_tail = 0;\n    extern size_t arena_blocks;\n    #if MICROPY_GC_SPLIT_HEAP_AUTO\n",
    ),
    // What takes long within one operator asks whether the script is to end.
    (
        "py/gc.c",
        "    end_block = i;\n    start_block = i - n_free + 1;\n",
        "    end_block = i;\n    start_block = i - n_free + 1;\n    \
         ARENA_STEP(1 + n_blocks / 8 + (i / BLOCKS_PER_ATB - area->gc_last_free_atb_index) / 8);\n",
    ),
    (
        "py/gc.c",
        "    // compute number of new blocks that are requested\n",
        "    ARENA_STEP(1 + n_bytes / 256);\n    // compute number of new blocks that are requested\n",
    ),
    (
        "py/mpz.c",
        "        mpz_dig_t *id = idig;\n",
        "        ARENA_STEP(1 + jlen / 8);\n        mpz_dig_t *id = idig;\n",
    ),
    (
        "py/mpz.c",
        "    while (*num_len > den_len) {\n",
        "    while (*num_len > den_len) {\n        ARENA_STEP(1 + den_len / 4);\n",
    ),
    (
        "py/mpz.c",
        "        mpz_dig_t *d = dig + ilen;\n",
        "        ARENA_STEP(1 + ilen / 8);\n        mpz_dig_t *d = dig + ilen;\n",
    ),
    (
        "py/mpz.c",
        "        z->len = mpn_mul_dig_add_dig(",
        "        ARENA_STEP(1 + z->len / 8);\n        z->len = mpn_mul_dig_add_dig(",
    ),
    (
        "py/runtime.c",
        "    mp_cstack_check(); // enumerate,",
        "    ARENA_STEP(1);\n    mp_cstack_check(); // enumerate,",
    ),
    (
        "extmod/modjson.c",
        "static byte json_stream_next(json_stream_t *s) {\n",
        "static byte json_stream_next(json_stream_t *s) {\n    ARENA_STEP(1);\n",
    ),
    ("lib/re1.5/recursiveloop.c", "\tfor(;;) {\n", "\tfor(;;) {\n\t\tARENA_STEP(1);\n"),
    (
        "py/objstr.c",
        "            if (memcmp(&haystack[str_index], needle, nlen) == 0) {\n",
        "            ARENA_STEP(1 + nlen / 16);\n            if (memcmp(&haystack[str_index], needle, nlen) == 0) {\n",
    ),
    (
        "py/obj.c",
        "mp_obj_t mp_obj_equal_not_equal(mp_binary_op_t op, mp_obj_t o1, mp_obj_t o2) {\n",
        "mp_obj_t mp_obj_equal_not_equal(mp_binary_op_t op, mp_obj_t o1, mp_obj_t o2) {\n    ARENA_STEP(1);\n",
    ),
    // Modules that ours complete.
    (
        "py/modcollections.c",
        "MP_REGISTER_EXTENSIBLE_MODULE(MP_QSTR_collections,",
        "MP_REGISTER_MODULE(MP_QSTR__collections,",
    ),
    ("extmod/modheapq.c", "MP_REGISTER_EXTENSIBLE_MODULE(MP_QSTR_heapq,", "MP_REGISTER_MODULE(MP_QSTR__heapq,"),
    ("extmod/modjson.c", "MP_REGISTER_EXTENSIBLE_MODULE(MP_QSTR_json,", "MP_REGISTER_MODULE(MP_QSTR__json,"),
    ("extmod/modre.c", "MP_REGISTER_EXTENSIBLE_MODULE(MP_QSTR_re,", "MP_REGISTER_MODULE(MP_QSTR_re,"),
    ("py/modmath.c", "MP_REGISTER_MODULE(MP_QSTR_math,", "MP_REGISTER_MODULE(MP_QSTR__math,"),
];
