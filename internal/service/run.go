//go:build !js || programs

package service

import (
	"fmt"
	"strings"

	"girih/internal/lang/interp"
	"girih/internal/lang/report"
)

// runOperation is the row of programs.
func runOperation() Operation {
	return Operation{
		Name: "run", Doc: "Run a program or a document: Python of the CuTe DSL, CuTe C++, a notebook", Programs: true,
		Tool: &ToolDoc{
			Title:   "Run a program, a notebook's cell or a kernel",
			Brief:   "what a program of the CuTe DSL (Python) or of CuTe C++ prints, host code and kernels, with memory; a kernel without a launch by grid, block and call.",
			Smaller: "print less",
			Doc: "What a program of the CuTe DSL or of CuTe C++ prints: host code, functions, classes, and kernels, " +
				"which run for all threads on tensors with memory. An expression of the algebra alone prints its value. " +
				"With grid, block and call a kernel of the text that nothing launches runs, with arrays such as random(64), " +
				"and the arrays that it changes are printed, or compared with copies that the statements of expect change.",
		},
		Command: &Command{
			Use: "run FILE | - [-- ARGUMENTS]",
			Long: `Run a program of the CuTe DSL (Python) or of CuTe C++, or a document with such code:
.py, .cu, .ipynb, .md, .html, plain text. It prints what the program prints.

Host code, functions, classes and templates run as Python and C++ run them; tensors
have memory; kernels run for all threads and blocks, and a race is an error. main gets
the ARGUMENTS after --, and so does argparse. An expression of the algebra alone on a
line prints its value. docs/programs.md says what runs; the rest is refused with its
place and the reason.

A kernel that the text does not launch runs with --block, --grid and --call:

  --call 'scale(x=random(64), y=zeros(64), n=64)'

The call is written in the language of the text, with arguments by position or by
name, after other statements if there are some. Arrays are random, counting, zeros and
ones of extents or of a layout, random<half_t>(64) in C++, dtype= in Python. The arrays
that the kernel changes are printed. With --expect 'STATEMENTS' they are compared with
copies on which the statements run on the host: --expect 'gemm(A, B, C)'.

An error goes to the standard error, with line and column, and the exit status is 1;
it is 2 for wrong usage.`,
			Example: `  girih run cell.py
  girih run sgemm_1.cu -- 128 128 8
  girih run scale.cu --grid 2 --block 32 --call 'scale(random(64), zeros(64), 64, 2.0f)'
  girih run --check notebook.ipynb`,
		},
		Form: &Form{Examples: []any{
			RunRequest{
				Program: "a = cute.make_layout((8, 8), stride=(8, 1))\nb = cute.coalesce(a)\nprint(b, cute.size(b))\n", Lang: "python",
			},
		}},
		do: method[RunRequest, RunResponse]{
			do: (*Session).Run,
			said: func(_ RunRequest, r RunResponse, _ Door) Answer {
				a := Answer{Fault: r.Fault, OK: r.OK, Text: r.text, After: r.SlipText(""), Notes: r.Notes, Error: r.Error}
				if !r.OK {
					a.Shown = TextFirst
				}
				return a
			},
		}.caller(),
	}
}

// A RunRequest asks for the output of a program.
type RunRequest struct {
	Program string `json:"program" jsonschema:"statements of Python or of C++" brief:"-"`
	// Name is the name of the file, whose extension says what kind of document it is; without one, the text does.
	Name string `json:"name,omitempty" jsonschema:"the name of the file, such as notebook.ipynb or page.md" brief:"-"`
	// Check compares the values with those that the text states in comments, grids and stored outputs.
	Check bool `json:"check,omitempty" jsonschema:"compare the values with those that the text states" brief:"-"`
	// Lang is python, cpp or girih; without it the statements decide.
	Lang string `json:"lang,omitempty" jsonschema:"python, cpp or girih; without it the statements decide" brief:"-"`
	// Args are the arguments of main, or of argparse, after the name of the program.
	Args []string `json:"args,omitempty" jsonschema:"the arguments of main, or of argparse" brief:"-"`

	// With one of these a kernel of the text runs, and main does not. See [interp.KernelCall].
	Grid  []int64 `json:"grid,omitempty" jsonschema:"launch a kernel of the text: 1 to 3 extents of the grid, such as [2,2]" brief:"-"`
	Block []int64 `json:"block,omitempty" jsonschema:"1 to 3 extents of a block, such as [16,16]" brief:"-"`
	Call  string  `json:"call,omitempty" jsonschema:"the call of the kernel, such as scale(x=random(64), n=64); arrays are random, counting, zeros, ones of extents or a layout" brief:"-"`
	// Expect computes on the host what the kernel is to compute.
	Expect string `json:"expect,omitempty" jsonschema:"statements that change copies of the arrays as the kernel is to, such as gemm(A, B, C)" brief:"-"`
}

// textOf returns the name of the field that a text with an error is: call or expect; "" for the program.
func (q RunRequest) textOf(src string) string {
	if q.kernel() == nil {
		return ""
	}
	switch strings.TrimRight(src, ";") {
	case q.Program:
	case strings.TrimRight(q.Call, ";"):
		return "call"
	case strings.TrimRight(q.Expect, ";"):
		return "expect"
	}
	return ""
}

// kernel returns the launch that a request asks for, or nil.
func (q RunRequest) kernel() *interp.KernelCall {
	if len(q.Grid)+len(q.Block) == 0 && q.Call == "" && q.Expect == "" {
		return nil
	}
	return &interp.KernelCall{Grid: q.Grid, Block: q.Block, Call: q.Call, Expect: q.Expect}
}

// A RunResponse is what a program prints, up to its end or to the error that ended it.
type RunResponse struct {
	OK     bool          `json:"ok"`               // the program ran to its end
	Output string        `json:"output"`           // what the program printed
	Notes  []string      `json:"notes,omitempty"`  // what a reader should know about the values, with their lines
	Error  *report.Error `json:"error,omitempty"`  // why the program ended early
	Line   int           `json:"line,omitempty"`   // the line of the error, from 1
	Column int           `json:"column,omitempty"` // the column of the error, in runes, from 1
	// Of is "call" or "expect" if the error is in that field of the request, and not in the program.
	Of string `json:"of,omitempty"`

	// With Check: how many values the text states of its own, and those that are not what its code computes.
	Checked int    `json:"checked,omitempty"`
	Slips   []Slip `json:"slips,omitempty"`
	// Failed lists the cells of a document that ended with an error.
	Failed []CellError `json:"failed,omitempty"`

	Fault `json:"-"`
}

// A Slip is a value that a document states and that its code does not compute.
type Slip struct {
	Line     int    `json:"line"`           // the line in the document, from 1; in a notebook, the line in the cell
	Cell     int    `json:"cell,omitempty"` // the number of the cell in a notebook, from 1
	Name     string `json:"name,omitempty"` // the name that the statement binds
	Stated   string `json:"stated"`         // the value in the document
	Computed string `json:"computed"`       // the value of the statement, or what the cell prints
	Words    string `json:"words"`          // the first difference
	Output   bool   `json:"-"`              // Stated and Computed are lines of output
}

// A CellError is the error that ended a cell of a document.
type CellError struct {
	Line   int           `json:"line"`
	Column int           `json:"column"`
	Error  *report.Error `json:"error"`
	In     string        `json:"-"`
}

// text returns the output. An error of the whole has its place at the end, which its report follows; the field of the
// request is named if it is not the program. Of a document there are the errors of the other cells before.
func (r RunResponse) text() string {
	if r.OK {
		return r.Output
	}
	var b strings.Builder
	b.WriteString(r.Output)
	for i, f := range r.Failed {
		if i > 0 { // the first error is about the whole document
			fmt.Fprintf(&b, "%d:%d: error: %s: %s\n", f.Line, f.Column, f.Error.Code, f.Error.Message)
		}
	}
	if r.Of != "" {
		b.WriteString(r.Of + ":")
	}
	fmt.Fprintf(&b, "%d:%d: ", r.Line, r.Column)
	return b.String()
}

// SlipText returns lines on the values that the text states: each one that differs, after a name, and how many there
// are.
func (r RunResponse) SlipText(name string) string {
	var b strings.Builder
	for _, s := range r.Slips {
		of := ""
		if s.Name != "" {
			of = s.Name + ": "
		}
		fmt.Fprintf(&b, "%s%d: %sthe text states %s, the value is %s: %s\n", name, s.Line, of, s.Stated, s.Computed, s.Words)
	}
	if r.Checked > 0 {
		fmt.Fprintf(&b, "%d values are stated, %d of them differ\n", r.Checked, len(r.Slips))
	}
	return b.String()
}

// Run runs a program. The value of an expression on a line of its own is printed as well.
func (s *Session) Run(q RunRequest) RunResponse {
	var out strings.Builder
	r := s.RunTo(q, func(text string) error {
		out.WriteString(text)
		return limitError(s.budget.Hold(int64(len(text))))
	})
	r.Output = out.String()
	for i, n := range r.Notes {
		r.Notes[i] = fieldNames.Replace(n)
	}
	if r.Error != nil {
		r.Error.Hint = fieldNames.Replace(r.Error.Hint)
	}
	return r
}

// fieldNames names the fields of a request where a text of a program has the flags of the command.
var fieldNames = strings.NewReplacer(
	"girih run FILE --grid 1 --block 64 --call ", "run with grid [1], block [64] and call ", "--call ", "",
)
