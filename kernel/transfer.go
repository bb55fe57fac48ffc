package kernel

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"girih/internal/machine/address"
	"girih/ptx"
)

// This file records the accesses of a kernel during the trace: what [Kernel.Plan] and [Kernel.Report] count.

// A transfer is an instruction that moves elements, with the conditions that decide which threads execute it.
type transfer struct {
	op     ptx.Op
	in     *ptx.Instr
	sides  []reason // its addresses, in the order of the operands
	bytes  int      // of a lane
	cond   *Cond    // its predicate
	reads  *Cond    // of cp.async: the condition to read all bytes; otherwise it writes zeros
	around []scope  // outermost first
	narrow *obstacle
	atom   string  // of a tiled copy, or ""
	engine *engine // what the copy engine moves; nil for accesses of lanes
	pcs    *stack
}

// A scope is a loop, or a condition, around an instruction.
type scope struct {
	counter  *address.Symbol // nil for a condition
	from, to address.Expr
	cond     Cond
	negated  bool // the condition must not hold
	repeats  bool // a While: nothing is known about the number of iterations
}

// place returns the file and the line outside of this package that made the access.
func (a *transfer) place() (file string, line int) { return a.pcs.outside() }

// outside returns the first file and line of a stack that are outside of this package.
func outside(pcs []uintptr) (file string, line int) {
	for frames := runtime.CallersFrames(pcs); ; {
		f, more := frames.Next()
		if isOutside(f) {
			return filepath.Base(f.File), f.Line
		}
		if !more {
			return "", 0
		}
	}
}

// isOutside reports whether a frame is outside of this package; the tests of the package are. A closure of a function
// that is inlined elsewhere would have a name of that place, so functions with closures that call back are not inlined.
func isOutside(f runtime.Frame) bool {
	return !strings.HasPrefix(f.Function, "girih/kernel.") || strings.HasSuffix(f.File, "_test.go")
}

// note records an instruction if it moves elements.
func (k *K) note(in *ptx.Instr) {
	if in.Op == "selp.b32" && len(in.Operands) == 4 {
		k.noteBytes(in)
	}
	if len(k.pending) == 0 {
		return
	}
	a := transfer{op: in.Op, in: in, around: k.around, narrow: k.narrow, atom: k.atom, cond: k.sure, reads: k.sure}
	if a.sides = k.sidesOf(in); len(a.sides) == 0 {
		return // it only prepares a transfer
	}
	k.pending = k.pending[:0]
	if in.Pred != "" {
		a.cond = k.condOf(in.Pred)
	}
	if a.bytes = bytesOfLane(in, len(a.sides)); a.bytes == 0 {
		return
	}
	if in.Op.Name() == "cp" && len(in.Operands) > 3 {
		if r, ok := in.Operands[3].(ptx.Name); ok {
			a.reads = k.condOf(r)
		}
	}
	a.pcs = k.places[in]
	k.accesses = append(k.accesses, a)
}

// sidesOf returns the pending addresses among the operands of an instruction.
func (k *K) sidesOf(in *ptx.Instr) []reason {
	if cap(k.reasons)-len(k.reasons) < len(k.pending) {
		k.reasons = make([]reason, 0, 32+len(k.pending))
	}
	first := len(k.reasons)
	for _, o := range in.Operands {
		at, ok := o.(ptx.Addr)
		if !ok {
			continue
		}
		for _, r := range k.pending {
			if r.operand.Base == at.Base && r.operand.Offset == at.Offset {
				k.reasons = append(k.reasons, r)
				break
			}
		}
	}
	return slices.Clip(k.reasons[first:])
}

// bytesOfLane returns the bytes that an instruction with some addresses moves for a lane, or 0 if it is not an access
// of lanes.
func bytesOfLane(in *ptx.Instr, sides int) int {
	switch in.Op.Name() {
	case "ld", "st":
		return in.Op.Type().Bits() / 8 * in.Op.Vec()
	case "atom", "red":
		return in.Op.Type().Bits() / 8
	case "ldmatrix", "stmatrix":
		return 16 // of a row
	case "cp":
		if len(in.Operands) >= 3 && sides == 2 && !in.Op.Has("bulk") {
			n, _ := in.Operands[2].(ptx.Int)
			return int(n)
		}
	}
	return 0
}

// condOf returns the condition of a predicate.
func (k *K) condOf(p ptx.Name) *Cond {
	if c, ok := k.conds[p]; ok {
		return c
	}
	return &Cond{}
}

// symbols returns the symbols of special registers.
func (k *K) symbols() map[ptx.Name]*address.Symbol {
	out := map[ptx.Name]*address.Symbol{}
	for name, x := range k.special {
		x.x().Symbols(func(s *address.Symbol) { out[name] = s })
	}
	return out
}

// noteBytes records a register that holds either a number of bytes or 0, and the condition that selects the number.
func (k *K) noteBytes(in *ptx.Instr) {
	r, ok := in.Operands[0].(ptx.Name)
	p, isPred := in.Operands[3].(ptx.Name)
	if zero, _ := in.Operands[2].(ptx.Int); ok && isPred && zero == 0 {
		k.conds[r] = k.condOf(p)
	}
}
