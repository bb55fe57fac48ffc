package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/descriptor"
	"girih/internal/lang/codegen"
	"girih/internal/lang/codegen/atoms"
	"girih/internal/lang/eval"
)

// This file writes instructions, tiled MMAs, tiled copies and descriptors as CuTe C++ (include/cute/atom) and as the
// CuTe DSL of CUTLASS 4 (cutlass/cute/atom.py and cutlass/cute/nvgpu).

// writtenAtom returns an instruction of the language as codegen takes it; ok is false for other values.
func writtenAtom(v eval.Value) (w codegen.Value, ok bool) {
	var cpp, dsl string
	switch v := v.(type) {
	case eval.MMAAtom:
		if cpp = atoms.CPPMMA(v.MMA); cpp != "" {
			cpp += "{}"
		}
		if op := atoms.DSLMMA(v.MMA); op != "" {
			dsl = "cute.make_mma_atom(" + op + ")"
		}
	case eval.CopyAtom:
		cpp, dsl = atoms.CPPCopy(v.CopyAtom)+"{}", atoms.DSLCopy(v.CopyAtom)
	case eval.TiledMMA:
		parts := []codegen.Value{codegen.Layout(v.AtomLayoutMNK())}
		if perm := v.PermutationMNK(); slices.ContainsFunc(perm[:], func(t cute.Tiler) bool { return t != cute.Keep }) {
			parts = append(parts, codegen.Tiler(cute.MakeTile(perm[:]...)))
		}
		if name := atoms.CPPMMA(v.Atom()); name != "" {
			cpp = writeCall(codegen.CPP, "make_tiled_mma", name+"{}", parts)
		}
		dsl = writeCall(codegen.DSL, "cute.make_tiled_mma", atoms.DSLMMA(v.Atom()), parts)
	case eval.TiledCopy:
		parts := []codegen.Value{codegen.Layout(v.LayoutTV()), codegen.Tiler(v.Tiler())}
		cpp = writeCall(codegen.CPP, "make_tiled_copy_impl", atoms.CPPCopy(v.Atom())+"{}", parts)
		dsl = writeCall(codegen.DSL, "cute.make_tiled_copy", atoms.DSLCopy(v.Atom()), parts)
	case eval.Tensor:
		cpp = cppTensor(v)
	case eval.ElementType:
		cpp, dsl = v.CPP(), atoms.DSLType(v.Type)
	case eval.Member:
		dsl, _ = eval.PrintCute(v, eval.DialectDSL)
	case eval.CopyOp:
		dsl = v.String()
	case eval.TMACopy: // neither dialect can write the value without the tensor's pointer
	case eval.Descriptor:
		cpp = fmt.Sprintf("%s{0x%016x}", map[descriptor.Format]string{
			descriptor.SM90: "GmmaDescriptor", descriptor.SM100: "UMMA::SmemDescriptor",
		}[v.Format], v.Bits())
	default:
		return codegen.Value{}, false
	}
	return codegen.Instruction(string(v.Kind()), v.String(),
		map[codegen.Dialect]string{codegen.CPP: cpp, codegen.DSL: dsl}), true
}

// cppTensor returns a tensor that computes its elements: from a counting iterator, or from coordinates.
func cppTensor(t eval.Tensor) string {
	layout := []codegen.Value{}
	switch l := t.Layout().(type) {
	case cute.Layout:
		layout = append(layout, codegen.Layout(l))
	case cute.Composed:
		layout = append(layout, codegen.ComposedLayout(l))
	}
	first, err := codegen.Write(codegen.CPP, codegen.Tuple(t.First()))
	switch n, isInt := t.First().Int64(); {
	case err != nil:
		return ""
	case isInt && n != 0:
		return writeCall(codegen.CPP, "make_tensor", fmt.Sprintf("counting_iterator<int>{%d}", n), layout)
	case isInt:
		return writeCall(codegen.CPP, "make_tensor", "counting_iterator<int>{}", layout)
	}
	return writeCall(codegen.CPP, "make_tensor", "make_inttuple_iter("+first+")", layout)
}

// writeCall writes a call with first, unless it is empty, and the values; "" if the dialect cannot write one of them.
func writeCall(d codegen.Dialect, function, first string, rest []codegen.Value) string {
	if first == "" {
		return ""
	}
	args := []string{first}
	for _, v := range rest {
		text, err := codegen.Write(d, v)
		if err != nil {
			return ""
		}
		args = append(args, text)
	}
	return function + "(" + strings.Join(args, ", ") + ")"
}
