package atom

import (
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file reads the names of the operations of sm100 with their template arguments.

func (u umma) find(name string) (*MMA, error) {
	base, args := templateArguments(name)
	if !strings.HasPrefix(base, "SM100_MMA_") && !strings.Contains(base, "SM103_MXF4_") {
		return nil, nil
	}
	if rest, ok := strings.CutPrefix(base, "SM103_"); ok {
		base = "SM103::SM103_" + rest
	}
	for o := range u.ops() {
		n := o.name()
		if base == n && len(args) > 0 {
			return o.withArguments(args)
		}
		if base == n {
			m := o.make(o.types[0], o.largest())
			return &m, nil
		}
		if short, ok := strings.CutPrefix(base, n+"_"); ok && len(args) == 0 {
			if s, ok := o.parseShort(short); ok {
				if err := o.check(o.types[0], s); err != nil {
					return nil, err
				}
				m := o.make(o.types[0], s)
				return &m, nil
			}
		}
	}
	return nil, nil
}

// parseShort reads "128x256".
func (o ummaOp) parseShort(text string) (ummaSize, bool) {
	ms, ns, ok := strings.Cut(text, "x")
	m, err1 := strconv.ParseInt(ms, 10, 64)
	n, err2 := strconv.ParseInt(ns, 10, 64)
	return ummaSize{m: m, n: n}, ok && err1 == nil && err2 == nil
}

// arguments reads template arguments one after the other and keeps the first error.
type arguments struct {
	list []string
	name string
	err  error
}

func (a *arguments) next(what string) string {
	if len(a.list) == 0 {
		if a.err == nil {
			a.err = fail(cute.CodeType, opAtom, "%s takes %s as next template argument, found none", a.name, what)
		}
		return ""
	}
	first := a.list[0]
	a.list = a.list[1:]
	return first
}

func (a *arguments) integer(what string) int64 {
	text := a.next(what)
	n, err := strconv.ParseInt(strings.TrimPrefix(text, "_"), 10, 64)
	if err != nil && a.err == nil {
		a.err = fail(cute.CodeType, opAtom, "%s takes %s as a number, found %.40q", a.name, what, text)
	}
	return n
}

// typ reads a type, and a complex one as two parts.
func (a *arguments) typ(what string) (dtype.Type, int) {
	text, parts := a.next(what), 1
	if in, ok := strings.CutPrefix(strings.TrimPrefix(text, "cutlass::"), "complex<"); ok && strings.HasSuffix(in, ">") {
		text, parts = in[:len(in)-1], 2
	}
	if a.err != nil {
		return 0, parts
	}
	t, err := parseType(text)
	a.err = err
	return t, parts
}

func (a *arguments) major() Major {
	if a.err != nil || len(a.list) == 0 {
		return KMajor
	}
	m, err := parseMajor(a.next("a major"))
	a.err = err
	return m
}

// withArguments returns the operation of the given template arguments.
func (o ummaOp) withArguments(list []string) (*MMA, error) {
	a := arguments{list: list, name: o.name()}
	t := o.types[0]
	if !o.noTypes {
		var pa, pb int
		t.a, pa = a.typ("the type of A")
		t.b, pb = a.typ("the type of B")
		t.c, _ = a.typ("the type of C")
		t.parts = pa
		if pa != pb && a.err == nil {
			a.err = fail(cute.CodeType, opAtom, "%s takes A and B both complex or neither", a.name)
		}
	}
	if t.vector > 0 {
		t.scale, _ = a.typ("the type of scale factors")
	}
	var s ummaSize
	s.m, s.n = a.integer("M"), a.integer("N")
	if o.vector {
		t.vector = a.integer("the elements that share a scale factor")
	}
	s.aMajor, s.bMajor = a.major(), a.major()
	if o.scaled && len(a.list) > 0 {
		s.scaleC = a.integer("ScaleC")
	}
	if a.err != nil {
		return nil, a.err
	}
	if !slices.Contains(o.types, t) {
		return nil, &cute.Error{
			Code: cute.CodeType, Op: opAtom,
			Msg:  "no instruction of " + a.name + " takes these types: " + strings.Join(list, ","),
			Hint: "one that it takes is " + o.fullName(o.types[0], o.largest()),
		}
	}
	if err := o.check(t, s); err != nil {
		return nil, err
	}
	m := o.make(t, s)
	return &m, nil
}
