// Included by py/parse.c: short ways through its grammar, by the token that is next. The trees are the same.

// From a statement down to an atom. What binds two values, the loosest first, is its first part if nothing follows that continues it.
static const uint8_t levels[] = {
    RULE_simple_stmt, RULE_simple_stmt_2, RULE_expr_stmt, RULE_testlist_star_expr,
    RULE_test_if_expr, RULE_or_test, RULE_and_test, RULE_comparison, RULE_expr, RULE_xor_expr, RULE_and_expr, RULE_shift_expr,
    RULE_arith_expr, RULE_term, RULE_power, RULE_atom_expr_normal,
};

// For each rule: whether it is one that binds, and the number of the first level below it, and one more, if an atom is next.
enum { LEVEL = 0x80 };
static const uint8_t level_of_rule[256] = {
    [RULE_stmt] = 1, [RULE_expr_stmt_6] = 4, [RULE_test] = 5, [RULE_not_test] = 8, [RULE_expr] = LEVEL | 9, [RULE_factor] = 15,
    [RULE_test_if_expr] = LEVEL, [RULE_or_test] = LEVEL, [RULE_and_test] = LEVEL, [RULE_comparison] = LEVEL, [RULE_xor_expr] = LEVEL,
    [RULE_and_expr] = LEVEL, [RULE_shift_expr] = LEVEL, [RULE_arith_expr] = LEVEL, [RULE_term] = LEVEL, [RULE_power] = LEVEL,
    [RULE_atom_expr_normal] = LEVEL,
};

// For each token: whether an atom begins with it, and whether it continues a level.
enum { BEGINS = 1, CONTINUES = 2 };
static const uint8_t token_kinds[256] = {
    [MP_TOKEN_NAME] = BEGINS, [MP_TOKEN_INTEGER] = BEGINS, [MP_TOKEN_FLOAT_OR_IMAG] = BEGINS, [MP_TOKEN_STRING] = BEGINS,
    [MP_TOKEN_BYTES] = BEGINS, [MP_TOKEN_ELLIPSIS] = BEGINS, [MP_TOKEN_KW_NONE] = BEGINS, [MP_TOKEN_KW_TRUE] = BEGINS,
    [MP_TOKEN_KW_FALSE] = BEGINS, [MP_TOKEN_DEL_BRACE_OPEN] = BEGINS,
    [MP_TOKEN_DEL_PAREN_OPEN] = BEGINS | CONTINUES, [MP_TOKEN_DEL_BRACKET_OPEN] = BEGINS | CONTINUES,
    [MP_TOKEN_DEL_PERIOD] = CONTINUES, [MP_TOKEN_KW_IF] = CONTINUES, [MP_TOKEN_KW_OR] = CONTINUES, [MP_TOKEN_KW_AND] = CONTINUES,
    [MP_TOKEN_KW_NOT] = CONTINUES, [MP_TOKEN_KW_IN] = CONTINUES, [MP_TOKEN_KW_IS] = CONTINUES,
    [MP_TOKEN_OP_LESS ... MP_TOKEN_OP_DBL_STAR] = CONTINUES,
};

// Whether a rule is done with: as a level that nothing continues, or by all levels below it, down to the atom that is next.
static bool is_short(parser_t *parser, uint8_t rule, size_t i, bool backtrack) {
    ARENA_STEP(1);
    uint8_t level = level_of_rule[rule], kind = token_kinds[parser->lexer->tok_kind];
    if (level & LEVEL && i == 1 && !backtrack) {
        return !(kind & CONTINUES);
    }
    if (!(level & ~LEVEL) || i > 0 || backtrack || !(kind & BEGINS)) {
        return false;
    }
    for (size_t next = (level & ~LEVEL) - 1; next < sizeof(levels); next++) {
        push_rule(parser, parser->lexer->tok_line, levels[next], 1);
    }
    push_rule(parser, parser->lexer->tok_line, RULE_atom, 0);
    return true;
}

// Whether a rule surely begins with another token than the next.
static bool is_other(const mp_lexer_t *lexer, uint16_t arg) {
    uint8_t rule = arg & RULE_ARG_ARG_MASK;
    if (rule == RULE_expr_stmt_2) {
        return lexer->tok_kind == MP_TOKEN_NEWLINE;
    }
    uint16_t first = get_rule_arg(rule)[0];
    return (rule_act_table[rule] & RULE_ACT_KIND_MASK) == RULE_ACT_AND && (first & RULE_ARG_KIND_MASK) == RULE_ARG_TOK &&
        (first & RULE_ARG_ARG_MASK) != lexer->tok_kind;
}
