package interp

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// This file has x[i], x[i] = v and del x[i].

// index returns x[i].
func (py *python) index(x, i Value) (Value, error) {
	switch x := x.(type) {
	case *Dict:
		h, err := py.hash(i)
		if err != nil {
			return nil, err
		}
		v, ok := x.get(h)
		if !ok {
			return nil, py.keyError(i)
		}
		return v, nil
	case Tuple:
		return py.indexList(x, i, "tuple", func(list []Value) Value { return Tuple(list) })
	case *List:
		return py.indexList(x.Elems, i, "list", func(list []Value) Value { return &List{list} })
	case Str:
		return py.indexText(string(x), i)
	case Range:
		return py.indexRange(x, i)
	}
	return nil, typeError("'%s' object is not subscriptable", typeName(x))
}

func (py *python) keyError(key Value) error {
	text, err := py.repr(key)
	if err != nil {
		return err
	}
	return raise("KeyError", "%s", text)
}

// position returns the index i of a sequence of n elements; a negative one counts from its end.
func position(i Value, n int, of string) (int, error) {
	k, ok := asInt(i)
	if !ok {
		of, _, _ = strings.Cut(of, " ")
		return 0, typeError("%s indices must be integers or slices, not %s", of, typeName(i))
	}
	if k < -int64(n) || k >= int64(n) {
		return 0, raise("IndexError", "%s index out of range: expected an index from %d to %d, found %d", of, -n, n-1, k)
	}
	if k < 0 {
		k += int64(n)
	}
	return int(k), nil
}

// bounds returns the first index, the step and the number of elements of a slice of a sequence of n elements.
func bounds(s Slice, n int64) (r Range, err error) {
	var given [3]bool
	var value [3]int64
	r.Step = 1
	for _, i := range []int{2, 0, 1} {
		v := []Value{s.Low, s.High, s.Step}[i]
		if v == nil || v == (None{}) {
			continue
		}
		x, ok := asInt(v)
		if !ok {
			return r, typeError("slice indices must be integers or None or have an __index__ method")
		}
		given[i], value[i] = true, x
		if i == 2 {
			r.Step = max(x, -maxInt)
		}
		if r.Step == 0 {
			return r, valueError("slice step cannot be zero")
		}
	}
	least, most := int64(0), n
	if r.Step < 0 {
		least, most = -1, n-1
	}
	bound := func(i int, other int64) int64 {
		switch {
		case !given[i]:
			return other
		case value[i] < 0:
			return max(value[i]+n, least)
		}
		return min(value[i], most)
	}
	if r.Step > 0 {
		r.Start, r.Stop = bound(0, 0), bound(1, n)
	} else {
		r.Start, r.Stop = bound(0, n-1), bound(1, -1)
	}
	return r, nil
}

func (py *python) indexList(list []Value, i Value, of string, wrap func([]Value) Value) (Value, error) {
	s, ok := i.(Slice)
	if !ok {
		k, err := position(i, len(list), of)
		if err != nil {
			return nil, err
		}
		return list[k], nil
	}
	r, err := bounds(s, int64(len(list)))
	if err != nil {
		return nil, err
	}
	if err := py.hold(int(r.Len()), valueBytes); err != nil {
		return nil, err
	}
	out := make([]Value, 0, r.Len())
	for k := range r.Len() {
		out = append(out, list[r.at(k)])
	}
	return wrap(out), nil
}

func (py *python) indexText(x string, i Value) (Value, error) {
	n := utf8.RuneCountInString(x)
	if len(x) == n {
		return py.indexBytes(x, i)
	}
	if err := py.hold(n, 4); err != nil {
		return nil, err
	}
	runes := []rune(x)
	s, ok := i.(Slice)
	if !ok {
		k, err := position(i, n, "string")
		if err != nil {
			return nil, err
		}
		return Str(runes[k]), nil
	}
	r, err := bounds(s, int64(n))
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for k := range r.Len() {
		b.WriteRune(runes[r.at(k)])
	}
	return Str(b.String()), nil
}

// indexBytes is indexText for a text of ASCII.
func (py *python) indexBytes(x string, i Value) (Value, error) {
	s, ok := i.(Slice)
	if !ok {
		k, err := position(i, len(x), "string")
		if err != nil {
			return nil, err
		}
		return Str(x[k : k+1]), nil
	}
	r, err := bounds(s, int64(len(x)))
	if err != nil {
		return nil, err
	}
	if r.Step == 1 {
		return Str(x[r.Start : r.Start+r.Len()]), nil
	}
	var b strings.Builder
	for k := range r.Len() {
		b.WriteByte(x[r.at(k)])
	}
	return Str(b.String()), nil
}

func (py *python) indexRange(x Range, i Value) (Value, error) {
	n := x.Len()
	s, ok := i.(Slice)
	if !ok {
		k, isInt := asInt(i)
		if !isInt {
			return nil, typeError("range indices must be integers or slices, not %s", typeName(i))
		}
		if k < 0 {
			k += n
		}
		if k < 0 || k >= n {
			return nil, raise("IndexError", "range object index out of range")
		}
		return Int(x.at(k)), nil
	}
	r, err := bounds(s, n)
	if err != nil {
		return nil, err
	}
	return Range{x.at(r.Start), x.at(r.Stop), x.Step * r.Step}, nil
}

// setIndex does x[i] = v.
func (py *python) setIndex(x, i, v Value) error {
	switch x := x.(type) {
	case *Dict:
		h, err := py.hash(i)
		if err == nil {
			err = py.hold(1, dictBytes)
		}
		if err == nil {
			x.set(h, i, v)
		}
		return err
	case *List:
		if s, ok := i.(Slice); ok {
			return py.setSlice(x, s, v)
		}
		k, err := position(i, len(x.Elems), "list assignment")
		if err == nil {
			x.Elems[k] = v
		}
		return err
	}
	return typeError("'%s' object does not support item assignment", typeName(x))
}

// setSlice does x[s] = v. A slice of step 1 may change its length.
func (py *python) setSlice(x *List, s Slice, v Value) error {
	r, err := bounds(s, int64(len(x.Elems)))
	if err != nil {
		return err
	}
	list, err := py.elements(v)
	if _, isError := err.(*exception); isError { //nolint:errorlint // it is not wrapped
		if _, err := py.iterate(v); err != nil {
			return typeError("must assign iterable to extended slice")
		}
	}
	if err != nil {
		return err
	}
	if r.Step == 1 {
		to := r.Start + r.Len()
		if err := py.hold(len(list), valueBytes); err != nil {
			return err
		}
		x.Elems = slices.Replace(x.Elems, int(r.Start), int(to), list...)
		return nil
	}
	if int64(len(list)) != r.Len() {
		return valueError("attempt to assign sequence of size %d to extended slice of size %d", len(list), r.Len())
	}
	for k, v := range list {
		x.Elems[r.at(int64(k))] = v
	}
	return nil
}

// delIndex does del x[i].
func (py *python) delIndex(x, i Value) error {
	switch x := x.(type) {
	case *Dict:
		h, err := py.hash(i)
		if err != nil {
			return err
		}
		if _, ok := x.remove(h); !ok {
			return py.keyError(i)
		}
		return nil
	case *List:
		s, ok := i.(Slice)
		if !ok {
			k, err := position(i, len(x.Elems), "list assignment")
			if err == nil {
				x.Elems = slices.Delete(x.Elems, k, k+1)
			}
			return err
		}
		r, err := bounds(s, int64(len(x.Elems)))
		if err != nil {
			return err
		}
		n := int64(-1)
		x.Elems = slices.DeleteFunc(x.Elems, func(Value) bool { n++; return r.has(n) })
		return nil
	}
	return typeError("'%s' object doesn't support item deletion", typeName(x))
}
