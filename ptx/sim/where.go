package sim

import (
	"fmt"
	"strings"
)

// This file describes, for reports, where the warps of a run are. Warps with the same positions share a line.

// maxWhere limits the length of such a report, in bytes. The limit is approximate.
const maxWhere = 8000

// A crowd is a set of warps, of one or more blocks, that are at the same places.
type crowd struct {
	stand  []string // by path of the warps: its position
	warps  []int
	block  Dim // the first block
	blocks int
}

// where describes where the warps of some clusters are.
func where(clusters []*cluster) string {
	var all []*crowd
	known := map[string]*crowd{} // by positions, and by numbers of warps in the block
	for _, c := range clusters {
		for _, b := range c.blocks {
			for _, x := range b.crowds() {
				key := fmt.Sprint(x.warps, x.stand)
				if old := known[key]; old != nil {
					old.blocks++
					continue
				}
				known[key] = x
				all = append(all, x)
			}
		}
	}
	var s strings.Builder
	for _, x := range all {
		if s.Len() > maxWhere {
			return s.String() + "\n  ..."
		}
		for _, stand := range x.stand {
			fmt.Fprintf(&s, "\n  %s of %s: %s", warpsText(x.warps), x.blocksText(), stand)
		}
	}
	return s.String()
}

// crowds returns the warps of b that have not ended, grouped by their places.
func (b *block) crowds() []*crowd {
	var list []*crowd
	known := map[string]*crowd{}
	for _, w := range b.warps {
		stand := w.stand()
		if len(stand) == 0 {
			continue
		}
		key := strings.Join(stand, "\n")
		if known[key] == nil {
			known[key] = &crowd{stand: stand, block: b.at, blocks: 1}
			list = append(list, known[key])
		}
		known[key].warps = append(known[key].warps, w.id)
	}
	return list
}

// blocksText names the blocks of x.
func (x *crowd) blocksText() string {
	switch x.blocks {
	case 1:
		return fmt.Sprintf("block %v", x.block)
	case 2:
		return fmt.Sprintf("block %v and of another one", x.block)
	}
	return fmt.Sprintf("block %v and of %d others", x.block, x.blocks-1)
}

// warpsText names warps by their numbers, which are in ascending order.
func warpsText(list []int) string {
	if len(list) == 1 {
		return fmt.Sprintf("warp %d", list[0])
	}
	var parts []string
	for i := 0; i < len(list); {
		k := i
		for k+1 < len(list) && list[k+1] == list[k]+1 {
			k++
		}
		part := fmt.Sprint(list[i])
		if k > i {
			part = fmt.Sprintf("%d-%d", list[i], list[k])
		}
		parts, i = append(parts, part), k+1
	}
	return "warps " + strings.Join(parts, ", ")
}

// stand describes at which lines the lanes of w are, with one text for each path.
func (w *warp) stand() []string {
	var list []string
	seen := uint32(0)
	for _, p := range w.paths {
		s := fmt.Sprintf("lanes 0x%08x %s", p.mask, p.place(w.block.grid.program))
		switch p.state {
		case meeting:
			s += fmt.Sprintf(", wait there for lanes 0x%08x", p.want&^p.at&w.live)
		case waiting:
			s += ", " + w.block.reason(p)
		}
		seen |= p.mask
		list = append(list, s)
	}
	if rest := w.live &^ seen; rest != 0 {
		list = append(list, fmt.Sprintf("lanes 0x%08x wait where the paths meet", rest))
	}
	return list
}
