package paste

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/reader"
)

// This file finds expressions for the records in the dump of a kernel: TiledMMA, TiledCopy, MMA_Atom and Copy_Atom. A
// dump has the layouts but not the name of the instruction, which is looked up by the layouts. An expression is
// returned only if its value has every layout of the dump.

// Exprs returns the expressions that make the items of a text, "" for an item without an expression: the operation
// whose print is a record, the layout in elements of a swizzled pointer, the linear layout of a tensor of Triton or of
// an encoding. Notes on the expressions are added to the items.
func (r *Reader) Exprs(items []reader.Item) []string {
	exprs := make([]string, len(items))
	rebuild(items, exprs)
	r.encodings(items, exprs)
	return exprs
}

// rebuild sets the expressions of the records that the language can make. The record that follows a tiled operation
// describes its atom.
func rebuild(items []reader.Item, exprs []string) {
	for i := range items {
		it := &items[i] // CuTe prints some layouts wrongly, so a faulty record may still have its operation
		var next fields
		if i+1 < len(items) {
			next = fieldsOf(items[i+1])
		}
		switch f := fieldsOf(*it); it.Record {
		case "MMAAtom":
			exprs[i] = firstMade(it, candidates{mmasOf(f), f.names()}, func(name string) (eval.Value, bool) {
				a, err := atom.FindMMA(name)
				return eval.MMAAtom{MMA: a}, err == nil
			})
		case "CopyAtom":
			exprs[i] = firstMade(it, candidates{copiesOf(f), f.names()}, func(name string) (eval.Value, bool) {
				a, err := atom.FindCopyAtom(name, f.bitsType())
				return eval.CopyAtom{CopyAtom: a}, err == nil
			})
		case "TiledMMA":
			names := candidates{firstOf(mmasOf(f), mmasOf(next)), firstOf(f.names(), next.names())}
			exprs[i] = firstMade(it, names, func(name string) (eval.Value, bool) { return f.tiledMMA(name) })
		case "TiledCopy":
			names, of := copiesOf(f), f
			if len(names) == 0 {
				names, of = copiesOf(next), next
			}
			exprs[i] = firstMade(it, candidates{names, of.names()}, func(name string) (eval.Value,
				bool,
			) {
				return f.tiledCopy(name, of.bitsType())
			})
		case "":
			exprs[i], _ = InElements(it.Text)
		}
	}
}

// candidates returns the instructions that a record may describe. If the record names no instruction, candidates finds
// them by their layouts.
type candidates struct{ all, named []string }

// firstMade returns the expression of the first instruction that works. If the instruction was found by its layouts, a
// note says which others have the same ones.
func firstMade(it *reader.Item, names candidates, value func(name string) (eval.Value, bool)) string {
	for k, name := range names.all {
		v, ok := value(name)
		if !ok {
			continue
		}
		expr := fmt.Sprint(v)
		if others := names.all[k+1:]; len(others) > 0 && names.named == nil {
			more := ""
			if n := len(others) - 3; n > 0 {
				others, more = others[:3], fmt.Sprintf(" and %d more", n)
			}
			it.Notes = append(it.Notes, fmt.Sprintf("a dump does not name the instruction: %s has these layouts, and so "+
				"have %s%s", name, strings.Join(others, ", "), more))
		}
		return expr
	}
	return ""
}

// fields are the parts of a record by name.
type fields map[string]string

func fieldsOf(it reader.Item) fields {
	f := fields{"": it.Record}
	for _, x := range it.Fields {
		f[x.Name] = x.Value
	}
	return f
}

// names returns the names of the operation in a record, with its parameters: in C++ a copy has two parameters, the
// types of source and destination, and mostly one is written.
func (f fields) names() []string {
	name := firstOf(f["op"], f["atom"])
	params := strings.Split(f["parameters"], ",")
	switch {
	case name == "":
		return nil
	case f["parameters"] == "":
		return []string{name}
	case len(params) == 2 && params[0] == params[1]:
		return []string{name + "<" + params[0] + ">", name + "<" + f["parameters"] + ">"}
	}
	return []string{name + "<" + f["parameters"] + ">"}
}

// bitsType returns the bit type with the width that a Copy_Atom prints, such as 16b.
func (f fields) bitsType() string {
	n, ok := strings.CutSuffix(f["type"], "b")
	if _, err := strconv.Atoi(n); !ok || err != nil {
		return f["type"]
	}
	return "b" + n
}

// mmasOf returns the instructions that a record may describe: the instruction named in it, or all with its layouts.
func mmasOf(f fields) []string {
	if names := f.names(); names != nil {
		return names
	}
	if f[""] != "MMAAtom" {
		return nil
	}
	return mmasByLayouts()[key(f["shape"], f["thrID"], f["A"], f["B"], f["C"])]
}

// mmasByLayouts maps the layouts that a dump prints to the names of instructions, the usual types first.
var mmasByLayouts = sync.OnceValue(func() map[string][]string {
	names := map[string][]string{}
	for _, usual := range []func(atom.MMA) bool{
		func(a atom.MMA) bool { return a.Types.A.Type == dtype.F16 && a.Types.C.Type == dtype.F32 },
		func(a atom.MMA) bool { return a.Types.A.Type == dtype.F16 && a.Types.C.Type != dtype.F32 },
		func(a atom.MMA) bool { return a.Types.A.Type != dtype.F16 },
	} {
		for a := range atom.MMAs() {
			if usual(a) {
				k := key(cute.Ints(a.Shape[:]...).String(), a.ThrID.String(), a.TVText(atom.OperandA), a.TVText(atom.OperandB),
					a.TVText(atom.OperandC))
				names[k] = append(names[k], a.Name)
			}
		}
	}
	return names
})

// copiesOf returns the instructions that a Copy_Atom record may describe: the named one, or all with its layouts.
func copiesOf(f fields) []string {
	if names := f.names(); names != nil {
		return names
	}
	t, err := dtype.Parse(f.bitsType())
	if f[""] != "CopyAtom" || err != nil {
		return nil
	}
	return copiesByLayouts(t)[key(f["thrID"], f["src"], f["dst"], f["ref"])]
}

// copiesByLayouts maps the layouts that a dump prints for values of a type to the names of instructions, ordinary
// copies first.
func copiesByLayouts(t dtype.Type) map[string][]string {
	if names, ok := copyNames.Load(t); ok {
		return names.(map[string][]string)
	}
	names := map[string][]string{}
	for _, universal := range []bool{true, false} {
		for c := range atom.Copies() {
			if a, err := atom.MakeCopyAtom(c, t); err == nil && (c.Kind == atom.UniversalCopy) == universal {
				k := key(a.ThrID.String(), a.ValSrc.String(), a.ValDst.String(), a.ValRef.String())
				names[k] = append(names[k], a.Name)
			}
		}
	}
	copyNames.Store(t, names)
	return names
}

var copyNames sync.Map // caches copiesByLayouts by dtype.Type

func key(parts ...string) string { return strings.Join(parts, " ") }

// tiledMMA makes a TiledMMA of an instruction. A dump has the layout of the threads instead of the layout of the atoms.
// The order of M, N and K follows from it: only one order gives these threads.
func (f fields) tiledMMA(name string) (eval.Value, bool) {
	a, err := atom.FindMMA(name)
	if err != nil {
		return nil, false
	}
	perm, err := cute.ParseTiler(asTile(firstOf(f["tile"], "<_,_,_>")))
	if err != nil {
		return nil, false
	}
	if f["thr"] == "" {
		atoms, err := cute.Parse(firstOf(f["atoms"], "(1,1,1)"))
		if err != nil {
			return nil, false
		}
		m, err := atom.MakeTiledMMA(a, atoms, perm)
		return eval.TiledMMA{TiledMMA: m}, err == nil
	}
	vmnk, err := cute.Parse(f["thr"])
	if err != nil || vmnk.Rank() != 4 {
		return nil, false
	}
	extents := cute.Ints(vmnk.Modes()[1].Size(), vmnk.Modes()[2].Size(), vmnk.Modes()[3].Size())
	for _, order := range [][]int64{{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}} {
		atoms, err := cute.MakeOrderedLayout(extents, cute.Ints(order...))
		if err != nil {
			return nil, false
		}
		m, err := atom.MakeTiledMMA(a, atoms, perm)
		if err != nil {
			return nil, false
		}
		if m.ThrLayoutVMNK().Equal(vmnk) {
			return eval.TiledMMA{TiledMMA: m}, true
		}
	}
	return nil, false
}

// tiledCopy makes a TiledCopy of an instruction.
func (f fields) tiledCopy(name, valueType string) (eval.Value, bool) {
	a, err := atom.FindCopyAtom(name, valueType)
	if err != nil {
		return nil, false
	}
	if f["thr"] != "" { // make_tiled_copy(atom, thr, val)
		thr, err1 := cute.Parse(f["thr"])
		val, err2 := cute.Parse(firstOf(f["val"], "1:0"))
		c, err3 := atom.MakeTiledCopy(a, thr, val)
		return eval.TiledCopy{TiledCopy: c}, errors.Join(err1, err2, err3) == nil
	}
	tv, err := cute.Parse(f["tv"])
	if err != nil {
		return nil, false
	}
	tile, err := cute.ParseTiler(f["tiler"])
	if err != nil {
		if tile, err = cute.ParseTiler(asTile(f["tiler"])); err != nil {
			return nil, false
		}
	}
	c, err := atom.MakeTiledCopyTV(a, tv, tile)
	return eval.TiledCopy{TiledCopy: c}, err == nil && c.LayoutTV().Equal(tv)
}

// asTile writes (a,b) as <a,b>: dumps print tiles with parentheses.
func asTile(text string) string {
	if inner, ok := strings.CutPrefix(text, "("); ok && strings.HasSuffix(inner, ")") {
		return "<" + strings.TrimSuffix(inner, ")") + ">"
	}
	return text
}

// firstOf returns the first text that is not empty.
func firstOf[T string | []string](xs ...T) T {
	for _, x := range xs {
		if len(x) > 0 {
			return x
		}
	}
	var none T
	return none
}
