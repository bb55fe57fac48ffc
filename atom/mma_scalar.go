package atom

import (
	"iter"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file defines the operations of single threads: the universal multiply-add, the dot products of sm61, and the
// paired multiply-adds of sm100.

const (
	sourceScalar    = "PTX ISA, Integer Arithmetic Instructions: dp4a, dp2a; CUTLASS, cute/atom/mma_traits_sm61.hpp"
	sourceUniversal = "CUTLASS, cute/atom/mma_traits.hpp: UniversalFMA; PTX ISA, fma and mad"
	sourcePaired    = "PTX ISA, fma.rn.f32x2; CUTLASS, cute/atom/mma_traits_sm100.hpp"
)

// single returns an operation of one thread, which holds whole columns of A, B and C.
func single(op Operation, shape [3]int64, types Types) MMA {
	row := func(n int64) cute.Layout {
		d := int64(1)
		if n == 1 {
			d = 0
		}
		return tv(cute.Int(1), cute.Int(0), cute.Int(n), cute.Int(d))
	}
	m, n, k := shape[0], shape[1], shape[2]
	return MMA{
		Operation: op, Types: types, Shape: shape, Blocks: 1,
		ThrID: column(1, 0), A: row(m * k), B: row(n * k), C: row(m * n),
	}
}

// universal is UniversalFMA<D,A,B,C>.
type universal struct{}

func (universal) find(name string) (*MMA, error) {
	base, args := templateArguments(name)
	if base != "UniversalFMA" {
		return nil, nil
	}
	if len(args) < 1 || len(args) > 4 {
		return nil, fail(cute.CodeType, opAtom,
			"UniversalFMA takes the types D,A,B,C, and A, B and C may be missing; found %d arguments", len(args))
	}
	var ts [4]dtype.Type
	for i := range ts {
		if i >= len(args) { // the register of D is used for A, A for B, and D for C
			ts[i] = ts[[4]int{0, 0, 1, 0}[i]]
			continue
		}
		t, err := parseType(args[i])
		if err != nil {
			return nil, err
		}
		ts[i] = t
	}
	m := makeUniversal(ts[0], ts[1], ts[2], ts[3])
	return &m, nil
}

func makeUniversal(d, a, b, c dtype.Type) MMA {
	name := "UniversalFMA<" + strings.Join([]string{cppName(d), cppName(a), cppName(b), cppName(c)}, ",") + ">"
	text := "d = a * b + c"
	if d == a && a == b && b == c {
		switch {
		case d == dtype.F32, d == dtype.F64, d == dtype.F16, d == dtype.BF16:
			text = newInstruction("fma.rn" + d.PTX()).scalar().scalar().scalar().scalar().String()
		case d.Kind() != dtype.Float && d.Bits() >= 16 && d.Kind() != dtype.Raw:
			text = newInstruction("mad.lo" + d.PTX()).scalar().scalar().scalar().scalar().String()
		}
	}
	op := Operation{Name: name, Arch: "all", Text: text, Source: sourceUniversal}
	m := single(op, [3]int64{1, 1, 1}, Types{number(a), number(b), number(c), number(d)})
	one := func(t dtype.Type) RegisterGroup { return RegisterGroup{1, max(t.Bits(), 16)} }
	m.Registers = RegisterCounts{one(d), one(a), one(b), one(c)}
	return m
}

var universalTypes = []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.S32}

func (universal) all() iter.Seq[MMA] {
	return func(yield func(MMA) bool) {
		for _, t := range universalTypes {
			if !yield(makeUniversal(t, t, t, t)) {
				return
			}
		}
	}
}

func (u universal) names() iter.Seq[string] { return namesOf(u) }

// scalar is the family of operations of one thread with names of their own.
type scalar struct{}

func (scalar) all() iter.Seq[MMA] {
	return func(yield func(MMA) bool) {
		packed := func(name, text string, k int64, a dtype.Type) MMA {
			acc := number(dtype.S32)
			types := Types{number(a), number(dtype.S8), acc, acc}
			op := Operation{Name: name, Arch: "sm61", Text: text + " %0, %1, %2, %3;", Source: sourceScalar}
			m := single(op, [3]int64{1, 1, k}, types)
			g := RegisterGroup{1, 32}
			m.Registers = RegisterCounts{g, g, g, g}
			return m
		}
		// dp2a takes B as bytes, and dp2a.lo uses the lower two (PTX ISA; an H200 does so). CuTe counts two elements of
		// 16 bits in both operands, and writes the instruction without the mode, which PTX requires.
		f := number(dtype.F32)
		paired := func(name string, shape [3]int64, a, b int) MMA {
			op := Operation{Name: name, Arch: "sm100", Text: "fma.rn.f32x2 %0, %1, %2, %3;", Source: sourcePaired}
			m := single(op, shape, Types{f, f, f, f})
			m.Registers = RegisterCounts{RegisterGroup{1, 64}, RegisterGroup{1, a}, RegisterGroup{1, b}, RegisterGroup{1, 64}}
			return m
		}
		for _, m := range []MMA{
			packed("SM61_DP4A", "dp4a.s32.s32", 4, dtype.S8),
			packed("SM61_DP2A", "dp2a.lo.s32.s32", 2, dtype.S16),
			paired("SM100_2x1x1_F32F32F32F32", [3]int64{2, 1, 1}, 64, 32),
			paired("SM100_1x2x1_F32F32F32F32", [3]int64{1, 2, 1}, 32, 64),
		} {
			if !yield(m) {
				return
			}
		}
	}
}

func (s scalar) find(name string) (*MMA, error) { return findIn(s, name), nil }
func (s scalar) names() iter.Seq[string]        { return namesOf(s) }

// findIn looks a name up among all operations of a small family.
func findIn(f family, name string) *MMA {
	for m := range f.all() {
		if m.Name == name {
			return &m
		}
	}
	return nil
}

// namesOf returns the names of all operations of a small family.
func namesOf(f family) iter.Seq[string] {
	return func(yield func(string) bool) {
		for m := range f.all() {
			if !yield(m.Name) {
				return
			}
		}
	}
}
