package litmus

import (
	"slices"
	"strings"
)

// A form is the meaning of an opcode.
type form struct {
	op    Op
	proxy string
	sems  string // the semantics that the modifiers may state
}

// formOf returns the form of an access to memory. The opcodes for proxies other than the generic one are from NVlabs,
// except cold, which is Dat3M's name for ldc.
func formOf(op string) (f form, ok bool) {
	for _, kind := range []struct {
		suffix string
		form
	}{
		{"ld", form{Load, "", "weak relaxed acquire volatile"}},
		{"st", form{Store, "", "weak relaxed release volatile"}},
		{"atom", form{Atomic, "", "relaxed acquire release acq_rel"}},
		{"red", form{Reduce, "", "relaxed acquire release acq_rel"}},
	} {
		switch prefix, found := strings.CutSuffix(op, kind.suffix); {
		case !found:
		case prefix == "":
			return form{kind.op, "generic", kind.sems}, true
		case prefix == "su":
			return form{kind.op, "surface", kind.sems}, true
		}
	}
	switch op {
	case "tld":
		return form{Load, "texture", "weak"}, true
	case "ldc", "cold":
		return form{Load, "constant", "weak"}, true
	}
	return form{}, false
}

var maths = []string{"add", "sub", "mul", "div", "and", "or", "xor", "min", "max", "exch", "cas"}

// branches lists the branches. The letters after the b are the comparison.
var branches = []string{"beq", "bne", "blt", "bgt", "ble", "bge"}

// instruction parses an instruction of a thread.
func (r *reader) instruction(thread int) Instruction {
	first := r.list[0]
	none := Operand{Register: -1}
	ins := Instruction{Dst: -1, Scope: Own, Proxy: "generic", Line: first.line, A: none, B: none}
	op := r.word("an instruction")
	words := []string{}
	for r.skip(".") {
		words = append(words, r.word("a modifier"))
	}
	f, ok := formOf(op)
	switch {
	case r.local(thread, &ins, op, len(words)):
	case ok:
		r.memory(thread, &ins, f, words)
	case op == "fence" || op == "membar":
		r.fence(&ins, op, words)
	case op == "cp" && len(words) > 0 && words[0] == "async":
		r.copies(&ins, words)
	case op == "mbarrier":
		r.mbarrier(&ins, words)
	case op == "bar" || op == "barrier":
		r.barrier(thread, &ins, words)
	default:
		r.fail("an instruction of PTX before " + op)
	}
	if ins.Op != Branch {
		ins.Text = strings.Join(strings.Fields(r.text[first.at:r.list[0].at]), " ")
		for k := range ins.Parts {
			ins.Parts[k].Text = ins.Text
		}
	}
	return ins
}

// local parses a branch or an instruction on registers, and reports whether op is one.
func (r *reader) local(thread int, ins *Instruction, op string, modifiers int) bool {
	switch {
	case op == "ld" && modifiers == 0 && !r.isAddress(), op == "mov":
		ins.Op = Local
		ins.Dst = r.register(thread, r.word("a register"))
		r.expect(",")
		ins.B = r.operand(thread)
	case slices.Contains(maths[:9], op):
		ins.Op, ins.Math = Local, Math(op)
		ins.Dst = r.register(thread, r.word("a register"))
		r.two(thread, ins)
	case slices.Contains(branches, op):
		ins.Op, ins.Math = Branch, Math(op[1:])
		ins.A = r.operand(thread)
		r.expect(",")
		ins.B = r.operand(thread)
		r.expect(",")
		ins.Text = r.word("a label")
	case op == "goto" || op == "bra":
		ins.Op, ins.Math, ins.Text = Branch, "goto", r.word("a label")
	default:
		return false
	}
	return true
}

// isAddress reports whether the second of the next operands is a location.
func (r *reader) isAddress() bool {
	name := r.after(2)
	return name == "[" || slices.ContainsFunc(r.t.Locations, func(l Location) bool { return l.Name == name })
}

// two parses ", a, b".
func (r *reader) two(thread int, ins *Instruction) {
	r.expect(",")
	ins.A = r.operand(thread)
	r.expect(",")
	ins.B = r.operand(thread)
}

// operand parses a register or an integer.
func (r *reader) operand(thread int) Operand {
	if r.isInteger() {
		return Operand{Register: -1, Value: r.integer()}
	}
	return Operand{Register: r.register(thread, r.word("a register or an integer"))}
}

// address parses a location, with or without brackets.
func (r *reader) address() int {
	in := r.skip("[")
	n := r.location(r.word("a location"))
	if in {
		r.expect("]")
	}
	return n
}

// memory parses the modifiers and operands of an access to memory.
func (r *reader) memory(thread int, ins *Instruction, f form, words []string) {
	ins.Op, ins.Proxy, ins.Sem = f.op, f.proxy, "weak"
	atomic := f.op == Atomic || f.op == Reduce
	if atomic {
		ins.Sem, ins.Scope = "relaxed", GPU
	}
	r.modifiers(ins, f, words)
	switch {
	case ins.Sem == "volatile":
		ins.Sem, ins.Scope = "relaxed", System
	case ins.Sem == "weak" && ins.Scope != Own:
		r.fail("no scope in a weak access ." + strings.Join(words, ".") + ", before its operands")
	case ins.Sem != "weak" && ins.Scope == Own:
		r.fail("a scope in ." + strings.Join(words, ".") + ", before its operands")
	case atomic && ins.Math == "":
		r.fail("an operation such as .add in ." + strings.Join(words, ".") + ", before its operands")
	}
	if f.op == Load || f.op == Atomic {
		ins.Dst = r.register(thread, r.word("a register"))
		r.expect(",")
	}
	if ins.Loc = r.address(); f.op == Load {
		return
	}
	r.expect(",")
	if ins.A = r.operand(thread); ins.Math == "cas" {
		r.expect(",")
		ins.B = r.operand(thread)
	}
}

// modifiers parses the modifiers of an access, in any order. It ignores types and state spaces, which have no effect in
// this model.
func (r *reader) modifiers(ins *Instruction, f form, words []string) {
	for _, w := range words {
		switch scope := slices.Index(scopeNames, w); {
		case scope > 0:
			ins.Scope = Scope(scope)
		case slices.Contains(strings.Fields(f.sems), w):
			ins.Sem = Sem(w)
		case (f.op == Atomic || f.op == Reduce) && slices.Contains(maths, w):
			ins.Math = Math(w)
		case !slices.Contains(ignored, w):
			r.fail("a modifier that the instruction can have instead of ." + w + ", before its operands")
		}
	}
}

var ignored = []string{"global", "shared", "b32", "u32", "s32", "b64", "u64", "s64"}

// fence parses a fence.
func (r *reader) fence(ins *Instruction, op string, words []string) {
	ins.Op, ins.Sem = Fence, "acq_rel"
	if op == "membar" {
		ins.Sem = "sc"
	}
	if len(words) > 0 && (words[0] == "proxy" || words[0] == "alias") {
		ins.Op, ins.Sem = Proxy, ""
		if ins.Proxy = words[len(words)-1]; ins.Proxy == "alias" {
			ins.Op = Alias
		}
		known := slices.Contains([]string{"alias", "generic", "texture", "surface", "constant", "async"}, ins.Proxy)
		if len(words) > 2 || !known {
			r.fail("fence.proxy with .async, .alias, .texture, .surface or .constant instead of ." + strings.Join(words, "."))
		}
		return
	}
	for _, w := range words {
		if w == "gl" && op == "membar" {
			w = "gpu"
		}
		if scope := slices.Index(scopeNames, w); scope > 0 {
			ins.Scope = Scope(scope)
		} else if ins.Sem = Sem(w); semantics(ins.Sem) == "" || op == "membar" {
			r.fail("a fence with .acquire, .release, .acq_rel or .sc instead of ." + w)
		}
	}
	if ins.Scope == Own {
		r.fail("a scope in " + op + "." + strings.Join(words, ".") + ", before")
	}
}

// barrier parses a barrier:
//
//	bar.cta.sync N[, ID[, QUORUM]]   meet if N and the value of ID are the same; QUORUM is a number of arrivals
//	bar.sync N, bar.arrive N         the same without .cta
//	bar.warp.sync MASK               for the threads of a warp that wait with the same mask
//	barrier.cluster.arrive, .wait    for all threads of the cluster that execute such a barrier
func (r *reader) barrier(thread int, ins *Instruction, words []string) {
	ins.Op, ins.Scope = Barrier, CTA
	m := &Meeting{Scope: CTA, Quorum: everyone, Releases: true, ID: Operand{Register: -1}}
	ins.Bar = m
	for _, w := range words {
		if !m.modifier(w) {
			r.fail("a barrier with .sync or .arrive, or of the cluster with .arrive or .wait, instead of ." + w)
		}
	}
	if !m.Arrives && !m.Waits {
		r.fail(".sync, .arrive or .wait before the operands of the barrier")
	}
	if m.Scope == Cluster {
		return
	}
	if m.Instance = r.integer(); slices.Contains(words, "warp") {
		m.Instance += warpBarriers
	}
	if r.skip(",") {
		m.ID = r.operand(thread)
		if r.skip(",") {
			m.Quorum = r.operand(thread)
		}
	}
}

// warpBarriers is added to the masks of bar.warp.sync, so that they do not meet other barriers.
const warpBarriers = 1 << 40

// modifier applies the modifier w to a barrier, and reports whether the barrier may have it.
func (m *Meeting) modifier(w string) bool {
	cluster := m.Scope == Cluster
	switch w {
	case "cta", "warp", "aligned", "acquire", "release":
	case "cluster":
		m.Scope = Cluster
	case "relaxed":
		m.Releases = false
		return cluster
	case "sync":
		m.Arrives, m.Waits = true, true
		return !cluster
	case "arrive":
		m.Arrives = true
	case "wait":
		m.Waits = true
		return cluster
	default:
		return false
	}
	return true
}
