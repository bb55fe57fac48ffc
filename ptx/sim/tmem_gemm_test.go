package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"girih/descriptor"
	"girih/dtype"
	"girih/ptx/sim"
)

// tensorGemm multiplies A, 128 rows of 64 halves, by B, 128 rows of 64 halves, with four tcgen05.mma of one thread.
// Each thread stores a row of A and a row of B in shared memory, as rows of 128 bytes with the swizzle of 128 bytes,
// and writes a row of D. Lines end with a name after "//", by which tests change them.
func tensorGemm() string {
	var b strings.Builder
	b.WriteString(`.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 d)
{
.reg .b32 %r<40>, %f<128>, %x<4>;
.reg .b64 %rd<20>;
.reg .pred %p<8>;
.shared .align 1024 .b8 tile[32768];
.shared .align 8 .b64 bar;
.shared .align 4 .b32 slot;
ld.param.u64 %rd1, [a];
ld.param.u64 %rd2, [b];
ld.param.u64 %rd3, [d];
mov.u32 %r0, %tid.x;
setp.eq.u32 %p0, %r0, 0;
setp.lt.u32 %p1, %r0, 32;
mul.wide.u32 %rd4, %r0, 128;
add.u64 %rd1, %rd1, %rd4;
add.u64 %rd2, %rd2, %rd4;
mov.u32 %r1, tile;
mad.lo.u32 %r2, %r0, 128, %r1;
and.b32 %r3, %r0, 7;
`)
	for c := range 8 {
		fmt.Fprintf(&b, "xor.b32 %%r4, %%r3, %d;\nmad.lo.u32 %%r5, %%r4, 16, %%r2;\n", c)
		for at, from := range map[int]string{0: "%rd1", 16384: "%rd2"} {
			fmt.Fprintf(&b, "ld.global.v4.b32 {%%x0, %%x1, %%x2, %%x3}, [%s+%d];\nst.shared.v4.b32 [%%r5+%d], {%%x0, %%x1, %%x2, %%x3};\n",
				from, 16*c, at)
		}
	}
	b.WriteString(`@!%p1 bra READY;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 128; // alloc
tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; // cede
READY:
@%p0 mbarrier.init.shared.b64 [bar], 1;
fence.proxy.async.shared::cta; // proxy
tcgen05.fence::before_thread_sync; // before
bar.sync 0;
tcgen05.fence::after_thread_sync; // after
ld.shared.b32 %r6, [slot];
shr.u32 %r7, %r1, 4;
cvt.u64.u32 %rd5, %r7;
or.b64 %rd6, %rd5, 0x4000404000010000; // descriptor
add.u64 %rd7, %rd6, 1024;
mov.b32 %r8, 0x08200010; // idesc
@!%p0 bra WAIT;
`)
	for i := range 4 {
		p := "%p0"
		if i == 0 {
			p = "!%p0"
		}
		fmt.Fprintf(&b, "tcgen05.mma.cta_group::1.kind::f16 [%%r6], %%rd6, %%rd7, %%r8, %s; // mma%d\n", p, i)
		fmt.Fprintf(&b, "add.u64 %%rd6, %%rd6, 2; // step%d\nadd.u64 %%rd7, %%rd7, 2;\n", i)
	}
	b.WriteString(`tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar]; // commit
WAIT:
mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; // wait
@!%p2 bra WAIT; // again
tcgen05.fence::after_thread_sync; // then
and.b32 %r9, %r0, 0x60;
shl.b32 %r9, %r9, 16;
add.u32 %r9, %r9, %r6;
`)
	var regs []string
	for i := range 128 {
		regs = append(regs, fmt.Sprintf("%%f%d", i))
	}
	for c := range 4 {
		fmt.Fprintf(&b, "tcgen05.ld.sync.aligned.32x32b.x32.b32 {%s}, [%%r9+%d]; // ld%d\n",
			strings.Join(regs[32*c:32*c+32], ", "), 32*c, c)
	}
	b.WriteString("tcgen05.wait::ld.sync.aligned; // loaded\nmul.wide.u32 %rd8, %r0, 512;\nadd.u64 %rd3, %rd3, %rd8;\n")
	for c := range 32 {
		fmt.Fprintf(&b, "st.global.v4.b32 [%%rd3+%d], {%s};\n", 16*c, strings.Join(regs[4*c:4*c+4], ", "))
	}
	b.WriteString(`tcgen05.fence::before_thread_sync; // done
bar.sync 0; // meet
@!%p1 bra END;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r6, 128; // dealloc
END:
ret;
}
`)
	return b.String()
}

// change replaces the line with a name by lines, which may be empty.
func change(t *testing.T, src, name, lines string) string {
	t.Helper()
	list := strings.Split(src, "\n")
	n := 0
	for i, s := range list {
		if strings.HasSuffix(s, "// "+name) {
			list[i] = lines + " // " + name
			n++
		}
	}
	if n != 1 {
		t.Fatalf("%d lines %q", n, name)
	}
	return strings.Join(list, "\n")
}

// gemmNumber returns an element of the operands, a small number.
func gemmNumber(matrix, row, k int) float64 { return float64((row*7+k*3+matrix*5+row*k)%13-6) / 4 }

// runTensorGemm runs a kernel with the parameters of tensorGemm, and returns D.
func runTensorGemm(t *testing.T, src string, l sim.Launch) ([]float32, *sim.Result, *sim.Finding) {
	t.Helper()
	p := loadText(t, src)
	m := memory(t, p)
	for i := range 2 {
		halves := make([]uint32, 64*64)
		for j := range 128 * 64 {
			c, err := dtype.F16.Encode(gemmNumber(i, j/64, j%64))
			if err != nil {
				t.Fatal(err)
			}
			halves[j/2] |= uint32(c) << (j % 2 * 16)
		}
		l.Args = append(l.Args, sim.Pointer(put(t, m, halves), 0))
	}
	out := put(t, m, make([]uint32, 128*128))
	l.Args = append(l.Args, sim.Pointer(out, 0))
	l.Block = sim.Dim{X: 128}
	res, err := p.Run(context.Background(), m, l)
	f, ok := errors.AsType[*sim.Finding](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	var d []float32
	for _, x := range get[uint32](t, out) {
		d = append(d, math.Float32frombits(x))
	}
	return d, res, f
}

// wrongElements returns how many elements of D differ from the product in float64.
func wrongElements(d []float32) (n int) {
	for i := range d {
		sum := 0.0
		for k := range 64 {
			sum += gemmNumber(0, i/128, k) * gemmNumber(1, i%128, k)
		}
		if float64(d[i]) != sum {
			n++
		}
	}
	return n
}

func TestTensorGemm(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		d, res, f := runTensorGemm(t, tensorGemm(), sim.Launch{Seed: seed})
		if f != nil || len(res.Lesser) > 0 {
			t.Fatalf("seed %d: %v, %v", seed, f, res.Lesser)
		}
		if n := wrongElements(d); n != 0 {
			t.Errorf("seed %d: %d elements differ", seed, n)
		}
	}
	if _, _, f := runTensorGemm(t, tensorGemm(), sim.Launch{Strict: true}); f != nil {
		t.Errorf("strict: %v", f)
	}
}

// A load whose registers all lanes have used needs no wait.
func TestTensorLoadUsed(t *testing.T) {
	t.Parallel()
	d, _, f := runTensorGemm(t, change(t, tensorGemm(), "loaded", ""), sim.Launch{})
	if f != nil || wrongElements(d) > 0 {
		t.Errorf("%v, %d elements differ", f, wrongElements(d))
	}
}

// A wrong layout or descriptor gives a wrong product, and a missing wait, fence or deallocation a finding.
func TestTensorGemmMutants(t *testing.T) {
	t.Parallel()
	strayed := descriptor.Matrix{Format: descriptor.SM100, Pattern: descriptor.SW64, Leading: 16, Stride: 1024}.Bits()
	for _, tt := range []struct {
		name, line, by string
		kind           sim.Kind // "" for a wrong product
		at, text       string   // the name of the finding's line, and part of its message
		lesser         bool     // the finding is of the grade strict
	}{
		{name: "stride", line: "descriptor", by: "or.b64 %rd6, %rd5, 0x4000402000010000;"},
		{name: "swizzle", line: "descriptor", by: fmt.Sprintf("or.b64 %%rd6, %%rd5, 0x%x;", strayed)},
		{name: "types", line: "idesc", by: "mov.b32 %r8, 0x08200490;"},
		{name: "B transposed", line: "idesc", by: "mov.b32 %r8, 0x08210010;"},
		{name: "negated", line: "idesc", by: "mov.b32 %r8, 0x08202010;"},
		{name: "step", line: "step1", by: "add.u64 %rd6, %rd6, 4;"},
		{name: "column", line: "ld1", by: strings.ReplaceAll(namedLine(tensorGemm(), "ld1"), "+32]", "+33]")},
		{name: "a product forgotten", line: "mma2", by: ""},
		{name: "accumulator not cleared", line: "mma0", by: "tcgen05.mma.cta_group::1.kind::f16 [%r6], %rd6, %rd7, %r8, %p0;", kind: sim.KindUninitialised, text: "to which nothing was written"},
		{name: "no commit", line: "commit", by: "", kind: sim.KindDeadlock, text: "no thread"},
		{name: "a wait whose result is ignored", line: "again", by: "", kind: sim.KindRace, at: "mma0", text: "nothing orders the two"},
		{name: "two waits whose results are ignored", line: "again", by: namedLine(tensorGemm(), "wait"), kind: sim.KindRace, at: "mma0", text: "nothing orders the two"},
		{name: "a result that only a selp reads", line: "again", by: "selp.b32 %r20, 1, 0, %p2;", kind: sim.KindRace, at: "mma0", text: "nothing orders the two"},
		{name: "no wait at all", line: "wait", by: "setp.eq.u32 %p2, %r0, %r0;", kind: sim.KindRace, at: "mma0", text: "nothing orders the two"},
		{name: "no fence before async proxy", line: "proxy", by: "", kind: sim.KindRace, at: "mma0", text: "fence.proxy.async"},
		{name: "no fence after the wait", line: "then", by: "", kind: sim.KindRace, at: "ld0", text: "tcgen05.fence::after_thread_sync", lesser: true},
		{name: "no fence, relaxed wait", line: "wait", by: "mbarrier.try_wait.parity.relaxed.cluster.shared.b64 %p2, [bar], 0;"},
		{name: "leak", line: "dealloc", by: "", kind: sim.KindTensor, at: "alloc", text: "columns 0 to 127 of tensor memory are still allocated"},
		{name: "freed twice", line: "dealloc", by: namedLine(tensorGemm(), "dealloc") + "\n" + namedLine(tensorGemm(), "dealloc"), kind: sim.KindTensor, at: "dealloc", text: "has freed the allocation there"},
		{name: "freed in part", line: "dealloc", by: "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r6, 64;", kind: sim.KindTensor, at: "dealloc", text: "the allocation there has 128"},
		{name: "freed before the loads", line: "meet", by: "", kind: sim.KindBounds, at: "ld0", text: "has freed the columns 0 to 127"},
		{name: "loads that half of the lanes use", line: "loaded", by: "and.b32 %r8, %r0, 16;\nsetp.ne.u32 %p2, %r8, 0;\n@%p2 bra SKIP;", kind: sim.KindWritePending, at: "dealloc", text: "tcgen05.wait::ld is missing"},
		{name: "too few columns", line: "alloc", by: "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 64;", kind: sim.KindBounds, at: "mma0", text: "the columns 0 to 63 are allocated"},
		{name: "lanes of another warp", line: "ld0", by: strings.Replace(namedLine(tensorGemm(), "ld0"), "%r9", "%r6", 1), kind: sim.KindTensor, at: "ld0", text: "warp 1 of a block reaches the lanes 32 to 63"},
		{name: "allocated after the permit", line: "cede", by: namedLine(tensorGemm(), "cede") + "\n" + namedLine(tensorGemm(), "alloc"), kind: sim.KindTensor, at: "cede", text: "relinquish_alloc_permit"},
		{name: "never available", line: "alloc", by: namedLine(tensorGemm(), "alloc") + "\n" + strings.Replace(namedLine(tensorGemm(), "alloc"), "128", "512", 1), kind: sim.KindDeadlock, text: "tcgen05.alloc of 512 columns"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src := change(t, tensorGemm(), tt.line, tt.by)
			if strings.Contains(tt.by, "SKIP") {
				src = change(t, src, "meet", "SKIP: "+namedLine(src, "meet"))
			}
			d, res, f := runTensorGemm(t, src, sim.Launch{})
			if tt.lesser && f == nil && len(res.Lesser) > 0 {
				f = res.Lesser[0]
			}
			switch {
			case tt.name == "no fence, relaxed wait":
				if f != nil || wrongElements(d) > 0 {
					t.Fatalf("with the fence: %v", f)
				}
				if _, _, f := runTensorGemm(t, change(t, src, "then", ""), sim.Launch{}); f == nil || f.Kind != sim.KindReadPending {
					t.Errorf("got %v", f)
				}
			case tt.kind == "":
				if f != nil || wrongElements(d) < 100 {
					t.Errorf("%v, %d elements differ", f, wrongElements(d))
				}
			case f == nil || f.Kind != tt.kind || !strings.Contains(f.Message, tt.text) ||
				tt.at != "" && !strings.HasSuffix(strings.Split(src, "\n")[f.Pos.Line-1], "// "+tt.at):
				t.Errorf("got %v, want %s, %q at %q", f, tt.kind, tt.text, tt.at)
			}
			if tt.lesser {
				if _, _, f := runTensorGemm(t, src, sim.Launch{Strict: true}); f == nil || f.Grade != sim.GradeStrict {
					t.Errorf("strict: %v", f)
				}
			}
		})
	}
}

// namedLine returns the line with a name.
func namedLine(src, name string) string {
	for s := range strings.SplitSeq(src, "\n") {
		if line, ok := strings.CutSuffix(s, "// "+name); ok {
			return line
		}
	}
	return ""
}
