package linear

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawSquare draws a layout whose inputs and outputs share names; on some of these it is often the identity.
func drawSquare(t *rapid.T) Layout {
	ds := drawDims(t, "dims", []string{"a", "b", "c"}, 6)
	l := drawLayout(t, "l", ds, ds)
	for i, d := range ds {
		if rapid.IntRange(0, 2).Draw(t, "identity on "+d.Name) == 0 {
			for j := range l.cols {
				l.cols[j] &^= l.outs.mask(i)
			}
			for k := range int(l.ins.bits[i]) {
				l.cols[int(l.ins.off[i])+k] = 1 << (int(l.outs.off[i]) + k)
			}
			l.origin &^= l.outs.mask(i)
		}
	}
	return l
}

func TestIdentities(t *testing.T) { check(t, identitiesProperty) }

func FuzzIdentities(f *testing.F) { f.Fuzz(rapid.MakeFuzz(identitiesProperty)) }

func identitiesProperty(t *rapid.T) {
	l := drawSquare(t)
	for _, d := range l.InDims() {
		if l.InSize(d.Name) != l.OutSize(d.Name) {
			continue
		}
		onOut, square, trivial := true, true, true
		for _, p := range points(l) {
			v := eval(l, p)
			onOut = onOut && v[d.Name] == p[d.Name]
			alone := map[string]int64{}
			for name := range p {
				alone[name] = 0
			}
			alone[d.Name] = p[d.Name]
			square = square && eval(l, alone)[d.Name] == p[d.Name]
			// A layout is trivial over a dimension if its output equals its input, and other outputs do not change with
			// that input.
			p2 := maps.Clone(p)
			p2[d.Name] = 0
			w := eval(l, p2)
			for name := range v {
				trivial = trivial && (name == d.Name || v[name] == w[name])
			}
		}
		trivial = trivial && onOut
		if got := must(l.IsIdentityOnOutDim(d.Name)); got != onOut {
			t.Fatalf("%v is the identity on output %s: %v", l, d.Name, got)
		}
		if got := must(l.SquareSublayoutIsIdentity(d.Name)); got != square {
			t.Fatalf("%v is the identity from %s to itself: %v", l, d.Name, got)
		}
		if got := must(l.IsTrivialOver(d.Name)); got != trivial {
			t.Fatalf("%v is trivial over %s: %v", l, d.Name, got)
		}
		q, err := l.Quotient(d.Name)
		if (err == nil) != trivial {
			t.Fatalf("%v has a quotient by %s: %v", l, d.Name, err)
		}
		if err != nil {
			continue
		}
		for _, p := range points(q) {
			p2 := maps.Clone(p)
			p2[d.Name] = 0
			want := eval(l, p2)
			delete(want, d.Name)
			if !same(eval(q, p), want) {
				t.Fatalf("%v has the quotient %v by %s", l, q, d.Name)
			}
		}
	}
}

func TestReshapes(t *testing.T) { check(t, reshapesProperty) }

func FuzzReshapes(f *testing.F) { f.Fuzz(rapid.MakeFuzz(reshapesProperty)) }

func reshapesProperty(t *rapid.T) {
	l := drawAny(t, "l")
	split := func(label string, bits int) []Dim {
		n := rapid.IntRange(0, bits).Draw(t, label)
		return []Dim{{"p", 1 << n}, {"q", 1}, {"r", 1 << (bits - n)}}
	}
	r := must(must(l.ReshapeIns(split("ins", l.InBits())...)).ReshapeOuts(split("outs", l.OutBits())...))
	for _, m := range []Layout{r, l.FlattenIns().FlattenOuts()} {
		for x := range uint64(1) << l.InBits() {
			if must(m.Flat(x)) != must(l.Flat(x)) {
				t.Fatalf("%v reshaped is %v", l, m)
			}
		}
	}
	if s := must(must(r.SqueezeIns("q")).SqueezeOuts("q")); s.HasIn("q") || s.HasOut("q") || !slices.Equal(s.cols, l.cols) {
		t.Fatalf("%v squeezed is %v", r, s)
	}
	if order := names(l.OutDims()); len(order) > 0 {
		back := must(must(must(l.TransposeIns(slices.Sorted(slices.Values(names(l.InDims())))...)).TransposeOuts(
			slices.Sorted(slices.Values(order))...)).TransposeOuts(order...))
		if back = must(back.TransposeIns(names(l.InDims())...)); !back.Equal(l) {
			t.Fatalf("%v transposed twice is %v", l, back)
		}
	}
}

func TestConcatenations(t *testing.T) { check(t, concatenationsProperty) }

func FuzzConcatenations(f *testing.F) { f.Fuzz(rapid.MakeFuzz(concatenationsProperty)) }

func concatenationsProperty(t *rapid.T) {
	ins, outs := drawDims(t, "in", []string{"a", "b"}, 4), drawDims(t, "out", []string{"x", "y"}, 4)
	l := drawLayout(t, "l", ins, outs)
	right := drawLayout(t, "right", drawDims(t, "other in", []string{"c", "d"}, 4), outs)
	below := drawLayout(t, "below", ins, drawDims(t, "other out", []string{"u", "v"}, 4))
	side := must(l.ConcatIns(right))
	for _, p := range points(side) {
		want := eval(l, p)
		for name, y := range eval(right, p) {
			want[name] ^= y
		}
		if !same(eval(side, p), want) {
			t.Fatalf("%v beside %v is %v", l, right, side)
		}
	}
	stack := must(l.ConcatOuts(below))
	for _, p := range points(stack) {
		want := eval(l, p)
		maps.Copy(want, eval(below, p))
		if !same(eval(stack, p), want) {
			t.Fatalf("%v above %v is %v", l, below, stack)
		}
	}
	full := must(l.ConcatIns(must(l.Complement("rest"))))
	if l.outs.len() > 0 && (!full.IsSurjective() || full.InBits()-l.InBits() != l.OutBits()-l.Rank()) {
		t.Fatalf("%v completed is %v", l, full)
	}
}

func TestMasksAndContiguity(t *testing.T) { check(t, masksAndContiguityProperty) }

func FuzzMasksAndContiguity(f *testing.F) { f.Fuzz(rapid.MakeFuzz(masksAndContiguityProperty)) }

func masksAndContiguityProperty(t *rapid.T) {
	l := drawAny(t, "l")
	free := uint64(0)
	for i, m := range l.FreeVariableMasks() {
		free |= uint64(m.Value) << l.ins.off[i]
	}
	seen := map[uint64]bool{}
	for x := range uint64(1) << l.InBits() {
		if x&free == 0 {
			if v := must(l.Flat(x)); seen[v] {
				t.Fatalf("%v with %#x cleared repeats %#x", l, free, v)
			}
			seen[must(l.Flat(x))] = true
		}
	}
	if len(seen) != 1<<l.Rank() {
		t.Fatalf("%v with %#x cleared has %d values", l, free, len(seen))
	}
	for _, in := range l.InDims() {
		for _, out := range l.OutDims() {
			n, rest, err := l.FactorMaximalIdentityPrefix(in.Name, out.Name)
			if err != nil {
				t.Fatal(err)
			}
			if p := must(must(Identity1D(n, in.Name, out.Name)).Product(rest, Triton)); !sameFunction(p, l) {
				t.Fatalf("%v is not %d and %v", l, n, rest)
			}
			if id := must(Identity1D(2*n, in.Name, out.Name)); l.HasPart(id) {
				t.Fatalf("%v has a longer identity than %d", l, n)
			}
			in1, out1 := must(l.InputBasisMask(in.Name, out.Name)), must(l.OutputBasisMask([]string{in.Name}, out.Name))
			zero := must(l.SublayoutIsZero([]string{in.Name}, []string{out.Name}))
			if linear := l.IsLinear(); linear && zero != (in1 == 0) || linear && zero != (out1 == 0) {
				t.Fatalf("%v from %s to %s: zero %v, masks %#x and %#x", l, in.Name, out.Name, zero, in1, out1)
			}
		}
	}
	for _, out := range l.OutDims() {
		reached := map[int64]bool{}
		for _, p := range points(l) {
			reached[eval(l, p)[out.Name]^l.Origin()[l.outs.find(out.Name)]] = true
		}
		want := int64(1)
		for reached[want] {
			want *= 2
		}
		if got := must(l.ContiguousElemsAlongOutputDim(out.Name)); got != want {
			t.Fatalf("%v reaches %d along %s, found %d", l, want, out.Name, got)
		}
	}
}

func TestRegisterActions(t *testing.T) { check(t, registerActionsProperty) }

func FuzzRegisterActions(f *testing.F) { f.Fuzz(rapid.MakeFuzz(registerActionsProperty)) }

func registerActionsProperty(t *rapid.T) {
	l := drawLayout(t, "l", drawDims(t, "in", []string{"register", "lane"}, 6), drawDims(t, "out", []string{"offset"}, 5))
	if !l.HasIn("register") {
		return
	}
	bits := l.ins.bitsOf("register")
	order := rapid.Permutation([]int{0, 1, 2, 3, 4, 5}).Draw(t, "action")
	order = slices.DeleteFunc(order, func(k int) bool { return k >= bits })
	order = order[:rapid.IntRange(0, len(order)).Draw(t, "kept")]
	a := must(NewColumnAction(order, "register", bits))
	moved := must(a.Apply(l))
	// Values move as the bases do: register r of the result holds the value that belongs to the coordinates of r.
	held := make([]uint64, 1<<bits)
	for r := range held {
		held[r] = xorColumns(l.colsOf("register"), uint64(r))
	}
	for r, v := range must(ApplyValues(a, held)) {
		if v != xorColumns(moved.colsOf("register"), uint64(r)) {
			t.Fatalf("%v on %v: register %d holds %#x", a, l, r, v)
		}
	}
	if inv, err := a.Inverse(); (err == nil) != (len(order) == bits) || err == nil && !must(a.Then(inv)).IsIdentity() {
		t.Fatalf("%v has the inverse %v, %v", a, inv, err)
	}
	// Removing broadcasts and broadcasting again gives every register its element, even if bases depend on each other.
	_, pivots := must(l.Sublayout([]string{"register"}, names(l.OutDims()))).Matrix().RREF()
	distinct := must(ApplyValues(must(NewColumnAction(pivots, "register", bits)), held))
	if again := must(BroadcastAs(l, distinct)); !slices.Equal(again, held) {
		t.Fatalf("%v: registers %v broadcast from %v are %v", l, held, distinct, again)
	}
	if !l.HasOut("offset") || l.outs.width() == 0 {
		return
	}
	checkVector(t, l)
}

// checkVector compares the vectorisation with a search over all choices of register bits as the lowest bits.
func checkVector(t *rapid.T, l Layout) {
	v, perm, err := l.LargestVectorisation(32, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := int64(1)
	for _, n := range []int64{2, 4} {
		ok := l.origin&uint64(n-1) == 0
		for j, c := range l.cols {
			i, _ := l.ins.owner(j)
			unit := l.ins.names[i] == "register" && c < uint64(n) && c&(c-1) == 0
			ok = ok && (c&uint64(n-1) == 0 || unit)
		}
		for bit := uint64(1); bit < uint64(n); bit *= 2 {
			count := 0
			for _, c := range l.colsOf("register") {
				if c == bit {
					count++
				}
			}
			ok = ok && count == 1
		}
		if ok {
			want = n
		}
	}
	if v != want {
		t.Fatalf("%v: vectors of %d, want %d", l, v, want)
	}
	if !must(perm.Apply(l)).HasPart(must(Identity1D(v, "register", "offset"))) {
		t.Fatalf("%v after %v has no vectors of %d", l, perm, v)
	}
}

// TestAdditiveStrides checks that the sum of the front offsets equals their exclusive or.
func TestAdditiveStrides(t *testing.T) { check(t, additiveStridesProperty) }

func FuzzAdditiveStrides(f *testing.F) { f.Fuzz(rapid.MakeFuzz(additiveStridesProperty)) }

func additiveStridesProperty(t *rapid.T) {
	outs := []Dim{{"offset", 64}}
	l := drawLayout(t, "l", drawDims(t, "in", []string{"register"}, 4), outs)
	addr := drawLayout(t, "addr", drawDims(t, "addr in", []string{"lane", "warp"}, 4), outs)
	affine := rapid.Uint64Range(0, 63).Draw(t, "affine") & rapid.Uint64Range(0, 63).Draw(t, "fewer")
	if !l.HasIn("register") {
		return
	}
	n, a, err := l.ActionAdditiveStrides(addr, affine, 1)
	if err != nil {
		t.Fatal(err)
	}
	moved := must(a.Apply(l))
	for r := range uint64(1) << moved.InBits() {
		front, back := r&uint64(n-1), r&^uint64(n-1)
		add := xorColumns(moved.cols, front)
		for x := range uint64(1) << addr.InBits() {
			base := must(addr.Flat(x)) ^ xorColumns(moved.cols, back) ^ l.origin ^ affine
			if base+add != base^add {
				t.Fatalf("%v with %v after %v: register %d of lane %d is %#x + %#x", l, addr, a, r, x, base, add)
			}
		}
	}
}

func TestTensorReshapes(t *testing.T) {
	t.Parallel()
	l := must(New([]In{{"register", [][]int64{{1}, {2}}}, {"lane", [][]int64{{4}, {8}}}}, []Dim{{"dim0", 16}}))
	r := must(l.ReshapeTensor(2, 8))
	for x := range int64(4) {
		for y := range int64(4) {
			i := must(l.At(x, y))[0]
			if at := must(r.At(x, y)); at[0] != i/8 || at[1] != i%8 {
				t.Fatalf("element %d at %v", i, at)
			}
		}
	}
	tr := must(r.TransposeTensor([]int{1, 0}))
	if got := must(tr.At(1, 2)); got[0] != 1 || got[1] != 1 || tr.OutSize("dim0") != 8 {
		t.Fatalf("transposed %v at (1, 2): %v", tr, got)
	}
}

// The cases are the forms of Triton's printer: replicas, several blocks, padding, three dimensions.
func TestViews(t *testing.T) {
	t.Parallel()
	blocks := must(New([]In{
		{"register", nil}, {"lane", [][]int64{{1}, {2}, {4}}}, {"warp", nil}, {"block", [][]int64{{8}}},
	}, []Dim{{"dim0", 16}}))
	cube := must(New([]In{{"register", [][]int64{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}}}, []Dim{{"d", 2}, {"e", 2}, {"f", 2}}))
	for _, c := range []struct {
		f    func(Layout) (string, error)
		l    Layout
		want string
	}{
		{DistributedTensorView, blocks, "[B0:T0:0, B0:T1:0, B0:T2:0, B0:T3:0, B0:T4:0, B0:T5:0, B0:T6:0, B0:T7:0, " +
			"B1:T0:0, B1:T1:0, B1:T2:0, B1:T3:0, B1:T4:0, B1:T5:0, B1:T6:0, B1:T7:0]\n"},
		{DistributedHardwareView, blocks, "Block0:\nWarp0:\n( 0), ( 1), ( 2), ( 3), ( 4), ( 5), ( 6), ( 7)\n" +
			"Block1:\nWarp0:\n( 8), ( 9), (10), (11), (12), (13), (14), (15)\n"},
		{DistributedTensorView, cube, "[[[T0:0, T0:1]\n[  T0:2, T0:3]]\n[[ T0:4, T0:5]\n[  T0:6, T0:7]]]\n"},
		{
			DistributedTensorView, must(New([]In{{"lane", [][]int64{{1}, {2}, {4}, {8}}}}, []Dim{{"dim0", 16}})),
			"[ T0:0,  T1:0,  T2:0,  T3:0,  T4:0,  T5:0,  T6:0,  T7:0,  T8:0,  T9:0, T10:0, T11:0, T12:0, T13:0, T14:0, T15:0]\n",
		},
	} {
		if got := must(c.f(c.l)); got != c.want {
			t.Errorf("got\n%swant\n%s", got, c.want)
		}
	}
	if _, err := DistributedTensorView(must(Identity1D(2, "offset", "dim0"))); err == nil {
		t.Error("a dimension that is no part of the hardware is shown")
	}
}
