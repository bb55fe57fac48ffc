package copy_test

import (
	"fmt"

	"girih/kernel/copy"
	"girih/symbolic"
)

// matrix returns the row-major and the column-major layout of M rows of N elements.
func matrix(m, n symbolic.Int) (rows, columns symbolic.Layout) {
	one := symbolic.Number(symbolic.Const(1))
	shape := symbolic.Nest(symbolic.Number(m), symbolic.Number(n))
	rows, err := symbolic.New(shape, symbolic.Nest(symbolic.Number(n), one))
	if err != nil {
		fmt.Println(err)
	}
	columns, err = symbolic.New(shape, symbolic.Nest(one, symbolic.Number(m)))
	if err != nil {
		fmt.Println(err)
	}
	return rows, columns
}

// One kernel transposes every matrix whose rows and columns are multiples of 8.
func ExampleNewSymbolic() {
	var s symbolic.Scope
	f := symbolic.Facts{Div: 8, Min: 1, Max: 1 << 20}
	m, _ := s.Named("M", f)
	n, _ := s.Named("N", f)
	src, dst := matrix(symbolic.Of(m), symbolic.Of(n))
	p, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(p)
	// Output:
	// blocks for all (M,N):(1,M) <- (M,N):(N,1), elements of 2 bytes
	//   parameters: M from 8 to 1048576, a multiple of 8; N from 8 to 1048576, a multiple of 8
	//   joint modes of 2 bytes: (M,N), src (N,1), dst (1,M)
	//   tile (128,128), blocks of 256 threads, 32768 bytes of shared memory behind Sw<3,3,7>
	//   global -> registers: blocks of 8x8 elements, rows of 16 bytes, 256 of a block, 1 of a thread
	//   registers: blocks of 8x8 are turned
	//   registers -> shared: accesses of 16 bytes
	//   shared -> global: accesses of 16 bytes, 2048 of a block, 8 of a thread
}

// Values are checked against the facts and the requirements of a copy before anything is launched.
func ExamplePlan_At() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	n, _ := s.Named("N", symbolic.NoFacts())
	src, dst := matrix(symbolic.Of(m), symbolic.Of(n))
	p, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, err := p.At(symbolic.Values{m: 4095, n: 4097})
	fmt.Println(q.Args(), q.Describe().Blocks, err)
	_, err = p.At(symbolic.Values{m: 4095, n: 0})
	fmt.Println(err)
	_, err = p.At(symbolic.Values{m: 1 << 31, n: 1})
	fmt.Println(err)
	// Output:
	// map[M:4095 N:4097] 2080 <nil>
	// fact: N = 0 breaks the fact N >= 1
	// overflow: copy: M is 2147483648, and the kernel is for numbers from 1 to 2147483647
}

// A program that has names and numbers finds the symbols with these names.
func ExampleSymbols() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	n, _ := s.Anonymous(symbolic.NoFacts())
	found := copy.Symbols(matrix(symbolic.Of(m), symbolic.Of(n)))
	fmt.Println(found["M"] == m, found["?1"] == n, len(found))
	// Output: true true 2
}

// A program that has only the kernel computes its arguments from the integers of the layouts.
func ExamplePlan_Formulas() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	n, _ := s.Named("N", symbolic.NoFacts())
	src, dst := matrix(symbolic.Of(m), symbolic.Of(n))
	p, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: 2})
	fmt.Println(p.Formulas(), err)
	area, _ := symbolic.Mul(symbolic.Of(m), symbolic.Of(n))
	src, dst = matrix(area, symbolic.Const(3))
	p, err = copy.NewSymbolic(src, dst, copy.Options{Bytes: 2})
	fmt.Println(p.Formulas(), err)
	// Output:
	// map[M:M N:N] <nil>
	// map[extent0:M*N] <nil>
}
