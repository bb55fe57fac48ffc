package litmus

import (
	"slices"
	"strings"
)

// A form is what the opcode of an instruction says.
type form struct {
	op    Op
	proxy string
	sems  string // the semantics it may have
}

// forms are the accesses to memory. Those of other proxies than the generic one are spelled as by NVlabs, and cold, which
// is their ldc, as by Dat3M.
var forms = map[string]form{
	"ld": {Load, "generic", "weak relaxed acquire volatile"}, "tld": {Load, "texture", "weak"},
	"suld": {Load, "surface", "weak relaxed acquire volatile"},
	"ldc":  {Load, "constant", "weak"}, "cold": {Load, "constant", "weak"},
	"st": {Store, "generic", "weak relaxed release volatile"}, "sust": {Store, "surface", "weak relaxed release volatile"},
	"atom": {Atomic, "generic", "relaxed acquire release acq_rel"}, "suatom": {Atomic, "surface", "relaxed acquire release acq_rel"},
	"red": {Reduce, "generic", "relaxed acquire release acq_rel"}, "sured": {Reduce, "surface", "relaxed acquire release acq_rel"},
}

var maths = []string{"add", "sub", "mul", "div", "and", "or", "xor", "min", "max", "exch", "cas"}

var branches = map[string]Math{"beq": "eq", "bne": "ne", "blt": "lt", "bgt": "gt", "ble": "le", "bge": "ge"}

// instruction reads an instruction of a thread.
func (r *reader) instruction(thread int) Instruction {
	first := r.list[0]
	ins := Instruction{Dst: -1, Scope: Own, Proxy: "generic", Line: first.line, A: Operand{Register: -1}, B: Operand{Register: -1}}
	op := r.word("an instruction")
	words := []string{}
	for r.skip(".") {
		words = append(words, r.word("a modifier"))
	}
	switch f, ok := forms[op]; {
	case op == "ld" && len(words) == 0 && !r.isAddress(), op == "mov":
		ins.Op, ins.Math = Local, ""
		ins.Dst = r.register(thread, r.word("a register"))
		r.expect(",")
		ins.B = r.operand(thread)
	case ok:
		r.memory(thread, &ins, f, words)
	case slices.Contains(maths[:9], op):
		ins.Op, ins.Math = Local, Math(op)
		ins.Dst = r.register(thread, r.word("a register"))
		r.two(thread, &ins)
	case branches[op] != "":
		ins.Op, ins.Math = Branch, branches[op]
		ins.A = r.operand(thread)
		r.expect(",")
		ins.B = r.operand(thread)
		r.expect(",")
		ins.Text = r.word("a label")
	case op == "goto" || op == "bra":
		ins.Op, ins.Math, ins.Text = Branch, "goto", r.word("a label")
	case op == "fence" || op == "membar":
		r.fence(&ins, op, words)
	case op == "bar" || op == "barrier":
		r.barrier(thread, &ins, words)
	default:
		r.fail("an instruction of PTX before " + op)
	}
	if ins.Op != Branch {
		ins.Text = strings.Join(strings.Fields(r.text[first.at:r.list[0].at]), " ")
	}
	return ins
}

// isAddress reports whether the second operand that follows is a location.
func (r *reader) isAddress() bool {
	name := r.after(2)
	return name == "[" || slices.ContainsFunc(r.t.Locations, func(l Location) bool { return l.Name == name })
}

// two reads ", a, b".
func (r *reader) two(thread int, ins *Instruction) {
	r.expect(",")
	ins.A = r.operand(thread)
	r.expect(",")
	ins.B = r.operand(thread)
}

// operand reads a register or an integer.
func (r *reader) operand(thread int) Operand {
	if r.isInteger() {
		return Operand{Register: -1, Value: r.integer()}
	}
	return Operand{Register: r.register(thread, r.word("a register or an integer"))}
}

// address reads a location, which may be in brackets.
func (r *reader) address() int {
	in := r.skip("[")
	n := r.location(r.word("a location"))
	if in {
		r.expect("]")
	}
	return n
}

// memory reads an access to memory: its modifiers and operands.
func (r *reader) memory(thread int, ins *Instruction, f form, words []string) {
	ins.Op, ins.Proxy, ins.Sem = f.op, f.proxy, "weak"
	if f.op == Atomic || f.op == Reduce {
		ins.Sem, ins.Scope = "relaxed", GPU
	}
	scoped := r.modifiers(ins, f, words)
	switch ins.Sem {
	case "volatile":
		ins.Sem, ins.Scope, scoped = "relaxed", System, true
	case "weak":
		if scoped {
			r.fail("no scope in a weak access before " + strings.Join(words, "."))
		}
		scoped = true
	}
	if !scoped && (f.op == Load || f.op == Store) {
		r.fail("a scope in ." + strings.Join(words, ".") + " before its operands")
	}
	if f.op == Load || f.op == Atomic {
		ins.Dst = r.register(thread, r.word("a register"))
		r.expect(",")
	}
	ins.Loc = r.address()
	if f.op == Load {
		return
	}
	r.expect(",")
	if ins.A = r.operand(thread); ins.Math == "cas" {
		r.expect(",")
		ins.B = r.operand(thread)
	}
	if (f.op == Atomic || f.op == Reduce) && ins.Math == "" {
		r.fail("an operation such as .add in " + strings.Join(words, "."))
	}
}

// modifiers reads the modifiers of an access in any order, and reports whether there is a scope. Types and state spaces
// say nothing here.
func (r *reader) modifiers(ins *Instruction, f form, words []string) bool {
	scoped := false
	for _, w := range words {
		scope, isScope := scopeNames[w]
		switch {
		case isScope:
			ins.Scope, scoped = scope, true
		case slices.Contains(strings.Fields(f.sems), w):
			ins.Sem = Sem(w)
		case (f.op == Atomic || f.op == Reduce) && slices.Contains(maths, w):
			ins.Math = Math(w)
		case slices.Contains(ignored, w):
		default:
			r.fail("a modifier that the instruction can have instead of ." + w + ", before its operands")
		}
	}
	return scoped
}

var ignored = []string{"global", "shared", "b32", "u32", "s32", "b64", "u64", "s64"}

// fence reads a fence.
func (r *reader) fence(ins *Instruction, op string, words []string) {
	ins.Op, ins.Sem, ins.Scope = Fence, "acq_rel", System
	if op == "membar" {
		ins.Sem = "sc"
	}
	if len(words) > 0 && (words[0] == "proxy" || words[0] == "alias") {
		ins.Op, ins.Sem, ins.Scope = Proxy, "", Own
		if ins.Proxy = words[len(words)-1]; ins.Proxy == "alias" {
			ins.Op = Alias
		}
		known := slices.Contains([]string{"alias", "generic", "texture", "surface", "constant"}, ins.Proxy)
		if len(words) > 2 || !known {
			r.fail("fence.proxy with .alias, .texture, .surface or .constant instead of ." + strings.Join(words, "."))
		}
		return
	}
	for _, w := range words {
		if w == "gl" && op == "membar" {
			w = "gpu"
		}
		scope, ok := scopeNames[w]
		if ok {
			ins.Scope = scope
		} else if ins.Sem = Sem(w); semantics[ins.Sem] == nil || op == "membar" {
			r.fail("a fence with .acquire, .release, .acq_rel or .sc instead of ." + w)
		}
	}
}

// barrier reads a barrier:
//
//	bar.cta.sync N[, ID[, QUORUM]]   N and the value of ID say which barriers meet; with QUORUM so many arrivals are enough
//	bar.sync N, bar.arrive N         the same without .cta
//	barrier.cluster.arrive, .wait    of all threads of the cluster that have one
func (r *reader) barrier(thread int, ins *Instruction, words []string) {
	ins.Op, ins.Scope = Barrier, CTA
	m := &Meeting{Quorum: everyone, Releases: true, ID: Operand{Register: -1}}
	ins.Bar = m
	for _, w := range words {
		switch {
		case w == "cta" || w == "aligned" || w == "acquire" || w == "release":
		case w == "cluster":
			m.Wide = true
		case w == "relaxed" && m.Wide:
			m.Releases = false
		case w == "sync" && !m.Wide:
			m.Arrives, m.Waits = true, true
		case w == "arrive":
			m.Arrives = true
		case w == "wait" && m.Wide:
			m.Waits = true
		default:
			r.fail("a barrier with .sync or .arrive, or of the cluster with .arrive or .wait, instead of ." + w)
		}
	}
	if !m.Arrives && !m.Waits {
		r.fail(".sync, .arrive or .wait before the operands of the barrier")
	}
	if m.Wide {
		return
	}
	m.Instance = r.integer()
	if r.skip(",") {
		m.ID = r.operand(thread)
		if r.skip(",") {
			m.Quorum = r.operand(thread)
		}
	}
}
