package triton_test

import (
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/lang/triton"

	"pgregory.net/rapid"
)

// This file compares the layouts with their definitions, written with division and remainder.

func TestBlockedIsTheDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		rank := rapid.IntRange(1, 4).Draw(r, "rank")
		e := blocked(r, rank)
		e.CGA = triton.CGA{}
		shape := powers(r, rank, 4, "shape")
		l := mustLayout(r, e, shape...)
		repeats := make([]int64, rank)
		for d := range shape {
			repeats[d] = max(1, shape[d]/(e.SizePerThread[d]*e.ThreadsPerWarp[d]*e.WarpsPerCTA[d]))
		}
		inBlock := product(e.SizePerThread)
		each(sizes(l), func(c []int64) {
			reg := unrank(c[0]%inBlock, e.SizePerThread, e.Order)
			rep := unrank(c[0]/inBlock, repeats, e.Order)
			lane := unrank(c[1], e.ThreadsPerWarp, e.Order)
			warp := unrank(c[2], e.WarpsPerCTA, e.Order)
			want := make([]int64, rank)
			for d := range want {
				want[d] = (((rep[d]*e.WarpsPerCTA[d]+warp[d])*e.ThreadsPerWarp[d]+lane[d])*e.SizePerThread[d] + reg[d]) % shape[d]
			}
			if got := at(r, l, c...); !slices.Equal(got, want) {
				r.Fatalf("%v on %v: %v is %v, want %v", e, shape, c, got, want)
			}
		})
	})
}

// A cluster cuts the tensor into equal parts; one CTA lays out each part like a tensor of that size.
func TestClusterCutsTheTensor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		rank := rapid.IntRange(1, 3).Draw(r, "rank")
		e := blocked(r, rank)
		e.CGA = triton.CGA{CTAsPerCGA: powers(r, rank, 2, "CTAs"), CTAOrder: order(r, rank)}
		for _, n := range e.CGA.CTAsPerCGA {
			e.CGA.CTASplitNum = append(e.CGA.CTASplitNum, min(n, power(r, 2, "split")))
		}
		shape := powers(r, rank, 5, "shape")
		l := mustLayout(r, e, shape...)
		one := *e
		one.CGA = triton.CGA{}
		part := make([]int64, rank)
		for d, n := range shape {
			part[d] = n / min(n, e.CGA.CTASplitNum[d])
		}
		inside := mustLayout(r, &one, part...)
		each(sizes(l), func(c []int64) {
			cta := unrank(c[3], e.CGA.CTAsPerCGA, e.CGA.CTAOrder)
			want := at(r, inside, c[0], c[1], c[2], 0)
			for d := range want {
				want[d] += cta[d] % e.CGA.CTASplitNum[d] * part[d] % shape[d]
			}
			if got := at(r, l, c...); !slices.Equal(got, want) {
				r.Fatalf("%v on %v: %v is %v, want %v", e, shape, c, got, want)
			}
		})
	})
}

// PTX ISA, "Matrix Fragments for mma.m16n8k16" and "for mma.m8n8k4" with f64; register i of a lane.
func TestFragmentsOfNvidia(t *testing.T) {
	t.Parallel()
	mma := &triton.NvidiaMMA{VersionMajor: 2, WarpsPerCTA: []int64{1, 1}, InstrShape: []int64{16, 8}}
	double := &triton.NvidiaMMA{VersionMajor: 2, WarpsPerCTA: []int64{1, 1}, InstrShape: []int64{8, 8}}
	wgmma := &triton.NvidiaMMA{VersionMajor: 3, WarpsPerCTA: []int64{4, 2}, InstrShape: []int64{16, 64, 16}}
	for _, c := range []struct {
		name  string
		e     triton.Encoding
		shape []int64
		want  func(i, lane, warp int64) (row, col int64)
	}{
		{"C f32", mma, []int64{16, 8}, func(i, l, _ int64) (int64, int64) { return l/4 + 8*(i/2), l%4*2 + i%2 }},
		{"A f16", &triton.DotOperand{OpIdx: 0, Parent: mma, KWidth: 2}, []int64{16, 16}, func(i, l, _ int64) (int64, int64) {
			return l/4 + i/2%2*8, l%4*2 + i%2 + i/4*8
		}},
		{"B f16", &triton.DotOperand{OpIdx: 1, Parent: mma, KWidth: 2}, []int64{16, 8}, func(i, l, _ int64) (int64, int64) {
			return l%4*2 + i%2 + i/2*8, l / 4
		}},
		{"A s8", &triton.DotOperand{OpIdx: 0, Parent: mma, KWidth: 4}, []int64{16, 32}, func(i, l, _ int64) (int64, int64) {
			return l/4 + i/4%2*8, l%4*4 + i%4 + i/8*16
		}},
		{"B tf32", &triton.DotOperand{OpIdx: 1, Parent: mma, KWidth: 1}, []int64{8, 8}, func(i, l, _ int64) (int64, int64) { return l%4 + 4*i, l / 4 }},
		{"C f64", double, []int64{8, 8}, func(i, l, _ int64) (int64, int64) { return l / 4, l%4*2 + i }},
		{"A f64", &triton.DotOperand{OpIdx: 0, Parent: double, KWidth: 1}, []int64{8, 4}, func(_, l, _ int64) (int64, int64) { return l / 4, l % 4 }},
		{"B f64", &triton.DotOperand{OpIdx: 1, Parent: double, KWidth: 1}, []int64{4, 8}, func(_, l, _ int64) (int64, int64) { return l % 4, l / 4 }},
		{"D wgmma", wgmma, []int64{64, 128}, func(i, l, w int64) (int64, int64) {
			return w%4*16 + l/4 + i/2%2*8, w/4*64 + l%4*2 + i%2 + i/4*8
		}},
	} {
		wantTable(t, c.name, c.e, c.shape, c.want)
	}
}

// AMD's matrix instruction calculator; register i of a lane.
func TestFragmentsOfAMD(t *testing.T) {
	t.Parallel()
	mfma := func(m, n int64, transposed bool) triton.Encoding {
		return &triton.MFMA{Version: 3, WarpsPerCTA: []int64{1, 1}, InstrShape: []int64{m, n, 8}, IsTransposed: transposed}
	}
	f64 := &triton.MFMA{Version: 3, WarpsPerCTA: []int64{1, 1}, InstrShape: []int64{16, 16, 4}, ElementBitWidth: 64}
	wmma := func(version int) triton.Encoding {
		return &triton.WMMA{Version: version, WarpsPerCTA: []int64{1, 1}, InstrShape: map[int][]int64{3: {16, 16, 32}}[version]}
	}
	for _, c := range []struct {
		name  string
		e     triton.Encoding
		shape []int64
		want  func(i, lane, warp int64) (row, col int64)
	}{
		{"D 32x32", mfma(32, 32, false), []int64{32, 32}, func(i, l, _ int64) (int64, int64) { return i/4*8 + l/32*4 + i%4, l % 32 }},
		{"D 16x16", mfma(16, 16, false), []int64{16, 16}, func(i, l, _ int64) (int64, int64) { return l/16*4 + i, l % 16 }},
		{"D 16x16 transposed", mfma(16, 16, true), []int64{16, 16}, func(i, l, _ int64) (int64, int64) { return l % 16, l/16*4 + i }},
		{"D 16x16 f64", f64, []int64{16, 16}, func(i, l, _ int64) (int64, int64) { return i*4 + l/16, l % 16 }},
		{"D 4x64", mfma(4, 64, false), []int64{4, 64}, func(i, l, _ int64) (int64, int64) { return i, l }},
		{"D 64x4 transposed", mfma(64, 4, true), []int64{64, 4}, func(i, l, _ int64) (int64, int64) { return l, i }},
		{"A 32x32x8 f16", &triton.DotOperand{OpIdx: 0, Parent: mfma(32, 32, false), KWidth: 4}, []int64{32, 8}, func(i, l, _ int64) (int64, int64) { return l % 32, l/32*4 + i }},
		{"B 16x16x16 f16", &triton.DotOperand{OpIdx: 1, Parent: mfma(16, 16, false), KWidth: 4}, []int64{16, 16}, func(i, l, _ int64) (int64, int64) { return l/16*4 + i, l % 16 }},
		{"D wmma 1", wmma(1), []int64{16, 16}, func(i, l, _ int64) (int64, int64) { return 2*i + l/16, l % 16 }},
		{"D wmma 2", wmma(2), []int64{16, 16}, func(i, l, _ int64) (int64, int64) { return 8*(l/16) + i, l % 16 }},
		{"A wmma 1", &triton.DotOperand{OpIdx: 0, Parent: wmma(1), KWidth: 16}, []int64{16, 16}, func(i, l, _ int64) (int64, int64) { return l % 16, i }},
		{"A wmma 2", &triton.DotOperand{OpIdx: 0, Parent: wmma(2), KWidth: 8}, []int64{16, 16}, func(i, l, _ int64) (int64, int64) { return l % 16, l/16*8 + i }},
		{"B wmma 3", &triton.DotOperand{OpIdx: 1, Parent: wmma(3), KWidth: 8}, []int64{32, 16}, func(i, l, _ int64) (int64, int64) { return i/8*16 + l/16*8 + i%8, l % 16 }},
	} {
		wantTable(t, c.name, c.e, c.shape, c.want)
	}
}

func wantTable(t *testing.T, name string, e triton.Encoding, shape []int64,
	want func(i, lane, warp int64) (row, col int64),
) {
	t.Helper()
	l := mustLayout(t, e, shape...)
	if sub, err := l.Sublayout([]string{"register"}, outNames(l)); err != nil || !sub.IsInjective() || !l.IsSurjective() {
		t.Errorf("%s: a thread holds copies, or nobody holds an element:%v", name, l)
	}
	each(sizes(l), func(c []int64) {
		row, col := want(c[0], c[1], c[2])
		if got := at(t, l, c...); got[0] != row || got[1] != col {
			t.Errorf("%s: register %d of lane %d of warp %d holds %v, want (%d,%d)", name, c[0], c[1], c[2], got, row, col)
		}
	})
}

func TestSwizzledIsTheDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		rank := rapid.IntRange(2, 3).Draw(r, "rank")
		e := &triton.SwizzledShared{
			Vec: power(r, 3, "vec"), PerPhase: power(r, 2, "perPhase"), MaxPhase: power(r, 3, "maxPhase"), Order: order(r, rank),
		}
		rotating := rapid.Bool().Draw(r, "rotating")
		shape := powers(r, rank, 5, "shape")
		l := mustLayout(r, e, shape...)
		if rotating {
			l = mustLayout(r, (*triton.AMDRotatingShared)(e), shape...)
		}
		cols := shape[e.Order[0]]
		each(shape, func(c []int64) {
			row, col := c[e.Order[1]], c[e.Order[0]]
			phase := row / e.PerPhase % e.MaxPhase
			if rotating {
				phase ^= row / e.PerPhase / e.MaxPhase % e.MaxPhase
			}
			swizzled := (col ^ phase*e.Vec) % cols
			offset, scale := int64(0), int64(1)
			for i, d := range e.Order {
				x := c[d]
				if i == 0 {
					x = swizzled
				}
				offset += x * scale
				scale *= shape[d]
			}
			if got := at(r, l, offset, 0); !slices.Equal(got, c) {
				r.Fatalf("%v on %v, rotating %v: offset %d has %v, want %v", e, shape, rotating, offset, got, c)
			}
		})
	})
}

// TMA writes boxes of rows of 32, 64 or 128 bytes one after the other, with CuTe's Sw<1,4,3>, Sw<2,4,3> or Sw<3,4,3> on
// bytes.
func TestNVMMAIsCuTesSwizzle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b := rapid.IntRange(1, 3).Draw(r, "B")
		bytes := power(r, 3, "bytes")
		width := 16 << b / bytes
		e := &triton.NVMMAShared{SwizzlingByteWidth: 16 << b, ElementBitWidth: 8 * bytes, Transposed: rapid.Bool().Draw(r, "transposed")}
		rows, cols := 8*power(r, 6, "rows"), width*power(r, 1, "boxes")
		shape := []int64{rows, cols}
		if e.Transposed {
			shape = []int64{cols, rows}
		}
		l := mustLayout(r, e, shape...)
		w, err := cute.NewSwizzle(b, 4, 3)
		if err != nil {
			r.Fatal(err)
		}
		boxRows := min(rows, 256)
		down, across := rows/boxRows, cols/width
		each([]int64{rows, cols}, func(c []int64) {
			// Boxes are placed one after another along dim0 first.
			box := c[0]/boxRows + down*(c[1]/width)
			if e.Transposed {
				box = c[1]/width + across*(c[0]/boxRows)
			}
			inBox, err := w.At((c[0]%boxRows)*(16<<b) + c[1]%width*bytes)
			if err != nil {
				r.Fatal(err)
			}
			offset := box*boxRows*width + inBox/bytes
			want := slices.Clone(c)
			if e.Transposed {
				want[0], want[1] = c[1], c[0]
			}
			if got := at(r, l, offset, 0); !slices.Equal(got, want) {
				r.Fatalf("%v on %v: offset %d has %v, want %v", e, shape, offset, got, want)
			}
		})
	})
}

// A tensor of three dimensions with the first one contiguous, from Triton's unit test.
func TestNVMMAOfThreeDimensions(t *testing.T) {
	t.Parallel()
	l := mustLayout(t, &triton.NVMMAShared{SwizzlingByteWidth: 64, Transposed: true, ElementBitWidth: 32}, 64, 4, 32)
	want := [][]int64{
		{1, 0, 0},
		{2, 0, 0},
		{4, 0, 0},
		{8, 0, 0},
		{0, 0, 4},
		{4, 0, 8},
		{8, 0, 16},
		{0, 1, 0},
		{0, 2, 0},
		{0, 0, 1},
		{0, 0, 2},
		{16, 0, 0},
		{32, 0, 0},
	}
	if got := l.Bases()[0].Bases; !slices.EqualFunc(got, want, slices.Equal[[]int64]) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// PTX ISA, "tcgen05 Data Path Layout Organization": row r of 64 is in lane 32 * (r / 16) + r mod 16.
func TestTensorMemoryOf64Rows(t *testing.T) {
	t.Parallel()
	l := mustLayout(t, &triton.TensorMemory{BlockM: 64, BlockN: 32, ColStride: 1}, 64, 32)
	for r := range int64(64) {
		for c := range int64(32) {
			if got := at(t, l, r/16*32+r%16, c, 0); got[0] != r || got[1] != c {
				t.Errorf("(%d,%d): got %v", r, c, got)
			}
		}
	}
	beside := mustLayout(t, &triton.TensorMemory{BlockM: 64, BlockN: 32, ColStride: 1}, 64, 64)
	for r := range int64(64) {
		for c := range int64(64) {
			if got := at(t, beside, r/16*32+r%16+c/32*16, c%32, 0); got[0] != r || got[1] != c {
				t.Errorf("two blocks: (%d,%d): got %v", r, c, got)
			}
		}
	}
	two := mustLayout(t, &triton.TensorMemory{BlockM: 64, BlockN: 32, ColStride: 1, TwoCTAs: true}, 64, 32)
	for r := range int64(64) {
		for c := range int64(32) {
			if got := at(t, two, r+c/16*64, c%16, 0); got[0] != r || got[1] != c {
				t.Errorf("two CTAs: (%d,%d): got %v", r, c, got)
			}
		}
	}
	strided := mustLayout(t, &triton.TensorMemory{BlockM: 128, BlockN: 32, ColStride: 2}, 128, 64)
	for c := range int64(64) {
		if got := at(t, strided, 5, 2*c, 0); got[0] != 5 || got[1] != c {
			t.Errorf("column %d: got %v", c, got)
		}
	}
}

// Scales: element (32 a + r, 4 k + c) is in row r of all four warps, in the block of a and k, as PTX draws it.
func TestTensorMemoryScales(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kFirst bool
		rows   int64
	}{{false, 256}, {true, 256}, {true, 128}} {
		kFirst := c.kFirst
		l := mustLayout(t, &triton.TensorMemoryScales{KThenMN: kFirst}, c.rows, 8)
		each([]int64{c.rows, 8}, func(c []int64) {
			r, a, k := c[0]%32, c[0]/32, c[1]/4
			chunk := a/4*2 + k // chunks of 128 rows by 4 scales, along K first
			if !kFirst {
				chunk = k*2 + a/4
			}
			col := chunk*16 + a%4*4 + c[1]%4
			for warp := range int64(4) {
				if got := at(t, l, warp*32+r, col, 0); !slices.Equal(got, c) {
					t.Errorf("K first %v: %v in warp %d: got %v", kFirst, c, warp, got)
				}
			}
		})
	}
}

func TestPaddingIsTheDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		e := &triton.PaddedShared{Order: []int{1, 0}}
		for _, i := range rapid.Permutation([]int64{1, 2, 4, 8, 32, 64}).Draw(r, "intervals")[:rapid.IntRange(1, 3).Draw(r, "n")] {
			e.Intervals, e.Paddings = append(e.Intervals, i), append(e.Paddings, power(r, 5, "padding"))
		}
		shape := powers(r, 2, 3, "shape")
		n := product(shape)
		physical, err := e.Physical(n)
		if err != nil {
			r.Fatal(err)
		}
		component, err := e.Component(shape...)
		if err != nil {
			r.Fatal(err)
		}
		l, errL := e.Layout(shape...)
		offsets, errO := e.Offsets(n)
		isLinear, exact := true, make(map[int64]int64)
		for o := range n {
			want := o
			for i := range e.Intervals {
				want += o / e.Intervals[i] * e.Paddings[i]
			}
			exact[o] = want
			if got, err := physical.At(o); err != nil || got != want {
				r.Fatalf("%v: element %d is at %d, %v, want %d", e, o, got, err, want)
			}
			xor := int64(0)
			for k := int64(1); k <= o; k *= 2 {
				if o&k != 0 {
					xor ^= exact[k]
				}
			}
			isLinear = isLinear && xor == want
			if errO == nil && at(r, offsets, o)[0] != want {
				r.Fatalf("%v: element %d is at %v, want %d", e, o, at(r, offsets, o), want)
			}
			if errL == nil && !slices.Equal(at(r, l, want, 0), at(r, component, o, 0)) {
				r.Fatalf("%v: offset %d has %v, want %v", e, want, at(r, l, want, 0), at(r, component, o, 0))
			}
		}
		if isLinear != (errO == nil) || errL == nil && errO != nil {
			r.Fatalf("%v of %d: linear %v, Offsets %v, Layout %v", e, n, isLinear, errO, errL)
		}
		if size, err := e.AllocSize(n); err != nil || size != exact[n-1]+1 {
			r.Fatalf("%v of %d: takes %d, %v, want %d", e, n, size, err, exact[n-1]+1)
		}
	})
}

// Piece p of a partitioned tensor is in buffer p mod NumPartitions.
func TestPartitioned(t *testing.T) {
	t.Parallel()
	inner := &triton.SwizzledShared{Vec: 2, PerPhase: 1, MaxPhase: 4, Order: []int{1, 0}}
	e := &triton.PartitionedShared{NumPartitions: 2, NumGroups: 4, PartitionDim: 0, PartitionLayout: inner}
	l := mustLayout(t, e, 128, 32)
	piece := mustLayout(t, inner, 16, 32)
	each([]int64{2, 4, 512}, func(c []int64) {
		want := at(t, piece, c[2], 0)
		want[0] += 16 * (c[0] + 2*c[1])
		if got := at(t, l, c[2]+512*c[1], 0, c[0]); !slices.Equal(got, want) {
			t.Errorf("offset %d of group %d in partition %d: got %v, want %v", c[2], c[1], c[0], got, want)
		}
	})
}

// An interval that the tensor does not reach leaves no mode.
func TestPaddingBehindTheLastElement(t *testing.T) {
	t.Parallel()
	e := &triton.PaddedShared{Intervals: []int64{32, 64}, Paddings: []int64{4, 4}, Order: []int{0}}
	for n, want := range map[int64]string{1: "1:0", 16: "16:1", 32: "32:1", 64: "(32,2):(1,36)", 128: "(32,2,2):(1,36,76)"} {
		if l, err := e.Physical(n); err != nil || l.String() != want {
			t.Errorf("%d elements: got %v, %v, want %s", n, l, err, want)
		}
	}
}

// A larger tensor repeats the bases in registers, first along the dimension of the first basis. A smaller tensor drops
// registers that would hold copies, but keeps the lanes.
func TestLinearOfOtherShapes(t *testing.T) {
	t.Parallel()
	e := &triton.Linear{Register: [][]int64{{1, 0}, {0, 1}}, Lane: [][]int64{{2, 0}, {0, 2}}}
	for _, c := range []struct {
		shape          []int64
		register, lane [][]int64
	}{
		{[]int64{4, 4}, [][]int64{{1, 0}, {0, 1}}, [][]int64{{2, 0}, {0, 2}}},
		{[]int64{8, 8}, [][]int64{{1, 0}, {0, 1}, {4, 0}, {0, 4}}, [][]int64{{2, 0}, {0, 2}}},
		{[]int64{4, 1}, [][]int64{{1, 0}}, [][]int64{{2, 0}, {0, 0}}},
	} {
		l := mustLayout(t, e, c.shape...).Bases()
		if !slices.EqualFunc(l[0].Bases, c.register, slices.Equal[[]int64]) ||
			!slices.EqualFunc(l[1].Bases, c.lane, slices.Equal[[]int64]) {
			t.Errorf("%v: got %v, want %v and %v", c.shape, l, c.register, c.lane)
		}
	}
}

// The 64 by 64 operand of 64 by 4 uses 16 registers along K. If K is shorter, the extra registers hold copies.
func TestLongOperandOfMFMA(t *testing.T) {
	t.Parallel()
	parent := &triton.MFMA{Version: 3, WarpsPerCTA: []int64{1, 1}, InstrShape: []int64{4, 64, 4}}
	l := mustLayout(t, &triton.DotOperand{OpIdx: 1, Parent: parent, KWidth: 4}, 32, 64)
	want := [][]int64{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {0, 0}}
	if got := l.Bases()[0].Bases; !slices.EqualFunc(got, want, slices.Equal[[]int64]) {
		t.Errorf("got %v, want %v", got, want)
	}
}
