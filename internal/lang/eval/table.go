package eval

import (
	"cmp"
	"slices"
	"sync"
)

type group struct {
	name           string
	modes, layouts bool
}

// groups are the headings of the table. modes: one mode of the operand may be named, see [Builtin.TakesModes]. layouts:
// the operands occur in texts other than girih's, see [Builtin.OnLayouts].
var groups = []group{
	{"construction", true, true},
	{"structure", true, true},
	{"questions", true, true},
	{"coordinates", true, true},
	{"algebra", true, true},
	{"divide and product", true, true},
	{"recast", true, true},
	{groupLinear, false, false},
	{"atoms", false, false},
	{"tensors", false, true},
}

// Groups returns the headings of the table, in the order of presentation.
func Groups() []string {
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = g.name
	}
	return names
}

// OnLayouts reports whether the operands of the function are layouts, tuples and numbers, which any text may have. The
// operands of other functions are instructions, or values over F2 in girih's own notation.
func (b Builtin) OnLayouts() bool {
	return slices.ContainsFunc(groups, func(g group) bool { return g.layouts && g.name == b.Group })
}

// onModes reports whether the functions of a group work on modes.
func onModes(heading string) bool {
	return slices.ContainsFunc(groups, func(g group) bool { return g.modes && g.name == heading })
}

// Builtins returns the functions of the language, sorted by group and name. The caller owns the slice.
func Builtins() []Builtin { return slices.Clone(table().sorted) }

// Lookup returns the function with the given name or alias.
func Lookup(name string) (Builtin, bool) {
	b, ok := table().byName[name]
	if !ok {
		return Builtin{}, false
	}
	return *b, true
}

// IsReserved reports whether a name means a function even without (...): let and run-time integers cannot use it.
func IsReserved(name string) bool {
	b, ok := table().byName[name]
	return ok && !b.symbol
}

type builtinTable struct {
	sorted []Builtin
	byName map[string]*Builtin
	signs  map[string]*Builtin // the operations that are written with signs
}

// table returns the table of all operations, and builds it on the first call. It is set in init because the rows refer
// to the evaluator, which refers to the table.
var table func() *builtinTable

func init() { table = sync.OnceValue(newTable) }

// A section is a part of the table under one heading.
type section struct {
	heading string
	rows    []Builtin
}

// sections returns the rows of the table. A group may have several sections, each in a file of its own.
func sections() []section {
	return []section{
		{"construction", constructionRows}, {"construction", sharedRows},
		{"structure", structureRows}, {"structure", concatRows},
		{"questions", questionRows}, {"questions", arithmeticRows},
		{"coordinates", coordinateRows},
		{"algebra", algebraRows},
		{"divide and product", tilingRows()},
		{"recast", recastRows},
		{"atoms", atomRows}, {"atoms", tiledRows}, {"atoms", operandRows}, {"atoms", sliceRows},
		{"atoms", hardwareRows}, {"atoms", tmaRows}, {"atoms", predicateRows},
		{"tensors", tensorRows},
		{groupLinear, linearRows}, {groupLinear, dimensionRows}, {groupLinear, matrixRows},
	}
}

// groupLinear is the heading of the functions whose usual operands are values over F2.
const groupLinear = "linear layouts"

func newTable() *builtinTable {
	t := &builtinTable{byName: make(map[string]*Builtin), signs: make(map[string]*Builtin)}
	for _, s := range sections() {
		for _, b := range s.rows {
			b.Group, b.overF2 = s.heading, s.heading == groupLinear
			t.sorted = append(t.sorted, b.fill())
		}
	}
	order := Groups()
	slices.SortStableFunc(t.sorted, func(a, b Builtin) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Group), slices.Index(order, b.Group)), cmp.Compare(a.Name, b.Name))
	})
	for i := range t.sorted {
		b := &t.sorted[i]
		t.byName[b.Name] = b
		for _, a := range b.Aliases {
			t.byName[a] = b
		}
	}
	for _, b := range operators() {
		t.signs[b.Name] = &b
	}
	for sign, name := range map[string]string{"o": "composition", "L(c)": "eval"} {
		t.signs[sign] = t.byName[name]
	}
	return t
}
