package diagnose

import "strings"

// The tools that print messages.
const (
	toolCute     = "CuTe C++"
	toolCutlass  = "CUTLASS"
	toolDSL      = "CuTe DSL"
	toolPycute   = "pycute"
	toolPyCute   = "PyCuTe"
	toolTriton   = "Triton"
	toolTileLang = "TileLang"
	toolDriver   = "CUDA driver"
)

// A rule is a table row for a known message.
type rule struct {
	says     string // lower-case pieces of the message, or of the source that it repeats, separated by bars: a|b
	in       string // at least one of these functions is in the backtrace, if the words alone say too little
	tool     string
	op       string
	function string // the function that makes the check, for texts without a place
	demand   string // the condition that must hold
	look     func(*failure)
	from     string // words that identify the tool, separated by bars; if not "", the text must contain one of them
	alone    bool   // the words are enough evidence on a line that does not have the form of an error
	symptom  bool   // the failure is a consequence of another exception in the text, if there is one
	weak     bool   // the failure is usually a consequence of another failure of the same call
}

// A failure is an unfinished finding, with its message and the evaluator.
type failure struct {
	*Finding
	m *message
	*evaluator
}

// ruleList is a table of rules. The first rule that fits a message is used.
type ruleList []rule

// rules is the list of all rules. More specific rules come first.
var rules = func() (all ruleList) {
	for _, t := range []ruleList{
		faultRules, routeRules, supportRules, edgeRules, canonicalRules, wgmmaRules, instructionRules, algebraRules,
		copyRules, mmaRules, tmaRules, dslRules, pycuteRules, tritonRules, plainRules,
	} {
		all = append(all, t...)
	}
	return all
}()

// fits reports whether the rule is about the message; words is the message's text and source in lower case.
func (r *rule) fits(m *message, words string) bool {
	for piece := range strings.SplitSeq(r.says, "|") {
		if !strings.Contains(words, piece) {
			return false
		}
	}
	return r.in == "" || m.frame(strings.Split(r.in, "|")...) != nil
}

// find returns the rule for a message, or nil.
func (rs ruleList) find(m *message) *rule {
	words := strings.ToLower(m.text + " \n " + m.source)
	for i := range rs {
		if rs[i].fits(m, words) && rs[i].ofTool(m) {
			return &rs[i]
		}
	}
	return nil
}

// ofTool reports whether a message is from the rule's tool, which matters if other tools use the same words.
func (r *rule) ofTool(m *message) bool {
	if r.from == "" || m.tool == r.tool {
		return true
	}
	above := m.above[max(0, len(m.above)-maxNear):]
	around := strings.ToLower(m.body[:min(len(m.body), maxNear)] + above + m.place + m.caller)
	for word := range strings.SplitSeq(r.from, "|") {
		if strings.Contains(around, word) {
			return true
		}
	}
	return false
}

// maxKnown limits the length, in bytes, of a line without the form of an error that is searched for known words.
const maxKnown = 4096

// hasWords reports whether a line has the words of a rule that needs no backtrace. Some texts are only such a line.
func (rs ruleList) hasWords(t string) bool {
	if len(t) > maxKnown || len(t) < 8 {
		return false
	}
	words := strings.ToLower(t)
	alone := strings.Trim(words, " \t\"'`.;:")
	for i := range rs {
		if r := &rs[i]; r.in == "" && (r.alone || r.telling() || r.says == alone) && r.fits(&message{}, words) {
			return true
		}
	}
	return false
}

// telling reports whether a rule's words are enough evidence anywhere: the words are long, or do not occur in prose.
func (r *rule) telling() bool {
	return len(r.says) >= 20 || len(r.says) >= 14 && strings.Contains(r.says, "_") && strings.Contains(r.says, "%")
}

// frame returns the innermost frame of one of the functions, or nil.
//
//go:noinline
func (m *message) frame(names ...string) *frame {
	for i := range m.frames {
		for _, name := range names {
			if m.frames[i].name == name {
				return &m.frames[i]
			}
		}
	}
	return nil
}

// outermost returns the outermost frame of one of the functions, or nil.
func (m *message) outermost(names ...string) *frame {
	for i := len(m.frames) - 1; i >= 0; i-- {
		for _, name := range names {
			if m.frames[i].name == name {
				return &m.frames[i]
			}
		}
	}
	return nil
}

// via returns the functions of CuTe that the backtrace passes through, outermost first. It leaves out the functions in
// machinery.
func (m *message) via() []string {
	var names []string
	for i := len(m.frames) - 1; i >= 0; i-- {
		f := &m.frames[i]
		name := f.name
		if machinery[name] || name == "" || strings.HasPrefix(name, "<") || !f.hasValues() && !library(f.place) {
			continue
		}
		if n := len(names); n == 0 || names[n-1] != name {
			names = append(names, name)
		}
	}
	return names
}

// machinery lists functions that occur in most backtraces of CuTe.
var machinery = map[string]bool{
	"lambda": true, "operator()": true, "operator": true, "fold": true, "fold_first": true, "transform": true,
	"transform_layout": true,
	"tapply":           true, "apply": true, "transform_apply": true, "transform_leaf": true, "transform_tuple": true,
	"for_each":    true,
	"FoldAdaptor": true, "filter_tuple": true, "tuple_cat": true, "get": true, "explode": true, "explode_tuple": true,
	"tuple_element": true, "append": true, "construct": true, "zip2_by": true, "call_": true,
}
