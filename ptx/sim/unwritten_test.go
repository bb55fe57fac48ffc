package sim_test

import (
	"math"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// TestUnwritten loads unwritten bytes. There must be a finding only if a result that depends on these bytes is used.
func TestUnwritten(t *testing.T) {
	t.Parallel()
	const (
		// %s points to 16 rows of 32 bytes; 11 rows are written. ldmatrix loads the rows as A of an mma.
		rows = `setp.lt.u32 %p3, %t, 22; mad.lo.u32 %r1, %t, 16, %s; mov.u32 %r2, 0x3c003c00;
	@%p3 st.shared.v4.u32 [%r1], {%r2, %r2, %r2, %r2};
	bar.sync 0;
	and.b32 %r3, %t, 15; shr.u32 %r4, %t, 4; mad.lo.u32 %r5, %r3, 32, %s; mad.lo.u32 %r5, %r4, 16, %r5;
`
		load = `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r5];
`
		bad = `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r5]; //!
`
		product = `mov.f32 %f0, 0f00000000;
	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r10, %r11, %r12, %r13}, {%r2, %r2}, {%f0, %f0, %f0, %f0};
	shr.u32 %r6, %t, 2;
`
		// wgmma multiplies A and B, all ones, in shared memory. %p3 selects the written 16-byte pieces of A; %p4, of B.
		wgmma = `mad.lo.u32 %r1, %t, 16, %s; mov.u32 %r2, 0x3c003c00;
	@%p3 st.shared.v4.u32 [%r1], {%r2, %r2, %r2, %r2};
	@%p4 st.shared.v4.u32 [%r1+2048], {%r2, %r2, %r2, %r2};
	fence.proxy.async; bar.sync 0;
	shr.u32 %r3, %s, 4; cvt.u64.u32 %rd20, %r3; or.b64 %rd20, %rd20, 0x1000080000; add.u64 %rd21, %rd20, 128;
	mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;
	and.b32 %r4, %t, 3; shl.b32 %r4, %r4, 1; shr.u32 %r5, %l, 2; mad.lo.u32 %r5, %w, 16, %r5; // column, row
	mov.u32 %r6, %r2; mov.u32 %r7, %r2; mov.u32 %r8, %r2;
	wgmma.fence.sync.aligned;
`
		both     = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd20, %rd21, 1, 1, 1, 0, 0;"
		rowsOnly = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, {%r2, %r6, %r7, %r8}, %rd21, 1, 1, 1, 0;"
		columns  = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd20, %rd21, 1, 1, 1, 1, 0;"
		done     = "\n\twgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
		// Piece %t of A contains 8 halves of row %r9. Piece %t of B contains 8 halves of column %t%8.
		pieces = "and.b32 %r9, %t, 7; shr.u32 %r10, %t, 4; mad.lo.u32 %r9, %r10, 8, %r9; setp.lt.u32 %p4, %t, 16; and.b32 %r11, %t, 7;\n"
		most   = pieces + "setp.lt.u32 %p3, %r9, 50;\n"
		few    = pieces + "setp.lt.u32 %p3, %r9, 64; setp.ne.and.u32 %p4, %r11, 5, %p4;\n"
	)
	sum := func(k float32) func(i int) uint32 { return func(int) uint32 { return math.Float32bits(k) } }
	trials(t, []trial{
		{name: "rows of A that nobody stores", block: 32, body: rows + load + product + "setp.lt.u32 %p5, %r6, 3;\nst.global.f32 [%po], %f1;\n@%p5 st.global.f32 [%po+128], %f3;\n", want: sum(16)},
		{name: "one of them is stored", block: 32, body: rows + bad + product + "setp.lt.u32 %p5, %r6, 4;\n@%p5 st.global.f32 [%po], %f3;\n", kind: sim.KindUninitialised, text: "reads 16 bytes at address 0x560 of shared memory, to which nothing was written: byte 352 of 4224; st.global.f32 at line 25 uses the value"},
		{name: "transposed", block: 32, body: rows + "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, %r13}, [%r5];\nshfl.sync.idx.b32 %r14, %r10, 3, 31, -1;\nsetp.eq.u32 %p5, %l, 0;\n@%p5 st.global.u32 [%po], %r14;\n"},
		{name: "transposed, and stored", block: 32, body: rows + "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, %r13}, [%r5]; //!\nst.global.u32 [%po], %r11;\n", kind: sim.KindUninitialised},
		{name: "compared and thrown away", block: 32, body: rows + load + "setp.eq.u32 %p5, %r13, 0;\nselp.u32 %r14, %r13, 7, %p5;\nsetp.ne.u32 %p6, %t, %t;\nselp.u32 %r14, %r14, 7, %p6;\nst.global.u32 [%po], %r14;\n", want: func(int) uint32 { return 7 }},
		{name: "part of an address", block: 32, body: rows + bad + "and.b32 %r13, %r13, 0;\nadd.u32 %r14, %s, %r13;\nld.shared.u32 %r15, [%r14];\n", kind: sim.KindUninitialised, text: "ld.shared.u32 at line"},
		{name: "stored to shared memory and thrown away", block: 32, body: rows + load + "st.shared.u32 [%st+1024], %r13;\nstmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5+2048], {%r13};\nld.shared.u32 %r14, [%st+1024];\n"},
		{name: "stored to shared memory and from there", block: 32, body: rows + bad + "st.shared.u32 [%st+1024], %r13;\nld.shared.u32 %r14, [%st+1024];\nst.global.u32 [%po], %r14;\n", kind: sim.KindUninitialised, text: "reads 16 bytes"},
		{name: "stored as a matrix and from there", block: 32, body: rows + bad + "add.u32 %r5, %r5, 1024;\nstmatrix.sync.aligned.m8n8.x4.shared.b16 [%r5], {%r10, %r11, %r12, %r13};\nbar.warp.sync -1;\nld.shared.u32 %r14, [%st+1440];\nst.global.u32 [%po], %r14;\n", kind: sim.KindUninitialised, text: "reads 16 bytes"},
		{name: "spilled", block: 32, body: ".local .b32 spill;\n" + rows + load + "st.local.u32 [spill], %r13;\nld.local.u32 %r14, [spill];\nsetp.lt.u32 %p5, %t, 99;\n@!%p5 st.global.u32 [%po], %r14;\n", kind: ""},
		{name: "spilled and stored", block: 32, body: ".local .b32 spill;\n" + rows + bad + "st.local.u32 [spill], %r13;\nld.local.u32 %r14, [spill];\nst.global.u32 [%po], %r14;\n", kind: sim.KindUninitialised, text: "reads 16 bytes"},
		{name: "written later, in no order", body: "setp.eq.u32 %p5, %w, 1;\n@%p5 bra W;\nmad.lo.u32 %r5, %l, 16, %s;\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r5]; //!\nst.global.u32 [%po], %r10;\nbra OUT;\nW:\nst.shared.u32 [%st], %t; //!\nOUT:\n", kind: sim.KindRace, or: sim.KindUninitialised},
		{name: "of wmma", block: 32, body: rows + "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, [%s], 16;\n"},
		{name: "of wmma, stored", block: 32, body: rows + "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, [%s], 16; //!\nst.global.u32 [%po], %r17;\n", kind: sim.KindUninitialised},

		{name: "rows of wgmma", block: 128, body: most + wgmma + both + done + "setp.lt.u32 %p5, %r5, 50;\nadd.u32 %r5, %r5, 8;\nsetp.lt.u32 %p6, %r5, 50;\n@%p5 st.global.v2.f32 [%out+8192], {%f1, %f2};\n@%p6 st.global.v2.f32 [%out+8192], {%f3, %f4};\n"},
		{name: "rows of wgmma, one too many", block: 128, body: most + wgmma + both + " //!" + done + "add.u32 %r5, %r5, 8;\nsetp.lt.u32 %p6, %r5, 51;\n@%p6 st.global.v2.f32 [%out+8192], {%f3, %f4};\nsetp.eq.u32 %p6, %r5, 58;\n@%p6 st.global.f32 [%po], %f1;\n", kind: sim.KindUninitialised, text: "uses the value"},
		{name: "columns of wgmma", block: 128, body: few + wgmma + both + done + "setp.ne.u32 %p5, %r4, 4;\n@%p5 st.global.v4.f32 [%out+8192], {%f1, %f2, %f3, %f4};\nst.global.f32 [%po], %f1;\n", want: sum(16)},
		{name: "columns of wgmma, one too many", block: 128, body: few + wgmma + both + " //!" + done + "st.global.f32 [%po], %f2;\n", kind: sim.KindUninitialised, text: "nothing was written"},
		{name: "columns of wgmma, A in registers", block: 128, body: few + wgmma + rowsOnly + done + "st.global.f32 [%po], %f1;\n", want: sum(16)},
		{name: "columns of wgmma, A in registers, one too many", block: 128, body: few + wgmma + rowsOnly + " //!" + done + "st.global.f32 [%po], %f2;\n", kind: sim.KindUninitialised},
		{name: "a row of A transposed is a piece of all rows", block: 128, body: pieces + "setp.ne.u32 %p3, %t, 3;\n" + wgmma + columns + done + "setp.ge.u32 %p5, %r5, 8;\n@%p5 st.global.f32 [%po], %f1;\nst.global.f32 [%po+1024], %f3;\n"},
		{name: "a row of A transposed, one too many", block: 128, body: pieces + "setp.ne.u32 %p3, %t, 3;\n" + wgmma + columns + " //!" + done + "st.global.f32 [%po], %f1;\n", kind: sim.KindUninitialised},
		{name: "summed on, and thrown away", block: 128, body: most + wgmma + both + both + done + "wgmma.fence.sync.aligned;\n" + both + done + "setp.lt.u32 %p5, %r5, 50;\n@%p5 st.global.f32 [%po], %f1;\n"},
		{name: "summed on", block: 128, body: most + wgmma + both + " //!" + done + "wgmma.fence.sync.aligned;\n" + both + done + "st.global.f32 [%po], %f1;\n", kind: sim.KindUninitialised},
		{name: "not summed on", block: 128, body: most + wgmma + both + done + "@%p4 mov.u32 %r9, 0;\n@!%p3 st.shared.v4.u32 [%r1], {%r2, %r2, %r2, %r2};\nfence.proxy.async;\nbar.sync 0;\nwgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd20, %rd21, 0, 1, 1, 0, 0;" + done + "st.global.f32 [%po], %f1;\n", want: sum(16)},
		{name: "wgmma of what is written later, in no order", block: 160, body: pieces + "setp.lt.u32 %p3, %t, 0;\nsetp.eq.u32 %p5, %w, 4;\n@%p5 bra W;\n" + strings.Replace(wgmma, "bar.sync 0", "bar.sync 1, 128", 1) + both + " //!" + done + "bra OUT;\nW:\nst.shared.u32 [%s], %t; //!\nOUT:\n", kind: sim.KindRace, or: sim.KindWritePending},

		{name: "a bulk store", block: 32, body: rows + "fence.proxy.async; bar.sync 0;\n@%p0 cp.async.bulk.global.shared::cta.bulk_group [%out+8192], [%s], 512;\n@%p0 cp.async.bulk.commit_group;\n@%p0 cp.async.bulk.wait_group 0;\n@%p0 ld.global.u32 %r20, [%out+8192];\n"},
		{name: "a bulk store, and a load of what it brought", block: 32, body: rows + "fence.proxy.async; bar.sync 0;\n@%p0 cp.async.bulk.global.shared::cta.bulk_group [%out+8192], [%s], 512;\n@%p0 cp.async.bulk.commit_group;\n@%p0 cp.async.bulk.wait_group 0;\n@%p0 ld.global.u32 %r20, [%out+8640]; //!\n", kind: sim.KindUninitialised},
	})
}
