package dot

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/atom"
	"girih/dtype"
)

// opcodes are instructions of every kind.
var opcodes = []string{
	"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16",
	"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
	"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
	"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32",
	"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e4m3.f16",
	"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32",
	"mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.s4.s32", "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
	"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc", "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2",
	"wgmma.mma_async.sync.aligned.m64n8k32.f16.e5m2.e4m3", "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16",
	"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8.satfinite",
	"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16", "wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32",
	"wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e4m3.e4m3",
	"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32",
	"mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
}

// drawCode draws numbers of all kinds: near 1, with near or far exponents, few distinct ones, subnormal ones, any code,
// and occasional infinities and NaNs.
func drawCode(r *rand.Rand, t dtype.Type, kind int) uint64 {
	c := r.Uint64()
	if t.Bits() < 64 {
		c &= 1<<t.Bits() - 1
	}
	if t.Kind() != dtype.Float {
		return c
	}
	span := map[int]int{0: 1, 1: 4, 2: 12, 3: 60, 6: 18}[kind]
	if span == 0 {
		switch {
		case kind == 4 && r.IntN(3) > 0:
			return 0
		case kind == 5:
			return c
		case kind == 7 && r.IntN(8*t.Bits()) == 0:
			return formatOf(t).infinite() | c&1
		}
		span = 3
	}
	x := (1 + float64(r.IntN(1024))/1024) * float64(1-2*r.IntN(2))
	for range r.IntN(span) {
		x *= 2
	}
	for range r.IntN(span) {
		x /= 2
	}
	code, err := t.EncodeSaturating(x)
	if err != nil {
		return 0
	}
	return code
}

func modelFor(t testing.TB, opcode string) (atom.MMA, Model) {
	t.Helper()
	m, err := atom.FindPTX(opcode, atom.Registers)
	if err != nil {
		t.Fatal(err)
	}
	model, err := ModelOf(m)
	if err != nil {
		t.Fatal(err)
	}
	return m, model
}

// A product equals the model, element by element.
func TestProduct(t *testing.T) {
	t.Parallel()
	const rows, columns = 5, 7
	for _, opcode := range opcodes {
		m, model := modelFor(t, opcode)
		types, k := m.Types, int(m.Shape[2])
		per := 1 // elements in a code
		if types.A.Type == dtype.B1 {
			per = 32
		}
		p := NewProduct(model, k/per)
		r := rand.New(rand.NewPCG(uint64(len(opcode)), 3))
		for round := range 96 {
			draw := func(e atom.Element, n, kind int) []uint64 {
				out := make([]uint64, n)
				for i := range out {
					out[i] = drawCode(r, e.Type, kind)
					if per == 32 && e.Type == dtype.B1 {
						out[i] = uint64(r.Uint32())
					}
				}
				return out
			}
			kind := round % 8
			a, b := draw(types.A, rows*k/per, kind), draw(types.B, columns*k/per, kind)
			c := draw(types.C, rows*columns, (kind+round/8)%8)
			var there []uint64
			if s := m.Sparse; s != nil {
				there = make([]uint64, rows)
				for i := range there {
					for bits.OnesCount64(there[i]) < k/2+round%3/2*4 { // sometimes more than one step
						there[i] |= 1 << r.IntN(k)
					}
				}
				for i := range a {
					if there[i/k]>>(i%k)&1 == 0 {
						a[i] = 0
					}
				}
			}
			p.SetA(a, there)
			p.SetB(b)
			for i := range rows {
				acc := append([]uint64(nil), c[i*columns:(i+1)*columns]...)
				p.Row(i, acc)
				for j, got := range acc {
					var x, y []uint64
					for l := range k {
						if there == nil || there[i]>>l&1 == 1 {
							x = append(x, a[(i*k+l)/per]>>(l%per)&map[int]uint64{1: ^uint64(0), 32: 1}[per])
							y = append(y, b[(j*k+l)/per]>>(l%per)&map[int]uint64{1: ^uint64(0), 32: 1}[per])
						}
					}
					if want := model.Add(x, y, c[i*columns+j]); got != want {
						t.Fatalf("%s, %v: %x·%x + %x is %x, want %x", opcode, model, x, y, c[i*columns+j], got, want)
					}
				}
			}
		}
	}
}

func BenchmarkProduct(b *testing.B) {
	for _, opcode := range opcodes {
		m, model := modelFor(b, opcode)
		name := strings.ReplaceAll(strings.TrimPrefix(opcode, "mma.sync.aligned."), ".sync.aligned", "")
		k := int(m.Shape[2])
		if m.Types.A.Type == dtype.B1 {
			k /= 32
		}
		for _, kind := range []int{0, 2} {
			b.Run(fmt.Sprint(name, "/", kind), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				draw := func(e atom.Element, n int) []uint64 {
					out := make([]uint64, n)
					for i := range out {
						out[i] = drawCode(r, e.Type, kind)
					}
					return out
				}
				rows, columns := int(m.Shape[0]), int(m.Shape[1])
				p := NewProduct(model, k)
				x, y := draw(m.Types.A, rows*k), draw(m.Types.B, columns*k)
				c := draw(m.Types.C, columns)
				acc := make([]uint64, columns)
				b.ReportAllocs()
				for b.Loop() {
					p.SetA(x, nil)
					p.SetB(y)
					for i := range rows {
						copy(acc, c)
						p.Row(i, acc)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*columns*k), "ns/product")
			})
		}
	}
}

// A rounding gives the double next to the exact value on its side.
func TestRounding(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	special := []float64{
		0, math.Copysign(0, -1), 1, -1, 5e-324, -5e-324, math.MaxFloat64, -math.MaxFloat64, 0x1p-600, 0x1p600,
	}
	draw := func() float64 {
		switch r.IntN(3) {
		case 0:
			return special[r.IntN(len(special))]
		case 1:
			return r.NormFloat64()
		}
		for {
			if x := math.Float64frombits(r.Uint64()); x-x == 0 {
				return x
			}
		}
	}
	for range 20000 {
		x, y, z := draw(), draw(), draw()
		if r.IntN(4) == 0 {
			z = -x * y
		}
		if z-z != 0 {
			continue
		}
		exact := new(big.Float).SetPrec(5000).SetFloat64(x)
		exact.Mul(exact, big.NewFloat(y)).Add(exact, big.NewFloat(z))
		for _, mode := range []Rounding{Zero, Down, Up} {
			got := math.Float64frombits(double(math.Float64bits(x), math.Float64bits(y), math.Float64bits(z), mode))
			side := mode
			if mode == Zero {
				side = map[int]Rounding{-1: Up, 0: Zero, 1: Down}[exact.Sign()]
			}
			// above reports whether a double is at least the exact value.
			above := func(x float64) bool {
				return math.IsInf(x, 1) || !math.IsInf(x, -1) && exact.Cmp(big.NewFloat(x)) <= 0
			}
			ok := got == 0
			switch below := math.Nextafter(got, math.Inf(-1)); side {
			case Down:
				ok = !above(below) && (!above(got) || exact.Cmp(big.NewFloat(got)) == 0) && above(math.Nextafter(got, math.Inf(1)))
			case Up:
				ok = above(got) && !above(below)
			}
			if !ok {
				t.Fatalf("%v·%v + %v, %v: %v", x, y, z, mode, got)
			}
			if exact.Sign() == 0 && x*y != 0 && math.Signbit(got) != (mode == Down) {
				t.Fatalf("%v·%v + %v, %v: the sign of %v", x, y, z, mode, got)
			}
		}
	}
}
