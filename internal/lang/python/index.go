package python

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file has x[i], x[i] = v and del x[i].

// Index returns x[i].
func (py *Library) Index(x, i Value) (Value, error) {
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
	return nil, TypeError("'%s' object is not subscriptable", TypeName(x))
}

func (py *Library) keyError(key Value) error {
	text, err := py.Repr(key)
	if err != nil {
		return err
	}
	return &Exception{Kind: "KeyError", Msg: text, Args: Tuple{key}}
}

// position returns the index i of a sequence of n elements; a negative one counts from its end.
func position(i Value, n int, of string) (int, error) {
	k, ok := asInt(i)
	if !ok {
		of, _, _ = strings.Cut(of, " ")
		if of == "string" {
			return 0, TypeError("string indices must be integers, not '%s'", TypeName(i))
		}
		return 0, TypeError("%s indices must be integers or slices, not %s", of, TypeName(i))
	}
	if k < -int64(n) || k >= int64(n) {
		return 0, outOfRange(of+" index out of range", int64(n), k)
	}
	if k < 0 {
		k += int64(n)
	}
	return int(k), nil
}

// outOfRange is the IndexError for an index of a sequence of n elements.
func outOfRange(text string, n, found int64) error {
	more := fmt.Sprintf(": expected an index from %d to %d, found %d", -n, n-1, found)
	return &Exception{Kind: "IndexError", Msg: text, More: more}
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
			return r, TypeError("slice indices must be integers or None or have an __index__ method")
		}
		given[i], value[i] = true, x
		if i == 2 {
			r.Step = max(x, -maxInt)
		}
		if r.Step == 0 {
			return r, ValueError("slice step cannot be zero")
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

func (py *Library) indexList(list []Value, i Value, of string, wrap func([]Value) Value) (Value, error) {
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
	if err := py.hold(int(r.Len()), ValueBytes); err != nil {
		return nil, err
	}
	out := make([]Value, 0, r.Len())
	for k := range r.Len() {
		out = append(out, list[r.at(k)])
	}
	return wrap(out), nil
}

func (py *Library) indexText(x string, i Value) (Value, error) {
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
func (py *Library) indexBytes(x string, i Value) (Value, error) {
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

func (py *Library) indexRange(x Range, i Value) (Value, error) {
	n := x.Len()
	s, ok := i.(Slice)
	if !ok {
		k, isInt := asInt(i)
		if !isInt {
			return nil, TypeError("range indices must be integers or slices, not %s", TypeName(i))
		}
		if k < 0 {
			k += n
		}
		if k < 0 || k >= n {
			return nil, Raise("IndexError", "range object index out of range")
		}
		return Int(x.at(k)), nil
	}
	r, err := bounds(s, n)
	if err != nil {
		return nil, err
	}
	return Range{x.at(r.Start), x.at(r.Stop), x.Step * r.Step}, nil
}

// SetIndex does x[i] = v.
func (py *Library) SetIndex(x, i, v Value) error {
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
	return TypeError("'%s' object does not support item assignment", TypeName(x))
}

// setSlice does x[s] = v. A slice of step 1 may change its length.
func (py *Library) setSlice(x *List, s Slice, v Value) error {
	r, err := bounds(s, int64(len(x.Elems)))
	if err != nil {
		return err
	}
	list, err := py.elements(v)
	if _, isError := err.(*Exception); isError { //nolint:errorlint // it is not wrapped
		if _, err := py.Iterate(v); err != nil {
			return TypeError("must assign iterable to extended slice")
		}
	}
	if err != nil {
		return err
	}
	if r.Step == 1 {
		to := r.Start + r.Len()
		if err := py.hold(len(list), ValueBytes); err != nil {
			return err
		}
		x.Elems = slices.Replace(x.Elems, int(r.Start), int(to), list...)
		return nil
	}
	if int64(len(list)) != r.Len() {
		return ValueError("attempt to assign sequence of size %d to extended slice of size %d", len(list), r.Len())
	}
	for k, v := range list {
		x.Elems[r.at(int64(k))] = v
	}
	return nil
}

// DeleteIndex does del x[i].
func (py *Library) DeleteIndex(x, i Value) error {
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
	return TypeError("'%s' object doesn't support item deletion", TypeName(x))
}
