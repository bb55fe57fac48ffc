package interp

import (
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file prints: print of Python and of C++, printf of the CuTe DSL and of C++, and print_layout, print_tensor and
// print_latex of CuTe.

// printers lists the functions that print. They exist in every language, and are also called with values of the
// algebra.
var printers map[string]*Builtin

func init() {
	printers = map[string]*Builtin{
		"print":  {Name: "print", Call: print, Always: true},
		"printf": {Name: "printf", Call: printf, Always: true},
	}
	for _, name := range []string{"print_layout", "print_tensor", "print_latex"} {
		printers[name] = &Builtin{Name: name, Always: true, Call: func(r *runner, c *arguments) (Value, error) {
			return None{}, r.show(name, c)
		}}
	}
}

// print implements print(a, b, sep=" ", end="\n") of Python, at trace time. cute::print of C++ with a format prints
// like printf.
func print(r *runner, c *arguments) (Value, error) {
	if r.lang == program.Cpp {
		return printf(r, c)
	}
	sep, end := " ", "\n"
	for _, o := range []struct {
		name string
		to   *string
	}{{"sep", &sep}, {"end", &end}} {
		switch v := c.take(o.name).(type) {
		case nil, None:
		case Str:
			*o.to = string(v)
		default:
			return nil, python.TypeError("%s must be None or a string, not %s", o.name, python.TypeName(v))
		}
	}
	c.take("flush")
	if len(c.keys) > 0 {
		return nil, python.TypeError("'%s' is an invalid keyword argument for print()", c.keys[0].Name)
	}
	var b strings.Builder
	for i, v := range c.pos {
		if i > 0 {
			b.WriteString(sep)
		}
		text, err := r.str(v)
		if err != nil {
			return nil, err
		}
		b.WriteString(text)
	}
	b.WriteString(end)
	if r.trace != nil && (r.trace.past || !r.kernel.isFirst()) {
		return None{}, nil
	}
	return None{}, r.prints(b.String())
}

// printf implements cute.printf of the CuTe DSL, which prints at run time and ends the line, and printf of C++.
func printf(r *runner, c *arguments) (Value, error) {
	defer func(was bool) { r.running = was }(r.running)
	r.running = true
	text, err := r.fill(c)
	if err != nil {
		return nil, err
	}
	switch {
	case r.quiet:
		return None{}, nil
	case r.trace != nil:
		if err := r.counts(text); err != nil {
			return nil, err
		}
		r.trace.late.WriteString(text)
		return None{}, r.hold(len(text))
	}
	return None{}, r.prints(text)
}

// fill returns the text that printf prints.
func (r *runner) fill(c *arguments) (string, error) {
	if len(c.pos) == 0 || len(c.keys) > 0 && (len(c.keys) > 1 || !c.has("end") || r.lang == program.Cpp) {
		return "", python.TypeError("expected a format and values")
	}
	format, ok := c.pos[0].(Str)
	switch {
	case !ok && len(c.pos) > 1 && r.lang == program.Cpp:
		return "", errorf(cute.CodeType, "expected a text as the format, found %s", r.describe(c.pos[0]))
	case r.lang == program.Cpp && !ok:
		return r.cppText(c.pos[0])
	case r.lang == program.Cpp:
		return cppPrintf(string(format), c.pos[1:], r.algebraText)
	}
	end := "\n"
	if v, ok := c.take("end").(Str); ok {
		end = string(v)
	}
	values := c.pos[1:]
	if !ok {
		format, values = Str(strings.Repeat("{}, ", len(c.pos)-1)+"{}"), c.pos
	}
	text, err := r.braces(string(format), values)
	return text + end, err
}

// braces fills in the replacement fields of a format of cute.printf, which have the form {} or {:SPEC}.
func (r *runner) braces(format string, values []Value) (string, error) {
	var b strings.Builder
	for format != "" {
		n := strings.IndexAny(format, "{}%")
		if n < 0 {
			n = len(format)
		}
		b.WriteString(format[:n])
		if format = format[n:]; format == "" {
			break
		}
		if format[0] == '%' {
			text, used, rest, err := r.percent(format, values)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
			format, values = rest, values[used:]
			continue
		}
		if strings.HasPrefix(format, "{{") || strings.HasPrefix(format, "}}") {
			b.WriteByte(format[0])
			format = format[2:]
			continue
		}
		end := strings.IndexByte(format, '}')
		if format[0] == '}' || end < 0 {
			return "", errorf(cute.CodeSyntax, "expected {} in the format, and {{ for a brace")
		}
		if len(values) == 0 {
			return "", errorf(cute.CodeRank, "the format has more places than there are values")
		}
		spec := strings.TrimPrefix(format[1:end], ":")
		text, err := r.str(values[0])
		if err == nil && spec != "" {
			text, err = r.spell(text, values[0], spec)
		}
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		format, values = format[end+1:], values[1:]
	}
	if len(values) > 0 {
		return "", errorf(cute.CodeRank, "the format has no place for %s", r.describe(values[0]))
	}
	return b.String(), nil
}

// percent fills in the C conversion, such as %d, at the beginning of a format of cute.printf. used is the number of
// values that it uses.
func (r *runner) percent(format string, values []Value) (text string, used int, rest string, err error) {
	n := strings.IndexFunc(format[1:], func(c rune) bool { return c == '%' || c >= 'A' && c <= 'z' && c != 'l' && c != 'h' })
	if n < 0 {
		return format, 0, "", nil
	}
	place, rest := format[:n+2], format[n+2:]
	switch {
	case strings.HasSuffix(place, "%"):
		return "%", 0, rest, nil
	case len(values) == 0:
		return "", 0, "", errorf(cute.CodeRank, "the format has more places than there are values")
	}
	x, ok := numberOf(values[0])
	if !ok {
		return "", 0, "", errorf(cute.CodeType, "expected a number for %s, found %s", place, r.describe(values[0]))
	}
	v := Value(CInt{Bits: uint64(x.n), Type: CLongLong})
	if x.isFloat {
		v = CFloat{F: x.f}
	} else if place[len(place)-1] == 'd' {
		place = place[:len(place)-1] + "lld"
	}
	text, err = cppPrintf(place, []Value{v}, r.algebraText)
	return text, 1, rest, err
}

// spell formats a value according to a format specification. A run-time integer is formatted as its number.
func (r *runner) spell(text string, v Value, spec string) (string, error) {
	if !isAlgebra(v) {
		return r.py.Format(plain(v), spec)
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return r.py.Format(Int(n), spec)
	}
	if text == "?" {
		return r.py.Format(Str(text), strings.TrimRight(">"+strings.TrimLeft(spec, "0<>^"), "dx"))
	}
	return r.py.Format(Str(text), spec)
}

// prints writes a text immediately.
func (r *runner) prints(text string) error {
	if text = r.newOutput(text); text == "" {
		return nil
	}
	if err := r.counts(text); err != nil {
		return err
	}
	return r.out.text(text)
}

// str returns the text of a value: its run-time text within printf and in C++, otherwise its trace-time text.
func (r *runner) str(v Value) (string, error) {
	switch v := v.(type) {
	case Algebra:
		return r.valueText(v)
	case Element:
		if r.lang == program.Python && !r.running && r.trace != nil {
			return "?", nil
		}
		return v.text(), nil
	case Vector:
		n := strconv.Itoa(len(v.Elems))
		shape, err := r.py.Str(r.hostTuple(v.Shape))
		return "tensor_value<vector<" + n + "x" + mlirName(v.Type) + "> o " + shape + ">", err
	case *Instance:
		return r.objectText(v, "__str__")
	}
	if r.lang == program.Cpp {
		return r.cppText(v)
	}
	if text, ok, err := r.dslText(v); ok {
		return text, err
	}
	return r.py.Str(v)
}

// valueText returns the text of a value of the algebra.
func (r *runner) valueText(a Algebra) (string, error) {
	if r.lang == program.Cpp {
		return r.cppText(a)
	}
	if a.isTensor() {
		return r.tensorText(a)
	}
	if a.late != nil && a.late.Value == nil && !r.running {
		return "", errUnknownLate
	}
	return r.algebraText(a), nil
}

// dslText returns the text of a Python value that the CuTe DSL prints differently: an element type, and at run time a
// tuple, a truth value or a float. ok is false for any other value.
func (r *runner) dslText(v Value) (text string, ok bool, err error) {
	switch v := v.(type) {
	case TypeValue:
		root, name, _ := strings.Cut(v.Name, ".")
		switch {
		case root == "numpy":
			return name, true, nil
		case root == "torch" || isElementOfDSL(v):
			return v.Name, true, nil
		}
	case Address, Pointer:
		return "", true, python.Refuse("the text of a pointer has its address and alignment, which are not known here")
	case Tuple:
		if r.running {
			text, err = r.cuteTuple(v)
			return text, true, err
		}
	case Bool:
		return map[Bool]string{true: "1", false: "0"}[v], r.running, nil
	case Float:
		return floatSpec{verb: 'f', precision: 6}.format(float64(v)), r.running, nil
	}
	return "", false, nil
}

// cuteTuple returns a tuple as printf of the CuTe DSL prints it, without spaces.
func (r *runner) cuteTuple(t Tuple) (string, error) {
	var b strings.Builder
	b.WriteByte('(')
	for i, v := range t {
		if i > 0 {
			b.WriteByte(',')
		}
		text, err := r.str(v)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	b.WriteByte(')')
	return b.String(), nil
}

// repr returns the text of a value within an error or a container.
func (r *runner) repr(v Value) string {
	if r.lang == program.Cpp {
		text, err := r.cppText(v)
		if err == nil {
			return text
		}
	}
	text, err := r.py.Repr(v)
	if err != nil {
		return python.TypeName(v)
	}
	return text
}

// algebraText returns the text of a value of the algebra. An instruction, a tiled MMA or copy, a swizzle and a composed
// layout have the text that CuTe prints.
func (r *runner) algebraText(a Algebra) string {
	if t, ok := withNumbers(a).(eval.Tensor); ok && r.lang == program.Python {
		return "tensor<" + t.First().String() + " o " + t.Layout().String() + ">"
	}
	text, dialect := a.AtRun(), eval.DialectDSL
	if r.lang == program.Python && !r.running {
		text = a.AtTrace()
	}
	if r.lang == program.Cpp {
		dialect = eval.DialectCpp
	}
	printed, ok := eval.PrintCute(a.Value, dialect)
	switch {
	case !ok || r.lang == program.Notation:
		return text
	case a.Static != "": // the value contains run-time integers that the printed text does not show
		return strings.ReplaceAll(text, "Sw<", "S<")
	}
	return printed
}

// show runs print_layout, print_tensor and print_latex.
func (r *runner) show(name string, c *arguments) error {
	form := inBrackets
	if name == "print_tensor" && c.take("verbose") == Bool(true) {
		form = withCoordinates
	}
	if len(c.pos) != 1 || len(c.keys) > 0 {
		return errorf(cute.CodeRank, "expected one argument of %s, found %d", name, len(c.pos)+len(c.keys))
	}
	a, err := r.toShow(c.pos[0])
	if err != nil {
		return err
	}
	text := ""
	switch {
	case name == "print_tensor" && a.isTensor():
		text, err = r.printedTensor(a, form)
	case name == "print_layout":
		text, err = r.printedLayout(a)
	case name == "print_tensor":
		if text, err = eval.PrintTensor(a.Value); r.lang == program.Cpp {
			text = r.staticTensor(a, text)
		}
	default:
		t, e := r.LaTeX(a.AtRun())
		text, err = t, r.withoutPlace(e)
	}
	if err == nil {
		err = r.counts(text)
	}
	if err != nil {
		return err
	}
	if r.quiet {
		return nil
	}
	if r.trace != nil { // a layout is known only at run time
		r.trace.late.WriteString(text)
		return r.hold(len(text))
	}
	return r.out.line(r.newOutput(text))
}

// printedLayout returns the output of print_layout. In C++ the first line is the layout.
func (r *runner) printedLayout(a Algebra) (string, error) {
	text, e := r.Layout(a.AtRun())
	head, rest, ok := strings.Cut(text, "\n")
	if r.lang == program.Cpp && ok && head == a.AtRun() {
		text = r.staticText(a, head) + "\n" + rest
	}
	return text, r.withoutPlace(e)
}

// toShow converts the argument of print_tensor or a similar function to a value of the algebra.
func (r *runner) toShow(v Value) (Algebra, error) {
	if of, ok := v.(Vector); ok {
		return r.vectorTensor(of)
	}
	return r.asAlgebra(v)
}

// A printer writes lines.
type printer struct {
	emit func(string) error
	open bool // the last line has no newline yet
}

// text writes a text unchanged.
func (p *printer) text(s string) error {
	if s == "" {
		return nil
	}
	p.open = !strings.HasSuffix(s, "\n")
	return p.emit(s)
}

// line writes text that starts on a new line.
func (p *printer) line(s string) error {
	if s != "" && p.open {
		s = "\n" + s
	}
	return p.text(s)
}
