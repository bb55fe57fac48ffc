package python

// A Value is a value of a program: one of the types in this file, a [Dict], a [Set], a [View] or an [Iterator], or a
// value that only the program knows: a [Function], a [Class] or a [Foreign].
type Value any

type (
	// An Int is an integer.
	Int int64
	// A Bool is a truth value.
	Bool bool
	// A Float is a float.
	Float float64
	// A Str is a string.
	Str string
	// A None is None.
	None struct{}
	// A Tuple is a tuple.
	Tuple []Value
	// A List is a list, shared by all names that are bound to it.
	List struct{ Elems []Value }
	// A Range is range(Start, Stop, Step).
	Range struct{ Start, Stop, Step int64 }
	// A Slice is LOW:HIGH:STEP as an index; a missing bound is nil.
	Slice struct{ Low, High, Step Value }
	// A Method is an attribute of a value, to be called.
	Method struct {
		X    Value
		Name string
	}
	// A Module is a name before a dot, such as cutlass.utils or math.
	Module string
)

type (
	// A Function is a function as a value.
	Function interface {
		TypeName() string
		Repr() string // the text, such as <function f>
	}
	// A Class is a type as a value.
	Class interface{ ClassName() string }
	// A Foreign is a value of another language, such as a layout. The functions in a [Library] implement its
	// operations.
	Foreign interface {
		TypeName() string
		IsForeign() // marks the type
	}
)
