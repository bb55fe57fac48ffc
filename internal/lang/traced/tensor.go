package traced

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/pattern"
	"girih/kernel"
)

// A tensor is a tensor of the kernel. Tensors in memory are made when they are first used, or named by a variable.
type tensor struct {
	t       kernel.Tensor
	made    bool
	storage interp.Storage // what it is made of, before it is made
	space   atom.Space
	name    string        // of shared memory
	names   *string       // of the registers, which other tensors share
	axes    *axes         // of a tensor of coordinates
	preds   *predicates   // of a tensor of bools in registers
	tile    *kernel.Index // of a result of tma_partition: the part of the tile that the block copies
}

// of returns the tensor that a value is.
func (t *Tracer) of(v interp.Value) (*tensor, bool) {
	x, ok := v.(*interp.Traced)
	if s, isTensor := interp.StorageOf(v); isTensor && s.Layout != nil && !s.Null && s.Space == atom.GlobalMemory {
		of := &tensor{storage: s, space: s.Space}
		t.make(of, "")
		return of, true
	}
	if !ok {
		return t.coordinateTensor(v)
	}
	of, ok := x.Of.(*tensor)
	if !ok {
		return nil, false
	}
	t.make(of, "")
	return of, true
}

// wrap returns the value for a tensor of the kernel.
func wrap(of kernel.Tensor, from *tensor, shadow interp.Value) *interp.Traced {
	own := *from
	own.t, own.made = of, true
	return &interp.Traced{Of: &own, Shadow: shadow}
}

// modesPattern matches the names of modes in a comment: (BLK_M,BLK_K,k).
const modesPattern = pattern.Pattern(`^\(\s*(\w+(?:\s*,\s*\w+)*)\s*\)`)

// name names a tensor after a variable.
func (t *Tracer) name(of *tensor, name, comment string) {
	t.make(of, name)
	if of.space == atom.GlobalMemory {
		m := modesPattern.FindStringSubmatch(comment)
		for i := range t.out.Buffers {
			b := &t.out.Buffers[i]
			if m == nil || b.Modes != nil || b.Name != t.names[of.storage.ID] || of.storage.Layout == nil {
				continue
			}
			if list := strings.Split(strings.ReplaceAll(m[1], " ", ""), ","); len(list) == b.Layout.Rank() {
				for i := range list {
					list[i] = strings.ToLower(list[i])
				}
				b.Modes = list
			}
		}
	}
	if of.names != nil && *of.names == "" {
		*of.names = name
		t.k.Name(name, of.t)
	}
}

// make makes a tensor of the memory that it is a part of. name is the variable, or "".
func (t *Tracer) make(of *tensor, name string) {
	if of.made {
		return
	}
	of.made = true
	s := of.storage
	root, start := t.root(s, name)
	switch l := s.Layout.(type) {
	case cute.Layout:
		if s.Start == start && root.storage.Layout.String() == l.String() {
			of.t = root.t
		} else {
			of.t = t.k.View(root.t, kernel.Int(s.Start-start), l)
		}
	case cute.Composed:
		if s.Start == start && root.storage.Layout.String() == l.String() {
			of.t = root.t
			return
		}
		kernel.Must(0, refuse(cute.CodeNotRepresentable, "begin the swizzled tensor at the memory of its own",
			"a swizzled tensor %v at element %d of a memory that begins with another tensor is not followed", l, s.Start))
	}
}

// root returns the tensor of the kernel that has a memory, and the element at which that tensor begins.
func (t *Tracer) root(s interp.Storage, name string) (*tensor, int64) {
	if s.Space == atom.SharedMemory {
		return t.sharedRoot(s, name)
	}
	if r := t.roots[s.ID]; r != nil {
		return r, r.storage.Start
	}
	if t.usedByTMA(s.ID) {
		kernel.Must(0, sharedMemory(t.names[s.ID]))
	}
	known := t.names[s.ID]
	if known == "" {
		known = fmt.Sprint("global", len(t.roots))
		t.names[s.ID] = known
	}
	layout, isLayout := s.Layout.(cute.Layout)
	if s.Layout == nil && s.Start*int64(s.Type.Bits())%128 != 0 {
		s.Start = 0 // a tensor begins at a multiple of 16 bytes, as the memory does
	}
	if s.Layout == nil || !isLayout || extentOf(s) > s.Elements-s.Start { // tiles that reach beyond the tensor
		layout = kernel.Must(cute.New(cute.Int(s.Elements-s.Start), cute.Int(1)))
		s.Layout = layout
	}
	r := &tensor{storage: s, made: true, space: atom.GlobalMemory}
	r.t = t.k.GlobalLayout(known, s.Type, layout)
	t.roots[s.ID] = r
	t.out.Buffers = append(t.out.Buffers, Buffer{Name: known, Type: s.Type, Layout: layout, Values: s.Values()[s.Start:]})
	return r, s.Start
}

// sharedRoot returns the tensor in shared memory that contains a tensor.
func (t *Tracer) sharedRoot(s interp.Storage, name string) (*tensor, int64) {
	bits := int64(s.Type.Bits())
	from, to := s.Start*bits, (s.Start+extentOf(s))*bits
	for _, r := range t.shared {
		o := r.storage
		first, last := o.Start*int64(o.Type.Bits()), (o.Start+extentOf(o))*int64(o.Type.Bits())
		if o.ID != s.ID || last <= from || to <= first {
			continue
		}
		if o.Type == s.Type && first <= from && to <= last {
			return r, o.Start
		}
		kernel.Must(0, refuse(cute.CodeNotRepresentable, "make the larger tensor first, or give each its own memory",
			"tensors that overlap in shared memory, where the first contains not all of the second, are not followed: "+
				"bits %d to %d and %d to %d", first, last, from, to))
	}
	t.apartFromBarriers(s)
	if name == "" {
		name = t.sharedName(s)
	}
	if s.Layout == nil && !slices.ContainsFunc(t.shared, func(r *tensor) bool { return r.storage.ID == s.ID }) {
		s.Start = 0 // pointers go to and fro
	}
	if s.Layout == nil {
		s.Layout = kernel.Must(cute.New(cute.Int(s.Elements-s.Start), cute.Int(1)))
	}
	r := &tensor{storage: s, made: true, space: atom.SharedMemory, name: name}
	r.t = t.k.Shared(name, s.Type, s.Layout)
	t.shared = append(t.shared, r)
	return r, s.Start
}

// sharedName returns the name of an array in shared memory, which no other tensor has.
func (t *Tracer) sharedName(s interp.Storage) string {
	name := t.names[s.ID]
	isOther := func(r *tensor) bool { return r.name == name }
	if name == "" || slices.ContainsFunc(t.out.Buffers, func(b Buffer) bool { return b.Name == name }) ||
		slices.ContainsFunc(t.shared, isOther) {
		return fmt.Sprint("shared", len(t.shared))
	}
	return name
}

// extentOf returns the number of elements from the first one of a tensor to its last one.
func extentOf(s interp.Storage) int64 {
	switch l := s.Layout.(type) {
	case cute.Layout:
		return kernel.Must(l.Cosize())
	case cute.Composed:
		return kernel.Must(l.Cosize())
	}
	return s.Elements - s.Start
}

// memory returns the tensor that a make_tensor returns for a pointer.
func (t *Tracer) memory(v interp.Value) (interp.Value, error) {
	s, ok := interp.StorageOf(v)
	switch {
	case !ok:
		return v, nil // coordinates
	case s.Null:
		return v, nil
	case s.Space == atom.Registers:
		return t.registers(s, v), nil
	case s.Space == atom.SharedMemory:
		return &interp.Traced{Of: &tensor{storage: s, space: s.Space}, Shadow: v}, nil
	case t.names[s.ID] == "" && s.Space != atom.GlobalMemory:
		return nil, refuse(cute.CodeNotRepresentable, "make registers with make_tensor<T>(layout)",
			"a tensor on an array of the thread is not followed")
	}
	return &interp.Traced{Of: &tensor{storage: s, space: atom.GlobalMemory}, Shadow: v}, nil
}

// registers returns a fragment for a tensor in registers.
func (t *Tracer) registers(s interp.Storage, shadow interp.Value) interp.Value {
	l, ok := s.Layout.(cute.Layout)
	if !ok {
		l = s.Layout.(cute.Composed).Layout()
	}
	if isPredicate(s.Type) {
		return t.predicateTensor(l, shadow)
	}
	return t.fragment(t.k.MakeFragment(s.Type, l), shadow)
}

// fragment returns the value for registers that the kernel has just made.
func (t *Tracer) fragment(f kernel.Tensor, shadow interp.Value) interp.Value {
	return &interp.Traced{Of: &tensor{t: f, made: true, space: atom.Registers, names: new(string)}, Shadow: shadow}
}

// layoutIn returns the layout that a value of the program has as a tensor of the kernel.
func layoutIn(of *tensor, v interp.Value) (cute.Layout, bool) {
	if of.axes != nil {
		x, ok := valueOf(v).(eval.Tensor)
		if !ok {
			return cute.Layout{}, false
		}
		l, ok := x.Layout().(cute.Layout)
		if !ok {
			return cute.Layout{}, false
		}
		return of.axes.encode(l, x.First()), true
	}
	s, ok := interp.StorageOf(v)
	if !ok {
		return cute.Layout{}, false
	}
	l, ok := s.Layout.(cute.Layout)
	if !ok {
		l = s.Layout.(cute.Composed).Layout()
	}
	return l, true
}

// agree gives a part the modes that it has in the program, and compares it with the part of thread 0: both are one
// layout.
func (t *Tracer) agree(op string, v *interp.Traced) (interp.Value, error) {
	of := v.Of.(*tensor)
	l, ok := layoutIn(of, v.Shadow)
	if !ok || of.isDescriptors() {
		return v, nil
	}
	k := of.t.Layout()
	if k.String() == l.String() {
		return v, nil
	}
	x, errX := k.AppendOffsets(nil)
	y, errY := l.AppendOffsets(nil)
	if errX != nil || errY != nil || !slices.Equal(x, y) {
		return nil, refuse(cute.CodeNotRepresentable, "report this: it is a defect of girih",
			"%s: the kernel has %v for a thread, and the program %v", op, k, l)
	}
	of.t = t.k.View(of.t, kernel.Int(0), l)
	return v, nil
}

// Grid returns the buffer as flat modes: their extents, their strides and their names. A tensor of tiles, such as
// ((128,64),2,8), has the modes of the whole tensor, (256,512), if its tiles follow one another.
func (b Buffer) Grid() (extents, strides []int64, names []string) {
	modes := b.Layout.Modes()
	if whole, ok := wholeModes(modes); ok {
		modes = whole
	}
	for i, m := range modes {
		m = cute.Coalesce(m)
		for j, n := range m.Shape().Leaves() {
			extents, strides = append(extents, n), append(strides, m.Stride().Leaves()[j])
			name := fmt.Sprint("mode ", i)
			if len(b.Modes) == len(modes) {
				name = b.Modes[i]
			}
			if j > 0 {
				name += fmt.Sprint(" ", j)
			}
			names = append(names, name)
		}
	}
	return extents, strides, names
}

// wholeModes joins each part of mode 0 with the mode of its tiles.
func wholeModes(modes []cute.Layout) (out []cute.Layout, ok bool) {
	if len(modes) < 2 || modes[0].Rank() != len(modes)-1 || modes[0].Shape().IsInt() {
		return nil, false
	}
	for i, m := range modes[0].Modes() {
		joined, err := cute.MakeLayout(m, modes[i+1])
		if err != nil {
			return nil, false
		}
		joined = cute.Coalesce(joined)
		if !joined.Shape().IsInt() && joined.Rank() > 1 {
			return nil, false
		}
		out = append(out, joined)
	}
	return out, true
}
