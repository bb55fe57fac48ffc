package lint

import (
	"slices"
	"strconv"
	"strings"

	"girih/ptx"
)

// This file checks what the text of tcgen05 instructions proves (PTX ISA 9.7.16). A tcgen05.ld whose registers are used
// before tcgen05.wait::ld is no fault (9.7.16.6.4.5), and the warp that deallocates may differ from the allocating one,
// so nothing is said of these.

// tensor checks the tcgen05 instructions of the function.
func (c *checker) tensor() {
	var first, alloc *ptx.Instr // the first that says its group, or the first of all; and the first allocation
	ends := false               // whether the function may deallocate
	for i, in := range c.g.Code {
		if in.Op.Name() == "call" || in.Op.Has("dealloc") {
			ends = true
		}
		if in.Op.Name() != "tcgen05" {
			continue
		}
		first = c.sameGroup(first, in)
		if in.Op.Has("alloc") && alloc == nil {
			alloc = in
		}
		c.tensorForm(i, in)
	}
	if alloc != nil && !ends && c.decl.Entry {
		c.say(mark{ruleDealloc, Fault}, alloc, "the kernel has no tcgen05.dealloc: all columns must be deallocated before it ends")
	}
}

// sameGroup checks that an instruction has the group of the first one, and returns the new first one. The first one of
// a function has its target checked.
func (c *checker) sameGroup(first, in *ptx.Instr) *ptx.Instr {
	if first == nil {
		c.tensorTarget(in)
		return in
	}
	group, old := groupOf(in), groupOf(first)
	if group == "" || group == old {
		return first
	}
	if old == "" {
		return in
	}
	c.say(mark{ruleGroup, Fault}, in, "%s, and the instruction at line %d has %s: all tcgen05 instructions of a kernel have the same",
		group, first.Pos.Line, old).Other = int(first.Pos.Line)
	return first
}

// tensorForm checks what instruction i says by itself and, of an allocation, what comes before.
func (c *checker) tensorForm(i int, in *ptx.Instr) {
	switch {
	case in.Op.Has("alloc"):
		c.columns(in)
		c.permit(i)
	case in.Op.Has("dealloc"):
		c.columns(in)
	case in.Op.Has("ld"), in.Op.Has("st"):
		c.tensorRegisters(in)
	case in.Op.Has("mma"):
		c.multiply(in)
	}
}

// tensorTarget checks that the target of the module has tcgen05 instructions.
func (c *checker) tensorTarget(in *ptx.Instr) {
	if list := c.module.Target; len(list) > 0 {
		number := strings.TrimRight(list[0], "af")
		if number == list[0] || !slices.Contains([]string{"sm_100", "sm_101", "sm_103", "sm_110"}, number) {
			c.say(mark{ruleTarget, Fault}, in, "the target %s has no tcgen05 instructions: expected sm_100a, sm_101a, sm_103a, sm_110a or a target of their families, such as sm_100f",
				list[0])
		}
	}
}

// groupOf returns the .cta_group of an instruction, or "".
func groupOf(in *ptx.Instr) string {
	if in != nil {
		for _, g := range []string{"cta_group::1", "cta_group::2"} {
			if in.Op.Has(g) {
				return "." + g
			}
		}
	}
	return ""
}

// columns checks the number of columns of an allocation or deallocation.
func (c *checker) columns(in *ptx.Instr) {
	if len(in.Operands) == 2 {
		if n, ok := in.Operands[1].(ptx.Int); ok && (n < 32 || n > 512 || n&(n-1) != 0) {
			c.say(mark{ruleColumns, Fault}, in, "%d columns: expected a power of two from 32 to 512", n)
		}
	}
}

// permit checks that no tcgen05.relinquish_alloc_permit comes before allocation i on every path.
func (c *checker) permit(i int) {
	gives := func(from, to int) *ptx.Instr {
		for _, in := range c.g.Code[from:to] {
			if in.Op.Has("relinquish_alloc_permit") && in.Pred == "" {
				return in
			}
		}
		return nil
	}
	block := c.g.Block[i]
	given := gives(c.g.First[block], i)
	seen, todo := make([]bool, len(c.g.First)), []int{}
	visit := func(b int) {
		if !seen[b] {
			seen[b] = true
			todo = append(todo, b)
		}
	}
	if given == nil {
		visit(0)
	}
	for len(todo) > 0 { // the blocks that are reached without giving up the permit
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b == block {
			return
		}
		if b >= len(c.g.First)-1 {
			continue
		}
		if in := gives(c.g.First[b], c.g.First[b+1]); in != nil {
			given = in
			continue
		}
		for _, to := range c.g.To[b] {
			visit(to)
		}
	}
	if given != nil {
		c.say(mark{rulePermit, Fault}, c.g.Code[i], "the instruction at line %d has given up the right of the block to allocate",
			given.Pos.Line).Other = int(given.Pos.Line)
	}
}

// tensorShapes are the registers that a thread has for .x1.
var tensorShapes = map[string]int{"32x32b": 1, "16x64b": 1, "16x32bx2": 1, "16x128b": 2, "16x256b": 4}

// tensorRegisters checks the number of registers of a tcgen05.ld or st (table 49).
func (c *checker) tensorRegisters(in *ptx.Instr) {
	each, repeat := 0, 0
	for word := range strings.SplitSeq(string(in.Op), ".") {
		if n := tensorShapes[word]; n > 0 {
			each = n
		} else if n, err := strconv.Atoi(strings.TrimPrefix(word, "x")); err == nil && word[0] == 'x' {
			repeat = n
		}
	}
	if each == 0 || repeat == 0 {
		return
	}
	n := each * repeat
	if n > 128 || repeat&(repeat-1) != 0 || repeat < 1 {
		c.say(mark{ruleShape, Fault}, in, "%s: expected a power of two of repetitions, and at most 128 registers: %d here",
			in.Op, n)
		return
	}
	for _, o := range in.Operands {
		if list, ok := o.(ptx.Vec); ok && len(list) != n {
			c.say(mark{ruleShape, Fault}, in, "%s, expected %d", plural(len(list), "register"), n)
		}
	}
}

// multiply checks the modifiers and the lanes of a tcgen05.mma.
func (c *checker) multiply(in *ptx.Instr) {
	if use := in.Op.Has("collector::a::use"); in.Op.Has("ashift") && (use || in.Op.Has("collector::a::fill")) {
		c.say(mark{ruleMultiply, Fault}, in, ".ashift with .collector::a::%s", map[bool]string{true: "use", false: "fill"}[use])
	}
	want := 4
	if in.Op.Has("cta_group::2") {
		want = 8
	}
	for _, o := range in.Operands {
		if list, ok := o.(ptx.Vec); ok && len(list) != want {
			c.say(mark{ruleMultiply, Fault}, in, "disable-output-lane of %s, expected %d", plural(len(list), "word"), want)
		}
	}
}
