/* What the output of wasm2c needs: one memory that grows by realloc, checked at each access, and traps that return to
 * the call of the library. Without guard pages, the library needs no signal handler and no reserved address space. */

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_MSC_VER)
#define RM_THREAD_LOCAL __declspec(thread)
#define RM_NO_RETURN __declspec(noreturn)
#else
#define RM_THREAD_LOCAL __thread
#define RM_NO_RETURN __attribute__((noreturn))
#endif

#if defined(__GNUC__)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#endif

#ifndef __has_builtin
#define __has_builtin(x) 0
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "rollmill.c supports little-endian machines only"
#endif

#define WABT_BIG_ENDIAN 0
#define WASM_RT_USE_SEGUE 0
#define WASM_RT_MEMCHECK_GUARD_PAGES 0
#define WASM_RT_STACK_DEPTH_COUNT 0
#define WASM_RT_SANITY_CHECKS 0
#define wasm_rt_memcpy memcpy

enum { RM_PAGE = 65536 };

typedef enum { WASM_RT_TRAP_OOB = 1, WASM_RT_TRAP_DIV_BY_ZERO, WASM_RT_TRAP_INT_OVERFLOW, WASM_RT_TRAP_UNREACHABLE,
  WASM_RT_TRAP_INVALID_CONVERSION, WASM_RT_TRAP_CALL_INDIRECT, WASM_RT_TRAP_EXHAUSTION } wasm_rt_trap_t;
typedef enum { WASM_RT_I32, WASM_RT_I64, WASM_RT_F32, WASM_RT_F64, WASM_RT_V128 } wasm_rt_type_t;

typedef struct {
  uint8_t *data;
  uint64_t pages, max_pages, size;
} wasm_rt_memory_t;

/* Where the running call of this thread goes on if the kernel traps. */
static RM_THREAD_LOCAL jmp_buf *rm_on_trap;

static RM_NO_RETURN void wasm_rt_trap(wasm_rt_trap_t code) {
  if (!rm_on_trap) abort();
  longjmp(*rm_on_trap, (int)code);
}

static bool wasm_rt_is_initialized(void) { return true; }

/* Returns the number of pages before, or 2^32 - 1 if there is no memory. */
static uint64_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint64_t more) {
  const uint64_t before = memory->pages, pages = before + more;
  if (pages > memory->max_pages || pages * RM_PAGE > SIZE_MAX) return UINT32_MAX;
  uint8_t *data = (uint8_t *)realloc(memory->data, (size_t)(pages * RM_PAGE));
  if (!data) return UINT32_MAX;
  memset(data + memory->size, 0, (size_t)(more * RM_PAGE));
  memory->data = data;
  memory->pages = pages;
  memory->size = pages * RM_PAGE;
  return before;
}

static void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint64_t pages, uint64_t max_pages, bool is64, uint32_t page) {
  (void)is64, (void)page;
  memset(memory, 0, sizeof *memory);
  memory->max_pages = max_pages;
  if (wasm_rt_grow_memory(memory, pages) == UINT32_MAX) wasm_rt_trap(WASM_RT_TRAP_OOB);
}

static void wasm_rt_free_memory(wasm_rt_memory_t *memory) { free(memory->data); }

/* The kernel has no tables of functions; the helpers of wasm2c name these types all the same. */
typedef const char *wasm_rt_func_type_t;
typedef void *wasm_rt_function_ptr_t;
typedef struct { int unused; } wasm_rt_tailcallee_t;
typedef struct {
  wasm_rt_func_type_t func_type;
  wasm_rt_function_ptr_t func;
  wasm_rt_tailcallee_t func_tailcallee;
  void *module_instance;
} wasm_rt_funcref_t;
typedef void *wasm_rt_externref_t;
typedef struct { wasm_rt_funcref_t *data; uint32_t size; } wasm_rt_funcref_table_t;
typedef struct { wasm_rt_externref_t *data; uint32_t size; } wasm_rt_externref_table_t;
static const wasm_rt_funcref_t wasm_rt_funcref_null_value;
static const wasm_rt_externref_t wasm_rt_externref_null_value;
