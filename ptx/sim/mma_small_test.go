package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/dtype"
	"girih/ptx/sim"
)

// A smallMMA is an mma.sync of sm_120a with the places of its elements as the PTX ISA states them.
type smallMMA struct {
	text         string // modifiers from the shape on
	a, b         dtype.Type
	k            int
	scale        dtype.Type
	factors      int    // of a row
	at           [2]int // byte-id
	thread       [2]int
	packed, half bool
}

func (m smallMMA) kernel() string {
	const head = ".version 8.7\n.target sm_120a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n" +
		".reg .b32 %r<20>; .reg .b64 %rd<4>; .reg .f32 %f<9>;\nmov.u32 %r0, %tid.x; ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [out];\n" +
		"mad.wide.u32 %rd0, %r0, 48, %rd0; mad.wide.u32 %rd1, %r0, 16, %rd1;\nld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0];\n" +
		"ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd0+16]; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd0+32];\n"
	body := "mma.sync.aligned." + m.text + " {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}"
	if m.factors > 0 {
		body += fmt.Sprintf(", {%%r7}, {%d, %d}, {%%r8}, {%d, %d}", m.at[0], m.thread[0], m.at[1], m.thread[1])
	}
	if m.half {
		body = "mov.b32 %r9, %f1; mov.b32 %r10, %f2; mma.sync.aligned." + m.text + " {%r9, %r10}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r9, %r10}; mov.b32 %f1, %r9; mov.b32 %f2, %r10"
	}
	return head + body + ";\nst.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};\nret;\n}\n"
}

// run executes the instruction on words, 12 for each lane.
func (m smallMMA) run(t *testing.T, in []uint32) ([]uint32, *sim.Finding) {
	t.Helper()
	p := loadText(t, m.kernel())
	mem := memory(t, p)
	from, out := put(t, mem, in), put(t, mem, make([]uint32, 128))
	_, err := p.Run(context.Background(), mem, sim.Launch{
		Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(from, 0), sim.Pointer(out, 0)},
	})
	f, ok := errors.AsType[*sim.Finding](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	return get[uint32](t, out), f
}

// number returns the value of a code of t.
func number(t *testing.T, of dtype.Type, code uint64) float64 {
	t.Helper()
	v, err := of.Decode(code)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSmallMMA compares mma.sync of each kind with a product by definition, on numbers whose sums are exact.
func TestSmallMMA(t *testing.T) {
	t.Parallel()
	small := []dtype.Type{dtype.E4M3, dtype.E5M2, dtype.E2M3, dtype.E3M2, dtype.E2M1}
	var list []smallMMA
	for _, a := range small {
		for _, b := range small {
			n := len(list)
			plain := smallMMA{text: fmt.Sprintf("m16n8k32.row.col.kind::f8f6f4.f32.%v.%v.f32", a, b), a: a, b: b, k: 32}
			mixed := smallMMA{
				a: a, b: b, k: 32, scale: dtype.UE8M0, factors: 1, at: [2]int{n % 4, 3 - n%4}, thread: [2]int{n / 2 % 2, n % 4},
				text: fmt.Sprintf("m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.%v.%v.f32.ue8m0", a, b),
			}
			list = append(list, plain, mixed)
		}
	}
	four := smallMMA{a: dtype.E2M1, b: dtype.E2M1, k: 64, packed: true}
	for _, x := range []struct {
		text    string
		scale   dtype.Type
		factors int
		at      [2]int
		thread  [2]int
	}{
		{"m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0", dtype.UE8M0, 2, [2]int{2, 0}, [2]int{1, 3}},
		{"kind::mxf4.block_scale.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0", dtype.UE8M0, 2, [2]int{0, 2}, [2]int{0, 2}},
		{"m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0", dtype.UE8M0, 2, [2]int{}, [2]int{}},
		{"m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3", dtype.UE4M3, 4, [2]int{}, [2]int{0, 3}},
	} {
		four.text, four.scale, four.factors, four.at, four.thread = x.text, x.scale, x.factors, x.at, x.thread
		list = append(list, four)
	}
	list = append(list, smallMMA{
		text: "m16n8k32.row.col.kind::f8f6f4.f16.e2m3.e2m1.f16", a: dtype.E2M3, b: dtype.E2M1, k: 32, half: true,
	})
	for i, m := range list {
		m.check(t, rand.New(rand.NewPCG(1, uint64(i))))
	}
}

// code returns a code of a small value, and the bits that a register holds for it.
func (m smallMMA) code(t *testing.T, of dtype.Type, r *rand.Rand) (value float64, held uint32) {
	t.Helper()
	for {
		c := r.Uint64N(1 << of.Bits())
		if v, err := of.Decode(c); err == nil && math.Abs(v) <= 4 && v*8 == math.Trunc(v*8) {
			if held = uint32(c); of == dtype.E2M1 && !m.packed {
				held <<= 2
			}
			return v, held
		}
	}
}

func (m smallMMA) check(t *testing.T, r *rand.Rand) {
	t.Helper()
	in := make([]uint32, 12*32)
	var a [16][64]float64
	var b [8][64]float64
	per := 4 // elements of a register
	if m.packed {
		per = 8
	}
	for i := range in {
		in[i] = r.Uint32() // scale factors are in the bytes that are not selected, too
	}
	for lane := range 32 {
		for reg := range 6 {
			word := uint32(0)
			for e := range per {
				k := lane%4*per + e
				if reg < 4 {
					v, held := m.code(t, m.a, r)
					a[lane/4+reg%2*8][k+reg/2*m.k/2] = v
					word |= held << (32 / per * e)
				} else {
					v, held := m.code(t, m.b, r)
					b[lane/4][k+(reg-4)*m.k/2] = v
					word |= held << (32 / per * e)
				}
			}
			in[12*lane+reg] = word
		}
	}
	factor := func(word, at uint32) float64 { return number(t, m.scale, uint64(word>>(8*at)&0xff)) }
	for lane := range 32 {
		for i := range 2 {
			for k := range m.factors {
				code := uint32(124 + r.Uint32N(6))
				if m.scale == dtype.UE4M3 {
					code = 0x28 + r.Uint32N(0x18)
				}
				shift := 8 * (m.at[i] + k)
				in[12*lane+6+i] = in[12*lane+6+i]&^(0xff<<shift) | code<<shift
			}
		}
		for i := range 4 {
			in[12*lane+8+i] = math.Float32bits(float32(r.IntN(64) - 32))
			if m.half {
				in[12*lane+8+i] = 0x3c00bc00
			}
		}
	}
	want := func(row, column int, c float64) float64 {
		for k := range m.k {
			x := a[row][k] * b[column][k]
			if m.factors > 0 {
				n := uint32(k * m.factors / m.k)
				x *= factor(in[12*(4*(row%8)+row/8+2*m.thread[0])+6], uint32(m.at[0])+n)
				x *= factor(in[12*(4*column+m.thread[1])+7], uint32(m.at[1])+n)
			}
			c += x
		}
		return c
	}
	out, f := m.run(t, in)
	if f != nil {
		t.Fatalf("%s: %v", m.text, f)
	}
	for lane := range 32 {
		for i := range 4 {
			row, column, c := lane/4+i/2*8, lane%4*2+i%2, float64(math.Float32frombits(in[12*lane+8+i]))
			got := float64(math.Float32frombits(out[4*lane+i]))
			if m.half {
				c = []float64{-1, 1}[i%2]
				got = number(t, dtype.F16, uint64(out[4*lane+i/2]>>(16*(i%2))&0xffff))
				if w := want(row, column, c); math.Abs(w) > 16 { // 10 bits and eighths of 1/8
					continue
				}
			}
			if w := want(row, column, c); got != w {
				t.Fatalf("%s: element (%d,%d) is %v, want %v", m.text, row, column, got, w)
			}
		}
	}
}

// TestSmallMMARefused checks what is refused, and that values without a factor have no value.
func TestSmallMMARefused(t *testing.T) {
	t.Parallel()
	m := smallMMA{
		text: "m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0", factors: 2, at: [2]int{1, 0},
	}
	for want, change := range map[string]func(s string) string{
		"byte 1 of thread 0":      func(s string) string { return s },
		"there is no mma":         func(s string) string { return strings.Replace(s, "2X", "4X", 1) },
		"needs sm_120a":           func(s string) string { return strings.Replace(s, "sm_120a", "sm_100a", 1) },
		"{byte-id, thread-id}":    func(s string) string { return strings.Replace(s, "{1, 0}", "{1}", 1) },
		"expected a thread up to": func(s string) string { return strings.Replace(s, "{1, 0}", "{0, 2}", 1) },
		"%r9": func(s string) string {
			return strings.Replace(strings.Replace(s, "{1, 0}", "{0, 0}", 1), "{%r7}", "{%r9}", 1)
		},
	} {
		p := loadText(t, change(m.kernel()))
		mem := memory(t, p)
		in, out := put(t, mem, make([]uint32, 12*32)), put(t, mem, make([]uint32, 128))
		_, err := p.Run(context.Background(), mem, sim.Launch{
			Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0)},
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
