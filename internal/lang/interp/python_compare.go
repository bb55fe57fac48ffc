package interp

import (
	"math"
	"strings"
)

// truth reports whether a value counts as true.
func (py *python) truth(v Value) (bool, error) {
	switch v := v.(type) {
	case Float:
		return v != 0, nil
	case Int:
		return v != 0, nil
	case Bool:
		return bool(v), nil
	case None:
		return false, nil
	case Algebra:
		if py.Other == nil {
			return true, nil
		}
		b, err := py.Other("bool", v, nil)
		t, _ := b.(Bool)
		return bool(t), err
	}
	if n, err := py.length(v); err == nil {
		return n > 0, nil
	}
	return true, nil
}

// compare returns a OP b, for == != < <= > >= in, not in, is, is not.
func (py *python) compare(op string, a, b Value) (Value, error) {
	switch op {
	case "==", "!=":
		same, err := py.equal(a, b)
		return Bool(same == (op == "==")), err
	case "is", "is not":
		same, err := identical(a, b)
		return Bool(same == (op == "is")), err
	case "in", "not in":
		has, err := py.contains(b, a)
		return Bool(has == (op == "in")), err
	}
	is, err := py.ordered(op, a, b)
	return Bool(is), err
}

// identical reports whether a is b. For numbers and texts CPython's answer depends on what it keeps, so it is refused
// unless the values differ.
func identical(a, b Value) (bool, error) {
	switch x := a.(type) {
	case None, Bool, TypeValue, Module, *List, *Dict, *Set, *Func, *Iterator, *Builtin:
		return sameType(a, b) && a == b, nil
	case Int:
		y, ok := b.(Int)
		if ok && x == y && (x < -5 || x > 256) {
			return false, refuse("whether two integers %d are one object depends on Python: write ==", x)
		}
		return ok && x == y, nil
	}
	if sameType(a, b) {
		return false, refuse("is compares objects, and whether two values of type '%s' are one depends on Python: write ==", typeName(a))
	}
	return false, nil
}

func sameType(a, b Value) bool { return typeName(a) == typeName(b) }

// equal reports whether a == b.
func (py *python) equal(a, b Value) (bool, error) {
	if c, ok := compareNumbers(a, b); ok {
		return c == equal, nil
	}
	switch x := a.(type) {
	case Algebra:
		return py.otherEqual(a, b)
	case Str:
		y, ok := b.(Str)
		return ok && x == y, nil
	case Tuple:
		if y, ok := b.(Tuple); ok {
			return py.equalElements(x, y)
		}
	case *List:
		if y, ok := b.(*List); ok {
			return py.equalElements(x.Elems, y.Elems)
		}
	case *Dict:
		if y, ok := b.(*Dict); ok {
			return py.equalDicts(x, y)
		}
	case Range:
		y, ok := b.(Range)
		n := x.Len()
		return ok && n == y.Len() && (n == 0 || x.Start == y.Start && (n == 1 || x.Step == y.Step)), nil
	case None, TypeValue, Module, *Func, *Iterator, *Builtin:
		return sameType(a, b) && a == b, nil
	case Method:
		y, ok := b.(Method)
		if !ok || x.Name != y.Name {
			return false, nil
		}
		return identical(x.X, y.X)
	}
	if _, ok := b.(Algebra); ok {
		return py.otherEqual(a, b)
	}
	x, ok := asSet(a)
	y, also := asSet(b)
	return ok && also && x.Len() == y.Len() && x.within(y), nil
}

func (py *python) otherEqual(a, b Value) (bool, error) {
	if py.Other == nil {
		x, ok := a.(Algebra)
		y, also := b.(Algebra)
		return ok && also && py.textOf(x) == py.textOf(y), nil
	}
	v, err := py.Other("==", a, b)
	t, _ := v.(Bool)
	return bool(t), err
}

// same reports whether two elements are one object or equal, as containers compare them.
func (py *python) same(a, b Value) (bool, error) {
	if x, ok := a.(*List); ok && x == b {
		return true, nil
	}
	return py.equal(a, b)
}

func (py *python) equalElements(x, y []Value) (bool, error) {
	if len(x) != len(y) {
		return false, nil
	}
	i, err := py.difference(x, y)
	return i == len(x), err
}

// difference returns the first index at which two sequences differ.
func (py *python) difference(x, y []Value) (int, error) {
	if err := py.enter(); err != nil {
		return 0, err
	}
	defer py.leave()
	n := min(len(x), len(y))
	for i := range n {
		if err := py.work(1); err != nil {
			return 0, err
		}
		same, err := py.same(x[i], y[i])
		if err != nil || !same {
			return i, err
		}
	}
	return n, nil
}

func (py *python) equalDicts(x, y *Dict) (bool, error) {
	if x.Len() != y.Len() {
		return false, nil
	}
	if err := py.enter(); err != nil {
		return false, err
	}
	defer py.leave()
	for _, e := range x.entries {
		if e.gone {
			continue
		}
		other, ok := y.get(e.hash)
		if !ok {
			return false, nil
		}
		if same, err := py.same(e.value, other); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// The results of a comparison. nan is unordered.
const (
	less      = -1
	equal     = 0
	greater   = 1
	unordered = 2
)

// compareNumbers compares two numbers exactly; ok is false if one is no number.
func compareNumbers(a, b Value) (c int, ok bool) {
	x, isInt := asInt(a)
	y, alsoInt := asInt(b)
	if isInt && alsoInt {
		return sign(x < y, x > y), true
	}
	f, ok := asFloat(a)
	g, also := asFloat(b)
	switch {
	case !ok || !also:
		return 0, false
	case f != f || g != g:
		return unordered, true
	case isInt:
		return compareFloat(x, g), true
	case alsoInt:
		return -compareFloat(y, f), true
	}
	return sign(f < g, f > g), true
}

func sign(isLess, isGreater bool) int {
	switch {
	case isLess:
		return less
	case isGreater:
		return greater
	}
	return equal
}

// compareFloat compares an integer with a float, also where the integer is no float.
func compareFloat(n int64, f float64) int {
	switch {
	case f >= -minInt:
		return less
	case f < minInt:
		return greater
	}
	whole := math.Floor(f)
	if c := sign(n < int64(whole), n > int64(whole)); c != equal {
		return c
	}
	return sign(whole < f, false)
}

// ordered returns a OP b for < <= > >=.
func (py *python) ordered(op string, a, b Value) (bool, error) {
	if c, ok := compareNumbers(a, b); ok {
		return holds(op, c), nil
	}
	switch x := a.(type) {
	case Str:
		if y, ok := b.(Str); ok {
			return holds(op, strings.Compare(string(x), string(y))), nil
		}
	case Tuple:
		if y, ok := b.(Tuple); ok {
			return py.orderedElements(op, x, y)
		}
	case *List:
		if y, ok := b.(*List); ok {
			return py.orderedElements(op, x.Elems, y.Elems)
		}
	}
	if x, ok := asSet(a); ok {
		if y, ok := asSet(b); ok {
			small, large := x, y
			if op[0] == '>' {
				small, large = y, x
			}
			return small.within(large) && (len(op) == 2 || small.Len() < large.Len()), nil
		}
	}
	_, isAlgebra := a.(Algebra)
	_, alsoAlgebra := b.(Algebra)
	if py.Other != nil && (isAlgebra || alsoAlgebra) {
		v, err := py.Other(op, a, b)
		t, _ := v.(Bool)
		return bool(t), err
	}
	return false, typeError("'%s' not supported between instances of '%s' and '%s'", op, typeName(a), typeName(b))
}

func (py *python) orderedElements(op string, x, y []Value) (bool, error) {
	i, err := py.difference(x, y)
	if err != nil {
		return false, err
	}
	if i < len(x) && i < len(y) {
		return py.ordered(op, x[i], y[i])
	}
	return holds(op, sign(len(x) < len(y), len(x) > len(y))), nil
}

// holds reports whether the result of a comparison satisfies an operator.
func holds(op string, c int) bool {
	switch {
	case c == unordered || c == -unordered:
		return false
	case c == equal:
		return len(op) == 2
	case c < 0:
		return op[0] == '<'
	}
	return op[0] == '>'
}

// contains reports whether x in container.
func (py *python) contains(container, x Value) (bool, error) {
	switch c := container.(type) {
	case Str:
		s, ok := x.(Str)
		if !ok {
			return false, typeError("'in <string>' requires string as left operand, not %s", typeName(x))
		}
		return strings.Contains(string(c), string(s)), nil
	case Range:
		if n, ok := asInt(x); ok {
			return c.has(n), nil
		}
		if f, ok := x.(Float); ok {
			n := int64(f)
			return Float(n) == f && c.has(n), nil
		}
		return false, nil
	case *Dict:
		return py.hasKey(&c.table, x)
	case *Set:
		return py.hasKey(&c.table, x)
	case View:
		if c.Name == "keys" {
			return py.hasKey(&c.Dict.table, x)
		}
	case Int, Float, Bool, None:
		return false, typeError("argument of type '%s' is not iterable", typeName(container))
	}
	it, err := py.iterate(container)
	if err != nil {
		return false, err
	}
	for {
		v, ok, err := it.Next()
		if err != nil || !ok {
			return false, err
		}
		if same, err := py.same(v, x); err != nil || same {
			return same, err
		}
	}
}

func (py *python) hasKey(t *table, x Value) (bool, error) {
	h, err := py.hash(x)
	if err != nil {
		return false, err
	}
	_, ok := t.at[h]
	return ok, nil
}
