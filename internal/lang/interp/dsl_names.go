package interp

import (
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/internal/ints"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file implements functions of the CuTe DSL with which host code computes sizes and choices. They are not
// operations on layouts.

func init() {
	spaces := &ClassType{Name: "AddressSpace", names: make(map[string]*cell)}
	for _, name := range []string{"generic", "gmem", "smem", "rmem", "tmem"} {
		spaces.names[name] = &cell{v: Str(name)}
	}
	cuteNames["AddressSpace"] = spaces
	for name, call := range map[string]func(r *runner, c *arguments) (Value, error){
		"size_in_bytes":           sizeInBytes,
		"get_smem_layout_atom":    smemLayoutAtomKind,
		"initialize_cuda_context": func(*runner, *arguments) (Value, error) { return None{}, nil },
	} {
		cuteNames[name] = &Builtin{Name: name, Call: call, Always: true}
	}
}

// sizeInBytes implements size_in_bytes(dtype, layout), which rounds up. For a swizzled layout, it is the size without
// the swizzle.
func sizeInBytes(r *runner, c *arguments) (Value, error) {
	elem, of, err := c.typeAnd("size_in_bytes", "layout", 2)
	if err != nil {
		return nil, err
	}
	if of[0] == (None{}) {
		return Int(0), nil
	}
	a, err := r.asAlgebra(of[0])
	if err != nil {
		return nil, err
	}
	at := program.Span{}
	tree, err := r.tree(a, at)
	if err != nil {
		return nil, err
	}
	if a.Value.Kind() == eval.KindComposed {
		tree = &syntax.Call{Name: "outer", Method: true, Args: []syntax.Arg{{KeyPos: -1, X: tree}}}
	}
	v, err := r.solve(callTree("cosize", spanOf(at), []syntax.Expr{tree}), at)
	if err != nil {
		return nil, err
	}
	n, ok := integerOf(v)
	bits, fits := ints.Mul(n, int64(elem.Bits()))
	if !ok || !fits || bits > math.MaxInt64-7 {
		return nil, errorf(cute.CodeType, "size_in_bytes: expected a layout with known extents, found %s", r.describe(of[0]))
	}
	return Int((bits + 7) / 8), nil
}

// typeAnd separates the element type among the arguments from the other arguments. It fails unless there are n
// arguments in all. The type may be at any position; name describes the other arguments in the error.
func (c *arguments) typeAnd(f, name string, n int) (elem dtype.Type, rest []Value, err error) {
	for _, key := range []string{"dtype", "layout", "element_type", "major_mode_size"} {
		if v := c.take(key); v != nil {
			c.pos = append(c.pos, v)
		}
	}
	for _, v := range c.pos {
		if t, ok := elementTypeOf(v); ok {
			elem = t
		} else {
			rest = append(rest, v)
		}
	}
	if len(c.pos) != n || len(rest) != n-1 || len(c.keys) > 0 {
		return 0, nil, errorf(cute.CodeRank, "%s: expected a type of elements and %s, found %d arguments",
			f, name, len(c.pos))
	}
	return elem, rest, nil
}

// smemLayoutAtomKind implements get_smem_layout_atom(layout, element_type, major_mode_size) of the helpers for Hopper.
// It returns the widest swizzle whose row length divides the major mode.
func smemLayoutAtomKind(r *runner, c *arguments) (Value, error) {
	const name = "get_smem_layout_atom"
	elem, rest, err := c.typeAnd(name, "a member of LayoutEnum and an integer", 3)
	if err != nil {
		return nil, err
	}
	size, ok := integerOf(rest[1])
	if !ok || size < 1 || size%8 != 0 {
		return nil, errorf(cute.CodeType, "%s: expected a multiple of 8 as the size, found %s", name, r.describe(rest[1]))
	}
	major := map[string]string{"LayoutEnum(ROW_MAJOR)": "K_", "LayoutEnum(COL_MAJOR)": "MN_"}[r.describe(rest[0])]
	if major == "" {
		return nil, errorf(cute.CodeType, "%s: expected a member of LayoutEnum, found %s", name, r.describe(rest[0]))
	}
	width := "INTER"
	for _, w := range []struct {
		bytes int64
		name  string
	}{{128, "SW128"}, {64, "SW64"}, {32, "SW32"}} {
		if size*int64(elem.Bits())%(8*w.bytes) == 0 {
			width = w.name
			break
		}
	}
	at := program.Span{}
	word := &syntax.Ident{Name: major + width}
	return r.solve(callTree("SmemLayoutAtomKind", spanOf(at), []syntax.Expr{word}), at)
}
