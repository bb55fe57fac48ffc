package sim_test

import (
	"testing"

	"girih/ptx/sim"
)

// A pair is a sound kernel and a kernel with a mistake that differ in one place.
type pair struct {
	name          string
	sound, broken string // bodies; "//!" marks the lines of the race
	grid, block   int
	cluster       int
}

// pairs runs both kernels of each pair. The sound kernel must have no finding in any order, and the broken kernel must
// have a race.
func pairs(t *testing.T, list []pair) {
	t.Helper()
	var all []trial
	for _, p := range list {
		x := trial{name: p.name, body: p.sound, grid: p.grid, block: p.block, cluster: p.cluster}
		y := x
		y.name, y.body, y.kind, y.or = p.name+" (broken)", p.broken, sim.KindRace, sim.KindReadPending
		all = append(all, x, y)
	}
	trials(t, all)
}

// message returns a kernel that passes a message: block 0 stores a value and then a flag; block 1 waits for the flag
// and then loads the value.
func message(release, give, ask, acquire, mark string) string {
	return `setp.eq.u32 %p5, %b, 1;
	@%p5 bra ASK;
	@!%p0 bra OUT;
	st.global.u32 [%out], 5; ` + mark + `
	` + release + `
	` + give + ` [%out+4], 1; ` + mark + `
	bra OUT;
ASK:	@!%p0 bra OUT;
LOOP:	` + ask + ` %r5, [%out+4]; ` + mark + `
	setp.eq.u32 %p6, %r5, 0;
	@%p6 bra LOOP;
	` + acquire + `
	ld.global.u32 %r6, [%out]; ` + mark + `
	st.global.u32 [%out+8], %r6;
OUT:
`
}

// TestReleaseAcquire checks the release and acquire patterns of the PTX ISA, and each pattern without one of its parts.
func TestReleaseAcquire(t *testing.T) {
	t.Parallel()
	const (
		fence      = "fence.acq_rel.gpu;"
		stRelease  = "st.release.gpu.global.u32"
		ldAcquire  = "ld.acquire.gpu.global.u32"
		stRelaxed  = "st.relaxed.gpu.global.u32"
		ldRelaxed  = "ld.relaxed.gpu.global.u32"
		stVolatile = "st.volatile.global.u32"
		ldVolatile = "ld.volatile.global.u32"
		bang       = "//!"
	)
	sound := message("", stRelease, ldAcquire, "", "")
	fenced := message(fence, stRelaxed, ldRelaxed, fence, "")
	var list []pair
	for _, x := range []struct{ name, sound, broken string }{
		{"relaxed store", sound, message("", stRelaxed, ldAcquire, "", bang)},
		{"relaxed load", sound, message("", stRelease, ldRelaxed, "", bang)},
		{"weak store of the flag", sound, message(fence, "st.global.u32", ldAcquire, "", bang)},
		{"weak load of the flag", sound, message("", stRelease, "ld.global.u32", fence, bang)},
		{"load by .cg of the flag", sound, message("", stRelease, "ld.global.cg.u32", fence, bang)},
		{"a release for a block", sound, message("", "st.release.cta.global.u32", ldAcquire, "", bang)},
		{"an acquire for a block", sound, message("", stRelease, "ld.acquire.cta.global.u32", "", bang)},
		{"a release for a cluster", sound, message("", "st.release.cluster.global.u32", ldAcquire, "", bang)},
		{"no fence before the flag", fenced, message("", stRelaxed, ldRelaxed, fence, bang)},
		{"no fence after the flag", fenced, message(fence, stRelaxed, ldRelaxed, "", bang)},
		{"a fence for a block before the flag", fenced, message("fence.acq_rel.cta;", stRelaxed, ldRelaxed, fence, bang)},
		{"a fence for a block after the flag", fenced, message(fence, stRelaxed, ldRelaxed, "fence.acq_rel.cta;", bang)},
		{"a fence for a cluster before the flag", message(fence, stRelaxed, ldAcquire, "", ""), message("fence.acq_rel.cluster;", stRelaxed, ldAcquire, "", bang)},
		{"volatile without fences", message("membar.gl;", stVolatile, ldVolatile, "membar.gl;", ""), message("", stVolatile, ldVolatile, "", bang)},
		{"volatile with a fence for a block", message("fence.sc.gpu;", stVolatile, ldVolatile, "fence.sc.sys;", ""), message("membar.cta;", stVolatile, ldVolatile, "membar.gl;", bang)},
		{"an atomic flag", message(fence, "red.global.add.u32", "ld.volatile.global.u32", fence, ""), message("", "red.global.add.u32", "ld.volatile.global.u32", fence, bang)},
		{"an atomic flag that releases", message("", "red.release.gpu.global.add.u32", ldAcquire, "", ""), message("", "red.relaxed.gpu.global.add.u32", ldAcquire, "", bang)},
	} {
		list = append(list, pair{name: x.name, sound: x.sound, broken: x.broken, grid: 2})
	}
	pairs(t, list)
}

// TestReleaseSequence checks atomic instructions, which continue a release, and a store, which does not.
func TestReleaseSequence(t *testing.T) {
	t.Parallel()
	chain := func(middle, mark string) string {
		return `@!%p0 bra OUT;
	setp.eq.u32 %p5, %b, 1; @%p5 bra MIDDLE; setp.eq.u32 %p5, %b, 2; @%p5 bra LAST;
	st.global.u32 [%out], 5; ` + mark + `
	st.release.gpu.global.u32 [%out+4], 1; bra OUT;
MIDDLE:	ld.relaxed.gpu.global.u32 %r5, [%out+4]; setp.eq.u32 %p6, %r5, 0; @%p6 bra MIDDLE;
	` + middle + ` bra OUT;
LAST:	ld.relaxed.gpu.global.u32 %r5, [%out+4]; setp.ne.u32 %p6, %r5, 2; @%p6 bra LAST;
	ld.acquire.gpu.global.u32 %r5, [%out+4];
	ld.global.u32 %r6, [%out]; ` + mark + `
OUT:
`
	}
	pairs(t, []pair{
		{name: "red", grid: 3, sound: chain("red.relaxed.gpu.global.add.u32 [%out+4], 1;", ""), broken: chain("st.relaxed.gpu.global.u32 [%out+4], 2;", "//!")},
		{name: "exch", grid: 3, sound: chain("atom.relaxed.gpu.global.exch.b32 %r7, [%out+4], 2;", ""), broken: chain("st.volatile.global.u32 [%out+4], 2;", "//!")},
		{name: "fences between", grid: 3, sound: chain("fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%out+4], 2;", ""), broken: chain("st.relaxed.gpu.global.u32 [%out+4], 2; fence.acq_rel.gpu;", "//!")},
	})
}

// TestWeakAndStrong checks accesses of two blocks to one word. Strong accesses whose scopes contain each other are not
// a race; all others are.
func TestWeakAndStrong(t *testing.T) {
	t.Parallel()
	two := func(first, second, mark string) string {
		return "@!%p0 bra OUT;\nsetp.eq.u32 %p5, %b, 1;\n@%p5 bra B;\n" + first + " " + mark + "\nbra OUT;\n" +
			"B:\n" + second + " " + mark + "\nOUT:\n"
	}
	const (
		add      = "red.global.add.u32 [%out], 1;"
		addBlock = "red.relaxed.cta.global.add.u32 [%out], 1;"
		store    = "st.relaxed.gpu.global.u32 [%out], 7;"
		load     = "ld.volatile.global.u32 %r5, [%out];"
		plain    = "ld.global.u32 %r5, [%out];"
		put      = "st.global.u32 [%out], 8;"
	)
	var list []pair
	for _, x := range [][5]string{
		{"a load beside an atomic", load, add, plain, add},
		{"a load by .cg beside an atomic", load, add, "ld.global.cg.u32 %r5, [%out];", add},
		{"a load by .cv beside an atomic", load, add, "ld.global.cv.u32 %r5, [%out];", add},
		{"a store beside an atomic", store, add, put, add},
		{"a volatile load beside a store", load, store, load, put},
		{"a load beside a relaxed store", load, store, plain, store},
		{"two stores", store, store, put, store},
		{"an atomic for a block", add, add, add, addBlock},
		{"a store for a block", store, load, "st.relaxed.cta.global.u32 [%out], 7;", load},
		{"a load for a block", store, load, store, "ld.relaxed.cta.global.u32 %r5, [%out];"},
	} {
		list = append(list, pair{name: x[0], sound: two(x[1], x[2], ""), broken: two(x[3], x[4], "//!"), grid: 2})
		list = append(list,
			pair{name: x[0] + ", the other way", sound: two(x[2], x[1], ""), broken: two(x[4], x[3], "//!"), grid: 2})
	}
	pairs(t, list)
}

// TestLastBlock checks a reduction in which the last block adds up the results of all blocks, with several kinds of
// reads.
func TestLastBlock(t *testing.T) {
	t.Parallel()
	last := func(fence, barrier, count, after, read, mark string) string {
		return `add.u32 %r1, %t, 5; st.global.u32 [%po], %r1; ` + mark + `
	` + fence + "\n" + barrier + `
	@!%p0 bra ALL;
	` + count + `
	` + after + `
	st.shared.u32 [%s], %r5;
ALL:	bar.sync 0;
	ld.shared.u32 %r5, [%s];
	setp.ne.u32 %p5, %r5, 2;
	@%p5 bra OUT;
	mad.wide.u32 %rd5, %l, 4, %out;
	` + read + ` %r6, [%rd5+128]; ` + read + ` %r6, [%rd5+384]; ` + read + ` %r6, [%rd5+640]; ` + mark + `
OUT:
`
	}
	const (
		bar   = "bar.sync 0;"
		count = "atom.global.add.u32 %r5, [%in], 1;"
		both  = "atom.acq_rel.gpu.global.add.u32 %r5, [%in], 1;"
		gl    = "membar.gl;"
		ld    = "ld.global.u32"
	)
	pairs(t, []pair{
		{name: "no barrier, plain", grid: 3, sound: last(gl, bar, count, gl, ld, ""), broken: last(gl, "", count, gl, ld, "//!")},
		{name: "no barrier, volatile", grid: 3, sound: last(gl, bar, count, gl, "ld.volatile.global.u32", ""), broken: last(gl, "", count, gl, "ld.volatile.global.u32", "//!")},
		{name: "no barrier, relaxed", grid: 3, sound: last(gl, bar, count, gl, "ld.relaxed.gpu.global.u32", ""), broken: last(gl, "", count, gl, "ld.relaxed.gpu.global.u32", "//!")},
		{name: "no barrier, .cg", grid: 3, sound: last(gl, bar, count, gl, "ld.global.cg.u32", ""), broken: last(gl, "", count, gl, "ld.global.cg.u32", "//!")},
		{name: "no fence before", grid: 3, sound: last(gl, bar, count, gl, ld, ""), broken: last("", bar, count, gl, ld, "//!")},
		{name: "no fence after", grid: 3, sound: last(gl, bar, count, gl, ld, ""), broken: last(gl, bar, count, "", ld, "//!")},
		{name: "no semantics", grid: 3, sound: last("", bar, both, "", ld, ""), broken: last("", bar, count, "", ld, "//!")},
		{name: "only release", grid: 3, sound: last("", bar, both, "", ld, ""), broken: last("", bar, "atom.release.gpu.global.add.u32 %r5, [%in], 1;", "", ld, "//!")},
		{name: "only acquire", grid: 3, sound: last("", bar, both, "", ld, ""), broken: last("", bar, "atom.acquire.gpu.global.add.u32 %r5, [%in], 1;", "", ld, "//!")},
		{name: "semantics for a cluster", grid: 3, sound: last("", bar, both, "", ld, ""), broken: last("", bar, "atom.acq_rel.cluster.global.add.u32 %r5, [%in], 1; //!", "", ld, "//!")},
	})
}

// TestClusterSemantics checks barriers of a cluster that release nothing.
func TestClusterSemantics(t *testing.T) {
	t.Parallel()
	body := func(arrive, mark string) string {
		return "st.shared.u32 [%st], %g; " + mark + "\n" + arrive + "barrier.cluster.wait.aligned;\n" +
			"mov.u32 %r3, %cluster_ctarank;\nxor.b32 %r3, %r3, 1;\nmapa.shared::cluster.u32 %r4, %st, %r3;\n" +
			"ld.shared::cluster.u32 %r5, [%r4]; " + mark + "\nst.global.u32 [%po], %r5;\n" +
			"barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;\n"
	}
	pairs(t, []pair{
		{name: "relaxed", grid: 2, cluster: 2, sound: body("barrier.cluster.arrive.release.aligned;\n", ""), broken: body("barrier.cluster.arrive.relaxed.aligned;\n", "//!")},
		{name: "relaxed after a fence", grid: 2, cluster: 2, sound: body("fence.acq_rel.cluster;\nbarrier.cluster.arrive.relaxed.aligned;\n", ""), broken: body("barrier.cluster.arrive.relaxed.aligned;\nfence.acq_rel.cluster;\n", "//!")},
	})
}
