package diagnose

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	shared "girih/descriptor"
	"girih/dtype"
)

// tileToShape examines a block that does not divide its target.
func tileToShape(f *failure) {
	o := f.innermost("tile_to_shape")
	if fr := f.m.outermost("tile_to_shape"); fr != nil && fr.operation().isKnown() {
		o = fr.operation() // the operation with the block's swizzle
	}
	f.use(o)
	f.Fact = "" // girih rounds the target up, which is a repair rather than an answer
	if len(o.args) < 2 || o.args[0] == "" || o.args[1] == "" {
		return
	}
	block, target := modes(shapeOf(o.args[0])), modes(o.args[1])
	if len(block) > len(target) {
		f.Pair = o.args[0] + " and " + o.args[1]
		f.Condition = fmt.Sprintf("the block %s has %s, the target %s has %d", o.args[0], count(len(block), "mode"),
			o.args[1], len(target))
		if whole := padShape(block, target); whole != "" {
			f.offer("a target with as many modes, each a multiple of the block's", o.with(1, whole))
		}
		return
	}
	f.divides(block, target)
	f.repairTile(o)
}

// padShape returns the target with its missing modes added, and every mode rounded up to a multiple of the block's.
func padShape(block, target []string) string {
	out := make([]string, max(len(block), len(target)))
	for i := range out {
		b, t := int64(1), int64(0)
		if i < len(block) {
			n, ok := product(block[i])
			if !ok {
				return ""
			}
			b = n
		}
		t = b
		if i < len(target) {
			n, ok := product(target[i])
			if !ok {
				return ""
			}
			t = n
		}
		out[i] = fmt.Sprint(roundUp(t, b))
	}
	return "(" + strings.Join(out, ",") + ")"
}

// product returns the product of the integers in a text.
func product(text string) (int64, bool) {
	ns, ok := integers(text)
	p := int64(1)
	for _, n := range ns {
		if n <= 0 || p > (1<<40)/n {
			return 0, false
		}
		p *= n
	}
	return p, ok
}

// divides records in which modes the block does not divide the target.
func (f *failure) divides(block, target []string) {
	var why []string
	for i := range min(len(block), len(target)) {
		b, okB := product(block[i])
		t, okT := product(target[i])
		if okB && okT && t%b != 0 {
			why = append(why, fmt.Sprintf("mode %d: %d does not divide %d: remainder %d", i, b, t, t%b))
			f.Pair = fmt.Sprintf("%d and %d", t, b)
		}
	}
	f.Condition = strings.Join(why, "; ")
}

// repairTile offers a narrower swizzle pattern, a block whose size divides the target, and a padded target.
func (f *failure) repairTile(o operation) {
	block, target := modes(shapeOf(o.args[0])), modes(o.args[1])
	f.patterns()
	if strings.HasPrefix(o.args[0], "Sw<") && !strings.Contains(o.args[0], "smem_ptr") {
		f.narrower(o, target)
	}
	if !strings.HasPrefix(o.args[0], "Sw<") && len(block) <= len(target) {
		shape := make([]string, len(block))
		changed := false
		for i := range block {
			b, okB := product(block[i])
			t, okT := product(target[i])
			if !okB || !okT {
				return
			}
			d, _ := divisors(t, b)
			shape[i] = fmt.Sprint(d)
			changed = changed || d != b
		}
		if c := f.blockOf(o.args[0], "("+strings.Join(shape, ",")+")"); changed && c != "" {
			f.offer("a block that divides the target, in the same order", o.with(0, c))
		}
	}
	if padded := padShape(block, target); padded != "" && padded != o.args[1] {
		f.offer("the target padded to "+padded, o.with(1, padded))
	}
}

// blockOf returns a compact block with another shape in the order of the given block: row-major if the given block's
// last mode is contiguous, otherwise column-major.
func (f *failure) blockOf(block, shape string) string {
	_, stride, _ := strings.Cut(block, ":")
	how := "layout_left"
	if ds := modes(stride); len(ds) > 1 && ds[len(ds)-1] == "1" {
		how = "layout_right"
	}
	v, err := f.result(how + "(" + shape + ")")
	if err != nil {
		return ""
	}
	return v
}

// narrower offers blocks whose swizzle has fewer bits and whose extent is a half, a quarter or an eighth, just as SW64,
// SW32 and INTER are narrower than SW128.
func (f *failure) narrower(o operation, target []string) {
	outer, _, _ := strings.Cut(o.args[0], " o ")
	w, err := cute.ParseSwizzle(outer)
	if err != nil {
		return
	}
	shape := modes(shapeOf(o.args[0]))
	_, stride, _ := strings.Cut(o.args[0][strings.LastIndex(o.args[0], " o ")+3:], ":")
	ds := modes(stride)
	if len(shape) != 2 || len(ds) != 2 || len(target) < 2 {
		return
	}
	c := 0
	if ds[1] == "1" {
		c = 1
	}
	rows, okR := integer(shape[1-c])
	run, okC := integer(shape[c])
	if !okR || !okC {
		return
	}
	for cut := 1; cut <= w.B(); cut++ {
		run := run >> cut
		extents, strides := [2]int64{rows, rows}, [2]int64{run, run}
		extents[c], strides[c] = run, 1
		text := fmt.Sprintf("(%d,%d):(%d,%d)", extents[0], extents[1], strides[0], strides[1])
		if w.B() > cut {
			text = fmt.Sprintf("Sw<%d,%d,%d> o 0 o %s", w.B()-cut, w.M(), w.S(), text)
		}
		t, ok := product(target[c])
		if !ok || run == 0 || t%run != 0 {
			continue
		}
		if f.offer(fmt.Sprintf("a pattern of %d elements along the contiguous mode instead of %d", run, run<<cut),
			o.with(0, text)) {
			return
		}
	}
}

// patterns offers a canonical shared memory atom in place of the atom in the text: SW64 in place of SW128. The new
// atom's extent must divide the other extent of the failing pair, or be divided by it.
func (f *failure) patterns() {
	bits := f.flagBits()
	t, ok := typeOfBits(bits)
	if !ok {
		return
	}
	extent := f.meets()
	if extent == 0 {
		return
	}
	for _, p := range []shared.Pattern{shared.SW128, shared.SW64, shared.SW32, shared.INTER} {
		a, err := shared.MakeAtom(p, atom.KMajor, t)
		if err != nil {
			continue
		}
		m, err := a.Layout.Mode(1)
		if err != nil {
			continue
		}
		w := m.Size()
		if w == 0 || extent%w != 0 && w%extent != 0 {
			continue
		}
		expr := fmt.Sprintf("shape_div(%d,%d)", extent, w)
		v, err := f.result(expr)
		if err != nil {
			continue
		}
		f.Repairs = append([]Repair{{
			Say:  fmt.Sprintf("%s: its atoms are %d elements of %d bits wide, and %s", a.Name(), w, bits, divide(w, extent)),
			Expr: expr, Result: v,
		}}, f.Repairs...)
		return
	}
}

// divide describes which of two integers divides the other.
func divide(a, b int64) string {
	if b%a == 0 {
		return fmt.Sprintf("%d divides %d", a, b)
	}
	return fmt.Sprintf("%d divides %d", b, a)
}

// meets returns the extent of the failing pair that does not belong to the atom: 96 for shape_div(96,64), or 0 if this
// is unclear.
func (f *failure) meets() int64 {
	a, b, ok := strings.Cut(f.Pair, " and ")
	if !ok {
		return 0
	}
	x, okX := integer(a)
	y, okY := integer(b)
	if !okX || !okY {
		return 0
	}
	bits := f.flagBits()
	for _, w := range []int64{1024, 512, 256} {
		if bits > 0 && y == w/bits {
			return x
		}
		if bits > 0 && x == w/bits {
			return y
		}
	}
	return 0
}

// flagBits returns the bits of an element that the text gives next to a swizzle on bytes, or 0: 16 for Swizzle<3,4,3>
// and smem_ptr_flag_bits<16>.
func (f *failure) flagBits() int64 {
	for _, key := range []string{"smem_ptr_flag_bits<", "smem_ptr["} {
		for i := range f.m.frames {
			fr := &f.m.frames[i]
			for _, p := range fr.params {
				if n := bitsAfter(p.text, key); n > 0 {
					return n
				}
			}
			for _, a := range fr.args {
				if n := bitsAfter(a, key); n > 0 {
					return n
				}
			}
		}
		if n := bitsAfter(f.m.body, key); n > 0 {
			return n
		}
	}
	return 0
}

func bitsAfter(text, key string) int64 {
	_, rest, ok := strings.Cut(text, key)
	if !ok {
		return 0
	}
	n, start, _, ok := number(rest, 0)
	if !ok || start > 2 || n > 128 {
		return 0
	}
	return n
}

// typeOfBits returns any type whose elements have the given bits. A layout depends only on the bits.
func typeOfBits(bits int64) (dtype.Type, bool) {
	name, ok := map[int64]string{4: "int4", 8: "int8", 16: "half_t", 32: "float", 64: "double"}[bits]
	if !ok {
		return 0, false
	}
	t, err := dtype.Parse(name)
	return t, err == nil
}
