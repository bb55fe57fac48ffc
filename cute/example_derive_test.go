package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// The leaf 4:3 of B counts 0, 3, 6, 9. In A, whose first digit goes up to 5, 3 is (3,0), and that digit is full after
// two steps.
func ExampleDerive() {
	d, err := cute.Derive("composition", cute.MustParse("(6,2):(8,2)"), cute.MustParse("4:3"))
	fmt.Println(d.Result, err)
	for _, s := range d.Steps {
		switch s := s.(type) {
		case cute.Radix:
			fmt.Println("digits", s.Digits, "worth", s.Worth)
		case cute.Run:
			fmt.Printf("leaf %d: %d of %d steps of %v = %v make %v\n", s.Leaf, s.Mode.Extent, s.Left, s.Index, s.Digits, s.Mode)
		case cute.Split:
			fmt.Println("together", s.Modes)
		case cute.Reach:
			if s.Extent > 0 {
				fmt.Printf("digit %d is at most %d, below %d: %v\n", s.Digit, s.Sum, s.Extent, !s.Carries())
			}
		}
	}
	// Output:
	// (2,2):(24,2) <nil>
	// digits [6:8 2:2] worth [1 6]
	// leaf 0: 2 of 4 steps of [3] = [[3 0]] make 2:24
	// leaf 0: 2 of 2 steps of [6] = [[0 1]] make 2:2
	// together [2:24 2:2]
	// digit 0 is at most 3, below 6: true
}

// Until can end a derivation, as it can end the operation.
func ExampleUntil_Derive() {
	ended := fmt.Errorf("the user is gone")
	until := cute.Until(func() error { return ended })
	_, err := until.Derive("composition", cute.MustParse("(6,2):(1,7)"), cute.MustParse("(3,2):(2,3)"))
	fmt.Println(err)
	// Output: the user is gone
}

// A sum turns where one of its layouts turns.
func ExampleTurn() {
	d, _ := cute.Derive("layout_add", cute.MustParse("(2,4):(1,8)"), cute.MustParse("(4,2):(10,1)"))
	for _, s := range d.Steps {
		if t, ok := s.(cute.Turn); ok {
			fmt.Printf("from %d to %d: %v + %v = %v\n", t.At, t.Next, t.A, t.B, t.Sum)
		}
	}
	fmt.Println(d.Result)
	// Output:
	// from 1 to 2: 1 + 10 = 11
	// from 2 to 4: 8 + 20 = 28
	// from 4 to 8: 16 + 1 = 17
	// (2,2,2):(11,28,17)
}

// Each extent takes its part of the divisor.
func ExampleQuotient() {
	d, _ := cute.Derive("shape_div", cute.Ints(4, 5, 6), cute.Int(40))
	for _, s := range d.Steps {
		if q, ok := s.(cute.Quotient); ok {
			fmt.Printf("%d by %d is %d, %d is left\n", q.Extent, q.Divisor, q.Quotient, q.Left)
		}
	}
	fmt.Println(d.To)
	// Output:
	// 4 by 40 is 1, 10 is left
	// 5 by 10 is 1, 2 is left
	// 6 by 2 is 3, 1 is left
	// (1,1,3)
}

// Each leaf of one shape is compared with each leaf of the other.
func ExampleMeeting() {
	d, _ := cute.Derive("greatest_common_domain", cute.Ints(5, 3, 4), cute.Ints(10, 6))
	for _, s := range d.Steps {
		if m, ok := s.(cute.Meeting); ok && m.Mode.Extent > 0 {
			fmt.Println(m.A, m.B, m.Mode)
		}
	}
	fmt.Println(d.Result)
	// Output:
	// [1 5] [1 10] 5:1
	// [15 60] [10 60] 2:30
	// (5,2):(1,30)
}

// A follows the offsets of B up to the first offset that A does not have at the same index.
func ExampleFollow() {
	d, _ := cute.Derive("max_common_layout", cute.MustParse("(2,4):(1,4)"), cute.MustParse("8:1"))
	for _, s := range d.Steps {
		if f, ok := s.(cute.Follow); ok {
			fmt.Printf("offset %d of B is at index %d, where A is %v: %v\n", f.Offset, f.Index, f.Value, f.Follows)
		}
	}
	fmt.Println(d.Result)
	// Output:
	// offset 0 of B is at index 0, where A is 0: true
	// offset 1 of B is at index 1, where A is 1: true
	// offset 2 of B is at index 2, where A is 4: false
	// 2:1
}

// An index splits into digits, and each digit is multiplied by its stride.
func ExampleDeriveEval() {
	d, _ := cute.DeriveEval(cute.MustParse("(4,8):(8,1)"), cute.Int(9))
	for _, s := range d.Steps {
		for _, x := range s.(cute.Digits).Each {
			fmt.Printf("%v: of %d the digit %d, times %v = %v\n", x.Mode, x.Left, x.Value, x.Mode.Stride, x.Term)
		}
	}
	fmt.Println(d.From, d.To)
	// Output:
	// 4:8: of 9 the digit 1, times 8 = 8
	// 8:1: of 2 the digit 2, times 1 = 2
	// (1,2) 10
}

// A fixed mode has an offset, and an open mode stays.
func ExampleDeriveSlice() {
	d, _ := cute.DeriveSlice(cute.MustParse("(4,8):(8,1)"), cute.MakeCoord(cute.At(3), cute.Open))
	for _, s := range d.Steps {
		switch s := s.(type) {
		case *cute.Derivation:
			fmt.Println(s.A, "at", s.B, "is", s.To)
		case cute.OpenMode:
			fmt.Println(s.Mode, "stays")
		}
	}
	fmt.Println(d.Result, d.To)
	// Output:
	// 4:8 at 3 is 24
	// 8:1 stays
	// (8):(1) 24
}

var errEnough = errors.New("enough")

func ExampleComposed_Until() {
	c := chain(swizzleOf("Sw<3,3,9>"), 5, cute.MustParse("(1024,1024):(3,3072)"))
	_, err := c.Until(func() error { return errEnough }).AppendOffsets(nil) // 2^20 of them
	fmt.Println(err)
	// Output: enough
}

func ExampleComposed_Stopped() {
	fmt.Println(threeStages.Stopped())
	fmt.Println(threeStages.Until(func() error { return errEnough }).Stopped())
	// Output:
	// <nil>
	// enough
}

// These operations fail at once. The operands of the examples are chosen so that values decide.
var (
	enough = cute.Until(func() error { return errEnough })
	steps  = cute.MustParse("(3,2,5):(1,7,1)")
	gaps   = cute.MustParse("(2,2,2):(1,6,24)") // gaps of 3 and of 2
	fifth  = cute.MustParse("15:1")
)

func ExampleUntil_Composition() {
	_, err := enough.Composition(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_CompositionBy() {
	_, err := enough.CompositionBy(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_WithShape() {
	_, err := enough.WithShape(steps, cute.Ints(15, 2))
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_LogicalDivide() {
	_, err := enough.LogicalDivide(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_LogicalDivideExact() {
	_, err := enough.LogicalDivideExact(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_ZippedDivide() {
	_, err := enough.ZippedDivide(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_ZippedDivideExact() {
	_, err := enough.ZippedDivideExact(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_TiledDivide() {
	_, err := enough.TiledDivide(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_TiledDivideExact() {
	_, err := enough.TiledDivideExact(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_FlatDivide() {
	_, err := enough.FlatDivide(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_FlatDivideExact() {
	_, err := enough.FlatDivideExact(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_LogicalProduct() {
	_, err := enough.LogicalProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_ZippedProduct() {
	_, err := enough.ZippedProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_TiledProduct() {
	_, err := enough.TiledProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_FlatProduct() {
	_, err := enough.FlatProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_BlockedProduct() {
	_, err := enough.BlockedProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_RakedProduct() {
	_, err := enough.RakedProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_TileToShape() {
	_, err := enough.TileToShape(cute.MustParse("((2,2,2)):((1,6,24))"), cute.Ints(120), cute.Tuple{})
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_Recognize() {
	_, err := enough.Recognize([]int64{0, 1, 2, 3})
	fmt.Println(err)
	// Output: enough
}

func ExampleComposed_IsInjectiveInto() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).IsInjectiveInto(cute.Int(8)))
	// Output: true <nil> <nil>
}

func ExampleComposed_IsSurjectiveOnto() {
	ok, w, err := chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).IsSurjectiveOnto(cute.Int(6))
	fmt.Println(ok, w.Value, err)
	// Output: false 4 <nil>
}

func ExampleComposed_IsBijectiveOnto() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("8:1")).IsBijectiveOnto(cute.Int(8)))
	// Output: true <nil> <nil>
}
