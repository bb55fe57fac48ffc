package diagnose

import "girih/internal/why/explain"

// A Report is the result of reading a text.
type Report struct {
	Findings []Finding // the failures in the order of the text, without repeats
	// the number of unknown error messages, which probably follow from a known one
	Follows int
	Passed  []string // some of those messages, in the order of the text
	Layouts []Layout // the layouts in a text without a failure, with notes on them

	judged int // known messages that were read for the rule that they state
}

// A Finding is one failure.
type Finding struct {
	// the source of the message: CuTe C++, CuTe DSL, pycute, PyCuTe, Triton, TileLang, CUDA driver
	Tool     string `json:"tool"`
	Message  string `json:"message"`            // the message, on one line
	Times    int    `json:"times"`              // how often the text has it
	Place    string `json:"place,omitempty"`    // where it is checked: include/cute/layout.hpp:1077
	Function string `json:"function,omitempty"` // the function that checks it
	// the named functions on the way to the check, the user's call first
	Via       []string  `json:"via,omitempty"`
	Caller    string    `json:"caller,omitempty"`    // the user's line: gemm.cu:42
	Op        string    `json:"op,omitempty"`        // the operation, in CuTe's words
	Operands  []Operand `json:"operands,omitempty"`  // its operands, as far as the text has them
	Expr      string    `json:"expr,omitempty"`      // the operation in the language, empty if operands are missing
	Demand    string    `json:"demand"`              // the general condition
	Condition string    `json:"condition,omitempty"` // the condition that fails, with the numbers of this case
	Pair      string    `json:"pair,omitempty"`      // the two numbers or modes that conflict
	Fact      string    `json:"fact,omitempty"`      // girih's answer for Expr: its value, or the first index without one
	Repairs   []Repair  `json:"repairs,omitempty"`   // operations near this one that work
	Missing   []string  `json:"missing,omitempty"`   // facts that the text lacks, and where to get them
	Start     int       `json:"start"`               // the bytes [Start, End) of the text are the message
	End       int       `json:"end"`                 // the byte after the message

	symptom bool // follows from any other failure in the text

	// Explanation has the steps of the operation, if package explain can derive them.
	Explanation *explain.Explanation `json:"explanation,omitempty"`
}

// An Operand is a value that the text names.
type Operand struct {
	Name  string `json:"name"`  // the tool's name for it: lhs, tiler, src
	Value string `json:"value"` // canonical text, or the name of a type
}

// A Repair is an operation near this one that works. Its expression, if any, was evaluated.
type Repair = explain.Alternative

// A Layout is a layout of a text without a failure, with notes on it.
type Layout struct {
	Name  string `json:"name,omitempty"` // the name that the text gives it
	Value string `json:"value"`          // canonical text
	// its size, and properties that are probably not intended: aliases, offsets beyond 32 bits, holes
	Notes []string `json:"notes,omitempty"`
}

// repair adds a repair unless there is one with the same text.
func (f *Finding) repair(r Repair) {
	for _, old := range f.Repairs {
		if old.Expr == r.Expr && (r.Expr != "" || old.Say == r.Say) {
			return
		}
	}
	f.Repairs = append(f.Repairs, r)
}

// missing adds a fact that the text lacks.
func (f *Finding) missing(what string) { f.Missing = append(f.Missing, what) }

// operand adds an operand if the text has it.
func (f *Finding) operand(name, value string) {
	if value != "" {
		f.Operands = append(f.Operands, Operand{Name: name, Value: value})
	}
}
