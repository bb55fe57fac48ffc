package lint

import (
	"strconv"
	"strings"

	"girih/ptx"
)

// A Func is what the log of ptxas -v says about a function.
type Func struct {
	Name        ptx.Name `json:"name"`
	Registers   int      `json:"registers,omitempty"` // per thread
	Stack       int      `json:"stack,omitempty"`     // bytes of local memory per thread
	SpillStores int      `json:"spill_stores,omitempty"`
	SpillLoads  int      `json:"spill_loads,omitempty"`
	Serialized  []string `json:"serialized,omitempty"` // the reasons why ptxas serializes wgmma
	Ignored     string   `json:"ignored,omitempty"`    // the reason why ptxas ignores setmaxnreg
	Injected    []Added  `json:"injected,omitempty"`
}

// An Added is an instruction that ptxas inserts because registers of wgmma are used without it.
type Added struct {
	Op   ptx.Op `json:"op"`   // wgmma.fence or wgmma.wait_group
	Line int    `json:"line"` // a line of the PTX; the instruction is inserted near it
}

// readLog reads what ptxas -v prints. It reads these lines, wherever they are:
//
//	ptxas info    : Compiling entry function 'k' for 'sm_90a'
//	ptxas info    : Function properties for k
//	    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
//	ptxas info    : Used 168 registers, used 3 barriers
//	ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ... in the function 'k'
//	ptxas info    : (C7517) warpgroup.wait is injected in around line 466 by compiler to allow use of ... in function 'k'
//	ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register count at entry.
func readLog(log string) logReader {
	r := logReader{at: -1, numbers: map[string]int{}}
	for line := range strings.Lines(log) {
		r.line(strings.TrimSpace(line))
	}
	return r
}

// logReader is the state and the result of readLog.
type logReader struct {
	list    []Func
	numbers map[string]int // index into the list of functions, by name
	at      int            // the function to which lines without a name refer; -1 if there is none
}

// function returns the index of the entry for the function called name. It adds an entry if there is none.
func (r *logReader) function(name string) int {
	i, ok := r.numbers[name]
	if !ok {
		i = len(r.list)
		r.numbers[name] = i
		r.list = append(r.list, Func{Name: ptx.Name(name)})
	}
	return i
}

func (r *logReader) line(s string) {
	if _, name, ok := strings.Cut(s, "Compiling entry function '"); ok {
		name, _, _ = strings.Cut(name, "'")
		r.at = r.function(name)
		return
	}
	if _, name, ok := strings.Cut(s, "Function properties for "); ok {
		r.at = r.function(strings.Trim(name, "'"))
		return
	}
	if _, why, ok := strings.Cut(s, "wgmma.mma_async instructions are serialized due to "); ok {
		if why, f := r.cutName(why); f != nil {
			f.Serialized = append(f.Serialized, why)
		}
		return
	}
	if what, where, ok := strings.Cut(s, " is injected in around line "); ok {
		if where, f := r.cutName(where); f != nil {
			f.Injected = append(f.Injected, readAdded(what, where))
		}
		return
	}
	if r.at < 0 {
		return
	}
	f := &r.list[r.at]
	if _, why, ok := strings.Cut(s, "'setmaxnreg' ignored"); ok {
		f.Ignored = strings.Trim(why, "; .")
	}
	if n, ok := numberBefore(s, " bytes stack frame"); ok {
		f.Stack = n
	}
	if n, ok := numberBefore(s, " bytes spill stores"); ok {
		f.SpillStores = n
	}
	if n, ok := numberBefore(s, " bytes spill loads"); ok {
		f.SpillLoads = n
	}
	if n, ok := numberBefore(s, " registers"); ok && strings.Contains(s, "Used ") {
		f.Registers = n
	}
}

// cutName removes the name of a function from the end of a message, and returns that function. Without a name it
// returns the current function, or nil if there is none.
func (r *logReader) cutName(message string) (string, *Func) {
	at := r.at
	for _, words := range [...]string{"in the function '", "in function '"} {
		if before, name, ok := strings.Cut(message, words); ok {
			name, _, _ = strings.Cut(name, "'")
			message, at = before, r.function(name)
			break
		}
	}
	if at < 0 {
		return message, nil
	}
	return strings.TrimSpace(message), &r.list[at]
}

// readAdded reads the text of a message about an inserted instruction: what names the instruction in the words of
// ptxas, and where begins with the line.
func readAdded(what, where string) Added {
	a := Added{Op: "wgmma.fence"}
	if strings.HasSuffix(what, "warpgroup.wait") {
		a.Op = "wgmma.wait_group"
	}
	number, _, _ := strings.Cut(where, " ")
	a.Line, _ = strconv.Atoi(number)
	return a
}

// numberBefore returns the number that precedes words in s.
func numberBefore(s, words string) (int, bool) {
	before, _, ok := strings.Cut(s, words)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(before[strings.LastIndexByte(before, ' ')+1:])
	return n, err == nil
}

// addLog reports what the log says about the function, and names the instructions of the PTX that caused it.
func (c *checker) addLog() {
	i, ok := c.log.numbers[string(c.decl.Name)]
	if !ok {
		return
	}
	f := c.log.list[i]
	if f.SpillStores+f.SpillLoads > 0 {
		c.say(mark{ruleSpills, Hint}, nil, "ptxas spills: %d bytes of stores and %d of loads, with %s and a stack of %s",
			f.SpillStores, f.SpillLoads, plural(f.Registers, "register"), plural(f.Stack, "byte"))
	}
	if f.Ignored != "" {
		for _, in := range c.g.Code {
			if in.Op.Name() == "setmaxnreg" {
				c.say(mark{ruleSetmaxnr, Hint}, in, "ptxas ignores it: %s", f.Ignored)
			}
		}
	}
	for _, why := range f.Serialized {
		c.blame(why)
	}
	for _, a := range f.Injected {
		c.say(mark{ruleInjected, Hint}, c.near(a.Line),
			"ptxas adds %s about here, for registers of wgmma that are used without it", a.Op)
	}
}

// near returns the first instruction of the function at or after a line, or nil.
func (c *checker) near(line int) *ptx.Instr {
	for _, in := range c.g.Code {
		if int(in.Pos.Line) >= line {
			return in
		}
	}
	return nil
}

// A reason is a reason for which ptxas serializes wgmma: words of its message, and the kind of access within a
// stage that causes it.
type reason struct {
	words, what string
	as          stagedAs
}

var reasons = [...]reason{
	{"defining", "writes a register of wgmma", stagedWrite},
	{"reading accumulator", "reads an accumulator", stagedRead},
	{"function boundary", "calls a function", stagedCall},
	{"extern calls", "calls a function", stagedCall},
}

// blame names the instructions that cause ptxas to serialize wgmma for the reason why.
func (c *checker) blame(why string) {
	for i := range reasons {
		r := &reasons[i]
		if !strings.Contains(why, r.words) {
			continue
		}
		list := c.stagedInstructions(r.as)
		if len(list) == 0 {
			list = c.stagedInstructions(r.as + stagedMove) // also moves, although ptxas removes most of them
		}
		if len(list) > 0 {
			c.say(mark{ruleSerial, Hint}, list[0],
				"%s between wgmma.fence and wgmma.wait_group, for which ptxas serializes wgmma (%s)%s",
				r.what, why, others(list))
			return
		}
	}
	for _, l := range c.report.Lines {
		if l.Kernel == c.decl.Name && strings.HasPrefix(l.Rule, "wgmma-") {
			c.say(mark{ruleSerial, Hint}, nil, "ptxas serializes wgmma (%s): line %d breaks a rule of the stage, %s",
				why, l.Line, l.Rule)
			return
		}
	}
	c.say(mark{ruleSerial, Hint}, nil, "ptxas serializes wgmma (%s), and no instruction of the PTX is found to cause it",
		why)
}

// stagedInstructions returns the instructions with accesses of the given kind within stages.
func (c *checker) stagedInstructions(as stagedAs) (list []*ptx.Instr) {
	for _, a := range c.staged {
		if a.as == as && (len(list) == 0 || list[len(list)-1] != a.in) {
			list = append(list, a.in)
		}
	}
	return list
}

// others returns a phrase such as "; 2 more instructions to line 90" for the instructions of a list after the
// first. It returns "" if there are none.
func others(list []*ptx.Instr) string {
	if len(list) == 1 {
		return ""
	}
	return "; " + plural(len(list)-1, "more instruction") + " to line " + strconv.Itoa(int(list[len(list)-1].Pos.Line))
}
