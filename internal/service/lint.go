//go:build !js || kernels

package service

import (
	"fmt"
	"strings"

	"girih/internal/lang/report"
	"girih/ptx/lint"
)

// lintOperation is the row of the check of a text of PTX.
func lintOperation() Operation {
	return Operation{
		Name: "lint", Doc: "Say what the text of PTX proves to be wrong or slow, without running it",
		Tool: &ToolDoc{
			Title:   "Check the text of PTX",
			Brief:   "what the text of PTX proves without a run: ill-formed stages of wgmma, misaligned accesses, setmaxnreg without effect.",
			Smaller: "a module with fewer kernels",
			Doc: "Reads PTX without running it: registers of wgmma used before the wait, missing fences, misaligned and narrow " +
				"accesses, setmaxnreg without effect, local memory; with the verbose log of ptxas, spills and the instruction that serializes wgmma.",
		},
		Command: &Command{
			Use:   "lint FILE.ptx [--ptxas-log FILE]",
			Meant: []string{"check", "ptxas", "spills"},
			Width: 80,
			Long:  lintHelp(),
			Example: `  girih lint kernel.ptx
  nvcc -cubin -arch=sm_90a -Xptxas -v kernel.cu 2>log.txt; girih lint kernel.ptx --ptxas-log log.txt
  girih lint kernel.ptx --json`,
		},
		Form: &Form{Examples: []any{LintRequest{PTX: formPTX}}},
		do: method[LintRequest, LintResponse]{
			do: (*Session).Lint,
			said: func(_ LintRequest, r LintResponse, _ Door) Answer {
				a := Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Error: r.Error}
				if r.Error == nil {
					a.Failed, a.OK, a.Shown = !r.OK, true, TextAlone
				}
				return a
			},
		}.caller(),
	}
}

// lintHelp is the prose of girih lint --help.
func lintHelp() string {
	var b strings.Builder
	b.WriteString(`Read PTX without running it, and report what its text proves, in three grades:

  fault  each execution of the instruction breaks a rule of the PTX ISA
  path   a path through the branches breaks a rule; a run need not take it
  hint   no rule is broken, but it costs more than it might, or has no effect

The rules:

`)
	for _, r := range lint.Rules() {
		fmt.Fprintf(&b, "  %-16s%s\n", r.Name, r.Says)
	}
	b.WriteString(`
--ptxas-log FILE is what ptxas -v, or nvcc -Xptxas -v, printed for the same PTX: its
spills, its registers, and the messages that wgmma is serialized, an instruction
of wgmma added, or setmaxnreg ignored, each with the instruction that causes it.
girih sim runs a kernel, and finds what depends on threads, waits and data.
The exit status is 1 if there is a fault.`)
	return b.String()
}

// A LintRequest asks what the text of PTX proves.
type LintRequest struct {
	PTX string `json:"ptx" jsonschema:"the PTX" brief:"-"`
	Log string `json:"log,omitempty" jsonschema:"the verbose output of ptxas for it" brief:"verbose output of ptxas"`

	// File is the name of the file of the PTX.
	File string `json:"-"`
}

// A LintResponse lists what was found. OK is set if nothing is a fault.
type LintResponse struct {
	OK    bool          `json:"ok"`
	Lines []lint.Line   `json:"lines"`
	More  int           `json:"more,omitempty"`  // how many messages are beyond the limit
	Funcs []lint.Func   `json:"funcs,omitempty"` // what the log says about each function
	Error *report.Error `json:"error,omitempty"`

	file  string
	Fault `json:"-"`
}

// MaxLintLog limits the log of ptxas, in bytes.
const MaxLintLog = 16 << 20

// Lint reads PTX.
func (s *Session) Lint(q LintRequest) LintResponse {
	m, info := simModule(q.PTX)
	if info != nil {
		return LintResponse{Error: info}
	}
	if len(q.Log) > MaxLintLog {
		return LintResponse{Error: usage("expected a log of at most %d bytes, found %d", MaxLintLog, len(q.Log))}
	}
	found := lint.Check(m, q.Log, s.stop)
	if fault := s.timeUp(); fault != nil {
		return LintResponse{Error: fault}
	}
	r := LintResponse{OK: true, Lines: found.Lines, More: found.More, Funcs: found.Funcs, file: q.File}
	for _, l := range found.Lines {
		r.OK = r.OK && l.Grade != lint.Fault
	}
	return r
}

// lintRows is how many lines of one rule a text shows.
const lintRows = 12

// Text returns what was found as a person reads it: a line each, as compilers write them.
func (r LintResponse) Text() string {
	var b strings.Builder
	shown := map[string]int{}
	file := r.file
	if file == "" {
		file = "line "
	} else {
		file += ":"
	}
	for _, l := range r.Lines {
		if shown[l.Rule]++; shown[l.Rule] > lintRows && l.Grade != lint.Fault {
			continue
		}
		fmt.Fprintf(&b, "%s%d: %s: ", file, l.Line, l.Grade)
		if l.Op != "" {
			fmt.Fprintf(&b, "%s ", l.Op)
		}
		fmt.Fprintf(&b, "%s [%s]\n", l.Text, l.Rule)
		if l.Source != "" {
			fmt.Fprintf(&b, "  from %s\n", l.Source)
		}
	}
	for _, rule := range lint.Rules() {
		if n := shown[rule.Name] - lintRows; n > 0 {
			fmt.Fprintf(&b, "%d more of %s: --json has all\n", n, rule.Name)
		}
	}
	for _, f := range r.Funcs {
		fmt.Fprintf(&b, "%s: %s, %d bytes of stack, %d and %d bytes of spill stores and loads\n",
			f.Name, plural(f.Registers, "register"), f.Stack, f.SpillStores, f.SpillLoads)
	}
	if len(r.Lines) == 0 {
		b.WriteString("nothing found\n")
	}
	return b.String()
}
