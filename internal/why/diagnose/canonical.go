package diagnose

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"girih/atom"
	"girih/cute"
	shared "girih/descriptor"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/pattern"
)

// canonicalRules are the conditions under which a matrix in shared memory has a descriptor
// (include/cute/atom/mma_traits_sm90_gmma.hpp, make_gmma_desc; include/cute/arch/mma_sm100_desc.hpp, make_umma_desc),
// and the conditions on swizzles of descriptors and tensor maps (include/cute/atom/copy_traits_sm90_tma_swizzle.hpp).
var canonicalRules = ruleList{
	{says: "not a canonical gmma_", tool: toolCute, op: "make_gmma_desc", look: canonical, demand: demandCanonical},
	{says: "not a canonical umma_", tool: toolCute, op: "make_umma_desc", look: canonical, demand: demandCanonical},
	{says: "make_gmma_smem_desc|legal", tool: toolDSL, op: "make_gmma_desc", look: canonical, demand: demandCanonical, alone: true},
	{says: "make_umma_smem_desc|legal", tool: toolDSL, op: "make_umma_desc", look: canonical, demand: demandCanonical, alone: true},
	{says: "unsupported layout swizzle", in: "get_tma_swizzle_bits|get_tma_swizzle_base", tool: toolCute, op: "make_tma_copy", look: canonical, demand: demandTMASwizzle},
	{says: "base swizzle.", in: "get_tma_swizzle_bits|get_tma_swizzle_base", tool: toolCute, op: "make_tma_copy", look: canonical, demand: demandTMASwizzle},
	{says: "unsupported layout swizzle", in: "make_umma_desc", tool: toolCute, op: "make_umma_desc", look: canonical, demand: demandBits},
	{says: "unsupported layout swizzle", tool: toolCute, op: "make_gmma_desc", look: canonical, demand: demandBits},
	{says: "only 16b and 32b atoms are supported for umma", tool: toolCute, op: "make_umma_desc", look: canonical, demand: demandBits},
	{says: "swizzle_128b_base32b is invalid for major-k", tool: toolCute, op: "make_umma_desc", look: canonical, demand: "SW128_32B, Swizzle<2,5,2> on bytes, is a layout of 32-bit elements that are MN-major"},
	{says: "umma descriptors can only be constructed on", tool: toolCute, op: "make_umma_desc", look: frameLayouts, demand: "a descriptor is made of a tensor of rank 2 in shared memory"},
	{says: "gmma descriptors can only be constructed on", tool: toolCute, op: "make_gmma_desc", look: frameLayouts, demand: "a descriptor is made of a tensor of rank 2 in shared memory"},
}

const (
	demandCanonical  = "the layout in shared memory is one of the canonical ones of PTX (INTER, SW32, SW64, SW128), repeated: tile_to_shape of a Layout_K_*_Atom or Layout_MN_*_Atom"
	demandBits       = "a descriptor knows Swizzle<B,4,3> on bytes with B = 0, 1, 2, 3 (INTER, SW32, SW64, SW128), and Swizzle<2,5,2> on sm100"
	demandTMASwizzle = "a tensor map knows Swizzle<B,4,3> on bytes with B = 0, 1, 2, 3 (none, 32B, 64B, 128B), and on sm100 Swizzle<2,5,2> and Swizzle<2,6,S> (128B of pieces of 32 and 64 bytes)"
)

const (
	reByteSwizzle = pattern.Pattern(`\bS(?:w|wizzle)?<\s*(\d+),\s*(\d+),\s*(-?\d+)\s*>`)
	reDescribed   = pattern.Pattern(`layout = (?:#cute\.layout)?<"([^"]+)">, major = (?:#cute_nvgpu\.major)?<(\w+)>`)
	reSmemPointer = pattern.Pattern(`!cute\.(?:ptr|memref)<(\w+), smem\b([^"]*?)(?:>\)|"([^"]+)")`)
)

// A described is the tensor for which a descriptor was requested, as far as the text describes it.
type described struct {
	text    string // the layout
	typ     dtype.Type
	b, m, s int // the swizzle on bytes; all 0 without a swizzle
	major   atom.Major
	known   bool // whether the text gives the major
}

// describedTensor finds the tensor in the frames of C++, or in the operation as the CuTe DSL prints it.
func (f *failure) describedTensor() (d described, ok bool) {
	engine := ""
	if fr := f.m.frame("make_gmma_desc", "make_umma_desc"); fr != nil {
		engine, d.text = fr.param("TEngine"), fr.value("TLayout")
		major := fr.param("MajorMode")
		d.known = major != ""
		if strings.HasSuffix(major, "::MN") {
			d.major = atom.MNMajor
		}
		d.typ, ok = elementOf(engine)
	} else if p := reSmemPointer.FindStringSubmatch(f.m.body); p != nil {
		engine, d.text = p[2], p[3]
		var err error
		d.typ, err = dtype.Parse(p[1])
		ok = err == nil
		if x := reDescribed.FindStringSubmatch(f.m.body); x != nil {
			d.text, d.known = x[1], true
			if strings.EqualFold(x[2], "mn") {
				d.major = atom.MNMajor
			}
		}
	} else if fr := f.m.frame("layout_type", "get_tma_swizzle_bits", "get_tma_swizzle_base"); fr != nil {
		engine = fr.param("Engine")
		if engine == "" {
			engine = fmt.Sprintf("Swizzle<%s,%s,%s>", fr.param("B"), fr.param("M"), fr.param("S"))
		}
	}
	if w := reByteSwizzle.FindStringSubmatch(engine); w != nil {
		for i, x := range []*int{&d.b, &d.m, &d.s} {
			n, _ := integer(w[i+1])
			*x = int(min(max(n, -64), 64))
		}
	}
	return d, ok && d.text != ""
}

// canonical examines a tensor for which no descriptor or no tensor map could be made.
func canonical(f *failure) {
	frameLayouts(f)
	d, ok := f.describedTensor()
	if w := d.swizzle(f.Op); w != "" {
		f.Condition = w
		f.repair(Repair{Say: fmt.Sprintf("use Swizzle<%d,4,3> on bytes, the swizzle of the atoms Layout_K_SW*_Atom and Layout_MN_SW*_Atom, which "+
			"tile_to_shape repeats; in composition(Swizzle<B,M,S>{}, layout) of elements of 16 bits it is Swizzle<%[1]d,3,3>, of 8 bits Swizzle<%[1]d,4,3>",
			min(max(d.b, 1), 3))})
		return
	}
	if !ok || !f.unfit(d) {
		f.repair(Repair{Say: "make the layout of shared memory with tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, shape) or Layout_MN_SW128_Atom, and give the descriptor one instruction's tile of it"})
		f.missing("the layout of the shared tensor, if the backtrace does not have it: print(sA.layout()); girih descriptor LAYOUT --type TYPE says the rest")
	}
}

// swizzle returns what is wrong with the swizzle itself, or "".
func (d described) swizzle(op string) string {
	switch {
	case d.hasSwizzle(op):
		return ""
	case d.m != 4 && d.m >= 0 && d.m < 32:
		return fmt.Sprintf("Swizzle<%d,%d,%d> moves pieces of 2^%[2]d = %[4]d bytes, and the hardware moves pieces of 16 (M = 4)",
			d.b, d.m, d.s, 1<<d.m)
	case d.m == 4 && d.s != 3:
		return fmt.Sprintf("Swizzle<%d,4,%d> reads bits %[2]d above the bits that it changes, and the hardware 3 above (S = 3): the bits of the row of 128 bytes",
			d.b, d.s)
	}
	return fmt.Sprintf("Swizzle<%d,%d,%d>: the hardware has B from 0 to 3", d.b, d.m, d.s)
}

// hasSwizzle reports whether the hardware supports the swizzle for an operation.
func (d described) hasSwizzle(op string) bool {
	switch {
	case d.b == 0 && d.m == 0 && d.s == 0:
		return true
	case d.m == 4 && d.s == 3:
		return d.b >= 0 && d.b <= 3
	case op == "make_gmma_desc" || d.b != 2: // tcgen05 also has SW128_32B, and tensor maps have Swizzle<2,6,S>
		return false
	}
	return d.m == 5 && d.s == 2 || d.m == 6 && op == "make_tma_copy"
}

// layout returns the layout in elements, composed with the swizzle.
func (d described) layout(e *evaluator) (cute.Inner, bool) {
	r, err := e.eval(d.text)
	if err != nil {
		return nil, false
	}
	l, ok := r.Value.(eval.Layout)
	if !ok {
		c, ok := r.Value.(eval.Composed)
		return c.Composed, ok
	}
	if d.b == 0 {
		return l.Layout, true
	}
	w, err := cute.NewSwizzle(d.b, d.m+3-bits.Len(uint(d.typ.Bits()))+1, d.s)
	if err != nil {
		return nil, false
	}
	c, err := cute.NewComposed(w, cute.Int(0), l.Layout)
	return c, err == nil
}

// unfit records why the instruction cannot read the tensor and the nearest legal layout. It reports whether it did.
func (f *failure) unfit(d described) bool {
	layout, ok := d.layout(f.evaluator)
	if !ok {
		return false
	}
	instr := "wgmma"
	if f.Op == "make_umma_desc" {
		instr = "tcgen05"
	}
	o, err := shared.FindOperand(instr, d.typ, atom.OperandB)
	if err != nil {
		f.Condition = plain(err)
		return true
	}
	if d.known {
		o.Majors = []atom.Major{d.major}
	}
	fit, err := o.Fit(layout, 0)
	if err != nil {
		f.Condition = plain(err)
		f.otherMajor(o, layout, d)
		f.near(o, layout)
	} else {
		d := fit.Matrices[0]
		f.Condition = fmt.Sprintf("%s can read it: %v", instr, d)
		if fit.Step.Count > 1 {
			f.Condition += fmt.Sprintf("; but a descriptor describes the operand of one instruction, which has K = %d, and here K is %d",
				o.K, fit.K)
			f.repair(Repair{Say: fmt.Sprintf("cut the tile as the instruction does, local_tile(sA, Shape<_%d,_%d>{}, make_coord(m, k)), or let "+
				"partition_A and make_fragment_A of the TiledMMA do it", fit.Operand.Rows, o.K)})
		}
	}
	f.repair(Repair{Say: fmt.Sprintf("girih descriptor '%v' --instr %s --type %v --operand A|B says which core matrix is out of place, or LBO, SBO and the descriptors",
		layout, instr, d.typ)})
	return true
}

// otherMajor offers the other major, if the layout is legal for that major.
func (f *failure) otherMajor(o shared.Operand, layout cute.Inner, d described) {
	o.Majors = []atom.Major{atom.KMajor}
	if d.major == atom.KMajor {
		o.Majors[0] = atom.MNMajor
	}
	if fit, err := o.Fit(layout, 0); d.known && err == nil {
		f.repair(Repair{Say: fmt.Sprintf("the layout is %[1]v-major, and legal so: %[2]v; give the TiledMMA that major, GMMA::Major::%[1]v or OperandMajorMode.%[1]v",
			o.Majors[0], fit.Matrices[0])})
	}
}

// near offers the legal layout that is nearest to a tile. The tile of one instruction may be a part of a larger tile:
// if the rows of the tile are apart, the larger tile's rows fill the distance between them.
func (f *failure) near(o shared.Operand, layout cute.Inner) {
	whole := layout
	c, _ := layout.(cute.Composed)
	l, ok := layout.(cute.Layout)
	if !ok {
		l = c.Layout()
	}
	if d, _ := l.Stride().Mode(0); l.Rank() == 2 && (len(o.Majors) > 1 || o.Majors[0] == atom.KMajor) {
		if apart, ok := d.Int64(); ok && apart > o.K && apart < 1<<12 {
			if w, err := cute.Parse(fmt.Sprintf("(%d,%d):(%d,1)", modeSize(l, 0), apart/o.K*o.K, apart)); err == nil {
				whole = w
			}
		}
	}
	n, err := o.Nearest(whole)
	if err != nil {
		return
	}
	expr := cmp.Or(n.Expr(o.Format), n.Layout.String())
	v, err := f.result(expr)
	if err != nil {
		return
	}
	say := "the nearest legal layout: " + n.Why
	if f.Tool == toolDSL {
		say += fmt.Sprintf("; cute.tile_to_shape(make_smem_layout_atom(SmemLayoutAtomKind.%s, TYPE), SHAPE, ORDER) makes it",
			n.Atom.Kind())
	}
	f.repair(Repair{Say: say, Expr: expr, Result: v})
}

// plain returns the sentence of an error without the error's code and operation.
func plain(err error) string {
	e, ok := errors.AsType[*cute.Error](err)
	if m, is := errors.AsType[*shared.Misfit](err); is {
		e, ok = errors.AsType[*cute.Error](m.Unwrap())
	}
	if !ok {
		return err.Error()
	}
	return e.Msg
}
