package fault

// A Code is the class of an error of girih. The set is closed: [Codes] lists it. A Code is an error itself, so that
// errors.Is(err, fault.Overflow) tests the class of an error, and errors.AsType[fault.Code](err) returns the class, for
// errors from any package. The strings are stable.
type Code string

// Error returns the code.
func (c Code) Error() string { return string(c) }

// What a text or a program has to be.
const (
	Syntax   Code = "syntax"   // the text is not in the language
	Overflow Code = "overflow" // a number does not fit in 64 bits, or in the bits allowed for it
	Depth    Code = "depth"    // the text nests deeper than its parser follows
	Limit    Code = "limit"    // the answer needs more elements, leaves, bytes or time than the stated limit
	Type     Code = "type"     // the operation is not defined for a value of this kind
	Name     Code = "name"     // a name or a function is not known
	Range    Code = "range"    // the element type has no such code, or no value near this number
)

// What the operations of the algebra need.
const (
	Extent            Code = "extent"             // an extent of a shape is not positive
	NotCongruent      Code = "not_congruent"      // two tuples need the same nesting, or the first a coarser one
	Rank              Code = "rank"               // an operand has too many or too few modes
	Mode              Code = "mode"               // the mode, the coordinate or the position does not exist
	Codomain          Code = "codomain"           // strides mix integers with coordinates, or depths of coordinates
	NotRepresentable  Code = "not_representable"  // no layout represents this function
	NotComplementable Code = "not_complementable" // the strides and extents do not chain, so no complement exists
	NotInjective      Code = "not_injective"      // two coordinates have the same offset where that is not allowed
	NotInvertible     Code = "not_invertible"     // no layout is an inverse
	NotDivisible      Code = "not_divisible"      // a number must divide another one and does not
	Negative          Code = "negative"           // the operation is not defined for a negative number
	Swizzle           Code = "swizzle"            // the three numbers of a Swizzle are not legal
	Unknown           Code = "unknown"            // the answer depends on an integer that is known only at run time
	Fact              Code = "fact"               // facts about a run-time integer contradict each other or a value
)

// What PTX and the simulator need.
const (
	Build   Code = "build"   // a builder cannot write this PTX
	Module  Code = "module"  // the module declares something that cannot be laid out in memory
	Entry   Code = "entry"   // the module has no such kernel
	Memory  Code = "memory"  // the memory of a simulation is too large, or has no such buffer
	Stopped Code = "stopped" // the context ended before the run did
)

// These codes are for launches, simulated or on a card, and for the errors of a driver.
const (
	Argument    Code = "argument"      // an argument does not fit its parameter or its purpose
	Launch      Code = "launch"        // no GPU can start this launch, or the driver refuses it
	NoDriver    Code = "no_driver"     // there is no driver for this system
	OldDriver   Code = "old_driver"    // the driver lacks a function
	NoDevice    Code = "no_device"     // there is no card, or no card with this number
	Refused     Code = "refused"       // the driver does not compile or load a module
	OutOfMemory Code = "out_of_memory" // the card, or the pinned memory of the host, is full
	Kernel      Code = "fault"         // a kernel failed on the card; the process must be restarted
	Left        Code = "left"          // abandoned work is still running
	Failed      Code = "failed"        // any other failed call of the driver
)
