package eval

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file reads the arguments of the operations of the CuTe DSL. Several operations of one name differ in their
// parameters, as in Python modules:
//
//	warp.MmaF16BF16Op(ab_dtype, acc_dtype, shape_mnk)
//	warpgroup.MmaF16BF16Op(ab_dtype, acc_dtype, instruction_shape, a_src, a_major_mode, b_major_mode)
//
// A row lists them as forms. The first form that takes the arguments is called.

// A form is one list of parameters of an operation, as in "ab_dtype, num_matrices?", and what it makes of them.
type form struct {
	params string
	make   func(o *opArguments) (Value, error)
}

// opArguments are the arguments of a form by the names of their parameters. The first error is kept, and later
// arguments are zero.
type opArguments struct {
	c   *call
	at  map[string]int
	err error
}

// inForms calls the first form that takes the arguments.
func (c *call) inForms(forms []form) (Value, error) {
	for _, f := range forms {
		at, ok := c.arrange(f.params)
		if !ok {
			continue
		}
		o := &opArguments{c: c, at: at}
		v, err := f.make(o)
		if o.err != nil {
			return nil, o.err
		}
		return v, err
	}
	lists := make([]string, len(forms))
	for i, f := range forms {
		lists[i] = c.fn.Name + "(" + f.params + ")"
	}
	return nil, &cute.Error{
		Code: cute.CodeRank, Op: c.fn.Name,
		Msg: fmt.Sprintf("expected %s, found %d arguments", strings.Join(lists, " or "), len(c.args)),
	}
}

// arrange returns the place of the argument of each parameter. ok is false if an argument has no parameter or a
// parameter without ? has no argument.
func (c *call) arrange(params string) (at map[string]int, ok bool) {
	at = make(map[string]int)
	list := strings.FieldsFunc(params, func(r rune) bool { return r == ',' || r == ' ' })
	for i := range c.args {
		name := ""
		switch {
		case i < len(c.keys) && c.keys[i] != "":
			name = c.keys[i]
		case i < len(list):
			name = strings.Trim(list[i], "?")
		}
		if name == "instruction_shape" {
			name = "shape_mnk" // both names mean the same
		}
		known := slices.ContainsFunc(list, func(p string) bool { return strings.Trim(p, "?") == name })
		_, twice := at[name]
		if twice || !known || (name == "tiled_mma") != (c.args[i].Kind() == KindTiledMMA) {
			return nil, false
		}
		at[name] = i
	}
	for _, p := range list {
		if _, given := at[p]; !given && !strings.HasSuffix(p, "?") {
			return nil, false
		}
	}
	return at, true
}

// fail keeps an error, unless there is one already.
func (o *opArguments) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// has reports whether a parameter has an argument.
func (o *opArguments) has(param string) bool {
	_, ok := o.at[param]
	return ok
}

// typ returns a type of elements.
func (o *opArguments) typ(param string) dtype.Type {
	t, err := o.c.elementType(o.at[param])
	if err != nil {
		o.fail(err)
	}
	return t
}

// word returns one of the given words, the first if the parameter has no argument.
func (o *opArguments) word(param string, words ...string) string {
	i, ok := o.at[param]
	if !ok {
		return words[0]
	}
	name, err := o.c.name(i)
	if name = name[strings.LastIndexByte(name, ':')+1:]; err != nil || !slices.Contains(words, name) {
		o.fail(o.c.bad(i, param+": one of "+strings.Join(words, ", ")))
		return words[0]
	}
	return name
}

// number returns an integer, or the given one if the parameter has no argument.
func (o *opArguments) number(param string, missing int64) int64 {
	i, ok := o.at[param]
	if !ok {
		return missing
	}
	n, err := o.c.integer(i)
	if err != nil {
		o.fail(err)
	}
	return n
}

// isTrue returns a truth value; it is false if the parameter has no argument.
func (o *opArguments) isTrue(param string) bool {
	i, ok := o.at[param]
	if !ok {
		return false
	}
	if b, ok := o.c.args[i].(Bool); ok {
		return bool(b)
	}
	return o.word(param, "False", "True") == "True"
}

// extents returns the integers of a flat tuple of the given length or, if more is not 0, of that length.
func (o *opArguments) extents(param string, length, more int) []int64 {
	i := o.at[param]
	t, err := o.c.tuple(i)
	if err != nil {
		o.fail(err)
		return make([]int64, length)
	}
	xs := t.Leaves()
	if t.Depth() > 1 || t.HasBasis() || len(xs) != length && len(xs) != more {
		o.fail(o.c.bad(i, fmt.Sprintf("%s: a tuple of %d integers", param, length)))
		return make([]int64, length)
	}
	return xs
}
