package kernel

import (
	"fmt"
	"strings"

	"girih/internal/machine/address"
)

// An obstacle is the reason why a copy cannot use vectors of a number of elements.
type obstacle struct {
	elements int
	few      int    // the number of elements of a thread, if it is too small for these vectors
	in       *root  // the tensor that prevents them
	kind     string // "stride", "alignment", "bounds"
	at, next address.Expr
}

// obstacle finds out why elements cannot be moved in vectors of n. It is called after [K.vectorsOf] has failed.
func (k *K) obstacle(src, dst side, n int) *obstacle {
	o := &obstacle{elements: n}
	if len(src.elements)%n != 0 {
		o.few = len(src.elements)
		return o
	}
	for _, s := range []side{src, dst} {
		if s.root.space == Registers {
			continue
		}
		o.in, o.at = s.root, k.at(s.elements[0])
		v, follow := vector{n: n}, false
		next := s.successors()
		for i := range s.elements {
			from := []int{i}
			for at := next[i]; at >= 0 && len(from) < n; at = next[at] {
				from = append(from, at)
			}
			if len(from) < n {
				continue
			}
			if follow = true; s.isAligned(i, n) {
				v.from = from
				break
			}
		}
		switch {
		case !follow:
			o.kind, o.next = "stride", k.s.Sub(k.at(s.elements[min(1, len(s.elements)-1)]), k.at(s.elements[0]))
			return o
		case v.from == nil:
			o.kind = "alignment"
			return o
		}
		if less, differs := k.unlike(s, v); differs {
			o.kind, o.at, o.next = "bounds", less[0], less[1]
			return o
		}
	}
	o.in, o.kind = src.root, "order"
	return o
}

// why returns a sentence about the obstacle, and its repair.
func (o *obstacle) why() (why, repair string) {
	if o.few > 0 {
		return fmt.Sprintf("a thread has %d elements, no vectors of %d", o.few, o.elements),
			fmt.Sprintf("give each thread %d neighbours", o.elements)
	}
	unit, bytes := "bytes", int64(o.elements)*o.in.step()
	if o.in.fine() {
		unit = "bits"
	}
	switch o.kind {
	case "alignment":
		m, r := o.at.Congruence()
		known := fmt.Sprintf("is a multiple of %d", m)
		if r != 0 {
			known = fmt.Sprintf("is %d more than a multiple of %d", r, m)
		}
		return fmt.Sprintf("the address in %s %s %s as far as is known, and would be one of %d", o.in.name, known, unit, bytes),
			o.declare(o.at)
	case "stride":
		if n, ok := o.next.Int64(); ok && n == 0 {
			return fmt.Sprintf("the elements of a thread in %s are one, which it accesses again and again: their stride is 0",
				o.in.name), "access it once, by a tensor without the mode of stride 0"
		}
		return fmt.Sprintf("the elements of a thread in %s are %v %s apart", o.in.name, o.next, unit),
			"give each thread neighbours along the mode of stride 1, if the lanes then still read whole sectors"
	case "bounds":
		if o.next == (address.Expr{}) {
			return fmt.Sprintf("a vector in %s may be inside in part: its elements have different bounds", o.in.name),
				"choose a layout whose vectors are inside the tensor as a whole"
		}
		return fmt.Sprintf("a vector in %s may be inside in part: %v < %v", o.in.name, o.at, o.next), o.declare(o.next)
	}
	return "the neighbours in one tensor are none in the other", "give the thread the same order in both"
}

// declare says about which numbers facts would help.
func (o *obstacle) declare(x address.Expr) string {
	var names []string
	x.Symbols(func(s *address.Symbol) {
		if s.Level() == levelParam && s.Facts().Div%int64(o.elements) != 0 && !strings.HasPrefix(s.Name(), o.in.name) {
			names = append(names, s.Name())
		}
	})
	if len(names) == 0 {
		return "choose a layout whose strides, and tiles whose offsets, are multiples of the vector"
	}
	return fmt.Sprintf("state Div: %d of %s", o.elements, strings.Join(names, ", "))
}
