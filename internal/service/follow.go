//go:build !js || kernels

package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/budget"
	"girih/internal/lang/report"
	"girih/internal/picture/follow"
	"girih/ptx/sim"
)

// This file is the operation that follows the data of a kernel: it runs the kernel with a recording (package ptx/sim),
// and package follow makes places and accesses of the record.
//
//	follow.go         the request, the run, the answer
//	follow_kernel.go  kernels of package examples: their sizes and data
//	follow_ptx.go     PTX with the description of a run
//	follow_program.go programs in CuTe C++ and the CuTe DSL
//	follow_source.go  lines with counts, findings, the timeline
//	follow_text.go    the answer in words

// followOperation is the row of the operation.
func followOperation() Operation {
	return Operation{
		Name: "follow", Programs: true,
		Doc: "Run a kernel and follow its data: global memory, shared memory, registers, MMA, and back",
		Tool: &ToolDoc{
			Title:   "Follow the data of a kernel",
			Brief:   "follows a kernel's data: memory, registers, MMA.",
			Smaller: "a smaller tile",
			Doc: "Runs a kernel of girih kernel, a program, or PTX with a launch as sim takes it, and follows one block. " +
				"at A(3,5) is the way of one element: which thread moves it in which instruction, and to where. " +
				"thread 5 is what one thread moves. Example: kernel sgemm_sm80, at A(3,5).",
		},
		Command: &Command{
			Use:  "follow [NAME | FILE.cu | FILE.py | FILE.ptx --run RUN.json] [--at 'A(3,5)'] [--thread 5]",
			Args: []string{"kernel"}, Spare: 1, Wrong: "follow takes one name, found %d: girih kernel lists them",
			Flags: []Flag{
				{Field: "at", Usage: "the `ELEMENT` to follow, such as 'A(3,5)' or 'sA(3,5)': a place and its coordinates"},
				{Field: "thread", Usage: "the `NUMBER` of a thread of the block: what it moves"},
				{Field: "block", Usage: "the `BLOCK` to follow, as x,y,z; 0,0,0 if missing"},
				{Field: "tile", Usage: "the `EXTENTS` that a block computes, such as 128,128,64"},
				{Field: "type", Usage: "the `TYPE` of the elements that are read, such as f16"},
				{Field: "sum", Usage: "the `TYPE` of sums of products, f32 or f16"},
				{Field: "div", Usage: "what divides every extent, a `NUMBER`; 0 as usual"},
				{Field: "stages", Usage: "the `NUMBER` of stages of the pipeline; 0 as usual"},
				{Field: "steps", Usage: "stop after `N` instructions of warps"},
				{Field: "entry", Usage: "of PTX or a program, the `KERNEL`, by a part of its name"},
				{Field: "call", Usage: "of a program that launches no kernel, the `LAUNCH`: 'f<<<2, 64>>>(x=random(128), n=128)'"},
			},
			Width: 80,
			Long:  followHelp,
			Example: `  girih follow sgemm_sm80
  girih follow sgemm_sm80 --at 'A(3,5)'
  girih follow sgemm_sm80 --thread 5 --set m=128,n=128,k=64
  girih follow transpose_naive --type f16
  girih follow sgemm_1.cu --set m=128,n=128,k=24
  girih follow scale.cu --call 'scale<<<2, 64>>>(x=random(128), y=zeros(128), n=128)'`,
		},
		do: method[FollowRequest, FollowResponse]{do: (*Session).Follow, said: sayFollow}.caller(),
	}
}

// followHelp is the help of the command.
const followHelp = `Run a kernel on simulated threads, and follow the data of one block: from global
memory to shared memory, to registers, to the operands A and B of an MMA, to its sums
and back. The kernel is one of girih kernel, for the smallest sensible sizes or those
that --set gives, the first launch of a program in CuTe C++ or the CuTe DSL, or PTX
with the description of a run, as girih sim takes it.

Each line of the table is a hop: what one instruction of the source does between two
places, with the sectors and wavefronts that the run counted, a verdict and, if there
is one, a repair. --at shows the way of one element: which thread moves it in which
instruction and pass, and to where. --thread shows what a thread moves.

Every byte carries its origin through the run, and is compared with it whenever it is
read, so that a stated origin is true. --json has all accesses, for the page.`

// The limits of a recording.
const (
	followSteps  = 1 << 21 // instructions of warps, if the request states no limit
	maxSteps     = 1 << 24 // instructions of warps that a request may ask for
	followPieces = 1 << 22 // pieces of data that the block moves
	followData   = 1 << 25 // the product of all extents of a kernel
	followBytes  = 1 << 26 // bytes of the buffers of PTX
)

// A FollowRequest asks for the data of a kernel.
type FollowRequest struct {
	Kernel  string  `json:"kernel,omitempty" jsonschema:"the name of a kernel, as kernel lists them" brief:"-"`
	JSON    string  `json:"json,omitempty" tool:"-" jsonschema:"instead of kernel, what kernel writes as json"`
	PTX     string  `json:"ptx,omitempty" jsonschema:"instead of kernel, PTX" brief:"-"`
	Run     string  `json:"run,omitempty" tool:"launch" jsonschema:"of ptx, the launch, as sim takes it" brief:"-"`
	Entry   string  `json:"entry,omitempty" tool:"-" jsonschema:"of ptx or program, the kernel, or a part of its name"`
	Program string  `json:"program,omitempty" jsonschema:"instead of kernel, a program in CuTe's words" brief:"-"`
	Call    string  `json:"call,omitempty" tool:"-" jsonschema:"the launch that a program lacks, as scale<<<2, 64>>>(random(128), n=128)"`
	File    string  `json:"file,omitempty" tool:"-" jsonschema:"the name of the program in the answer"`
	Tile    []int64 `json:"tile,omitempty" tool:"-" jsonschema:"what a block computes"`
	Type    string  `json:"type,omitempty" tool:"-" jsonschema:"of the elements that are read"`
	Sum     string  `json:"sum,omitempty" tool:"-" jsonschema:"of sums of products: f32 or f16"`
	Div     int64   `json:"div,omitempty" tool:"-" jsonschema:"what divides every extent"`
	Stages  int64   `json:"stages,omitempty" tool:"-" jsonschema:"of the pipeline"`
	Block   string  `json:"block,omitempty" tool:"-" jsonschema:"the block to follow, x,y,z"`
	At      string  `json:"at,omitempty" jsonschema:"an element to follow in the text, such as A(3,5)" brief:"such as A(3,5)"`
	Thread  *int64  `json:"thread,omitempty" jsonschema:"a thread whose moves the text shows" brief:"-"`
	Only    bool    `json:"only,omitempty" tool:"-" jsonschema:"of at, only what the element is computed of, without the model"`
	Steps   int64   `json:"steps,omitempty" tool:"-" jsonschema:"instructions of warps that the run may have"`

	// Open returns the content of a file that the run names, as in [SimRequest].
	Open func(name string, most int64) ([]byte, error) `json:"-"`
}

// A FollowResponse is where the data of one block goes.
type FollowResponse struct {
	OK           bool             `json:"ok"`
	Name         string           `json:"name,omitempty"`
	Title        string           `json:"title,omitempty"` // what the kernel computes
	Block        [3]int           `json:"block"`
	Grid         [3]int           `json:"grid"`
	Threads      int64            `json:"threads,omitempty"`
	Values       map[string]int64 `json:"values,omitempty"` // of the kernel's integers
	Options      *KernelRecipe    `json:"options,omitempty"`
	Instructions int64            `json:"instructions,omitempty"` // of warps: the end of the time
	Lost         int64            `json:"lost,omitempty"`         // bytes whose origin is not known
	follow.Model
	Of       []follow.Sources `json:"of,omitempty"`     // the elements that the element of at is computed of
	OfText   []string         `json:"ofText,omitempty"` // the same in words
	Timeline *FollowTimeline  `json:"timeline,omitempty"`
	Findings []FollowFinding  `json:"findings,omitempty"`
	Sources  []FollowSource   `json:"sources,omitempty"`
	Notes    []string         `json:"notes,omitempty"`
	Launch   string           `json:"launch,omitempty"` // with an error: the launch that a program lacks, for call
	Error    *report.Error    `json:"error,omitempty"`
	Fault    `json:"-"`
}

// A followed is a run that is followed.
type followed struct {
	FollowResponse
	session *Session
	req     FollowRequest
	kernel  follow.Kernel
	rec     *sim.Recording
	result  *sim.Result
	ptx     string
	target  string // of the kernel: sm_80
}

// Follow runs a kernel, and follows the data of one block.
func (s *Session) Follow(q FollowRequest) FollowResponse {
	x := followed{session: s, req: q}
	if info := x.run(); info != nil {
		return FollowResponse{Launch: x.Launch, Error: info, Fault: x.Fault}
	}
	x.rec.Watch = s.watching("sort")
	x.Model = follow.Build(x.rec, x.kernel)
	x.OK, x.Lost, x.Instructions = true, x.rec.Lost, x.result.Instructions
	x.sourcesOf()
	if q.Only {
		return FollowResponse{OK: true, Of: x.Of, OfText: x.OfText}
	}
	x.sources()
	x.programText()
	x.findings()
	x.timeline()
	x.repairs()
	if len(x.Hops) == 0 {
		x.Notes = append(x.Notes, fmt.Sprintf("block %v moves nothing that comes from global memory", x.Block))
	}
	return x.FollowResponse
}

// sourcesOf finds what the element that is asked for is computed of, if it is one of an output in global memory.
func (x *followed) sourcesOf() {
	name, at, ok := coordinateOf(x.req.At)
	if !ok {
		return
	}
	place, cells := x.Find(name, at)
	if len(cells) == 0 || x.Places[place].Kind != follow.Global {
		return
	}
	list, ok := x.SourcesOf(x.rec, place, cells[0])
	if !ok {
		return
	}
	x.Of = list
	for i := range list {
		x.OfText = append(x.OfText, list[i].String(&x.Model))
	}
}

// run runs the requested kernel.
func (x *followed) run() *report.Error {
	q := &x.req
	n := 0
	for _, text := range []string{q.Kernel, q.JSON, q.PTX, q.Program} {
		if text != "" {
			n++
		}
	}
	if n != 1 {
		return usage("expected one of a kernel, its JSON, PTX with a run, or a program, found %d of them", n)
	}
	if q.Steps < 0 || q.Steps > maxSteps {
		return usage("expected up to %d steps, found %d", maxSteps, q.Steps)
	}
	block, info := blockOf(q.Block)
	if info != nil {
		return info
	}
	x.Block = block
	x.rec = x.recording()
	switch {
	case q.Program != "":
		return x.fromProgram()
	case q.PTX != "":
		return x.fromPTX()
	case q.JSON != "":
		if info := q.fromJSON(); info != nil {
			return info
		}
	}
	return x.fromKernel()
}

// recording returns a recording of the block.
func (x *followed) recording() *sim.Recording {
	at := sim.Dim{X: x.Block[0], Y: x.Block[1], Z: x.Block[2]}
	return &sim.Recording{Block: at, Pieces: followPieces, Watch: x.session.watching("run")}
}

// blockOf reads the coordinates of a block.
func blockOf(text string) (out [3]int, info *report.Error) {
	if text == "" {
		return out, nil
	}
	parts := strings.Split(strings.Trim(text, "() "), ",")
	for i, p := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(p), 10, 32)
		if err != nil || n < 0 || i > 2 {
			return out, usage("expected a block as x,y,z such as 0,0,0, found %.40q", text)
		}
		out[i] = int(n)
	}
	return out, nil
}

// inGrid refuses a block outside of the grid.
func (x *followed) inGrid(grid [3]int64) *report.Error {
	for i, n := range grid {
		if x.Grid[i] = int(n); int64(x.Block[i]) >= n {
			return refusal(cute.CodeExtent, fmt.Sprintf("expected a block of a grid of %d by %d by %d, found %d,%d,%d", grid[0],
				grid[1], grid[2], x.Block[0], x.Block[1], x.Block[2]), "count blocks from 0")
		}
	}
	return nil
}

// limits are the limits of the run.
func (x *followed) limits() sim.Launch {
	l := sim.Launch{
		Steps: x.req.Steps, Record: x.rec, Events: followEvents, Findings: mostFound, Keep: x.session.budget.Hold,
	}
	if l.Steps == 0 {
		l.Steps = followSteps
	}
	return l
}

// take takes the result of a run, which may have ended by a finding.
func (x *followed) take(res *sim.Result, err error) *report.Error {
	x.result = res
	if f, ok := errors.AsType[*sim.Finding](err); ok {
		if f.Kind == sim.KindSteps {
			return refusal(cute.CodeLimit, fmt.Sprintf("the run has more than %d instructions of warps, the most that are followed",
				x.limits().Steps), "follow a smaller problem, or ask for up to "+fmt.Sprint(maxSteps)+" steps")
		}
		return nil
	}
	if err == nil {
		return nil
	}
	return simError(err)
}

// fromJSON reads the request out of what kernel writes as JSON.
func (q *FollowRequest) fromJSON() *report.Error {
	var r struct {
		About  *KernelRecipe `json:"about"`
		Launch *KernelLaunch `json:"launch"`
	}
	if err := json.Unmarshal([]byte(q.JSON), &r); err != nil {
		return usage("expected the JSON of girih kernel NAME --as json: %v", report.Brief(err.Error()))
	}
	if r.About == nil || r.About.Name == "" {
		return usage("the JSON has no field about with the name of a kernel; it has no PTX, so only kernels of girih kernel can be followed by it")
	}
	a := r.About
	q.Kernel, q.Type, q.Sum, q.Div, q.Stages, q.Tile = a.Name, a.Type, a.Sum, a.Div, a.Stages, slices.Clone(a.Tile)
	return nil
}

// context ends with the session.
func (x *followed) context() context.Context {
	return stopContext{context.Background(), x.session.budget}
}

// stopContext is a context that ends when a budget does.
type stopContext struct {
	context.Context
	b *budget.Budget
}

// Err returns why the run has to end, nil before its end.
func (c stopContext) Err() error { return c.b.Stop() }
