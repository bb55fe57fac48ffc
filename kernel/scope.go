package kernel

import (
	"fmt"
	"sort"

	"girih/cute"
	"girih/internal/machine/address"
	"girih/ptx"
)

// This file refuses numbers that are used after the loop or the condition in which they were made. The body of k.For
// is traced once, so its values are registers that each iteration writes anew: after the loop such a register has the
// value of the last iteration, or none if there was no iteration.
//
// A register tells where it was made: a Builder numbers registers in the order in which it returns them, so the
// registers of a body are those between two numbers. Bodies nest, so of the bodies that have ended only the outermost
// are kept, in the order of the trace.
//
// Numbers of the algebra have no register, and may be constants: the counter of a loop of one iteration, and i mod 1.
// So what is made of the counter of a body, or is known only by the conditions around it, has its body as its home.

// A region is the body of a loop or of a condition.
type region struct {
	what     string        // what traces it: "For"
	from, to ptx.Registers // the registers before it, and those at its end
	depth    int           // the number of bodies around it
	number   int64         // of all bodies, from 1 on
	ended    bool
	pcs      stack
}

// enter begins a region, which the returned function ends.
func (k *K) enter(what string) (leave func()) {
	r := &region{what: what, from: k.b.Registers(), number: int64(len(k.bodies) + 1)}
	k.bodies = append(k.bodies, r)
	r.pcs.keep(k, 3)
	outer, seen := k.region, len(k.ended)
	if outer != nil {
		r.depth = outer.depth + 1
	}
	k.region = r
	return func() {
		r.to, r.ended = k.b.Registers(), true
		k.region, k.ended = outer, append(k.ended[:seen], r)
	}
}

// innermost returns the inner one of two bodies around the code, where nil is the kernel.
func innermost(r, s *region) *region {
	if r == nil || s != nil && s.depth > r.depth {
		return s
	}
	return r
}

// regionOf returns the region in which a register was made if that region has ended, and otherwise nil.
func (k *K) regionOf(reg ptx.Name) *region {
	i := sort.Search(len(k.ended), func(i int) bool { return k.ended[i].to.Has(reg) })
	if i == len(k.ended) || k.ended[i].from.Has(reg) || k.first[reg] != "" {
		return nil
	}
	return k.ended[i]
}

// place returns the call that traced the region, as "k.For at gemm.go:42".
func (r *region) place() string {
	file, line := r.pcs.outside()
	return fmt.Sprintf("k.%s at %s:%d", r.what, file, line)
}

// within refuses a register of a region that has ended. It reports whether the register may be used here.
func (k *K) within(op, what string, reg ptx.Name) bool {
	return k.lasts(op, what, k.regionOf(reg),
		"carry a number out with ForCarry, IfElseCarry or While; make a fragment before the body")
}

// lasts refuses what was made in a region that has ended, with a hint. It reports whether the thing may be used here.
func (k *K) lasts(op, what string, r *region, hint string) bool {
	if r == nil || !r.ended {
		return true
	}
	k.advise("%s", hint).refuse(op, cute.CodeMode, "the %s was made in the body of %s, and is not known after it", what,
		r.place())
	return false
}

// missing returns the error for a symbol that no register holds here: its loop has ended.
func (k *K) missing(err error) error {
	sym := k.c.Missing()
	if sym == nil || codeOf(err) != cute.CodeUnknown {
		return err
	}
	r := k.homes[sym]
	if r == nil || !r.ended {
		return err
	}
	return &cute.Error{
		Code: cute.CodeMode, Op: "index",
		Msg:  fmt.Sprintf("%s was made in the body of %s, and is not known after it", sym.Name(), r.place()),
		Hint: "use it in the body only",
	}
}

// keepHome records the region in which a symbol is made.
func (k *K) keepHome(sym *address.Symbol) {
	if k.region != nil {
		k.homes[sym] = k.region
	}
}
