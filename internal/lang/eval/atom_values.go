package eval

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/internal/lang/syntax"
)

// This file defines the values for the instructions of package atom, and for tiled MMAs and copies built from them.

// The kinds of instructions.
const (
	KindMMAAtom   Kind = "mma_atom"
	KindCopyAtom  Kind = "copy_atom"
	KindTiledMMA  Kind = "tiled_mma"
	KindTiledCopy Kind = "tiled_copy"
	KindText      Kind = "text"
)

type (
	// A MMAAtom is an MMA instruction.
	MMAAtom struct{ atom.MMA }
	// A CopyAtom is a copy instruction for values of one type.
	CopyAtom struct{ atom.CopyAtom }
	// A TiledMMA repeats an MMA instruction over threads and values.
	TiledMMA struct{ atom.TiledMMA }
	// A TiledCopy spreads a copy instruction over threads and values.
	TiledCopy struct{ atom.TiledCopy }
	// A Text is a name in quotation marks.
	Text string
)

func (MMAAtom) value()   {}
func (CopyAtom) value()  {}
func (TiledMMA) value()  {}
func (TiledCopy) value() {}
func (Text) value()      {}

// Kind returns [KindMMAAtom].
func (MMAAtom) Kind() Kind { return KindMMAAtom }

// Kind returns [KindCopyAtom].
func (CopyAtom) Kind() Kind { return KindCopyAtom }

// Kind returns [KindTiledMMA].
func (TiledMMA) Kind() Kind { return KindTiledMMA }

// Kind returns [KindTiledCopy].
func (TiledCopy) Kind() Kind { return KindTiledCopy }

// Kind returns [KindText].
func (Text) Kind() Kind { return KindText }

// String returns mma("SM80_16x8x16_F32F16F16F32_TN").
func (a MMAAtom) String() string { return fmt.Sprintf("mma(%q)", a.Name) }

// String returns copy_atom("SM75_U32x4_LDSM_N","f16").
func (a CopyAtom) String() string { return fmt.Sprintf("copy_atom(%q,%q)", a.Name, a.Type) }

// String returns tiled_mma("NAME",ATOMS,<M,N,K>).
func (m TiledMMA) String() string {
	return fmt.Sprintf("tiled_mma(%q,%v,%s)", m.Atom().Name, m.AtomLayoutMNK(), m.PermutationText())
}

// String returns tiled_copy_tv(ATOM,TV,TILER).
func (c TiledCopy) String() string {
	return fmt.Sprintf("tiled_copy_tv(%v,%v,%v)", CopyAtom{c.Atom()}, c.LayoutTV(), tilerValue(c.Tiler()))
}

// String returns the text in quotation marks.
func (t Text) String() string { return `"` + string(t) + `"` }

// text evaluates "NAME".
func (e *Env) text(x *syntax.Text) (Value, error) { return Text(x.Value), nil }

// instruction returns the instruction or the layout atom with the given name. A copy instruction moves values of the
// type in its own name.
func (e *Env) instruction(name string) (Value, error) {
	if at := strings.Index(name, "Layout_"); at >= 0 && syntax.IsLayoutAtom(name[at:]) {
		a, err := descriptor.FindAtom(name)
		if err != nil {
			return nil, err
		}
		return e.layoutAtom(a), nil
	}
	if in, ok := strings.CutPrefix(name, "Copy_Atom<"); ok {
		at := strings.LastIndexByte(in, ',')
		if at < 0 {
			return nil, &cute.Error{Code: cute.CodeType, Msg: fmt.Sprintf("expected Copy_Atom<OPERATION, TYPE>, found %s", name)}
		}
		a, err := atom.FindCopyAtom(in[:at], strings.TrimSpace(strings.TrimSuffix(in[at+1:], ">")))
		return CopyAtom{a}, err
	}
	m, c, err := atom.Find(name)
	switch {
	case err != nil:
		return nil, err
	case m != nil:
		if strings.HasPrefix(name, "SM90_64x") && !strings.HasPrefix(name, m.Name) && !strings.HasPrefix(m.Name, name) {
			e.note("%s is the name in CUTLASS's documentation; the struct is %s", name, m.Name)
		}
		return MMAAtom{*m}, nil
	}
	a, err := atom.MakeCopyAtom(*c, c.ValueType())
	if err != nil {
		return nil, err
	}
	e.note("%s moves bits, here as values of %v; copy_atom(%s, TYPE) takes another type", c.Name, a.Type, c.Name)
	return CopyAtom{a}, nil
}

// layoutAtom returns the layout of a shared memory atom, in elements.
func (e *Env) layoutAtom(a descriptor.Atom) Value {
	e.note("CuTe prints %s as %v, with a swizzle of bytes; the swizzle of this value is of elements", a.Name(), a)
	return Composed{a.Elements}
}

// name returns argument i as a name: a text in quotation marks, or a bare name.
func (c *call) name(i int) (string, error) {
	switch t := c.args[i].(type) {
	case Text:
		return string(t), nil
	case Names:
		if len(t) == 1 {
			return t[0], nil
		}
	case Member:
		return t.word, nil
	case ElementType:
		return t.Type.String(), nil
	}
	return "", c.bad(i, `a name, such as "SM80_16x8x16_F32F16F16F32_TN"`)
}

// mmaAtom returns argument i as an MMA instruction, given as a value or by its name.
func (c *call) mmaAtom(i int) (atom.MMA, error) {
	switch a := c.args[i].(type) {
	case MMAAtom:
		return a.MMA, nil
	case TiledMMA: // a TiledMMA of CuTe is an MMA_Atom, too
		return a.Atom(), nil
	}
	name, err := c.name(i)
	if err != nil {
		return atom.MMA{}, err
	}
	return atom.FindMMA(name)
}

// copyAtom returns argument i as a copy instruction.
func (c *call) copyAtom(i int) (atom.CopyAtom, error) {
	a, ok := c.args[i].(CopyAtom)
	if !ok {
		return atom.CopyAtom{}, c.bad(i, `a copy atom, such as copy_atom("SM75_U32x4_LDSM_N", "f16")`)
	}
	return a.CopyAtom, nil
}

// operand returns argument i as one of the allowed operands among A, B, C, S and D.
func (c *call) operandName(i int, allowed string) (byte, error) {
	n, ok := c.args[i].(Names)
	if ok && len(n) == 1 && len(n[0]) == 1 {
		for j := range len(allowed) {
			if n[0][0] == allowed[j] {
				return allowed[j], nil
			}
		}
	}
	return 0, &cute.Error{
		Code: cute.CodeName, Op: c.fn.Name,
		Msg: fmt.Sprintf("expected one of the letters %s, found %v", withSpaces(allowed), c.args[i]),
	}
}

func withSpaces(letters string) string {
	out := ""
	for i, l := range letters {
		if i > 0 {
			out += ", "
		}
		out += string(l)
	}
	return out
}

var operands = map[byte]atom.Operand{'A': atom.OperandA, 'B': atom.OperandB, 'C': atom.OperandC}
