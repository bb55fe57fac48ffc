package sim_test

import (
	"testing"

	"girih/ptx/sim"
)

// TestLanesGlobal is TestLanes for global memory, where each record covers several lanes.
func TestLanesGlobal(t *testing.T) {
	t.Parallel()
	const (
		bang = "//!"
		meet = "bar.warp.sync -1;\n"
	)
	// at sets %rd5 to the address of element index, whose size is n. index is an expression of the lane.
	at := func(index, n string) string {
		return index + "\nmul.wide.u32 %rd5, %r3, " + n + ";\nadd.s64 %rd5, %rd5, %out;\n"
	}
	own := func(n string) string { return at("mov.u32 %r3, %t;", n) }
	turned := func(x, n string) string { return at("xor.b32 %r3, %t, "+x+";", n) }
	const value = "add.u32 %r1, %t, 9;\n"
	exchange := func(sync, mark string) string {
		return value + own("4") + "st.global.u32 [%rd5], %r1;" + mark + "\n" + sync + turned("5", "4") +
			"ld.global.u32 %r2, [%rd5];" + mark + "\n"
	}
	// spaced stores words that are n bytes apart.
	spaced := func(n, sync, mark string) string {
		return value + own(n) + "st.global.u32 [%rd5], %r1;" + mark + "\n" + sync + turned("1", n) +
			"ld.global.u32 %r2, [%rd5];" + mark + "\n"
	}
	reversed := func(sync, mark string) string {
		return value + turned("31", "4") + "st.global.u32 [%rd5], %r1;" + mark + "\n" + sync + own("4") +
			"ld.global.u32 %r2, [%rd5];" + mark + "\n"
	}
	// wide stores 16 bytes per lane; then four lanes read 4 of these bytes each.
	wide := func(sync, mark string) string {
		return value + own("16") + "st.global.v4.u32 [%rd5], {%r1, %r1, %r1, %r1};" + mark + "\n" + sync + own("4") +
			"ld.global.u32 %r2, [%rd5];" + mark + "\n"
	}
	// early reads words that other lanes then store to.
	early := func(from, sync, mark string) string {
		return from + "ld.global.u32 %r2, [%rd5];" + mark + "\n" + sync + value + own("4") +
			"st.global.u32 [%rd5], %r1;" + mark + "\n"
	}
	// one lets all lanes read a word, and then the first lane store to it.
	one := func(sync, mark string) string {
		return "ld.global.u32 %r2, [%out];" + mark + "\n" + sync + "@%p1 st.global.u32 [%out], 7;" + mark + "\n"
	}
	halves := func(low, high, n, mark string) string {
		return value + own("4") + "st.global.u32 [%rd5], %r1;" + mark + "\nsetp.lt.u32 %p5, %l, 16;\n@%p5 bra LOW;\n" +
			high +
			turned(n, "4") + "ld.global.u32 %r2, [%rd5];" + mark + "\nbra END;\n" +
			"LOW:\n" + low + turned(n, "4") + "ld.global.u32 %r2, [%rd5];" + mark + "\nEND:\n"
	}
	// counts lets lanes set counters to which other lanes then add.
	counts := func(sync, mark string) string {
		return own("4") + "st.global.u32 [%rd5], 1;" + mark + "\n" + sync + turned("3", "4") +
			"red.global.add.u32 [%rd5], 1;" + mark + "\n"
	}
	total := func(sync, mark string) string {
		return own("4") + "red.global.add.u32 [%rd5], 1;" + mark + "\n" + sync + turned("3", "4") +
			"ld.global.u32 %r2, [%rd5];" + mark + "\n"
	}
	copies := func(sync, mark string) string {
		return value + own("4") + "st.global.u32 [%rd5], %r1;" + mark + "\n" + sync + turned("1", "4") +
			"cp.async.ca.shared.global [%st], [%rd5], 4;" + mark + "\ncp.async.wait_all;\n"
	}
	// give lets all lanes of a warp in block 0 store, and then one of them release to block 1.
	give := func(sync, mark string) string {
		return value + "setp.eq.u32 %p5, %b, 1;\n@%p5 bra ASK;\n" + own("4") + "st.global.u32 [%rd5], %r1;" + mark + "\n" +
			sync +
			"@%p0 st.release.gpu.global.u32 [%out+1024], 1;\nbra END;\nASK:\n" +
			"ld.acquire.gpu.global.u32 %r5, [%out+1024];\nsetp.eq.u32 %p6, %r5, 0;\n@%p6 bra ASK;\n" +
			own("4") + "ld.global.u32 %r2, [%rd5];" + mark + "\nEND:\n"
	}
	back := func(sync, mark string) string {
		return value + "setp.eq.u32 %p5, %b, 1;\n@%p5 bra ASK;\n" + own("4") + "ld.global.u32 %r2, [%rd5];" + mark + "\n" +
			sync +
			"@%p0 st.release.gpu.global.u32 [%out+1024], 1;\nbra END;\nASK:\n" +
			"ld.acquire.gpu.global.u32 %r5, [%out+1024];\nsetp.eq.u32 %p6, %r5, 0;\n@%p6 bra ASK;\n" +
			own("4") + "st.global.u32 [%rd5], %r1;" + mark + "\nEND:\n"
	}
	pairs(t, []pair{
		{name: "exchange", block: 64, sound: exchange(meet, ""), broken: exchange("", bang)},
		{name: "exchange, and a fence", block: 32, sound: exchange("bar.sync 0;\n", ""), broken: exchange("fence.acq_rel.gpu;\n", bang)},
		{name: "exchange, and a shuffle", block: 32, sound: exchange(meet, ""), broken: exchange("shfl.sync.idx.b32 %r9, %r1, 0, 31, -1;\n", bang)},
		{name: "words 8 bytes apart", block: 32, sound: spaced("8", meet, ""), broken: spaced("8", "", bang)},
		{name: "words 12 bytes apart", block: 32, sound: spaced("12", meet, ""), broken: spaced("12", "", bang)},
		{name: "words 256 bytes apart", block: 32, sound: spaced("256", meet, ""), broken: spaced("256", "", bang)},
		{name: "reversed", block: 32, sound: reversed(meet, ""), broken: reversed("", bang)},
		{name: "vectors", block: 32, sound: wide(meet, ""), broken: wide("", bang)},
		{name: "reads first", block: 32, sound: early(turned("5", "4"), "bar.sync 0;\n", ""), broken: early(at("mov.u32 %r3, 3;", "4"), "", bang)},
		{name: "all read a word", block: 32, sound: one(meet, ""), broken: one("", bang)},
		{name: "halves", block: 32, sound: halves("bar.warp.sync 0xffff;\n", "bar.warp.sync 0xffff0000;\n", "5", ""), broken: halves("bar.warp.sync 0xffff;\n", "", "5", bang)},
		{name: "quarters", block: 32, sound: halves("bar.warp.sync 0xffff;\n", "bar.warp.sync 0xffff0000;\n", "9", ""), broken: halves(quarter("0xff", "0xff00"), "bar.warp.sync 0xffff0000;\n", "9", bang)},
		{name: "counters", block: 64, sound: counts(meet, ""), broken: counts("", bang)},
		{name: "totals", block: 64, sound: total(meet, ""), broken: total("", bang)},
		{name: "copies", block: 64, sound: copies(meet, ""), broken: copies("", bang)},
		{name: "one lane gives", block: 32, grid: 2, sound: give(meet, ""), broken: give("", bang)},
		{name: "one lane gives back", block: 32, grid: 2, sound: back(meet, ""), broken: back("", bang)},
	})
	trials(t, []trial{
		{name: "a lane's own words", block: 64, body: value + own("4") + "st.global.u32 [%rd5], %r1;\nld.global.u32 %r2, [%rd5];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd5], %r2;\nred.global.add.u32 [%rd5], 1;\nld.global.u32 %r2, [%rd5];\n", want: func(i int) uint32 { return uint32(i + 11) }},
		{name: "a lane's own vectors", block: 64, body: value + own("16") + "st.global.v4.u32 [%rd5], {%r1, %r1, %r1, %r1};\nld.global.v2.u32 {%r2, %r3}, [%rd5+8];\nld.global.u8 %r2, [%rd5+3];\nst.global.v2.u32 [%rd5], {%r2, %r2};\n"},
		{name: "bytes of a word", block: 32, body: own("1") + "st.global.u8 [%rd5], %t;\nld.global.u8 %r2, [%rd5];\nst.global.u8 [%rd5], 7;\n"},
		{name: "one value of all lanes", block: 32, body: "st.global.u32 [%out], 7;\nld.global.u32 %r2, [%out];\nst.global.u32 [%out], 7;\n"},
		{name: "reads of a lane, and of all", block: 32, body: own("4") + "ld.global.u32 %r2, [%rd5];\nld.global.u32 %r2, [%out];\n@%p0 bra END;\n" + value + "st.global.u32 [%rd5], %r1;\nEND:\n"},
		{name: "two lanes of one store", block: 32, body: at("shr.u32 %r3, %t, 1;", "4") + "st.global.u32 [%rd5], %t; //!\n", kind: sim.KindRace, text: "at the same instruction"},
	})
}
