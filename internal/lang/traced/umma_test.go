package traced_test

import (
	"strings"
	"testing"
)

// ummaRefused has changes of umma.cu that are not followed, and the errors.
var ummaRefused = []struct{ was, is, code, message string }{
	{"allocator.free(smem.columns, 128)", "allocator.free(smem.columns, 64)", "mode", "128 columns were allocated, and 64 are freed"},
	{"allocator.free(smem.columns, 128)", "allocator.free(0u, 128)", "not_representable", "free is not followed"},
	{"    allocator.free(smem.columns, 128);\n", "", "mode", "are not freed"},
	{"tCtC.data() = smem.columns;", "tCtC.data() = 0u;", "not_representable", "this address of a tensor in tensor memory"},
	{"tCtC.data() = smem.columns;", "", "mode", "has no address"},
	{"tCtC.data() = smem.columns;", "tCtC.data() = smem.columns + 96;", "extent", "has 64 columns from column 96 on"},
	{"allocator.allocate(128, &smem.columns);", "allocator.release_allocation_lock();", "mode", "allocates nothing"},
	{"allocator.allocate(128, &smem.columns);", "allocator.allocate(100, &smem.columns);", "extent", "a power of two of columns"},
	{"allocator.allocate(128, &smem.columns);", "uint32_t w; allocator.allocate(128, &w);", "type", "in shared memory"},
	{"if (first_warp) {\n    allocator.allocate", "{\n    allocator.allocate", "mode", "one warp executes it, and here 4 warps may"},
	{"umma_arrive(&smem.done)", "umma_arrive_multicast(&smem.done, threadIdx.x)", "extent", "expected a mask of the 1 blocks"},
	{"umma_arrive(&smem.done)", "umma_arrive(&smem)", "type", "expected the address of an mbarrier"},
	{"make_tmem_copy(SM100_TMEM_LOAD_32dp32b16x{}, tCtC)", "make_tmem_copy(SM100_TMEM_LOAD_32dp32b16x{}, tCgC)", "type", "expected a tensor in tensor memory"},
	{"cooperative_copy<128, 128>", "cooperative_copy<128, 8>", "extent", "expected 1 to 1024 threads and accesses of 16 to 128 bits"},
}

// TestUMMARefused changes a program that is followed.
func TestUMMARefused(t *testing.T) {
	t.Parallel()
	src := strings.ReplaceAll(read(t, "umma.cu"), "K = 96", "K = 32")
	for _, x := range ummaRefused {
		changed := strings.Replace(src, x.was, x.is, 1)
		if changed == src {
			t.Errorf("%s is not in the program", x.was)
			continue
		}
		p, r := trace(t, changed)
		switch {
		case p != nil || r.Error == nil:
			t.Errorf("%s: no error", x.is)
		case r.Error.Code != x.code, !strings.Contains(r.Error.Message, x.message):
			t.Errorf("%s: line %d: %s: %s (%s)", x.is, r.Line, r.Error.Code, r.Error.Message, r.Error.Hint)
		}
	}
}

// TestUMMAColumns places a tensor at another column, and multiplies into it.
func TestUMMAColumns(t *testing.T) {
	t.Parallel()
	src := strings.NewReplacer("K = 96", "K = 32", "= smem.columns;", "= smem.columns + 64;").Replace(read(t, "umma.cu"))
	p, r := trace(t, src)
	if p == nil {
		t.Fatalf("%d:%d: %v", r.Line, r.Column, r.Error)
	}
	sumsLast(p)
	in, _ := simulate(t, p)
	d := product("umma.cu", 128, 32)
	for i, got := range p.Buffers[2].Values {
		if want := d.result(in, i); got != want {
			t.Fatalf("C[%d] is %v, expected %v", i, got, want)
		}
	}
}
