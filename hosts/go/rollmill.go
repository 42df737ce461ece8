// Package rollmill opens plan files with the C library, which cgo compiles: put rollmill.c and rollmill.h beside this
// file. The header explains the calls. Use a mill in one goroutine at a time.
package rollmill

/*
#cgo amd64 CFLAGS: -msse4.1
#include "rollmill.h"
*/
import "C"
import "unsafe"

// Error is the status of a call that is refused. Its text is a sentence.
type Error uint32

func (status Error) Error() string { return C.GoString(C.rm_error(C.rm_status(status))) }
func check(status C.rm_status) error {
	if status == C.RM_OK || status == C.RM_EMPTY {
		return nil
	}
	return Error(status)
}
func at[T, S any](slice []S, n int) *T {
	if slice == nil || n == 0 {
		return nil
	}
	return (*T)(unsafe.Pointer(&slice[:n][0]))
}
func text(s string) *C.char        { return at[C.char]([]byte(s), len(s)) }
func data(b []byte) unsafe.Pointer { return unsafe.Pointer(at[byte](b, len(b))) }

type u32 = C.uint32_t

// Mill is an open plan file with a seed. Its nouns are numbered from 0.
type Mill struct{ mill *C.rm_mill }

// Open opens the bytes of a plan file.
func Open(plan []byte, seed string) (*Mill, error) {
	var m Mill
	return &m, check(C.rm_open(data(plan), C.size_t(len(plan)), text(seed), C.size_t(len(seed)), &m.mill))
}
func (m *Mill) Close() {
	C.rm_close(m.mill)
	m.mill = nil
}
func (m *Mill) c() *C.rm_mill {
	if m.mill == nil {
		panic("rollmill: the mill is closed")
	}
	return m.mill
}
func (m *Mill) Count() uint32 { return uint32(C.rm_count(m.c())) }
func (m *Mill) Find(name string) (noun uint32, err error) {
	err = check(C.rm_find(m.c(), text(name), C.size_t(len(name)), (*u32)(&noun)))
	return
}
func (m *Mill) Labels(noun uint32) (string, error) {
	var labels *C.char
	err := check(C.rm_about(m.c(), u32(noun), nil, nil, nil, &labels, nil))
	return C.GoString(labels), err
}
func (m *Mill) Width(noun uint32) int          { return int(C.rm_width(m.c(), u32(noun))) }
func (m *Mill) HasQuantities(noun uint32) bool { return C.rm_has_quantities(m.c(), u32(noun)) != 0 }
func (m *Mill) Key(noun uint32) uint64         { return uint64(C.rm_noun_key(m.c(), u32(noun))) }

// ForkText, ForkInteger and ForkPair return the key of fork(id) of JavaScript.
func (m *Mill) ForkText(key uint64, id string) (out uint64, err error) {
	err = check(C.rm_fork_text(m.c(), C.rm_key(key), text(id), C.size_t(len(id)), (*C.rm_key)(&out)))
	return
}
func (m *Mill) ForkInteger(key uint64, id int64) (out uint64, err error) {
	err = check(C.rm_fork_integer(m.c(), C.rm_key(key), C.int64_t(id), (*C.rm_key)(&out)))
	return
}
func (m *Mill) ForkPair(key uint64, first, second int32) (out uint64, err error) {
	err = check(C.rm_fork_pair(m.c(), C.rm_key(key), C.int32_t(first), C.int32_t(second), (*C.rm_key)(&out)))
	return
}

// Many makes the results from … from + count − 1, and writes their quantities if the slice is not nil.
func (m *Mill) Many(noun uint32, key, from uint64, count int, quantities []int32) ([]uint32, error) {
	results := make([]uint32, count*m.Width(noun))
	out, amounts := at[u32](results, len(results)), at[C.int32_t](quantities, len(results))
	err := check(C.rm_many(m.c(), u32(noun), C.rm_key(key), C.uint64_t(from), C.size_t(count), out, amounts))
	return results, err
}

// Draw draws records from a pool, by its number. It returns fewer if the pool has nothing left.
func (m *Mill) Draw(family, pool uint32, key uint64, count int) ([]uint32, error) {
	records, drawn := make([]uint32, count), C.size_t(0)
	out := at[u32](records, count)
	err := check(C.rm_draw(m.c(), u32(family), u32(pool), C.rm_key(key), C.size_t(count), out, &drawn))
	return records[:drawn], err
}
func (m *Mill) Save() ([]byte, error) {
	state := make([]byte, C.rm_state_bytes(m.c()))
	return state, check(C.rm_state_save(m.c(), data(state), C.size_t(len(state))))
}
func (m *Mill) Load(state []byte) error {
	return check(C.rm_state_load(m.c(), data(state), C.size_t(len(state))))
}
