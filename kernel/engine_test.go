package kernel_test

import (
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestPlanOfTheEngine checks the plan of copies whose sectors depend on their first address, under conditions that hold
// for one thread or for all threads but one.
func TestPlanOfTheEngine(t *testing.T) {
	t.Parallel()
	for _, at := range []int64{0, 4, 8, 12} { // the first element of the copies in global memory
		k, err := kernel.Trace("rows", 64, func(k *kernel.K) {
			n := k.Int("n", extent(1))
			a := k.GlobalLayout("a", dtype.F32, parse("(8,64):(64,1)"))
			b := k.Global("b", dtype.F32, kernel.Modes(n))
			s := k.Shared("s", dtype.F32, cute.MustParse("(4,32):(36,1)"))
			full, zero, one := k.Barriers("full", 1).At(kernel.Int(0)), kernel.Int(0), kernel.Int(1)
			part := func(i int64) (from, to kernel.Tensor) {
				return k.View(a, kernel.Int(64*i+at), parse("32:1")), k.Slice(s, kernel.Int(i), kernel.Open)
			}
			k.If(k.ThreadIdx().Less(one), func() {
				full.Init(1)
				k.FenceBarrierInit()
			})
			k.Sync()
			k.If(k.WarpIdx().Less(one), func() {
				k.IfElse(k.ElectOne(), func() {
					full.ArriveAndExpectTx(4 * 128)
					for i := range int64(4) {
						from, to := part(i)
						k.CopyBulk(full, from, to)
					}
				}, func() { // the other threads of the warp
					k.CopyIf(k.LocalTile(b, kernel.Shape(1), k.ThreadIdx()), k.MakeFragment(dtype.F32, parse("1:0")))
				})
			})
			full.Wait(zero)
			k.Sync()
			k.If(k.ThreadIdx().Less(one), func() {
				for i := range int64(4) {
					to, from := part(i)
					k.CopyBulk(kernel.Barrier{}, from, to)
				}
				k.TmaStoreArrive()
				k.TmaStoreWait(0)
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		a, b := random(8*64), make([]float32, 20)
		r := run(t, k, launch{args: []any{len(b), a, b}, grid: [3]int64{1, 1, 1}})
		if r.Traffic.Bulk != 2*4*128 {
			t.Errorf("%d bytes were copied, want %d", r.Traffic.Bulk, 2*4*128)
		}
		_, total, err := k.PlanBlocks(map[string]int64{"n": 20}, [][3]int64{{0, 0, 0}})
		if err != nil || total.Unknown != 0 {
			t.Errorf("planned %+v, %v", total, err)
		}
	}
}

// TestFewestAtEdges checks that the fewest sectors of TMA stores at the edges of a tensor count the bytes inside.
func TestFewestAtEdges(t *testing.T) {
	t.Parallel()
	k := relay(t, [2]int64{64, 64}, 1, composedOf(t, 3, 3, 3, "(64,64):(64,1)"))
	uses, total, err := k.Plan(map[string]int64{"m": 68, "n": 72})
	if err != nil {
		t.Fatal(err)
	}
	if total.Fewest > total.Sectors {
		t.Errorf("the fewest sectors are %d, more than the %d", total.Fewest, total.Sectors)
	}
	for _, u := range uses {
		if u.Tensor != "B" {
			continue
		}
		want := int64(64*64+64*8+4*64+4*8) * 2 / 32
		if u.Cost.Fewest != want || u.Cost.Bulk != 4*64*64*2 || u.Cost.Sectors < want {
			t.Errorf("%s of %s: %+v, expected %d sectors at least", u.Op, u.Tensor, u.Cost, want)
		}
	}
}
