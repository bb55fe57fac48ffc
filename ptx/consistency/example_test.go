package consistency_test

import (
	"fmt"

	"girih/ptx/consistency"
)

// messagePassing returns an execution in which a message is lost: thread 0 writes x and then releases y; thread 1
// acquires y, but reads the first value of x.
func messagePassing() *consistency.Execution {
	const initX, initY, writeX, writeY, readY, readX = 0, 1, 2, 3, 4, 5
	x := consistency.NewExecution(6)
	*x.Events("W") = 1<<initX | 1<<initY | 1<<writeX | 1<<writeY
	*x.Events("R") = 1<<readY | 1<<readX
	*x.Events("Strong") = 1<<writeY | 1<<readY
	*x.Events("Release") = 1 << writeY
	*x.Events("Acquire") = 1 << readY
	*x.Events("Gen") = 1<<6 - 1
	x.Relation("po").Add(writeX, writeY)
	x.Relation("po").Add(readY, readX)
	for _, place := range [][]int{{initX, writeX, readX}, {initY, writeY, readY}} {
		for _, a := range place {
			for _, b := range place {
				x.Relation("loc").Add(a, b)
				x.Relation("whole").Add(a, b)
			}
		}
		x.Relation("co").Add(place[0], place[1])
	}
	for a := range 6 {
		for b := range 6 {
			x.Relation("proxy").Add(a, b)
		}
	}
	x.Relation("scope").Add(writeY, readY)
	x.Relation("scope").Add(readY, writeY)
	x.Relation("rf").Add(writeY, readY)
	x.Relation("rf").Add(initX, readX)
	return x
}

func ExampleExecution_Check() {
	v := messagePassing().Check()
	fmt.Println(v.Name, v.Section)
	for _, e := range v.Cycle() {
		fmt.Println(e.From, e.Name, e.To)
	}
	// Output:
	// Causality 8.10.6
	// 5 fr 2
	// 2 po 3
	// 3 sync 4
	// 4 po 5
}

func ExampleRows() {
	for _, r := range consistency.Rows() {
		if r.Kind == consistency.Axiom {
			fmt.Println(r.Section, r.Name, "-", r.Relation)
		}
	}
	// Output:
	// 8.10.1 Coherence - acyclic [W]; (cause & loc); [W] | co
	// 8.9.6 Coherence-Order - empty [W]; ((ms | cause) & loc); [W] \ (co | co^-1)
	// 8.10.2 Fence-SC - irreflexive sc; base
	// 8.10.3 Atomicity - empty rmw & ((ms & fr); (ms & co))
	// 8.10.4 No-Thin-Air - acyclic rf | dep
	// 8.10.5 SC-Per-Location - acyclic ms & (rf | co | fr | po & loc)
	// 8.10.6 Causality - irreflexive (rf | fr); cause
}

func ExampleRelation() {
	r := make(consistency.Relation, 3)
	r.Add(0, 1)
	r.Add(1, 2)
	r.Close()
	fmt.Println(r.Has(0, 2), r.Has(2, 0), r.Empty())
	// Output: true false false
}

func ExampleSet() {
	var s consistency.Set
	s.Add(3)
	s.Add(5)
	fmt.Println(s.Has(5), s.Size(), s.First())
	// Output: true 2 3
}

func Example() {
	// The read returns the first value of x, although it happens after the write to x.
	if v := messagePassing().Check(); v != nil {
		fmt.Printf("%s (PTX ISA %s): %s\n", v.Name, v.Section, v.Words)
	}
	// Output: Causality (PTX ISA 8.10.6): communication does not contradict causality order
}

func ExampleNewExecution() {
	x := consistency.NewExecution(2)
	x.Relation("po").Add(0, 1)
	fmt.Println(x.Relation("base").Has(0, 1))
	// Output: true
}

func ExampleKind() {
	fmt.Println(consistency.Given, consistency.Axiom)
	// Output: given axiom
}

func ExampleViolation() {
	v := messagePassing().Check()
	fmt.Println(v.Name, len(v.Cycle()))
	// Output: Causality 4
}

func ExampleEdge() {
	e := messagePassing().Check().Cycle()[0]
	fmt.Println(e.Name, e.From, e.To)
	// Output: fr 5 2
}

func ExampleRow() {
	for _, r := range consistency.Rows() {
		if r.Name == "fr" {
			fmt.Println(r.Kind, r.Relation, r.Section)
		}
	}
	// Output: derived rf^-1; co 8.9.7
}
