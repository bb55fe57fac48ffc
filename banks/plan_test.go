package banks_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/banks"
	"girih/cute"
	"girih/internal/check/gen"
)

// expected returns the wavefronts of every instruction of a thread-value layout, by the definitions; ok is false if
// some vector is not contiguous or not aligned.
func expected(l, tv cute.Layout, a banks.Access, elemBits int) (wavefronts []int, ok bool) {
	threads, _ := tv.Mode(0)
	n := int(threads.Size())
	values := int(tv.Size()) / n
	vector := a.Bits() / elemBits
	for w := 0; w < n; w += 32 {
		for v := 0; v < values; v += vector {
			addrs := make([]int64, 0, 32)
			for t := w; t < min(w+32, n); t++ {
				var first int64
				for k := range vector {
					i, _ := tv.At(int64(t + n*(v+k)))
					x, _ := l.At(i)
					if k == 0 {
						first = x
					}
					if x != first+int64(k) {
						return nil, false
					}
				}
				if first%int64(vector) != 0 {
					return nil, false
				}
				addrs = append(addrs, first*int64(elemBits)/8)
			}
			sum := 0
			for _, d := range oracle(hopper(a, addrs), 32, a.Bits()/8, addrs, strings.HasPrefix(a.String(), "cp.async")) {
				sum += d
			}
			wavefronts = append(wavefronts, sum)
		}
	}
	return wavefronts, true
}

func TestPlanAgainstOracle(t *testing.T) {
	t.Parallel()
	refused, done := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := gen.NonNegativeLayouts().Draw(t, "l")
		// Draw an arbitrary function to the indices of l: threads and values that cover a slice of these indices.
		size := l.Size()
		n := rapid.Int64Range(1, 70).Draw(t, "threads")
		m := rapid.SampledFrom([]int64{1, 2, 4, 8}).Draw(t, "values")
		st := rapid.Int64Range(0, max(0, (size-1)/max(1, n-1))).Draw(t, "thread stride")
		sv := rapid.Int64Range(0, max(0, (size-1-st*(n-1))/max(1, m-1))).Draw(t, "value stride")
		tv, err := cute.New(cute.Ints(n, m), cute.Ints(st, sv))
		if err != nil {
			t.Fatal(err)
		}
		elemBits := rapid.SampledFrom([]int{4, 8, 16, 32, 64}).Draw(t, "bits")
		access := mustAccess(t,
			rapid.SampledFrom([]string{"ld.8", "ld.16", "ld.32", "ld.64", "ld.128", "st.32", "st.64", "st.128"}).Draw(t, "access"))
		rule, err := mustTarget(t, "sm90").Rule(access)
		if err != nil {
			t.Fatal(err)
		}
		p, err := banks.NewPlan(rule, l, elemBits, banks.TV(tv))
		fitsValues := access.Bits()%elemBits == 0 && int(m)%(access.Bits()/elemBits) == 0
		if (err == nil) != fitsValues {
			t.Fatalf("NewPlan: %v, whole accesses: %v", err, fitsValues)
		}
		if err != nil {
			return
		}
		offsets, err := l.AppendOffsets(nil)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := expected(l, tv, access, elemBits)
		sum, groups, err := p.Groups(offsets)
		if (err == nil) != ok {
			t.Fatalf("%v of %v by %v, %d bits: %v, the oracle says %v", access, l, tv, elemBits, err, ok)
		}
		if !ok {
			refused++
			return
		}
		done++
		total, places := 0, 0
		for _, w := range want {
			total += w
		}
		for _, g := range groups {
			for _, at := range g.Places {
				places++
				if w := want[at.Warp*p.Instructions()+at.Instruction]; w != g.Wavefronts {
					t.Fatalf("warp %d, instruction %d: %d wavefronts, the oracle says %d", at.Warp, at.Instruction, g.Wavefronts, w)
				}
			}
		}
		if sum.Wavefronts != total || places != len(want) {
			t.Fatalf("%d wavefronts of %d instructions, the oracle says %d of %d", sum.Wavefronts, places, total, len(want))
		}
	})
	if !testing.Short() && (refused == 0 || done == 0) { // all of 20 draws may be of one kind
		t.Errorf("%d plans run, %d refused: the draw is one-sided", done, refused)
	}
}

// A partition by thr_layout and val_layout equals CuTe's: layout_tv = right_inverse(raked_product(thr, val)), tile by
// tile.
func TestPartitionIsRakedProduct(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		thr := numbered(t, "thr")
		val := numbered(t, "val")
		raked, err := cute.RakedProduct(thr, val)
		if err != nil {
			t.Fatal(err)
		}
		inverse, err := cute.RightInverse(raked)
		if err != nil {
			t.Fatal(err)
		}
		tv, err := inverse.WithShape(cute.Ints(thr.Size(), val.Size()))
		if err != nil {
			t.Fatal(err)
		}
		tile, err := modeProducts(raked.Shape())
		if err != nil {
			t.Fatal(err)
		}
		mem, err := cute.LayoutLeft(cute.Ints(tile...))
		if err != nil {
			t.Fatal(err)
		}
		offsets, err := mem.AppendOffsets(nil)
		if err != nil {
			t.Fatal(err)
		}
		rule, err := mustTarget(t, "sm90").Rule(mustAccess(t, "ld"))
		if err != nil {
			t.Fatal(err)
		}
		a, err := banks.NewPlan(rule, mem, 16, banks.Partition(thr, val))
		if err != nil {
			t.Fatal(err)
		}
		b, err := banks.NewPlan(rule, mem, 16, banks.TV(tv))
		if err != nil {
			t.Fatal(err)
		}
		if a.Threads() != b.Threads() || a.Values() != b.Values() || a.Covered() != len(offsets) {
			t.Fatalf("%d x %d, want %d x %d; %d of %d elements", a.Threads(), a.Values(), b.Threads(), b.Values(), a.Covered(),
				len(offsets))
		}
		for w := range a.Warps() {
			for i := range a.Instructions() {
				x, err1 := a.Addresses(nil, offsets, w, i)
				y, err2 := b.Addresses(nil, offsets, w, i)
				if err1 != nil || err2 != nil || !slices.Equal(x, y) {
					t.Fatalf("thr %v, val %v, warp %d, instruction %d: %v %v, want %v %v", thr, val, w, i, x, err1, y, err2)
				}
			}
		}
	})
}

// numbered draws a layout of two modes that numbers its coordinates by rows or by columns.
func numbered(t *rapid.T, label string) cute.Layout {
	m, n := rapid.Int64Range(1, 9).Draw(t, label+" m"), rapid.Int64Range(1, 9).Draw(t, label+" n")
	stride := cute.Ints(1, m)
	if rapid.Bool().Draw(t, label+" by rows") {
		stride = cute.Ints(n, 1)
	}
	l, err := cute.New(cute.Ints(m, n), stride)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func modeProducts(shape cute.Tuple) ([]int64, error) {
	var out []int64
	for _, m := range shape.Modes() {
		n, err := m.Product()
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// rows, cols and the default give every element to exactly one lane.
func TestWordsCoverTheMemory(t *testing.T) {
	t.Parallel()
	refused := 0
	rapid.Check(t, func(t *rapid.T) {
		l := gen.NonNegativeLayouts().Draw(t, "l")
		threads := rapid.SampledFrom([]banks.Threads{{}, banks.Rows(), banks.Cols()}).Draw(t, "threads")
		access := mustAccess(t,
			rapid.SampledFrom([]string{"ld", "st.v2", "ld.v4", "ld.128", "ldmatrix.x1", "ldmatrix.x4"}).Draw(t, "access"))
		rule, err := mustTarget(t, "sm90").Rule(access)
		if err != nil {
			t.Fatal(err)
		}
		p, err := banks.NewPlan(rule, l, 16, threads)
		if err != nil {
			refused++
			return
		}
		if int64(p.Covered()) != l.Size() {
			t.Fatalf("%v: %s covers %d of %d", l, p.How(), p.Covered(), l.Size())
		}
		times := 0
		for i := range p.Instructions() {
			addrs, err := p.Addresses(nil, slices.Repeat([]int64{0}, int(l.Size())), 0, i)
			if p.Vector() > 1 {
				return // vectors have no equal offsets
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range addrs {
				if a != banks.Inactive {
					times++
				}
			}
		}
		if int64(times) != l.Size() {
			t.Fatalf("%v: %s accesses %d of %d elements", l, p.How(), times, l.Size())
		}
	})
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

func TestTrafficAgainstOracle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		addrs := make([]int64, rapid.IntRange(0, 64).Draw(t, "lanes"))
		width := rapid.SampledFrom([]int{1, 2, 4, 8, 16, 24, 40, 64, 200}).Draw(t, "width")
		stride := rapid.Int64Range(0, 300).Draw(t, "stride")
		random := rapid.Bool().Draw(t, "random")
		bytes, sectors, lines := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
		for l := range addrs {
			addrs[l] = stride * int64(l)
			if random {
				addrs[l] = rapid.Int64Range(-1, 2000).Draw(t, "address")
			}
			if addrs[l] == banks.Inactive {
				continue
			}
			for b := addrs[l]; b < addrs[l]+int64(width); b++ {
				bytes[b], sectors[b/32], lines[b/128] = true, true, true
			}
		}
		want := banks.Traffic{Sectors: len(sectors), Lines: len(lines), Bytes: int64(len(bytes))}
		if len(bytes) > 0 {
			want.Requests = 1
		}
		got, err := banks.RequestTraffic(addrs, width)
		if err != nil || got != want {
			t.Fatalf("%v with %d bytes: %+v, %v, want %+v", addrs, width, got, err, want)
		}
		if e := got.Efficiency(); e < 0 || e > 1 {
			t.Fatalf("efficiency %v", e)
		}
	})
}

// If a memory is too large to be enumerated, only the elements of a thread-value layout are evaluated. The counts equal
// those for a memory with only these elements.
func TestFarElements(t *testing.T) {
	t.Parallel()
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ mem, tv, near, nearTV, access string }{
		{"(4096,4096):(4096,1)", "(32,4):(1,4096)", "(32,4096):(4096,1)", "(32,4):(1,32)", "ld.128"},
		{"(4096,4096):(4096,1)", "(32,4):(16384,4096)", "(8,4096):(4096,1)", "(32,4):(32,8)", "ld.128"},
		{"(8192,4096):(1,8192)", "(32,1):(8192,0)", "(1,4096):(1,8192)", "(32,1):(1,0)", "ld.32"},
		{"Sw<3,2,3> o 0 o (65536,128):(128,1)", "(32,4):(1,65536)", "Sw<3,2,3> o 0 o (32,128):(128,1)", "(32,4):(1,32)", "ld.128"},
	} {
		var counts [2]banks.Count
		var sums [2]banks.Traffic
		for i, m := range [][2]string{{c.mem, c.tv}, {c.near, c.nearTV}} {
			var mem banks.Memory = cute.MustParseComposed(m[0])
			a, err := banks.ParseAccess(c.access, 32)
			if err != nil {
				t.Fatal(err)
			}
			rule, err := target.Rule(a)
			if err != nil {
				t.Fatal(err)
			}
			p, err := banks.NewPlan(rule, mem, 32, banks.TV(cute.MustParse(m[1])))
			if err != nil {
				t.Fatalf("%s: %v", m[0], err)
			}
			if counts[i], err = p.Count(nil); err != nil {
				t.Fatal(err)
			}
			if sums[i], err = p.Traffic(nil, 0); err != nil {
				t.Fatal(err)
			}
			array := banks.Array{Memory: mem, ElemBits: 32}
			if _, err := array.WidestAccess(target, a.Op(), banks.TV(cute.MustParse(m[1]))); err != nil {
				t.Errorf("%s: %v", m[0], err)
			}
		}
		if counts[0] != counts[1] || sums[0] != sums[1] {
			t.Errorf("%s by %s: %+v and %+v, near by %+v and %+v", c.mem, c.tv, counts[0], sums[0], counts[1], sums[1])
		}
	}
	rule, err := target.Rule(mustAccess(t, "ld.32"))
	if err != nil {
		t.Fatal(err)
	}
	far := cute.MustParse("(4096,4096):(4096,1)")
	if _, err := banks.NewPlan(rule, far, 32, banks.TV(cute.MustParse("32:16777215"))); err == nil {
		t.Error("an element outside of the memory is accessed")
	}
	if _, err := banks.NewPlan(rule, far, 32, banks.Rows()); err == nil {
		t.Error("all elements of a large memory are listed")
	}
}
