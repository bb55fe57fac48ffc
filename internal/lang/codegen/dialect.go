package codegen

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
)

// A Dialect is a target language, by its name in girih show --as.
type Dialect string

// The dialects.
const (
	CPP    Dialect = "cpp"    // CuTe C++
	DSL    Dialect = "dsl"    // CuTe DSL: Python with cutlass.cute as cute
	MLIR   Dialect = "mlir"   // the types of the cute dialect
	PyCute Dialect = "pycute" // Python with pycute
	Triton Dialect = "triton" // Python with triton.tools.LinearLayout
	LaTeX  Dialect = "latex"  // mathematics
	Go     Dialect = "go"     // Go with package cute
	JSON   Dialect = "json"   // the structure, as in the package comment
)

// A target is a dialect and how to write it.
type target struct {
	dialect Dialect
	title   string
	write   func(node) (string, error)
}

// targets are the dialects in the order in which they are shown.
var targets = []target{
	{CPP, "CuTe C++", writeCPP},
	{DSL, "CuTe DSL (Python)", writeDSL},
	{MLIR, "MLIR, types of the cute dialect", writeMLIR},
	{PyCute, "pycute (Python)", writePyCute},
	{Triton, "Triton, a linear layout (Python)", writeTriton},
	{LaTeX, "mathematics for LaTeX", writeLaTeX},
	{Go, "Go, package cute", writeGo},
	{JSON, "the structure", writeJSON},
}

// Dialects returns all dialects, in the order in which they are shown.
func Dialects() []Dialect {
	ds := make([]Dialect, len(targets))
	for i, t := range targets {
		ds[i] = t.dialect
	}
	return ds
}

// Title returns the name of the dialect in prose, or "" for an unknown dialect.
func (d Dialect) Title() string {
	if i := find(d); i >= 0 {
		return targets[i].title
	}
	return ""
}

func find(d Dialect) int {
	return slices.IndexFunc(targets, func(t target) bool { return t.dialect == d })
}

// Write returns the value as text of the dialect, without a line break at the end. It returns [cute.CodeName] for an
// unknown dialect, and [cute.CodeType] with the reason for a value that the target cannot express. For [Triton] it also
// returns [cute.CodeNotRepresentable], with a witness, for a function that is not linear over bits, [cute.CodeNegative]
// for negative values, [cute.CodeLimit] for a function that is too large, and the errors of evaluating the function.
func Write(d Dialect, v Value) (string, error) {
	i := find(d)
	switch {
	case i < 0:
		return "", unknownDialect(d)
	case v.err != nil:
		return "", v.err
	}
	switch n := v.root().(type) {
	case instructionNode:
		return n.write(d)
	default:
		if isBits(n) {
			return writeBits(d, n)
		}
	}
	return targets[i].write(v.root())
}

func unknownDialect(d Dialect) error {
	var names []string
	for _, t := range targets {
		names = append(names, string(t.dialect))
	}
	return &cute.Error{
		Code: cute.CodeName, Op: "show",
		Msg: fmt.Sprintf("there is no dialect %q: the dialects are %s", string(d), strings.Join(names, ", ")),
	}
}

// refuse returns the error for a value that a dialect cannot express.
//
//go:noinline
func refuse(d Dialect, format string, args ...any) error {
	return &cute.Error{Code: cute.CodeType, Op: string(d), Msg: fmt.Sprintf(format, args...)}
}
