package eval

import (
	"slices"
	"sort"
	"sync"
)

// This file makes the table of all operations from the rows in builtins_*.go.

type group struct {
	name           string
	modes, layouts bool
}

// groups are the headings of the table. modes: a call may select one mode of the operand, see [Builtin.TakesModes].
// layouts: texts not written for girih contain such operands, see [Builtin.OnLayouts].
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

// OnLayouts reports whether the operands of the function are layouts, tuples and numbers, which any text may contain.
// The operands of other functions are instructions, or values over F2 in girih's own notation.
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
	signs  map[string]*Builtin // the operations that are written as operators
}

var theTable struct {
	once sync.Once
	*builtinTable
}

// table returns the table of all operations. It builds the table on the first call, because the rows refer to the
// evaluator, which refers to the table.
func table() *builtinTable {
	theTable.once.Do(func() { theTable.builtinTable = newTable() })
	return theTable.builtinTable
}

// A section is a part of the table under one heading.
type section struct {
	heading string
	parts   []rowsOf
}

// rowsOf returns a few rows that belong together.
type rowsOf func() []Builtin

func (s section) rows() []Builtin {
	var out []Builtin
	for _, part := range s.parts {
		out = append(out, part()...)
	}
	return out
}

// sections returns the table. The functions that return its rows are in the files builtins_*.go.
func sections() []section {
	return []section{
		{"construction", []rowsOf{
			constructionRows, integerRows, compactRows, compositeRows, sharedRows, wordRows,
			enumerationRows,
		}},
		{"structure", []rowsOf{structureRows, nestingRows, modeRows, concatRows}},
		{"questions", []rowsOf{
			partRows, tupleRows, relationRows, mapRows, offsetRows, commonRows, stageRows,
			arithmeticRows,
		}},
		{"coordinates", []rowsOf{coordinateRows, applicationRows}},
		{"algebra", []rowsOf{algebraRows, complementRows, inverseRows}},
		{"divide and product", []rowsOf{tilingRows}},
		{"recast", []rowsOf{recastRows}},
		{"atoms", []rowsOf{
			atomRows, copyRows, tiledRows, copyLikeRows, operandRows, sliceRows, hardwareRows,
			tmaRows, predicateRows, dslRows, tiledAttributeRows, traitRows, mmaOpRows, copyOpRows, helperRows,
		}},
		{"tensors", []rowsOf{tensorRows, fragmentRows}},
		{groupLinear, []rowsOf{linearRows, linearAlgebraRows, dimensionRows, reshapeRows, matrixRows}},
	}
}

// groupLinear is the heading of the functions whose usual operands are values over F2.
const groupLinear = "linear layouts"

func newTable() *builtinTable {
	t := &builtinTable{byName: make(map[string]*Builtin), signs: make(map[string]*Builtin)}
	for _, s := range sections() {
		for _, b := range s.rows() {
			b.Group, b.overF2 = s.heading, s.heading == groupLinear
			t.sorted = append(t.sorted, b.fill())
		}
	}
	order := Groups()
	sort.SliceStable(t.sorted, func(i, j int) bool {
		a, b := &t.sorted[i], &t.sorted[j]
		if a.Group != b.Group {
			return slices.Index(order, a.Group) < slices.Index(order, b.Group)
		}
		return a.Name < b.Name
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
