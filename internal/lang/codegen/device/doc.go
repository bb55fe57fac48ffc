// Package device writes device code: matrix descriptors with the instructions that take them, and TMA copies, in CuTe
// C++, in CUDA C++ with inline PTX, and in the CuTe DSL. Package codegen writes the layouts in this code.
//
// A request goes through one of four functions: [Fit] for a layout that an instruction can read, [Tile] for the layout
// that CUTLASS's builders select, [Instruction] for an instruction descriptor, and the methods of [TMA] for a copy.
package device

// The languages of code.
const (
	CuTe = "CuTe C++"
	CUDA = "CUDA C++"
	DSL  = "CuTe DSL"
)

// A Code is the same answer in one language.
type Code struct {
	Language string `json:"language"` // CuTe C++, CUDA C++ or CuTe DSL
	Text     string `json:"text"`     // some lines
}
