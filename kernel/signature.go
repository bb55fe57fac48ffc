package kernel

import (
	"slices"
	"strings"

	"girih/internal/machine/address"
	"girih/ptx"
	"girih/tensormap"
)

// This file describes the parameters of a kernel to those who launch it.

// A declared is a parameter in the place where the kernel names it.
type declared struct {
	name string
	root *root // of a tensor
}

// An Argument is a parameter of a kernel as a caller sees it. Formulas are of the kernel's integers; / rounds down.
type Argument struct {
	Param
	Extents []string // of a tensor, in elements; nil for numbers, and for tensors under a fixed layout
	Strides []string // in elements, as many as Extents
	Layout  string   // of a tensor of [K.GlobalLayout] or [K.GlobalAligned]
	Reads   bool     // the kernel may read elements of the tensor
	Writes  bool     // the kernel may write elements of the tensor

	// Of a parameter that is a tensor map. For known integers the map is [Kernel.TensorMap].
	Tiles   *tensormap.Map // without Dims and Strides
	Dims    []string       // its extents, dimension 0 first
	Pitches []string       // its strides, of the dimensions 1, 2, ..., in bytes

	root *root
}

// Signature returns the parameters in the order in which the kernel names them, which is the order of arguments of
// [Kernel.Torch] and of the function that [Kernel.CUDA] writes. Params differs if there are tensor maps. Reads and
// Writes are true if an instruction is not known to leave the tensor alone.
func (k *Kernel) Signature() []Argument {
	reads, writes := k.effects()
	var out []Argument
	for _, d := range k.declared {
		i := slices.IndexFunc(k.Params, func(p Param) bool { return p.Name == d.name })
		if i < 0 {
			continue // no copy uses this tensor
		}
		a := Argument{Param: k.Params[i], root: d.root}
		if r := d.root; r != nil {
			a.Reads, a.Writes = reads.has(d.name), writes.has(d.name)
			if r.extents == nil {
				a.Layout = r.outer.String()
			}
			a.Extents, a.Strides = texts(r.extents), texts(r.strides[:len(r.extents)]) // a layout has one stride of its own
		}
		if j := slices.IndexFunc(k.maps, func(m mapParam) bool { return m.name == d.name }); j >= 0 {
			k.describeMap(&a, k.maps[j])
		}
		out = append(out, a)
	}
	return out
}

func texts(xs []address.Expr) []string {
	var out []string
	for _, x := range xs {
		out = append(out, x.String())
	}
	return out
}

// describeMap describes the map of a parameter.
func (k *Kernel) describeMap(a *Argument, p mapParam) {
	k.mu.Lock()
	defer k.mu.Unlock()
	m := p.plan
	m.Dims, m.Strides = nil, nil
	a.Tiles, a.Dims, a.Pitches = &m, make([]string, len(p.dims)), make([]string, len(p.dims)-1)
	for axis, dim := range p.dims {
		a.Dims[dim] = p.extents[axis].String()
		if dim > 0 {
			a.Pitches[dim-1] = k.space.Scale(p.strides[axis], int64(m.Type.Bits())/8).String()
		}
	}
}

// A tensors is the names of tensors; all is true for the names of all tensors.
type tensors struct {
	of  map[string]bool
	all bool
}

func (n tensors) has(name string) bool { return n.all || n.of[name] }

// effects returns the tensors that the kernel may read and write: all of them if an instruction accesses elements of an
// unknown tensor.
func (k *Kernel) effects() (reads, writes tensors) {
	reads, writes = tensors{of: map[string]bool{}}, tensors{of: map[string]bool{}}
	sides := map[*ptx.Instr][]reason{}
	for i := range k.accesses {
		sides[k.accesses[i].in] = k.accesses[i].sides
	}
	for s := range k.Module.Func(ptx.Name(k.Name)).Stmts() {
		in, ok := s.(*ptx.Instr)
		if !ok {
			continue
		}
		read, write := effect(in.Op)
		found := false
		for _, side := range sides[in] {
			if side.in == nil || side.in.space != Global && side.in.space != TensorMaps {
				continue
			}
			found = true
			reads.of[side.in.name] = reads.of[side.in.name] || read
			writes.of[side.in.name] = writes.of[side.in.name] || write
		}
		reads.all, writes.all = reads.all || read && !found, writes.all || write && !found
	}
	return reads, writes
}

// effect reports whether an instruction may read and may write global memory.
func effect(o ptx.Op) (reads, writes bool) {
	space := o.Space()
	global := space == "" || space == ptx.Global
	switch o.Name() {
	case "cvta", "isspacep", "mapa", "prefetch", "prefetchu", "applypriority", "fence", "membar":
		return false, false
	case "ld", "ldu":
		return global, false
	case "st":
		return false, global
	case "atom", "red", "call", "multimem", "tensormap":
		return global, global
	case "cp":
		switch {
		case o.Has("prefetch"):
			return false, false
		case o.Has("reduce"):
			return space == ptx.Global, space == ptx.Global
		}
		return space != ptx.Global && o.Has(string(ptx.Global)), space == ptx.Global
	}
	unknown := strings.Contains("."+string(o)+".", ".global.")
	return unknown, unknown
}
