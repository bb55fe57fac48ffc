package runfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"girih/ptx"
)

// The field guessed of a description lists the values of a skeleton that girih made up. As long as a value is
// unchanged, a run reports it, and so does a finding that the value may have caused.

// guess lists the values of a skeleton of k that do not follow from the PTX.
func (f *File) guess(k *ptx.Func) {
	f.Guessed = append(f.Guessed, "grid")
	_, required := k.Directive("reqntid")
	if !required {
		f.Guessed = append(f.Guessed, "block")
	}
	if f.Shared > 0 {
		f.Guessed = append(f.Guessed, "shared")
	}
	for i := range f.Buffers {
		f.Guessed = append(f.Guessed, fmt.Sprintf("buffers[%d].bytes", i))
	}
	for i, p := range f.Params {
		switch {
		case p.Kind == "scalar" && k.Params[i].Ptr == nil:
			f.Guessed = append(f.Guessed, fmt.Sprintf("params[%d].value", i))
		case p.Kind == "map":
			f.Guessed = append(f.Guessed, fmt.Sprintf("params[%d].dims", i))
		}
	}
}

// Guesses are the made-up values of a skeleton that a description still contains.
type Guesses struct {
	Fields  []string // "params[2].value = 1"
	file    *File
	scalars []int // parameters
	sizes   []int // buffers
	shared  bool
	launch  []int // the guesses of gridParam and blockParam
	reaches map[int32][]spot
	ask     func() dependences // called when there is a finding
	depends *dependences
	texts   []string // a text for each bit of depends
}

// GuessesOf returns the guesses of a description of a run of k, or nil if the description contains no guess.
func (f *File) GuessesOf(m *ptx.Module, entry string) *Guesses {
	if len(f.Guessed) == 0 {
		return nil
	}
	k, err := kernelOf(m, entry)
	if err != nil {
		return nil
	}
	was, err := Skeleton(m, entry)
	if err != nil {
		return nil
	}
	g := &Guesses{file: f}
	g.find(was)
	if len(g.Fields) == 0 {
		return nil
	}
	g.reaches = traceOf(m, k).reaches
	params := slices.Concat(g.launch, g.scalars)
	g.ask = func() dependences {
		return dependencesOf(m, k, func(x spot) guessSet {
			if i := slices.Index(params, x.param); i >= 0 && i < 64 {
				return 1 << i
			}
			return 0
		})
	}
	return g
}

// find finds the fields that are listed as guessed and still have the value of the skeleton, was.
func (g *Guesses) find(was *File) {
	f := g.file
	for _, x := range []struct {
		name  string
		param int
		is    Extent
		was   Extent
	}{{"grid", gridParam, f.Grid, was.Grid}, {"block", blockParam, f.Block, was.Block}} {
		if x.is == x.was && g.add(x.name, " = [%d, %d, %d]", x.is[0], x.is[1], x.is[2]) {
			g.launch = append(g.launch, x.param)
			g.texts = append(g.texts, g.Fields[len(g.Fields)-1])
		}
	}
	g.shared = f.Shared == was.Shared && g.add("shared", " = %d", f.Shared)
	for i, b := range f.Buffers {
		same := i < len(was.Buffers) && b.Bytes == was.Buffers[i].Bytes && b.Name == was.Buffers[i].Name
		if same && g.add(fmt.Sprintf("buffers[%d].bytes", i), " = %d", b.Bytes) {
			g.sizes = append(g.sizes, i)
		}
	}
	for i := range min(len(f.Params), len(was.Params)) {
		g.findParam(i, was.Params[i])
	}
}

// findParam finds the fields of parameter i.
func (g *Guesses) findParam(i int, was Param) {
	p := g.file.Params[i]
	if p.Kind != was.Kind || p.Value != was.Value {
		return
	}
	if p.Kind == "scalar" && g.add(fmt.Sprintf("params[%d].value", i), " = %s", p.Value) {
		g.scalars = append(g.scalars, i)
		g.texts = append(g.texts, g.Fields[len(g.Fields)-1])
	}
	if slices.Equal(p.Dims, was.Dims) {
		g.add(fmt.Sprintf("params[%d].dims", i), " = %v", p.Dims)
	}
}

// add adds a field with its value, and reports whether the description lists it as guessed.
func (g *Guesses) add(field, format string, args ...any) bool {
	if !slices.Contains(g.file.Guessed, field) {
		return false
	}
	g.Fields = append(g.Fields, field+fmt.Sprintf(format, args...))
	return true
}

// A Reason says how a finding depends on guesses.
type Reason struct {
	What   string   // "the address depends"
	Fields []string // "params[2].value = 1"
}

// waits are the kinds of findings about the positions of warps.
var waits = []string{"deadlock", "steps", "barrier", "divergent", "tx-count"}

// standing matches the lines at which warps are.
var standing = regexp.MustCompile(`at line (\d+)`)

// needs matches the number of threads of a barrier.
var needs = regexp.MustCompile(`barrier \d+, where \d+ of (\d+) threads are`)

// About returns how a finding depends on guesses, as far as the PTX shows: its address or its operands, and whether
// the instruction is executed. For a finding that lists where warps are, it considers all of their instructions.
func (g *Guesses) About(kind string, line int, message string) []Reason {
	if g == nil {
		return nil
	}
	if g.depends == nil {
		all := g.ask()
		g.depends = &all
	}
	var list []Reason
	add := func(what string, fields []string) {
		if len(fields) > 0 {
			list = append(list, Reason{what, fields})
		}
	}
	if !slices.Contains(waits, kind) {
		add("the address depends", g.addresses(line, message))
		add("whether it is executed may depend", g.text(g.depends.executed[int32(line)]))
		return list
	}
	operands, executed := g.depends.operands[int32(line)], g.depends.executed[int32(line)]
	for _, x := range standing.FindAllStringSubmatch(message, -1) {
		n, _ := strconv.ParseInt(x[1], 10, 32)
		operands |= g.depends.operands[int32(n)]
		executed |= g.depends.executed[int32(n)]
	}
	add("what it waits for may depend", g.text(operands))
	add("where the warps are may depend", g.text(executed))
	threads := g.file.Block[0] * g.file.Block[1] * g.file.Block[2]
	for _, x := range needs.FindAllStringSubmatch(message, -1) {
		if n, _ := strconv.ParseInt(x[1], 10, 64); n > threads && slices.Contains(g.launch, blockParam) {
			add(fmt.Sprintf("a barrier is for %d threads, and how many the block has depends", n),
				g.text(1<<slices.Index(g.launch, blockParam)))
			break
		}
	}
	return list
}

// text names guesses.
func (g *Guesses) text(set guessSet) []string {
	var list []string
	for i, text := range g.texts {
		if i < 64 && set>>i&1 == 1 {
			list = append(list, text)
		}
	}
	return list
}

// addresses returns the guesses on which an address at a line of the PTX depends. near is the message of the finding at
// that line.
func (g *Guesses) addresses(line int, near string) []string {
	var list []string
	for _, x := range g.reaches[int32(line)] {
		if slices.Contains(g.scalars, x.param) {
			list = append(list, fmt.Sprintf("params[%d].value = %s", x.param, g.file.Params[x.param].Value))
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	for _, i := range g.sizes {
		if b := g.file.Buffers[i]; strings.Contains(near, fmt.Sprintf(" of %s, %d bytes at ", b.Name, b.Bytes)) {
			list = append(list, fmt.Sprintf("buffers[%d].bytes = %d", i, b.Bytes))
		}
	}
	if g.shared && strings.Contains(near, "the shared memory of the block is from ") {
		list = append(list, fmt.Sprintf("shared = %d", g.file.Shared))
	}
	return list
}
