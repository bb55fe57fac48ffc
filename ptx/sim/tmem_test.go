package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/ptx/sim"
	"girih/tmem"
)

// tensorKernel is a kernel of 128 threads whose first warp allocates all 512 columns. A body sees %t, the thread; %a,
// the address of tensor memory; %wa, the address of the lanes of its warp; %s, the address of 64 KB of shared memory,
// which begin at a multiple of 1024; %in and %out, addresses of words; %p0, true in thread 0. It may wait for phase 0
// of bar by the line "AWAIT".
func tensorKernel(body string) string {
	const await = `AWAIT:
	mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;
	@!%p1 bra AWAIT;
	tcgen05.fence::after_thread_sync;
`
	return `.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .b32 %r<300>, %t, %a, %wa, %s; .reg .b64 %rd<40>, %in, %out; .reg .pred %p<9>;
	.extern .shared .align 1024 .b8 tile[];
	.shared .align 8 .b64 bar;
	.shared .align 8 .b64 bar2;
	.shared .align 4 .b32 slot;
	ld.param.u64 %in, [in]; ld.param.u64 %out, [out];
	mov.u32 %t, %tid.x; setp.eq.u32 %p0, %t, 0; setp.lt.u32 %p2, %t, 32; mov.u32 %s, tile;
	@%p0 mbarrier.init.shared.b64 [bar], 1;
	@%p0 mbarrier.init.shared.b64 [bar2], 1;
	@!%p2 bra READY;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512;
READY:
	tcgen05.fence::before_thread_sync;
	bar.sync 0;
	tcgen05.fence::after_thread_sync;
	ld.shared.b32 %a, [slot];
	and.b32 %wa, %t, 0x60; shl.b32 %wa, %wa, 16; add.u32 %wa, %wa, %a;
` + strings.ReplaceAll(body, "AWAIT\n", await) + `
	tcgen05.fence::before_thread_sync;
	bar.sync 0;
	@!%p2 bra END;
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 512;
END:
	ret;
}
`
}

// runTensor runs a kernel of tensorKernel with the given words, and returns n words.
func runTensor(t *testing.T, src string, in []uint32, n int) ([]uint32, *sim.Result, *sim.Finding) {
	t.Helper()
	return runTensorAt(t, src, tensorWords{in, n}, sim.Launch{})
}

// tensorWords are the words of a kernel of tensorKernel, and the number of its results.
type tensorWords struct {
	in  []uint32
	out int
}

// runTensorAt is runTensor for a launch.
func runTensorAt(t *testing.T, src string, x tensorWords, l sim.Launch) ([]uint32, *sim.Result, *sim.Finding) {
	t.Helper()
	p := loadText(t, src)
	m := memory(t, p)
	out := put(t, m, make([]uint32, x.out))
	l.Block, l.Shared = sim.Dim{X: 128}, 1<<16
	l.Args = []sim.Arg{sim.Pointer(put(t, m, append(x.in, 0)), 0), sim.Pointer(out, 0)}
	res, err := p.Run(context.Background(), m, l)
	f, ok := errors.AsType[*sim.Finding](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	return get[uint32](t, out), res, f
}

// registers lists n registers from %r<from> on, in braces.
func registers(from, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("%%r%d", from+i))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// storeRow makes each thread write n registers to its row of out, whose rows have n words.
func storeRow(from, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "mul.wide.u32 %%rd20, %%t, %d; add.u64 %%rd20, %%rd20, %%out;\n", 4*n)
	for i := range n {
		fmt.Fprintf(&b, "st.global.b32 [%%rd20+%d], %%r%d;\n", 4*i, from+i)
	}
	return b.String()
}

// fillColumns makes each thread write lane·1024 + column to the columns of its lane.
func fillColumns(n int) string {
	var b strings.Builder
	b.WriteString("shl.b32 %r0, %t, 10;\n")
	for i := range n {
		fmt.Fprintf(&b, "add.u32 %%r1, %%r0, %d;\ntcgen05.st.sync.aligned.32x32b.x1.b32 [%%wa+%d], {%%r1};\n", i, i)
	}
	return b.String() + "tcgen05.wait::st.sync.aligned;\n"
}

// tensorShapes are forms of tcgen05.ld and st.
var tensorShapes = []string{
	"32x32b.x1", "32x32b.x8", "32x32b.x128", "16x64b.x1", "16x64b.x16", "16x128b.x1", "16x128b.x8", "16x256b.x1",
	"16x256b.x4", "16x32bx2.x2", "16x32bx2.x4", "32x32b.x4.pack::16b", "16x64b.x2.pack::16b", "16x128b.x2.pack::16b",
	"16x256b.x1.pack::16b",
}

// Loads return the columns that package tmem says, and stores are their inverse.
func TestTensorMoves(t *testing.T) {
	t.Parallel()
	for _, shape := range tensorShapes {
		for _, lane := range []int{0, 16} {
			a, err := tmem.ParseAccess(shape)
			if err != nil {
				t.Fatal(err)
			}
			if lane > 0 && a.Lanes() == 32 {
				continue
			}
			n, split, halves := int(a.Registers()), "", 1
			if a.Shape == "16x32bx2" {
				a.Split, split = 5, ", 5"
			}
			bits := int64(32)
			if a.Packed {
				bits, halves = 16, 2
			}
			columns := 1 << (10 - 2)
			load := fmt.Sprintf("add.u32 %%r2, %%wa, %d;\ntcgen05.ld.sync.aligned.%s.b32 %s, [%%r2+3]%s;\ntcgen05.wait::ld.sync.aligned;\n",
				lane<<16, shape, registers(10, n), split)
			got, _, f := runTensor(t, tensorKernel(fillColumns(min(columns, 140))+load+storeRow(10, n)), nil, 128*n)
			if f != nil {
				t.Fatalf("%s: %v", shape, f)
			}
			l, err := a.ThreadValue(bits)
			if err != nil {
				t.Fatal(err)
			}
			for thread := range 128 {
				for r := range n {
					want := uint32(0)
					for h := range halves {
						v, _ := l.Eval(cute.Ints(int64(thread%32), int64(r*halves+h)))
						x, _ := v.Int64()
						at, column := x/(65536*32/bits), x%(65536*32/bits)*bits/32
						word := uint32(int(at)+thread/32*32+lane)<<10 + uint32(column) + 3
						if halves == 2 {
							word &= 0xffff
						}
						want |= word << (16 * h)
					}
					if got[thread*n+r] != want {
						t.Fatalf("%s at lane %d: register %d of thread %d is 0x%x, want 0x%x", shape, lane, r, thread,
							got[thread*n+r], want)
					}
				}
			}
		}
		back(t, shape)
	}
}

// back stores registers and loads them again.
func back(t *testing.T, shape string) {
	t.Helper()
	a, err := tmem.ParseAccess(shape)
	if err != nil {
		t.Fatal(err)
	}
	n, split := int(a.Registers()), ""
	if a.Shape == "16x32bx2" {
		split = ", 7"
	}
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "mad.lo.u32 %%r%d, %%t, 300, %d;\n", 10+i, i)
	}
	fmt.Fprintf(&b, "tcgen05.st.sync.aligned.%s.b32 [%%wa]%s, %s;\ntcgen05.wait::st.sync.aligned;\n",
		strings.ReplaceAll(shape, "pack", "unpack"), split, registers(10, n))
	fmt.Fprintf(&b, "tcgen05.ld.sync.aligned.%s.b32 %s, [%%wa]%s;\ntcgen05.wait::ld.sync.aligned;\n",
		shape, registers(150, n), split)
	got, _, f := runTensor(t, tensorKernel(b.String()+storeRow(150, n)), nil, 128*n)
	if f != nil {
		t.Fatalf("%s: %v", shape, f)
	}
	for i, x := range got {
		if want := uint32(i/n*300 + i%n); x != want {
			t.Fatalf("%s: word %d is %d, want %d", shape, i, x, want)
		}
	}
}

// These pairs of accesses need a wait, of the same thread or of another.
func TestTensorOrder(t *testing.T) {
	t.Parallel()
	const (
		st   = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%wa+4], {%t};\n"
		ld   = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%wa+4];\n"
		wst  = "tcgen05.wait::st.sync.aligned;\n"
		wld  = "tcgen05.wait::ld.sync.aligned;\n"
		used = "st.global.b32 [%out], %r2;\n"
	)
	for _, tt := range []struct {
		name, body string
		kind       sim.Kind
		text       string
	}{
		{"sound", st + wst + ld + wld, "", ""},
		{"a loaded register used before the wait", st + wst + ld + "add.u32 %r3, %r2, 1;\n" + wld, "", ""},
		{"no wait::st", st + ld, sim.KindReadPending, "tcgen05.wait::st is missing before it"},
		{"the other wait", st + wld + ld, sim.KindReadPending, "tcgen05.wait::st is missing before it"},
		{"stored twice", st + st + wst, sim.KindWritePending, "tcgen05.wait::st"},
		{"no wait::ld", st + wst + ld + st + wst, sim.KindWritePending, "004 of tensor memory, which tcgen05.ld"},
		{"not written", ld + wld + used, sim.KindUninitialised, "column 4 of tensor memory, to which nothing was written"},
		{"outside", "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r2, %r3}, [%wa+511];\n" + wld, sim.KindBounds, "columns 511 to 512"},
		{"lanes beyond the warp's", "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%wa+0x100000];\n", sim.KindTensor, "reaches the lanes"},
		{"addresses differ", "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%t];\n", sim.KindDivergent, "has to be the same"},
		{"half a warp", "setp.lt.u32 %p3, %t, 16;\n@%p3 " + ld, sim.KindDivergent, ".aligned"},
		{"33 columns", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 33;\n", sim.KindArgument, "33 columns: expected a power of two"},
		{"freed elsewhere", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 32, 32;\n", sim.KindTensor, "the columns 0 to 511 are allocated"},
	} {
		_, res, f := runTensor(t, tensorKernel(tt.body), nil, 1)
		switch {
		case tt.kind == "" && f == nil:
			if len(res.Lesser) > 0 {
				t.Errorf("%s: %v", tt.name, res.Lesser[0])
			}
		case f == nil || f.Kind != tt.kind || !strings.Contains(f.Message, tt.text):
			t.Errorf("%s: %v, want %s, %q", tt.name, f, tt.kind, tt.text)
		}
	}
}

// A warp that allocates waits until another one has freed enough columns.
func TestTensorAllocWaits(t *testing.T) {
	t.Parallel()
	src := tensorKernel(`setp.lt.u32 %p3, %t, 64;
	@!%p3 bra OUT;
	@%p2 bra FREE;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [tile], 512;
	ld.shared.b32 %r4, [tile];
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 512;
	bra OUT;
FREE:
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 512;
OUT:
	bar.sync 0;
	@!%p2 bra LAST;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512;
LAST:
`)
	if _, _, f := runTensor(t, src, nil, 1); f != nil {
		t.Error(f)
	}
}

// A tensorCase is a product of small numbers by one tcgen05.mma, with the operands in shared memory without a swizzle.
type tensorCase struct {
	name       string
	a, b, d    dtype.Type
	idesc      uint32 // without M and N
	m, n, k    int
	bits       int // of an element in shared memory
	body       string
	transposed bool // A and B are MN-major
	want       func(m, n int, exact float64) float64
	place      func(m, n int) (lane, column int) // where an element of D is; nil for the layouts D and F
	vector     int                               // elements of a scale factor; 0 for none
	scale      dtype.Type                        // of the factors
	extra      int                               // columns of B in addition to n
	of         int                               // elements of a group of a sparse A; 0 for a dense A
}

// kept returns the elements of a row of A or B in shared memory, in order.
func (c *tensorCase) kept(matrix, row int) (list []int) {
	for k := range c.k {
		if c.of == 0 || matrix == 1 || c.holds(row, k) {
			list = append(list, k)
		}
	}
	return list
}

// factor returns a scale factor of A or B.
func (c *tensorCase) factor(matrix, row, k int) float64 {
	if c.vector == 0 {
		return 1
	}
	return math.Ldexp(1, (row*3+k/c.vector+matrix)%4-1)
}

// number returns an element of A or B, which all types of the tests contain.
func (c *tensorCase) number(matrix, row, k int) float64 {
	v := float64((row*5+k*3+matrix+row*k)%5 - 2)
	if c.a == dtype.U8 {
		v += 2
	}
	return v
}

// source returns the kernel: each operand is copied from in to shared memory, word by word.
func (c *tensorCase) source() (string, []uint32) {
	bytesA, bytesB := c.m*len(c.kept(0, 0))*c.bits/8, (c.n+c.extra)*c.k*c.bits/8
	words := make([]uint32, (bytesA+bytesB)/4+256)
	per := 128 / c.bits // elements of a core matrix row
	for i, rows := range []int{c.m, c.n + c.extra} {
		typ := []dtype.Type{c.a, c.b}[i]
		for r := range rows {
			for k, from := range c.kept(i, r) {
				code, _ := typ.Encode(c.number(i, r, from))
				if typ.Kind() != dtype.Float {
					code = uint64(int64(c.number(i, r, from))) & 0xff
				}
				at := ((k/per*rows+r)*per + k%per) * c.bits // core matrices along the rows first
				if c.transposed {
					at = ((r/per*c.k+k)*per + r%per) * c.bits
				}
				at += i * bytesA * 8
				if c.bits == 8 && typ.Bits() < 8 { // 16 elements are packed in 16 bytes
					at = at/128*128 + at%128/8*typ.Bits()
				}
				words[at/32] |= uint32(code << (at % 32))
				if at%32+typ.Bits() > 32 {
					words[at/32+1] |= uint32(code >> (32 - at%32))
				}
			}
		}
	}
	for i, rows := range []int{c.m, c.n} { // a block of 128 rows by 4 factors of each operand
		for r := range rows {
			for f := range 4 {
				code := uint64(0)
				if c.vector != 0 && f*c.vector < c.k {
					code, _ = c.scale.Encode(c.factor(i, r, f*c.vector))
				}
				at := bytesA + bytesB + 512*i + 16*(r%32) + r/32*4 + f
				words[at/4] |= uint32(code) << (at % 4 * 8)
			}
		}
	}
	idesc := c.idesc | uint32(c.n/8)<<17 | uint32(c.m/16)<<24
	// K-major: the leading distance is from 16 bytes along K to the next, the stride from 8 rows to the next. MN-major
	// without a swizzle: the leading distance is along K, the stride along the rows.
	lead, stride := []int{c.m * 16, (c.n + c.extra) * 16}, []int{128, 128}
	if c.transposed {
		lead, stride = []int{128, 128}, []int{c.k * 16, c.k * 16}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `mov.u32 %%r3, %%t;
COPY:
	setp.ge.u32 %%p3, %%r3, %d;
	@%%p3 bra COPIED;
	mul.wide.u32 %%rd4, %%r3, 4; add.u64 %%rd4, %%rd4, %%in; ld.global.b32 %%r4, [%%rd4];
	mad.lo.u32 %%r5, %%r3, 4, %%s; st.shared.b32 [%%r5], %%r4;
	add.u32 %%r3, %%r3, 128;
	bra COPY;
COPIED:
	fence.proxy.async.shared::cta;
	bar.sync 0;
	shr.u32 %%r6, %%s, 4; cvt.u64.u32 %%rd5, %%r6;
	add.u64 %%rd6, %%rd5, 0x%x; add.u64 %%rd7, %%rd5, 0x%x;
	mov.b32 %%r8, 0x%08x;
`, len(words), 1<<46|stride[0]/16<<32|lead[0]/16<<16, 1<<46|stride[1]/16<<32|lead[1]/16<<16+bytesA/16, idesc)
	fmt.Fprintf(&b, "add.u64 %%rd10, %%rd5, 0x%x; add.u64 %%rd11, %%rd10, 32;\n", 1<<46|8<<32|1<<16+(bytesA+bytesB)/16)
	b.WriteString("add.u32 %r15, %a, 256; add.u32 %r16, %a, 260;\n")
	b.WriteString(c.body)
	return b.String(), words
}

// run runs the product, and compares it.
func (c *tensorCase) run(t *testing.T) {
	t.Helper()
	if wrong := c.wrong(t); wrong != "" {
		t.Errorf("%s: %s", c.name, wrong)
	}
}

// wrong runs the product, with columns of D that each thread reads from its lane. It returns what is wrong, or "".
func (c *tensorCase) wrong(t *testing.T) string {
	t.Helper()
	body, words := c.source()
	body += fmt.Sprintf("AWAIT\ntcgen05.ld.sync.aligned.32x32b.x%d.b32 %s, [%%wa];\ntcgen05.wait::ld.sync.aligned;\n",
		c.n, registers(20, c.n))
	got, res, f := runTensor(t, tensorKernel(body+storeRow(20, c.n)), words, 128*c.n)
	if f != nil || len(res.Lesser) > 0 {
		return fmt.Sprint(f, res.Lesser)
	}
	for m := range c.m {
		lane := m
		if c.m == 64 {
			lane = m/16*32 + m%16
		}
		for n := range c.n {
			want := 0.0
			for _, k := range c.kept(0, m) {
				want += c.number(0, m, k) * c.number(1, n, k) * c.factor(0, m, k) * c.factor(1, n, k)
			}
			if c.want != nil {
				want = c.want(m, n, want)
			}
			column := n
			if c.place != nil {
				lane, column = c.place(m, n)
			}
			word, v := got[lane*c.n+column], 0.0
			switch c.d {
			case dtype.S32:
				v = float64(int32(word))
			case dtype.F16:
				v, _ = dtype.F16.Decode(uint64(word))
			default:
				v = float64(math.Float32frombits(word))
			}
			if v != want {
				return fmt.Sprintf("(%d,%d) is %v, want %v", m, n, v, want)
			}
		}
	}
	return ""
}

// mmaLine is a tcgen05.mma of thread 0 followed by tcgen05.commit.
func mmaLine(kind, operands string) string {
	return fmt.Sprintf("@!%%p0 bra AWAIT;\ntcgen05.mma.cta_group::1.kind::%s %s;\n%s", kind, operands, commitLine)
}

// wsLine is mmaLine with .ws and kind::f16.
func wsLine(operands string) string {
	return strings.Replace(mmaLine("f16.collector::b1::fill", operands), "mma.cta", "mma.ws.cta", 1)
}

const commitLine = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd9];\n"

func TestTensorKinds(t *testing.T) {
	t.Parallel()
	const ss = "[%a], %rd6, %rd7, %r8, "
	bar := "mov.u32 %r9, bar; cvta.shared.u64 %rd9, bar;\n"
	// ones makes D begin with 3 in all cells, and waits for that.
	ones := "mov.b32 %r10, 0f40400000;\n"
	for i := range 64 {
		ones += fmt.Sprintf("tcgen05.st.sync.aligned.32x32b.x1.b32 [%%wa+%d], {%%r10};\n", i)
	}
	ones += "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\ntcgen05.fence::after_thread_sync;\n"
	for _, c := range []tensorCase{
		{name: "f16", a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 128, n: 32, k: 16, bits: 16, body: mmaLine("f16", ss+"0")},
		{name: "f16 to f16", a: dtype.F16, b: dtype.F16, d: dtype.F16, idesc: 0, m: 128, n: 32, k: 16, bits: 16, body: mmaLine("f16", ss+"0")},
		{name: "bf16 by f16", a: dtype.BF16, b: dtype.F16, d: dtype.F32, idesc: 0x90, m: 64, n: 32, k: 16, bits: 16, body: ones + mmaLine("f16", ss+"0")},
		{name: "MN-major", a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x18010, m: 128, n: 32, k: 16, bits: 16, transposed: true, body: mmaLine("f16", ss+"0")},
		{name: "negated", a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x4010, m: 128, n: 32, k: 16, bits: 16, body: mmaLine("f16", ss+"0"), want: func(_, _ int, x float64) float64 { return -x }},
		{name: "tf32", a: dtype.TF32, b: dtype.TF32, d: dtype.F32, idesc: 0x910, m: 128, n: 32, k: 8, bits: 32, body: mmaLine("tf32", ss+"0")},
		{name: "s8", a: dtype.S8, b: dtype.S8, d: dtype.S32, idesc: 0x4a0, m: 128, n: 32, k: 32, bits: 8, body: mmaLine("i8", ss+"0")},
		{name: "u8 by s8", a: dtype.U8, b: dtype.S8, d: dtype.S32, idesc: 0x420, m: 64, n: 32, k: 32, bits: 8, body: ones + mmaLine("i8", ss+"0")},
		{name: "e4m3", a: dtype.E4M3, b: dtype.E4M3, d: dtype.F32, idesc: 0x10, m: 128, n: 32, k: 32, bits: 8, body: mmaLine("f8f6f4", ss+"0")},
		{name: "e5m2 by e3m2", a: dtype.E5M2, b: dtype.E3M2, d: dtype.F32, idesc: 0x1090, m: 128, n: 32, k: 32, bits: 8, body: mmaLine("f8f6f4", ss+"0")},
		{name: "e2m1 by e2m3", a: dtype.E2M1, b: dtype.E2M3, d: dtype.F16, idesc: 0xe80, m: 128, n: 32, k: 32, bits: 8, body: mmaLine("f8f6f4", ss+"0")},
		{name: "added to D", a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 128, n: 32, k: 16, bits: 16, body: ones + mmaLine("f16", ss+"1"), want: func(_, _ int, x float64) float64 { return x + 3 }},
		{name: "scale-input-d", a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 128, n: 32, k: 16, bits: 16, body: ones + mmaLine("f16", ss+"1, 2"), want: func(_, _ int, x float64) float64 { return x + 0.75 }},
		{name: "lanes disabled", a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 128, n: 32, k: 16, bits: 16, body: ones + "mov.b32 %r11, 0; mov.b32 %r12, 0xf0;\n" + mmaLine("f16", ss+"{%r11, %r12, %r11, %r11}, 1"), want: keepRows36},
		{name: "ws, M 128", a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 128, n: 64, k: 16, bits: 16, body: wsLine(ss + "0")},
		{name: "ws, M 64", a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 64, n: 64, k: 16, bits: 16, body: ones + wsLine(ss+"0"), place: func(m, n int) (int, int) { return m + n/32*64, n % 32 }},
		{name: "ws, M 32", a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 32, n: 64, k: 16, bits: 16, body: ones + wsLine(ss+"0, 0"), place: func(m, n int) (int, int) { return m + n/16*32, n % 16 }},
	} {
		c.body = bar + c.body
		c.run(t)
	}
}

// keepRows36 is the product added to 3, except in the rows 36 to 39.
func keepRows36(m, _ int, x float64) float64 {
	if m >= 36 && m < 40 {
		return 3
	}
	return x + 3
}

// An A in tensor memory, as packed halves that threads store.
func TestTensorA(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("cvta.shared.u64 %rd9, bar;\n")
	for i := range 8 { // halves 2i and 2i+1 of the thread's row, from the core matrices in shared memory
		fmt.Fprintf(&b, "mad.lo.u32 %%r10, %%t, 16, %%s;\nld.shared.b32 %%r%d, [%%r10+%d];\n", 11+i, i/4*128*16+i%4*4)
	}
	fmt.Fprintf(&b, "tcgen05.st.sync.aligned.32x32b.x8.b32 [%%wa+64], %s;\ntcgen05.wait::st.sync.aligned;\n",
		registers(11, 8))
	b.WriteString("tcgen05.fence::before_thread_sync;\nbar.sync 0;\ntcgen05.fence::after_thread_sync;\nadd.u32 %r19, %a, 64;\n")
	c := tensorCase{
		name: "TS", a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 128, n: 32, k: 16, bits: 16,
		body: b.String() + mmaLine("f16", "[%a], [%r19], %rd7, %r8, 0"),
	}
	c.run(t)
}

// Scale factors that tcgen05.cp brings from shared memory.
func TestTensorScales(t *testing.T) {
	t.Parallel()
	line := func(kind string) string {
		return "cvta.shared.u64 %rd9, bar;\n@!%p0 bra AWAIT;\ntcgen05.cp.cta_group::1.32x128b.warpx4 [%r15], %rd10;\n" +
			"tcgen05.cp.cta_group::1.32x128b.warpx4 [%r16], %rd11;\ntcgen05.mma.cta_group::1.kind::" + kind +
			" [%a], %rd6, %rd7, %r8, [%r15], [%r16], 0;\n" + commitLine
	}
	again := "or.b32 %r8, %r8, 0x20000010;\ntcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale" +
		" [%a], %rd6, %rd7, %r8, [%r15], [%r16], 1;\n"
	next := strings.Replace(line("mxf8f6f4.block_scale"), commitLine, again+commitLine, 1) // whose factors are 2^-127
	for _, c := range []tensorCase{
		{name: "mxf8f6f4", a: dtype.E4M3, b: dtype.E4M3, idesc: 0x800000, k: 32, bits: 8, vector: 32, scale: dtype.UE8M0, body: line("mxf8f6f4.block_scale")},
		{name: "mxf8f6f4 and the next factors", a: dtype.E4M3, b: dtype.E4M3, idesc: 0x800000, k: 32, bits: 8, vector: 32, scale: dtype.UE8M0, body: next},
		{name: "mxf8f6f4 of e2m1", a: dtype.E2M1, b: dtype.E3M2, idesc: 0x801280, k: 32, bits: 8, vector: 32, scale: dtype.UE8M0, body: line("mxf8f6f4.block_scale.scale_vec::1X")},
		{name: "mxf4", a: dtype.E2M1, b: dtype.E2M1, idesc: 0x800480, k: 64, bits: 4, vector: 32, scale: dtype.UE8M0, body: line("mxf4.block_scale.block32")},
		{name: "mxf4nvf4", a: dtype.E2M1, b: dtype.E2M1, idesc: 0x480, k: 64, bits: 4, vector: 16, scale: dtype.UE4M3, body: line("mxf4nvf4.block_scale.block16")},
	} {
		c.m, c.n, c.d = 128, 32, dtype.F32
		c.run(t)
		// Without the copy, the factors are missing.
		body, words := c.source()
		body = strings.Replace(body, "tcgen05.cp.cta_group::1.32x128b.warpx4 [%r16], %rd11;\n", "", 1) +
			"AWAIT\ntcgen05.ld.sync.aligned.32x32b.x1.b32 {%r20}, [%wa];\n"
		_, _, f := runTensor(t, tensorKernel(body+storeRow(20, 1)), words, 128)
		if f == nil || f.Kind != sim.KindUninitialised {
			t.Errorf("%s without factors of B: %v", c.name, f)
		}
		// With the factors of A for B, the product differs.
		c.body = strings.Replace(c.body, "[%r15], [%r16]", "[%r16], [%r15]", 1)
		if c.wrong(t) == "" {
			t.Errorf("%s: exchanged factors make no difference", c.name)
		}
	}
	for opcode, text := range map[string]string{
		"kind::mxf4":                               "block_scale",
		"kind::f16.block_scale":                    "block_scale",
		"kind::mxf4nvf4.block_scale":               "no scale factors of the size",
		"kind::mxf8f6f4.block_scale.scale_vec::2X": "no scale factors of the size",
	} {
		line := "tcgen05.mma.cta_group::1." + opcode + " [%a], %rd6, %rd7, %r8, [%a], [%a], 0;"
		_, _, f := runTensor(t, tensorKernel(line), nil, 1)
		if f == nil || f.Kind != sim.KindUnsupported || !strings.Contains(f.Message, text) {
			t.Errorf("%s: %v", opcode, f)
		}
	}
}
