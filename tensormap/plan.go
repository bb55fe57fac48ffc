package tensormap

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/cute"
	"girih/symbolic"
)

// A Copy describes the copy of tiles of a tensor into a layout of shared memory, for which [Make] finds the map.
type Copy struct {
	Global  cute.Layout   // the tensor: strides in elements
	Address uint64        // where the tensor begins, in bytes; 0 if it is not known
	Type    Type          // the type of the elements
	Shared  cute.Composed // the tile in shared memory: a layout, or a swizzle of one, in elements
	Tiler   cute.Tiler    // the tile of the tensor; nil for the extents of Shared

	// Case is a tensor with run-time integers, in a case of [Cases]. If it is set, Global is ignored.
	Case *Case

	Multicast int64 // how many CTAs share the tile, each loading a part for all; 0 and 1 for one CTA
	Promotion Promotion
	Fill      Fill
}

// A Plan is how tiles are copied.
type Plan struct {
	Map          Map   // the map of one instruction; it may be illegal: see [Map.Check]
	Instructions int64 // how many instructions each CTA issues for a tile
	// bytes of a tile, which the mbarrier of each CTA expects, including parts that other CTAs load
	Expect      int64
	Shared      cute.Composed // the tile in shared memory
	Tile        cute.Layout   // the tile of the tensor: index in the tile -> coordinate in the tensor
	Coordinates cute.Layout   // coordinate in the tensor -> coordinates of the instruction: CuTe's get_tma_tensor
	Order       cute.Layout   // value of the copy -> index in the tile, instruction by instruction, as CuTe partitions it
	Steps       []Step        // how the map was found
	Why         []string      // why the box is not larger, which would take fewer instructions
	Notes       []string      // where CuTe's answer depends on whether numbers are static
	Faults      []Remark      // why the copy of a legal map does not put every element where Shared places it

	Run *RunTime // what depends on run-time integers; nil if everything is known

	tensor    tensor
	math      arithmetic
	steps     []symbolic.Int // the strides of the dimensions, in elements
	shared    cute.Layout    // the layout of the tile, without the swizzle
	elements  int64          // how many elements one instruction copies, for all CTAs together
	multicast int64
}

// A Step is one value of the derivation, with CuTe's name for it (construct_tma_gbasis in copy_traits_sm90_tma.hpp).
type Step struct{ Name, Value string }

// Make finds the map as CuTe's make_tma_copy does (include/cute/atom/copy_traits_sm90_tma.hpp): the inverse of the
// layout of shared memory is the order of the tile there. As long as the order goes along a mode of the tensor from its
// beginning, the mode becomes a dimension of the box. The rest of the tile needs further instructions; modes of the
// tensor outside the tile become dimensions with a box of 1.
//
// The plan is also returned for illegal maps. An error means that there is no map: CodeSwizzle for a swizzle that the
// copy engine does not have, CodeNotRepresentable if shared memory and the tensor are not contiguous along the same
// mode, CodeExtent if tile and shared memory differ in size, CodeNotDivisible if the parts of CTAs are not equal,
// CodeLimit for more than 16 CTAs, CodeCodomain for layouts with coordinates, CodeNegative for negative strides,
// CodeOverflow for more than 2^56 elements, and the errors of [cute.CompositionBy] for a tiler that does not match the
// tensor.
func Make(c Copy) (Plan, error) {
	if err := c.check(); err != nil {
		return Plan{}, err
	}
	if err := c.strides(); err != nil {
		return Plan{}, err
	}
	swizzle, shared, err := c.parts()
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Map: Map{Type: c.Type}, Shared: c.Shared, shared: shared, multicast: max(c.Multicast, 1)}
	if p.tensor, err = c.tensor(); err != nil {
		return Plan{}, err
	}
	if c.Case != nil {
		p.Run = new(RunTime)
	}
	modes, err := c.modes(&p)
	if err == nil {
		err = p.math.err
	}
	if err != nil {
		return Plan{}, err
	}
	p.elements = 1
	for _, m := range modes {
		p.elements *= m.box
	}
	p.Map = Map{
		Type: c.Type, Address: c.Address, Swizzle: swizzle, Promotion: c.Promotion, Fill: c.Fill,
		Dims: make([]int64, len(modes)), Box: make([]int64, len(modes)), Steps: slices.Repeat([]int64{1}, len(modes)),
		Strides: make([]int64, max(len(modes)-1, 0)),
	}
	if err := p.dims(modes); err != nil {
		return Plan{}, err
	}
	if err := p.truncate(); err != nil {
		return Plan{}, err
	}
	if err := p.count(); err != nil {
		return Plan{}, err
	}
	p.Coordinates, err = p.coordinates(modes)
	if err != nil {
		return Plan{}, err
	}
	p.why(swizzle)
	return p, p.faults()
}

// faults finds the problems that even a legal map has with the layout of shared memory.
func (p *Plan) faults() error {
	m := p.Map
	if row, span := m.rowBytes(), m.Swizzle.Span(); row > 0 && row < span && m.rows() > 1 {
		swizzle := "no swizzle"
		if row == 32 || row == 64 {
			swizzle = fmt.Sprintf("the swizzle of %d bytes", row)
		}
		p.fault(fmt.Sprintf("%s, or rows of %d elements; a kernel that reads rows %d bytes apart may keep the map", swizzle,
			span*8/m.Type.sharedBits(), span),
			"a row of the box has %d bytes, and the copy engine begins each row at a new span of %d bytes: the driver takes the map, "+
				"and the layout of shared memory has its rows %d bytes apart", row, span, row)
	}
	if !m.Legal() || p.Instructions*p.multicast > 1<<16 {
		return nil
	}
	for i := range p.Instructions * p.multicast {
		at, err := p.Order.At(i * (p.elements / p.multicast))
		if err != nil {
			return err
		}
		x, err := p.shared.At(at)
		if err != nil {
			return err
		}
		if b := x * m.Type.sharedBits(); b%(128*8) != 0 {
			p.fault(fmt.Sprintf("make the %d rows of a box a multiple of 128 bytes", m.rows()),
				"instruction %d begins at byte %s of the tile, no multiple of 128", i, size(b))
			break
		}
	}
	return nil
}

// fault adds a reason why the copy does not put every element where the layout of shared memory places it.
func (p *Plan) fault(change, format string, args ...any) {
	p.Faults = append(p.Faults, Remark{
		Text: fmt.Sprintf(format, args...), Source: "CUDA Programming Guide, Tensor Memory Access", Fatal: true,
		Change: change,
	})
}

// check refuses a copy with an unknown type or an impossible number of CTAs.
func (c Copy) check() error {
	if !c.Type.isKnown() {
		return refuse(cute.CodeType, "", "there is no type %d", int(c.Type))
	}
	if c.Multicast < 0 || c.Multicast > 16 {
		return refuse(cute.CodeLimit, "a cluster has 8 CTAs, 16 where a kernel asks for it",
			"expected 1 to 16 CTAs, found %d", c.Multicast)
	}
	return nil
}

// strides checks the strides of the tensor.
func (c Copy) strides() error {
	t, err := c.tensor()
	if err != nil {
		return err
	}
	if t.shape.Rank() == 0 || t.layout.HasAxes() || c.Shared.HasBasis() {
		return refuse(cute.CodeCodomain, "", "expected a tensor with integer strides, found %s", t.layout)
	}
	for _, d := range t.layout.Stride().Integers() {
		if !c.Case.expect(symbolic.NoMore(symbolic.Const(0), d)) {
			return refuse(cute.CodeNegative, "begin at the other end of the mode",
				"the tensor %s has a stride below 0, which no map has", t.layout)
		}
	}
	return nil
}

// parts splits the layout of shared memory into the swizzle of the copy engine and a layout.
func (c Copy) parts() (Swizzle, cute.Layout, error) {
	none := cute.Layout{}
	shared, found := c.Shared.Layout(), SwizzleNone
	n := 0
	for outer, offset := range c.Shared.Stages() {
		w, ok := outer.(cute.Swizzle)
		if !ok || n > 0 {
			return 0, none, refuse(cute.CodeNotRepresentable, "write it as a swizzle of a layout",
				"shared memory is %s, no swizzle of a layout", c.Shared)
		}
		n++
		if x, ok := offset.Int64(); !ok || x != 0 {
			return 0, none, refuse(cute.CodeNotRepresentable, "give the tile at the beginning of the buffer, without the offset of the stage",
				"shared memory begins at offset %s after the swizzle", offset)
		}
		s, err := c.swizzleOf(w)
		if err != nil {
			return 0, none, err
		}
		found = s
	}
	return found, shared, nil
}

// swizzleOf returns the swizzle of the copy engine that acts on elements as w does.
func (c Copy) swizzleOf(w cute.Swizzle) (Swizzle, error) {
	if w.B() == 0 {
		return SwizzleNone, nil
	}
	size := c.Type.sharedBits()
	for s := Swizzle32B; s < swizzleCount; s++ {
		bytes, ok := s.CuTe()
		shift := bits.TrailingZeros64(uint64(size)) - 3
		if ok && size&(size-1) == 0 && w.B() == bytes.B() && w.M()+shift == bytes.M() && w.S() == bytes.S() {
			return s, nil
		}
	}
	near := ""
	for s := Swizzle32B; s <= Swizzle128B; s++ {
		bytes, _ := s.CuTe()
		if w == bytes {
			near = fmt.Sprintf("%s is on bytes: in elements it is %s", w, elements(s, size))
		}
	}
	if near == "" {
		near = fmt.Sprintf("it has %s, %s and %s on these elements", elements(Swizzle32B, size), elements(Swizzle64B, size),
			elements(Swizzle128B, size))
	}
	return 0, refuse(cute.CodeSwizzle, near, "the copy engine has no swizzle %s on elements of %d bits", w, size)
}

// elements writes a swizzle on elements of the given number of bits.
func elements(s Swizzle, size int64) string {
	w, _ := s.CuTe()
	return fmt.Sprintf("Sw<%d,%d,%d>", w.B(), w.M()-bits.TrailingZeros64(uint64(size))+3, w.S())
}

// answer, is and expect ask about the run-time integers of the tensor: see [Case].
func (p *Plan) answer(q symbolic.Guard) (holds, known bool) { return p.tensor.at.answer(q) }
func (p *Plan) is(q symbolic.Guard) bool                    { return p.tensor.at.is(q) }
func (p *Plan) expect(q symbolic.Guard) bool                { return p.tensor.at.expect(q) }

func (p *Plan) step(name, value string) { p.Steps = append(p.Steps, Step{name, value}) }

// truncate gives each CTA its part of the box: from the last dimension on, as CuTe does.
func (p *Plan) truncate() error {
	box, left := p.Map.Box, p.multicast
	for i := len(box) - 1; left > 1; i-- {
		if i < 0 {
			return refuse(cute.CodeNotDivisible, "multicast to fewer CTAs", "%d CTAs cannot share %d elements", p.multicast,
				p.elements)
		}
		if box[i]%left != 0 && left%box[i] != 0 {
			return refuse(cute.CodeNotDivisible, "make the number of CTAs a divisor of the box's last extent",
				"%d CTAs do not share %d elements of dimension %d evenly", left, box[i], i)
		}
		next := (left + box[i] - 1) / box[i]
		box[i] = (box[i] + left - 1) / left
		left = next
	}
	return nil
}

// count computes the number of instructions and their order.
func (p *Plan) count() error {
	size := p.shared.Size()
	if size > 1<<56 {
		return refuse(cute.CodeOverflow, "", "a tile of %d elements has more bytes than 63 bits count", size)
	}
	p.Expect = size * p.Map.Type.Bits() / 8
	if size%p.elements != 0 {
		return refuse(cute.CodeNotDivisible, "use a compact layout of shared memory",
			"boxes of %d elements do not fill a tile of %d", p.elements, size)
	}
	p.Instructions = size / p.elements
	inverse, err := cute.RightInverse(p.shared)
	if err != nil {
		return err
	}
	line, err := cute.LayoutLeft(cute.Int(p.elements))
	if err != nil {
		return err
	}
	one, err := cute.Composition(inverse, line)
	if err != nil {
		return err
	}
	one, err = cute.MakeLayout(one)
	if err != nil {
		return err
	}
	p.Order, err = cute.TileToShape(one, cute.Ints(size), cute.Tuple{})
	return err
}

// why explains what ends the box.
func (p *Plan) why(s Swizzle) {
	m := p.Map
	if len(m.Box) == 0 || p.Instructions == 1 {
		return
	}
	inner := m.Box[0] * m.Type.Bits()
	if s != SwizzleNone && inner == s.Span()*8 {
		p.Why = append(p.Why, fmt.Sprintf("dimension 0 of the box has %d × %s bytes = %s bytes, the span of %s: more would be illegal",
			m.Box[0], size(m.Type.Bits()), size(inner), s))
	}
}
