package sim_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"girih/dtype"
	"girih/ptx/sim"
	"girih/tensormap"
)

// TestForeignTutorials runs CuTe's tutorials for sm_100a. The first one has a fault, no fence.proxy.async between
// st.shared and tcgen05.mma, and the right product in spite of it. In the last one, warps that have not seen a phase of
// an mbarrier may find it two phases later, so most orders deadlock.
func TestForeignTutorials(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		m, n, k int
		d       int // the buffer
		seed    uint64
		fault   string
	}{
		{"t01", 256, 256, 128, 0, 0, "no fence.proxy.async is between the two"},
		{"t02", 256, 256, 128, 0, 0, ""},
		{"t03", 512, 1024, 128, 0, 0, ""},
		{"t04", 512, 1024, 128, 0, 0, ""},
		{"t05", 512, 1024, 128, 0, 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := loadForeign(t, tt.name, nil)
			a := newForeign(t, dtype.F16, tt.m, tt.k, smallIntegers(1))
			b := newForeign(t, dtype.F16, tt.n, tt.k, smallIntegers(2))
			if r.data[1], r.data[2], r.seed = a.data, b.data, tt.seed; tt.fault != "" {
				r.goOn = 5
			}
			err := r.run(t, tt.name)
			r.check(t, err, tt.fault)
			sameMatrix(t, readForeign(t, dtype.F32, r.buffers[tt.d].Bytes()), foreignProduct(a, b, nil, nil), tt.n, 0)
		})
	}
}

// check checks that a run ended with findings of one fault only, or with none.
func (r *recordedLaunch) check(t *testing.T, err error, fault string) {
	t.Helper()
	switch {
	case fault == "" && err != nil, fault != "" && (err == nil || !strings.Contains(err.Error(), fault)):
		t.Errorf("%v, want %q", err, fault)
	case fault != "":
		for _, f := range r.result.Findings {
			if !strings.Contains(f.Message, fault) {
				t.Error(f)
			}
		}
	}
}

// A tritonLaunch runs a kernel of Triton.
type tritonLaunch struct {
	program *sim.Program
	memory  *sim.Memory
	launch  sim.Launch
}

func loadTriton(t foreignT, name string, change func(string) string) *tritonLaunch {
	t.Helper()
	dir := foreign(t, "triton_"+name)
	var meta struct {
		Metadata struct{ Shared, Num_warps int }
	}
	if err := json.Unmarshal(readFile(t, filepath.Join(dir, "meta.json")), &meta); err != nil {
		t.Fatalf("%v", err)
	}
	p := loadProgram(t, filepath.Join(dir, "k.ptx"), change)
	l := &tritonLaunch{program: p, memory: memory(t, p)}
	l.launch.Shared = meta.Metadata.Shared
	text := string(readFile(t, filepath.Join(dir, "k.ptx")))
	if _, err := fmt.Sscanf(text[strings.Index(text, ".reqntid"):], ".reqntid %d", &l.launch.Block.X); err != nil {
		t.Fatalf("%v", err)
	}
	return l
}

func (l *tritonLaunch) put(t foreignT, data []byte) *sim.Buffer {
	t.Helper()
	b, err := l.memory.Put("in", data)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return b
}

// tensor adds the arguments of a tensor descriptor: the map, the shape and the strides, the outermost dimension first.
func (l *tritonLaunch) tensor(t foreignT, b *sim.Buffer, of tensormap.Type, swizzle tensormap.Swizzle, dims, box []int64) {
	t.Helper()
	m := tensormap.Map{Type: of, Address: b.Address(), Swizzle: swizzle, Dims: slices.Clone(dims), Box: slices.Clone(box)}
	slices.Reverse(m.Dims)
	slices.Reverse(m.Box)
	strides := []int64{1}
	for i := range len(dims) - 1 {
		strides = append(strides, strides[i]*m.Dims[i])
		m.Strides = append(m.Strides, strides[i+1]*of.Bits()/8)
	}
	a, err := sim.TensorMap(m)
	if err != nil {
		t.Fatalf("%v", err)
	}
	l.launch.Args = append(l.launch.Args, a)
	for _, d := range dims {
		l.launch.Args = append(l.launch.Args, sim.U32(uint32(d)))
	}
	for _, s := range slices.Backward(strides) {
		l.launch.Args = append(l.launch.Args, sim.U64(uint64(s)))
	}
}

func (l *tritonLaunch) run(grid ...int) error {
	l.launch.Args = append(l.launch.Args, sim.U64(0), sim.U64(0))
	l.launch.Grid = sim.Dim{X: grid[0]}
	if len(grid) > 1 {
		l.launch.Grid.Y = grid[1]
	}
	_, err := l.program.Run(context.Background(), l.memory, l.launch)
	return err
}

// TestForeignTriton runs Triton's matrix products in f16.
func TestForeignTriton(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"gemm", "gemm_tma", "persistent_ws"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runTriton(t, name, nil)
		})
	}
}

func runTriton(t foreignT, name string, change func(string) string) {
	t.Helper()
	const m, n, k = 256, 256, 192
	prepare := map[string]func(l *tritonLaunch, a, b *foreignMatrix, c *sim.Buffer) []int{
		"gemm": func(l *tritonLaunch, a, b *foreignMatrix, c *sim.Buffer) []int {
			turned := newForeign(t, dtype.F16, k, n, func(i, j int) float64 { return b.values[j*k+i] })
			l.launch.Args = []sim.Arg{sim.Pointer(l.put(t, a.data), 0), sim.Pointer(l.put(t, turned.data), 0), sim.Pointer(c, 0)}
			for _, v := range []uint32{m, n, k, k, n, n} {
				l.launch.Args = append(l.launch.Args, sim.U32(v))
			}
			return []int{4}
		},
		"gemm_tma": func(l *tritonLaunch, a, b *foreignMatrix, c *sim.Buffer) []int {
			l.tensor(t, l.put(t, a.data), tensormap.Float16, tensormap.Swizzle128B, []int64{m, k}, []int64{128, 64})
			l.tensor(t, l.put(t, b.data), tensormap.Float16, tensormap.Swizzle128B, []int64{n, k}, []int64{128, 64})
			l.tensor(t, c, tensormap.Float16, tensormap.Swizzle128B, []int64{m, n}, []int64{128, 64})
			l.launch.Args = append(l.launch.Args, sim.U32(m), sim.U32(n), sim.U32(k))
			return []int{4}
		},
		"persistent_ws": func(l *tritonLaunch, a, b *foreignMatrix, c *sim.Buffer) []int {
			l.tensor(t, l.put(t, a.data), tensormap.Float16, tensormap.Swizzle128B, []int64{m, k}, []int64{128, 64})
			l.tensor(t, l.put(t, b.data), tensormap.Float16, tensormap.Swizzle128B, []int64{n, k}, []int64{128, 64})
			l.tensor(t, c, tensormap.Float16, tensormap.Swizzle128B, []int64{m, n}, []int64{128, 64})
			l.launch.Args = append(l.launch.Args, sim.U32(m), sim.U32(n), sim.U32(k))
			return []int{2}
		},
	}[name]
	l := loadTriton(t, name, change)
	a := newForeign(t, dtype.F16, m, k, smallIntegers(1))
	b := newForeign(t, dtype.F16, n, k, smallIntegers(2))
	c := alloc(t, l.memory, m*n*2)
	if err := l.run(prepare(l, a, b, c)...); err != nil {
		t.Errorf("%v", err)
	}
	sameMatrix(t, readForeign(t, dtype.F16, c.Bytes()), foreignProduct(a, b, nil, nil), n, 0)
}

// TestForeignTritonScaled runs Triton's products with scale factors: sizes from tutorial 10.
func TestForeignTritonScaled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		a, b, s dtype.Type
		n, k    int64 // of a block
		vector  int
	}{
		{"mxfp8", dtype.E4M3, dtype.E4M3, dtype.UE8M0, 128, 128, 32},
		{"mxfp4", dtype.E2M1, dtype.E2M1, dtype.UE8M0, 128, 256, 32},
		{"nvfp4", dtype.E2M1, dtype.E2M1, dtype.UE4M3, 256, 256, 16},
		{"mixed", dtype.E4M3, dtype.E2M1, dtype.UE8M0, 128, 128, 32},
		{"mxfp8_sm120", dtype.E4M3, dtype.E4M3, dtype.UE8M0, 128, 128, 32},
		{"mxfp4_sm120", dtype.E2M1, dtype.E2M1, dtype.UE8M0, 128, 128, 32},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			runScaled(t, tt.name, tt.a, tt.b, tt.s, tt.n, tt.k, tt.vector, nil)
		})
	}
}

func runScaled(t foreignT, name string, ta, tb, ts dtype.Type, n, block int64, vector int, change func(string) string) {
	t.Helper()
	const rows, columns = 256, 256
	k := 2 * int(block)
	l := loadTriton(t, name, change)
	a, b := newForeign(t, ta, rows, k, smallIntegers(1)), newForeign(t, tb, columns, k, smallIntegers(2))
	factor := func(i, j int) float64 { return math.Ldexp(1, (i+2*j)%3-1) }
	sa := newScales(t, ts, rows, k, vector, factor)
	sb := newScales(t, ts, columns, k, vector, func(i, j int) float64 { return factor(2*i, j+1) })
	c := alloc(t, l.memory, rows*columns*4)
	operand := func(m *foreignMatrix, box int64) {
		bytes := int64(m.columns * m.of.Bits() / 8)
		width, swizzle := block*int64(m.of.Bits())/8, tensormap.Swizzle128B
		of := tensormap.UInt8
		switch {
		case name == "mixed" && m == b: // padded in shared memory
			of, bytes, width = tensormap.U4Align16, int64(m.columns), block
		case width == 64:
			swizzle = tensormap.Swizzle64B
		}
		l.tensor(t, l.put(t, m.data), of, swizzle, []int64{int64(m.rows), bytes}, []int64{box, width})
	}
	factors := func(s *scales, tiles int64) {
		l.tensor(t, l.put(t, s.data), tensormap.UInt8, tensormap.SwizzleNone,
			[]int64{1, int64(s.rows) / 128, int64(s.n) / 4, 2, 256},
			[]int64{1, tiles, block / int64(vector) / 4, 2, 256})
	}
	operand(a, 128)
	factors(sa, 1)
	operand(b, n)
	factors(sb, n/128)
	l.tensor(t, c, tensormap.Float32, tensormap.Swizzle128B, []int64{rows, columns}, []int64{128, 32})
	if err := l.run(int(2 * columns / n)); err != nil {
		t.Errorf("%v", err)
	}
	sameMatrix(t, readForeign(t, dtype.F32, c.Bytes()), foreignProduct(a, b, sa, sb), columns, 0)
}

// TestForeignCUTLASS runs examples 70, 72 and 79 of CUTLASS. With pairs of blocks, the mbarrier for the deallocation of
// tensor memory is initialised after fence.mbarrier_init, and barrier.cluster.arrive is relaxed.
func TestForeignCUTLASS(t *testing.T) {
	t.Parallel()
	const unordered = "mbarrier.init.shared::cta.b64 at line"
	for _, tt := range []struct {
		name     string
		m, n, k  int
		a, b     dtype.Type
		s        dtype.Type // of scale factors, if vector is not 0
		vector   int
		d        dtype.Type
		byColumn bool
		fault    string
	}{
		{"c70", 512, 256, 256, dtype.F16, dtype.F16, 0, 0, dtype.F32, true, unordered},
		{"c72a", 256, 1024, 512, dtype.E2M1, dtype.E2M1, dtype.UE4M3, 16, dtype.BF16, false, unordered},
		{"c72c", 256, 1024, 512, dtype.E4M3, dtype.E2M1, dtype.UE8M0, 32, dtype.BF16, false, unordered},
		{"c79a", 256, 128, 256, dtype.E2M1, dtype.E2M1, dtype.UE4M3, 16, dtype.BF16, false, ""},
		{"c79c", 256, 128, 256, dtype.E4M3, dtype.E3M2, dtype.UE8M0, 32, dtype.BF16, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := loadForeign(t, tt.name, nil)
			a, b := newForeign(t, tt.a, tt.m, tt.k, smallIntegers(1)), newForeign(t, tt.b, tt.n, tt.k, smallIntegers(2))
			r.data[1], r.data[2] = a.data, b.data
			var sa, sb *scales
			if tt.vector > 0 {
				factor := func(i, j int) float64 { return math.Ldexp(1, (i+2*j)%3-1) }
				sa = newScales(t, tt.s, tt.m, tt.k, tt.vector, factor)
				sb = newScales(t, tt.s, tt.n, tt.k, tt.vector, func(i, j int) float64 { return factor(2*i, j+1) })
				r.data[6], r.data[7] = sa.data, sb.data
			}
			if tt.fault != "" {
				r.goOn = 5
			}
			r.check(t, r.run(t, tt.name), tt.fault)
			want := foreignProduct(a, b, sa, sb)
			for i, v := range want {
				if tt.d == dtype.BF16 {
					x := math.Float32bits(float32(v))
					want[i] = float64(math.Float32frombits((x + 0x7fff + x>>16&1) &^ 0xffff))
				}
			}
			got := readForeign(t, tt.d, r.buffers[4].Bytes())
			if tt.byColumn {
				turned := slices.Clone(got)
				for i := range got {
					turned[i%tt.m*tt.n+i/tt.m] = got[i]
				}
				got = turned
			}
			sameMatrix(t, got, want, tt.n, 0)
		})
	}
}

// TestForeignAttention runs Triton's attention. All scores are whole powers of two apart, and the errors of ex2.approx
// are small.
func TestForeignAttention(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"attn", "attn_ws", "attn_fp8"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runAttention(t, name, nil)
		})
	}
}

func runAttention(t foreignT, name string, change func(string) string) {
	t.Helper()
	const length, width = 256, 64
	l := loadTriton(t, name, change)
	of, code, swizzle, causal := dtype.F16, tensormap.Float16, tensormap.Swizzle128B, name == "attn_ws"
	if name == "attn_fp8" {
		of, code, swizzle, causal = dtype.E5M2, tensormap.UInt8, tensormap.Swizzle64B, true
	}
	if name == "attn" {
		causal = false
	}
	some := func(seed int) func(i, j int) float64 {
		return func(i, j int) float64 { return float64((i*5+j*3+seed)%9/8) * float64(1-2*((i+j)&1)) }
	}
	q, k := newForeign(t, of, length, width, some(0)), newForeign(t, of, length, width, some(4))
	v := newForeign(t, of, length, width, smallIntegers(3))
	scale, sums := float32(1/1.44269504), alloc(t, l.memory, 4*length)
	out := alloc(t, l.memory, length*width*int64(of.Bits())/8)
	l.launch.Args = []sim.Arg{sim.U32(math.Float32bits(scale)), sim.Pointer(sums, 0), sim.U32(1), sim.U32(1)}
	dims := []int64{length, width}
	l.tensor(t, l.put(t, q.data), code, swizzle, dims, []int64{128, 64})
	l.tensor(t, l.put(t, k.data), code, swizzle, dims, []int64{64, 64})
	if name == "attn_fp8" { // V is transposed
		turned := newForeign(t, of, width, length, func(i, j int) float64 { return v.values[j*width+i] })
		l.tensor(t, l.put(t, turned.data), code, swizzle, []int64{width, length}, []int64{64, 64})
	} else {
		l.tensor(t, l.put(t, v.data), code, swizzle, dims, []int64{64, 64})
	}
	l.tensor(t, out, code, swizzle, dims, []int64{128, 64})
	l.launch.Args = append(l.launch.Args, sim.U32(length))
	if err := l.run(2, 1); err != nil {
		t.Errorf("%v", err)
	}
	scores := foreignProduct(q, k, nil, nil)
	want := make([]float64, length*width)
	for i := range length {
		sum, p := 0.0, make([]float64, length)
		for j := range length {
			if !causal || j <= i {
				p[j] = math.Exp2(scores[i*length+j])
				sum += p[j]
			}
		}
		for j, x := range p {
			for c := range width {
				want[i*width+c] += x / sum * v.values[j*width+c]
			}
		}
	}
	tolerance := 2e-3
	if of == dtype.E5M2 {
		tolerance = 0.3
	}
	sameMatrix(t, readForeign(t, of, out.Bytes()), want, width, tolerance)
}

// A mutant counts the errors of a run that has to fail.
type mutant struct {
	testing.TB
	wrong []string
}

func (m *mutant) Errorf(format string, args ...any) {
	m.wrong = append(m.wrong, fmt.Sprintf(format, args...))
}

// nth replaces occurrence n of a text.
func nth(n int, old, by string) func(string) string {
	return func(s string) string {
		at := 0
		for range n {
			i := strings.Index(s[at:], old)
			if i < 0 {
				return s
			}
			at += i + len(old)
		}
		return s[:at-len(old)] + by + s[at:]
	}
}

// TestForeignMutants changes one thing in kernels of Triton: a run has a finding, or the product is wrong.
func TestForeignMutants(t *testing.T) {
	t.Parallel()
	scaled := func(name string, of, s dtype.Type, n, k int64, vector int) func(t foreignT, change func(string) string) {
		return func(t foreignT, change func(string) string) { runScaled(t, name, of, of, s, n, k, vector, change) }
	}
	plain := func(name string) func(t foreignT, change func(string) string) {
		return func(t foreignT, change func(string) string) { runTriton(t, name, change) }
	}
	fp8 := scaled("mxfp8", dtype.E4M3, dtype.UE8M0, 128, 128, 32)
	fp4 := scaled("nvfp4", dtype.E2M1, dtype.UE4M3, 256, 256, 16)
	warp := scaled("mxfp8_sm120", dtype.E4M3, dtype.UE8M0, 128, 128, 32)
	wait := "@!complete bra.uni waitLoop;"
	for _, tt := range []struct {
		name   string
		run    func(t foreignT, change func(string) string)
		change func(string) string
	}{
		{"stride of A", plain("gemm_tma"), nth(1, "4611756662049472512", "4611756666344439808")},
		{"start of A", plain("gemm_tma"), nth(1, "4611756662049472514", "4611756662049472516")},
		{"type of A", plain("gemm_tma"), nth(1, "mov.b32 \t%r51, 136314896", "mov.b32 \t%r51, 136315024")},
		{"column of D", plain("gemm_tma"), nth(1, "[%r217 + 0];", "[%r217 + 1];")},
		{"no commit", plain("gemm_tma"), nth(1, "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd14]", "membar.cta")},
		{"no first wait", plain("gemm_tma"), nth(1, wait, "")},
		{"no second wait", plain("gemm_tma"), nth(2, wait, "")},
		{"no third wait", plain("gemm_tma"), nth(3, wait, "")},
		{"no wait in persistent", plain("persistent_ws"), nth(1, wait, "")},
		{"no third wait in persistent", plain("persistent_ws"), nth(3, wait, "")},
		{"no wait of fp8", fp8, nth(1, wait, "")},
		{"no second wait of fp8", fp8, nth(2, wait, "")},
		{"no last wait of fp8", fp8, nth(4, wait, "")},
		{"no copy of factors", fp8, nth(1, "tcgen05.cp.cta_group::1.warpx4.32x128b [ %r47 + 0 ], %rd1", "membar.cta")},
		{"no copy of the second factors", fp8, nth(2, "tcgen05.cp.cta_group::1.warpx4.32x128b [ %r48 + 0 ], %rd2", "membar.cta")},
		{"columns of factors", fp4, nth(1, "add.s32 \t%r9, %r328, 260", "add.s32 \t%r9, %r328, 264")},
		{"factors exchanged", fp4, nth(1, "70403103916096", "70403103916128")},
		{"byte of a factor", warp, nth(1, "%r53, { 0, 0 }", "%r53, { 1, 0 }")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := &mutant{TB: t}
			tt.run(m, tt.change)
			if len(m.wrong) == 0 {
				t.Error("nothing is wrong")
			}
		})
	}
}
