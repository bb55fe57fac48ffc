package gemm

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih"
	"girih/atom"
	"girih/banks"
	"girih/dtype"
	"girih/internal/lower"
	"girih/ptx"
)

func mustKernel(t testing.TB, name, atoms string, tile [3]int64) Kernel {
	t.Helper()
	a, err := atom.FindMMA(name)
	if err != nil {
		t.Fatal(err)
	}
	mma, err := atom.MakeTiledMMA(a, girih.MustParse(atoms), girih.Keep)
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewKernel(mma, tile)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return k
}

// small draws numbers that every type holds, so that all sums are exact.
func small(random *rand.Rand, t dtype.Type, n int64) []float64 {
	low, high := -2, 2
	if t.Kind() == dtype.Natural {
		low = 0
	}
	if t == dtype.B1 {
		low, high = 0, 1
	}
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = float64(low + random.IntN(high-low+1))
	}
	return xs
}

// runProgram runs a kernel on the machine of the tests and compares with three loops; what lies around D must stay.
func runProgram(t testing.TB, k Kernel, m, n, kk, pad int64, withC bool) {
	t.Helper()
	p, err := k.Program("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ptx.Parse(p.Module.String()); err != nil {
		t.Fatal(err)
	}
	types := k.MMA.Atom().Types
	random := rand.New(rand.NewPCG(uint64(m), uint64(kk)))
	problem := Problem{M: m, N: n, K: kk, A: small(random, types.A.Type, m*kk), B: small(random, types.B.Type, n*kk)}
	var held []float64
	var meta []byte
	if k.MMA.Atom().Sparse != nil {
		Prune(k.MMA.Atom(), problem.A, kk, random.Perm)
		if held, meta, err = Compress(k.MMA.Atom(), problem.A, kk); err != nil {
			t.Fatal(err)
		}
	}
	ld := func(x dtype.Type, columns int64) int64 {
		per := max(8/int64(x.Bits()), 1)
		return (columns+per-1)/per*per + pad*per
	}
	pack := func(x dtype.Type, xs []float64, columns int64) []byte {
		data, err := Pack(x, xs, columns, ld(x, columns))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	columns, times, inA := kk, int64(1), problem.A
	if held != nil {
		columns, times, inA = int64(len(held))/m, 2, held
	}
	a, b := pack(types.A.Type, inA, columns), pack(types.B.Type, problem.B, kk)
	ldd := n + pad
	size := int64(types.D.Type.Bits() / 8)
	d := make([]byte, m*ldd*size+64)
	for i := range d {
		d[i] = 0xcd
	}
	params := map[ptx.Name]uint64{
		"a": 1 << window, "b": 2 << window, "c": 0, "d": 3 << window, "m": uint64(m), "n": uint64(n), "k": uint64(kk),
		"lda": uint64(ld(types.A.Type, columns) * times), "ldb": uint64(ld(types.B.Type, kk)), "ldd": uint64(ldd),
	}
	buffers := [][]byte{a, b, d}
	if withC {
		problem.C = small(random, types.C.Type, m*n)
		c, err := Pack(types.C.Type, problem.C, n, ldd)
		if err != nil {
			t.Fatal(err)
		}
		buffers = append(buffers, c)
		params["c"] = 4 << window
	}
	if meta != nil {
		params["e"], params["lde"] = uint64(len(buffers)+1)<<window, uint64(int64(len(meta))/m)
		buffers = append(buffers, meta)
	}
	machine, err := newMachine(p, k.MMA.Atom(), params, buffers...)
	if err != nil {
		t.Fatal(err)
	}
	bx, by, bz := p.Blocks(m, n)
	machine.grid = [3]uint64{uint64(bx), uint64(by), uint64(bz)}
	for x := range bx {
		for y := range by {
			for z := range bz {
				if err := machine.run(x, y, z, p.Threads); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	got, err := Unpack(types.D.Type, d[:m*ldd*size], n, ldd)
	if err != nil {
		t.Fatal(err)
	}
	product := productOf(k.MMA.Atom())
	for i := range m {
		for j := range n {
			want := 0.0
			if withC {
				want = problem.C[i*n+j]
			}
			for x := range kk {
				want += product(problem.A[i*kk+x], problem.B[j*kk+x])
			}
			if got[i*n+j] != want {
				t.Fatalf("D(%d,%d) is %v, want %v", i, j, got[i*n+j], want)
			}
		}
	}
	for i, x := range d {
		if e := int64(i) / size; x != 0xcd && (e/ldd >= m || e%ldd >= n) {
			t.Fatalf("byte %d behind row %d of D was written", i, e/ldd)
		}
	}
}

func TestProgramComputes(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		name, atoms string
		tile        [3]int64
	}{
		{"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", [3]int64{32, 32, 32}},
		{"SM80_16x8x16_F16F16F16F16_TN", "(2,1,1)", [3]int64{32, 32, 32}},
		{"SM80_16x8x16_F32BF16BF16F32_TN", "(3,1,1)", [3]int64{48, 24, 64}},
		{"SM80_16x8x8_F32TF32TF32F32_TN", "(2,2,1)", [3]int64{32, 32, 32}},
		{"SM80_16x8x32_S32S8U8S32_TN", "(2,2,1)", [3]int64{32, 32, 64}},
		{"SM80_8x8x4_F64F64F64F64_TN", "(2,2,1)", [3]int64{16, 16, 16}},
		{"SM90_16x8x16_F64F64F64F64_TN", "(2,1,1)", [3]int64{32, 32, 16}},
		{"SM89_16x8x32_F32E4M3E5M2F32_TN", "(2,2,1)", [3]int64{32, 32, 64}},
		{"SM70_8x8x4_F32F16F16F32_TN", "(2,2,1)", [3]int64{32, 32, 16}},
		{"SM70_8x8x4_F16F16F16F16_NT", "(2,2,1)", [3]int64{32, 32, 16}},
		{"SM75_8x8x16_S32S8S8S32_TN", "(2,2,1)", [3]int64{16, 16, 32}},
		{"SM80_16x8x64_S32S4U4S32_TN", "(2,2,1)", [3]int64{32, 32, 64}},
		{"SM80_8x8x32_S32U4S4S32_TN", "(2,2,1)", [3]int64{16, 16, 64}},
		{"SM80_16x8x256_S32U1U1S32_TN_XORPOPC", "(2,2,1)", [3]int64{32, 16, 256}},
		{"SM80_8x8x128_S32U1U1S32_TN_ANDPOPC", "(2,2,1)", [3]int64{16, 16, 256}},
		{"SM90_64x64x16_F32F16F16_SS", "(1,1,1)", [3]int64{64, 64, 64}},
		{"SM90_64x64x16_F16F16F16_RS", "(2,1,1)", [3]int64{128, 64, 32}},
		{"SM90_64x16x32_S32S8S8_SS_TN", "(1,1,1)", [3]int64{64, 16, 128}},
		{"SM90_64x24x8_F32TF32TF32_SS_TN", "(1,1,1)", [3]int64{64, 24, 16}},
		{"SM90_64x32x32_F32E4M3E5M2_RS_TN", "(1,1,1)", [3]int64{64, 32, 64}},
		{"SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::MN>", "(1,1,1)", [3]int64{64, 64, 32}},
		{"SM90_64x24x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::MN>", "(1,1,1)", [3]int64{64, 48, 64}},
		{"SM90::GMMA::SPARSE::GMMA_64x16x32_F32F16F16_SS", "(1,1,1)", [3]int64{64, 16, 64}},
		{"SM90::GMMA::SPARSE::GMMA_64x24x32_F16F16F16_RS", "(1,1,1)", [3]int64{64, 24, 128}},
		{"SM90::GMMA::SPARSE::GMMA_64x16x16_F32TF32TF32_SS_TN", "(2,1,1)", [3]int64{128, 16, 32}},
		{"SM90::GMMA::SPARSE::GMMA_64x16x16_F32TF32TF32_RS_TN", "(1,1,1)", [3]int64{64, 16, 32}},
		{"SM90::GMMA::SPARSE::GMMA_64x16x64_S32S8U8_SS_TN", "(1,1,1)", [3]int64{64, 16, 128}},
		{"SM90::GMMA::SPARSE::GMMA_64x16x64_S32U8S8_RS_TN", "(1,1,1)", [3]int64{64, 16, 64}},
		{"UniversalFMA<float,float,float>", "(8,8,1)", [3]int64{16, 16, 8}},
		{"UniversalFMA<double,double,double>", "(8,8,1)", [3]int64{16, 16, 8}},
		{"UniversalFMA<half_t>", "(8,8,1)", [3]int64{16, 16, 8}},
		{"SM61_DP4A", "(8,8,1)", [3]int64{16, 16, 16}},
	} {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := mustKernel(t, tt.name, tt.atoms, tt.tile)
			runProgram(t, k, tt.tile[0]+3, tt.tile[1]-1, tt.tile[2]+9, 0, false) // odd rows: element by element
			runProgram(t, k, tt.tile[0], tt.tile[1]+1, tt.tile[2]*2, 16, true)   // aligned rows: vectors
		})
	}
}

// A grid has 65535 blocks in y; what is wider goes on in z, and the last of those blocks may lie outside.
func TestProgramOfAWideMatrix(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("65,536 blocks")
	}
	k := mustKernel(t, "UniversalFMA<float,float,float>", "(1,1,1)", [3]int64{1, 1, 1})
	p, err := k.Program("")
	if err != nil {
		t.Fatal(err)
	}
	const n = 1<<16 + 7
	if x, y, z := p.Blocks(2, n); x != 2 || y > 65535 || y*z != n+1 {
		t.Fatalf("%d by %d by %d blocks", x, y, z)
	}
	runProgram(t, k, 1, n, 1, 0, false)
}

// Numbers that are no layout of the threads, and no exclusive or either, are written too.
func TestSpotsOfAnyTable(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(2, 3))
	for name, f := range map[string]func(thread, value int) int64{
		"a layout":             func(thread, value int) int64 { return int64(thread%4*8 + thread/4*64 + value*3) },
		"a layout that counts": func(thread, value int) int64 { return int64(thread%4*24 + thread/4*65 - value*2 + 9) },
		"a swizzle":            func(thread, value int) int64 { x := int64(thread*8 + value*256); return x ^ x>>3&0x38 },
		"a swizzled value":     func(thread, value int) int64 { return int64(thread*8 ^ value*24) },
		"anything":             func(_, _ int) int64 { return random.Int64N(1 << 20) },
	} {
		for _, threads := range []int{1, 12, 32, 96} {
			table := newSpotTable(threads, 5)
			for thread := range threads {
				for v := range 5 {
					table.set(thread, v, f(thread, v))
				}
			}
			w := &writer{Builder: ptx.NewKernel("k"), name: "k", thread: "%t"}
			w.Emit("mov.u32", ptx.Name("%t"), ptx.Name("%tid.x"))
			spots := w.spots(table)
			w.Emit("ret")
			fn, err := w.Func()
			if err != nil {
				t.Fatal(err)
			}
			mma, err := atom.FindMMA("SM61_DP4A")
			if err != nil {
				t.Fatal(err)
			}
			p := Program{Module: &ptx.Module{Decls: append(w.tables, fn)}, Name: "k"}
			m, err := newMachine(p, mma, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.run(0, 0, 0, threads); err != nil {
				t.Fatal(err)
			}
			if name != "anything" && len(w.tables) > 0 {
				t.Errorf("%s of %d threads needs a table", name, threads)
			}
			for i, th := range m.threads {
				for v, s := range spots {
					if got := int64(int32(m.value(th, s.base))) + s.add; got != table.get(i, v) {
						t.Fatalf("%s: value %d of thread %d is %d, want %d", name, v, i, got, table.get(i, v))
					}
				}
			}
		}
	}
}

// Every instruction of sm90 but those of complex numbers has a program, which is PTX. Of wgmma the smallest N is tried.
func TestProgramOfEveryAtom(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	tried := 0
	for m := range atom.MMAs() {
		if _, err := lower.TargetFor(m.Operation, "sm_90"); err != nil || m.Threads() == 128 && m.Shape[1] != 8 {
			continue
		}
		atoms := map[int64]string{1: "(16,16,1)", 8: "(2,2,1)", 32: "(2,2,1)", 128: "(1,1,1)"}[m.Threads()]
		mma, err := atom.MakeTiledMMA(m, girih.MustParse(atoms), girih.Keep)
		if err != nil {
			t.Fatal(err)
		}
		tile := mma.TileShape()
		for i, wish := range []int64{32, 32, 512 / int64(m.Types.A.Type.Bits())} {
			tile[i] *= max(1, wish/tile[i])
		}
		k, err := NewKernel(mma, tile)
		var p Program
		if err == nil {
			p, err = k.Program("sm_90")
		}
		refused := m.Types.A.Parts > 1 || m.Name == "SM61_DP2A"
		if (err != nil) != refused {
			t.Errorf("%s: %v", m.Name, err)
		}
		if err != nil {
			continue
		}
		tried++
		text := p.Module.String()
		again, err := ptx.Parse(text)
		if err != nil || again.String() != text {
			t.Errorf("%s: its PTX is not read as it is printed: %v", m.Name, err)
		}
		if len(p.Module.Decls) != 1 {
			t.Errorf("%s: offsets that are no arithmetic of the thread's number", m.Name)
		}
		opcode, _, _ := strings.Cut(m.Text, " ")
		if !strings.Contains(text, opcode) || strings.Count(text, "bar.sync") != 2 {
			t.Errorf("%s: no %s, or not two barriers", m.Name, opcode)
		}
	}
	if tried < 140 {
		t.Errorf("%d instructions have programs", tried)
	}
}

func TestProgramRefusals(t *testing.T) {
	t.Parallel()
	plain := func(text string) girih.Composed {
		c, err := girih.NewComposed(girih.Swizzle{}, girih.Int(0), girih.MustParse(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	const f16, wgmma = "SM80_16x8x16_F32F16F16F32_TN", "SM90_64x64x16_F32F16F16_SS"
	const fma, mixed = "UniversalFMA<float,half_t,half_t,float>", "UniversalFMA<float,float,float,double>"
	const tmem, dp2a, amd = "SM100_MMA_F16BF16_SS_128x64", "SM61_DP2A", "v_mfma_f32_32x32x8_f16"
	of := func(name string, m, n, k int64) Kernel {
		atoms := map[string]string{f16: "(2,2,1)", fma: "(16,16,1)", mixed: "(16,16,1)", dp2a: "(16,16,1)"}[name]
		if atoms == "" {
			atoms = "(1,1,1)"
		}
		return mustKernel(t, name, atoms, [3]int64{m, n, k})
	}
	for name, tt := range map[string]struct {
		k    Kernel
		chip string
		code girih.Code
		want string
	}{
		"too many threads":     {mustKernel(t, f16, "(8,8,1)", [3]int64{128, 64, 64}), "", girih.CodeLimit, "2048 threads"},
		"too much memory":      {of(f16, 256, 256, 64), "", girih.CodeLimit, "65536 bytes"},
		"an older chip":        {of(f16, 64, 64, 32), "sm_75", girih.CodeType, "sm_75 lacks"},
		"a newer chip":         {of(wgmma, 64, 64, 64), "sm_100", girih.CodeType, "sm_100 lacks"},
		"no chip":              {of(f16, 64, 64, 32), "H200", girih.CodeName, "sm_90"},
		"not wgmma's layout":   {of(wgmma, 64, 64, 64), "", girih.CodeNotRepresentable, ""},
		"rows that are apart":  {of(f16, 64, 64, 32), "", girih.CodeNotRepresentable, "contiguous"},
		"AMD":                  {of(amd, 64, 64, 32), "", girih.CodeType, "AMD"},
		"tensor memory":        {of(tmem, 128, 64, 32), "", girih.CodeType, "no descriptor"},
		"the bytes of dp2a":    {of(dp2a, 64, 64, 32), "", girih.CodeType, "bytes"},
		"no fma of its types":  {of(fma, 64, 64, 32), "", girih.CodeType, ""},
		"another accumulator":  {of(mixed, 64, 64, 32), "", girih.CodeType, "in place"},
		"cp.async":             {of(f16, 64, 64, 32), "", girih.CodeType, "cp.async"},
		"others read than mul": {of(f16, 32, 32, 32), "", girih.CodeRank, "threads load"},
	} {
		switch name {
		case "not wgmma's layout":
			tt.k.SharedA = plain("(64,64):(64,1)")
		case "rows that are apart":
			tt.k.SharedB = plain("(64,32):(1,64)")
		case "cp.async":
			op, err := atom.FindCopy("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>")
			if err != nil {
				t.Fatal(err)
			}
			c, err := atom.MakeCopyAtom(op, dtype.F16)
			if err != nil {
				t.Fatal(err)
			}
			if tt.k.LoadA, err = atom.MakeTiledCopyTV(c, tt.k.LoadA.LayoutTV(), tt.k.LoadA.Tiler()); err != nil {
				t.Fatal(err)
			}
		case "others read than mul":
			tt.k.LoadA = mustKernel(t, f16, "(1,1,1)", [3]int64{32, 32, 32}).LoadA
		}
		_, err := tt.k.Program(tt.chip)
		e, ok := errors.AsType[*girih.Error](err)
		if !ok || e.Code != tt.code || !strings.Contains(e.Msg, tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
	}
}

// A sparse instruction computes, on simulated threads too, what is held of A.
func TestSparse(t *testing.T) {
	t.Parallel()
	k := mustKernel(t, "SM90::GMMA::SPARSE::GMMA_64x16x32_F32F16F16_SS", "(1,1,1)", [3]int64{64, 16, 64})
	p := Problem{M: 1, N: 1, K: 7, A: []float64{0, 2, 0, 3, 5, 0, 7}, B: []float64{1, 2, 3, 4, 5, 6, 7}}
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	r, err := k.Run(p, target)
	if err != nil || r.D[0] != 2*2+3*4+5*5+7*7 {
		t.Errorf("%v, %v", r.D, err)
	}
	if b := r.Ledger.Stages[0].Bytes; b != 7 { // two bytes for each element that is held, of two
		t.Errorf("%d bytes of A", b)
	}
	held, metadata, err := Compress(k.MMA.Atom(), p.A, p.K)
	if err != nil || !slices.Equal(held, []float64{2, 3, 5, 7}) || !slices.Equal(metadata, []byte{0b1000_1101}) {
		t.Errorf("%v, %08b, %v", held, metadata, err)
	}
	p.A[0] = 1
	if _, err := k.Run(p, target); err == nil {
		t.Error("three of four are taken")
	}
	if _, _, err := Compress(mustKernel(t, "SM61_DP4A", "(1,1,1)", [3]int64{1, 1, 4}).MMA.Atom(), p.A, p.K); err == nil {
		t.Error("dp4a has metadata")
	}
	if _, _, err := Compress(k.MMA.Atom(), p.A, 4); err == nil {
		t.Error("7 numbers are rows of 4")
	}
}

// What a card computed is judged: cut sums are right, anything else is not.
func TestCheckCard(t *testing.T) {
	t.Parallel()
	k := mustKernel(t, "SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", [3]int64{32, 32, 32})
	random := rand.New(rand.NewPCG(5, 6))
	p := Problem{M: 9, N: 11, K: 100}
	for range p.M * p.K {
		p.A = append(p.A, random.NormFloat64())
	}
	for range p.N * p.K {
		p.B = append(p.B, random.NormFloat64())
	}
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	r, err := k.Run(p, target)
	if err != nil {
		t.Fatal(err)
	}
	c, err := k.CheckCard(p, r.D, nil)
	if err != nil || c.Fails != 0 || c.Elements != 99 || c.Exact != 0 || c.Worst == 0 || c.Worst > c.Bound {
		t.Errorf("%+v, %v", c, err)
	}
	want := r.D[25]
	r.D[25], r.D[60] = math.NaN(), r.D[60]+1e-3
	c, err = k.CheckCard(p, r.D, nil)
	if err != nil || c.Fails != 2 || c.FirstRow != 2 || c.FirstColumn != 3 || math.Abs(c.Want-want) > 1e-5 ||
		!math.IsNaN(c.Got) || !math.IsNaN(c.Worst) {
		t.Errorf("two wrong elements give %+v, %v", c, err)
	}
	c, err = k.CheckCard(p, r.D, func(i, _ int64) bool { return i == 0 })
	if err != nil || c.Fails != 0 || c.Elements != 11 {
		t.Errorf("the first row: %+v, %v", c, err)
	}
	// Sums of integers are exact.
	for _, xs := range [][]float64{p.A, p.B} {
		for i := range xs {
			xs[i] = float64(i%5 - 2)
		}
	}
	if r, err = k.Run(p, target); err != nil {
		t.Fatal(err)
	}
	r.D[98] += 0x1p-16
	if c, err = k.CheckCard(p, r.D, nil); err != nil || c.Fails != 1 || c.Exact != 99 || c.FirstRow != 8 || c.Bound != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err = k.CheckCard(Problem{M: 1, N: 1, K: 1}, nil, nil); err == nil {
		t.Error("a problem without numbers is taken")
	}
	for _, d := range [][]float64{nil, r.D[:98], append(r.D, 0)} {
		_, card := k.CheckCard(p, d, nil)
		_, run := k.Check(p, d)
		for _, err := range []error{card, run} {
			if e, ok := errors.AsType[*girih.Error](err); !ok || e.Code != girih.CodeExtent {
				t.Errorf("a D of %d numbers: %v", len(d), err)
			}
		}
	}
}
