package diagnose

import (
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/why/compat"
)

// An operation is a call of the algebra, with its operands in canonical text.
type operation struct {
	op   string
	args []string
}

// expr returns the operation in girih's language.
func (o operation) expr() string {
	if o.op == "composition" && len(o.args) == 2 && strings.Contains(o.args[1], ":") && !strings.HasPrefix(o.args[1], "<") {
		return o.args[0] + " o " + o.args[1]
	}
	return o.op + "(" + strings.Join(o.args, ", ") + ")"
}

// with returns the operation with operand i replaced.
//
//go:noinline
func (o operation) with(i int, arg string) operation {
	args := append([]string(nil), o.args...)
	args[i] = arg
	return operation{op: o.op, args: args}
}

// isKnown reports whether all operands are present and consist of known numbers.
func (o operation) isKnown() bool {
	for _, a := range o.args {
		if a == "" || dynamic(a) {
			return false
		}
	}
	return o.op != "" && len(o.args) > 0
}

// names maps operations to CuTe's names for their operands.
var names = map[string][]string{
	"composition": {"lhs", "rhs"}, "logical_divide": {"layout", "tiler"}, "zipped_divide": {"layout", "tiler"},
	"tiled_divide": {"layout", "tiler"}, "flat_divide": {"layout", "tiler"}, "logical_product": {"block", "tiler"},
	"zipped_product": {"block", "tiler"}, "tiled_product": {"block", "tiler"}, "flat_product": {"block", "tiler"},
	"blocked_product": {"block", "tiler"}, "raked_product": {"block", "tiler"}, "tile_to_shape": {"block", "target", "order"},
	"complement": {"layout", "cotarget"}, "left_inverse": {"layout"}, "right_inverse": {"layout"}, "shape_div": {"a", "b"},
	"upcast": {"layout", "N"}, "downcast": {"layout", "N"}, "coalesce": {"layout", "profile"}, "slice": {"layout", "coord"},
	"crd2idx": {"coord", "layout"}, "ceil_div": {"a", "b"},
}

// optional gives the number of operands at the end that an operation may omit.
var optional = map[string]int{"complement": 1, "coalesce": 1, "tile_to_shape": 1}

// whole reports whether a CuTe operation has all its operands. An unknown operation may have any number of operands.
func (o operation) whole() bool {
	n, most := len(o.args), len(names[o.op])
	return most == 0 || n <= most && n >= most-optional[o.op]
}

// operation returns the call that a frame shows.
func (f *frame) operation() operation {
	o := operation{op: f.name}
	lhs := func(shape, stride string) string {
		if l := layoutText(f.value(shape), f.value(stride)); l != "" {
			return l
		}
		return f.composedText()
	}
	switch f.name {
	case "composition", "composition_impl":
		o.op = "composition"
		o.args = []string{lhs("LShape", "LStride"), f.right("RShape", "RStride")}
	case "logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_product", "zipped_product",
		"tiled_product", "flat_product":
		o.args = []string{lhs("LShape", "LStride"), f.right("TShape", "TStride")}
	case "blocked_product", "raked_product":
		o.args = []string{lhs("TShape", "TStride"), f.right("UShape", "UStride")}
	case "tile_to_shape":
		target := f.value("TrgShape", "Shape")
		if f.param("TrgShape") != "" {
			o.args = []string{lhs("Shape", "Stride"), target}
		} else {
			o.args = []string{f.composedText(), target}
		}
		if order := f.value("ModeOrder"); order != "" {
			o.args = append(o.args, order)
		}
	case "complement":
		o.args = []string{lhs("Shape", "Stride")}
		if c := f.value("CoTarget"); c != "" {
			o.args = append(o.args, c)
		}
	case "left_inverse", "right_inverse":
		o.args = []string{lhs("Shape", "Stride")}
	case "upcast", "downcast":
		o.args = []string{lhs("Shape", "Stride"), f.value("N")}
	case "shape_div", "ceil_div", "inner_product":
		o.args = []string{f.value("IntTupleA"), f.value("IntTupleB")}
	case "coalesce":
		o.args = []string{lhs("Shape", "Stride")}
		if p := f.value("IntTuple"); p != "" {
			o.args = append(o.args, p)
		}
	default:
		o.op = ""
	}
	return o
}

// right returns the right operand, which is a layout or a tiler.
func (f *frame) right(shape, stride string) string {
	if l := layoutText(f.value(shape), f.value(stride)); l != "" {
		return l
	}
	return tiler(f.value("Tiler"))
}

// composedText returns ComposedLayout<A,O,B> in girih's language.
func (f *frame) composedText() string {
	a, o, b := f.param("A"), f.param("O"), f.param("B")
	if a == "" || o == "" || b == "" {
		return ""
	}
	return value("cute::ComposedLayout<" + a + ", " + o + ", " + b + ">")
}

// use sets the operation of the finding: its operands, its expression, and girih's answer for it.
func (f *failure) use(o operation) {
	f.Op = o.op
	f.Operands = nil
	for i, a := range o.args {
		name := fmt.Sprintf("operand %d", i+1)
		if ns := names[o.op]; i < len(ns) {
			name = ns[i]
		}
		f.operand(name, a)
	}
	if !o.isKnown() {
		for i, a := range o.args {
			if ns := names[o.op]; i < len(ns) && a == "" {
				f.missing("the " + ns[i] + " of " + o.op + ": paste the line of the backtrace that names it, or print it")
			}
		}
		return
	}
	f.Expr = o.expr()
	f.Fact = f.fact(f.Expr)
}

// fact evaluates an expression and describes the result.
func (f *failure) fact(expr string) string {
	v, err := f.result(expr)
	if err == nil {
		return "it has a value: " + v
	}
	g, ok := errors.AsType[*cute.Error](err)
	if !ok {
		return ""
	}
	if w := g.Witness; w != nil && w.Want.String() == "()" {
		return fmt.Sprintf("no layout has its values: at index %d, coordinate %s, the value is %s, which every candidate misses",
			w.Index, w.Coord, w.Value)
	} else if w != nil {
		return fmt.Sprintf("no layout has its values: at index %d the value is %s, where a layout would have %s", w.Index,
			w.Value, w.Want)
	}
	return "it has no value: " + g.Msg
}

// refusal reports whether the model of a tool refuses an operation, and how. If no model covers the operation, it is
// not refused.
func refusal(o operation, d compat.Dialect) (how string, no bool) {
	q, err := compat.NewQuery(o.op, o.args...)
	if err != nil {
		return "", false
	}
	a := q.Answer(d)
	if a.Refusal == nil || a.Refusal.Unmodelled || a.Refusal.Absent {
		return "", false
	}
	return a.Refusal.Text, true
}

// right reports whether the tool's answer to an operation is right at each index. If there is no model or no judgement,
// the answer counts as right.
func right(o operation, d compat.Dialect) bool {
	q, err := compat.NewQuery(o.op, o.args...)
	if err != nil {
		return true
	}
	switch a := q.Answer(d); q.Judge(a).Verdict {
	case compat.Wrong:
		return false
	default:
		return true
	}
}

// violates adds the tool's condition that an operation violates, and reports whether a model names that condition.
func (f *failure) violates(o operation, part string) bool {
	q, err := compat.NewQuery(o.op, o.args...)
	if err != nil {
		return false
	}
	for _, d := range f.conditions() {
		a := q.Answer(d)
		if a.Refusal == nil || a.Refusal.Breach == nil {
			continue
		}
		b := a.Refusal.Breach
		for _, i := range b.Mode {
			part += fmt.Sprintf("mode %d: ", i)
		}
		f.Pair, f.Condition = b.Pair[0]+" and "+b.Pair[1], part+b.Says
		return true
	}
	return false
}

// conditions returns the models that check the tool's conditions. PyCuTe checks the conditions of pycute and of C++.
// The CuTe DSL checks the conditions of C++, but says less about them.
func (f *failure) conditions() []compat.Dialect {
	switch f.Tool {
	case toolPycute:
		return []compat.Dialect{compat.Pycute}
	case toolPyCute:
		return []compat.Dialect{compat.Pycute, compat.CPPStatic}
	}
	return []compat.Dialect{compat.CPPStatic}
}

// works reports whether an operation has a value in girih's algebra and the finding's tool does not refuse it.
func (f *failure) works(o operation) (value string, ok bool) {
	if f.isStopped() {
		return "", false
	}
	if _, no := refusal(o, f.dialect()); no { // the model is faster than proving that no layout has the values
		return "", false
	}
	v, err := f.result(o.expr())
	return v, err == nil
}

// dialect returns the model of the finding's tool.
func (f *failure) dialect() compat.Dialect {
	switch f.Tool {
	case toolDSL:
		return compat.DSL
	case toolPycute, toolPyCute:
		return compat.Pycute
	}
	return compat.CPPStatic
}

// offer adds an operation as a repair if the operation works.
func (f *failure) offer(say string, o operation) bool {
	v, ok := f.works(o)
	if ok = ok && right(o, f.dialect()); ok {
		f.repair(Repair{Say: say, Expr: o.expr(), Result: v})
	}
	return ok
}
