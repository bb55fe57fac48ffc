package eval

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/indexmap"
	"girih/internal/lang/syntax"
)

// This file evaluates maps of indices: index_map((32,8), lambda r,c: r*8 + (c ^ (r % 8))), which TileLang writes
// T.Layout([32,8], lambda ...). A map with extents is the layout with its values, if there is one; only other maps are
// values of their own.

// KindIndexMap is the kind of maps of indices.
const KindIndexMap Kind = "index_map"

// An IndexMap is a map of indices to one or several integers, perhaps with a shape: the extents of its indices.
type IndexMap struct {
	Map     *indexmap.Map
	extents []int64 // nil without a shape
}

func (IndexMap) value() {}

// Kind returns [KindIndexMap].
func (IndexMap) Kind() Kind { return KindIndexMap }

// String returns the text of the map, as the argument of index_map if it has a shape.
func (m IndexMap) String() string {
	if m.extents == nil {
		return m.Map.String()
	}
	return fmt.Sprintf("index_map(%v, %s)", cute.Ints(m.extents...), m.Map)
}

// Shape returns the extents of the indices, or () if they are not known.
func (m IndexMap) Shape() cute.Tuple { return cute.Ints(m.extents...) }

// lambda evaluates a lambda, or the def of a function. Names that are not parameters have the numbers that let has
// bound.
func (e *Env) lambda(x *syntax.Lambda) (Value, error) {
	m, err := e.parseMap(x.Text)
	if err == nil {
		return IndexMap{Map: m}, nil
	}
	at, isMap := errors.AsType[*indexmap.Error](err)
	if !isMap {
		return nil, e.fail(x, err)
	}
	pos := x.Pos() + min(at.Offset, len(x.Text))
	return nil, &Error{
		Err: &cute.Error{Code: cute.CodeSyntax, Op: "index_map", Msg: at.Msg},
		Pos: pos, End: min(pos+1, x.End()),
	}
}

// parseMap reads a map and gives its free names the numbers that let has bound.
func (e *Env) parseMap(text string) (*indexmap.Map, error) {
	m, err := indexmap.Parse(text)
	if err != nil {
		return nil, err
	}
	var values []int64
	for _, name := range m.Free() {
		v, _ := e.variable(name)
		t, _ := v.(Tuple)
		n, ok := unwrapInt(t.Tuple)
		if v == nil || !ok {
			return nil, &cute.Error{
				Code: cute.CodeName, Op: "index_map",
				Msg:  fmt.Sprintf("%s is neither a parameter of the map nor a number bound by let", name),
				Hint: fmt.Sprintf("give it a value: let %s = 8; in front", name),
			}
		}
		values = append(values, n)
	}
	return m.Bind(values...), nil
}

// makeIndexMap returns the layout with the values of a map, or the map if there is none.
func (c *call) makeIndexMap() (Value, error) {
	m, ok := c.args[1].(IndexMap)
	if !ok {
		return c.needsMap()
	}
	s, err := c.shape(0)
	if err != nil {
		return nil, err
	}
	m.extents = s.Leaves()
	t, err := c.over(m)
	if err != nil {
		return nil, err
	}
	v, err := fit(t)
	e, isFault := errors.AsType[*cute.Error](err)
	none := isFault && e.Code == cute.CodeNotRepresentable
	if err != nil && !none {
		return nil, err
	}
	if none {
		v = m
	}
	if c.expr != c.env.top { // the question about the map reports the rest
		return v, nil
	}
	if none {
		c.env.note("%s", e.Msg)
	}
	c.noteRange(t)
	c.noteBuffer(t)
	return v, nil
}

// needsMap refuses a call without a map.
func (c *call) needsMap() (Value, error) {
	return nil, c.bad(1, "a map, such as lambda i, j: i * 8 + j")
}

// over evaluates a map at all its indices.
func (c *call) over(m IndexMap) (*indexmap.Table, error) {
	if m.extents == nil {
		names := m.Map.Params()
		extents := strings.TrimSuffix(strings.Repeat("32,", max(len(names), m.Map.Inputs())), ",")
		return nil, &cute.Error{
			Code: cute.CodeUnknown, Op: c.fn.Name, Msg: "the extents of " + strings.Join(names, ", ") + " are not known",
			Hint: fmt.Sprintf("give them: index_map((%s), %s)", extents, m.Map),
		}
	}
	size, err := m.Shape().Product()
	if err != nil {
		return nil, err
	}
	const copies = 4 // a question about a table makes up to this many copies of it
	if size <= cute.EnumLimit {
		if err := c.env.affords(copies * 8 * size * int64(m.Map.Outputs())); err != nil {
			return nil, err
		}
	}
	return m.Map.Over(m.extents, c.env.stop())
}

// fit returns the layout with the values of a table.
func fit(t *indexmap.Table) (Value, error) {
	f, err := t.Fit()
	switch {
	case err != nil:
		return nil, err
	case f.Layout != nil:
		return Layout{*f.Layout}, nil
	case f.Composed != nil:
		return Composed{*f.Composed}, nil
	case f.Xor != nil:
		return Xor{*f.Xor}, nil
	}
	return Linear{*f.Linear}, nil
}

// noteRange notes the range of each result, and whether the map is a bijection onto the box of its values.
func (c *call) noteRange(t *indexmap.Table) {
	var ranges []string
	for k := range t.Outputs() {
		least, most := t.Range(k)
		ranges = append(ranges, fmt.Sprintf("%d to %d", least, most))
	}
	what := "the values are " + ranges[0]
	if len(ranges) > 1 {
		what = "the results are " + strings.Join(ranges, ", ")
	}
	i, j, err := t.Repeat()
	box, ok := t.Box()
	places, _ := cute.Ints(box...).Product()
	switch {
	case err != nil:
	case i >= 0:
		what += fmt.Sprintf("; not injective: at %s and at %s the value is %v", t.Where(i), t.Where(j), t.At(i))
	case !ok:
		what += "; injective"
	case places == t.Size():
		what += "; a bijection onto " + boxText(box)
	default:
		missed, _ := t.LeastMissing(box)
		what += fmt.Sprintf("; injective, not a bijection onto %s: no index has the value %v", boxText(box), missed)
	}
	c.env.note("%s", what)
}

// boxText writes a codomain: its size, or its shape.
func boxText(box []int64) string {
	if len(box) == 1 {
		return fmt.Sprintf("0 to %d", box[0]-1)
	}
	return cute.Ints(box...).String()
}

// noteBuffer notes the layout of a map to coordinates in a row-major buffer of the box of its values.
func (c *call) noteBuffer(t *indexmap.Table) {
	box, ok := t.Box()
	if !ok || len(box) == 1 {
		return
	}
	if v, err := fit(t.RowMajor(box)); err == nil {
		c.env.note("in a row-major buffer of %s it is %s", cute.Ints(box...), v)
	}
}

// isConstructor reports whether a call is TileLang's constructor of a layout from a map: T.Layout([4], lambda i: i), or
// T.Fragment.
func (e *Env) isConstructor(x *syntax.Call) bool {
	return (x.Name == "Layout" || x.Name == "Fragment") &&
		slices.ContainsFunc(x.Args, func(a syntax.Arg) bool { return e.isMap(a.X) })
}

// isMap reports whether an expression is a lambda, or a name bound to a map.
func (e *Env) isMap(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Lambda:
		return true
	case *syntax.Ident:
		v, _ := e.variable(x.Name)
		_, ok := v.(IndexMap)
		return ok
	}
	return false
}

// A construction is the arguments of TileLang's constructor.
type construction struct {
	shape syntax.Expr
	maps  [3]syntax.Expr // the maps for all results, for the thread, and for the place within the thread
	extra int64          // the extent of the index that replicate adds; 0 if there is none
}

// construct evaluates TileLang's constructor as a call of index_map. A Fragment maps to the thread and the place within
// it: its maps for both become one. replicate adds an index.
func (e *Env) construct(x *syntax.Call) (Value, error) {
	args := x.Args
	if x.Method {
		args = args[1:] // removes the name of the module
	}
	var k construction
	for i, a := range args {
		if err := k.take(i, a); err != nil {
			return nil, e.fail(a.X, err)
		}
	}
	of, err := e.joinMaps(x, k.maps)
	if err != nil {
		return nil, err
	}
	if k.shape == nil {
		return nil, e.fail(x, &cute.Error{Code: cute.CodeRank, Op: "index_map", Msg: "expected the shape of the map, found none"})
	}
	shape := asLists(k.shape)
	if t, ok := shape.(*syntax.Tuple); ok && k.extra > 1 && len(t.Elems) == of.Map.Inputs()-1 {
		more := *t
		more.Elems = append(slices.Clone(t.Elems), &syntax.Int{Span: t.Span, Value: k.extra})
		shape = &more
	}
	s, err := e.expr(shape)
	if err != nil {
		return nil, err
	}
	v, err := e.builtin(x, "index_map", s, of)
	return e.result(x, v, err)
}

// take stores argument i.
func (k *construction) take(i int, a syntax.Arg) error {
	key := a.Key
	if key == "" {
		key = []string{"shape", "forward_fn", "forward_thread_fn", "replicate", "forward_index_fn"}[min(i, 4)]
	}
	n, isInt := a.X.(*syntax.Int)
	switch {
	case key == "shape":
		k.shape = a.X
	case key == "forward_fn":
		k.maps[0] = a.X
	case key == "forward_thread_fn":
		k.maps[1] = a.X
	case key == "forward_index_fn":
		k.maps[2] = a.X
	case key == "replicate" && isInt:
		k.extra = n.Value
	default:
		return &cute.Error{
			Code: cute.CodeName, Op: "index_map",
			Msg: fmt.Sprintf("expected a shape and maps, found the argument %s = %s", key, a.X),
		}
	}
	return nil
}

// joinMaps returns the map of a constructor: one for all results, or one for the thread and one for the place within
// it, with the same parameters.
func (e *Env) joinMaps(x *syntax.Call, maps [3]syntax.Expr) (IndexMap, error) {
	var found []IndexMap
	for _, m := range maps {
		if m == nil {
			continue
		}
		v, err := e.expr(m)
		if err != nil {
			return IndexMap{}, err
		}
		of, ok := v.(IndexMap)
		if !ok {
			return IndexMap{}, e.fail(m, typeError("index_map", "the map", "a lambda", v))
		}
		found = append(found, of)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 2 && maps[0] == nil:
		m, err := found[0].Map.Join(found[1].Map)
		if err != nil {
			err = &cute.Error{Code: cute.CodeName, Op: "index_map", Msg: err.Error()}
			return IndexMap{}, e.fail(x, err)
		}
		return IndexMap{Map: m}, nil
	}
	return IndexMap{}, e.fail(x, &cute.Error{
		Code: cute.CodeRank, Op: "index_map",
		Msg: fmt.Sprintf("expected one map, or one for the thread and one for the index, found %d", len(found)),
	})
}
