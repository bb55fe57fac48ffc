package kernel

import (
	"runtime"
	"strings"

	"girih/internal/lang/emit"
	"girih/ptx"
)

// This file records what a kernel does in CuTe's words: a list of operations, from which [Kernel.CuTe] and [Kernel.DSL]
// are written. A method that is a row of that list calls does first. What it calls in turn is a part of it, and is not
// recorded; only the bodies of loops and conditions are, by aloud. Instructions that no recorded method emits are no
// operations of CuTe: the first of them is why the kernel cannot be written.

// A recorder is the list of operations of a kernel that is being traced.
type recorder struct {
	steps  []emit.Step
	quiet  int                  // the number of recorded methods that are being executed
	values map[ptx.Name]emit.ID // the steps that made numbers and predicates, by register
	beyond *beyond              // the first thing that the list does not have
}

// A beyond is an operation that the list does not have.
type beyond struct {
	op  string
	pcs [24]uintptr
}

// A doing is a method that is being executed.
type doing struct {
	k  *K
	id emit.ID // 0 if it is a part of another method
}

// does records a step, unless it is a part of another one. The caller ends it with tensor, value or end.
func (k *K) does(s *emit.Step) doing {
	d := doing{k: k}
	if k.record.quiet == 0 && k.err == nil {
		k.record.steps = append(k.record.steps, *s)
		d.id = emit.ID(len(k.record.steps))
		for _, of := range s.Of {
			if of == 0 {
				k.goesBeyond("an operand of " + s.Op)
			}
		}
	}
	k.record.quiet++
	return d
}

// op is does for a step that has operands and a number only.
func (k *K) op(op string, n int64, of ...emit.ID) doing {
	return k.does(&emit.Step{Op: op, Of: of, N: n})
}

// end ends a step that makes nothing.
func (d doing) end() { d.k.record.quiet-- }

// tensor ends a step that makes a tensor.
func (d doing) tensor(t *Tensor) {
	d.end()
	if d.id == 0 || t.root == nil {
		return
	}
	*t = t.apart() // it may be a tensor that another step made
	t.step = d.id
	s := &d.k.record.steps[d.id-1]
	for _, m := range t.modes {
		if m.open {
			s.Shape = append(s.Shape, m.extent.String())
		} else {
			s.Shape = append(s.Shape, m.layout.Shape().String())
		}
	}
}

// value records which register has the result of a step.
func (d doing) value(v Value) {
	d.end()
	d.name(v.reg)
}

func (d doing) name(reg ptx.Name) {
	if d.id != 0 {
		d.k.record.values[reg] = d.id
	}
}

// aloud executes the body of a loop or a condition, whose operations are recorded.
func (d doing) aloud(body func()) {
	if d.id == 0 {
		body()
		return
	}
	d.k.record.quiet--
	body()
	d.k.record.quiet++
}

// endBody ends the last body of a step.
func (d doing) endBody() {
	d.end()
	d.then("end")
}

// counts records the counter of a loop.
func (d doing) counts(i Index) {
	if d.id != 0 {
		s := &d.k.record.steps[d.id-1]
		s.At = append(s.At, d.k.coords(i)...)
	}
}

// tensors ends a step that makes two tensors; the next step is the second one.
func (d doing) tensors(t, u *Tensor) {
	d.tensor(t)
	if d.id != 0 {
		d.then("second")
		if u.root != nil {
			*u = u.apart()
			u.step = emit.ID(len(d.k.record.steps))
		}
	}
}

// then records a mark between the bodies of a step.
func (d doing) then(op string) {
	if d.id != 0 {
		d.k.record.steps = append(d.k.record.steps, emit.Step{Op: op})
	}
}

// goesBeyond records that the kernel does something that the list does not have.
func (k *K) goesBeyond(op string) {
	if k.record.beyond == nil && k.record.quiet == 0 {
		k.record.beyond = &beyond{op: op}
		runtime.Callers(2, k.record.beyond.pcs[:])
	}
}

// moves records that a copy, or a product that loads its operands, moves this many bits at once because it must: its
// elements are not aligned for more, as far as is known, or its atom would move more.
func (k *K) moves(bits int) {
	must := k.limit > bits || k.narrow != nil && k.narrow.kind == "alignment"
	if n := len(k.record.steps); must && n > 0 && k.record.quiet > 0 {
		k.record.steps[n-1].N = int64(bits)
	}
}

// heard records an instruction that no step has.
func (k *K) heard() {
	if k.record.quiet > 0 || k.record.beyond != nil || !k.tracing {
		return
	}
	k.goesBeyond("")
	frames := runtime.CallersFrames(k.record.beyond.pcs[:])
	for {
		f, more := frames.Next()
		if isOutside(f) || !more {
			return
		}
		name := strings.TrimPrefix(strings.TrimPrefix(f.Function, "girih/kernel."), "(*K).")
		if last := name[strings.LastIndex(name, ".")+1:]; last[0] >= 'A' && last[0] <= 'Z' {
			k.record.beyond.op = name
		}
	}
}

// id returns the step that made a tensor, and 0 for the zero Tensor.
func (t Tensor) id() emit.ID {
	if t.root == nil {
		return 0
	}
	return t.step
}

// of returns the steps that made tensors.
func of(ts ...Tensor) []emit.ID {
	out := make([]emit.ID, len(ts))
	for i, t := range ts {
		out[i] = t.id()
	}
	return out
}

// coords returns coordinates. A number that is not one of this kernel is refused where it is used.
func (k *K) coords(coord ...Index) []emit.Index {
	out := make([]emit.Index, len(coord))
	for i, c := range coord {
		if out[i] = (emit.Index{X: c.x(), Open: c == Open}); c.in == nil {
			out[i].X = k.s.Const(c.n)
		}
	}
	return out
}

// stepsOf returns the steps of numbers, and 0 for a number that is not one of a step.
func (k *K) stepsOf(vs ...Value) []emit.ID {
	var out []emit.ID
	for _, v := range vs {
		out = append(out, k.record.values[v.reg])
	}
	return out
}

// condition returns a condition as a step has it.
func (k *K) condition(c Cond) *emit.Cond {
	out := &emit.Cond{Less: c.less(), Never: c.never}
	for _, p := range c.holds() {
		name, _ := p.(ptx.Name)
		id := k.record.values[name]
		if id == 0 {
			k.goesBeyond("a condition on numbers")
		}
		out.Holds = append(out.Holds, id)
	}
	return out
}

// does returns a step at a barrier.
func (b Barrier) does(op string, s *emit.Step) *emit.Step {
	if b.cluster() {
		b.k.goesBeyond("a barrier that orders memory between blocks") // CuTe's has the scope of a block
	}
	s.Op, s.Of, s.At = op, append([]emit.ID{b.step}, s.Of...), append(b.k.coords(b.i), s.At...)
	return s
}

// copies returns the step of a TMA copy.
func (a TmaAtom) copies(src, dst Tensor) *emit.Step {
	s := &emit.Step{Op: "copy_tma", Of: append([]emit.ID{a.step}, of(src, dst)...)}
	switch {
	case a.use == tmaAdd:
		a.k.goesBeyond("TmaAtom.Add")
	case src.root.space == Shared:
		s.Op = "copy_tma_store"
	default:
		s.Of, s.At = append(s.Of, a.bar.step), a.k.coords(a.bar.i)
		if a.several {
			s.Op, s.At = "copy_tma_multicast", append(s.At, a.k.coords(a.mask)...)
		}
	}
	return s
}
