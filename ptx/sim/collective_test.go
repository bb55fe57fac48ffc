package sim_test

import (
	"errors"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// inBranches executes low in the lower 16 lanes of each warp, and high in the other lanes. Both leave a word in %r2.
func inBranches(low, high string) string {
	return "setp.lt.u32 %p5, %l, 16;\n@%p5 bra LOW;\n" + high + "bra END;\nLOW:\n" + low + "END:\nst.global.u32 [%po], %r2;\n"
}

// TestCollectivesApart checks lanes that meet although they are at different instructions: several shuffles, votes and
// so on. Each lane uses the operands and the results of its own instruction.
func TestCollectivesApart(t *testing.T) {
	t.Parallel()
	const (
		swapHalves = "shfl.sync.bfly.b32 %r2, %t, 16, 31, -1;\n"
		called     = `.func (.param .b32 r) swap(.param .b32 a, .param .b32 n)
{
	.reg .b32 %r<9>;
	ld.param.b32 %r1, [a]; ld.param.b32 %r2, [n];
	shfl.sync.bfly.b32 %r3, %r1, %r2, 31, -1;
	st.param.b32 [r], %r3;
	ret;
}
`
	)
	call := func(value, n string) string {
		return "{ .param .b32 a; .param .b32 n; .param .b32 r;\nst.param.b32 [a], " + value + ";\nst.param.b32 [n], " + n +
			";\ncall (r), swap, (a, n);\nld.param.b32 %r2, [r]; }\n"
	}
	mask := func(cond func(lane int) bool) (m uint32) {
		for i := range 32 {
			if cond(i) {
				m |= 1 << i
			}
		}
		return m
	}
	trials(t, []trial{
		{name: "shuffles", body: inBranches(swapHalves, swapHalves), want: func(i int) uint32 { return uint32(i ^ 16) }},
		{
			name: "operands of their own",
			body: "add.u32 %r1, %t, 100;\nadd.u32 %r3, %t, 500;\nmov.u32 %r5, 31;\n" + inBranches(
				"shfl.sync.idx.b32 %r1, %r1, 20, 31, -1;\nmov.u32 %r2, %r1;\n",
				"shfl.sync.idx.b32 %r2|%p6, %r3, %r5, %r5, -1;\n@!%p6 trap;\n"),
			want: func(i int) uint32 { return uint32(i&^31 + 500 + map[bool]int{true: 20, false: 31}[i&31 < 16]) },
		},
		{
			name: "registers of the other branch are left alone",
			body: "mov.u32 %r2, 7;\nmov.u32 %r1, 8;\nmov.u32 %r3, 9;\n" + inBranches(
				"shfl.sync.bfly.b32 %r1, %t, 16, 31, -1;\n", "shfl.sync.bfly.b32 %r3, %t, 16, 31, -1;\n") +
				"mad.lo.u32 %r2, %r1, 1000, %r3;\nst.global.u32 [%po], %r2;\n",
			want: func(i int) uint32 {
				return map[bool]uint32{true: uint32(i^16)*1000 + 9, false: 8000 + uint32(i^16)}[i&31 < 16]
			},
		},
		{
			name: "two guards",
			body: "setp.lt.u32 %p5, %l, 16;\n@%p5 " + swapHalves + "@!%p5 " + swapHalves + "st.global.u32 [%po], %r2;\n",
			want: func(i int) uint32 { return uint32(i ^ 16) },
		},
		{
			name: "ballots, one of a negated predicate",
			body: "and.b32 %r1, %t, 1;\nsetp.eq.u32 %p6, %r1, 0;\n" + inBranches(
				"vote.sync.ballot.b32 %r2, %p6, -1;\n", "vote.sync.ballot.b32 %r2, !%p6, -1;\n"),
			want: func(int) uint32 { return 0xaaaa5555 },
		},
		{
			name: "votes",
			body: "setp.eq.u32 %p6, %l, 3;\n" + inBranches(
				"vote.sync.any.pred %p7, %p6, -1;\nvote.sync.any.pred %p8, !%p7, -1;\nselp.u32 %r2, 2, 1, %p8;\n",
				"vote.sync.any.pred %p9, %p6, -1;\nvote.sync.any.pred %p8, !%p9, -1;\nselp.u32 %r2, 4, 3, %p8;\n"),
			want: func(i int) uint32 { return map[bool]uint32{true: 1, false: 3}[i&31 < 16] },
		},
		{
			name: "matches",
			body: "and.b32 %r1, %l, 7;\nand.b32 %r3, %l, 3;\n" + inBranches(
				"match.any.sync.b32 %r2, %r1, -1;\n", "match.any.sync.b32 %r2, %r3, -1;\n"),
			want: func(i int) uint32 {
				value := func(l int) int { return map[bool]int{true: l & 7, false: l & 3}[l < 16] }
				return mask(func(l int) bool { return value(l) == value(i&31) })
			},
		},
		{
			name: "a match with and without a predicate",
			body: inBranches("match.all.sync.b32 %r2, 5, -1;\n", "match.all.sync.b32 %r3|%p6, 5, -1;\nselp.u32 %r2, 1, 0, %p6;\n"),
			want: func(i int) uint32 { return map[bool]uint32{true: 1<<32 - 1, false: 1}[i&31 < 16] },
		},
		{
			name: "reductions",
			body: "add.u32 %r1, %l, 1000;\n" + inBranches("redux.sync.add.s32 %r2, %l, -1;\n", "redux.sync.add.s32 %r2, %r1, -1;\n"),
			want: func(int) uint32 { return 496 + 16*1000 },
		},
		{
			name: "elections",
			body: "mov.u32 %r2, 0;\n" + inBranches("elect.sync _|%p6, -1;\n@%p6 mov.u32 %r2, 5;\n", "elect.sync %r2|%p6, -1;\n@%p6 trap;\n"),
			want: func(i int) uint32 { return map[bool]uint32{true: 5}[i&31 == 0] },
		},
		{
			name: "halves",
			body: "and.b32 %r5, %l, 16;\nmov.u32 %r4, 0xffff;\nshl.b32 %r4, %r4, %r5;\nand.b32 %r6, %l, 8;\n" +
				strings.ReplaceAll(inBranches("shfl.sync.bfly.b32 %r2, %t, 8, 31, %r4;\n", "shfl.sync.bfly.b32 %r2, %t, 8, 31, %r4;\n"),
					"setp.lt.u32 %p5, %l, 16", "setp.eq.u32 %p5, %r6, 0"),
			want: func(i int) uint32 { return uint32(i ^ 8) },
		},
		{
			name: "branches in branches",
			body: "and.b32 %r1, %l, 4;\nsetp.eq.u32 %p6, %r1, 0;\n" + inBranches(
				"@%p6 bra A;\nshfl.sync.idx.b32 %r2, %t, 31, 31, -1;\nbra B;\nA:\nshfl.sync.idx.b32 %r2, %t, 20, 31, -1;\nB:\n",
				"@%p6 bra C;\nshfl.sync.idx.b32 %r2, %t, 5, 31, -1;\nbra D;\nC:\nshfl.sync.idx.b32 %r2, %t, 0, 31, -1;\nD:\n"),
			want: func(i int) uint32 { return uint32(i&^31 + [4]int{20, 31, 0, 5}[i>>2&1+i>>4&1*2]) },
		},
		{
			name: "loops, of which none is a round ahead",
			body: "mov.u32 %r2, %t;\nmov.u32 %r6, 0;\n" + inBranches(
				"A:\nshfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;\nadd.u32 %r2, %r3, 1;\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p6, %r6, 6;\n@%p6 bra A;\n",
				"B:\nshfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;\nadd.u32 %r2, %r3, 10;\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p6, %r6, 3;\n@%p6 bra B;\n"+
					"shfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;\nadd.u32 %r2, %r3, 10;\nshfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;\n"+
					"add.u32 %r2, %r3, 10;\nshfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;\nadd.u32 %r2, %r3, 10;\n"),
			want: func(i int) uint32 { return uint32(i + 33) },
		},
		{
			name: "in a function and out of it", funcs: called, body: inBranches(call("%t", "16"), swapHalves),
			want: func(i int) uint32 { return uint32(i ^ 16) },
		},
		{
			name: "in two calls of a function", funcs: called,
			body: "add.u32 %r1, %t, 100;\n" + inBranches(call("%t", "16"), call("%r1", "17")),
			want: func(i int) uint32 { return map[bool]uint32{true: uint32(i^16) + 100, false: uint32(i ^ 17)}[i&31 < 16] },
		},
		{
			name: "lanes that exit", body: inBranches(
				"setp.lt.u32 %p6, %l, 8;\n@%p6 exit;\nvote.sync.ballot.b32 %r2, 1, -1;\n", "vote.sync.ballot.b32 %r2, 1, -1;\n"),
			want: func(i int) uint32 { return map[bool]uint32{true: 0xffffff00}[i&31 >= 8] },
		},
		{
			name: "a lane that others wait for, and that exits later",
			body: "setp.eq.u32 %p5, %l, 0;\n@%p5 bra M;\nshfl.sync.bfly.b32 %r2, %t, 1, 31, -1;\n" +
				"M:\n@%p5 shfl.sync.bfly.b32 %r2, %t, 1, 31, -1;\n@%p5 exit;\n" +
				"shfl.sync.idx.b32 %r3, %t, 5, 31, -1;\nmad.lo.u32 %r2, %r3, 100, %r2;\nst.global.u32 [%po], %r2;\n",
			want: func(i int) uint32 {
				return map[bool]uint32{true: uint32((i&^31+5)*100 + (i ^ 1))}[i&31 > 0]
			},
		},
		{
			name: "a lane that goes past a vote, before a shuffle",
			body: "setp.eq.u32 %p5, %l, 0;\n@%p5 bra M;\nvote.sync.all.pred %p6, 1, -1;\nshfl.sync.idx.b32 %r2, %t, 5, 31, -1;\n" +
				"st.global.u32 [%po], %r2;\nM:\nmov.u32 %r2, 1;\n",
			want: func(i int) uint32 { return map[bool]uint32{true: uint32(i&^31 + 5)}[i&31 > 0] },
		},
		{
			name: "qualifiers in another order", body: inBranches(swapHalves, "shfl.bfly.sync.b32 %r2, %t, 16, 31, -1;\n"),
			want: func(i int) uint32 { return uint32(i ^ 16) },
		},
		{
			name: "no value in the other branch, thrown away",
			body: "mov.u32 %r2, 0;\n" + inBranches("shfl.sync.bfly.b32 %r3, %t, 16, 31, -1;\n", "shfl.sync.bfly.b32 %r2, %r9, 16, 31, -1;\n"),
			want: func(i int) uint32 { return map[bool]uint32{true: 0, false: uint32(i ^ 16)}[i&31 < 16] },
		},
	})
}

// TestCollectivesSpread compares a collective that all lanes execute at one instruction with the same collective in
// four branches that split the lanes.
func TestCollectivesSpread(t *testing.T) {
	t.Parallel()
	const inputs = `mad.lo.u32 %r1, %l, 7, 5; and.b32 %r1, %r1, 13;
	mad.lo.u32 %r3, %l, 5, 3; and.b32 %r3, %r3, 31;
	and.b32 %r4, %l, 5; setp.eq.u32 %p6, %r4, 1; setp.ne.u32 %p7, %l, %l;
	mad.lo.u32 %r5, %l, 11, 3; shr.u32 %r5, %r5, 2; and.b32 %r5, %r5, 3;
	and.b32 %r6, %l, 24; mov.u32 %r7, 255; shl.b32 %r7, %r7, %r6;
	mov.u32 %r2, 0;
`
	out := "selp.u32 %r8, 1000, 0, %p7;\nadd.u32 %r2, %r2, %r8;\nst.global.u32 [%po], %r2;\n"
	branches := func(op string) string {
		s := ""
		for k := range 4 {
			n := string(rune('0' + k))
			own := strings.NewReplacer("%r1,", "%r1"+n+",", "%r3,", "%r2"+n+",", "%r2", "%r3").Replace(op)
			s += "setp.ne.u32 %p8, %r5, " + n + ";\n@%p8 bra L" + n + ";\nmov.u32 %r1" + n + ", %r1;\nmov.u32 %r2" + n +
				", %r3;\nmov.u32 %r3, 0;\n" + own + "mov.u32 %r2, %r3;\nbra END;\nL" + n + ":\n"
		}
		return s + "END:\n"
	}
	for _, op := range []string{
		"shfl.sync.up.b32 %r2|%p7, %r1, %r3, 0, MASK;\n", "shfl.sync.down.b32 %r2|%p7, %r1, %r3, 31, MASK;\n",
		"shfl.sync.bfly.b32 %r2|%p7, %r1, %r3, 0x181f, MASK;\n", "shfl.sync.idx.b32 %r2|%p7, %r1, %r3, 0x181f, MASK;\n",
		"vote.sync.all.pred %p7, %p6, MASK;\n", "vote.sync.any.pred %p7, !%p6, MASK;\n", "vote.sync.uni.pred %p7, %p6, MASK;\n",
		"vote.sync.ballot.b32 %r2, !%p6, MASK;\n", "match.any.sync.b32 %r2, %r1, MASK;\n", "match.all.sync.b32 %r2|%p7, %r1, MASK;\n",
		"redux.sync.add.u32 %r2, %r1, MASK;\n", "redux.sync.min.s32 %r2, %r1, MASK;\n", "redux.sync.xor.b32 %r2, %r1, MASK;\n",
		"elect.sync %r2|%p7, MASK;\n",
	} {
		for _, member := range []string{"-1", "%r7"} {
			op, inputs := strings.Replace(op, "MASK", member, 1), inputs
			if member != "-1" { // tiles of 8 lanes
				op = strings.NewReplacer(", 0, ", ", 0x1800, ", ", 31, ", ", 0x181f, ").Replace(op)
				inputs += "and.b32 %r3, %r3, 7;\n"
			}
			one := trial{body: inputs + op + out}
			want, err := one.run(t, loadText(t, one.source()), 0)
			if err != nil {
				t.Fatalf("%s: %v", op, err)
			}
			trials(t, []trial{{
				name: op, body: inputs + branches(op) + out, want: func(i int) uint32 { return want[i] },
			}})
		}
	}
}

// TestCollectivesApartWrong checks the findings about lanes that wait for each other at different collectives, or that
// read a lane which does not take part.
func TestCollectivesApartWrong(t *testing.T) {
	t.Parallel()
	const differ = "meet only at instructions with the same opcode and qualifiers"
	for _, x := range []struct{ name, low, high string }{
		{"modes of a shuffle", "shfl.sync.up.b32 %r2, %t, 1, 0, -1; //!\n", "shfl.sync.down.b32 %r2, %t, 1, 31, -1; //!\n"},
		{"votes", "vote.sync.all.pred %p6, 1, -1; //!\n", "vote.sync.any.pred %p6, 1, -1; //!\n"},
		{"types of a match", "match.any.sync.b32 %r2, %t, -1; //!\n", "match.any.sync.b64 %r2, %pi, -1; //!\n"},
		{"a barrier and a shuffle", "bar.warp.sync -1; //!\n", "shfl.sync.bfly.b32 %r2, %t, 1, 31, -1; //!\n"},
	} {
		body := "mov.u32 %r2, 0;\n" + inBranches(x.low, x.high)
		trials(t, []trial{{name: x.name, body: body, kind: sim.KindDivergent, text: differ}})
	}
	const swap = "shfl.sync.bfly.b32 %r2, %t, 16, 31, -1;\n"
	trials(t, []trial{
		{
			name: "membermasks", kind: sim.KindDivergent, text: "the membermask is 0x",
			body: inBranches("shfl.sync.bfly.b32 %r2, %t, 16, 31, 0x1ffff; //!\n", "shfl.sync.bfly.b32 %r2, %t, 16, 31, -1; //!\n"),
		},
		{
			name: "a lane of another shuffle", kind: sim.KindUninitialised, text: "does not take part",
			body: inBranches("shfl.sync.idx.b32 %r2, %t, 20, 31, 0xffff; //!\n", "shfl.sync.bfly.b32 %r2, %t, 1, 31, 0xffff0000;\n"),
		},
		{
			name: "a lane that has exited", kind: sim.KindUninitialised, text: "lane 30, which does not take part",
			body: inBranches("shfl.sync.idx.b32 %r2, %t, 30, 31, -1; //!\n",
				"setp.gt.u32 %p6, %l, 28;\n@%p6 exit;\nshfl.sync.idx.b32 %r2, %t, 30, 31, -1; //!\n"),
		},
		{
			name: "no value in the other branch", kind: sim.KindUninitialised, text: "reads register %r9, to which nothing was written in lanes 0xffff0000",
			body: inBranches(swap+swap, swap+"shfl.sync.bfly.b32 %r2, %r9, 16, 31, -1; //!\n"),
		},
		{
			name: "no value for an operand", kind: sim.KindUninitialised, text: "reads register %r9",
			body: inBranches(swap, "shfl.sync.bfly.b32 %r2, %t, %r9, 31, -1; //!\n"),
		},
	})
}

// TestCollectivesOfOldTargets checks that, before sm_70, lanes do not meet at two instructions, and that the finding
// names both instructions.
func TestCollectivesOfOldTargets(t *testing.T) {
	t.Parallel()
	x := trial{block: 32, body: inBranches("vote.sync.any.pred %p6, 1, -1; //!\n", "vote.sync.any.pred %p6, 1, -1; //!\n")}
	src := strings.NewReplacer(".version 9.0", ".version 6.0", "sm_90a", "sm_60").Replace(x.source())
	_, err := x.run(t, loadText(t, src), 0)
	f, ok := errors.AsType[*sim.Finding](err)
	marked := lines(src)
	if !ok || f.Kind != sim.KindDivergent || !marked[f.Pos.Line] || !marked[f.Other.Line] || f.Pos == f.Other {
		t.Errorf("got %v, want a finding at two of the lines %v", err, marked)
	}
}
