package reader_test

import (
	"strings"
	"testing"

	"girih/internal/lang/reader"
)

// dump10k returns a log of ten kilobytes with dumps of tiled operations in it.
func dump10k() string {
	const part = `[2026-11-20 12:30:05.123] INFO  worker 3: step 100/2000 loss=0.312 lr=1e-3 (train.py:43:12)
TiledMMA
  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)
  PermutationMNK: (_,_,_)
MMA_Atom
  ThrID:      _32:_1
  Shape_MNK:  (_16,_8,_16)
  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))
  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))
  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))
mma.get_layoutA_TV() => ((_4,_8,_2,_2),((_2,_2,_2),(_1,_1))):((_64,_1,_16,_0),((_32,_8,_256),(_0,_0)))
thr0.partition_A(tA).layout() => ((_2,_2,_2),_4,_4):((_128,_8,_1024),_32,_2048)
sA: smem_ptr[16b](0x7f5f00000400) o Sw<3,4,3> o _0 o ((_8,_16),(_64,_2)):((_64,_512),(_1,_8192))
waiting for the barrier (phase 0) ... done in 12.5 ms, 4 warps of 32 threads, kernel gemm<128, 64>(args)
`
	return strings.Repeat(part, 10*1024/len(part)+1)[:10*1024]
}

func BenchmarkRead(b *testing.B) {
	text := dump10k()
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if len(reader.Read(text).Items) < 20 {
			b.Fatal("items are missing")
		}
	}
}

// BenchmarkReadProse reads text without any value.
func BenchmarkReadProse(b *testing.B) {
	text := strings.Repeat("The worker (see the log) waits for all of its peers; nothing happens, and 3 of 4 agree.\n", 120)
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		reader.Read(text)
	}
}

// TestAllocations limits the allocations for a log: nodes and elements are allocated in blocks.
func TestAllocations(t *testing.T) {
	text := dump10k()
	if n := testing.AllocsPerRun(10, func() { reader.Read(text) }); n > 1200 {
		t.Errorf("Read allocates %v times for %d bytes, the budget is 1200", n, len(text))
	}
}
