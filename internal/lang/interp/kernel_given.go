package interp

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
)

// This file launches a kernel that the text itself does not launch: girih run FILE --grid .. --block .. --call 'CALL'.
// The call is a statement in the language of the text, with positional or keyword arguments. Other statements may
// precede it:
//
//	auto bM = Int<16>{}; gemm(make_shape(bM, bM), A=random(256), C=zeros(16, 16), alpha=1.0f)
//
// given_array.go implements the arrays, and prints them after the launch.

// A KernelCall requests a launch after the text has run. main is not run in that case.
type KernelCall struct {
	Grid, Block []int64 // 1 to 3 extents; an empty list means 1
	// Call is "" for the only kernel of the text, without arguments. It may be a launch, f<<<2, 64>>>(x) or
	// f(x).launch(grid=[2, 1, 1], block=[64, 1, 1]), if Grid and Block are empty.
	Call string
	// Expect contains statements that compute on the host what the kernel should compute. They see copies of the arrays
	// with the values before the launch. The copies have the names of the kernel's parameters.
	Expect string
}

// A given is the state of a launch that the caller of [Machine.Run] requests.
type given struct {
	arrays []*givenArray
	random uint64      // the state of random()
	elem   dtype.Type  // the element type of an array without a type; 0 while no argument is being evaluated
	made   dtype.Type  // the element type of the array that is being made
	name   string      // the parameter whose argument is being evaluated
	values []boundName // the values of the parameters
}

type boundName struct {
	name string
	v    Value
}

// runGiven runs the launch that the caller requests.
func (r *runner) runGiven(q *KernelCall) error {
	g := &given{random: 88172645463325252}
	r.given = g
	defer func() { r.given = nil }()
	var run func() error
	err := r.within(q.Call, func() (err error) {
		run, err = r.givenCall(q)
		return err
	})
	if err != nil {
		return err
	}
	if err := r.keepGiven(); err != nil {
		return err
	}
	g.elem = 0
	if err := r.within(q.Call, run); err != nil {
		return err
	}
	if q.Expect == "" {
		return r.printGiven()
	}
	wanted, err := r.copies()
	if err != nil {
		return err
	}
	return r.within(q.Expect, func() error {
		if err := r.expect(q.Expect, wanted); err != nil {
			return err
		}
		return r.compareGiven(wanted)
	})
}

func launchExtent(list []int64) Value {
	var t Tuple
	for _, n := range list {
		t = append(t, Int(n))
	}
	return t
}

// within runs a function for a text other than the program. The positions of its errors refer to that text.
func (r *runner) within(text string, f func() error) error {
	outer := r.src
	r.src = cmp.Or(text, ";") // a module has an empty source
	err := f()
	if err != nil {
		err = r.at(program.Span{From: 0, To: len(text)}, err)
	}
	r.src = outer
	return err
}

// parseGiven parses a text from the caller.
func (r *runner) parseGiven(text string) ([]program.Stmt, error) {
	if r.lang == program.Cpp {
		text += ";"
		r.src = text
	}
	prog, err := program.Parse(text, r.lang)
	if err != nil {
		e := err.(*program.Error) // Parse returns no other type
		failed := errorf(cute.CodeSyntax, "%s", e.Msg)
		failed.hint = e.Hint
		return nil, r.at(program.Span{From: min(e.From, len(text)), To: min(e.To, len(text))}, failed)
	}
	return prog.Body, nil
}

// givenCall runs all statements of a call except the last, evaluates the arguments of the last, and returns a function
// that launches the kernel.
func (r *runner) givenCall(q *KernelCall) (func() error, error) {
	call := &program.Call{}
	if strings.TrimSpace(q.Call) != "" {
		body, err := r.parseGiven(q.Call)
		if err != nil {
			return nil, err
		}
		if call, err = r.lastCall(body); err != nil {
			return nil, err
		}
		r.given.elem = dtype.F32
		if _, err := r.run(body[:len(body)-1]); err != nil {
			return nil, err
		}
	}
	call, grid, block, err := r.givenExtents(q, call)
	if err != nil {
		return nil, err
	}
	f, err := r.givenKernel(call)
	if err != nil {
		return nil, r.at(call, err)
	}
	if f.Def.Lang == program.Cpp {
		return r.givenCpp(f, call, grid, block)
	}
	return r.givenDSL(f, call, grid, block)
}

// givenExtents returns the grid and the block, which the call names, as a launch, or the request has. It returns the
// call without them, too.
func (r *runner) givenExtents(q *KernelCall, call *program.Call) (bare *program.Call, grid, block [3]int64, err error) {
	bare = call
	extents := [2]Value{launchExtent(q.Grid), launchExtent(q.Block)}
	launch := [2]program.Expr{call.Grid, call.Block}
	if dot, ok := call.Fn.(*program.Attr); ok && dot.Name == "launch" {
		if inner, ok := dot.X.(*program.Call); ok {
			bare = inner
			for _, a := range call.Args {
				if i := slices.Index([]string{"grid", "block"}, a.Name); i >= 0 {
					launch[i] = a.X
				}
			}
		}
	}
	for i, x := range launch {
		if x == nil {
			continue
		}
		if len(q.Grid)+len(q.Block) > 0 {
			return bare, grid, block, r.at(x, errorf(cute.CodeRank, "the call is a launch, and --grid or --block is given, too"))
		}
		if extents[i], err = r.value(x); err != nil {
			return bare, grid, block, err
		}
	}
	if grid, err = extentOf(extents[0]); err == nil {
		block, err = extentOf(extents[1])
	}
	return bare, grid, block, err
}

// lastCall returns the call in the last statement. A name alone is a call without arguments.
func (r *runner) lastCall(body []program.Stmt) (*program.Call, error) {
	if len(body) > 0 {
		last := body[len(body)-1]
		if v, ok := last.(*program.Value); ok {
			switch x := v.X.(type) {
			case *program.Call:
				return x, nil
			case *program.Name, *program.Template:
				return &program.Call{Span: v.Span, Fn: x}, nil
			}
		}
		return nil, r.at(last, errorf(cute.CodeSyntax, "expected the call of a kernel, such as %s", r.exampleCall()))
	}
	return nil, errorf(cute.CodeSyntax, "expected the call of a kernel, such as %s", r.exampleCall())
}

// kernels returns the kernels of the program, sorted.
func (r *runner) kernels() (list []*Func) {
	for _, name := range slices.Sorted(maps.Keys(r.globals.names)) {
		if f, ok := r.globals.names[name].v.(*Func); ok && (f.Def.Kernel || isKernel(f.Def)) {
			list = append(list, f)
		}
	}
	return list
}

// exampleCall returns an example of a call of a kernel of the program, for errors.
func (r *runner) exampleCall() string {
	for _, f := range r.kernels() {
		return r.exampleOfCall(f, f.parameterNames())
	}
	return "scale(x=random(64), n=64)"
}

// exampleLaunch returns a launch of the first kernel that the tracer wants, with examples of its arguments.
func (r *runner) exampleLaunch() string {
	if r.Tracer == nil {
		return ""
	}
	for _, f := range r.kernels() {
		if !r.Tracer.Wants(f.name()) {
			continue
		}
		var args []string
		for i, p := range f.Def.Params {
			if p.Default == nil && p.Star == 0 {
				args = append(args, f.parameterName(i)+"="+exampleOf(f, p))
			}
		}
		return r.exampleOfCall(f, strings.Join(args, ", "))
	}
	return ""
}

// exampleOfCall returns a call of a kernel; for a tracer, which takes no grid, a launch.
func (r *runner) exampleOfCall(f *Func, args string) string {
	switch {
	case r.Tracer == nil:
		return f.Def.Name + "(" + args + ")"
	case f.Def.Lang == program.Python:
		return f.Def.Name + "(" + args + ").launch(grid=[1, 1, 1], block=[64, 1, 1])"
	}
	return f.Def.Name + "<<<1, 64>>>(" + args + ")"
}

func (f *Func) parameterNames() string {
	var names []string
	for i := range f.Def.Params {
		names = append(names, f.parameterName(i)+"=..")
	}
	return strings.Join(names, ", ")
}

// givenKernel returns the called kernel. Without a name, it is the only kernel.
func (r *runner) givenKernel(call *program.Call) (*Func, error) {
	if call.Fn == nil {
		list := r.kernels()
		switch len(list) {
		case 0:
			return nil, errorf(cute.CodeName, "the text has no kernel: a function with __global__ or @cute.kernel")
		case 1:
			return list[0], nil
		}
		var names []string
		for _, f := range list {
			names = append(names, f.Def.Name)
		}
		e := errorf(cute.CodeName, "the text has %d kernels: %s", len(list), strings.Join(names, ", "))
		e.hint = "say which one: --call '" + r.exampleCall() + "'"
		return nil, e
	}
	v, err := r.value(call.Fn)
	if err != nil {
		return nil, err
	}
	f, ok := v.(*Func)
	if !ok || !f.Def.Kernel && !isKernel(f.Def) {
		return nil, errorf(cute.CodeType, "expected a kernel, a function with __global__ or @cute.kernel, found %s",
			r.describe(v))
	}
	return f, nil
}

// parameterName returns the name of a parameter for a call. A parameter without a name has the name of its type.
func (f *Func) parameterName(i int) string {
	p := f.Def.Params[i]
	if p.Name == "" && p.Type != nil {
		return f.Def.Src[p.Type.Pos():p.Type.End()]
	}
	return p.Name
}

// places returns the argument expressions of a call in the order of the parameters. The expression is nil if the
// parameter has no argument.
func (r *runner) places(f *Func, call *program.Call) ([]program.Expr, error) {
	list := make([]program.Expr, len(f.Def.Params))
	at := 0
	for _, a := range call.Args {
		name, x := a.Name, a.X
		if u, ok := x.(*program.Update); ok && u.Op == "" && r.lang == program.Cpp {
			name, x = nameOf(u.Target), u.X
		}
		for name == "" && at < len(list) && list[at] != nil {
			at++ // this parameter has a keyword argument
		}
		if name == "" {
			if at >= len(list) {
				return nil, r.at(x, errorf(cute.CodeRank, "%s has %d parameters, found %d arguments", f.Def.Name, len(list),
					len(call.Args)))
			}
			list[at] = x
			at++
			continue
		}
		i := -1
		for k := range list {
			if f.parameterName(k) == name {
				i = k
			}
		}
		switch {
		case i < 0:
			e := errorf(cute.CodeName, "%s has no parameter %s", f.Def.Name, name)
			e.hint = "its parameters are " + strings.ReplaceAll(f.parameterNames(), "=..", "")
			return nil, r.at(x, e)
		case list[i] != nil:
			return nil, r.at(x, errorf(cute.CodeRank, "the parameter %s is given twice", name))
		}
		list[i] = x
	}
	return list, r.allGiven(f, list)
}

// allGiven returns an error for a call in which parameters have no value. The error says what to write.
func (r *runner) allGiven(f *Func, list []program.Expr) error {
	var missing, write []string
	for i, p := range f.Def.Params {
		if list[i] == nil && p.Default == nil && p.Star == 0 {
			missing = append(missing, f.parameterName(i))
			write = append(write, f.parameterName(i)+"="+exampleOf(f, p))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	e := errorf(cute.CodeRank, "%s needs a value for %s", f.Def.Name, strings.Join(missing, ", "))
	e.hint = "write it in the call, by name or by position: --call '" + r.exampleOfCall(f, strings.Join(write, ", ")) + "'"
	return e
}

// examples lists example values for parameters, by words in their types and names.
var examples = []struct{ word, cpp, dsl string }{
	{"threadlayout", "make_layout(make_shape(Int<16>{}, Int<16>{}))", ""},
	{"layout", "make_layout(make_shape(Int<8>{}, Int<8>{}))", "cute.make_layout((8, 8))"},
	{"stride", "make_stride(Int<1>{}, 64)", ""},
	{"tiledcopy", "make_tiled_copy(..)", ""},
	{"tiled_copy", "make_tiled_copy(..)", ""},
	{"tiledmma", "make_tiled_mma(..)", ""},
	{"mma", "make_tiled_mma(..)", "tiled_mma"},
	{"shape", "make_shape(64, 64, 64)", "(64, 64)"},
	{"tiler", "make_shape(Int<64>{}, Int<64>{}, Int<8>{})", "(64, 64)"},
	{"alpha", "1.0f", "1.0"},
	{"beta", "0.0f", "0.0"},
	{"tensor", "random(64, 64)", "random(64, 64)"},
	{"int", "64", "64"},
	{"float", "1.0f", "1.0"},
	{"double", "1.0", "1.0"},
	{"bool", "true", "True"},
}

// exampleOf returns an example argument for a parameter.
func exampleOf(f *Func, p program.Param) string {
	of := ""
	if p.Type != nil {
		of = strings.ToLower(f.Def.Src[p.Type.Pos():p.Type.End()])
		if isPointer(p) {
			return sizeOfExample(f)
		}
	}
	for _, e := range examples {
		for _, text := range []string{of, strings.ToLower(p.Name)} {
			word := e.cpp
			if f.Def.Lang == program.Python {
				word = e.dsl
			}
			if word != "" && strings.Contains(text, e.word) {
				return word
			}
		}
	}
	return ".."
}

func isPointer(p program.Param) bool {
	u, ok := p.Type.(*program.Unary)
	return ok && u.Op == "*"
}

// sizeOfExample returns an array for a pointer: of 64 elements, or a matrix of 64 by 64, if the kernel takes several
// integers, whose examples are 64.
func sizeOfExample(f *Func) string {
	integers := 0
	for _, p := range f.Def.Params {
		if p.Type != nil && !isPointer(p) && strings.Contains(f.Def.Src[p.Type.Pos():p.Type.End()], "int") {
			integers++
		}
	}
	if integers > 1 {
		return "random(64 * 64)"
	}
	return "random(64)"
}

// givenValues evaluates the arguments of a call.
func (r *runner) givenValues(f *Func, call *program.Call) ([]Value, error) {
	xs, err := r.places(f, call)
	if err != nil {
		return nil, r.at(call, err)
	}
	list := make([]Value, len(xs))
	g := r.given
	for i, x := range xs {
		if x == nil {
			continue
		}
		p := f.Def.Params[i]
		g.name, g.elem = f.parameterName(i), r.elementOfParameter(f, p)
		v, err := r.value(x)
		if err != nil {
			return nil, err
		}
		g.nameArrays(v)
		if err := r.variableGiven(v); err != nil {
			return nil, r.at(x, err)
		}
		g.values = append(g.values, boundName{g.name, v})
		if u, ok := p.Type.(*program.Unary); ok && u.Op == "*" {
			if _, isNumber := numberOf(v); isNumber {
				err = errorf(cute.CodeType, "expected an array for the pointer %s, such as random(64), found %s",
					g.name, r.describe(v))
			} else {
				v, err = r.givenPointer(v)
			}
			if err != nil {
				return nil, r.at(x, err)
			}
		}
		list[i] = v
	}
	return list, nil
}

// givenPointer converts a tensor to the pointer to its elements. It returns any other value unchanged.
func (r *runner) givenPointer(v Value) (Value, error) {
	if a, ok := v.(Algebra); ok && a.isTensor() {
		p, _, err := r.addressOf(a)
		return p, err
	}
	return v, nil
}

// elementOfParameter returns the element type of an array for a parameter: the type to which a pointer parameter
// points, or float.
func (r *runner) elementOfParameter(f *Func, p program.Param) dtype.Type {
	u, ok := p.Type.(*program.Unary)
	if !ok || u.Op != "*" {
		return dtype.F32
	}
	s := &scope{names: make(map[string]*cell), outer: f.Scope}
	if err := r.bindTemplate(f.Def.Template, f.explicit, s); err != nil {
		return dtype.F32
	}
	outer := r.scope
	r.scope = s
	defer func() { r.scope = outer }()
	if t, err := r.resolve(u.X); err == nil {
		if elem, ok := elementTypeOf(t); ok {
			return elem
		}
	}
	return dtype.F32
}

// givenCpp returns the launch of a kernel of C++.
func (r *runner) givenCpp(f *Func, call *program.Call, grid, block [3]int64) (func() error, error) {
	values, err := r.givenValues(f, call)
	if err != nil {
		return nil, err
	}
	var args []argument
	for _, v := range values {
		if v == nil {
			break // this parameter and the following ones have default values
		}
		args = append(args, argument{v: v, at: f.Def})
	}
	return func() error { return r.launchKernel(f, grid, block, args) }, nil
}

// givenDSL returns the launch of a kernel of the CuTe DSL.
func (r *runner) givenDSL(f *Func, call *program.Call, grid, block [3]int64) (func() error, error) {
	values, err := r.givenValues(f, call)
	if err != nil {
		return nil, err
	}
	args := &arguments{}
	for i, v := range values {
		if v != nil {
			if err := args.name(f.Def.Params[i].Name, v); err != nil {
				return nil, err
			}
		}
	}
	return func() error {
		if r.Tracer != nil {
			return r.traceDSL(Launch{f, args}, [2][3]int64{grid, block})
		}
		return r.runKernel(grid, block, func() error {
			_, err := r.invoke(f, &arguments{keys: slices.Clone(args.keys)})
			return err
		})
	}, nil
}

// noteKernels notes how a kernel is launched, if the text defines kernels and does nothing else.
func (r *runner) noteKernels(prog *program.Program) {
	var kernel *program.Def
	for _, st := range prog.Body {
		switch st := st.(type) {
		case *program.Def:
			if st.Kernel {
				kernel = st
			}
		case *program.Struct, *program.Using, *program.Names:
		default:
			return
		}
	}
	if kernel == nil || r.globals.names["main"] != nil {
		return
	}
	f := &Func{Def: kernel}
	r.noteAt(kernel.Pos(), fmt.Sprintf("no statement launches the kernel %s: girih run FILE --grid 1 --block 64 --call '%s(%s)' does",
		kernel.Name, kernel.Name, f.parameterNames()))
}
