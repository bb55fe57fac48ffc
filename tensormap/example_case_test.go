package tensormap_test

import (
	"fmt"

	"girih/cute"
	"girih/symbolic"
	"girih/tensormap"
)

// rowMajor returns (M,K):(K,1).
func rowMajor() symbolic.Layout {
	var scope symbolic.Scope
	m, _ := scope.Named("M", symbolic.NoFacts())
	k, _ := scope.Named("K", symbolic.NoFacts())
	rows, row := symbolic.Number(symbolic.Of(m)), symbolic.Number(symbolic.Of(k))
	l, _ := symbolic.New(symbolic.Nest(rows, row), symbolic.Nest(row, symbolic.Number(symbolic.Const(1))))
	return l
}

// rowsOf plans tiles of 128 by 64 elements of a row-major tensor.
func rowsOf() []tensormap.Outcome {
	cases, _ := tensormap.Cases(rowMajor(), func(at *tensormap.Case) (tensormap.Plan, error) {
		c, _, err := tensormap.Copy{Case: at, Type: tensormap.Float16, Tiler: cute.Ints(128, 64)}.Fit([]int64{128, 64}, nil)
		if err != nil {
			return tensormap.Plan{}, err
		}
		return tensormap.Make(c)
	})
	return cases
}

func ExampleCases() {
	for _, o := range rowsOf() {
		fmt.Printf("where %s: legal if %s\n", o.When, o.LegalIf())
	}
	// Output:
	// where K != 1: legal if K != 1 and 8 | K and K <= 2^32 and M <= 2^32
	// where K == 1: legal if 0 == 1
}

func ExampleCase() {
	cases, _ := tensormap.Cases(rowMajor(), func(at *tensormap.Case) (tensormap.Plan, error) {
		shared := cute.MustParse("(128,64):(64,1)").Composed()
		return tensormap.Make(tensormap.Copy{Case: at, Type: tensormap.Float16, Shared: shared})
	})
	fmt.Println(len(cases), cases[0].Plan.LegalIf())
	// Output: 1 8 | K and K <= 2^32 and M <= 2^32
}

func ExampleRunTime() {
	run := rowsOf()[0].Plan.Run
	fmt.Println(run.Dims, run.Strides)
	// Output: [K M] [2K]
}

func ExampleClause() {
	for _, c := range rowsOf()[0].Plan.Run.Clauses {
		fmt.Printf("%s, if %s\n", c.Text, c.If)
	}
	// Output:
	// globalDim[0] is K elements, at most 2^32, if K <= 2^32
	// globalDim[1] is M elements, at most 2^32, if M <= 2^32
	// globalStrides[0] is K elements, a multiple of 8, if 8 | K
}

func ExampleOutcome_LegalIf() {
	var all []symbolic.Guard
	for _, o := range rowsOf() {
		all = append(all, o.LegalIf())
	}
	fmt.Println(symbolic.AnyOf(all...))
	// Output: 8 | K and K <= 2^32 and M <= 2^32
}

func ExamplePlan_LegalIf() {
	fmt.Println(rowsOf()[0].Plan.LegalIf())
	// Output: 8 | K and K <= 2^32 and M <= 2^32
}

func ExamplePlan_Fields() {
	for _, f := range rowsOf()[0].Plan.Fields() {
		if f.Unit != "" {
			fmt.Println(f.Name, f.Value, f.Unit)
		}
	}
	// Output:
	// globalDim {K, M} elements
	// globalStrides {2K} bytes
	// boxDim {64, 128} elements
}

func ExamplePlan_Remarks() {
	fmt.Println(len(rowsOf()[0].Plan.Remarks()))
	// Output: 0
}

func ExampleCopy_Fit() {
	c := tensormap.Copy{Global: cute.MustParse("(64,64):(64,1)"), Type: tensormap.Float16, Tiler: cute.Ints(4, 64)}
	c, note, err := c.Fit([]int64{4, 64}, nil)
	fmt.Println(c.Shared, err)
	fmt.Println(note[:49])
	// Output:
	// Sw<2,3,3> o 0 o (4,(32,2)):(32,(1,128)) <nil>
	// rows of the tile follow each other in the tensor,
}

func ExampleConvolution_Open() {
	var scope symbolic.Scope
	n, _ := scope.Named("N", symbolic.NoFacts())
	image, _ := symbolic.LayoutRight(symbolic.Nest(symbolic.Number(symbolic.Of(n)), symbolic.FromTuple(cute.Int(56)),
		symbolic.FromTuple(cute.Int(56)), symbolic.FromTuple(cute.Int(64))))
	c := tensormap.Convolution{
		Filter: []int64{3, 3}, Lower: []int64{1, 1}, Type: tensormap.Float16, Channels: 64, Pixels: 128,
	}
	p, _, err := c.Open(image.Shape().Integers(), image.Stride().Integers())
	fmt.Println(p.LegalIf(), err)
	// Output: N <= 2^32 <nil>
}
