package atom

import (
	"girih/cute"
)

// An Operand is one of the three matrices of an MMA.
type Operand uint8

// The operands.
const (
	OperandA Operand = iota // OperandA: M by K.
	OperandB                // OperandB: N by K.
	OperandC                // OperandC: M by N, also the result D.
)

// String returns "A", "B" or "C".
func (o Operand) String() string {
	switch o {
	case OperandA:
		return "A"
	case OperandB:
		return "B"
	case OperandC:
		return "C"
	}
	return "?"
}

// Axes returns which of M, N, K (0, 1, 2) the two modes of the operand are: 0 and 2 for A, 1 and 2 for B, 0 and 1 for
// C.
func (o Operand) Axes() (x, y int) {
	switch o {
	case OperandA:
		return 0, 2
	case OperandB:
		return 1, 2
	}
	return 0, 1
}

// axisNames are the names of the modes of a multiplication.
const axisNames = "MNK"

// TV returns the layout (thread, value) -> index of the operand. For any other operand it returns the zero layout.
func (m MMA) TV(o Operand) cute.Layout {
	switch o {
	case OperandA:
		return m.A
	case OperandB:
		return m.B
	case OperandC:
		return m.C
	}
	return cute.Layout{}
}

// Space returns the memory in which the operand is.
func (m MMA) Space(o Operand) Space {
	switch o {
	case OperandA:
		return m.AFrom
	case OperandB:
		return m.BFrom
	}
	return m.CFrom
}

// Of returns the element of the operand.
func (t Types) Of(o Operand) Element {
	switch o {
	case OperandA:
		return t.A
	case OperandB:
		return t.B
	}
	return t.C
}

// TVText returns the layout of the operand as CuTe prints it, without the underscores. It differs from TV(o).String()
// for one operation only: for SM80_16x8x128_S32U1U1S32_TN_XORPOPC and _ANDPOPC the header has an extra pair of
// parentheses around the strides of A, so that CuTe's layout is not congruent.
func (m MMA) TVText(o Operand) string {
	if o == OperandA && m.spelledA != "" {
		return m.spelledA
	}
	return m.TV(o).String()
}

// Extents returns the extents of the operand in elements: M and K, N and K, or M and N.
func (m MMA) Extents(o Operand) (rows, columns int64) {
	x, y := o.Axes()
	return m.Shape[x], m.Shape[y]
}

// Threads returns the number of threads that execute the instruction: 1, 8, 32, 64 or 128, and for a pair of CTAs 2.
//
//go:noinline
func (m MMA) Threads() int64 { return m.ThrID.Size() }

// Values returns the number of elements of the operand that a thread holds, or names in shared or tensor memory.
func (m MMA) Values(o Operand) int64 { return valuesOf(m.TV(o)) }

// valuesOf returns the size of mode 1.
func valuesOf(tv cute.Layout) int64 {
	v, err := tv.Mode(1)
	if err != nil {
		return 0
	}
	return v.Size()
}

// threadsOf returns the size of mode 0.
func threadsOf(tv cute.Layout) int64 {
	t, err := tv.Mode(0)
	if err != nil {
		return 0
	}
	return t.Size()
}

// A Place is where an element of an operand is: the row along M, or N for B; the column along K, or N for C; and the
// block, for instructions that multiply several blocks.
type Place struct{ Row, Column, Block int64 }

// A Holder is a value of a thread, both from 0 on.
type Holder struct{ Thread, Value int64 }

// At returns the place of the element that the value of the thread holds. It returns [cute.CodeMode] if there is no
// such thread or value.
func (m MMA) At(o Operand, thread, value int64) (Place, error) {
	tv := m.TV(o)
	if n := threadsOf(tv); thread < 0 || thread >= n {
		return Place{}, fail(cute.CodeMode, opAtom, "%s has threads 0 to %d, found thread %d", m.Name, n-1, thread)
	}
	if n := valuesOf(tv); value < 0 || value >= n {
		return Place{}, fail(cute.CodeMode, opAtom, "%s has values 0 to %d of %v in a thread, found value %d", m.Name,
			n-1, o, value)
	}
	i, err := tv.At(thread + value*threadsOf(tv))
	if err != nil {
		return Place{}, err
	}
	rows, columns := m.Extents(o)
	return Place{i % rows, i / rows % columns, i / (rows * columns)}, nil
}

// Owners returns the threads and values that hold the element of the operand at the place, by value and then thread. It
// returns [cute.CodeMode] if the place is outside the operand.
func (m MMA) Owners(o Operand, p Place) ([]Holder, error) {
	rows, columns := m.Extents(o)
	if p.Row < 0 || p.Row >= rows || p.Column < 0 || p.Column >= columns || p.Block < 0 || p.Block >= m.Blocks {
		x, y := o.Axes()
		return nil, fail(cute.CodeMode, opAtom, "%v of %s has %c %d, %c %d and %d blocks, found element (%d,%d) of block %d",
			o, m.Name, axisNames[x], rows, axisNames[y], columns, m.Blocks, p.Row, p.Column, p.Block)
	}
	return owners(m.TV(o), p.Row+rows*(p.Column+columns*p.Block))
}

// owners returns the threads and values that a layout (thread, value) maps to the index, by value and then thread. It
// returns [cute.CodeLimit] for more than [cute.EnumLimit] pairs.
func owners(tv cute.Layout, index int64) ([]Holder, error) {
	if tv.Size() > cute.EnumLimit {
		_, err := tv.AppendOffsets(nil)
		return nil, err
	}
	modes := tv.Modes()
	threads, err := modes[0].AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	values, err := modes[1].AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	var out []Holder
	for v, dv := range values {
		for t, dt := range threads {
			if dt+dv == index {
				out = append(out, Holder{int64(t), int64(v)})
			}
		}
	}
	return out, nil
}

// A Coverage says how the threads of an instruction hold the elements of an operand.
type Coverage struct {
	// Elements is the number of elements of the operand in all blocks.
	Elements int64
	// Held is the number of elements that at least one thread holds.
	Held int64
	// Least and Most are the smallest and the largest number of values that hold the same element.
	Least, Most int64
	// Outside is the number of values that hold no element of the operand.
	Outside int64
}

// Bijective reports whether each element is held exactly once.
func (c Coverage) Bijective() bool { return c.Broadcast() == 1 }

// Broadcast returns how many values hold each element: 1 if the layout is a bijection, and 0 if no value holds some
// element, if the numbers differ between elements, or if some value is outside the operand.
func (c Coverage) Broadcast() int64 {
	if c.Held != c.Elements || c.Least != c.Most || c.Outside > 0 {
		return 0
	}
	return c.Least
}

// Coverage counts the values that hold each element of the operand. It returns [cute.CodeLimit] above [cute.EnumLimit]
// values, which no operation of the tables reaches.
func (m MMA) Coverage(o Operand) (Coverage, error) {
	rows, columns := m.Extents(o)
	return CoverageOf(m.TV(o), rows*columns*m.Blocks)
}

// CoverageOf counts how often a layout (thread, value) -> element holds each of the n elements. It returns
// [cute.CodeLimit] above [cute.EnumLimit] values or elements, and [cute.CodeNegative] below 0.
func CoverageOf(l cute.Layout, n int64) (Coverage, error) {
	switch {
	case n < 0:
		return Coverage{}, fail(cute.CodeNegative, "coverage", "there cannot be %d elements", n)
	case n > cute.EnumLimit:
		return Coverage{}, fail(cute.CodeLimit, "coverage", "%d elements would be counted; the limit is %d", n, cute.EnumLimit)
	}
	offsets, err := l.AppendOffsets(nil)
	if err != nil {
		return Coverage{}, err
	}
	times := make([]int64, n)
	c := Coverage{Elements: n}
	for _, x := range offsets {
		if x < 0 || x >= n {
			c.Outside++
			continue
		}
		times[x]++
	}
	for _, t := range times {
		if t == 0 {
			continue
		}
		if c.Held == 0 || t < c.Least {
			c.Least = t
		}
		c.Held++
		c.Most = max(c.Most, t)
	}
	return c, nil
}

// Lane returns the number of a thread of the instruction in its warp, warpgroup or pair of CTAs, by ThrID. For most
// instructions the lane is the thread's own number; threads 0 to 7 of a Volta quad-pair are lanes 0 to 3 and 16 to 19.
func (m MMA) Lane(thread int64) int64 {
	if n, err := m.ThrID.At(thread); err == nil {
		return n
	}
	return thread
}

// ThreadOf returns the thread of the instruction with a number in its warp: the inverse of [MMA.Lane]. It returns
// [cute.CodeMode] if there is no such thread.
func (m MMA) ThreadOf(lane int64) (int64, error) {
	for t := range m.Threads() {
		if m.Lane(t) == lane {
			return t, nil
		}
	}
	if last := m.Lane(m.Threads() - 1); last == m.Threads()-1 {
		return 0, fail(cute.CodeMode, opAtom, "%s has threads 0 to %d, found thread %d", m.Name, last, lane)
	}
	return 0, fail(cute.CodeMode, opAtom, "the threads of %s are %v, found thread %d", m.Name, m.ThrID, lane)
}
