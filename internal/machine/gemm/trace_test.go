package gemm

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/internal/check/long"
	"girih/internal/ints"
	"girih/internal/machine/lower"
	"girih/kernel"
	"girih/ptx"
)

// draw draws a problem of small numbers that the types represent exactly, so that all sums are exact.
func draw(m atom.MMA, random *rand.Rand, size [3]int64) Problem {
	t := m.Types
	p := Problem{M: size[0], N: size[1], K: size[2]}
	numbers := func(e atom.Element, n int64) []float64 { return small(random, e.Type, n*int64(e.Parts)) }
	p.A, p.B, p.C = numbers(t.A, p.M*p.K), numbers(t.B, p.N*p.K), numbers(t.C, p.M*p.N)
	Prune(m, p.A, p.K, random.Perm)
	return p
}

// simulate runs the kernel for a problem and compares the result with sums in float64. The distance between rows is at
// least pad elements more than their length.
func simulate(t testing.TB, k Kernel, p Problem, pad int64) {
	t.Helper()
	m := k.MMA.Atom()
	facts := k.FactsOf(p.M, p.N, p.K)
	if pad > 0 {
		facts = Facts{}
	}
	c, err := k.Trace(facts)
	if err != nil {
		t.Fatal(err)
	}
	l, err := k.Launch(p)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range k.sides() { // the elements after a row do not belong to the problem
		name, ld := s.name, []string{"lda", "ldb"}[i]
		if pad > 0 {
			l.Tensors[name], l.Ints[ld] = apart(l.Tensors[name], s, l.Ints[ld], pad+int64(9*i))
		}
	}
	size := int64(m.Types.D.Bits() / 8)
	if pad > 0 {
		for _, name := range []string{"C", "D"} {
			l.Tensors[name] = wider(l.Tensors[name], p.N*size, pad*size)
		}
		l.Ints["ldd"] += pad
	}
	r, err := c.Simulate(t.Context(), kernel.Args{Ints: l.Ints, Bytes: l.Tensors, Seed: uint64(p.M)})
	if err != nil || len(r.Findings) > 0 {
		t.Fatalf("%v, %v", err, r)
	}
	d := l.Tensors["D"]
	if pad > 0 {
		whole := d
		d = nil
		for ; len(whole) > 0; whole = whole[(p.N+pad)*size:] {
			d = append(d, whole[:p.N*size]...)
			if slices.ContainsFunc(whole[p.N*size:(p.N+pad)*size], func(b byte) bool { return b != 0xcd }) {
				t.Fatal("something was written behind a row of D")
			}
		}
	}
	got, err := k.Numbers(p, d)
	if err != nil {
		t.Fatal(err)
	}
	check, err := k.CheckCard(p, got, nil)
	if err != nil || check.Fails > 0 || check.Exact != check.Elements {
		t.Fatalf("%dx%dx%d: %+v, %v", p.M, p.N, p.K, check, err)
	}
	// The predicted traffic equals the simulated traffic.
	_, total, err := c.Plan(l.Ints)
	if err != nil || total.Sectors != r.Traffic.Sectors || total.Wavefronts != r.Traffic.Wavefronts {
		t.Errorf("%dx%dx%d: predicted %+v, %v, and moved %+v", p.M, p.N, p.K, total, err, r.Traffic)
	}
}

// apart adds at least pad elements, in whole bytes, after each row of an operand, and returns the new distance between
// rows.
func apart(data []byte, s side, ld, pad int64) ([]byte, int64) {
	pad = ints.CeilDiv(pad, s.unit) * s.unit
	bits := int64(s.elem.Bits()) * s.parts
	return wider(data, ld*bits/8, pad*bits/8), ld + pad
}

// wider adds bytes after each row.
func wider(data []byte, row, pad int64) []byte {
	var out []byte
	for ; int64(len(data)) >= row; data = data[row:] {
		out = append(append(out, data[:row]...), slices.Repeat([]byte{0xcd}, int(pad))...)
	}
	return out
}

func TestTraceComputes(t *testing.T) {
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
		{"SM80_8x8x4_C64C64C64C64_TN", "(2,2,1)", [3]int64{16, 16, 8}},
		{"SM80_8x8x4_GC64C64C64GC64_TN", "(2,2,1)", [3]int64{16, 16, 8}},
		{"SM90_16x8x8_C64C64C64C64_TN", "(1,2,1)", [3]int64{16, 16, 8}},
		{"SM89_16x8x32_F32E4M3E5M2F32_TN", "(2,2,1)", [3]int64{32, 32, 64}},
		{"SM70_8x8x4_F32F16F16F32_TN", "(2,2,1)", [3]int64{32, 32, 16}},
		{"SM70_8x8x4_F16F16F16F16_NT", "(2,2,1)", [3]int64{32, 32, 16}},
		{"SM75_8x8x16_S32S8S8S32_TN", "(2,2,1)", [3]int64{16, 16, 32}},
		{"SM80_16x8x64_S32S4U4S32_TN", "(2,2,1)", [3]int64{32, 32, 64}},
		{"SM80_8x8x32_S32U4S4S32_TN", "(2,2,1)", [3]int64{16, 16, 64}},
		{"SM80_16x8x256_S32U1U1S32_TN_XORPOPC", "(2,2,1)", [3]int64{32, 16, 256}},
		{"SM80_8x8x128_S32U1U1S32_TN_ANDPOPC", "(2,2,1)", [3]int64{16, 16, 256}},
		{"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(2,2,1)", [3]int64{32, 16, 64}},
		{"SM80_SPARSE_16x8x16_F32TF32TF32F32_TN", "(1,2,1)", [3]int64{16, 16, 32}},
		{"SM80_SPARSE_16x8x64_S32S8U8S32_TN", "(2,1,1)", [3]int64{32, 16, 128}},
		{"SM80_SPARSE_16x8x128_S32U4S4S32_TN", "(1,2,1)", [3]int64{16, 16, 128}},
		{"SM89_SPARSE_16x8x64_F32E4M3E5M2F32_TN", "(2,2,1)", [3]int64{32, 16, 64}},
		{"SM90_64x64x16_F32F16F16_SS", "(1,1,1)", [3]int64{64, 64, 64}},
		{"SM90_64x64x16_F16F16F16_RS", "(2,1,1)", [3]int64{128, 64, 32}},
		{"SM90_64x16x32_S32S8S8_SS_TN", "(1,1,1)", [3]int64{64, 16, 128}},
		{"SM90_64x24x8_F32TF32TF32_SS_TN", "(1,1,1)", [3]int64{64, 24, 16}},
		{"SM90_64x32x32_F32E4M3E5M2_RS_TN", "(1,1,1)", [3]int64{64, 32, 64}},
		{"SM90_64x16x256_S32U1U1_SS_TN_ANDPOPC", "(1,1,1)", [3]int64{64, 16, 512}},
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
		{"SM61_DP2A", "(8,8,1)", [3]int64{16, 16, 16}},
	} {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := mustKernel(t, tt.name, tt.atoms, tt.tile)
			m, random := k.MMA.Atom(), rand.New(rand.NewPCG(uint64(i), 1))
			p := draw(m, random, [3]int64{tt.tile[0] + 3, tt.tile[1] - 1, tt.tile[2] + 9}) // element by element
			simulate(t, k, p, 5)
			p.C = nil
			simulate(t, k, p, 0)
			simulate(t, k, draw(m, random, [3]int64{tt.tile[0], 2 * tt.tile[1], 2 * tt.tile[2]}), 0) // no conditions
			simulate(t, k, draw(m, random, [3]int64{1, 1, 1}), 0)
		})
	}
}

// The side along which there are more tiles is numbered by the grid's x, which may be up to 2^31.
func TestTraceOfAWideMatrix(t *testing.T) {
	t.Parallel()
	k := mustKernel(t, "UniversalFMA<float,float,float>", "(1,1,1)", [3]int64{1, 1, 1})
	for _, size := range [][3]int64{{3, 1<<17 + 1, 1}, {1<<17 + 1, 3, 1}} {
		c, err := k.Trace(k.FactsOf(size[0], size[1], size[2]))
		if err != nil {
			t.Fatal(err)
		}
		grid, err := c.Grid(k.Ints(size[0], size[1], size[2]))
		if err != nil || grid != [3]int64{1<<17 + 1, 3, 1} {
			t.Errorf("%v blocks, %v", grid, err)
		}
	}
	c, err := k.Trace(Facts{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.Grid(k.Ints(1, 1<<17, 1)); err == nil {
		t.Error("more tiles along y than a grid has")
	}
	simulate(t, k, draw(k.MMA.Atom(), rand.New(rand.NewPCG(1, 1)), [3]int64{2, 300, 3}), 0)
}

// For every NVIDIA instruction that does not use tensor memory, NewKernel and Trace give a kernel, and its text parses
// as PTX; for wgmma the smallest N is tried. Kernels for sm_120 can be written but not simulated, because the simulator
// does not compute these instructions.
func TestTraceOfEveryAtom(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	written, run := 0, 0
	kinds := map[string]int{}
	try := func(m atom.MMA) {
		target, err := lower.TargetFor(m.Operation, "")
		if err != nil || m.CFrom != atom.Registers || lower.IsWarpgroup(m) && m.Shape[1] != 8 {
			return
		}
		if run++; strings.HasPrefix(target.Chip, "sm_1") {
			written, run = written+1, run-1
		}
		kind, _, _ := strings.Cut(m.Text, ".")
		kind += target.Chip
		if kinds[kind]++; long.Skips(kinds[kind]-1, 4) {
			return
		}
		atoms := map[int64]string{1: "(16,16,1)", 8: "(2,2,1)", 32: "(2,2,1)", 128: "(1,1,1)"}[m.Threads()]
		mma, err := atom.MakeTiledMMA(m, cute.MustParse(atoms), cute.Keep)
		if err != nil {
			t.Fatal(err)
		}
		tile := mma.TileShape()
		for i, wish := range []int64{32, 32, 512 / int64(m.Types.A.Type.Bits())} {
			tile[i] *= max(1, wish/tile[i])
		}
		k, err := NewKernel(mma, tile)
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			return
		}
		c, err := k.Trace(Facts{})
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			return
		}
		text := c.Module.String()
		again, err := ptx.Parse(text)
		if err != nil || again.String() != text {
			t.Errorf("%s: its PTX is not read as it is printed: %v", m.Name, err)
		}
		opcode, _, _ := strings.Cut(m.Text, " ")
		if !strings.Contains(text, opcode) || strings.Count(text, "bar.sync") != 2 {
			t.Errorf("%s: no %s, or not two barriers", m.Name, opcode)
		}
	}
	for m := range atom.MMAs() {
		try(m)
	}
	for m := range atom.BareMMAs() {
		try(m)
	}
	if run != 230 || written != 158 {
		t.Errorf("%d instructions up to sm_90 have kernels, and %d later ones", run, written)
	}
}

func TestTraceRefusals(t *testing.T) {
	t.Parallel()
	plain := func(text string) cute.Composed {
		c, err := cute.NewComposed(cute.Swizzle{}, cute.Int(0), cute.MustParse(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	const f16, wgmma = "SM80_16x8x16_F32F16F16F32_TN", "SM90_64x64x16_F32F16F16_SS"
	const tmem, amd, mixed = "SM100_MMA_F16BF16_SS_128x64", "v_mfma_f32_32x32x8_f16", "UniversalFMA<float,float,float,double>"
	of := func(name, atoms string, m, n, k int64) Kernel { return mustKernel(t, name, atoms, [3]int64{m, n, k}) }
	for name, tt := range map[string]struct {
		k    Kernel
		code cute.Code
		want string
	}{
		"too many threads":     {of(f16, "(8,8,1)", 128, 64, 64), cute.CodeExtent, "2048"},
		"too much memory":      {of(f16, "(2,2,1)", 512, 512, 128), cute.CodeLimit, "131072"},
		"not wgmma's layout":   {of(wgmma, "(1,1,1)", 64, 64, 64), cute.CodeNotRepresentable, ""},
		"AMD":                  {of(amd, "(1,1,1)", 64, 64, 32), cute.CodeType, "AMD"},
		"tensor memory":        {of(tmem, "(1,1,1)", 128, 64, 32), cute.CodeType, "tensor memory"},
		"another accumulator":  {of(mixed, "(16,16,1)", 64, 64, 32), cute.CodeType, "in place"},
		"others read than mul": {of(f16, "(2,2,1)", 32, 32, 32), cute.CodeExtent, "threads"},
		"two along K":          {of(f16, "(1,1,2)", 32, 32, 32), cute.CodeLimit, "2 atoms along K"},
		"another tile":         {of(f16, "(2,2,1)", 32, 32, 32), cute.CodeNotDivisible, "48"},
	} {
		switch name {
		case "not wgmma's layout":
			tt.k.SharedA = plain("(64,64):(64,1)")
		case "others read than mul":
			tt.k.LoadA = of(f16, "(1,1,1)", 32, 32, 32).LoadA
		case "another tile":
			tt.k.Tile[0] = 48
		}
		_, err := tt.k.Trace(Facts{})
		e, ok := errors.AsType[*cute.Error](err)
		if !ok || e.Code != tt.code || !strings.Contains(e.Msg, tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
	}
	const scaled = "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS<float_e4m3_t,float_e4m3_t,float,float_ue8m0_t,32>"
	k := of(scaled, "(1,1,1)", 16, 8, 32)
	p := draw(k.MMA.Atom(), rand.New(rand.NewPCG(1, 2)), [3]int64{2, 2, 33})
	if _, err := k.Launch(p); err == nil || !strings.Contains(err.Error(), "expected 4 factors of A, found 0") {
		t.Errorf("no factors: %v", err)
	}
	p.ScaleA, p.ScaleB = []float64{1, 2, 4, 8}, []float64{1, 1, 1, 1}
	l, err := k.Launch(p)
	if err != nil || len(l.Tensors["SFA"]) != 4 || l.Tensors["SFA"][1] != 128 {
		t.Errorf("%v, %v", l.Tensors["SFA"], err)
	}
	// The sums use the numbers times their factors.
	want := make([]float64, 4)
	for i := range int64(2) {
		for j := range int64(2) {
			want[2*i+j] = p.C[2*i+j]
			for x := range p.K {
				want[2*i+j] += p.A[i*p.K+x] * p.ScaleA[2*i+x/32] * p.B[j*p.K+x]
			}
		}
	}
	if c, err := k.CheckCard(p, want, nil); err != nil || c.Fails > 0 || c.Exact != 4 {
		t.Errorf("%+v, %v", c, err)
	}
	want[3]++
	if c, err := k.CheckCard(p, want, nil); err != nil || c.Fails != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}
