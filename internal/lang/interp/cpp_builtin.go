package interp

import (
	"math"
	"strings"

	"girih/internal/lang/python"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// This file has the functions and constants of C++'s libraries.

const mainPattern = pattern.Pattern(`(?m)\bmain\s*\(`)

// cppConstants are constants of the libraries.
var cppConstants = map[string]Value{
	"INT_MAX": cInt(math.MaxInt32, CIntType), "INT_MIN": cInt(1<<31, CIntType), "UINT_MAX": cInt(math.MaxUint32, CUInt),
	"LONG_MAX": cInt(math.MaxInt64, CLong), "LONG_MIN": cInt(1<<63, CLong), "ULONG_MAX": cInt(math.MaxUint64, CULong),
	"LLONG_MAX": cInt(math.MaxInt64, CLongLong), "LLONG_MIN": cInt(1<<63, CLongLong),
	"ULLONG_MAX": cInt(math.MaxUint64, CULongLong), "SIZE_MAX": cInt(math.MaxUint64, CULong),
	"CHAR_BIT": cInt(8, CIntType), "CHAR_MAX": cInt(127, CIntType), "CHAR_MIN": cInt(math.MaxUint64-127, CIntType),
	"UCHAR_MAX": cInt(255, CIntType), "SHRT_MAX": cInt(32767, CIntType), "USHRT_MAX": cInt(65535, CIntType),
	"INT32_MAX": cInt(math.MaxInt32, CIntType), "UINT32_MAX": cInt(math.MaxUint32, CUInt),
	"FLT_MAX": cFloat(math.MaxFloat32, CSingle), "DBL_MAX": cFloat(math.MaxFloat64, CDouble),
	"FLT_MIN": cFloat(0x1p-126, CSingle), "DBL_MIN": cFloat(0x1p-1022, CDouble),
	"FLT_EPSILON": cFloat(0x1p-23, CSingle), "DBL_EPSILON": cFloat(0x1p-52, CDouble),
	"HUGE_VAL": cFloat(math.Inf(1), CDouble), "HUGE_VALF": cFloat(math.Inf(1), CSingle),
	"M_PI": cFloat(math.Pi, CDouble),
	"M_E":  cFloat(math.E, CDouble), "M_SQRT2": cFloat(math.Sqrt2, CDouble), "M_SQRT1_2": cFloat(1/math.Sqrt2, CDouble),
	"M_PI_2": cFloat(math.Pi/2, CDouble), "M_PI_4": cFloat(math.Pi/4, CDouble), "M_1_PI": cFloat(1/math.Pi, CDouble),
	"M_2_PI": cFloat(2/math.Pi, CDouble), "M_2_SQRTPI": cFloat(2/math.SqrtPi, CDouble), "M_LN2": cFloat(math.Ln2, CDouble),
	"M_LN10": cFloat(math.Ln10, CDouble), "M_LOG2E": cFloat(math.Log2E, CDouble), "M_LOG10E": cFloat(math.Log10E, CDouble),
	"INFINITY": cFloat(math.Inf(1), CSingle), "NAN": cFloat(python.NaN(1), CSingle),
	"EXIT_SUCCESS": cInt(0, CIntType), "EXIT_FAILURE": cInt(1, CIntType), "NULL": None{}, "nullptr": None{},
	"warpSize": cInt(32, CIntType), "RAND_MAX": cInt(math.MaxInt32, CIntType),
}

// cppBuiltin returns the value of a name of the libraries.
func (r *runner) cppBuiltin(path, name string) (Value, bool) {
	if v, ok := r.cpp.thread[name]; ok {
		return v, true
	}
	if v := r.placeName(name); v != nil {
		return v, true
	}
	if v := constantOf(path, name); v != nil {
		return v, true
	}
	if v := r.standardName(name); v != nil && (path == "std" || path == "") {
		return v, true
	}
	if t := namedType(name); t != (TypeValue{}) {
		return t, true
	}
	if f := mathOf(name); f != nil {
		return f, true
	}
	if f := deviceFunction(name); f != nil {
		return f, true
	}
	if f := r.deviceLeast(path, name); f != nil {
		return f, true
	}
	if f := cppFunctions[name]; f != nil {
		return &Builtin{Name: name, Call: f, Always: name == "for_each"}, true
	}
	if f := libraryFunction(name); f != nil {
		return f, true
	}
	return cudaFunction(name)
}

// constantOf returns a constant of the libraries, or nil.
func constantOf(path, name string) Value {
	if n, ok := scaleOuts[name]; ok && strings.HasSuffix(path, "ScaleOut") {
		return n
	}
	if m, ok := manipulators[name]; ok && path == "std" {
		return m
	}
	return cppConstants[name]
}

// standardName returns a name of the namespace std, or nil.
func (r *runner) standardName(name string) Value {
	switch name {
	case "cout":
		return &r.cpp.out
	case "cerr":
		return &r.cpp.errors
	case "iota", "fill":
		return rangeFunction(name)
	}
	if set := setters[name]; set != nil {
		return &Builtin{Name: name, Call: func(_ *runner, c *arguments) (Value, error) { return setter(set, c) }}
	}
	return nil
}

// placeName returns the value of a name that depends on the place: outside kernels, the coordinates of the only thread;
// the line and the file of a statement. It returns nil for any other name.
func (r *runner) placeName(name string) Value {
	if r.here == nil {
		return nil
	}
	switch name {
	case "threadIdx", "blockIdx":
		r.noteAt(r.here.Pos(), name+" is (0,0,0), as no kernel is launched")
		return dim3Of([3]int64{})
	case "__FILE__":
		return Str("program.cu")
	case "__LINE__":
		line, _ := syntax.Position(r.src, r.here.Pos())
		return cInt(uint64(line), CIntType)
	}
	return nil
}

func setter(set func(*stream, int64), c *arguments) (Value, error) {
	n, ok := int64(0), false
	if len(c.pos) == 1 {
		n, ok = integerOf(c.pos[0])
	}
	if !ok {
		return nil, errorf(cute.CodeType, "expected one integer")
	}
	return manipulator{set: func(s *stream) { set(s, n) }}, nil
}

// cppFunctions lists functions of the libraries. min and max take two values of the same type.
var cppFunctions map[string]func(r *runner, c *arguments) (Value, error)

func init() {
	first := func(_ *runner, c *arguments) (Value, error) {
		if len(c.pos) != 1 {
			return nil, errorf(cute.CodeRank, "expected one argument, found %d", len(c.pos))
		}
		return c.pos[0], nil
	}
	cppFunctions = map[string]func(r *runner, c *arguments) (Value, error){
		"move": first, "forward": first, "as_const": first, "abs": cppAbs,
		"min":  func(_ *runner, c *arguments) (Value, error) { return least("<", c) },
		"max":  func(_ *runner, c *arguments) (Value, error) { return least(">", c) },
		"dim3": func(_ *runner, c *arguments) (Value, error) { return dim3(c.pos) },
		"to_string": func(r *runner, c *arguments) (Value, error) {
			if len(c.pos) != 1 || typeOfNumber(c.pos[0]) == CNone {
				return nil, errorf(cute.CodeType, "expected one number")
			}
			v, err := cppUnary("+", c.pos[0])
			if err != nil {
				return nil, err
			}
			text, err := r.cppText(v)
			return Str(text), err
		},
	}
}

// least implements min and max: it returns the smaller or the greater value, and the first one if they are equal.
func least(op string, c *arguments) (Value, error) {
	list := listOf(c)
	if len(list) < 2 || len(list) > 2 && len(c.pos) != 1 {
		return nil, errorf(cute.CodeRank, "expected two values, found %d", len(list))
	}
	if len(list) > 2 {
		first, err := least(op, &arguments{pos: []Value{Tuple(list[:len(list)-1])}})
		if err != nil {
			return nil, err
		}
		list = []Value{first, list[len(list)-1]}
	}
	a, b := list[0], list[1]
	if s, t := typeOfNumber(a), typeOfNumber(b); s != t {
		return nil, errorf(cute.CodeType, "expected two values of one type, found %s and %s", cppDescribe(a), cppDescribe(b))
	}
	v, err := cppBinary(op, b, a)
	if err != nil {
		return nil, err
	}
	if ok, _ := cppTruth(v); ok {
		a, b = b, a
	}
	if n, ok := a.(CInt); ok {
		n.Static = n.Static && isStatic(b)
		return n, nil
	}
	return a, nil
}

func cppAbs(_ *runner, c *arguments) (Value, error) {
	if len(c.pos) != 1 {
		return nil, errorf(cute.CodeRank, "expected one argument, found %d", len(c.pos))
	}
	switch v := c.pos[0].(type) {
	case CFloat:
		return CFloat{math.Abs(v.F), v.Single}, nil
	case CInt:
		if ctypes[v.Type].signed && int64(v.Bits) < 0 {
			return cppUnary("-", v)
		}
		return cppUnary("+", v)
	}
	return nil, errorf(cute.CodeType, "expected a number, found %s", cppDescribe(c.pos[0]))
}

// dim3 makes a dim3. Missing sizes are 1.
func dim3(list []Value) (Value, error) {
	o := &Object{names: []string{"x", "y", "z"}, fields: make(map[string]*cell)}
	if len(list) > 3 {
		return nil, errorf(cute.CodeRank, "a dim3 has at most 3 sizes, found %d", len(list))
	}
	for i, name := range o.names {
		n := int64(1)
		if i < len(list) {
			if d, ok := list[i].(*Object); ok && d.Type == nil && len(list) == 1 {
				return copyOf(d), nil
			}
			var ok bool
			if n, ok = integerOf(list[i]); !ok {
				return nil, errorf(cute.CodeType, "expected an integer as a size, found %s", cppDescribe(list[i]))
			}
		}
		o.fields[name] = &cell{v: cInt(uint64(n), CUInt), typ: CUInt}
	}
	return o, nil
}

// special evaluates calls whose arguments are not values, such as sizeof(T) and std::swap(a, b). done is false for
// other calls.
func (r *runner) special(x *program.Call) (v Value, done bool, err error) {
	if r.lang != program.Cpp {
		return nil, false, nil
	}
	if t, ok := x.Fn.(*program.Template); ok {
		of, err := r.templateType(t)
		if err != nil || of == (TypeValue{}) {
			return nil, err != nil, err
		}
		v, err = r.construct(of, x)
		return v, true, r.at(x, err)
	}
	name, ok := x.Fn.(*program.Name)
	if !ok {
		return nil, false, nil
	}
	if member, ok := r.inType(name); ok {
		v, err = r.applyValue(member, x, nil)
		return v, true, r.at(x, err)
	}
	switch name.Name {
	case "sizeof", "alignof":
		v, err = r.sizeOf(x)
	case "sizeof...":
		v, err = r.packSize(x)
	case "swap":
		if len(x.Args) != 2 {
			return nil, false, nil
		}
		err = r.swap(x.Args[0].X, x.Args[1].X)
		v = None{}
	case "cudaMalloc", "cudaMallocManaged", "cudaMallocHost":
		v, err = r.cudaAllocate(x)
	case "new", "delete", "throw", "asm":
		what := map[string]string{"throw": "an exception", "asm": "assembly"}[name.Name]
		if what == "" {
			what = "an allocation"
		}
		err = errorf(cute.CodeSyntax, "%s is not run", what)
	default:
		return r.callReference(name, x)
	}
	return v, true, r.at(x, err)
}

func (r *runner) swap(x, y program.Expr) error {
	a, err := r.target(x)
	if err != nil {
		return err
	}
	b, err := r.target(y)
	if err != nil {
		return err
	}
	if a.typ != b.typ {
		return errorf(cute.CodeType, "expected two variables of one type")
	}
	a.v, b.v = b.v, a.v
	return nil
}

func (r *runner) packSize(x *program.Call) (Value, error) {
	v, err := r.value(x.Args[0].X)
	list, ok := v.(Tuple)
	if err == nil && !ok {
		err = errorf(cute.CodeType, "expected a pack in sizeof...")
	}
	return cInt(uint64(len(list)), CULong), err
}

// sizeOf returns the size of a type, or of the type of an expression.
func (r *runner) sizeOf(x *program.Call) (Value, error) {
	of := x.Args[0].X
	for u, ok := of.(*program.Unary); ok; u, ok = of.(*program.Unary) {
		of = u.X
	}
	if name, ok := of.(*program.Name); ok && r.find(name) != nil {
		if t, err := r.resolve(of); err == nil && t == (TypeValue{}) {
			return r.sizeOfValue(x.Args[0].X)
		}
	}
	t, err := r.resolve(x.Args[0].X)
	if err != nil {
		return nil, err
	}
	if t == (TypeValue{}) {
		return r.sizeOfValue(x.Args[0].X)
	}
	return r.sizeOfType(t, r.src[x.Args[0].X.Pos():x.Args[0].X.End()])
}

// sizeIn returns the size of a type; text names it in an error.
func (t TypeValue) sizeIn(text string) (Value, error) {
	switch {
	case t.C != CNone:
		return cInt(t.C.size(), CULong), nil
	case t.Name == "pointer":
		return cInt(8, CULong), nil
	}
	return nil, errorf(cute.CodeType, "the size of %s is not known", text)
}

// sizeOfValue returns the size of the type of an expression, or of T[N].
func (r *runner) sizeOfValue(x program.Expr) (Value, error) {
	switch of := x.(type) {
	case *program.Text:
		if s, _ := program.TextOf(of); !of.Char {
			return cInt(uint64(len(s))+1, CULong), nil
		}
	case *program.Index:
		if t, err := r.resolve(of.X); err == nil && t.C != CNone {
			n, err := r.count(of.Args[0])
			return cInt(uint64(n)*t.C.size(), CULong), err
		}
	}
	u, _ := x.(*program.Unary)
	switch x.(type) {
	case *program.Name, *program.Index, *program.Attr, *program.Unary:
		if u != nil && u.Op != "*" {
			break
		}
		if c, err := r.variableOf(x); err == nil && c != nil {
			return r.sizeOfVariable(c)
		}
	}
	if v, ok := r.sizeOfTensor(x); ok {
		return v, nil
	}
	t, err := r.typeOf(x)
	if err != nil {
		return nil, err
	}
	return r.sizeOfType(t, r.src[x.Pos():x.End()])
}

func (r *runner) sizeOfVariable(c *cell) (Value, error) {
	n := uint64(1)
	v := c.v
	for {
		a, ok := v.(*Array)
		if !ok || a.Vector || len(a.Cells) == 0 {
			break
		}
		n *= uint64(len(a.Cells))
		if a.Type != CNone {
			return cInt(n*a.Type.size(), CULong), nil
		}
		v = a.Cells[0].v
	}
	t := c.typ
	if t == CNone {
		t = typeOfNumber(v)
	}
	if o, ok := v.(*Object); ok && o.Type != nil {
		one, err := r.sizeOfType(TypeValue{Struct: o.Type}, o.Type.Def.Name)
		if size, ok := one.(CInt); ok && err == nil {
			return cInt(n*size.Bits, CULong), nil
		}
		return one, err
	}
	switch v.(type) {
	case Pointer, Str, None:
		return cInt(8*n, CULong), nil
	}
	if t == CNone {
		return nil, errorf(cute.CodeType, "the size of %s is not known", cppDescribe(v))
	}
	return cInt(n*t.size(), CULong), nil
}
