package diagnose

import "girih/internal/why/explain"

// A Report is the result of reading a text.
type Report struct {
	Findings []Finding // the failures in the order of the text, without repeats
	// the number of unknown error messages, which probably follow from a known message
	Follows int
	Passed  []string // some of the unknown messages, in the order of the text
	Layouts []Layout // the layouts in a text without a failure, with notes on each

	judged int // known messages that were read for the rule that they state
}

// A Finding is one failure.
type Finding struct {
	// the program that the message is from: CuTe C++, CuTe DSL, pycute, PyCuTe, Triton, TileLang, CUDA driver
	Tool     string `json:"tool"`
	Message  string `json:"message"`            // the message, on one line
	Times    int    `json:"times"`              // how often the text contains the message
	Place    string `json:"place,omitempty"`    // the place of the check: include/cute/layout.hpp:1077
	Function string `json:"function,omitempty"` // the function that makes the check
	// the named functions between the user's call and the check, the user's call first
	Via       []string  `json:"via,omitempty"`
	Caller    string    `json:"caller,omitempty"`    // the user's line: gemm.cu:42
	Op        string    `json:"op,omitempty"`        // the operation, in CuTe's words
	Operands  []Operand `json:"operands,omitempty"`  // the operands that the text gives
	Expr      string    `json:"expr,omitempty"`      // the operation in girih's language, empty if operands are missing
	Demand    string    `json:"demand"`              // the general condition
	Condition string    `json:"condition,omitempty"` // the condition that fails, with the numbers of this case
	Pair      string    `json:"pair,omitempty"`      // the two numbers or modes that conflict
	Fact      string    `json:"fact,omitempty"`      // girih's answer for Expr: its value, or the first index without one
	Repairs   []Repair  `json:"repairs,omitempty"`   // similar operations that work
	Missing   []string  `json:"missing,omitempty"`   // facts that the text lacks, and where to get them
	Start     int       `json:"start"`               // the message is the bytes [Start, End) of the text
	End       int       `json:"end"`                 // the byte after the message

	symptom bool // the failure follows from any other failure in the text

	// Explanation lists the steps of the operation, if package explain can derive them.
	Explanation *explain.Explanation `json:"explanation,omitempty"`
}

// An Operand is a value that the text gives.
type Operand struct {
	Name  string `json:"name"`  // the tool's name for the operand: lhs, tiler, src
	Value string `json:"value"` // canonical text, or the name of a type
}

// A Repair is a similar operation that works. If it has an expression, the expression was evaluated.
type Repair = explain.Alternative

// A Layout is a layout in a text without a failure, with notes on it.
type Layout struct {
	Name  string `json:"name,omitempty"` // the layout's name in the text
	Value string `json:"value"`          // canonical text
	// the layout's size, and properties that are probably not intended: aliases, offsets beyond 32 bits, holes
	Notes []string `json:"notes,omitempty"`
}

// repair adds a repair unless another one has the same text.
//
//go:noinline
func (f *Finding) repair(r Repair) {
	for _, old := range f.Repairs {
		if old.Expr == r.Expr && (r.Expr != "" || old.Say == r.Say) {
			return
		}
	}
	f.Repairs = append(f.Repairs, r)
}

// missing adds a fact that the text lacks.
//
//go:noinline
func (f *Finding) missing(what string) { f.Missing = append(f.Missing, what) }

// operand adds an operand if the text gives its value.
//
//go:noinline
func (f *Finding) operand(name, value string) {
	if value != "" {
		f.Operands = append(f.Operands, Operand{Name: name, Value: value})
	}
}
