//go:build !js || kernels

package service

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
	"girih/internal/lang/traced"
	"girih/internal/pattern"
	"girih/internal/picture/follow"
	"girih/kernel"
)

// This file follows programs in CuTe C++ and the CuTe DSL: package traced makes a kernel of the first launch.

// argumentPattern matches how C++ programs read an argument: sscanf(argv[1], "%d", &m), and m = atoi(argv[1]).
const argumentPattern = pattern.Pattern(`sscanf\s*\(\s*argv\[(\d+)\]\s*,\s*"%(\w+)"\s*,\s*&\s*(\w+)\s*\)|` +
	`(\w+)\s*=\s*(?:std::)?(?:atoi|atol|stoi|stol)\s*\(\s*argv\[(\d+)\]\s*\)`)

// An input is an argument of a program.
type input struct {
	name string
	at   int
	char bool // it is a letter, such as the N of a matrix that is not transposed
}

// inputsOf returns the arguments that a program reads, in their order.
func inputsOf(src string) (list []input) {
	for _, m := range argumentPattern.FindAllStringSubmatch(src, -1) {
		in := input{name: cmp.Or(m[3], m[4]), char: m[2] == "c"}
		in.at, _ = strconv.Atoi(cmp.Or(m[1], m[5]))
		if in.at > 0 && in.at < 32 {
			list = append(list, in)
		}
	}
	slices.SortFunc(list, func(a, b input) int { return a.at - b.at })
	for i, in := range list { // the others are read otherwise
		if in.at != i+1 {
			return list[:i]
		}
	}
	return list
}

// programText adds the lines of the program to its source, also those that did nothing.
func (x *followed) programText() {
	if x.req.Program == "" {
		return
	}
	at := slices.IndexFunc(x.Sources, func(s FollowSource) bool { return s.Lang != "ptx" })
	if at < 0 {
		return
	}
	var all []FollowLine
	rest := x.Sources[at].Lines
	for i, text := range strings.Split(strings.TrimSuffix(x.req.Program, "\n"), "\n") {
		l := FollowLine{Line: i + 1}
		if len(rest) > 0 && rest[0].Line == l.Line {
			l, rest = rest[0], rest[1:]
		}
		l.Text = strings.TrimRight(text, " \t\r")
		all = append(all, l)
	}
	x.Sources[at].Lines = all
}

// A pasted is a program that is followed.
type pasted struct {
	x      *followed
	src    string
	lang   program.Language
	file   string
	inputs []input
	probes bool // the next run ends before the first instruction

	letters []string // that the program accepts
}

// fromProgram traces the first launch of a program, and runs it.
func (x *followed) fromProgram() *report.Error {
	p := pasted{x: x, src: x.req.Program, lang: program.Detect(x.req.Program), file: "pasted.cu"}
	if p.lang == program.Python {
		p.file = "pasted.py"
	}
	p.file = cmp.Or(x.req.File, p.file)
	if !program.HasStatements(p.src) || p.lang == program.Notation {
		return refusal(cute.CodeNotRepresentable, "expected a kernel and its launch, found no statement of C++ or Python",
			"paste the whole file, with main or the host function, or give PTX with a run")
	}
	p.inputs = inputsOf(p.src)
	values, info := p.sizes()
	if info != nil {
		return info
	}
	out, info := p.trace(values)
	if info != nil {
		return info
	}
	return p.simulate(out)
}

// sizes chooses the values of the integers that the program takes as arguments: one tile for a block, and a few tiles
// where a block walks along them.
func (p *pasted) sizes() (map[string]int64, *report.Error) {
	values, given, names := map[string]int64{}, p.x.session.values, []string{}
	for _, in := range p.inputs {
		if !in.char {
			names = append(names, in.name)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, n) {
			return nil, refusal(cute.CodeName, fmt.Sprintf("the program takes no integer %.40q as an argument", n),
				"it takes "+cmp.Or(strings.Join(names, ", "), "none")+"; change other numbers in its text")
		}
	}
	if len(given) < len(names) {
		out, probed, info := p.probe(names)
		if info != nil {
			return nil, info
		}
		for rounds := int64(3); rounds > 0; rounds-- {
			values = maps.Clone(probed)
			if choose(values, out.Tiles, rounds); followable(values) == nil {
				break
			}
		}
	}
	maps.Copy(values, given)
	if len(names) > 0 {
		p.x.Values = values
		p.x.Notes = append(p.x.Notes, "sizes chosen: "+sizesText(names, values))
	}
	return values, followable(values)
}

// probe traces the program up to the first instruction of its kernel, with different values for the names. A program
// may refuse what its tile does not divide, so that larger values are tried too.
func (p *pasted) probe(names []string) (out *traced.Program, values map[string]int64, info *report.Error) {
	p.probes = true
	defer func() { p.probes = false }()
	for _, of := range [][]int64{{128, 256, 384}, {512, 1024, 768}} { // arrays have up to 2^20 elements
		values = make(map[string]int64)
		for i, name := range names {
			values[name] = of[i%3] + 1280*int64(i/3)
		}
		var wrong *report.Error
		if out, wrong = p.trace(values); wrong == nil {
			return out, values, nil
		}
		if info == nil || wrong.Code != string(cute.CodeLimit) {
			info = wrong
		}
	}
	return nil, nil, info
}

// sizesText writes the values of names.
func sizesText(names []string, values map[string]int64) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = fmt.Sprintf("%s=%d", n, values[n])
	}
	return strings.Join(list, ", ")
}

// followable refuses extents whose product is too large.
func followable(values map[string]int64) *report.Error {
	product := int64(1)
	for _, n := range values {
		if n < 1 || n > followData/product {
			return refusal(cute.CodeLimit, fmt.Sprintf("the product of the extents %v is not from 1 to %d, which are followed",
				values, followData), "follow one tile: leave the extents out")
		}
		product *= n
	}
	return nil
}

// choose replaces values by one tile, or by several where a block walks along tiles.
func choose(values map[string]int64, tiles []traced.Tile, rounds int64) {
	for name, n := range values {
		values[name] = 128
		for _, t := range tiles {
			if t.Extent != n {
				continue
			}
			if values[name] = t.Size; t.Walks {
				values[name] = rounds * t.Size
			}
			break
		}
	}
}

// trace runs the host code and traces the first launch. If the letters among the arguments are not given, the usual
// ones are tried: a program may have a kernel for some of them only.
func (p *pasted) trace(values map[string]int64) (*traced.Program, *report.Error) {
	choices := [][]string{p.letters}
	letters := 0
	for _, in := range p.inputs {
		if in.char {
			letters++
		}
	}
	if letters == 2 && p.letters == nil {
		choices = [][]string{nil, {"T", "N"}, {"N", "T"}}
	}
	var first *report.Error
	for _, c := range choices {
		out, info := p.run(values, c)
		if info == nil {
			if p.letters = c; len(c) > 0 && !p.probes {
				p.x.Notes = append(p.x.Notes, "letters chosen: "+strings.Join(c, " "))
			}
			return out, nil
		}
		if info.Code != interp.CodeAssert {
			return nil, info
		}
		first = cmp.Or(first, info)
	}
	return nil, first
}

// run runs the program with arguments up to its first launch, or launches the kernel that the request calls.
func (p *pasted) run(values map[string]int64, letters []string) (*traced.Program, *report.Error) {
	var args []string
	for _, in := range p.inputs {
		switch {
		case !in.char:
			args = append(args, strconv.FormatInt(values[in.name], 10))
		case len(letters) > 0:
			args, letters = append(args, letters[0]), letters[1:]
		default:
		}
	}
	var call *interp.KernelCall
	if p.x.req.Call != "" {
		call = &interp.KernelCall{Call: p.x.req.Call}
	}
	out, r := p.machine(args, call)
	if out != nil {
		return out, nil
	}
	if r.Error == nil {
		hint := "launch it at the end of the text: f<<<grid, block>>>(arguments), or f(arguments).launch(grid=, block=)"
		if p.x.Launch = r.Launch; r.Launch != "" {
			hint = "give a launch: --call '" + r.Launch + "'"
		}
		msg := strings.TrimSpace("the program launches no kernel " + p.x.req.Entry)
		return nil, refusal(cute.CodeNotRepresentable, msg, hint)
	}
	if r.Line > 0 && r.Source == p.src {
		r.Error.Message = fmt.Sprintf("%d:%d: %s", r.Line, r.Column, r.Error.Message)
	}
	return nil, r.Error
}

// machine runs the program with arguments, and the call after it, if there is one, up to the launch that is traced.
func (p *pasted) machine(args []string, call *interp.KernelCall) (*traced.Program, interp.Result) {
	s := p.x.session
	own := &Session{budget: s.budget, stop: s.stop, room: s.room}
	t := traced.Tracer{Entry: p.x.req.Entry, File: p.file, Probe: p.probes}
	m := own.machine(func(string) error { return nil })
	m.Args, m.Tracer, m.Marks, m.Kernel = args, &t, true, call
	r := m.Run(p.src, p.lang)
	return t.Program, r
}

// simulate runs the kernel, and describes its tensors.
func (p *pasted) simulate(out *traced.Program) *report.Error {
	x, k := p.x, out.Kernel
	x.Name, x.Title, x.Threads = out.Name, cmp.Or(x.req.File, "a pasted program"), k.Threads
	x.Notes = append(x.Notes, out.Notes...)
	if info := x.inGrid(out.Grid); info != nil {
		return info
	}
	tensors := map[string][]float64{}
	for _, b := range out.Buffers {
		tensors[b.Name] = b.Values
	}
	spread(k, tensors)
	r := k.Report()
	x.kernel, x.ptx = follow.Of(k, nil, &r), k.Module.String()
	for i := range x.kernel.Tensors {
		t := &x.kernel.Tensors[i]
		if at := slices.IndexFunc(out.Buffers, func(b traced.Buffer) bool { return b.Name == t.Name }); at >= 0 {
			t.Extents, t.Strides, t.Names = out.Buffers[at].Grid()
		}
	}
	return x.launch(k, kernel.Args{Tensors: tensors})
}
