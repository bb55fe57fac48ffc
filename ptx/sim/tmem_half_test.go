package sim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"girih/dtype"
	"girih/ptx/sim"
)

// halfMeet is a barrier of the pair after stores to tensor memory.
const halfMeet = `tcgen05.wait::st.sync.aligned;
tcgen05.fence::before_thread_sync;
barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;
tcgen05.fence::after_thread_sync;
`

// halfWrong runs a product of M 128 by a pair of blocks, in which the upper half of the columns of D is in the lanes 64
// to 127, and says what is wrong, or returns "".
func halfWrong(t *testing.T, src string, words []uint32, want func(row, col int) float64) string {
	t.Helper()
	d, res, f := runPair(t, src, words, sim.Launch{})
	if f != nil || len(res.Lesser) > 0 {
		return fmt.Sprint(f, res.Lesser)
	}
	for row := range 128 {
		for col := range 64 {
			if got := d[(row/64*128+row%64+col/32*64)*64+col%32]; float64(got) != want(row, col) {
				return fmt.Sprintf("(%d,%d) is %v, want %v", row, col, got, want(row, col))
			}
		}
	}
	return ""
}

// With M 128 of a pair of blocks, A in tensor memory has a copy for each half of the columns of D.
func TestTensorHalfA(t *testing.T) {
	t.Parallel()
	base, words := pairSource(128)
	var b strings.Builder
	b.WriteString("and.b32 %r11, %r0, 63;\nmad.lo.u32 %r11, %r11, 16, %r2;\n")
	for i := range 8 {
		fmt.Fprintf(&b, "ld.shared.b32 %%r%d, [%%r11+%d];\n", 60+i, i/4*64*16+i%4*4)
	}
	b.WriteString("and.b32 %r12, %r0, 0x60; shl.b32 %r12, %r12, 16; add.u32 %r12, %r12, %r6;\n" +
		"tcgen05.st.sync.aligned.32x32b.x8.b32 [%r12+48], " + registers(60, 8) + ";\n" + halfMeet + "add.u32 %r12, %r6, 48;\n")
	src := strings.Replace(change(t, base, "mma", strings.Replace(namedLine(base, "mma"), "%rd6", "[%r12]", 1)),
		"mov.b16 %h0, 3;", b.String()+"mov.b16 %h0, 3;", 1)
	want := func(row, col int) (sum float64) {
		for k := range 16 {
			sum += pairNumber(0, row, k) * pairNumber(1, col, k)
		}
		return sum
	}
	if got := halfWrong(t, src, words, want); got != "" {
		t.Error(got)
	}
	for _, lane := range []int{63, 64} { // either copy matters
		changed := strings.Replace(src, "and.b32 %r12, %r0, 0x60;",
			fmt.Sprintf("setp.eq.u32 %%p5, %%r0, %d;\n@%%p5 mov.b32 %%r60, 0;\nand.b32 %%r12, %%r0, 0x60;", lane), 1)
		if got := halfWrong(t, changed, words, want); !strings.HasPrefix(got, "(") {
			t.Errorf("without an element in lane %d: %q", lane, got)
		}
	}
}

// With M 128 of a pair of blocks, the warps 2 and 3 have the scale factors of the upper half of B.
func TestTensorHalfScales(t *testing.T) {
	t.Parallel()
	base, _ := pairSource(128)
	words := make([]uint32, 2*(64+32)*32/4)
	for block := range 2 {
		for i, rows := range []int{64, 32} {
			for row := range rows {
				for k := range 32 {
					c, _ := dtype.E4M3.Encode(pairNumber(i, block*rows+row, k))
					at := block*96*32 + i*64*32 + (k/16*rows+row)*16 + k%16
					words[at/4] |= uint32(c) << (at % 4 * 8)
				}
			}
		}
	}
	factor := func(operand, row int) float64 { return math.Ldexp(1, (row*5+row/8+operand)%4-1) }
	// Each thread computes the factors of its lane: exponents 126 to 129.
	code := func(register int, row string, operand int) string {
		return fmt.Sprintf("shr.u32 %%r14, %s, 3;\nmad.lo.u32 %%r14, %s, 5, %%r14;\nadd.u32 %%r14, %%r14, %d;\nand.b32 %%r14, %%r14, 3;\nadd.u32 %%r%d, %%r14, 126;\n",
			row, row, operand, register)
	}
	prelude := "and.b32 %r13, %r0, 31;\nmad.lo.u32 %r15, %r1, 64, %r13;\n" + code(60, "%r15", 0) + "add.u32 %r15, %r15, 32;\n" +
		code(61, "%r15", 0) + "and.b32 %r15, %r0, 64;\nshr.u32 %r15, %r15, 1;\nadd.u32 %r15, %r15, %r13;\n" +
		code(62, "%r15", 1) +
		"and.b32 %r12, %r0, 0x60; shl.b32 %r12, %r12, 16; add.u32 %r12, %r12, %r6;\n" +
		"tcgen05.st.sync.aligned.32x32b.x2.b32 [%r12+48], {%r60, %r61};\ntcgen05.st.sync.aligned.32x32b.x1.b32 [%r12+52], {%r62};\n" +
		halfMeet + fmt.Sprintf("mov.b32 %%r8, 0x%x;\nadd.u32 %%r12, %%r6, 48; add.u32 %%r13, %%r6, 52;\n", 1<<23|8<<17|8<<24)
	src := change(t, base, "mma", "tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale [%r6], %rd6, %rd7, %r8, [%r12], [%r13], 0;")
	src = strings.Replace(src, "mov.b16 %h0, 3;", prelude+"mov.b16 %h0, 3;", 1)
	want := func(row, col int) (sum float64) {
		for k := range 32 {
			sum += pairNumber(0, row, k) * pairNumber(1, col, k)
		}
		return sum * factor(0, row) * factor(1, col)
	}
	if got := halfWrong(t, src, words, want); got != "" {
		t.Error(got)
	}
	for _, lane := range []int{31, 63, 64, 127} {
		for _, register := range []int{60 + lane/32%2, 62} { // rows 32 to 63 have their factors in the second column
			changed := strings.Replace(src, "tcgen05.st.",
				fmt.Sprintf("setp.eq.u32 %%p5, %%r0, %d;\n@%%p5 mov.b32 %%r%d, 120;\ntcgen05.st.", lane, register), 1)
			if got := halfWrong(t, changed, words, want); !strings.HasPrefix(got, "(") {
				t.Errorf("another factor in lane %d: %q", lane, got)
			}
		}
	}
}
