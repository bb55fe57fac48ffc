package traced

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has the functions of CUDA's device code on numbers: a row says which types the operands have, and how
// package kernel writes the function. Where PTX has no instruction that is CUDA's function, a note says what is written
// instead, or there is no row.

// A mathRow is a function of n numbers.
type mathRow struct {
	n int
	// of is the type to which the operands are converted. anyFloat is float or double, the common type of C++; anyHalf is
	// half or __nv_bfloat16, the type of all operands.
	of   dtype.Type
	f    func(x []kernel.Value) kernel.Value
	note string // what is written instead of CUDA's function; "" if it is this function
}

const (
	anyFloat = dtype.Type(254)
	anyHalf  = dtype.Type(255)
)

func one(f func(x kernel.Value) kernel.Value) func(x []kernel.Value) kernel.Value {
	return func(x []kernel.Value) kernel.Value { return f(x[0]) }
}

func two(f func(x, y kernel.Value) kernel.Value) func(x []kernel.Value) kernel.Value {
	return func(x []kernel.Value) kernel.Value { return f(x[0], x[1]) }
}

func three(f func(x, y, z kernel.Value) kernel.Value) func(x []kernel.Value) kernel.Value {
	return func(x []kernel.Value) kernel.Value { return f(x[0], x[1], x[2]) }
}

// rounds returns a conversion to an int after a function that rounds to a whole number.
func rounds(f func(x kernel.Value) kernel.Value) func(x []kernel.Value) kernel.Value {
	return func(x []kernel.Value) kernel.Value { return f(x[0]).Convert(dtype.S32) }
}

func converts(t dtype.Type) func(x []kernel.Value) kernel.Value {
	return func(x []kernel.Value) kernel.Value { return x[0].Convert(t) }
}

func casts(t dtype.Type) func(x []kernel.Value) kernel.Value {
	return func(x []kernel.Value) kernel.Value { return x[0].Bitcast(t) }
}

// power is __powf: 2 to the power y·log2(x).
func power(x, y kernel.Value) kernel.Value { return y.Mul(x.Log2()).Exp2() }

// The notes of approximations.
const (
	fastExp   = "ex2.approx of the product with log2(e), as nvcc --use_fast_math writes it"
	fastLog   = "lg2.approx times ln(2), as nvcc --use_fast_math writes it"
	fastLog2  = "lg2.approx, as nvcc --use_fast_math writes it"
	fastSin   = "sin.approx, as nvcc --use_fast_math writes it"
	fastCos   = "cos.approx, as nvcc --use_fast_math writes it"
	fastTanh  = "tanh.approx, whose error is 2^-11"
	fastPower = "ex2.approx of the exponent times lg2.approx, as nvcc --use_fast_math writes it"
)

// mathRows are the functions by their names.
var mathRows = map[string]mathRow{
	"fmax": {2, anyFloat, two(kernel.Value.Max), ""}, "fmin": {2, anyFloat, two(kernel.Value.Min), ""},
	"fabs": {1, anyFloat, one(kernel.Value.Abs), ""}, "sqrt": {1, anyFloat, one(kernel.Value.Sqrt), ""},
	"floor": {1, anyFloat, one(kernel.Value.Floor), ""}, "ceil": {1, anyFloat, one(kernel.Value.Ceil), ""},
	"trunc": {1, anyFloat, one(kernel.Value.Trunc), ""}, "rint": {1, anyFloat, one(kernel.Value.Round), ""},
	"nearbyint": {1, anyFloat, one(kernel.Value.Round), ""}, "fma": {3, anyFloat, three(kernel.Value.FMA), ""},

	"rsqrtf": {1, dtype.F32, one(kernel.Value.Rsqrt), ""}, "exp2f": {1, dtype.F32, one(kernel.Value.Exp2), ""},
	"__expf": {1, dtype.F32, one(kernel.Value.Exp), ""}, "__logf": {1, dtype.F32, one(kernel.Value.Log), ""},
	"__log2f": {1, dtype.F32, one(kernel.Value.Log2), ""}, "__sinf": {1, dtype.F32, one(kernel.Value.Sin), ""},
	"__cosf": {1, dtype.F32, one(kernel.Value.Cos), ""}, "__tanhf": {1, dtype.F32, one(kernel.Value.Tanh), ""},
	"__powf": {2, dtype.F32, two(power), ""},
	"expf":   {1, dtype.F32, one(kernel.Value.Exp), fastExp}, "logf": {1, dtype.F32, one(kernel.Value.Log), fastLog},
	"log2f": {1, dtype.F32, one(kernel.Value.Log2), fastLog2}, "sinf": {1, dtype.F32, one(kernel.Value.Sin), fastSin},
	"cosf": {1, dtype.F32, one(kernel.Value.Cos), fastCos}, "tanhf": {1, dtype.F32, one(kernel.Value.Tanh), fastTanh},
	"powf": {2, dtype.F32, two(power), fastPower},

	"__fadd_rn": {2, dtype.F32, two(kernel.Value.Add), ""}, "__fsub_rn": {2, dtype.F32, two(kernel.Value.Sub), ""},
	"__fmul_rn": {2, dtype.F32, two(kernel.Value.Mul), ""}, "__fdiv_rn": {2, dtype.F32, two(kernel.Value.Div), ""},
	"__fmaf_rn": {3, dtype.F32, three(kernel.Value.FMA), ""}, "__fsqrt_rn": {1, dtype.F32, one(kernel.Value.Sqrt), ""},
	"__frcp_rn": {1, dtype.F32, one(kernel.Value.Rcp), ""},

	"__int2float_rn": {1, dtype.S32, converts(dtype.F32), ""}, "__uint2float_rn": {1, dtype.U32, converts(dtype.F32), ""},
	"__float2int_rz": {1, dtype.F32, converts(dtype.S32), ""}, "__float2int_rn": {1, dtype.F32, rounds(kernel.Value.Round), ""},
	"__float2int_rd": {1, dtype.F32, rounds(kernel.Value.Floor), ""},
	"__float2int_ru": {1, dtype.F32, rounds(kernel.Value.Ceil), ""},
	"__float_as_int": {1, dtype.F32, casts(dtype.S32), ""}, "__float_as_uint": {1, dtype.F32, casts(dtype.U32), ""},
	"__int_as_float": {1, dtype.S32, casts(dtype.F32), ""}, "__uint_as_float": {1, dtype.U32, casts(dtype.F32), ""},
	"__popc": {1, dtype.U32, func(x []kernel.Value) kernel.Value { return x[0].Popc().Bitcast(dtype.S32) }, ""},
	"__clz":  {1, dtype.U32, func(x []kernel.Value) kernel.Value { return x[0].Clz().Bitcast(dtype.S32) }, ""},
	"__brev": {1, dtype.U32, one(kernel.Value.Brev), ""},

	"__float2half": {1, dtype.F32, converts(dtype.F16), ""}, "__float2half_rn": {1, dtype.F32, converts(dtype.F16), ""},
	"__half2float": {1, dtype.F16, converts(dtype.F32), ""}, "__float2bfloat16": {1, dtype.F32, converts(dtype.BF16), ""},
	"__float2bfloat16_rn": {1, dtype.F32, converts(dtype.BF16), ""},
	"__bfloat162float":    {1, dtype.BF16, converts(dtype.F32), ""},
	"__hadd":              {2, anyHalf, two(kernel.Value.Add), ""}, "__hsub": {2, anyHalf, two(kernel.Value.Sub), ""},
	"__hmul": {2, anyHalf, two(kernel.Value.Mul), ""}, "__hfma": {3, anyHalf, three(kernel.Value.FMA), ""},
	"__hmax": {2, anyHalf, two(kernel.Value.Max), ""}, "__hmin": {2, anyHalf, two(kernel.Value.Min), ""},
	"__hneg": {1, anyHalf, one(kernel.Value.Neg), ""}, "__habs": {1, anyHalf, one(kernel.Value.Abs), ""},
	"__hadd_rn": {2, anyHalf, two(kernel.Value.Add), ""}, "__hsub_rn": {2, anyHalf, two(kernel.Value.Sub), ""},
	"__hmul_rn": {2, anyHalf, two(kernel.Value.Mul), ""},
}

// comparisons are the comparisons of halves.
var comparisons = map[string]string{"__hlt": "<", "__hle": "<=", "__hgt": ">", "__hge": ">=", "__heq": "=="}

// overloads are the functions of <cmath> whose version for float has a row.
var overloads = map[string]string{
	"exp": "expf", "exp2": "exp2f", "log": "logf", "log2": "log2f", "sin": "sinf", "cos": "cosf", "tanh": "tanhf",
	"rsqrt": "rsqrtf", "pow": "powf",
}

// exactFloats are the functions of <cmath> that have one more name for float, with f.
var exactFloats = []string{"fmax", "fmin", "fabs", "sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "fma"}

// mathFunctions returns the functions of the rows.
func mathFunctions() map[string]function {
	out := map[string]function{"max": largest("max"), "min": largest("min"), "abs": (*Tracer).abs}
	for name, row := range mathRows {
		out[name] = row.function()
	}
	for _, name := range exactFloats {
		row := mathRows[name]
		row.of = dtype.F32
		out[name+"f"] = row.function()
	}
	for name, op := range comparisons {
		out[name] = func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
			x, ok := t.halves(c.Args)
			if !ok || len(x) != 2 {
				return nil, unknown(c)
			}
			is, _ := compareValues(op, x[0], x[1])
			return t.truth(is), nil
		}
	}
	for name, of := range overloads {
		f, rest := mathRows[of].function(), functions[name]
		out[name] = func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
			if t.python && rest != nil {
				return rest(t, c)
			}
			if t.floatType(c.Args) != dtype.F32 {
				return nil, refuse(cute.CodeNotRepresentable, "compute with float: "+of,
					"%s of double is not followed: PTX has no instruction for it", c.Name)
			}
			return f(t, c)
		}
	}
	return out
}

// function returns the function of a row.
func (row mathRow) function() function {
	return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
		if len(c.Args) != row.n || len(c.Keys) > 0 {
			return nil, unknown(c)
		}
		x, ok := t.operands(row.of, c.Args)
		if !ok {
			return nil, unknown(c)
		}
		if note := fmt.Sprintf("%s is %s", c.Name, row.note); row.note != "" && !slices.Contains(t.out.Notes, note) {
			t.out.Notes = append(t.out.Notes, note)
		}
		return t.value(row.f(x)), nil
	}
}

// operands converts the operands of a row.
func (t *Tracer) operands(of dtype.Type, args []interp.Value) (out []kernel.Value, ok bool) {
	switch of {
	case anyHalf:
		return t.halves(args)
	case anyFloat:
		of = t.floatType(args)
	}
	for _, v := range args {
		x, ok := t.number(v, of)
		if e, isElement := elementOf(v); !ok || isElement && of.Bits() == 16 && e.Type() != of {
			return nil, false
		}
		out = append(out, x)
	}
	return out, true
}

// halves returns operands that are all half, or all __nv_bfloat16.
func (t *Tracer) halves(args []interp.Value) (out []kernel.Value, ok bool) {
	typ := dtype.Type(0)
	for _, v := range args {
		if e, isElement := elementOf(v); isElement && e.Type().Bits() == 16 && typ == 0 {
			typ = e.Type()
		}
	}
	if typ != dtype.F16 && typ != dtype.BF16 {
		return nil, false
	}
	for _, v := range args {
		switch v := v.(type) {
		case interp.Element:
			if v.Type != typ {
				return nil, false
			}
		case *interp.Traced:
			if e, isElement := elementOf(v); !isElement || e.Type() != typ {
				return nil, false
			}
		default:
			return nil, false
		}
		x, _ := t.number(v, typ)
		out = append(out, x)
	}
	return out, true
}

// floatType returns the type of a function of <cmath>: float if all operands are float, and otherwise double.
func (t *Tracer) floatType(args []interp.Value) dtype.Type {
	for _, v := range args {
		if interp.TypeOfNumber(v) != interp.CSingle {
			return dtype.F64
		}
	}
	return dtype.F32
}

// largest implements max and min of CUDA's device code: of two integers of one type, of an int and an unsigned, and of
// floats, where a NaN is no number. std::max of floats is a choice: it returns the first of two equal numbers.
func largest(op string) function {
	ints := least(op)
	return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
		if t.python || len(c.Args) != 2 {
			return ints(t, c)
		}
		a, b := interp.TypeOfNumber(c.Args[0]), interp.TypeOfNumber(c.Args[1])
		typ := elementTypes[interp.CommonType(a, b)]
		if typ == 0 || a != b && (typ != dtype.F64 && typ != dtype.U32 || c.Std) {
			return nil, unknown(c)
		}
		x, ok := t.operands(typ, c.Args)
		if _, isIndex := indexOf(c.Args[0]); isIndex && typ.Kind() != dtype.Float {
			if _, isIndex := indexOf(c.Args[1]); isIndex && a == b {
				return ints(t, c)
			}
			x, ok = t.lowBitsOfAll(c.Args, typ)
		}
		if !ok {
			return nil, unknown(c)
		}
		if c.Std {
			return t.value(t.firstOf(op, x)), nil
		}
		if op == "max" {
			return t.value(x[0].Max(x[1])), nil
		}
		return t.value(x[0].Min(x[1])), nil
	}
}

// firstOf returns std::max(x, y) or std::min(x, y).
func (t *Tracer) firstOf(op string, x []kernel.Value) kernel.Value {
	if op == "max" {
		return t.k.Select(x[0].Less(x[1]), x[1], x[0])
	}
	return t.k.Select(x[1].Less(x[0]), x[1], x[0])
}

// lowBitsOfAll returns integers as elements of a type.
func (t *Tracer) lowBitsOfAll(args []interp.Value, typ dtype.Type) (out []kernel.Value, ok bool) {
	for _, v := range args {
		x, ok := t.lowBits(v, typ)
		if !ok {
			return nil, false
		}
		out = append(out, x)
	}
	return out, true
}

// abs implements abs of a signed integer or of a float.
func (t *Tracer) abs(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 1 || t.python {
		return nil, unknown(c)
	}
	typ := elementTypes[interp.CommonType(interp.CIntType, interp.TypeOfNumber(c.Args[0]))]
	x, ok := t.number(c.Args[0], typ)
	if !ok || typ == dtype.U32 || typ == dtype.U64 {
		return nil, unknown(c)
	}
	return t.value(x.Abs()), nil
}
