package sim_test

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// anyOpcodes and anyOperands are the parts that FuzzOperands combines.
var (
	anyOpcodes = strings.Fields(`
	add.u32 add.s64 sub.f32 mul.lo.u32 mad.wide.u32 add.cc.u32 subc.u32 madc.hi.cc.u64 div.u32 rem.s64 dp4a.u32.u32
	mov.b32 mov.b64 mov.b128 mov.v2.u32 mov.v4.b16 mov.v8.b32 mov.pred popc.b32 prmt.b32 bfi.b32 fns.b32 and.pred not.pred
	ld.shared.u32 ld.global.v2.u32 ld.global.b128 ld.global.v4.b64 st.global.b128 st.shared.v2.u32 st.bulk.weak.shared::cta
	atom.global.cas.b128 atom.global.exch.b128 atom.shared.add.u32 atom.global.add.v2.f32 red.global.add.u32
	cvt.pack.sat.u8.s32.b32 cvt.pack.sat.s16.s32 cvt.rn.f16x2.f32 cvt.u32.u64 rsqrt.approx.f64 add.f32.f16 fma.rn.f32.bf16
	vadd.u32.u32.u32 vadd.s32.u32.s32.sat.add vmad.s32.s32.s32.po vset.u32.u32.lt vset4.u32.u32.ne vadd4.u32.u32.u32
	vadd2.u32.u32.u32.add vavrg2.s32.s32.s32 vshl.u32.u32.u32.clamp vshr.u32.u32.u32.wrap.min lop3.b32 lop3.or.b32
	shfl.sync.idx.b32 shfl.idx.b32 vote.sync.ballot.b32 vote.ballot.b32 vote.all.pred redux.sync.max.f32 match.any.sync.b32
	elect.sync setp.lt.u32 setp.lt.and.f16x2 set.lt.u32.f32 selp.b32 slct.u32.f32 call call.uni min.abs.f32 testp.finite.f32
	wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 bar.sync
	mbarrier.init.shared.b64 cp.async.ca.shared.global ldmatrix.sync.aligned.m8n8.x2.shared.b16 isspacep.shared
	tcgen05.alloc.cta_group::1.sync.aligned.b32 tcgen05.dealloc.cta_group::1.sync.aligned.b32 tcgen05.wait::ld.sync.aligned
	tcgen05.ld.sync.aligned.32x32b.x2.b32 tcgen05.st.sync.aligned.16x64b.x1.b32 tcgen05.ld.sync.aligned.16x32bx2.x1.b32
	tcgen05.mma.cta_group::1.kind::f16 tcgen05.mma.ws.cta_group::1.kind::i8 tcgen05.cp.cta_group::1.4x256b
	tcgen05.mma.cta_group::1.kind::mxf4.block_scale tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64
	tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned tcgen05.fence::before_thread_sync
	clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128
	clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 clusterlaunchcontrol.query_cancel.is_canceled.pred.b128`)
	anyOperands = strings.Fields(`
	%r2 %r3 %rd3 %rd1 %f1 %fd1 %p1 %q1 %q2 v u w v.x v.y v.z u.w h 5 -1 1.5 0f3F800000 0d3FF0000000000000 _ !%p1 -%r2 tile g
	[tile] [%rd1] [%rd1+8] [v] [tile+4] {%r2,%r3} {%r2,%r2} {%r1,%r2,%r3,%r4} {1,2} {%rd3,%rd4} {_,%r2} {} f f2 n2 n9 n L
	%r2.h1 %r2.b3 %r3.h32 %r2.b3210 WARP_SZ %tid %tid.w %tid.x %clock64 g[1] g[99] g[%r2] (%r2) (%r2,%r3) (v) (5) (pp)
	({%r2,%r3}) () %r2|%p1 v|%p1 _|%p1`)
)

// FuzzOperands runs instructions with operands that may not fit the instruction and may be wrong in any way.
func FuzzOperands(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		seed := make([]byte, 24)
		for i := range seed {
			seed[i] = byte(rng.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		next := func(n int) int {
			if len(b) == 0 {
				return 0
			}
			v := int(b[0])
			b = b[1:]
			return v % n
		}
		target := []string{"60", "90", "100a"}[next(3)]
		var body strings.Builder
		for range 3 {
			if next(8) == 1 {
				body.WriteString("@%p2 ")
			}
			body.WriteString(anyOpcodes[next(len(anyOpcodes))])
			for i := range next(7) {
				if i > 0 {
					body.WriteByte(',')
				}
				body.WriteString(" " + anyOperands[next(len(anyOperands))])
			}
			body.WriteString(";\n")
		}
		attempt(t, `.version 6.3
.target sm_`+target+`
.address_size 64
.global .u32 g[4] = {1,2,3,4}; .global .u32 n<4>;
.func (.reg .u32 r) f (.reg .u32 a) { add.u32 r, a, 1; ret; }
.func (.reg .v2 .u32 r) f2 (.reg .v2 .u32 a, .param .b64 b) { mov.v2.u32 r, a; ret; }
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<9>; .reg .b16 %rs<19>; .reg .b32 %r<99>; .reg .f32 %f<19>; .reg .b64 %rd<19>; .reg .f64 %fd<9>;
	.reg .b128 %q<5>; .reg .v2 .u32 v; .reg .v4 .u32 u; .reg .v8 .b32 w; .reg .v4 .b16 h; .param .b64 pp;
	.shared .align 16 .b8 tile[256];
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, 7; mov.u32 %r3, 9; mov.b64 %rd3, 5; mov.f32 %f1, 1.5;
	setp.eq.u32 %p1, 1, 1; setp.lt.u32 %p2, %r1, 5; mov.v2.u32 v, {1,2}; mov.v4.u32 u, {1,2,3,4};
	mov.b128 %q1, {%rd3, %rd3}; mov.b128 %q2, {%rd3, %rd3}; st.param.b64 [pp], 5;
L:
`+body.String()+"ret;\n}")
	})
}
