package eval

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// This file has the MMA operations of the CuTe DSL. Each is the instruction of CUTLASS with the same types and shape.
// The module decides which one: warp is mma.sync, warpgroup is wgmma, tcgen05 is tcgen05.mma. Their parameters differ,
// so the arguments say which module is meant.

// mmaOpRows are the MMA operations.
func mmaOpRows() []Builtin {
	const gmma, umma = "a_src, a_major_mode, b_major_mode", "cta_group, a_src, a_major_mode, b_major_mode"
	return []Builtin{
		mmaOpRow("MmaUniversalOp", "the multiply-add of one thread", "Float32", []form{{"abacc_dtype", universalMMA}}),
		mmaOpRow("MmaF16BF16Op", "mma.sync, wgmma or tcgen05.mma for f16 and bf16", "Float16, Float32, (16,8,16)", []form{
			{"ab_dtype, acc_dtype, shape_mnk", warpMMA("SM80")},
			{"ab_dtype, acc_dtype, shape_mnk, " + gmma, warpgroupMMA},
			{"ab_dtype, acc_dtype, shape_mnk, " + umma, tcgenMMA("F16BF16")},
		}),
		mmaOpRow("MmaTF32Op", "mma.sync or tcgen05.mma for tf32", "(16,8,8)", []form{
			{"shape_mnk", warpMMA("SM80")},
			{"shape_mnk, " + umma, tcgenMMA("TF32")},
		}),
		mmaOpRow("MmaFP8Op", "mma.sync or tcgen05.mma for 8-bit floats", "Float8E4M3FN, Float32, (16,8,32)", []form{
			{"ab_dtype, acc_dtype, shape_mnk", warpMMA("SM89")},
			{"ab_dtype, acc_dtype, shape_mnk, " + umma, tcgenMMA("F8F6F4")},
		}),
		mmaOpRow("MmaF8Op", "wgmma for 8-bit floats", `Float8E4M3FN, Float8E5M2, Float32, (64,128), "SMEM", "K", "K"`, []form{
			{"a_dtype, b_dtype, acc_dtype, shape_mnk, " + gmma, warpgroupMMA},
		}),
		mmaOpRow("MmaI8Op", "wgmma or tcgen05.mma for 8-bit integers", `Int8, Int8, Int32, (64,128), "SMEM", "K", "K"`, []form{
			{"a_dtype, b_dtype, acc_dtype, shape_mnk, " + gmma, warpgroupMMA},
			{"ab_dtype, shape_mnk, " + umma, tcgenMMA("S8")},
			{"a_dtype, b_dtype, acc_dtype, shape_mnk, overflow", warpMMA("SM80")},
		}),
		mmaOpRow("MmaF8F6F4Op", "tcgen05.mma for floats of 8, 6 and 4 bits",
			`Float8E4M3FN, Float8E5M2, Float32, (128,256), "ONE", "SMEM", "K", "K"`,
			[]form{{"a_dtype, b_dtype, acc_dtype, shape_mnk, " + umma, tcgenMMA("F8F6F4")}}),
	}
}

// mmaOpRow returns the row of an operation. Its example shows the instruction for the arguments.
//
//go:noinline
func mmaOpRow(name, what, args string, forms []form) Builtin {
	lists := make([]string, len(forms))
	for i, f := range forms {
		lists[i] = "(" + f.params + ")"
	}
	b := opRow(name, "Returns the MMA instruction of an operation of the CuTe DSL, "+what+". Its parameters are "+
		strings.Join(lists, " or ")+".", forms)
	b.Example, b.Output = name+"("+args+").shape_mnk()", mmaOpShapes[name]
	return b
}

// mmaOpShapes are the shapes of the instructions in the examples.
var mmaOpShapes = map[string]string{
	"MmaUniversalOp": "(1,1,1)", "MmaF16BF16Op": "(16,8,16)", "MmaTF32Op": "(16,8,8)", "MmaFP8Op": "(16,8,32)",
	"MmaF8Op": "(64,128,32)", "MmaI8Op": "(64,128,32)", "MmaF8F6F4Op": "(128,256,32)",
}

// opRow returns the row of an operation of the CuTe DSL with one or several forms.
//
//go:noinline
func opRow(name, doc string, forms []form) Builtin {
	named := make([]int, 8)
	for i := range named {
		named[i] = i
	}
	return Builtin{
		Name: name, Params: "argument, ...", arity: from(0), named: named, keywords: true, inModule: true,
		texts: []TextKind{TextType}, Doc: doc, known: using((*call).inForms, forms),
	}
}

// findOp returns the instruction with a name that was made of the arguments.
func (o *opArguments) findOp(name string) (Value, error) {
	if o.err != nil {
		return nil, o.err
	}
	m, err := atom.FindMMA(name)
	return MMAAtom{m}, err
}

// mmaTypes returns the types of A, B and C: ab_dtype is both, and an operation may leave out what it fixes.
func (o *opArguments) mmaTypes() (a, b, acc dtype.Type) {
	a, b, acc = dtype.TF32, dtype.TF32, dtype.F32
	switch {
	case o.has("ab_dtype"):
		a = o.typ("ab_dtype")
		b = a
	case o.has("a_dtype"):
		a, b = o.typ("a_dtype"), o.typ("b_dtype")
	}
	if o.has("acc_dtype") {
		return a, b, o.typ("acc_dtype")
	}
	if o.has("ab_dtype") {
		acc = dtype.S32 // MmaI8Op
	}
	return a, b, acc
}

// upper returns the letters of types in the names of instructions: F32F16F16.
func upper(types ...dtype.Type) string {
	var b strings.Builder
	for _, t := range types {
		b.WriteString(strings.ToUpper(t.String()))
	}
	return b.String()
}

func universalMMA(o *opArguments) (Value, error) {
	t := o.typ("abacc_dtype").CPP()
	return o.findOp(fmt.Sprintf("UniversalFMA<%s,%s,%s,%s>", t, t, t, t))
}

// warpMMA finds an operation of mma.sync.
//
//go:noinline
func warpMMA(arch string) func(o *opArguments) (Value, error) {
	return func(o *opArguments) (Value, error) {
		a, b, acc := o.mmaTypes()
		s := o.extents("shape_mnk", 3, 0)
		saturate := map[string]string{"SATURATE": "_SATURATE"}[o.word("overflow", "WRAP", "SATURATE")]
		return o.findOp(fmt.Sprintf("%s_%dx%dx%d_%s_TN%s", arch, s[0], s[1], s[2], upper(acc, a, b, acc), saturate))
	}
}

// warpgroupMMA finds an operation of wgmma. K spans 32 bytes and may be left out.
func warpgroupMMA(o *opArguments) (Value, error) {
	a, b, acc := o.mmaTypes()
	k := o.depthOf(a)
	s := o.extents("shape_mnk", 2, 3)
	if o.err == nil && s[0] != 64 {
		o.fail(o.c.bad(o.at["shape_mnk"], "a shape with M = 64"))
	}
	from := map[string]string{"SMEM": "SS", "RMEM": "RS"}[o.word("a_src", "SMEM", "RMEM")]
	name := fmt.Sprintf("SM90_64x%dx%d_%s_%s", s[1], k, upper(acc, a, b), from)
	major, minor := o.major("a_major_mode"), o.major("b_major_mode")
	both := "<GMMA::Major::" + major + ",GMMA::Major::" + minor + ">"
	switch {
	case a.Bits() != 16 && both != "<GMMA::Major::K,GMMA::Major::K>":
		o.fail(&cute.Error{
			Code: cute.CodeType, Op: o.c.fn.Name,
			Msg: fmt.Sprintf("wgmma takes %v only K-major, found the majors %s and %s", a, major, minor),
		})
	case a.Bits() != 16:
		name += "_TN"
	case both != "<GMMA::Major::K,GMMA::Major::K>":
		name += both
	}
	return o.findOp(name)
}

// depthOf returns K of wgmma and tcgen05.mma, 32 bytes of A, and refuses another K in the shape.
func (o *opArguments) depthOf(a dtype.Type) int64 {
	k := int64(256 / max(1, a.Bits()))
	if a.Bits() < 8 {
		k = 32 // K of types that are padded to bytes
	}
	if s := o.extents("shape_mnk", 2, 3); o.err == nil && len(s) == 3 && s[2] != k {
		o.fail(o.c.bad(o.at["shape_mnk"], fmt.Sprintf("a shape with K = %d, 32 bytes of A", k)))
	}
	return k
}

func (o *opArguments) major(param string) string { return o.word(param, "K", "MN") }

// tcgenMMA finds an operation of tcgen05.mma.
//
//go:noinline
func tcgenMMA(kind string) func(o *opArguments) (Value, error) {
	return func(o *opArguments) (Value, error) {
		a, b, acc := o.mmaTypes()
		o.depthOf(a)
		s := o.extents("shape_mnk", 2, 3)
		pair := map[string]string{"ONE": "", "TWO": "2x1SM_"}[o.word("cta_group", "ONE", "TWO")]
		from := map[string]string{"SMEM": "SS", "TMEM": "TS"}[o.word("a_src", "SMEM", "TMEM")]
		cpp := func(t dtype.Type) string {
			if t == dtype.S32 {
				return "int32_t"
			}
			return t.CPP()
		}
		return o.findOp(fmt.Sprintf("SM100_MMA_%s_%s%s<%s,%s,%s,%d,%d,UMMA::Major::%s,UMMA::Major::%s>",
			kind, pair, from, cpp(a), cpp(b), cpp(acc), s[0], s[1], o.major("a_major_mode"), o.major("b_major_mode")))
	}
}
