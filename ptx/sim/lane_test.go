package sim_test

import (
	"strings"
	"testing"

	"girih/ptx/sim"
)

// TestLanes checks lanes of one warp that exchange values, with and without a bar.warp.sync.
func TestLanes(t *testing.T) {
	t.Parallel()
	const (
		bang = "//!"
		meet = "bar.warp.sync -1;\n"
		put  = "add.u32 %r1, %t, 9;\nst.shared.u32 [%st], %r1;"
		out  = "st.global.u32 [%po], %r2;\n"
	)
	turned := func(n string) string {
		return "xor.b32 %r3, %l, " + n + ";\nsub.u32 %r4, %t, %l;\nadd.u32 %r3, %r3, %r4;\nmad.lo.u32 %r3, %r3, 4, %s;\n"
	}
	exchange := func(sync, mark string) string {
		return put + mark + "\n" + sync + turned("5") + "ld.shared.u32 %r2, [%r3];" + mark + "\n" + out
	}
	// tree adds up a warp's values: in each step the lower half adds the values of the upper half.
	tree := func(sync, mark string) string {
		body := put + mark + "\n" + sync
		for _, n := range []string{"16", "8", "4"} {
			body += "setp.lt.u32 %p5, %l, " + n + ";\nld.shared.u32 %r2, [%st];\nadd.u32 %r3, %st, " + n + "*4;\n" +
				"@%p5 ld.shared.u32 %r4, [%r3];" + mark + "\n" + sync + "@%p5 add.u32 %r2, %r2, %r4;\n" +
				"@%p5 st.shared.u32 [%st], %r2;" + mark + "\n" + sync
		}
		return body
	}
	// halves lets the lanes of each half exchange values, in different branches.
	halves := func(low, high, n, mark string) string {
		return put + mark + "\n" + turned(n) + "setp.lt.u32 %p5, %l, 16;\n@%p5 bra LOW;\n" + high +
			"ld.shared.u32 %r2, [%r3];" + mark + "\nbra END;\n" +
			"LOW:\n" + low + "ld.shared.u32 %r2, [%r3];" + mark + "\nEND:\n" + out
	}
	// give lets warp 0 fill a tile for which warp 1 waits. One lane arrives for warp 0.
	give := func(sync, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 1;\nbar.sync 0;\n@!%p2 bra WAIT;\n" + put + mark + "\n" + sync +
			"@%p0 mbarrier.arrive.shared.b64 _, [%m];\nbra OUT;\nWAIT:\n" + waitFor("%m", 0, "") +
			"mad.lo.u32 %r3, %l, 4, %s;\nld.shared.u32 %r2, [%r3];" + mark + "\n" + "OUT:\n"
	}
	// back lets warp 1 read a tile and return it to warp 0, which overwrites it.
	back := func(sync, arrive, count, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], " + count + ";\nmad.lo.u32 %r3, %l, 4, %s;\n" + put + "\n" +
			"bar.sync 0;\n@%p2 bra WAIT;\n" +
			"ld.shared.u32 %r2, [%r3];" + mark + "\n" + sync + arrive + "mbarrier.arrive.shared.b64 _, [%m];\n" +
			"bra OUT;\nWAIT:\n" + waitFor("%m", 0, "") +
			"st.shared.u32 [%r3], 77;" + mark + "\nOUT:\n"
	}
	copied := func(sync, mark string) string {
		return "cp.async.ca.shared.global [%st], [%pi], 4;" + mark + "\ncp.async.wait_all;\n" +
			sync + turned("1") + "ld.shared.u32 %r2, [%r3];" + mark + "\n" + out
	}
	histogram := func(op, mark string) string {
		return "mad.lo.u32 %r5, %l, 4, %s;\nst.shared.u32 [%r5], 0;\n" + "bar.sync 0;\n@!%p2 bra OUT;\n" +
			"shr.u32 %r3, %l, 1;\nmad.lo.u32 %r3, %r3, 4, %s;\n" + op + "\nOUT:\n"
	}
	matrix := func(sync, mark string) string {
		return "mad.lo.u32 %r5, %l, 16, %s;\nmov.u32 %r6, %t;\n" +
			"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r5], {%r6, %r6, %r6, %r6};" + mark + "\n" + sync +
			"mad.lo.u32 %r7, %l, 4, %s;\nld.shared.u32 %r2, [%r7];" + mark + "\n" + out
	}
	pairs(t, []pair{
		{name: "exchange", block: 64, sound: exchange(meet, ""), broken: exchange("", bang)},
		{name: "exchange, and a fence", block: 32, sound: exchange("bar.sync 0;\n", ""), broken: exchange("fence.acq_rel.cta;\n", bang)},
		{name: "exchange, and a shuffle", block: 32, sound: exchange(meet, ""), broken: exchange("shfl.sync.idx.b32 %r9, %r1, 0, 31, -1;\n", bang)},
		{name: "tree", block: 32, sound: tree(meet, ""), broken: tree("", bang)},
		{name: "halves", block: 32, sound: halves("bar.warp.sync 0xffff;\n", "bar.warp.sync 0xffff0000;\n", "5", ""), broken: halves("bar.warp.sync 0xffff;\n", "", "5", bang)},
		{name: "halves that exchange with each other", block: 32, sound: meetFirst(halves("", "", "17", "")), broken: halves("bar.warp.sync 0xffff;\n", "bar.warp.sync 0xffff0000;\n", "17", bang)},
		{name: "quarters", block: 32, sound: halves("bar.warp.sync 0xffff;\n", "bar.warp.sync 0xffff0000;\n", "9", ""), broken: halves(quarter("0xff", "0xff00"), "bar.warp.sync 0xffff0000;\n", "9", bang)},
		{name: "one lane gives a tile", block: 64, sound: give(meet, ""), broken: give("", bang)},
		{name: "one lane gives a tile back", block: 64, sound: back(meet, "@%p1 ", "1", ""), broken: back("", "@%p1 ", "1", bang)},
		{name: "all lanes give a tile back", block: 64, sound: back("", "", "32", ""), broken: back("", "setp.lt.u32 %p6, %l, 31;\n@%p6 ", "31", bang)},
		{name: "copies of other lanes", block: 32, sound: copied(meet, ""), broken: copied("", bang)},
		{name: "a histogram", block: 64, sound: histogram("red.shared.add.u32 [%r3], %l;", ""), broken: histogram("ld.shared.u32 %r2, [%r3];//!\nadd.u32 %r2, %r2, %l;\nst.shared.u32 [%r3], %r2; //!", "")},
		{name: "a matrix", block: 32, sound: matrix(meet, ""), broken: matrix("", bang)},
	})
	trials(t, []trial{
		{name: "bytes of a word", block: 32, body: "add.u32 %r1, %s, %l;\nst.shared.u8 [%r1], %t;\nld.shared.u8 %r2, [%r1];\nst.shared.u8 [%r1], 7;\n"},
		{name: "halves of a word", block: 32, body: "mov.u16 %h1, 7;\nmad.lo.u32 %r1, %l, 2, %s;\nst.shared.u16 [%r1], %h1;\nld.shared.u16 %h2, [%r1];\nmov.u16 %h1, 8;\nst.shared.u16 [%r1], %h1;\n"},
		{name: "a lane's own words", block: 64, body: put + "\nld.shared.u32 %r2, [%st];\nadd.u32 %r2, %r2, 1;\nst.shared.u32 [%st], %r2;\nld.shared.u32 %r2, [%st];\n" + out, want: func(i int) uint32 { return uint32(i + 10) }},
		{name: "an instruction that all lanes execute together", block: 32, body: put + "\nmad.lo.u32 %r5, %l, 16, %s;\nand.b32 %r5, %r5, 127;\nadd.u32 %r5, %r5, %s;\nand.b32 %r6, %l, 7;\nmad.lo.u32 %r5, %r6, 16, %s;\n" + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r5];\nst.shared.u32 [%st], %r6;\n"},
		{name: "two lanes of one store", block: 32, body: "shr.u32 %r1, %t, 1;\nmad.lo.u32 %r1, %r1, 4, %s;\nst.shared.u32 [%r1], %t; //!\n", kind: sim.KindRace, text: "at the same instruction"},
	})
}

// TestSyncedApart checks lanes that meet at different instructions. PTX allows this for bar.warp.sync and barrier.sync.
func TestSyncedApart(t *testing.T) {
	t.Parallel()
	const (
		put  = "add.u32 %r1, %t, 9;\nst.shared.u32 [%st], %r1;\nxor.b32 %r3, %t, 17;\nmad.lo.u32 %r3, %r3, 4, %s;\nsetp.lt.u32 %p5, %l, 16;\n"
		get  = "ld.shared.u32 %r2, [%r3];\n"
		lost = "ld.shared.u32 %r2, [%r3]; //!\n"
		out  = "st.global.u32 [%po], %r2;\n"
		flag = "st.volatile.shared.u32 [%s], 0;\nbar.warp.sync -1;\n"
	)
	branches := func(high, low, load string) string {
		return put + "@%p5 bra LOW;\n" + high + load + "bra END;\nLOW:\n" + low + load + "END:\n" + out
	}
	want := func(i int) uint32 { return uint32(i^17) + 9 }
	// chain lets lanes 0 and 1, which are on one path, meet lanes 2 and 3. Lane 3 waits for lane 2 before.
	chain := func(mask string) string {
		return flag + `setp.gt.u32 %p5, %l, 3;
	@%p5 bra END;
	mov.u32 %r1, 5;
	setp.eq.u32 %p6, %l, 1;
	@%p6 mov.u32 %r1, 10;
	setp.eq.u32 %p7, %l, 2;
	@%p7 bra TWO;
	setp.eq.u32 %p8, %l, 3;
	@%p8 bra THREE;
	bar.warp.sync %r1; //!
	bra END;
TWO:	bar.warp.sync 5;
	st.volatile.shared.u32 [%s], 1;
	bra END;
THREE:	ld.volatile.shared.u32 %r2, [%s];
	setp.eq.u32 %p9, %r2, 0;
	@%p9 bra THREE;
	bar.warp.sync ` + mask + `;
END:	bar.warp.sync -1; //!
`
	}
	// In pieces, each quarter of the warp reaches an instruction while the others continue for so long that the
	// simulator no longer waits for them: the second quarter arrives third. The two halves do not wait for each other.
	pieces := `setp.lt.u32 %p5, %l, 16;
	selp.b32 %r4, 0xffff, 0xffff0000, %p5;
	shr.u32 %r1, %l, 3;
	setp.eq.u32 %p6, %r1, 1;
	setp.eq.u32 %p7, %r1, 2;
	setp.eq.u32 %p8, %r1, 3;
	mov.u32 %r5, 0;
	@%p6 mov.u32 %r5, 36000;
	@%p7 mov.u32 %r5, 20000;
	@%p8 mov.u32 %r5, 100000;
	mov.u32 %r6, 0;
LOOP:	setp.ge.u32 %p9, %r6, %r5;
	@%p9 bra M;
	add.u32 %r6, %r6, 1;
	bra LOOP;
M:	shfl.sync.bfly.b32 %r2, %t, 8, 31, %r4;
	st.global.u32 [%po], %r2;
`
	const both = "bar.warp.sync -1;\n"
	trials(t, []trial{
		{name: "two branches", block: 32, body: branches(both, both, get), want: want},
		{name: "two branches, one after the other", block: 64, body: branches(both+"bar.warp.sync 0xffff0000;\n", "bar.warp.sync 0xffff;\n"+both, get), want: want},
		{name: "two guards", block: 32, body: put + "@%p5 bar.warp.sync -1;\n@!%p5 bar.warp.sync -1;\n" + get + out, want: want},
		{name: "in a function and out of it", block: 32, body: put + "@%p5 bar.warp.sync -1;\n@%p5 bra OVER;\nbar.warp.sync -1;\nOVER:\n" + get + out, want: want},
		{name: "one waits for another", block: 32, body: chain("10")},
		{name: "halves in pieces", block: 32, body: pieces, want: func(i int) uint32 { return uint32(i ^ 8) }},
		{name: "each its half", block: 32, body: branches("bar.warp.sync 0xffff0000;\n", "bar.warp.sync 0xffff;\n", lost), kind: sim.KindRace, or: sim.KindUninitialised},
		{name: "a branch without", block: 32, body: branches("bar.warp.sync -1; //!\n", "", "mov.u32 %r2, 1;\n") + "bar.sync 0; //!\n", kind: sim.KindDivergent, text: "which never come"},
		{name: "other membermasks", block: 32, body: branches("bar.warp.sync -1; //!\n", "bar.warp.sync 0x1ffff; //!\n", get), kind: sim.KindDivergent, text: "0x0001ffff in lanes 0x0000ffff"},
		{name: "a membermask that nobody shares", block: 32, body: chain("8"), kind: sim.KindDivergent, text: "the membermask is 0x"},
		{name: "two votes in branches, which order nothing", block: 32, body: branches("vote.sync.all.pred %p6, 1, -1;\n", "vote.sync.all.pred %p6, 1, -1;\n", lost), kind: sim.KindRace},

		{name: "barriers in branches", block: 64, body: strings.ReplaceAll(branches("barrier.sync 1;\n", "barrier.sync 1;\n", get), "17", "49"), want: func(i int) uint32 { return uint32(i^49) + 9 }},
		{name: "barriers of a count in branches", block: 64, body: strings.ReplaceAll(branches("barrier.sync 1, 64;\n", "barrier.sync 1, 64;\n", get), "17", "49"), want: func(i int) uint32 { return uint32(i^49) + 9 }},
		{name: "barriers in branches of a warp that has lost lanes", block: 64, body: "setp.gt.u32 %p6, %t, 55;\n@%p6 exit;\n" + branches("barrier.sync 1, 64;\n", "barrier.sync 1, 64;\n", "ld.shared.u32 %r2, [%s];\n"), want: func(i int) uint32 { return map[bool]uint32{true: 9}[i < 56] }},
		{name: "barriers in branches of a warp that loses lanes", block: 64, body: "setp.gt.u32 %p6, %t, 55;\n" + branches("@%p6 exit;\nbarrier.sync 1, 64;\n", "barrier.sync 1, 64;\n", "ld.shared.u32 %r2, [%s];\n"), want: func(i int) uint32 { return map[bool]uint32{true: 9}[i < 56] }},
		{name: "aligned barriers in branches", block: 64, body: branches("bar.sync 1; //!\n", "bar.sync 1; //!\n", get), kind: sim.KindDivergent},
	})
	old := trial{block: 32, body: branches(both, both, get)}
	src := strings.NewReplacer(".version 9.0", ".version 6.0", "sm_90a", "sm_60").Replace(old.source())
	if _, err := old.run(t, loadText(t, src), 0); err == nil || !strings.Contains(err.Error(), "before sm_70") {
		t.Errorf("on sm_60, lanes at two instructions: got %v", err)
	}
}

// meetFirst puts a bar.warp.sync after the first store.
func meetFirst(body string) string {
	const store = "st.shared.u32 [%st], %r1;\n"
	return body[:len("add.u32 %r1, %t, 9;\n"+store)] + "bar.warp.sync -1;\n" + body[len("add.u32 %r1, %t, 9;\n"+store):]
}

// quarter lets the lower lanes of a half meet, and then the upper lanes.
func quarter(low, high string) string {
	return "setp.lt.u32 %p6, %l, 8;\n@%p6 bra QUARTER;\nbar.warp.sync " + high + ";\nbra BOTH;\nQUARTER:\n" +
		"bar.warp.sync " + low + ";\nBOTH:\n"
}
