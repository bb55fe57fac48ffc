// Package flow computes the control flow graph of a function in PTX: its basic blocks and the edges between them.
// It also finds the scope that declares a name. Blocks in braces are scopes of labels and registers (PTX ISA
// 5.4.1): compilers write the same labels, such as LAB_WAIT, in each copy of an inline assembly text.
package flow

import (
	"slices"
	"strconv"

	"girih/ptx"
)

// A Graph is the control flow graph of a function. Its last block is an exit block without instructions.
type Graph struct {
	Code  []*ptx.Instr
	Block []int      // by instruction: its block
	First []int      // by block: its first instruction; len(Code) for the exit block
	To    [][]int    // by block: the blocks that may follow it; len(First)-1 is the exit block
	Scope []int      // by instruction: its scope; 0 is the body of the function
	Loc   []*ptx.Loc // by instruction: the last .loc before it; nil if there is none
	up    []int      // by scope: the scope around it; -1 if there is none
	names []map[ptx.Name]bool
}

// A place is a label or a list of targets, together with its scope.
type place struct {
	scope int
	name  ptx.Name
}

// A builder makes the graph of a function.
type builder struct {
	*Graph
	labels map[place]int // the instruction after each label
	lists  map[place][]ptx.Name
	leads  map[int]bool // the instructions that begin a block
	loc    *ptx.Loc
}

// New returns the graph of f.
func New(f *ptx.Func) *Graph {
	b := builder{
		Graph: &Graph{}, labels: map[place]int{}, lists: map[place][]ptx.Name{}, leads: map[int]bool{0: true},
	}
	if f.Body != nil {
		b.read(f.Body, -1)
	}
	b.split()
	b.join()
	return b.Graph
}

// read reads the statements of a block in braces, which is a scope within the scope up.
func (b *builder) read(body *ptx.Block, up int) {
	scope := len(b.up)
	b.up, b.names = append(b.up, up), append(b.names, map[ptx.Name]bool{})
	for _, s := range body.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			b.read(s, scope)
		case *ptx.Loc:
			b.loc = s
		case *ptx.Label:
			b.labels[place{scope, s.Name}], b.leads[len(b.Code)] = len(b.Code), true
		case *ptx.Targets:
			b.lists[place{scope, s.Name}] = s.List
		case *ptx.Var:
			if s.Space == ptx.Reg && scope > 0 {
				b.declare(scope, s)
			}
		case *ptx.Instr:
			b.Code, b.Scope, b.Loc = append(b.Code, s), append(b.Scope, scope), append(b.Loc, b.loc)
			b.leads[len(b.Code)] = b.leads[len(b.Code)] || ends(s)
		}
	}
}

// maxNumbered limits how many names a declaration such as %r<100> in an inner scope may add.
const maxNumbered = 1 << 12

// declare records the registers that an inner scope declares.
func (b *builder) declare(scope int, v *ptx.Var) {
	if v.Count == 0 {
		b.names[scope][v.Name] = true
	}
	for i := range min(v.Count, maxNumbered) {
		b.names[scope][withNumber(v.Name, i)] = true
	}
}

func withNumber(n ptx.Name, i int) ptx.Name { return n + ptx.Name(strconv.Itoa(i)) }

// Home returns the scope whose declaration the register called name refers to at instruction i; 0 is the body of
// the function.
func (g *Graph) Home(i int, name ptx.Name) int {
	for s := g.Scope[i]; s > 0; s = g.up[s] {
		if g.names[s][name] {
			return s
		}
	}
	return 0
}

// split computes the basic blocks.
func (b *builder) split() {
	for i := range b.Code {
		if b.leads[i] {
			b.First = append(b.First, i)
		}
		b.Block = append(b.Block, len(b.First)-1)
	}
	b.First = append(b.First, len(b.Code))
}

// join computes the edges between the blocks.
func (b *builder) join() {
	exit := len(b.First) - 1
	b.To = make([][]int, exit+1)
	for n := range exit {
		i := b.First[n+1] - 1
		in, on := b.Code[i], true
		if ends(in) {
			on = in.Pred != ""
			for _, at := range b.targets(i) {
				b.To[n] = append(b.To[n], b.blockAt(at))
			}
			if name := in.Op.Name(); name != "bra" && name != "brx" {
				b.To[n] = append(b.To[n], exit)
			}
		}
		if on {
			b.To[n] = append(b.To[n], b.blockAt(i+1))
		}
	}
}

// blockAt returns the block of instruction i, or the exit block after the last instruction.
func (g *Graph) blockAt(i int) int {
	if i >= len(g.Code) {
		return len(g.First) - 1
	}
	return g.Block[i]
}

// ends reports whether execution may continue elsewhere than at the next instruction.
func ends(in *ptx.Instr) bool {
	return slices.Contains([]string{"bra", "brx", "ret", "exit", "trap"}, in.Op.Name())
}

// targets returns the instructions to which the branch i may jump.
func (b *builder) targets(i int) (to []int) {
	for _, o := range b.Code[i].Operands {
		name, _ := o.(ptx.Name)
		names := []ptx.Name{name}
		for s := b.Scope[i]; s >= 0; s = b.up[s] {
			if list, ok := b.lists[place{s, name}]; ok {
				names = list
				break
			}
		}
		for _, n := range names {
			for s := b.Scope[i]; s >= 0; s = b.up[s] {
				if at, ok := b.labels[place{s, n}]; ok {
					to = append(to, at)
					break
				}
			}
		}
	}
	return to
}

// After returns, for each block, its immediate postdominator: the next block that all paths to the exit pass.
// (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm.) It is -1 for a block from which no path leads to
// the exit.
func (g *Graph) After() []int {
	exit := len(g.First) - 1
	from := make([][]int, exit+1)
	for b, list := range g.To {
		for _, x := range list {
			from[x] = append(from[x], b)
		}
	}
	var order []int // starts at the exit; each block comes after the blocks that follow it
	rank := make([]int, exit+1)
	type visit struct{ block, next int }
	seen := make([]bool, exit+1)
	seen[exit] = true
	for stack := []visit{{exit, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next < len(from[top.block]) {
			b := from[top.block][top.next]
			if top.next++; !seen[b] {
				seen[b] = true
				stack = append(stack, visit{b, 0})
			}
			continue
		}
		rank[top.block] = len(order)
		order = append(order, top.block)
		stack = stack[:len(stack)-1]
	}
	after := slices.Repeat([]int{-1}, exit+1)
	after[exit] = exit
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(order[:len(order)-1]) {
			next := -1
			for _, x := range g.To[b] {
				switch {
				case after[x] < 0:
				case next < 0:
					next = x
				default:
					for next != x {
						for rank[next] < rank[x] {
							next = after[next]
						}
						for rank[x] < rank[next] {
							x = after[x]
						}
					}
				}
			}
			if next != after[b] {
				after[b], changed = next, true
			}
		}
	}
	return after
}
