package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"girih/dtype"
	"girih/ptx/sim"
)

// pairKernel multiplies 256 by 16 halves by 64 by 16 halves, or 128 by 16 with another instruction descriptor, in a
// pair of blocks: each has half of the rows of A and of B. Thread 0 of the even block issues the product for both.
const pairKernel = `.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) .reqnctapercluster 2, 1, 1
{
	.reg .b32 %r<100>; .reg .b64 %rd<20>; .reg .pred %p<9>; .reg .b16 %h<2>;
	.shared .align 1024 .b8 tile[8192];
	.shared .align 8 .b64 bar;
	.shared .align 4 .b32 slot;
	ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
	mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, tile;
	setp.eq.u32 %p0, %r0, 0; setp.lt.u32 %p1, %r0, 32;
	mul.wide.u32 %rd3, %r1, WORDS; add.u64 %rd1, %rd1, %rd3;
	mov.u32 %r3, %r0;
COPY:
	setp.ge.u32 %p3, %r3, WORDS/4;
	@%p3 bra COPIED;
	mul.wide.u32 %rd4, %r3, 4; add.u64 %rd4, %rd4, %rd1; ld.global.b32 %r4, [%rd4];
	mad.lo.u32 %r5, %r3, 4, %r2; st.shared.b32 [%r5], %r4; add.u32 %r3, %r3, 128;
	bra COPY;
COPIED:
	fence.proxy.async.shared::cta;
	@%p0 mbarrier.init.shared.b64 [bar], 1;
	fence.mbarrier_init.release.cluster;
	barrier.cluster.arrive.aligned; // first
	barrier.cluster.wait.aligned; // first again
	@!%p1 bra READY;
	tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [slot], 64; // alloc
READY:
	tcgen05.fence::before_thread_sync;
	barrier.cluster.arrive.aligned; // second
	barrier.cluster.wait.aligned; // second again
	tcgen05.fence::after_thread_sync;
	ld.shared.b32 %r6, [slot];
	setp.eq.and.u32 %p4, %r1, 0, %p0;
	shr.u32 %r7, %r2, 4; cvt.u64.u32 %rd5, %r7;
	add.u64 %rd6, %rd5, LEADA; add.u64 %rd7, %rd5, LEADB;
	mov.b32 %r8, IDESC;
	mov.b16 %h0, 3;
	@!%p4 bra WAIT;
	tcgen05.mma.cta_group::2.kind::f16 [%r6], %rd6, %rd7, %r8, 0; // mma
	tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [bar], %h0; // commit
WAIT:
	mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
	@!%p2 bra WAIT;
	tcgen05.fence::after_thread_sync;
	and.b32 %r9, %r0, 0x60; shl.b32 %r9, %r9, 16; add.u32 %r9, %r9, %r6;
	tcgen05.ld.sync.aligned.32x32b.xCOLUMNS.b32 LIST, [%r9];
	tcgen05.wait::ld.sync.aligned;
	mad.lo.u32 %r10, %r1, 128, %r0; mul.wide.u32 %rd8, %r10, 256; add.u64 %rd8, %rd8, %rd2;
	STORE
	tcgen05.fence::before_thread_sync;
	barrier.cluster.arrive.aligned;
	barrier.cluster.wait.aligned; // last
	@!%p1 bra END;
	tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r6, 64; // dealloc
END:
	ret;
}
`

// pairSource returns the kernel for a product of m rows, and the words of both blocks.
func pairSource(m int) (string, []uint32) {
	const n, k = 64, 16
	rows := []int{m / 2, n / 2}
	bytes := (rows[0] + rows[1]) * k * 2
	words := make([]uint32, 2*bytes/4)
	for block := range 2 {
		for i, r := range rows {
			for row := range r {
				for col := range k {
					c, _ := dtype.F16.Encode(pairNumber(i, block*r+row, col))
					at := block*bytes + i*rows[0]*k*2 + ((col/8*r+row)*8+col%8)*2
					words[at/4] |= uint32(c) << (at % 4 * 8)
				}
			}
		}
	}
	var store strings.Builder
	columns := m / 4 // of D in each lane
	for i := range columns {
		fmt.Fprintf(&store, "st.global.b32 [%%rd8+%d], %%r%d;\n", 4*i, 20+i)
	}
	lead := func(rows, start int) string { return fmt.Sprint(1<<46 | 8<<32 | rows<<16 + start/16) }
	return strings.NewReplacer(
		"WORDS/4", fmt.Sprint(bytes/4), "WORDS", fmt.Sprint(bytes), "LEADA", lead(rows[0], 0),
		"LEADB", lead(rows[1], rows[0]*k*2),
		"IDESC", fmt.Sprint(0x10|n/8<<17|m/16<<24), "COLUMNS", fmt.Sprint(columns), "LIST", registers(20, columns),
		"STORE", store.String(),
	).Replace(pairKernel), words
}

func pairNumber(matrix, row, k int) float64 { return float64((row*5+k*3+matrix*7+row*k)%9 - 4) }

// runPair runs a kernel of a pair of blocks, and returns D: 128 lanes of 64 columns of each block.
func runPair(t *testing.T, src string, words []uint32, l sim.Launch) ([]float32, *sim.Result, *sim.Finding) {
	t.Helper()
	p := loadText(t, src)
	m := memory(t, p)
	out := put(t, m, make([]uint32, 2*128*64))
	l.Grid, l.Block = sim.Dim{X: 2}, sim.Dim{X: 128}
	l.Args = []sim.Arg{sim.Pointer(put(t, m, words), 0), sim.Pointer(out, 0)}
	res, err := p.Run(context.Background(), m, l)
	f, ok := errors.AsType[*sim.Finding](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	var d []float32
	for _, x := range get[uint32](t, out) {
		d = append(d, math.Float32frombits(x))
	}
	return d, res, f
}

func TestTensorPair(t *testing.T) {
	t.Parallel()
	for _, m := range []int{256, 128} {
		src, words := pairSource(m)
		for seed := range uint64(3) {
			d, res, f := runPair(t, src, words, sim.Launch{Seed: seed})
			if f != nil || len(res.Lesser) > 0 {
				t.Fatalf("M %d: %v, %v", m, f, res.Lesser)
			}
			for row := range m {
				for col := range 64 {
					want := 0.0
					for k := range 16 {
						want += pairNumber(0, row, k) * pairNumber(1, col, k)
					}
					lane, column := row%128, col
					if m == 128 { // 64 rows of each block: the upper half of the columns in the upper lanes
						lane, column = row%64+col/32*64, col%32
					}
					if got := d[(row/(m/2)*128+lane)*64+column]; float64(got) != want {
						t.Fatalf("M %d: (%d,%d) is %v, want %v", m, row, col, got, want)
					}
				}
			}
		}
	}
}

func TestTensorPairFindings(t *testing.T) {
	t.Parallel()
	base, words := pairSource(256)
	for _, tt := range []struct {
		name, line, by string
		kind           sim.Kind
		text           string
	}{
		{"told one block only", "commit", "mov.b16 %h0, 1;\n" + namedLine(base, "commit"), sim.KindDeadlock, "no thread"},
		{"the other block has not filled its memory", "second again", "", sim.KindRace, ""},
		{"freed by one block only", "dealloc", "setp.eq.u32 %p5, %r1, 0;\n@%p5 bra END;\n" + namedLine(base, "dealloc"), sim.KindTensor, "still allocated"},
		{"groups differ", "mma", strings.Replace(namedLine(base, "mma"), "::2", "::1", 1), sim.KindUnsupported, "the same .cta_group"},
		{"other extents", "mma", "mov.b32 %r8, 0x04100010;\n" + namedLine(base, "mma"), sim.KindArgument, "M of kind::f16 with cta_group::2"},
	} {
		src := change(t, base, tt.line, tt.by)
		if tt.line == "second again" {
			src = change(t, src, strings.TrimSuffix(tt.line, " again"), "")
		}
		_, _, f := runPair(t, src, words, sim.Launch{})
		if f == nil || f.Kind != tt.kind || !strings.Contains(f.Message, tt.text) {
			t.Errorf("%s: %v, want %s, %q", tt.name, f, tt.kind, tt.text)
		}
	}
	alone := strings.Replace(base, ".reqnctapercluster 2, 1, 1", "", 1)
	_, _, f := runPair(t, alone, words, sim.Launch{})
	if f == nil || f.Kind != sim.KindArgument || !strings.Contains(f.Message, "no other block") {
		t.Errorf("without a cluster: %v", f)
	}
}
