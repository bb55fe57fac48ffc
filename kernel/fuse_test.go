package kernel_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// numbersF32 returns the bytes of f32: random bits, and numbers that are special in narrow types.
func numbersF32(n int) []byte {
	r := rand.New(rand.NewPCG(5, 5))
	var out []byte
	for i := range n {
		x := r.Uint32()
		switch i % 4 {
		case 1:
			x = math.Float32bits(float32(r.NormFloat64()))
		case 2:
			x = math.Float32bits(float32(math.Ldexp(float64(r.Int64N(4096))+0.5, r.IntN(40)-30)))
		case 3:
			x = []uint32{0, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00001, 1<<32 - 1, 1, 0x477ff000, 0x33000000}[r.IntN(9)]
		}
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return out
}

// TestFusedPairs converts rows of f32 element by element, in several orders. It compares the bits with the conversions
// of single elements, which are stored to memory one by one, and counts the instructions.
func TestFusedPairs(t *testing.T) {
	t.Parallel()
	const rows, columns = 32, 16
	in := numbersF32(rows * columns)
	for _, typ := range []dtype.Type{dtype.F16, dtype.BF16, dtype.E4M3, dtype.E5M2} {
		run := func(write func(k *kernel.K, r, y kernel.Tensor)) (text string, out []byte) {
			k, err := kernel.Trace("k", rows, func(k *kernel.K) {
				x := k.GlobalLayout("x", dtype.F32, cute.MustParse("(32,16):(16,1)"))
				y := k.GlobalLayout("y", typ, cute.MustParse("(32,16):(16,1)"))
				row := k.Slice(x, k.ThreadIdx(), kernel.Open)
				r := k.MakeFragmentLike(row, dtype.F32)
				k.Copy(row, r)
				write(k, r, k.Slice(y, k.ThreadIdx(), kernel.Open))
			})
			if err != nil {
				t.Fatal(err)
			}
			out = make([]byte, rows*columns*typ.Bits()/8)
			if _, err := k.Simulate(context.Background(), kernel.Args{
				Bytes: map[string][]byte{"x": in, "y": out},
			}); err != nil {
				t.Fatal(err)
			}
			return k.Module.String(), out
		}
		_, want := run(func(k *kernel.K, r, y kernel.Tensor) {
			for i := range int64(columns) {
				k.Store(k.Load(r, kernel.Int(i)).Convert(typ), y, kernel.Int(i))
			}
		})
		pair := fmt.Sprintf("cvt.rn%sx2.f32", typ.PTX())
		if typ.Bits() == 8 {
			pair = fmt.Sprintf("cvt.rn.satfinite%sx2.f32", typ.PTX())
		}
		for name, order := range map[string]func(i int64) int64{
			"up":         func(i int64) int64 { return i },
			"down":       func(i int64) int64 { return columns - 1 - i },
			"even first": func(i int64) int64 { return i%8*2 + i/8 }, // the two elements of a pair are far apart
			"pairs down": func(i int64) int64 { return i ^ 1 },
		} {
			text, got := run(func(k *kernel.K, r, y kernel.Tensor) {
				h := k.MakeFragmentLike(r, typ)
				for i := range int64(columns) {
					at := kernel.Int(order(i))
					k.Store(k.Load(r, at).Convert(typ), h, at)
				}
				k.Copy(h, y)
			})
			if !slices.Equal(got, want) {
				t.Errorf("%v, %s: the bits differ", typ, name)
			}
			if n := strings.Count(text, pair); n != columns/2 && !(typ.Bits() == 8 && name == "even first") {
				t.Errorf("%v, %s: %d conversions of pairs, expected %d:\n%s", typ, name, n, columns/2, text)
			}
			if n := strings.Count(text, "bfi"); typ.Bits() == 16 && n > 0 {
				t.Errorf("%v, %s: %d insertions:\n%s", typ, name, n, text)
			}
			if n := strings.Count(text, "st.global.v4.b32"); n != columns*typ.Bits()/128 {
				t.Errorf("%v, %s: %d stores of 16 bytes", typ, name, n)
			}
		}
		text, got := run(func(k *kernel.K, r, y kernel.Tensor) {
			h := k.MakeFragmentLike(r, typ)
			k.Transform(r, h, func(v kernel.Value) kernel.Value { return v.Convert(typ) })
			k.Copy(h, y)
		})
		if n := strings.Count(text, pair); n != columns/2 || !slices.Equal(got, want) {
			t.Errorf("%v: Transform has %d conversions of pairs", typ, n)
		}
		if _, got = run(func(k *kernel.K, r, y kernel.Tensor) {
			h := k.MakeFragmentLike(r, typ)
			for i := int64(0); i < columns; i += 2 { // the element that is converted first is inserted last
				even, odd := kernel.Int(i), kernel.Int(i+1)
				v := k.Load(r, even).Convert(typ)
				k.Store(k.Load(r, odd).Convert(typ), h, odd)
				k.Store(v, h, even)
			}
			k.Copy(h, y)
		}); !slices.Equal(got, want) {
			t.Errorf("%v: the bits differ if the insertions are exchanged", typ)
		}
	}
}

// TestNoFusedPairs checks that conversions are not joined where that would change what a register holds.
func TestNoFusedPairs(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(k *kernel.K, x, y, r, h kernel.Tensor, i kernel.Index){
		"the register is read between": func(k *kernel.K, x, y, r, h kernel.Tensor, i kernel.Index) {
			k.Store(k.Load(r, kernel.Int(0)).Convert(dtype.F16), h, kernel.Int(0))
			k.Store(k.Load(h, kernel.Int(0)), y, i, kernel.Int(2))
			k.Store(k.Load(r, kernel.Int(1)).Convert(dtype.F16), h, kernel.Int(1))
		},
		"a condition between": func(k *kernel.K, x, y, r, h kernel.Tensor, i kernel.Index) {
			k.Store(k.Load(r, kernel.Int(0)).Convert(dtype.F16), h, kernel.Int(0))
			k.If(i.Less(kernel.Int(40)), func() {
				k.Store(k.Load(r, kernel.Int(1)).Convert(dtype.F16), h, kernel.Int(1))
			})
			k.Store(k.Load(h, kernel.Int(0)), y, i, kernel.Int(2))
		},
		"the number is used again": func(k *kernel.K, x, y, r, h kernel.Tensor, i kernel.Index) {
			v := k.Load(r, kernel.Int(0)).Convert(dtype.F16)
			k.Store(v, h, kernel.Int(0))
			k.Store(k.Load(r, kernel.Int(1)).Convert(dtype.F16), h, kernel.Int(1))
			k.Store(v, y, i, kernel.Int(2))
		},
		"one element twice": func(k *kernel.K, x, y, r, h kernel.Tensor, i kernel.Index) {
			k.Store(k.Load(r, kernel.Int(1)).Convert(dtype.F16), h, kernel.Int(0))
			k.Store(k.Load(r, kernel.Int(0)).Convert(dtype.F16), h, kernel.Int(0))
			k.Store(k.Load(h, kernel.Int(0)), y, i, kernel.Int(2))
			k.Store(k.Load(r, kernel.Int(1)).Convert(dtype.F16), h, kernel.Int(1))
		},
		"a source that is overwritten": func(k *kernel.K, x, y, r, h kernel.Tensor, i kernel.Index) {
			one := func(t kernel.Tensor, i int64) kernel.Tensor { return k.LocalTile(t, kernel.Shape(1), kernel.Int(i)) }
			k.Convert(one(r, 0), one(h, 0))
			k.Store(k.Load(r, kernel.Int(1)), r, kernel.Int(0))
			k.Convert(one(r, 1), one(h, 1))
			k.Store(k.Load(h, kernel.Int(0)), y, i, kernel.Int(2))
		},
		"a carried number": func(k *kernel.K, x, y, r, h kernel.Tensor, i kernel.Index) {
			k.Store(k.Load(r, kernel.Int(0)).Convert(dtype.F16), y, i, kernel.Int(2))
			k.ForCarry(kernel.Int(0), kernel.Int(2), k.Load(r, kernel.Int(1)), func(_ kernel.Index, v kernel.Value) kernel.Value {
				k.Store(v.Convert(dtype.F16), h, kernel.Int(1))
				v = v.Add(k.Load(r, kernel.Int(0))).Sub(v)
				k.Store(v.Convert(dtype.F16), h, kernel.Int(0))
				return k.Load(r, kernel.Int(1))
			})
		},
	} {
		k, err := kernel.Trace("k", 32, func(k *kernel.K) {
			x := k.GlobalLayout("x", dtype.F32, cute.MustParse("(32,2):(2,1)"))
			y := k.GlobalLayout("y", dtype.F16, cute.MustParse("(32,4):(4,1)"))
			i := k.ThreadIdx()
			r, h := k.MakeFragment(dtype.F32, parse("2:1")), k.MakeFragment(dtype.F16, parse("2:1"))
			k.Copy(k.Slice(x, i, kernel.Open), r)
			do(k, x, y, r, h, i)
			k.Store(k.Load(h, kernel.Int(0)), y, i, kernel.Int(0))
			k.Store(k.Load(h, kernel.Int(1)), y, i, kernel.Int(1))
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a, b := make([]float64, 64), make([]float64, 128)
		for i := range a {
			a[i] = float64(i + 1)
		}
		if _, err := k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": a, "y": b}}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range 32 {
			if at := b[4*i : 4*i+3]; at[0] != a[2*i] || at[1] != a[2*i+1] || at[2] != a[2*i] {
				t.Errorf("%s: thread %d has %v of %v", name, i, at, a[2*i:2*i+2])
				break
			}
		}
	}
}
