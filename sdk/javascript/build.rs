//! Compiles QuickJS from the sources in the crate `rquickjs-sys`, for WebAssembly.

#[path = "../scripts/libc.rs"]
mod libc;

use std::path::PathBuf;

use libc::crate_folder;

/// A change of QuickJS, so that each error has a line of its own: out of fuel above all, in a loop of plain arithmetic. It notes the
/// places of calls and properties only: now those of statements, too.
const STATEMENTS: (&str, &str) =
    ("switch(tok = s->token.val) {", "emit_source_loc(s);\n    switch(tok = s->token.val) {");
/// Where it notes how far it is, before what may need to know. Now it does so before each operator, for profiles and errors in any.
const PLACE: &str = "sf->cur_pc = pc;";
/// The only such note that is kept: where a generator continues.
const LAST_PLACE: &str = "sf->cur_pc = pc;\n        sf->cur_sp = sp;";

fn main() {
    println!("cargo:rerun-if-changed=src/engine.c");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family != "wasm") {
        return;
    }
    let sources = crate_folder();
    let quickjs = sources.join("quickjs");
    let mut build = cc::Build::new();
    build.compiler("clang").warnings(false).opt_level_str("s").debug(false);
    build.define("NDEBUG", None).define("_GNU_SOURCE", None).define("QUICKJS_NG_BUILD", None);
    // The target is no Emscripten, but that is what has no threads, processes and modes of rounding.
    build.define("EMSCRIPTEN", "1").define("FE_DOWNWARD", "0").define("FE_UPWARD", "0");
    for flag in ["-mbulk-memory", "-msign-ext", "-mnontrapping-fptoint", "-fno-strict-aliasing", "-w"] {
        build.flag(flag);
    }
    let changed = PathBuf::from(std::env::var_os("OUT_DIR").expect("Cargo says where to write")).join("changed");
    std::fs::create_dir_all(&changed).expect("the folder can be made");
    let engine = std::fs::read_to_string(quickjs.join("quickjs.c")).expect("QuickJS is there");
    let engine = replaced(engine, STATEMENTS);
    let operators = std::fs::read_to_string(quickjs.join("quickjs-opcode.h")).expect("QuickJS has operators");
    let engine = two_loops(&engine, &operators);
    std::fs::write(changed.join("quickjs.c"), engine).expect("the file can be written");
    build.flag("-isystem").flag(sources.join("vendor/wasi-libc/include")).include(&changed).include(&quickjs);
    build.file("src/engine.c").file(sources.join("wasm-shim/shim.c"));
    build.files(["libregexp.c", "libunicode.c", "dtoa.c"].map(|name| quickjs.join(name)));
    // Objects need no program that makes archives. Theirs come before what the libc has of the same names.
    for object in build.compile_intermediates() {
        println!("cargo:rustc-link-arg-cdylib={}", object.display());
    }
    println!("cargo:rustc-link-arg-cdylib={}", sources.join("vendor/wasi-libc/lib/libc.a").display());
}

/// The text with a part of it replaced that is there once.
fn replaced(text: String, (from, to): (&str, &str)) -> String {
    assert_eq!(text.matches(from).count(), 1, "QuickJS has another {from}");
    text.replace(from, to)
}

/// Operators of loops, numbers, variables and properties, which scripts spend most of their fuel in.
const HOT: &str = "get_loc get_loc8 get_loc0 get_loc1 get_loc2 get_loc3 put_loc put_loc8 put_loc0 put_loc1 put_loc2 put_loc3 set_loc \
    set_loc8 set_loc0 set_loc1 set_loc2 set_loc3 get_loc0_loc1 get_arg get_arg0 get_arg1 get_arg2 get_arg3 get_var_ref get_var_ref0 \
    get_var_ref1 get_var_ref2 get_var_ref3 get_var_ref_check get_loc_check put_loc_check push_i8 push_i16 push_i32 push_0 push_1 \
    push_2 push_3 push_4 push_5 push_6 push_7 push_minus1 push_const8 undefined drop dup nip add add_loc sub mul inc_loc dec_loc inc \
    dec post_inc lt lte gt gte eq strict_eq neq strict_neq if_false8 if_true8 goto8 goto16 if_false if_true goto and or xor shl sar shr \
    get_field get_field2 get_array_el get_array_el2 put_array_el get_length lnot is_undefined";

/// Puts the hot operators into a loop of their own within the interpreter's: a switch enters as many blocks as it has cases, 256, at a
/// unit of fuel each. From a hot operator to the next there are a third of them. That function alone is compiled for speed.
fn two_loops(engine: &str, operators: &str) -> String {
    const PUSH: &str = "#pragma clang attribute push(__attribute__((minsize)), apply_to = function)\n";
    const POP: &str = "#pragma clang attribute pop\n";
    let is_hot = |name: &str| HOT.split_whitespace().any(|hot| hot == name);
    let names = operators.lines().filter_map(|line| line.strip_prefix("DEF(")?.split(',').next()).map(str::trim);
    let (hot, cold): (Vec<&str>, Vec<&str>) = names.partition(|name| is_hot(name));
    let cases = |names: Vec<&str>| -> String {
        names.into_iter().map(|name| format!("case OP_{name}: goto case_OP_{name}; ")).collect()
    };
    let switch = format!(
        "cold: __asm__ volatile(\"\" ::: \"memory\"); hot: opcode = *pc++; \
         *(uint8_t *volatile *)&sf->cur_pc = pc; switch (opcode) {{ {} default: break; }} \
         switch (opcode) {{ {} default: goto case_default; }}",
        cases(hot),
        cases(cold)
    );
    let macros = [
        ("DUMP_BYTECODE_OR_DONT(pc) switch (opcode = *pc++)", switch.as_str()),
        ("#define CASE(op)        case op\n", "#define CASE(op)        case_ ## op\n"),
        ("#define DEFAULT         default\n", "#define DEFAULT         case_default\n"),
        ("#define BREAK           break\n", "#define BREAK           goto cold\n#define BREAK_HOT goto hot\n"),
    ];
    let prototype = "static JSValue JS_CallInternal(JSContext *";
    let mut places = engine.match_indices(prototype).map(|(at, _)| at);
    let (declared, begin) = (places.next().expect("it is declared"), places.next().expect("it is defined"));
    let declared_end = declared + engine[declared..].find(";\n").expect("it ends") + 2;
    let end = begin + engine[begin..].find("\n}\n").expect("it ends") + 3;
    let (noted, last) = engine[begin..end].split_once(LAST_PLACE).expect("generators continue");
    let function = [&noted.replace(PLACE, ""), LAST_PLACE, last].concat();
    let function = macros.into_iter().fold(function, replaced);
    let first = function.find("BREAK_HOT goto hot\n").expect("it was put there") + 19;
    let (head, cases) = function.split_at(first);
    let mut pieces = cases.split("CASE(");
    let mut written = format!("{head}{}", pieces.next().unwrap_or_default());
    // Several cases may share a body; a macro's case is a comparison.
    let mut all_hot = true;
    for piece in pieces {
        let (name, body) = piece.split_once(')').expect("a case ends");
        all_hot &= name.strip_prefix("OP_").map_or(name == "opcode", is_hot);
        let is_label = body.chars().all(|letter| letter.is_whitespace() || letter == ':');
        let body = if all_hot && !is_label { body.replace("BREAK", "BREAK_HOT") } else { body.to_owned() };
        all_hot |= !is_label;
        written += &format!("CASE({name}){body}");
    }
    let (before, between, after) = (&engine[..declared], &engine[declared_end..begin], &engine[end..]);
    format!("{PUSH}{before}{POP}{}{PUSH}{between}{POP}{written}{PUSH}{after}{POP}", &engine[declared..declared_end])
}
