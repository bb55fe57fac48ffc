// Package scope finds which definition a name has at a place of a C++ or Python source, without compiling it.
//
// The answer is certain or refused. A name has a [Definition] only if one statement of the source defines it, the
// statement comes before the place in the same or an enclosing scope, and nothing else in the source could bind the
// name there: no parameter, loop, capture, pattern, import, branch of #if, assignment or macro. Otherwise [Use.Why]
// says the reason, with its line. A name that nothing in the source binds has neither.
//
// Sources are read as tokens, not as a grammar, because most included files are missing. So that tokens are
// enough, the package asks of each occurrence of a name whether it may bind the name, and answers yes if in doubt. Such
// an occurrence is a binding. A binding has a region, the tokens where it may hold; if in doubt the region is larger.
// In
//
//	using K = Int<64>;
//	template <class K> void f(K k) { use(k); }
//	auto l = make_layout(K{});
//
// K has two bindings, a statement whose region is the file, and a parameter whose region is the second line. At the
// third line only the first holds.
//
// token.go has the tokens of both languages. For C++ read cpp.go, which pairs brackets and follows #if, then
// cpp_binding.go and cpp_region.go; for Python python.go, which finds suites and scopes, then python_binding.go.
// What other files define is not seen: a name that a source defines keeps its definition whatever it includes.
package scope

// A Definition is the statement that defines a name.
type Definition struct {
	Name  string
	Line  int    // from 0
	At    int    // the byte of the source at which it begins
	Text  string // the statement without comments; the text that replaces a macro
	Macro bool   // Text replaces the name

	from, to int     // tokens
	constant bool    // nothing can change its value
	body     []token // of a macro
}

// A Use is a name in a statement.
type Use struct {
	Name string
	Line int         // from 0
	Def  *Definition // nil if there is none, or none is certain
	Why  string      // why none is certain: "K is a parameter at line 3"
	// Member is set if the name is after . or ::, so that it is looked up elsewhere.
	Member bool
}

// A Source finds the definitions of names.
type Source interface {
	// Uses returns the names that the lines [first, end) use, in order.
	Uses(first, end int) []Use
	// Needs returns the names that a definition uses. The names in a macro are looked up at the line that uses it.
	Needs(d *Definition, line int) []Use
}

// A Language says how names are resolved.
type Language string

// The languages.
const (
	CPP    Language = "C++"
	Python Language = "Python"
	Other  Language = "" // names have no definitions
)

// Read reads a source whose first line has a number, from 0. pure reports whether calls of a name leave their arguments
// as they are.
func Read(language Language, text string, line int, pure func(name string) bool) Source {
	switch language {
	case CPP:
		return readCPP(text, line, pure)
	case Python:
		return readPython(text, line, pure)
	}
	return other{}
}

// other is a source in a language whose names are not resolved.
type other struct{}

func (other) Uses(int, int) []Use          { return nil }
func (other) Needs(*Definition, int) []Use { return nil }

// Limits, so that the time is linear: the bindings of one name that are compared, the occurrences of a variable, the
// tokens in which the beginning or the end of a statement is searched, and the brackets and #if within one another.
// Names are refused where a source exceeds one.
const (
	mostBindings    = 256
	mostOccurrences = 4096
	mostSteps       = 4096
	mostNested      = 256
)
