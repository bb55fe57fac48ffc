package lint

import (
	"math/bits"

	"girih/ptx"
)

// This file finds the low bits of integers that are the same in all threads and executions. For example,
//
//	mov.u32 %r1, tile;            // .align 16: the low 4 bits are 0
//	shl.b32 %r2, %tid, 2;         // the low 2 bits are 0
//	add.u32 %r3, %r1, %r2;        // the low 2 bits are 0
//	ld.shared.u32 %r4, [%r3+2];   // an address of the form 4 k + 2, which is misaligned
//
// Only registers with one definition in the text have known bits.

// A low is what is known about the low bits of a value: the lowest known bits of the value are bits.
type low struct {
	known int
	value uint64
}

const (
	knownBits = 12 // only this many low bits are tracked
	maxDepth  = 64 // limits the chain of definitions that is followed for one value
)

func constantLow(x uint64) low { return low{knownBits, x & (1<<knownBits - 1)} }

// zeros returns a value whose low n bits are known to be 0.
func zeros(n int) low { return low{min(max(n, 0), knownBits), 0} }

// cut returns a value whose low n bits are known to equal the low n bits of x.
func cut(x uint64, n int) low { return low{n, x & (1<<n - 1)} }

// trailing returns how many of the lowest bits of x are known to be 0.
func (x low) trailing() int {
	if x.value == 0 {
		return x.known
	}
	return bits.TrailingZeros64(x.value)
}

func add(a, b low) low { return cut(a.value+b.value, min(a.known, b.known)) }

// mul multiplies two values. If a = 2^i u with m known bits of u, and b = 2^j v with n known bits of v, then i + j
// + min(m, n) bits of the product 2^(i+j) u v are known.
func mul(a, b low) low {
	i, j := a.trailing(), b.trailing()
	return cut(a.value*b.value, min(i+j+min(a.known-i, b.known-j), knownBits))
}

// lows computes the known low bits of the registers of a function.
type lows struct {
	*checker
	defs []int // by register: 1 + the number of the instruction that defines it; 0 if none does, -1 if several do
	memo []low
	done []bool                // whether memo is set
	own  map[ptx.Name]*ptx.Var // variables of the function
}

func (c *checker) newLows() *lows {
	n := len(c.names)
	l := &lows{
		checker: c, defs: make([]int, n), memo: make([]low, n), done: make([]bool, n), own: map[ptx.Name]*ptx.Var{},
	}
	for _, v := range c.decl.Params {
		l.own[v.Name] = v
	}
	for s := range c.decl.Stmts() {
		if v, ok := s.(*ptx.Var); ok && v.Space != ptx.Reg {
			if old := l.variable(v.Name); old != nil && old != v {
				v = &ptx.Var{Name: v.Name, Space: v.Space, Align: 1, Type: "b8"} // two variables have this name
			}
			l.own[v.Name] = v
		}
	}
	for i, in := range c.g.Code {
		for n, writes := range in.Names() {
			if !writes {
				continue
			}
			if at := &l.defs[c.reg(i, n)]; *at == 0 {
				*at = i + 1
			} else {
				*at = -1
			}
		}
	}
	return l
}

// alignOf returns the alignment of a variable, a power of two (PTX ISA, Alignment). Without .align it is the
// alignment of an element.
func alignOf(v *ptx.Var) int {
	if v.Align > 0 {
		return v.Align
	}
	return max(v.Type.Bits()/8, 1) * max(v.Vec, 1)
}

// variable returns the variable with a name, or nil.
func (l *lows) variable(n ptx.Name) *ptx.Var {
	if v := l.own[n]; v != nil {
		return v
	}
	return l.vars[n]
}

// base returns the low bits of the address of a variable.
func (l *lows) base(n ptx.Name) (low, bool) {
	v := l.variable(n)
	if v == nil {
		return low{}, false
	}
	a := alignOf(v)
	if a&(a-1) != 0 {
		return low{}, true
	}
	return zeros(bits.TrailingZeros(uint(a))), true
}

// of returns the low bits of an operand of instruction i.
func (l *lows) of(i int, o ptx.Operand, depth int) low {
	switch o := o.(type) {
	case ptx.Int:
		return constantLow(uint64(o))
	case ptx.Sym:
		if b, ok := l.base(o.Name); ok && o.Mask == 0 {
			return add(b, constantLow(uint64(o.Offset)))
		}
	case ptx.Name:
		r := l.reg(i, o)
		def := l.defs[r]
		if def == 0 {
			b, _ := l.base(o)
			return b
		}
		if def < 0 || depth > maxDepth {
			return low{}
		}
		if !l.done[r] {
			l.done[r] = true // memo is unknown here, so a definition that depends on itself ends
			l.memo[r] = l.result(def-1, depth+1)
		}
		return l.memo[r]
	}
	return low{}
}

// isInteger reports whether the low bits of an instruction's result depend only on the low bits of its integer
// operands.
func isInteger(op ptx.Op) bool {
	t := op.Type()
	return t != "" && t[0] != 'f' && t != ptx.BF16 && t != ptx.TF32 && !op.Has("hi") && !op.Has("sat")
}

// result returns the known low bits of the result of instruction i.
func (l *lows) result(i, depth int) low {
	in := l.g.Code[i]
	if len(in.Operands) < 2 {
		return low{}
	}
	x := func(k int) low {
		if k >= len(in.Operands) {
			return low{}
		}
		return l.of(i, in.Operands[k], depth)
	}
	if _, ok := in.Operands[0].(ptx.Name); !ok || !isInteger(in.Op) {
		return low{}
	}
	return l.operation(in, x)
}

// operation is result for instructions on integers. x returns the known low bits of operand k.
func (l *lows) operation(in *ptx.Instr, x func(k int) low) low {
	switch name := in.Op.Name(); name {
	case "mov", "cvta":
		return x(1)
	case "add":
		return add(x(1), x(2))
	case "sub":
		b := x(2)
		return add(x(1), cut(-b.value, b.known))
	case "mul":
		return mul(x(1), x(2))
	case "mad":
		return add(mul(x(1), x(2)), x(3))
	case "cvt":
		if types := in.Op.Types(); len(types) == 2 && types[1][0] != 'f' && min(types[0].Bits(), types[1].Bits()) >= 16 {
			return x(1)
		}
	case "shl", "and", "or", "xor":
		return l.bitwise(name, x(1), x(2))
	case "ld":
		return l.parameter(in)
	}
	return low{}
}

// bitwise is result for shl, and, or and xor.
func (l *lows) bitwise(name string, a, b low) low {
	switch n := min(a.known, b.known); name {
	case "shl":
		if b.known < knownBits { // not a constant
			return zeros(a.trailing())
		}
		k := int(min(b.value, 64))
		return cut(a.value<<k, min(a.known+k, knownBits))
	case "and":
		if n = max(n, a.trailing(), b.trailing()); a.known < n || b.known < n {
			return cut(0, n) // at least one operand has these low bits 0
		}
		return cut(a.value&b.value, n)
	case "or":
		return cut(a.value|b.value, n)
	default:
		return cut(a.value^b.value, n)
	}
}

// parameter returns the known low bits of the value that ld.param loads from a pointer parameter with a declared
// alignment.
func (l *lows) parameter(in *ptx.Instr) low {
	a, ok := in.Operands[1].(ptx.Addr)
	name, named := a.Base.(ptx.Name)
	if !ok || !named || !l.decl.Entry || in.Op.Space() != ptx.Param || in.Op.Vec() > 1 {
		return low{}
	}
	if v := l.own[name]; v != nil && v.Ptr != nil && v.Ptr.Align > 0 && a.Offset == 0 {
		return zeros(bits.TrailingZeros(uint(v.Ptr.Align)))
	}
	return low{}
}
