package linear

import (
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
)

// maxViewBits bounds the number of elements in a view, to 2^20.
const maxViewBits = maxListBits

// DistributedTensorView returns, for each element of a tensor, the threads and registers that hold it, as Triton writes
// them: "T4:1" is register 1 of thread 4, threads are numbered across the warps, "B1:" precedes a thread if there are
// several blocks, and "|" separates threads that hold the same element. A row is along the last output dimension.
//
// The input dimensions are "register", "lane", "warp" and "block"; missing ones have size 1. It returns [cute.CodeName]
// for other dimensions, [cute.CodeRank] for a tensor without dimensions, and [cute.CodeLimit] beyond 2^20 registers or
// elements.
func DistributedTensorView(l Layout) (string, error) {
	h, err := newHardware("distributed_tensor_view", l)
	if err != nil {
		return "", err
	}
	cells := make([]string, 1<<l.outs.width())
	threads := h.lanes * h.warps
	h.each(func(block, warp, lane, reg, flat uint64) {
		i := l.outs.rowMajor(flat)
		if cells[i] != "" {
			cells[i] += "|"
		}
		thread := lane + warp*h.lanes
		cells[i] += strings.Repeat(" ", pad(block, h.blocks)+pad(thread, threads)+pad(reg, h.regs))
		if h.blocks > 1 {
			cells[i] += fmt.Sprintf("B%d:", block)
		}
		cells[i] += fmt.Sprintf("T%d:%d", thread, reg)
	})
	return grid(cells, l.outs.sizes(), ", "), nil
}

// DistributedHardwareView returns, for each warp, the elements of a tensor that each thread holds, as Triton writes
// them: a line for each register, with the element of every lane. "Block1:" precedes the warps of a block if there are
// several. It accepts the dimensions and returns the errors of [DistributedTensorView].
func DistributedHardwareView(l Layout) (string, error) {
	h, err := newHardware("distributed_hardware_view", l)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for block := range h.blocks {
		if h.blocks > 1 {
			fmt.Fprintf(&b, "Block%d:\n", block)
		}
		for warp := range h.warps {
			fmt.Fprintf(&b, "Warp%d:\n", warp)
			for reg := range h.regs {
				for lane := range h.lanes {
					if lane > 0 {
						b.WriteString(", ")
					}
					b.WriteString(l.outs.element(h.at(block, warp, lane, reg), ","))
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String(), nil
}

// SharedTensorView returns, in the shape of a tensor, the element at each place of shared memory, as Triton writes it,
// row by row through the offsets of the first block, then of the next: "(1:0)" is the element in row 1 and column 0.
//
// The input dimensions are "offset" and "block"; a missing one has size 1. It returns [cute.CodeName] for other
// dimensions, [cute.CodeRank] for a tensor without dimensions, [cute.CodeNotDivisible] if there are fewer places than
// elements in one row of the tensor, and [cute.CodeLimit] beyond 2^20 places.
func SharedTensorView(l Layout) (string, error) {
	const op = "shared_tensor_view"
	s, err := newShared(op, l)
	if err != nil {
		return "", err
	}
	cells := make([]string, 0, s.offsets*s.blocks)
	for block := range s.blocks {
		for offset := range s.offsets {
			cells = append(cells, l.outs.element(s.at(block, offset), ":"))
		}
	}
	// If places repeat elements or hold no element, the grid is longer or shorter than the tensor.
	sizes := l.outs.sizes()
	row := 1
	for _, n := range sizes[1:] {
		row *= n
	}
	if len(cells) < row {
		return "", fail(cute.CodeNotDivisible, op, "expected at least the %d places of one step along %q, found %d", row,
			l.outs.names[0], len(cells))
	}
	sizes[0] = len(cells) / row
	return grid(cells, sizes, ","), nil
}

// SharedHardwareView returns the element at each offset of each block, one on each line, as Triton writes it: "Offset:
// 2 -> (1,1)". It accepts the dimensions and returns the errors of [SharedTensorView].
func SharedHardwareView(l Layout) (string, error) {
	s, err := newShared("shared_hardware_view", l)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for block := range s.blocks {
		fmt.Fprintf(&b, "Block: %d:\n", block)
		for offset := range s.offsets {
			fmt.Fprintf(&b, "Offset: %d -> %s\n", offset, l.outs.element(s.at(block, offset), ","))
		}
	}
	return b.String(), nil
}

// A slots is a layout with its input dimensions in the order of the names; missing dimensions are added with size 1.
type slots struct {
	l     Layout
	sizes []uint64
}

func newSlots(op string, l Layout, names ...string) (slots, error) {
	s := slots{l: l}
	for i := range l.ins.len() {
		name := l.ins.names[i]
		if !contains(names, name) {
			return s, fail(cute.CodeName, op, "expected input dimensions among %s, found %q", bracket(names), name)
		}
	}
	if l.outs.len() == 0 {
		return s, fail(cute.CodeRank, op, "expected a tensor with dimensions, found none")
	}
	if l.ins.width() > maxViewBits || l.outs.width() > maxViewBits {
		return s, fail(cute.CodeLimit, op, "expected at most 2^%d places and elements to write, found 2^%d and 2^%d",
			maxViewBits, l.ins.width(), l.outs.width())
	}
	for _, name := range names {
		s.sizes = append(s.sizes, 1<<l.ins.bitsOf(name))
	}
	return s, nil
}

// value returns the flat output at a coordinate along a dimension.
func (s slots) value(name string, x uint64) uint64 { return xorColumns(s.l.colsOf(name), x) }

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// A hardware is a distributed layout with the sizes of its four input dimensions.
type hardware struct {
	slots
	regs, lanes, warps, blocks uint64
}

func newHardware(op string, l Layout) (hardware, error) {
	s, err := newSlots(op, l, "register", "lane", "warp", "block")
	if err != nil {
		return hardware{}, err
	}
	return hardware{s, s.sizes[0], s.sizes[1], s.sizes[2], s.sizes[3]}, nil
}

func (h hardware) at(block, warp, lane, reg uint64) uint64 {
	return h.value("block", block) ^ h.value("warp", warp) ^ h.value("lane", lane) ^ h.value("register", reg) ^ h.l.origin
}

func (h hardware) each(f func(block, warp, lane, reg, flat uint64)) {
	for block := range h.blocks {
		for warp := range h.warps {
			for lane := range h.lanes {
				for reg := range h.regs {
					f(block, warp, lane, reg, h.at(block, warp, lane, reg))
				}
			}
		}
	}
}

// A shared is a shared-memory layout with the sizes of its two input dimensions.
type shared struct {
	slots
	offsets, blocks uint64
}

func newShared(op string, l Layout) (shared, error) {
	s, err := newSlots(op, l, "offset", "block")
	if err != nil {
		return shared{}, err
	}
	return shared{s, s.sizes[0], s.sizes[1]}, nil
}

func (s shared) at(block, offset uint64) uint64 {
	return s.value("block", block) ^ s.value("offset", offset) ^ s.l.origin
}

// rowMajor returns the place of an element in row-major order, the last dimension fastest.
func (d *dims) rowMajor(flat uint64) uint64 {
	var i uint64
	for k := range d.len() {
		i = i<<d.bits[k] | d.at(k, flat)
	}
	return i
}

// sizes returns the sizes of the dimensions, each at most 2^20.
func (d *dims) sizes() []int {
	out := make([]int, d.len())
	for i := range out {
		out[i] = 1 << d.bits[i]
	}
	return out
}

// element writes the coordinates of an element, each padded to the width of its dimension's size.
func (d *dims) element(flat uint64, sep string) string {
	var b strings.Builder
	b.WriteByte('(')
	for i := range d.len() {
		if i > 0 {
			b.WriteString(sep)
		}
		x := d.at(i, flat)
		b.WriteString(strings.Repeat(" ", pad(x, 1<<d.bits[i])))
		b.WriteString(strconv.FormatUint(x, 10))
	}
	b.WriteByte(')')
	return b.String()
}

// pad returns the number of blanks that make x as wide as the largest number below n.
func pad(x, n uint64) int {
	return len(strconv.FormatUint(n-1, 10)) - len(strconv.FormatUint(x, 10))
}

// grid writes cells in row-major order with brackets where a dimension begins or ends; a cell without text is "-".
func grid(cells []string, sizes []int, sep string) string {
	var b strings.Builder
	rank := len(sizes)
	// boundaries returns how many innermost dimensions begin anew at cell i.
	boundaries := func(i int) int {
		n := 0
		for d := rank - 1; d >= 0 && i%sizes[d] == 0; d-- {
			i /= sizes[d]
			n++
		}
		return n
	}
	for i, text := range cells {
		open := boundaries(i)
		b.WriteString(strings.Repeat("[", open))
		if i%sizes[rank-1] == 0 {
			b.WriteString(strings.Repeat(" ", rank-open))
		}
		if text == "" {
			text = "-"
		}
		b.WriteString(text)
		b.WriteString(strings.Repeat("]", boundaries(i+1)))
		if (i+1)%sizes[rank-1] == 0 {
			b.WriteByte('\n')
		} else {
			b.WriteString(sep)
		}
	}
	return b.String()
}
