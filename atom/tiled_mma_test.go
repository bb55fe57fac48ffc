package atom

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"girih/cute"

	"pgregory.net/rapid"
)

// mustFind returns the MMA of the name.
func mustFind(t interface{ Fatal(...any) }, name string) MMA {
	m, err := FindMMA(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A reference defines a tiled MMA without layouts: it maps value i of a thread to an element of the tile.
type reference struct {
	atom  MMA
	atoms cute.Layout
	perm  [3]cute.Layout
}

// element returns the place, in a tensor of several tiles along each mode, of the element that the thread (v,m,n,k)
// holds as value val of the atom in the rest (rx,ry).
func (r reference) element(o Operand, vmnk [4]int64, val, rx, ry int64) (int64, int64, error) {
	x, y := o.Axes()
	p, err := r.atom.At(o, vmnk[0], val)
	if err != nil {
		return 0, 0, err
	}
	place := func(axis int, inAtom, rest int64) (int64, error) {
		threads := r.atoms.Modes()[axis].Size()
		size := r.perm[axis].Size()
		inner := size / (r.atom.Shape[axis] * threads) // the repetitions in a tile
		i := inAtom + r.atom.Shape[axis]*(vmnk[axis+1]+threads*(rest%inner))
		at, err := r.perm[axis].At(i)
		return at + size*(rest/inner), err
	}
	row, err := place(x, p.Row, rx)
	if err != nil {
		return 0, 0, err
	}
	col, err := place(y, p.Column, ry)
	return row, col, err
}

// smallAtoms cover all kinds of threads, and are small enough to enumerate.
var smallAtoms = []string{
	"UniversalFMA<float,float,float>", "SM61_DP4A", "SM70_8x8x4_F32F16F16F32_NT", "SM70_8x8x4_F16F16F16F16_TN", "SM75_16x8x8_F32F16F16F32_TN",
	"SM80_16x8x16_F32F16F16F32_TN", "SM80_8x8x4_F64F64F64F64_TN", "SM80_16x8x64_S32S4S4S32_TN", "SM90_64x8x16_F32F16F16_RS",
	"v_mfma_f32_16x16x16_f16", "v_wmma_f32_16x16x16_f16", "v_wmma_f32_16x16x16_f16_gfx12",
}

// drawTiled draws a TiledMMA whose permutations are bijections made of swapped digits.
func drawTiled(t *rapid.T) (TiledMMA, reference) {
	a := mustFind(t, rapid.SampledFrom(smallAtoms).Draw(t, "atom"))
	var shape, order []int64
	counts := []int64{1, 2, 3}
	if a.ThrID.Size() == 8 { // three quad-pairs do not fill a warp
		counts = counts[:2]
	}
	for range 3 {
		shape = append(shape, rapid.SampledFrom(counts).Draw(t, "atoms"))
	}
	order = rapid.Permutation([]int64{0, 1, 2}).Draw(t, "order")
	atoms, err := cute.MakeOrderedLayout(cute.Ints(shape...), cute.Ints(order...))
	if err != nil {
		t.Fatal(err)
	}
	r := reference{atom: a, atoms: atoms}
	var elems []cute.Tiler
	for i := range 3 {
		n := a.Shape[i] * shape[i]
		r.perm[i] = column(n, 1)
		e := cute.Keep
		if rapid.Bool().Draw(t, "permuted") {
			repeats := rapid.SampledFrom([]int64{1, 2, 3}).Draw(t, "repeats")
			l, err := cute.MakeOrderedLayout(cute.Ints(a.Shape[i], shape[i]*repeats),
				cute.Ints(rapid.Permutation([]int64{0, 1}).Draw(t, "digits")...))
			if err != nil {
				t.Fatal(err)
			}
			r.perm[i], e = l, l
		}
		elems = append(elems, e)
	}
	m, err := MakeTiledMMA(a, atoms, cute.MakeTile(elems...))
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

// Partition gives every thread the elements of the definition, one by one, on tensors of several tiles.
func TestPartitionIsTheDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m, r := drawTiled(t)
		o := rapid.SampledFrom([]Operand{OperandA, OperandB, OperandC}).Draw(t, "operand")
		x, y := o.Axes()
		tile := m.TileShape()
		tx := rapid.SampledFrom([]int64{1, 2}).Draw(t, "tiles")
		ty := rapid.SampledFrom([]int64{1, 2}).Draw(t, "tiles")
		tensor, err := cute.LayoutLeft(cute.Ints(tile[x]*tx, tile[y]*ty))
		if err != nil {
			t.Fatal(err)
		}
		vmnk := [4]int64{
			rapid.Int64Range(0, m.atom.ThrID.Size()-1).Draw(t, "v"), rapid.Int64Range(0, m.threadsAlong(0)-1).Draw(t, "m"),
			rapid.Int64Range(0, m.threadsAlong(1)-1).Draw(t, "n"), rapid.Int64Range(0, m.threadsAlong(2)-1).Draw(t, "k"),
		}
		number, err := m.ThrLayoutVMNK().Eval(cute.Ints(vmnk[:]...))
		if err != nil {
			t.Fatal(err)
		}
		n, _ := number.Int64()
		thr, err := m.Thread(n)
		if err != nil || thr.VMNK() != vmnk || thr.SameAs() != n {
			t.Fatalf("thread %d: %v, want %v: %v", n, thr.VMNK(), vmnk, err)
		}
		part, offset, err := thr.Partition(o, tensor)
		if err != nil {
			t.Fatal(err)
		}
		start, _ := offset.Int64()
		values := m.atom.Values(o)
		restsX := tile[x] * tx / (m.atom.Shape[x] * m.threadsAlong(x))
		restsY := tile[y] * ty / (m.atom.Shape[y] * m.threadsAlong(y))
		if part.Size() != values*restsX*restsY {
			t.Fatalf("%v has %d values, want %d x %d x %d", part, part.Size(), values, restsX, restsY)
		}
		i := int64(0)
		for ry := range restsY {
			for rx := range restsX {
				for v := range values {
					row, col, err := r.element(o, vmnk, v, rx, ry)
					if err != nil {
						t.Fatal(err)
					}
					got, err := part.At(i)
					if want := row + tile[x]*tx*col; err != nil || got+start != want {
						t.Fatalf("%v: value %d of thread %d is %d, want %d = (%d,%d): %v", m, i, n, got+start, want, row, col, err)
					}
					i++
				}
			}
		}
	})
}

// If there is one atom along K, LayoutTV is Partition of the tile by every thread, and Owners is its inverse.
func TestLayoutTVIsPartition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m, _ := drawTiled(t)
		o := rapid.SampledFrom([]Operand{OperandA, OperandB, OperandC}).Draw(t, "operand")
		tv, err := m.LayoutTV(o)
		if err != nil {
			t.Fatal(err)
		}
		tensor, err := m.tile(o)
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.Int64Range(0, threadsOf(tv)-1).Draw(t, "thread")
		thr, err := m.Thread(n)
		if err != nil {
			t.Fatal(err)
		}
		if o == OperandC && m.threadsAlong(2) > 1 && thr.VMNK()[3] > 0 {
			return // CuTe's layout of C does not repeat along K
		}
		part, offset, err := thr.Partition(o, tensor)
		if err != nil {
			t.Fatal(err)
		}
		start, _ := offset.Int64()
		for v := range part.Size() {
			a, err1 := part.At(v)
			b, err2 := tv.At(n + v*threadsOf(tv))
			if err1 != nil || err2 != nil || a+start != b {
				t.Fatalf("%v: thread %d value %d of %v: partition %d, layout %d: %v %v", m, n, v, o, a+start, b, err1, err2)
			}
			rows := tensor.Modes()[0].Size()
			who, err := m.Owners(o, cute.Tuple{}, (a+start)%rows, (a+start)/rows)
			if err != nil || !slices.Contains(who, Holder{thr.SameAs(), v}) {
				t.Fatalf("%v: owners of (%d,%d) of %v are %v, not thread %d value %d: %v", m, (a+start)%rows, (a+start)/rows, o,
					who, thr.SameAs(), v, err)
			}
			if v >= 3 {
				break
			}
		}
	})
}

// The number of owners of an element is the number of atoms along the third mode times the copies within an atom.
func TestOwnersCount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m, _ := drawTiled(t)
		o := rapid.SampledFrom([]Operand{OperandA, OperandB, OperandC}).Draw(t, "operand")
		x, y := o.Axes()
		tile := m.TileShape()
		row := rapid.Int64Range(0, tile[x]-1).Draw(t, "row")
		col := rapid.Int64Range(0, tile[y]-1).Draw(t, "column")
		who, err := m.Owners(o, cute.Tuple{}, row, col)
		if err != nil {
			t.Fatal(err)
		}
		c, err := m.atom.Coverage(o)
		if err != nil {
			t.Fatal(err)
		}
		if want := c.Broadcast() * m.threadsAlong(3-x-y); int64(len(who)) != want {
			t.Fatalf("%v: (%d,%d) of %v has owners %v, want %d", m, row, col, o, who, want)
		}
	})
}

// A layout of atoms says at once how many there are, so what lists or counts them is limited.
func TestOwnersAndCoverageAreLimited(t *testing.T) {
	t.Parallel()
	m, err := MakeTiledMMA(mustFind(t, smallAtoms[0]), cute.MustParse("(1,1,1099511627776):(0,0,1)"), cute.Keep)
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Owners(OperandC, cute.Tuple{}, 0, 0)
	wantCode(t, err, cute.CodeLimit, "1099511627776 atoms along K")
	l := cute.MustParse("(4,2):(1,4)")
	_, err = CoverageOf(l, 1<<40)
	wantCode(t, err, cute.CodeLimit, "1099511627776 elements")
	_, err = CoverageOf(l, -1)
	wantCode(t, err, cute.CodeNegative, "-1 elements")
}

// The permutation that FindPermutation returns makes the runs. A permutation exists if a thread holds a divisor or a
// multiple of the run along the axis.
func TestFindPermutation(t *testing.T) {
	t.Parallel()
	found, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m, _ := drawTiled(t)
		o := rapid.SampledFrom([]Operand{OperandA, OperandB, OperandC}).Draw(t, "operand")
		x, y := o.Axes()
		axis := rapid.SampledFrom([]int{x, y}).Draw(t, "axis")
		run := rapid.Int64Range(1, 16).Draw(t, "run")
		tile, err := FindPermutation(m, o, axis, run)
		if held := heldAlong(t, m.atom, o, axis == x); held%run != 0 && run%held != 0 {
			if !hasCode(err, cute.CodeNotDivisible) {
				t.Fatalf("%v: runs of %d along %c, where a thread holds %d: %v, want %v", m, run, axisNames[axis], held, err,
					cute.CodeNotDivisible)
			}
			refused++
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		found++
		p, err := MakeTiledMMA(m.atom, m.atoms, tile)
		if err != nil {
			t.Fatalf("%v: %v", tile, err)
		}
		if p.TileShape()[axis] < m.TileShape()[axis] {
			t.Fatalf("%v is smaller than %v", p.TileShape(), m.TileShape())
		}
		identity, err := cute.MakeIdentityLayout(cute.Ints(p.TileShape()[x], p.TileShape()[y]))
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.Int64Range(0, p.Size()-1).Draw(t, "thread")
		thr, err := p.Thread(n)
		if err != nil {
			t.Fatal(err)
		}
		part, _, err := thr.Partition(o, identity)
		if err != nil {
			t.Fatal(err)
		}
		// Collect the values along the axis in order, for each position along the other axis.
		lines := map[int64][]int64{}
		for v := range part.Size() {
			c, err := cute.Idx2Crd(cute.Int(v), part.Shape())
			if err != nil {
				t.Fatal(err)
			}
			at, err := part.Eval(c)
			if err != nil {
				t.Fatal(err)
			}
			full, err := at.AppendToRank(2, cute.Int(0))
			if at.IsInt() {
				full = cute.Ints(0, 0)
			} else if err != nil {
				t.Fatal(err)
			}
			e := full.Leaves()
			k, other := 0, 1
			if axis == y {
				k, other = 1, 0
			}
			lines[e[other]] = append(lines[e[other]], e[k])
		}
		for _, line := range lines {
			for i := range line {
				if i%int(run) != 0 && line[i] != line[i-1]+1 {
					t.Fatalf("%v: thread %d has %v along %c, want runs of %d", p, n, line, axisNames[axis], run)
				}
			}
		}
	})
	if (found < 5 || refused < 5) && !testing.Short() { // with -short, too few are drawn
		t.Errorf("%d were found, %d refused", found, refused)
	}
}

// heldAlong returns how many rows, or columns, of an atom's operand thread 0 holds.
func heldAlong(t *rapid.T, a MMA, o Operand, rows bool) int64 {
	extent, _ := a.Extents(o)
	tv := a.TV(o)
	held := map[int64]bool{}
	for i, x := range offsets(t, tv) {
		if int64(i)%tv.Modes()[0].Size() != 0 {
			continue
		}
		if rows {
			held[x%extent] = true
		} else {
			held[x/extent] = true
		}
	}
	return int64(len(held))
}

func TestTiledMMARefuses(t *testing.T) {
	t.Parallel()
	sm80 := mustFind(t, "SM80_16x8x16_F32F16F16F32_TN")
	fits := func(atoms string, perm cute.Tiler) error {
		l := cute.Layout{}
		if atoms != "" {
			l = cute.MustParse(atoms)
		}
		_, err := MakeTiledMMA(sm80, l, perm)
		return err
	}
	tile := func(text string) cute.Tiler { return cute.MustParseTiler(text) }
	for _, c := range []struct {
		name string
		err  error
		code cute.Code
		says string
	}{
		{"rank", fits("(2,2,1,1):(1,2,0,0)", nil), cute.CodeRank, "4 modes"},
		{"rank of tile", fits("", tile("<32,32,16,1>")), cute.CodeRank, "4 modes"},
		{"too small", fits("(2,2,1):(1,2,0)", tile("<24,_,_>")), cute.CodeNotDivisible, "multiple of 32"},
		{"layout too small", fits("(2,2,1):(1,2,0)", tile("<(8,2):(1,8),_,_>")), cute.CodeNotDivisible, "multiple of 32"},
		{"shared threads", fits("(2,2,1):(1,1,0)", nil), cute.CodeNotInjective, "same threads"},
		{"negative", fits("(2,2,1):(-1,2,0)", nil), cute.CodeNegative, "-1"},
		{"coordinates", fits("(2,2):(1@0,1@1)", nil), cute.CodeCodomain, "1@0"},
		{"twice", fits("", tile("<(4,8):(1,2),_,_>")), cute.CodeNotInjective, "twice"},
		{"negative permutation", fits("", tile("<16:-1,_,_>")), cute.CodeNegative, "-1"},
		{"zero", fits("", cute.Ints(0, 8, 16)), cute.CodeExtent, "found 0"},
		{"integer", fits("", cute.Int(32)), cute.CodeType, "found 32"},
		{"three quad-pairs", func() error {
			_, err := MakeTiledMMA(mustFind(t, "SM70_8x8x4_F32F16F16F32_NT"), cute.MustParse("(3,2,1):(1,3,0)"), nil)
			return err
		}(), cute.CodeNotRepresentable, "do not fit the threads"},
		{"huge", fits("(1,1152921504606846976,1):(0,1,0)", nil), cute.CodeOverflow, ""},
	} {
		e, ok := errors.AsType[*cute.Error](c.err)
		if !ok || e.Code != c.code || !strings.Contains(e.Msg, c.says) {
			t.Errorf("%s: %v, want %s: ...%s...", c.name, c.err, c.code, c.says)
		}
	}
	m, err := MakeTiledMMA(sm80, cute.MustParse("(2,2,1):(1,2,0)"), tile("<32,32,16>"))
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range []int64{-1, 128, 1 << 60} {
		if _, err := m.Thread(thread); !hasCode(err, cute.CodeMode) {
			t.Errorf("thread %d: %v", thread, err)
		}
	}
	thr, err := m.Thread(5)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tensor string
		code   cute.Code
	}{{"64:1", cute.CodeRank}, {"(100,64):(1,100)", cute.CodeNotDivisible}, {"(64,20):(1,64)", cute.CodeNotDivisible}} {
		if _, _, err := thr.Partition(OperandA, cute.MustParse(c.tensor)); !hasCode(err, c.code) {
			t.Errorf("partition of %s: %v, want %s", c.tensor, err, c.code)
		}
	}
	if _, err := m.Owners(OperandC, cute.Tuple{}, 32, 0); !hasCode(err, cute.CodeMode) {
		t.Errorf("owners: %v", err)
	}
	for _, bad := range []MMA{{}, {Blocks: 1}, {Blocks: 1, Shape: [3]int64{1, 1, 1}}} {
		if _, err := MakeTiledMMA(bad, cute.Layout{}, nil); !hasCode(err, cute.CodeType) {
			t.Errorf("%v: %v", bad.Shape, err)
		}
	}
	var zero TiledMMA
	if _, err := zero.LayoutTV(OperandA); err == nil {
		t.Error("the zero TiledMMA has a layout")
	}
	if _, err := FindPermutation(zero, OperandA, 0, 1); err == nil {
		t.Error("the zero TiledMMA has a permutation")
	}
	blocks := mustFind(t, "v_mfma_f32_4x4x4_16b_f16")
	if _, err := MakeTiledMMA(blocks, cute.Layout{}, nil); !hasCode(err, cute.CodeType) {
		t.Errorf("blocks: %v", err)
	}
}

func hasCode(err error, code cute.Code) bool {
	e, ok := errors.AsType[*cute.Error](err)
	return ok && e.Code == code
}

// A permutation with gaps partitions the tensors that it divides, but a single tile then has no layout.
func TestPermutationWithGaps(t *testing.T) {
	t.Parallel()
	sm80 := mustFind(t, "SM80_16x8x16_F32F16F16F32_TN")
	m, err := MakeTiledMMA(sm80, cute.Layout{}, cute.MustParseTiler("<_,(2,16):(1,8),_>"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.LayoutTV(OperandC); !hasCode(err, cute.CodeNotRepresentable) {
		t.Errorf("LayoutTV: %v", err)
	}
	thr, err := m.Thread(0)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := thr.Partition(OperandC, cute.MustParse("(16,128):(128,1)"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	var columns []int64
	for _, x := range got {
		if x < 128 {
			columns = append(columns, x)
		}
	}
	slices.Sort(columns)
	want := []int64{}
	for _, b := range []int64{0, 32, 64, 96} {
		for i := range int64(8) {
			want = append(want, b+i)
		}
	}
	if !slices.Equal(columns, want) { // this tests user case U113
		t.Errorf("row 0 of thread 0: %v, want %v", columns, want)
	}
}

func TestAtomsAlongK(t *testing.T) {
	t.Parallel()
	sm80 := mustFind(t, "SM80_16x8x8_F32F16F16F32_TN")
	for _, c := range []struct {
		atoms string
		notes int
	}{{"(1,2,2):(0,1,2)", 2}, {"(2,1,2):(1,0,2)", 1}, {"(2,2,1):(1,2,0)", 0}} {
		m, err := MakeTiledMMA(sm80, cute.MustParse(c.atoms), nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := m.Notes(); len(n) != c.notes {
			t.Errorf("%s: notes %q, want %d", c.atoms, n, c.notes)
		}
	}
}

// If the runs are already long enough, nothing changes; no run becomes longer than requested.
func TestFindPermutationChangesLittle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		atom, atoms, tile string
		o                 Operand
		axis              int
		run               int64
		want              string
	}{
		{"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "_", OperandC, 1, 2, "<_,_,_>"},
		{"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "<32,32,16>", OperandC, 1, 2, "<32:1,32:1,16:1>"},
		{"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "<32,64,16>", OperandC, 1, 4, "<32:1,(2,8,2,2):(1,4,2,32),16:1>"},
		{"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "_", OperandC, 0, 2, "<(8,2):(2,1),_,_>"},
		{"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "_", OperandA, 2, 4, "<_,_,(2,4,2):(1,4,2)>"},
		{"v_mfma_f32_32x32x8_f16", "(1,1,1):(0,0,0)", "_", OperandC, 0, 16, "<(4,2,4):(1,16,4),_,_>"},
		{"UniversalFMA<float>", "(16,16,1):(1,16,0)", "_", OperandC, 0, 4, "<(16,4):(4,1),_,_>"},
	} {
		m, err := MakeTiledMMA(mustFind(t, c.atom), cute.MustParse(c.atoms), cute.MustParseTiler(c.tile))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := FindPermutation(m, c.o, c.axis, c.run); err != nil || got.String() != c.want {
			t.Errorf("%s %s %s, %v along %c, runs of %d: %v, want %s: %v", c.atom, c.atoms, c.tile, c.o, axisNames[c.axis],
				c.run, got, c.want, err)
		}
	}
}
