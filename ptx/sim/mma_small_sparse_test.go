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

// A sparseSmall is an mma.sp::ordered_metadata with a kind. The PTX ISA has its fragments (9.7.14.6.2.6 and
// 9.7.14.6.2.8), and its metadata are where CuTe's ELayout has them.
type sparseSmall struct{ smallMMA }

// sparseWords is the number of words of a lane: A, B, C, the metadata, two registers of factors, one unused.
const sparseWords = 16

func (m sparseSmall) kernel() string {
	const head = ".version 8.7\n.target sm_120a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n" +
		".reg .b32 %r<20>; .reg .b64 %rd<4>; .reg .f32 %f<9>;\nmov.u32 %r0, %tid.x; ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [out];\n" +
		"mad.wide.u32 %rd0, %r0, 64, %rd0; mad.wide.u32 %rd1, %r0, 16, %rd1;\nld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0];\n" +
		"ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd0+16]; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd0+32];\n" +
		"ld.global.v4.u32 {%r9, %r10, %r11, %r12}, [%rd0+48];\n"
	const ab = "{%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, "
	body := "mma.sp::ordered_metadata.sync.aligned." + m.text + " {%f1, %f2, %f3, %f4}, " + ab +
		"{%f1, %f2, %f3, %f4}, %r9, 0"
	if m.half {
		body = "mov.b32 %r13, %f1; mov.b32 %r14, %f2;\nmma.sp::ordered_metadata.sync.aligned." + m.text +
			" {%r13, %r14}, " + ab + "{%r13, %r14}, %r9, 0;\nmov.b32 %f1, %r13; mov.b32 %f2, %r14"
	}
	if m.factors > 0 {
		body += fmt.Sprintf(", {%%r10}, {%d, %d}, {%%r11}, {%d, %d}", m.at[0], m.thread[0], m.at[1], m.thread[1])
	}
	return head + body + ";\nst.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};\nret;\n}\n"
}

// result executes the instruction and returns D, row by row.
func (m sparseSmall) result(t *testing.T, in []uint32) ([16][8]float64, *sim.Finding) {
	t.Helper()
	p := loadText(t, m.kernel())
	mem := memory(t, p)
	from, to := put(t, mem, in), put(t, mem, make([]uint32, 128))
	_, err := p.Run(context.Background(), mem, sim.Launch{
		Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(from, 0), sim.Pointer(to, 0)},
	})
	f, ok := errors.AsType[*sim.Finding](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	var d [16][8]float64
	out := get[uint32](t, to)
	for lane := range 32 {
		for i := range 4 {
			v := float64(math.Float32frombits(out[4*lane+i]))
			if m.half {
				v = number(t, dtype.F16, uint64(out[4*lane+i/2]>>(16*(i%2))&0xffff))
			}
			d[lane/4+i/2*8][lane%4*2+i%2] = v
		}
	}
	return d, f
}

// fill returns the words of all lanes, and the product.
func (m sparseSmall) fill(t *testing.T, r *rand.Rand) ([]uint32, [16][8]float64) {
	t.Helper()
	in := make([]uint32, sparseWords*32)
	for i := range in {
		in[i] = r.Uint32()
	}
	of := 4 // elements of a group, and of a register
	if m.packed {
		of = 8
	}
	half, kept := m.k/2, of/2
	var a [16][128]float64
	var b [8][128]float64
	put := func(at, e int, held uint32) {
		shift := 32 / of * e
		in[at] = in[at]&^(uint32(1<<(32/of)-1)<<shift) | held<<shift
	}
	for row := range 16 {
		for group := range m.k / of {
			first := r.IntN(3)
			second := first + 1 + r.IntN(3-first)
			upper := group * of / half
			owner := sparseWords*(row%8*4+row/8+2*upper) + 12
			shift := 4 * (group % (half / of))
			in[owner] = in[owner]&^(15<<shift) | uint32(first|second<<2)<<shift
			for i := range kept {
				v, held := m.code(t, m.a, r)
				a[row][group*of+[]int{first, second}[i*2/kept]*(of/4)+i%(kept/2)] = v
				lane := row%8*4 + group*of%half/(2*of)
				put(sparseWords*lane+row/8+2*upper, (group*kept+i)%of, held)
			}
		}
	}
	for column := range 8 {
		for k := range m.k {
			v, held := m.code(t, m.b, r)
			b[column][k] = v
			put(sparseWords*(column*4+k/of%4)+4+k/(4*of), k%of, held)
		}
	}
	for lane := range 32 {
		for i := range 2 {
			for k := range m.factors {
				code := uint32(124 + r.Uint32N(6))
				if m.scale == dtype.UE4M3 {
					code = 0x28 + r.Uint32N(0x18)
				}
				shift := 8 * (m.at[i] + k)
				word := &in[sparseWords*lane+13+i]
				*word = *word&^(0xff<<shift) | code<<shift
			}
		}
		for i := range 4 {
			in[sparseWords*lane+8+i] = math.Float32bits(float32(lane%4*2 + i%2 - lane/4))
			if m.half {
				in[sparseWords*lane+8+i] = 0x3c003c00
			}
		}
	}
	factor := func(lane, i, k int) float64 {
		shift := 8 * (m.at[i] + k*m.factors/m.k)
		return number(t, m.scale, uint64(in[sparseWords*lane+13+i]>>shift&0xff))
	}
	var d [16][8]float64
	for row := range d {
		for column := range d[row] {
			d[row][column] = float64(column - row%8)
			if m.half {
				d[row][column] = 1
			}
			for k := range m.k {
				x := a[row][k] * b[column][k]
				if m.factors > 0 {
					x *= factor(4*(row%8)+row/8+2*m.thread[0], 0, k) * factor(4*column+m.thread[1], 1, k)
				}
				d[row][column] += x
			}
		}
	}
	return in, d
}

// Each kind multiplies a sparse A; a bit of the metadata, of an element or of a factor changes the product.
func TestSparseSmallMMA(t *testing.T) {
	t.Parallel()
	small := []dtype.Type{dtype.E4M3, dtype.E5M2, dtype.E2M3, dtype.E3M2, dtype.E2M1}
	var list []sparseSmall
	for i, a := range small {
		for j, b := range small {
			list = append(list, sparseSmall{smallMMA{
				text: fmt.Sprintf("m16n8k64.row.col.kind::f8f6f4.f32.%v.%v.f32", a, b), a: a, b: b, k: 64,
			}}, sparseSmall{smallMMA{
				text: fmt.Sprintf("m16n8k64.row.col.kind::mxf8f6f4.block_scale.f32.%v.%v.f32.ue8m0", a, b), a: a, b: b, k: 64,
				scale: dtype.UE8M0, factors: 1, at: [2]int{i % 4, j % 4}, thread: [2]int{i % 2, j % 4},
			}})
		}
	}
	four := smallMMA{a: dtype.E2M1, b: dtype.E2M1, k: 128, packed: true, scale: dtype.UE8M0, factors: 2, at: [2]int{2, 0}}
	for _, text := range []string{
		"kind::mxf4.block_scale", "kind::mxf4.block_scale.scale_vec::2X", "kind::mxf4nvf4.block_scale.scale_vec::2X",
	} {
		four.text = "m16n8k128.row.col." + text + ".f32.e2m1.e2m1.f32.ue8m0"
		list = append(list, sparseSmall{four})
	}
	four.scale, four.factors, four.at, four.thread = dtype.UE4M3, 4, [2]int{}, [2]int{1, 2}
	four.text = "m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3"
	list = append(list, sparseSmall{four}, sparseSmall{smallMMA{
		text: "m16n8k64.row.col.kind::f8f6f4.f16.e2m1.e2m1.f16", a: dtype.E2M1, b: dtype.E2M1, k: 64, half: true,
	}})
	for i, m := range list {
		r := rand.New(rand.NewPCG(2, uint64(i)))
		in, want := m.fill(t, r)
		got, f := m.result(t, in)
		if f != nil {
			t.Fatalf("%s: %v", m.text, f)
		}
		if m.half {
			for row := range want {
				for column := range want[row] {
					if math.Abs(want[row][column]) > 16 { // 10 bits and quarters
						want[row][column] = got[row][column]
					}
				}
			}
		}
		if got != want {
			t.Fatalf("%s: %v, want %v", m.text, got, want)
		}
		if m.half {
			continue
		}
		words := []int{0, 3, 5, 12}
		if m.factors > 0 {
			words = append(words, 13+i%2)
		}
		for _, word := range words {
			differs := false
			for row := 0; row < 8 && !differs; row++ { // an element may be 0, and a factor multiply zeros
				changed := append([]uint32(nil), in...)
				m.damage(&changed[sparseWords*(4*row+map[int]int{13: 2 * m.thread[0], 14: m.thread[1]}[word])+word], word)
				other, f := m.result(t, changed)
				differs = f != nil || other != want
			}
			if !differs {
				t.Errorf("%s: the product stays the same with another word %d", m.text, word)
			}
		}
	}
}

// damage changes an element, the first pattern of the metadata, or a factor.
func (m sparseSmall) damage(x *uint32, word int) {
	switch {
	case word == 12:
		*x = *x&^15 | map[uint32]uint32{4: 8, 8: 12, 9: 13, 12: 14, 13: 14, 14: 12}[*x&15]
	case word > 12:
		*x ^= 1 << (8 * m.at[word-13])
	default:
		*x ^= 0x04
	}
}

// What mma.sp with a kind does not allow is refused.
func TestSparseSmallRefused(t *testing.T) {
	t.Parallel()
	m := sparseSmall{smallMMA{
		text: "m16n8k64.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32", a: dtype.E4M3, b: dtype.E4M3, k: 64,
	}}
	in, _ := m.fill(t, rand.New(rand.NewPCG(1, 1)))
	for _, x := range []struct{ from, to, want string }{
		{"sp::ordered_metadata", "sp", "there is no mma"},
		{"m16n8k64", "m16n8k32", "there is no mma"},
		{"m16n8k64", "m16n8k128", "there is no mma"},
		{"sm_120a", "sm_100a", "needs sm_120a"},
		{"%r9, 0", "%r9, 1", "selector of 0"},
		{"mma.sp::", "mov.b32 %r9, 0;\nmma.sp::", "selects no elements"},
		{"mma.sp::", "mov.b32 %r9, 0x44444441;\nmma.sp::", "selects no elements"}, // not in order
		{"}, %r9", "}, %r15", "%r15"},
		{"sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4", "sync.aligned.kind::f8f6f4.sp::ordered_metadata.m16n8k64.row.col", ""},
	} {
		p := loadText(t, strings.Replace(m.kernel(), x.from, x.to, 1))
		mem := memory(t, p)
		from, to := put(t, mem, in), put(t, mem, make([]uint32, 128))
		_, err := p.Run(context.Background(), mem, sim.Launch{
			Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(from, 0), sim.Pointer(to, 0)},
		})
		if x.want == "" && err == nil {
			continue // the order of CUTLASS
		}
		if err == nil || x.want == "" || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v, want %q", err, x.want)
		}
	}
}
