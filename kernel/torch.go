package kernel

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
	"girih/internal/packed"
)

// This file writes kernels as Python files for PyTorch. What differs between kernels is a table, and functions of the
// kernel's integers: runtime.py, which follows them, is the same in all files.

// torchRuntime is runtime.py in gzip.
//
//go:generate go run girih/internal/cmd/release gzip runtime.py
//go:embed runtime.py.gz
var torchRuntime []byte

// Torch returns the kernel as a Python file for PyTorch 2.4 or newer on Python 3.9 or newer. The file contains the PTX
// and calls NVIDIA's driver; it needs neither nvcc nor another package. Importing it registers the operator
// torch.ops.girih.NAME, whose arguments have the order of [Kernel.Signature], without the integers that are extents or
// strides of tensors. The operator runs on the current stream, in torch.compile, and in CUDA graphs after warm(). The
// function NAME of the file allocates the tensors that the kernel only writes, copies those that it reads and writes,
// and returns both. There are no derivatives. The lines of about come first in the file.
//
// Tensors that the kernel was not made for are refused: other types, extents that disagree or contradict the facts,
// other strides, addresses that are not aligned, devices other than the target.
//
// Torch returns [cute.CodeType] for a kernel without [K.Grid] or without a tensor, [cute.CodeName] for names that
// Python cannot have, [cute.CodeUnknown] for a tensor with a view by [K.View], whose end is not known, or for a size
// that is not a formula of parameters, and [cute.CodeLimit] for a formula that is too long.
func (k *Kernel) Torch(about ...string) (string, error) {
	t := torchFile{k: k, args: k.Signature()}
	t.check()
	t.find()
	grid := t.tuple(k.grid)
	var b strings.Builder
	put := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	put("\"\"\"%s for PyTorch.\n\n", k.Name)
	for _, line := range slices.Concat(about, k.about()) {
		put("%s\n", quotable(line))
	}
	put("\n    import torch, %s as kernel\n", k.Name)
	put("    %s = kernel.%s(%s)\n", strings.Join(t.results(), ", "), k.Name, strings.Join(t.parameters(), ", "))
	put("    torch.ops.girih.%s(%s)  # writes %s\n", k.Name, strings.Join(t.operands(), ", "),
		strings.Join(t.results(), ", "))
	put("    kernel.warm()  # before a CUDA graph is captured\n\n%s\"\"\"\n", torchLicence)
	put("import ctypes\nimport sys\nimport threading\n\nimport torch\n\n\n")
	t.function(&b)
	t.table(&b)
	ints := strings.Join(t.intNames(), ", ")
	operands := strings.Join(t.operands(), ", ")
	put("_ints = lambda %s: %s\n", operands, tupleOf(t.sources(t.from)))
	keys, addresses, grads := t.keys()
	put("_key = lambda %s: %s\n", operands, tupleOf(keys))
	put("_addresses = lambda %s: %s\n", operands, tupleOf(addresses))
	put("_grads = lambda %s: %s\n", operands, cmp.Or(strings.Join(grads, " or "), "False"))
	put("_grid = lambda %s: %s\n", ints, grid)
	put("_extents = lambda %s: %s\n", ints, t.extents())
	put("_strides = lambda %s: %s\n", ints, t.strides())
	put("_maps = lambda %s: {%s}  # dims, strides in bytes, box, type, swizzle, promotion, fill\n\n", ints, t.maps())
	put("PTX = r\"\"\"\n%s\"\"\"\n%s", k.Listing(), packed.Bytes(torchRuntime))
	return b.String(), t.err
}

const torchLicence = `The table and the kernel are yours as the source is from which girih made them. The functions after the PTX are
girih's, Copyright 2026 The girih Authors, under the Apache License 2.0; this sentence is the notice that it asks for.
`

// A torchFile is a Python file while it is written.
type torchFile struct {
	k     *Kernel
	args  []Argument
	from  map[string]place // by integer, where a call of the operator finds it
	given map[string]place // the same of the function, whose outputs do not exist yet
	err   error
}

// A place is an extent or a stride of a tensor.
type place struct {
	tensor string
	axis   int
	stride bool
}

func (p place) python() string {
	if p.stride {
		return fmt.Sprintf("%s.stride(%d)", p.tensor, p.axis)
	}
	return fmt.Sprintf("%s.shape[%d]", p.tensor, p.axis)
}

func (p place) String() string {
	if p.stride {
		return fmt.Sprintf("stride %d of %s", p.axis, p.tensor)
	}
	return fmt.Sprintf("dimension %d of %s", p.axis, p.tensor)
}

func (t *torchFile) refuse(code cute.Code, hint, format string, args ...any) {
	if t.err == nil {
		t.err = &cute.Error{Code: code, Op: "torch", Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
}

// reserved are Python's words, and the names that a function of the file uses.
var reserved = strings.Fields(`False None True and as assert async await break class continue def del elif else except
finally for from global if import in is lambda nonlocal not or pass raise return try while with yield torch ctypes sys
threading warm`)

// module are the names that the file defines, or that its functions use of Python: the kernel's function has a name in
// the same module.
var module = strings.Fields(`all any enumerate getattr globals hasattr int isinstance len map tuple type zip OSError
RuntimeError TypeError ValueError NAME ENTRY SCHEMA TARGET BLOCK SHARED CLUSTER OVERLAP TENSORS INTS GIVEN PARAMS PTX`)

var identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// check refuses kernels without a grid, names that a Python file cannot have, and tensors without an end.
func (t *torchFile) check() {
	if len(t.k.grid) == 0 {
		t.refuse(cute.CodeType, "say k.Grid", "%s does not say how many blocks it has", t.k.Name)
	}
	if !slices.ContainsFunc(t.args, func(a Argument) bool { return a.root != nil }) {
		t.refuse(cute.CodeType, "give it a tensor", "%s has no tensor, whose device would be the kernel's", t.k.Name)
	}
	known := []string{t.k.Name}
	for _, a := range t.args {
		known = append(known, a.Name)
		if a.root != nil && a.root.viewed {
			t.refuse(cute.CodeUnknown, "use LocalTile or Slice", "the end of %s is not known: the kernel has a View of it",
				a.Name)
		}
	}
	for i, name := range known {
		if !identifier.MatchString(name) || slices.Contains(reserved, name) || i == 0 && slices.Contains(module, name) {
			t.refuse(cute.CodeName, "use letters, digits and _", "the name %q has another meaning in the Python file", name)
		}
	}
}

// find finds the integers among extents and strides: of tensors that exist before the function is called, if possible.
func (t *torchFile) find() {
	t.from, t.given = map[string]place{}, map[string]place{}
	args := slices.Clone(t.args)
	sort.SliceStable(args, func(i, j int) bool { return output(args[i]) < output(args[j]) })
	for _, strides := range []bool{false, true} {
		for _, a := range args {
			if a.root == nil || a.Type.Bits() < 8 {
				continue
			}
			for axis, x := range a.root.extents {
				if strides {
					x = a.root.strides[axis]
				}
				t.note(x, a, place{a.Name, axis, strides})
			}
		}
	}
}

// note records a place if its number is an integer of the kernel.
func (t *torchFile) note(x address.Expr, a Argument, at place) {
	for _, sym := range t.k.numbers {
		if _, ok := t.from[sym.Name()]; ok || x != sym.Expr() {
			continue
		}
		t.from[sym.Name()] = at
		if output(a) == 0 {
			t.given[sym.Name()] = at
		}
	}
}

// output returns 1 for a tensor that the function allocates: the kernel writes it, and never reads it.
func output(a Argument) int {
	if a.Writes && !a.Reads {
		return 1
	}
	return 0
}

// isInt reports whether a parameter is an integer of the kernel, in formulas or not.
func (t *torchFile) isInt(a Argument) bool { return a.root == nil && a.Type.Kind() != dtype.Float }

// operands returns the arguments of the operator.
func (t *torchFile) operands() []string {
	var out []string
	for _, a := range t.args {
		if _, ok := t.from[a.Name]; !ok {
			out = append(out, a.Name)
		}
	}
	return out
}

// parameters returns the arguments of the function.
func (t *torchFile) parameters() []string {
	var out []string
	for _, a := range t.args {
		if _, ok := t.given[a.Name]; !ok && output(a) == 0 {
			out = append(out, a.Name)
		}
	}
	return out
}

// results returns the tensors that the function returns.
func (t *torchFile) results() []string {
	var out []string
	for _, a := range t.args {
		if a.Writes {
			out = append(out, a.Name)
		}
	}
	return out
}

// intNames returns the integers in their order.
func (t *torchFile) intNames() []string {
	var out []string
	for _, a := range t.args {
		if t.isInt(a) {
			out = append(out, a.Name)
		}
	}
	return out
}

// sources returns the integers in terms of tensors and arguments.
func (t *torchFile) sources(from map[string]place) []string {
	var out []string
	for _, name := range t.intNames() {
		if p, ok := from[name]; ok {
			name = p.python()
		}
		out = append(out, name)
	}
	return out
}

// keys returns what a plan depends on, what else a launch depends on, and whether a tensor requires a derivative. Equal
// floats need not have the same bits.
func (t *torchFile) keys() (plan, launch, grads []string) {
	for _, name := range t.operands() {
		switch a := t.argument(name); {
		case a.root != nil:
			for _, field := range []string{"shape", "stride()", "dtype", "get_device()"} {
				plan = append(plan, name+"."+field)
			}
			launch, grads = append(launch, name+".data_ptr()"), append(grads, name+".requires_grad")
		case t.isInt(a):
			plan = append(plan, name)
		default:
			launch = append(launch, "float.hex("+name+")")
		}
	}
	return plan, launch, grads
}

// argument returns the argument of a name.
func (t *torchFile) argument(name string) Argument {
	return t.args[slices.IndexFunc(t.args, func(a Argument) bool { return a.Name == name })]
}

// tupleOf returns a Python tuple.
func tupleOf(xs []string) string {
	if len(xs) == 1 {
		return "(" + xs[0] + ",)"
	}
	return "(" + strings.Join(xs, ", ") + ")"
}

// quotable returns a text in ASCII that a string of three quotes can contain.
func quotable(text string) string {
	return strings.NewReplacer(`\`, `/`, `"""`, `'''`).Replace(ascii(text))
}

// function writes the function that allocates what the kernel writes.
func (t *torchFile) function(b *strings.Builder) {
	fmt.Fprintf(b, "def %s(%s):\n    \"\"\"Returns %s.\n\n", t.k.Name, strings.Join(t.parameters(), ", "),
		strings.Join(t.results(), ", "))
	for _, a := range t.args {
		if a.root == nil {
			continue
		}
		what := map[[2]bool]string{{true, false}: "read", {false, true}: "allocated and written", {true, true}: "copied and written"}
		fmt.Fprintf(b, "    %s: %s of %v, %s\n", a.Name, quotable(a.root.layout()), a.Type, what[[2]bool{a.Reads, a.Writes}])
	}
	b.WriteString("    \"\"\"\n")
	var tensors []string
	for _, a := range t.args {
		if a.root != nil && output(a) == 0 {
			if modes := t.broadcast(a); len(modes) > 0 {
				fmt.Fprintf(b, "    %s = _widened(%[1]s, %s, %s)\n", a.Name, t.rank(a), tupleOf(modes))
			}
			fmt.Fprintf(b, "    _typed(%q, %s, %s)\n", a.Name, a.Name, t.rank(a))
			tensors = append(tensors, a.Name)
		}
	}
	if ints := t.intNames(); len(ints) > 0 {
		fmt.Fprintf(b, "    %s = %s\n", strings.Join(ints, ", "), strings.Join(t.sources(t.given), ", "))
	}
	device := `device="cuda"`
	if len(tensors) > 0 {
		device = "device=" + tensors[0] + ".device"
	}
	for _, a := range t.args {
		switch {
		case a.root == nil || !a.Writes:
		case a.Reads:
			fmt.Fprintf(b, "    %s = %[1]s.clone()\n", a.Name)
		default:
			extents, strides, ok := t.shape(a)
			shape := fmt.Sprintf("empty_strided(%s, %s", tupleOf(extents), tupleOf(strides))
			if !ok {
				shape = fmt.Sprintf("empty((%s) // %d", t.bytes(a), max(a.Type.Bits()/8, 1))
			}
			fmt.Fprintf(b, "    %s = torch.%s, dtype=torch.%s, %s)\n", a.Name, shape, storage(a.Type), device)
		}
	}
	fmt.Fprintf(b, "    _op(%s)\n", strings.Join(t.operands(), ", "))
	if r := t.results(); len(r) > 0 {
		fmt.Fprintf(b, "    return %s\n", strings.Join(r, ", "))
	}
	b.WriteString("\n\n")
}

// storage returns PyTorch's name of the type with which the file allocates elements.
func storage(d dtype.Type) string {
	if name := torchType(d); name != "" {
		return name
	}
	return map[int]string{8: "uint8", 16: "int16", 32: "int32", 64: "int64"}[max(d.Bits(), 8)]
}

// torchType returns PyTorch's name of a type of whole bytes, and "" for types that PyTorch does not have.
func torchType(d dtype.Type) string {
	switch {
	case d.Bits() < 8 || d.Kind() == dtype.Raw:
		return ""
	case d == dtype.TF32:
		return "float32"
	}
	return d.Torch()
}

// table writes what the file has of the kernel.
func (t *torchFile) table(b *strings.Builder) {
	k := t.k
	cluster := "()"
	if k.Cluster != [3]int64{} {
		cluster = fmt.Sprintf("(%d, %d, %d)", k.Cluster[0], k.Cluster[1], k.Cluster[2])
	}
	fmt.Fprintf(b, "NAME = ENTRY = %q\nSCHEMA = %q\nTARGET = %q\n", k.Name, t.schema(), k.Module.Target[0])
	fmt.Fprintf(b, "BLOCK, SHARED, CLUSTER, OVERLAP = %d, %d, %s, %s\n", k.Threads, k.Dynamic, cluster,
		pythonBool[strings.Contains(k.Module.String(), "griddepcontrol")])
	operands := t.operands()
	b.WriteString("# name, position, type or bytes of elements, alignment in bytes, whether it is written, rank\nTENSORS = (\n")
	for _, a := range t.args {
		if a.root == nil {
			continue
		}
		typ := fmt.Sprint(max(a.Type.Bits()/8, 1))
		if name := torchType(a.Type); name != "" {
			typ = fmt.Sprintf("%q", name)
		}
		fmt.Fprintf(b, "    (%q, %d, %s, %d, %s, %s),\n", a.Name, slices.Index(operands, a.Name), typ, a.Facts.Div,
			pythonBool[a.Writes], t.rank(a))
	}
	b.WriteString(")\n# name, least, most, divisor, source\nINTS = (\n")
	for _, name := range t.intNames() {
		a := t.argument(name)
		source, f := "argument", a.Facts
		if p, ok := t.from[name]; ok {
			source = p.String()
		} else if f.Max == 0 {
			f = numbersOf(a.Type)
		}
		fmt.Fprintf(b, "    (%q, %d, %d, %d, %q),\n", name, f.Min, f.Max, max(f.Div, 1), source)
	}
	b.WriteString(")\n")
	b.WriteString("# in the order of the launch: what it is, its number among these, and its type\nPARAMS = (\n")
	t.params(b)
	b.WriteString(")\n")
}

var pythonBool = map[bool]string{false: "False", true: "True"}

// schema returns the types of the operator for PyTorch.
func (t *torchFile) schema() string {
	var out []string
	for i, name := range t.operands() {
		a := t.argument(name)
		switch {
		case a.root == nil && t.isInt(a):
			name = "int " + name
		case a.root == nil:
			name = "float " + name
		case a.Writes:
			name = fmt.Sprintf("Tensor(a%d!) %s", i, name)
		default:
			name = "Tensor " + name
		}
		out = append(out, name)
	}
	return "(" + strings.Join(out, ", ") + ") -> ()"
}

// params writes the parameters in the order of the launch: what each is, its number among those, and its type.
func (t *torchFile) params(b *strings.Builder) {
	var tensors []string
	for _, a := range t.args {
		if a.root != nil {
			tensors = append(tensors, a.Name)
		}
	}
	for _, p := range t.k.Params {
		kind, n, typ := "tensor", slices.Index(tensors, p.Name), "None"
		switch {
		case p.Map:
			kind = "map"
		case p.Pointer:
		case p.Type.Kind() == dtype.Float:
			kind, n = "float", slices.Index(t.operands(), p.Name)
			typ = map[int]string{32: "ctypes.c_float", 64: "ctypes.c_double"}[p.Type.Bits()]
		default:
			kind, n = "int", slices.Index(t.intNames(), p.Name)
			typ = fmt.Sprintf("ctypes.c_int%d", p.Type.Bits())
		}
		fmt.Fprintf(b, "    (%q, %d, %s),  # %s\n", kind, n, typ, p.Name)
	}
}
