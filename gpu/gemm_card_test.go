package gpu_test

import (
	"encoding/binary"
	"testing"

	"girih/dtype"
	"girih/gpu"
	"girih/kernel/gemm"
)

// TestGemm runs products whose operands the TMA can and cannot read, and one whose blocks share K, with both
// instructions. The second launch of blocks that share K finds the counters that the first one has left.
func TestGemm(t *testing.T) {
	d := card(t)
	c, err := d.GemmCard()
	if err != nil {
		t.Skip(err)
	}
	for _, n := range [][3]int{{130, 72, 64}, {65, 71, 33}, {64, 64, 4096}} {
		for _, o := range []gemm.Options{{}, {Instruction: "mma.sync"}, {Instruction: "mma.sync", Split: 2}} {
			runGemm(t, d, gemm.Problem{
				M: int64(n[0]), N: int64(n[1]), K: int64(n[2]), In: dtype.F16, Out: dtype.F32,
			}, c, o)
		}
	}
}

func runGemm(t *testing.T, d *gpu.Device, problem gemm.Problem, c gemm.Card, o gemm.Options) {
	m, n, k := int(problem.M), int(problem.N), int(problem.K)
	p, err := gemm.New(problem, c, o)
	check(t, err)
	number := func(i int) float64 { return float64(i%5 - 2) }
	codes := func(count int) []uint16 {
		out := make([]uint16, count)
		for i := range out {
			code, err := dtype.F16.Encode(number(i))
			check(t, err)
			out[i] = uint16(code)
		}
		return out
	}
	out := alloc[float32](t, d, m*n)
	g, err := d.LoadGemm(p)
	check(t, err)
	defer func() { check(t, g.Close()) }()
	args := gpu.Args{"A": upload(t, d, codes(m*k)), "B": upload(t, d, codes(n*k)), "D": out}
	for range 2 {
		check(t, out.Fill(77))
		check(t, g.Launch(args))
	}
	check(t, d.Gemm(t.Context(), p, args))
	got := make([]float32, m*n)
	check(t, out.Read(t.Context(), got))
	for i := range m {
		for j := range n {
			want := 0.0
			for q := range k {
				want += number(i*k+q) * number(j*k+q)
			}
			if float64(got[i*n+j]) != want {
				t.Fatalf("%dx%dx%d, %+v: D(%d,%d) is %v, expected %v", m, n, k, o, i, j, got[i*n+j], want)
			}
		}
	}
}

// TestGemmTypes runs two products of each type, with sums that are exact.
func TestGemmTypes(t *testing.T) {
	d := card(t)
	c, err := d.GemmCard()
	if err != nil {
		t.Skip(err)
	}
	const m, n, k, l = 130, 71, 300, 2
	number := func(i int) float64 { return float64(i%5 - 2) }
	for _, typ := range []dtype.Type{dtype.F16, dtype.BF16, dtype.TF32, dtype.E4M3, dtype.E5M2, dtype.S8} {
		p, err := gemm.New(gemm.Problem{M: m, N: n, K: k, L: l, In: typ, Out: dtype.F32}, c, gemm.Options{})
		check(t, err)
		codes := func(count int) (out []byte) {
			for i := range count {
				code, err := typ.Encode(number(i))
				if typ == dtype.S8 {
					code, err = typ.EncodeInt(int64(number(i)))
				}
				check(t, err)
				out = append(out, binary.LittleEndian.AppendUint64(nil, code)[:typ.Bits()/8]...)
			}
			return out
		}
		out := alloc[float32](t, d, m*n*l)
		check(t, d.Gemm(t.Context(), p, gpu.Args{
			"A": upload(t, d, codes(m*k*l)), "B": upload(t, d, codes(n*k*l)), "D": out,
		}))
		got := make([]float32, m*n*l)
		check(t, out.Read(t.Context(), got))
		for i := range got {
			product, row, column, want := i/(m*n), i/n%m, i%n, 0.0
			for q := range k {
				want += number((product*m+row)*k+q) * number((product*n+column)*k+q)
			}
			if float64(got[i]) != want {
				t.Fatalf("%v: D(%d,%d,%d) is %v, expected %v", typ, row, column, product, got[i], want)
			}
		}
	}
}

// TestGemmSpillsNothing loads kernels whose threads have more registers than they begin with, which the driver's linker
// ignores, twice: the second time they come from the cache.
func TestGemmSpillsNothing(t *testing.T) {
	d := card(t)
	c, err := d.GemmCard()
	if err != nil {
		t.Skip(err)
	}
	for _, scale := range []gemm.Scale{"", gemm.ScaleBlocks} {
		p, err := gemm.New(gemm.Problem{M: 4096, N: 4096, K: 4096, In: dtype.E4M3, Scale: scale}, c,
			gemm.Options{Tile: [3]int64{128, 128, 128}, Roles: "cooperative"})
		check(t, err)
		for range 2 {
			g, err := d.LoadGemm(p)
			check(t, err)
			if r := g.Resources(); r.Local > 0 {
				t.Errorf("%q: a thread has %d bytes of local memory", scale, r.Local)
			}
			check(t, g.Close())
		}
	}
}
