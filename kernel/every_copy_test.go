package kernel_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/lower"
	"girih/kernel"
)

// copyKernel moves a tile of values from S to D by one instruction per thread, through the memories and registers that
// the instruction connects.
func copyKernel(c atom.CopyAtom) (*kernel.Kernel, error) {
	n := must(c.ValRef.Cosize())
	one := must(atom.MakeTiledCopyTV(c, c.ValRef, cute.Ints(n)))
	row := must(cute.LayoutLeft(cute.Ints(n)))
	return kernel.Trace("move", one.Size(), func(k *kernel.K) {
		thr := k.ThrCopy(one, k.ThreadIdx())
		gS, gD := k.GlobalAligned("S", c.Type, 32, row), k.GlobalAligned("D", c.Type, 32, row)
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

// engineKernel moves a tile of 32 by 16 values from S to D by the copy engine. The given atom is one of the kernel's
// instructions.
func engineKernel(c atom.Copy, t dtype.Type) (*kernel.Kernel, error) {
	rows := cute.MustParse("(32,16):(1,32)")
	has := func(text string) bool { return strings.Contains(c.Name, text) }
	bytes := int64(32 * 16 * t.Bits() / 8)
	return kernel.Trace("engine", 32, func(k *kernel.K) {
		zero, one := kernel.Int(0), kernel.Int(1)
		if has("MULTICAST") {
			k.Cluster(2, 1, 1)
		}
		gather := []kernel.Index{kernel.Int(32), kernel.Int(16)}
		var load, store kernel.TmaAtom
		var gS, gD, sS, sD, tS, tD kernel.Tensor
		s := k.Shared("s", t, rows)
		if c.Kind == atom.TensorCopy {
			gS, gD = k.TmaTensor("S", t, gather), k.TmaTensor("D", t, gather)
			blocks := int64(1)
			if has("MULTICAST") {
				blocks = 2
			}
			load, store = k.MakeTmaAtom(gS, s, kernel.Shape(32, 16), blocks), k.MakeTmaAtom(gD, s, kernel.Shape(32, 16), 1)
			part := zero
			if blocks > 1 {
				part = k.BlockRankInCluster()
			}
			tS, sS = k.TmaPartition(load, part, s, k.LocalTile(gS, kernel.Shape(32, 16), zero, zero))
			tD, sD = k.TmaPartition(store, zero, s, k.LocalTile(gD, kernel.Shape(32, 16), zero, zero))
		} else {
			gS, gD = k.GlobalLayout("S", t, rows), k.GlobalLayout("D", t, rows)
		}
		full := k.Barriers("full", 1).At(zero)
		k.If(k.ThreadIdx().Less(one), func() {
			full.Init(1)
			k.FenceBarrierInit()
			full.ArriveAndExpectTx(bytes)
		})
		k.ClusterSync()
		k.If(k.ThreadIdx().Less(one), func() {
			switch {
			case c.Kind == atom.TensorCopy && has("PREFETCH"):
				k.PrefetchTma(load, tS)
			case has("PREFETCH"):
				k.PrefetchBulk(gS)
			}
			if c.Kind == atom.TensorCopy {
				k.CopyTma(load.With(full), tS, sS)
			} else {
				k.CopyBulk(full, gS, s)
			}
		})
		full.Wait(zero)
		finish := func() {
			switch {
			case has("REDUCE"):
				k.CopyTma(store.Add(), sD, tD)
			case c.Kind == atom.TensorCopy:
				k.CopyTma(store, sD, tD)
			default:
				k.CopyBulk(kernel.Barrier{}, s, gD)
			}
			k.TmaStoreArrive()
			k.TmaStoreWait(0)
		}
		k.If(k.ThreadIdx().Less(one), func() { k.If(k.BlockRankInCluster().Less(one), finish) })
		k.ClusterSync()
	})
}

// TestEveryCopy moves random values of all widths by every copy of the tables for sm_70 to sm_90. Copies of sm_100 are
// emitted but not run, because the simulator lacks them; all other copies must be refused.
func TestEveryCopy(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	done := map[string]int{}
	for c := range atom.Copies() {
		if c.Kind == atom.TensorCopy || c.Kind == atom.BulkCopy {
			done[engine(t, c)]++
			continue
		}
		if c.Kind == atom.TMEMCopy {
			mention(t, c.Name, none(must(atom.MakeCopyAtom(c, dtype.F32))), "tensor memory")
			done["tensor memory"]++
			continue
		}
		if strings.HasSuffix(c.Name, "_b6") { // tensors of kernels cannot have elements of 6 bits
			done[c.Kind.String()]++
			continue
		}
		moved := 0
		for _, typ := range []dtype.Type{dtype.F64, dtype.F32, dtype.F16, dtype.U8, dtype.S4, dtype.B1} {
			a, err := atom.MakeCopyAtom(c, typ)
			if err != nil || strings.HasPrefix(c.Name, "Auto") && typ.Bits() < 8 { // too small to write
				continue
			}
			moved++
			k, err := copyKernel(a)
			if strings.HasPrefix(c.Arch, "gfx") {
				mention(t, c.Name, err, "is an instruction of AMD")
				continue
			}
			switch _, lacks := lower.TargetFor(c.Operation, "sm_90"); {
			case lacks != nil && err == nil:
				opcode, _, _ := strings.Cut(c.Text, " ")
				if text := k.Module.String(); strings.Count(text, "\t"+opcode+" ") != 1 {
					t.Errorf("%s of %v: %s", c.Name, typ, text)
				}
				continue
			case err != nil:
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
		}
		if moved == 0 {
			t.Errorf("%s moves nothing", c.Name)
		}
		done[c.Kind.String()]++
	}
	want := map[string]int{
		"universal": 10, "wide load and store": 2, "shuffle": 2, "cp.async": 8, "matrix": 30, "engine": 12,
		"im2col": 10, "sm_100a": 10, "tensor memory": 162,
	}
	if !maps.Equal(done, want) {
		t.Errorf("%v, want %v", done, want)
	}
}

// none returns why no thread can execute a copy.
func none(c atom.CopyAtom) error {
	one := must(atom.MakeTiledCopyTV(c, c.ValRef, cute.Ints(must(c.ValRef.Cosize()))))
	_, err := kernel.Trace("none", 32, func(k *kernel.K) {
		r := k.MakeFragment(c.Type, cute.MustParse("1:0"))
		k.CopyTiled(one, r, r)
	})
	return err
}

// mention fails the test unless the error is about a type and names the object with that type.
func mention(t *testing.T, name string, err error, what string) {
	t.Helper()
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeType || !strings.Contains(e.Msg, what) {
		t.Errorf("%s: %v, which is nothing of %s", name, err, what)
	}
}

// engine moves a tile by a copy of the copy engine, or returns why the copy is refused.
func engine(t *testing.T, c atom.Copy) string {
	t.Helper()
	a := must(atom.MakeCopyAtom(c, dtype.F32))
	err := none(a)
	for _, why := range []string{"im2col", "sm_100a"} {
		if strings.Contains(strings.ToLower(c.Name+c.Arch), strings.ReplaceAll(why, "_", "")) {
			mention(t, c.Name, err, why)
			return why
		}
	}
	mention(t, c.Name, err, "engine")
	k, err := engineKernel(c, dtype.F32)
	if err != nil {
		t.Errorf("%s: %v", c.Name, err)
		return "?"
	}
	opcode, _, _ := strings.Cut(strings.ReplaceAll(c.Text, ".L2::cache_hint", ""), " ")
	if text := k.Module.String(); c.Name != "SM90_BULK_COPY_AUTO" && !strings.Contains(text, "\t"+opcode+" ") {
		t.Errorf("%s: no %s in %s", c.Name, opcode, text)
	}
	blocks := max(k.Cluster[0], 1)
	data := map[string][]float64{"S": make([]float64, 512), "D": make([]float64, 512)}
	for i := range data["S"] {
		data["S"][i], data["D"][i] = float64(i), 1000
	}
	if _, err := k.Simulate(t.Context(), kernel.Args{Tensors: data, Blocks: [3]int64{blocks, 1, 1}}); err != nil {
		t.Errorf("%s: %v", c.Name, err)
	}
	for i, x := range data["D"] {
		want := float64(i)
		if strings.Contains(c.Name, "REDUCE") {
			want += 1000
		}
		if x != want {
			t.Errorf("%s: element %d is %v, want %v", c.Name, i, x, want)
			break
		}
	}
	return "engine"
}
