package kernel_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
)

// tileOf returns the layout, made of the widest atom, of a tile from which an instruction reads an operand.
func tileOf(t *testing.T, op atom.MMA, o atom.Operand, rows, columns int64) cute.Composed {
	t.Helper()
	major, elem := op.AMajor, op.Types.A.Type
	if o == atom.OperandB {
		major, elem = op.BMajor, op.Types.B.Type
	}
	s, err := descriptor.SelectSS.Select(major, elem, [2]int64{rows, columns}, 1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Atom.TileToShape(cute.Ints(rows, columns), cute.Tuple{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestWgmmaTypes multiplies small numbers, whose sums are exact, with instructions of all types, with A in shared
// memory or in registers, K-major and MN-major.
func TestWgmmaTypes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"SM90_64x32x16_F32F16F16_SS", "SM90_64x32x16_F32BF16BF16_SS<GMMA::Major::MN,GMMA::Major::MN>",
		"SM90_64x16x16_F16F16F16_SS<GMMA::Major::K,GMMA::Major::MN>", "SM90_64x8x16_F32F16F16_RS",
		"SM90_64x16x16_F32BF16BF16_RS<GMMA::Major::K,GMMA::Major::MN>", "SM90_64x24x8_F32TF32TF32_SS_TN",
		"SM90_64x8x8_F32TF32TF32_RS_TN", "SM90_64x16x32_F32E4M3E5M2_SS_TN", "SM90_64x16x32_F16E5M2E4M3_RS_TN",
		"SM90_64x32x32_S32S8U8_SS_TN", "SM90_64x8x32_S32U8S8_RS_TN", "SM90_64x8x32_S32S8S8_SS_TN_SATURATE",
	} {
		op, err := atom.FindMMA(name)
		if err != nil {
			t.Fatal(err)
		}
		mma := wgmma(t, name)
		m, n, depth := int64(64), op.Shape[1], 64/int64(op.Types.A.Type.Bits()/8)
		a, b, c := op.Types.A.Type, op.Types.B.Type, op.Types.C.Type
		k, err := kernel.Trace("types", 128, func(k *kernel.K) {
			tensor := func(name string, t dtype.Type, x, y int64) kernel.Tensor {
				l, err := cute.New(cute.Ints(x, y), cute.Ints(y, 1))
				if err != nil {
					panic(err)
				}
				return k.GlobalLayout(name, t, l)
			}
			gA, gB, gC := tensor("A", a, m, depth), tensor("B", b, n, depth), tensor("C", c, m, n)
			thr := k.ThrMMA(mma, k.ThreadIdx())
			fill := func(name string, g kernel.Tensor, o atom.Operand, rows int64) kernel.Tensor {
				s := k.Shared(name, g.Elem(), tileOf(t, op, o, rows, depth))
				k.If(k.ThreadIdx().Less(kernel.Int(8)), func() {
					one := cute.MustParse("(8,1):(1,0)")
					k.Copy(k.LocalPartition(g, one, k.ThreadIdx().Mod(8)), k.LocalPartition(s, one, k.ThreadIdx().Mod(8)))
				})
				return s
			}
			var tCrA kernel.Tensor
			sB := fill("sB", gB, atom.OperandB, n)
			if strings.Contains(name, "_SS") {
				tCrA = thr.MakeFragmentA(thr.PartitionA(fill("sA", gA, atom.OperandA, m)))
			} else {
				part := thr.PartitionA(gA)
				tCrA = thr.MakeFragmentA(part)
				k.Copy(part, tCrA)
			}
			tCrB, part := thr.MakeFragmentB(thr.PartitionB(sB)), thr.PartitionC(gC)
			tCrC := thr.MakeFragmentC(part)
			k.Clear(tCrC)
			k.FenceProxyAsync()
			k.Sync()
			k.WarpgroupArrive()
			k.GemmTiled(mma, tCrA, tCrB, tCrC)
			k.WarpgroupCommitBatch()
			k.WarpgroupWait(0)
			k.Copy(tCrC, part)
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r := rand.New(rand.NewPCG(uint64(n), uint64(depth)))
		x, y := small(t, r, a, m*depth), small(t, r, b, n*depth)
		out := make([]byte, m*n*int64(c.Bits())/8)
		runOne(t, k, []any{x.bytes, y.bytes, out})
		for i := range m {
			for j := range n {
				want := 0.0
				for l := range depth {
					want += x.values[i*depth+l] * y.values[j*depth+l]
				}
				if got := element(t, c, out, i*n+j); got != want {
					t.Fatalf("%s: (%d,%d) is %v, want %v", name, i, j, got, want)
				}
			}
		}
	}
}

// A codes is a list of numbers as they are stored in memory.
type codes struct {
	values []float64
	bytes  []byte
}

// small returns random numbers from 0 to 3, or from -2 to 3.
func small(t *testing.T, r *rand.Rand, typ dtype.Type, n int64) (c codes) {
	t.Helper()
	for range n {
		x := float64(r.IntN(4))
		if typ.Kind() == dtype.Float || typ == dtype.S8 {
			x = float64(r.IntN(6) - 2)
		}
		code, err := typ.Encode(x)
		if err != nil {
			t.Fatal(err)
		}
		if typ == dtype.TF32 { // in place of a float
			f, err := dtype.F32.Encode(x)
			if err != nil {
				t.Fatal(err)
			}
			code = f
		}
		c.values = append(c.values, x)
		for i := range typ.Bits() / 8 {
			c.bytes = append(c.bytes, byte(code>>(8*i)))
		}
	}
	return c
}

func element(t *testing.T, typ dtype.Type, b []byte, i int64) float64 {
	t.Helper()
	n := int64(typ.Bits() / 8)
	code := uint64(0)
	for j := range n {
		code |= uint64(b[i*n+j]) << (8 * j)
	}
	x, err := typ.Decode(code)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
