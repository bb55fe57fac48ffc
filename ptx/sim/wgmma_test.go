package sim_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// wgmmaKernel executes m64n8k16 of f16 in one or two warpgroups, with A of ones and B of twos in shared memory, not
// swizzled. A body replaces HERE. It may use %f0 to %f3 and %f4 to %f7 as accumulators; %r8 to %r11 are A in registers,
// all ones; %rd8 and %rd9 are the descriptors of A and B; %r4 is the address of A; %rd4 is the address of the thread's
// results; %r0 is the thread's number; %p1 is true in thread 0, %p2 in warp 3, and %p0 always.
const wgmmaKernel = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<20>;
.reg .b64 %rd<20>;
.reg .f32 %f<20>;
.reg .pred %p<9>;
.shared .align 1024 .b8 tile[2304];
ld.param.u64 %rd1, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 16, %rd1;
mov.u32 %r4, tile;
mad.lo.u32 %r5, %r0, 16, %r4;
setp.eq.u32 %p1, %r0, 0;
shr.u32 %r6, %r0, 5;
setp.eq.u32 %p2, %r6, 3;
setp.eq.u32 %p0, %r0, %r0;
setp.ge.u32 %p3, %r0, 128;
setp.ge.u32 %p4, %r0, 16;
mov.u32 %r8, 0x3c003c00;
mov.u32 %r9, %r8;
mov.u32 %r10, %r8;
mov.u32 %r11, %r8;
mov.u32 %r12, 0x40004000;
@%p3 bra FILLED;
st.shared.v4.u32 [%r5], {%r8, %r8, %r8, %r8};
@%p4 bra FILLED;
st.shared.v4.u32 [%r5+2048], {%r12, %r12, %r12, %r12};
FILLED:
shr.u32 %r7, %r4, 4;
cvt.u64.u32 %rd5, %r7;
or.b64 %rd8, %rd5, 0x0000001000080000;
add.u64 %rd9, %rd8, 128;
mov.f32 %f0, 0f3F800000;
mov.f32 %f1, 0f3F800000;
mov.f32 %f2, 0f3F800000;
mov.f32 %f3, 0f3F800000;
HERE
ret;
}
`

const (
	ready   = "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
	wgFence = "wgmma.fence.sync.aligned;\n"
	wgSS    = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd8, %rd9, %p0, 1, 1, 0, 0;\n"
	wgRS    = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r8, %r9, %r10, %r11}, %rd9, %p0, 1, 1, 0;\n"
	commit  = "wgmma.commit_group.sync.aligned;\n"
	wait0   = "wgmma.wait_group.sync.aligned 0;\n"
	finish  = commit + wait0 + store
	store   = "st.global.v4.f32 [%rd4], {%f0, %f1, %f2, %f3};\n"
)

// runWgmma runs the kernel with a body, and returns the results, the finding, and the finding's line in the body.
func runWgmma(t *testing.T, body string, threads int) ([]float32, *sim.Finding, int) {
	t.Helper()
	head, tail, _ := strings.Cut(wgmmaKernel, "HERE\n")
	p := loadText(t, head+body+tail)
	m := memory(t, p)
	out, err := m.Put("out", make([]byte, 16*threads))
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(context.Background(), m, sim.Launch{Block: sim.Dim{X: threads}, Args: []sim.Arg{sim.Pointer(out, 0)}})
	f, ok := errors.AsType[*sim.Finding](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	line := 0
	if f != nil {
		line = int(f.Pos.Line) - strings.Count(head, "\n")
	}
	var values []float32
	for b := out.Bytes(); len(b) > 0; b = b[4:] {
		values = append(values, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return values, f, line
}

// others replaces the accumulators %f0 to %f3 of an instruction by %f4 to %f7.
func others(s string) string {
	return strings.ReplaceAll(s, "%f0, %f1, %f2, %f3", "%f4, %f5, %f6, %f7")
}

func TestWgmmaSound(t *testing.T) {
	t.Parallel()
	const one = wgFence + wgSS + commit
	for _, tt := range []struct {
		name, body string
		want       float32
		threads    int
	}{
		{"one", ready + one + wait0 + store, 33, 128},
		{"two warpgroups", ready + one + wait0 + store, 33, 256},
		{"registers", ready + wgFence + wgRS + finish, 33, 128},
		{"several before a wait", ready + wgFence + wgSS + wgSS + commit + wgSS + finish, 97, 128},
		{"one group behind", ready + one + wgFence + others(wgSS) + commit +
			"wgmma.wait_group.sync.aligned 1;\n" + store + wait0, 33, 128},
		{"the same accumulators after a wait", ready + one + wait0 + wgSS + finish, 65, 128},
		{"written and fenced", ready + one + wait0 + "add.f32 %f0, %f0, %f0;\nadd.f32 %f1, %f1, %f1;\n" +
			"add.f32 %f2, %f2, %f2;\nadd.f32 %f3, %f3, %f3;\n" + one + wait0 + store, 98, 128},
		{"a fence before what the compiler moved behind it", ready + wgFence + "mov.f32 %f0, 0f00000000;\n" + wgSS +
			commit + wait0 + "mov.f32 %f0, %f1;\n" + store, 33, 128},
		{"accumulators renamed in flight", ready + one + "mov.f32 %f8, %f0;\nmov.f32 %f9, %f1;\n" + wait0 +
			"mov.f32 %f0, %f8;\nmov.f32 %f1, %f9;\n" + store, 33, 128},
		{"renamed and multiplied on", ready + one +
			"mov.f32 %f4, %f0;\nmov.f32 %f5, %f1;\nmov.f32 %f6, %f2;\nmov.f32 %f7, %f3;\n" +
			others(wgSS) + commit + wait0 +
			others(store), 65, 128},
		{"A of registers is read in flight", ready + wgFence + wgRS + commit + "add.u32 %r13, %r8, %r9;\n" + wait0 + store, 33, 128},
		{"negated", ready + wgFence + strings.Replace(wgSS, "1, 1, 0, 0", "-1, 1, 0, 0", 1) + finish, -31, 128},
		{"without C", ready + wgFence + strings.Replace(wgSS, "%p0", "0", 1) + finish, 32, 128},
		{"accumulators without a value", ready + wgFence + strings.Replace(others(wgSS), "%p0", "!%p0", 1) +
			commit + wait0 + others(store), 32, 128},
		{"operands overwritten after the wait of another warp", ready + one + "bar.sync 0;\nsetp.ne.u32 %p5, %r6, 0;\n" +
			"@%p2 bra LAST;\n" + wait0 + "@%p5 bra OUT;\nbar.sync 1, 64;\n@%p1 st.shared.u32 [%r4+2048], %r8;\nbar.sync 2, 64;\nbra OUT;\n" +
			"LAST:\nbar.sync 1, 64;\nbar.sync 2, 64;\n" + wait0 + "OUT:\n" + store, 33, 128},
		{"operands overwritten after the wait", ready + one + wait0 + "bar.sync 0;\n@%p1 st.shared.u32 [%r4], %r12;\n" + store, 33, 128},
	} {
		got, f, _ := runWgmma(t, tt.body, tt.threads)
		if f != nil {
			t.Errorf("%s: %v", tt.name, f)
			continue
		}
		for i, x := range got {
			if x != tt.want {
				t.Errorf("%s: value %d of thread %d is %v, want %v", tt.name, i%4, i/4, x, tt.want)
				break
			}
		}
	}
}

func TestWgmmaFindings(t *testing.T) {
	t.Parallel()
	const one = wgFence + wgSS + commit
	for _, tt := range []struct {
		name, body string
		kind       sim.Kind
		line       string // the start of the line of the finding; the last line with this start counts
		text       string
	}{
		{"no fence", ready + wgSS + finish, sim.KindWgmma, "wgmma.mma", "first wgmma"},
		{"no wait", ready + one + store, sim.KindWgmma, "st.global", "wgmma.wait_group is missing"},
		{"no commit", ready + wgFence + wgSS + wait0 + store, sim.KindWgmma, "st.global", "commit_group"},
		{"one group too few", ready + one + "wgmma.wait_group.sync.aligned 1;\n" + store, sim.KindWgmma, "st.global", "accumulator"},
		{"accumulator written", ready + one + "mov.f32 %f2, 0f00000000;\n" + wait0 + store, sim.KindWgmma, "mov.f32", "writes"},
		{"accumulator read", ready + one + "add.f32 %f9, %f1, %f1;\n" + wait0 + store, sim.KindWgmma, "add.f32", "reads"},
		{"renamed and read", ready + one + "mov.f32 %f9, %f1;\nadd.f32 %f10, %f9, %f9;\n" + wait0 + store, sim.KindWgmma, "add.f32", "reads"},
		{"A written", ready + wgFence + wgRS + commit + "mov.u32 %r9, 0;\n" + wait0 + store, sim.KindWgmma, "mov.u32", "matrix A"},
		{"A is an accumulator in flight", ready + one +
			strings.Replace(wgRS, "%r8", "%f0", 1) + finish, sim.KindWgmma, "wgmma.mma", "reads"},
		{
			"written again, not fenced", ready + one + wait0 + "add.f32 %f0, %f0, %f0;\n" + wgSS + finish,
			sim.KindWgmma, "wgmma.mma", "accumulators",
		},
		{
			"A written again, not fenced", ready + wgFence + wgRS + commit + wait0 + "mov.u32 %r9, 0;\n" + wgRS + finish,
			sim.KindWgmma, "wgmma.mma", "matrix A",
		},
		{
			"operand overwritten", ready + one + "bar.sync 0;\n@%p1 st.shared.u32 [%r4], %r12;\n" + wait0 + store,
			sim.KindWritePending, "@%p1 st", "wgmma.wait_group",
		},
		{"no barrier before", "fence.proxy.async;\n" + one + wait0 + store, sim.KindRace, "wgmma.mma", ""},
		{"no fence.proxy.async", "bar.sync 0;\n" + one + wait0 + store, sim.KindRace, "wgmma.mma", "fence.proxy.async"},
		{"outside", ready + "add.u64 %rd9, %rd9, 16;\n" + one + wait0 + store, sim.KindBounds, "wgmma.mma", ""},
		{"outside by its stride", ready + "add.u64 %rd8, %rd8, 0x1000000000;\n" + one + wait0 + store, sim.KindBounds, "wgmma.mma", ""},
		{"a warp is missing", ready + "@%p2 bra OUT;\n" + one + wait0 + "OUT:\n" + store, sim.KindDivergent, "wgmma.mma", "warp 3"},
		{
			"a warp never comes", ready + "@%p2 bra HOLD;\n" + one + wait0 + "bra OUT;\nHOLD:\nbar.sync 1, 64;\nOUT:\n" + store,
			sim.KindDeadlock, "wgmma.wait", "where warp 3 of the warpgroup has not executed the wgmma at line",
		},
		{"another descriptor", ready + "@%p2 add.u64 %rd8, %rd8, 0x10000;\n" + one + wait0 + store, sim.KindDivergent, "wgmma.mma", "descriptors"},
		{
			"scale-d differs in a warp", ready + wgFence + strings.Replace(wgSS, "%p0", "%p1", 1) + finish,
			sim.KindDivergent, "wgmma.mma", "scale-d",
		},
		{
			"scale-d differs between warps", ready + wgFence + strings.Replace(wgSS, "%p0", "%p2", 1) + finish,
			sim.KindDivergent, "wgmma.mma", "scale-d",
		},
		{"half a warp", ready + wgFence + "@%p1 " + wgSS + finish, sim.KindDivergent, "@%p1 wgmma", ""},
		{"a descriptor that is none", ready + "or.b64 %rd8, %rd8, 0xc000;\n" + one + wait0 + store, sim.KindArgument, "wgmma.mma", "descriptor"},
		{"accumulators without a value", ready + wgFence + strings.ReplaceAll(wgSS, "%f3", "%f9") + commit + wait0 +
			strings.ReplaceAll(store, "%f3", "%f9"), sim.KindUninitialised, "st.global", "%f9"},
	} {
		_, f, line := runWgmma(t, tt.body, 128)
		if f == nil {
			t.Errorf("%s: no finding", tt.name)
			continue
		}
		want := 0
		for i, s := range strings.Split(tt.body, "\n") {
			if strings.HasPrefix(s, tt.line) {
				want = i + 1
			}
		}
		if f.Kind != tt.kind || line != want || !strings.Contains(f.Message, tt.text) {
			t.Errorf("%s: line %d: %v; want %s at line %d, %q", tt.name, line, f, tt.kind, want, tt.text)
		}
	}
}
