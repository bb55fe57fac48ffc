package eval

import (
	"slices"
	"strings"
)

// A Builtin is one operation of the language: a row of the table. Its first fields document it; its columns say what it
// does, one for each domain that the numbers of its operands may be of; its flags say what else the language makes of
// it. A row is all that there is to an operation: what calls it, helps with it, completes its name or refuses its
// operands asks the row.
type Builtin struct {
	Name    string
	Params  string // as a reader writes the call, "L, profile?": "?" marks what may be left out, "..." what repeats
	Group   string // the heading it stands under: one of [Groups]
	Doc     string // what it returns, in full sentences
	Example string // an expression
	Output  string // the canonical text of its value
	Aliases []string

	// The columns. Where one is nil its operands are refused: see match.
	known   method // integers that are known
	dynamic method // integers that are known at run time only
	xor     method // layouts with F2 strides; the next column where it is nil
	bits    method // numbers and maps over F2

	// Flags that fill columns.
	moves   []int // it only moves the modes of these arguments, and numbered ones say how; see all and last
	ofShape bool  // it asks a layout for its shape, so F2 strides are as good as others
	ofMode  bool  // it is asked of its operand or of one mode of that, which numbers name: size<0,1>(L), size[0,1](L)
	overF2  bool  // values over F2 are its operands as all others are

	// Flags of how it is called.
	picks  bool       // the numbers in <...> are modes that it takes, and so are those in [...]: get<1,0>(x)
	plain  int        // the arguments that must stand in (...) when some stand in <...>; 0 if none may stand there
	named  []int      // the arguments that may be names of dimensions, which are not evaluated
	texts  []TextKind // what the arguments are in quotation marks, as far as they may stand so
	symbol bool       // the name alone is a run-time integer like any other
	long   bool       // it takes operands of any number of leaves
	lists  bool       // square brackets around its arguments are lists, as in Python, and no tilers
	arity  arity      // how many arguments it takes, if Params does not say
	tiler  int        // the argument that is a tiler, if it is not called so; -1 if that is none of its tuples

	params []string // the bare names in Params
}

// A method is what an operation does with operands of one domain.
type method func(c *call) (Value, error)

// Arguments of [Builtin.moves] that have no number.
const last = -1 // the last one

// all are all arguments.
var all = []int{}

// moved reports whether argument i of n is one whose modes are moved.
func (b *Builtin) moved(i, n int) bool {
	return len(b.moves) == 0 || slices.Contains(b.moves, i) || i == n-1 && slices.Contains(b.moves, last)
}

// An arity is the number of arguments, those in <...> included; most is negative for any number. The zero arity is what
// the parameters say.
type arity struct {
	stated      bool
	least, most int
}

func from(least int) arity { return arity{true, least, -1} }

func between(least, most int) arity { return arity{true, least, most} }

// arityOf returns the arity that a list of parameters such as "L, profile?" says.
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

// filled returns the row with what follows from its flags and its parameters.
func (b Builtin) filled() Builtin {
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
		b.xor = b.known
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

// ofTheMode returns a method that is asked of the mode that the call names; nil for none.
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

// layoutParams are what the parameter is called that has the modes.
var layoutParams = []string{"L", "A", "x", "block"}

// modesAt returns the parameter that has the modes, or -1 if none has.
func (b *Builtin) modesAt() int {
	if !onModes(b.Group) {
		return -1
	}
	return slices.IndexFunc(b.params, func(p string) bool { return slices.Contains(layoutParams, p) })
}

// TakesModes reports whether the function may be applied to one mode of its operand, as in logical_divide[1](A, B).
func (b Builtin) TakesModes() bool { return b.modesAt() >= 0 && !b.picks }

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
