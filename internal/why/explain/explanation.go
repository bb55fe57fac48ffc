package explain

// An Explanation is one operation on one set of operands, taken apart.
type Explanation struct {
	Op      string        `json:"op"`                // CuTe's name of the operation
	Expr    string        `json:"expr"`              // the operation and its operands, in the language
	Rule    string        `json:"rule"`              // what defines the result, in one or two sentences
	Source  string        `json:"source,omitempty"`  // where the rule is from: a CuTe header or document, the PTX ISA
	Steps   []Step        `json:"steps,omitempty"`   // how the result comes about, or how far one gets
	Result  string        `json:"result,omitempty"`  // the canonical text of the result; empty if there is none
	Check   string        `json:"check,omitempty"`   // what was verified of the result, with numbers
	Failure *Failure      `json:"failure,omitempty"` // why there is no result
	Instead []Alternative `json:"instead,omitempty"` // what would work
	Notes   []string      `json:"notes,omitempty"`   // what a reader of the explanation should know
}

// A Step is one step of an explanation.
type Step struct {
	Say    string   `json:"say"`              // one sentence with the numbers of this case
	Lines  []string `json:"lines,omitempty"`  // the work, in columns of monospaced text
	Figure *Figure  `json:"figure,omitempty"` // the picture of the step
}

// A Figure names a picture that package view draws: a kind of picture and the expression it is of.
type Figure struct {
	Kind    string `json:"kind"`              // as girih draw --as takes it: layout, composition, tv, swizzle, ...
	Expr    string `json:"expr"`              // what is drawn, in the language
	Caption string `json:"caption,omitempty"` // what the picture shows
	File    string `json:"file,omitempty"`    // the file that it was drawn in, if it was
}

// A Failure says which condition fails, and where.
type Failure struct {
	Code      string `json:"code"`            // the code of the error
	Condition string `json:"condition"`       // the condition with the numbers that violate it: 2 does not divide 3
	Pair      string `json:"pair,omitempty"`  // the two modes or numbers that do not go together
	Index     int64  `json:"index"`           // the first index at which every candidate fails; -1: none
	Coord     string `json:"coord,omitempty"` // the same as a coordinate
	Message   string `json:"message"`         // the sentence of the error
	Hint      string `json:"hint,omitempty"`  // what to do, if nothing near the request is known to have a result
}

// An Alternative is something near the request that has a result.
type Alternative struct {
	Say    string `json:"say"`              // what it is and how it differs
	Expr   string `json:"expr,omitempty"`   // in the language
	Result string `json:"result,omitempty"` // what it evaluates to
}
