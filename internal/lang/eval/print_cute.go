package eval

import (
	"fmt"
	"strings"

	"girih/atom"
)

// This file has the texts that CuTe prints for values whose canonical text is an expression: instructions, tiled MMAs
// and copies, swizzles, types.

// A Dialect is what prints.
type Dialect uint8

// The dialects.
const (
	DialectCpp Dialect = iota // DialectCpp: print of C++.
	DialectDSL                // DialectDSL: print of the CuTe DSL.
)

// PrintCute returns the text that print writes for a value, without a newline at the end of Python's lines. ok is false
// if the canonical text of the value is that text.
//
//	TiledMMA
//	  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)
//	  PermutationMNK: (_,_,_)
//	MMA_Atom
//	  ThrID:      _32:_1
//	  ...
//
// The integers of instructions are known to the compiler, so C++ prints them with underscores.
func PrintCute(v Value, d Dialect) (text string, ok bool) {
	switch v := v.(type) {
	case MMAAtom:
		return printMMA(v.MMA, d), true
	case TiledMMA:
		return printTiledMMA(v.TiledMMA, d), true
	case CopyAtom:
		return printCopyAtom(v.CopyAtom, d), true
	case TiledCopy:
		return printTiledCopy(v.TiledCopy, d), true
	case ThrSlice:
		return v.print(d)
	case Swizzle, Composed, DynamicComposed:
		if d == DialectDSL {
			return strings.ReplaceAll(v.String(), "Sw<", "S<"), true
		}
	case Member:
		return v.class + "." + v.word, true
	}
	return "", false
}

// A printedTable is a heading with rows of a name and a text.
type printedTable struct {
	heading string
	rows    [][2]string
}

// text writes the tables. In the CuTe DSL the texts of all tables begin in one column; in C++ the texts of each table
// begin after its longest name. The last line of C++ ends.
func (d Dialect) text(tables ...printedTable) string {
	var b strings.Builder
	all := 0
	for _, t := range tables {
		for _, r := range t.rows {
			all = max(all, len(r[0]))
		}
	}
	for _, t := range tables {
		widest := 0
		for _, r := range t.rows {
			widest = max(widest, len(r[0]))
		}
		if d == DialectDSL {
			widest = all
		}
		b.WriteString(t.heading + "\n")
		for _, r := range t.rows {
			fmt.Fprintf(&b, "  %-*s %s\n", widest+1, r[0]+":", r[1])
		}
	}
	if d == DialectDSL {
		return strings.TrimSuffix(b.String(), "\n")
	}
	return b.String()
}

// ofStatic returns a text of layouts with an underscore before each integer that is no axis: _1@0.
func (d Dialect) ofStatic(v fmt.Stringer) string { return d.mark(v.String()) }

func (d Dialect) mark(text string) string {
	if d == DialectDSL {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		c, before := text[i], byte('(')
		if i > 0 {
			before = text[i-1]
		}
		begins := c == '-' || c >= '0' && c <= '9' && before != '-'
		if begins && strings.IndexByte("(,:", before) >= 0 {
			b.WriteByte('_')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// MarkStatic returns the text of a value at run time as CuTe's print in C++ writes it: an integer that is known when
// the program is compiled begins with _, and a tile is in parentheses. traced is the text of the value at trace time,
// with ? for the other integers. ok is false if the texts are not of one form.
//
//	MarkStatic("(4,3):(1,4)", "(4,?):(1,4)")   // (_4,3):(_1,_4)
func MarkStatic(text, traced string) (marked string, ok bool) {
	marked, ok = MapNumbers(text, traced, func(n, of string) string {
		if of == "?" {
			return n
		}
		return "_" + n
	})
	swizzles := strings.Split(marked, "Sw<")
	for i, part := range swizzles {
		inner, rest := "", part
		if i > 0 {
			inner, rest, _ = strings.Cut(part, ">")
			inner += ">"
		}
		swizzles[i] = inner + strings.NewReplacer("<", "(", ">", ")").Replace(rest)
	}
	return strings.Join(swizzles, "Sw<"), ok
}

// MapNumbers replaces the integers in the text of a value, but no integer of a swizzle or an axis. each gets an
// integer, and what a second text of the same form has in its place: an integer, or ?. ok is false if the texts are
// not of one form.
func MapNumbers(text, other string, each func(n, of string) string) (mapped string, ok bool) {
	var b strings.Builder
	before := byte('(')
	for text != "" {
		n := swizzleLength(text)
		if n == 0 && before != '@' && beginsNumber(text, before) {
			n = numberLength(text)
			of, rest := "?", strings.TrimPrefix(other, "?")
			if len(rest) < len(other) && strings.HasPrefix(rest, "{") {
				_, rest, _ = strings.Cut(rest, "}")
			} else if len(rest) == len(other) {
				m := numberLength(other)
				of, rest = other[:m], other[m:]
			}
			b.WriteString(each(text[:n], of))
			before, text, other = '0', text[n:], rest
			continue
		}
		n = max(n, 1)
		if !strings.HasPrefix(other, text[:n]) {
			return "", false
		}
		b.WriteString(text[:n])
		before, text, other = text[n-1], text[n:], other[n:]
	}
	return b.String(), other == ""
}

// swizzleLength returns the length of the swizzle with which a text begins, Sw<3,3,3>, or 0.
func swizzleLength(text string) int {
	if !strings.HasPrefix(text, "Sw<") && !strings.HasPrefix(text, "S<") {
		return 0
	}
	return strings.IndexByte(text, '>') + 1
}

// beginsNumber reports whether an integer begins a text that follows a character.
func beginsNumber(text string, before byte) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9' && strings.IndexByte("(<,: @", before) >= 0
}

func numberLength(text string) int {
	digits := strings.TrimLeft(strings.TrimPrefix(text, "-"), "0123456789")
	return len(text) - len(digits)
}

func (d Dialect) ofMMA(a atom.MMA) printedTable {
	heading, names := "MMA_Atom", [5]string{"ThrID", "Shape_MNK", "LayoutA_TV", "LayoutB_TV", "LayoutC_TV"}
	if d == DialectDSL {
		heading, names = "MMA Atom", [5]string{"ThrID", "Shape MNK", "TV Layout A", "TV Layout B", "TV Layout C"}
	}
	shape := fmt.Sprintf("(%d,%d,%d)", a.Shape[0], a.Shape[1], a.Shape[2])
	return printedTable{heading, [][2]string{
		{names[0], d.ofStatic(a.ThrID)},
		{names[1], d.mark(shape)},
		{names[2], d.mark(a.TVText(atom.OperandA))},
		{names[3], d.mark(a.TVText(atom.OperandB))},
		{names[4], d.mark(a.TVText(atom.OperandC))},
	}}
}

func printMMA(a atom.MMA, d Dialect) string { return d.text(d.ofMMA(a)) }

func printTiledMMA(m atom.TiledMMA, d Dialect) string {
	heading, names := "TiledMMA", [2]string{"ThrLayoutVMNK", "PermutationMNK"}
	if d == DialectDSL {
		heading, names = "Tiled MMA", [2]string{"Thr Layout VMNK", "Permutation MNK"}
	}
	permutation := "(" + strings.Trim(m.PermutationText(), "<>") + ")"
	return d.text(printedTable{heading, [][2]string{
		{names[0], d.ofStatic(m.ThrLayoutVMNK())}, {names[1], d.mark(permutation)},
	}}, d.ofMMA(m.Atom()))
}

func (d Dialect) ofCopy(a atom.CopyAtom) printedTable {
	if d == DialectDSL {
		return printedTable{"Copy Atom", [][2]string{
			{"ThrID", a.ThrID.String()},
			{"TV Layout Src", a.ValSrc.String()},
			{"TV Layout Dst", a.ValDst.String()},
			{"Value type", dslType(a)},
		}}
	}
	return printedTable{"Copy_Atom", [][2]string{
		{"ThrID", d.ofStatic(a.ThrID)},
		{"ValLayoutSrc", d.ofStatic(a.ValSrc)},
		{"ValLayoutDst", d.ofStatic(a.ValDst)},
		{"ValLayoutRef", d.ofStatic(a.ValRef)},
		{"ValueType", fmt.Sprintf("%db", a.Type.Bits())},
	}}
}

// dslType returns the type of the values as MLIR spells it, which has one type for signed and unsigned integers.
func dslType(a atom.CopyAtom) string {
	name := a.Type.String()
	if strings.IndexByte("sub", name[0]) >= 0 && name != "bf16" && !strings.HasPrefix(name, "ue") {
		return "i" + name[1:]
	}
	return name
}

func printCopyAtom(a atom.CopyAtom, d Dialect) string { return d.text(d.ofCopy(a)) }

func printTiledCopy(c atom.TiledCopy, d Dialect) string {
	heading, names := "TiledCopy", [2]string{"Tiler_MN", "TiledLayout_TV"}
	if d == DialectDSL {
		heading, names = "Tiled Copy", [2]string{"Tiler MN", "TV Layout tiled"}
	}
	return d.text(printedTable{heading, [][2]string{
		{names[0], d.mark(c.TilerText())}, {names[1], d.ofStatic(c.LayoutTV())},
	}}, d.ofCopy(c.Atom()))
}

// print returns the text of one thread. The CuTe DSL prints only what the thread is a part of.
func (s ThrSlice) print(d Dialect) (string, bool) {
	of, ok := PrintCute(s.of, d)
	if d == DialectDSL {
		return of, ok
	}
	if c, isCopy := s.of.(TiledCopy); isCopy {
		return fmt.Sprintf("ThrCopy\n  ThrIdx: %d\n%s", s.thread, printTiledCopy(c.TiledCopy, d)), true
	}
	m, ok := s.of.(TiledMMA)
	if !ok {
		return "", false
	}
	thread, err := m.Thread(s.thread)
	if err != nil {
		return "", false
	}
	var at [4]string
	for i, x := range thread.VMNK() {
		at[i] = fmt.Sprint(x)
		if m.ThrLayoutVMNK().Modes()[i].Size() == 1 {
			at[i] = "_0" // the only coordinate is known to the compiler
		}
	}
	return fmt.Sprintf("ThrMMA\n  Thr VMNK: (%s)\n%s", strings.Join(at[:], ","), of), true
}
