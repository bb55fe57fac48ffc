package explain

// An Explanation explains one operation on one set of operands.
type Explanation struct {
	Op      string        `json:"op"`                // CuTe's name of the operation
	Expr    string        `json:"expr"`              // the operation and its operands, in the language
	Rule    string        `json:"rule"`              // the definition of the result, in one or two sentences
	Source  string        `json:"source,omitempty"`  // the source of the rule: a CuTe header or document, the PTX ISA
	Steps   []Step        `json:"steps,omitempty"`   // how the result is computed, or the steps up to the failure
	Result  string        `json:"result,omitempty"`  // the canonical text of the result; empty if there is none
	Check   string        `json:"check,omitempty"`   // what was verified about the result, with numbers
	Failure *Failure      `json:"failure,omitempty"` // why there is no result
	Instead []Alternative `json:"instead,omitempty"` // similar requests that work
	Notes   []string      `json:"notes,omitempty"`   // additional facts for the reader
}

// A Step is one step of an explanation.
type Step struct {
	Say    string   `json:"say"`              // one sentence with the numbers of this case
	Lines  []string `json:"lines,omitempty"`  // the work, as columns of monospaced text
	Figure *Figure  `json:"figure,omitempty"` // the picture of the step
}

// A Figure names a picture that package view draws: the kind of picture and the expression that it shows.
type Figure struct {
	Kind    string `json:"kind"`              // a value of girih draw --as: layout, composition, tv, swizzle, ...
	Expr    string `json:"expr"`              // what is drawn, in the language
	Caption string `json:"caption,omitempty"` // what the picture shows
	File    string `json:"file,omitempty"`    // the file with the picture, if any
}

// A Failure says which condition fails, and where.
type Failure struct {
	Code      string `json:"code"`            // the code of the error
	Condition string `json:"condition"`       // the condition with the numbers that violate it: 2 does not divide 3
	Pair      string `json:"pair,omitempty"`  // the two modes or numbers that conflict
	Index     int64  `json:"index"`           // the first index at which every candidate fails; -1 if none is known
	Coord     string `json:"coord,omitempty"` // the same index as a coordinate
	Message   string `json:"message"`         // the error message
	Hint      string `json:"hint,omitempty"`  // what to do, if no similar request with a result is known
}

// An Alternative is a similar request that has a result.
type Alternative struct {
	Say    string `json:"say"`              // what the alternative is, and how it differs from the request
	Expr   string `json:"expr,omitempty"`   // the alternative in the language
	Result string `json:"result,omitempty"` // the value of the alternative
}
