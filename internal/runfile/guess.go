package runfile

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx"
)

// A description says in guessed which values of a skeleton were made up. Those that are still what the skeleton has are
// told to whoever runs it, and with a finding that they may have caused.

// guess notes which values of a skeleton of k the PTX does not say.
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

// Guesses are the values of a description that are still what its skeleton has made up.
type Guesses struct {
	Fields  []string // "params[2].value = 1"
	file    *File
	scalars []int // parameters
	sizes   []int // buffers
	shared  bool
	reaches map[int32][]spot
}

// GuessesOf returns those of a description of a run of k, nil if there are none.
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
	same := func(field string, as bool, format string, args ...any) bool {
		if as = as && slices.Contains(f.Guessed, field); as {
			g.Fields = append(g.Fields, field+fmt.Sprintf(format, args...))
		}
		return as
	}
	same("grid", f.Grid == was.Grid, " = [%d, %d, %d]", f.Grid[0], f.Grid[1], f.Grid[2])
	same("block", f.Block == was.Block, " = [%d, %d, %d]", f.Block[0], f.Block[1], f.Block[2])
	g.shared = same("shared", f.Shared == was.Shared, " = %d", f.Shared)
	for i, b := range f.Buffers {
		as := i < len(was.Buffers) && b.Bytes == was.Buffers[i].Bytes && b.Name == was.Buffers[i].Name
		if same(fmt.Sprintf("buffers[%d].bytes", i), as, " = %d", b.Bytes) {
			g.sizes = append(g.sizes, i)
		}
	}
	for i, p := range f.Params {
		as := i < len(was.Params) && p.Kind == was.Params[i].Kind && p.Value == was.Params[i].Value
		if p.Kind == "scalar" && same(fmt.Sprintf("params[%d].value", i), as, " = %s", p.Value) {
			g.scalars = append(g.scalars, i)
		}
		same(fmt.Sprintf("params[%d].dims", i), as && slices.Equal(p.Dims, was.Params[i].Dims), " = %v", p.Dims)
	}
	if len(g.Fields) == 0 {
		return nil
	}
	g.reaches = traceOf(m, k).reaches
	return g
}

// Of says which guesses an address at a line of the PTX depends on, "" for none that is known. near is the message of
// what was found there.
func (g *Guesses) Of(line int, near string) string {
	if g == nil {
		return ""
	}
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
	return strings.Join(list, ", ")
}
