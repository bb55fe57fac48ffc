package lint

import (
	"fmt"
	"slices"

	"girih/ptx"
)

// This file follows the registers of wgmma along the branches of a function. After a write to a register, there
// must be a wgmma.fence before a wgmma uses the register. After a wgmma, there must be a wgmma.wait_group that
// covers its group before any other instruction uses its registers (PTX ISA, wgmma.fence, wgmma.wait_group).
//
// The state of a register is the set of conditions that may hold at an instruction:
//
//	fenced     there was no write since the last wgmma.fence
//	written    there was a write since then
//	flight N   an accumulator of a wgmma after which N commit_group followed, N from 0 to 7
//	input N    the same for registers of A, which the wgmma only reads
//
// Where paths meet, the state is the union of the sets. If every condition in the set breaks a rule, the line has
// the grade fault; if only some do, it has the grade path. For example, after
//
//	wgmma D; commit_group; @p wgmma.wait_group 0;
//
// D is in {flight 1, fenced}, and a load of D has the grade path. mov copies the state together with the value,
// because compilers use mov to rename accumulators, and ptxas removes such moves.

// A set is a set of conditions, one bit each.
type set uint32

const (
	fenced set = 1 << iota
	written
	firstFlight
	ages               = 8
	flights        set = (1<<ages - 1) * firstFlight
	firstInput         = firstFlight << ages
	inputs         set = flights << ages
	underWay           = flights | inputs
	begun              = 0 // index of the state that tells whether the function has executed a wgmma.fence
	inStage            = 1 // in that state: written within a stage, which lasts from wgmma.fence to wgmma.wait_group 0
	firstOf            = 2
	maxStates          = 1 << 23
	openingStage   set = written
	nobodyInFlight set = fenced
)

// commit returns s after one commit_group: each wgmma in flight has one more group after it.
func (s set) commit() set {
	f, in := s&flights, s&inputs
	oldF, oldIn := f&(firstFlight<<(ages-1)), in&(firstInput<<(ages-1))
	return s&^underWay | f<<1&flights | oldF | in<<1&inputs | oldIn
}

// wait returns s after wgmma.wait_group n, which ends every wgmma outside the last n groups.
func (s set) wait(n int) set {
	covered := set(0)
	for age := n + 1; age < ages; age++ {
		covered |= firstFlight<<age | firstInput<<age
	}
	if s&covered != 0 {
		s = s&^covered | fenced
	}
	return s
}

// A use describes how an instruction uses watched registers.
type use struct {
	reads, writes []int
	from, to      int // the registers of a move between watched registers; 0 for any other instruction
	d, a          []int
}

// A stageReader checks the stages of wgmma in one function.
type stageReader struct {
	*checker
	numbers []int // by register: the index of its state; 0 if the register is not watched
	of      []int // the register of each state
	uses    []use
	in      [][]set     // by block; nil if the block has not been reached
	prev    [][]int     // the predecessors of each block
	sought  int         // instructions that back has visited
	said    map[int]int // the index of the reported line, by cause
	counts  map[int]int // by reported line: how many further instructions have the same cause
}

// A staged is an access, within a stage, to a register of a wgmma.
type staged struct {
	in *ptx.Instr
	as stagedAs
}

// stagedAs is a kind of such accesses.
type stagedAs int

const (
	stagedRead stagedAs = iota
	stagedWrite
	stagedCall
	stagedMove // added to another kind if the instruction is a move
)

func is(in *ptx.Instr, name, part string) bool {
	return in.Op.Name() == name && in.Op.Has(part)
}

// stages checks all wgmma instructions of the function.
func (c *checker) stages() {
	s := &stageReader{
		checker: c, numbers: make([]int, len(c.names)), of: make([]int, firstOf),
		said: map[int]int{}, counts: map[int]int{},
	}
	if !s.watch() {
		return
	}
	if len(s.of)*len(c.g.First) > maxStates {
		c.say(mark{ruleFence, Hint}, nil, "%s of %d blocks and %d registers of wgmma is too large to be followed",
			c.decl.Name, len(c.g.First), len(s.of))
		return
	}
	s.solve()
	for b := range len(c.g.First) - 1 {
		if s.in[b] != nil {
			s.pass(b, slices.Clone(s.in[b]), s.judge)
		}
	}
	for at, n := range s.counts {
		c.report.Lines[at].Text += fmt.Sprintf("; %s more do so", plural(n, "instruction"))
	}
}

// watch assigns states to the registers of wgmma, and to registers that are moved to or from them. It reports
// whether the function contains a wgmma.
func (s *stageReader) watch() bool {
	found := false
	for i, in := range s.g.Code {
		if is(in, "wgmma", "mma_async") && len(in.Operands) > 1 {
			found = true
			d, a := fragments(in)
			for n := range ptx.Names(append(ptx.Vec{d}, a...)) {
				s.number(s.reg(i, n))
			}
		}
	}
	if !found {
		return false
	}
	s.follow()
	s.uses = make([]use, len(s.g.Code))
	for i, in := range s.g.Code {
		s.uses[i] = s.useOf(i, in)
	}
	return true
}

// follow assigns states to the registers that moves connect with watched registers. It joins registers that are
// moved to each other into sets (union-find).
func (s *stageReader) follow() {
	up := make([]int, len(s.names)) // by register: another register of its set, or the register itself
	for r := range up {
		up[r] = r
	}
	find := func(r int) int {
		for up[r] != r {
			up[r] = up[up[r]]
			r = up[r]
		}
		return r
	}
	for i, in := range s.g.Code {
		if to, from, ok := moveOf(in); ok {
			up[find(s.reg(i, to))] = find(s.reg(i, from))
		}
	}
	watched := make([]bool, len(up)) // sets
	for _, r := range s.of[firstOf:] {
		watched[find(r)] = true
	}
	for r := range up {
		if watched[find(r)] {
			s.number(r)
		}
	}
}

// moveOf returns the registers of an instruction that moves one register to another.
func moveOf(in *ptx.Instr) (to, from ptx.Name, ok bool) {
	if in.Op.Name() != "mov" || len(in.Operands) != 2 {
		return "", "", false
	}
	to, a := in.Operands[0].(ptx.Name)
	from, b := in.Operands[1].(ptx.Name)
	return to, from, a && b
}

func (s *stageReader) number(r int) {
	if s.numbers[r] == 0 {
		s.numbers[r] = len(s.of)
		s.of = append(s.of, r)
	}
}

// nameOf returns the name of the register whose state has the index k.
func (s *stageReader) nameOf(k int) ptx.Name { return s.names[s.of[k]] }

// fragments returns the registers of D and of A, nil where a wgmma takes A from shared memory.
func fragments(in *ptx.Instr) (d ptx.Operand, a ptx.Vec) {
	a, _ = in.Operands[1].(ptx.Vec)
	return in.Operands[0], a
}

// useOf returns the uses of watched registers by instruction i.
func (s *stageReader) useOf(i int, in *ptx.Instr) use {
	var u use
	find := func(list *[]int, o ptx.Operand) {
		for n := range ptx.Names(o) {
			if k := s.numbers[s.reg(i, n)]; k != 0 {
				*list = append(*list, k)
			}
		}
	}
	if is(in, "wgmma", "mma_async") {
		if len(in.Operands) > 1 {
			d, a := fragments(in)
			find(&u.d, d)
			find(&u.a, a)
		}
		return u
	}
	for n, writes := range in.Names() {
		if writes {
			find(&u.writes, n)
		} else {
			find(&u.reads, n)
		}
	}
	if _, _, ok := moveOf(in); ok && len(u.reads) == 1 && len(u.writes) == 1 {
		u.from, u.to = u.reads[0], u.writes[0]
	}
	return u
}

// solve computes the states at the beginning of each block.
func (s *stageReader) solve() {
	s.in = make([][]set, len(s.g.First))
	start := slices.Repeat([]set{fenced}, len(s.of))
	if s.decl.Entry {
		start[begun] = written
	}
	s.in[0] = start
	waits := make([]bool, len(s.g.First)) // by block: whether it is in todo
	for todo := []int{0}; len(todo) > 0 && !s.enough(len(s.of)); {
		b := todo[len(todo)-1]
		todo, waits[b] = todo[:len(todo)-1], false
		out := slices.Clone(s.in[b])
		if b < len(s.g.First)-1 {
			s.pass(b, out, nil)
		}
		for _, to := range s.g.To[b] {
			if s.meet(to, out) && !waits[to] {
				todo, waits[to] = append(todo, to), true
			}
		}
	}
}

// meet adds states to those at the beginning of block b, and reports whether any state changed.
func (s *stageReader) meet(b int, states []set) bool {
	if s.in[b] == nil {
		s.in[b] = slices.Clone(states)
		return true
	}
	more := false
	for k, x := range states {
		if x&^s.in[b][k] != 0 {
			s.in[b][k] |= x
			more = true
		}
	}
	return more
}

// pass applies the instructions of block b to states. If judge is not nil, pass calls it before each instruction.
func (s *stageReader) pass(b int, states []set, judge func(i int, states []set)) {
	for i := s.g.First[b]; i < s.g.First[b+1] && !s.enough(1); i++ {
		if judge != nil {
			judge(i, states)
		}
		s.step(i, states)
	}
}

// step applies instruction i to states.
func (s *stageReader) step(i int, states []set) {
	in, u := s.g.Code[i], &s.uses[i]
	sure := in.Pred == ""
	put := func(k int, x set) {
		if sure {
			states[k] = x
		} else {
			states[k] |= x
		}
	}
	switch {
	case in.Op.Name() == "wgmma":
		s.stepWgmma(in, u, states, put)
	case in.Op.Name() == "call" && s.mayHaveWgmma(s.callee(in)):
		for k := range states { // the called function may contain a fence or a wait
			states[k] = fenced
		}
	case u.from != 0:
		put(u.to, states[u.from])
	default:
		for _, k := range u.writes {
			x := states[k] & underWay // a later write does not change this
			if states[k]&^underWay != 0 {
				x |= written
			}
			put(k, x)
		}
	}
}

func (s *stageReader) stepWgmma(in *ptx.Instr, u *use, states []set, put func(int, set)) {
	switch {
	case in.Op.Has("fence"):
		for k := range states { // even if the fence has a predicate: the accesses that it orders have the same predicate
			if states[k]&written != 0 {
				states[k] = states[k]&^written | fenced
			}
		}
		states[inStage] = openingStage
	case in.Op.Has("mma_async"):
		for _, k := range u.d {
			put(k, firstFlight)
		}
		for _, k := range u.a {
			if states[k]&flights == 0 {
				put(k, firstInput)
			}
		}
	case in.Op.Has("commit_group"):
		for k := firstOf; k < len(states); k++ {
			put(k, states[k].commit())
		}
	case in.Op.Has("wait_group") && len(in.Operands) == 1:
		if n, ok := in.Operands[0].(ptx.Int); ok && n >= 0 {
			stepWait(int(min(n, ages)), states, put)
		}
	}
}

// stepWait applies wgmma.wait_group n to states.
func stepWait(n int, states []set, put func(int, set)) {
	for k := firstOf; k < len(states); k++ {
		put(k, states[k].wait(n))
	}
	if n == 0 {
		put(inStage, nobodyInFlight)
	}
}

// judge reports the rules that instruction i breaks.
func (s *stageReader) judge(i int, states []set) {
	in, u := s.g.Code[i], &s.uses[i]
	switch name := in.Op.Name(); {
	case is(in, "wgmma", "mma_async"):
		s.judgeFence(i, states)
	case name == "call":
		s.judgeCall(i, states)
	case (name == "exit" || name == "ret") && s.decl.Entry:
		s.judgeEnd(i, states)
	case u.from == 0:
		for _, k := range u.reads {
			s.judgeUse(i, k, access{states[k], flights, "reads"})
		}
		for _, k := range u.writes {
			s.judgeUse(i, k, access{states[k], underWay, "writes"})
		}
	}
	if states[inStage] == openingStage && in.Op.Name() != "wgmma" {
		s.collect(in, u)
	}
}

// collect records the accesses of an instruction to registers of wgmma within a stage.
func (s *stageReader) collect(in *ptx.Instr, u *use) {
	move := stagedAs(0)
	if u.from != 0 {
		move = stagedMove
	}
	if len(u.reads) > 0 {
		s.staged = append(s.staged, staged{in, stagedRead + move})
	}
	if len(u.writes) > 0 {
		s.staged = append(s.staged, staged{in, stagedWrite + move})
	}
	if in.Op.Name() == "call" {
		s.staged = append(s.staged, staged{in, stagedCall})
	}
}
