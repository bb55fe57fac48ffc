package explain

import (
	"fmt"
	"slices"
	"strconv"

	"girih/banks"
	"girih/cute"
	"girih/internal/ints"
	"girih/swizzle"
)

// Bank explains the number of wavefronts of an access to shared memory: the phases, the banks of the addresses in the
// worst phase, the pattern of the lanes' addresses, and what removes the conflicts: a swizzle, a map of bits, or
// padding (package swizzle). The plan must be for this memory and elements of elemBits bits. Offsets are in elements.
// Addresses are in bytes, counted from a multiple of 256.
//
// Bank returns the errors of [banks.Plan.Groups].
func Bank(memory banks.Memory, elemBits int, plan *banks.Plan) (Explanation, error) {
	sum, groups, err := plan.Groups(nil)
	if err != nil {
		return Explanation{}, err
	}
	rule := plan.Rule()
	x := Explanation{
		Op: "bank", Expr: memory.String(), Source: rule.Source(),
		Rule: fmt.Sprintf("Shared memory has %d banks of 4 bytes: the word w = address/4 is in bank w mod %d. The lanes of a warp are served in phases; in one wavefront each bank delivers one word, to all lanes that want it. "+
			"So a phase takes as many wavefronts as its lanes want different words of one bank.", rule.Banks(), rule.Banks()),
		Result: fmt.Sprintf("%s, %d without conflicts", Count(sum.Wavefronts, "wavefront"), sum.Ideal),
	}
	if rule.EachLane() {
		x.Rule = fmt.Sprintf("Shared memory has %d banks of 4 bytes: the word w = address/4 is in bank w mod %d. The lanes of a warp are served in phases; what %v writes, each lane writes by itself, also where lanes access one word. "+
			"So a phase takes as many turns as its lanes access one bank.", rule.Banks(), rule.Banks(), rule.Access())
		if rule.Passes() > 1 {
			x.Rule += fmt.Sprintf(" A turn of %v is %d wavefronts: it reads, and writes then.", rule.Access(), rule.Passes())
		}
	}
	warps := "One warp executes"
	if plan.Warps() > 1 {
		warps = fmt.Sprintf("Each of %d warps executes", plan.Warps())
	}
	x.sayf("%v on %s: each lane moves %d bits, %s of %d bits. %s %s. The threads: %s.",
		rule.Access(), rule.Target().Title(), rule.Access().Bits(),
		Count(rule.Access().Bits()/max(elemBits, 1), "element"),
		elemBits, warps, Count(plan.Instructions(), "instruction"), plan.How()).
		Figure = &Figure{Kind: "bank", Expr: memory.String(), Caption: "the bank of each element"}
	sayGroups(&x, groups)
	if len(groups) > 0 {
		if err := sayWorst(&x, plan, groups[0].Places[0], elemBits); err != nil {
			return Explanation{}, err
		}
	}
	x.Check = fmt.Sprintf("All %d instructions of %s were counted: %s, %d of them caused by conflicts.",
		plan.Instructions()*plan.Warps(), Count(plan.Warps(), "warp"),
		Count(sum.Wavefronts, "wavefront"), sum.Wavefronts-sum.Ideal)
	if sum.Wavefronts > sum.Ideal {
		wouldFix(&x, memory, elemBits, plan)
	}
	return x, nil
}

// sayGroups lists the groups of instructions with equal costs: the number of instructions, and their cost.
func sayGroups(x *Explanation, groups []banks.Group) {
	rows := [][]string{{"instructions", "wavefronts of each", "without conflicts", "worst phase"}}
	for _, g := range groups {
		worst := "conflict-free"
		if g.Degree > 1 {
			worst = fmt.Sprintf("%d-way", g.Degree)
		}
		rows = append(rows, []string{strconv.Itoa(len(g.Places)), strconv.Itoa(g.Wavefronts), strconv.Itoa(g.Ideal), worst})
	}
	if len(groups) > 0 {
		p := groups[0].Places[0]
		x.sayf("The instructions by cost. The steps below are about instruction %d of warp %d, one of the first kind.",
			p.Instruction, p.Warp).show(align(rows)...)
	}
}

// sayWorst explains the worst phase of an instruction.
func sayWorst(x *Explanation, plan *banks.Plan, at banks.Place, elemBits int) error {
	addrs, err := plan.Addresses(nil, nil, at.Warp, at.Instruction)
	if err != nil {
		return err
	}
	rule := plan.Rule()
	report, err := rule.Explain(addrs)
	if err != nil {
		return err
	}
	if len(report.Served) == 0 {
		return nil
	}
	worst := 0
	rows := [][]string{{"phase", "lanes", "wavefronts"}}
	for i, p := range report.Served {
		if p.Wavefronts > report.Served[worst].Wavefronts {
			worst = i
		}
		rows = append(rows, []string{strconv.Itoa(i), lanesText(p.Lanes), strconv.Itoa(p.Wavefronts)})
	}
	text := fmt.Sprintf("The instruction is served in %s.", Count(len(report.Served), "phase"))
	if report.Merged {
		text += " Pairs of lanes share addresses, which halves the number of phases."
	}
	x.say(text, align(rows)...)
	p := phase{rule: rule, number: worst, lanes: report.Served[worst].Lanes, addrs: addrs}
	p.sayLanes(x, elemBits)
	p.sayStep(x)
	conflicts := slices.DeleteFunc(slices.Clone(report.Conflicts), func(c banks.Conflict) bool { return c.Phase != worst })
	if len(conflicts) == 0 {
		x.sayf("No bank is wanted for two words in phase %d: it takes one wavefront.", worst)
		return nil
	}
	var lines []string
	for _, c := range conflicts[:min(len(conflicts), shownConflicts)] {
		lines = append(lines, hitLines(c)...)
	}
	if n := len(conflicts) - shownConflicts; n > 0 {
		lines = append(lines, fmt.Sprintf("and so for %d more sets of banks", n))
	}
	x.sayf("One bank delivers one of its words at a time, so phase %d takes %d wavefronts:",
		worst, report.Served[worst].Wavefronts).show(lines...)
	return nil
}

// Limits for the listed conflicts of a phase, and for the listed addresses of each conflict.
const (
	shownConflicts = 4
	shownHits      = 8
)

// hitLines lists the addresses that conflict, with their lanes.
func hitLines(c banks.Conflict) []string {
	bank := fmt.Sprintf("bank %d", c.Bank)
	if c.Banks > 1 {
		bank = fmt.Sprintf("banks %d to %d", c.Bank, c.Bank+c.Banks-1)
	}
	places := make([][]string, 0, len(c.Hits))
	for _, h := range c.Hits[:min(len(c.Hits), shownHits)] {
		who := "lane "
		if len(h.Lanes) > 1 {
			who = "lanes "
		}
		places = append(places, []string{bank, fmt.Sprintf("address %d", h.Address), who + lanesText(h.Lanes)})
	}
	if n := len(c.Hits) - shownHits; n > 0 {
		places = append(places, []string{bank, fmt.Sprintf("and %d addresses more", n)})
	}
	return align(places)
}

func lanesText(lanes []int) string {
	out := make([]int64, len(lanes))
	for i, l := range lanes {
		out[i] = int64(l)
	}
	return runs(out)
}

// A phase is a part of an instruction that is served separately. lanes contains the numbers of the phase's lanes; addrs
// contains the addresses, in bytes, of all lanes of the instruction.
type phase struct {
	rule   *banks.Rule
	number int
	lanes  []int
	addrs  []int64
}

// sayLanes lists the addresses and banks of the lanes.
func (p *phase) sayLanes(x *Explanation, elemBits int) {
	rows := [][]string{{"lane", "element offset", "address", "word", "bank"}}
	words := max(int64(p.rule.Access().Bits()/32), 1)
	for _, l := range p.lanes {
		if l >= len(p.addrs) || p.addrs[l] == banks.Inactive {
			continue
		}
		if len(rows) > 16 {
			rows = append(rows, []string{fmt.Sprintf("and %d more", len(p.lanes)-16)})
			break
		}
		a := p.addrs[l]
		word := a / 4
		bank := itoa(word % int64(p.rule.Banks()))
		if words > 1 {
			bank += "-" + itoa((word+words-1)%int64(p.rule.Banks()))
		}
		offset := itoa(a * 8 / int64(max(elemBits, 1)))
		rows = append(rows, []string{strconv.Itoa(l), offset, itoa(a), itoa(word), bank})
	}
	scale := fmt.Sprintf("%d/8 bytes", elemBits)
	if elemBits%8 == 0 {
		scale = Count(elemBits/8, "byte")
	}
	x.sayf("The lanes of phase %d and the banks of their words. The address is the offset times %s:", p.number, scale).
		show(align(rows)...)
}

// sayStep explains the effect of a constant distance between the addresses of lanes.
func (p *phase) sayStep(x *Explanation) {
	var at []int64
	for _, l := range p.lanes {
		if l < len(p.addrs) && p.addrs[l] != banks.Inactive {
			at = append(at, p.addrs[l])
		}
	}
	if len(at) < 2 {
		return
	}
	step := at[1] - at[0]
	for i := 1; i < len(at); i++ {
		if at[i]-at[i-1] != step {
			return
		}
	}
	banks := int64(p.rule.Banks())
	switch {
	case step == 0:
		x.say("All lanes want the same address, which one wavefront delivers to all of them.")
		return
	case step%4 != 0:
		return
	}
	words := max(step/4, -step/4)
	g := ints.GCD(words, banks)
	width := max(int64(p.rule.Access().Bits()/32), 1)
	text := fmt.Sprintf("From lane to lane the address grows by %d bytes = %d words, and gcd(%d, %d) = %d: the lanes "+
		"begin in %d/%d = %s in turns.", step, step/4, words, banks, g, banks, g, Count(banks/g, "bank"))
	if g > width {
		text += fmt.Sprintf(" Each takes %s from there, so %d lanes want the same ones.",
			Count(width, "bank"), int64(len(at))/max(min(banks/g, int64(len(at))), 1))
	}
	x.say(text)
}

// wouldFix offers alternatives without conflicts.
func wouldFix(x *Explanation, memory banks.Memory, elemBits int, plan *banks.Plan) {
	access := swizzle.Access{Name: plan.Rule().Access().String(), Plan: plan}
	s, err := swizzle.Solve(swizzle.Problem{Layout: memory, ElemBits: elemBits, Accesses: []swizzle.Access{access}})
	if err != nil {
		return
	}
	after := ""
	if len(s.After) == 1 {
		after = fmt.Sprintf("%s instead of %d", Count(s.After[0].Wavefronts, "wavefront"), s.Before[0].Wavefronts)
	}
	switch s.Kind {
	case swizzle.KindSwizzle:
		swizzlesFix(x, memory, s.Swizzles, after)
	case swizzle.KindMap:
		x.instead("No single swizzle does it, but this map of the bits of the offset x does: "+s.Map.Formula("x"), "", after)
	case swizzle.KindPadding:
		for i, p := range s.Paddings {
			if i == 2 {
				break
			}
			x.instead(fmt.Sprintf("With padding, %s more:", Count(p.Bytes, "byte")), p.Layout.String(), after)
		}
	default:
		if s.Proof.Text != "" {
			x.Notes = append(x.Notes, s.Proof.Text)
		}
		if s.Best != nil && len(s.Best.Costs) > 0 {
			x.notef("The best that was found takes %s instead of %d.",
				Count(s.Best.Costs[0].Wavefronts, "wavefront"), s.Before[0].Wavefronts)
		}
	}
	if s.Kind == swizzle.KindSwizzle || s.Kind == swizzle.KindMap {
		offerPadding(x, memory, elemBits, plan)
	}
}

// swizzlesFix offers the first two of the swizzles found, and counts the others. The text after is shown with each
// offered swizzle: its cost, compared with the present cost. It may be empty.
func swizzlesFix(x *Explanation, memory banks.Memory, found []swizzle.Choice, after string) {
	const most = 2
	if in, ok := memory.(cute.Inner); ok {
		for _, c := range found[:min(len(found), most)] {
			if r, err := c.Apply(in); err == nil {
				x.instead(fmt.Sprintf("Behind the swizzle %v, of offsets in elements, conflict-free:", c.Swizzle), r.String(), after)
			}
		}
	}
	if n := len(found) - most; n > 0 {
		x.notef("%d more swizzles of as few bits do it too.", n)
	}
}

// offerPadding offers rows padded by the width of one access, the usual remedy without swizzles.
func offerPadding(x *Explanation, memory banks.Memory, elemBits int, plan *banks.Plan) {
	l, ok := memory.(cute.Layout)
	if !ok || l.Rank() != 2 || l.Depth() != 1 {
		return
	}
	strides := slices.Clone(l.Stride().Leaves())
	far := 0
	if strides[1] > strides[0] {
		far = 1
	}
	strides[far] += int64(max(plan.Rule().Access().Bits(), 32) / max(elemBits, 1))
	p, err := cute.New(l.Shape(), cute.Ints(strides...))
	if err != nil {
		return
	}
	offsets, err := p.AppendOffsets(nil)
	if err != nil {
		return
	}
	count, err := plan.Count(offsets)
	if err != nil || count.Wavefronts != count.Ideal {
		return
	}
	x.instead(fmt.Sprintf("With %s of padding in each row:", Count(strides[far]-l.Stride().Leaves()[far], "element")),
		p.String(), Count(count.Wavefronts, "wavefront"))
}
