// What of MicroPython is in a bot's interpreter, and how it is built.

#include <alloca.h>
#include <stddef.h>
#include <stdint.h>

typedef intptr_t mp_int_t;
typedef uintptr_t mp_uint_t;
typedef long mp_off_t;

#define MICROPY_CONFIG_ROM_LEVEL (MICROPY_CONFIG_ROM_LEVEL_EVERYTHING)

// Exceptions are longjmp, which the linked module has no need of (xtask/src/bots/unwind.rs).
#define MICROPY_NLR_SETJMP (1)

// Calls of functions nest in memory of their own, so that neither the machine's stack limits them nor its values hide from the collector.
#define MICROPY_STACKLESS (1)
#define MICROPY_ENABLE_PYSTACK (1)
#define MICROPY_PYSTACK_ALIGN (4)
#define MICROPY_STACK_CHECK_MARGIN (0)

#define MICROPY_ENABLE_GC (1)
// Where it is not enough, all of the heap is searched for what has yet to be marked.
#define MICROPY_ALLOC_GC_STACK_SIZE (8192)
#define MICROPY_ENABLE_EMERGENCY_EXCEPTION_BUF (1)
#define MICROPY_EMERGENCY_EXCEPTION_BUF_SIZE (512)
#define MICROPY_LONGINT_IMPL (MICROPY_LONGINT_IMPL_MPZ)
#define MPZ_DIG_SIZE (16)
#define MICROPY_FLOAT_IMPL (MICROPY_FLOAT_IMPL_DOUBLE)
#define MICROPY_ERROR_REPORTING (MICROPY_ERROR_REPORTING_DETAILED)
#define MICROPY_WARNINGS (0)
#define MICROPY_USE_INTERNAL_PRINTF (0)
#define MICROPY_USE_INTERNAL_ERRNO (1)
#define MICROPY_ALLOC_PATH_MAX (64)
#define MICROPY_OPT_COMPUTED_GOTO (0)
#define MICROPY_OBJ_IMMEDIATE_OBJS (1)

// Asked at every sixteenth loop and return: whether the script is to end, and whether garbage is to be collected.
extern int arena_polls;
void arena_poll(void);
#define MICROPY_VM_HOOK_LOOP if (--arena_polls <= 0) arena_poll();
#define MICROPY_VM_HOOK_RETURN if (--arena_polls <= 0) arena_poll();

// Asked by what takes long within one operator, for steps of some 200 fuel: whether the script is to end.
extern int arena_steps;
void arena_ask(void);
#define ARENA_STEP(count) if ((arena_steps -= (int)(count)) <= 0) arena_ask()

// Names are found by a table of their own (names.h), and few blocks hold those of a script.
#define MICROPY_ALLOC_QSTR_ENTRIES_INIT (128)
#define MICROPY_ALLOC_PARSE_CHUNK_INIT (1024)
// These grow by as much as they have.
#define MICROPY_ALLOC_PARSE_RULE_INC (parser->rule_stack_alloc)
#define MICROPY_ALLOC_PARSE_RESULT_INC (parser->result_stack_alloc)
#define MICROPY_ALLOC_SCOPE_ID_INC (4 + scope->id_info_alloc)

// Modules in Python are texts that the linked module has (mp_import_stat in glue.c).
#define MICROPY_ENABLE_EXTERNAL_IMPORT (1)
#define MICROPY_READER_POSIX (0)
#define MICROPY_VFS (0)

// Nothing of the world: no clock, no files, no input, no threads, no memory's addresses.
#define MICROPY_PY_BUILTINS_INPUT (0)
#define MICROPY_PY_BUILTINS_EXECFILE (0)
#define MICROPY_PY_BUILTINS_HELP (0)
#define MICROPY_PY___FILE__ (0)
#define MICROPY_PY_GC (0)
#define MICROPY_PY_SYS (0)
#define MICROPY_PY_SYS_STDFILES (0)
#define MICROPY_PY_SYS_PS1_PS2 (0)
#define MICROPY_PY_SYS_TRACEBACKLIMIT (0)
#define MICROPY_PY_MICROPYTHON (0)
#define MICROPY_PY_MICROPYTHON_MEM_INFO (0)
#define MICROPY_PY_MICROPYTHON_RINGIO (0)
#define MICROPY_PY_IO_IOBASE (0)
#define MICROPY_PY_IO_BUFFEREDWRITER (0)
#define MICROPY_PY_MARSHAL (0)
#define MICROPY_PY_FUNCTION_ATTRS_CODE (0)
#define MICROPY_PY_UCTYPES (0)
#define MICROPY_PY_DEFLATE (0)
#define MICROPY_PY_ERRNO (0)
#define MICROPY_PY_SELECT (0)
#define MICROPY_PY_TIME (0)
#define MICROPY_PY_ASYNCIO (0)
#define MICROPY_PY_OS (0)
#define MICROPY_PY_HASHLIB (0)
#define MICROPY_PY_BINASCII (0)
#define MICROPY_PY_RANDOM (0)
#define MICROPY_PY_FRAMEBUF (0)
#define MICROPY_PY_PLATFORM (0)
#define MICROPY_PY_CMATH (0)
#define MICROPY_PY_BUILTINS_COMPLEX (0)
#define MICROPY_PY_RE_DEBUG (0)
#define MICROPY_KBD_EXCEPTION (0)
#define MICROPY_HELPER_REPL (0)
#define MICROPY_ENABLE_SCHEDULER (0)
#define MICROPY_STREAMS_NON_BLOCK (0)

#define MP_SSIZE_MAX (0x7fffffff)
#define MICROPY_MPHALPORT_H "mphalport.h"

// A run of the interpreter's loop, with the function that it is in, and whether no value is hidden from the collector by what it came through.
struct _mp_code_state_t;
typedef struct arena_frame {
    struct arena_frame *outer;
    struct _mp_code_state_t *state;
    int open;
} arena_frame_t;
extern arena_frame_t *arena_frame;
// Whether the call that is made hides none.
extern int arena_open;
int arena_opens(void *function);
#define MICROPY_WRAP_MP_EXECUTE_BYTECODE(f) arena_##f
#define MICROPY_VM_HOOK_INIT arena_frame->state = code_state;

#define MP_PLAT_PRINT_STRN(text, len) arena_print(text, len)
void arena_print(const char *text, size_t len);
