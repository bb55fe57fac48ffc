package kernel_test

import (
	"context"
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// This file has whole kernels that work on the bits of numbers and round them.

// Normal numbers by Philox4x32-10 and the method of Box and Muller. The counter is the number of the thread, the key is
// 0; thread 0 has the words of the known answers of Random123.
func ExampleValue_MulHi() {
	k, err := kernel.Trace("normals", 32, func(k *kernel.K) {
		word := func(x uint32) kernel.Value { return k.Number(dtype.U32, float64(x)) }
		words := k.GlobalLayout("words", dtype.U32, cute.MustParse("(32,4):(4,1)"))
		normal := k.GlobalLayout("normal", dtype.F32, cute.MustParse("(32,2):(2,1)"))
		t, key := k.ThreadIdx(), [2]uint32{}
		c := [4]kernel.Value{t.Value(dtype.U32), word(0), word(0), word(0)}
		for range 10 {
			m0, m1 := word(0xD2511F53), word(0xCD9E8D57)
			c = [4]kernel.Value{
				m1.MulHi(c[2]).Xor(c[1]).Xor(word(key[0])), m1.Mul(c[2]),
				m0.MulHi(c[0]).Xor(c[3]).Xor(word(key[1])), m0.Mul(c[0]),
			}
			key[0], key[1] = key[0]+0x9E3779B9, key[1]+0xBB67AE85
		}
		for i := range c {
			k.Store(c[i], words, t, kernel.Int(int64(i)))
		}
		// 23 bits are the fraction of a number from 1 to 2, so 2 minus it is from 0 to 1, without 0.
		uniform := func(w kernel.Value) kernel.Value {
			from1 := w.Shr(kernel.Int(9)).Or(word(0x3f800000)).Bitcast(dtype.F32)
			return k.Number(dtype.F32, 2).Sub(from1)
		}
		radius := uniform(c[0]).Log().Mul(k.Number(dtype.F32, -2)).Sqrt()
		angle := uniform(c[1]).Mul(k.Number(dtype.F32, 2*math.Pi))
		k.Store(radius.Mul(angle.Cos()), normal, t, kernel.Int(0))
		k.Store(radius.Mul(angle.Sin()), normal, t, kernel.Int(1))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	words, normal := make([]float64, 128), make([]float64, 64)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Tensors: map[string][]float64{"words": words, "normal": normal},
	})
	for _, w := range words[:4] {
		fmt.Printf("%08x ", uint32(w))
	}
	fmt.Printf("%.3f %v\n", normal[:2], err)
	// Output: 6627e8d5 e169c58d bc57ac4c 9b00dbd8 [0.738 0.688] <nil>
}

// Samples of 24 bits, packed, with the highest byte first, are bit-reversed for an FFT of 32 points, and each has the
// number of its octave.
func ExampleValue_Prmt() {
	k, err := kernel.Trace("octaves", 32, func(k *kernel.K) {
		x := k.GlobalLayout("x", dtype.U32, cute.MustParse("32:1"))
		y := k.GlobalLayout("y", dtype.U32, cute.MustParse("32:1"))
		octave := k.GlobalLayout("octave", dtype.U32, cute.MustParse("32:1"))
		t, zero := k.ThreadIdx(), k.Number(dtype.U32, 0)
		sample := k.Load(x, t).Prmt(zero, kernel.Int(0x4012)) // the other order of the three lowest bytes
		to := t.Value(dtype.U32).Brev().Shr(kernel.Int(27)).Index(upTo31)
		k.Store(sample, y, to)
		n := k.Number(dtype.U32, 31).Sub(sample.Or(k.Number(dtype.U32, 1)).Clz())
		// The lowest byte is the octave, and the next one the rest of the octave in semitones.
		k.Store(n.Bfi(sample.Rem(k.Number(dtype.U32, 12)), kernel.Int(8), kernel.Int(8)), octave, to)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y, octave := make([]float64, 32), make([]float64, 32), make([]float64, 32)
	x[1] = 0x563412
	_, err = k.Simulate(context.Background(), kernel.Args{
		Tensors: map[string][]float64{"x": x, "y": y, "octave": octave},
	})
	fmt.Printf("%#x %#x %v\n", uint32(y[16]), uint32(octave[16]), err)
	// Output: 0x123456 0x614 <nil>
}

// Rows of 32 numbers are scaled by a power of two, as in MX formats, and rounded to integers from -127 to 127. NaN
// becomes 0. Round rounds to even.
func ExampleValue_Round() {
	k, err := kernel.Trace("mx", 32, func(k *kernel.K) {
		number := func(x float64) kernel.Value { return k.Number(dtype.F32, x) }
		x := k.GlobalLayout("x", dtype.F32, cute.MustParse("32:1"))
		y := k.GlobalLayout("y", dtype.S8, cute.MustParse("32:1"))
		scale := k.GlobalLayout("scale", dtype.F32, cute.MustParse("1:0"))
		t, v := k.ThreadIdx(), k.Load(x, k.ThreadIdx())
		v = k.Select(v.IsNaN(), number(0), v)
		most := k.WarpReduction(v.Abs(), kernel.Value.Max, 32)
		exponent := k.Select(most.NotEqual(number(0)), most.Div(number(127)).Log2().Ceil(), number(0))
		q := v.Mul(exponent.Neg().Exp2()).Round()
		k.Store(k.Select(q.LessEqual(number(127)), q, number(127)).Convert(dtype.S8), y, t)
		k.If(t.Equal(kernel.Int(0)), func() { k.Store(exponent.Exp2(), scale, t) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y, scale := make([]float64, 32), make([]float64, 32), []float64{0}
	x[0], x[1], x[2], x[3] = 1000, -12, math.NaN(), 20
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y, "scale": scale}})
	fmt.Println(y[:4], scale, err)
	// Output: [125 -2 0 2] [8] <nil>
}

// Two neighbours are changed at once: the approximation of GELU by tanh, of halves.
func ExampleK_RoundPair() {
	k, err := kernel.Trace("gelu", 32, func(k *kernel.K) {
		x := k.GlobalLayout("x", dtype.F32, cute.MustParse("(32,2):(2,1)"))
		y := k.GlobalLayout("y", dtype.F16, cute.MustParse("(32,2):(2,1)"))
		both := func(v float64) kernel.Pair { n := k.Number(dtype.F16, v); return k.PairOf(n, n) }
		t, one := k.ThreadIdx(), both(1)
		v := k.RoundPair(k.Load(x, t, kernel.Int(0)), k.Load(x, t, kernel.Int(1)), dtype.F16)
		inner := v.Mul(v).FMA(both(0.0356774), both(0.797885)).Mul(v) // sqrt(2/pi)·(v + 0.044715·v^3)
		lo, hi := v.Mul(both(0.5)).Mul(inner.Tanh().Add(one)).Values()
		k.Store(lo, y, t, kernel.Int(0))
		k.Store(hi, y, t, kernel.Int(1))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, 64), make([]float64, 64)
	copy(x, []float64{-1, 0, 1, 3})
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y}})
	fmt.Printf("%.2f %v\n", y[:4], err)
	// Output: [-0.16 0.00 0.84 3.00] <nil>
}

// Lane t reads the word of lane t xor 5, whose column is swizzled by its row; the bits of an index are an index.
func ExampleIndex_Xor() {
	k, err := kernel.Trace("swizzled", 32, func(k *kernel.K) {
		in := k.GlobalLayout("in", dtype.S32, cute.MustParse("64:1"))
		out := k.GlobalLayout("out", dtype.S32, cute.MustParse("64:1"))
		t := k.ThreadIdx()
		i := t.Xor(t.Div(8)).Xor(kernel.Int(5))
		least, most := i.Range()
		fmt.Println(least, most)
		k.Store(k.Load(in, i.Or(kernel.Int(32))), out, t)
		k.Store(k.Load(in, t.And(i)), out, t.Add(kernel.Int(32)))
	})
	if err != nil {
		panic(err)
	}
	in, out := make([]float64, 64), make([]float64, 64)
	for i := range in {
		in[i] = float64(i)
	}
	args := kernel.Args{Tensors: map[string][]float64{"in": in, "out": out}}
	if _, err := k.Simulate(context.Background(), args); err != nil {
		panic(err)
	}
	fmt.Println(out[9:13], out[41:45])
	// Output:
	// 0 31
	// [45 46 47 40] [9 10 11 8]
}
