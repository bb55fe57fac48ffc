package interp

import (
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// A Value is a value of a program: one of the types in this file.
type Value = python.Value

// These are the values of Python. C++ also uses None, for a function without a result, Tuple, and Module, for a
// namespace.
type (
	Int    = python.Int
	Bool   = python.Bool
	Float  = python.Float
	Str    = python.Str
	None   = python.None
	Tuple  = python.Tuple
	List   = python.List
	Dict   = python.Dict
	Range  = python.Range
	Slice  = python.Slice
	Method = python.Method
	Module = python.Module
)

type (
	// An Unrolled is a range_constexpr of the CuTe DSL. A loop over it is unrolled at trace time.
	Unrolled Range

	// A CInt is an integer of C++. Bits is its value modulo 2^width, sign-extended to 64 bits if its type is signed.
	// Bool and char are integers too. Static is true for a compile-time integer such as Int<4>{}.
	CInt struct {
		Bits   uint64
		Type   CType
		Static bool
	}
	// A CFloat is a float or a double of C++. A float is rounded to 24 bits of mantissa.
	CFloat struct {
		F      float64
		Single bool
	}
	// An Array is an array of C++.
	Array struct {
		Type   CType // the type of the elements; CNone if they are not numbers
		Cells  []*cell
		Vector bool // a std::vector or std::array, which assignment copies
		// elem is the element type if C++ itself does not have it, such as half_t; otherwise 0.
		elem dtype.Type
		// window is the storage of tensors on the array; nil if there is no such tensor yet.
		window *window
		races  races
	}

	// An Algebra is a value of the algebra, such as a layout or a run-time integer, with its trace-time and run-time
	// texts.
	Algebra struct {
		eval.Result
		bound eval.Binding
		// window is the storage of a tensor whose elements are places in the window; nil for any other value.
		*window
		// late is the trace-time layout of a tensor whose layout the CuTe DSL knows only at run time: see late.go.
		late *Algebra
		// lazy is the function that lazy::transform applies to the elements of a tensor; nil for any other value.
		lazy Value
		// mixed is true for a C++ value that was made from a run-time integer and for which girih does not know which
		// of its integers C++ knows at compile time.
		mixed bool
		// sets is true for an MMA whose products set C: its accumulate_ is ScaleOut::Zero.
		sets bool
	}
	// An Element is a number of an element type that the host language does not have: a half_t of C++, or a number of
	// the CuTe DSL, which is known only at run time. Its trace-time text is "?".
	Element struct {
		Type dtype.Type
		F    float64 // the value for a floating-point type
		N    int64   // the value for an integer type
		// torch is true for an element of a PyTorch array, which PyTorch prints as an array without modes.
		torch bool
	}

	// A Func is a function of the program.
	Func struct {
		Def      *program.Def
		Defaults []Value // the default values of the parameters, evaluated at the definition; nil for parameters without one
		Scope    *scope  // the scope around the definition
		local    map[string]bool
		explicit []program.Expr   // the template arguments that are given with the name
		class    *ClassType       // the class of a method; nil for other functions
		qual     string           // the qualified name of a Python function
		traced   bool             // the CuTe DSL traces its loops, because it is in a function with @cute.jit or @cute.kernel
		body     bool             // this is the body of a class instead of a function
		setter   *Func            // the setter of a property; nil if there is none
		deleter  *Func            // the deleter of a property; nil if there is none
		library  string           // the module that declares it; "" for the program itself
		attrs    map[string]Value // attributes that the program sets
		cached   *cache           // the cache of lru_cache; nil if there is none
		next     *Func            // the next overload of a C++ function; nil if there is none
		result   *TypeValue       // the result type of a std::function that contains the function; otherwise nil
	}
	// A Builtin is a function of the language. Errors call it by Name.
	Builtin struct {
		Name string
		Call func(r *runner, c *arguments) (Value, error)
		// Always is true if the function is also called with values of the algebra. Otherwise the operation of the
		// algebra with the same name is called for such values.
		Always bool
		// shared is true for a Python function for which every use of its name returns the same value.
		shared bool
	}
	// A TypeValue is a type as a value: a class of Python, or a type of C++.
	TypeValue struct {
		Name string
		C    CType // the type of numbers of C++; CNone if it is not one
		// Elem is the element type of a std::vector or of a std::array with Size elements, or the type to which a
		// pointer points.
		Elem *TypeValue
		Size int64
		// Struct is the type if the program declares it; otherwise nil.
		Struct *StructType
	}
)

// A CType is a type of numbers of C++.
type CType uint8

// The types of numbers of C++ on 64-bit Linux. CNone means that a type is not a type of numbers.
const (
	CNone CType = iota
	CBool
	CChar
	CSChar
	CUChar
	CShort
	CUShort
	CIntType
	CUInt
	CLong
	CULong
	CLongLong
	CULongLong
	CSingle
	CDouble
)

// A cell is a variable. C++ names that refer to the same variable share its cell.
type cell struct {
	v Value
	// in and at are the C++ array that contains the variable as an element, and its index.
	in *Array
	at int
	// to is the type to which a pointer of C++ points; nil for any other variable.
	to *TypeValue
	// put assigns to an element of a tensor; nil for any other variable.
	put func(v Value) error
	// used records that the element is read. Only load calls it, because an assignment does not read the element. It is
	// nil for any other variable.
	used  func() error
	typ   CType // the type to which assigned values are converted; CNone for auto and for Python
	fixed bool  // const
	// elem is the type of a variable of a type such as half; 0 for any other variable.
	elem dtype.Type
}

// A scope contains the names of a block or a function.
type scope struct {
	names map[string]*cell
	outer *scope
	fn    *Func // the function whose outermost scope this is; nil for a block
	// uses lists the C++ namespaces whose names a using namespace adds. space is true for the scope of a namespace.
	uses  []*scope
	space bool
	refs  []string // the C++ names that are declared as references
	// declared maps the names that a Python function declares to "global" or "nonlocal".
	declared map[string]string
	// library is the name of the module whose outermost scope this is; "" for any other scope.
	library string
	// local contains the names to which the function assigns anywhere. Reading one of them before the assignment is
	// Python's UnboundLocalError.
	local map[string]bool
}
