package runfile

import (
	"girih/ptx"
	"girih/ptx/flow"
)

// mostWalks limits how many blocks are visited to follow branches.
const mostWalks = 1 << 20

// controlOf returns for each instruction the union of the sets of the branches that decide whether it is executed,
// including the branches that decide about these branches; of returns the set of one branch.
func controlOf(g *flow.Graph, of func(*ptx.Instr) guessSet) []guessSet {
	after, exit, walks := g.After(), len(g.First)-1, 0
	by := make([][]int, exit+1) // blocks whose branches decide about a block
	for b, list := range g.To {
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
				all |= sets[b] | of(g.Code[g.First[b+1]-1])
			}
			changed = changed || all != sets[x]
			sets[x] = all
		}
	}
	out := make([]guessSet, len(g.Code))
	for i, b := range g.Block {
		out[i] = sets[b]
	}
	return out
}
