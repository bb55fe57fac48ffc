package diagnose

import "girih/internal/why/explain"

// A Report is what a text says.
type Report struct {
	Findings []Finding // the failures, in the order of the text, each once
	// error messages that were passed over: unknown ones beside a known one, which mostly follow from it
	Follows int
	Passed  []string // some of those messages, in the order of the text
	Layouts []Layout // of a text without a failure: the layouts in it, with what to know of them

	judged int // the known messages that were read for the rule that they state
}

// A Finding is one failure.
type Finding struct {
	// who says so: CuTe C++, CuTe DSL, pycute, PyCuTe, Triton, TileLang, CUDA driver
	Tool     string `json:"tool"`
	Message  string `json:"message"`            // the message, on one line
	Times    int    `json:"times"`              // how often the text has it
	Place    string `json:"place,omitempty"`    // where it is checked: include/cute/layout.hpp:1077
	Function string `json:"function,omitempty"` // the function that checks it
	// the named functions that lead there, the one that the user calls first
	Via       []string  `json:"via,omitempty"`
	Caller    string    `json:"caller,omitempty"`    // the user's line: gemm.cu:42
	Op        string    `json:"op,omitempty"`        // the operation, in CuTe's words
	Operands  []Operand `json:"operands,omitempty"`  // what the text says of its operands
	Expr      string    `json:"expr,omitempty"`      // the operation in the language, empty if operands are missing
	Demand    string    `json:"demand"`              // what has to hold, in general
	Condition string    `json:"condition,omitempty"` // what does not hold, with the numbers of this case
	Pair      string    `json:"pair,omitempty"`      // the two that do not go together
	Fact      string    `json:"fact,omitempty"`      // what girih finds of Expr: its value, or the first index without one
	Repairs   []Repair  `json:"repairs,omitempty"`   // what works near the request
	Missing   []string  `json:"missing,omitempty"`   // what the text does not say, and where to get it
	Start     int       `json:"start"`               // the bytes [Start, End) of the text are the message
	End       int       `json:"end"`                 // the byte behind the message

	symptom bool // follows from whatever else the text has

	// Explanation has the steps of the operation, if package explain has it.
	Explanation *explain.Explanation `json:"explanation,omitempty"`
}

// An Operand is a value that the text names.
type Operand struct {
	Name  string `json:"name"`  // what the tool calls it: lhs, tiler, src
	Value string `json:"value"` // canonical text, or the name of a type
}

// A Repair is something near the request that works. If it has an expression, that was evaluated.
type Repair = explain.Alternative

// A Layout is a layout of a text without a failure, and what there is to know of it.
type Layout struct {
	Name  string `json:"name,omitempty"` // what the text calls it
	Value string `json:"value"`          // canonical text
	// its size, and what is likely not meant: aliases, offsets beyond 32 bits, holes
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

// missing adds what the text does not say.
func (f *Finding) missing(what string) { f.Missing = append(f.Missing, what) }

// operand adds an operand if the text has it.
func (f *Finding) operand(name, value string) {
	if value != "" {
		f.Operands = append(f.Operands, Operand{Name: name, Value: value})
	}
}
