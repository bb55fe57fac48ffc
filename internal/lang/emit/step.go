package emit

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
)

// An ID is the number of a step in a [Program], from 1 on. 0 is no step.
type ID int32

// A Step is an operation of a kernel: what one call of its author does. Only the fields that the operation has are set.
type Step struct {
	Op     string // CuTe's name of it: a row of the table in rows.go
	Of     []ID   // its operands
	At     []Index
	Cond   *Cond
	Name   string        // of a parameter, or of shared memory
	Type   dtype.Type    // of the elements, or of the number
	Layout cute.Composed // of shared memory, of threads, of a fragment
	Tile   []int64
	Proj   string // the projection of local_partition: "Step<_1,X>" is "1,_"
	N      int64  // a number of bytes, groups, arrivals; of a copy, the most bits at once if it is limited
	X      float64
	MMA    *atom.TiledMMA
	Copy   *atom.TiledCopy
	Shape  []string // of the tensor that it makes, a text for each mode
}

// An Index is a coordinate or a number. Open is CuTe's underscore.
type Index struct {
	X    address.Expr
	Open bool
}

// A Cond is a condition: all comparisons and all elections hold.
type Cond struct {
	Less  [][2]address.Expr
	Holds []ID
	Never bool
}

// A Program is a kernel as the list of its operations.
type Program struct {
	Name    string
	About   []string // what it is, one fact a line
	Threads int64
	Blocks  int64 // of a multiprocessor, for __launch_bounds__; 0 if not stated
	Cluster [3]int64
	Grid    []address.Expr
	Shared  int64 // bytes of shared memory
	Params  []Param
	Steps   []Step
}

// A Param is a parameter of the kernel.
type Param struct {
	Name    string
	CPP     string // its type in C++, such as "const half_t *"
	Type    dtype.Type
	Map     bool // it is passed as a tensor map
	Pointer bool
}

// Computes reports whether a step exists for an operation on numbers of a type.
func Computes(op string, t dtype.Type) bool {
	switch op {
	case "add", "sub", "mul":
		return t == dtype.F32 || t == dtype.F64 || t == dtype.S32 || t == dtype.U32
	}
	return false
}
