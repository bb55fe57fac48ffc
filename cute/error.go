package cute

import (
	"fmt"
	"strings"

	"girih/fault"
	"girih/internal/ints"
)

// A Code names a kind of error. It is the type of all packages of girih, whose codes are in package fault. [Codes]
// lists the codes of layouts and their language, each with an example.
type Code = fault.Code

// The codes of layouts and their language. The example of each code, in [Codes], is executed as a test.
const (
	// CodeSyntax: the text is not in the language.
	CodeSyntax = fault.Syntax
	// CodeOverflow: a size, a stride or an offset does not fit in 64 bits.
	CodeOverflow = fault.Overflow
	// CodeLimit: the answer needs more elements, leaves or time than the stated limit.
	CodeLimit = fault.Limit
	// CodeExtent: an extent of a shape is not positive.
	CodeExtent = fault.Extent
	// CodeNotCongruent: two tuples must have the same nesting, or the first a coarser one, and do not.
	CodeNotCongruent = fault.NotCongruent
	// CodeRank: an operand has too many or too few modes.
	CodeRank = fault.Rank
	// CodeMode: a mode, a coordinate or a position that does not exist is asked for.
	CodeMode = fault.Mode
	// CodeCodomain: strides mix integers with coordinates, or coordinates of different depth.
	CodeCodomain = fault.Codomain
	// CodeNotRepresentable: no layout is this function; the witness shows where every candidate fails.
	CodeNotRepresentable = fault.NotRepresentable
	// CodeNotComplementable: the strides and extents do not chain, so no complement exists.
	CodeNotComplementable = fault.NotComplementable
	// CodeNotInjective: two coordinates have the same offset where that is not allowed.
	CodeNotInjective = fault.NotInjective
	// CodeNotInvertible: no layout is an inverse.
	CodeNotInvertible = fault.NotInvertible
	// CodeNotDivisible: a number must divide another one and does not.
	CodeNotDivisible = fault.NotDivisible
	// CodeNegative: a number is negative where the operation does not allow it.
	CodeNegative = fault.Negative
	// CodeSwizzle: the three numbers of a Swizzle are not legal.
	CodeSwizzle = fault.Swizzle
	// CodeType: the operation is not defined for a value of this kind.
	CodeType = fault.Type
	// CodeName: a name or a function is not known.
	CodeName = fault.Name
	// CodeUnknown: the answer depends on an integer that is known at run time only, and the facts do not decide it.
	CodeUnknown = fault.Unknown
	// CodeFact: facts about a run-time integer contradict each other, or a value breaks one or a condition of the result.
	CodeFact = fault.Fact
)

// A Witness is the place where an operation fails: the first coordinate, in colexicographic order,
// at which no candidate agrees with the definition.
type Witness struct {
	Coord Tuple  // the coordinate in the domain of the right (or only) operand; () if no coordinate has the value
	Index int64  // the colexicographic index of the coordinate
	Value Tuple  // the value there according to the definition
	Want  Tuple  // the value there of every candidate layout; () if it exceeds 64 bits or there is no candidate
	Other *Tuple // a second coordinate, if the failure concerns a pair
}

// An Error says that an operation has no answer, and why.
type Error struct {
	Code    Code
	Op      string   // the CuTe name of the operation, such as "composition"
	Msg     string   // what was expected and what was found, with the numbers
	Witness *Witness // where the condition fails, or nil
	Hint    string   // what would work instead, or ""
}

// Error returns the code, the operation and the message: "not_representable: composition: ...".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	b.WriteString(": ")
	if e.Op != "" {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

// Unwrap returns the code, so that errors.Is(err, [CodeOverflow]) asks an error for its code.
func (e *Error) Unwrap() error { return e.Code }

// errorf returns the error of an operation that has neither a witness nor a hint.
//
//go:noinline
func errorf(code Code, op, format string, args ...any) *Error {
	return &Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// CodeInfo documents one error code.
type CodeInfo struct {
	Code    Code
	Meaning string // one clause, without a capital or a period
	Example string // an expression of girih's language whose evaluation ends with this code
}

// Codes returns every error code with its meaning and an example, in a fixed order.
func Codes() []CodeInfo { return append([]CodeInfo(nil), codes...) }

// codes is a variable: a literal in the function would add a comparison of arrays of its length to the program.
var codes = []CodeInfo{
	{CodeSyntax, "the text is not in the language", "(4,2"},
	{CodeOverflow, "a size, a stride or an offset does not fit in 64 bits", "(4294967296,4294967296)(0)"},
	{CodeLimit, "the answer needs more elements, leaves or time than the stated limit", "image(4294967296:2)"},
	{CodeExtent, "an extent of a shape is not positive", "(4,0):(1,4)"},
	{CodeNotCongruent, "two tuples must have the same nesting, or the first a coarser one", "(4,2):(1,(4,8))"},
	{CodeRank, "an operand has too many or too few modes", "logical_divide(24:1, <4,6>)"},
	{CodeMode, "a mode, a coordinate or a position that does not exist is asked for", "get(4:1, 3)"},
	{CodeCodomain, "strides mix integers with coordinates, or coordinates of different depth", "(4,2):(1,1@0)"},
	{CodeNotRepresentable, "no layout is this function", "(6,2):(1,7) o (3,2):(2,3)"},
	{CodeNotComplementable, "the strides and extents do not chain, so no complement exists", "complement((2,2):(2,3), 24)"},
	{CodeNotInjective, "two coordinates have the same offset where that is not allowed", "left_inverse((2,2):(1,1))"},
	{CodeNotInvertible, "no layout is an inverse", "left_inverse((2,2,2):(3,4,5))"},
	{CodeNotDivisible, "a number must divide another one and does not", "upcast(3:1, 2)"},
	{CodeNegative, "a number is negative where the operation does not allow it", "complement(4:-1, 8)"},
	{CodeSwizzle, "the three numbers of a Swizzle are not legal", "Sw<3,4,2>"},
	{CodeType, "the operation is not defined for a value of this kind", "complement(Sw<3,4,3>, 8)"},
	{CodeName, "a name or a function is not known", "colaesce(4:1)"},
	{CodeUnknown, "the answer depends on an integer that is known at run time only", "image((M,2):(1,M))"},
	{CodeFact, "facts about a run-time integer contradict each other, or a value breaks one", "(K{>=9,<=4},2)"},
}

// An Until reports whether work may go on: it returns nil to continue, or the error with which to stop. A nil Until
// never stops. Its methods are the operations on layouts that may have to look at every value; each does the same as
// the function of that name.
type Until func() error

func (u Until) ask() error {
	if u == nil {
		return nil
	}
	return u()
}

// at asks u at every [ints.Every]-th of the steps i = 0, 1, 2, ...
func (u Until) at(i int64) error {
	if u == nil || i%ints.Every != 0 {
		return nil
	}
	return u()
}

// blocks cuts the table into blocks of ints.Every numbers, asks u before each, and calls f with it until f returns
// false.
func (u Until) blocks(table []int64, f func([]int64) bool) (ok bool, err error) {
	for len(table) > 0 {
		if err := u.ask(); err != nil {
			return false, err
		}
		n := min(len(table), ints.Every)
		if !f(table[:n]) {
			return false, nil
		}
		table = table[n:]
	}
	return true, nil
}
