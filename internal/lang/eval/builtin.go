package eval

import (
	"cmp"
	"slices"
	"sync"
)

// A Builtin documents one function of the language.
type Builtin struct {
	Name    string
	Params  string // as a reader writes the call: "A, B" or "L, profile?"; "?" marks what may be left out, "..." what repeats
	Group   string // the heading it stands under: one of [Groups]
	Doc     string // what it returns, in full sentences
	Example string // an expression
	Output  string // the canonical text of its value
	Aliases []string

	least, most int        // number of arguments, those in <...> included; most < 0 for any number
	plain       int        // the arguments that must stand in (...) when some stand in <...>; 0 if none may stand there
	named       []int      // the arguments that may be names of dimensions, which are not evaluated
	texts       []TextKind // what the arguments are in quotation marks, as far as they may stand so
	symbol      bool       // the name alone is a run-time integer like any other
	bits        bool       // takes values over F2 by itself
	long        bool       // takes operands of any number of leaves
	call        func(c *call) (Value, error)
}

// A TextKind says what a name in quotation marks is a name of.
type TextKind string

// The kinds of names.
const (
	TextInstruction TextKind = "instruction" // of an MMA or a copy
	TextMMA         TextKind = "mma"
	TextCopy        TextKind = "copy"
	TextType        TextKind = "type" // of elements
)

// TextAt returns what argument i is in quotation marks, the name of an instruction if the function does not say.
func (b Builtin) TextAt(i int) TextKind {
	if i < 0 || i >= len(b.texts) {
		return TextInstruction
	}
	return b.texts[i]
}

// Groups returns the headings of the builtin table in the order of presentation.
func Groups() []string {
	return []string{"construction", "structure", "questions", "coordinates", "algebra", "divide and product", "recast", "linear layouts", "atoms"}
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
}

// table is built once: its functions refer to the evaluator, which refers to the table.
var table = sync.OnceValue(func() *builtinTable {
	t := &builtinTable{byName: make(map[string]*Builtin)}
	for _, part := range [][]Builtin{
		constructionBuiltins(), structureBuiltins(), questionBuiltins(), coordinateBuiltins(),
		algebraBuiltins(), tilingBuiltins(), recastBuiltins(), arithmeticBuiltins(), atomBuiltins(), tiledBuiltins(),
		bitsBuiltins(linearBuiltins(), dimensionBuiltins(), matrixBuiltins()),
	} {
		t.sorted = append(t.sorted, part...)
	}
	groups := Groups()
	slices.SortStableFunc(t.sorted, func(a, b Builtin) int {
		return cmp.Or(cmp.Compare(slices.Index(groups, a.Group), slices.Index(groups, b.Group)), cmp.Compare(a.Name, b.Name))
	})
	for i := range t.sorted {
		b := &t.sorted[i]
		t.byName[b.Name] = b
		for _, a := range b.Aliases {
			t.byName[a] = b
		}
	}
	return t
})

// bitsBuiltins puts functions under the heading of linear layouts; they take values over F2 by themselves.
func bitsBuiltins(parts ...[]Builtin) []Builtin {
	all := slices.Concat(parts...)
	for i := range all {
		all[i].Group, all[i].bits = "linear layouts", true
	}
	return all
}
