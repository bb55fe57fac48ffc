//go:build !js || kernels

package service

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/budget"
	"girih/internal/lang/report"
	"girih/internal/machine/entry"
	"girih/internal/machine/needless"
	"girih/internal/machine/runfile"
	"girih/internal/picture/pipeline"
	"girih/internal/picture/view"
	"girih/ptx"
	"girih/ptx/sim"
)

// simOperation is the row of the simulator of PTX.
func simOperation() Operation {
	return Operation{
		Name: "sim", Doc: "Run a PTX kernel on simulated threads, and say what is wrong with it",
		Without: []string{"strict", "exhaustive", "needless", "mutate"},
		Tool: &ToolDoc{
			Title:   "Run a PTX kernel",
			Brief:   "runs a PTX kernel without a GPU: races, missing waits, deadlocks, wrong results, bank conflicts by line.",
			Smaller: "a smaller grid",
			Doc: "Runs a kernel with all checks, compares its outputs, counts by line. " +
				`Launch: {"block":32,"buffers":[{"name":"x","type":"f32","values":[1,2]}],` +
				`"params":[{"kind":"buffer","buffer":"x"}],"outputs":[{"buffer":"x","values":[2,4]}]}.`,
		},
		Command: &Command{
			Use: "sim [FILE.ptx] --run RUN.json | [FILE.ptx] --replay DIR | FILE.ptx --init",
			Flags: []Flag{
				{Field: "entry", Usage: "the `KERNEL`, by a part of its name in PTX or C++, or by its number"},
				{Field: "seeds", Usage: "try `N` orders of warps and of what completes, the usual one first"},
				{Field: "steps", Usage: "stop after `N` instructions of warps; 2^30 if missing"},
				{Field: "continue", Usage: "go on after findings, and report the first `N`; 20 without N"},
				{Field: "ignore", Usage: "pass over findings of a `KIND[:LINE]`; more with commas, or given again"},
				{Field: "out", Usage: "write a buffer after the run, as `NAME=FILE.npy`; may be given again"},
				{Field: "timeline", Usage: "draw what the first block waits for, into a `FILE` of .svg, .png, .tex or .txt, or - for text"},
				{Field: "init", Usage: "write RUN.json for the kernel, with its parameters, to be corrected"},
			},
			Width: 80,
			Long:  simHelp(),
			Example: `  girih sim --schema
  girih sim saxpy.ptx --init -o run.json
  girih sim saxpy.ptx --run run.json
  girih sim saxpy.ptx --run run.json --seeds 20 --timeline pipeline.svg -o out.txt
  girih sim saxpy.ptx --run run.json --continue --ignore race:57 --out y=y.npy`,
		},
		Form: &Form{Examples: []any{SimRequest{PTX: formPTX, Run: formRun}, SimRequest{PTX: formPTX, Init: true}}},
		do: method[SimRequest, SimResponse]{
			do: (*Session).Sim, said: saySim, assumed: func(q *SimRequest) { q.small = true },
		}.caller(),
	}
}

// saySim returns the answer to a run in words.
func saySim(q SimRequest, r SimResponse, d Door) Answer {
	a := Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
	if r.ran() {
		a.Failed, a.OK, a.Shown = !r.OK, true, TextAlone // the text already gives the reason
	}
	if d == Assistants && len(r.Timeline) > 0 {
		if format, _ := drawFormat(q.Timeline); format == "png" {
			a.Pictures = [][]byte{r.Timeline}
		} else {
			a.After = string(r.Timeline)
		}
	}
	return a
}

// simHelp is the prose of girih sim --help.
func simHelp() string {
	return `Run a kernel in PTX on the CPU, all threads of all blocks, as --run says: its launch,
buffers, parameters and the expected outputs. Each error is reported with
its line, .loc, thread, address and numbers: accesses that are out of bounds, misaligned,
or read bytes or registers that were never written; accesses to bytes that an asynchronous
copy or wgmma still uses, with the missing wait; accesses of two threads without an
order; divergent .aligned instructions; barriers that never complete, with who waits for
whom; outputs that differ. The exit status is 1 if there is a finding.

The counts are for a GPU of sm_90, by the models of girih bank and girih global:
sectors of 32 bytes of global memory, wavefronts and conflicts of shared memory, bytes of
bulk copies, for each line of the PTX that accesses memory and in all.

RUN.json is described by --schema and docs/simulator.md. Files that it names are .npy of
NumPy, or raw bytes; relative names are relative to its folder, others lead out of it.
It may name the PTX, too: then FILE.ptx may be left out.
--replay DIR runs launches that were recorded on a GPU, with their buffers at the addresses
that they had, and compares what they leave.
PTX of nvcc (nvcc -ptx -lineinfo) and of Triton (kernel.asm["ptx"]) is run as it is.

A run ends with its first finding. With --continue it goes on as if the access had been
allowed, and the outputs are compared at its end; findings of one cause are reported once,
with a count. --ignore goes on only after findings of its kinds and lines. These kinds
end a run nevertheless, and the finding says why: ` + simEnds() + `.`
}

// A SimRequest asks for a run of a kernel.
type SimRequest struct {
	PTX   string `json:"ptx" jsonschema:"the PTX" brief:"-"`
	Run   string `json:"run,omitempty" tool:"launch" jsonschema:"JSON as text; init shows its fields" brief:"JSON as text; init shows its fields"`
	Entry string `json:"entry,omitempty" tool:"-" jsonschema:"the kernel, or a part of its name; the kernel of the run if empty"`
	Seeds int64  `json:"seeds,omitempty" jsonschema:"orders of warps to try" brief:"orders of warps to try"`
	Steps int64  `json:"steps,omitempty" tool:"-" jsonschema:"instructions of warps that a run may have; 2^30 if 0"`
	Init  bool   `json:"init,omitempty" jsonschema:"write a skeleton of launch" brief:"write a skeleton of launch"`

	Continue int64    `json:"continue,omitempty" jsonschema:"most findings" brief:"findings to go on after"`
	Ignore   []string `json:"ignore,omitempty" jsonschema:"KIND or KIND:LINE of findings" brief:"KIND or KIND:LINE"`
	// Exhaustive is how many orders may be run, of those that represent all.
	Exhaustive int64 `json:"exhaustive,omitempty" jsonschema:"the most orders to run; they represent all" brief:"try all orders, up to N"`

	Strict   bool     `json:"strict,omitempty" jsonschema:"findings of the lesser grades count, too" brief:"count lesser grades"`
	Needless bool     `json:"needless,omitempty" tool:"-" jsonschema:"which barriers, waits and fences are needed"`
	Mutate   bool     `json:"mutate,omitempty" tool:"-" jsonschema:"which removed barriers, waits and fences are noticed"`
	Out      []string `json:"out,omitempty" tool:"-" http:"-" jsonschema:"buffers to return after the run"`

	Timeline string `json:"timeline,omitempty" jsonschema:"png or txt: what the first block waits for" brief:"png or txt"`

	// Open returns the content of a file that the run names, or an error if the file has more than most bytes. Open is
	// nil if no files can be read.
	Open func(name string, most int64) ([]byte, error) `json:"-"`
	// Progress gets the number of instructions of needless or mutate that are done; nil for nobody.
	Progress func(done, all int) `json:"-"`
	// File is the name of the file of the PTX, for the skeleton.
	File string `json:"-"`

	checks bool // the request is for the findings, not for the counts
	small  bool // the picture is for an assistant
}

// A SimResponse is what a run did.
type SimResponse struct {
	OK           bool             `json:"ok"`                // the run has no findings, and its outputs are right
	Entry        string           `json:"entry,omitempty"`   // the name of the kernel in the PTX
	Kernel       string           `json:"kernel,omitempty"`  // the name of the kernel in C++ or Rust source
	Short        string           `json:"short,omitempty"`   // the short form of that name
	Grid         []int            `json:"grid,omitempty"`    // the numbers of blocks
	Block        []int            `json:"block,omitempty"`   // the numbers of threads
	Seeds        int64            `json:"seeds,omitempty"`   // the number of orders that were tried
	Seed         uint64           `json:"seed,omitempty"`    // the seed of the last order; 0 for the usual order
	Whole        bool             `json:"whole,omitempty"`   // the orders that were tried represent all orders
	Bound        string           `json:"bound,omitempty"`   // why not all orders were tried, if the request asks for all
	Depends      []SimWrong       `json:"depends,omitempty"` // outputs that depend on the order, with values in the first
	Findings     []SimFinding     `json:"findings"`
	Lesser       []SimFinding     `json:"lesser,omitempty"`       // findings of lesser grades, which do not fail a run
	Wrong        []SimWrong       `json:"wrong"`                  // outputs that are not as expected
	Compared     int              `json:"compared"`               // the number of outputs that were compared
	Instructions int64            `json:"instructions,omitempty"` // the number of instructions, counted once for a warp
	Lanes        int64            `json:"lanes,omitempty"`        // instructions times the threads that executed them
	Traffic      SimTraffic       `json:"traffic"`                // the traffic of all instructions
	Lines        []SimLine        `json:"lines,omitempty"`        // the lines of the PTX that were executed
	Ended        bool             `json:"ended,omitempty"`        // the kernel ran to its end
	More         int              `json:"more,omitempty"`         // how many findings the request leaves out
	Last         *SimFinding      `json:"last,omitempty"`         // the finding that ended a run with continue
	Ignored      []SimFinding     `json:"ignored,omitempty"`      // the findings that the request ignores
	Output       string           `json:"output,omitempty"`       // what vprintf printed
	Skeleton     string           `json:"skeleton,omitempty"`     // the description of a run that init asks for
	Timeline     []byte           `json:"-"`                      // the picture of the timeline
	Files        [][]byte         `json:"-"`                      // the buffers that out asks for, as .npy files
	Notes        []string         `json:"notes,omitempty"`
	Needless     *needless.Report `json:"needless,omitempty"` // the answer to needless and mutate
	Error        *report.Error    `json:"error,omitempty"`    // why there is no answer, or no good one

	goesOn bool // the run goes on after findings
	checks bool // the value of checks in the request
	scores bool // the request is for the score, not for the needless instructions
	Fault  `json:"-"`
}

// SimTraffic counts the memory traffic of instructions on a GPU of sm_90.
type SimTraffic = sim.Traffic

// SimWrong is an output that is not as expected.
type SimWrong = runfile.Difference

// A SimFinding is something that is wrong with a kernel.
type SimFinding struct {
	Kind    string `json:"kind"`             // race, read-pending, out-of-bounds, ...
	Line    int    `json:"line"`             // the line of the PTX
	Other   int    `json:"other,omitempty"`  // the line of the conflicting instruction
	Count   int64  `json:"count,omitempty"`  // number of occurrences, one per warp, if the run went on
	Grade   string `json:"grade"`            // race, same value, strict or branch; fault if the order does not matter
	Op      string `json:"op"`               // the instruction
	Text    string `json:"text,omitempty"`   // the text of the line
	Beside  string `json:"beside,omitempty"` // the text of line Other
	Source  string `json:"source,omitempty"` // file and line of the last .loc, and where that line was inlined
	Block   []int  `json:"block"`
	Thread  []int  `json:"thread"`            // the coordinates of the first thread with this finding
	Address string `json:"address,omitempty"` // the address in hexadecimal
	Message string `json:"message"`           // a sentence with the numbers and the missing wait
	Ends    string `json:"ends,omitempty"`    // why this finding ended a run that goes on after findings
	Guesses string `json:"guesses,omitempty"` // the values that init made up and that the finding depends on
}

// A SimLine is what the instructions of one line did.
type SimLine struct {
	Line   int    `json:"line"`
	Op     string `json:"op"`
	Source string `json:"source,omitempty"`
	Warps  int64  `json:"warps"` // how often the line was executed, counted once for a warp
	Lanes  int64  `json:"lanes"` // how often the line was executed, counted once for each thread

	Traffic SimTraffic `json:"traffic"`
}

// The limits on the files of a simulation, in bytes.
const (
	MaxSimRun = runfile.MaxText // the most bytes of the description of a run
	MaxSimPTX = ptx.MaxSource
)

// SimSchema returns the JSON schema of the description of a run.
func SimSchema() string { return string(runfile.Schema()) }

// SimPTX returns the file of PTX that the description of a run names.
func SimPTX(run string) (string, error) {
	f, err := runfile.Parse([]byte(run))
	if err == nil && f.PTX == "" {
		err = errors.New("it names no PTX: give the file of PTX, or the field ptx")
	}
	if err != nil {
		return "", err
	}
	return f.PTX, nil
}

// ran reports whether the kernel was started.
func (r *SimResponse) ran() bool { return r.Seeds > 0 }

// The codes of the errors of a run that went wrong.
const (
	CodeFinding = "finding"
	CodeWrong   = "wrong"
	CodeDepends = "depends"
)

// maxSeeds is how many orders may be tried.
const maxSeeds = 1 << 20

// Sim runs a kernel, or writes the skeleton of its description.
func (s *Session) Sim(q SimRequest) SimResponse {
	m, info := simModule(q.PTX)
	if info != nil {
		return SimResponse{Error: info}
	}
	if q.Init {
		return simInit(m, q)
	}
	if info := q.limits(); info != nil {
		return SimResponse{Error: info, Fault: Fault{Usage: true}}
	}
	draw, info := q.picture()
	if info != nil {
		return SimResponse{Error: info, Fault: Fault{Usage: true}}
	}
	if strings.TrimSpace(q.Run) == "" {
		return SimResponse{Error: usage("expected a run, found none: init writes one"), Fault: Fault{Usage: true}}
	}
	x := simulation{session: s, req: q, module: m, draw: draw}
	if info := x.run(); info != nil {
		return SimResponse{Error: info}
	}
	return x.SimResponse
}

// limits refuses numbers and findings that a run cannot have.
func (q SimRequest) limits() *report.Error {
	switch {
	case q.Seeds < 0 || q.Seeds > maxSeeds || q.Steps < 0:
		return usage("expected up to %d seeds and steps from 0 on, found %d and %d", maxSeeds, q.Seeds, q.Steps)
	case q.Exhaustive < 0 || q.Exhaustive > maxSeeds || q.Exhaustive > 0 && q.Seeds > 0:
		return usage("expected up to %d orders without seeds, found %d and %d seeds", maxSeeds, q.Exhaustive, q.Seeds)
	case q.Continue < 0 || q.Continue > maxFindings:
		return usage("expected up to %d findings to report, found %d", maxFindings, q.Continue)
	}
	_, info := q.ignoreList()
	return info
}

// simInit writes the skeleton of a description.
func simInit(m *ptx.Module, q SimRequest) SimResponse {
	k, err := entry.Find(m, q.Entry)
	if err != nil {
		return SimResponse{Error: simName(err)}
	}
	f, err := runfile.Skeleton(m, k.Name)
	if err != nil {
		return SimResponse{Error: simError(err)}
	}
	f.PTX = q.File
	return SimResponse{OK: true, Skeleton: string(f.Text())}
}

// simName describes the error for a kernel that was not found.
func simName(err error) *report.Error {
	return &report.Error{Code: string(cute.CodeName), Message: report.Brief(err.Error())}
}

// simModule parses PTX, with errors that name package ptx.
func simModule(text string) (*ptx.Module, *report.Error) {
	m, err := ptx.Parse(text)
	if err == nil {
		return m, nil
	}
	code := cute.CodeSyntax
	if e, ok := errors.AsType[*ptx.Error](err); ok && e.Code == ptx.CodeLimit {
		code = cute.CodeLimit
	}
	return nil, &report.Error{Code: string(code), Message: "ptx: " + err.Error()}
}

// simError describes an error of a description, or of a launch.
func simError(err error) *report.Error {
	info := &report.Error{Code: string(cute.CodeType), Message: report.Brief(err.Error())}
	if e, ok := errors.AsType[*runfile.Error](err); ok {
		info.Code, info.Message = string(cute.CodeSyntax), report.Brief(e.Error())
	}
	if e, ok := errors.AsType[*sim.Error](err); ok {
		switch e.Code {
		case sim.CodeStopped, sim.CodeMemory:
			info.Code = string(cute.CodeLimit)
		case sim.CodeEntry:
			info.Code = string(cute.CodeName)
		}
	}
	if over, ok := errors.AsType[*budget.Over](err); ok {
		info.Code, info.Message = string(cute.CodeLimit), over.Why
	}
	return info
}

// A painter writes a picture in a format.
type painter = func(view.Timeline) ([]byte, error)

// picture returns the writer of the timeline, nil if no timeline is requested.
func (q SimRequest) picture() (painter, *report.Error) {
	if q.Timeline == "" {
		return nil, nil
	}
	format, ok := drawFormat(q.Timeline)
	switch {
	case !ok:
		return nil, usage("expected a format of the timeline, one of %s, found %.40q",
			strings.Join(DrawFormats(), ", "), q.Timeline)
	case format == "txt":
		return func(t view.Timeline) ([]byte, error) { return []byte(t.Text(WideText)), nil }, nil
	}
	encode, info := DrawRequest{small: q.small}.encoder(format)
	return func(t view.Timeline) ([]byte, error) {
		scene, err := t.Scene(view.Options{})
		if err != nil {
			return nil, err
		}
		return encode(scene)
	}, info
}

// paint draws the timeline of a run.
func (r *SimResponse) paint(res *sim.Result, draw painter) *report.Error {
	t, ok := pipeline.Timeline(res, cmp.Or(r.Short, r.Entry), nil)
	if !ok {
		r.Notes = append(r.Notes, "there is no timeline: no warp waited, and nothing asynchronous was begun")
		return nil
	}
	if res.Missed > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the timeline has the first %d events: %d more were not recorded",
			len(res.Events), res.Missed))
	}
	var err error
	if r.Timeline, err = draw(t); err != nil {
		return &report.Error{Code: string(cute.CodeLimit), Message: err.Error()}
	}
	return nil
}

// failure returns what is wrong with a run, or nil.
func (r *SimResponse) failure() *report.Error {
	switch {
	case len(r.Findings) > 0:
		f := r.Findings[0]
		return &report.Error{Code: CodeFinding, Message: fmt.Sprintf("%s at line %d, %s", f.Kind, f.Line, f.Op)}
	case len(r.Wrong) > 0:
		return &report.Error{Code: CodeWrong, Message: wrongText(r.Wrong[0])}
	case len(r.Depends) > 0:
		return &report.Error{Code: CodeDepends, Message: dependsText(r.Depends[0], r.Seed)}
	}
	return nil
}

// take records a run in the response.
func (r *SimResponse) take(res *sim.Result, f *runfile.File, text string) {
	r.Grid, r.Block = intsOf(f.Grid), intsOf(f.Block)
	r.Instructions, r.Lanes, r.Traffic, r.Output = res.Instructions, res.Lanes, res.Traffic, string(res.Output)
	r.Lines = nil
	for _, l := range res.Lines {
		r.Lines = append(r.Lines, SimLine{l.Line, string(l.Op), l.Source, l.Warps, l.Lanes, l.Traffic})
	}
	for _, n := range res.Notes {
		if r.Seed == 0 { // a note is the same in every order
			r.Notes = append(r.Notes, n.String())
		}
	}
	r.Ended, r.More, r.Last = res.Ended, res.More, nil
	lines := strings.SplitAfter(text, "\n")
	for _, x := range res.Findings {
		s := simFinding(x, lines)
		switch {
		case !r.goesOn:
			s.Count = 0
		case x == res.Last:
			s.Ends = x.Kind.Ends()
		}
		r.Findings = append(r.Findings, s)
	}
	if x := res.Last; x != nil && r.goesOn {
		s := simFinding(x, lines)
		s.Ends, r.Last = x.Kind.Ends(), &s
	}
	r.Ignored = nil
	for _, x := range res.Ignored {
		r.Ignored = append(r.Ignored, simFinding(x, lines))
	}
}

// simFinding returns a finding about PTX of these lines.
func simFinding(x *sim.Finding, lines []string) SimFinding {
	s := SimFinding{
		Kind: string(x.Kind), Grade: gradeOf(x), Line: int(x.Pos.Line), Op: string(x.Op), Source: x.Source, Message: x.Message,
		Block: []int{x.Block.X, x.Block.Y, x.Block.Z}, Thread: []int{x.Thread.X, x.Thread.Y, x.Thread.Z},
		Other: int(x.Other.Line), Count: x.Count,
	}
	if x.Address != 0 {
		s.Address = fmt.Sprintf("0x%x", x.Address)
	}
	s.Text, s.Beside = lineAt(lines, s.Line), lineAt(lines, s.Other)
	return s
}

// lineAt returns a line of a text, from 1, without blanks around it; "" if there is none.
func lineAt(lines []string, n int) string {
	if n < 1 || n > len(lines) {
		return ""
	}
	line := strings.TrimSpace(lines[n-1])
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + " ..."
	}
	return line
}

// maxLine limits the lines of a file that reports show, in bytes.
const maxLine = 1000

// gradeOf returns the name of the grade of a finding.
func gradeOf(x *sim.Finding) string {
	if x.Grade != sim.GradeRace {
		return string(x.Grade)
	}
	switch x.Kind {
	case sim.KindRace, sim.KindReadPending, sim.KindWritePending:
		return "race"
	}
	return "fault"
}

func intsOf(e runfile.Extent) []int { return []int{int(e[0]), int(e[1]), int(e[2])} }
