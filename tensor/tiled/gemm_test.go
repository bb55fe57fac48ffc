package tiled_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/dot"
	"girih/tensor"
	"girih/tensor/tiled"
)

// A problem is a product of codes: A (M,K), B (N,K), C (M,N), colexicographic.
type problem struct {
	mma     atom.TiledMMA
	m, n, k int64
	a, b, c []uint64
}

func newProblem(r *rand.Rand, mma atom.TiledMMA, exact bool) problem {
	tile := mma.TileShape()
	p := problem{mma: mma, m: tile[0], n: tile[1], k: tile[2] * (1 + r.Int64N(3))}
	if r.IntN(2) == 0 && p.m*p.n < 4096 {
		p.m *= 2
	}
	if r.IntN(2) == 0 && p.m*p.n < 4096 {
		p.n *= 2
	}
	t := mma.Atom().Types
	for range p.m * p.k {
		p.a = append(p.a, randomCode(r, t.A.Type, exact))
	}
	for range p.n * p.k {
		p.b = append(p.b, randomCode(r, t.B.Type, exact))
	}
	for range p.m * p.n {
		p.c = append(p.c, randomCode(r, t.C.Type, exact))
	}
	return p
}

// order returns the positions along K that atom vk multiplies, in the order in which it multiplies them; atoms is the
// number of atoms along K. In each tile the atoms take turns at runs of one instruction's K. The permutation, if there
// is one, maps index i of the tile to its position.
func (p problem) order(vk, atoms int64) []int64 {
	step := p.mma.Atom().Shape[2]
	perm := p.mma.PermutationMNK()[2]
	tile := p.mma.TileShape()[2]
	at := func(i int64) int64 { // the position of index i of the tile
		if l, ok := perm.(cute.Layout); ok {
			return must(l.At(i))
		}
		return i
	}
	var out []int64
	for first := int64(0); first < p.k; first += tile {
		for i := vk * step; i < tile; i += step * atoms {
			for j := range step {
				out = append(out, first+at(i+j))
			}
		}
	}
	return out
}

// want returns element (i,j) of D. Starting from c, the model adds the products at the positions in order, one
// instruction after the other.
func (p problem) want(add func(a, b []uint64, c uint64) uint64, order []int64, i, j int64, c uint64) uint64 {
	step := p.mma.Atom().Shape[2]
	a, b := make([]uint64, step), make([]uint64, step)
	for first := 0; first < len(order); first += int(step) {
		for x, k := range order[first : first+int(step)] {
			a[x], b[x] = p.a[i+p.m*k], p.b[j+p.n*k]
		}
		c = add(a, b, c)
	}
	return c
}

// packed returns a tensor of codes with a layout.
func packed(t dtype.Type, codes []uint64, l cute.Inner) tensor.Tensor[uint64] {
	x := must(tensor.AllocPacked(t, l))
	for i, c := range codes {
		if err := x.Set(c, int64(i)); err != nil {
			panic(err)
		}
	}
	return x
}

// For every instruction, with random atoms, permutations and layouts, Gemm computes bit for bit the model's sums in the
// order of K: for undivided tensors, for the parts of all threads, and for registers.
func TestGemm(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 1))
	for _, name := range mmaNames {
		if must(atom.FindMMA(name)).Types.A.Parts > 1 {
			continue
		}
		for range 4 {
			m := drawn(r, name)
			atoms := must(m.AtomLayoutMNK().Mode(2)).Size()
			p := newProblem(r, m, false)
			types := m.Atom().Types
			where := fmt.Sprintf("%s %v %s, %d by %d by %d", name, m.AtomLayoutMNK(), m.PermutationText(), p.m, p.n, p.k)
			a := packed(types.A.Type, p.a, layoutOf(r, p.m, p.k))
			b := packed(types.B.Type, p.b, layoutOf(r, p.n, p.k))
			c := packed(types.C.Type, p.c, layoutOf(r, p.m, p.n))
			add := modelOf(m.Atom())
			check := func(how string, got tensor.Tensor[uint64]) {
				t.Helper()
				for range 40 {
					i, j := r.Int64N(p.m), r.Int64N(p.n)
					want := p.want(add, p.order(0, 1), i, j, p.c[i+p.m*j])
					if x := must(got.At(i, j)); x != want {
						t.Fatalf("%s, %s: (%d,%d) is %#x, want %#x", where, how, i, j, x, want)
					}
				}
			}
			if atoms > 1 {
				wantCode(t, tiled.Gemm(m, a, b, c), cute.CodeNotInjective)
				checkParts(t, r, p, a, b)
				continue
			}
			if err := tiled.Gemm(m, a, b, c); err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			check("whole", c)
			// The parts of all threads, in memory.
			d := packed(types.C.Type, p.c, layoutOf(r, p.m, p.n))
			pA, pB, pD := must(tiled.PartitionA(m, a)), must(tiled.PartitionB(m, b)), must(tiled.PartitionC(m, d))
			if err := tiled.Gemm(m, pA, pB, pD); err != nil {
				t.Fatalf("%s, parts: %v", where, err)
			}
			check("parts", d)
			if m.Atom().CFrom == atom.TensorMemory {
				continue
			}
			// Use registers for operands that the instruction reads from registers.
			e := packed(types.C.Type, p.c, layoutOf(r, p.m, p.n))
			part := must(tiled.PartitionC(m, e))
			rA := registers(m, atom.OperandA, must(tiled.PartitionA(m, a)))
			rB := registers(m, atom.OperandB, must(tiled.PartitionB(m, b)))
			rC := registers(m, atom.OperandC, part)
			if err := tiled.Gemm(m, rA, rB, rC); err != nil {
				t.Fatalf("%s, registers: %v", where, err)
			}
			if err := tensor.Copy(rC, part); err != nil {
				t.Fatal(err)
			}
			check("registers", e)
		}
	}
}

// registers returns the loaded fragment of a part.
func registers(m atom.TiledMMA, o atom.Operand, part tensor.Tensor[uint64]) tensor.Tensor[uint64] {
	var f tensor.Tensor[uint64]
	switch o {
	case atom.OperandA:
		f = must(tiled.MakeFragmentA[uint64](m, part))
	case atom.OperandB:
		f = must(tiled.MakeFragmentB[uint64](m, part))
	default:
		f = must(tiled.MakeFragmentC[uint64](m, part))
	}
	if m.Atom().Space(o) == atom.Registers {
		if err := tensor.Copy(part, f); err != nil {
			panic(err)
		}
	}
	return f
}

// checkParts multiplies with several atoms along K: each thread has a part of the sum in its registers.
func checkParts(t *testing.T, r *rand.Rand, p problem, a, b tensor.Tensor[uint64]) {
	t.Helper()
	m := p.mma
	if m.Atom().CFrom == atom.TensorMemory {
		return
	}
	id := must(tensor.Identity(cute.Ints(p.m, p.n)))
	rC := must(tiled.PartitionFragmentC[uint64](m, id))
	if err := tiled.Gemm(m, a, b, rC); err != nil {
		t.Fatal(err)
	}
	where := must(tiled.PartitionC(m, id))
	atoms := must(m.AtomLayoutMNK().Mode(2)).Size()
	for range 100 {
		thread := r.Int64N(rC.Extent(0))
		v, x, y := r.Int64N(rC.Extent(1)), r.Int64N(rC.Extent(2)), r.Int64N(rC.Extent(3))
		at := append(must(where.At(thread, v, x, y)).Leaves(), 0) // a coordinate omits zeros at its end
		numbers := must(m.ThrLayoutVMNK().AppendOffsets(nil))
		slices.Sort(numbers)
		vk := must(m.Thread(numbers[thread])).VMNK()[3]
		want := p.want(modelOf(m.Atom()), p.order(vk, atoms), at[0], at[1], 0)
		if got := must(rC.At(thread, v, x, y)); got != want {
			t.Fatalf("%s %v: thread %d of atom %d along K has %#x at %v, want %#x",
				m.Atom().Name, m.AtomLayoutMNK(), thread, vk, got, at, want)
		}
	}
}

// modelOf returns the model of the instruction on a card. If there is none, and for products of bf16 by UniversalFMA,
// it returns exact sums rounded after each product.
func modelOf(m atom.MMA) func(a, b []uint64, c uint64) uint64 {
	if model, err := dot.ModelOf(m); err == nil && !strings.HasPrefix(m.Name, "UniversalFMA<bf") {
		return model.Add
	}
	return func(a, b []uint64, c uint64) uint64 {
		for i := range a {
			c = fused(m.Types, a[i], b[i], c)
		}
		return c
	}
}

// fused is a·b + c by definition: exact, then rounded once to the nearest number of C's type, which fused searches
// among the neighbours.
func fused(t atom.Types, a, b, c uint64) uint64 {
	val := func(t dtype.Type, code uint64) *big.Float {
		return new(big.Float).SetPrec(5000).SetFloat64(must(t.Decode(code)))
	}
	exact := new(big.Float).SetPrec(5000).Mul(val(t.A.Type, a), val(t.B.Type, b))
	exact.Add(exact, val(t.C.Type, c))
	f, _ := exact.Float64()
	near := must(t.C.Type.Encode(f))
	best, least := near, (*big.Float)(nil)
	for _, code := range []uint64{near - 1, near, near + 1} {
		x, err := t.C.Type.Decode(code & (1<<t.C.Type.Bits() - 1))
		if err != nil || x-x != 0 {
			continue
		}
		d := new(big.Float).SetPrec(5000).Sub(exact, new(big.Float).SetFloat64(x))
		d.Abs(d)
		if least == nil || d.Cmp(least) < 0 || d.Cmp(least) == 0 && code&1 == 0 {
			best, least = code, d
		}
	}
	return best
}

// Go's own types give the same results as codes: float32, float64, int8 and int32, complex128.
func TestGemmGoTypes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 1))
	fill := func(n int) ([]float32, []float64, []int8, []complex128) {
		f, d, i, z := make([]float32, n), make([]float64, n), make([]int8, n), make([]complex128, n)
		for k := range n {
			f[k], d[k], i[k] = float32(r.NormFloat64()), r.NormFloat64(), int8(r.IntN(256)-128)
			z[k] = complex(r.NormFloat64(), r.NormFloat64())
		}
		return f, d, i, z
	}
	fA, dA, iA, zA := fill(32 * 64)
	fB, dB, iB, zB := fill(16 * 64)
	lA, lB, lC := parse("(32,64):(64,1)"), parse("(16,64)"), parse("(32,16)")

	single := must(tensor.Alloc[float32](lC))
	m := tiledMMA("UniversalFMA<float>", "(4,2,1)", nil)
	if err := tiled.Gemm(m, must(tensor.Make(fA, lA)), must(tensor.Make(fB, lB)), single); err != nil {
		t.Fatal(err)
	}
	double := must(tensor.Alloc[float64](lC))
	m = tiledMMA("SM80_8x8x4_F64F64F64F64_TN", "(1,1,1)", nil)
	if err := tiled.Gemm(m, must(tensor.Make(dA, lA)), must(tensor.Make(dB, lB)), double); err != nil {
		t.Fatal(err)
	}
	whole := must(tensor.Alloc[int32](lC))
	m = tiledMMA("SM80_16x8x32_S32S8S8S32_TN", "(1,1,1)", nil)
	if err := tiled.Gemm(m, must(tensor.Make(iA, lA)), must(tensor.Make(iB, lB)), whole); err != nil {
		t.Fatal(err)
	}
	complexC := must(tensor.Alloc[complex128](lC))
	m = tiledMMA("SM80_8x8x4_C64C64C64C64_TN", "(1,1,1)", nil)
	if err := tiled.Gemm(m, must(tensor.Make(zA, lA)), must(tensor.Make(zB, lB)), complexC); err != nil {
		t.Fatal(err)
	}
	for i := range int64(32) {
		for j := range int64(16) {
			var f float32
			var d float64
			var n int32
			for k := range int64(64) {
				a, b := i*64+k, j+16*k
				exact := new(big.Float).SetPrec(300).Mul(big.NewFloat(float64(fA[a])), big.NewFloat(float64(fB[b])))
				f, _ = exact.Add(exact, big.NewFloat(float64(f))).Float32()
				d = math.FMA(dA[a], dB[b], d)
				n += int32(iA[a]) * int32(iB[b])
			}
			// The four instructions on parts, of 4 products each.
			var re, im float64
			for k := int64(0); k < 64; k += 4 {
				at := func(k int64) (x, y complex128) { return zA[i*64+k], zB[j+16*k] }
				for q := k; q < k+4; q++ {
					x, y := at(q)
					re, im = math.FMA(real(x), real(y), re), math.FMA(imag(x), real(y), im)
				}
				for q := k; q < k+4; q++ {
					x, y := at(q)
					re, im = math.FMA(-imag(x), imag(y), re), math.FMA(real(x), imag(y), im)
				}
			}
			if x := must(single.At(i, j)); x != f {
				t.Fatalf("float32 (%d,%d): %v, want %v", i, j, x, f)
			}
			if x := must(double.At(i, j)); x != d {
				t.Fatalf("float64 (%d,%d): %v, want %v", i, j, x, d)
			}
			if x := must(whole.At(i, j)); x != n {
				t.Fatalf("int8 (%d,%d): %v, want %v", i, j, x, n)
			}
			if x := must(complexC.At(i, j)); x != complex(re, im) {
				t.Fatalf("complex128 (%d,%d): %v, want %v", i, j, x, complex(re, im))
			}
		}
	}
}

// An instruction of one thread takes one thread's parts; operands may overlap C.
func TestGemmOneThread(t *testing.T) {
	t.Parallel()
	m := tiledMMA("UniversalFMA<float>", "(2,2,1)", nil)
	data := make([]float32, 16)
	for i := range data {
		data[i] = float32(i + 1)
	}
	x := must(tensor.Make(data, parse("(4,4)")))
	c := must(tensor.Alloc[float32](parse("(4,4)")))
	for i := range m.Size() {
		thr := must(m.Thread(i))
		mine := must(tiled.PartitionC(thr, c))
		acc := must(tiled.MakeFragmentC[float32](thr, mine))
		if err := tiled.Gemm(m, must(tiled.PartitionA(thr, x)), must(tiled.PartitionB(thr, x)), acc); err != nil {
			t.Fatal(err)
		}
		if err := tensor.Copy(acc, mine); err != nil {
			t.Fatal(err)
		}
	}
	inPlace := must(tensor.Make(append([]float32(nil), data...), parse("(4,4)")))
	if err := tiled.Gemm(m, inPlace, inPlace, inPlace); err != nil {
		t.Fatal(err)
	}
	for i := range int64(4) {
		for j := range int64(4) {
			want := float32(0)
			for k := range int64(4) {
				want += data[i+4*k] * data[j+4*k]
			}
			if got := must(c.At(i, j)); got != want {
				t.Errorf("(%d,%d) is %v, want %v", i, j, got, want)
			}
			if got := must(inPlace.At(i, j)); got != want+data[i+4*j] {
				t.Errorf("in place (%d,%d) is %v, want %v", i, j, got, want+data[i+4*j])
			}
		}
	}
}

// float32 products equal the model's in each bit, even if two roundings would differ from one: sums halfway, subnormal
// numbers, infinities and NaN.
func TestSingles(t *testing.T) {
	t.Parallel()
	m := tiledMMA("UniversalFMA<float>", "(1,1,1)", nil)
	model := must(dot.ModelOf(m.Atom()))
	r := rand.New(rand.NewPCG(9, 1))
	for kind, draw := range map[string]func() uint32{
		"ordinary":   func() uint32 { return math.Float32bits(float32(r.NormFloat64())) },
		"few bits":   func() uint32 { return math.Float32bits(float32(r.IntN(64)-32) / float32(int(1)<<r.IntN(30))) },
		"wide":       func() uint32 { return r.Uint32() },
		"all codes":  func() uint32 { return r.Uint32() | 0x3f000000*uint32(r.IntN(2)) },
		"subnormal":  func() uint32 { return r.Uint32() & 0x80ffffff },
		"at the end": func() uint32 { return r.Uint32()&0x807fffff | uint32(180+r.IntN(75))<<23 },
		"special": func() uint32 {
			return []uint32{0x7f800000, 0xff800000, 0x7fc00001, 0, 0x80000000, 0x3f800000, 0x00000001}[r.IntN(7)]
		},
		"halfway": func() uint32 { // 1 + 2^-12 squared is close to the middle between two neighbours
			return math.Float32bits(float32(math.Ldexp(float64(1+r.IntN(1<<13)), r.IntN(26)-24)))
		},
	} {
		const n, k = 24, 9
		a, b, c := make([]float32, n*k), make([]float32, n*k), make([]float32, n*n)
		for range 30 {
			for i := range a {
				a[i], b[i] = math.Float32frombits(draw()), math.Float32frombits(draw())
			}
			for i := range c {
				c[i] = math.Float32frombits(draw())
			}
			d := append([]float32(nil), c...)
			if err := tiled.Gemm(m, must(tensor.Make(a, parse("(24,9)"))), must(tensor.Make(b, parse("(24,9)"))),
				must(tensor.Make(d, parse("(24,24)")))); err != nil {
				t.Fatal(err)
			}
			for i := range n {
				for j := range n {
					want := uint64(math.Float32bits(c[i+n*j]))
					for q := range k {
						want = model.Add([]uint64{uint64(math.Float32bits(a[i+n*q]))}, []uint64{uint64(math.Float32bits(b[j+n*q]))}, want)
					}
					if got := uint64(math.Float32bits(d[i+n*j])); got != want {
						t.Fatalf("%s: (%d,%d) is %#x, want %#x", kind, i, j, got, want)
					}
				}
			}
		}
	}
}

// The texts of Arithmetic for all kinds of sums.
func TestArithmetic(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]tiled.Adding{
		"UniversalFMA<float>":                                               {Measured: true, Text: "one product after the other, each rounded to the nearest f32"},
		"SM80_16x8x16_F32F16F16F32_TN":                                      {Measured: true, Text: "16 products at once, cut off 25 bits below the largest, cut off to 23 bits behind the point"},
		"v_mfma_f32_16x16x16_f16":                                           {Text: "one product after the other, each rounded to the nearest f32"},
		"SM80_8x8x4_C64C64C64C64_TN":                                        {Measured: true, Text: "on the parts re·re, im·re, −im·im, re·im: one product after the other, each rounded to the nearest f64"},
		"SM80_16x8x32_S32S8S8S32_TN":                                        {Measured: true, Text: "exact, wraps around"},
		"UniversalFMA<int64_t>":                                             {Text: "exact, wraps around"},
		"UniversalFMA<int,float,float,int>":                                 {},
		"SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue8m0,32>": {},
	} {
		m, err := atom.FindMMA(name)
		if err != nil {
			t.Logf("%v", err)
			continue
		}
		got := tiled.Arithmetic(m)
		if got.Measured != want.Measured || got.Text != want.Text {
			t.Errorf("%s: %t %q, want %t %q", name, got.Measured, got.Text, want.Measured, want.Text)
		}
	}
}
