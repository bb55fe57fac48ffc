package banks_test

import (
	"fmt"

	"girih/banks"
)

// Eight rows of 128 bytes that ldmatrix reads are all in the same four banks.
func Example() {
	target, _ := banks.ParseTarget("sm90")
	access, _ := banks.ParseAccess("ldmatrix.x1", 16)
	rule, _ := target.Rule(access)
	rows := make([]int64, 8)
	for l := range rows {
		rows[l] = 128 * int64(l)
	}
	count, _ := rule.Count(rows)
	fmt.Printf("%d wavefronts, %d is ideal: %d-way\n", count.Wavefronts, count.Ideal, count.Degree)
	// Output: 8 wavefronts, 1 is ideal: 8-way
}

func ExampleWavefronts() {
	target, _ := banks.ParseTarget("sm90")
	addrs := make([]int64, 32)
	for l := range addrs {
		addrs[l] = 16 * int64(l) // consecutive vectors of 16 bytes
	}
	access, _ := banks.ParseAccess("ld.v4", 32)
	count, _ := banks.Wavefronts(target, access, addrs)
	fmt.Println(count.Wavefronts, count.Degree)
	_, err := banks.Wavefronts(target, access, []int64{0, 8})
	fmt.Println(err)
	// Output:
	// 4 1
	// not_divisible: bank: lane 1 has the address 8, which is not a multiple of the 16 bytes that ld.128 moves
}

func ExampleParseTarget() {
	for _, name := range []string{"sm_90a", "H200", "MI300X", "sm61"} {
		target, err := banks.ParseTarget(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(target, target.Title(), target.WarpSize())
	}
	// Output:
	// sm90 NVIDIA Hopper 32
	// sm90 NVIDIA Hopper 32
	// gfx942 AMD CDNA 3 64
	// name: bank: expected one of the targets sm70, sm75, sm80, sm86, sm89, sm90, sm100, sm103, sm120, gfx942, gfx950, found "sm61"
}

func ExampleTargets() {
	for _, t := range banks.Targets() {
		fmt.Print(t, " ")
	}
	// Output: sm70 sm75 sm80 sm86 sm89 sm90 sm100 sm103 sm120 gfx942 gfx950
}

func ExampleTarget_Name() {
	t, _ := banks.ParseTarget("B200")
	fmt.Println(t.Name())
	// Output: sm100
}

func ExampleTarget_Title() {
	t, _ := banks.ParseTarget("gfx950")
	fmt.Println(t.Title())
	// Output: AMD CDNA 4
}

func ExampleTarget_WarpSize() {
	t, _ := banks.ParseTarget("gfx950")
	fmt.Println(t.WarpSize())
	// Output: 64
}

func ExampleTarget_String() {
	t, _ := banks.ParseTarget("hopper")
	fmt.Println(t)
	// Output: sm90
}

func ExampleTarget_Rule() {
	access, _ := banks.ParseAccess("stmatrix.x4", 16)
	for _, name := range []string{"sm90", "sm80"} {
		target, _ := banks.ParseTarget(name)
		rule, err := target.Rule(access)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(rule.Lanes(), "rows, source:", rule.Source())
	}
	// Output:
	// 32 rows, source: measured on an H200: 2,824 single-warp accesses, all reproduced
	// type: bank: sm80 has no stmatrix.x4: it exists from sm90 on (PTX ISA)
}

func ExampleParseAccess() {
	for _, text := range []string{
		"ld.v4", "LDS.128", "st.shared.v2.f32", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "cp.async.16",
		"ds_read_b64", "ld.v3",
	} {
		a, err := banks.ParseAccess(text, 16)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(a, a.Bits())
	}
	// Output:
	// ld.64 64
	// ld.128 128
	// st.64 64
	// ldmatrix.x4.trans 128
	// cp.async.16 128
	// ds_read_b64 64
	// name: bank: expected a shared-memory instruction, found "ld.v3": "v3" is not understood
}

func ExampleAccess_Op() {
	a, _ := banks.ParseAccess("cp.async.8", 0)
	fmt.Println(a.Op() == banks.CopyAsync)
	// Output: true
}

func ExampleAccess_Bits() {
	a, _ := banks.ParseAccess("ld.v2", 16)
	fmt.Println(a.Bits())
	// Output: 32
}

func ExampleAccess_Matrices() {
	a, _ := banks.ParseAccess("ldmatrix.x2", 16)
	fmt.Println(a.Matrices())
	// Output: 2
}

func ExampleAccess_Transposed() {
	a, _ := banks.ParseAccess("ldmatrix.x2.trans", 16)
	fmt.Println(a.Transposed())
	// Output: true
}

func ExampleAccess_String() {
	a, _ := banks.ParseAccess("ld.v2", 64)
	fmt.Println(a)
	// Output: ld.128
}

func rule(target, access string) banks.Rule {
	t, _ := banks.ParseTarget(target)
	a, _ := banks.ParseAccess(access, 16)
	r, _ := t.Rule(a)
	return r
}

func ExampleRule_Count() {
	r := rule("sm90", "ld.64")
	// The two lanes of each pair access the same 8 bytes, so the load needs one phase instead of two.
	addrs := make([]int64, 32)
	for l := range addrs {
		addrs[l] = 8 * int64(l/2)
	}
	count, _ := r.Count(addrs)
	fmt.Println(count.Wavefronts, count.Merged)
	addrs[31] = banks.Inactive
	addrs[30] = 0
	count, _ = r.Count(addrs)
	fmt.Println(count.Wavefronts, count.Merged)
	// Output:
	// 1 true
	// 1 true
}

func ExampleRule_Explain() {
	r := rule("sm90", "ld.32")
	rep, _ := r.Explain([]int64{0, 128, 256, 4, 0})
	for _, c := range rep.Conflicts {
		fmt.Printf("bank %d, %d-way:\n", c.Bank, c.Degree())
		for _, h := range c.Hits {
			fmt.Printf("  address %d: lanes %v\n", h.Address, h.Lanes)
		}
	}
	// Output:
	// bank 0, 3-way:
	//   address 0: lanes [0 4]
	//   address 128: lanes [1]
	//   address 256: lanes [2]
}

func ExampleRule_Phases() {
	r := rule("gfx942", "ds_read_b128")
	fmt.Println(r.Phases()[:2])
	// Output: [[0 1 2 3 20 21 22 23] [4 5 6 7 16 17 18 19]]
}

func ExampleRule_MergedPhases() {
	r := rule("sm90", "ld.64")
	fmt.Println(len(r.Phases()), len(r.MergedPhases()))
	r = rule("sm90", "st.64")
	fmt.Println(len(r.Phases()), len(r.MergedPhases()))
	// Output:
	// 2 1
	// 2 0
}

func ExampleRule_Banks() {
	r := rule("gfx950", "ds_read_b128")
	w := rule("gfx950", "ds_write_b128")
	fmt.Println(r.Banks(), w.Banks())
	// Output: 64 32
}

func ExampleRule_Lanes() {
	r := rule("sm90", "ldmatrix.x2")
	fmt.Println(r.Lanes())
	// Output: 16
}

func ExampleRule_Source() {
	r := rule("gfx950", "ds_read_b128")
	fmt.Println(r.Source())
	// Output: 64 banks of 4 bytes; measured on CDNA 4 by HipKittens (arXiv 2511.08083, analysis of LDS phases)
}

func ExampleRule_Target() {
	r := rule("sm90", "ld.32")
	fmt.Println(r.Target())
	// Output: sm90
}

func ExampleRule_Access() {
	r := rule("sm90", "ld.v2")
	fmt.Println(r.Access())
	// Output: ld.32
}

func ExampleConflict_Degree() {
	r := rule("sm90", "st.128")
	rep, _ := r.Explain([]int64{0, 128})
	fmt.Println(rep.Conflicts[0].Degree(), rep.Conflicts[0].Banks)
	// Output: 2 4
}

func ExampleOp() {
	st, _ := banks.ParseAccess("st.32", 0)
	fmt.Println(st.Op() == banks.Store, st.Op() == banks.CopyAsync)
	// Output: true false
}

func ExampleReport() {
	r := rule("sm90", "st.64")
	rep, _ := r.Explain([]int64{0, 128, 8, 136})
	fmt.Println(rep.Wavefronts, rep.Ideal, len(rep.Conflicts))
	// Output: 2 1 2
}

func ExamplePhase() {
	r := rule("sm90", "ldmatrix.x1")
	rep, _ := r.Explain([]int64{0, 16, 32, 48, 64, 80, 96, 128})
	for _, p := range rep.Served {
		fmt.Println(p.Lanes, p.Wavefronts)
	}
	// Output: [0 1 2 3 4 5 6 7] 2
}

func ExampleHit() {
	r := rule("sm90", "ld.8")
	// Lanes 0 and 1 access two bytes of the same word, which is not a conflict.
	rep, _ := r.Explain([]int64{0, 1, 130})
	for _, h := range rep.Conflicts[0].Hits {
		fmt.Println(h.Address, h.Lanes)
	}
	// Output:
	// 0 [0 1]
	// 128 [2]
}

func ExampleRule_EachLane() {
	addrs := make([]int64, 32) // all lanes access the word at address 0
	for _, name := range []string{"ld.32", "atom.add.u32"} {
		access, _ := banks.ParseAccess(name, 0)
		target, _ := banks.ParseTarget("sm90")
		rule, _ := target.Rule(access)
		c, _ := rule.Count(addrs)
		fmt.Println(access, rule.EachLane(), c.Wavefronts)
	}
	// Output:
	// ld.32 false 1
	// atom.add.u32 true 32
}

func ExampleRule_Passes() {
	target, _ := banks.ParseTarget("sm90")
	access, _ := banks.ParseAccess("atom.shared.cas.b32", 0)
	rule, _ := target.Rule(access)
	c, _ := rule.Count([]int64{0, 4, 8, 12})
	fmt.Println(rule.Passes(), c.Wavefronts, c.Degree)
	// Output: 2 2 1
}

func ExampleTarget_GlobalRule() {
	target, _ := banks.ParseTarget("sm90")
	for _, name := range []string{"cp.async.cg.16", "ldmatrix.x4"} {
		access, _ := banks.ParseAccess(name, 0)
		rule, err := target.GlobalRule(access)
		fmt.Println(rule.Lanes(), err)
	}
	// Output:
	// 32 <nil>
	// 0 type: bank: ldmatrix.x4 accesses shared memory only
}

func ExampleBankOf() {
	fmt.Println(banks.BankOf(3, 16), banks.BankOf(70, 16), banks.BankOf(-1, 32))
	fmt.Println(banks.BankCount, "banks of", banks.BankBytes, "bytes")
	// Output:
	// 1 3 31
	// 32 banks of 4 bytes
}
