package gemm

import (
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// This file has the factors of A and B. Factors of whole rows are factors of D, so the epilogue multiplies by them.
// Factors of blocks of K differ from step to step: the sums of a step are multiplied by them when they are added to the
// sums in registers, which 8-bit floats need anyway, because tensor cores do not keep all bits of their sums.

// A Scale says which factors the elements of A and B have. The factors are f32 in the tensors SA and SB of the kernel.
type Scale string

// SA and SB have shapes of the problem, with a further mode L if it has one. Block is [ScaleBlock]. In SA of blocks the
// first mode is contiguous, in SB the second one.
const (
	Unscaled     Scale = ""        // no factors
	ScaleTensors Scale = "tensors" // (1) and (1): a factor of a matrix
	ScaleRows    Scale = "rows"    // (M) and (N): a factor of each row
	ScaleBlocks  Scale = "blocks"  // (M,K/Block) and (N/Block,K/Block), rounded up: of 1 by 128 and of 128 by 128 elements
)

// ScaleBlock is the extent of a block of elements with one factor.
const ScaleBlock = 128

var factorNames = [2]string{"SA", "SB"}

// inputs returns the factors, C and the inputs of the epilogue. It refuses a word that is no Scale.
func (p *Problem) inputs() ([]Input, error) {
	a, b, all := "", "", p.Epilogue.all()
	switch p.Scale {
	case Unscaled, ScaleGroups: // of weights, which convert them
		return all, nil
	case ScaleTensors:
	case ScaleRows:
		a, b = "m", "n"
	case ScaleBlocks:
		a, b = "mk", "nk"
	default:
		return nil, refuse(cute.CodeName, "expected the factors tensors, rows, blocks or groups, found %.40q", string(p.Scale))
	}
	if p.L > 0 {
		a, b = a+"l", b+"l"
	}
	out := make([]Input, 2, 2+len(all))
	for i, modes := range []string{a, b} {
		out[i] = Input{factorNames[i], dtype.F32, modes}
	}
	return append(out, all...), nil
}

// declareFactors declares the factors.
func (f *finish) declareFactors() {
	f.factors = map[string]kernel.Tensor{}
	if f.p.Scale == Unscaled || f.w.weights {
		return
	}
	m, n := f.user(f.m, f.n)
	blocks := f.z.CeilDiv(ScaleBlock)
	for _, in := range f.w.inputs[:2] {
		modes, batched := strings.CutSuffix(in.Modes, "l")
		x := matrix{name: in.Name}
		if batched {
			x.batch = 1 // any stride
		}
		switch modes {
		case "mk":
			x.major = atom.MNMajor
			shape, strides := x.modes(f.k, 1, [3]kernel.Index{m, blocks, f.l})
			f.factors[in.Name] = f.k.Global(in.Name, in.Type, shape, strides...)
		case "nk":
			shape, strides := x.modes(f.k, 1, [3]kernel.Index{n.CeilDiv(ScaleBlock), blocks, f.l})
			f.factors[in.Name] = f.k.Global(in.Name, in.Type, shape, strides...)
		default: // a vector without gaps
			length := map[string]kernel.Index{"m": m, "n": n, "": kernel.Int(1)}[modes]
			f.factors[in.Name] = f.k.Global(in.Name, in.Type, []kernel.Index{length, f.l}[:1+x.batch])
		}
	}
}

// whole reports whether factors of A and B are factors of D, by which the epilogue multiplies.
func (s Scale) whole() bool { return s == ScaleTensors || s == ScaleRows }

// factor returns the factor of a row of A or B, or of the whole matrix. It is loaded once for the elements that are
// finished together.
func (f *finish) factor(side int, row kernel.Index) kernel.Value {
	if f.p.Scale == ScaleTensors {
		row = kernel.Int(0)
	}
	v, ok := f.loaded[side][row]
	if !ok {
		v = f.k.Load(f.factors[factorNames[side]], f.coord(row)...)
		f.loaded[side][row] = v
	}
	return v
}

// coord returns coordinates of an input with a mode L, or of groups, if the problem has it.
func (f *finish) coord(at ...kernel.Index) []kernel.Index {
	if f.w.l+f.w.groups > 0 {
		at = append(at, f.batch)
	}
	return at
}
