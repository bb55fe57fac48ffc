package interp

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
	"girih/tensor"
)

// This file prints tensors with storage.

// tensorText returns a tensor as print shows it: its pointer and its layout.
func (r *runner) tensorText(a Algebra) (string, error) {
	t := a.view()
	switch {
	case r.lang == program.Python && a.host:
		return r.hostText(a)
	case r.lang == program.Python && r.running:
		return r.dslTensor(a)
	case r.lang == program.Python:
		return fmt.Sprintf("tensor<ptr<%s, %s> o %v>", a.typ, a.spaceName(), t.Layout()), nil
	}
	codes, err := tensor.PackedOver(t, a.typ, a.data)
	if err != nil {
		return "", err
	}
	return codes.In(a.space).String(), nil
}

// dslTensor returns a tensor as printf of the CuTe DSL shows it.
func (r *runner) dslTensor(a Algebra) (string, error) {
	return fmt.Sprintf("raw_ptr(%d: %s, %s) o %v", a.view().Start(), a.typ, a.spaceName(), a.view().Layout()), nil
}

// printedTensor returns what print_tensor prints.
func (r *runner) printedTensor(a Algebra) (string, error) {
	if n := a.view().Size(); n > eval.MaxPrinted {
		e := errorf(cute.CodeLimit, "expected at most %d elements to print, found %d in %v", eval.MaxPrinted, n,
			a.view().Shape())
		e.hint = "print a slice, or a tile of it"
		return "", e
	}
	c, err := r.loadTensor(a)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = tensor.Print(&b, c.Tensor)
	return b.String(), err
}

// hostText returns an array as PyTorch prints it.
func (r *runner) hostText(a Algebra) (string, error) {
	c, err := r.loadTensor(a)
	if err != nil {
		return "", err
	}
	const most = 1000 // PyTorch leaves elements out of larger ones
	if c.Size() > most {
		return "", python.Refuse("an array of more than %d elements is not printed whole by PyTorch: print a slice", most)
	}
	values := make([]number, c.Size())
	for i := range values {
		code, err := c.At(int64(i))
		if err != nil {
			return "", err
		}
		v, err := r.fromCode(&window{typ: a.typ, host: true}, code)
		if err != nil {
			return "", err
		}
		values[i], _ = numberOf(v)
	}
	cells := torchCells(a.typ, values)
	shape := c.Domain().AppendModeSizes(nil)
	text := brackets(cells, shape, 1, len("tensor(")+1)
	if a.typ != dtype.F32 && a.typ != dtype.S64 && a.typ != dtype.U1 {
		text += ", dtype=torch." + a.typ.Torch()
	}
	return "tensor(" + text + ")", nil
}

// torchCells returns numbers as PyTorch prints them in an array, all with the same width. If no float has a fraction,
// the floats end in a point.
func torchCells(typ dtype.Type, values []number) []string {
	whole := !slices.ContainsFunc(values, func(v number) bool { return v.f != float64(int64(v.f)) })
	cells, width := make([]string, len(values)), 0
	for i, v := range values {
		switch {
		case typ == dtype.U1:
			cells[i] = map[bool]string{true: "True", false: "False"}[v.n != 0]
		case !v.isFloat:
			cells[i] = fmt.Sprint(v.n)
		case whole:
			cells[i] = fmt.Sprintf("%.0f.", v.f)
		default:
			cells[i] = fmt.Sprintf("%.4f", v.f)
		}
		width = max(width, len(cells[i]))
	}
	for i := range cells {
		cells[i] = fmt.Sprintf("%*s", width, cells[i])
	}
	return cells
}

// brackets returns cells in brackets, the last mode along a row. step is the distance of neighbours of the first mode.
func brackets(cells []string, shape []int64, step, indent int) string {
	if len(shape) == 0 {
		return cells[0]
	}
	parts := make([]string, shape[0])
	for i := range parts {
		if len(shape) == 1 {
			parts[i] = cells[i*step]
			continue
		}
		parts[i] = brackets(cells[i*step:], shape[1:], step*int(shape[0]), indent+1)
	}
	sep := ", "
	if len(shape) > 1 {
		sep = "," + strings.Repeat("\n", len(shape)-1) + strings.Repeat(" ", indent)
	}
	return "[" + strings.Join(parts, sep) + "]"
}
