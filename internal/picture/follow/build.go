package follow

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"girih/ptx/sim"
)

// sharedStart is the address of the first variable in shared memory; rankBits are the bits of an address of shared
// memory below the number of its block in the cluster.
const (
	sharedStart = 1024
	rankBits    = 24
)

// A place is a [Place] while the model is made.
type place struct {
	Place
	first    uint64  // in memory: the address of cell 0
	bytes    uint64  // in memory
	row, col []int64 // by cell
	tensor   *Buffer // of global memory
}

// A register is where a register is: a place, and the first bit of it among the bits of a thread.
type register struct {
	place int
	bit   int64
}

// A builder makes a model of a recording.
type builder struct {
	Model
	k         Kernel
	rec       *sim.Recording
	places    []*place
	global    []int          // by part of the recording, 1 + the place
	shared    []int          // places, by address
	tensor    int            // 1 + the place of tensor memory
	registers []register     // by number in the recording
	ends      []int64        // by number in the recording: the bits that are used of a register
	groups    map[string]int // places of registers and operands, by their use
	hops      map[string]int
	shapes    map[uint64][]int
	axes      map[lineKey][]*axes // of the operands of products, in the order of execution
	axesOf    map[*sim.Move]*axes
	counts    map[lineKey]int // of products
	operands  []operandMove
	held      map[sim.Origin]cellOf
	accesses  []access
	items     items
}

// A lineKey is what a warp, or a warpgroup, does at a line.
type lineKey struct {
	line, warp int
	operand    byte
}

// A cellOf is a cell of a place.
type cellOf struct {
	place int
	cell  int64
}

// An access is an access of the model.
type access struct {
	hop, warp, shape int
	time, from, to   int64
}

// often is the number of moves between two calls of Watch.
const often = 1 << 10

// Build returns the model of a recording. It calls the recording's Watch, if there is one, with the number of moves
// that the model has so far, and the number of all.
func Build(rec *sim.Recording, k Kernel) Model {
	b := &builder{
		k: k, rec: rec, groups: map[string]int{}, hops: map[string]int{}, shapes: map[uint64][]int{},
		registers: make([]register, len(rec.Names)), ends: make([]int64, len(rec.Names)), axes: map[lineKey][]*axes{},
		counts: map[lineKey]int{}, axesOf: map[*sim.Move]*axes{}, held: map[sim.Origin]cellOf{},
	}
	b.declare()
	b.assign()
	for i := range rec.Moves { // a product may come before the move of an operand that another warp reads for it
		if m := &rec.Moves[i]; m.Kind == sim.MoveOperand {
			b.findAxes(m)
		}
	}
	for i := range rec.Moves {
		b.move(&rec.Moves[i])
		if i%often == 0 && rec.Watch != nil {
			rec.Watch(int64(i), int64(len(rec.Moves)))
		}
	}
	b.finish()
	return b.Model
}

// add adds a place.
func (b *builder) add(p *place) int {
	p.ID = len(b.places)
	b.places = append(b.places, p)
	return p.ID
}

// declare makes the places that do not depend on the run.
func (b *builder) declare() {
	b.global = make([]int, len(b.rec.Parts))
	for i, part := range b.rec.Parts {
		at := slices.IndexFunc(b.k.Tensors, func(t Buffer) bool { return t.Name == part.Name })
		t := &Buffer{Name: part.Name, Bits: 8}
		if at >= 0 {
			t = &b.k.Tensors[at]
		}
		if t.Bits <= 0 {
			continue
		}
		p := &place{tensor: t, first: part.Address, bytes: uint64(part.Bytes)}
		p.Place = Place{Kind: Global, Name: t.Name, Type: t.Type, Bits: t.Bits, Cells: part.Bytes * 8 / int64(t.Bits)}
		p.coordinates()
		b.global[i] = 1 + b.add(p)
	}
	for _, r := range b.k.Shared {
		p := &place{first: uint64(sharedStart + r.Offset), bytes: uint64(r.Bytes)}
		p.Place = Place{
			Kind: Shared, Name: r.Name, Type: r.Type, Bits: r.Bits, Layout: r.Layout, Cells: r.Bytes * 8 / int64(r.Bits),
			Base: sharedStart + r.Offset,
		}
		b.shared = append(b.shared, b.add(p))
	}
	if len(b.k.Shared) == 0 {
		b.findShared()
	}
	numbers := map[string]int{}
	for i, n := range b.rec.Names {
		numbers[n] = i
		b.registers[i].place = -1
	}
	b.declareFragments(numbers)
}

// declareFragments makes the places of the kernel's fragments. Fragments that one line makes again and again, such as
// in a loop that is unrolled, are one place, whose values follow one another. numbers has the registers by name.
func (b *builder) declareFragments(numbers map[string]int) {
	known, names := map[string]int{}, map[string]int{}
	for _, f := range b.k.Fragments {
		key := fmt.Sprint(f.Name, f.File, f.Line, f.Layout)
		id, ok := known[key]
		if !ok {
			id = -1
		}
		width := max(int64(f.Type.Bits()*f.Per), 32)
		for _, name := range f.Registers {
			n, ok := numbers[name]
			if !ok || b.registers[n].place >= 0 {
				continue
			}
			if id < 0 {
				p := &place{Place: Place{Kind: Registers, Name: f.Name, Type: f.Type.String(), Bits: f.Type.Bits()}}
				p.Layout, p.Threads = f.Layout, b.k.Threads
				if names[f.Name]++; f.Name == "" {
					p.Name = fmt.Sprint("fragment ", names[f.Name])
				} else if names[f.Name] > 1 {
					p.Name = fmt.Sprint(f.Name, names[f.Name])
				}
				id = b.add(p)
				known[key] = id
			}
			p := b.places[id]
			b.registers[n] = register{id, p.Values * int64(p.Bits)}
			p.Values += width / int64(p.Bits)
		}
	}
}

// findShared makes places of the ranges of shared memory that the moves use, for kernels that name none.
func (b *builder) findShared() {
	type span struct{ first, end, bytes uint64 }
	var list []span
	for i := range b.rec.Moves {
		m := &b.rec.Moves[i]
		for _, s := range []*sim.Side{&m.From, &m.To} {
			if s.Space != sim.SideShared {
				continue
			}
			for _, at := range s.At {
				list = append(list, span{at, at + uint64(m.Bytes), uint64(m.Bytes)})
			}
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].first < list[j].first })
	n := 0
	for _, s := range list {
		if n > 0 && s.first <= list[n-1].end {
			list[n-1].end, list[n-1].bytes = max(list[n-1].end, s.end), min(list[n-1].bytes, s.bytes)
			continue
		}
		list[n] = s
		n++
	}
	bits := 0
	for _, t := range b.k.Tensors {
		if t.Bits > 0 && (bits == 0 || t.Bits < bits) {
			bits = t.Bits
		}
	}
	for i, s := range list[:n] {
		w := bits
		if w == 0 {
			w = int(s.bytes) * 8
		}
		p := &place{first: s.first, bytes: s.end - s.first}
		p.Place = Place{
			Kind: Shared, Name: "shared", Bits: w, Cells: int64(p.bytes) * 8 / int64(w), Base: int64(s.first) & (1<<rankBits - 1),
		}
		if n > 1 {
			p.Name = fmt.Sprintf("shared %d", i)
		}
		b.shared = append(b.shared, b.add(p))
	}
}

// coordinates gives the cells of a tensor in global memory their coordinates.
func (p *place) coordinates() {
	t, n := p.tensor, p.Cells
	p.row, p.col = make([]int64, n), make([]int64, n)
	if len(t.Extents) == 0 || len(t.Strides) != len(t.Extents) {
		wide := max(int64(1024/t.Bits), 1)
		p.ColName = "index"
		for i := range n {
			p.row[i], p.col[i] = i/wide, i%wide
		}
		return
	}
	for i := range p.row {
		p.row[i], p.col[i] = -1, -1
	}
	// Modes of extent 1 are left out. The last mode is the columns, and all others together are the rows.
	var extents, strides []int64
	var names []string
	for i, e := range t.Extents {
		if e > 1 || i == len(t.Extents)-1 && len(extents) == 0 {
			extents, strides, names = append(extents, e), append(strides, t.Strides[i]), append(names, t.Names[i])
		}
	}
	last := len(extents) - 1
	p.ColName, p.RowName = names[last], strings.Join(names[:last], ",")
	rest := int64(1)
	for _, e := range extents[:last] {
		rest *= e
	}
	for r := range rest {
		base, q := int64(0), r
		for i := last - 1; i >= 0; i-- { // the mode before the last one is the fastest
			base += q % extents[i] * strides[i]
			q /= extents[i]
		}
		for c := range extents[last] {
			if at := base + c*strides[last]; at >= 0 && at < n {
				p.row[at], p.col[at] = r, c
			}
		}
	}
	p.Layout = layoutText(t)
}

// layoutText writes the layout of a tensor.
func layoutText(t *Buffer) string {
	join := func(list []int64) string {
		s := ""
		for i, x := range list {
			if i > 0 {
				s += ","
			}
			s += fmt.Sprint(x)
		}
		if len(list) > 1 {
			return "(" + s + ")"
		}
		return s
	}
	return join(t.Extents) + ":" + join(t.Strides)
}
