//go:build !js || programs

package service

import (
	"fmt"
	"strings"

	"girih/internal/lang/report"
)

// runOperation is the row of programs.
func runOperation() Operation {
	return Operation{
		Name: "run", Doc: "Run a program: a notebook's cell, a piece of CuTe C++", Programs: true,
		Tool: &ToolDoc{
			Title:   "Run a cell or a snippet",
			Brief:   "what a notebook cell of the CuTe DSL or a piece of CuTe C++ prints: bindings, print, printf, print_layout, assert, for over a range, functions, @cute.jit; nothing else of Python or C++.",
			Smaller: "print less",
			Doc: "What a program of the CuTe DSL or of CuTe C++ prints: bindings (A = .., auto a = ..;), print, " +
				"cute.printf, printf, print_layout, assert, static_assert, for over a range, functions of such " +
				"lines, also @cute.jit, where print is at trace time and cute.printf at run time. An expression " +
				"alone prints its value. Nothing else of Python or C++ is run.",
		},
		Command: &Command{
			Use: "run FILE | -",
			Long: `Run the statements of a file, or of the standard input, as people write them in the
CuTe DSL and in CuTe C++, and print what they print:

  A = EXPR   A: TYPE = EXPR   auto a = EXPR;   TYPE a = EXPR;   using A = TYPE;
  a, b = EXPR   auto [a, b] = EXPR;   int n{4};   dim3 g(a, b);
  print(...) with f-strings   cute.printf("{}", a)   printf("%d\n", n);
  print_layout(a)   print_latex(mma)   assert TEST, TEXT   static_assert(TEST);
  for i in range(4):   @cute.jit def f(a: cutlass.Int32, b=2):   return EXPR

An expression alone on a line prints its value, outside functions and loops. In a
function with @cute.jit, print prints at trace time, where cutlass.Int32(6) is ?, and
cute.printf at run time, where it is 6, after everything that print prints.

Nothing else of Python or C++ is run: other statements are refused with their place
and the reason. An error goes to the standard error, with line and column, and
the exit status is 1; it is 2 for wrong usage.`,
			Example: `  girih run cell.py
  girih run - <snippet.cu
  girih run --json cell.py`,
		},
		do: method[RunRequest, RunResponse]{
			do: (*Session).Run,
			said: func(_ RunRequest, r RunResponse, _ Door) Answer {
				a := Answer{Fault: r.Fault, OK: r.OK, Text: func() string { return r.Output }, Notes: r.Notes, Error: r.Error}
				if !r.OK {
					a.Shown = TextFirst
					a.Text = func() string { return fmt.Sprintf("%s%d:%d: ", r.Output, r.Line, r.Column) }
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
}

// A RunResponse is what a program prints, up to its end or to the error that ended it.
type RunResponse struct {
	OK     bool          `json:"ok"`               // it ran to its end
	Output string        `json:"output"`           // what it printed
	Notes  []string      `json:"notes,omitempty"`  // what to know of the values, with their lines
	Error  *report.Error `json:"error,omitempty"`  // why it ended
	Line   int           `json:"line,omitempty"`   // of the error, from 1
	Column int           `json:"column,omitempty"` // of the error, in runes, from 1

	// With Check: how many values the text states of its own, and those that are not what its code computes.
	Checked int    `json:"checked,omitempty"`
	Slips   []Slip `json:"slips,omitempty"`
	// Failed lists the cells of a document that ended with an error.
	Failed []CellError `json:"failed,omitempty"`

	Fault `json:"-"`
}

// A Slip is a value that a document states and that its code does not compute.
type Slip struct {
	Line     int    `json:"line"`           // of the document, from 1; in a notebook, of the cell
	Cell     int    `json:"cell,omitempty"` // of a notebook, from 1
	Name     string `json:"name,omitempty"` // that the statement binds
	Stated   string `json:"stated"`         // as the document writes it
	Computed string `json:"computed"`       // the value of the statement, or what the cell prints
	Words    string `json:"words"`          // where they differ first
	Output   bool   `json:"-"`              // Stated and Computed are lines of an output
}

// A CellError is the error that ended a cell of a document.
type CellError struct {
	Line   int           `json:"line"`
	Column int           `json:"column"`
	Error  *report.Error `json:"error"`
	In     string        `json:"-"`
}

// Run runs a program. The value of an expression on a line of its own is printed as well.
func (s *Session) Run(q RunRequest) RunResponse {
	var out strings.Builder
	r := s.RunTo(q, func(text string) error {
		out.WriteString(text)
		return limitError(s.budget.Hold(int64(len(text))))
	})
	r.Output = out.String()
	return r
}
