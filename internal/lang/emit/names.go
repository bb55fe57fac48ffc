package emit

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file names tensors as CuTe's kernels do: tAgA is what the partition tA gives a thread of gA, the tile of A in
// global memory; r is for registers, s for shared memory, m for a whole tensor, and p for predicates.

// A name is the parts of a tensor's name.
type name struct{ partition, space, of string }

func (n name) String() string { return n.partition + n.space + n.of }

// predicates returns the name of the predicates of a tensor.
func (n name) predicates(space string) name {
	if n.space == "m" {
		space = "m" + space
	}
	n.space = space
	return n
}

// A namer gives out names, each once.
type namer struct{ used map[string]bool }

func newNamer(words string) namer {
	n := namer{map[string]bool{}}
	for w := range strings.FieldsSeq(words) {
		n.used[w] = true
	}
	return n
}

// unique returns a name that no other thing has.
func (n namer) unique(text string) string {
	own := text
	for i := 2; n.used[own]; i++ {
		own = fmt.Sprintf("%s_%d", text, i)
	}
	n.used[own] = true
	return own
}

// upper returns a name with a capital: a is A, and sA is A too, because s says where it is.
func upper(text string) string {
	if len(text) > 1 && text[0] == 's' && text[1] >= 'A' && text[1] <= 'Z' {
		return text[1:]
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// nameOf returns the name of the tensor that a step makes.
func (w *writer) nameOf(s *Step) name {
	first := func() name { return w.parts[s.Of[0]] }
	switch s.Op {
	case "global", "tma_tensor":
		return name{"", "m", upper(s.Name)}
	case "shared":
		return name{"", "s", upper(s.Name)}
	case "local_tile":
		n := first()
		if n.partition == "" && n.space == "m" {
			return name{"", "g", n.of}
		}
		return name{"t" + n.of, n.space, n.of}
	case "local_partition":
		n := first()
		if n.partition = "t" + n.of; s.Proj != "" {
			n.partition = "tC"
		}
		return n
	case "select<1,0>":
		n := first()
		n.of += "T"
		return n
	case "make_fragment_like":
		n := first()
		n.space = "r"
		return n
	case "make_tensor":
		return name{"", "r", ""}
	}
	return w.partitionName(s)
}

// partitionName returns the name of a part of a thread of a tiled operation.
func (w *writer) partitionName(s *Step) name {
	if s.Op == "tma_partition" || s.Op == "second" {
		n := w.parts[s.Of[map[string]int{"tma_partition": 1}[s.Op]]]
		n.partition = "t" + n.of
		return n
	}
	if len(s.Of) < 2 {
		return name{of: s.Op}
	}
	n := w.parts[s.Of[1]]
	switch {
	case strings.HasPrefix(s.Op, "make_fragment"):
		n.partition, n.space = "tC", "r"
	case strings.HasPrefix(s.Op, "retile"), w.retiles(w.step(s.Of[0])):
		n.partition = "tX"
	case w.step(s.Of[0]).MMA != nil:
		n.partition = "tC"
	default:
		n.partition = "t" + n.of
	}
	return n
}

// element returns the name of a type of elements.
func (w *writer) element(t dtype.Type) string {
	text := t.CPP()
	if w.d == &dsl {
		text = "cutlass." + t.DSL()
	}
	if text == "" || text == "cutlass." {
		w.refuse(cute.CodeType, "the language has no type %v", t)
	}
	return text
}
