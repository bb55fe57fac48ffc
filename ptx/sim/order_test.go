package sim_test

import (
	"errors"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// lock returns a kernel whose blocks increment a counter under a lock. The line that takes the lock ends with mark, and
// give releases the lock.
func lock(mark, give string) string {
	return `@!%p0 bra OUT;
LOOP:	atom.global.cas.b32 %r5, [%out], 0, 1;` + mark + `
	setp.ne.u32 %p6, %r5, 0;
	@%p6 bra LOOP;
	membar.gl;
	ld.global.u32 %r5, [%out+4];
	add.u32 %r5, %r5, 1;
	st.global.u32 [%out+4], %r5;
	membar.gl;
	` + give + `
OUT:
`
}

// asked returns a kernel in which a block passes a value to another block, which polls by an atomic instruction with
// the given semantics.
func asked(semantics, mark string) string {
	return `setp.eq.u32 %p5, %b, 1;
	@%p5 bra ASK;
	@%p0 st.global.u32 [%out], 5; ` + mark + `
	@%p0 red.release.gpu.global.or.b32 [%out+4], 1;
	bra OUT;
ASK:	atom.` + semantics + `global.or.b32 %r5, [%out+4], 0;
	setp.eq.u32 %p6, %r5, 0;
	@%p6 bra ASK;
	ld.global.u32 %r5, [%out]; ` + mark + `
OUT:
`
}

// TestRaces checks two conflicting accesses, with and without code that orders them.
func TestRaces(t *testing.T) {
	t.Parallel()
	const (
		put    = "st.shared.u32 [%st], %t;\n"
		marked = "st.shared.u32 [%st], %t; //!\n"
		turned = "xor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1];\nst.global.u32 [%po], %r2;\n"
		lost   = "xor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1]; //!\nst.global.u32 [%po], %r2;\n"
		// %rd5 is the address of the word of %out that the other of two blocks accesses.
		next = "add.u32 %r5, %g, 64;\nrem.u32 %r5, %r5, 128;\nmad.wide.u32 %rd5, %r5, 4, %out;\n"
	)
	want := func(i int) uint32 { return uint32(i ^ 63) }
	trials(t, []trial{
		{name: "a barrier", body: put + "bar.sync 0;\n" + turned, want: want},
		{name: "a barrier with a count", body: put + "barrier.sync.aligned 3, 64;\n" + turned, want: want},
		{name: "one that reduces", body: put + "bar.red.popc.u32 %r9, 0, %p0;\n" + turned, want: want},
		{name: "arrivals at two barriers", body: put + "@%p2 bra A;\nbar.arrive 1, 64;\nbar.sync 2, 64;\nbra B;\nA:\nbar.arrive 2, 64;\nbar.sync 1, 64;\nB:\n" + turned, want: want},
		{name: "lanes of a warp", block: 32, body: put + "bar.warp.sync -1;\nxor.b32 %r1, %t, 31;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.volatile.shared.u32 %r2, [%r1];\nst.global.u32 [%po], %r2;\n", want: func(i int) uint32 { return uint32(i ^ 31) }},
		{name: "bytes of one word", body: "add.u32 %r1, %s, %t;\nst.shared.u8 [%r1], %t;\nld.shared.u8 %r2, [%r1];\nst.global.u32 [%po], %r2;\n", want: func(i int) uint32 { return uint32(i) }},
		{name: "bytes of one word of two warps", body: "bfi.b32 %r1, %l, %w, 1, 5;\nadd.u32 %r1, %r1, %s;\nst.shared.u8 [%r1], %t;\nld.shared.u8 %r2, [%r1];\nst.global.u32 [%po], %r2;\n", want: func(i int) uint32 { return uint32(i) }},
		{name: "halves of one word of two blocks", grid: 2, body: "mul.wide.u32 %rd5, %t, 4;\nmad.wide.u32 %rd5, %b, 2, %rd5;\nadd.s64 %rd5, %rd5, %out;\nst.global.u16 [%rd5], %b;\nld.global.u16 %h1, [%rd5];\n"},
		{name: "the same value of all", grid: 3, body: "mov.u32 %r5, 7;\nst.global.u32 [%out], %r5;\nst.shared.u32 [%s], %r5;\nld.shared.u32 %r6, [%s];\nld.global.u32 %r7, [%out];\n"},
		{name: "what was there before", grid: 3, body: "ld.global.u32 %r5, [%in+16];\nst.global.u32 [%in+16], %r5;\n"},
		{name: "a red, which acquires nothing", grid: 2, kind: sim.KindRace, body: `setp.eq.u32 %p5, %b, 1;
	@%p5 bra B;
	@!%p0 bra OUT;
	st.global.u32 [%out], 5; //!
	st.release.gpu.global.u32 [%out+4], 1;
	bra OUT;
B:	@!%p0 bra OUT;
	red.relaxed.gpu.global.add.u32 [%out+4], 1;
	fence.acq_rel.gpu;
	ld.global.u32 %r5, [%out]; //!
OUT:
`},
		{name: "volatile flags", grid: 2, body: `setp.eq.u32 %p5, %b, 1;
	@%p5 bra ASK;
	st.global.u32 [%out], 5;
	membar.gl;
	@%p0 st.volatile.global.u32 [%out+4], 1;
	bra OUT;
ASK:
	ld.volatile.global.u32 %r5, [%out+4];
	setp.eq.u32 %p6, %r5, 0;
	@%p6 bra ASK;
	membar.gl;
	ld.global.u32 %r5, [%out];
OUT:
`},
		{name: "a flag by release and acquire", grid: 2, body: `setp.eq.u32 %p5, %b, 1;
	@%p5 bra ASK;
	st.global.u32 [%po+512], %t;
	bar.sync 0;
	@%p0 st.release.gpu.global.u32 [%out+4], 1;
	bra OUT;
ASK:
	@!%p0 bra ALL;
LOOP:	ld.acquire.gpu.global.u32 %r5, [%out+4];
	setp.eq.u32 %p6, %r5, 0;
	@%p6 bra LOOP;
ALL:	bar.sync 0;
	ld.global.u32 %r5, [%out+512];
OUT:
`},
		{name: "the last block adds up", grid: 3, body: `mad.wide.u32 %rd5, %b, 4, %out;
	st.global.u32 [%rd5+64], %b;
	membar.gl;
	bar.sync 0;
	@!%p0 bra ALL;
	atom.global.add.u32 %r5, [%out+32], 1;
	membar.gl;
	st.shared.u32 [%s], %r5;
ALL:	bar.sync 0;
	ld.shared.u32 %r5, [%s];
	setp.ne.u32 %p5, %r5, 2;
	@%p5 bra OUT;
	ld.global.u32 %r6, [%out+64]; ld.global.u32 %r7, [%out+68]; ld.global.u32 %r8, [%out+72];
	@%p0 st.global.u32 [%out+32], 0;
OUT:
`, directives: ".maxntid 64"},
		{name: "a barrier of the grid", grid: 3, body: `st.global.u32 [%po], %g;
	bar.sync 0;
	@!%p0 bra ALL;
	membar.gl;
	red.global.add.u32 [%in], 1;
LOOP:	ld.volatile.global.u32 %r5, [%in];
	setp.lt.u32 %p6, %r5, 3;
	@%p6 bra LOOP;
	membar.gl;
ALL:	bar.sync 0;
	add.u32 %r5, %g, 64; rem.u32 %r5, %r5, 192; mad.wide.u32 %rd5, %r5, 4, %out;
	ld.global.u32 %r6, [%rd5];
	setp.ne.u32 %p7, %r6, %r5;
	@%p7 trap;
`},
		{name: "a lock that a volatile store gives back", grid: 3, body: lock("", "st.volatile.global.u32 [%out], 0;")},
		{name: "asked by an atomic that adds nothing", grid: 2, body: asked("acquire.gpu.", "")},
		{name: "readers of several epochs, all known", body: "@%p0 mbarrier.init.shared.b64 [%m], 1;\n@%p0 mbarrier.init.shared.b64 [%m+8], 1;\n@%p0 st.shared.v2.u32 [%s], {7, 7};\nbar.sync 0;\n@%p2 bra FIRST;\n@!%p1 bra END;\nld.shared.u32 %r5, [%s+4];\n" + waitFor("%m", 0, "") + "ld.shared.u32 %r5, [%s];\nmbarrier.arrive.shared.b64 _, [%m+8];\nbra END;\nFIRST:\n@!%p1 bra END;\nld.shared.u32 %r5, [%s];\nmbarrier.arrive.shared.b64 _, [%m];\nld.shared.u32 %r5, [%s];\n" + waitFor("%m+8", 0, "") + "st.shared.u32 [%s], 9;\nEND:\n"},

		{name: "a lock that a plain store gives back", grid: 3, body: lock(at, "st.global.u32 [%out], 0; //!"), kind: sim.KindRace},
		{name: "asked by a relaxed atomic", grid: 2, body: asked("", "//!"), kind: sim.KindRace},
		{name: "lanes of a warp that do not meet", block: 32, body: marked + "xor.b32 %r1, %t, 31;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.volatile.shared.u32 %r2, [%r1]; //!\nst.global.u32 [%po], %r2;\n", kind: sim.KindRace},
		{name: "no barrier", body: marked + lost, kind: sim.KindRace, or: sim.KindUninitialised, text: ""},
		{name: "a barrier of other warps", block: 128, body: "setp.ge.u32 %p5, %t, 64;\n@%p5 bra OUT;\n" + marked + "bar.sync %w, 32;\n" + lost + "OUT:\n", kind: sim.KindRace},
		{name: "only an arrival", body: marked + "@%p2 bra A;\nbar.arrive 1, 64;\nbra B;\nA:\nbar.sync 1, 64;\nB:\n" + lost, kind: sim.KindRace},
		{name: "written over what is read", body: put + "bar.sync 0;\nxor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1]; //!\nadd.u32 %r2, %r2, 99;\nst.shared.u32 [%st], %r2; //!\n", kind: sim.KindRace},
		{name: "read again behind a barrier", body: "@%p2 ld.global.u32 %r5, [%out];\nbar.sync 0;\n@!%p2 bra W;\nld.global.u32 %r5, [%out+4];\nld.global.u32 %r5, [%out]; //!\nbra END;\nW:\nst.global.u32 [%out], 9; //!\nEND:\n", kind: sim.KindRace},
		{name: "two lanes of one store", body: "shr.u32 %r1, %t, 1;\nmad.wide.u32 %rd5, %r1, 4, %out;\nst.global.u32 [%rd5], %t; //!\n", kind: sim.KindRace, text: "at the same instruction"},
		{name: "two warps write", body: "mad.lo.u32 %r1, %l, 4, %s;\nst.shared.u32 [%r1], %t; //!\n", kind: sim.KindRace, text: "has written for thread"},
		{name: "two blocks write", grid: 2, body: "mad.wide.u32 %rd5, %t, 4, %out;\nst.global.u32 [%rd5], %g; //!\n", kind: sim.KindRace},
		{name: "two blocks, one reads", grid: 2, body: next + "st.global.u32 [%po], 7; //!\nld.global.u32 %r6, [%rd5]; //!\n", kind: sim.KindRace},
		{name: "a flag before the value", grid: 2, body: `setp.eq.u32 %p5, %b, 1;
	@%p5 bra ASK;
	@!%p0 bra OUT;
	st.release.gpu.global.u32 [%out+4], 1;
	st.global.u32 [%out], 5; //!
	bra OUT;
ASK:	ld.acquire.gpu.global.u32 %r5, [%out+4];
	setp.eq.u32 %p6, %r5, 0;
	@%p6 bra ASK;
	ld.global.u32 %r5, [%out]; //!
OUT:
`, kind: sim.KindRace},
		{name: "no barrier before the barrier of the grid", grid: 2, block: 96, body: `@!%p0 bra WRITE;
	red.release.gpu.global.add.u32 [%in], 1;
LOOP:	ld.acquire.gpu.global.u32 %r5, [%in];
	setp.lt.u32 %p6, %r5, 2;
	@%p6 bra LOOP;
WRITE:	setp.lt.u32 %p7, %t, 32;
	@%p7 bra ALL;
	st.global.u32 [%po], %g; //!
ALL:	bar.sync 0;
	add.u32 %r5, %g, 96; rem.u32 %r5, %r5, 192; mad.wide.u32 %rd5, %r5, 4, %out;
	ld.global.u32 %r6, [%rd5]; //!
`, kind: sim.KindRace},
		{name: "no barrier behind atomics", body: "@%p2 st.shared.u32 [%st], 0;\nbar.sync 0;\nmad.lo.u32 %r1, %l, 4, %s;\natom.shared.add.u32 %r2, [%r1], 1; //!\nld.shared.u32 %r3, [%r1]; //!\n", kind: sim.KindRace},
		{name: "no barrier behind reductions", block: 128, body: "@%p0 st.shared.u32 [%s], 0;\nbar.sync 0;\nred.shared.add.u32 [%s], 1;\nld.shared.u32 %r3, [%s]; //!\n", kind: sim.KindRace, text: "red.shared.add.u32 at line"},
		{name: "no barrier behind reductions of another block", grid: 2, cluster: 2, body: "@%p0 st.shared.u32 [%s], 0;\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nmapa.shared::cluster.u32 %r4, %s, 1;\n@%p1 red.shared::cluster.add.u32 [%r4], 1;\nld.shared.u32 %r3, [%s]; //!\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n", kind: sim.KindRace, text: "red.shared::cluster.add.u32 at line"},
		{name: "a counter that one block begins", grid: 2, body: "setp.eq.u32 %p5, %g, 0;\n@%p5 st.global.u32 [%in], 9; //!\nred.global.add.u32 [%in], 1; //!\n", kind: sim.KindRace},
		{name: "shared memory that nobody writes", body: "setp.lt.u32 %p5, %t, 40;\n@%p5 st.shared.u32 [%st], %t;\nbar.sync 0;\n" + lost, kind: sim.KindUninitialised},
	})
}

// TestOlderRead checks a write that is ordered after the last read, but not after an earlier read.
func TestOlderRead(t *testing.T) {
	t.Parallel()
	x := trial{block: 96, body: `@%p0 st.shared.u32 [%s], 1;
	bar.sync 0;
	@%p2 ld.shared.u32 %r5, [%s];
	@%p2 bra END;
	setp.eq.u32 %p5, %w, 2;
	@%p5 bra WRITE;
	ld.shared.s32 %r6, [%s];
	bar.arrive 2, 64;
	bra END;
WRITE:	bar.sync 2, 64;
	st.shared.u32 [%s], 2;
END:
`}
	src := x.source()
	_, err := x.run(t, loadText(t, src), 0)
	f, ok := errors.AsType[*sim.Finding](err)
	if !ok || f.Kind != sim.KindRace || !strings.Contains(f.Message, "ld.shared.u32 at line 18 has read for thread (0,0,0)") {
		t.Errorf("got %v, want a race with the load of warp 0", err)
	}
}

// TestClusterRaces checks accesses to the shared memory of other blocks, and blocks that end too early.
func TestClusterRaces(t *testing.T) {
	t.Parallel()
	const (
		meet = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n"
		peer = "mov.u32 %r3, %cluster_ctarank;\nxor.b32 %r3, %r3, 1;\nmapa.shared::cluster.u32 %r4, %st, %r3;\n"
	)
	trials(t, []trial{
		{name: "read", grid: 2, cluster: 2, body: "st.shared.u32 [%st], %g;\n" + meet + peer + "ld.shared::cluster.u32 %r5, [%r4];\nst.global.u32 [%po], %r5;\n" + meet, want: func(i int) uint32 { return uint32(i ^ 64) }},
		{name: "written", grid: 4, cluster: 2, body: peer + meet + "st.shared::cluster.u32 [%r4], %g;\n" + meet + "ld.shared.u32 %r5, [%st];\nst.global.u32 [%po], %r5;\n", want: func(i int) uint32 { return uint32(i ^ 64) }},
		{name: "no barrier", grid: 2, cluster: 2, body: "st.shared.u32 [%st], %g; //!\nbar.sync 0;\n" + peer + "ld.shared::cluster.u32 %r5, [%r4]; //!\nst.global.u32 [%po], %r5;\n" + meet, kind: sim.KindBegun, or: sim.KindRace},
		{name: "read while it goes", grid: 2, cluster: 2, body: "st.shared.u32 [%st], %g;\n" + meet + peer + "setp.eq.u32 %p5, %r3, 0;\n@%p5 bra OUT;\nld.shared::cluster.u32 %r5, [%r4]; //!\nOUT:\n", kind: sim.KindExited},
		{name: "written while it goes", grid: 2, cluster: 2, body: meet + peer + "setp.eq.u32 %p5, %r3, 0;\n@%p5 bra OUT;\nst.shared::cluster.u32 [%r4], %g; //!\nOUT:\n", kind: sim.KindExited},
	})
}
