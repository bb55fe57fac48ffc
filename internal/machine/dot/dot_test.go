package dot

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

func code(t *testing.T, typ dtype.Type, x float64) uint64 {
	t.Helper()
	c, err := typ.Encode(x)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// definition is the sum of one step by the definition, in rational numbers.
func definition(m Fused, a, b []uint64, c uint64) uint64 {
	value := func(t dtype.Type, code uint64) (float64, int) {
		f := formatOf(t)
		x, _ := f.read(code)
		return decode(t, code), x.place
	}
	type part struct {
		x     float64
		place int
	}
	var parts []part
	for i := range a {
		x, px := value(m.A, a[i])
		y, py := value(m.B, b[i])
		parts = append(parts, part{x * y, px + py})
	}
	x, px := value(m.C, c)
	parts = append(parts, part{x, px})
	top := math.MinInt
	for _, p := range parts {
		if p.x != 0 {
			top = max(top, p.place)
		}
	}
	sum := new(big.Float).SetPrec(2000)
	for _, p := range parts {
		if p.x != 0 {
			n, _ := new(big.Float).SetMantExp(big.NewFloat(p.x), m.Below-top).Int(nil) // towards zero
			sum.Add(sum, new(big.Float).SetPrec(2000).SetMantExp(new(big.Float).SetInt(n), top-m.Below))
		}
	}
	if sum.Sign() == 0 {
		return 0
	}
	mode := big.ToZero
	if m.Nearest {
		mode = big.ToNearestEven
	}
	f := formatOf(m.C)
	least := 1 - f.bias() - m.Fraction // the exponent of the last bit that may be set
	last := max(sum.MantExp(nil)-1-m.Fraction, least)
	scaled := new(big.Float).SetPrec(2000).SetMantExp(sum, -last)
	n, _ := scaled.Int(nil)
	if mode == big.ToNearestEven {
		rest := new(big.Float).SetPrec(2000).Sub(scaled, new(big.Float).SetInt(n))
		half := rest.Cmp(big.NewFloat(math.Copysign(0.5, float64(rest.Sign()))))
		if rest.Sign() < 0 {
			half = -half
		}
		if half > 0 || half == 0 && n.Bit(0) == 1 {
			n.Add(n, big.NewInt(int64(rest.Sign())))
		}
	}
	v, _ := new(big.Float).SetPrec(2000).SetMantExp(new(big.Float).SetInt(n), last).Float64()
	if v == 0 && sum.Sign() < 0 {
		v = math.Copysign(0, -1)
	}
	if c, err := m.C.Encode(v); err == nil {
		return c
	}
	return f.nan()
}

// The sums equal the definition, for numbers of all sizes.
func TestFused(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, m := range []Fused{
		{dtype.F16, dtype.F16, dtype.F32, 16, 25, 23, false},
		{dtype.F16, dtype.F16, dtype.F16, 8, 25, 10, true},
		{dtype.BF16, dtype.BF16, dtype.F32, 16, 25, 23, false},
		{dtype.TF32, dtype.TF32, dtype.F32, 8, 25, 23, false},
		{dtype.E4M3, dtype.E5M2, dtype.F32, 32, 13, 13, false},
		{dtype.E5M2, dtype.E4M3, dtype.F16, 32, 13, 10, true},
	} {
		for range 2000 {
			n := 1 + r.IntN(m.Together)
			a, b := make([]uint64, n), make([]uint64, n)
			draw := func(typ dtype.Type) uint64 {
				for {
					c := r.Uint64() & (1<<typ.Bits() - 1)
					if r.IntN(4) == 0 {
						c &= 1<<(typ.Bits()-1) | 1<<(typ.Bits()/2) - 1 // small
					}
					if v := decode(typ, c); v-v == 0 {
						return c
					}
				}
			}
			for i := range a {
				a[i], b[i] = draw(m.A), draw(m.B)
			}
			c := draw(m.C)
			if got, want := m.Add(a, b, c), definition(m, a, b, c); got != want {
				t.Fatalf("%v: %x·%x + %x is %x, want %x", m, a, b, c, got, want)
			}
		}
	}
}

// These sums distinguish the models.
func TestModels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		a, b    []float64
		c, want float64
	}{
		// A bit of 2^-25 below the largest term is kept, a bit of 2^-26 is not; the result is cut off at 23 bits.
		{"SM80_16x8x16_F32F16F16F32_TN", []float64{1, 0x1p-13, 0x1p-13}, []float64{-1, 0x1p-12, 0x1p-12}, 1, 0x1p-24},
		{"SM80_16x8x16_F32F16F16F32_TN", []float64{1, 0x1p-13, 0x1p-13}, []float64{-1, 0x1p-13, 0x1p-13}, 1, 0},
		{"SM80_16x8x16_F32F16F16F32_TN", []float64{1, 0x1p-12, 0x1p-12}, []float64{1, 0x1.8p-12, 0x1.8p-12}, 0, 1 + 0x1p-23},
		// The same for 8-bit types: 13 bits are kept.
		{"SM90_64x8x32_F32E4M3E4M3_RS_TN", []float64{1, 0x1p-7}, []float64{1, 0x1p-6}, 0, 1 + 0x1p-13},
		{"SM90_64x8x32_F32E4M3E4M3_RS_TN", []float64{1, 0x1p-7}, []float64{1, 0x1p-7}, 0, 1},
		{"SM89_16x8x32_F32E4M3E4M3F32_TN", []float64{1, 0x1p-7}, []float64{1, 0x1p-7}, 0, 1 + 0x1p-14},
		// The sum is rounded to the nearest f16.
		{"SM80_16x8x16_F16F16F16F16_TN", []float64{1, 0x1.8p-6}, []float64{1, 0x1p-5}, 0, 1 + 0x1p-9 - 0x1p-10},
		// Multiply-adds.
		{"SM80_8x8x4_F64F64F64F64_TN", []float64{0x1p-53, 0x1p-53}, []float64{1, 1}, 1, 1},
		{"SM70_8x8x4_F32F16F16F32_TN", []float64{0x1p-12, 0x1p-12}, []float64{0x1p-12, 0x1p-12}, 1, 1 + 0x1p-23},
		{"UniversalFMA<half_t,half_t,half_t,half_t>", []float64{1 + 0x1p-10}, []float64{1 + 0x1p-10}, -1, 0x1p-9 + 0x1p-20},
	} {
		m, err := atom.FindMMA(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		model, err := ModelOf(m)
		if err != nil {
			t.Fatal(err)
		}
		var a, b []uint64
		for i := range tt.a {
			a, b = append(a, code(t, m.Types.A.Type, tt.a[i])), append(b, code(t, m.Types.B.Type, tt.b[i]))
		}
		got := model.Add(a, b, code(t, m.Types.C.Type, tt.c))
		if want := code(t, m.Types.C.Type, tt.want); got != want {
			t.Errorf("%s, %v: %v, want %v", tt.name, model, decode64(m.Types.C.Type, got), tt.want)
		}
	}
}

func decode64(t dtype.Type, c uint64) float64 {
	if t == dtype.F64 {
		return math.Float64frombits(c)
	}
	return decode(t, c)
}

func TestIntegers(t *testing.T) {
	t.Parallel()
	low := uint64(0x80000000)
	for _, tt := range []struct {
		m    Integers
		a, b uint64
		c, d uint64
	}{
		{Integers{dtype.S8, dtype.U8, dtype.S32, false, false}, 0xff, 0xff, 1, 0xffffff02},
		{Integers{dtype.S8, dtype.U8, dtype.S32, false, false}, 0xff, 1, low, 0x7fffffff},
		{Integers{dtype.S8, dtype.U8, dtype.S32, true, false}, 0xff, 1, low, low},
		{Integers{dtype.S4, dtype.U4, dtype.S32, true, false}, 7, 15, 0x7fffffff, 0x7fffffff},
		{Integers{dtype.B1, dtype.B1, dtype.S32, false, true}, 1, 0, 5, 6},
		{Integers{dtype.B1, dtype.B1, dtype.S32, false, false}, 1, 0, 5, 5},
	} {
		if d := tt.m.Add([]uint64{tt.a}, []uint64{tt.b}, tt.c); d != tt.d {
			t.Errorf("%+v: %#x, want %#x", tt, d, tt.d)
		}
	}
}

func TestModelOf(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"SM100_MMA_F16BF16_SS_128x256", "SM80_8x8x4_C64C64C64C64_TN", "v_mfma_f32_32x32x8_f16", "SM120_16x8x32_TN<e4m3,e4m3,float>",
	} {
		m, err := atom.FindMMA(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ModelOf(m); err == nil || !isCode(err, cute.CodeType) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func isCode(err error, code cute.Code) bool {
	e, ok := errors.AsType[*cute.Error](err)
	return ok && e.Code == code
}

// A number beyond the type becomes infinity, and a NaN stays a NaN.
func TestSpecial(t *testing.T) {
	t.Parallel()
	m := Fused{dtype.F16, dtype.F16, dtype.F32, 16, 25, 23, false}
	inf, nan := uint64(0x7c00), uint64(0x7e00)
	for _, tt := range []struct {
		a, b []uint64
		c, d uint64
	}{
		{[]uint64{inf}, []uint64{0x3c00}, 0, 0x7f800000},
		{[]uint64{inf | 0x8000}, []uint64{0x3c00}, 0, 0xff800000},
		{[]uint64{inf, inf | 0x8000}, []uint64{0x3c00, 0x3c00}, 0, 0x7fffffff},
		{[]uint64{inf}, []uint64{0}, 0, 0x7fffffff},
		{[]uint64{nan}, []uint64{0}, 0, 0x7fffffff},
		{[]uint64{0}, []uint64{0}, 0x80000000, 0},
		{[]uint64{0}, []uint64{0}, 0xff800001, 0x7fffffff},
	} {
		if d := m.Add(tt.a, tt.b, tt.c); d != tt.d {
			t.Errorf("%x: %#x, want %#x", tt, d, tt.d)
		}
	}
}
