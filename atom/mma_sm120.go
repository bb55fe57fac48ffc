package atom

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file defines the warp-level operations of sm120 on 4-, 6- and 8-bit floats: mma.sync of kinds f8f6f4, mxf8f6f4
// and mxf4nvf4, dense, sparse and block-scaled. Their fragments are the fragments of mma.sync in mma_layout.go. Types
// of 4 and 6 bits are held in bytes, except where K is 64 or 128.

const sourceSM120 = "PTX ISA, mma and mma.sp with .kind and .block_scale; CUTLASS, cute/arch/mma_sm120.hpp, cute/atom/mma_traits_sm120.hpp and mma_traits_sm120_sparse.hpp"

// sm120 is the family of mma.sync of sm120.
type sm120 struct{}

// A sm120Spec names one operation.
type sm120Spec struct {
	a, b, acc, scale dtype.Type
	k                int64
	vector           int64 // elements that share a scale factor; 0 if there are none
	sparse           bool
}

// specs returns all operations: 5 by 5 types with two accumulators, block-scaled operations with one accumulator, and
// operations on packed 4-bit types; each of them dense and sparse.
func (sm120) specs() iter.Seq[sm120Spec] {
	return func(yield func(sm120Spec) bool) {
		for _, sparse := range []bool{false, true} {
			f := int64(1)
			if sparse {
				f = 2
			}
			for _, acc := range []dtype.Type{dtype.F32, dtype.F16} {
				for _, a := range smallFloats {
					for _, b := range smallFloats {
						if !yield(sm120Spec{a: a, b: b, acc: acc, k: 32 * f, sparse: sparse}) {
							return
						}
					}
				}
			}
			for _, a := range smallFloats {
				for _, b := range smallFloats {
					if !yield(sm120Spec{a, b, dtype.F32, dtype.UE8M0, 32 * f, 32 * f, sparse}) {
						return
					}
				}
			}
			for _, s := range []sm120Spec{
				{scale: dtype.UE8M0, vector: 32}, {scale: dtype.UE8M0, vector: 16}, {scale: dtype.UE4M3, vector: 16},
			} {
				if !yield(sm120Spec{dtype.E2M1, dtype.E2M1, dtype.F32, s.scale, 64 * f, s.vector * f, sparse}) {
					return
				}
			}
		}
	}
}

// isPacked reports whether 4-bit types are held in 4 bits.
func (s sm120Spec) isPacked() bool { return s.vector > 0 && (s.k == 128 || s.k == 64 && !s.sparse) }

// base returns the name without template arguments.
func (s sm120Spec) base() string {
	name := "SM120_"
	var space string
	if s.vector > 0 {
		space = "BLOCKSCALED::"
	}
	if s.sparse {
		space, name = space+"SPARSE::", "SM120_SPARSE_"
	}
	if space != "" {
		space = "SM120::" + space
	}
	name = space + name + shapeName(16, 8, s.k) + "_TN"
	if s.vector > 0 {
		name += "_VS"
	}
	return name
}

func (s sm120Spec) name() string {
	args := s.base() + "<" + s.a.CPP() + "," + s.b.CPP() + "," + s.acc.CPP()
	if s.vector > 0 {
		args += "," + s.scale.CPP() + "," + strconv.FormatInt(s.vector, 10)
	}
	return args + ">"
}

func (s sm120Spec) make() MMA {
	held := 8
	if s.isPacked() {
		held = 4
	}
	a, b, acc := Element{Type: s.a, Parts: 1, Held: held}, Element{Type: s.b, Parts: 1, Held: held}, number(s.acc)
	wa, wb := int64(32/held), int64(32/held)
	if s.sparse {
		a.Sparsity = 2
		wa *= 2
	}
	m := MMA{
		Operation: Operation{Name: s.name(), Arch: "sm120a", Source: sourceSM120},
		Types:     Types{a, b, acc, acc}, Shape: [3]int64{16, 8, s.k}, Blocks: 1, ThrID: column(32, 1),
		A: operandFragment(16, s.k, wa), B: operandFragment(8, s.k, wb), C: accumulatorFragment(16, 8),
	}
	m.Registers = registersFor(m)
	if s.vector > 0 {
		// For A, 2 of each 4 neighbouring threads pass factors; for B, 1 of 4 does. The other threads pass copies.
		m.Scale = &Scale{Type: s.scale, Vector: s.vector, From: Registers}
		m.Scale.A = tv(cute.Ints(2, 2, 8), cute.Ints(8, 0, 1), cute.Int(s.k), cute.Int(16))
		m.Scale.B = tv(cute.Ints(4, 8), cute.Ints(0, 1), cute.Int(s.k), cute.Int(8))
	}
	if s.sparse {
		// Each thread passes the metadata of half of a row.
		half := s.k / 2
		m.Sparse = &Sparse{Kept: 2, Of: 4, From: Registers}
		vs, vd := cute.Int(half), cute.Int(16)
		if s.isPacked() {
			m.Sparse.Kept, m.Sparse.Of = 4, 8
			vs, vd = cute.Ints(half), cute.Ints(16)
		}
		m.Sparse.E = tv(cute.Ints(2, 2, 8), cute.Ints(8, 16*half, 1), vs, vd)
	}
	m.Text = s.text(m)
	return m
}

// text writes the instruction as the PTX ISA does: shape, layouts, kind. Assemblers also accept the kind before the
// shape, as CUTLASS writes it.
func (s sm120Spec) text(m MMA) string {
	opcode := "mma.sync.aligned"
	if s.sparse {
		opcode = "mma.sp::ordered_metadata.sync.aligned"
	}
	opcode += instructionShape(m.Shape) + ".row.col.kind::" + s.kind() + s.acc.PTX() + s.a.PTX() + s.b.PTX() + s.acc.PTX()
	if s.vector > 0 {
		opcode += s.scale.PTX()
	}
	r := m.Registers
	i := newInstruction(opcode).vector(r.D.Count).vector(r.A.Count).vector(r.B.Count).vector(r.C.Count)
	if s.sparse {
		i.scalar().words("0x0")
	}
	if s.vector > 0 {
		i.vector(1).words("{byte-id-a, thread-id-a}").vector(1).words("{byte-id-b, thread-id-b}")
	}
	return i.String()
}

func (s sm120Spec) kind() string {
	if s.vector == 0 {
		return "f8f6f4"
	}
	if !s.isPacked() {
		return "mxf8f6f4.block_scale.scale_vec::1X"
	}
	return "mxf4nvf4.block_scale.scale_vec::" + strconv.FormatInt(s.k/s.vector, 10) + "X"
}

func (f sm120) find(name string) (*MMA, error) {
	base, args := templateArguments(name)
	if !strings.HasPrefix(base, "SM120") {
		return nil, nil
	}
	local := base[strings.LastIndexByte(base, ':')+1:]
	known, types := false, []dtype.Type(nil)
	for i, a := range args {
		if i == 4 {
			break
		}
		t, err := parseType(a)
		if err != nil {
			return nil, err
		}
		types = append(types, t)
	}
	for s := range f.specs() {
		if b := s.base(); b != base && !strings.HasSuffix(b, "::"+local) {
			continue
		}
		known = true
		if s.matches(types, args) {
			m := s.make()
			return &m, nil
		}
	}
	if known {
		return nil, fail(cute.CodeType, opAtom, "no instruction of %s takes these template arguments: %s", base,
			strings.Join(args, ","))
	}
	return nil, nil
}

// matches compares the template arguments with the operation's. Without arguments, the first operation matches.
func (s sm120Spec) matches(types []dtype.Type, args []string) bool {
	if len(args) == 0 {
		return true
	}
	want := []dtype.Type{s.a, s.b, s.acc}
	if s.vector > 0 {
		want = append(want, s.scale)
	}
	if !slices.Equal(types, want) {
		return false
	}
	return s.vector == 0 && len(args) == 3 || len(args) == 5 &&
		strings.TrimPrefix(args[4], "_") == strconv.FormatInt(s.vector, 10)
}

func (f sm120) all() iter.Seq[MMA] {
	return func(yield func(MMA) bool) {
		for s := range f.specs() {
			if !yield(s.make()) {
				return
			}
		}
	}
}

func (f sm120) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := range f.specs() {
			if !yield(s.name()) {
				return
			}
		}
	}
}
