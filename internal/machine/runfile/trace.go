package runfile

import (
	"slices"

	"girih/ptx"
)

// A spot is a byte of a parameter.
type spot struct {
	param  int
	offset int64
}

// A use is how a kernel uses the value at a spot: it accesses the memory at that pointer, or uses a tensor map there.
type use struct {
	read, written bool
	counts        bool     // atomics change it, or a loop waits for it
	typ           ptx.Type // the type of the elements
	rank          int      // the rank of a tensor map
}

func (u *use) isAccessed() bool { return u.read || u.written }

// A place is a variable or register that values pass through: of a function, of a call or of the module.
type place struct {
	fn   *ptx.Func // the function of the place; nil for the module
	name ptx.Name
}

// A trail is the origin of a value: the value at a spot of the parameters, the address of a spot, or the address
// offset bytes into a variable.
type trail struct {
	param   int // the index of the parameter; -1 for a variable
	of      place
	offset  int64
	address bool
	any     bool // the offset is not known
	index   bool // multiplied or converted: not a pointer, though an address may depend on the value
}

func (t trail) spot() spot { return spot{t.param, t.offset} }

const (
	mostTrails = 8  // the most trails of a value
	mostGuided = 64 // the most trails of a value, if everything that it depends on is traced
	mostRounds = 12 // rounds until all values have passed loops and calls
)

// values contains the trails of registers, at offset 0, and of the cells of variables.
type values map[place]map[int64][]trail

// add adds trails to a cell at the end of a block.
func (t *tracer) add(p place, offset int64, list []trail) {
	if t.left[p] == nil {
		t.left[p] = map[int64][]trail{}
	}
	old := t.left[p][offset]
	all := t.union(old, list)
	t.left[p][offset] = all
	t.more = t.more || len(all) > len(old)
}

// union returns the trails of both, up to the limit.
//
//go:noinline
func (t *tracer) union(a, b []trail) []trail {
	out, most := slices.Clip(a), mostTrails
	if t.guided != nil {
		most = mostGuided
	}
	for _, x := range b {
		if len(out) < most && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// A tracer follows values from parameters to the instructions that access memory: through registers, variables of any
// space, calls, and arithmetic that keeps a pointer a pointer. Within a basic block a new value replaces the previous
// one; elsewhere a value may be any value at the end of a block. The result is a guess, to be corrected by a person.
type tracer struct {
	kernel  *ptx.Func
	params  map[ptx.Name]int
	funcs   map[ptx.Name]*ptx.Func
	vars    map[place]*ptx.Var
	left    values // the values at the ends of blocks
	now     values // the values at the present place of the current block
	fn      *ptx.Func
	more    bool
	reached map[*ptx.Func]bool
	uses    map[spot]*use
	reaches map[int32][]spot     // what the addresses of a line depend on
	shared  int64                // bytes of the shared memory of open size that are known to be used
	guided  map[*ptx.Instr]guide // what each instruction depends on; nil if that is not needed
}

// traceOf follows the values of k.
func traceOf(m *ptx.Module, k *ptx.Func) *tracer { return traceIn(m, k, nil) }

// traceIn is traceOf that also records in guided what each instruction depends on.
func traceIn(m *ptx.Module, k *ptx.Func, guided map[*ptx.Instr]guide) *tracer {
	t := &tracer{
		guided: guided,
		kernel: k, params: map[ptx.Name]int{}, funcs: map[ptx.Name]*ptx.Func{}, vars: map[place]*ptx.Var{}, left: values{},
		reached: map[*ptx.Func]bool{k: true}, uses: map[spot]*use{}, reaches: map[int32][]spot{},
	}
	for i, p := range k.Params {
		t.params[p.Name] = i
	}
	for _, d := range m.Decls {
		switch d := d.(type) {
		case *ptx.Func:
			if !d.Entry && d.Body != nil {
				t.funcs[d.Name] = d
			}
		case *ptx.Var:
			t.vars[place{nil, d.Name}] = d
		}
	}
	for range mostRounds {
		t.more = false
		for _, d := range m.Decls {
			if f, ok := d.(*ptx.Func); ok && t.reached[f] {
				t.function(f)
			}
		}
		if !t.more {
			break
		}
	}
	for f := range t.reached {
		t.spins(f)
	}
	return t
}

// function follows the values of one function.
func (t *tracer) function(f *ptx.Func) {
	t.fn, t.now = f, values{}
	if !f.Entry {
		for _, v := range slices.Concat(f.Params, f.Returns) {
			t.vars[place{f, v.Name}] = v
		}
	}
	for s := range f.Stmts() {
		switch s := s.(type) {
		case *ptx.Var:
			if s.Space != ptx.Reg {
				t.vars[place{f, s.Name}] = s
			}
		case *ptx.Label:
			t.leave()
		case *ptx.Instr:
			t.step(s)
			if name := s.Op.Name(); name == "bra" || name == "brx" || name == "ret" || name == "exit" {
				t.leave()
			}
		}
	}
	t.leave()
}

// leave ends a basic block.
func (t *tracer) leave() {
	for p, cells := range t.now {
		for off, list := range cells {
			t.add(p, off, list)
		}
	}
	t.now = values{}
}

// get returns the trails of a cell.
func (t *tracer) get(p place, offset int64) []trail {
	if list, ok := t.now[p][offset]; ok {
		return list
	}
	return t.left[p][offset]
}

// set sets the trails of a cell.
func (t *tracer) set(p place, offset int64, list []trail) {
	if t.now[p] == nil {
		t.now[p] = map[int64][]trail{}
	}
	t.now[p][offset] = list
}

// whole returns the trails of all cells of a variable.
func (t *tracer) whole(p place) []trail {
	var list []trail
	for _, v := range []values{t.now, t.left} {
		offsets := make([]int64, 0, len(v[p]))
		for off := range v[p] {
			offsets = append(offsets, off)
		}
		slices.Sort(offsets)
		for _, off := range offsets {
			list = t.union(list, v[p][off])
		}
	}
	return list
}

// variable returns the variable with a name that is visible in the current function.
func (t *tracer) variable(name ptx.Name) (place, bool) {
	for _, p := range []place{{t.fn, name}, {nil, name}} {
		if t.vars[p] != nil {
			return p, true
		}
	}
	return place{}, false
}

// operand returns the trails of an operand.
func (t *tracer) operand(o ptx.Operand) []trail {
	switch o := o.(type) {
	case ptx.Vec:
		var list []trail
		for _, x := range o {
			list = t.union(list, t.operand(x))
		}
		return list
	case ptx.Addr:
		return moveTrails(t.operand(o.Base), o.Offset)
	case ptx.Sym:
		return moveTrails(t.operand(o.Name), o.Offset)
	case ptx.Name:
		if i, ok := t.params[o]; ok && t.fn == t.kernel {
			return []trail{{param: i, address: true}}
		}
		if p, ok := t.variable(o); ok {
			return []trail{{param: -1, of: p, address: true}}
		}
		if t.guided != nil {
			if x, ok := launchTrail(o); ok {
				return []trail{x}
			}
		}
		return t.get(place{t.fn, o.Base()}, 0)
	}
	return nil
}

// moveTrails returns the trails with their addresses increased by n bytes.
func moveTrails(list []trail, n int64) []trail {
	if n == 0 {
		return list
	}
	out := slices.Clone(list)
	for i := range out {
		if out[i].address {
			out[i].offset += n
		}
	}
	return out
}

// indexes returns the trails, marked as not being pointers.
//
//go:noinline
func indexes(list []trail) []trail {
	var out []trail
	for _, x := range list {
		if x.index = true; !x.address {
			out = append(out, x)
		}
	}
	return out
}
