package sim_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// TestBulkUnwritten checks that copies of unwritten bytes are unwritten, by a fault of a read and by Buffer.Written.
func TestBulkUnwritten(t *testing.T) {
	t.Parallel()
	const body = fillArena + `
	mov.u32 %r2, arena; setp.ne.u32 %p7, %t, 0; @%p7 bra END;
	st.shared.u32 [%r2+4100], %t; fence.proxy.async.shared::cta;
	cp.async.bulk.global.shared::cta.bulk_group [%out+48], [%r2+4096], 96;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
	ld.global.u32 %r3, [%out+52]; ld.global.u32 %r3, [%out+144];
	`
	p := kernelOf(t, "", body+"END:")
	m := memory(t, p)
	out := put(t, m, numbered(256))
	run(t, p, m, sim.Launch{Block: sim.Dim{X: 256}, Shared: 8192, Args: []sim.Arg{sim.Pointer(out, 0)}})
	for i := range 256 {
		if want := i < 12 || i == 13 || i >= 36; out.Written(4*i, 4) != want {
			t.Errorf("word %d is written: %v", i, !want)
		}
	}
	_, err := bulkRun(t, body+"ld.global.u32 %r3, [%out+48];\nEND:", 1)
	wants(t, err, sim.KindUninitialised)
}

// TestBulkReleases checks stores and sums in global memory with .release, which need sm_100.
func TestBulkReleases(t *testing.T) {
	t.Parallel()
	got, err := bulkRun(t, `setp.ne.u32 %p7, %t, 0; @%p7 bra END;
	st.async.release.gpu.global.u32 [%out], 5; red.async.release.gpu.global.add.u32 [%out], 6;
END:`, 1)
	if err != nil || got[0] != 11 {
		t.Errorf("got %d, %v", got[0], err)
	}
}

// TestBulkTooManyBytes checks the limit of bytes that an mbarrier receives but does not expect (PTX ISA, tx-count).
func TestBulkTooManyBytes(t *testing.T) {
	t.Parallel()
	for n, kind := range map[int]sim.Kind{255: sim.KindExited, 256: sim.KindTxCount} {
		_, err := bulkRun(t, fillArena+withBarrier+fmt.Sprintf(`
	@%%p7 bra END;
	mov.u32 %%r2, arena; mov.u32 %%r3, 0;
L:	cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%%r2+4096], [%%r2], 4096, [%%bar];
	add.u32 %%r3, %%r3, 1; setp.lt.u32 %%p0, %%r3, %d; @%%p0 bra L;
END:`, n), 1)
		wants(t, err, kind)
	}
}

// TestBulkNothing checks that copies of 0 bytes, and masks without a block, have no effect.
func TestBulkNothing(t *testing.T) {
	t.Parallel()
	_, err := bulkRun(t, withBarrier+`
	@%p7 bra END;
	mov.u32 %r2, arena; mov.u32 %r3, 0; mov.u16 %h0, 0;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%out], %r3, [%bar];
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [%out], 64, [%bar], %h0;
	cp.async.bulk.global.shared::cta.bulk_group [%out], [%r2], %r3;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
	mbarrier.arrive.shared::cta.b64 _, [%bar];`+wait+"END:", 1)
	if err != nil {
		t.Error(err)
	}
}

// TestBulkForms checks that instructions that do not exist are refused by name.
func TestBulkForms(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"cp.async.bulk.shared::cluster.global [%r2], [%out], 64, [%bar];",
		"cp.async.bulk.shared::cluster.global.bulk_group [%r2], [%out], 64;",
		"cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [%out], [%r2], 64, [%bar];",
		"cp.async.bulk.global.global.bulk_group [%out], [%out], 64;",
		"cp.async.bulk.shared::cta.shared::cta.mbarrier::complete_tx::bytes [%r2], [%r2], 64, [%bar];",
		"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [%out], 64, [%bar], %h0;",
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%out], 64;",
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%out], 64, [%bar], %rd1;",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%out], [%r2], 64;",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%out], [%r2], 64;",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s64 [%out], [%r2], 64;",
		"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [%r2], [%r2], 64, [%bar];",
		"cp.async.bulk.wait_group %r2;", "cp.async.bulk.wait_group -1;", "cp.async.bulk.commit_group 0;",
		"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1, {%r2}], [%bar];",
		"cp.async.bulk.tensor.6d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1, {%r2}], [%bar];",
		"cp.async.bulk.tensor.1d.global.shared::cta.im2col.bulk_group [%rd1, {%r2}], [%r2];",
		"cp.reduce.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r2}], [%r2];",
		"st.async.shared::cluster.u32 [%r2], %r2;", "red.async.relaxed.cluster.global.add.u32 [%out], 1;",
		"tensormap.replace.tile.rank.global.b1024.b64 [%out], 1;",
		"tensormap.replace.tile.box_dim.global.b1024.b32 [%out], 1;",
		"tensormap.replace.tile.global_stride.global.b1024.b64 [%out], 4, 16;",
		"tensormap.replace.tile.elemtype.global.b1024.b32 [%out], %r2;",
		"mapa.shared::cluster.u32 %r2, %r2;", "getctarank.u64 %r2;", "barrier.cluster.sync;",
	} {
		_, err := bulkRun(t, withBarrier+"mov.u32 %r2, arena;\n"+body, 1)
		if f, ok := errors.AsType[*sim.Finding](err); !ok || f.Kind != sim.KindUnsupported {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestBulkManyBarriers checks one instruction whose lanes signal the barriers of two blocks.
func TestBulkManyBarriers(t *testing.T) {
	t.Parallel()
	got, err := bulkRun(t, fillArena+withBarrier+`
	@!%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 128;
	mov.u32 %r2, arena; and.b32 %r3, %t, 1; shr.u32 %r4, %t, 1;
	mapa.shared::cluster.u32 %r5, %r2, %r3; mapa.shared::cluster.u32 %r6, %bar, %r3;
	mad.lo.u32 %r4, %rank, 16, %r4; shl.b32 %r7, %r4, 2; add.u32 %r5, %r5, %r7; add.u32 %r4, %r4, 500;
	setp.lt.u32 %p0, %t, 32;
	@%p0 st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r5], %r4, [%r6];`+wait+copyOut+sync, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got[1024 : 1024+512] {
		want := uint32(i % 256)
		if i%256 < 32 {
			want += 500
		}
		if v != want {
			t.Fatalf("block %d, word %d: got %d, want %d", i/256, i%256, v, want)
		}
	}
}

// TestBulkSumsMeet checks sums at one address by two blocks that nothing orders, each with its own barrier.
func TestBulkSumsMeet(t *testing.T) {
	t.Parallel()
	got, err := bulkRun(t, fillArena+`.shared .align 8 .b64 other; setp.ne.u32 %p3, %t, 0; @!%p3 mbarrier.init.shared::cta.b64 [other], 1;
	`+withBarrier+`
	mov.u32 %r2, arena; mov.u32 %r3, 0; mov.u32 %r4, other; mov.u32 %r5, 0;
	mapa.shared::cluster.u32 %r6, %r2, %r3; mapa.shared::cluster.u32 %r7, %bar, %r3; mapa.shared::cluster.u32 %r8, %r4, %r3;
	setp.eq.u32 %p0, %rank, 0; @%p0 bra GET;
	@%p7 bra END;
	setp.eq.u32 %p1, %rank, 1; @%p1 bra SEND;
	mov.u32 %r7, %r8;
LATE: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 5000; @%p1 bra LATE;
SEND: red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r6], 7, [%r7];
	bra END;
GET: @!%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 4;
	@!%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [other], 4;`+wait+`
NEXT: mbarrier.try_wait.parity.shared::cta.b64 %p6, [other], 0; @!%p6 bra NEXT;`+copyOut+`
END:`+sync, 3)
	if err != nil || got[1024] != 14 {
		t.Errorf("got %d, %v", got[1024], err)
	}
}

// TestBulkEarly checks two mistakes with a copy over bytes that another warp has read. A wait for the wrong phase is
// found at the reads; a stage that is reused too early is found as a race.
func TestBulkEarly(t *testing.T) {
	t.Parallel()
	const load = "@!%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 1024; @!%p7 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%out], 1024, [%bar];\n"
	const read = "ld.shared.u32 %r3, [%r30];"
	const late = "mov.u32 %r5, 0;\nLATE: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 5000; @!%p7 setp.lt.u32 %p1, %r5, 9000; @%p1 bra LATE;\n"
	for name, c := range map[string]struct {
		body string
		kind sim.Kind
	}{
		"phase": {load + wait + read + "bar.sync 0;" + load + strings.ReplaceAll(wait, "WAIT", "AGAIN") + read, sim.KindReadPending},
		"stage": {load + wait + read + late + load + "bar.sync 0;" + strings.ReplaceAll(strings.Replace(wait, ", 0;", ", 1;", 1), "WAIT", "AGAIN"), sim.KindRace},
	} {
		_, err := bulkRun(t, fillArena+withBarrier+"mov.u32 %r2, arena;\n"+c.body, 1)
		f, ok := errors.AsType[*sim.Finding](err)
		if !ok || f.Kind != c.kind {
			t.Errorf("%s: got %v, want %s", name, err, c.kind)
		}
	}
}

// TestBulkSourceEnds checks that a block must not end before a copy is known to have read the block's shared memory.
func TestBulkSourceEnds(t *testing.T) {
	t.Parallel()
	for end, kind := range map[string]sim.Kind{"": sim.KindExited, sync: ""} {
		_, err := bulkRun(t, fillArena+withBarrier+`
	mov.u32 %r2, arena; mov.u32 %r3, 1; mov.u32 %r5, 0;
	mapa.shared::cluster.u32 %r6, %r2, %r3; mapa.shared::cluster.u32 %r7, %bar, %r3;
	setp.eq.u32 %p0, %rank, 1; @%p0 bra GET;
	@!%p7 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r6], [%r2], 64, [%r7];
LATE: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 5000; @%p1 bra LATE;
	bra END;
GET: @!%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 64;`+wait+"END:"+end, 2)
		if kind != "" {
			wants(t, err, kind, "cp.async.bulk.shared::cluster.shared::cta", "number 0 of the cluster")
		} else if err != nil {
			t.Error(err)
		}
	}
}

// TestBulkMasksSay checks that the error about a mask names the block that the cluster lacks.
func TestBulkMasksSay(t *testing.T) {
	t.Parallel()
	_, err := bulkRun(t, withBarrier+`mov.u32 %r2, arena; mov.u16 %h0, 0x8000;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [%out], 64, [%bar], %h0;
	`, 1)
	if err == nil || !strings.Contains(err.Error(), "block 15") {
		t.Error(err)
	}
}

// TestBulkIgnored checks that .ignore_oob reads neither the ignored bytes nor gives them a value.
func TestBulkIgnored(t *testing.T) {
	t.Parallel()
	const copy = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%r2], [%rd1], "
	for _, x := range []struct {
		name, at, operands, then string
		kind                     sim.Kind
	}{
		{"before a buffer", "-16", "48, 15, 0", "", sim.KindBounds},
		{"beyond the end of a buffer", "4080", "32, 0, 8", "ld.shared.u32 %r3, [%r2+20]; ld.shared.u32 %r4, [%r2]; add.u32 %r3, %r3, %r4; st.global.u32 [%out], %r3;", ""},
		{"further beyond the end", "4080", "32, 0, 7", "", sim.KindBounds},
		{"within, value used", "0", "64, 4, 3", "ld.shared.u32 %r3, [%r2+56]; ld.shared.u32 %r4, [%r2+4]; add.u32 %r3, %r3, %r4; st.global.u32 [%out], %r3;", ""},
		{"ignored at the beginning, and used", "0", "64, 4, 0", "ld.shared.u32 %r3, [%r2]; st.global.u32 [%out], %r3;", sim.KindUninitialised},
		{"ignored at the end, and used", "0", "64, 0, 1", "ld.shared.u32 %r3, [%r2+60]; st.global.u32 [%out], %r3;", sim.KindUninitialised},
		{"everything ignored", "4112", "16, 15, 15", "", ""},
		{"too many", "0", "64, 16, 0", "", sim.KindArgument},
		{"not aligned", "4", "64, 1, 1", "", sim.KindAlign},
	} {
		size, _, _ := strings.Cut(x.operands, ",")
		p := kernelOf(t, "", fillArena+withBarrier+fmt.Sprintf(`
	mov.u32 %%r2, arena; add.u64 %%rd1, %%out, %s; mov.u32 %%r3, %s;
	@!%%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %%r3;
	@!%%p7 %s%s, [%%bar];
	%s
	@%%p7 bra END;
	%s
END:`, x.at, size, copy, x.operands, wait, x.then))
		m := memory(t, p)
		out := put(t, m, numbered(1026))
		_, err := p.Run(t.Context(), m, sim.Launch{Block: sim.Dim{X: 256}, Shared: 8192, Args: []sim.Arg{sim.Pointer(out, 0)}})
		if x.kind != "" {
			wants(t, err, x.kind)
		} else if err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
		words, n := numbered(1026), get[uint32](t, out)[0]
		if x.name == "within, value used" && n != words[1]+words[14] ||
			strings.HasPrefix(x.name, "beyond") && n != words[1020]+words[1025] {
			t.Errorf("%s: %d", x.name, n)
		}
	}
}
