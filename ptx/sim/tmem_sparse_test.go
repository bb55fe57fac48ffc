package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/ptx/sim"
)

// group returns the four bits of a group of a row of A, which select one or two elements or pairs.
func (c *tensorCase) group(row, g int) uint64 {
	list := []uint64{0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110}
	if c.of == 2 {
		list = []uint64{0b0100, 0b1110}
	}
	return list[(row*5+g*3+row/8)%len(list)]
}

// holds reports whether the bits of a group select an element.
func (c *tensorCase) holds(row, k int) bool {
	bits, at := c.group(row, k/c.of), uint64(k%c.of)
	switch c.of {
	case 2:
		return at == bits>>3
	case 8:
		at /= 2
	}
	return at == bits&3 || at == bits>>2
}

// metadata returns two words for each lane: the groups in the places of CuTe's tmem_e_frg.
func (c *tensorCase) metadata(t *testing.T) []uint32 {
	t.Helper()
	text, ok := map[int]string{
		32: "((8,2,8),(8,2)):((1,1024,16),(128,8))", 16: "((8,2,8),(16,2)):((1,2048,16),(128,8))",
		8: "(128,64):(1,128)", 4: "(128,128):(1,128)",
	}[c.bits]
	if !ok {
		t.Fatal(c.bits)
	}
	l, words := cute.MustParse(text), make([]uint32, 2*128)
	for r := range 128 {
		for g := range c.k / c.of {
			v, err := l.Eval(cute.Ints(int64(r), int64(g*c.of)))
			if err != nil {
				t.Fatal(err)
			}
			x, _ := v.Int64()
			bit := x / 128 * 4 / int64(c.of)
			words[2*(x%128)+bit/32] |= uint32(c.group(r, g)) << (bit % 32)
		}
	}
	return words
}

// sparseCase returns a product with a sparse A: kind and operands after the metadata, and what comes before.
func sparseCase(t *testing.T, c tensorCase, kind, operands, before string) tensorCase {
	t.Helper()
	c.m, c.n, c.idesc = 128, 32, c.idesc|4
	if c.d == 0 {
		c.d = dtype.F32
	}
	var b strings.Builder
	b.WriteString("cvta.shared.u64 %rd9, bar;\n")
	for i, w := range c.metadata(t) { // a chain of choices would be long: each thread keeps its two words
		fmt.Fprintf(&b, "setp.eq.u32 %%p4, %%t, %d;\n@%%p4 mov.b32 %%r%d, 0x%x;\n", i/2, 17+i%2, w)
	}
	b.WriteString("tcgen05.st.sync.aligned.32x32b.x2.b32 [%wa+300], {%r17, %r18}; // metadata\ntcgen05.wait::st.sync.aligned;\n" +
		"tcgen05.fence::before_thread_sync;\nbar.sync 0;\ntcgen05.fence::after_thread_sync;\nadd.u32 %r19, %a, 300;\n")
	fmt.Fprintf(&b, "@!%%p0 bra AWAIT;\n%stcgen05.mma.sp.cta_group::1.kind::%s [%%a], %%rd6, %%rd7, [%%r19], %%r8, %s;\n%s",
		before, kind, operands, commitLine)
	c.body = b.String()
	return c
}

const scaleCopies = "tcgen05.cp.cta_group::1.32x128b.warpx4 [%r15], %rd10;\ntcgen05.cp.cta_group::1.32x128b.warpx4 [%r16], %rd11;\n"

// A sparse A gives the product of its stored elements, and other metadata another product.
func TestTensorSparse(t *testing.T) {
	t.Parallel()
	f16 := sparseCase(t, tensorCase{
		name: "f16", a: dtype.F16, b: dtype.F16, idesc: 0x10, k: 32, bits: 16, of: 4,
	}, "f16", "0", "")
	next := f16
	next.name, next.idesc = "the second column", next.idesc|1
	next.body = strings.Replace(next.body, "[%wa+300]", "[%wa+301]", 1)
	all := []tensorCase{
		f16, next,
		sparseCase(t, tensorCase{
			name: "tf32", a: dtype.TF32, b: dtype.TF32, idesc: 0x910, k: 16, bits: 32, of: 2,
		}, "tf32", "0", ""),
		sparseCase(t, tensorCase{
			name: "s8", a: dtype.S8, b: dtype.S8, d: dtype.S32, idesc: 0x4a0, k: 64, bits: 8, of: 4,
		}, "i8", "0", ""),
		sparseCase(t, tensorCase{
			name: "e4m3", a: dtype.E4M3, b: dtype.E4M3, idesc: 0x10, k: 64, bits: 8, of: 4,
		}, "f8f6f4", "0", ""),
		sparseCase(t, tensorCase{
			name: "e2m1 by e3m2", a: dtype.E2M1, b: dtype.E3M2, idesc: 0x1290, k: 64, bits: 8, of: 4,
		}, "f8f6f4", "0", ""),
		sparseCase(t, tensorCase{
			name: "mxf8f6f4", a: dtype.E4M3, b: dtype.E4M3, idesc: 0x800000, k: 64, bits: 8, of: 4,
			vector: 64, scale: dtype.UE8M0,
		}, "mxf8f6f4.block_scale", "[%r15], [%r16], 0", scaleCopies),
		sparseCase(t, tensorCase{
			name: "mxf4nvf4", a: dtype.E2M1, b: dtype.E2M1, idesc: 0x480, k: 128, bits: 4, of: 8,
			vector: 32, scale: dtype.UE4M3,
		}, "mxf4nvf4.block_scale.block16", "[%r15], [%r16], 0", scaleCopies),
	}
	for _, c := range all {
		c.run(t)
		changed := c
		changed.body = strings.Replace(c.body, "tcgen05.st",
			"setp.eq.u32 %p4, %t, 5;\n@%p4 mov.b32 %r17, 0xeeeeeeee;\ntcgen05.st", 1)
		if changed.wrong(t) == "" {
			t.Errorf("%s: other metadata make no difference", c.name)
		}
	}
	body, words := f16.source()
	for _, x := range []struct {
		name, from, to string
		kind           sim.Kind
		text           string
	}{
		{"no metadata", "[%wa+300]", "[%wa+310]", sim.KindUninitialised, "to which nothing was written"},
		{"bits that select one element twice", "// metadata", "\nmov.b32 %r17, 0;\ntcgen05.wait::st.sync.aligned;\ntcgen05.st.sync.aligned.32x32b.x2.b32 [%wa+300], {%r17, %r18};", sim.KindArgument, "is 0b0000, which selects no elements"},
		{"bits that ordered metadata do not have", "// metadata", "\nmov.b32 %r17, 1;\ntcgen05.wait::st.sync.aligned;\ntcgen05.st.sync.aligned.32x32b.x2.b32 [%wa+300], {%r17, %r18};", sim.KindArgument, "is 0b0001, which selects no elements"},
		{"an odd column", "%r19, %a, 300", "%r19, %a, 301", sim.KindUnsupported, "expected an even column"},
		{"not awaited", "tcgen05.wait::st.sync.aligned;", "", sim.KindReadPending, "tcgen05.wait::st is missing"},
		{"a dense descriptor", "mov.b32 %r8, 0x08080014", "mov.b32 %r8, 0x08080010", sim.KindArgument, "differ"},
		{"selector 2", "mov.b32 %r8, 0x08080014", "mov.b32 %r8, 0x08080016", sim.KindArgument, "selector of 2 or 3"},
	} {
		if !strings.Contains(body, x.from) {
			t.Fatalf("%s: no %q", x.name, x.from)
		}
		load := "AWAIT\ntcgen05.ld.sync.aligned.32x32b.x1.b32 {%r20}, [%wa];\ntcgen05.wait::ld.sync.aligned;\n"
		_, _, f := runTensor(t, tensorKernel(strings.Replace(body, x.from, x.to, 1)+load+storeRow(20, 1)), words, 128)
		if f == nil || f.Kind != x.kind || !strings.Contains(f.Message, x.text) {
			t.Errorf("%s: %v, want %s, %q", x.name, f, x.kind, x.text)
		}
	}
}

// A zero-column mask replaces columns of B by zeros, and its shift begins B later. The PTX ISA has the masks in its
// examples (9.7.16.4.3).
func TestTensorColumnMask(t *testing.T) {
	t.Parallel()
	const word = 1 << 39
	line := func(bits uint64) string {
		return fmt.Sprintf("cvta.shared.u64 %%rd9, bar;\nmov.b64 %%rd12, 0x%x;\n%s", bits, wsLine("[%a], %rd6, %rd7, %r8, 0, %rd12"))
	}
	for _, x := range []struct {
		name    string
		m       int
		bits    uint64
		pattern []string // of each part, the lowest column last, repeated
		shift   int
	}{
		{"example 1", 128, 4<<40 | 3<<48, []string{"0"}, 0},
		{"example 2", 128, word | 2<<40 | 3<<48, []string{"1110000"}, 0},
		{"example 3", 64, word | 1<<32 | 2<<40 | 3<<48, []string{"0000111", "1110000"}, 0},
		{"example 4", 32, word | 0x01020100 | 3<<32 | 2<<40 | 3<<48 | 2<<56, []string{"0000111", "1000011", "0011100", "0111000"}, 2},
		{"a shift alone", 128, 7 << 56, []string{"0"}, 7},
	} {
		c := tensorCase{
			name: x.name, a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: x.m, n: 64, k: 16, bits: 16, extra: 8,
			body: line(x.bits),
		}
		part := c.n / len(x.pattern)
		c.want = func(m, n int, _ float64) (sum float64) {
			p := x.pattern[n/part]
			for k := range c.k {
				if p[len(p)-1-n%part%len(p)] == '0' {
					sum += c.number(0, m, k) * c.number(1, n+x.shift, k)
				}
			}
			return sum
		}
		if x.m < 128 {
			c.place = func(m, n int) (int, int) { return m + n/part*x.m, n % part }
			c.body = clearD + c.body
		}
		c.run(t)
		c.body = strings.Replace(c.body, fmt.Sprintf("0x%x;", x.bits), fmt.Sprintf("0x%x;", x.bits^(2<<56|1<<39)), 1)
		if c.wrong(t) == "" {
			t.Errorf("%s: another mask makes no difference", x.name)
		}
	}
	for bits, text := range map[uint64]string{
		word | 1<<36: "are reserved", 33 << 56: "shifts by 33 columns", word | 3 | 2<<48: "skips 3 columns of the first span, which has 3",
	} {
		c := tensorCase{a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 128, n: 64, k: 16, bits: 16, body: line(bits)}
		if got := c.wrong(t); !strings.Contains(got, text) {
			t.Errorf("0x%x: %s, want %q", bits, got, text)
		}
	}
}

// clearD writes 0 to 64 columns.
var clearD = func() string {
	var b strings.Builder
	b.WriteString("mov.b32 %r10, 0;\n")
	for i := range 64 {
		fmt.Fprintf(&b, "tcgen05.st.sync.aligned.32x32b.x1.b32 [%%wa+%d], {%%r10};\n", i)
	}
	return b.String() + "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\ntcgen05.fence::after_thread_sync;\n"
}()

// A collector buffer has to hold the matrix that an instruction names.
func TestTensorCollectors(t *testing.T) {
	t.Parallel()
	mma := func(ws bool, collector, operands string) string {
		name := "tcgen05.mma.cta_group::1.kind::f16"
		if ws {
			name = "tcgen05.mma.ws.cta_group::1.kind::f16"
		}
		return name + collector + " [%a], %rd6, " + operands + ";\n"
	}
	const d = "%rd7, %r8, 0"
	twice := func(ws bool, first, second string) string {
		return mma(ws, first, d) + "add.u32 %r14, %a, 64;\n" + strings.Replace(mma(ws, second, d), "[%a]", "[%r14]", 1)
	}
	for _, x := range []struct{ name, lines, text string }{
		{"A used again", twice(false, ".collector::a::fill", ".collector::a::lastuse"), ""},
		{"A used twice", twice(false, ".collector::a::fill", ".collector::a::use") + mma(false, ".collector::a::lastuse", d), ""},
		{"B used again", twice(true, ".collector::b2::fill", ".collector::b2::use"), ""},
		{"another buffer between", twice(true, ".collector::b2::fill", "") + mma(true, ".collector::b2::use", d), ""},
		{"not filled", mma(false, ".collector::a::use", d), "takes A from collector buffer a, and no instruction has filled it"},
		{"discarded between", twice(false, ".collector::a::fill", "") + mma(false, ".collector::a::use", d), "no instruction has filled it"},
		{"last use", twice(false, ".collector::a::fill", ".collector::a::lastuse") + mma(false, ".collector::a::use", d), "no instruction has filled it"},
		{"not that buffer", twice(true, ".collector::b2::fill", ".collector::b1::use"), "takes B from collector buffer b1, and no"},
		{"another matrix", twice(false, ".collector::a::fill", "") + "add.u64 %rd6, %rd6, 1;\n" + mma(false, ".collector::a::fill", d) + "add.u64 %rd6, %rd6, 1;\n" + mma(false, ".collector::a::use", d), "and another matrix is there"},
	} {
		c := tensorCase{
			name: x.name, a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 128, n: 64, k: 16, bits: 16,
			body: "cvta.shared.u64 %rd9, bar;\n@!%p0 bra AWAIT;\n" + x.lines + commitLine,
		}
		switch got := c.wrong(t); {
		case x.text == "" && got != "", !strings.Contains(got, x.text):
			t.Errorf("%s: %s, want %q", x.name, got, x.text)
		}
	}
}
