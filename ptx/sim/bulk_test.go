package sim_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/ptx/sim"
)

// withBarrier begins a kernel with an mbarrier for one arrival, at %bar. %p7 is false in the first thread of a block.
const withBarrier = `.reg .b32 %bar;
	.shared .align 8 .b64 full;
	mov.u32 %bar, full;
	setp.ne.u32 %p7, %t, 0;
	@!%p7 mbarrier.init.shared::cta.b64 [%bar], 1;
	fence.mbarrier_init.release.cluster;
	` + sync

// wait waits for the first phase of the mbarrier.
const wait = "\nWAIT: mbarrier.try_wait.parity.shared::cta.b64 %p6, [%bar], 0; @!%p6 bra WAIT;\n"

// copyOut writes the first 256 words of arena to %out: 1 KB for each block of the cluster, after the first 4 KB.
const copyOut = `
	bar.sync 0;
	mov.u32 %r30, arena; shl.b32 %r31, %t, 2; add.u32 %r30, %r30, %r31;
	mad.lo.u32 %r31, %rank, 1024, %r31; cvt.u64.u32 %rd31, %r31; add.u64 %rd31, %out, %rd31;
	ld.shared.u32 %r29, [%r30]; st.global.u32 [%rd31+4096], %r29;`

// fillArena writes i to the words i and 256 + i of arena, with all 256 threads.
const fillArena = `
	mov.u32 %r30, arena; shl.b32 %r31, %t, 2; add.u32 %r30, %r30, %r31;
	st.shared.u32 [%r30], %t; st.shared.u32 [%r30+1024], %t;
	fence.proxy.async.shared::cta; bar.sync 0;
	`

// numbered returns n different words.
func numbered(n int) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = uint32(i)*2654435761 + 7
	}
	return v
}

// bulkRun runs body with 256 threads a block, all blocks in one cluster. %out points to 4 KB of numbers, then 16 KB
// of zeros, 1 KB for each block.
func bulkRun(t testing.TB, body string, blocks int) ([]uint32, error) {
	t.Helper()
	p := kernelOf(t, "", body)
	m := memory(t, p)
	out := put(t, m, append(numbered(1024), make([]uint32, 16*256)...))
	_, err := p.Run(context.Background(), m, sim.Launch{
		Grid: sim.Dim{X: blocks}, Cluster: sim.Dim{X: blocks}, Block: sim.Dim{X: 256}, Shared: 8192, Steps: 1 << 20,
		Args: []sim.Arg{sim.Pointer(out, 0)},
	})
	return get[uint32](t, out), err
}

func TestBulkLoads(t *testing.T) {
	t.Parallel()
	const cluster = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
	for name, c := range map[string]struct{ op, operands string }{
		"cluster": {cluster, "[%r2], [%rd1], %r3, [%bar]"},
		"cta":     {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes", "[%r2], [%rd1], %r3, [%bar]"},
		"hint":    {cluster + ".L2::cache_hint", "[%r2], [%rd1], %r3, [%bar], %rd2"},
		"offsets": {cluster, "[arena+32], [%out+48], 480, [full]"},
	} {
		got, err := bulkRun(t, fillArena+withBarrier+`
	createpolicy.fractional.L2::evict_last.b64 %rd2;
	mov.u32 %r2, arena; add.u32 %r2, %r2, 32; add.u64 %rd1, %out, 48; mov.u32 %r3, 480;
	@!%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], %r3;
	@!%p7 `+c.op+" "+c.operands+";"+wait+copyOut, 1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := make([]uint32, 256)
		for i := range want {
			want[i] = uint32(i)
			if i >= 8 && i < 8+120 {
				want[i] = numbered(1024)[i-8+12]
			}
		}
		if !slices.Equal(got[1024:1280], want) {
			t.Errorf("%s: got %x", name, got[1024:1280])
		}
	}
}

// TestBulkStores checks that the source of a store may be overwritten after wait_group.read, and the earlier bytes
// arrive; and that a byte mask selects bytes of each 16.
func TestBulkStores(t *testing.T) {
	t.Parallel()
	got, err := bulkRun(t, fillArena+`
	mov.u32 %r2, arena; setp.ne.u32 %p7, %t, 0; @%p7 bra DONE;
	cp.async.bulk.global.shared::cta.bulk_group [%out+16], [%r2+32], 64;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group.read 0;
	st.shared.u32 [%r2+32], 99;
	fence.proxy.async.shared::cta;
	cp.async.bulk.global.shared::cta.bulk_group [%out+128], [%r2+32], 16;
	cp.async.bulk.commit_group;
	cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%out+256], [%r2+48], 32, 0x8001;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 1;
	ld.global.u32 %r3, [%out+16]; ld.global.u32 %r4, [%out+128];
	add.u32 %r3, %r3, %r4; st.global.u32 [%out+512], %r3;
	cp.async.bulk.wait_group 0;
DONE:`, 1)
	want := numbered(1024)
	for i := range 16 {
		want[4+i] = uint32(8 + i)
	}
	for i := range 4 {
		want[32+i] = uint32(8 + i)
	}
	want[32] = 99
	for _, i := range []int{0, 4} { // bytes 0 and 15
		want[64+i] = want[64+i]&^0xff | uint32(12+i)
		want[64+i+3] &= 0xffffff
	}
	want[128] = 8 + 99
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("word %d: got %#x, want %#x", i, got[i], want[i])
		}
	}
}

// TestBulkMulticast checks that one of four blocks multicasts 64 bytes to blocks 0, 1 and 3 of the cluster, at the
// offsets of its own buffer and barrier.
func TestBulkMulticast(t *testing.T) {
	t.Parallel()
	got, err := bulkRun(t, fillArena+withBarrier+`
	setp.eq.u32 %p5, %rank, 2;
	@%p5 bra SEND;
	@!%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 64;
	bra.uni GET;
SEND: mov.u16 %h0, 0xb; mov.u32 %r2, arena;
	@!%p7 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2+128], [%out], 64, [%bar], %h0;
	bra.uni END;
GET:`+wait+copyOut+"\nEND:"+sync, 4)
	if err != nil {
		t.Fatal(err)
	}
	for rank := range 4 {
		for i := range 256 {
			want := uint32(i)
			if i >= 32 && i < 48 {
				want = numbered(1024)[i-32]
			}
			if rank == 2 {
				want = 0
			}
			if v := got[1024+256*rank+i]; v != want {
				t.Fatalf("block %d, word %d: got %#x, want %#x", rank, i, v, want)
			}
		}
	}
}

// TestBulkAmongBlocks checks copies, reductions, stores and sums of single words from each of three blocks to all.
func TestBulkAmongBlocks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		each  string // executed for each block, whose arena is at %r5 and whose barrier is at %r6
		bytes int    // that arrive at each block
		words int    // that change in each block
		want  func(i int) uint32
	}{
		"copies": {
			`mad.lo.u32 %r5, %rank, 64, %r5; add.u32 %r5, %r5, 1024;
			cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5], [%r2], 64, [%r6];`, 3 * 64, 48,
			func(i int) uint32 { return uint32(i % 16) },
		},
		"sums": {
			"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r5+1024], [%r2], 64, [%r6];",
			3 * 64, 16, func(i int) uint32 { return uint32(4 * i) },
		},
		"words": {
			`mad.lo.u32 %r5, %rank, 16, %r5; mov.u32 %r7, 5;
			st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%r5+1024], {%r7, %rank, %r7, %rank}, [%r6];`,
			3 * 16, 12, func(i int) uint32 { return []uint32{5, uint32(i / 4)}[i%2] },
		},
		"red": {
			"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r5+1024], %r4, [%r6];",
			3 * 4, 1, func(int) uint32 { return 3 * 1000 }, // and 3 times the rank
		},
	} {
		got, err := bulkRun(t, fillArena+withBarrier+fmt.Sprintf(`
	@!%%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %d;
	mov.u32 %%r2, arena; mov.u32 %%r4, 0;
	@%%p7 bra ALL;
`, c.bytes)+`
EACH: mapa.shared::cluster.u32 %r5, %r2, %r4; mapa.shared::cluster.u32 %r6, %bar, %r4;
	add.u32 %r4, %r4, 1000;
	`+c.each+`
	sub.u32 %r4, %r4, 999; setp.lt.u32 %p0, %r4, 3; @%p0 bra EACH;
ALL:`+wait+`
	mov.u32 %r30, arena; shl.b32 %r31, %t, 2; add.u32 %r30, %r30, %r31;
	mad.lo.u32 %r31, %rank, 1024, %r31; cvt.u64.u32 %rd31, %r31; add.u64 %rd31, %out, %rd31;
	ld.shared.u32 %r29, [%r30+1024]; st.global.u32 [%rd31+4096], %r29;`+sync, 3)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, v := range got[1024 : 1024+3*256] {
			want := uint32(i % 256)
			if i%256 < c.words {
				want = c.want(i % 256)
			}
			if name == "red" && i%256 == 0 {
				want += uint32(3 * (i / 256))
			}
			if v != want {
				t.Errorf("%s: block %d, word %d: got %d, want %d", name, i/256, i%256, v, want)
				break
			}
		}
	}
}

// TestBulkReductions compares reductions of arrays in global memory, by all operations and types, with an
// implementation for one element.
func TestBulkReductions(t *testing.T) {
	t.Parallel()
	f32 := func(a, b uint64) uint64 {
		return uint64(math.Float32bits(math.Float32frombits(uint32(a)) + math.Float32frombits(uint32(b))))
	}
	f64 := func(a, b uint64) uint64 { return math.Float64bits(math.Float64frombits(a) + math.Float64frombits(b)) }
	for _, c := range []struct {
		op   string
		bits int
		do   func(a, b uint64) uint64
	}{
		{"add.u32", 32, func(a, b uint64) uint64 { return a + b }},
		{"add.s32", 32, func(a, b uint64) uint64 { return a + b }},
		{"add.u64", 64, func(a, b uint64) uint64 { return a + b }},
		{"add.f32", 32, f32},
		{"add.f64", 64, f64},
		{"min.u32", 32, func(a, b uint64) uint64 { return min(a, b) }},
		{"max.u64", 64, func(a, b uint64) uint64 { return max(a, b) }},
		{"min.s32", 32, func(a, b uint64) uint64 { return uint64(uint32(min(int32(a), int32(b)))) }},
		{"max.s64", 64, func(a, b uint64) uint64 { return uint64(max(int64(a), int64(b))) }},
		{"inc.u32", 32, func(a, b uint64) uint64 {
			if a >= b {
				return 0
			}
			return a + 1
		}},
		{"dec.u32", 32, func(a, b uint64) uint64 {
			if a == 0 || a > b {
				return b
			}
			return a - 1
		}},
		{"and.b32", 32, func(a, b uint64) uint64 { return a & b }},
		{"or.b64", 64, func(a, b uint64) uint64 { return a | b }},
		{"xor.b64", 64, func(a, b uint64) uint64 { return a ^ b }},
	} {
		p := kernelOf(t, "", withBarrier+`
	@%p7 bra END;
	mov.u32 %r2, arena;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 512;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%out], 512, [%bar];`+wait+`
	cp.reduce.async.bulk.global.shared::cta.bulk_group.`+c.op+` [%out+512], [%r2], 512;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
END:`)
		m := memory(t, p)
		r := rand.New(rand.NewPCG(1, 2))
		data := make([]byte, 1024)
		for i := 0; i < len(data); i += 8 {
			binary.LittleEndian.PutUint64(data[i:], r.Uint64())
			switch c.op {
			case "add.f32": // finite
				binary.LittleEndian.PutUint32(data[i:], math.Float32bits(r.Float32()-0.5))
				binary.LittleEndian.PutUint32(data[i+4:], math.Float32bits(r.Float32()-0.5))
			case "add.f64":
				binary.LittleEndian.PutUint64(data[i:], math.Float64bits(r.Float64()-0.5))
			}
		}
		buf, err := m.Put("data", data)
		if err != nil {
			t.Fatal(err)
		}
		run(t, p, m, sim.Launch{Block: sim.Dim{X: 32}, Shared: 512, Args: []sim.Arg{sim.Pointer(buf, 0)}})
		at := func(b []byte, i int) uint64 {
			if c.bits == 32 {
				return uint64(binary.LittleEndian.Uint32(b[i:]))
			}
			return binary.LittleEndian.Uint64(b[i:])
		}
		for i := 0; i < 512; i += c.bits / 8 {
			a, b := at(data, 512+i), at(data, i)
			want := c.do(a, b)
			if c.bits == 32 {
				want = uint64(uint32(want))
			}
			if got := at(buf.Bytes(), 512+i); got != want {
				t.Fatalf("%s of %#x and %#x: got %#x, want %#x", c.op, a, b, got, want)
			}
		}
	}
}

func TestBulkFaults(t *testing.T) {
	t.Parallel()
	const load = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
	const many = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
	const store = "cp.async.bulk.global.shared::cta.bulk_group "
	const commit = " cp.async.bulk.commit_group; "
	for name, c := range map[string]struct {
		kind sim.Kind
		says []string
		body string
	}{
		"source off 16": {sim.KindAlign, []string{"multiple of 16", "cp.async.bulk"}, load + "[%r2], [%out+8], 64, [%bar];"},
		"place off 16":  {sim.KindAlign, nil, load + "[%r2+4], [%out], 64, [%bar];"},
		"size off 16": {
			sim.KindArgument,
			[]string{"24 bytes", "PTX ISA, cp.async.bulk"},
			load + "[%r2], [%out], 24, [%bar];",
		},
		"barrier off 8": {sim.KindAlign, nil, load + "[%r2], [%out], 32, [%bar+4];"},
		"no barrier":    {sim.KindUninitialised, []string{"mbarrier.init"}, load + "[%r2], [%out], 32, [%r2+1024];"},
		"behind buffer": {
			sim.KindBounds,
			[]string{"32 bytes read", "20480 bytes"},
			load + "[%r2], [%out+20464], 32, [%bar];",
		},
		"behind shared": {sim.KindBounds, []string{"32 bytes written"}, load + "[%r2+8192], [%out], 32, [%bar];"},
		"twice":         {sim.KindWritePending, nil, load + "[%r2], [%out], 64, [%bar];" + load + "[%r2+48], [%out], 64, [%bar];"},
		"unknown block": {
			sim.KindArgument,
			[]string{"ctaMask 0x4", "2 blocks"},
			"mov.u16 %h0, 4;" + many + "[%r2], [%out], 64, [%bar], %h0;",
		},
		"read early": {
			sim.KindReadPending,
			[]string{"mbarrier.try_wait"},
			load + "[%r2], [%out], 64, [%bar]; ld.shared.u32 %r3, [%r2+60];",
		},
		"write early":    {sim.KindWritePending, nil, load + "[%r2], [%out], 64, [%bar]; st.shared.u32 [%r2+60], %r2;"},
		"source changed": {sim.KindWritePending, nil, load + "[%r2], [%out], 64, [%bar]; st.global.u32 [%out+60], %r2;"},
		"left":           {sim.KindExited, []string{"writes to", "mbarrier.try_wait"}, load + "[%r2], [%out], 64, [%bar];"},
		"left unread":    {sim.KindExited, []string{"reads", "wait_group"}, store + "[%out], [%r2], 64;" + commit},
		"not waited": {
			sim.KindReadPending,
			[]string{"cp.async.bulk.wait_group"},
			store + "[%out], [%r2], 64;" + commit + "cp.async.bulk.wait_group.read 0; ld.global.u32 %r3, [%out+60];",
		},
		"not committed": {
			sim.KindReadPending, nil,
			store + "[%out], [%r2], 64; cp.async.bulk.wait_group 0; ld.global.u32 %r3, [%out];",
		},
		"wrong group": {
			sim.KindReadPending, nil,
			store + "[%out], [%r2], 64;" + commit + "cp.async.bulk.wait_group 1; ld.global.u32 %r3, [%out];",
		},
		"source reused": {
			sim.KindWritePending,
			[]string{".read"},
			store + "[%out], [%r2], 64;" + commit + "st.shared.u32 [%r2], %r2;",
		},
		"few bytes": {
			sim.KindTxCount,
			[]string{"expects 48", "bring 64"},
			"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 48;" + load + "[%r2], [%out], 64, [%bar];" + wait,
		},
		"unwritten sums": {
			sim.KindUninitialised,
			[]string{"to which nothing was written"},
			"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%r2+4096], 64;" + commit + "cp.async.bulk.wait_group 0;",
		},
		"two blocks": {
			sim.KindArgument,
			[]string{"not in the shared memory of one block"},
			"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r2], 1, [%r9];",
		},
		"odd words": {
			sim.KindAlign, nil,
			"st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r2+4], {%r2, %r2}, [%bar];",
		},
		"prefetch": {
			sim.KindAlign,
			[]string{"cp.async.bulk.prefetch"},
			"cp.async.bulk.prefetch.L2.global [%out], 64; cp.async.bulk.prefetch.L2.global [%out+8], 64;",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := bulkRun(t, fillArena+withBarrier+`
	mov.u32 %r2, arena; xor.b32 %r8, %rank, 1; mapa.shared::cluster.u32 %r9, %bar, %r8;
	setp.ne.u32 %p5, %rank, 0; or.pred %p5, %p5, %p7; @%p5 bra END;
	`+c.body+"\nEND:"+sync, 2)
			wants(t, err, c.kind, c.says...)
		})
	}
}
