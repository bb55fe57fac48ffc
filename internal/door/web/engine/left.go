package engine

import (
	"go/ast"
	"path"
	"slices"
)

// A choice says which functions of a package an engine leaves out.
type choice struct {
	files []string // patterns of the names of files that are left out; all files if there are none
	keep  []string // patterns of the names of files that stay
	calls []string // names of functions that stay
	only  []string // names of the functions that are left out; all of the files if there are none
	// starts leaves out what runs when the program starts, too.
	starts bool
}

// has reports whether the choice leaves out a function of a file. Functions that return rows of the language stay: the
// first engine completes and documents all names.
func (c choice) has(file string, d *ast.FuncDecl) bool {
	matches := func(pattern string) bool {
		ok, _ := path.Match(pattern, file)
		return ok
	}
	if slices.ContainsFunc(c.keep, matches) || slices.Contains(c.calls, d.Name.Name) {
		return false
	}
	if returns(d, "Builtin") {
		return false
	}
	if len(c.only) > 0 {
		return slices.Contains(c.only, d.Name.Name)
	}
	return len(c.files) == 0 || slices.ContainsFunc(c.files, matches)
}

// returns reports whether a function returns values of a type, or a list of them, and nothing else.
func returns(d *ast.FuncDecl, name string) bool {
	if d.Type.Results == nil || len(d.Type.Results.List) != 1 {
		return false
	}
	t := d.Type.Results.List[0].Type
	if list, ok := t.(*ast.ArrayType); ok {
		t = list.Elt
	}
	i, ok := t.(*ast.Ident)
	return ok && i.Name == name
}

// left are the functions that the first engine leaves out, by package. What it needs was found by asking it what pages
// ask for layouts of known integers; TestEngine of package web compares its answers.
var left = map[string]choice{
	"atom":         {},
	"descriptor":   {calls: []string{"String"}},
	"swizzle":      {keep: []string{"map.go"}},
	"symbolic":     {keep: []string{"symbol.go"}, calls: []string{"Inherited"}},
	"tensor":       {},
	"tensor/tiled": {},
	"tensormap":    {},
	"tmem":         {},

	"internal/lang/codegen":        {},
	"internal/lang/codegen/atoms":  {},
	"internal/lang/codegen/device": {},
	"internal/lang/eval": {
		files: []string{
			"atom_values.go", "atoms.go", "bits_add.go", "bits_calls.go", "bits_encoding.go", "bits_expr.go", "bits_record.go",
			"bits_swizzle.go", "builtins_dsl.go", "builtins_hardware.go", "builtins_linear.go", "builtins_smem.go",
			"builtins_tma.go", "copy_ops.go", "dynamic*.go", "hardware_values.go", "index_*.go", "matrix.go", "mma_ops.go",
			"tensor_values.go", "thread_slice.go", "tile_reading.go", "tiled.go", "tma_values.go", "xor_*.go",
		},
		calls: []string{"ToLinear", "Symbols", "Trials"},
	},
	"internal/lang/indexmap":       {},
	"internal/lang/paste":          {files: []string{"encodings.go", "names.go", "rebuild.go", "rewrite.go"}},
	"internal/lang/reader":         {},
	"internal/lang/triton":         {},
	"internal/lang/triton/convert": {},
	"internal/machine/tile":        {},
	"internal/pattern":             {},
	"internal/picture/draw":        {},
	"internal/picture/svg":         {},
	"internal/picture/tikz":        {},
	"internal/picture/view":        {keep: []string{"fill.go"}},
	"internal/service": {
		keep: []string{
			"argument.go", "complete.go", "do.go", "draw_js.go", "form.go", "help.go", "inspect.go", "layout.go", "limits.go",
			"link.go", "operation.go", "program*_js.go", "rows*.go", "session.go", "set.go", "tokens.go", "watch.go",
		},
		calls: []string{"reading", "paste", "evaluate", "Targets"},
	},
	"internal/why/explain": {calls: []string{"Wrap"}},
}

// leftOfKernels are what the engine that runs kernels leaves out: the operations that other engines have, and the texts
// of kernels in other languages, which no page asks for. The linker leaves out what only they use.
var leftOfKernels = map[string]choice{
	"kernel": {only: []string{"CUDA", "CuTe", "DSL", "Torch"}},
	"internal/service": {only: []string{
		"evalOperation", "helpOperation", "explainOperation", "bankOperation", "swizzleOperation",
		"descriptorOperation", "tmemOperation", "tmaOperation", "predicateOperation", "alignOperation", "budgetOperation",
		"recognizeOperation", "globalOperation", "atomsOperation", "atomOperation", "tiledMMAOperation", "mmaOperation",
		"permuteOperation", "copiesOperation", "gemmOperation", "checkOperation", "checkToolOperation", "lintOperation",
		"litmusOperation", "copyOperation", "partitionOperation", "drawOperation", "linearOperation", "convertOperation",
		"showOperation", "readOperation", "gridOperation", "compareOperation",
		"Complete", "Inspect", "Link", "Reference", "Tokens",
	}},
}
