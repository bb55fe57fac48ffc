package kernel_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih"
	"girih/atom"
	"girih/dtype"
	"girih/internal/lower"
	"girih/kernel"
)

// copyKernel moves a tile of values from S to D by one instruction of each thread, through the memories and registers
// that it moves between.
func copyKernel(c atom.CopyAtom) (*kernel.Kernel, error) {
	n := must(c.ValRef.Cosize())
	one := must(atom.MakeTiledCopyTV(c, c.ValRef, girih.Ints(n)))
	row := must(girih.LayoutLeft(girih.Ints(n)))
	return kernel.Trace("move", one.Size(), func(k *kernel.K) {
		thr := k.ThrCopy(one, k.ThreadIdx())
		gS, gD := k.GlobalLayout("S", c.Type, row), k.GlobalLayout("D", c.Type, row)
		first := k.ThreadIdx().Less(kernel.Int(1))
		src, dst := thr.PartitionS(gS), thr.PartitionD(gD)
		var back func()
		switch from := src; c.From.Space {
		case atom.SharedMemory:
			s := k.Shared("s", c.Type, row)
			k.If(first, func() { k.Copy(gS, s) })
			src = thr.PartitionS(s)
		case atom.Registers:
			src = k.MakeFragmentLike(from, c.Type)
			k.Copy(from, src)
		}
		switch to := dst; c.To.Space {
		case atom.SharedMemory:
			s := k.Shared("d", c.Type, row)
			dst, back = thr.PartitionD(s), func() { k.If(first, func() { k.Copy(s, gD) }) }
		case atom.Registers:
			dst = k.MakeFragmentLike(to, c.Type)
			back = func() { k.Copy(dst, to) }
		}
		k.Sync()
		k.CopyTiled(one, src, dst)
		if c.Kind == atom.AsyncCopy {
			k.CpAsyncFence()
			k.CpAsyncWait(0)
		}
		k.Sync()
		if back != nil {
			back()
		}
	})
}

// TestEveryCopy moves random values of all widths by every copy of the tables that sm_70 to sm_90 have. Those of the
// copy engine need barriers and maps: [K.CopyTma] and [K.CopyBulk] are for them.
func TestEveryCopy(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	done := 0
	for c := range atom.Copies() {
		if _, err := lower.TargetFor(c.Operation, "sm_90"); err != nil {
			continue
		}
		for _, typ := range []dtype.Type{dtype.F64, dtype.F32, dtype.F16, dtype.U8, dtype.S4, dtype.B1} {
			a, err := atom.MakeCopyAtom(c, typ)
			if err != nil || strings.HasPrefix(c.Name, "Auto") && typ.Bits() < 8 { // a value is less than threads write
				continue
			}
			k, err := copyKernel(a)
			if c.Kind == atom.BulkCopy || c.Kind == atom.TensorCopy {
				if e, ok := errors.AsType[*girih.Error](err); !ok || e.Code != girih.CodeType {
					t.Errorf("%s is no copy of threads: %v", c.Name, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s of %v: %v", c.Name, typ, err)
				continue
			}
			data := make([]byte, (must(a.ValRef.Cosize())*int64(typ.Bits())+7)/8)
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			out := launchBytes(t, k, map[string][]byte{"S": data, "D": make([]byte, len(data))})
			if !slices.Equal(out["D"], data) {
				t.Errorf("%s of %v: got %x, want %x", c.Name, typ, out["D"], data)
			}
			done++
		}
	}
	if done < 100 {
		t.Errorf("%d copies", done)
	}
}
