package codegen

import (
	"fmt"
	"strconv"
	"strings"
)

// This file writes Go with package cute: an expression if an expression can build the value, otherwise statements for a
// function that returns an error.

func writeGo(n node) (string, error) {
	if !allStatic(n) {
		return "", refuse(Go, "package cute builds values of known integers, %s has others", girihText(n))
	}
	switch n := n.(type) {
	case boolean:
		return strconv.FormatBool(bool(n)), nil
	case keep:
		return "cute.Keep", nil
	case tuple:
		return goTuple(n.tree), nil
	case layout:
		return goLayout(n), nil
	case swizzle:
		return goChecked("w", goSwizzle(n)), nil
	case composed:
		return goComposed(n), nil
	case tile:
		return goTile(n), nil
	case list:
		return goList(n)
	}
	return "", refuse(Go, "package cute has no value for %s: call cute.LayoutLeft or cute.LayoutRight with a shape",
		describe(n))
}

func goTuple(t tree) string {
	if x, ok := t.(number); ok {
		return fmt.Sprintf("cute.Int(%d)", x.static)
	}
	if isOpen(t) {
		return "cute.Open"
	}
	if has(t, isOpen) {
		return fmt.Sprintf("cute.MustParseCoord(%q)", leafText(t))
	}
	return fmt.Sprintf("cute.MustParseTuple(%q)", leafText(t))
}

func goLayout(l layout) string { return fmt.Sprintf("cute.MustParse(%q)", girihText(l)) }

func goSwizzle(w swizzle) string {
	return fmt.Sprintf("cute.NewSwizzle(%d, %d, %d)", w.b, w.m, w.s)
}

// goChecked assigns the results of a call and checks the second.
func goChecked(name, call string) string {
	return fmt.Sprintf("%s, err := %s\nif err != nil {\n\treturn err\n}", name, call)
}

// goComposed builds the chain from the inside out.
func goComposed(c composed) string {
	var steps []string
	inner := goLayout(c.inner)
	for i := len(c.stages) - 1; i >= 0; i-- {
		s := c.stages[i]
		outer := ""
		switch f := s.outer.(type) {
		case swizzle:
			outer = fmt.Sprintf("w%d", i)
			steps = append(steps, goChecked(outer, goSwizzle(f)))
		case layout:
			outer = goLayout(f)
		}
		name := fmt.Sprintf("c%d", i)
		steps = append(steps, goChecked(name, fmt.Sprintf("cute.NewComposed(%s, %s, %s)", outer, goTuple(s.offset), inner)))
		inner = name
	}
	return strings.Join(steps, "\n")
}

func goTile(t tile) string {
	elems := make([]string, len(t))
	for i, m := range t {
		switch m := m.(type) {
		case tuple:
			elems[i] = goTuple(m.tree)
		case layout:
			elems[i] = goLayout(m)
		case tile:
			elems[i] = goTile(m)
		default:
			elems[i] = "cute.Keep"
		}
	}
	return "cute.MakeTile(" + strings.Join(elems, ", ") + ")"
}

// goList writes a list of integers as a slice. Values of several kinds have no common type.
func goList(l list) (string, error) {
	texts := make([]string, len(l))
	for i, n := range l {
		t, _ := n.(tuple)
		x, ok := t.tree.(number)
		if !ok {
			return "", refuse(Go, "a list of values that are not integers has no type in package cute: show its values one by one")
		}
		texts[i] = strconv.FormatInt(x.static, 10)
	}
	return "[]int64{" + strings.Join(texts, ", ") + "}", nil
}
