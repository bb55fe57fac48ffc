package convert

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/linear"
)

// The dimensions of the hardware, the fastest first.
const (
	register = "register"
	lane     = "lane"
	warp     = "warp"
	block    = "block"
)

var hardware = [...]string{register, lane, warp, block}

// A Class says how a conversion moves its elements.
type Class int

const (
	// None means that no element moves.
	None Class = iota
	// Registers means that elements change their register but not their thread.
	Registers
	// WarpShuffle means that elements move between the lanes of a warp, by shuffles.
	WarpShuffle
	// SharedMemory means that elements move through shared memory: between warps or blocks, or between lanes if
	// shuffles would cost more.
	SharedMemory
)

// String returns the name of the class.
func (c Class) String() string {
	switch c {
	case None:
		return "none"
	case Registers:
		return "register permutation"
	case WarpShuffle:
		return "warp shuffles"
	}
	return "shared memory"
}

// A Plan says how a conversion is done.
type Plan struct {
	Class   Class
	Moves   []string      // dimensions along which elements move: "register", "lane", "warp" or "block", in this order
	Minimal linear.Layout // from the moving dimensions of the destination to the moving dimensions of the source
	// Registers lists, for each register of the destination, the register of the same thread that holds the element;
	// Registers is nil unless the class is None or Registers.
	Registers []int
	Shuffle   *Shuffle // how shuffles do it; nil if elements leave their warp or nothing leaves its thread
	Shared    *Swizzle // how shared memory does it; nil unless the class is SharedMemory and no element leaves its block
}

// New returns the plan for the conversion of a tensor of elements of elemBits bits from the layout src to the layout
// dst, on a machine with the given number of banks of 32 bits.
//
// Registers that repeat an element are removed before anything is moved. A conversion inside a warp uses shuffles if
// fewer than two bits are exchanged between registers and lanes, as in Triton; with more, the class is SharedMemory,
// and the plan contains the shuffles, too.
//
// It returns [cute.CodeName] unless the input dimensions are "register", "lane", "warp" and "block" in that order,
// [cute.CodeNotCongruent] unless both layouts agree on the output dimensions with their sizes and on the numbers of
// lanes, warps and blocks, [cute.CodeNotInvertible] unless both layouts reach every element of the tensor,
// [cute.CodeType] for a layout whose origin is not 0, [cute.CodeExtent] unless elemBits and banks are powers of two, of
// 1 to 128 and 4 to 1024, and [cute.CodeLimit] for more than 2^16 registers of a thread or 2^40 in all.
func New(src, dst linear.Layout, elemBits, banks int) (Plan, error) {
	const op = "convert"
	from, to, err := checkConversion(op, src, dst, Memory{ElemBits: elemBits, Banks: banks})
	if err != nil {
		return Plan{}, err
	}
	p := Plan{}
	if p.Minimal, err = Minimal(from, to); err != nil {
		return Plan{}, err
	}
	for _, d := range p.Minimal.InDims() {
		p.Moves = append(p.Moves, d.Name)
	}
	switch {
	case slices.Contains(p.Moves, block):
		p.Class = SharedMemory
		return p, nil
	case slices.Contains(p.Moves, warp):
		p.Class = SharedMemory
	case slices.Contains(p.Moves, lane):
		if p.Shuffle, err = newShuffle(from, to, elemBits); err != nil {
			return Plan{}, err
		}
		p.Class = WarpShuffle
		if p.Shuffle.Exchanged >= 2 {
			p.Class = SharedMemory
		}
	default:
		p.Class = None
		if len(p.Moves) > 0 {
			p.Class = Registers
		}
		if p.Registers, err = registersOf(src, dst); err != nil {
			return Plan{}, err
		}
	}
	if p.Class == SharedMemory {
		s, err := OptimalSwizzle(from, to, elemBits, banks)
		if err != nil {
			return Plan{}, err
		}
		p.Shared = &s
	}
	return p, nil
}

// Minimal returns the conversion, from places of the destination to places of the source, without the dimensions that
// do not take part: beginning with the slowest, each dimension that maps to itself alone is removed. It is
// Triton's minimalCvtLayout. It returns the errors of [linear.Layout.InvertAndCompose].
func Minimal(src, dst linear.Layout) (linear.Layout, error) {
	s, d := src.InDims(), dst.InDims()
	c, err := dst.InvertAndCompose(src, linear.Triton)
	if err != nil {
		return linear.Layout{}, err
	}
	for i := 1; i <= min(len(s), len(d)); i++ {
		name := d[len(d)-i].Name
		if s[len(s)-i].Name != name {
			break
		}
		q, err := c.Quotient(name)
		if err != nil {
			break
		}
		c = q
	}
	return c, nil
}

// checkConversion checks the operands of a conversion, and returns the layouts without registers that repeat an
// element.
func checkConversion(op string, src, dst linear.Layout, mem Memory) (from, to linear.Layout, err error) {
	if err = checkPair(op, src, dst); err != nil {
		return from, to, err
	}
	if err = checkMachine(op, mem.ElemBits, mem.Banks); err != nil {
		return from, to, err
	}
	if from, err = dropRepeats(src); err != nil {
		return from, to, err
	}
	to, err = dropRepeats(dst)
	return from, to, err
}

// dropRepeats returns the layout without the register bases that are zero.
func dropRepeats(l linear.Layout) (linear.Layout, error) {
	if !l.HasIn(register) {
		return l, nil
	}
	return l.RemoveZeroBasesAlongDim(register)
}

// registersOf returns, for each register of dst, the register of src in the same thread that holds the same element.
func registersOf(src, dst linear.Layout) ([]int, error) {
	regs := func(l linear.Layout) (linear.Layout, error) {
		var outs []string
		for _, d := range l.OutDims() {
			outs = append(outs, d.Name)
		}
		if !l.HasIn(register) {
			return l.Sublayout(nil, outs)
		}
		return l.Sublayout([]string{register}, outs)
	}
	s, err := regs(src)
	if err != nil {
		return nil, err
	}
	d, err := regs(dst)
	if err != nil {
		return nil, err
	}
	c, err := d.InvertAndCompose(s)
	if err != nil {
		return nil, err
	}
	out := make([]int, 1<<c.InBits())
	for r := range out {
		at, err := c.Flat(uint64(r))
		if err != nil {
			return nil, err
		}
		out[r] = int(at)
	}
	return out, nil
}

// maxRegisterBits limits the number of registers whose places are listed.
const maxRegisterBits = 16

// maxPlaceBits limits the number of places in a machine, so that counting bytes and wavefronts cannot overflow.
const maxPlaceBits = 40

// checkPair refuses layouts that are not distributions of one tensor over one machine.
func checkPair(op string, src, dst linear.Layout) error {
	for _, l := range []linear.Layout{src, dst} {
		last := -1
		for _, d := range l.InDims() {
			i := slices.Index(hardware[:], d.Name)
			if i <= last {
				return fail(cute.CodeName, op, "expected input dimensions register, lane, warp and block, in this order, found %q",
					d.Name)
			}
			last = i
		}
		if !l.IsLinear() {
			return fail(cute.CodeType, op, "expected layouts that map 0 to 0, found the origin %v", l.Origin())
		}
		if rank := l.Rank(); rank < l.OutBits() {
			return fail(cute.CodeNotInvertible, op,
				"expected layouts that hold every element of the tensor, found one that holds 2^%d of 2^%d", rank, l.OutBits())
		}
		if n := l.InSize(register); n > 1<<maxRegisterBits {
			return fail(cute.CodeLimit, op, "expected at most 2^%d registers, found %d", maxRegisterBits, n)
		}
		if n := l.InBits(); n > maxPlaceBits {
			return fail(cute.CodeLimit, op, "expected at most 2^%d places in the machine, found 2^%d", maxPlaceBits, n)
		}
	}
	if !slices.Equal(src.OutDims(), dst.OutDims()) {
		return fail(cute.CodeNotCongruent, op, "expected the same tensor, found output dimensions %v and %v", src.OutDims(),
			dst.OutDims())
	}
	for _, name := range hardware[1:] {
		if a, b := src.InSize(name), dst.InSize(name); a != b || src.HasIn(name) != dst.HasIn(name) {
			return fail(cute.CodeNotCongruent, op,
				"expected the same input dimension %q in both layouts, found sizes %d and %d", name, a, b)
		}
	}
	return nil
}

// checkMachine refuses sizes of elements and numbers of banks that F2 cannot describe.
func checkMachine(op string, elemBits, banks int) error {
	if elemBits < 1 || elemBits > 128 || elemBits&(elemBits-1) != 0 {
		return fail(cute.CodeExtent, op, "expected elements of 1, 2, 4, ..., or 128 bits, found %d", elemBits)
	}
	if banks < 4 || banks > 1024 || banks&(banks-1) != 0 {
		return fail(cute.CodeExtent, op, "expected 4, 8, 16, ..., or 1024 banks, found %d", banks)
	}
	return nil
}

//go:noinline
func fail(code cute.Code, op, format string, args ...any) error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}
