package lint

import (
	"slices"
	"strconv"
	"strings"

	"girih/ptx"
)

// Func is what the log of ptxas -v says of a function.
type Func struct {
	Name        ptx.Name `json:"name"`
	Registers   int      `json:"registers,omitempty"` // of a thread
	Stack       int      `json:"stack,omitempty"`     // bytes of local memory of a thread
	SpillStores int      `json:"spill_stores,omitempty"`
	SpillLoads  int      `json:"spill_loads,omitempty"`
	Serialized  []string `json:"serialized,omitempty"` // why wgmma is serialized
	Ignored     string   `json:"ignored,omitempty"`    // why setmaxnreg is ignored
}

// readLog reads what ptxas -v prints. It reads these lines, wherever they are:
//
//	ptxas info    : Compiling entry function 'k' for 'sm_90a'
//	ptxas info    : Function properties for k
//	    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
//	ptxas info    : Used 168 registers, used 3 barriers
//	ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ... in the function 'k'
//	ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register count at entry.
func readLog(log string) logReader {
	r := logReader{at: -1, numbers: map[string]int{}}
	for line := range strings.Lines(log) {
		r.line(strings.TrimSpace(line))
	}
	return r
}

// logReader is the state of readLog, and its result.
type logReader struct {
	list    []Func
	numbers map[string]int // of the functions, by name
	at      int            // the function that lines without a name are about; -1 for none
}

// function returns the entry of a name, and makes it if there is none.
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
		at := r.at
		if before, name, ok := strings.Cut(why, "in the function '"); ok {
			name, _, _ = strings.Cut(name, "'")
			why, at = before, r.function(name)
		} else if before, name, ok := strings.Cut(why, "in function '"); ok {
			name, _, _ = strings.Cut(name, "'")
			why, at = before, r.function(name)
		}
		if at >= 0 {
			r.list[at].Serialized = append(r.list[at].Serialized, strings.TrimSpace(why))
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

// numberBefore returns the number before the words in s.
func numberBefore(s, words string) (int, bool) {
	before, _, ok := strings.Cut(s, words)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(before[strings.LastIndexByte(before, ' ')+1:])
	return n, err == nil
}

// addLog adds what the log says of the function, with the instructions of the PTX that are the cause.
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
}

// A reason is a reason of ptxas, by words of its message, and the accesses within stages that are such.
type reason struct {
	words string
	what  string
	is    func(a staged) bool
}

func reasons() []reason {
	return []reason{
		{"defining accumulator registers", "writes an accumulator between wgmma.fence and wgmma.wait_group", func(a staged) bool { return a.writes && !a.input }},
		{"reading accumulator registers", "reads an accumulator between wgmma.fence and wgmma.wait_group", func(a staged) bool { return !a.writes && a.in.Op.Name() != "call" }},
		{"defining input registers", "writes a register of A between wgmma.fence and wgmma.wait_group", func(a staged) bool { return a.writes }},
		{"function boundary", "calls a function between wgmma.fence and wgmma.wait_group", func(a staged) bool { return a.in.Op.Name() == "call" }},
		{"extern calls", "calls a function between wgmma.fence and wgmma.wait_group", func(a staged) bool { return a.in.Op.Name() == "call" }},
	}
}

// blame names the instructions for which ptxas serializes wgmma, for one of its reasons.
func (c *checker) blame(why string) {
	for _, r := range reasons() {
		if !strings.Contains(why, r.words) {
			continue
		}
		list := slices.DeleteFunc(slices.Clone(c.staged), func(a staged) bool { return !r.is(a) })
		if own := slices.DeleteFunc(slices.Clone(list), func(a staged) bool { return a.move }); len(own) > 0 {
			list = own // moves mostly vanish in ptxas
		}
		if len(list) > 0 {
			c.say(mark{ruleSerial, Hint}, list[0].in, "%s, for which ptxas serializes wgmma (%s)%s", r.what, why, others(list))
			return
		}
	}
	for _, l := range c.report.Lines {
		if l.Func == c.decl.Name && strings.HasPrefix(l.Rule, "wgmma-") {
			c.say(mark{ruleSerial, Hint}, nil, "ptxas serializes wgmma (%s): line %d breaks a rule of the stage, %s",
				why, l.Pos.Line, l.Rule)
			return
		}
	}
	c.say(mark{ruleSerial, Hint}, nil, "ptxas serializes wgmma (%s), and no instruction of the PTX is found to cause it",
		why)
}

// others says how many further instructions are in a list.
func others(list []staged) string {
	n, last := 0, list[0].in
	for _, a := range list[1:] {
		if a.in != last {
			n, last = n+1, a.in
		}
	}
	if n == 0 {
		return ""
	}
	return "; " + plural(n, "more instruction") + " to line " + strconv.Itoa(int(last.Pos.Line))
}
