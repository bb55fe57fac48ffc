// Package lint checks PTX without running it, and reports what the text alone proves: stages of wgmma that violate
// the PTX ISA, tcgen05 instructions that do, misaligned accesses, setmaxnreg without effect, local memory, and loads
// and stores that could be wider. Given the log of ptxas -v, it names the instructions that made ptxas serialize wgmma.
//
// Each reported line has one of three grades:
//
//	fault  every execution of the instruction breaks a rule of the PTX ISA
//	path   some path through the branches of the function breaks a rule; a run need not take that path
//	hint   no rule is broken, but the instruction costs more than necessary, or has no effect
//
// [Rules] lists the rules. To read the source: stage.go follows the registers of wgmma along the branches,
// tensor.go is about tcgen05, align.go computes the known low bits of addresses, access.go and registers.go contain the
// other rules, and log.go reads the output of ptxas.
package lint

import (
	"fmt"
	"sort"
	"strings"

	"girih/ptx"
	"girih/ptx/flow"
)

// Grade says how strong the claim of a line is; the package comment explains the grades.
type Grade string

// The grades.
const (
	Fault Grade = "fault"
	Path  Grade = "path"
	Hint  Grade = "hint"
)

// A Rule is one condition that Check tests.
type Rule struct {
	Name    string
	Says    string
	Section string // the section of the PTX ISA, or another source of the rule
}

// The names of the rules.
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
	ruleInjected  = "injected"
	ruleTarget    = "tcgen05-target"
	ruleGroup     = "tcgen05-group"
	ruleColumns   = "tcgen05-columns"
	rulePermit    = "tcgen05-permit"
	ruleDealloc   = "tcgen05-dealloc"
	ruleShape     = "tcgen05-registers"
	ruleMultiply  = "tcgen05-mma"
)

// Rules returns all rules, in the order of the documentation.
func Rules() []Rule { return append([]Rule(nil), rules...) }

// rules is a variable: a literal in the function would add a comparison of arrays of its length to the program.
var rules = []Rule{
	{ruleFence, "no wgmma.fence before a wgmma, or after a write to its registers", "wgmma.fence"},
	{ruleRegisters, "registers of a wgmma used before a wait_group that covers it", "wgmma.mma_async, wgmma.wait_group"},
	{ruleCall, "a call while a wgmma is under way", "ptxas, C7510: wgmma pipeline crossing function boundary"},
	{ruleEnd, "the end of a kernel while a wgmma is under way", "wgmma.commit_group, wgmma.wait_group"},
	{ruleSetmaxnr, "numbers that setmaxnreg does not take or that have no effect", "setmaxnreg"},
	{ruleAlign, "addresses that are no multiple of the bytes of the access", "Addresses as Operands, ldmatrix, cp.async, cp.async.bulk, mbarrier"},
	{ruleNarrow, "accesses to adjacent bytes, which one vector access could do", "Vectors as Operands"},
	{ruleLocal, "variables in local memory", "Local State Space"},
	{ruleSpills, "registers that ptxas keeps in local memory", "ptxas -v"},
	{ruleSerial, "instructions for which ptxas serializes wgmma", "ptxas, C7510, C7514, C7515, C7518"},
	{ruleInjected, "wgmma.fence and wgmma.wait_group that ptxas adds", "ptxas, C7517, C7519"},
	{ruleTarget, "a target without tcgen05 instructions", "tcgen05.mma, Target ISA Notes"},
	{ruleGroup, "tcgen05 instructions with different .cta_group in a kernel", "tcgen05.alloc"},
	{ruleColumns, "columns of tensor memory that are no power of two from 32 to 512", "tcgen05.alloc"},
	{rulePermit, "an allocation after tcgen05.relinquish_alloc_permit", "tcgen05.alloc"},
	{ruleDealloc, "a kernel that allocates tensor memory, and nothing deallocates it", "tcgen05.alloc"},
	{ruleShape, "numbers of registers that tcgen05.ld and tcgen05.st do not have", "tcgen05.ld, tcgen05.st"},
	{ruleMultiply, "modifiers and operands that tcgen05.mma does not have together", "tcgen05.mma"},
}

// A Line is one violation of a rule.
type Line struct {
	Rule   string   `json:"rule"`
	Grade  Grade    `json:"grade"`
	Kernel ptx.Name `json:"kernel"` // the kernel or function
	Line   int      `json:"line"`   // the line of the instruction, or of the function
	Op     ptx.Op   `json:"op,omitempty"`
	Other  int      `json:"other,omitempty"` // the line of the second instruction that the text names; 0 if there is none
	// Source is "kernel.cu:12" according to the last .loc, followed by ", inlined at kernel.cu:30" for each inlined
	// call. It is "" without a .loc.
	Source string `json:"source,omitempty"`
	Text   string `json:"text"`
}

// MaxLines limits the number of lines in a report.
const MaxLines = 10_000

// A Report contains the results of [Check] for a module.
type Report struct {
	Lines []Line
	Funcs []Func // what the log of ptxas says about each function, in the order of the log
	More  int    // the number of lines that were dropped because of MaxLines
}

// Check checks the functions of m. The log is the output of ptxas -v for m, or empty. If stop is not nil, Check
// calls it after every few thousand instructions and returns early if stop returns an error; the report is then
// incomplete.
func Check(m *ptx.Module, log string, stop func() error) Report {
	read := readLog(log)
	r := Report{Lines: []Line{}, Funcs: read.list}
	x := &text{module: m, log: read, files: map[int]string{}, vars: map[ptx.Name]*ptx.Var{}, wgmma: map[ptx.Name]bool{}}
	for _, d := range m.Decls {
		switch d := d.(type) {
		case *ptx.File:
			x.files[d.Index] = d.Name[strings.LastIndexAny(d.Name, "/\\")+1:]
		case *ptx.Var:
			x.vars[d.Name] = d
		}
	}
	for f := range m.Funcs() {
		if f.Body == nil || stop != nil && stop() != nil {
			continue
		}
		c := &checker{text: x, decl: f, g: flow.New(f), report: &r, stop: stop, regs: map[register]int{}}
		c.readOperands()
		c.registers()
		c.stages()
		c.tensor()
		c.accesses()
		c.addLog()
	}
	sort.SliceStable(r.Lines, func(i, k int) bool { return r.Lines[i].Line < r.Lines[k].Line })
	return r
}

// text contains what all functions of a module share.
type text struct {
	module *ptx.Module
	log    logReader
	files  map[int]string // the files that .file declares, by number
	vars   map[ptx.Name]*ptx.Var
	wgmma  map[ptx.Name]bool // see mayHaveWgmma
}

// checker checks one function.
type checker struct {
	*text
	decl   *ptx.Func
	g      *flow.Graph
	report *Report
	at     map[*ptx.Instr]int // the number of each instruction

	stop    func() error
	work    int // instructions visited since the last call of stop
	stopped bool
	staged  []staged // accesses to registers of wgmma within stages, for the log
	regs    map[register]int
	names   []ptx.Name // the names of the registers, by number
}

// enough counts n visited instructions, and reports whether the check must end.
func (c *checker) enough(n int) bool {
	if c.work += n; c.work >= 1<<12 && !c.stopped && c.stop != nil {
		c.work, c.stopped = 0, c.stop() != nil
	}
	return c.stopped
}

// A mark contains the rule and the grade of a line.
type mark struct {
	rule  string
	grade Grade
}

// say adds a line about an instruction, or about the function if in is nil.
func (c *checker) say(as mark, in *ptx.Instr, format string, args ...any) *Line {
	if len(c.report.Lines) >= MaxLines {
		c.report.More++
		return &Line{}
	}
	l := Line{Rule: as.rule, Grade: as.grade, Kernel: c.decl.Name, Line: int(c.decl.Pos.Line)}
	l.Text = fmt.Sprintf(format, args...)
	if in != nil {
		l.Line, l.Op = int(in.Pos.Line), in.Op
		l.Source = c.source(in)
	}
	c.report.Lines = append(c.report.Lines, l)
	return &c.report.Lines[len(c.report.Lines)-1]
}

// maxInlined limits the inlined calls that Source lists.
const maxInlined = 32

// source returns the place of an instruction in the source that was compiled to PTX, according to .loc.
func (c *checker) source(in *ptx.Instr) string {
	var b strings.Builder
	if c.at == nil {
		c.at = map[*ptx.Instr]int{}
		for i, x := range c.g.Code {
			c.at[x] = i
		}
	}
	for loc, n := c.g.Loc[c.at[in]], 0; loc != nil && n < maxInlined; loc, n = loc.At, n+1 {
		name := c.files[loc.File]
		if name == "" || loc.Line == 0 {
			break
		}
		if n > 0 {
			b.WriteString(", inlined at ")
		}
		fmt.Fprintf(&b, "%s:%d", name, loc.Line)
	}
	return b.String()
}

// plural writes a number and a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
