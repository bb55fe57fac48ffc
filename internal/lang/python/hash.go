package python

import (
	"hash/fnv"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// This file has hash(x) of CPython, where it is the same in every run.

// Key returns a text that is the same for two values that are one key of a dict.
func (py *Library) Key(x Value) (string, error) {
	h, err := py.hashTuple(Tuple{x})
	key, _ := h.(tupleKey)
	return string(key), err
}

// hashModulus is the prime modulo which CPython takes the hash of a number.
const hashModulus = 1<<61 - 1

// Hash returns hash(x). That of a text is another one in every run of CPython.
func (py *Library) Hash(x Value) (Value, error) {
	if n, ok := asInt(x); ok {
		h := n % hashModulus
		if h == -1 {
			h = -2
		}
		return Int(h), nil
	}
	switch x := x.(type) {
	case Float:
		if f := float64(x); f == math.Trunc(f) && math.Abs(f) < hashModulus {
			return py.Hash(Int(f))
		}
		return Int(hashFloat(float64(x))), nil
	case Str:
		h := fnv.New64a()
		h.Write([]byte(x))
		return Int(h.Sum64() >> 3), nil
	case Tuple:
		return py.hashOfTuple(x)
	case Foreign:
		if h, ok, err := py.special(x, "__hash__"); ok {
			return h, err
		}
	}
	if _, err := py.hash(x); err != nil {
		return nil, err
	}
	return nil, Refuse("the hash of a value of type '%s' depends on the run of Python", TypeName(x))
}

// hashOfTuple is CPython's xxHash of the hashes of the elements.
func (py *Library) hashOfTuple(t Tuple) (Value, error) {
	if err := py.Enter(); err != nil {
		return nil, err
	}
	defer py.Leave()
	const p1, p2, p5 = 11400714785074694791, 14029467366897019727, 2870177450012600261
	acc := uint64(p5)
	for _, v := range t {
		h, err := py.Hash(v)
		if err != nil {
			return nil, err
		}
		acc = bits.RotateLeft64(acc+uint64(h.(Int))*p2, 31) * p1
	}
	acc += uint64(len(t)) ^ (p5 ^ 3527539)
	if acc == math.MaxUint64 {
		acc = 1546275796
	}
	return Int(acc), nil
}

// hashFloat returns the hash of a float: the hash of the fraction that it is, modulo the prime.
func hashFloat(f float64) int64 {
	switch {
	case math.IsInf(f, 1):
		return 314159
	case math.IsInf(f, -1):
		return -314159
	}
	m, e := math.Frexp(math.Abs(f))
	x := uint64(0)
	for m != 0 {
		x = x<<28&hashModulus | x>>(61-28)
		m *= 1 << 28
		e -= 28
		y := uint64(m)
		m -= float64(y)
		if x += y; x >= hashModulus {
			x -= hashModulus
		}
	}
	shift := e % 61
	if shift < 0 {
		shift += 61
	}
	x = x<<shift&hashModulus | x>>(61-shift)
	h := int64(x)
	if f < 0 {
		h = -h
	}
	if h == -1 {
		h = -2
	}
	return h
}

// hashSet returns what a dict knows a frozenset by: the keys of its elements in an order of their own.
func (py *Library) hashSet(s *Set) (any, error) {
	keys := make([]string, 0, s.Len())
	for v := range s.All() {
		k, err := py.Key(v)
		if err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return "set " + strings.Join(keys, " "), py.hold(len(keys), dictBytes)
}
