package eval

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// This file calls functions. It finds the row of a name, evaluates the arguments and the numbers in <...> and [...],
// and checks their number; match.go then selects the method. The methods read their operands from a call: c.layout(0),
// c.tuple(1), c.integer(2) return an argument as a value of that kind, or an error with the place of the argument.

// asLists returns square brackets as lists, as in Python, at every depth.
func asLists(x syntax.Expr) syntax.Expr {
	t, ok := x.(*syntax.Tiler)
	if !ok {
		return x
	}
	list := &syntax.Tuple{Span: t.Span, TrailingComma: len(t.Elems) == 1}
	for _, e := range t.Elems {
		list.Elems = append(list.Elems, asLists(e))
	}
	return list
}

// call evaluates name(args): a function, or a bound value applied to coordinates.
func (e *Env) call(x *syntax.Call) (Value, error) {
	x = takeModes(x)
	if bound, ok := e.variable(x.Name); ok && !x.Method && !x.Qualified && x.Template == nil {
		return e.callBound(x, bound)
	}
	if e.isConstructor(x) {
		return e.construct(x)
	}
	fn := table().byName[x.Name]
	if fn == nil {
		return nil, &Error{Err: unknownName(x.Name, e.Vars()), Pos: x.NamePos, End: x.NamePos + len(x.Name)}
	}
	x = e.withoutModule(x, fn)
	c := &call{env: e, fn: fn, written: x.Name, expr: x}
	inOrder := c.inOrder(x.Args)
	if err := c.evaluateArguments(inOrder); err != nil {
		return nil, err
	}
	written := c.args
	c.readBrackets()
	c.shapeLast()
	args := c.args // the function may change its own copy
	if err := c.evaluateTemplate(x.Template); err != nil {
		return nil, err
	}
	if err := cmp.Or(c.checkKeywords(inOrder), c.checkArity()); err != nil {
		return nil, e.fail(x, err)
	}
	if x.Modes != nil && !c.takesModes(x.Modes) {
		v, err := c.atModes(x.Modes)
		return e.result(x, v, err)
	}
	noted, divides := len(e.notes), len(e.whole)
	v, err := c.read((*call).value)
	if e.trace != nil {
		a := Application{Op: fn.Name, Args: args, Template: c.tmpl, Value: v, Notes: padding(e.whole[divides:])}
		e.addToTrace(a.at(x, x), noted, err)
	}
	if x.Dual && err == nil {
		e.noteDual(args[0], v)
	}
	return e.result(x, v, hintMatrix(err, written, args))
}

// withoutModule returns a call of a function in a module of Python without the module: the parser takes
// warp.MmaF16BF16Op(f16, f32, s) for a method of warp.
func (e *Env) withoutModule(x *syntax.Call, fn *Builtin) *syntax.Call {
	if !fn.inModule || !x.Method || len(x.Args) == 0 {
		return x
	}
	module, ok := x.Args[0].X.(*syntax.Ident)
	if !ok {
		return x
	}
	if _, bound, _ := e.meaning(module); bound {
		return x
	}
	plain := *x
	plain.Args, plain.Method = x.Args[1:], false
	return &plain
}

// inOrder returns the arguments in the order of the parameters. If that leaves a gap, the row's value fills it, or the
// order does not change.
func (c *call) inOrder(args []syntax.Arg) []syntax.Arg {
	out := make([]syntax.Arg, len(c.fn.params))
	most := 0
	for i, a := range args {
		at := i
		if a.Key != "" {
			at = slices.Index(c.fn.params, parameterOf(a.Key))
		}
		if at < 0 || at >= len(out) || out[at].X != nil {
			return args
		}
		out[at], most = a, max(most, at+1)
	}
	for i := range out[:most] {
		if out[i].X == nil && c.fn.gap == nil {
			return args
		}
		if out[i].X == nil {
			out[i] = syntax.Arg{KeyPos: -1, X: c.fn.gap}
		}
	}
	return out[:most]
}

// parameterOf returns the parameter that a keyword of the CuTe DSL names.
func parameterOf(key string) string {
	if key == "target_profile" {
		return "profile"
	}
	return key
}

// shapeLast exchanges two operands of a function that takes a layout and a shape, if the shape comes first:
// complement(8, A) of papers is complement(A, 8).
func (c *call) shapeLast() {
	if !c.fn.swaps || len(c.args) != 2 {
		return
	}
	switch c.args[0].(type) {
	case Tuple, DynamicTuple:
	default:
		return
	}
	switch c.args[1].(type) {
	case Layout, Composed, Xor, DynamicLayout, DynamicComposed:
		c.args[0], c.args[1] = c.args[1], c.args[0]
		c.at[0], c.at[1] = c.at[1], c.at[0]
		c.env.note("read as %s(%v, %v): the layout comes first", c.fn.Name, c.args[0], c.args[1])
	}
}

// callBound applies a value bound by let, or the mode of that value given in brackets, to coordinates.
func (e *Env) callBound(x *syntax.Call, bound Value) (Value, error) {
	args := make([]Value, len(x.Args))
	for i, a := range x.Args {
		var err error
		if args[i], err = e.expr(a.X); err != nil {
			return nil, err
		}
	}
	if x.Modes != nil {
		var err error
		if bound, err = e.builtin(x, "get", append([]Value{bound}, integers(x.Modes)...)...); err != nil {
			return nil, e.fail(x, err)
		}
	}
	return e.applyAt(x, bound, args)
}

// evaluateArguments evaluates the operands. Where the function's row says so, names of dimensions stay names and square
// brackets are lists, unless let has bound the name of the function.
func (c *call) evaluateArguments(args []syntax.Arg) error {
	_, isBound := c.env.variable(c.written)
	if c.fn.keywords {
		c.keys = make([]string, len(args))
	}
	c.at, c.args = make([]syntax.Expr, len(args)), make([]Value, len(args))
	for i, a := range args {
		c.at[i] = a.X
		if c.keys != nil {
			c.keys[i] = a.Key
		}
		if !isBound && slices.Contains(c.fn.named, i) {
			if names, ok := c.env.names(a.X); ok {
				c.args[i] = names
				continue
			}
		}
		if !isBound && c.fn.lists {
			a.X = asLists(a.X)
		}
		var err error
		if c.args[i], err = c.env.expr(a.X); err != nil {
			return err
		}
	}
	return nil
}

// evaluateTemplate takes the integers in <...>.
func (c *call) evaluateTemplate(template []syntax.Expr) error {
	for _, t := range template {
		n, ok := t.(*syntax.Int)
		if !ok {
			return c.env.fail(t, &cute.Error{
				Code: cute.CodeType, Op: c.fn.Name,
				Msg: fmt.Sprintf("expected an integer in <...>, found %s", t),
			})
		}
		c.tmpl = append(c.tmpl, n.Value)
	}
	return nil
}

// names returns the dimensions that an argument names, if the argument consists of names that let has not bound.
func (e *Env) names(x syntax.Expr) (Names, bool) {
	elems := []syntax.Expr{x}
	if t, ok := x.(*syntax.Tuple); ok {
		elems = t.Elems
	}
	names := Names{}
	for _, el := range elems {
		id, ok := el.(*syntax.Ident)
		if !ok || e.vars[id.Name] != nil {
			return nil, false
		}
		names = append(names, id.Name)
	}
	return names, true
}

// read applies the operation, and notes how a tiler that is a tuple of layouts was read.
func (c *call) read(apply method) (Value, error) {
	v, err := apply(c)
	at := c.fn.tiler
	if at < 0 || at >= len(c.args) {
		return v, err
	}
	return c.asTilerRead(v, err, func(l Value) (Value, error) {
		other := *c
		other.args = slices.Clone(c.args)
		other.args[at] = l
		return apply(&other)
	})
}

// checkKeywords refuses named arguments, as in make_layout((4,2), stride=(2,1)), that are not in the place of their
// parameter.
func (c *call) checkKeywords(args []syntax.Arg) error {
	for i, a := range args {
		if a.Key == "" || c.fn.keywords {
			continue
		}
		if at := slices.Index(c.fn.params, parameterOf(a.Key)); at != i {
			return &cute.Error{
				Code: cute.CodeName, Op: c.fn.Name,
				Msg: fmt.Sprintf("the argument %s is not parameter %d of %s(%s)", a.Key, i+1, c.fn.Name, c.fn.Params),
			}
		}
	}
	return nil
}

// checkArity refuses a wrong number of arguments.
func (c *call) checkArity() error {
	if c.tmpl != nil && c.fn.plain == 0 {
		err := &cute.Error{
			Code: cute.CodeRank, Op: c.fn.Name,
			Msg: fmt.Sprintf("takes no numbers in <...>: %s(%s)", c.fn.Name, c.fn.Params),
		}
		if c.fn.TakesModes() {
			err.Hint = fmt.Sprintf("on one mode it is %s%v(%s)",
				c.fn.Name, strings.ReplaceAll(fmt.Sprint(c.tmpl), " ", ","), c.fn.Params)
		}
		return err
	}
	n, least, most := len(c.args)+len(c.tmpl), c.fn.arity.least, c.fn.arity.most
	if n >= least && (most < 0 || n <= most) && (c.tmpl == nil || len(c.args) >= c.fn.plain) {
		return nil
	}
	want := fmt.Sprint(least)
	switch {
	case most < 0:
		want = fmt.Sprintf("at least %d", least)
	case most > least:
		want = fmt.Sprintf("%d to %d", least, most)
	}
	return &cute.Error{
		Code: cute.CodeRank, Op: c.fn.Name,
		Msg: fmt.Sprintf("expected %s arguments, found %d: %s(%s)", want, n, c.fn.Name, c.fn.Params),
	}
}

// bad reports that argument i has the wrong kind.
func (c *call) bad(i int, want string) error {
	return c.env.fail(c.place(i), typeError(c.fn.Name, "argument "+fmt.Sprint(i+1), want, c.args[i]))
}

func (c *call) layout(i int) (cute.Layout, error) {
	l, err := asLayout(c.args[i])
	if err != nil {
		if _, isShape := c.args[i].(Tuple); isShape {
			return l, err
		}
		return l, c.bad(i, "a layout")
	}
	return l, nil
}

func (c *call) tuple(i int) (cute.Tuple, error) {
	t, ok := c.args[i].(Tuple)
	if !ok {
		return cute.Tuple{}, c.bad(i, "an integer or a tuple")
	}
	return t.Tuple, nil
}

// shape returns argument i as a shape: a tuple, or the shape of a layout.
func (c *call) shape(i int) (cute.Tuple, error) {
	switch v := c.args[i].(type) {
	case Tuple:
		return v.Tuple, nil
	case Layout:
		return v.Shape(), nil
	case Composed:
		return v.Shape(), nil
	case Xor:
		return v.Shape(), nil
	case Tensor:
		return v.Shape(), nil
	case IndexMap:
		if v.extents != nil {
			return v.Shape(), nil
		}
		_, err := c.over(v)
		return cute.Tuple{}, err
	}
	return cute.Tuple{}, c.bad(i, "a shape")
}

func (c *call) integer(i int) (int64, error) {
	if t, ok := c.args[i].(Tuple); ok {
		if x, ok := unwrapInt(t.Tuple); ok {
			return x, nil
		}
	}
	return 0, c.bad(i, "an integer")
}

func (c *call) tiler(i int) (cute.Tiler, error) {
	t, err := asTiler(c.args[i])
	if err != nil {
		return nil, c.bad(i, "a layout, a shape, a tile or _")
	}
	return t, nil
}

func (c *call) coord(i int) (cute.Coord, error) {
	x, err := asCoord(c.args[i])
	if err != nil {
		return x, c.bad(i, "a coordinate")
	}
	return x, nil
}

// profile returns the nesting of argument i. Its leaves may be numbers or _.
func (c *call) profile(i int) (cute.Tuple, error) {
	if k, ok := c.args[i].(Coord); ok {
		return nestingOf(k.Coord)
	}
	return c.tuple(i)
}

// nestingOf returns a tuple in the nesting of a coordinate.
func nestingOf(k cute.Coord) (cute.Tuple, error) {
	ms := k.Modes()
	if len(ms) == 1 && ms[0].String() == k.String() {
		return cute.Int(0), nil
	}
	elems := make([]cute.Tuple, len(ms))
	for i, m := range ms {
		var err error
		if elems[i], err = nestingOf(m); err != nil {
			return cute.Tuple{}, err
		}
	}
	return cute.MakeTuple(elems...)
}

// byProfile applies f to the modes of a layout at the leaves of argument 1. If a leaf is _, it notes PyCuTe's answer
// for None, the Python spelling of _.
func (c *call) byProfile(f func(cute.Layout, cute.Tuple) (cute.Layout, error)) (Value, error) {
	p, err := c.profile(1)
	if err != nil {
		return nil, err
	}
	v, err := c.domain(0, func(l cute.Layout) (cute.Layout, error) { return f(l, p) })
	if k, ok := c.args[1].(Coord); ok && err == nil {
		kept, err := c.domain(0, func(l cute.Layout) (cute.Layout, error) { return keepOpen(l, k.Coord, f) })
		if err == nil && kept.String() != v.String() {
			c.env.note("a mode at _ is coalesced, as by CuTe C++; NVIDIA's PyCuTe leaves a mode at None alone: %s", kept)
		}
	}
	return v, err
}

// keepOpen applies f to the modes of l where the coordinate has a number, and leaves the modes unchanged where it has
// _.
func keepOpen(
	l cute.Layout, k cute.Coord, f func(cute.Layout, cute.Tuple) (cute.Layout, error),
) (cute.Layout, error) {
	if k.String() == "_" {
		return l, nil
	}
	if p, closed := k.Tuple(); closed {
		return f(l, p)
	}
	modes := l.Modes()
	for i, m := range k.Modes() {
		var err error
		if modes[i], err = keepOpen(modes[i], m, f); err != nil {
			return cute.Layout{}, err
		}
	}
	return cute.MakeLayout(modes...)
}

// mode returns the layout of argument 0, or the mode that the numbers of the call select.
func (c *call) mode() (cute.Layout, error) {
	var l cute.Layout
	switch v := c.args[0].(type) {
	case Composed:
		l = v.Composed.Layout()
	case Tensor:
		l = v.Domain()
	default:
		var err error
		if l, err = c.layout(0); err != nil {
			return l, err
		}
	}
	path, err := c.path()
	if err != nil {
		return l, err
	}
	return l.Mode(path...)
}

// modeShape is like mode, for functions that need only the shape.
func (c *call) modeShape() (cute.Tuple, error) {
	s, err := c.shape(0)
	if err != nil {
		return s, err
	}
	path, err := c.path()
	if err != nil {
		return s, err
	}
	return s.Mode(path...)
}

// path returns the mode numbers after argument 0.
func (c *call) path() ([]int, error) {
	path, err := c.numbers(1)
	if err != nil {
		return nil, err
	}
	for _, p := range path {
		if p < 0 {
			return nil, &cute.Error{Code: cute.CodeMode, Op: c.fn.Name, Msg: "modes are numbered from 0"}
		}
	}
	return path, nil
}

// numbers returns the integers in <...>; without <...>, it returns the integers among the arguments from place i on.
func (c *call) numbers(i int) ([]int, error) {
	xs := slices.Clone(c.tmpl)
	if c.tmpl == nil {
		for ; i < len(c.args); i++ {
			if t, ok := c.args[i].(Tuple); ok && t.Depth() == 1 && !t.HasBasis() {
				xs = append(xs, t.Leaves()...)
				continue
			}
			x, err := c.integer(i)
			if err != nil {
				return nil, err
			}
			xs = append(xs, x)
		}
	}
	out := make([]int, len(xs))
	for j, x := range xs {
		if x < -1<<31 || x >= 1<<31 {
			return nil, &cute.Error{Code: cute.CodeMode, Op: c.fn.Name, Msg: fmt.Sprintf("there is no mode %d", x)}
		}
		out[j] = int(x)
	}
	return out, nil
}

// domain applies f to argument i if it is a layout, or to its inner layout if it is a composed layout.
func (c *call) domain(i int, f func(cute.Layout) (cute.Layout, error)) (Value, error) {
	switch v := c.args[i].(type) {
	case Composed:
		r, err := v.Map(f)
		if err != nil {
			return nil, err
		}
		return Composed{r}, nil
	case Tensor:
		return tensorOf(v.Map(f))
	}
	l, err := c.layout(i)
	if err != nil {
		return nil, err
	}
	r, err := f(l)
	if err != nil {
		return nil, err
	}
	return Layout{r}, nil
}

// unknownName returns the error for an unknown name, with the name that was probably meant.
func unknownName(name string, vars []string) *cute.Error {
	err := &cute.Error{
		Code: cute.CodeName,
		Msg:  fmt.Sprintf("%s is not a function of the language and not bound by let", name),
	}
	switch near := Suggest(name, vars); {
	case IsStatement(name):
		err.Hint = fmt.Sprintf("%s is a statement: girih run and the REPL take it", name)
	case near != "":
		err.Hint = fmt.Sprintf("did you mean %s?", near)
	}
	return err
}

// IsStatement reports whether a name is a statement of CuTe or Python, which prints or checks and has no value.
func IsStatement(name string) bool {
	switch name {
	case "print", "printf", "print_layout", "print_latex", "assert", "static_assert":
		return true
	}
	return false
}

// maxSuggested limits, in bytes, the names for which a similar name is sought. The time grows with the product of the
// lengths of both names.
const maxSuggested = 64

// Suggest returns the function, or the name among extra, with the most similar spelling. It returns "" if none is
// similar, or if the name is longer than 64 bytes.
func Suggest(name string, extra []string) string {
	return Nearest(name, slices.AppendSeq(slices.Clone(extra), maps.Keys(table().byName)))
}

// Nearest returns the name with the most similar spelling. It returns "" if none is similar, or if the name is longer
// than 64 bytes.
func Nearest(name string, names []string) string {
	if len(name) > maxSuggested {
		return ""
	}
	best, least := "", 1+len(name)/3
	for _, cand := range names {
		if len(cand) > 2*maxSuggested {
			continue
		}
		if d := editDistance(name, cand); d < least || (d == least && best != "" && cand < best) {
			best, least = cand, d
		}
	}
	return best
}

// editDistance returns the number of inserted, deleted, changed or exchanged letters between a and b.
func editDistance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
