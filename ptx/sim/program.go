package sim

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"girih/ptx"
)

// Limits for the declarations of a module, in bytes.
const (
	MaxShared = 227 << 10 // the most shared memory of a block, in bytes; the limit of sm_90 and sm_100
	MaxLocal  = 512 << 10 // the most local memory of a thread, in bytes; the limit of every GPU
	MaxMemory = 4 << 30   // the most bytes of all buffers of a Memory
)

const (
	maxSlots   = 1 << 16 // registers and constants of a function
	maxStack   = 1 << 18 // registers and constants of all functions on the call stack of a path
	maxInlined = 32      // inlining places that a finding lists
	maxCode    = 1 << 27 // instructions of a kernel and of all functions that it may call
	maxParams  = 32764   // bytes of the parameters of a kernel (PTX ISA, Kernel Function Parameters)
	maxHeap    = 8 << 20 // bytes that malloc returns in total, like the default of cudaLimitMallocHeapSize
)

// Program is a module prepared for running: slots and addresses replace names, indices replace labels, and functions
// replace instructions. A Program does not change, and goroutines may share it.
type Program struct {
	module   *ptx.Module
	files    map[int]string
	vars     map[ptx.Name]*symbol               // the variables of the module, with their addresses
	inner    map[*ptx.Var]*symbol               // variables in memory that functions declare, shared by all calls
	local    map[*ptx.Func]map[ptx.Name]*symbol // inner by function and name; the last variable if several have one name
	order    []*symbol                          // all variables in memory, in the order of the module
	aliases  map[ptx.Name]ptx.Name
	funcs    []*ptx.Func // functions with a body; their addresses are functionBase + 16i
	numbers  map[ptx.Name]int
	kernels  map[string]*kernel
	end      uint64 // end of the variables of the module
	recorded bool   // its runs may be recorded
	bytes    int64  // size of the variables of the module
}

// kernel is an entry and the functions that it calls. The kernel is read once, at its first use.
type kernel struct {
	once    sync.Once
	program *Program
	decl    *ptx.Func
	entry   *function
	funcs   map[ptx.Name]*function
	list    []*function // the functions by id
	targets []*function // see callable
	shared  int64       // bytes of declared shared memory, from sharedStart
	align   int64       // alignment of the extern arrays after the declared shared memory
	externs []*constant
	own     map[ptx.Name]*symbol // shared variables of the module that the kernel uses
	dynamic uint64               // the address of the extern arrays
	params  []parameter
	size    int                 // bytes of parameters
	plans   map[string]*mmaPlan // plans of matrix multiplications, by opcode
	// ctaGroup is .cta_group of its instructions on tensor memory; 0 without any.
	ctaGroup int
	err      error
}

// parameter is a parameter of a kernel.
type parameter struct {
	decl   *ptx.Var
	offset int
}

// function is a function or kernel that was read from the module.
type function struct {
	id       int
	first    int // number of its first instruction in the kernel
	name     ptx.Name
	decl     *ptx.Func
	kernel   *kernel
	code     []instr // the last instruction is a return that is not in the source
	slots    []slot
	preds    []ptx.Name
	flag     int // slot of the carry flag, -1 for none
	consts   []*constant
	specials []special
	locals   []constant // addresses in local memory, from the start of the frame
	local    int64      // bytes of local memory
	params   []binding
	returns  []binding
	unknown  []error     // why some instructions cannot be executed
	watched  map[int]int // numbers of the slots that a wgmma may use
	kept     []recorded  // by instruction, what a recorder needs; nil if no run is recorded
}

// slot is a register, or a constant.
type slot struct {
	name ptx.Name
	bits int
}

// constant is a slot with the same value in all lanes.
type constant struct {
	slot   int
	value  uint64
	shared bool // the value is an address of shared memory in the block of rank 0
}

// special is a slot that holds a special register whose value does not change while a block runs.
type special struct {
	slot  int
	value func(w *warp, lane int) uint64
}

// Load prepares m for running. An unknown instruction becomes an error of the run that executes it. The errors of Load
// are of type *[Error], with [CodeModule] for variables that are declared twice or need too much memory.
func Load(m *ptx.Module) (*Program, error) {
	p := &Program{
		module: m, files: map[int]string{}, vars: map[ptx.Name]*symbol{}, kernels: map[string]*kernel{},
		inner: map[*ptx.Var]*symbol{}, local: map[*ptx.Func]map[ptx.Name]*symbol{}, aliases: map[ptx.Name]ptx.Name{},
		numbers: map[ptx.Name]int{}, end: globalBase,
	}
	for _, decl := range m.Decls {
		var err error
		switch d := decl.(type) {
		case *ptx.File:
			p.files[d.Index] = d.Name
		case *ptx.Alias:
			p.aliases[d.Name] = d.Of
		case *ptx.Var:
			err = p.declare(d)
		case *ptx.Func:
			if d.Body == nil {
				break
			}
			if _, known := p.numbers[d.Name]; !known {
				p.numbers[d.Name] = len(p.funcs)
			}
			p.funcs = append(p.funcs, d)
			if d.Entry {
				p.kernels[string(d.Name)] = &kernel{program: p, decl: d}
			}
			err = p.declareInner(d)
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// declare places a variable of the module.
func (p *Program) declare(v *ptx.Var) error {
	if old := p.vars[v.Name]; old != nil && old.v.Linkage != ptx.Extern {
		return errorf(CodeModule, "line %d: %s is declared twice", v.Pos.Line, v.Name)
	}
	s := &symbol{kind: symVar, v: v, slot: -1}
	p.vars[v.Name] = s
	return p.allocate(s)
}

// declareInner places the variables in global and constant memory that the body of f declares.
func (p *Program) declareInner(f *ptx.Func) error {
	for stmt := range f.Stmts() {
		v, ok := stmt.(*ptx.Var)
		if !ok || v.Space != ptx.Global && v.Space != ptx.Const {
			continue
		}
		s := &symbol{kind: symVar, v: v, slot: -1, of: f}
		p.inner[v] = s
		if p.local[f] == nil {
			p.local[f] = map[ptx.Name]*symbol{}
		}
		p.local[f][v.Name] = s
		if err := p.allocate(s); err != nil {
			return err
		}
	}
	return nil
}

// allocate gives a variable an address if the variable is in global or constant memory.
func (p *Program) allocate(s *symbol) error {
	v := s.v
	if err := checkVector(v); err != nil {
		return err
	}
	if v.Space != ptx.Global && v.Space != ptx.Const || v.Linkage == ptx.Extern && v.Init == nil && v.Size() == 0 {
		return nil
	}
	size := v.Size()
	if size > MaxMemory-p.bytes {
		return errorf(CodeModule, "line %d: %s takes %s besides %d bytes, and there may be %d",
			v.Pos.Line, v.Name, bytesText(size), p.bytes, int64(MaxMemory))
	}
	p.bytes += size
	s.offset = int64(p.end)
	p.end = gap(p.end + uint64(size))
	p.order = append(p.order, s)
	return nil
}

// bytesText writes the size of a variable.
func bytesText(size int64) string {
	if size == math.MaxInt64 { // also all larger sizes
		return "at least 2^63 - 1 bytes"
	}
	return strconv.FormatInt(size, 10) + " bytes"
}

// Bytes returns the number of bytes of the module's .global and .const variables. Each Memory contains these variables.
func (p *Program) Bytes() int64 { return p.bytes }

// Kernels returns the names of the kernels of the module, in the order of the module.
func (p *Program) Kernels() []string {
	var names []string
	for _, f := range p.funcs {
		if f.Entry {
			names = append(names, string(f.Name))
		}
	}
	return names
}

// kernel returns the kernel with that name, and reads the kernel if necessary.
func (p *Program) kernel(name string) (*kernel, error) {
	k := p.kernels[name]
	if k == nil {
		return nil, errorf(CodeEntry, "the module has no kernel %q, but %s", name, strings.Join(p.Kernels(), ", "))
	}
	k.once.Do(func() { k.err = k.link() })
	return k, k.err
}

// link reads the kernel and all functions that the kernel may reach, and places their shared memory.
func (k *kernel) link() error {
	k.funcs, k.own = map[ptx.Name]*function{}, map[ptx.Name]*symbol{}
	k.align = 16
	offset := 0
	for _, v := range k.decl.Params {
		align := alignment(v)
		offset = int(up(int64(offset), align))
		k.params = append(k.params, parameter{v, offset})
		if v.Size() > maxParams || v.Size() == 0 {
			return errorf(CodeModule, "line %d: parameter %s has %s, and may have 1 to %d",
				v.Pos.Line, v.Name, bytesText(v.Size()), maxParams)
		}
		if offset += int(v.Size()); offset > maxParams {
			return errorf(CodeModule, "line %d: the parameters up to %s take %d bytes, and may take %d",
				v.Pos.Line, v.Name, offset, maxParams)
		}
	}
	k.size = offset
	k.entry = k.function(k.decl)
	for i := 0; i < len(k.list); i++ { // reading a function may add others
		if err := k.list[i].read(); err != nil {
			return err
		}
	}
	total := 0
	for _, f := range k.list {
		f.first = total
		total += len(f.code)
	}
	if total > maxCode {
		return errorf(CodeModule, "%s and what it calls have %d instructions, and may have %d", k.decl.Name, total, maxCode)
	}
	if k.shared > MaxShared {
		return errorf(CodeModule, "%s declares more than the %d bytes of shared memory that a block may have",
			k.decl.Name, MaxShared)
	}
	k.dynamic = uint64(up(sharedStart+k.shared, k.align))
	for _, c := range k.externs {
		c.value += k.dynamic
	}
	return nil
}

// function returns the function of decl, and queues the function for reading if it is new.
func (k *kernel) function(decl *ptx.Func) *function {
	if f := k.funcs[decl.Name]; f != nil {
		return f
	}
	f := &function{id: len(k.list), name: decl.Name, decl: decl, kernel: k, flag: -1}
	k.funcs[decl.Name] = f
	k.list = append(k.list, f)
	return f
}

// find returns the function that has that name and a body, and its number, or nil.
func (p *Program) find(name ptx.Name) (*ptx.Func, int) {
	if of, ok := p.aliases[name]; ok {
		name = of
	}
	if i, ok := p.numbers[name]; ok {
		return p.funcs[i], i
	}
	return nil, 0
}

// source returns the file and line in loc, and the places where that line was inlined; "" if loc has no line.
func (p *Program) source(loc *ptx.Loc) string {
	var b strings.Builder
	for n := 0; loc != nil && loc.Line != 0 && n < maxInlined; n, loc = n+1, loc.At {
		name := p.files[loc.File]
		if name == "" {
			break
		}
		if b.Len() > 0 {
			b.WriteString(", inlined at ")
		}
		fmt.Fprintf(&b, "%s:%d", filepath.Base(name), loc.Line)
	}
	return b.String()
}

// line returns the line of an instruction, and its source line if known.
func (p *Program) line(in *instr) string {
	if source := p.source(in.loc); source != "" {
		return fmt.Sprintf("%d (%s)", in.src.Pos.Line, source)
	}
	return strconv.Itoa(int(in.src.Pos.Line))
}

// alignment returns the number of bytes that the address of v must be a multiple of.
func alignment(v *ptx.Var) int64 {
	natural := int64(max(v.Type.Bits()/8, 1) * max(v.Vec, 1))
	return max(natural, int64(v.Align))
}

// up returns the smallest multiple of align that is not below n.
func up(n, align int64) int64 { return (n + align - 1) / align * align }
