package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/ptx/sim"
	"girih/tmem"
)

// Each shape of tcgen05.cp fills the lanes that package tmem says, and needs a commit.
func TestTensorFills(t *testing.T) {
	t.Parallel()
	for _, shape := range []string{
		"128x256b", "4x256b", "128x128b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "32x128b.warpx4",
	} {
		f, err := tmem.FindFill(shape)
		if err != nil {
			t.Fatal(err)
		}
		rows, n := int(f.Rows()), int(f.RowBits()/32)
		words := make([]uint32, rows*n) // pieces of 16 bytes along the rows first
		for r := range rows {
			for k := range n {
				words[(k/4*rows+r)*4+k%4] = uint32(r*8 + k)
			}
		}
		var zero strings.Builder
		for i := range 8 {
			fmt.Fprintf(&zero, "tcgen05.st.sync.aligned.32x32b.x1.b32 [%%wa+%d], {%%r10};\n", i)
		}
		body := fmt.Sprintf(`mov.u32 %%r3, %%t; mov.b32 %%r10, 99999; cvta.shared.u64 %%rd9, bar;
COPY:
	setp.ge.u32 %%p3, %%r3, %d;
	@%%p3 bra COPIED;
	mul.wide.u32 %%rd4, %%r3, 4; add.u64 %%rd4, %%rd4, %%in; ld.global.b32 %%r4, [%%rd4];
	mad.lo.u32 %%r5, %%r3, 4, %%s; st.shared.b32 [%%r5], %%r4; add.u32 %%r3, %%r3, 128;
	bra COPY;
COPIED:
	%s
	tcgen05.wait::st.sync.aligned;
	fence.proxy.async.shared::cta; tcgen05.fence::before_thread_sync;
	bar.sync 0;
	tcgen05.fence::after_thread_sync;
	shr.u32 %%r6, %%s, 4; cvt.u64.u32 %%rd5, %%r6; add.u64 %%rd6, %%rd5, 0x%x;
	@!%%p0 bra AWAIT;
	tcgen05.cp.cta_group::1.%s [%%a], %%rd6;
	%s
`, len(words), zero.String(), 1<<46|8<<32|rows<<16, shape, commitLine)
		load := "tcgen05.ld.sync.aligned.32x32b.x8.b32 " + registers(20, 8) +
			", [%wa];\ntcgen05.wait::ld.sync.aligned;\n" + storeRow(20, 8)
		got, res, found := runTensor(t, tensorKernel(body+"AWAIT\n"+load), words, 128*8)
		if found != nil || len(res.Lesser) > 0 {
			t.Fatalf("%s: %v, %v", shape, found, res.Lesser)
		}
		want := make([]uint32, 128*8)
		for i := range want {
			want[i] = 99999
		}
		l, err := f.Layout(32)
		if err != nil {
			t.Fatal(err)
		}
		for i, off := range offsetsOf(t, l) {
			want[off/65536*8+off%65536] = uint32(i%rows*8 + i/rows%n)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%s: column %d of lane %d is %d, want %d", shape, i%8, i/8, got[i], want[i])
			}
		}
		body = strings.Replace(body, commitLine, "mbarrier.arrive.b64 _, [%rd9];", 1)
		if _, _, f := runTensor(t, tensorKernel(body+"AWAIT\n"+load), words, 128*8); f == nil || f.Kind != sim.KindReadPending {
			t.Errorf("%s without a commit: %v", shape, f)
		}
	}
}

// offsetsOf returns the offsets of a layout.
func offsetsOf(t *testing.T, l cute.Layout) []int64 {
	t.Helper()
	list, err := l.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
