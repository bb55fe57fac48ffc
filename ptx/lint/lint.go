// Package lint reads PTX without running it, and reports what can be proven from the text: stages of wgmma that are not
// formed as the PTX ISA demands, misaligned accesses, setmaxnreg without effect, local memory, and loads and stores that
// might be wider. With the log of ptxas -v it names the instructions that made ptxas serialize wgmma.
//
// Every line is a fact about the text, in one of three grades:
//
//	fault  each execution of the instruction breaks a rule of the PTX ISA
//	path   a path through the branches of the function breaks a rule; a run need not take that path
//	hint   no rule is broken, but the instruction costs more than it might, or has no effect
//
// [Rules] has the rules. To read the source: stage.go follows the registers of wgmma along the branches, align.go knows
// the low bits of addresses, access.go and registers.go hold the other rules, and log.go reads ptxas.
package lint

import (
	"cmp"
	"fmt"
	"slices"

	"girih/ptx"
	"girih/ptx/flow"
)

// Grade says how much a line claims; see the package comment.
type Grade string

// The grades.
const (
	Fault Grade = "fault"
	Path  Grade = "path"
	Hint  Grade = "hint"
)

// Rule is one kind of line.
type Rule struct {
	Name    string
	Says    string
	Section string // of the PTX ISA, or what else the rule is known from
}

// The rules, by name.
const (
	ruleFence     = "wgmma-fence"
	ruleRegisters = "wgmma-registers"
	ruleCall      = "wgmma-call"
	ruleEnd       = "wgmma-wait"
	ruleSetmaxnr  = "setmaxnreg"
	ruleAlign     = "misaligned"
	ruleNarrow    = "narrow"
	ruleLocal     = "local"
	ruleSpills    = "spills"
	ruleSerial    = "serialized"
)

// Rules returns all rules, in the order of the documentation.
func Rules() []Rule {
	return []Rule{
		{ruleFence, "no wgmma.fence before the first wgmma, or between a write to its accumulators or its A in registers and the wgmma", "wgmma.fence"},
		{ruleRegisters, "registers of a wgmma are used before a wgmma.wait_group that covers its group", "wgmma.mma_async, wgmma.wait_group"},
		{ruleCall, "a function is called while a wgmma is under way", "ptxas, C7510: wgmma pipeline crossing function boundary"},
		{ruleEnd, "the kernel ends while a wgmma is under way: no wgmma.commit_group or no wgmma.wait_group", "wgmma.commit_group, wgmma.wait_group"},
		{ruleSetmaxnr, "a number of registers that setmaxnreg does not take, or an instruction that cannot have an effect", "setmaxnreg"},
		{ruleAlign, "an address that is no multiple of the bytes of the access", "Addresses as Operands, ldmatrix, cp.async, cp.async.bulk, mbarrier"},
		{ruleNarrow, "loads or stores of adjacent bytes, which one vector access could do", "Vectors as Operands"},
		{ruleLocal, "variables in local memory", "Local State Space"},
		{ruleSpills, "ptxas keeps registers in local memory", "ptxas -v"},
		{ruleSerial, "ptxas makes each wgmma wait for the one before it, with the instruction that causes it", "ptxas, C7510"},
	}
}

// Line is something that was found.
type Line struct {
	Rule  string
	Grade Grade
	Func  ptx.Name
	Pos   ptx.Pos // of the instruction, or of the function
	Op    ptx.Op
	Other ptx.Pos // of the other instruction that the text names; zero for none
	Text  string
}

// MaxLines limits the lines of a report.
const MaxLines = 10_000

// Report is what was found in a module.
type Report struct {
	Lines []Line
	Funcs []Func // what the log of ptxas says, in the order of the log
	More  int    // lines beyond MaxLines, which were dropped
}

// Check reads the functions of m. The log is what ptxas -v printed for m, or empty.
func Check(m *ptx.Module, log string) Report {
	r := Report{Funcs: readLog(log)}
	for f := range m.Funcs() {
		if f.Body == nil {
			continue
		}
		c := &checker{module: m, decl: f, g: flow.New(f), report: &r}
		c.registers()
		c.stages()
		c.accesses()
		c.logged()
	}
	slices.SortStableFunc(r.Lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return r
}

// checker reads one function.
type checker struct {
	module *ptx.Module
	decl   *ptx.Func
	g      *flow.Graph
	report *Report
	staged []staged // accesses to registers of wgmma within stages, for the log
}

// say adds a line about an instruction, or about the function if in is nil.
func (c *checker) say(rule string, grade Grade, in *ptx.Instr, format string, args ...any) *Line {
	if len(c.report.Lines) >= MaxLines {
		c.report.More++
		return &Line{}
	}
	l := Line{Rule: rule, Grade: grade, Func: c.decl.Name, Pos: c.decl.Pos, Text: fmt.Sprintf(format, args...)}
	if in != nil {
		l.Pos, l.Op = in.Pos, in.Op
	}
	c.report.Lines = append(c.report.Lines, l)
	return &c.report.Lines[len(c.report.Lines)-1]
}

// plural writes a number and a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
