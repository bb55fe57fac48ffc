package sim_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"girih/ptx/sim"
)

// TestSound runs kernels that look wrong but are sound; each leaves 1 in out[0], also in other orders of its steps.
func TestSound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, body string }{
		{"a condition code that is cleared", `
	mov.u32 %r2, -1;
	add.cc.u32 %r3, %r2, 1;
	add.cc.u32 %r3, %r1, 1;
	addc.u32 %r4, 0, 0;
	setp.ne.u32 %p1, %r4, 0;
	@%p1 trap;`},
		{"a predicate without a value and one that decides", `
	setp.eq.u32 %p1, %r9, 0;
	setp.ne.u32 %p2, %r1, %r1;
	and.pred %p3, %p1, %p2;
	@%p3 trap;
	and.pred %p3, %p2, %p1;
	@%p3 trap;
	not.pred %p2, %p2;
	or.pred %p3, %p2, %p1;
	@!%p3 trap;`},
		{"a load of what nobody has written, thrown away", `
	.shared .b32 never[2];
	ld.shared.v2.u32 {%r2, %r3}, [never];
	setp.lt.u32 %p1, %r2, %r1;
	setp.ge.u32 %p2, %r1, 0;
	or.pred %p3, %p1, %p2;
	selp.u32 %r4, %r1, %r2, %p3;
	setp.lt.or.u32 %p1, %r3, 5, %p2;
	@!%p1 trap;
	setp.lt.and.u32 %p1, %r3, 5, !%p2;
	@%p1 trap;
	setp.ne.u32 %p1, %r4, %r1;
	@%p1 trap;`},
		{"threads that exit in a branch of a branch", `
	and.b32 %r1, %r1, 31;
	setp.ge.u32 %p1, %r1, 16;
	@%p1 bra M;
	setp.ge.u32 %p2, %r1, 8;
	@!%p2 bra L;
	exit;
L:	add.u32 %r1, %r1, 0;
M:	activemask.b32 %r3;
	setp.ne.u32 %p3, %r3, 0xffff00ff;
	@%p3 trap;
	shfl.sync.bfly.b32 %r4, %r1, 1, 31, 0xffff00ff;`},
		{"warps that have lost lanes at a barrier with a count", `
	and.b32 %r2, %r1, 31;
	setp.ge.u32 %p1, %r2, 9;
	@%p1 exit;
	bar.sync 1, 64;`},
		{"lanes that meet from two paths", `
	setp.ge.u32 %p1, %r1, 16;
	mov.u32 %r3, 0;
	@%p1 bra M;
L:	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p2, %r3, %r1;
	@%p2 bra L;
M:	bar.warp.sync -1;`},
		{"a call under a guard", `
	setp.lt.u32 %p1, %r1, 5;
	mov.u32 %r3, 9;
	{ .param .b32 a; .param .b32 r;
	@%p1 st.param.b32 [a], %r1;
	@%p1 call (r), twice, (a);
	@%p1 ld.param.b32 %r3, [r]; }
	shl.b32 %r4, %r1, 1;
	setp.ne.u32 %p2, %r3, %r4;
	and.pred %p2, %p1, %p2;
	@%p2 trap;
	bar.sync 0;`},
		{"a vote that a lane goes past", `
	setp.eq.u32 %p1, %r1, 0;
	setp.ne.u32 %p2, %r1, %r1;
	@%p1 bra M;
	vote.sync.all.pred %p2, 1, -1;
M:	selp.u32 %r3, 1, 0, %p2;
	setp.eq.and.u32 %p3, %r3, 0, !%p1;
	@%p3 trap;
	setp.ne.and.u32 %p3, %r3, 0, %p1;
	@%p3 trap;`},
		{"reductions that lanes go past", `
	and.b32 %r2, %r1, 31;
	setp.ge.u32 %p1, %r2, 8;
	@%p1 bra M;
	vote.sync.ballot.b32 %r3, 1, -1;
	match.any.sync.b32 %r4, %r1, -1;
	redux.sync.max.u32 %r5, %r2, -1;
	elect.sync %r6|%p2, -1;
	bar.warp.sync -1;
	setp.ne.u32 %p3, %r3, 255;
	@%p3 trap;
	setp.ne.u32 %p3, %r5, 7;
	@%p3 trap;
M:	add.u32 %r2, %r2, 1;`},
		{"a vote before a flag that another warp spins on", `
	.shared .b32 flag;
	setp.ge.u32 %p1, %r1, 32;
	mov.u32 %r2, 0;
	setp.eq.u32 %p2, %r1, 0;
	@%p2 st.volatile.shared.u32 [flag], 0;
	bar.sync 0;
	@%p1 bra SPIN;
	setp.lt.u32 %p3, %r1, 4;
	@%p3 bra M;
	vote.sync.all.pred %p4, 1, -1;
	st.volatile.shared.u32 [flag], 1;
M:	add.u32 %r2, %r2, 1;
	bra END;
SPIN:	ld.volatile.shared.u32 %r2, [flag];
	setp.eq.u32 %p3, %r2, 0;
	@%p3 bra SPIN;
END:`},
		{"lanes that complete a barrier behind the branch", `
	and.b32 %r2, %r1, 31;
	setp.ge.u32 %p1, %r2, 16;
	@%p1 bra M;
	barrier.sync 1, 64;
M:	@%p1 barrier.sync 1, 64;`},
		{"a lane that waits for the arrival of others behind the branch", `
	.shared .align 8 .b64 m;
	setp.ne.u32 %p1, %r1, 0;
	@!%p1 mbarrier.init.shared.b64 [m], 31;
	bar.sync 0;
	setp.ge.u32 %p3, %r1, 32;
	@%p3 bra END;
	@%p1 bra M;
L:	mbarrier.try_wait.parity.shared.b64 %p2, [m], 0;
	@!%p2 bra L;
M:	@%p1 mbarrier.arrive.shared.b64 _, [m];
END:`},
		{"a shuffle from lanes that have exited, thrown away", `
	setp.ge.u32 %p1, %r1, 20;
	@%p1 exit;
	shfl.sync.down.b32 %r3, %r1, 4, 31, -1;
	setp.lt.u32 %p2, %r1, 16;
	selp.u32 %r3, %r3, 0, %p2;
	add.u32 %r4, %r1, 4;
	setp.ne.and.u32 %p3, %r3, %r4, %p2;
	@%p3 trap;`},
	} {
		p := loadText(t, `.version 8.7
.target sm_90a
.address_size 64
.func (.param .b32 r) twice(.param .b32 a)
{
	.reg .b32 %r<9>; .reg .pred %p<9>;
	ld.param.b32 %r1, [a];
	setp.lt.u32 %p1, %r1, 2;
	add.u32 %r2, %r1, %r1;
	st.param.b32 [r], %r2;
	@%p1 ret;
	shl.b32 %r2, %r1, 1;
	st.param.b32 [r], %r2;
	ret;
}
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;`+tt.body+`
	mov.u32 %r90, 1;
	st.global.u32 [%rd1], %r90;
}`)
		check := func(o *sim.Orders) {
			m := memory(t, p)
			out := alloc(t, m, 4)
			_, err := p.Run(t.Context(), m, sim.Launch{Block: sim.Dim{X: 64}, Args: []sim.Arg{sim.Pointer(out, 0)}, Orders: o})
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			} else if got := binary.LittleEndian.Uint32(out.Bytes()); got != 1 && (o == nil || !o.Cut()) {
				t.Errorf("%s: got %d", tt.name, got)
			}
		}
		check(nil)
		o := sim.NewOrders()
		for n := 0; n < 20 && o.Next(); n++ {
			check(o)
		}
	}
}

// TestFollowed checks the finding about an unwritten value that a shuffle moves to another lane.
func TestFollowed(t *testing.T) {
	t.Parallel()
	_, err := snippet(t, `
	setp.ne.u32 %p1, %r1, 5;
	@%p1 mov.u32 %r2, 1;
	shfl.sync.down.b32 %r3, %r2, 2, 31, -1;
	st.global.u32 [%rd2], %r3;
	ret;`, 32)
	f, ok := errors.AsType[*sim.Finding](err)
	if !ok || f.Kind != sim.KindUninitialised || f.Thread.X != 3 || f.Pos.Line != 15 {
		t.Errorf("got %v, want thread 3, which has the value of lane 5", err)
	}
}

// TestAbsent checks lanes that never reach the instruction at which other lanes wait for them.
func TestAbsent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		kind       sim.Kind
		line       int32
	}{
		{"a shuffle that lanes of its mask go past", `
	setp.ge.u32 %p1, %r1, 20;
	@%p1 bra M;
	shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
M:	st.global.u32 [%rd2], %r1;
	ret;`, sim.KindDivergent, 14},
		{"a shuffle from a lane that has exited", `
	setp.ge.u32 %p1, %r1, 20;
	@%p1 exit;
	shfl.sync.down.b32 %r3, %r1, 4, 31, -1;
	st.global.u32 [%rd2], %r3;
	ret;`, sim.KindUninitialised, 14},
		{"a barrier that lanes go past", `
	setp.ge.u32 %p1, %r1, 20;
	@%p1 bra M;
	bar.sync 0;
M:	st.global.u32 [%rd2], %r1;
	ret;`, sim.KindDivergent, 14},
		{"two votes", `
	setp.ge.u32 %p1, %r1, 20;
	@%p1 bra M;
	vote.sync.all.pred %p2, 1, -1;
M:	@%p1 vote.sync.any.pred %p2, 1, -1;
	st.global.u32 [%rd2], %r1;
	ret;`, sim.KindDivergent, 15},
	} {
		_, err := snippet(t, tt.body, 32)
		f, ok := errors.AsType[*sim.Finding](err)
		if !ok || f.Kind != tt.kind || f.Pos.Line != tt.line {
			t.Errorf("%s: got %v, want %s at line %d", tt.name, err, tt.kind, tt.line)
		}
	}
}
