package ptx

import "iter"

// Names returns the names in an operand, in their order.
func Names(o Operand) iter.Seq[Name] {
	return func(yield func(Name) bool) { namesIn(o, yield) }
}

// Names returns the names in the operands of the instruction, in their order, and whether the instruction writes each:
// the names in the first operand, unless that operand is an address or the instruction has no result. The guard
// predicate is not among them.
func (in *Instr) Names() iter.Seq2[Name, bool] {
	return func(yield func(Name, bool) bool) {
		for i, o := range in.Operands {
			_, address := o.(Addr)
			if !namesIn(o, func(n Name) bool { return yield(n, i == 0 && !address && !in.Op.onlyReads()) }) {
				return
			}
		}
	}
}

// onlyReads reports whether an opcode reads its first operand although that may be a register.
func (o Op) onlyReads() bool {
	switch o.Name() {
	case "bar", "barrier":
		return !o.Has("red")
	case "nanosleep":
		return true
	case "tcgen05":
		return o.Has("dealloc")
	}
	return false
}

// namesIn calls f with each name in an operand until f returns false. It reports whether f never did.
func namesIn(o Operand, f func(Name) bool) bool {
	var parts []Operand
	switch o := o.(type) {
	case Name:
		return f(o)
	case Sym:
		return f(o.Name)
	case Unary:
		return f(o.X)
	case Pair:
		return f(o.First) && f(o.Second)
	case Elem:
		parts = []Operand{o.Array, o.Index}
	case Vec:
		parts = o
	case Args:
		parts = o
	case Addr:
		if o.Base != nil && !namesIn(o.Base, f) {
			return false
		}
		parts = o.Args
	}
	for _, x := range parts {
		if !namesIn(x, f) {
			return false
		}
	}
	return true
}
