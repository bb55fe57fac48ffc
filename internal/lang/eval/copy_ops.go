package eval

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tmem"
)

// This file has the copy operations of the CuTe DSL and make_copy_atom, which makes an instruction of them.

// copyOpRows are the copy operations, and what makes atoms.
func copyOpRows() []Builtin {
	const matrix = "transpose?, num_matrices?, unpack_bits?"
	rows := []Builtin{
		copyOpRow("CopyUniversalOp", "the copy of one thread", "memory_order?, memory_scope?", oneName("UniversalCopy<*>")),
		copyOpRow("CopyG2SOp", "cp.async", "cache_mode?", asyncCopy),
		copyOpRow("LdMatrix8x8x16bOp", "ldmatrix", matrix, matrixCopy("SM75_U32x%d_LDSM_N", "SM75_U16x%d_LDSM_T")),
		copyOpRow("StMatrix8x8x16bOp", "stmatrix", matrix, matrixCopy("SM90_U32x%d_STSM_N", "SM90_U16x%d_STSM_T")),
		copyOpRow("LdMatrix16x16x8bOp", "ldmatrix of 8-bit matrices", matrix, matrixCopy("", "SM100_U8x%d_LDSM_T")),
		copyOpRow("StMatrix16x8x8bOp", "stmatrix of 8-bit matrices", matrix, matrixCopy("", "SM100_U8x%d_STSM_T")),
		copyOpRow("CopyBulkTensorTileG2SOp", "a TMA load", "cta_group?", loadByTMA("")),
		copyOpRow("CopyBulkTensorTileG2SMulticastOp", "a TMA load to several CTAs", "cta_group?", loadByTMA("_MULTICAST")),
		copyOpRow("CopyBulkTensorTileS2GOp", "a TMA store", "", oneName("SM90_TMA_STORE<*>")),
		copyOpRow("CopyBulkG2SOp", "a bulk copy to shared memory", "", oneName("SM90_BULK_COPY_G2S<*>")),
		copyOpRow("CopyBulkS2GOp", "a bulk copy from shared memory", "", oneName("SM90_BULK_COPY_S2G<*>")),
	}
	rows[0].Aliases = []string{"CopyG2ROp", "CopyR2GOp", "CopyS2ROp", "CopyR2SOp"}
	for _, shape := range []string{"16x64b", "16x128b", "16x256b", "32x32b"} {
		lanes, bits, _ := strings.Cut(shape, "x")
		name := "SM100_TMEM_LOAD_" + lanes + "dp" + bits
		rows = append(rows,
			copyOpRow("Ld"+shape+"Op", "tcgen05.ld", "repeat?, pack?", tensorMemory(name, "PACK_16b_IN_32b")),
			copyOpRow("St"+shape+"Op", "tcgen05.st", "repeat?, unpack?",
				tensorMemory(strings.Replace(name, "LOAD", "STORE", 1), "UNPACK_32b_IN_16b")))
	}
	return append(rows,
		Builtin{
			Name: "make_copy_atom", Params: "op, type, num_bits_per_copy?", named: []int{0, 1},
			texts: []TextKind{TextCopy, TextType}, inModule: true,
			Doc: "Returns the copy instruction of an operation of the CuTe DSL for values of a type: its make_copy_atom. " +
				"copy_atom takes the name of the instruction.",
			Example: "make_copy_atom(CopyUniversalOp(), Float16, 128)",
			Output:  `copy_atom("UniversalCopy<uint128_t>","f16")`,
			known:   (*call).makeCopyAtom,
		},
		Builtin{
			Name: "make_mma_atom", Params: "op", texts: []TextKind{TextMMA}, inModule: true,
			Doc:     "Returns the instruction of an MMA operation: make_mma_atom of the CuTe DSL.",
			Example: "make_mma_atom(MmaF16BF16Op(Float16, Float32, (16,8,16)))", Output: `mma("SM80_16x8x16_F32F16F16F32_TN")`,
			known: findMMA,
		},
	)
}

// copyOpRow returns the row of a copy operation with one form.
//
//go:noinline
func copyOpRow(name, what, params string, instruction func(o *opArguments) string) Builtin {
	doc := "Returns a copy operation of the CuTe DSL, " + what + ", for make_copy_atom: " + name + "(" + params + ")."
	b := opRow(name, doc, []form{{
		params, func(o *opArguments) (Value, error) {
			op := CopyOp{name: instruction(o), text: o.c.fn.Name + "("}
			for i := range o.c.args {
				key := ""
				for param, at := range o.at {
					if at == i {
						key = param + "="
					}
				}
				if i > 0 {
					op.text += ","
				}
				text := o.c.args[i].String()
				if names, ok := o.c.args[i].(Names); ok {
					text = strings.Join(names, ",")
				}
				op.text += key + text
			}
			op.text += ")"
			return op, o.err
		},
	}})
	b.Params = "argument?, ..."
	b.Example, b.Output = name+"()", name+"()"
	if strings.Contains(params, "transpose") && !strings.Contains(name, "16b") {
		b.Example, b.Output = name+"(True)", name+"(transpose=True)"
	}
	return b
}

// oneName names one instruction.
//
//go:noinline
func oneName(name string) func(o *opArguments) string {
	return func(*opArguments) string { return name }
}

func asyncCopy(o *opArguments) string {
	mode := o.word("cache_mode", "ALWAYS", "GLOBAL", "STREAMING", "LAST_USE", "NONE")
	if mode != "ALWAYS" && mode != "GLOBAL" {
		o.fail(o.c.bad(0, "a cache mode that cp.async has, ALWAYS or GLOBAL"))
	}
	return "SM80_CP_ASYNC_CACHE" + mode + "<*>"
}

// loadByTMA names a load of the copy engine.
//
//go:noinline
func loadByTMA(suffix string) func(o *opArguments) string {
	return func(o *opArguments) string {
		if o.word("cta_group", "ONE", "TWO") == "TWO" {
			return "SM100_TMA_2SM_LOAD" + suffix + "<*>"
		}
		return "SM90_TMA_LOAD" + suffix + "<*>"
	}
}

// matrixCopy names an instruction for matrices, by their number.
//
//go:noinline
func matrixCopy(straight, transposed string) func(o *opArguments) string {
	return func(o *opArguments) string {
		n, isTransposed := o.number("num_matrices", 1), o.isTrue("transpose")
		if o.has("unpack_bits") {
			if v, ok := o.c.args[o.at["unpack_bits"]].(Coord); !ok || v.String() != "_" {
				o.fail(o.c.bad(o.at["unpack_bits"], "None: unpacking is not modelled"))
			}
		}
		switch {
		case !isTransposed && straight == "":
			o.fail(&cute.Error{Code: cute.CodeType, Op: o.c.fn.Name, Msg: "expected transpose=True, found False"})
			return ""
		case !isTransposed:
			return fmt.Sprintf(straight, n)
		case strings.Contains(transposed, "U8x%d_LDSM"):
			return fmt.Sprintf(transposed, 8*n)
		case strings.Contains(transposed, "U8x"):
			return fmt.Sprintf(transposed, 4*n)
		}
		return fmt.Sprintf(transposed, 2*n)
	}
}

// tensorMemory names an instruction between tensor memory and registers.
//
//go:noinline
func tensorMemory(name, packed string) func(o *opArguments) string {
	param := "pack"
	if strings.HasPrefix(packed, "UN") {
		param = "unpack"
	}
	return func(o *opArguments) string {
		times := o.word("repeat", "x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128")
		full := name + times[1:] + "x"
		if o.word(param, "NONE", packed) == packed {
			full += "_16b"
		}
		return full
	}
}

func (c *call) makeCopyAtom() (Value, error) {
	t, err := c.elementType(1)
	if err != nil {
		return nil, err
	}
	var name string
	switch op := c.args[0].(type) {
	case CopyAtom:
		a, err := atom.MakeCopyAtom(op.Copy, t)
		return CopyAtom{a}, err
	case CopyOp:
		name = op.name
	default:
		if name, err = c.name(0); err != nil {
			return nil, c.bad(0, "a copy operation, such as CopyUniversalOp()")
		}
	}
	bits := int64(t.Bits())
	if len(c.args) > 2 {
		if bits, err = c.integer(2); err != nil {
			return nil, err
		}
	}
	if strings.Contains(name, "*") && len(c.args) < 3 {
		if name != "UniversalCopy<*>" {
			return nil, &cute.Error{
				Code: cute.CodeRank, Op: c.fn.Name,
				Msg:  fmt.Sprintf("expected the bits of one copy for %v, found none", c.args[0]),
				Hint: "num_bits_per_copy=128 moves 16 bytes",
			}
		}
		c.env.note("without num_bits_per_copy the compiler chooses how much is copied at once; here it is one value of "+
			"%d bits", bits)
	}
	of := fmt.Sprintf("uint%d_t", bits)
	if strings.HasPrefix(name, "SM90_") || strings.HasPrefix(name, "SM100_") {
		of = fmt.Sprint(bits)
	}
	a, err := atom.FindCopyAtom(strings.Replace(name, "*", of, 1), t.String())
	return CopyAtom{a}, err
}

// makeTmemCopy implements make_tmem_copy(atom, T, type).
func makeTmemCopy(c *call) (Value, error) {
	a, err := c.copyAtom(0)
	if err != nil {
		return nil, err
	}
	t, err := c.tensor(1)
	if err != nil {
		return nil, err
	}
	elem := dtype.F32
	if len(c.args) > 2 {
		if elem, err = c.elementType(2); err != nil {
			return nil, err
		}
	}
	access, err := tmem.AccessOf(a.Copy)
	if err != nil {
		return nil, err
	}
	tiled, err := access.TiledCopyOf(t.Domain(), int64(elem.Bits()))
	return TiledCopy{tiled}, err
}
