package tmem_test

import (
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/dtype"
	"girih/tmem"
)

// shapes are the fragments of tcgen05.ld and tcgen05.st: where register r of thread t is, in lanes and columns, with
// n repetitions. They are the figures of PTX ISA 9.7.16.2.3.1, as TVM tabulates them (tirx, tcgen05_ld_st).
var shapes = []struct {
	name             string
	lanes, registers int64 // registers for x1
	columns, most    int64
	place            func(t, r, n int64) (lane, column int64)
}{
	{"32x32b", 32, 1, 1, 128, func(t, r, _ int64) (int64, int64) { return t, r }},
	{"16x64b", 16, 1, 2, 128, func(t, r, _ int64) (int64, int64) { return t/4 + 8*(t%2), t/2%2 + 2*r }},
	{"16x128b", 16, 2, 4, 64, func(t, r, _ int64) (int64, int64) { return t/4 + 8*(r%2), t%4 + r/2*4 }},
	{"16x256b", 16, 4, 8, 32, func(t, r, _ int64) (int64, int64) { return t/4 + 8*(r/2%2), r%2 + 2*(t%4) + 8*(r/4) }},
	{"16x32bx2", 16, 1, 2, 128, func(t, r, n int64) (int64, int64) { return t % 16, t/16*n + r }},
}

// TestThreadValue compares all tcgen05.ld and tcgen05.st with the figures: every register of every thread. A packed
// register has the lower halves of two columns: the lower half of register r is value 2r of a fragment of half
// columns.
func TestThreadValue(t *testing.T) {
	t.Parallel()
	count := 0
	for _, s := range shapes {
		for n := int64(1); n <= s.most; n *= 2 {
			for _, a := range []tmem.Access{
				{Shape: s.name, Repeat: n},
				{Shape: s.name, Repeat: n, Store: true},
				{Shape: s.name, Repeat: n, Packed: true},
				{Shape: s.name, Repeat: n, Packed: true, Store: true},
			} {
				count++
				if b := must(tmem.ParseAccess(a.String())); b != a {
					t.Fatalf("%v is read as %v", a, b)
				}
				width := int64(32)
				if a.Packed {
					width = 16
				}
				l := must(a.ThreadValue(width))
				if a.Registers() != s.registers*n || a.Columns() != s.columns*n*32/width || a.Lanes() != s.lanes {
					t.Fatalf("%v: %d registers, %d columns, %d lanes", a, a.Registers(), a.Columns(), a.Lanes())
				}
				seen := map[int64]bool{}
				for thread := range int64(32) {
					for r := range a.Registers() {
						lane, column := s.place(thread, r, n)
						for part := range 32 / width {
							want := lane*65536*(32/width) + (column*(32/width)+part)*(32/width)
							got := must(l.At(thread + 32*(r*(32/width)+part)))
							if got != want {
								t.Fatalf("%v: thread %d, register %d, part %d: %d, want %d", a, thread, r, part, got, want)
							}
							seen[got] = true
						}
					}
				}
				if int64(len(seen)) != a.Lanes()*a.Columns() {
					t.Errorf("%v moves %d values of %d", a, len(seen), a.Lanes()*a.Columns())
				}
			}
		}
	}
	if count != 4*37 {
		t.Errorf("%d instructions, want 4 × 37", count)
	}
}

// TestSplit checks the offset of the second half of 16x32bx2.
func TestSplit(t *testing.T) {
	t.Parallel()
	l := must(tmem.Access{Shape: "16x32bx2", Repeat: 2, Split: 64}.ThreadValue(32))
	for thread := range int64(32) {
		for r := range int64(2) {
			if got, want := must(l.At(thread+32*r)), thread%16*65536+thread/16*64+r; got != want {
				t.Errorf("thread %d, register %d: %d, want %d", thread, r, got, want)
			}
		}
	}
}

// drawTensor draws a tensor in tensor memory: an accumulator of any data path, perhaps repeated, or an A.
func drawTensor(t *rapid.T) tmem.Tensor {
	f := rapid.SampledFrom(figures()).Draw(t, "figure")
	i := f.of(rapid.SampledFrom(f.extents()).Draw(t, "N"))
	if rapid.Bool().Draw(t, "sums of f16") {
		i.D = dtype.F16
	}
	d := must(tmem.Accumulator(i))
	if rapid.Bool().Draw(t, "A") {
		if a, err := tmem.OperandA(i, rapid.Int64Range(1, 64).Draw(t, "k")*2); err == nil {
			d = a
		}
	}
	switch rapid.IntRange(0, 3).Draw(t, "tiles") {
	case 1:
		if e, err := d.Tile(2, rapid.Int64Range(1, 3).Draw(t, "tiles of N")); err == nil {
			d = e
		}
	case 2:
		if e, err := d.TileColumns(rapid.Int64Range(1, 4).Draw(t, "tiles of M")); err == nil {
			d = e
		}
	}
	lane := int64(0)
	if d.Halves() == 0b01010101 {
		lane = 16 * rapid.Int64Range(0, 1).Draw(t, "upper lanes")
	}
	column := rapid.Int64Range(0, tmem.Columns-d.Columns()).Draw(t, "column")
	if column == tmem.Columns {
		column--
	}
	return must(d.Move(must(tmem.NewAddress(lane, column))))
}

// owners checks that the element at a drawn coordinate is where its owner says, by the figures, and that Element is
// the inverse of Owner.
func owners(t *rapid.T) {
	d := drawTensor(t)
	s := rapid.SampledFrom(shapes).Draw(t, "shape")
	a := tmem.Access{Shape: s.name, Repeat: 1, Store: rapid.Bool().Draw(t, "store")}
	for rapid.Bool().Draw(t, "repeat") && a.Repeat < s.most {
		a.Repeat *= 2
	}
	a.Packed = rapid.Bool().Draw(t, "packed")
	var coord []int64
	for _, m := range d.Shape().Modes() {
		coord = append(coord, rapid.Int64Range(0, must(m.Product())-1).Draw(t, "coordinate"))
	}
	p := must(d.Place(coord...))
	part, err := a.Partition(d)
	if err != nil {
		return
	}
	o := must(part.Owner(coord...))
	lane, column := s.place(o.Thread, o.Register, a.Repeat)
	bit := o.Bit
	if a.Packed {
		column, bit = 2*column+bit/16, bit%16
	}
	if got := (tmem.Place{Lane: o.At.Lane() + lane, Column: o.At.Column() + column, Bit: bit}); got != p {
		t.Fatalf("%v of %v: %v is at %v, the element is at %v", a, coord, o, got, p)
	}
	if o.Warp != p.Lane/32 || o.Register >= a.Registers() {
		t.Fatalf("%v: %v for %v", a, o, p)
	}
	back, found, err := part.Element(o)
	if err != nil || !found || must(d.Place(back...)) != p {
		t.Fatalf("%v: %v holds %v, %v, %v", a, o, back, found, err)
	}
}

func TestOwners(t *testing.T)   { holds(t, owners) }
func FuzzOwners(f *testing.F)   { f.Fuzz(rapid.MakeFuzz(owners)) }
func TestCoverage(t *testing.T) { holds(t, coverage) }

// coverage checks that an access that covers a tensor gives each element one owner of its own.
func coverage(t *rapid.T) {
	f := rapid.SampledFrom(figures()).Draw(t, "figure")
	ns := f.extents()
	d := must(tmem.Accumulator(f.of(ns[rapid.IntRange(0, min(1, len(ns)-1)).Draw(t, "N")])))
	s := rapid.SampledFrom(shapes).Draw(t, "shape")
	a := tmem.Access{Shape: s.name, Repeat: 1 << rapid.IntRange(0, 3).Draw(t, "repeat")}
	part, err := a.Partition(d)
	if err != nil {
		return
	}
	rows, columns := must(must(d.Shape().Mode(0)).Product()), must(must(d.Shape().Mode(1)).Product())
	seen := map[tmem.Owner]bool{}
	// A sample of rows and all columns: no two of them share an owner.
	for _, m := range []int64{0, 1, rows/2 - 1, rows / 2, rows - 1} {
		for n := range columns {
			seen[must(part.Owner(m, n))] = true
		}
	}
	if int64(len(seen)) != 5*columns {
		t.Fatalf("%v: %d owners of %d elements", a, len(seen), 5*columns)
	}
}

// TestTiledCopy compares the owners with the partition of CuTe's make_tmem_copy: value v of a thread of the copy is
// value v of its registers.
func TestTiledCopy(t *testing.T) {
	t.Parallel()
	for _, d := range []tmem.Tensor{
		must(tmem.Accumulator(f16(128, 32, 1))), must(tmem.Accumulator(f16(64, 32, 1))),
		must(tmem.Accumulator(f16(128, 64, 2))), must(must(tmem.Accumulator(f16(64, 32, 1))).Tile(2)),
		must(tmem.OperandA(f16(128, 64, 1), 64)),
	} {
		for _, s := range shapes {
			for _, a := range []tmem.Access{{Shape: s.name, Repeat: 2}, {Shape: s.name, Repeat: 2, Store: true}} {
				if _, err := a.Partition(d); err == nil {
					checkTiledCopy(t, a, d)
				}
			}
		}
	}
	_, err := tmem.Access{Shape: "32x32b", Repeat: 1}.TiledCopy(must(tmem.Accumulator(f16(64, 32, 1))))
	wantCode(t, "32 lanes of a tensor in 16", err, cute.CodeNotInvertible)
}

func checkTiledCopy(t *testing.T, a tmem.Access, d tmem.Tensor) {
	t.Helper()
	c, part := must(a.TiledCopy(d)), must(a.Partition(d))
	fragments := c.ThrfrgD
	if a.Store {
		fragments = c.ThrfrgS
	}
	index := must(cute.LayoutLeft(d.Shape()))
	l := must(fragments(index)) // ((ThrV,ThrX),FrgV,(Rest...)) -> index
	sizes := l.AppendModeSizes(nil)
	if l.Size() != index.Size() {
		t.Fatalf("%v: %d values of %d elements", a, l.Size(), index.Size())
	}
	for i := range l.Size() {
		thread, value := i%sizes[0], i/sizes[0]%sizes[1]
		x := must(l.At(i))
		var coord []int64
		for _, m := range d.Shape().Modes() {
			n := must(m.Product())
			coord = append(coord, x%n)
			x /= n
		}
		o := must(part.Owner(coord...))
		if o.Warp*32+o.Thread != thread || (o.Register*32+o.Bit)/d.Bits() != value {
			t.Fatalf("%v: thread %d, value %d of the copy is %v, which %v holds", a, thread, value, coord, o)
		}
	}
}

func TestAccessErrors(t *testing.T) {
	t.Parallel()
	d, f := must(tmem.Accumulator(f16(128, 32, 1))), must(tmem.Accumulator(f16(64, 32, 1)))
	a := must(tmem.OperandA(f16(128, 64, 1), 16))
	for _, c := range []struct {
		a    tmem.Access
		t    tmem.Tensor
		code cute.Code
	}{
		{tmem.Access{Shape: "32x64b", Repeat: 1}, d, cute.CodeName},
		{tmem.Access{Shape: "32x32b", Repeat: 3}, d, cute.CodeName},
		{tmem.Access{Shape: "16x256b", Repeat: 64}, d, cute.CodeName},
		{tmem.Access{Shape: "16x256b", Repeat: -1}, d, cute.CodeName},
		{tmem.Access{Shape: "32x32b", Repeat: 1, Split: 1}, d, cute.CodeMode},
		{tmem.Access{Shape: "16x32bx2", Repeat: 1, Split: 2}, d, cute.CodeType},
		{tmem.Access{Shape: "16x32bx2", Repeat: 1, Split: 1}, d, ""},
		{tmem.Access{Shape: "32x32b", Repeat: 64}, d, cute.CodeNotDivisible},
		{tmem.Access{Shape: "32x32b", Repeat: 32}, f, cute.CodeMode},
		{tmem.Access{Shape: "32x32b", Repeat: 1, Packed: true}, a, cute.CodeType},
	} {
		_, err := c.a.Partition(c.t)
		wantCode(t, c.a.String(), err, c.code)
	}
	for _, text := range []string{"", "x1", "32x32b.x3", "32x32b.y1", "ld.32x32b.x99999999999999999999", "\xff"} {
		_, err := tmem.ParseAccess(text)
		wantCode(t, text, err, cute.CodeName)
	}
	_, err := tmem.Access{Shape: "32x32b", Repeat: 1, Packed: true}.ThreadValue(32)
	wantCode(t, "32 bits of half a column", err, cute.CodeNotDivisible)
	_, err = tmem.Access{Shape: "32x32b", Repeat: 1}.ThreadValue(0)
	wantCode(t, "values of no bits", err, cute.CodeNotDivisible)
	_, _, err = must(tmem.Access{Shape: "32x32b", Repeat: 1}.Partition(d)).Element(tmem.Owner{Register: 1})
	wantCode(t, "register 1 of 1", err, cute.CodeMode)
}
