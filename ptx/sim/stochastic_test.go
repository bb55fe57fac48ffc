package sim_test

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"girih/dtype"
	"girih/ptx/sim"
)

// stochasticCode returns the code to which v is rounded by n bits of a number: the larger neighbour if the distance to
// the smaller one, in units of the distance of the two, and the number as a fraction are 1 or more together.
func stochasticCode(of dtype.Type, top uint64, v float64, number uint64, n int) uint64 {
	value := func(code uint64) float64 {
		x, err := of.Decode(code)
		if err != nil {
			panic(err)
		}
		return x
	}
	if v = math.Abs(v); v >= value(top) {
		return top
	}
	low := uint64(sort.Search(int(top), func(i int) bool { return value(uint64(i)+1) > v }))
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	gap := new(big.Rat).Sub(rat(value(low+1)), rat(value(low)))
	part := new(big.Rat).Quo(new(big.Rat).Sub(rat(v), rat(value(low))), gap)
	part.Add(part, big.NewRat(int64(number), 1<<n))
	if part.Cmp(big.NewRat(1, 1)) >= 0 {
		low++
	}
	return low
}

// Each cvt.rs rounds to the neighbour that the random bits choose.
func TestStochastic(t *testing.T) {
	t.Parallel()
	const threads = 512
	for _, x := range []struct {
		op      string
		of      dtype.Type
		top     uint64
		n, bits int // random bits, and bits of an element
	}{
		{"f16x2", dtype.F16, 0x7bff, 13, 16},
		{"bf16x2", dtype.BF16, 0x7f7f, 16, 16},
		{"e4m3x4", dtype.E4M3, 0x7e, 16, 8},
		{"e5m2x4", dtype.E5M2, 0x7b, 16, 8},
		{"e3m2x4", dtype.E3M2, 0x1f, 16, 8},
		{"e2m3x4", dtype.E2M3, 0x1f, 16, 8},
	} {
		list := "{%f0, %f1, %f2, %f3}"
		if x.bits == 16 {
			list = "%f2, %f3"
		}
		m := newPart(fmt.Sprintf(`ld.global.v4.f32 {%%f0, %%f1, %%f2, %%f3}, [%%rd1]; ld.global.u32 %%r2, [%%rd1+16];
			cvt.rs.satfinite.%s.f32 %%r3, %s, %%r2; cvt.rs.relu.satfinite.%s.f32 %%r4, %s, %%r2;`, x.op, list, x.op, list))
		r := rand.New(rand.NewPCG(1, uint64(x.bits)))
		words := make([]uint32, 0, 8*threads)
		for range threads {
			for range 4 { // around the format's range, and at its edges
				w := uint32(127-24+r.IntN(44))<<23 | r.Uint32()&0x807fffff
				if r.IntN(4) == 0 {
					w &^= 0xfffff
				}
				words = append(words, w)
			}
			words = append(words, r.Uint32(), 0, 0, 0)
		}
		got := m.run(t, words, 2*threads)
		for i := range threads {
			in, number := words[8*i:][:4], words[8*i+4]
			want, relu := uint32(0), uint32(0)
			for k := range 32 / x.bits { // from the lowest element on
				v := float64(math.Float32frombits(in[3-k]))
				part := uint64(number >> (16 * (k * x.bits / 16)) & 0xffff)
				if x.bits == 8 && k%2 == 1 {
					part = uint64(bits.Reverse16(uint16(part)))
				}
				code := uint32(stochasticCode(x.of, x.top, v, part&(1<<x.n-1), x.n))
				if math.Signbit(v) {
					want |= (code | 1<<(x.of.Bits()-1)) << (k * x.bits)
				} else {
					want |= code << (k * x.bits)
					relu |= code << (k * x.bits)
				}
			}
			if got[2*i] != want || got[2*i+1] != relu {
				t.Fatalf("%s of %x by %x: %08x and with .relu %08x, want %08x and %08x", x.op, in, number, got[2*i],
					got[2*i+1], want, relu)
			}
		}
	}
	pieces(t, []piece{
		{body: "cvt.rs.f16x2.f32 %r2, 0f7f800000, 0f47800000, 0; cvt.rs.bf16x2.f32 %r3, 0f3F808000, 0f3F800001, 0x8000FFFF; st.global.v2.u32 [%rd1], {%r2, %r3};", target: "sm_100a", version: "8.7", want: []uint32{0x7c007c00, 0x3f813f81}},
		{body: "mov.f32 %f1, 0fffc00000; mov.f32 %f2, 0fff800000; mov.f32 %f3, 0f00000001; cvt.rs.satfinite.e4m3x4.f32 %r2, {%f1, %f2, %f3, %f3}, -1; cvt.rs.satfinite.e3m2x4.f32 %r3, {%f1, %f2, %f3, %f3}, 0; st.global.v2.u32 [%rd1], {%r2, %r3};", target: "sm_100a", version: "8.7", want: []uint32{0x7ffe0000, 0x1f3f0000}},
	})
}

// A stochasticPart is a kernel whose threads read 8 words and write %r3 and %r4.
type stochasticPart string

func newPart(body string) stochasticPart {
	return stochasticPart(strings.Replace(`.version 8.7
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .b32 %r<9>; .reg .f32 %f<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
	mov.u32 %r0, %tid.x; mul.wide.u32 %rd3, %r0, 32; add.u64 %rd1, %rd1, %rd3;
	mul.wide.u32 %rd3, %r0, 8; add.u64 %rd2, %rd2, %rd3;
	BODY
	st.global.v2.u32 [%rd2], {%r3, %r4};
	ret;
}
`, "BODY", body, 1))
}

func (p stochasticPart) run(t *testing.T, in []uint32, n int) []uint32 {
	t.Helper()
	k := loadText(t, string(p))
	m := memory(t, k)
	out := put(t, m, make([]uint32, n))
	_, err := k.Run(t.Context(), m, sim.Launch{
		Block: sim.Dim{X: len(in) / 8},
		Args:  []sim.Arg{sim.Pointer(put(t, m, in), 0), sim.Pointer(out, 0)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return get[uint32](t, out)
}
