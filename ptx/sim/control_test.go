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

func TestCalls(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "control.sm_90a.ptx")
	for which := range uint32(2) {
		m := memory(t, p)
		x := put(t, m, []int32{5, 7, 11, 13, 15})
		big := make([]byte, 64)
		binary.LittleEndian.PutUint64(big[32:], math.Float64bits(3))
		for i := range 5 {
			binary.LittleEndian.PutUint32(big[40+4*i:], uint32(i+100))
		}
		big[60] = 41
		v, err := m.Put("v", big)
		if err != nil {
			t.Fatal(err)
		}
		run(t, p, m, sim.Launch{Entry: "calls", Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(v, 0), sim.U32(which)}})
		want := []int32{5*3 + 7, []int32{11*3 + 13, 11 - 13*5}[which], 610, 13, 15}
		for i, got := range get[int32](t, x) {
			if got != want[i] {
				t.Errorf("which %d: x[%d] = %d, want %d", which, i, got, want[i])
			}
		}
		got := v.Bytes()
		if f := math.Float64frombits(binary.LittleEndian.Uint64(got)); f != 3.75 || got[28] != 42 {
			t.Errorf("v[0] = %v, %d, want 3.75, 42", f, got[28])
		}
		for i := range 5 {
			if y := binary.LittleEndian.Uint32(got[8+4*i:]); y != uint32(2*(i+100)) {
				t.Errorf("v[0].y[%d] = %d, want %d", i, y, 2*(i+100))
			}
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "control.sm_90a.ptx")
	m := memory(t, p)
	ops, x := put(t, m, []int32{0, 0, 2, 1, 6, 3, 4, 7, 9, 0}), put(t, m, []float32{1.5, 0.25})
	run(t, p, m, sim.Launch{Entry: "table", Args: []sim.Arg{sim.Pointer(ops, 0), sim.Pointer(x, 0), sim.U32(10)}})
	// The kernel exits at 9 without writing.
	if got := get[float32](t, x); got[0] != 1.5 || got[1] != 0.25 {
		t.Errorf("got %v", got)
	}
	ops = put(t, m, []int32{0, 2, 6, 3, 4, 7})
	run(t, p, m, sim.Launch{Entry: "table", Args: []sim.Arg{sim.Pointer(ops, 0), sim.Pointer(x, 0), sim.U32(6)}})
	a, b := 1.75*0.25, math.Sin(0.25)+2
	a /= b
	b = a
	a = math.Exp(b)
	got := get[float32](t, x)
	if math.Abs(float64(got[0])-a) > 1e-6 || math.Abs(float64(got[1])-b) > 1e-6 {
		t.Errorf("got %v, want %v, %v", got, a, b)
	}
	// A sine of a large argument uses local memory.
	x, ops = put(t, m, []float32{2, 1e9}), put(t, m, []int32{2})
	run(t, p, m, sim.Launch{Entry: "table", Args: []sim.Arg{sim.Pointer(ops, 0), sim.Pointer(x, 0), sim.U32(1)}})
	if got := get[float32](t, x)[1]; math.Abs(float64(got)-math.Sin(1e9)) > 1e-6 {
		t.Errorf("sin(1e9): got %v, want %v", got, math.Sin(1e9))
	}
}

func TestSays(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "control.sm_90a.ptx")
	launch := func(x ...int32) (*sim.Result, error) {
		m := memory(t, p)
		return p.Run(context.Background(), m, sim.Launch{
			Entry: "says", Block: sim.Dim{X: 1},
			Args: []sim.Arg{sim.Pointer(put(t, m, x), 0), sim.U64(math.Float64bits(2.5)), sim.Pointer(alloc(t, m, 8), 0)},
		})
	}
	res, err := launch(1, 2, 8, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := "thread 0 of 1: 1 2.500000 text with \"quotes\", \\ and \t\n"
	if string(res.Output) != want {
		t.Errorf("printed %q, want %q", res.Output, want)
	}
	for _, tt := range []struct {
		kind sim.Kind
		text string
		x    []int32
	}{
		{sim.KindAssert, `"x[0] != 7" failed in void says(const int *, double, char **), control.cu:50`, []int32{7, 2, 8, 1, 1}},
		{sim.KindTrap, "trap", []int32{1, 3, 8, 1, 1}},
		{sim.KindTrap, "brkpt", []int32{1, 4, 8, 1, 1}},
		{sim.KindBounds, "after the end of data, 16 bytes", []int32{1, 2, 8, 1}},
	} {
		_, err := launch(tt.x...)
		f, ok := errors.AsType[*sim.Finding](err)
		if !ok || f.Kind != tt.kind || !strings.Contains(f.Message, tt.text) {
			t.Errorf("%v: got %v, want %s with %q", tt.x, err, tt.kind, tt.text)
		}
	}
}

func TestVotes(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "warp.sm_90a.ptx")
	m := memory(t, p)
	in := make([]int32, 64)
	for i := range in {
		in[i] = 3 // the same in every element, so that each thread writes the same words
	}
	a, b, c := put(t, m, in), put(t, m, make([]uint32, 16)), put(t, m, make([]uint64, 64))
	_, err := p.Run(context.Background(), m, sim.Launch{
		Entry: "votes", Block: sim.Dim{X: 64}, Args: []sim.Arg{sim.Pointer(a, 0), sim.Pointer(b, 0), sim.Pointer(c, 0)},
	})
	// The first vote has the membermask 65535, but all 32 lanes execute it.
	if f, ok := errors.AsType[*sim.Finding](err); !ok || f.Kind != sim.KindDivergent || f.Thread.X != 16 {
		t.Errorf("got %v", err)
	}
}

// snippet runs body on one block and returns out. The kernel declares registers of all kinds; %rd1 points to out.
func snippet(t testing.TB, body string, threads int) ([]byte, error) {
	t.Helper()
	p := loadText(t, `.version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<99>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .f64 %fd<9>;
	.shared .align 16 .b8 tile[256];
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
`+body+"\n}")
	m := memory(t, p)
	out := alloc(t, m, int64(threads)*4)
	_, err := p.Run(context.Background(), m, sim.Launch{
		Block: sim.Dim{X: threads}, Args: []sim.Arg{sim.Pointer(out, 0)}, Steps: 1 << 20,
	})
	return out.Bytes(), err
}

// TestFaults checks a kernel for each kind of finding. The body of each kernel begins at line 11.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		kind       sim.Kind
		line       int32
		thread     int
		text       string
	}{
		{"bounds", "st.global.u32 [%rd2+4], %r1;", sim.KindBounds, 11, 31, "4 bytes written at address 0x7f0000000080: 0 bytes after the end of out, 128 bytes"},
		{"null", "mov.u64 %rd3, 0;\nld.global.u32 %r2, [%rd3];", sim.KindBounds, 12, 0, "address 0x0"},
		{"shared", "mov.u32 %r2, tile;\nst.shared.u32 [%r2+2], %r1;", sim.KindAlign, 12, 0, "no multiple of the 4"},
		{"shared end", "mov.u32 %r2, tile;\nst.shared.u32 [%r2+256], %r1;", sim.KindBounds, 12, 0, "from 0x400 to 0x500"},
		{"wrong window", "cvta.shared.u64 %rd3, 1024;\nst.global.u32 [%rd3], %r1;", sim.KindBounds, 12, 0, "window of shared memory"},
		{"register", "add.s32 %r3, %r2, 1;\nst.global.u32 [%rd2], %r3;", sim.KindUninitialised, 12, 0, "computed of %r2, to which nothing was written, at line 11"},
		{"lane", "setp.lt.u32 %p1, %r1, 7;\n@%p1 mov.u32 %r2, 1;\nst.global.u32 [%rd2], %r2;", sim.KindUninitialised, 13, 7, "%r2"},
		{"unused", "setp.lt.u32 %p1, %r1, 7;\n@%p1 mov.u32 %r2, 1;\nadd.u32 %r3, %r2, 1;\n@%p1 st.global.u32 [%rd2], %r3;\n@!%p1 st.shared.u32 [tile], %r2;", "", 0, 0, ""},
		{"through shared", "st.shared.u32 [tile], %r3;\nbar.warp.sync -1;\nld.shared.u32 %r4, [tile];\nst.global.u32 [%rd2], %r4;", sim.KindUninitialised, 13, 0, "of shared memory"},
		{"computed predicate", "setp.eq.u32 %p1, %r3, 0;\n@%p1 bra L;\nL: ret;", sim.KindUninitialised, 12, 0, "%p1"},
		{"predicate", "@%p1 bra L;\nL: ret;", sim.KindUninitialised, 11, 0, "%p1"},
		{"global", "ld.global.u32 %r2, [%rd2];", sim.KindUninitialised, 11, 0, "of out"},
		{"shared uninitialised", "ld.shared.u32 %r2, [tile+8];\nadd.u32 %r3, %r2, 1;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra L;\nL: ret;", sim.KindUninitialised, 11, 0, "shared memory"},
		{"parameter", "cvta.param.u64 %rd3, out;\nst.u32 [%rd3], %r1;", sim.KindReadOnly, 12, 0, "read-only"},
		{"divergent", "setp.lt.u32 %p1, %r1, 7;\n@%p1 bra L;\nbar.sync 0;\nL: ret;", "", 0, 0, ""},
		{"guarded barrier", "setp.lt.u32 %p1, %r1, 7;\n@%p1 bar.sync 0;\nret;", sim.KindDivergent, 12, 0, "7 of 32 lanes"},
		{"divergent if", "setp.lt.u32 %p1, %r1, 7;\n@%p1 bra L;\nbar.sync 0;\nL: mov.u32 %r2, 1;\nret;", sim.KindDivergent, 13, 7, "never come"},
		{"two barriers", "setp.lt.u32 %p1, %r1, 7;\n@%p1 bra L;\nbar.sync 0;\nbra M;\nL: bar.sync 0;\nM: mov.u32 %r2, 1;\nret;", sim.KindDivergent, 13, 7, "line 15"},
		{"membermask", "shfl.sync.idx.b32 %r2, %r1, 0, 31, 1;", sim.KindDivergent, 11, 1, "lane 1"},
		{"steps", "L: bra L;", sim.KindSteps, 11, 0, "lanes 0xffffffff at line 11"},
		{"opcode", "frobnicate.b32 %r2, %r1;", sim.KindUnsupported, 11, 0, "frobnicate.b32 is not known"},
		{"modifier", "add.odd.s32 %r2, %r1, 1;", sim.KindUnsupported, 11, 0, ".odd"},
		{"count", "bar.sync 1, 33;", sim.KindBarrier, 11, 0, "multiple of 32"},
		{"deadlock", "bar.sync 1, 64;", sim.KindDeadlock, 11, 0, "32 of 64"},
		{"recursion", "brx.idx %r1, T;\nT: .branchtargets L;\nL: ret;", sim.KindArgument, 11, 1, "index 1 into 1"},
		{"trap", "trap;", sim.KindTrap, 11, 0, "trap"},
		{"window", "mov.u64 %rd3, 4096;\ncvta.to.shared.u64 %rd4, %rd3;", sim.KindArgument, 12, 0, "window"},
		{"call", "mov.u64 %rd3, 4096;\ncall %rd3, ();", sim.KindCall, 12, 0, "0x1000"},
	} {
		_, err := snippet(t, tt.body, 32)
		if tt.kind == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		f, ok := errors.AsType[*sim.Finding](err)
		if !ok || f.Kind != tt.kind || f.Pos.Line != tt.line || f.Thread.X != tt.thread ||
			!strings.Contains(f.Message, tt.text) {
			t.Errorf("%s: got %v, want %s at line %d, thread %d, %q", tt.name, err, tt.kind, tt.line, tt.thread, tt.text)
		}
	}
}

// TestLock checks a lock that lanes of one warp compete for: the lanes must be able to run independently.
func TestLock(t *testing.T) {
	t.Parallel()
	out, err := snippet(t, `
	setp.eq.u32 %p1, %r1, 0;
	mov.u32 %r2, tile;
	@%p1 st.shared.v2.u32 [%r2], {0, 0};
	bar.sync 0;
L:	atom.shared.cas.b32 %r3, [%r2], 0, 1;
	setp.ne.u32 %p2, %r3, 0;
	@%p2 bra L;
	fence.acq_rel.cta;
	ld.shared.u32 %r4, [%r2+4];
	add.u32 %r4, %r4, 1;
	st.shared.u32 [%r2+4], %r4;
	fence.acq_rel.cta;
	atom.shared.exch.b32 %r3, [%r2], 0;
	st.global.u32 [%rd2], %r4;
	ret;`, 4)
	if err != nil {
		t.Fatal(err)
	}
	seen := uint32(0)
	for i := range 4 {
		seen |= 1 << binary.LittleEndian.Uint32(out[4*i:])
	}
	if seen != 0b11110 {
		t.Errorf("turns %b", seen)
	}
}

// TestReconverge checks loops of a different length in each lane, followed by a shuffle of all lanes.
func TestReconverge(t *testing.T) {
	t.Parallel()
	out, err := snippet(t, `
	mov.u32 %r2, 0;
	mov.u32 %r3, 0;
L:	setp.ge.u32 %p1, %r3, %r1;
	@%p1 bra M;
	and.b32 %r4, %r3, 1;
	setp.eq.u32 %p2, %r4, 1;
	@%p2 bra ODD;
	add.u32 %r2, %r2, 2;
	bra NEXT;
ODD:	add.u32 %r2, %r2, 5;
NEXT:	add.u32 %r3, %r3, 1;
	bra L;
M:	activemask.b32 %r7;
	shfl.sync.bfly.b32 %r5|%p3, %r2, 31, 31, -1;
	setp.ne.u32 %p4, %r7, -1;
	@%p4 trap;
	st.global.u32 [%rd2], %r5;
	ret;`, 32)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 32 {
		n := uint32(31 - i)
		if got, want := binary.LittleEndian.Uint32(out[4*i:]), (n+1)/2*2+n/2*5; got != want {
			t.Errorf("lane %d: got %d, want %d", i, got, want)
		}
	}
}

// TestBarriers checks two groups of warps with named barriers, arrive and red.
func TestBarriers(t *testing.T) {
	t.Parallel()
	out, err := snippet(t, `
	mov.u32 %r2, tile;
	shr.u32 %r3, %r1, 5;
	setp.eq.u32 %p1, %r3, 0;
	@%p1 bra PRODUCER;
	bar.sync 1, 64;
	ld.shared.u32 %r4, [%r2];
	bra DONE;
PRODUCER:
	mov.u32 %r4, 77;
	st.shared.u32 [%r2], %r4;
	bar.arrive 1, 64;
DONE:
	setp.gt.u32 %p2, %r1, 9;
	bar.red.popc.u32 %r5, 0, %p2;
	bar.red.and.pred %p3, 0, %p2;
	bar.red.or.pred %p4, 0, !%p2;
	selp.u32 %r6, 1000, 0, %p3;
	selp.u32 %r7, 10000, 0, %p4;
	add.u32 %r4, %r4, %r5;
	add.u32 %r4, %r4, %r6;
	add.u32 %r4, %r4, %r7;
	st.global.u32 [%rd2], %r4;
	ret;`, 64)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 64 {
		if got := binary.LittleEndian.Uint32(out[4*i:]); got != 77+54+10000 {
			t.Errorf("thread %d: got %d", i, got)
		}
	}
}

// TestGridBarrier checks blocks that wait for each other.
func TestGridBarrier(t *testing.T) {
	t.Parallel()
	p := loadText(t, `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 n)
{
	.reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [n];
	mov.u32 %r1, %nctaid.x;
	red.global.add.u32 [%rd1], 1;
L:	ld.acquire.gpu.global.u32 %r2, [%rd1];
	setp.lt.u32 %p1, %r2, %r1;
	@%p1 bra L;
	ret;
}`)
	m := memory(t, p)
	n := put(t, m, []uint32{0})
	run(t, p, m, sim.Launch{Grid: sim.Dim{X: 3}, Args: []sim.Arg{sim.Pointer(n, 0)}})
	if got := get[uint32](t, n)[0]; got != 3 {
		t.Errorf("got %d", got)
	}
}

func TestStopped(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "control.sm_90a.ptx")
	m := memory(t, p)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	b := put(t, m, []uint64{5})
	_, err := p.Run(ctx, m, sim.Launch{Entry: "collatz", Args: []sim.Arg{sim.Pointer(b, 0), sim.Pointer(b, 0)}})
	e, ok := errors.AsType[*sim.Error](err)
	if !ok || e.Code != sim.CodeStopped || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
