package runfile

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"girih/ptx"
)

// These are the values of a skeleton that the PTX does not state.
const (
	anyBytes   = 64 << 10 // the size of a buffer in bytes
	anyShared  = 48 << 10 // the shared memory of a kernel without a request
	anyThreads = 128
	anyExtent  = 64        // the extent of a tensor along each dimension
	mostShared = 227 << 10 // the most shared memory of a block
)

// Skeleton returns a description of a run of a kernel; "" means the only kernel of the module. It has all parameters of
// the kernel: buffers if the kernel uses them as pointers, tensor maps if it uses them as such or if they look like
// maps (.b8 [128] aligned to 64), and the same within structs. Sizes, contents and numbers that the PTX does not state
// are made up, to be corrected. The error is an [*Error]: there is no such kernel, or there are several and no name.
func Skeleton(m *ptx.Module, entry string) (*File, error) {
	k, err := kernelOf(m, entry)
	if err != nil {
		return nil, err
	}
	f := &File{Entry: string(k.Name), Grid: Extent{1, 1, 1}, Block: Extent{anyThreads, 1, 1}, Cluster: Extent{1, 1, 1}}
	for _, d := range k.Directives {
		at := map[string]*Extent{"reqntid": &f.Block, "maxntid": &f.Block, "reqnctapercluster": &f.Cluster}[d.Name]
		if at == nil || d.Name == "maxntid" && f.Block != (Extent{anyThreads, 1, 1}) {
			continue
		}
		for i, n := range d.Args[:min(len(d.Args), 3)] {
			at[i] = n
		}
	}
	f.Grid = f.Cluster
	t := traceOf(m, k)
	if usesOpenShared(m, t) {
		f.Shared = max(anyShared, min((t.shared+1023)/1024*1024, mostShared))
	}
	s := &sketch{file: f, uses: t.uses}
	for i, p := range k.Params {
		f.Params = append(f.Params, s.param(i, p))
	}
	f.guess(k)
	return f, nil
}

// kernelOf returns the kernel of that name.
func kernelOf(m *ptx.Module, entry string) (*ptx.Func, error) {
	var names []string
	var last *ptx.Func
	for _, d := range m.Decls {
		f, ok := d.(*ptx.Func)
		if !ok || !f.Entry || f.Body == nil {
			continue
		}
		if string(f.Name) == entry {
			return f, nil
		}
		names = append(names, string(f.Name))
		last = f
	}
	switch {
	case len(names) == 0:
		return nil, errorf("entry", "the PTX has no kernel")
	case entry != "":
		return nil, errorf("entry", "the PTX has no kernel %.60q: there are %.300s", entry, strings.Join(names, ", "))
	case len(names) > 1:
		return nil, errorf("entry", "the PTX has %d kernels, name one: %.300s", len(names), strings.Join(names, ", "))
	}
	return last, nil
}

// usesOpenShared reports whether a kernel, or a function that it calls, uses an array of shared memory whose size is
// given by the launch.
func usesOpenShared(m *ptx.Module, t *tracer) bool {
	open := map[ptx.Name]bool{}
	for _, d := range m.Decls {
		if v, ok := d.(*ptx.Var); ok && v.Space == ptx.Shared && v.Size() == 0 {
			open[v.Name] = true
		}
	}
	for f := range t.reached {
		for s := range f.Stmts() {
			in, ok := s.(*ptx.Instr)
			if ok && slices.ContainsFunc(in.Operands, func(o ptx.Operand) bool { return open[nameIn(o)] }) {
				return true
			}
		}
	}
	return false
}

// nameIn returns the name in an operand, or in its base, or "".
func nameIn(o ptx.Operand) ptx.Name {
	switch o := o.(type) {
	case ptx.Name:
		return o
	case ptx.Sym:
		return o.Name
	case ptx.Addr:
		return nameIn(o.Base)
	}
	return ""
}

// A sketch is a description in the making.
type sketch struct {
	file *File
	uses map[spot]*use
}

// param returns parameter i.
func (s *sketch) param(i int, v *ptx.Var) Param {
	size := v.Size()
	name := string(v.Name)
	if k := strings.LastIndex(name, "_param_"); k >= 0 {
		name = "p" + name[k+len("_param_"):]
	}
	here := s.uses[spot{i, 0}]
	switch {
	case len(v.Dims) > 0:
		if size == 128 && v.Align >= 64 && (here == nil || here.rank > 0) {
			return s.tensorMap(name, here)
		}
		p := Param{Kind: "bytes", Size: size}
		for _, at := range s.within(i) {
			sub := fmt.Sprintf("%s_%d", name, at.offset)
			patch := Patch{At: at.offset}
			if u := s.uses[at]; u.rank > 0 {
				patch.Param = s.tensorMap(sub, u)
			} else {
				patch.Param = s.buffer(sub, u)
			}
			p.Patches = append(p.Patches, patch)
		}
		return p
	case here != nil && here.isAccessed():
		return s.buffer(name, here)
	case v.Ptr != nil: // the kernel does not use the pointer, so it has no buffer
		return Param{Kind: "scalar", Type: "u64", Value: "0"}
	}
	return Param{Kind: "scalar", Type: strings.Replace(string(v.Type), "b", "u", 1), Value: "1"}
}

// within returns the parts of parameter i, by offset.
func (s *sketch) within(i int) []spot {
	var list []spot
	for at, u := range s.uses {
		if at.param == i && (u.isAccessed() || u.rank > 0) {
			list = append(list, at)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].offset < list[j].offset })
	return list
}

// buffer adds a buffer, and returns the parameter that points to it.
func (s *sketch) buffer(name string, u *use) Param {
	t := "u8"
	if u.typ != "" {
		t = strings.Replace(string(u.typ), "b", "u", 1)
	}
	s.add(name, t, anyBytes, u)
	return Param{Kind: "buffer", Buffer: name}
}

// tensorMap adds a buffer, and returns a map of it.
func (s *sketch) tensorMap(name string, u *use) Param {
	rank := 2
	if u != nil {
		rank = u.rank
	} else {
		u = &use{read: true}
	}
	p := Param{Kind: "map", Type: "f16", Buffer: name, Interleave: "none", Swizzle: "128B", Promotion: "none", OOBFill: "zero"}
	stride := int64(2)
	for i := range rank {
		p.Dims, p.Box = append(p.Dims, anyExtent), append(p.Box, 1)
		p.ElementStrides = append(p.ElementStrides, 1)
		if i < 2 {
			p.Box[i] = anyExtent
		}
		if stride *= anyExtent; i+1 < rank {
			p.Strides = append(p.Strides, stride)
		}
		if rank > 3 {
			p.Dims[i] = 16
		}
	}
	if rank > 3 {
		p.Box[0], p.Box[1], p.Swizzle = 16, 16, "none"
		stride = 2
		for i := range p.Strides {
			stride *= 16
			p.Strides[i] = stride
		}
		stride *= 16
	}
	s.add(name, "f16", stride, u)
	return p
}

// add adds a buffer: of zeros if atomics count in it or a loop waits for it, of numbers if the kernel reads it, and of
// all ones if the kernel only writes it.
func (s *sketch) add(name, typ string, bytes int64, u *use) {
	b := Buffer{Name: name, Type: typ, Bytes: bytes, Fill: &Fill{Kind: "byte", Value: 255}}
	switch {
	case u.counts:
		b.Fill.Value = 0
	case u.read:
		b.Fill = &Fill{Kind: "lcg", Seed: uint64(len(s.file.Buffers) + 1), Mod: 128}
		if typ[0] == 'f' {
			b.Fill.Sub, b.Fill.Scale = 64, -6
		}
	}
	s.file.Buffers = append(s.file.Buffers, b)
	if u.written {
		s.file.Outputs = append(s.file.Outputs, Output{Buffer: name})
	}
}
