package sim_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

// FuzzTensor runs instructions on tensor memory with addresses, descriptors and masks that may be wrong in any way.
func FuzzTensor(f *testing.F) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		seed := make([]byte, 64)
		for i := range seed {
			seed[i] = byte(rng.Uint32())
		}
		f.Add(seed)
	}
	kinds := []string{"f16", "tf32", "f8f6f4", "i8", "mxf8f6f4.block_scale", "mxf4.block_scale", "mxf4nvf4.block_scale.block16"}
	shapes := []string{"128x256b", "4x256b", "64x128b.warpx2::01_23", "32x128b.warpx4"}
	f.Fuzz(func(t *testing.T, b []byte) {
		next := func() uint64 {
			var x [8]byte
			n := copy(x[:], b)
			b = b[n:]
			return binary.LittleEndian.Uint64(x[:])
		}
		choice := next()
		idesc := uint32(next())
		number := choice % uint64(len(kinds))
		kind := kinds[number]
		if choice>>8&3 != 0 { // legal types and extents
			idesc = []uint32{0x10, 0x910, 0x10, 0x4a0, 0x800000, 0x800480, 0x480}[number] | 8<<24 | 4<<17 | idesc&0x6000
		}
		desc := func() uint64 {
			x := next()
			if choice>>24&3 != 0 { // in the shared memory of the block
				x = 1<<46 | 8<<32 | 128<<16 | 0x44 + x&15
			}
			return x
		}
		a := "%rd6"
		if choice>>10&1 == 1 {
			a = "[%r12]"
		}
		factors, ws := "", ""
		if number > 3 {
			factors = "[%r13], [%r14], "
		} else if choice>>11&1 == 1 {
			ws = "ws."
		}
		attempt(t, tensorKernel(fmt.Sprintf(`
	@!%%p2 bra SKIP;
	mov.b64 %%rd6, 0x%x; mov.b64 %%rd7, 0x%x; mov.b32 %%r8, 0x%x; mov.b32 %%r11, 0x%x; mov.b32 %%r12, 0x%x;
	mov.b32 %%r13, 0x%x; mov.b32 %%r14, 0x%x; cvta.shared.u64 %%rd9, bar;
	@%%p0 tcgen05.mma.%scta_group::1.kind::%s [%%r11], %s, %%rd7, %%r8, %s%d;
	@%%p0 tcgen05.cp.cta_group::1.%s [%%r13], %%rd6;
	@%%p0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%%rd9];
	tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%r20}, [%%wa+%d];
	tcgen05.wait::ld.sync.aligned;
SKIP:
`, desc(), desc(), idesc, next()&0x1801ff, next()&0x1801ff, next()&0xff, next()&0xff, ws, kind, a, factors,
			choice>>12&1, shapes[choice>>16%4], choice>>20&511)))
	})
}
