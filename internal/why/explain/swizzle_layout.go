package explain

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"girih/cute"
)

// swizzledLimit is the size of the largest layout whose offsets are all evaluated; the limit keeps an explanation under
// a millisecond.
const swizzledLimit = 1 << 14

// explainSwizzled explains the effect of a swizzle on the offsets of the layout inside.
func explainSwizzled(op *Operation, x *Explanation) {
	c, ok := op.Result.Value.(cute.Composed)
	if !ok {
		return
	}
	w, ok := c.Outer().(cute.Swizzle)
	if !ok || c.HasBasis() {
		return
	}
	l := c.Layout()
	x.Source = sourceSwizzle
	x.Rule = "Sw o offset o L leads a coordinate c to Sw(offset + L(c)): the shape is L's, and the swizzle moves offsets. It permutes all offsets below a power of two, so two elements meet only if they met before."
	x.sayf("%v adds the bits Y of an offset to the bits Z.", w).
		show(append(diagram(w, swizzleBits(w)), "x -> "+formulaText(w, "x"))...).
		Figure = &Figure{Kind: "swizzle", Expr: c.String(), Caption: "before and after"}
	size := c.Size()
	if size > swizzledLimit {
		x.sayf("%v has %d elements, too many to list.", l, size)
		return
	}
	after, err := c.AppendOffsets(nil)
	if err != nil {
		return
	}
	before := make([]int64, len(after)) // a swizzle is its own inverse
	for i, o := range after {
		if before[i], err = w.At(o); err != nil {
			return
		}
	}
	moved, most := 0, [2]int64{}
	for i := range before {
		if before[i] != after[i] {
			moved++
		}
		most[0], most[1] = max(most[0], before[i]), max(most[1], after[i])
	}
	saySwizzledRows(x, c, before, after)
	sayReach(x, w, most[0])
	if most[1] > most[0] {
		x.notef("The largest offset grows from %d to %d: the tile needs %d elements and not %d.",
			most[0], most[1], most[1]+1, most[0]+1)
	}
	sayWeaker(x, w, before)
	x.Check = fmt.Sprintf("%d of %d elements move; %s.", moved, len(before), distinct(before, after))
}

// saySwizzledRows shows the offsets of the first elements along mode 0, or along mode 1 if mode 0 is contiguous, before
// and after the swizzle.
func saySwizzledRows(x *Explanation, c cute.Composed, before, after []int64) {
	w, ok := c.Outer().(cute.Swizzle)
	modes := c.Shape().Modes()
	if !ok || len(modes) != 2 || w.S() < 0 || w.B() == 0 {
		return
	}
	n, err := modes[0].Product()
	if err != nil || n < 2 {
		return
	}
	shown := min(n, 8)
	row := int64(1) << (w.M() + w.S())
	name, step, count := "(%d,0)", int64(1), shown
	if l := c.Layout(); l.Modes()[0].Depth() == 0 && before[1]-before[0] == 1 { // mode 0 is contiguous: use mode 1
		m, err := modes[1].Product()
		if err != nil || m < 2 {
			return
		}
		name, step, count = "(0,%d)", n, min(m, 8)
	}
	rows := [][]string{{"element", "offset", "swizzled", fmt.Sprintf("mod %d before", row), "after"}}
	was, is := map[int64]bool{}, map[int64]bool{}
	for i := range count {
		b, a := before[i*step], after[i*step]
		was[b%row], is[a%row] = true, true
		rows = append(rows, []string{fmt.Sprintf(name, i), itoa(b), itoa(a), itoa(b % row), itoa(a % row)})
	}
	text := fmt.Sprintf("In each block of %d offsets the pieces of %d change places.", row, int64(1)<<w.M())
	if len(is) > len(was) {
		text += fmt.Sprintf(" Along the mode that is not contiguous %d elements had %s in a block, and have %d: accesses "+
			"that go this way meet other banks.", count, Count(len(was), "place"), len(is))
	}
	x.say(text, align(rows)...)
}

// sayReach says which of the bits that the swizzle reads are always 0, because the offsets of the layout are too small.
func sayReach(x *Explanation, w cute.Swizzle, most int64) {
	y, _ := swizzleMasks(w)
	switch {
	case w.B() == 0:
	case most < 1<<y:
		x.sayf("No offset reaches 2^%d = %d, so Y is always 0 and nothing moves.", y, int64(1)<<y)
	case w.S() >= 0 && most < 1<<(y+w.B()-1):
		used := 0
		for most>>(y+used) > 0 {
			used++
		}
		x.sayf("The largest offset is %d, so only %d of the %d bits of Y are ever set.", most, used, w.B())
	}
}

// sayWeaker names the weakest swizzle that maps these offsets to the same values.
func sayWeaker(x *Explanation, w cute.Swizzle, offsets []int64) {
	if w.S() < 0 {
		return
	}
	for b := range w.B() {
		v, err := cute.NewSwizzle(b, w.M(), w.S())
		if err != nil {
			continue
		}
		same := true
		for _, o := range offsets {
			p, errP := v.At(o)
			q, errQ := w.At(o)
			if errP != nil || errQ != nil {
				return
			}
			if p != q {
				same = false
				break
			}
		}
		if same {
			x.notef("%v does the same on these offsets.", v)
			return
		}
	}
}

// distinct says how many different offsets exist before and after the swizzle.
func distinct(before, after []int64) string {
	b, a := countDistinct(before), countDistinct(after)
	if b != a {
		return fmt.Sprintf("%d different offsets before, %d after", b, a)
	}
	return fmt.Sprintf("%d different offsets before and after", b)
}

// countDistinct counts different numbers: with a bit set if the numbers are small, otherwise by sorting.
func countDistinct(xs []int64) int {
	const most = 1 << 17
	marks := make([]uint64, most/64)
	n := 0
	for _, x := range xs {
		if x < 0 || x >= most {
			return len(slices.Compact(slices.Sorted(slices.Values(xs))))
		}
		if bit := uint64(1) << (x % 64); marks[x/64]&bit == 0 {
			marks[x/64] |= bit
			n++
		}
	}
	return n
}

// explainSwizzleRecast explains a swizzle in another unit.
func explainSwizzleRecast(op *Operation, x *Explanation) {
	v, ok := op.swizzleArg(len(op.Args) - 1)
	if !ok {
		if v, ok = op.swizzleArg(0); !ok {
			return
		}
	}
	x.Source = "CUTLASS, cute/swizzle_layout.hpp, upcast, downcast and recast_layout"
	x.Rule = "The same bytes move in another unit: where a unit is 2^k times as wide, bit i of the old offset is bit i-k of the new one, so M falls by k, and B and S stay. A bit of Z that falls below 0 swaps parts of one unit, and is lost."
	r, ok := resultSwizzle(op)
	if !ok {
		return
	}
	k, ok := op.recastBits()
	if !ok {
		return
	}
	if c, ok := op.Result.Value.(cute.Composed); ok {
		x.sayf("The layout inside is recast as any layout is, to %v, and the swizzle %v by its own bits.", c.Layout(), v)
	}
	switch {
	case k > 0:
		x.sayf("A new unit is 2^%d = %d old ones: every bit moves %s down.", k, int64(1)<<k, Count(k, "place"))
	case k < 0:
		x.sayf("An old unit is 2^%d = %d new ones: every bit moves %s up.", -k, int64(1)<<-k, Count(-k, "place"))
	default:
		x.say("The units are equally wide, and nothing changes.")
	}
	lost := v.B() - r.B()
	switch {
	case v.B() == 0:
		x.sayf("%v is the identity in every unit.", v)
		return
	case r.B() == 0:
		x.sayf("M would be %d - %d = %d: all %d bits of Z are below the new unit and act inside of it, so that %v becomes the identity.",
			v.M(), k, v.M()-k, v.B(), v).show(diagram(v, swizzleBits(v))...)
		return
	case lost == 0:
		x.sayf("M = %d - %s = %d: %v becomes %v.", v.M(), signedText(k), r.M(), v, r).
			show(append(diagram(v, max(swizzleBits(v), 1)), diagram(r, max(swizzleBits(r), 1))...)...)
		return
	}
	x.sayf("M would be %d - %d = %d. The lowest %s of Z and Y would act inside of one new unit and are lost: %v becomes %v.",
		v.M(), k, v.M()-k, Count(lost, "bit"), v, r).
		show(append(diagram(v, max(swizzleBits(v), 1)), diagram(r, max(swizzleBits(r), 1))...)...)
	x.Notes = append(x.Notes, "The order inside of a unit changes, so that elements of the narrow type are not where the wide swizzle says.")
}

// recastBits returns the binary logarithm of the factor by which a recast widens the unit: 1 for upcast<2>.
func (op *Operation) recastBits() (int, bool) {
	var ns []int64
	ns = append(ns, op.Template...)
	for i := range op.Args {
		if n, ok := op.integerArg(i); ok {
			ns = append(ns, n)
		}
	}
	switch {
	case op.Name == "upcast" && len(ns) == 1:
		return bits.Len64(uint64(ns[0])) - 1, ns[0] > 0
	case op.Name == "downcast" && len(ns) == 1:
		return 1 - bits.Len64(uint64(ns[0])), ns[0] > 0
	case op.Name == "recast_layout" && len(ns) == 2:
		return bits.Len64(uint64(ns[0])) - bits.Len64(uint64(ns[1])), ns[0] > 0 && ns[1] > 0
	}
	return 0, false
}

// signedText returns an integer, in parentheses if it is negative.
func signedText(k int) string {
	if k < 0 {
		return fmt.Sprintf("(%d)", k)
	}
	return strconv.Itoa(k)
}

// swizzleArg returns operand i as a swizzle: itself, or the outermost function of a composed layout.
func (op *Operation) swizzleArg(i int) (cute.Swizzle, bool) {
	if i < 0 || i >= len(op.Args) {
		return cute.Swizzle{}, false
	}
	return outerSwizzle(op.Args[i].Value)
}

func resultSwizzle(op *Operation) (cute.Swizzle, bool) { return outerSwizzle(op.Result.Value) }

func outerSwizzle(v any) (cute.Swizzle, bool) {
	switch v := v.(type) {
	case cute.Swizzle:
		return v, true
	case cute.Composed:
		w, ok := v.Outer().(cute.Swizzle)
		return w, ok
	}
	return cute.Swizzle{}, false
}
