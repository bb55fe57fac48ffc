package tensormap

import (
	"fmt"
	"math/bits"
	"slices"

	"girih"
)

// A Copy asks for the map that copies tiles of a tensor into a layout of shared memory.
type Copy struct {
	Global  girih.Layout   // the tensor: strides in elements
	Address uint64         // where it begins, in bytes; 0 for an address that is not known
	Type    Type           // of its elements
	Shared  girih.Composed // the tile in shared memory: a layout, or a swizzle of one, in elements
	Tiler   girih.Tiler    // the tile of the tensor; nil for one with the extents of Shared

	Multicast int64 // how many CTAs share the tile, each loading a part of it for all; 0 and 1 for one
	Promotion Promotion
	Fill      Fill
}

// A Plan is how tiles are copied.
type Plan struct {
	Map          Map   // of one instruction; it may be illegal: see [Map.Check]
	Instructions int64 // that each CTA issues for a tile
	// bytes of a tile, which the mbarrier of each CTA expects: parts of other CTAs arrive there too
	Expect      int64
	Tile        girih.Layout // the tile of the tensor: index in the tile -> coordinate in the tensor
	Coordinates girih.Layout // coordinate in the tensor -> coordinates of the instruction: CuTe's get_tma_tensor
	Order       girih.Layout // value of the copy -> index in the tile, instruction by instruction, as CuTe partitions it
	Steps       []Step       // how the map was found
	Why         []string     // why the box is no larger, and so there are so many instructions
	Notes       []string     // where CuTe's answer depends on what is known at compile time
	Faults      []Remark     // why the copy of a legal map does not land where the layout says; none for a good one

	shared    girih.Layout // of the tile, without the swizzle
	elements  int64        // of one instruction, of all CTAs together
	multicast int64
}

// A Step is one value of the derivation, with CuTe's name for it (construct_tma_gbasis in copy_traits_sm90_tma.hpp).
type Step struct{ Name, Value string }

// A mode is one mode of tma_gbasis: an extent of the box, and the leaves of the tensor that it goes along.
type mode struct {
	box    int64
	stride int64 // of the first leaf, in elements
	leaves []leaf
}

// A leaf is a leaf of the tensor's shape.
type leaf struct {
	basis          string // 1@0@1
	extent, stride int64
}

// Make finds the map as CuTe's make_tma_copy does (include/cute/atom/copy_traits_sm90_tma.hpp): the inverse of the
// layout of shared memory says in which order the tile lies there; as long as that goes along a mode of the tensor
// from its beginning, the mode gives a dimension of the box. What is left of the tile takes further instructions;
// modes of the tensor that the tile does not go along are dimensions with a box of 1.
//
// The plan is returned for illegal maps too. The error is for what is no map at all: CodeSwizzle for a swizzle that
// the copy engine does not have, CodeNotRepresentable where shared memory and the tensor are not contiguous along the
// same mode, CodeExtent where tile and shared memory differ in size, CodeNotDivisible where parts of CTAs are not
// even, CodeLimit for more than 16 CTAs, CodeCodomain for layouts with coordinates, CodeNegative for negative
// strides, CodeOverflow for more than 2^56 elements, and those of [girih.CompositionBy] for a tiler that does not go
// with the tensor.
func Make(c Copy) (Plan, error) {
	if err := c.check(); err != nil {
		return Plan{}, err
	}
	swizzle, shared, err := c.parts()
	if err != nil {
		return Plan{}, err
	}
	p := Plan{shared: shared, multicast: max(c.Multicast, 1)}
	modes, err := c.modes(&p)
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
	p.Coordinates, err = c.coordinates(modes, p.Map)
	if err != nil {
		return Plan{}, err
	}
	p.why(swizzle)
	return p, p.faults()
}

// faults looks for what a legal map does to the layout of shared memory all the same.
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

// fault adds why the copy does not land where the layout says.
func (p *Plan) fault(change, format string, args ...any) {
	p.Faults = append(p.Faults, Remark{
		Text: fmt.Sprintf(format, args...), Source: "CUDA Programming Guide, Tensor Memory Access", Fatal: true,
		Change: change,
	})
}

// check looks at the operands.
func (c Copy) check() error {
	if c.Global.Shape().Rank() == 0 || c.Global.Stride().HasBasis() || c.Shared.HasBasis() {
		return refuse(girih.CodeCodomain, "", "expected a tensor with integer strides, found %s", c.Global)
	}
	for _, d := range c.Global.Stride().Leaves() {
		if d < 0 {
			return refuse(girih.CodeNegative, "begin at the other end of the mode",
				"the tensor %s has a stride below 0, which no map has", c.Global)
		}
	}
	if !c.Type.known() {
		return refuse(girih.CodeType, "", "there is no type %d", int(c.Type))
	}
	if c.Multicast < 0 || c.Multicast > 16 {
		return refuse(girih.CodeLimit, "a cluster has 8 CTAs, 16 where a kernel asks for it",
			"expected 1 to 16 CTAs, found %d", c.Multicast)
	}
	return nil
}

// parts splits the layout of shared memory into the swizzle of the copy engine and a layout.
func (c Copy) parts() (Swizzle, girih.Layout, error) {
	none := girih.Layout{}
	shared, found := c.Shared.Layout(), SwizzleNone
	n := 0
	for outer, offset := range c.Shared.Stages() {
		w, ok := outer.(girih.Swizzle)
		if !ok || n > 0 {
			return 0, none, refuse(girih.CodeNotRepresentable, "write it as a swizzle of a layout",
				"shared memory is %s, no swizzle of a layout", c.Shared)
		}
		n++
		if x, ok := offset.Int64(); !ok || x != 0 {
			return 0, none, refuse(girih.CodeNotRepresentable, "give the tile at the beginning of the buffer, without the offset of the stage",
				"shared memory begins at offset %s behind the swizzle", offset)
		}
		s, err := c.swizzleOf(w)
		if err != nil {
			return 0, none, err
		}
		found = s
	}
	return found, shared, nil
}

// swizzleOf finds the swizzle of the copy engine that is w on elements.
func (c Copy) swizzleOf(w girih.Swizzle) (Swizzle, error) {
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
	return 0, refuse(girih.CodeSwizzle, near, "the copy engine has no swizzle %s on elements of %d bits", w, size)
}

// elements writes a swizzle on elements of so many bits.
func elements(s Swizzle, size int64) string {
	w, _ := s.CuTe()
	return fmt.Sprintf("Sw<%d,%d,%d>", w.B(), w.M()-bits.TrailingZeros64(uint64(size))+3, w.S())
}

// modes finds the modes of the box: CuTe's construct_tma_gbasis.
func (c Copy) modes(p *Plan) ([]mode, error) {
	tiler := c.Tiler
	if tiler == nil {
		each, err := girih.ProductEach(p.shared.Shape())
		if err != nil {
			return nil, err
		}
		tiler = each
		if each.IsInt() {
			tiler = girih.Tiler(p.shared)
			if l, err := girih.LayoutLeft(each); err == nil {
				tiler = l
			}
		}
	}
	identity, err := girih.MakeIdentityLayout(c.Global.Shape())
	if err != nil {
		return nil, err
	}
	if p.Tile, err = girih.CompositionBy(identity, tiler); err != nil {
		return nil, err
	}
	if p.Tile.Size() != p.shared.Size() {
		return nil, refuse(girih.CodeExtent, "CuTe: TMA requires CTA_Tile and SLayout top-level size equivalence",
			"the tile %s has %d elements, its layout of shared memory %s has %d", p.Tile.Shape(), p.Tile.Size(), p.shared,
			p.shared.Size())
	}
	inverse, err := girih.RightInverse(p.shared)
	if err != nil {
		return nil, err
	}
	full, err := girih.Composition(p.Tile, inverse)
	if err != nil {
		return nil, err
	}
	full = girih.Coalesce(full)
	p.step("right_inverse(smem)", inverse.String())
	p.step("smem index -> mode of gmem", full.String())
	leaves, err := leavesOf(c.Global, identity)
	if err != nil {
		return nil, err
	}
	kept, err := p.keep(full, leaves)
	if err != nil {
		return nil, err
	}
	merged := p.merge(kept)
	rest := missing(merged, leaves)
	modes := slices.Concat(merged, rest)
	if len(modes) > 5 {
		modes = append(modes[:4:4], p.join(modes[4:]))
	}
	p.step("tma_gbasis", basisText(modes))
	return modes, nil
}

// join makes one dimension of the modes that are more than the four before them, as CuTe groups the tail of tma_gbasis.
// Its box walks by the greatest common divisor of their strides, which is right only for a tile that does so.
func (p *Plan) join(tail []mode) mode {
	last, step, walked := mode{box: 1, stride: tail[0].stride}, int64(0), int64(1)
	for _, m := range tail {
		last.leaves = slices.Concat(last.leaves, m.leaves)
		for _, l := range m.leaves {
			step = gcd(step, l.stride)
		}
	}
	for _, m := range tail {
		extent := int64(1)
		for _, l := range m.leaves {
			extent *= l.extent // those of a mode of several leaves are at most 256 in all
		}
		last.box *= m.box
		if m.box > 1 && (m.stride/walked != step || m.stride%walked != 0 || extent%m.box != 0) {
			p.fault("copy one of them with an instruction, or fix a mode in the address",
				"a map has 5 dimensions and the tensor %d modes: those from %s on are one dimension, whose box goes on by %d elements and "+
					"knows no end of a mode, and the tile has %d of extent %d by %d", 4+len(tail), tail[0].leaves[0].basis, step, m.box,
				extent, m.stride)
			return last
		}
		if m.box > 1 {
			walked *= m.box
		}
	}
	return last
}

func (p *Plan) step(name, value string) { p.Steps = append(p.Steps, Step{name, value}) }

// leavesOf lists the leaves of the tensor.
func leavesOf(global, identity girih.Layout) ([]leaf, error) {
	s, d := global.Shape().Flatten().Leaves(), global.Stride().Flatten().Leaves()
	var names []string
	for _, e := range identity.Stride().Flatten().Modes() {
		names = append(names, e.String())
	}
	if global.Shape().IsInt() {
		names = []string{"1@0"} // CuTe's and girih's identity of one mode is s:1
	}
	if len(names) != len(s) {
		return nil, refuse(girih.CodeRank, "", "the tensor %s has too many modes", global)
	}
	list := make([]leaf, len(s))
	for i := range s {
		list[i] = leaf{names[i], s[i], d[i]}
	}
	return list, nil
}

// keep takes the modes of smem index -> gmem up to the first that begins in the middle of a mode of the tensor.
func (p *Plan) keep(full girih.Layout, leaves []leaf) ([]mode, error) {
	shape, stride := full.Shape().Flatten().Leaves(), full.Stride().Flatten().Modes()
	if full.Stride().IsInt() || full.Stride().LeafCount() == 1 {
		stride = []girih.Tuple{full.Stride().Flatten()}
		if m, err := full.Stride().Flatten().Mode(0); err == nil {
			stride = []girih.Tuple{m}
		}
	}
	var kept []mode
	for i, e := range stride {
		at := slices.IndexFunc(leaves, func(l leaf) bool {
			return l.basis == e.String() || l.basis == "1@0" &&
				len(leaves) == 1 && e.String() == "1"
		})
		if at < 0 {
			p.Why = append(p.Why, fmt.Sprintf("behind the first %d elements, shared memory goes on with %d:%s, which does not begin a mode of "+
				"the tensor: a box ends there", product64(shape[:i]), shape[i], e))
			break
		}
		kept = append(kept, mode{shape[i], leaves[at].stride, leaves[at : at+1]})
	}
	if len(kept) == 0 {
		return nil, refuse(girih.CodeNotRepresentable, "give shared memory the stride 1 along the tensor's mode of stride 1: a K-major tensor "+
			"takes a K-major atom",
			"could not find a common tile-gmem vectorization: shared memory begins with %s, not with a whole mode of the "+
				"tensor", full)
	}
	if kept[0].stride != 1 {
		return nil, refuse(girih.CodeNotRepresentable, "give shared memory the stride 1 along the tensor's mode of stride 1: a K-major tensor "+
			"takes a K-major atom (Layout_K_SW128_Atom), an MN-major one Layout_MN_SW128_Atom",
			"majorness of smem doesn't match majorness of gmem: shared memory is contiguous along %s, whose stride in the tensor is %d",
			kept[0].leaves[0].basis, kept[0].stride)
	}
	return kept, nil
}

func product64(xs []int64) int64 {
	p := int64(1)
	for _, x := range xs {
		p *= x
	}
	return p
}

// merge joins modes that follow each other in global memory, up to 256 elements: CuTe's coalesce_256.
func (p *Plan) merge(kept []mode) []mode {
	var out []mode
	for _, m := range kept {
		if m.box == 1 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].box*out[n-1].stride == m.stride && out[n-1].box*m.box <= 256 {
			last := &out[n-1]
			if !last.whole() {
				p.Notes = append(p.Notes, fmt.Sprintf("CuTe merges %s and %s where extents and strides are static, and its copy does not fill "+
					"what is outside the first of them; here they are two dimensions", last.leaves[len(last.leaves)-1].basis,
					m.leaves[0].basis))
				out = append(out, m)
				continue
			}
			p.Notes = append(p.Notes, fmt.Sprintf("the modes %s and %s lie behind each other in global memory and are one dimension; CuTe merges "+
				"them only where extents and strides are static", last.leaves[len(last.leaves)-1].basis, m.leaves[0].basis))
			last.box *= m.box
			last.leaves = slices.Concat(last.leaves, m.leaves)
			continue
		}
		out = append(out, m)
	}
	if len(out) == 0 {
		return kept[:1]
	}
	return out
}

// whole reports whether the box has all of each leaf, so that nothing of it is outside.
func (m mode) whole() bool {
	n := int64(1)
	for _, l := range m.leaves {
		if l.extent > 256 {
			return false
		}
		n *= l.extent
	}
	return n == m.box
}

// missing returns the modes of the tensor that the box does not go along.
func missing(modes []mode, leaves []leaf) []mode {
	var rest []mode
	for i, l := range leaves {
		has := slices.ContainsFunc(modes, func(m mode) bool {
			return slices.ContainsFunc(m.leaves, func(x leaf) bool { return x.basis == l.basis })
		})
		if !has && l.extent != 1 && l.stride != 0 {
			rest = append(rest, mode{1, l.stride, leaves[i : i+1]})
		}
	}
	return rest
}

// basisText writes the modes as CuTe prints tma_gbasis.
func basisText(modes []mode) string {
	shape, stride := "(", "("
	for i, m := range modes {
		if i > 0 {
			shape, stride = shape+",", stride+","
		}
		shape += text(m.box)
		if len(m.leaves) == 1 {
			stride += m.leaves[0].basis
			continue
		}
		stride += "("
		for j, l := range m.leaves {
			if j > 0 {
				stride += ","
			}
			stride += l.basis
		}
		stride += ")"
	}
	return shape + "):" + stride + ")"
}

// dims fills in extents and strides of the tensor: CuTe's fill_tma_gmem_shape_stride. A dimension of several modes
// has the greatest common divisor of their strides, and an extent that holds all their combinations.
func (p *Plan) dims(modes []mode) error {
	m := &p.Map
	for i, md := range modes {
		extent, stride := int64(1), int64(0)
		for _, l := range md.leaves {
			old := stride
			if stride = gcd(stride, l.stride); stride == 0 {
				extent = l.extent
				continue
			}
			reach := float64(extent)*float64(old/stride) + float64(l.extent)*float64(l.stride/stride)
			if reach > 1<<62 {
				return refuse(girih.CodeOverflow, "", "dimension %d has more than 2^62 elements", i)
			}
			extent = (extent-1)*(old/stride) + (l.extent-1)*(l.stride/stride) + 1
		}
		m.Dims[i], m.Box[i] = extent, md.box
		if i == 0 {
			continue
		}
		if stride > 1<<58 {
			return refuse(girih.CodeOverflow, "", "the stride of dimension %d, %d elements, is too large", i, stride)
		}
		m.Strides[i-1] = stride * m.Type.Bits() / 8
	}
	return nil
}

// truncate leaves each CTA its part of the box: from the last dimension on, as CuTe does.
func (p *Plan) truncate() error {
	box, left := p.Map.Box, p.multicast
	for i := len(box) - 1; left > 1; i-- {
		if i < 0 {
			return refuse(girih.CodeNotDivisible, "multicast to fewer CTAs", "%d CTAs cannot share %d elements", p.multicast,
				p.elements)
		}
		if box[i]%left != 0 && left%box[i] != 0 {
			return refuse(girih.CodeNotDivisible, "make the number of CTAs a divisor of the box's last extent",
				"%d CTAs do not share %d elements of dimension %d evenly", left, box[i], i)
		}
		next := (left + box[i] - 1) / box[i]
		box[i] = (box[i] + left - 1) / left
		left = next
	}
	return nil
}

// count finds the instructions and their order.
func (p *Plan) count() error {
	size := p.shared.Size()
	if size > 1<<56 {
		return refuse(girih.CodeOverflow, "", "a tile of %d elements has more bytes than 63 bits count", size)
	}
	p.Expect = size * p.Map.Type.Bits() / 8
	if size%p.elements != 0 {
		return refuse(girih.CodeNotDivisible, "use a compact layout of shared memory",
			"boxes of %d elements do not fill a tile of %d", p.elements, size)
	}
	p.Instructions = size / p.elements
	inverse, err := girih.RightInverse(p.shared)
	if err != nil {
		return err
	}
	line, err := girih.LayoutLeft(girih.Int(p.elements))
	if err != nil {
		return err
	}
	one, err := girih.Composition(inverse, line)
	if err != nil {
		return err
	}
	one, err = girih.MakeLayout(one)
	if err != nil {
		return err
	}
	p.Order, err = girih.TileToShape(one, girih.Ints(size), girih.Tuple{})
	return err
}

// coordinates builds the tensor of coordinates.
func (c Copy) coordinates(modes []mode, m Map) (girih.Layout, error) {
	identity, err := girih.MakeIdentityLayout(c.Global.Shape())
	if err != nil {
		return girih.Layout{}, err
	}
	leaves, err := leavesOf(c.Global, identity)
	if err != nil {
		return girih.Layout{}, err
	}
	strides := make([]girih.Tuple, len(leaves))
	for i, l := range leaves {
		j := slices.IndexFunc(modes, func(md mode) bool {
			return slices.ContainsFunc(md.leaves, func(x leaf) bool { return x.basis == l.basis })
		})
		switch {
		case j < 0: // of one element, or the same for all coordinates
			strides[i] = girih.Int(0)
			continue
		case j == 0:
			strides[i], err = girih.Basis(l.stride, 0)
		case len(modes[j].leaves) == 1:
			strides[i], err = girih.Basis(1, j)
		default:
			unit := max(m.Strides[j-1], 16)
			strides[i], err = girih.Basis((l.stride*m.Type.Bits()/unit+7)/8, j)
		}
		if err != nil {
			return girih.Layout{}, err
		}
	}
	flat, err := girih.MakeTuple(strides...)
	if err != nil {
		return girih.Layout{}, err
	}
	stride, err := flat.Unflatten(c.Global.Shape())
	if err != nil {
		return girih.Layout{}, err
	}
	return girih.New(c.Global.Shape(), stride)
}

// why says what ends the box.
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
