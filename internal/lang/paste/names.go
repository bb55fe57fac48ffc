package paste

import (
	"slices"
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// This file rewrites names that the language spells otherwise: paths of Python modules, members of enumerations,
// attributes, and members of C++ traits.
//
//	cute.nvgpu.warp.MmaF16BF16Op(T, T, s)   cute.MmaF16BF16Op(T, T, s)
//	utils.LayoutEnum.ROW_MAJOR              LayoutEnum(ROW_MAJOR)
//	mma.shape_mnk[0]                        mma.shape_mnk()[0]
//	MMA_Traits<SM70_8x8x4_..._NT>::CLayout  tv_layout_C("SM70_8x8x4_..._NT")

const (
	pieceModule = pattern.Pattern(`^(?:(?:cutlass|cute|nvgpu|warp|warpgroup|cpasync|tcgen05|common|sm\d+|` +
		`(?:\w+_)?utils|(?:\w+_)?helpers)\.)+`)
	pieceDotted    = pattern.Pattern(`^([A-Z]\w*)\.([A-Za-z]\w*)`)
	pieceAttribute = pattern.Pattern(`^\.([A-Za-z_]\w*)`)
	pieceTrait     = pattern.Pattern(`^\s*::([A-Za-z_]\w*)(?:\s*\{\s*\})?`)
	pieceInts      = pattern.Pattern(`^<(?:\s*(?:\d+|_\d+|Int<\d+>)\s*,?)+>$`)
)

// module rewrites a path of modules before a name, or a member of an enumeration, at the beginning of a text. It
// returns how much of the text it has rewritten.
func (r *rewriter) module(text string) int {
	if out := r.out.String(); strings.HasSuffix(out, ".") {
		return 0
	}
	path := pieceModule.FindString(text)
	if m := pieceDotted.FindStringSubmatch(text[len(path):]); m != nil {
		members, known := eval.Enumerations()[m[1]]
		switch {
		case known && slices.Contains(members, m[2]):
			r.out.WriteString(m[1] + "(" + m[2] + ")")
			return len(path) + len(m[0])
		case known: // LayoutEnum.from_tensor(x)
			r.out.WriteString("cute.")
			return len(path) + len(m[1]) + 1
		}
	}
	if path != "" {
		r.out.WriteString("cute.")
	}
	return len(path)
}

// attribute rewrites an attribute that is a function of the language, at the beginning of a text. It returns how much
// of the text it has rewritten.
func (r *rewriter) attribute(text string) int {
	m := pieceAttribute.FindStringSubmatch(text)
	if m == nil || m[1] == "shape" || m[1] == "stride" || m[1] == "value" {
		return 0
	}
	before := r.out.String()
	next := strings.TrimLeft(text[len(m[0]):], " \t")
	if before == "" || !isNameByte(before[len(before)-1]) && strings.IndexByte(")]}>", before[len(before)-1]) < 0 ||
		next != "" && strings.IndexByte("(<", next[0]) >= 0 {
		return 0
	}
	if _, ok := eval.Lookup(m[1]); !ok {
		return 0
	}
	r.out.WriteString(m[0] + "()")
	return len(m[0])
}

// traitMembers are the members of C++ traits and atoms. %O is the operation and %T the type of the values.
var traitMembers = map[string]map[string]string{
	"MMA_Traits": {
		"ALayout": `tv_layout_A(%O)`, "BLayout": `tv_layout_B(%O)`, "CLayout": `tv_layout_C(%O)`,
		"ThrID": `thr_id(%O)`, "Shape_MNK": `shape_mnk(%O)`,
	},
	"MMA_Atom": {
		"LayoutA_TV": `tv_layout_A(%O)`, "LayoutB_TV": `tv_layout_B(%O)`, "LayoutC_TV": `tv_layout_C(%O)`,
		"ALayout": `tv_layout_A(%O)`, "BLayout": `tv_layout_B(%O)`, "CLayout": `tv_layout_C(%O)`,
		"ThrID": `thr_id(%O)`, "Shape_MNK": `shape_mnk(%O)`,
	},
	"Copy_Traits": {
		"SrcLayout": `tv(copy_atom(%O,"b1"),S)`, "DstLayout": `tv(copy_atom(%O,"b1"),D)`,
		"RefLayout": `tv(copy_atom(%O,"b1"),R)`, "ThrID": `thr_id(copy_atom(%O,"b1"))`,
	},
	"Copy_Atom": {
		"ValLayoutSrc": `tv(copy_atom(%O,%T),S)`, "ValLayoutDst": `tv(copy_atom(%O,%T),D)`,
		"ValLayoutRef": `tv(copy_atom(%O,%T),R)`, "BitLayoutSrc": `tv(copy_atom(%O,"b1"),S)`,
		"BitLayoutDst": `tv(copy_atom(%O,"b1"),D)`, "BitLayoutRef": `tv(copy_atom(%O,"b1"),R)`,
		"ThrID": `thr_id(copy_atom(%O,%T))`,
	},
}

// trait rewrites a member of C++ traits, and returns how much of the text it has rewritten, 0 for other pieces.
func (r *rewriter) trait(p *piece, text string) int {
	member := pieceTrait.FindStringSubmatch(p.afterList)
	if p.list == "" || member == nil {
		return 0
	}
	written, ok := traitMembers[p.base][member[1]]
	if !ok {
		return 0
	}
	args := cutOutside(p.list[1:len(p.list)-1], ',')
	if len(args) > 1 && !strings.HasPrefix(p.base, "Copy_Atom") {
		return 0
	}
	op, of := strings.TrimPrefix(strings.TrimSpace(args[0]), "cute::"), `"b1"`
	for _, around := range []string{"MMA_Traits<", "MMA_Atom<", "Copy_Traits<"} {
		if in, ok := strings.CutPrefix(op, around); ok {
			op = strings.TrimSpace(strings.TrimSuffix(in, ">"))
		}
	}
	if syntax.IsInstruction(op) {
		op = `"` + op + `"`
	}
	if len(args) > 1 {
		of = `"` + strings.TrimSpace(args[1]) + `"`
	}
	r.out.WriteString(strings.NewReplacer("%O", op, "%T", of).Replace(written))
	return len(text) - len(p.afterList) + len(member[0])
}

// isFunctionOfInts reports whether the piece is a type of a name that is a function of the language, with integers:
// GMMA::ABLayout<64,16>{} is ABLayout<64,16>().
func (p *piece) isFunctionOfInts() bool {
	if p.list == "" || p.call != "" || !pieceInts.MatchString(p.list) {
		return false
	}
	b, ok := eval.Lookup(p.base)
	return ok && b.IsTypeOfIntegers()
}
