package device

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/symbolic"
)

// This file writes run-time integers in C.

// cInts writes integers as an initializer of C.
func cInts(xs []symbolic.Int) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = symbolic.Fold(x, symbolic.Builder[string](cText{}))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// cNames lists the names of the run-time integers in C.
func cNames(l symbolic.Layout) string {
	var names []string
	add := func(t symbolic.Tuple) {
		for _, x := range t.Integers() {
			symbolic.Fold(x, symbolic.Builder[string](cText{&names}))
		}
	}
	add(l.Shape())
	add(l.Stride())
	return strings.Join(names, ", ")
}

// A cText builds expressions of C. It implements [symbolic.Builder].
type cText struct{ names *[]string }

func (t cText) Const(x int64) string { return fmt.Sprint(x) }

// Symbol writes ?1, ?2, ... as n0, n1, ..., the names in the other languages.
func (t cText) Symbol(s *symbolic.Symbol) string {
	name := s.Name()
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "?")); err == nil {
		name = "n" + strconv.Itoa(n-1)
	}
	if t.names != nil && !slices.Contains(*t.names, name) {
		*t.names = append(*t.names, name)
	}
	return name
}

func (t cText) Sum(terms []string) string { return "(" + strings.Join(terms, " + ") + ")" }

func (t cText) Product(factors []string) string { return strings.Join(factors, " * ") }

func (t cText) Apply(op symbolic.Op, args []string) string {
	a, b := args[0], args[len(args)-1]
	switch op {
	case symbolic.OpFloor:
		return fmt.Sprintf("((%s) / (%s))", a, b)
	case symbolic.OpCeil:
		return fmt.Sprintf("(((%s) + (%s) - 1) / (%s))", a, b, b)
	case symbolic.OpMod:
		return fmt.Sprintf("((%s) %% (%s))", a, b)
	case symbolic.OpMin:
		return fmt.Sprintf("std::min<cuuint64_t>(%s, %s)", a, b)
	}
	return fmt.Sprintf("%s(%s)", op, strings.Join(args, ", "))
}
