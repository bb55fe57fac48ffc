package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// A function computes a value of two others.
type function = func(k *kernel.K, x, y kernel.Value) kernel.Value

// calculate returns f of x and y, elements of type from, as elements of type to.
func calculate(t *testing.T, from, to dtype.Type, x, y []float64, f function) []float64 {
	t.Helper()
	n := int64(len(x))
	k, err := kernel.Trace("f", n, func(k *kernel.K) {
		layout := parse(fmt.Sprintf("%d:1", n))
		a, b := k.GlobalLayout("a", from, layout), k.GlobalLayout("b", from, layout)
		c := k.GlobalLayout("c", to, layout)
		k.Store(f(k, k.Load(a, k.ThreadIdx()), k.Load(b, k.ThreadIdx())), c, k.ThreadIdx())
	})
	if err != nil {
		t.Error(err)
		return nil
	}
	out := make([]float64, n)
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"a": x, "b": y, "c": out}})
	if err != nil {
		t.Error(err)
		return nil
	}
	return out
}

// TestBits compares operations on integers with Go's.
func TestBits(t *testing.T) {
	t.Parallel()
	type value = kernel.Value
	five := kernel.Int(5)
	for _, tt := range []struct {
		name   string
		do     func(k *kernel.K, x, y value) value
		signed func(x, y int32) int32
		bits   func(x, y uint32) uint32
	}{
		{"and", func(_ *kernel.K, x, y value) value { return x.And(y) }, nil, func(x, y uint32) uint32 { return x & y }},
		{"or", func(_ *kernel.K, x, y value) value { return x.Or(y) }, nil, func(x, y uint32) uint32 { return x | y }},
		{"xor", func(_ *kernel.K, x, y value) value { return x.Xor(y) }, nil, func(x, y uint32) uint32 { return x ^ y }},
		{"not", func(_ *kernel.K, x, _ value) value { return x.Not() }, nil, func(x, _ uint32) uint32 { return ^x }},
		{"shl", func(_ *kernel.K, x, _ value) value { return x.Shl(five) }, nil, func(x, _ uint32) uint32 { return x << 5 }},
		{"shl by the lane", func(k *kernel.K, x, _ value) value { return x.Shl(k.ThreadIdx().Mod(3)) }, nil, nil},
		{
			"shr", func(_ *kernel.K, x, _ value) value { return x.Shr(five) }, func(x, _ int32) int32 { return x >> 5 },
			func(x, _ uint32) uint32 { return x >> 5 },
		},
		{
			"popc", func(_ *kernel.K, x, _ value) value { return x.Popc().Bitcast(x.Type()) }, nil,
			func(x, _ uint32) uint32 { return uint32(bits.OnesCount32(x)) },
		},
		{
			"clz", func(_ *kernel.K, x, _ value) value { return x.Clz().Bitcast(x.Type()) }, nil,
			func(x, _ uint32) uint32 { return uint32(bits.LeadingZeros32(x)) },
		},
		{
			"brev", func(_ *kernel.K, x, _ value) value { return x.Brev() }, nil,
			func(x, _ uint32) uint32 { return bits.Reverse32(x) },
		},
		{
			"bfe", func(_ *kernel.K, x, _ value) value { return x.Bfe(five, kernel.Int(7)) },
			func(x, _ int32) int32 { return x << 20 >> 25 }, func(x, _ uint32) uint32 { return x >> 5 & 127 },
		},
		{
			"bfi", func(_ *kernel.K, x, y value) value { return x.Bfi(y, five, kernel.Int(7)) }, nil,
			func(x, y uint32) uint32 { return x&^(127<<5) | y&127<<5 },
		},
		{
			"prmt", func(_ *kernel.K, x, y value) value { return x.Prmt(y, kernel.Int(0x0716)) }, nil,
			func(x, y uint32) uint32 { return y>>16&0xff | x>>8&0xff<<8 | y>>24<<16 | x&0xff<<24 },
		},
		{
			"rem", func(_ *kernel.K, x, y value) value { return x.Rem(y) }, func(x, y int32) int32 { return x % y },
			func(x, y uint32) uint32 { return x % y },
		},
		{
			"div", func(_ *kernel.K, x, y value) value { return x.Div(y) }, func(x, y int32) int32 { return x / y },
			func(x, y uint32) uint32 { return x / y },
		},
		{
			"mul hi", func(_ *kernel.K, x, y value) value { return x.MulHi(y) },
			func(x, y int32) int32 { return int32(int64(x) * int64(y) >> 32) },
			func(x, y uint32) uint32 { return uint32(uint64(x) * uint64(y) >> 32) },
		},
		{"mad", func(_ *kernel.K, x, y value) value { return x.FMA(y, x) }, nil, func(x, y uint32) uint32 { return x*y + x }},
		{"up", func(k *kernel.K, x, _ value) value { return k.ShflUp(x, 3) }, nil, nil},
		{"down", func(k *kernel.K, x, _ value) value { return k.ShflDown(x, 3) }, nil, nil},
		{"match", func(k *kernel.K, x, _ value) value { return k.MatchAny(x.Bfe(five, five)).Bitcast(x.Type()) }, nil, nil},
		{
			"all match", func(k *kernel.K, x, y value) value { return k.Select(k.MatchAll(x.Xor(x)), x, y) }, nil,
			func(x, _ uint32) uint32 { return x },
		},
		{
			"none match", func(k *kernel.K, x, y value) value { return k.Select(k.MatchAll(x), x, y) }, nil,
			func(_, y uint32) uint32 { return y },
		},
		{"any", func(k *kernel.K, x, y value) value {
			return k.Select(k.VoteAny(k.ThreadIdx().Equal(kernel.Int(9))), x, y)
		}, nil, func(x, _ uint32) uint32 { return x }},
		{"all", func(k *kernel.K, x, y value) value {
			return k.Select(k.VoteAll(k.ThreadIdx().Equal(kernel.Int(9))), x, y)
		}, nil, func(_, y uint32) uint32 { return y }},
	} {
		r := rand.New(rand.NewPCG(5, 6))
		x, y := make([]float64, 32), make([]float64, 32)
		for _, typ := range []dtype.Type{dtype.U32, dtype.S32} {
			for i := range x {
				x[i], y[i] = float64(r.Uint32()), float64(r.Uint32()>>r.IntN(30)+1)
				if typ == dtype.S32 {
					x[i], y[i] = float64(int32(uint32(x[i]))), float64(int32(uint32(y[i])))
				}
			}
			got := calculate(t, typ, typ, x, y, tt.do)
			for i := range got {
				a, b, want := uint32(int64(x[i])), uint32(int64(y[i])), uint32(0)
				switch {
				case tt.name == "shl by the lane":
					want = a << (i % 3)
				case tt.name == "up":
					if want = a; i >= 3 {
						want = uint32(int64(x[i-3]))
					}
				case tt.name == "down":
					if want = a; i < 29 {
						want = uint32(int64(x[i+3]))
					}
				case tt.name == "match":
					for j := range x {
						c := uint32(int64(x[j]))
						if typ == dtype.S32 && int32(c)<<22>>27 == int32(a)<<22>>27 || typ == dtype.U32 && c>>5&31 == a>>5&31 {
							want |= 1 << j
						}
					}
				case typ == dtype.S32 && tt.signed != nil:
					want = uint32(tt.signed(int32(a), int32(b)))
				default:
					want = tt.bits(a, b)
				}
				if uint32(int64(got[i])) != want {
					t.Errorf("%s of %v: %v and %v make %v, want %x", tt.name, typ, x[i], y[i], got[i], want)
					break
				}
			}
		}
	}
}

// TestFunctions compares functions of floats of each type with Go's, within the error that PTX states.
func TestFunctions(t *testing.T) {
	t.Parallel()
	type value = kernel.Value
	all := []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.BF16}
	for _, tt := range []struct {
		name  string
		types []dtype.Type
		do    func(x, y value) value
		want  func(x, y float64) float64
		off   float64 // absolute, in addition to half a unit of the type
	}{
		{"add", all, value.Add, func(x, y float64) float64 { return x + y }, 0},
		{"sub", all, value.Sub, func(x, y float64) float64 { return x - y }, 0},
		{"mul", all, value.Mul, func(x, y float64) float64 { return x * y }, 0},
		{"fma", all, func(x, y value) value { return x.FMA(y, x) }, func(x, y float64) float64 { return math.FMA(x, y, x) }, 0},
		{"max", all, value.Max, math.Max, 0},
		{"min", all, value.Min, math.Min, 0},
		{"abs", all, func(x, _ value) value { return x.Abs() }, func(x, _ float64) float64 { return math.Abs(x) }, 0},
		{"neg", all, func(x, _ value) value { return x.Neg() }, func(x, _ float64) float64 { return -x }, 0},
		{"floor", all, func(x, _ value) value { return x.Floor() }, func(x, _ float64) float64 { return math.Floor(x) }, 0},
		{"ceil", all, func(x, _ value) value { return x.Ceil() }, func(x, _ float64) float64 { return math.Ceil(x) }, 0},
		{"trunc", all, func(x, _ value) value { return x.Trunc() }, func(x, _ float64) float64 { return math.Trunc(x) }, 0},
		{"round", all, func(x, _ value) value { return x.Round() }, func(x, _ float64) float64 { return math.RoundToEven(x) }, 0},
		{
			"tanh",
			[]dtype.Type{dtype.F32, dtype.F16, dtype.BF16},
			func(x, _ value) value { return x.Tanh() },
			func(x, _ float64) float64 { return math.Tanh(x) }, 0x1p-8,
		},
		{
			"exp2",
			[]dtype.Type{dtype.F32, dtype.F16, dtype.BF16},
			func(x, _ value) value { return x.Exp2() },
			func(x, _ float64) float64 { return math.Exp2(x) }, 0x1p-4,
		},
		{"sin", all[:1], func(x, _ value) value { return x.Sin() }, func(x, _ float64) float64 { return math.Sin(x) }, 0x1p-20},
		{"cos", all[:1], func(x, _ value) value { return x.Cos() }, func(x, _ float64) float64 { return math.Cos(x) }, 0x1p-20},
		{
			"rsqrt", all[:2], func(x, _ value) value { return x.Abs().Rsqrt() },
			func(x, _ float64) float64 { return 1 / math.Sqrt(math.Abs(x)) }, 0x1p-16,
		},
	} {
		for _, typ := range tt.types {
			unit := map[dtype.Type]float64{dtype.F32: 0x1p-24, dtype.F64: 0x1p-52, dtype.F16: 0x1p-11, dtype.BF16: 0x1p-8}[typ]
			r := rand.New(rand.NewPCG(7, 8))
			x, y := make([]float64, 32), make([]float64, 32)
			for i := range x {
				for _, v := range []*float64{&x[i], &y[i]} {
					code, _ := typ.Encode(2 * r.NormFloat64())
					*v, _ = typ.Decode(code)
				}
			}
			for i, got := range calculate(t, typ, typ, x, y, func(_ *kernel.K, x, y value) value { return tt.do(x, y) }) {
				if want := tt.want(x[i], y[i]); math.Abs(got-want) > unit*math.Abs(want)+tt.off {
					t.Errorf("%s of %v: %v and %v make %v, want %v", tt.name, typ, x[i], y[i], got, want)
				}
			}
		}
	}
}

// TestPairs compares operations on pairs with the same operations on values.
func TestPairs(t *testing.T) {
	t.Parallel()
	type value = kernel.Value
	type pair = kernel.Pair
	for name, both := range map[string]struct {
		pair  func(p, q pair) pair
		value func(x, y value) value
	}{
		"add": {pair.Add, value.Add}, "sub": {pair.Sub, value.Sub}, "mul": {pair.Mul, value.Mul},
		"max": {pair.Max, value.Max}, "min": {pair.Min, value.Min},
		"fma":  {func(p, q pair) pair { return p.FMA(q, p) }, func(x, y value) value { return x.FMA(y, x) }},
		"neg":  {func(p, _ pair) pair { return p.Neg() }, func(x, _ value) value { return x.Neg() }},
		"abs":  {func(p, _ pair) pair { return p.Abs() }, func(x, _ value) value { return x.Abs() }},
		"exp2": {func(p, _ pair) pair { return p.Exp2() }, func(x, _ value) value { return x.Exp2() }},
		"tanh": {func(p, _ pair) pair { return p.Tanh() }, func(x, _ value) value { return x.Tanh() }},
	} {
		r := rand.New(rand.NewPCG(9, 1))
		x, y := make([]float64, 32), make([]float64, 32)
		for i := range x {
			x[i], y[i] = float64(float32(r.NormFloat64())), float64(float32(r.NormFloat64()))
		}
		for _, typ := range []dtype.Type{dtype.F16, dtype.BF16} {
			for half := range 2 {
				got := calculate(t, dtype.F32, typ, x, y, func(k *kernel.K, x, y value) value {
					lo, hi := both.pair(k.RoundPair(x, y, typ), k.RoundPair(y, x, typ)).Values()
					return []value{lo, hi}[half]
				})
				want := calculate(t, dtype.F32, typ, x, y, func(_ *kernel.K, x, y value) value {
					if half == 1 {
						x, y = y, x
					}
					return both.value(x.Convert(typ), y.Convert(typ))
				})
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s of %v: %v, want %v", name, typ, got, want)
				}
			}
		}
	}
}

// TestOperationsRefuse checks the errors of types and numbers that operations do not take, and that zero values do not
// panic.
func TestOperationsRefuse(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		code cute.Code
		f    func(k *kernel.K, x kernel.Value)
	}{
		{cute.CodeType, func(_ *kernel.K, x kernel.Value) { x.And(x) }},
		{cute.CodeType, func(_ *kernel.K, x kernel.Value) { x.Popc() }},
		{cute.CodeType, func(_ *kernel.K, x kernel.Value) { x.Convert(dtype.F16).Sin() }},
		{cute.CodeType, func(_ *kernel.K, x kernel.Value) { x.Convert(dtype.S32).Floor() }},
		{cute.CodeType, func(_ *kernel.K, x kernel.Value) { x.Bitcast(dtype.F16) }},
		{cute.CodeType, func(_ *kernel.K, x kernel.Value) { x.Pair(dtype.F32) }},
		{cute.CodeType, func(k *kernel.K, x kernel.Value) { k.PairOf(x, x) }},
		{cute.CodeType, func(k *kernel.K, x kernel.Value) { k.RoundPair(x, x.Convert(dtype.F16), dtype.F16) }},
		{cute.CodeType, func(k *kernel.K, x kernel.Value) {
			k.RoundPair(x, x, dtype.F16).Add(k.RoundPair(x, x, dtype.BF16))
		}},
		{cute.CodeType, func(k *kernel.K, x kernel.Value) { k.MatchAny(x.Convert(dtype.F16)) }},
		{cute.CodeType, func(k *kernel.K, x kernel.Value) { x.Bitcast(dtype.S32).Bfi(x, kernel.Int(0), kernel.Int(1)) }},
		{cute.CodeExtent, func(_ *kernel.K, x kernel.Value) { x.Bitcast(dtype.S32).Shl(kernel.Int(33)) }},
		{cute.CodeExtent, func(k *kernel.K, x kernel.Value) { x.Bitcast(dtype.S32).Shr(k.ThreadIdx()) }},
		{cute.CodeExtent, func(_ *kernel.K, x kernel.Value) { x.Bitcast(dtype.S32).Bfe(kernel.Int(-1), kernel.Int(1)) }},
		{cute.CodeMode, func(k *kernel.K, _ kernel.Value) { k.CacheHint("L3", func() {}) }},
		{cute.CodeMode, func(k *kernel.K, x kernel.Value) {
			y := k.GlobalLayout("y", dtype.F32, parse("64:1"))
			k.CacheHint(kernel.NonCoherent, func() { k.Store(x, y, k.ThreadIdx()) })
		}},
	} {
		_, err := kernel.Trace("f", 64, func(k *kernel.K) { tt.f(k, k.Number(dtype.F32, 1)) })
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != tt.code {
			t.Errorf("%d: %v, should be %s", i, err, tt.code)
		}
	}
	var none kernel.Value
	var pair kernel.Pair
	_ = fmt.Sprint(none.And(none), none.Shl(kernel.Int(1)), none.Popc(), none.Bfe(kernel.Int(1), kernel.Int(1)),
		none.Bfi(none, kernel.Int(1), kernel.Int(1)), none.Prmt(none, kernel.Int(1)), none.Bitcast(dtype.F32), none.IsNaN(),
		none.Pair(dtype.F16), pair.Add(pair), pair.Bits(), none.Index(upTo31), none.Tanh())
	pair.Values()
}
