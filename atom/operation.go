package atom

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
)

// An Operation is an instruction as such: what CuTe has in headers such as mma_sm80.hpp and copy_sm75.hpp. Do not
// change the fields.
type Operation struct {
	// Name is CuTe's name of the operation, such as "SM80_16x8x16_F32F16F16F32_TN". Instructions that CuTe does not
	// have are named in the same form.
	Name string
	// Arch is the first architecture that has the instruction, such as "sm80", "sm90a" or "gfx942".
	Arch string
	// Text is the instruction with its operands in the notation of the architecture's manual, which is PTX for NVIDIA.
	// Registers are %0, %1, ... in the order of the operands, as in NVIDIA's inline assembly.
	Text string
	// Source cites the evidence for the facts: a section of a manual, or a header.
	Source string
}

// A Space is the memory in which an operand of an instruction is.
type Space uint8

// The spaces.
const (
	Registers    Space = iota // Registers: each thread passes its values.
	SharedMemory              // SharedMemory: a descriptor of a matrix, or an address, in shared memory.
	TensorMemory              // TensorMemory: an address in the tensor memory of sm100.
	GlobalMemory              // GlobalMemory: an address in global memory, or a descriptor of a tensor there.
	Anywhere                  // Anywhere: registers, or an address in any memory that a thread loads from and stores to.
)

// String returns "registers", "shared memory", "tensor memory", "global memory" or "anywhere".
func (s Space) String() string {
	switch s {
	case Registers:
		return "registers"
	case SharedMemory:
		return "shared memory"
	case TensorMemory:
		return "tensor memory"
	case GlobalMemory:
		return "global memory"
	case Anywhere:
		return "anywhere"
	}
	return fmt.Sprintf("Space(%d)", uint8(s))
}

// fail returns an error about the operation op.
//
//go:noinline
func fail(code cute.Code, op, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// unknownName makes the error for an unknown name and suggests the nearest of the given names.
func unknownName(op, kind, name string, names []string) *cute.Error {
	e := fail(cute.CodeName, op, "no %s is called %.100q", kind, name)
	if near := Nearest(name, names, 3); len(near) > 0 {
		e.Hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return e
}

// longestName bounds the names that are compared with all others.
const longestName = 100

// Nearest returns at most n of the names for a hint, by edit distance from name and then in their order. Names that
// would have to change by more than half are left out. Case does not count.
func Nearest(name string, names []string, n int) []string {
	if name == "" || len(name) > longestName {
		return nil
	}
	lower := strings.ToLower(name)
	best, near := len(name)/2+1, []string(nil)
	var row [2*longestName + 1]int
	for _, other := range names {
		if len(other) > 2*longestName {
			continue
		}
		d := distance(lower, strings.ToLower(other), best, row[:len(other)+1])
		if d > best || d == best && len(near) == n {
			continue
		}
		if d < best {
			best, near = d, near[:0]
		}
		near = append(near, other)
	}
	return slices.Clone(near)
}

// distance returns the number of characters to insert, delete or replace to turn a into b, or any number above limit if
// it exceeds limit. row must have room for len(b)+1 numbers.
func distance(a, b string, limit int, row []int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal, least := row[0], i+1
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal = row[j+1]
			row[j+1] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}
