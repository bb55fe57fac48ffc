package eval

import (
	"slices"
	"strings"

	"girih/internal/lang/syntax"
)

// This file defines a row of the table of operations: its documentation, its columns and its flags. The rows are in
// builtins_*.go; a row with two columns is
//
//	{
//		Name: "size", Params: "x", plain: 1, long: true,
//		Doc: "Returns the number of elements: ...",
//		dynamic: (*call).dynamicSize, ofMode: true, ofShape: true,
//		known: getSize,
//	},

// A Builtin is one operation of the language: a row of the table. The first fields document it. The columns are its
// methods, one for each kind of numbers. The flags describe how it is called and fill columns. Evaluation, help,
// completion and error messages use nothing but the row.
type Builtin struct {
	Name    string
	Params  string // as in "L, profile?": "?" marks an optional parameter, "..." repetition
	Group   string // the heading of the function in the reference, one of [Groups]; set by the table
	Doc     string // a description of the result, in full sentences
	Example string // an expression
	Output  string // the canonical text of its value
	Aliases []string

	// The columns. A nil column refuses its operands: see match.
	known   method // integers that are known
	dynamic method // integers that are known only at run time
	xor     method // layouts with F2 strides; if nil, the next column
	bits    method // numbers and maps over F2
	index   method // maps of indices

	// Flags that fill columns.
	moves   []int // the arguments whose modes are only moved; fills dynamic and xor; see all and last
	ofShape bool  // only the shapes of layouts matter, so strides are ignored; fills xor and index
	ofMode  bool  // the operation may be applied to one mode: size<0,1>(L), size[0,1](L)
	overF2  bool  // known also handles values over F2; fills bits

	// Flags for the syntax of a call.
	picks    bool        // the numbers in <...> and [...] select modes: get<1,0>(x)
	plain    int         // the number of arguments in (...) if there are numbers in <...>; 0 refuses <...>
	named    []int       // the arguments that may be names, which are not evaluated
	texts    []TextKind  // for each argument, what a text in quotation marks names
	symbol   bool        // the name without (...) is an ordinary run-time integer
	long     bool        // operands may have any number of leaves
	lists    bool        // square brackets in the arguments are Python lists instead of tilers
	swaps    bool        // a shape may come first and the layout second: see shapeLast
	inModule bool        // module.f(x) means f(x), as host code of the CuTe DSL writes it
	keywords bool        // the method reads the names of arguments itself
	gap      syntax.Expr // the value for an omitted argument that precedes a keyword argument
	arity    arity       // the number of arguments, if Params does not determine it
	tiler    int         // the argument that is a tiler, if its name is not tiler

	params []string // the bare names in Params
}

// A method computes the result of a call for operands of one domain. Functions that return methods are not inlined: in
// the tables, each inlined function would put a copy of its method into the binary for every row.
type method func(c *call) (Value, error)

// using returns the method that calls m with f.
//
//go:noinline
func using[F any](m func(*call, F) (Value, error), f F) method {
	return func(c *call) (Value, error) { return m(c, f) }
}

// Special values of [Builtin.moves].
const last = -1 // the last argument

// all means all arguments.
var all = []int{}

// isMoved reports whether the operation moves the modes of argument i of n.
func (b *Builtin) isMoved(i, n int) bool {
	return len(b.moves) == 0 || slices.Contains(b.moves, i) || i == n-1 && slices.Contains(b.moves, last)
}

// An arity is a range of argument counts, including those in <...>. A negative most means any number. The zero arity is
// derived from the parameters.
type arity struct {
	stated      bool
	least, most int
}

func from(least int) arity { return arity{true, least, -1} }

func between(least, most int) arity { return arity{true, least, most} }

// arityOf returns the arity of a list of parameters such as "L, profile?".
func arityOf(params string) arity {
	a := arity{stated: true}
	for p := range strings.SplitSeq(params, ",") {
		switch p = strings.TrimSpace(p); {
		case p == "...":
			return arity{true, a.least, -1}
		case !strings.HasSuffix(p, "?"):
			a.least++
		}
		a.most++
	}
	return a
}

// paramNames returns the bare names in a list of parameters.
func paramNames(params string) []string {
	var names []string
	for p := range strings.SplitSeq(params, ",") {
		names = append(names, strings.Trim(p, " ?."))
	}
	return names
}

// fill returns the row with the columns and fields that follow from its flags and parameters.
func (b Builtin) fill() Builtin {
	b.params = paramNames(b.Params)
	if !b.arity.stated {
		b.arity = arityOf(b.Params)
	}
	if b.tiler == 0 {
		b.tiler = slices.Index(b.params, "tiler")
	}
	if b.moves != nil {
		if b.dynamic == nil {
			b.dynamic = (*call).rearrange
		}
		b.xor = (*call).xorRearrange
	}
	if b.ofShape {
		b.xor, b.index = b.known, b.known
	}
	if b.overF2 {
		b.bits = b.known
	}
	if b.ofMode {
		b.arity.most = -1
		b.dynamic, b.xor = ofTheMode((*call).takeMode, b.dynamic), ofTheMode((*call).xorTakeMode, b.xor)
	}
	return b
}

// ofTheMode returns a method that first takes the mode named in the call. ofTheMode returns nil if ask is nil.
func ofTheMode(take func(c *call) error, ask method) method {
	if ask == nil {
		return nil
	}
	return func(c *call) (Value, error) {
		if err := take(c); err != nil {
			return nil, err
		}
		return ask(c)
	}
}

// layoutParams are the names of parameters with modes.
var layoutParams = []string{"L", "A", "x", "block"}

// modesAt returns the parameter with the modes, or -1 if there is none.
func (b *Builtin) modesAt() int {
	if !onModes(b.Group) {
		return -1
	}
	return slices.IndexFunc(b.params, func(p string) bool { return slices.Contains(layoutParams, p) })
}

// TakesModes reports whether the function can be applied to one mode of its operand, as in logical_divide[1](A, B).
func (b Builtin) TakesModes() bool { return b.modesAt() >= 0 && !b.picks }

// IsTypeOfIntegers reports whether the function is a type of C++ whose template arguments are integers, such as
// ABLayout<64,16>.
func (b Builtin) IsTypeOfIntegers() bool { return b.plain < 0 }

// A TextKind says what a text in quotation marks names.
type TextKind string

// The kinds of names.
const (
	TextInstruction TextKind = "instruction" // the name of an instruction: an MMA or a copy
	TextMMA         TextKind = "mma"
	TextCopy        TextKind = "copy"
	TextType        TextKind = "type" // the name of a type of elements
)

// TextAt returns what a text in the place of argument i names: an instruction unless the row says otherwise.
func (b Builtin) TextAt(i int) TextKind {
	if i < 0 || i >= len(b.texts) {
		return TextInstruction
	}
	return b.texts[i]
}
