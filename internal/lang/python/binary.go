package python

import (
	"slices"
	"strings"
)

// Binary returns a OP b for a binary operator of Python, with + - * / // % ** << >> & | ^.
func (py *Library) Binary(op string, a, b Value) (Value, error) {
	x, isInt := asInt(a)
	y, alsoInt := asInt(b)
	if isInt && alsoInt {
		return py.integers(op, a, b, [2]int64{x, y})
	}
	f, isNumber := asFloat(a)
	g, alsoNumber := asFloat(b)
	if isNumber && alsoNumber && !isOfBits(op) {
		return floatBinary(op, f, g)
	}
	switch text, _ := a.(Str); {
	case op == "%" && TypeName(a) == "str":
		return py.percent(string(text), b)
	case op == "+":
		return py.join(a, b)
	case op == "*" && alsoInt && isSequence(a):
		return py.repeat(a, b, y)
	case op == "*" && isInt && isSequence(b):
		return py.repeat(b, a, x)
	}
	return py.merge(op, a, b)
}

// integers returns a OP b for ints and bools. The bits of two bools are a bool.
func (py *Library) integers(op string, a, b Value, n [2]int64) (Value, error) {
	v, err := intBinary(op, n[0], n[1])
	_, isBool := a.(Bool)
	_, alsoBool := b.(Bool)
	if isBool && alsoBool && err == nil && (op == "&" || op == "|" || op == "^") {
		return Bool(v.(Int) != 0), nil
	}
	return v, err
}

// isOfBits reports whether an operator is not one of floats.
func isOfBits(op string) bool {
	return op == "<<" || op == ">>" || op == "&" || op == "|" || op == "^" || op == "@"
}

const unsupportedText = "unsupported operand type(s) for "

func unsupportedError(op string, a, b Value) error {
	if op == "**" {
		op = "** or pow()"
	}
	return TypeError(unsupportedText+"%s: '%s' and '%s'", op, TypeName(a), TypeName(b))
}

// join returns a + b of two texts, tuples or lists.
func (py *Library) join(a, b Value) (Value, error) {
	switch a := a.(type) {
	case Str:
		if b, ok := b.(Str); ok {
			if err := py.hold(len(a)+len(b), 1); err != nil {
				return nil, err
			}
			return a + b, nil
		}
		return nil, TypeError("can only concatenate str (not \"%s\") to str", TypeName(b))
	case Tuple:
		if b, ok := b.(Tuple); ok {
			if err := py.hold(len(a)+len(b), ValueBytes); err != nil {
				return nil, err
			}
			return slices.Concat(a, b), nil
		}
		return nil, TypeError("can only concatenate tuple (not \"%s\") to tuple", TypeName(b))
	case *List:
		if b, ok := b.(*List); ok {
			if err := py.hold(len(a.Elems)+len(b.Elems), ValueBytes); err != nil {
				return nil, err
			}
			return &List{slices.Concat(a.Elems, b.Elems)}, nil
		}
		return nil, TypeError("can only concatenate list (not \"%s\") to list", TypeName(b))
	}
	return nil, unsupportedError("+", a, b)
}

// repeat returns x * n of a text, a tuple or a list.
func (py *Library) repeat(x, times Value, n int64) (Value, error) {
	n = max(n, 0)
	holds := func(length, size int) error {
		if length > 0 && n > maxBytes/int64(length) {
			return Refuse("%d copies of %d elements exceed the limit of %d", n, length, maxBytes)
		}
		return py.hold(int(n)*length, size)
	}
	switch x := x.(type) {
	case Str:
		if err := holds(len(x), 1); err != nil || x == "" {
			return Str(""), err
		}
		return Str(strings.Repeat(string(x), int(n))), nil
	case Tuple:
		if err := holds(len(x), ValueBytes); err != nil || len(x) == 0 {
			return Tuple{}, err
		}
		return Tuple(slices.Repeat(x, int(n))), nil
	case *List:
		if err := holds(len(x.Elems), ValueBytes); err != nil || len(x.Elems) == 0 {
			return &List{}, err
		}
		return &List{slices.Repeat(x.Elems, int(n))}, nil
	}
	return nil, unsupportedError("*", x, times)
}

// Augment returns a OP= b. A list, a set and a dict change; any other value is replaced.
func (py *Library) Augment(op string, a, b Value) (Value, error) {
	switch x := a.(type) {
	case *List:
		switch op {
		case "+":
			more, err := py.elements(b)
			if err == nil {
				err = py.hold(len(x.Elems)+len(more), ValueBytes)
			}
			if err != nil {
				return nil, err
			}
			x.Elems = append(x.Elems, more...)
			return x, nil
		case "*":
			v, err := py.Binary(op, a, b)
			if err != nil {
				return nil, err
			}
			x.Elems = v.(*List).Elems
			return x, nil
		}
	case *Set:
		if x.Frozen {
			break
		}
		v, err := py.Binary(op, a, b)
		if s, ok := v.(*Set); ok && err == nil {
			*x = *s
			return x, nil
		}
		return v, err
	case *Dict:
		if op == "|" {
			_, err := py.callMethod(x, "update", arguments{pos: []Value{b}})
			return x, err
		}
	}
	v, err := py.Binary(op, a, b)
	return v, augmentError(op, err)
}

// augmentError names the operator OP= in an error about OP.
func augmentError(op string, err error) error {
	e, ok := err.(*Exception) //nolint:errorlint // it is not wrapped
	if ok && strings.HasPrefix(e.Msg, unsupportedText) {
		_, types, _ := strings.Cut(e.Msg, ": ")
		e.Msg = unsupportedText + op + "=: " + types
	}
	return err
}

// isSequence reports whether a value is repeated by *.
func isSequence(v Value) bool {
	switch v.(type) {
	case Str, Tuple, *List:
		return true
	}
	return false
}

// merge returns a OP b of two sets, and a | b of two dicts.
func (py *Library) merge(op string, a, b Value) (Value, error) {
	if x, ok := a.(*Dict); ok && op == "|" {
		if y, ok := b.(*Dict); ok {
			if err := py.hold(x.Len()+y.Len(), dictBytes); err != nil {
				return nil, err
			}
			d := x.copy()
			for _, e := range y.entries {
				if !e.gone {
					d.set(e.hash, e.key, e.value)
				}
			}
			return d, nil
		}
	}
	if isSequence(a) || isSequence(b) {
		if op == "*" {
			other := b
			if !isSequence(a) {
				other = a
			}
			return nil, TypeError("can't multiply sequence by non-int of type '%s'", TypeName(other))
		}
	}
	x, ok := asSet(a)
	y, also := asSet(b)
	if !ok || !also || strings.IndexByte("|&-^", op[0]) < 0 {
		return nil, unsupportedError(op, a, b)
	}
	if err := py.hold(x.Len()+y.Len(), dictBytes); err != nil {
		return nil, err
	}
	return x.merge(op, y), nil
}
