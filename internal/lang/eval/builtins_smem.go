package eval

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
)

// This file has the helpers of host code in cutlass.utils of the CuTe DSL: layouts of shared memory for the stages of a
// pipeline, and tiled MMAs of types.

// The words of utils.LayoutEnum.
const (
	rowMajor = "ROW_MAJOR"
	colMajor = "COL_MAJOR"
)

// helperRows returns the rows of the helpers that choose layouts of shared memory and tiled MMAs.
func helperRows() []Builtin {
	const (
		tile   = "mma_tiler_mnk, "
		smem   = "shared memory of a pipeline for operand "
		common = "a_leading_mode, b_leading_mode, acc_dtype, "
		staged = "Sw<3,3,3> o 0 o ((8,16),(64,1),(1,4)):((64,512),(1,0),(0,8192))"
	)
	rows := []Builtin{
		smemRow("make_smem_layout_a", "Returns the layout of "+smem+"A: ", []form{
			{"a_layout, " + tile + "a_dtype, num_stages", stagesOf('a', 0)},
			{"tiled_mma, " + tile + "a_dtype, num_stages, is_k_major?", stagesOfMMA('a')},
		}).example("ROW_MAJOR, (128,128,64), Float16, 4", staged),
		smemRow("make_smem_layout_b", "Returns the layout of "+smem+"B: ", []form{
			{"b_layout, " + tile + "b_dtype, num_stages", stagesOf('b', 1)},
			{"tiled_mma, " + tile + "b_dtype, num_stages, is_k_major?", stagesOfMMA('b')},
		}).example("ROW_MAJOR, (128,128,64), Float16, 4", staged),
		smemRow("make_smem_layout_epi", "Returns the layout of shared memory for the stages of an epilogue: ", []form{
			{"epi_dtype, epi_layout, epi_tile, epi_stage, smem_trg_shape?, smem_order?", epilogueStages},
		}).example("Float16, ROW_MAJOR, (64,32), 2", "Sw<2,3,3> o 0 o ((8,8),(32,1),(1,2)):((32,256),(1,0),(0,2048))"),
		smemRow("make_trivial_tiled_mma", "Returns the tiled MMA of wgmma or tcgen05.mma for types: ", []form{
			{"a_dtype, b_dtype, " + common + "cta_group, mma_tiler_mn, a_source?", trivialMMA},
			{"ab_dtype, " + common + "cta_group, mma_tiler_mn, a_source?", trivialMMA},
			{"a_dtype, b_dtype, " + common + "atom_layout_mnk, tiler_mn, a_source?", trivialMMA},
		}).example("Float16, Float16, K, K, Float32, (2,1,1), (64,128)",
			`tiled_mma("SM90_64x128x16_F32F16F16_SS",(2,1,1):(1,0,0),<_,_,_>)`),
		smemRow("from_tensor", "Returns which of LayoutEnum a layout is, by the mode of stride 1: ", []form{
			{"tensor", majorOfTensor},
		}).example("(8,4):(4,1)", "LayoutEnum(ROW_MAJOR)"),
	}
	for _, q := range []struct{ name, yes string }{
		{"is_k_major_a", rowMajor},
		{"is_m_major_a", colMajor},
		{"is_k_major_b", rowMajor},
		{"is_n_major_b", colMajor},
		{"is_n_major_c", rowMajor},
		{"is_m_major_c", colMajor},
	} {
		rows = append(rows, smemRow(q.name, "Reports whether LayoutEnum is "+q.yes+", as the CuTe DSL asks it: ", []form{
			{"layout", func(o *opArguments) (Value, error) { return Bool(o.layoutEnum("layout") == q.yes), nil }},
		}).example(q.yes, "true"))
	}
	major := smemRow("mma_major_mode", "Returns the major of a LayoutEnum, K for ROW_MAJOR and MN for COL_MAJOR: ", []form{
		{"layout", func(o *opArguments) (Value, error) {
			return Member{"OperandMajorMode", majorWord(o.layoutEnum("layout"))}, nil
		}},
	}).example(rowMajor, "OperandMajorMode(K)")
	major.Aliases = []string{"sm90_mma_major_mode"}
	return append(rows, major)
}

// layoutEnum returns a member of LayoutEnum.
func (o *opArguments) layoutEnum(param string) string { return o.word(param, rowMajor, colMajor) }

// smemRow returns the row of a helper with its forms in the documentation.
//
//go:noinline
func smemRow(name, doc string, forms []form) Builtin {
	lists := make([]string, len(forms))
	for i, f := range forms {
		lists[i] = name + "(" + f.params + ")"
	}
	return opRow(name, doc+strings.Join(lists, " or ")+" of the CuTe DSL.", forms)
}

// example returns the row with an example.
//
//go:noinline
func (b Builtin) example(args, output string) Builtin {
	b.Example, b.Output = b.Name+"("+args+")", output
	return b
}

// majorWord returns the major of a LayoutEnum.
func majorWord(layout string) string {
	if layout == rowMajor {
		return "K"
	}
	return "MN"
}

// stagesOf makes the layout of operand A or B of wgmma. mode is the mode of M or N in the tile.
//
//go:noinline
func stagesOf(operand byte, mode int) func(o *opArguments) (Value, error) {
	return func(o *opArguments) (Value, error) {
		p := string(operand)
		major := majorWord(o.layoutEnum(p + "_layout"))
		tile := o.extents("mma_tiler_mnk", 3, 0)
		return o.stages(sharedTile{major: major, of: o.typ(p + "_dtype"), rows: tile[mode], columns: tile[2]}, "")
	}
}

// A sharedTile is a tile of shared memory: rows along M or N, and columns along K. K is contiguous if the major is K.
type sharedTile struct {
	major         string
	of            dtype.Type
	rows, columns int64
}

// atom returns the widest atom whose swizzle divides the contiguous extent.
func (t sharedTile) atom(kinds map[int64]string) (descriptor.Atom, error) {
	n := t.columns
	if t.major == "MN" {
		n = t.rows
	}
	if n%8 != 0 {
		return descriptor.Atom{}, &cute.Error{
			Code: cute.CodeNotDivisible,
			Msg:  fmt.Sprintf("the contiguous extent of shared memory must be a multiple of 8, found %d", n),
		}
	}
	kind := "INTER"
	for _, bits := range []int64{1024, 512, 256} {
		if n*int64(t.of.Bits())%bits == 0 {
			kind = kinds[bits]
			break
		}
	}
	return descriptor.FindAtom(t.major + "_" + kind + "<" + t.of.String() + ">")
}

// The swizzles by the bits that they span.
var (
	kindsSM90  = map[int64]string{1024: "SW128", 512: "SW64", 256: "SW32"}
	kindsSM100 = map[int64]string{1024: "SW128_32B", 512: "SW64", 256: "SW32"} // for MN-major operands of 32-bit words
)

// stages tiles an atom to the shape of the tile with the stages after it. If given is not "", it is the parameter with
// another shape.
func (o *opArguments) stages(t sharedTile, given string) (Value, error) {
	count := "num_stages"
	if o.has("epi_stage") {
		count = "epi_stage"
	}
	n := o.number(count, 1)
	if o.err != nil {
		return nil, o.err
	}
	a, err := t.atom(kindsSM90)
	if err != nil {
		return nil, err
	}
	var shape, order Value = Tuple{cute.Ints(t.rows, t.columns, n)}, Tuple{cute.Ints(0, 1, 2)}
	if t.major == "MN" {
		order = Tuple{cute.Ints(1, 0, 2)}
	}
	if given != "" && o.has(given) {
		shape = o.c.args[o.at[given]]
	}
	if o.has("smem_order") {
		order = o.c.args[o.at["smem_order"]]
	}
	return o.c.env.builtin(o.c.expr, "tile_to_shape", o.c.env.layoutAtom(a), shape, order)
}

func epilogueStages(o *opArguments) (Value, error) {
	major := majorWord(o.layoutEnum("epi_layout"))
	tile := o.extents("epi_tile", 2, 0)
	t := sharedTile{major: major, of: o.typ("epi_dtype"), rows: tile[0], columns: tile[1]}
	if t.major == "MN" && t.of.Bits() == 32 && t.rows%32 == 0 {
		o.c.env.note("this is the layout of utils.sm90; utils.sm100 swizzles MN-major words by MN_SW128_32B")
	}
	return o.stages(t, "smem_trg_shape")
}

// stagesOfMMA makes the layout of operand A or B of tcgen05.mma: the tile in pieces of the instruction.
//
//go:noinline
func stagesOfMMA(operand byte) func(o *opArguments) (Value, error) {
	return func(o *opArguments) (Value, error) {
		m, err := o.c.mmaOf(0)
		if err != nil {
			return nil, err
		}
		of, major, mode := atom.OperandA, m.Atom().AMajor, 0
		if operand == 'b' {
			of, major, mode = atom.OperandB, m.Atom().BMajor, 1
		}
		word := major.String()
		if o.has("is_k_major") {
			word = map[bool]string{true: "K", false: "MN"}[o.isTrue("is_k_major")]
		}
		tile, n := o.extents("mma_tiler_mnk", 3, 0), o.number("num_stages", 1)
		t := sharedTile{major: word, of: o.typ(string(operand) + "_dtype")}
		if o.err != nil {
			return nil, o.err
		}
		parts, err := m.PartitionShape(of, cute.Ints(tile[mode], tile[2]))
		if err != nil {
			return nil, err
		}
		return o.tiledToMMA(t, parts, n)
	}
}

// tiledToMMA tiles an atom to the parts ((MN,K),RestMN,RestK) of an operand and the stages: tile_to_mma_shape.
func (o *opArguments) tiledToMMA(t sharedTile, parts cute.Tuple, stages int64) (Value, error) {
	xs := parts.Leaves()
	if len(xs) != 4 {
		return nil, &cute.Error{
			Code: cute.CodeRank, Op: o.c.fn.Name, Msg: fmt.Sprintf("expected a part ((MN,K),RestMN,RestK), found %v", parts),
		}
	}
	t.rows, t.columns = xs[0]*xs[2], xs[1]*xs[3]
	kinds, order := kindsSM90, cute.Ints(0, 1, 2)
	if t.major == "MN" {
		if order = cute.Ints(1, 0, 2); t.of.Bits() == 32 {
			kinds = kindsSM100
		}
	}
	a, err := t.atom(kinds)
	if err != nil {
		return nil, err
	}
	flat, err := o.c.env.builtin(o.c.expr, "tile_to_shape", o.c.env.layoutAtom(a),
		Tuple{cute.Ints(t.rows, t.columns, stages)}, Tuple{order})
	if err != nil {
		return nil, err
	}
	whole, ok := flat.(Composed)
	if !ok {
		return flat, nil
	}
	// Split (rows,columns,stages) into the rows and columns of an instruction, and their repetitions.
	mapped, err := whole.Map(func(l cute.Layout) (cute.Layout, error) {
		cut, err := cute.TiledDivideExact(l, cute.MakeTile(cute.Int(xs[0]), cute.Int(xs[1])))
		if err != nil {
			return cute.Layout{}, err
		}
		return cute.CoalesceProfile(cut, cute.MustParseTuple("((1,1),1,1,1)"))
	})
	return Composed{mapped}, err
}

// trivialMMA implements make_trivial_tiled_mma. The version of utils.sm90 takes the layout of the atoms; the version of
// utils.sm100 takes the group of CTAs instead.
func trivialMMA(o *opArguments) (Value, error) {
	for from, to := range map[string]string{
		"a_leading_mode": "a_major_mode", "b_leading_mode": "b_major_mode", "tiler_mn": "shape_mnk", "mma_tiler_mn": "shape_mnk",
		"a_source": "a_src",
	} {
		if i, ok := o.at[from]; ok {
			o.at[to] = i
		}
	}
	a, _, _ := o.mmaTypes()
	atoms, isWarpgroup := o.at["atom_layout_mnk"]
	if !isWarpgroup {
		switch i := o.at["cta_group"]; o.c.args[i].(type) {
		case Tuple, Layout:
			atoms, isWarpgroup = i, true
		}
	}
	makeAtom := tcgenMMA(map[dtype.Type]string{
		dtype.F16: "F16BF16", dtype.BF16: "F16BF16", dtype.TF32: "TF32", dtype.S8: "S8", dtype.U8: "S8",
	}[a])
	switch {
	case isWarpgroup:
		makeAtom = warpgroupMMA
	case a.Kind() == dtype.Float && a.Bits() <= 8:
		makeAtom = tcgenMMA("F8F6F4")
	}
	v, err := makeAtom(o)
	if err != nil || o.err != nil {
		return nil, err
	}
	operands := []Value{v}
	if isWarpgroup {
		operands = append(operands, o.c.args[atoms])
	}
	return o.c.env.builtin(o.c.expr, "tiled_mma", operands...)
}

func majorOfTensor(o *opArguments) (Value, error) {
	t, err := o.c.tensor(0)
	if err != nil {
		return nil, err
	}
	for i, m := range t.Domain().Modes() {
		if s := m.Stride().Leaves(); len(s) > 0 && s[0] == 1 && i < 2 {
			return Member{"LayoutEnum", []string{colMajor, rowMajor}[i]}, nil
		}
	}
	return nil, o.c.bad(0, "a layout of a matrix with a stride of 1")
}
