package interp

import (
	"math"
	"math/bits"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file has the functions of CUDA's device code on numbers: the intrinsics, half and bfloat16. Sums, products,
// quotients and conversions are exact or rounded once. Exponentials and similar functions are computed as double and
// rounded; CUDA's have last bits of their own, and a note says so.

// A cudaRow is a function of n numbers. It computes in double, and the result is rounded to a type.
type cudaRow struct {
	n    int
	of   dtype.Type // to which the operands are converted; 0 if half and bfloat16 stay, and other numbers are float
	to   dtype.Type // of the result; 0 for the type of the operands
	f    func(x [3]float64) float64
	free bool // the last bits of the result are not CUDA's
}

func oneOf(f func(float64) float64) func(x [3]float64) float64 {
	return func(x [3]float64) float64 { return f(x[0]) }
}

func sum(x [3]float64) float64         { return x[0] + x[1] }
func minus(x [3]float64) float64       { return x[0] - x[1] }
func times(x [3]float64) float64       { return x[0] * x[1] }
func quotient(x [3]float64) float64    { return x[0] / x[1] }
func multiplyAdd(x [3]float64) float64 { return fmaOfFloats(x[0], x[1], x[2]) }
func number0(x [3]float64) float64     { return x[0] }
func smaller(x [3]float64) float64     { return lesser(x[0], x[1]) }
func larger(x [3]float64) float64      { return -lesser(-x[0], -x[1]) }
func power(x [3]float64) float64       { return math.Pow(x[0], x[1]) }
func rootInverse(x float64) float64    { return 1 / math.Sqrt(x) }
func saturate(x float64) float64       { return min(max(x, 0), 1) }
func approximate(f func(float64) float64) cudaRow {
	return cudaRow{1, dtype.F32, dtype.F32, oneOf(f), true}
}

func exactly(n int, f func(x [3]float64) float64) cudaRow {
	return cudaRow{n: n, of: dtype.F32, to: dtype.F32, f: f}
}

func ofHalf(n int, f func(x [3]float64) float64) cudaRow { return cudaRow{n: n, f: f} }

func compares(f func(x, y float64) bool) cudaRow {
	return cudaRow{n: 2, to: dtype.U1, f: func(x [3]float64) float64 {
		if f(x[0], x[1]) {
			return 1
		}
		return 0
	}}
}

func convertsTo(of, to dtype.Type) cudaRow { return cudaRow{n: 1, of: of, to: to, f: number0} }

// cudaRows are the functions on one to three numbers.
var cudaRows = map[string]cudaRow{
	"expf": approximate(math.Exp), "__expf": approximate(math.Exp), "exp2f": approximate(math.Exp2),
	"logf": approximate(math.Log), "__logf": approximate(math.Log), "log2f": approximate(math.Log2),
	"__log2f": approximate(math.Log2), "sinf": approximate(math.Sin), "__sinf": approximate(math.Sin),
	"cosf": approximate(math.Cos), "__cosf": approximate(math.Cos), "tanhf": approximate(math.Tanh),
	"__tanhf": approximate(math.Tanh), "rsqrtf": approximate(rootInverse),
	"powf": {2, dtype.F32, dtype.F32, power, true}, "__powf": {2, dtype.F32, dtype.F32, power, true},
	"__fdividef": {2, dtype.F32, dtype.F32, quotient, true},

	"__fadd_rn": exactly(2, sum), "__fsub_rn": exactly(2, minus), "__fmul_rn": exactly(2, times),
	"__fdiv_rn": exactly(2, quotient), "__fmaf_rn": exactly(3, multiplyAdd), "__fsqrt_rn": exactly(1, oneOf(math.Sqrt)),
	"__frcp_rn":   exactly(1, func(x [3]float64) float64 { return 1 / x[0] }),
	"__saturatef": exactly(1, oneOf(saturate)),

	"__int2float_rn": convertsTo(dtype.S32, dtype.F32), "__uint2float_rn": convertsTo(dtype.U32, dtype.F32),
	"__float2int_rz": {1, dtype.F32, dtype.S32, oneOf(math.Trunc), false},
	"__float2int_rn": {1, dtype.F32, dtype.S32, oneOf(math.RoundToEven), false},
	"__float2int_rd": {1, dtype.F32, dtype.S32, oneOf(math.Floor), false},
	"__float2int_ru": {1, dtype.F32, dtype.S32, oneOf(math.Ceil), false},

	"__float2half": convertsTo(dtype.F32, dtype.F16), "__float2half_rn": convertsTo(dtype.F32, dtype.F16),
	"__half2float": convertsTo(dtype.F16, dtype.F32), "__int2half_rn": convertsTo(dtype.S32, dtype.F16),
	"__float2bfloat16": convertsTo(dtype.F32, dtype.BF16), "__float2bfloat16_rn": convertsTo(dtype.F32, dtype.BF16),
	"__bfloat162float": convertsTo(dtype.BF16, dtype.F32),

	"__hadd": ofHalf(2, sum), "__hsub": ofHalf(2, minus), "__hmul": ofHalf(2, times), "__hdiv": ofHalf(2, quotient),
	"__hadd_rn": ofHalf(2, sum), "__hsub_rn": ofHalf(2, minus), "__hmul_rn": ofHalf(2, times),
	"__hfma": ofHalf(3, multiplyAdd), "__hmax": ofHalf(2, larger), "__hmin": ofHalf(2, smaller),
	"__hneg": ofHalf(1, func(x [3]float64) float64 { return -x[0] }), "__habs": ofHalf(1, oneOf(math.Abs)),
	"__hlt": compares(func(x, y float64) bool { return x < y }), "__hle": compares(func(x, y float64) bool { return x <= y }),
	"__hgt": compares(func(x, y float64) bool { return x > y }), "__hge": compares(func(x, y float64) bool { return x >= y }),
	"__heq": compares(func(x, y float64) bool { return x == y }),
}

// overloaded are the functions of <cmath> that CUDA has for float, too, and the rows of that.
var overloaded = map[string]string{
	"exp": "expf", "exp2": "exp2f", "log": "logf", "log2": "log2f", "sin": "sinf", "cos": "cosf", "tanh": "tanhf",
	"rsqrt": "rsqrtf", "pow": "powf",
}

// cudaMath returns a function of cudaRows, or nil.
func cudaMath(name string) Value {
	row, ok := cudaRows[name]
	double := false
	if short := overloaded[name]; short != "" {
		row, ok, double = cudaRows[short], true, true
	}
	if !ok {
		return nil
	}
	return &Builtin{Name: name, Always: true, Call: func(r *runner, c *arguments) (Value, error) {
		of, to := row.of, row.to
		if double {
			for _, v := range c.pos {
				if typeOfNumber(cppElement(v)) != CSingle {
					of, to = dtype.F64, dtype.F64
				}
			}
		}
		if row.free {
			r.noteAt(r.here.Pos(), "CUDA and g++ may have other last bits of "+name)
		}
		return r.compute(name, cudaRow{row.n, of, to, row.f, row.free}, c.pos)
	}}
}

// compute computes a row.
func (r *runner) compute(name string, row cudaRow, args []Value) (Value, error) {
	if len(args) != row.n {
		return nil, errorf(cute.CodeRank, "expected %d numbers for %s, found %d", row.n, name, len(args))
	}
	var x [3]float64
	of := row.of
	for i, v := range args {
		e, isElement := v.(Element)
		if row.of == 0 && !(isElement && e.Type.Bits() == 16 && (of == 0 || of == e.Type)) {
			return nil, errorf(cute.CodeType, "expected numbers of one type, half or __nv_bfloat16, for %s, found %s", name,
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
	return r.cudaResult(to, row.f(x))
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

// cudaBits are the functions on the bits of a number of 32 bits.
var cudaBits = map[string]struct {
	of, to CType
	f      func(x uint32) uint32
}{
	"__popc": {CUInt, CIntType, func(x uint32) uint32 { return uint32(bits.OnesCount32(x)) }},
	"__clz":  {CUInt, CIntType, func(x uint32) uint32 { return uint32(bits.LeadingZeros32(x)) }},
	"__brev": {CUInt, CUInt, bits.Reverse32},
	"__ffs": {CUInt, CIntType, func(x uint32) uint32 {
		if x == 0 {
			return 0
		}
		return uint32(1 + bits.TrailingZeros32(x))
	}},
	"__float_as_int": {CSingle, CIntType, nil}, "__float_as_uint": {CSingle, CUInt, nil},
	"__int_as_float": {CIntType, CSingle, nil}, "__uint_as_float": {CUInt, CSingle, nil},
}

// cudaBitsOf returns a function of cudaBits, or nil.
func cudaBitsOf(name string) Value {
	row, ok := cudaBits[name]
	if !ok {
		return nil
	}
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

// A pairRow is a function of half2 or __nv_bfloat162: for each half, a function of the halves of the operands, or of
// numbers.
var pairRows = map[string]string{
	"__hadd2": "__hadd", "__hsub2": "__hsub", "__hmul2": "__hmul", "__h2div": "__hdiv", "__hfma2": "__hfma",
	"__hmax2": "__hmax", "__hmin2": "__hmin", "__hneg2": "__hneg", "__habs2": "__habs",
	"__hadd2_rn": "__hadd", "__hsub2_rn": "__hsub", "__hmul2_rn": "__hmul",
	"__half22float2": "__half2float", "__bfloat1622float2": "__bfloat162float", "__float22half2_rn": "__float2half",
	"__float22bfloat162_rn": "__float2bfloat16", "__floats2half2_rn": "__float2half",
	"__floats2bfloat162_rn": "__float2bfloat16", "__float2half2_rn": "__float2half",
	"__float2bfloat162_rn": "__float2bfloat16", "__half2half2": "", "__halves2half2": "", "__bfloat162bfloat162": "",
	"__halves2bfloat162": "",
	"__low2half":         "x", "__high2half": "y", "__low2bfloat16": "x", "__high2bfloat16": "y",
	"__low2float": "x __half2float", "__high2float": "y __half2float",
}

// pairFunction returns a function of pairRows, or nil.
func pairFunction(name string) Value {
	row, ok := pairRows[name]
	if !ok {
		return nil
	}
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
	return r.compute(name, cudaRows[name], args)
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
	_, isPair := pairRows[name]
	return isPair || makeVector(name) != nil
}
