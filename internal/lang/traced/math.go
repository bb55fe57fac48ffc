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

// A mathRow is a function of one to three numbers. The table has no closures, so that the linker lays it out.
type mathRow struct {
	name string
	// of is the type to which the operands are converted. anyFloat is float or double, the common type of C++; anyHalf is
	// half or __nv_bfloat16, the type of all operands.
	of   dtype.Type
	to   dtype.Type // to which the result is converted, or cast if bits is true; 0 if it stays
	bits bool
	f1   func(x kernel.Value) kernel.Value // nil if only the type changes
	f2   func(x, y kernel.Value) kernel.Value
	f3   func(x, y, z kernel.Value) kernel.Value
	note string // what is written instead of CUDA's function; "" if it is this function
}

const (
	anyFloat = dtype.Type(254)
	anyHalf  = dtype.Type(255)
)

// power is __powf: 2 to the power y·log2(x).
func power(x, y kernel.Value) kernel.Value { return y.Mul(x.Log2()).Exp2() }

// quotient divides. Halves are divided as floats, and the quotient is rounded: a float has more than twice the digits.
func quotient(x, y kernel.Value) kernel.Value {
	if typ := x.Type(); typ.Bits() == 16 {
		return x.Convert(dtype.F32).Div(y.Convert(dtype.F32)).Convert(typ)
	}
	return x.Div(y)
}

// Functions of halves are functions of floats, rounded.
func expOfHalf(x kernel.Value) kernel.Value { return x.Convert(dtype.F32).Exp().Convert(x.Type()) }

func logOfHalf(x kernel.Value) kernel.Value { return x.Convert(dtype.F32).Log().Convert(x.Type()) }

func rsqrtOfHalf(x kernel.Value) kernel.Value { return x.Convert(dtype.F32).Rsqrt().Convert(x.Type()) }

func tanhOfHalf(x kernel.Value) kernel.Value { return x.Convert(dtype.F32).Tanh().Convert(x.Type()) }

// The notes of approximations.
const (
	fastExp   = "ex2.approx of the product with log2(e), as nvcc --use_fast_math writes it"
	fastLog   = "lg2.approx times ln(2), as nvcc --use_fast_math writes it"
	fastLog2  = "lg2.approx, as nvcc --use_fast_math writes it"
	fastSin   = "sin.approx, as nvcc --use_fast_math writes it"
	fastCos   = "cos.approx, as nvcc --use_fast_math writes it"
	fastTanh  = "tanh.approx, whose error is 2^-11"
	fastHalf  = "an approximation of PTX for float, rounded"
	fastPower = "ex2.approx of the exponent times lg2.approx, as nvcc --use_fast_math writes it"
)

// mathRows are the functions.
var mathRows = []mathRow{
	{name: "fmax", of: anyFloat, f2: kernel.Value.Max},
	{name: "fmin", of: anyFloat, f2: kernel.Value.Min},
	{name: "fabs", of: anyFloat, f1: kernel.Value.Abs},
	{name: "sqrt", of: anyFloat, f1: kernel.Value.Sqrt},
	{name: "floor", of: anyFloat, f1: kernel.Value.Floor},
	{name: "ceil", of: anyFloat, f1: kernel.Value.Ceil},
	{name: "trunc", of: anyFloat, f1: kernel.Value.Trunc},
	{name: "rint", of: anyFloat, f1: kernel.Value.Round},
	{name: "nearbyint", of: anyFloat, f1: kernel.Value.Round},
	{name: "fma", of: anyFloat, f3: kernel.Value.FMA},
	{name: "rsqrtf", of: dtype.F32, f1: kernel.Value.Rsqrt},
	{name: "exp2f", of: dtype.F32, f1: kernel.Value.Exp2},
	{name: "__expf", of: dtype.F32, f1: kernel.Value.Exp},
	{name: "__logf", of: dtype.F32, f1: kernel.Value.Log},
	{name: "__log2f", of: dtype.F32, f1: kernel.Value.Log2},
	{name: "__sinf", of: dtype.F32, f1: kernel.Value.Sin},
	{name: "__cosf", of: dtype.F32, f1: kernel.Value.Cos},
	{name: "__tanhf", of: dtype.F32, f1: kernel.Value.Tanh},
	{name: "__powf", of: dtype.F32, f2: power},
	{name: "expf", of: dtype.F32, f1: kernel.Value.Exp, note: fastExp},
	{name: "logf", of: dtype.F32, f1: kernel.Value.Log, note: fastLog},
	{name: "log2f", of: dtype.F32, f1: kernel.Value.Log2, note: fastLog2},
	{name: "sinf", of: dtype.F32, f1: kernel.Value.Sin, note: fastSin},
	{name: "cosf", of: dtype.F32, f1: kernel.Value.Cos, note: fastCos},
	{name: "tanhf", of: dtype.F32, f1: kernel.Value.Tanh, note: fastTanh},
	{name: "powf", of: dtype.F32, f2: power, note: fastPower},
	{name: "__fadd_rn", of: dtype.F32, f2: kernel.Value.Add},
	{name: "__fsub_rn", of: dtype.F32, f2: kernel.Value.Sub},
	{name: "__fmul_rn", of: dtype.F32, f2: kernel.Value.Mul},
	{name: "__fdiv_rn", of: dtype.F32, f2: kernel.Value.Div},
	{name: "__fmaf_rn", of: dtype.F32, f3: kernel.Value.FMA},
	{name: "__fsqrt_rn", of: dtype.F32, f1: kernel.Value.Sqrt},
	{name: "__frcp_rn", of: dtype.F32, f1: kernel.Value.Rcp},
	{name: "__int2float_rn", of: dtype.S32, to: dtype.F32},
	{name: "__uint2float_rn", of: dtype.U32, to: dtype.F32},
	{name: "__float2int_rz", of: dtype.F32, to: dtype.S32},
	{name: "__float2int_rn", of: dtype.F32, f1: kernel.Value.Round, to: dtype.S32},
	{name: "__float2int_rd", of: dtype.F32, f1: kernel.Value.Floor, to: dtype.S32},
	{name: "__float2int_ru", of: dtype.F32, f1: kernel.Value.Ceil, to: dtype.S32},
	{name: "__float_as_int", of: dtype.F32, to: dtype.S32, bits: true},
	{name: "__float_as_uint", of: dtype.F32, to: dtype.U32, bits: true},
	{name: "__int_as_float", of: dtype.S32, to: dtype.F32, bits: true},
	{name: "__uint_as_float", of: dtype.U32, to: dtype.F32, bits: true},
	{name: "__popc", of: dtype.U32, f1: kernel.Value.Popc, to: dtype.S32, bits: true},
	{name: "__clz", of: dtype.U32, f1: kernel.Value.Clz, to: dtype.S32, bits: true},
	{name: "__brev", of: dtype.U32, f1: kernel.Value.Brev},
	{name: "__float2half", of: dtype.F32, to: dtype.F16},
	{name: "__float2half_rn", of: dtype.F32, to: dtype.F16},
	{name: "__half2float", of: dtype.F16, to: dtype.F32},
	{name: "__float2bfloat16", of: dtype.F32, to: dtype.BF16},
	{name: "__float2bfloat16_rn", of: dtype.F32, to: dtype.BF16},
	{name: "__bfloat162float", of: dtype.BF16, to: dtype.F32},
	{name: "__hadd", of: anyHalf, f2: kernel.Value.Add},
	{name: "__hsub", of: anyHalf, f2: kernel.Value.Sub},
	{name: "__hmul", of: anyHalf, f2: kernel.Value.Mul},
	{name: "__hdiv", of: anyHalf, f2: quotient},
	{name: "hexp", of: anyHalf, f1: expOfHalf, note: fastHalf},
	{name: "hlog", of: anyHalf, f1: logOfHalf, note: fastHalf},
	{name: "hrsqrt", of: anyHalf, f1: rsqrtOfHalf, note: fastHalf},
	{name: "htanh", of: anyHalf, f1: tanhOfHalf, note: fastHalf},
	{name: "__hfma", of: anyHalf, f3: kernel.Value.FMA},
	{name: "__hmax", of: anyHalf, f2: kernel.Value.Max},
	{name: "__hmin", of: anyHalf, f2: kernel.Value.Min},
	{name: "__hneg", of: anyHalf, f1: kernel.Value.Neg},
	{name: "__habs", of: anyHalf, f1: kernel.Value.Abs},
	{name: "__hadd_rn", of: anyHalf, f2: kernel.Value.Add},
	{name: "__hsub_rn", of: anyHalf, f2: kernel.Value.Sub},
	{name: "__hmul_rn", of: anyHalf, f2: kernel.Value.Mul},
}

// comparisons are the comparisons of halves.
var comparisons = map[string]string{"__hlt": "<", "__hle": "<=", "__hgt": ">", "__hge": ">=", "__heq": "=="}

// overloads are the functions of <cmath> whose version for float has a row.
var overloads = map[string]string{
	"exp": "expf", "exp2": "exp2f", "log": "logf", "log2": "log2f", "sin": "sinf", "cos": "cosf", "tanh": "tanhf",
	"rsqrt": "rsqrtf", "pow": "powf",
}

// mathFunctions returns the functions of the rows.
func mathFunctions() map[string]function {
	out := map[string]function{"max": largest("max"), "min": largest("min"), "abs": (*Tracer).abs}
	for i := range mathRows {
		row := &mathRows[i]
		if out[row.name] = row.function(); row.of == anyFloat {
			ofFloat := *row
			ofFloat.of = dtype.F32
			out[row.name+"f"] = ofFloat.function()
		}
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
		f, rest := out[of], functions[name]
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
func (row *mathRow) function() function {
	return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
		n := 1
		switch {
		case row.f2 != nil:
			n = 2
		case row.f3 != nil:
			n = 3
		}
		if len(c.Args) != n || len(c.Keys) > 0 {
			return nil, unknown(c)
		}
		x, ok := t.operands(row.of, c.Args)
		if !ok {
			return nil, unknown(c)
		}
		if note := fmt.Sprintf("%s is %s", c.Name, row.note); row.note != "" && !slices.Contains(t.out.Notes, note) {
			t.out.Notes = append(t.out.Notes, note)
		}
		return t.value(row.compute(x)), nil
	}
}

// compute computes the function of a row.
func (row *mathRow) compute(x []kernel.Value) kernel.Value {
	v := x[0]
	switch {
	case row.f1 != nil:
		v = row.f1(v)
	case row.f2 != nil:
		v = row.f2(v, x[1])
	case row.f3 != nil:
		v = row.f3(v, x[1], x[2])
	}
	switch {
	case row.bits:
		return v.Bitcast(row.to)
	case row.to != 0:
		return v.Convert(row.to)
	}
	return v
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
