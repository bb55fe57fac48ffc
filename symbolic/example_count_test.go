package symbolic_test

import (
	"errors"
	"fmt"

	"girih/cute"
	"girih/symbolic"
)

func symbolM(s *symbolic.Scope) symbolic.Int {
	m, _ := s.Named("M", symbolic.NoFacts())
	return symbolic.Of(m)
}

func ExampleTuple_NodeCount() {
	var s symbolic.Scope
	t := symbolic.Nest(symbolic.Number(symbolM(&s)), symbolic.Nest(symbolic.Number(symbolic.Const(2))))
	fmt.Println(t.NodeCount(100))
	// Output: 4 2
}

func ExampleTuple_Parts() {
	var s symbolic.Scope
	fmt.Println(symbolic.Number(symbolM(&s)).Parts() < symbolic.Nest(symbolic.Number(symbolM(&s)),
		symbolic.Number(symbolM(&s))).Parts())
	// Output: true
}

func ExampleTiler_NodeCount() {
	fmt.Println(symbolic.ByMode(symbolic.Keep(), symbolic.Keep()).NodeCount(100))
	// Output: 3 1
}

// When a limit is reached, sums of expressions return its error.
func ExampleScope_Limit() {
	var s symbolic.Scope
	m := symbolM(&s)
	s.Limit(func() error { return errors.New("it takes too long") })
	_, err := symbolic.Add(m, m)
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code, e.Msg)
	// Output: limit it takes too long
}
