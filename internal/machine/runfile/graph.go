package runfile

import (
	"slices"

	"girih/ptx"
)

// A graph is the basic blocks of a function, followed by an exit block.
type graph struct {
	code  []*ptx.Instr
	block []int   // of each instruction
	last  []int   // the last instruction of each block
	to    [][]int // the blocks after each block; len(last) is the exit
}

// graphOf returns the graph of f.
func graphOf(f *ptx.Func) *graph {
	g := &graph{}
	labels, lists := map[ptx.Name]int{}, map[ptx.Name][]ptx.Name{}
	leads := map[int]bool{0: true}
	for s := range f.Stmts() {
		switch s := s.(type) {
		case *ptx.Label:
			labels[s.Name], leads[len(g.code)] = len(g.code), true
		case *ptx.Targets:
			lists[s.Name] = s.List
		case *ptx.Instr:
			g.code = append(g.code, s)
			leads[len(g.code)] = leads[len(g.code)] || ends(s)
		}
	}
	n := -1
	for i := range g.code {
		if leads[i] {
			n++
			g.last = append(g.last, i)
		}
		g.last[n] = i
		g.block = append(g.block, n)
	}
	g.to = make([][]int, len(g.last))
	for b, i := range g.last {
		in, on := g.code[i], true
		if ends(in) {
			on = in.Pred != ""
			for _, name := range targetsOf(in, lists) {
				if at, ok := labels[name]; ok {
					g.to[b] = append(g.to[b], g.blockAt(at))
				}
			}
			if name := in.Op.Name(); name != "bra" && name != "brx" {
				g.to[b] = append(g.to[b], len(g.last))
			}
		}
		if on {
			g.to[b] = append(g.to[b], g.blockAt(i+1))
		}
	}
	return g
}

// blockAt returns the block of instruction i, or the exit block after the last instruction.
func (g *graph) blockAt(i int) int {
	if i >= len(g.code) {
		return len(g.last)
	}
	return g.block[i]
}

// ends reports whether an instruction may continue anywhere but at the next instruction.
func ends(in *ptx.Instr) bool {
	return slices.Contains([]string{"bra", "brx", "ret", "exit", "trap"}, in.Op.Name())
}

// targetsOf returns the labels that a branch may go to.
func targetsOf(in *ptx.Instr, lists map[ptx.Name][]ptx.Name) []ptx.Name {
	var names []ptx.Name
	for _, o := range in.Operands {
		if n, ok := o.(ptx.Name); ok {
			names = append(append(names, n), lists[n]...)
		}
	}
	return names
}

// after returns for each block the next one that all paths to the exit pass: its immediate postdominator. (Cooper,
// Harvey, Kennedy: A Simple, Fast Dominance Algorithm.) It is -1 if no path leads to the exit.
func (g *graph) after() []int {
	exit := len(g.last)
	from := make([][]int, exit+1)
	for b, list := range g.to {
		for _, x := range list {
			from[x] = append(from[x], b)
		}
	}
	var order []int // from the exit; a block comes after the blocks that follow it
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
			for _, x := range g.to[b] {
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

// mostWalks limits how many blocks are visited to follow branches.
const mostWalks = 1 << 20

// controlOf returns for each instruction the union of the sets of the branches that decide whether it is executed,
// including the branches that decide about these branches; of returns the set of one branch.
func (g *graph) controlOf(of func(*ptx.Instr) guessSet) []guessSet {
	after, exit, walks := g.after(), len(g.last), 0
	by := make([][]int, exit+1) // blocks whose branches decide about a block
	for b, list := range g.to {
		if len(list) < 2 {
			continue
		}
		for _, x := range list {
			for ; x >= 0 && x != exit && x != after[b] && walks < mostWalks; x = after[x] {
				by[x] = append(by[x], b)
				walks++
			}
		}
	}
	sets := make([]guessSet, exit+1)
	for changed := true; changed; {
		changed = false
		for x, list := range by {
			all := sets[x]
			for _, b := range list {
				all |= sets[b] | of(g.code[g.last[b]])
			}
			changed = changed || all != sets[x]
			sets[x] = all
		}
	}
	out := make([]guessSet, len(g.code))
	for i, b := range g.block {
		out[i] = sets[b]
	}
	return out
}
