package scalar

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx"
)

// Sizes of a run. A warp executes a program, each lane with its own operands, so that a form has at least
// Shards × [perShard] × Lanes instances.
const (
	Shards   = 16
	Lanes    = 32
	together = 40 // programs per kernel
	slotSize = 8 * Lanes
)

// perShard is the number of steps of each form in a shard: fewer in families of very many similar forms. Steps that
// write or read a carry for other steps are not counted.
func perShard(f *Form) int {
	switch f.Family {
	case "compare", "video":
		return 4
	case "convert":
		return 8
	case "approximate":
		return 40
	}
	return 16
}

// A value is a register of a program: loaded, or the result of a step.
type value struct {
	bits  int
	typ   ptx.Type // the type of an 8-bit register, which cvt distinguishes; "" otherwise
	slot  int      // the position of its lanes in the memory that is read or written
	input bool     // the value is loaded
	free  bool     // later steps may take it
}

// An operand of a step.
type operand struct {
	value int         // the number of the value; -1 for a constant
	fixed ptx.Operand // the constant
	list  []operand   // the elements of a vector
	part  string      // the part, such as ".b0", in a video instruction
	mark  byte        // '!' or '-'
}

// A step is an instruction.
type step struct {
	form  *Form
	dst   []operand
	pair  bool // the instruction has two destinations, joined by a bar
	src   []operand
	guard int // the value that selects the executing lanes, or -1
}

// A program is a straight line of steps.
type program struct {
	steps []step
}

// A kernel runs programs one after the other.
type kernel struct {
	name     string
	programs []program
	values   []value
	in, out  int // the first slots that belong to this program
}

// A Shard is a part of all programs, with their inputs.
type Shard struct {
	Number   int
	kernels  []*kernel
	in       []uint64 // contains Lanes words for each slot
	outs     []result
	chip     string // "" for Chip
	Programs int
}

// A result is the step that writes a slot.
type result struct {
	form *Form
}

// NewShard returns a shard of forms. Forms with registers of 8 bits, which neither give nor take results, are in
// separate programs after the others.
func NewShard(number int, list []*Form) *Shard {
	g := &generator{shard: &Shard{Number: number}}
	g.forms(list)
	var usual, narrow []*Form
	for _, f := range list {
		if f.narrow() {
			narrow = append(narrow, f)
		} else {
			usual = append(usual, f)
		}
	}
	g.random = source(number) + 1<<32
	g.kernels(usual)
	g.random = source(number) + 2<<32
	g.kernels(narrow)
	return g.shard
}

// kernels writes kernels of programs, with each form as often as a shard has it.
func (g *generator) kernels(list []*Form) {
	var slots []*Form
	for _, f := range list {
		for range perShard(f) {
			slots = append(slots, f)
		}
	}
	shuffle(&g.random, slots)
	for len(slots) > 0 {
		name := fmt.Sprintf("k%d_%d", g.shard.Number, len(g.shard.kernels))
		g.kernel = &kernel{name: name, in: len(g.shard.in) / Lanes, out: len(g.shard.outs)}
		g.shard.kernels = append(g.shard.kernels, g.kernel)
		for range together {
			n := min(3+g.random.below(4), len(slots))
			if n == 0 {
				break
			}
			g.program(slots[:n])
			slots = slots[n:]
		}
	}
}

// A generator writes the programs of a shard.
type generator struct {
	random          source
	shard           *Shard
	kernel          *kernel
	first           int // the first value of this program
	now             *program
	writers, reader []*Form      // the forms that write and read the carry flag
	constant        bool         // the step has a constant
	fresh           int          // the first value that was made for the step
	used            map[int]bool // values already used: the compiler would merge the operands of min x, x
	last            bool         // the last source of the step has been chosen
	guard           int
}

func (g *generator) forms(list []*Form) {
	for _, f := range list {
		if f.flags.carry == writesCarry {
			g.writers = append(g.writers, f)
		}
		if f.flags.carry == readsCarry {
			g.reader = append(g.reader, f)
		}
	}
}

// program writes a program of these forms.
func (g *generator) program(list []*Form) {
	g.kernel.programs = append(g.kernel.programs, program{})
	g.now = &g.kernel.programs[len(g.kernel.programs)-1]
	g.first = len(g.kernel.values)
	g.shard.Programs++
	for _, f := range list {
		if f.flags.carry&readsCarry != 0 {
			g.step(g.writers[g.random.below(len(g.writers))])
		}
		g.step(f)
		if f.flags.carry&writesCarry != 0 {
			g.step(g.reader[g.random.below(len(g.reader))])
		}
	}
}

// step writes a step of a form.
func (g *generator) step(f *Form) {
	s := step{form: f, guard: -1}
	if f.Newer() {
		g.shard.chip = newer
	}
	g.constant, g.guard, g.used, g.fresh = false, -1, map[int]bool{}, len(g.kernel.values)
	for i, k := range f.src {
		g.last = i == len(f.src)-1
		s.src = append(s.src, g.source(f, k))
	}
	g.relate(f)
	g.oneNaN(f)
	s.guard = g.guard
	for _, k := range f.dst {
		g.destinations(&s, k)
	}
	g.now.steps = append(g.now.steps, s)
}

// destinations adds the results of a step.
func (g *generator) destinations(s *step, k kind) {
	names := strings.Split(string(k), "|")
	if len(names) == 2 && strings.HasSuffix(names[1], "?") {
		names[1] = strings.TrimSuffix(names[1], "?")
		if g.random.one(2) {
			names = names[:1]
		}
	}
	s.pair = len(names) == 2
	for _, name := range names {
		list := kind(name).list()
		if list == nil {
			list = []kind{kind(name)}
		}
		var o operand
		for _, e := range list {
			o.list = append(o.list, g.destination(s, e))
		}
		if kind(name).list() == nil {
			o = o.list[0]
		}
		s.dst = append(s.dst, o)
	}
}

// destination adds one result.
func (g *generator) destination(s *step, k kind) operand {
	base, how := k.parts()
	bits := k.bits()
	o := operand{}
	switch base {
	case "m32":
		o.part = "." + []string{"b0", "b1", "b2", "b3", "h0", "h1"}[g.random.below(6)]
	case "mh2":
		o.part = "." + []string{"h0", "h1", "h10"}[g.random.below(3)]
	case "mb4":
		o.part = "." + masks4[g.random.below(len(masks4))]
	}
	switch {
	case how == "wide":
		bits = g.wider(bits)
	case how != "own" && bits > 1:
		bits = max(bits, 16)
	}
	o.value = len(g.kernel.values)
	v := value{bits: bits, slot: len(g.shard.outs), free: s.form.gives()}
	if bits == 8 {
		v.typ = ptx.Type(base)
	}
	g.kernel.values = append(g.kernel.values, v)
	g.shard.outs = append(g.shard.outs, result{form: s.form})
	return o
}

// masks4 are the masks of four bytes.
var masks4 = []string{
	"b0", "b1", "b10", "b2", "b20", "b21", "b210", "b3", "b30", "b31", "b310", "b32", "b320", "b321", "b3210",
}

// sources returns the values that a step reads, in order.
func (s *step) sources() []int {
	var all []int
	var walk func(list []operand)
	walk = func(list []operand) {
		for _, o := range list {
			if o.list != nil {
				walk(o.list)
			} else if o.value >= 0 {
				all = append(all, o.value)
			}
		}
	}
	walk(s.src)
	if s.guard >= 0 {
		all = append(all, s.guard)
	}
	return all
}

// results returns the values that a step writes.
func (s *step) results() []int {
	return (&step{src: slices.Clone(s.dst), guard: -1}).sources()
}
