package linear_test

import (
	"fmt"

	"girih/cute"
	"girih/linear"
)

func ExampleFromLayout() {
	l, _ := linear.FromLayout(cute.MustParse("(4,(2,2)):(2,(1,8))"), "lane", "register")
	fmt.Println(l.Bases())
	_, err := linear.FromLayout(cute.MustParse("(2,2):(1,1)"))
	fmt.Println(err)
	// Output:
	// [{lane [[2] [4]]} {register [[1] [8]]}]
	// not_representable: linear: (2,2):(1,1) is not linear over bits: at index 3 the value is 2, and the exclusive or of the values of its bits is 0
}

func ExampleFromComposed() {
	sw, _ := cute.NewSwizzle(2, 0, 2)
	c, _ := cute.NewComposed(sw, cute.Int(0), cute.MustParse("(4,4):(4,1)"))
	l, err := linear.FromComposed(c)
	fmt.Println(l.Bases(), err)
	// Output: [{index [[5] [10] [1] [2]]}] <nil>
}

func ExampleFromSwizzle() {
	sw, _ := cute.NewSwizzle(1, 0, 2)
	l, err := linear.FromSwizzle(sw, 3)
	fmt.Println(l.Bases(), err)
	// Output: [{offset [[1] [2] [5]]}] <nil>
}

func ExampleLayout_ToLayout() {
	l, _ := linear.New([]linear.In{{Name: "lane", Bases: [][]int64{{2}, {4}}}, {Name: "register", Bases: [][]int64{{1}}}},
		[]linear.Dim{{Name: "offset", Size: 8}})
	fmt.Println(l.ToLayout())
	// Output: (4,2):(2,1) 0 <nil>
}

func ExampleLayout_ToComposed() {
	l, _ := linear.New([]linear.In{{Name: "index", Bases: [][]int64{{5}, {10}, {1}, {2}}}},
		[]linear.Dim{{Name: "offset", Size: 16}})
	fmt.Println(l.ToComposed())
	// Output: Sw<2,0,2> o 0 o (4,4):(4,1) <nil>
}

func ExampleLayout_ToXor() {
	l, _ := linear.New([]linear.In{{Name: "index", Bases: [][]int64{{1}, {3}, {7}}}}, []linear.Dim{{Name: "offset", Size: 8}})
	fmt.Println(l.ToXor())
	// Output: (2,2,2):(F2(1),F2(3),F2(7)) <nil>
}

func ExampleLayout_RightInverse() {
	l, _ := linear.FromLayout(cute.MustParse("(4,2):(2,1)"))
	r, _ := l.RightInverse()
	fmt.Println(r.ToLayout())
	// Output: (2,4):(4,1) 0 <nil>
}

func ExampleLayout_LeftInverse() {
	l, _ := linear.FromLayout(cute.MustParse("4:2"))
	r, _ := l.LeftInverse()
	fmt.Println(r.ToLayout())
	// Output: (2,4):(0,1) 0 <nil>
}
