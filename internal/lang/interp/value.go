package interp

import (
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// A Value is a value of a program: one of the types in this file.
type Value = python.Value

// These are the values of Python. C++ uses None for a function without a result, Tuple, and Module for a namespace.
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
	// An Unrolled is range_constexpr of the CuTe DSL: a loop over it is unrolled at trace time.
	Unrolled Range

	// A CInt is an integer of C++: Bits modulo 2^width of its type, sign-extended to 64 bits for a signed type. Bool and
	// char are integers too. Static is true for a compile-time integer, as Int<4>{} is.
	CInt struct {
		Bits   uint64
		Type   CType
		Static bool
	}
	// A CFloat is a float or a double of C++; a float is rounded to 24 bits.
	CFloat struct {
		F      float64
		Single bool
	}
	// An Array is an array of C++.
	Array struct {
		Type   CType // of the elements; CNone if they are not numbers
		Cells  []*cell
		Vector bool // a std::vector or std::array, which assignment copies
		// elem is the type of the elements if C++ itself does not have it, as half_t; 0 otherwise.
		elem dtype.Type
		// window is the storage of tensors of the array; nil before one is made.
		window *window
		races  races
	}

	// An Algebra is a value of the algebra, such as a layout or a run-time integer, with its texts at trace time and at
	// run time.
	Algebra struct {
		eval.Result
		bound eval.Binding
		// window is the storage of a tensor whose elements are places in it; nil for any other value.
		*window
		// late is the layout at trace time of a tensor whose layout the CuTe DSL knows at run time only: see late.go.
		late *Algebra
		// lazy is the function that lazy::transform applies to the elements of a tensor; nil for any other value.
		lazy Value
		// mixed is true for a value of C++ that was made of an integer of run time. Then it is not known here which of its
		// integers C++ knows when it compiles.
		mixed bool
	}
	// An Element is a number of a type of elements that the host language does not have: a half_t of C++, or a number
	// of the CuTe DSL, which is known at run time. Its text at trace time is "?".
	Element struct {
		Type dtype.Type
		F    float64 // of a floating-point type
		N    int64   // of an integer type
		// torch is true for an element of an array of PyTorch, which PyTorch prints as an array without modes.
		torch bool
	}

	// A Func is a function of the program.
	Func struct {
		Def      *program.Def
		Defaults []Value // of the parameters that have one, evaluated at the definition; nil elsewhere
		Scope    *scope  // the names around the definition
		local    map[string]bool
		explicit []program.Expr   // the arguments of the template that are given with the name
		class    *ClassType       // the class of a method; nil for other functions
		qual     string           // the name after the names of the functions and classes around it, in Python
		traced   bool             // the CuTe DSL traces its loops: it is in a function with @cute.jit or @cute.kernel
		body     bool             // the body of a class, which is no function
		setter   *Func            // of a property; nil without one
		deleter  *Func            // of a property; nil without one
		library  string           // the module that declares it; "" for the program itself
		attrs    map[string]Value // attributes that the program sets
		cached   *cache           // of lru_cache; nil without it
		next     *Func            // another function of C++ with the same name; nil without one
		result   *TypeValue       // of a std::function that holds the function; nil for any other
	}
	// A Builtin is a function of the language; Name is what an error calls it.
	Builtin struct {
		Name string
		Call func(r *runner, c *arguments) (Value, error)
		// Always is true if the function is called also with values of the algebra; otherwise the operation of the
		// algebra with the same name is.
		Always bool
		// shared is true for a function of Python that each use of its name returns.
		shared bool
	}
	// A TypeValue is a type as a value: a class of Python, or a type of C++.
	TypeValue struct {
		Name string
		C    CType // a type of numbers of C++; CNone for others
		// Elem is the type of the elements of a std::vector or std::array with Size elements, or of a pointer.
		Elem *TypeValue
		Size int64
		// Struct is the type that the program declares with this name.
		Struct *StructType
	}
)

// A CType is a type of numbers of C++.
type CType uint8

// The types of numbers of C++ on the usual 64-bit machines. CNone is no type of numbers.
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

// A cell is a variable. Names of C++ that refer to one variable share its cell.
type cell struct {
	v Value
	// in and at are the array of C++ that has the variable as an element, and its index.
	in *Array
	at int
	// to is the type of the elements to which a pointer of C++ points; nil for any other variable.
	to *TypeValue
	// put assigns to an element of a tensor; nil for any other variable.
	put func(v Value) error
	// used records that the element is read: only load reads it, an assignment does not. nil for any other variable.
	used  func() error
	typ   CType // the type to which assigned values are converted; CNone for auto and for Python
	fixed bool  // const
}

// A scope holds the names of a block or a function.
type scope struct {
	names map[string]*cell
	outer *scope
	fn    *Func // the function whose outermost scope this is; nil for a block
	// uses are the namespaces of C++ whose names a using namespace adds; space is true for the scope of a namespace.
	uses  []*scope
	space bool
	refs  []string // the names of C++ that are declared as references
	// declared has the names that a function of Python has declared: each is "global" or "nonlocal".
	declared map[string]string
	// library is the name of the module whose outermost scope this is; "" for any other scope.
	library string
	// local are the names that the function assigns to anywhere: reading one before is Python's UnboundLocalError.
	local map[string]bool
}
