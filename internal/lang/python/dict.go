package python

import (
	"iter"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// This file has the dicts and sets of Python. Both keep their keys in the order of insertion; a set of CPython has
// another order, so that order is shown only where CPython's is known: see [Set.order].

// dictBytes is the memory of an element of a dict or a set.
const dictBytes = 96

// A Dict is a dict of Python, shared by all names that are bound to it.
type Dict struct{ table }

// A Set is a set of Python; Frozen is true for a frozenset.
type Set struct {
	table
	Frozen bool
}

// A View is d.keys(), d.values() or d.items(), by its Name.
type View struct {
	Name string
	Dict *Dict
}

// A table holds keys with values, in the order of insertion.
type table struct {
	at      map[any]int // by hash: the index of the key in entries
	entries []entry
}

// An entry is a key with its value. A key that has been deleted is gone.
type entry struct {
	hash       any
	key, value Value
	gone       bool
}

// Len returns the number of keys.
func (t *table) Len() int { return len(t.at) }

// All returns the keys with their values, in the order of insertion.
func (t *table) All() iter.Seq2[Value, Value] {
	return func(yield func(k, v Value) bool) {
		for _, e := range t.entries {
			if !e.gone && !yield(e.key, e.value) {
				return
			}
		}
	}
}

func (t *table) get(hash any) (Value, bool) {
	if i, ok := t.at[hash]; ok {
		return t.entries[i].value, true
	}
	return nil, false
}

// set gives a key a value. A key that is there stays as it was first written: True for 1.
//
//go:noinline
func (t *table) set(hash any, key, value Value) {
	if i, ok := t.at[hash]; ok {
		t.entries[i].value = value
		return
	}
	if t.at == nil {
		t.at = make(map[any]int)
	}
	t.at[hash] = len(t.entries)
	t.entries = append(t.entries, entry{hash: hash, key: key, value: value})
}

func (t *table) remove(hash any) (e entry, ok bool) {
	i, ok := t.at[hash]
	if !ok {
		return e, false
	}
	e = t.entries[i]
	delete(t.at, hash)
	t.entries[i] = entry{gone: true}
	if len(t.entries) > 2*len(t.at)+8 {
		t.entries = slices.DeleteFunc(t.entries, func(e entry) bool { return e.gone })
		for i, e := range t.entries {
			t.at[e.hash] = i
		}
	}
	return e, true
}

func (t *table) clear() { *t = table{} }

// keys returns the keys in the order of insertion.
//
//go:noinline
func (t *table) keys() []Value {
	list := make([]Value, 0, t.Len())
	for _, e := range t.entries {
		if !e.gone {
			list = append(list, e.key)
		}
	}
	return list
}

//go:noinline
func (t *table) clone() table {
	var c table
	for _, e := range t.entries {
		if !e.gone {
			c.set(e.hash, e.key, e.value)
		}
	}
	return c
}

func (d *Dict) copy() *Dict { return &Dict{d.clone()} }

// elements returns the keys, values or pairs of a view.
func (v View) elements() []Value {
	list := v.Dict.keys()
	if v.Name == "keys" {
		return list
	}
	list = list[:0]
	for _, e := range v.Dict.entries {
		switch {
		case e.gone:
		case v.Name == "values":
			list = append(list, e.value)
		default:
			list = append(list, Tuple{e.key, e.value})
		}
	}
	return list
}

// asSet returns the elements of a set, or of a view of keys.
func asSet(v Value) (*Set, bool) {
	switch v := v.(type) {
	case *Set:
		return v, true
	case View:
		if v.Name == "keys" {
			return &Set{table: v.Dict.clone()}, true
		}
	}
	return nil, false
}

// merge returns a OP b for | & - ^.
func (s *Set) merge(op string, b *Set) *Set {
	out := &Set{Frozen: s.Frozen}
	for _, e := range s.entries {
		_, both := b.at[e.hash]
		if !e.gone && (op == "|" || both == (op == "&")) {
			out.set(e.hash, e.key, nil)
		}
	}
	for _, e := range b.entries {
		_, both := s.at[e.hash]
		if !e.gone && !both && (op == "|" || op == "^") {
			out.set(e.hash, e.key, nil)
		}
	}
	return out
}

// within reports whether b has all elements of s.
func (s *Set) within(b *Set) bool {
	for hash := range s.at {
		if _, ok := b.at[hash]; !ok {
			return false
		}
	}
	return true
}

// order returns the elements in CPython's order, which follows from its table of slots: an integer begins its search
// at the slot of its low bits. A table of n elements has more than 5/3 n slots, so non-negative integers below that
// number are in increasing order. Any other order depends on the history of the set, or on the process.
func (s *Set) order() ([]Value, error) {
	slots := int64(8)
	for int64(s.Len())*5 >= (slots-1)*3 {
		slots *= 2
	}
	list := s.keys()
	for _, v := range list {
		if n, ok := asInt(v); len(list) > 1 && (!ok || n < 0 || n >= slots) {
			return nil, Refuse("a set has no order that Python promises: write sorted(...) of its %d elements", len(list))
		}
	}
	sort.Slice(list, func(i, j int) bool {
		x, _ := asInt(list[i])
		y, _ := asInt(list[j])
		return x < y
	})
	return list, nil
}

// tupleKey is the hash of a tuple.
type tupleKey string

// hash returns what is equal for equal keys: 1, True and 1.0 are one key.
func (py *Library) hash(v Value) (any, error) {
	if n, ok := asInt(v); ok {
		return n, nil
	}
	switch v := v.(type) {
	case Float:
		f := float64(v)
		switch {
		case f != f:
			return nil, Refuse("nan is not run as a key, as it does not equal itself")
		case f == math.Trunc(f) && f >= minInt && f < -minInt:
			return int64(f), nil
		}
		return f, nil
	case Str, None, Class, Range, Module, *Iterator, Function:
		return v, nil
	case Foreign:
		if py.ForeignKey != nil {
			return py.ForeignKey(v)
		}
		text, err := py.textOf(v)
		return "algebra " + text, err
	case Tuple:
		return py.hashTuple(v)
	case *Set:
		if v.Frozen {
			return py.hashSet(v)
		}
	}
	return nil, TypeError("unhashable type: '%s'", TypeName(v))
}

// hashTuple joins the hashes of the elements, each with its type and its length.
func (py *Library) hashTuple(t Tuple) (any, error) {
	if err := py.Enter(); err != nil {
		return nil, err
	}
	defer py.Leave()
	var b strings.Builder
	for _, x := range t {
		h, err := py.hash(x)
		if err != nil {
			return nil, err
		}
		var text string
		switch h := h.(type) {
		case int64:
			text = "i" + strconv.FormatInt(h, 10)
		case float64:
			text = "f" + strconv.FormatFloat(h, 'x', -1, 64)
		case Str:
			text = "s" + string(h)
		case tupleKey:
			text = "t" + string(h)
		case string:
			text = "a" + h
		case None:
			text = "n"
		case Class:
			text = "y" + h.ClassName()
		default:
			return nil, Refuse("a tuple with an element of type '%s' is not run as a key", TypeName(x))
		}
		if err := py.hold(len(text), 1); err != nil {
			return nil, err
		}
		b.WriteString(strconv.Itoa(len(text)))
		b.WriteByte(':')
		b.WriteString(text)
	}
	return tupleKey(b.String()), nil
}

func (py *Library) textOf(x Foreign) (string, error) {
	if py.Text == nil {
		return "<" + x.TypeName() + ">", nil
	}
	return py.Text(x)
}
