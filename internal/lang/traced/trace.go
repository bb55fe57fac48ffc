package traced

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// A Program is a kernel of a program, with the data of its launch.
type Program struct {
	Kernel      *kernel.Kernel
	Name        string // of the kernel in the program
	Grid, Block [3]int64
	Buffers     []Buffer // in global memory, in the order of their first use
	Notes       []string
	Tiles       []Tile // of the tensors in global memory
}

// A Buffer is a memory that a parameter of the kernel points to.
type Buffer struct {
	Name   string
	Type   dtype.Type
	Layout cute.Layout // of the first tensor on the memory
	Modes  []string    // the names of the modes, from the comment after the declaration; nil without a comment
	Values []float64
}

// A Tile says that extent Extent of a tensor is divided into tiles; Size is the size of the tiles of the blocks of a
// cluster together. Walks is true if the kernel walks along the tiles, and false if blocks share them.
type Tile struct {
	Extent, Size int64
	Walks        bool
}

// A Tracer is an [interp.Tracer]. The zero Tracer traces the first launch.
type Tracer struct {
	Entry string // a part of the name of the kernel; "" for the first launch
	File  string // the name of the program in places
	Probe bool   // end before the first instruction: only the tiles are wanted

	Program *Program // the result; nil if no launch was traced

	k       *kernel.K
	out     Program
	names   map[any]string // of memories: the parameters that point to them
	roots   map[any]*tensor
	shared  []*tensor
	took    bool
	python  bool // the program is one of the CuTe DSL
	probed  bool
	calls   int
	splits  map[*interp.Traced]split
	copies  map[*interp.TMAPlan]*tmaCopy
	waits   []barrier // the mbarriers of the kernel
	columns []*columns
	cluster [3]int64
	depth   int   // of the conditions around what is traced
	failed  error // with which a part of a condition ended the trace
}

// errProbed ends the trace of a probe.
var errProbed = refuse(cute.CodeLimit, "", "the kernel is only probed")

// Wants reports whether to trace a launch.
func (t *Tracer) Wants(name string) bool { return !t.took && strings.Contains(name, t.Entry) }

// At states the line of the operations that follow.
func (t *Tracer) At(line int) { t.k.At(kernel.Place{File: t.File, Line: line}) }

// Launch traces the kernel of a launch.
func (t *Tracer) Launch(l interp.TracedLaunch, run func() error) error {
	t.took = true
	t.out = Program{Name: l.Kernel, Grid: l.Grid, Block: l.Block}
	t.names, t.roots, t.python = map[any]string{}, map[any]*tensor{}, l.Python
	threads := l.Block[0] * l.Block[1] * l.Block[2]
	var failed error
	k, err := kernel.Trace(kernelName(l.Kernel), threads, func(k *kernel.K) {
		t.k = k
		k.At(kernel.Place{File: t.File, Line: 1})
		if t.cluster = l.Cluster; l.Cluster[0]*l.Cluster[1]*l.Cluster[2] > 1 {
			c := l.Cluster
			k.Cluster(c[0], c[1], c[2])
		}
		k.Grid(kernel.Int(l.Grid[0]), kernel.Int(l.Grid[1]), kernel.Int(l.Grid[2]))
		t.parameters(l)
		failed = run()
	})
	switch e, ok := errors.AsType[*kernel.Error](err); {
	case errors.Is(failed, errProbed) || t.Probe && t.probed:
		t.Program = &t.out
		return nil
	case cmp.Or(failed, t.failed) != nil:
		return cmp.Or(failed, t.failed)
	case ok:
		return inProgram(e.Err)
	case err != nil:
		return err
	}
	t.dropUnused()
	t.out.Kernel = k
	t.Program = &t.out
	return nil
}

// inProgram returns an error of package kernel with a hint that a program in C++ or Python can follow.
func inProgram(err error) error {
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || !strings.Contains(e.Hint, "k.") && !strings.Contains(e.Hint, "Copy") {
		return err
	}
	own := *e
	own.Hint = "let a condition such as if (i < n), or the predicate of copy_if, leave out the elements that are outside"
	if e.Code != cute.CodeMode {
		own.Hint = "girih run runs the program"
	}
	return &own
}

// kernelName returns a name for PTX.
func kernelName(name string) string {
	return "k_" + strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

// parameters names the memories of the parameters, and makes tensors of those that are tensors.
func (t *Tracer) parameters(l interp.TracedLaunch) {
	for i, v := range l.Args {
		l.Args[i] = t.parameter(l.Names[i], i, v)
	}
}

// parameter names the memory of a parameter, or of the tensors in a list, and returns its value.
func (t *Tracer) parameter(name string, i int, v interp.Value) interp.Value {
	if list, ok := modesInList(v); ok {
		for j, x := range list {
			t.parameter(fmt.Sprint(name, j), i, x)
		}
		return v
	}
	of := v
	tma, isTMA := v.(*interp.TMA)
	if isTMA {
		of = tma.Global
	}
	s, ok := interp.StorageOf(of)
	if !ok || s.Null {
		return v
	}
	if name == "" || slices.ContainsFunc(t.out.Buffers, func(b Buffer) bool { return b.Name == name }) {
		name = fmt.Sprint("arg", i)
	}
	if t.names[s.ID] == "" {
		t.names[s.ID] = name
	}
	if s.Layout == nil || isTMA {
		return v
	}
	return &interp.Traced{Of: &tensor{storage: s, space: atom.GlobalMemory}, Shadow: v}
}

// modesInList returns the elements of a list or a tuple.
func modesInList(v interp.Value) ([]interp.Value, bool) {
	switch v := v.(type) {
	case *interp.List:
		return v.Elems, true
	case interp.Tuple:
		return v, true
	}
	return nil, false
}

// Coordinate returns threadIdx or blockIdx along a dimension.
func (t *Tracer) Coordinate(name string, dim int) any {
	typ := interp.CUInt
	if t.python {
		typ = interp.CNone
	}
	if name == "blockIdx" {
		return index{t.k.BlockIdx(dim), typ}
	}
	x, b := t.k.ThreadIdx(), t.out.Block
	switch dim {
	case 0:
		if b[1]*b[2] > 1 {
			x = x.Mod(b[0])
		}
	case 1:
		x = x.Div(b[0])
		if b[2] > 1 {
			x = x.Mod(b[1])
		}
	default:
		x = x.Div(b[0] * b[1])
	}
	return index{x, typ}
}

// NameVariable says that a variable is declared with a value.
func (t *Tracer) NameVariable(name string, v interp.Value, comment string) {
	if s, ok := interp.MemoryOf(v); ok && s.Space == atom.SharedMemory && t.names[s.ID] == "" {
		t.names[s.ID] = name
	}
	x, ok := v.(*interp.Traced)
	if !ok {
		return
	}
	if of, ok := x.Of.(*tensor); ok {
		t.name(of, name, comment)
	}
}

// refuse returns an error with a repair.
func refuse(code cute.Code, hint, format string, args ...any) error {
	return &cute.Error{Code: code, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// valueOf returns the value of the algebra in a value of the program, or nil.
func valueOf(v interp.Value) eval.Value {
	a, ok := v.(interp.Algebra)
	if !ok {
		return nil
	}
	if a.Form != nil {
		return a.Form
	}
	return a.Value
}
