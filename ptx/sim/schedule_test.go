package sim_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"girih/ptx/sim"
)

// TestDeadlocks runs kernels that do not end, and checks that findings name the waiting threads and what they wait for.
func TestDeadlocks(t *testing.T) {
	t.Parallel()
	const askFor = `@!%p0 bra ALL;
	red.global.add.u32 [%in], 1;
LOOP:	ld.acquire.gpu.global.u32 %r5, [%in]; //!
	setp.lt.u32 %p6, %r5, `
	trials(t, []trial{
		{name: "a barrier of more threads", body: "bar.sync 1, 96; //!\n", kind: sim.KindDeadlock, text: "wait at barrier 1, where 64 of 96 threads are"},
		{name: "warps that stand alike", block: 192, body: "setp.eq.u32 %p5, %w, 4;\n@%p5 bra A;\n@%p2 bra A;\nbar.sync 1, 192; //!\nA:\nbar.sync 2, 192; //!\n", kind: sim.KindDeadlock, text: "warps 1-3, 5 of block (0,0,0): lanes 0xffffffff at line 19, bar.sync, wait at barrier 1, where 128 of 192 threads are"},
		{name: "blocks that stand alike", grid: 3, body: askFor + "4; //!\n	@%p6 bra LOOP; //!\nALL:	bar.sync 0; //!\n", kind: sim.KindDeadlock, text: "and of 2 others: lanes 0xffffffff at line 21, bar.sync"},
		{name: "barriers crossed", body: "@%p2 bra A;\nbar.sync 1, 64; //!\nbar.sync 2, 64;\nbra B;\nA:\nbar.sync 2, 64; //!\nbar.sync 1, 64;\nB:\n", kind: sim.KindDeadlock, text: "warp 1 of block (0,0,0): lanes 0xffffffff at line 17, bar.sync, wait at barrier 1"},
		{name: "a thread waits, and the others for it", body: "@%p0 mbarrier.init.shared.b64 [%m], 1;\nbar.sync 0;\n@!%p0 bra ALL;\n" + waitFor("%m", 0, "//!") + "ALL:\nbar.sync 0;\n", kind: sim.KindDeadlock, text: "wait for phase 0 (parity 0) of the mbarrier at 0x1400 in phase 0, where 1 of 1 arrivals are missing"},
		{name: "a barrier of the grid, of more blocks", grid: 3, body: askFor + "4; //!\n	@%p6 bra LOOP; //!\nALL:	bar.sync 0; //!\n", kind: sim.KindDeadlock, text: "repeat what they do"},
		{name: "a flag that nobody sets", body: "LOOP:\nld.volatile.global.u32 %r5, [%out]; //!\nnanosleep.u32 100; //!\nsetp.eq.u32 %p5, %r5, 0; //!\n@%p5 bra LOOP; //!\n", kind: sim.KindDeadlock},
		{name: "an empty loop", body: "LOOP: //!\nbra LOOP; //!\n", kind: sim.KindDeadlock, or: sim.KindSteps},
		{name: "a long one", body: "mov.u32 %r5, 0;\nLOOP:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p5, %r5, 100000;\n@%p5 bra LOOP;\n"},
		{name: "one that waits for another block, which takes long", grid: 2, body: `setp.eq.u32 %p5, %b, 0;
	@%p5 bra ASK;
	mov.u32 %r5, 0;
LOOP:	add.u32 %r5, %r5, 1;
	setp.lt.u32 %p6, %r5, 20000;
	@%p6 bra LOOP;
	st.release.gpu.global.u32 [%out], 1;
	bra OUT;
ASK:	ld.acquire.gpu.global.u32 %r5, [%out];
	setp.eq.u32 %p6, %r5, 0;
	@%p6 bra ASK;
OUT:
`},
		{name: "the barrier of cooperative groups, of more blocks than multiprocessors", grid: 140, block: 32, body: `mov.u32 %r5, %envreg1;
	mov.u32 %r6, %envreg2;
	mov.b64 %rd5, {%r6, %r5};
	mad.wide.u32 %rd6, %b, 4, %out;
	@%p0 st.global.u32 [%rd6], %b;
	barrier.sync 0;
	@!%p0 bra ALL;
	setp.eq.u32 %p5, %b, 0;
	selp.b32 %r7, 0x7fffff75, 1, %p5;
	atom.add.release.gpu.u32 %r8, [%rd5+4], %r7;
LOOP:	ld.acquire.gpu.u32 %r9, [%rd5+4];
	xor.b32 %r9, %r9, %r8;
	setp.gt.s32 %p6, %r9, -1;
	@%p6 bra LOOP;
ALL:	barrier.sync 0;
	add.u32 %r5, %b, 1;
	rem.u32 %r5, %r5, 140;
	mad.wide.u32 %rd6, %r5, 4, %out;
	ld.global.u32 %r9, [%rd6];
	setp.ne.u32 %p7, %r9, %r5;
	@%p7 trap;
`},
		{name: "a timeout by the clock", body: "mov.u64 %rd5, %globaltimer;\nadd.u64 %rd6, %rd5, 3000;\nLOOP:\nld.volatile.global.u32 %r5, [%out];\nsetp.ne.u32 %p5, %r5, 0;\n@%p5 bra OUT;\nmov.u64 %rd5, %globaltimer;\nsetp.lt.u64 %p5, %rd5, %rd6;\n@%p5 bra LOOP;\nOUT:\n"},
		{name: "a number of tries", body: "@%p0 mbarrier.init.shared.b64 [%m], 1;\nbar.sync 0;\nmov.u32 %r5, 0;\nLOOP:\nadd.u32 %r5, %r5, 1;\nsetp.gt.u32 %p5, %r5, 100;\n@%p5 bra OUT;\nmbarrier.try_wait.parity.shared.b64 %p6, [%m], 0;\n@!%p6 bra LOOP;\nOUT:\n"},
	})
}

// TestRegisters runs setmaxnreg, with and without enough registers for all warps.
func TestRegisters(t *testing.T) {
	t.Parallel()
	const roles = "setp.lt.u32 %p5, %t, 128;\n@%p5 bra LESS;\n"
	trials(t, []trial{
		{name: "some give, others take", block: 384, directives: ".maxntid 384, 1, 1 .minnctapersm 1", body: roles + "setmaxnreg.inc.sync.aligned.u32 240;\nbra OUT;\nLESS:\nsetmaxnreg.dec.sync.aligned.u32 24;\nOUT:\n"},
		{name: "more than there are", block: 384, directives: ".maxntid 384, 1, 1 .minnctapersm 1", body: roles + "setmaxnreg.inc.sync.aligned.u32 248; //!\nbra OUT;\nLESS:\nsetmaxnreg.dec.sync.aligned.u32 24;\nbar.sync 1, 384; //!\nOUT:\nbar.sync 1, 384;\n", kind: sim.KindDeadlock, text: "setmaxnreg, while"},
		{name: "those of threads that have gone", block: 384, directives: ".maxnreg 168", body: roles + "setmaxnreg.inc.sync.aligned.u32 248;\nbra OUT;\nLESS:\nexit;\nOUT:\n"},
		{name: "an increase that is none", block: 128, directives: ".maxnreg 128", body: "setmaxnreg.inc.sync.aligned.u32 120; //!\n", kind: sim.KindArgument},
		{name: "a decrease that is none", block: 128, directives: ".maxnreg 128", body: "setmaxnreg.dec.sync.aligned.u32 136; //!\n", kind: sim.KindArgument},
		{name: "nobody knows how many there are", block: 128, body: "setmaxnreg.inc.sync.aligned.u32 248;\n"},
		{name: "a warpgroup gives, another takes", block: 256, directives: ".maxnreg 128", body: roles + "setmaxnreg.inc.sync.aligned.u32 232;\nbra OUT;\nLESS:\nsetmaxnreg.dec.sync.aligned.u32 24;\nOUT:\n"},
		{name: "nobody gives", block: 256, directives: ".maxnreg 128", body: roles + "setmaxnreg.inc.sync.aligned.u32 232; //!\nbar.sync 0;\nbra OUT;\nLESS:\nbar.sync 0; //!\nOUT:\n", kind: sim.KindDeadlock, text: "setmaxnreg, while"},
		{name: "one warp of four", block: 128, directives: ".maxnreg 128", body: "@!%p2 bra OUT;\nsetmaxnreg.dec.sync.aligned.u32 24; //!\nOUT:\n", kind: sim.KindDivergent, text: "has ended without the setmaxnreg.dec 24 at line 17, which warp 0 of the same warpgroup executes"},
		{name: "one warp of four, of an unknown number", block: 128, body: "@!%p2 bra OUT;\nsetmaxnreg.dec.sync.aligned.u32 24; //!\nOUT:\n", kind: sim.KindDivergent, text: "has ended without"},
		{name: "one warp of the last three", block: 224, directives: ".maxnreg 128", body: "setp.lt.u32 %p5, %t, 192;\n@%p5 bra OUT;\nsetmaxnreg.dec.sync.aligned.u32 24; //!\nOUT:\n", kind: sim.KindDivergent, text: "has ended without"},
		{name: "the last three", block: 224, directives: ".maxnreg 128", body: "setp.lt.u32 %p5, %t, 128;\n@%p5 bra OUT;\nsetmaxnreg.dec.sync.aligned.u32 24;\nOUT:\n"},
		{name: "not the same number", block: 128, directives: ".maxnreg 128", body: "@!%p2 bra LESS;\nsetmaxnreg.dec.sync.aligned.u32 32; //!\nbra OUT;\nLESS: setmaxnreg.dec.sync.aligned.u32 24; //!\nOUT:\n", kind: sim.KindDivergent, text: "execute the same setmaxnreg"},
		{name: "two, and no barrier", block: 128, directives: ".maxnreg 128", body: "setmaxnreg.dec.sync.aligned.u32 64;\nsetmaxnreg.inc.sync.aligned.u32 96; //!\n", kind: sim.KindDivergent, text: "have to synchronize before the next setmaxnreg"},
		{name: "two of one number", block: 128, directives: ".maxnreg 128", body: "setmaxnreg.dec.sync.aligned.u32 64;\nsetmaxnreg.dec.sync.aligned.u32 64;\n"},
		{name: "two, and a barrier", block: 128, directives: ".maxnreg 128", body: "setmaxnreg.dec.sync.aligned.u32 64;\nbar.sync 1, 128;\nsetmaxnreg.inc.sync.aligned.u32 96;\n"},
		{name: "an odd number", body: "setmaxnreg.dec.sync.aligned.u32 30; //!\n", kind: sim.KindUnsupported, text: "multiple of 8"},
		{name: "half a warp", directives: ".maxnreg 128", body: "setp.lt.u32 %p5, %l, 16;\n@%p5 setmaxnreg.dec.sync.aligned.u32 24; //!\n", kind: sim.KindDivergent},
	})
}

// TestRegistersOfLaunch runs setmaxnreg with a number of registers that only the launch states, and without a number.
func TestRegistersOfLaunch(t *testing.T) {
	t.Parallel()
	const (
		less = "setp.lt.u32 %p5, %t, 128;\n@%p5 bra LESS;\nsetmaxnreg.inc.sync.aligned.u32 "
		more = ";\nbra OUT;\nLESS:\nsetmaxnreg.dec.sync.aligned.u32 24;\nbar.sync 1, 384;\nexit;\nOUT:\nbar.sync 1, 384;\n"
	)
	for _, tt := range []struct {
		inc       string
		registers int
		kind      sim.Kind
		notes     int
	}{
		{"240", 168, "", 0},
		{"248", 168, sim.KindDeadlock, 0},
		{"240", 161, "", 0},
		{"240", 160, sim.KindDeadlock, 0},
		{"240", 0, "", 2},
	} {
		x := trial{block: 384, body: less + tt.inc + more}
		res, _, err := x.launch(t, loadText(t, x.source()), sim.Launch{Registers: tt.registers})
		f, _ := errors.AsType[*sim.Finding](err)
		if (f == nil) != (tt.kind == "") || f != nil && f.Kind != tt.kind || len(res.Notes) != tt.notes {
			t.Errorf("%s of %d: %v, %v", tt.inc, tt.registers, err, res.Notes)
		}
	}
	x := trial{block: 384, body: "setmaxnreg.dec.sync.aligned.u32 24;\n"}
	for _, n := range []int{-1, 176, 256} {
		if _, _, err := x.launch(t, loadText(t, x.source()), sim.Launch{Registers: n}); !errors.Is(err, sim.CodeLaunch) {
			t.Errorf("%d registers: %v", n, err)
		}
	}
}

// TestFences checks the forms of fences and of other instructions that only order memory or take time, and some forms
// that do not exist.
func TestFences(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"membar.cta", "membar.gl", "membar.sys", "fence.sc.cta", "fence.acq_rel.cluster", "fence.acquire.gpu", "fence.release.sys",
		"fence.cta",
		"fence.proxy.alias", "fence.proxy.async", "fence.proxy.async.global", "fence.proxy.async.shared::cta", "fence.proxy.async.shared::cluster",
		"fence.mbarrier_init.release.cluster", "fence.proxy.tensormap::generic.release.gpu", "membar.proxy.alias",
		"fence.acquire.sync_restrict::shared::cluster.cluster", "fence.release.sync_restrict::shared::cta.cluster",
		"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", "griddepcontrol.wait", "griddepcontrol.launch_dependents",
		"nanosleep.u32 100", "pmevent 1",
	} {
		if _, err := snippet(t, s+";", 32); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	for _, s := range []string{"fence.proxy.sync", "fence.acq_rel.odd", "griddepcontrol.end", "fence.cta 1", "nanosleep.u32"} {
		_, err := snippet(t, s+";", 32)
		if f, ok := errors.AsType[*sim.Finding](err); !ok || f.Kind != sim.KindUnsupported {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// TestSeeds runs blocks that draw numbers: the seed alone must decide which block gets which number.
func TestSeeds(t *testing.T) {
	t.Parallel()
	x := trial{grid: 9, body: "@!%p1 bra OUT;\natom.global.add.u32 %r5, [%in], 1;\nst.global.u32 [%po], %r5;\nOUT:\n"}
	p := loadText(t, x.source())
	orders := map[string]bool{}
	for seed := range uint64(10) {
		a, err := x.run(t, p, seed)
		if err != nil {
			t.Fatal(err)
		}
		b, err := x.run(t, p, seed)
		if err != nil || !slices.Equal(a, b) {
			t.Errorf("seed %d: %v, and not the same again", seed, err)
		}
		var order []byte
		for i := 0; i < 9*64; i += 32 {
			order = append(order, byte(a[i]))
		}
		orders[string(order)] = true
		if seed == 0 && !slices.IsSorted(order) {
			t.Errorf("without a seed: %v", order)
		}
	}
	if len(orders) < 8 {
		t.Errorf("%d orders of 10 seeds", len(orders))
	}
}

// TestRunSeeds runs a kernel that adds to its memory: each run must begin with the initial memory.
func TestRunSeeds(t *testing.T) {
	t.Parallel()
	p := loadText(t, trial{body: "red.global.add.u32 [%out], 1;\n"}.source())
	m := memory(t, p)
	in, out := put(t, m, make([]uint32, 4)), put(t, m, make([]uint32, 64))
	l := sim.Launch{Block: sim.Dim{X: 64}, Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0)}}
	if _, err := p.RunSeeds(context.Background(), m, l, 5); err != nil {
		t.Fatal(err)
	}
	if got := get[uint32](t, out)[0]; got != 64 {
		t.Errorf("got %d, want 64", got)
	}
	// The order of two blocks decides whether there is a fault.
	p = loadText(t, trial{body: "@!%p0 bra OUT;\natom.global.exch.b32 %r5, [%out], %b;\n" +
		"setp.eq.u32 %p5, %b, 0;\n@%p5 bra OUT;\nsetp.eq.u32 %p6, %r5, 9;\n@%p6 trap;\nOUT:\n"}.source())
	m = memory(t, p)
	in, out = put(t, m, make([]uint32, 4)), put(t, m, []uint32{9})
	l = sim.Launch{Grid: sim.Dim{X: 3}, Block: sim.Dim{X: 64}, Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0)}}
	_, err := p.RunSeeds(context.Background(), m, l, 30)
	if f, ok := errors.AsType[*sim.Finding](err); !ok || f.Kind != sim.KindTrap || f.Seed == 0 {
		t.Errorf("got %v", err)
	}
}
