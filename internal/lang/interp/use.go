package interp

import (
	"slices"
	"strconv"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/program"
	"girih/tensor"
	"girih/tensor/tiled"
)

// This file reports what each thread reads and writes in calls of copy and gemm.

// A Use describes what one thread reads and writes in a call of copy or gemm.
type Use struct {
	Op       string    `json:"op"`              // the text of the call in the program
	Call     int       `json:"call"`            // the number of the call; threads share a call with undivided tensors
	Thread   int64     `json:"thread"`          // the thread in its block; outside kernels, the thread of the MMA
	Block    []int64   `json:"block,omitempty"` // the block, if the grid has several
	Operands []Operand `json:"operands"`
}

// An Operand is the part of a tensor that a thread uses, element by element.
type Operand struct {
	Role   string   `json:"role,omitempty"`   // what the call does with it: A, B, C, D, src, dst or pred
	Name   string   `json:"name,omitempty"`   // the text of the argument in the program
	Shape  string   `json:"shape"`            // the shape of the part
	Space  string   `json:"space"`            // gmem, smem, rmem, tmem or generic
	Type   string   `json:"type"`             // the type of the elements
	Memory int      `json:"memory,omitempty"` // the number of the memory: tensors with the same number share it
	Coords []string `json:"coords,omitempty"` // the coordinates in the tensor
	Places []int64  `json:"places,omitempty"` // the places in the memory of the tensor
	Before []string `json:"before,omitempty"` // the values before the call; "" for an element without a value
	After  []string `json:"after,omitempty"`  // the values after the call, if it changes any
	Left   int64    `json:"left,omitempty"`   // the number of further elements that are not listed
}

// maxUsed limits the elements that are listed for an operand.
const maxUsed = 256

// useRoles lists the functions whose use of tensors is reported, with the roles of their last operands.
var useRoles = map[string][]string{
	"copy": {"src", "dst"}, "basic_copy": {"src", "dst"}, "autovec_copy": {"src", "dst"}, "copy_vec": {"src", "dst"},
	"copy_aligned": {"src", "dst"}, "cooperative_copy": {"src", "dst"}, "copy_if": {"pred", "src", "dst"},
	"gemm": {"D", "A", "B", "C"},
}

// A usedPart is the part of a tensor that a thread uses, given by the indices and the places of its elements.
type usedPart struct {
	Algebra
	indices, places []int64
	left            int64
}

// use begins the report of a call. The returned function ends it.
func (r *runner) use(name string, x *program.Call, c *arguments) func(error) {
	roles := useRoles[name]
	if r.Uses == nil || roles == nil || !r.Uses(x, r.src) {
		return func(error) {}
	}
	text := r.src[x.Pos():x.End()]
	r.called++
	var uses []Use
	var parts [][]usedPart
	mma := atom.TiledMMA{}
	if len(c.pos) > 0 {
		mma, _, _ = mmaOf(c.pos[0])
	}
	tensors, names := r.usedTensors(x, c, len(roles))
	roles = roles[len(roles)-len(tensors):]
	for t := range countThreads(mma, tensors) {
		u := Use{Op: text, Call: r.called, Thread: t}
		if k := r.kernel; k != nil {
			u.Thread = k.now.id
			if volume(k.grid) > 1 {
				u.Block = k.index[:]
			}
		}
		var list []usedPart
		for i, a := range tensors {
			p := partOf(a, roles[i], mma, t)
			list = append(list, p)
			u.Operands = append(u.Operands, p.operand(roles[i], names[i]))
			u.Operands[i].Before, u.Operands[i].Memory = r.texts(p), r.numberOf(a)
		}
		uses, parts = append(uses, u), append(parts, list)
	}
	return func(err error) {
		if err != nil || len(tensors) == 0 {
			return
		}
		for k, list := range parts {
			for i, p := range list {
				o := &uses[k].Operands[i]
				if after := r.texts(p); !slices.Equal(after, o.Before) {
					o.After = after
				}
			}
		}
		r.Used(uses)
	}
}

// numberOf returns the number of the memory of a tensor.
func (r *runner) numberOf(a Algebra) int {
	if len(a.data) == 0 {
		return 0
	}
	if r.memories == nil {
		r.memories = make(map[*byte]int)
	}
	first := &a.data[0]
	if r.memories[first] == 0 {
		r.memories[first] = len(r.memories) + 1
	}
	return r.memories[first]
}

// usedTensors returns the last arguments of a call that are tensors with storage, at most n, and their texts.
func (r *runner) usedTensors(x *program.Call, c *arguments, n int) (list []Algebra, names []string) {
	for i, v := range c.pos {
		a, ok := v.(Algebra)
		if !ok || !a.isTensor() {
			list, names = nil, nil
			continue
		}
		name := ""
		if len(x.Args) == len(c.pos) {
			name = r.src[x.Args[i].X.Pos():x.Args[i].X.End()]
		}
		list, names = append(list, a), append(names, name)
	}
	from := max(0, len(list)-n)
	return list[from:], names[from:]
}

// countThreads returns the number of threads among which a call is divided: all threads of an MMA if the tensors are
// undivided, and otherwise 1.
func countThreads(mma atom.TiledMMA, tensors []Algebra) int64 {
	if mma.Atom().Name == "" || slices.ContainsFunc(tensors, func(a Algebra) bool { return a.view().Rank() != 2 }) {
		return 1
	}
	return mma.Size()
}

// partOf returns the part of a tensor that belongs to a thread of an MMA. It is the whole tensor if the MMA has one
// thread.
func partOf(a Algebra, role string, mma atom.TiledMMA, thread int64) usedPart {
	p := usedPart{Algebra: a}
	all := tensor.AppendPlaces(nil, a.view())
	if own, ok := ownPlaces(a, role, mma, thread); ok {
		at := make(map[int64]int64, len(all))
		for i, x := range all {
			at[x] = int64(i)
		}
		for _, x := range own {
			p.indices = append(p.indices, at[x])
		}
		p.places = own
	} else {
		for i := range all {
			p.indices = append(p.indices, int64(i))
		}
		p.places = all
	}
	if n := len(p.places); n > maxUsed {
		p.left = int64(n - maxUsed)
		p.indices, p.places = p.indices[:maxUsed], p.places[:maxUsed]
	}
	return p
}

// ownPlaces returns the places of a thread in an undivided operand; ok is false if a single thread has all of them.
func ownPlaces(a Algebra, role string, mma atom.TiledMMA, thread int64) (places []int64, ok bool) {
	if a.view().Rank() != 2 || mma.Atom().Name == "" || mma.Size() < 2 {
		return nil, false
	}
	thr, err := mma.Thread(thread)
	if err != nil {
		return nil, false
	}
	partition := map[string]func(atom.ThrMMA, tensor.Tensor[cute.Tuple]) (tensor.Tensor[cute.Tuple], error){
		"A": tiled.PartitionA[atom.ThrMMA, cute.Tuple], "B": tiled.PartitionB[atom.ThrMMA, cute.Tuple],
	}[role]
	if partition == nil {
		partition = tiled.PartitionC[atom.ThrMMA, cute.Tuple]
	}
	part, err := partition(thr, a.view())
	if err != nil {
		return nil, false
	}
	return tensor.AppendPlaces(nil, part), true
}

// operand converts a part to an Operand.
func (p usedPart) operand(role, name string) Operand {
	shape := p.view().Shape()
	o := Operand{
		Role: role, Name: name, Shape: shape.String(), Space: p.spaceName(), Type: p.typ.String(),
		Places: p.places, Left: p.left,
	}
	for _, i := range p.indices {
		c, err := cute.Idx2Crd(cute.Int(i), shape)
		if err != nil {
			c = cute.Int(i)
		}
		o.Coords = append(o.Coords, c.String())
	}
	return o
}

// texts returns the values of the elements of a part as text. It does not count as a use, so no races are checked.
func (r *runner) texts(p usedPart) []string {
	texts := make([]string, len(p.places))
	codes, err := tensor.PackedOver(p.view(), p.typ, p.data)
	if err != nil {
		return texts
	}
	for i, place := range p.places {
		if place == tensor.NoPlace || p.array != nil && p.fetch(place) != nil {
			continue
		}
		if from, _ := p.bytes(place); !p.written[from] {
			continue
		}
		if code, err := codes.At(p.indices[i]); err == nil {
			texts[i] = r.elementText(p.window, code)
		}
	}
	return texts
}

// elementText returns the number that a code represents.
func (r *runner) elementText(w *window, code uint64) string {
	v, err := r.fromCode(w, code)
	if err != nil {
		return ""
	}
	n, _ := numberOf(v)
	if !n.isFloat {
		return itoa(n.n)
	}
	bits := 32
	if w.typ.Bits() == 64 {
		bits = 64
	}
	return strconv.FormatFloat(n.f, 'g', -1, bits)
}
