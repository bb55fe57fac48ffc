package sim

import (
	"fmt"
	"strings"

	"girih/ptx"
)

// This file implements vectors in registers (PTX ISA 5.4.2, 6.4.3). A vector register has a slot for each element. As
// an operand, the register becomes the list of its elements, so instructions see only lists.

// checkVector returns an error for a vector that PTX does not have, or for a declaration of numbered variables that is
// not supported. Vectors have up to 128 bits, except .v8, which loads and stores of 256 bits use.
func checkVector(v *ptx.Var) error {
	most := 128
	if v.Vec == 8 {
		most = 256
	}
	n := v.Vec * v.Type.Bits()
	switch {
	case v.Vec > 1 && v.Type == ptx.Pred:
		return errorf(CodeModule, "line %d: %s is a vector of predicates, which PTX does not have", v.Pos.Line, v.Name)
	case v.Vec > 1 && n > most:
		return errorf(CodeModule, "line %d: %s is a vector of %d bits, and .v%d may have %d",
			v.Pos.Line, v.Name, n, v.Vec, most)
	}
	if v.Count > 0 && v.Space != ptx.Reg && alignment(v) > v.Size()/int64(v.Count) {
		return errorf(CodeModule, "line %d: variables with numbers, %s<%d>, that are aligned to %d bytes are not known",
			v.Pos.Line, v.Name, v.Count, alignment(v))
	}
	return nil
}

// slotsOf returns the number of slots of the register v.
func slotsOf(v *ptx.Var) int {
	n := max(v.Vec, 1)
	if v.Type.Bits() == 128 {
		n *= 2
	}
	return n
}

// element returns the name of element i of vector v. PTX has letters for the first four elements.
func element(v ptx.Name, i int) ptx.Name {
	if i < 4 {
		return v + "." + ptx.Name("xyzw"[i:i+1])
	}
	return v + ptx.Name(fmt.Sprintf(".%d", i))
}

// elementOf returns the index of the element called part in a vector of n elements, or -1.
func elementOf(part string, n int) int {
	for i := range n {
		if name := string(element("", i)); part == name[1:] || i < 4 && part == "rgba"[i:i+1] {
			return i
		}
	}
	return -1
}

// describe says, for an error, which elements a register has.
func describe(v *ptx.Var, name ptx.Name) string {
	if v.Vec < 2 {
		return fmt.Sprintf("%s is no vector", name)
	}
	return fmt.Sprintf("%s has %d elements of type .%s, from %s to %s",
		name, v.Vec, v.Type, element(name, 0), element(name, v.Vec-1))
}

// spread returns a copy of in, with a list of elements in place of each vector, or in itself if it has no vectors.
// Arguments of calls are not changed: a vector is one argument.
func (d *decoder) spread(in *ptx.Instr) *ptx.Instr {
	ops := d.spreadAll(in.Operands)
	if ops == nil {
		return in
	}
	out := *in
	out.Operands = ops
	return &out
}

// spreadAll returns a copy of list, with a list of elements in place of each vector, or nil if there are no vectors.
func (d *decoder) spreadAll(list []ptx.Operand) []ptx.Operand {
	var out []ptx.Operand
	for i, o := range list {
		var to ptx.Operand
		switch x := o.(type) {
		case ptx.Name:
			if elements := d.elementsOf(x); elements != nil {
				to = elements
			}
		case ptx.Addr:
			if args := d.spreadAll(x.Args); args != nil {
				x.Args = args
				to = x
			}
		}
		if to == nil {
			continue
		}
		if out == nil {
			out = append(out, list...)
		}
		out[i] = to
	}
	return out
}

// elementsOf returns the elements of name, if name is a vector register or special register, or nil.
func (d *decoder) elementsOf(name ptx.Name) ptx.Vec {
	n := 0
	if s := d.lookup(name); s != nil {
		if s.kind == symReg {
			n = s.v.Vec
		}
	} else if strings.HasPrefix(string(name), "%") && specials[element(name, 0)] != nil {
		n = 4
	}
	if n < 2 {
		return nil
	}
	var list ptx.Vec
	for i := range n {
		list = append(list, element(name, i))
	}
	return list
}
