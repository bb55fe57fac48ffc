package interp

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file has the functions of CUDA's device code on numbers: the intrinsics, half and bfloat16. Sums, products,
// quotients and conversions are exact or rounded once. Exponentials and similar functions are computed as double and
// rounded; CUDA's have last bits of their own, and a note says so.

// A cudaRow is a function of one to three numbers. It computes in double, and the result is rounded to a type. The
// table has no closures, so that the linker lays it out.
type cudaRow struct {
	name string
	of   dtype.Type              // to which the operands are converted; 0 if they stay half or bfloat16
	to   dtype.Type              // of the result; 0 for the type of the operands
	f1   func(x float64) float64 // nil for a conversion
	f2   func(x, y float64) float64
	f3   func(x, y, z float64) float64
	free bool // CUDA may have other last bits
}

func add(x, y float64) float64       { return x + y }
func subtract(x, y float64) float64  { return x - y }
func multiply(x, y float64) float64  { return x * y }
func divide(x, y float64) float64    { return x / y }
func larger(x, y float64) float64    { return -lesser(-x, -y) }
func negative(x float64) float64     { return -x }
func reciprocal(x float64) float64   { return 1 / x }
func inverseRoot(x float64) float64  { return 1 / math.Sqrt(x) }
func saturate(x float64) float64     { return min(max(x, 0), 1) }
func isLess(x, y float64) float64    { return cBools[x < y].(CInt).float() }
func isAtMost(x, y float64) float64  { return cBools[x <= y].(CInt).float() }
func isMore(x, y float64) float64    { return cBools[x > y].(CInt).float() }
func isAtLeast(x, y float64) float64 { return cBools[x >= y].(CInt).float() }
func isEqualTo(x, y float64) float64 { return cBools[x == y].(CInt).float() }

// operands returns the number of operands.
func (row *cudaRow) operands() int {
	switch {
	case row.f2 != nil:
		return 2
	case row.f3 != nil:
		return 3
	}
	return 1
}

// apply computes the function of a row.
func (row *cudaRow) apply(x [3]float64) float64 {
	switch {
	case row.f1 != nil:
		return row.f1(x[0])
	case row.f2 != nil:
		return row.f2(x[0], x[1])
	case row.f3 != nil:
		return row.f3(x[0], x[1], x[2])
	}
	return x[0]
}

// cudaRows are the functions on one to three numbers.
var cudaRows = []cudaRow{
	{name: "expf", of: dtype.F32, to: dtype.F32, f1: math.Exp, free: true},
	{name: "__expf", of: dtype.F32, to: dtype.F32, f1: math.Exp, free: true},
	{name: "exp2f", of: dtype.F32, to: dtype.F32, f1: math.Exp2, free: true},
	{name: "logf", of: dtype.F32, to: dtype.F32, f1: math.Log, free: true},
	{name: "__logf", of: dtype.F32, to: dtype.F32, f1: math.Log, free: true},
	{name: "log2f", of: dtype.F32, to: dtype.F32, f1: math.Log2, free: true},
	{name: "__log2f", of: dtype.F32, to: dtype.F32, f1: math.Log2, free: true},
	{name: "sinf", of: dtype.F32, to: dtype.F32, f1: math.Sin, free: true},
	{name: "__sinf", of: dtype.F32, to: dtype.F32, f1: math.Sin, free: true},
	{name: "cosf", of: dtype.F32, to: dtype.F32, f1: math.Cos, free: true},
	{name: "__cosf", of: dtype.F32, to: dtype.F32, f1: math.Cos, free: true},
	{name: "tanhf", of: dtype.F32, to: dtype.F32, f1: math.Tanh, free: true},
	{name: "__tanhf", of: dtype.F32, to: dtype.F32, f1: math.Tanh, free: true},
	{name: "rsqrtf", of: dtype.F32, to: dtype.F32, f1: inverseRoot, free: true},
	{name: "powf", of: dtype.F32, to: dtype.F32, f2: math.Pow, free: true},
	{name: "__powf", of: dtype.F32, to: dtype.F32, f2: math.Pow, free: true},
	{name: "__fdividef", of: dtype.F32, to: dtype.F32, f2: divide, free: true},
	{name: "__fadd_rn", of: dtype.F32, to: dtype.F32, f2: add},
	{name: "__fsub_rn", of: dtype.F32, to: dtype.F32, f2: subtract},
	{name: "__fmul_rn", of: dtype.F32, to: dtype.F32, f2: multiply},
	{name: "__fdiv_rn", of: dtype.F32, to: dtype.F32, f2: divide},
	{name: "__fmaf_rn", of: dtype.F32, to: dtype.F32, f3: fmaOfFloats},
	{name: "__fsqrt_rn", of: dtype.F32, to: dtype.F32, f1: math.Sqrt},
	{name: "__frcp_rn", of: dtype.F32, to: dtype.F32, f1: reciprocal},
	{name: "__saturatef", of: dtype.F32, to: dtype.F32, f1: saturate},
	{name: "__int2float_rn", of: dtype.S32, to: dtype.F32},
	{name: "__uint2float_rn", of: dtype.U32, to: dtype.F32},
	{name: "__float2int_rz", of: dtype.F32, to: dtype.S32, f1: math.Trunc},
	{name: "__float2int_rn", of: dtype.F32, to: dtype.S32, f1: math.RoundToEven},
	{name: "__float2int_rd", of: dtype.F32, to: dtype.S32, f1: math.Floor},
	{name: "__float2int_ru", of: dtype.F32, to: dtype.S32, f1: math.Ceil},
	{name: "__float2half", of: dtype.F32, to: dtype.F16},
	{name: "__float2half_rn", of: dtype.F32, to: dtype.F16},
	{name: "__half2float", of: dtype.F16, to: dtype.F32},
	{name: "__int2half_rn", of: dtype.S32, to: dtype.F16},
	{name: "__float2bfloat16", of: dtype.F32, to: dtype.BF16},
	{name: "__float2bfloat16_rn", of: dtype.F32, to: dtype.BF16},
	{name: "__bfloat162float", of: dtype.BF16, to: dtype.F32},
	{name: "__hadd", f2: add},
	{name: "__hsub", f2: subtract},
	{name: "__hmul", f2: multiply},
	{name: "__hdiv", f2: divide},
	{name: "hexp", f1: math.Exp, free: true},
	{name: "hlog", f1: math.Log, free: true},
	{name: "hrsqrt", f1: inverseRoot, free: true},
	{name: "htanh", f1: math.Tanh, free: true},
	{name: "__hadd_rn", f2: add},
	{name: "__hsub_rn", f2: subtract},
	{name: "__hmul_rn", f2: multiply},
	{name: "__hfma", f3: fmaOfFloats},
	{name: "__hmax", f2: larger},
	{name: "__hmin", f2: lesser},
	{name: "__hneg", f1: negative},
	{name: "__habs", f1: math.Abs},
	{name: "__hlt", to: dtype.U1, f2: isLess},
	{name: "__hle", to: dtype.U1, f2: isAtMost},
	{name: "__hgt", to: dtype.U1, f2: isMore},
	{name: "__hge", to: dtype.U1, f2: isAtLeast},
	{name: "__heq", to: dtype.U1, f2: isEqualTo},
}

// float returns 0 or 1 for a truth value.
func (n CInt) float() float64 { return float64(n.Bits) }

// cudaRowOf returns the row of a function, or nil.
func cudaRowOf(name string) *cudaRow {
	for i := range cudaRows {
		if cudaRows[i].name == name {
			return &cudaRows[i]
		}
	}
	return nil
}

// overloaded are the functions of <cmath> that CUDA has for float, too, and the rows of that.
var overloaded = map[string]string{
	"exp": "expf", "exp2": "exp2f", "log": "logf", "log2": "log2f", "sin": "sinf", "cos": "cosf", "tanh": "tanhf",
	"rsqrt": "rsqrtf", "pow": "powf",
}

// cudaMath returns a function of cudaRows, or nil.
func cudaMath(name string) Value {
	found, isDouble := cudaRowOf(name), false
	if short := overloaded[name]; short != "" {
		found, isDouble = cudaRowOf(short), true
	}
	if found == nil {
		return nil
	}
	return &Builtin{Name: name, Always: true, Call: func(r *runner, c *arguments) (Value, error) {
		row := *found
		for _, v := range c.pos {
			if isDouble && typeOfNumber(cppElement(v)) != CSingle {
				row.of, row.to = dtype.F64, dtype.F64
			}
		}
		if row.free {
			r.noteAt(r.here.Pos(), "CUDA and g++ may have other last bits of "+name)
		}
		return r.compute(&row, c.pos)
	}}
}

// compute computes a row.
func (r *runner) compute(row *cudaRow, args []Value) (Value, error) {
	if n := row.operands(); len(args) != n {
		return nil, errorf(cute.CodeRank, "expected %d numbers for %s, found %d", n, row.name, len(args))
	}
	var x [3]float64
	of := row.of
	for i, v := range args {
		e, isElement := v.(Element)
		if row.of == 0 && !(isElement && e.Type.Bits() == 16 && (of == 0 || of == e.Type)) {
			return nil, errorf(cute.CodeType, "expected numbers of one type, half or __nv_bfloat16, for %s, found %s", row.name,
				r.describe(v))
		}
		if row.of == 0 {
			of = e.Type
		}
		n, err := r.toElement(of, v)
		if err != nil {
			return nil, err
		}
		y, _ := numberOf(n)
		x[i] = y.float()
	}
	to := row.to
	if to == 0 {
		to = of
	}
	return r.cudaResult(to, row.apply(x))
}

// cudaResult returns a number, rounded to a type. To an integer it saturates, as the GPU does.
func (r *runner) cudaResult(to dtype.Type, f float64) (Value, error) {
	switch to {
	case dtype.F32:
		return cFloat(f, CSingle), nil
	case dtype.F64:
		return cFloat(f, CDouble), nil
	case dtype.U1:
		return cBools[f != 0], nil
	case dtype.S32:
		if f != f {
			f = 0
		}
		return cInt(uint64(int64(min(max(f, math.MinInt32), math.MaxInt32))), CIntType), nil
	}
	return elementIn(to, number{isFloat: true, f: f})
}

// A bitsRow is a function on the bits of a number; f is nil if only the type changes.
type bitsRow struct {
	name   string
	of, to CType
	f      func(x uint32) uint32
}

// cudaBits are the functions on the bits of a number of 32 bits.
var cudaBits = []bitsRow{
	{"__popc", CUInt, CIntType, func(x uint32) uint32 { return uint32(bits.OnesCount32(x)) }},
	{"__clz", CUInt, CIntType, func(x uint32) uint32 { return uint32(bits.LeadingZeros32(x)) }},
	{"__brev", CUInt, CUInt, bits.Reverse32},
	{"__ffs", CUInt, CIntType, func(x uint32) uint32 {
		if x == 0 {
			return 0
		}
		return uint32(1 + bits.TrailingZeros32(x))
	}},
	{"__float_as_int", CSingle, CIntType, nil},
	{"__float_as_uint", CSingle, CUInt, nil},
	{"__int_as_float", CIntType, CSingle, nil},
	{"__uint_as_float", CUInt, CSingle, nil},
}

// cudaBitsOf returns a function of cudaBits, or nil.
func cudaBitsOf(name string) Value {
	at := slices.IndexFunc(cudaBits, func(row bitsRow) bool { return row.name == name })
	if at < 0 {
		return nil
	}
	row := cudaBits[at]
	return &Builtin{Name: name, Always: true, Call: func(_ *runner, c *arguments) (Value, error) {
		if len(c.pos) != 1 || typeOfNumber(cppElement(c.pos[0])) == CNone {
			return nil, errorf(cute.CodeType, "expected one number for %s", name)
		}
		v, err := cppConvert(cppElement(c.pos[0]), row.of)
		if err != nil {
			return nil, err
		}
		x := uint32(0)
		switch v := v.(type) {
		case CInt:
			x = uint32(v.Bits)
		case CFloat:
			x = math.Float32bits(float32(v.F))
		}
		if row.f != nil {
			x = row.f(x)
		}
		if row.to == CSingle {
			return cFloat(float64(math.Float32frombits(x)), CSingle), nil
		}
		return cInt(uint64(int64(int32(x))), row.to), nil
	}}
}

// deviceLeast implements min and max of CUDA's device code for floats, where a NaN is no number, and of an int and an
// unsigned, which is unsigned.
func (r *runner) deviceLeast(path, name string) Value {
	op := map[string]string{"min": "<", "max": ">"}[name]
	if op == "" || path != "" || r.kernel == nil {
		return nil
	}
	return &Builtin{Name: name, Call: func(_ *runner, c *arguments) (Value, error) {
		if v, ok, err := leastOnDevice(op, c); ok {
			return v, err
		}
		return least(op, c)
	}}
}

func leastOnDevice(op string, c *arguments) (v Value, ok bool, err error) {
	if len(c.pos) != 2 {
		return nil, false, nil
	}
	x, y := cppElement(c.pos[0]), cppElement(c.pos[1])
	s, t := typeOfNumber(x), typeOfNumber(y)
	common := cppCommon(s, t)
	mixed := s == CIntType && t == CUInt || s == CUInt && t == CIntType
	isFloat := func(t CType) bool { return t == CSingle || t == CDouble }
	if !mixed && !(isFloat(s) && isFloat(t)) {
		return nil, false, nil
	}
	if x, err = cppConvert(x, common); err == nil {
		y, err = cppConvert(y, common)
	}
	a, isA := x.(CFloat)
	b, isB := y.(CFloat)
	switch {
	case err != nil:
		return nil, true, err
	case !isA || !isB:
		v, err = least(op, &arguments{pos: []Value{x, y}})
		return v, true, err
	case op == "<":
		return cFloat(lesser(a.F, b.F), common), true, nil
	}
	return cFloat(-lesser(-a.F, -b.F), common), true, nil
}

// pairRows has the functions of half2 and __nv_bfloat162. For each half, such a function is a function of the halves of
// the operands, or of numbers. x and y are the halves of one operand, which a function may convert.
var pairRows = [][2]string{
	{"__hadd2", "__hadd"},
	{"__hsub2", "__hsub"},
	{"__hmul2", "__hmul"},
	{"__h2div", "__hdiv"},
	{"__hfma2", "__hfma"},
	{"__hmax2", "__hmax"},
	{"__hmin2", "__hmin"},
	{"h2exp", "hexp"},
	{"h2log", "hlog"},
	{"h2rsqrt", "hrsqrt"},
	{"__hneg2", "__hneg"},
	{"__habs2", "__habs"},
	{"__hadd2_rn", "__hadd"},
	{"__hsub2_rn", "__hsub"},
	{"__hmul2_rn", "__hmul"},
	{"__half22float2", "__half2float"},
	{"__bfloat1622float2", "__bfloat162float"},
	{"__float22half2_rn", "__float2half"},
	{"__float22bfloat162_rn", "__float2bfloat16"},
	{"__floats2half2_rn", "__float2half"},
	{"__floats2bfloat162_rn", "__float2bfloat16"},
	{"__float2half2_rn", "__float2half"},
	{"__float2bfloat162_rn", "__float2bfloat16"},
	{"__half2half2", ""},
	{"__halves2half2", ""},
	{"__bfloat162bfloat162", ""},
	{"__halves2bfloat162", ""},
	{"__low2half", "x"},
	{"__high2half", "y"},
	{"__low2bfloat16", "x"},
	{"__high2bfloat16", "y"},
	{"__low2float", "x __half2float"},
	{"__high2float", "y __half2float"},
}

// pairRow returns the number of a row of pairRows, or -1.
func pairRow(name string) int {
	return slices.IndexFunc(pairRows, func(row [2]string) bool { return row[0] == name })
}

// pairFunction returns a function of pairRows, or nil.
func pairFunction(name string) Value {
	at := pairRow(name)
	if at < 0 {
		return nil
	}
	row := pairRows[at][1]
	return &Builtin{Name: name, Always: true, Call: func(r *runner, c *arguments) (Value, error) {
		if field, f, _ := strings.Cut(row, " "); field == "x" || field == "y" {
			return r.halfOf(name, field, f, c.pos)
		}
		var out Tuple
		for i := range 2 {
			args, err := halves(name, i, c.pos)
			if err != nil {
				return nil, err
			}
			v := args[0]
			if row != "" {
				if v, err = r.callNumbers(row, args); err != nil {
					return nil, err
				}
			}
			out = append(out, v)
		}
		return r.object(pairTypeOf(name, c.pos).typ.Struct, out)
	}}
}

// halves returns half i of the operands of a function of pairs: of pairs the half, of two numbers the number i, and
// otherwise the number.
func halves(name string, i int, args []Value) (out []Value, err error) {
	twoNumbers := strings.HasPrefix(name, "__floats2") || strings.HasPrefix(name, "__halves2")
	for _, v := range args {
		if o, ok := v.(*Object); ok {
			if len(o.names) != 2 || o.fields[o.names[i]].v == nil {
				return nil, errorf(cute.CodeType, "expected pairs with values for %s", name)
			}
			v = o.fields[o.names[i]].v
		}
		out = append(out, v)
	}
	switch {
	case len(out) == 0, twoNumbers && len(out) != 2:
		return nil, errorf(cute.CodeRank, "%s of %d operands is not run", name, len(out))
	case twoNumbers:
		return out[i : i+1], nil
	}
	return out, nil
}

// pairTypeOf returns the type of the result of a function of pairs.
func pairTypeOf(name string, args []Value) *cudaVector {
	switch {
	case strings.HasSuffix(name, "2float2"):
		return cudaVectors["float2"]
	case strings.Contains(name, "bfloat162_rn"), strings.HasSuffix(name, "2bfloat162"):
		return cudaVectors["__nv_bfloat162"]
	}
	for _, v := range args {
		if o, ok := v.(*Object); ok {
			if of := cudaVectorOf(o.Type); of != nil && of.of.Bits() == 16 {
				return of
			}
		}
	}
	return cudaVectors["half2"]
}

// halfOf returns a half of a pair, converted by the function f.
func (r *runner) halfOf(name, field, f string, args []Value) (Value, error) {
	if len(args) == 1 {
		if o, ok := args[0].(*Object); ok && o.fields[field] != nil && o.fields[field].v != nil {
			v := o.fields[field].v
			if f == "" {
				return v, nil
			}
			if of := cudaVectorOf(o.Type); of != nil && of.of == dtype.BF16 {
				f = "__bfloat162float"
			}
			return r.callNumbers(f, []Value{v})
		}
	}
	return nil, errorf(cute.CodeType, "expected one pair with values for %s", name)
}

// callNumbers calls a function of cudaRows. While a kernel is traced, it is the tracer's.
func (r *runner) callNumbers(name string, args []Value) (Value, error) {
	for _, v := range args {
		if IsTraced(v) && r.tracing != nil {
			return r.tracerCall(tracedCall{name: name, at: r.here, run: r.noAccess}, &arguments{pos: args})
		}
	}
	return r.compute(cudaRowOf(name), args)
}

// deviceFunction returns a function of CUDA's device code on numbers and vectors, or nil.
func deviceFunction(name string) Value {
	for _, f := range []func(string) Value{makeVector, cudaMath, cudaBitsOf, pairFunction} {
		if v := f(name); v != nil {
			return v
		}
	}
	return nil
}

// ofParts reports whether a function makes an object of its arguments, or takes it apart: it is never the tracer's.
func ofParts(name string) bool {
	return pairRow(name) >= 0 || makeVector(name) != nil
}
