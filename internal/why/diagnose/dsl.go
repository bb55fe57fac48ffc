package diagnose

import (
	"fmt"
	"strings"

	"girih/internal/lang/reader"
	"girih/internal/pattern"
)

// dslRules lists the diagnostics of the CuTe DSL, from its Python code and from its compiler, whose messages say what
// was expected and what was found (cutlass_compiler/cute_ir).
var dslRules = ruleList{
	{
		says: "unable to compute the following composition", tool: toolDSL, op: "composition", function: "cute.composition",
		look:   composition,
		demand: "in A o B, the stride and the extent of each leaf of B divide, or are divided by, the modes of A that it goes through",
	},
	{says: "unable to compute the following", tool: toolDSL, look: writtenOperation, demand: "the operation has a value for these operands"},
	{
		says: "expects a valid composition result", tool: toolDSL, op: "composition", function: "cute.composition",
		look:   composition,
		demand: "in A o B, the stride and the extent of each leaf of B divide, or are divided by, the modes of A that it goes through",
	},
	{says: "cannot compute divide for", tool: toolDSL, op: "logical_divide", look: dslDivide, demand: "the tiler and the rest that it leaves compose with the layout"},
	{says: "cannot compute shape_div for", tool: toolDSL, op: "shape_div", look: dslShapeDiv, demand: demandShapeDiv},
	{says: "cannot compute ceil_div for", tool: toolDSL, op: "ceil_div", look: dslGot, demand: "the second tuple has no 0 and at most as many modes as the first"},
	{says: "cannot compute tile_to_shape for", tool: toolDSL, op: "tile_to_shape", look: dslGot, demand: "the block is static"},
	{says: "unable to compute a left inverse for", tool: toolDSL, op: "left_inverse", look: inverse, demand: "left_inverse sorts the modes by stride and needs each stride to be a multiple of the one before it"},
	{says: "unable to compute idx2crd", tool: toolDSL, op: "idx2crd", look: dslGot, demand: demandCoord},
	{says: "expects rank(tiler) <= rank(input)", tool: toolDSL, op: "logical_divide", look: dslGot, demand: "a tiler has at most as many modes as the layout"},
	{says: "are incompatible with return type", tool: toolDSL, look: dslGot, demand: "the operands determine the type of a result"},
	{says: "failed to parse|from \"", tool: toolDSL, op: "parse", look: dslGot, demand: "the text of an attribute: (4,8):(1,4), S<3,4,3>, [4:1;8:1], ?{div=4}"},
	{says: "expects|but got", tool: toolDSL, from: "cute|cutlass|operror|dsl|-mode|layout|tiler|atom", look: dslGot, demand: "what the message expects"},
	{says: "operand #|must be|but got|!cute.", tool: toolDSL, look: dslGot, demand: "an operand of the kind that the message names"},
	{says: "to be divisible by", tool: toolDSL, from: "cutlass|cute", look: dslDivisible, demand: "cute.assume(x, divby=n) needs n to divide x where x is known"},
	{says: "coord must be weakly congruent to src in slice_", tool: toolDSL, op: "slice", look: writtenOperation, demand: demandCoord},
	{says: "dicer must be weakly congruent", tool: toolDSL, op: "dice", look: writtenOperation, demand: demandCoord},
	{says: "coord and shape must be congruent", tool: toolDSL, op: "crd2idx", look: writtenOperation, demand: demandCoord},
	{says: "expected rank(target) >= rank(tiler)", tool: toolDSL, op: "local_tile", look: gotPair, demand: "a tiler has at most as many modes as the tensor"},
	{says: "layout shape mismatch", tool: toolDSL, look: gotPair, demand: "both layouts have one shape"},
	{says: "up_to_rank must be >= rank(input)", tool: toolDSL, op: "append", look: writtenOperation, demand: "append and prepend extend to a rank that is at least the rank of the input"},
	{says: "the rank of the coordinate must be equal to the one of the layout", tool: toolDSL, op: "make_layout_image_mask", look: gotPair, demand: demandCoord},
	{says: "invalid composition", tool: toolDSL, op: "make_composed_layout", look: gotPair, demand: "a composed layout is inner o offset o outer: the outer operand (right-most) is a layout, and a swizzle is innermost"},
	{says: "expects the outer (or right-most or effectively visible) layout to be an affine layout", tool: toolDSL, op: "make_composed_layout", look: gotPair, demand: "the outer (right-most) layout of a composed layout is a plain layout"},
	{says: "can't get stride from composed layout", tool: toolDSL, op: "stride", look: writtenOperation, demand: "a composed layout has no strides; its outer layout has"},
	{says: "mode must be in the range [0,", tool: toolDSL, look: gotPair, demand: "a mode is named by an index from 0 to rank-1"},
	{says: "expects static type or value", tool: toolDSL, look: gotPair, demand: "a value that is known when compiling: a Python integer, not one of the kernel's"},
	{says: "op failed to infer returned types", tool: toolDSL, weak: true, look: dslGot, demand: "the operands have a result; the message next to this one says why there is none"},
	{says: "'cute.|' op ", tool: toolDSL, look: dslGot, demand: "what the message says"},
}

const (
	reOp       = pattern.Pattern(`'cute\.(\w+)' op`)
	reRanks    = pattern.Pattern(`rank (\d+) tiler and rank (\d+) input`)
	reDivBy    = pattern.Pattern(`Expected (-?\d+) to be divisible by (\d+)`)
	reRange    = pattern.Pattern(`index in \[(\d+), (\d+)\)(?: at depth (\d+))?, but got (-?\d+)`)
	reExpects  = pattern.Pattern(`(?i)expect(?:s|ed) (.*?),? but (?:got|found):? (.*)$`)
	reBut      = pattern.Pattern(`(?i)expects? (.*?), but (.*)$`)
	reMust     = pattern.Pattern(`((?:operand|result) #\d+) must be (.*?), but got (.*)$`)
	reParse    = pattern.Pattern(`failed to parse (\w+) from "(.*)"`)
	reNot      = pattern.Pattern(`' op expects (.*)$`)
	reGot      = pattern.Pattern(`(?i),? but got (.*)$`)
	reRankOver = pattern.Pattern(`rank\(tiler\)=(\d+) > rank\(input\)=(\d+)`)
)

// writtenCall returns the operation that the message spells with its operands. In Python, the line of source above the
// message may spell the operation.
func (f *failure) writtenCall() operation {
	texts := []string{f.m.text + "\n" + firstLines(f.m.body, 6)}
	for _, fr := range f.m.frames {
		if fr.head != "" && !library(fr.place) {
			texts = append(texts, fr.head)
		}
	}
	for _, t := range texts {
		for _, it := range reader.Read(t).Items {
			if it.Kind == reader.KindExpression && it.Fault == "" {
				if o, ok := parseCall(it.Text); ok && o.whole() {
					return o
				}
			}
		}
	}
	return operation{op: f.Op}
}

// firstLines returns the first n lines of a text.
func firstLines(text string, n int) string {
	end := 0
	for range n {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text
		}
		end += i + 1
	}
	return text[:end]
}

// parseCall splits f(a,b) or a o b into the operation and its operands.
func parseCall(text string) (operation, bool) {
	open := strings.IndexByte(text, '(')
	if open > 0 && strings.HasSuffix(text, ")") && !strings.ContainsAny(text[:open], " :<>,.") {
		return operation{op: text[:open], args: split(text[open+1:len(text)-1], ',')}, true
	}
	if a, b, ok := strings.Cut(text, " o "); ok && !strings.HasPrefix(text, "Sw<") {
		return operation{op: "composition", args: []string{a, b}}, true
	}
	return operation{}, false
}

// writtenOperation examines the operation spelled in the text.
func writtenOperation(f *failure) {
	o := f.writtenCall()
	if len(o.args) > 0 {
		f.use(o)
	}
	if f.Expr == "" {
		f.missing("the operands: print the layout and the coordinate, and paste both with the error")
	}
}

// quotedValues returns the values of the types in the message: '!cute.layout<"(4,8):(1,4)">' and so on.
func (f *failure) quotedValues() []reader.Item {
	var items []reader.Item
	for _, it := range reader.Read(f.m.text).Items {
		if it.Fault == "" {
			items = append(items, it)
		}
	}
	return items
}

// opName returns the name of the operation in an MLIR diagnostic: 'cute.slice' op.
func (f *failure) opName() string {
	if m := reOp.FindStringSubmatch(f.m.text); m != nil {
		return m[1]
	}
	return f.Op
}

// dslGot examines a diagnostic that says what was expected and what was found.
func dslGot(f *failure) {
	f.Op = f.opName()
	if f.Function == "" && f.Op != "" {
		f.Function = "cute." + f.Op
	}
	items := f.quotedValues()
	for _, it := range items {
		f.operand(string(it.Kind), it.Text)
	}
	if len(items) == 2 {
		f.Pair = items[0].Text + " and " + items[1].Text
	}
	switch m := reExpects.FindStringSubmatch(f.m.text); {
	case reRange.MatchString(f.m.text):
		r := reRange.FindStringSubmatch(f.m.text)
		f.Condition = fmt.Sprintf("mode %s is asked for, there are modes %s to %s", r[4], r[1], minusOne(r[2]))
	case reRanks.MatchString(f.m.text):
		r := reRanks.FindStringSubmatch(f.m.text)
		f.Condition = fmt.Sprintf("the tiler has %s modes, the layout %s", r[1], r[2])
	case reRankOver.MatchString(f.m.text):
		r := reRankOver.FindStringSubmatch(f.m.text)
		f.Condition = fmt.Sprintf("the tiler has %s modes, the input %s", r[1], r[2])
	case strings.Contains(f.m.text, "are incompatible with return type") && len(items) == 2:
		f.Condition = fmt.Sprintf("the operands give %s, the operation is declared with %s", items[0].Text, items[1].Text)
		f.repair(Repair{Say: "declare the result as " + items[0].Text})
	case m != nil:
		f.Demand = oneLine(m[1])
		f.Condition = "got " + oneLine(m[2])
	case reMust.MatchString(f.m.text):
		r := reMust.FindStringSubmatch(f.m.text)
		f.Demand = r[1] + " is " + oneLine(r[2])
		f.Condition = "got " + oneLine(r[3])
	case reBut.MatchString(f.m.text):
		r := reBut.FindStringSubmatch(f.m.text)
		f.Demand, f.Condition = oneLine(r[1]), oneLine(r[2])
	case reParse.MatchString(f.m.text):
		r := reParse.FindStringSubmatch(f.m.text)
		f.Condition = fmt.Sprintf("%q is no %s", r[2], r[1])
	case reNot.MatchString(f.m.text):
		f.Condition = oneLine(reNot.FindStringSubmatch(f.m.text)[1])
	}
	f.congruence(items)
	f.repairGot(items)
}

func minusOne(s string) string {
	n, _ := integer(s)
	return fmt.Sprint(n - 1)
}

// congruence records the numbers of modes of a layout and a coordinate, if these numbers differ.
func (f *failure) congruence(items []reader.Item) {
	if !strings.Contains(f.m.text, "congruent") || len(items) != 2 {
		return
	}
	a, b := shapeOf(items[0].Text), shapeOf(items[1].Text)
	if n, m := len(modes(a)), len(modes(b)); n != m {
		f.Condition = fmt.Sprintf("%s has %s, %s has %d", items[0].Text, count(n, "mode"), items[1].Text, m)
		f.repair(Repair{Say: fmt.Sprintf("give %d numbers or _, one for each mode of %s, or one integer for all of it", n, a)})
	} else {
		f.Condition = fmt.Sprintf("%s and %s have different parentheses", items[0].Text, items[1].Text)
	}
}

// repairGot adds repairs for the most common conditions.
func (f *failure) repairGot(items []reader.Item) {
	t := f.m.text
	switch {
	case strings.Contains(t, "to be static") || strings.Contains(t, "static-shape") ||
		strings.Contains(t, "static stride") || strings.Contains(t, "static-stride"):
		f.repair(Repair{Say: "make the integers static: Python integers in make_layout, not values of the kernel; or mark only one mode dynamic and tile the others"})
	case strings.Contains(t, "positive shape mode"):
		f.repair(Repair{Say: "an extent is at least 1: leave the mode out, or write 1"})
	case strings.Contains(t, "scaled-basis"):
		f.repair(Repair{Say: "a layout with coordinate strides (such as 1@0) and a layout with integer strides do not mix here: use the layout of the tensor in place of the layout of its identity tensor, or the other way round"})
	case strings.Contains(t, "swizzle from"):
		f.Demand = "S<B,M,S> with 0 <= B <= 4 or so, M >= 0 and |S| >= B"
		f.swizzleText()
	}
}

// swizzleText records what is wrong with a swizzle that the DSL could not read.
func (f *failure) swizzleText() {
	_, rest, ok := strings.Cut(f.m.text, "S<")
	if !ok {
		return
	}
	inside, _, _ := strings.Cut(rest, ">")
	ns := split(inside, ',')
	if len(ns) != 3 {
		f.Condition = fmt.Sprintf("S<%s> has %d numbers, expected B, M and S", inside, len(ns))
		return
	}
	if _, err := f.result("Sw<" + inside + ">"); err != nil {
		f.Condition = err.Error()
	}
}

// dslDivide examines a divide whose two operands are quoted.
func dslDivide(f *failure) {
	items := f.quotedValues()
	if len(items) < 2 {
		dslGot(f)
		return
	}
	op := f.opName()
	a, b := items[0].Text, tiler(items[1].Text)
	o := operation{op: op, args: []string{a, b}}
	f.use(o)
	if !o.isKnown() {
		f.repair(Repair{Say: "the tiler and the modes that it divides have to be static here"})
		return
	}
	// A tiler that is a layout divides by composing with itself and its complement.
	if strings.Contains(b, ":") {
		l, ok := layout(a)
		if c, err := f.result(fmt.Sprintf("complement(%s, %d)", b, l.Size())); ok && err == nil {
			inner := operation{op: "composition", args: []string{a, b}}
			f.composes(inner, "its composition with the tiler "+b+": ")
			if f.Condition == "" {
				f.composes(inner.with(1, c), "its composition with "+c+", what the tiler leaves: ")
			}
		}
	}
	f.repairDivide(o)
}

// dslShapeDiv examines two shapes that do not divide each other.
func dslShapeDiv(f *failure) {
	items := f.quotedValues()
	if len(items) < 2 {
		dslGot(f)
		return
	}
	o := operation{op: "shape_div", args: []string{items[0].Text, items[1].Text}}
	f.use(o)
	a, okA := integer(o.args[0])
	b, okB := integer(o.args[1])
	if okA && okB && a > 0 && b > 0 {
		f.Pair = fmt.Sprintf("%d and %d", a, b)
		f.Condition = fmt.Sprintf("neither of %d and %d divides the other: %d mod %d = %d, %d mod %d = %d", a, b, a, b,
			a%b, b, a, b%a)
		f.around(a, b)
		return
	}
	if _, after, ok := cut2(f.m.text, "': "); ok {
		f.Condition = oneLine(after)
	} else if strings.Contains(o.args[1], "0") {
		f.Condition = "a divisor is 0"
	}
}

// cut2 splits a text at its last separator and reports whether there is one.
func cut2(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// supply adds a frame for an operation on one layout, if the message names the layout and the backtrace does not.
func (f *failure) supply(op string) {
	if fr := f.m.frame(op); fr != nil && fr.hasValues() {
		return
	}
	if o := f.writtenCall(); o.op == op && len(o.args) > 0 {
		f.m.frames = append([]frame{{name: op, params: layoutParams(o.args[0])}}, f.m.frames...)
		return
	}
	for _, it := range f.quotedValues() {
		if it.Kind == reader.KindLayout {
			f.m.frames = append([]frame{{name: op, params: layoutParams(it.Text)}}, f.m.frames...)
			return
		}
	}
}

// layoutParams returns a layout as the parameters that frames use for layouts.
func layoutParams(text string) []param {
	shape, stride, _ := strings.Cut(text, ":")
	return []param{{"Shape", shape}, {"Stride", stride}, {"LShape", shape}, {"LStride", stride}}
}

// dslDivisible examines a divisibility assumption that does not hold.
func dslDivisible(f *failure) {
	m := reDivBy.FindStringSubmatch(f.m.text)
	if m == nil {
		gotPair(f)
		return
	}
	x, _ := integer(m[1])
	n, _ := integer(m[2])
	if n <= 0 {
		return
	}
	f.Op = "assume"
	f.Pair = m[1] + " and " + m[2]
	f.Condition = fmt.Sprintf("%d mod %d = %d", x, n, x%n)
	d := int64(1)
	for d <= n/2 && x%(2*d) == 0 {
		d *= 2
	}
	f.repair(Repair{
		Say:  fmt.Sprintf("divby=%d, the largest power of two that divides %d", d, x),
		Expr: fmt.Sprintf("mod(%d,%d)", x, d), Result: "0",
	})
	if x > 0 {
		f.repair(Repair{
			Say: fmt.Sprintf("or pad %d to %d", x, roundUp(x, n)), Expr: fmt.Sprintf("mod(%d,%d)", roundUp(x, n), n), Result: "0",
		})
	}
}

// gotPair uses the values after "got" as the operands.
func gotPair(f *failure) {
	m := reGot.FindStringSubmatch(f.m.text)
	if m == nil {
		for _, it := range f.quotedValues() {
			f.operand(string(it.Kind), it.Text)
		}
		return
	}
	f.Condition = "got " + oneLine(m[1])
	if a, b, ok := strings.Cut(m[1], " and "); ok {
		f.Pair = oneLine(a) + " and " + oneLine(b)
	}
	for _, it := range reader.Read(m[1]).Items {
		if it.Fault == "" {
			f.operand(string(it.Kind), it.Text)
		}
	}
}
