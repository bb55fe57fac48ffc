package banks_test

import (
	"errors"
	"fmt"

	"girih/banks"
	"girih/cute"
)

// planOf plans one access of sm90 for elements of the given bits and returns the offsets of the memory too.
func planOf(access string, bits int, mem banks.Memory, threads banks.Threads) (*banks.Plan, []int64) {
	t, _ := banks.ParseTarget("sm90")
	a, _ := banks.ParseAccess(access, bits)
	r, _ := t.Rule(a)
	p, err := banks.NewPlan(r, mem, bits, threads)
	if err != nil {
		panic(err)
	}
	offsets, _ := mem.AppendOffsets(nil)
	return p, offsets
}

func ExampleNewPlan() {
	smem := cute.MustParse("(8,64):(64,1)") // half
	target, _ := banks.ParseTarget("sm90")
	access, _ := banks.ParseAccess("ldmatrix.x4", 16)
	rule, _ := target.Rule(access)
	plan, _ := banks.NewPlan(rule, smem, 16, banks.Threads{})
	fmt.Println(plan.How())
	count, _ := plan.Count(nil)
	fmt.Println(count.Degree)
	// The same plan serves a swizzled layout: only the offsets change.
	offsets := plan.Offsets()
	w, _ := cute.NewSwizzle(3, 3, 3)
	for i, x := range offsets {
		offsets[i], _ = w.At(x)
	}
	count, _ = plan.Count(offsets)
	fmt.Println(count.Degree)
	// Output:
	// one warp; consecutive lanes take consecutive coordinates of mode 0, then 1, in rows of 8 elements along mode 1
	// 8
	// 1
}

func ExamplePlan() {
	plan, _ := planOf("ld.v2", 32, cute.MustParse("(64,8):(1,64)"), banks.TV(cute.MustParse("(64,(2,2)):(2,(1,128))")))
	fmt.Println(plan.Warps(), "warps,", plan.Instructions(), "instructions each")
	// Output: 2 warps, 2 instructions each
}

func ExamplePlan_Addresses() {
	plan, offsets := planOf("ld.v2", 32, cute.MustParse("(8,8):(1,8)"), banks.TV(cute.MustParse("(4,2):(8,1)")))
	addrs, _ := plan.Addresses(nil, offsets, 0, 0)
	fmt.Println(addrs[:5])
	rows := cute.MustParse("(8,8):(8,1)")
	offsets, _ = rows.AppendOffsets(nil)
	_, err := plan.Addresses(nil, offsets, 0, 0)
	fmt.Println(err)
	// Output:
	// [0 32 64 96 -1]
	// not_representable: bank: ld.64 accesses 2 contiguous elements; of thread 0, value 0 has the offset 0 and value 1 the offset 8, where 1 is expected
}

func ExamplePlan_Count() {
	plan, offsets := planOf("ld", 32, cute.MustParse("(32,32):(32,1)"), banks.Rows())
	count, _ := plan.Count(offsets)
	fmt.Println(count.Wavefronts, count.Ideal, count.Degree)
	// Output: 1024 32 32
}

func ExamplePlan_Groups() {
	plan, offsets := planOf("st", 32, cute.MustParse("(32,(16,2)):(1,(32,1024))"), banks.TV(cute.MustParse("(32,(2,2)):(1,(512,32))")))
	sum, groups, _ := plan.Groups(offsets)
	fmt.Println(sum.Wavefronts, len(groups), len(groups[0].Places))
	// Output: 4 1 4
}

func ExampleGroup() {
	plan, offsets := planOf("ld", 32, cute.MustParse("(32,2):(2,1)"), banks.Rows())
	_, groups, _ := plan.Groups(offsets)
	fmt.Println(groups[0].Degree, groups[0].Places)
	// Output: 2 [{0 0} {0 1}]
}

func ExamplePlace() {
	fmt.Println(banks.Place{Warp: 1, Instruction: 3})
	// Output: {1 3}
}

func ExamplePlan_Covered() {
	plan, offsets := planOf("ld", 32, cute.MustParse("(64,4):(1,64)"), banks.TV(cute.MustParse("(32,2):(1,64)")))
	fmt.Println(plan.Covered(), "of", len(offsets))
	// Output: 64 of 256
}

func ExamplePlan_How() {
	plan, _ := planOf("st", 32, cute.MustParse("(128,8):(1,128)"), banks.Partition(cute.MustParse("(32,8):(8,1)")))
	fmt.Println(plan.How())
	// Output: 256 threads by thr_layout (32,8):(8,1), 4 values each
}

func ExamplePlan_Instructions() {
	plan, _ := planOf("ld.v4", 32, cute.MustParse("(128,8):(1,128)"), banks.Threads{})
	fmt.Println(plan.Instructions())
	// Output: 8
}

func ExamplePlan_Rule() {
	plan, _ := planOf("ld.v4", 32, cute.MustParse("128:1"), banks.Threads{})
	fmt.Println(plan.Rule().Access(), plan.Rule().Target())
	// Output: ld.128 sm90
}

func ExamplePlan_Threads() {
	plan, _ := planOf("st", 32, cute.MustParse("(128,8):(1,128)"), banks.Partition(cute.MustParse("(32,8):(1,32)")))
	fmt.Println(plan.Threads(), plan.Warps())
	// Output: 256 8
}

func ExamplePlan_Values() {
	plan, _ := planOf("st", 32, cute.MustParse("(128,8):(1,128)"), banks.Partition(cute.MustParse("(32,8):(1,32)")))
	fmt.Println(plan.Values())
	// Output: 4
}

func ExamplePlan_Vector() {
	plan, _ := planOf("ld.128", 16, cute.MustParse("(64,8):(1,64)"), banks.Threads{})
	fmt.Println(plan.Vector())
	// Output: 8
}

func ExamplePlan_Warps() {
	plan, _ := planOf("ld", 32, cute.MustParse("(64,4):(1,64)"), banks.TV(cute.MustParse("(64,4):(1,64)")))
	fmt.Println(plan.Warps())
	// Output: 2
}

// In a row-major matrix with one column for each warp, every 4 bytes move a sector of 32.
func ExamplePlan_Traffic() {
	plan, offsets := planOf("ld", 32, cute.MustParse("(1024,8):(8,1)"), banks.TV(cute.MustParse("(32,8):(1,1024)")))
	t, _ := plan.Traffic(offsets, 0)
	fmt.Printf("%d sectors in %d requests, %.1f%%\n", t.Sectors, t.Requests, 100*t.Efficiency())
	// Output: 256 sectors in 8 requests, 12.5%
}

func ExamplePlan_TrafficAt() {
	plan, offsets := planOf("ld", 32, cute.MustParse("64:1"), banks.Threads{})
	t, _ := plan.TrafficAt(offsets, 4, 0, 0) // the tensor begins 4 bytes after the start of a line
	fmt.Println(t.Sectors, t.Lines)
	// Output: 5 2
}

func ExampleRequestTraffic() {
	addrs := make([]int64, 32)
	for l := range addrs {
		addrs[l] = 16 * int64(l)
	}
	t, _ := banks.RequestTraffic(addrs, 16)
	fmt.Println(t.Sectors, t.Lines, t.Bytes)
	// Output: 16 4 512
}

func ExampleAtomicTraffic() {
	t, _ := banks.AtomicTraffic([]int64{0, 0, 0, 4, 32}, 4) // 3 lanes at one counter, 1 at the next, 1 in the next sector
	fmt.Println(t.Sectors, t.Bytes)
	// Output: 4 12
}

func ExampleBulkTraffic() {
	aligned, _ := banks.BulkTraffic(0, 64, 2048)
	apart, _ := banks.BulkTraffic(0, 16, 2048) // each line of shared memory begins in the middle of a sector
	fmt.Println(aligned.Sectors, apart.Sectors)
	// Output: 64 80
}

func ExampleRemoteBulkTraffic() {
	aligned, _ := banks.RemoteBulkTraffic(64, 64, 4096)
	apart, _ := banks.RemoteBulkTraffic(0, 32, 4096) // pieces of 96 and of 32 bytes, in turn
	fmt.Println(aligned.Sectors, apart.Sectors)
	// Output: 128 160
}

func ExampleBulkBanks() {
	words, turns, _ := banks.BulkBanks(4096)
	fmt.Println(words, turns)
	// Output: 1024 32
}

func ExampleCopyTraffic() {
	global := []int64{0, 16, 32, 48}
	together, _ := banks.CopyTraffic([]int64{512, 528, 544, 560}, global)
	rows, _ := banks.CopyTraffic([]int64{0, 128, 256, 384}, global)
	fmt.Println(together.Sectors, rows.Sectors)
	// Output: 2 4
}

func ExampleRemotePackets() {
	row := make([]int64, 32) // consecutive words
	column := make([]int64, 32)
	for l := range row {
		row[l], column[l] = 4*int64(l), 128*int64(l)
	}
	a, _ := banks.RemotePackets(row, 4)
	b, _ := banks.RemotePackets(column, 4)
	fmt.Println(a, b)
	// Output: 4 32
}

func ExampleTraffic() {
	t, _ := banks.RequestTraffic([]int64{0, 0, 64}, 4)
	fmt.Println(t.Requests, t.Sectors, t.Lines, t.Bytes)
	// Output: 1 2 1 8
}

func ExampleTraffic_Moved() {
	t, _ := banks.RequestTraffic([]int64{0, 40}, 4)
	fmt.Println(t.Moved())
	// Output: 64
}

func ExampleTraffic_Efficiency() {
	t, _ := banks.RequestTraffic([]int64{0, 32, 64, 96}, 8)
	fmt.Println(t.Efficiency())
	// Output: 0.25
}

func ExampleArray_WidestAccess() {
	target, _ := banks.ParseTarget("sm90")
	gmem := cute.MustParse("(128,64):(66,1)") // halves in rows of 66
	tv := banks.TV(cute.MustParse("((8,4),8):((1024,1),128)"))
	bits, _ := banks.Array{Memory: gmem, ElemBits: 16}.WidestAccess(target, banks.Load, tv)
	fmt.Println(bits)
	// Output: 32
}

func ExampleRows() {
	plan, _ := planOf("ld", 32, cute.MustParse("(32,32):(32,1)"), banks.Rows())
	fmt.Println(plan.How())
	// Output: one warp; consecutive lanes take consecutive coordinates of mode 0, then 1
}

func ExampleCols() {
	plan, _ := planOf("ld.v4", 32, cute.MustParse("(32,32):(32,1)"), banks.Cols())
	fmt.Println(plan.How())
	// Output: one warp; consecutive lanes take consecutive coordinates of mode 1, then 0, in vectors of 4 elements along mode 1
}

func ExampleTV() {
	plan, _ := planOf("st.v2", 16, cute.MustParse("(32,32):(32,1)"), banks.TV(cute.MustParse("((4,8),2):((64,1),32)")))
	fmt.Println(plan.How())
	// Output: 32 threads, 2 values each: (thread,value) -> index is ((4,8),2):((64,1),32)
}

func ExamplePartition() {
	plan, _ := planOf("ld.v4", 32, cute.MustParse("(128,8):(1,128)"), banks.Partition(cute.MustParse("(32,8):(1,32)"),
		cute.MustParse("(4,1):(1,0)")))
	fmt.Println(plan.How())
	// Output: 256 threads by thr_layout (32,8):(1,32), 4 values each by val_layout (4,1):(1,0)
}

func ExampleThreads() {
	// By default lanes follow the index of the memory.
	plan, _ := planOf("ld", 32, cute.MustParse("(16,16):(17,1)"), banks.Threads{})
	fmt.Println(plan.How())
	// Output: one warp; consecutive lanes take consecutive coordinates of mode 0, then 1
}

func ExampleThreads_Until() {
	t, _ := banks.ParseTarget("sm90")
	a, _ := banks.ParseAccess("ld", 32)
	r, _ := t.Rule(a)
	threads := banks.Threads{}.Until(func() error { return errors.New("enough") })
	_, err := banks.NewPlan(r, cute.MustParse("(16,16):(17,1)"), 32, threads)
	fmt.Println(err)
	// Output: enough
}

func ExampleMemory() {
	for _, m := range []banks.Memory{cute.MustParse("(8,8):(8,1)"), cute.Composed{}} {
		fmt.Println(m.Size(), m)
	}
	// Output:
	// 64 (8,8):(8,1)
	// 1 ():()
}

func ExampleInBytes() {
	w, _ := cute.NewSwizzle(3, 4, 3)
	smem, _ := cute.NewComposed(w, cute.Int(0), cute.MustParse("(8,64):(64,1)"))
	other, inElements, ok := banks.InBytes(smem, 16)
	fmt.Println(inElements, other, ok)
	// Output: Sw<3,3,3> Sw<3,3,3> o 0 o (8,64):(64,1) true
}

func ExamplePlan_Offsets() {
	plan, _ := planOf("ld", 32, cute.MustParse("(2,4):(4,1)"), banks.Rows())
	fmt.Println(plan.Offsets())
	// Output: [0 4 1 5 2 6 3 7]
}

func ExampleNewPeriod() {
	target, _ := banks.ParseTarget("sm90")
	access, _ := banks.ParseAccess("ld.128", 32)
	rule, _ := target.GlobalRule(access)
	p, err := banks.NewPeriod(rule, cute.MustParse("(4096,4096):(4096,1)"), 32, banks.Cols())
	fmt.Println(p.Memory, p.Repeats, int64(p.Instructions())*p.Repeats, err)
	// Output: (1,4096):(4096,1) 4096 131072 <nil>
}

func ExamplePeriod() {
	target, _ := banks.ParseTarget("sm90")
	access, _ := banks.ParseAccess("ld", 32)
	rule, _ := target.Rule(access)
	p, _ := banks.NewPeriod(rule, cute.MustParse("(32,32):(32,1)"), 32, banks.Threads{})
	fmt.Println(p.Memory, p.Repeats)
	// Output: (32,32):(32,1) 1
}
