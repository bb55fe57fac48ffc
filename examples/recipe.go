package examples

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// A Recipe describes a kernel of this package, and makes it.
type Recipe struct {
	Name    string   // the name of the kernel in PTX
	Aliases []string // other names, such as CuTe's file names
	Doc     string   // the purpose of the kernel, in a sentence
	CuTe    string   // the file of CUTLASS that the kernel follows, or ""
	Call    string   // the computation in terms of the parameters: "c[i] = a[i] + b[i] for i < n"
	Output  string   // the parameter to which the kernel writes

	// Default contains the values used for zero options. A field that is zero in Default is not an option of the
	// kernel.
	Default Options
	Types   []dtype.Type // the allowed values of Options.Type

	// Order returns the position of element (i,j) in a matrix of m by n. It is set for kernels that multiply matrices A
	// of (m,k) and B of (n,k), and nil for others.
	Order func(i, j, m, n int64) int64

	// Few has the integers that are small in practice, such as numbers of heads, each with a large number for a test.
	Few map[string]int64

	// below says that the elements of a tensor are below an extent, or a number, and at least 0: a table of coordinates.
	below map[string]string

	trace     func(Options) (*kernel.Kernel, error)
	sizes     func(extents map[string]int64) map[string]int64 // of the tensors, in elements; nil for [sizesOf]
	reference func(p Problem) (want, scale []float64)
	c         program // the sizes and the reference computation for [Recipe.CUDA]
}

// Options are the parameters with which a kernel is traced. The zero Options are the kernel's defaults.
type Options struct {
	Tile   []int64    // the tile that a block computes, with the extents in the order of the problem's
	Type   dtype.Type // the type of the input elements
	Sum    dtype.Type // the type of sums of products, and of the output
	Div    int64      // a number that divides every extent of the problem: this fact widens copies and removes conditions
	Stages int64      // the number of stages of the pipeline through shared memory
}

// All returns the kernels, simple ones first.
func All() []Recipe {
	var out []Recipe
	for _, row := range rows {
		out = append(out, row()...)
	}
	return out
}

// Find returns the kernel with this name or alias. For an unknown name it returns [cute.CodeName] with a list of the
// names.
func Find(name string) (Recipe, error) {
	var names []string
	for _, x := range All() {
		if x.Name == name || slices.Contains(x.Aliases, name) {
			return x, nil
		}
		names = append(names, x.Name)
	}
	return Recipe{}, &cute.Error{
		Code: cute.CodeName, Op: "kernel", Msg: fmt.Sprintf("there is no kernel %q", name),
		Hint: "there are " + strings.Join(names, ", "),
	}
}

// Trace makes the kernel. It returns [cute.CodeRank] for a tile of the wrong rank, [cute.CodeExtent] for numbers below
// 1 and for one stage, [cute.CodeLimit] if the kernel does not fit a block, [cute.CodeType] for a type that is not in
// x.Types, and [cute.CodeName] for an option that the kernel does not have. If these options make the kernel invalid,
// it returns a *[kernel.Error]. Each error has a hint with valid values.
func (x Recipe) Trace(o Options) (*kernel.Kernel, error) {
	if x.trace == nil {
		return nil, &cute.Error{Code: cute.CodeName, Op: "kernel", Msg: "the zero Recipe is no kernel: use Find"}
	}
	o, err := x.complete(o)
	if err != nil {
		return nil, err
	}
	return x.trace(o)
}

// The maximum values of options; no GPU can run a block with larger ones.
const (
	maxExtent = 1 << 20
	maxTile   = 1 << 16
	maxStages = 64
)

// String returns the options as the flags of the command that makes the kernel: "--tile 64,64 --type f16".
func (o Options) String() string {
	var parts []string
	if o.Tile != nil {
		parts = append(parts, "--tile "+strings.Trim(strings.ReplaceAll(fmt.Sprint(o.Tile), " ", ","), "[]"))
	}
	if o.Type != 0 {
		parts = append(parts, "--type "+o.Type.String())
	}
	if o.Sum != 0 {
		parts = append(parts, "--sum "+o.Sum.String())
	}
	if o.Div != 0 {
		parts = append(parts, fmt.Sprintf("--div %d", o.Div))
	}
	if o.Stages != 0 {
		parts = append(parts, fmt.Sprintf("--stages %d", o.Stages))
	}
	return strings.Join(parts, " ")
}

// complete replaces missing options by the defaults.
func (x Recipe) complete(o Options) (Options, error) {
	d := x.Default
	usual := strings.ReplaceAll(strings.TrimPrefix(d.String(), "--"), " --", ", ")
	refuse := func(code cute.Code, format string, args ...any) (Options, error) {
		return o, &cute.Error{
			Code: code, Op: x.Name, Msg: fmt.Sprintf(format, args...), Hint: "leave it out for the default: " + usual,
		}
	}
	switch {
	case o.Tile != nil && d.Tile == nil:
		return refuse(cute.CodeName, "the kernel has one tile only, found %v", o.Tile)
	case o.Tile != nil && len(o.Tile) != len(d.Tile):
		return refuse(cute.CodeRank, "expected a tile of %d extents such as %v, found %v", len(d.Tile), d.Tile, o.Tile)
	case o.Type != 0 && !slices.Contains(x.Types, o.Type):
		return refuse(cute.CodeType, "expected a type of %v, found %v", x.Types, o.Type)
	case o.Sum != 0 && d.Sum == 0:
		return refuse(cute.CodeName, "the kernel has one type of sums only, found %v", o.Sum)
	case o.Div != 0 && d.Div == 0:
		return refuse(cute.CodeName, "the kernel knows what divides its extents, found %d", o.Div)
	case o.Stages != 0 && d.Stages == 0:
		return refuse(cute.CodeName, "the kernel has no pipeline, found %d stages", o.Stages)
	}
	if e := o.checkNumbers(); e != nil {
		return refuse(e.Code, "%s", e.Msg)
	}
	if o.Tile == nil {
		o.Tile = slices.Clone(d.Tile)
	}
	o.Type, o.Sum = cmp.Or(o.Type, d.Type), cmp.Or(o.Sum, d.Sum)
	o.Div, o.Stages = cmp.Or(o.Div, d.Div), cmp.Or(o.Stages, d.Stages)
	return o, nil
}

// checkNumbers returns an error for numbers that no kernel accepts.
func (o Options) checkNumbers() *cute.Error {
	refuse := func(code cute.Code, format string, args ...any) *cute.Error {
		return &cute.Error{Code: code, Msg: fmt.Sprintf(format, args...)}
	}
	switch {
	case min(o.Div, o.Stages) < 0 || slices.ContainsFunc(o.Tile, func(n int64) bool { return n <= 0 }):
		return refuse(cute.CodeExtent, "expected numbers of at least 1, found tile %v, div %d, stages %d", o.Tile, o.Div,
			o.Stages)
	case o.Stages == 1:
		return refuse(cute.CodeExtent, "expected at least 2 stages, found 1: one is filled while another one is read")
	case o.Stages > maxStages:
		return refuse(cute.CodeLimit, "expected at most %d stages, found %d", maxStages, o.Stages)
	case o.Div > maxExtent:
		return refuse(cute.CodeExtent, "extents are at most %d, and cannot be multiples of %d", maxExtent, o.Div)
	case slices.ContainsFunc(o.Tile, func(n int64) bool { return n > maxTile }):
		return refuse(cute.CodeLimit, "expected a tile of at most %d along each mode, found %v", maxTile, o.Tile)
	}
	return nil
}
