package interp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"girih/atom"
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
		return r.dslTensor(a), nil
	case r.lang == program.Python:
		return r.traceText(a, "tensor<ptr<%s, %s> o %s>")
	}
	if a.null {
		return a.nullText(), nil
	}
	codes, err := tensor.PackedOver(t, a.typ, a.data)
	if err != nil {
		return "", err
	}
	return codes.In(a.space).String(), nil
}

// nullText returns the text that CuTe prints for a tensor with a null pointer.
func (a Algebra) nullText() string {
	space := map[atom.Space]string{
		atom.GlobalMemory: "gmem_", atom.SharedMemory: "smem_", atom.Registers: "rmem_",
	}[a.space]
	at := "(nil)"
	if bytes := a.view().Start() * int64(a.typ.Bits()) / 8; bytes > 0 {
		at = fmt.Sprintf("0x%x", bytes)
	}
	return fmt.Sprintf("%sptr[%db](%s) o %v", space, a.typ.Bits(), at, a.view().Layout())
}

// tensorType returns t.type of the CuTe DSL.
func (r *runner) tensorType(a Algebra) (string, error) {
	return r.traceText(a, "!cute.memref<%s, %s, \"%s\">")
}

// traceText returns the trace-time text of a tensor: the element type, the memory space and the layout.
func (r *runner) traceText(a Algebra, format string) (string, error) {
	if a.align < 0 {
		return "", python.Refuse("the alignment in the text of this tensor at trace time is not known here; cute.printf prints it")
	}
	layout := fmt.Sprint(a.view().Layout())
	if a.late != nil {
		if a.late.Value == nil {
			return "", errUnknownLate
		}
		layout = a.late.AtTrace()
	}
	space := a.spaceName()
	if a.align > int64(a.typ.Bits()+7)/8 {
		space += fmt.Sprintf(", align<%d>", a.align)
	}
	return fmt.Sprintf(format, mlirName(a.typ), space, strings.ReplaceAll(layout, "Sw<", "S<")), nil
}

// dslTensor returns a tensor as printf of the CuTe DSL prints it.
func (r *runner) dslTensor(a Algebra) string {
	bits := a.view().Start() * int64(a.typ.Bits())
	return fmt.Sprintf("raw_ptr(0x%016x: %s, %s, align<%d>) o %v", bits/8, mlirName(a.typ), a.spaceName(), a.alignment(),
		a.view().Layout())
}

// mlirName returns an element type as the CuTe DSL prints it within the types of tensors: integers have no sign there.
func mlirName(t dtype.Type) string {
	switch name := t.DSL(); {
	case t.Kind() != dtype.Float:
		return fmt.Sprintf("i%d", t.Bits())
	case t.Bits() < 16:
		return "f" + strings.TrimPrefix(name, "Float") // f8E4M3FN
	}
	return t.String()
}

// alignment returns the alignment of a tensor in bytes, as the CuTe DSL prints it.
func (a Algebra) alignment() int64 {
	switch {
	case a.align > 0:
		return a.align
	case a.spaceName() == "rmem":
		return 32
	}
	return int64(a.typ.Bits()+7) / 8
}

// A dslForm is a format of the CuTe DSL's print_tensor.
type dslForm int

const (
	inBrackets      dslForm = iota // rows in brackets
	withCoordinates                // with verbose=True: one line per element
)

// printedDSL returns what print_tensor of the CuTe DSL prints.
func (r *runner) printedDSL(a Algebra, form dslForm) (string, error) {
	c, err := r.loadTensor(a)
	if err != nil {
		return "", err
	}
	cells := make([]string, c.Size())
	w := &window{typ: a.typ}
	for i := range cells {
		code, err := c.At(int64(i))
		if err != nil {
			return "", err
		}
		v, err := r.fromCode(w, code)
		if err != nil {
			return "", err
		}
		n, _ := numberOf(v)
		cells[i] = fmt.Sprintf("% d", n.n)
		if n.isFloat {
			cells[i] = place{verb: 'f', precision: -1, space: true}.float(n.f)
		}
	}
	head := "tensor(" + r.dslTensor(a) + ", data="
	shape := a.view().Domain().AppendModeSizes(nil)
	if form == inBrackets {
		if len(shape) == 1 {
			return head + "\n       [" + strings.Join(cells, ", ],\n       [") + ", ])\n", nil
		}
		return head + "\n       " + dslBrackets(cells, shape, 8) + ")\n", nil
	}
	var b strings.Builder
	b.WriteString(head + " (\n")
	for i := range c.Size() { // the last mode is the fastest
		rest, index, scale := i, int64(0), c.Size()
		at := make([]string, len(shape))
		for k := len(shape) - 1; k >= 0; k-- {
			scale /= shape[k]
			at[k] = fmt.Sprint(rest % shape[k])
			index += rest % shape[k] * scale
			rest /= shape[k]
		}
		fmt.Fprintf(&b, "\t(%s)=%s\n", strings.Join(at, ","), cells[index])
	}
	return b.String() + ")\n", nil
}

// dslBrackets returns cells in nested brackets: for each coordinate of mode 0 a row along mode 1, all of this for each
// coordinate of mode 2, and so on.
func dslBrackets(cells []string, shape []int64, indent int) string {
	sep := "," + strings.Repeat("\n", len(shape)-1) + strings.Repeat(" ", indent)
	if n := len(shape) - 1; n > 1 {
		step, parts := int64(len(cells))/shape[n], make([]string, shape[n])
		for i := range parts {
			parts[i] = dslBrackets(cells[int64(i)*step:int64(i+1)*step], shape[:n], indent+1)
		}
		return "[" + strings.Join(parts, sep) + "]"
	}
	rows := make([]string, shape[0])
	for i := range rows {
		var row strings.Builder
		for j := range shape[1] {
			row.WriteString(cells[int64(i)+j*shape[0]] + ", ")
		}
		rows[i] = "[" + row.String() + "]"
	}
	return "[" + strings.Join(rows, sep) + "]"
}

// printedTensor returns what print_tensor prints.
func (r *runner) printedTensor(a Algebra, form dslForm) (string, error) {
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
	if r.lang == program.Python {
		return r.printedDSL(a, form)
	}
	var b strings.Builder
	err = tensor.Print(&b, c.Tensor)
	return r.staticTensor(a, b.String()), err
}

// hostText returns the text that PyTorch or NumPy prints for an array.
func (r *runner) hostText(a Algebra) (string, error) {
	c, err := r.loadTensor(a)
	if err != nil {
		return "", err
	}
	const most = 1000 // PyTorch omits elements of larger arrays
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
	shape := c.Domain().AppendModeSizes(nil)
	if a.numpy {
		return r.numpyText(a.typ, values, shape)
	}
	cells := torchCells(a.typ, values)
	text := brackets(cells, shape, 1, len("tensor(")+1)
	if a.space == atom.GlobalMemory {
		text += ", device='cuda:0'"
	}
	if a.typ != dtype.F32 && a.typ != dtype.S64 && a.typ != dtype.U1 {
		text += ", dtype=torch." + a.typ.Torch()
	}
	return "tensor(" + text + ")", nil
}

// torchCells returns numbers as PyTorch prints them in an array, padded to the same width. If no float has a fraction,
// all floats end in a point.
func torchCells(typ dtype.Type, values []number) []string {
	whole := !slices.ContainsFunc(values, func(v number) bool { return v.f-v.f == 0 && v.f != math.Trunc(v.f) })
	least, most := magnitudes(values)
	science := most > 1000*least || most > 1e8 || !whole && least < 1e-4
	cells, width := make([]string, len(values)), 0
	for i, v := range values {
		switch {
		case typ == dtype.U1:
			cells[i] = map[bool]string{true: "True", false: "False"}[v.n != 0]
		case !v.isFloat:
			cells[i] = fmt.Sprint(v.n)
		case v.f-v.f != 0:
			cells[i] = pythonFloat(v.f)
		case science:
			cells[i] = fmt.Sprintf("%.4e", v.f)
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

// magnitudes returns the smallest and the largest magnitude of floats other than 0.
func magnitudes(values []number) (least, most float64) {
	for _, v := range values {
		if f := math.Abs(v.f); v.isFloat && f > 0 && !math.IsInf(f, 0) {
			if most == 0 || f < least {
				least = f
			}
			most = max(most, f)
		}
	}
	return least, most
}

// numpyText returns numbers as NumPy prints them: all floats have as many digits as the longest of them needs.
func (r *runner) numpyText(typ dtype.Type, values []number, shape []int64) (string, error) {
	least, most := magnitudes(values)
	if most >= 1e8 || most > 0 && (least < 1e-4 || most/least > 1000) {
		return "", python.Refuse("NumPy prints these numbers with exponents, which is not run: print a slice")
	}
	bits := 64
	if typ.Bits() <= 32 {
		bits = int(typ.Bits())
	}
	digits := 0
	texts := make([]string, len(values))
	for i, v := range values {
		switch {
		case typ == dtype.U1:
			texts[i] = map[bool]string{true: "True", false: "False"}[v.n != 0]
		case !v.isFloat:
			texts[i] = fmt.Sprint(v.n)
		case v.f-v.f != 0:
			texts[i] = pythonFloat(v.f)
		default:
			texts[i] = strconv.FormatFloat(v.f, 'f', -1, max(bits, 32))
			if _, after, _ := strings.Cut(texts[i], "."); len(after) > 8 {
				texts[i] = strings.TrimRight(fmt.Sprintf("%.8f", v.f), "0")
			}
			_, after, _ := strings.Cut(texts[i], ".")
			digits = max(digits, len(after))
		}
	}
	left := 0
	for i, v := range values {
		if v.isFloat {
			texts[i] = alignPoint(v.f, texts[i], digits)
		}
		left = max(left, len(texts[i]))
	}
	for i := range texts {
		texts[i] = fmt.Sprintf("%*s", left, texts[i])
	}
	if row := len(shape) - 1; int(shape[row])*(left+1)+2*len(shape) > 75 {
		return "", python.Refuse("NumPy breaks rows of more than 75 characters: print a slice")
	}
	return numpyBrackets(texts, shape, 1, 1), nil
}

// alignPoint returns the text of a float with a decimal point, followed by spaces in place of missing digits.
func alignPoint(f float64, text string, digits int) string {
	if f-f != 0 {
		return text
	}
	before, after, _ := strings.Cut(text, ".")
	return before + "." + after + strings.Repeat(" ", digits-len(after))
}

// pythonFloat returns the text of a float that is nan, inf or -inf.
func pythonFloat(f float64) string {
	if f != f {
		return "nan"
	}
	return floatSpec{verb: 'f'}.format(f)
}

func numpyBrackets(cells []string, shape []int64, step, indent int) string {
	parts := make([]string, shape[0])
	for i := range parts {
		parts[i] = cells[i*step]
		if len(shape) > 1 {
			parts[i] = numpyBrackets(cells[i*step:], shape[1:], step*int(shape[0]), indent+1)
		}
	}
	sep := " "
	if len(shape) > 1 {
		sep = strings.Repeat("\n", len(shape)-1) + strings.Repeat(" ", indent)
	}
	return "[" + strings.Join(parts, sep) + "]"
}

// brackets returns cells in nested brackets with the last mode along a row. step is the distance between neighbours
// along the first mode.
func brackets(cells []string, shape []int64, step, indent int) string {
	if len(shape) == 0 {
		return cells[0]
	}
	if len(shape) == 1 { // rows are broken into lines of up to 80 characters
		n := max(1, (80-indent)/(len(cells[0])+2))
		var lines []string
		var line []string
		for i := range int(shape[0]) {
			if len(line) == n {
				lines, line = append(lines, strings.Join(line, ", ")), nil
			}
			line = append(line, cells[i*step])
		}
		lines = append(lines, strings.Join(line, ", "))
		return "[" + strings.Join(lines, ",\n"+strings.Repeat(" ", indent)) + "]"
	}
	parts := make([]string, shape[0])
	for i := range parts {
		parts[i] = brackets(cells[i*step:], shape[1:], step*int(shape[0]), indent+1)
	}
	sep := "," + strings.Repeat("\n", len(shape)-1) + strings.Repeat(" ", indent)
	return "[" + strings.Join(parts, sep) + "]"
}
