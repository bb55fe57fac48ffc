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

// groups are the headings of the table. The functions of some are on modes, one of which may be named: see
// [Builtin.TakesModes]; those of some have operands that the texts of others have: see [Builtin.OnLayouts].
var groups = []group{
	{"construction", true, true},
	{"structure", true, true},
	{"questions", true, true},
	{"coordinates", true, true},
	{"algebra", true, true},
	{"divide and product", true, true},
	{"recast", true, true},
	{"linear layouts", false, false},
	{"atoms", false, false},
	{"tensors", false, true},
}

// Groups returns the headings of the table of functions in the order of presentation.
func Groups() []string {
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = g.name
	}
	return names
}

// OnLayouts reports whether the operands of the function are layouts, tuples and numbers, as any text has them: those
// of others are instructions, or values over F2 that girih alone writes so.
func (b Builtin) OnLayouts() bool {
	return slices.ContainsFunc(groups, func(g group) bool { return g.layouts && g.name == b.Group })
}

// onModes reports whether the functions of a group are on modes.
func onModes(heading string) bool {
	return slices.ContainsFunc(groups, func(g group) bool { return g.modes && g.name == heading })
}

// Builtins returns the functions of the language, sorted by group and name. The slice is the caller's.
func Builtins() []Builtin { return slices.Clone(table().sorted) }

// Lookup returns the function of the given name or alias.
func Lookup(name string) (Builtin, bool) {
	b, ok := table().byName[name]
	if !ok {
		return Builtin{}, false
	}
	return *b, true
}

// Reserved reports whether a name stands for a function also where it is not called: let and run-time integers need
// another.
func Reserved(name string) bool {
	b, ok := table().byName[name]
	return ok && !b.symbol
}

type builtinTable struct {
	sorted []Builtin
	byName map[string]*Builtin
	signs  map[string]*Builtin // the operations that are written with signs
}

var theTable struct {
	once sync.Once
	*builtinTable
}

// table is built once, on the first call: its functions refer to the evaluator, which refers to the table.
func table() *builtinTable {
	theTable.once.Do(func() { theTable.builtinTable = newTable() })
	return theTable.builtinTable
}

func newTable() *builtinTable {
	t := &builtinTable{byName: make(map[string]*Builtin), signs: make(map[string]*Builtin)}
	for _, part := range [][]Builtin{
		constructionBuiltins(), structureBuiltins(), concatBuiltins(), questionBuiltins(), coordinateBuiltins(),
		algebraBuiltins(), tilingBuiltins(), recastBuiltins(), arithmeticBuiltins(),
		atomBuiltins(), sharedBuiltins(), hardwareBuiltins(), tmaBuiltins(), predicateBuiltins(), tiledBuiltins(),
		operandBuiltins(), sliceBuiltins(), tensorBuiltins(),
		overF2(linearBuiltins(), dimensionBuiltins(), matrixBuiltins()),
	} {
		for _, b := range part {
			t.sorted = append(t.sorted, b.filled())
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

// overF2 puts functions under the heading of linear layouts; values over F2 are operands as others are.
func overF2(parts ...[]Builtin) []Builtin {
	rows := slices.Concat(parts...)
	for i := range rows {
		rows[i].Group, rows[i].overF2 = "linear layouts", true
	}
	return rows
}
