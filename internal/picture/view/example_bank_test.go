package view_test

import (
	"fmt"

	"girih/banks"
	"girih/cute"
	"girih/internal/picture/view"
)

// store returns the accesses of threads (32,8):(8,1) that each store floats one at a time.
func store(layout string) view.BankCase {
	target, _ := banks.ParseTarget("sm90")
	access, _ := banks.ParseAccess("st", 32)
	rule, _ := target.Rule(access)
	plan, err := banks.NewPlan(rule, cute.MustParse(layout), 32, banks.Partition(cute.MustParse("(32,8):(8,1)")))
	if err != nil {
		fmt.Println(err)
	}
	return view.BankCase{Name: layout, Plan: plan}
}

func ExampleBank() {
	s, err := view.Bank(store("(128,8):(1,128)"), view.Options{})
	for _, text := range texts(s)[:4] {
		fmt.Println(text)
	}
	fmt.Println(err)
	// Output:
	// st.32 on sm90: (128,8):(1,128)
	// warp 0, instruction 0: 8-way conflict, 8 wavefronts where 1 would do
	// all 32 instructions: 256 wavefronts where 32 would do; 32 cost as much as this one
	// phase 0, lanes 0–31: 8-way conflict, 8 wavefronts
	// <nil>
}

func ExampleBanks() {
	s, err := view.Banks([]view.BankCase{store("(128,8):(1,128)"), store("(128,8):(1,129)"), store("(128,8):(1,132)")},
		view.Options{})
	for _, text := range texts(s)[:7] {
		fmt.Println(text)
	}
	fmt.Println(err)
	// Output:
	// st.32 on sm90
	// (128,8):(1,128)
	// 8-way conflict, 256 wavefronts
	// (128,8):(1,129)
	// 4-way conflict, 128 wavefronts
	// (128,8):(1,132)
	// conflict-free, 32 wavefronts
	// <nil>
}

func ExampleBankCase() {
	c := store("(128,8):(1,128)")
	padded, _ := cute.MustParse("(128,8):(1,132)").AppendOffsets(nil)
	c.Name, c.Offsets = "padded", padded // the same accesses to a padded memory
	s, err := view.Bank(c, view.Options{})
	fmt.Println(texts(s)[1], err)
	// Output:
	// warp 0, instruction 0: conflict-free, 1 wavefront <nil>
}

func ExampleBankTile() {
	l := cute.MustParse("(128,8):(1,128)")
	s, err := view.BankTile(l, store("(128,8):(1,128)"), view.Options{})
	fmt.Println(s.Desc, err)
	// Output:
	// st.32 on sm90, warp 0, instruction 0, phase 0: 8-way conflict, 8 wavefronts. The hue is the bank of the element, 32 bits wide; the numbers are lanes of the phase. Frames in red: several words of one bank. <nil>
}
