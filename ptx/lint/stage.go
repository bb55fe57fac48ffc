package lint

import (
	"fmt"
	"slices"

	"girih/ptx"
)

// This file follows the registers of wgmma along the branches of a function. Between a write to a register and a wgmma
// that uses it there has to be a wgmma.fence, and between a wgmma and the next use of its registers a wgmma.wait_group
// that covers its group (PTX ISA, wgmma.fence, wgmma.wait_group).
//
// The state of a register is a set of what may be true there:
//
//	fenced     no write since the last wgmma.fence
//	written    a write since then
//	flight N   an accumulator of a wgmma with N commit_group after it, N from 0 to 7
//	input N    the same for registers of A, which the wgmma only reads
//
// Where paths meet, the set is the union. If all of a set breaks a rule, the line is a fault; if a part does, it is
// about a path. For example, after
//
//	wgmma D; commit_group; @p wgmma.wait_group 0;
//
// D is in {flight 1, fenced}, and a load of D is of the grade path. mov copies the state with the value, because
// compilers rename accumulators so, and ptxas removes such moves.

// A set holds states.
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
	begun              = 0 // the number of the state of the function itself: whether there was a wgmma.fence
	inStage            = 1 // written in a stage, from wgmma.fence to wgmma.wait_group 0; otherwise fenced
	firstOf            = 2
	maxStates          = 1 << 23
	openingStage   set = written
	nobodyInFlight set = fenced
)

// commit ages the flights of s by one group.
func (s set) commit() set {
	f, in := s&flights, s&inputs
	oldF, oldIn := f&(firstFlight<<(ages-1)), in&(firstInput<<(ages-1))
	return s&^underWay | f<<1&flights | oldF | in<<1&inputs | oldIn
}

// wait ends the flights that a wgmma.wait_group n covers: those with more than n groups after them, their own included.
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

// use is what an instruction does with watched registers.
type use struct {
	reads, writes []int
	from, to      int // of a move between watched registers; 0 for none
	d, a          []int
}

// A stageReader reads the stages of one function.
type stageReader struct {
	*checker
	numbers []int // by register: the number of its state; 0 for none
	of      []int // the register of each state
	uses    []use
	in      [][]set     // by block; nil if the block has not been reached
	prev    [][]int     // the blocks before each block
	sought  int         // instructions that back has looked at
	said    map[int]int // lines of the report, by cause
	counts  map[int]int // by line of the report: further instructions with the same cause
}

// staged is an access to a register of a wgmma within a stage.
type staged struct {
	in *ptx.Instr
	as stagedAs
}

// stagedAs is what such an access does.
type stagedAs int

const (
	stagedRead stagedAs = iota
	stagedWrite
	stagedCall
	stagedMove // is added for moves
)

func is(in *ptx.Instr, name, part string) bool {
	return in.Op.Name() == name && in.Op.Has(part)
}

// stages checks the wgmma of the function.
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

// watch numbers the registers of wgmma, and those that are moved from or to them. It reports whether there is a wgmma.
func (s *stageReader) watch() bool {
	found := false
	for i, in := range s.g.Code {
		if is(in, "wgmma", "mma_async") && len(in.Operands) > 1 {
			found = true
			namesIn(in.Operands[0], func(n ptx.Name) { s.number(s.reg(i, n)) })
			if a, ok := in.Operands[1].(ptx.Vec); ok {
				namesIn(a, func(n ptx.Name) { s.number(s.reg(i, n)) })
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

// follow numbers the registers that are moved from or to numbered ones, by sets of registers that are moved to each
// other.
func (s *stageReader) follow() {
	up := make([]int, len(s.names)) // another register of the set, or the register itself
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

// moveOf returns the registers of a move from one to another.
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

// nameOf returns the name of the register with a state.
func (s *stageReader) nameOf(k int) ptx.Name { return s.names[s.of[k]] }

// useOf returns which watched registers an instruction names.
func (s *stageReader) useOf(i int, in *ptx.Instr) use {
	var u use
	find := func(list *[]int) func(ptx.Name) {
		return func(n ptx.Name) {
			if k := s.numbers[s.reg(i, n)]; k != 0 {
				*list = append(*list, k)
			}
		}
	}
	if is(in, "wgmma", "mma_async") {
		if len(in.Operands) > 1 {
			namesIn(in.Operands[0], find(&u.d))
			if a, ok := in.Operands[1].(ptx.Vec); ok {
				namesIn(a, find(&u.a))
			}
		}
		return u
	}
	operandsOf(in, func(n ptx.Name, writes bool) {
		if writes {
			find(&u.writes)(n)
		} else {
			find(&u.reads)(n)
		}
	})
	if _, _, ok := moveOf(in); ok && len(u.reads) == 1 && len(u.writes) == 1 {
		u.from, u.to = u.reads[0], u.writes[0]
	}
	return u
}

// solve finds the states at the beginning of each block.
func (s *stageReader) solve() {
	s.in = make([][]set, len(s.g.First))
	start := slices.Repeat([]set{fenced}, len(s.of))
	if s.decl.Entry {
		start[begun] = written
	}
	s.in[0] = start
	waits := make([]bool, len(s.g.First)) // in todo
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

// meet adds states to those at the beginning of a block, and reports whether some were new.
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

// pass executes the instructions of a block on states. judge, if not nil, sees the states before each instruction.
func (s *stageReader) pass(b int, states []set, judge func(i int, states []set)) {
	for i := s.g.First[b]; i < s.g.First[b+1] && !s.enough(1); i++ {
		if judge != nil {
			judge(i, states)
		}
		s.step(i, states)
	}
}

// step executes one instruction on states.
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
		for k := range states { // the function may fence, and may wait
			states[k] = fenced
		}
	case u.from != 0:
		put(u.to, states[u.from])
	default:
		for _, k := range u.writes {
			x := states[k] & underWay // that it is written changes nothing
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
		for k := range states { // also under a predicate: what it guards is guarded alike
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

// stepWait executes wgmma.wait_group n.
func stepWait(n int, states []set, put func(int, set)) {
	for k := firstOf; k < len(states); k++ {
		put(k, states[k].wait(n))
	}
	if n == 0 {
		put(inStage, nobodyInFlight)
	}
}

// judge reports what instruction i does against the rules.
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

// collect keeps the accesses to registers of wgmma within a stage.
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

// grade returns the grade of a rule that the states of bad break, and whether any does.
func grade(x, bad set) (Grade, bool) {
	switch {
	case x&bad == 0:
		return "", false
	case x&^bad == 0:
		return Fault, true
	}
	return Path, true
}

// onPath is the end of a sentence about a line of a grade.
func onPath(g Grade) string {
	if g == Path {
		return ", on a path through the branches"
	}
	return ""
}

func (s *stageReader) judgeFence(i int, states []set) {
	in, u := s.g.Code[i], &s.uses[i]
	if g, bad := grade(states[begun], written); bad {
		s.say(mark{ruleFence, g}, in, "no wgmma.fence comes before this wgmma%s: one has to come before the first wgmma of a kernel",
			onPath(g))
		return
	}
	count, first, worst := 0, 0, Path
	for _, k := range slices.Concat(u.d, u.a) {
		if g, bad := grade(states[k], written); bad {
			if count == 0 || g == Fault && worst != Fault {
				first, worst = k, g
			}
			count++
		}
	}
	if count == 0 {
		return
	}
	what := fmt.Sprintf("%s, a register", s.nameOf(first))
	if count > 1 {
		what = fmt.Sprintf("%s, one of %d registers", s.nameOf(first), count)
	}
	l := s.say(mark{ruleFence, worst}, in, "no wgmma.fence comes between a write to %s of this wgmma, and the wgmma%s",
		what, onPath(worst))
	if w := s.back(i, first, isWrite); w >= 0 {
		l.Other = s.lineOf(w)
		l.Text = fmt.Sprintf("%s at line %d writes %s of this wgmma, and no wgmma.fence comes between the two%s",
			s.g.Code[w].Op, l.Other, what, onPath(worst))
	}
}

// access is a use of a register: the states of the register, those in which it may not be used, and the verb.
type access struct {
	is, bad set
	verb    string
}

func (s *stageReader) judgeUse(i, k int, a access) {
	g, bad := grade(a.is, a.bad)
	if !bad {
		return
	}
	in, w := s.g.Code[i], s.back(i, k, isWgmma)
	cause := 4*w + len(g)%2*2 // fault and path differ in length
	if a.bad == flights {
		cause++
	}
	if at, ok := s.said[cause]; ok {
		if s.report.Lines[at].Line != s.lineOf(i) {
			s.counts[at]++
		}
		return
	}
	why := "no wgmma.wait_group covers it before"
	if a.is&a.bad == firstFlight || a.is&a.bad == firstInput {
		why = "no wgmma.commit_group puts it into a group that could be waited for"
	}
	at, what := "a wgmma that is", "accumulator"
	if w >= 0 {
		at = fmt.Sprintf("the wgmma at line %d, which is", s.lineOf(w))
	}
	if a.is&a.bad&flights == 0 {
		what = "part of A"
	}
	l := s.say(mark{ruleRegisters, g}, in, "%s %s, %s of %s under way%s: %s",
		a.verb, s.nameOf(k), what, at, onPath(g), why)
	if w >= 0 {
		l.Other = s.lineOf(w)
	}
	if s.report.More == 0 {
		s.said[cause] = len(s.report.Lines) - 1
	}
}

func (s *stageReader) judgeCall(i int, states []set) {
	all := set(0)
	worst := set(0)
	for _, x := range states[firstOf:] {
		if x&underWay != 0 {
			all |= x
			if x&^underWay == 0 {
				worst = x
			}
		}
	}
	if all == 0 {
		return
	}
	g := Path
	if worst != 0 {
		g = Fault
	}
	callee := s.callee(s.g.Code[i])
	unless := ""
	if f := s.module.Func(callee); f != nil && f.Body != nil {
		unless = ", unless it inlines the function"
	}
	s.say(mark{ruleCall, Hint}, s.g.Code[i], "calls %s while a wgmma is under way%s: ptxas serializes the wgmma%s",
		callee, onPath(g), unless)
}

// mayHaveWgmma reports whether a function may execute wgmma, its fence or its waits: if its text has one or a call, or
// is not in the module.
func (x *text) mayHaveWgmma(name ptx.Name) bool {
	if slices.Contains([]ptx.Name{"vprintf", "__assertfail", "malloc", "free"}, name) {
		return false
	}
	may, known := x.wgmma[name]
	if known {
		return may
	}
	f := x.module.Func(name)
	may = f == nil || f.Body == nil
	if !may {
		for s := range f.Stmts() {
			if in, ok := s.(*ptx.Instr); ok && (in.Op.Name() == "wgmma" || in.Op.Name() == "call") {
				may = true
				break
			}
		}
	}
	x.wgmma[name] = may
	return may
}

// lineOf returns the line of instruction i.
func (c *checker) lineOf(i int) int { return int(c.g.Code[i].Pos.Line) }

// callee returns the name of the function that a call names.
func (c *checker) callee(in *ptx.Instr) ptx.Name {
	for _, o := range in.Operands {
		if n, ok := o.(ptx.Name); ok {
			return n
		}
	}
	return "a function"
}

func (s *stageReader) judgeEnd(i int, states []set) {
	for k := firstOf; k < len(states); k++ {
		if g, bad := grade(states[k], flights); bad && g == Fault {
			in, w := s.g.Code[i], s.back(i, k, isWgmma)
			if w < 0 {
				continue
			}
			missing := "wgmma.wait_group is"
			if states[k] == firstFlight {
				missing = "wgmma.commit_group and wgmma.wait_group are"
			}
			l := s.say(mark{ruleEnd, Hint}, in, "the kernel ends while the wgmma at line %d is under way: %s missing",
				s.lineOf(w), missing)
			l.Other = s.lineOf(w)
			return
		}
	}
}

// A seeker says whether instruction i is what is looked for, and with which register the search goes on before it; a
// register below 0 ends the search on this path.
type seeker func(s *stageReader, i, k int) (found bool, next int)

// isWrite looks for a write to a register.
func isWrite(s *stageReader, i, k int) (bool, int) {
	in, u := s.g.Code[i], &s.uses[i]
	switch {
	case is(in, "wgmma", "fence"), slices.Contains(u.d, k):
		return false, -1
	case u.to == k && u.from != 0:
		return false, u.from
	}
	return slices.Contains(u.writes, k), k
}

// isWgmma looks for a wgmma of a register.
func isWgmma(s *stageReader, i, k int) (bool, int) {
	u := &s.uses[i]
	if u.to == k && u.from != 0 {
		return false, u.from
	}
	return slices.Contains(u.d, k) || slices.Contains(u.a, k), k
}

// maxSought limits the instructions that the searches of a function look at. After it, lines name no other instruction.
const maxSought = 1 << 26

// back looks for an instruction on the paths before i, the nearest in blocks first. It returns -1 if there is none.
func (s *stageReader) back(i, k int, seek seeker) int {
	s.findPrevious()
	b := s.g.Block[i]
	j, k := s.scan(b, scanned{i - 1, k}, seek)
	if j >= 0 || k < 0 {
		return j
	}
	n := len(s.of)
	seen := map[int]bool{}
	for queue := []int{b*n + k}; len(queue) > 0; queue = queue[1:] { // a block and a state
		for _, p := range s.prev[queue[0]/n] {
			j, k := s.scan(p, scanned{s.g.First[p+1] - 1, queue[0] % n}, seek)
			if j >= 0 {
				return j
			}
			if next := p*n + k; k >= 0 && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return -1
}

// findPrevious finds the blocks before each block.
func (s *stageReader) findPrevious() {
	if s.prev != nil {
		return
	}
	s.prev = make([][]int, len(s.g.First))
	for b, list := range s.g.To {
		for _, x := range list {
			s.prev[x] = append(s.prev[x], b)
		}
	}
}

// scanned is an instruction from which a search goes back, and the register that it is about.
type scanned struct{ from, k int }

// scan looks for an instruction in a block, backwards. It returns -1 and the register at the beginning of the block, or
// -1 and -1 if the search ends in the block.
func (s *stageReader) scan(b int, at scanned, seek seeker) (found, k int) {
	k = at.k
	for j := at.from; j >= s.g.First[b]; j-- {
		if s.sought++; s.sought > maxSought || s.enough(1) {
			return -1, -1
		}
		found, next := seek(s, j, k)
		if found {
			return j, k
		}
		if k = next; k < 0 {
			return -1, -1
		}
	}
	return -1, k
}
