package sim

import (
	"slices"
	"strings"

	"girih/dtype"
)

// This file implements the collector buffers of tcgen05.mma (PTX ISA 9.7.16.10.9): one for A, and with .ws four for B.
// An instruction with .fill leaves its matrix there, and one with .use or .lastuse may take the matrix from there or
// from memory. So both must be the same matrix: then it does not matter from where the matrix comes.

// collectors is the number of collector buffers of a block: a, b0, b1, b2, b3.
const collectors = 5

// A collector is the matrix in a collector buffer: the codes from a row on. It has no codes if nothing is there.
type collector struct {
	of       dtype.Type
	first, k int
	codes    []uint64
}

// A collecting is what an instruction does with a collector buffer.
type collecting struct {
	buffer int
	op     string // fill, use, lastuse or discard
}

// collecting reads the modifier.
func (o *opcode) collecting() collecting {
	buffers, c := []string{"a"}, collecting{0, "discard"}
	if o.has("ws") {
		buffers, c.buffer = []string{"b0", "b1", "b2", "b3"}, 1
	}
	for i, name := range buffers {
		const prefix = "collector::"
		if m := o.one(prefix+name+"::fill", prefix+name+"::use", prefix+name+"::lastuse", prefix+name+"::discard"); m != "" {
			c.op = m[strings.LastIndexByte(m, ':')+1:]
			c.buffer += i
			break
		}
	}
	return c
}

// collect uses or fills the collector buffer with the matrix that the instruction has read from memory.
func (x *tensorIssue) collect(c collecting, is collector) status {
	b := &x.t.collectors[c.buffer]
	if c.op == "use" || c.op == "lastuse" {
		wrong := ""
		if b.codes == nil {
			wrong = "no instruction has filled it"
		} else if !b.matches(is) {
			wrong = "another matrix is there"
		}
		if wrong != "" {
			x.w.fail(KindTensor, 1<<x.lane, "takes %s from collector buffer %s, and %s (PTX ISA 9.7.16.10.9)",
				map[bool]string{true: "A", false: "B"}[c.buffer == 0], [...]string{"a", "b0", "b1", "b2", "b3"}[c.buffer], wrong)
			if !x.w.goesOn() {
				return failed
			}
		}
		if c.op == "use" {
			return advance
		}
	}
	*b = collector{}
	if c.op == "fill" {
		is.codes = slices.Clone(is.codes)
		*b = is
	}
	return advance
}

// matches reports whether the rows that both matrices have are the same.
func (c *collector) matches(d collector) bool {
	if c.of != d.of || c.k != d.k || len(c.codes) != len(d.codes) {
		return false
	}
	n, m := (d.first-c.first)*c.k, len(c.codes)
	if n < 0 {
		return slices.Equal(c.codes[:max(0, m+n)], d.codes[min(m, -n):])
	}
	return slices.Equal(c.codes[min(m, n):], d.codes[:max(0, m-n)])
}
