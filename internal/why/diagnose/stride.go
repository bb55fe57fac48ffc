package diagnose

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/why/explain"
)

// complement examines a layout that has no complement.
func complement(f *failure) {
	f.supply("complement")
	o := f.innermost("complement")
	if l := f.outer(o); l.op == "complement" && l.isKnown() {
		o = l // the layout as the user wrote it, without the cotarget that CuTe supplies
	}
	f.use(o)
	l, ok := layout(append(o.args, "")[0])
	if !ok {
		if len(o.args) > 0 && dynamic(o.args[0]) {
			f.Condition = o.args[0] + " has " + fmt.Sprint(strings.Count(o.args[0], "?")) + " integers that are known at run time only"
			f.repair(Repair{Say: "make the strides static: Int<8>{} or _8{} in place of 8, in make_stride"})
			f.repair(Repair{Say: "or take the complement mode by mode, as a tiler <...> does: of a single mode the stride may be dynamic"})
		}
		return
	}
	f.nesting("complement", l)
	f.offerNested(o, l)
	if c := cute.Filter(l); c.String() != l.String() {
		f.offer("without the modes of stride 0 and extent 1", o.with(0, c.String()))
	}
}

// nesting records which stride does not nest with the smaller strides, in a layout that has no complement or inverse.
// It uses the tool's condition, or the condition of a complement if the tool does not check one.
func (f *failure) nesting(op string, l cute.Layout) {
	if f.violates(operation{op: op, args: []string{l.String()}}, "") {
		return
	}
	d, _ := cute.Derive("complement", l)
	var before cute.Leaf
	for _, s := range d.Steps {
		g, ok := s.(cute.Gap)
		if !ok {
			continue
		}
		if g.After > 0 {
			before = g.Mode
			continue
		}
		stride, _ := g.Mode.Stride.Int64()
		if stride < 0 {
			f.Condition = fmt.Sprintf("the mode %v has a negative stride", g.Mode)
			return
		}
		rel := "no multiple of"
		if stride < g.Block {
			rel = "smaller than"
		}
		f.Pair = fmt.Sprintf("%v and %v", before, g.Mode)
		f.Condition = fmt.Sprintf("the stride %d of the mode %v is %s %d = %d*%v, the block that %v covers", stride, g.Mode,
			rel, g.Block, before.Extent, before.Stride, before)
		return
	}
}

// offerNested offers the operation on the layout with each stride raised to a multiple of the block below that stride.
func (f *failure) offerNested(o operation, l cute.Layout) {
	if c, ok := explain.SpreadStrides(l); ok && !c.Equal(l) {
		f.offer("the same shape with strides that nest", o.with(0, c.String()))
	}
}

// inverse examines a layout that has no left inverse.
func inverse(f *failure) {
	f.supply("left_inverse")
	o := f.innermost("left_inverse")
	f.use(o)
	l, ok := layout(append(o.args, "")[0])
	if !ok {
		return
	}
	f.nesting("left_inverse", l)
	if v, err := f.result(o.expr()); err == nil {
		f.repair(Repair{
			Say: "there is a left inverse although " + f.Tool + " refuses; write the layout itself", Expr: o.expr(), Result: v,
		})
	}
	if inj, _, err := cute.IsInjective(l); err == nil && !inj {
		f.Condition = strings.TrimPrefix(f.Condition+"; two indices have one offset, so no map leads back", "; ")
	}
	f.offerNested(o, l)
	if r := (operation{op: "right_inverse", args: o.args}); f.fact(r.expr()) != "it has a value: 1:0" {
		f.offer("right_inverse inverts the part of the offsets that has no gaps", r)
	}
}

// upcast examines a stride that the factor does not divide.
func upcast(f *failure) {
	o := f.innermost("upcast")
	if l := f.m.outermost("upcast"); l != nil && l.operation().isKnown() {
		o = l.operation()
	}
	f.use(o)
	if len(o.args) != 2 || !o.isKnown() {
		return
	}
	n, ok := integer(o.args[1])
	l, okL := layout(o.args[0])
	if !ok || !okL || n <= 0 {
		return
	}
	flat := l.Flatten()
	for i := range flat.Rank() {
		s, d := leafOf(flat, i)
		if d < 0 {
			d = -d
		}
		if d != 0 && d%n != 0 && n%d != 0 {
			f.Pair = fmt.Sprintf("%d:%d and %d", s, d, n)
			f.Condition = fmt.Sprintf("the stride %d of the mode %d:%d and the factor %d: %d mod %d = %d, %d mod %d = %d", d, s,
				d, n, d, n, d%n, n, d, n%d)
			f.offerPadded(o, l, d, roundUp(d, n))
		}
	}
	for by := int64(2); by < n && by <= maxDivisor; by++ {
		if n%by == 0 && f.offer(fmt.Sprintf("a factor of %d: an access %d times narrower", n/by, by),
			o.with(1, fmt.Sprint(n/by))) {
			return
		}
	}
	if n <= maxDivisor { // of a larger factor, only small divisors were tried
		f.repair(Repair{Say: "access single elements: no wider type fits these strides"})
	}
}

// offerPadded offers an operation in which one stride of its layout l is raised.
func (f *failure) offerPadded(o operation, l cute.Layout, stride, padded int64) {
	if strings.Contains(o.args[0], fmt.Sprint(stride)) && padded != stride {
		_, strides, _ := strings.Cut(o.args[0], ":")
		f.offer(fmt.Sprintf("the stride %d padded to %d", stride, padded),
			o.with(0, l.Shape().String()+":"+replaceNumber(strides, stride, padded)))
	}
}

// replaceNumber replaces an integer wherever it occurs in the text.
func replaceNumber(text string, old, now int64) string {
	for k := 0; ; k++ {
		n, _, _, ok := number(text, k)
		if !ok {
			return text
		}
		if n == old {
			text = withNumber(text, k, now)
		}
	}
}

// downcast examines a layout that has no adjacent elements.
func downcast(f *failure) {
	o := f.innermost("downcast")
	f.use(o)
	l, ok := layout(append(o.args, "")[0])
	if !ok {
		return
	}
	f.Condition = fmt.Sprintf("no mode of %s has the stride 1: its elements are not next to each other", l)
	if v, err := f.result(o.expr()); err == nil {
		f.repair(Repair{
			Say: "the elements keep their places and each is cut in place; write the layout itself", Expr: o.expr(), Result: v,
		})
	}
}
