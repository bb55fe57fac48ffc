package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/lang/reader"
	"girih/internal/pattern"
	"girih/internal/why/condition"
)

// judgeStated checks the rule stated in the message itself against the values in the text. It reports whether the
// message states a rule.
func (f *failure) judgeStated() bool {
	if f.sameSizes() {
		return true
	}
	v, ok := condition.Judge(f.statement())
	if !ok {
		return false
	}
	f.verdict(v)
	return true
}

// complete adds the verdict on the message's own rule to a finding that has no numbers, or only the actual value.
func (f *failure) complete() {
	if f.Condition != "" && !strings.HasPrefix(f.Condition, "got ") && !strings.Contains(f.Message, f.Condition) {
		return
	}
	if f.Condition != "" && f.sameSizes() {
		return
	}
	v, ok := condition.Judge(f.statement())
	if !ok || !v.Certain || len(v.Fails) == 0 || len(v.Missing) > 0 {
		return
	}
	demand, got, repairs := f.Demand, f.Condition, f.Repairs
	f.Condition, f.Missing = "", nil
	f.verdict(v)
	if len(repairs) > 0 {
		f.Repairs = repairs // the table's repairs are better than the sentence's
	}
	if !strings.HasPrefix(demand, "what the message") {
		f.Demand = demand
	}
	if f.Condition == "" {
		f.Condition = got
	}
}

// maxNear limits the length, in bytes, of the text around a message that is read for values.
const maxNear = 1 << 14

// statement returns the parts of the message from which its rule is read.
func (f *failure) statement() condition.Text {
	t := condition.Text{Says: f.says(), Notes: firstLines(f.m.body, 16), Values: f.m.values()}
	for _, code := range []string{f.m.requirement, f.m.source} {
		if code != "" {
			t.Code = append(t.Code, code)
		}
	}
	before := f.m.above
	t.Near = f.m.body[:min(len(f.m.body), maxNear)] + "\n" + before[max(0, len(before)-maxNear):]
	return t
}

// reContinued finds a line that continues a message.
const reContinued = pattern.Pattern(`(?i)^\s*(?:E\s+)?(?:but |and )?(?:got|found|actual|received|expected|supported|must|given|with)\b`)

// says returns the message joined with the lines below it that continue it.
func (f *failure) says() string {
	text := f.m.text
	if _, after, ok := strings.Cut(text, ": "); ok && rePython.MatchString(text) {
		text = after // without the name of the exception
	}
	lines := strings.Split(firstLines(f.m.body, 6), "\n")
	for _, l := range lines[min(1, len(lines)):] {
		if len(l) > maxKnown || !reContinued.MatchString(l) {
			break
		}
		text += "\n" + strings.TrimSpace(l)
	}
	return text
}

// maxValues limits the values that are read from one backtrace.
const maxValues = 48

// values returns the numbers and tuples that a message's backtrace names: template arguments, and keyword arguments of
// Python calls.
func (m *message) values() (list []condition.Operand) {
	for i := range m.frames {
		fr := &m.frames[i]
		for _, p := range append(slices.Clone(fr.params), fr.placedParams()...) {
			if len(list) >= maxValues {
				return list
			}
			shape, stride, isLayout := strings.Cut(value(p.text), ":")
			for _, o := range condition.Collect(p.name + " = " + shape) {
				o.Where = "template argument of " + fr.name
				list = append(list, o)
			}
			if isLayout {
				for _, o := range condition.Collect(p.name + ".stride = " + stride) {
					o.Where = "template argument of " + fr.name
					list = append(list, o)
				}
			}
		}
		if len(fr.params)+len(fr.args) == 0 && strings.Contains(fr.head, "(") {
			for _, o := range condition.Collect(fr.head) {
				o.Where = "argument in " + fr.place
				list = append(list, o)
			}
		}
	}
	return list
}

// placedParams returns the arguments that a frame gives by position, with the names of the parameters.
func (f *frame) placedParams() (list []param) {
	for _, sig := range signatures()[f.name] {
		if len(sig) != len(f.args) {
			continue
		}
		for i, name := range sig {
			list = append(list, param{name: name, text: f.args[i]})
		}
		return list
	}
	return nil
}

// verdict fills the finding from a verdict: the rule, the values that break it, and the nearest values that keep it.
func (f *failure) verdict(v condition.Verdict) {
	f.Demand = oneLine(v.Demand)
	kept := make([]string, 0, len(v.Keeps))
	for _, c := range v.Keeps {
		kept = append(kept, checkedName(c))
	}
	keeps := ""
	if len(kept) > 0 {
		keeps = strings.Join(kept[:min(len(kept), maxListed)], ", ") + " keep" + third(len(kept)) + " the rule"
	}
	switch {
	case len(v.Fails) == 0 && keeps != "":
		f.Condition = ""
		f.Fact = keeps
		f.missing("the value that breaks the rule: the values in the text keep it")
	case len(v.Fails) > 0:
		f.fails(v, keeps)
	}
	for _, name := range v.Missing {
		f.missing(notSaid(name))
	}
}

// maxListed limits how many values of a verdict are listed.
const maxListed = 8

func third(n int) string {
	if n == 1 {
		return "s"
	}
	return ""
}

// notSaid returns the sentence that a value is missing from the text.
func notSaid(name string) string {
	if strings.Contains(name, ": ") || strings.HasPrefix(name, "the type ") {
		return name
	}
	return "the value of " + oneLine(name) + ": the message does not say it; print it before the call"
}

// checkedName returns the name of a value, with the value and where the text gives it.
func checkedName(c condition.Check) string {
	text := fmt.Sprintf("%s = %d", c.Name, c.Value)
	if c.Name == "" {
		text = fmt.Sprint(c.Value)
	}
	if c.Unit != "" {
		text += " " + c.Unit
	}
	if c.Where != "" {
		text += " (" + c.Where + ")"
	}
	return text
}

// fails records which values break a rule, why, and the nearest values that keep it.
func (f *failure) fails(v condition.Verdict, keeps string) {
	var why []string
	for _, c := range v.Fails[:min(len(v.Fails), maxListed)] {
		if c.Why == "" {
			continue
		}
		text := c.Why
		if c.Name != "" && !strings.Contains(c.Why, c.Name) {
			text = checkedName(c) + ": " + c.Why
		}
		why = append(why, text)
	}
	f.Condition = oneLine(strings.Join(why, "; "))
	if !v.Certain {
		f.Condition = oneLine("the message does not say which value it is about; of the values in the text, " + f.Condition)
		if len(v.Fails) == 1 {
			f.Condition = oneLine("of the values in the text only this one breaks the rule: " + strings.Join(why, "; "))
		}
	}
	if keeps != "" {
		f.Condition += "; " + keeps
	}
	for _, c := range v.Fails[:min(len(v.Fails), maxListed)] {
		f.next(c)
	}
}

// next offers the nearest values, below and above, in place of a value that breaks a rule.
func (f *failure) next(c condition.Check) {
	name := c.Name
	if name == "" {
		name = "the value"
	}
	unit := ""
	if c.Unit != "" {
		unit = " " + c.Unit
	}
	if n := c.Nearest; n.HasBelow {
		f.repair(Repair{Say: oneLine(fmt.Sprintf("%s = %d%s, the nearest below that keeps the rule (%d less)", name,
			n.Below, unit, c.Value-n.Below))})
	}
	if n := c.Nearest; n.HasAbove {
		f.repair(Repair{Say: oneLine(fmt.Sprintf("%s = %d%s, the nearest above that keeps the rule (%d more)", name,
			n.Above, unit, n.Above-c.Value))})
	}
}

const (
	reOneSize = pattern.Pattern(`(?i)\b(?:one size|(?:the )?same (?:size|number of elements)|equal sizes?|sizes? (?:must|should|do not|to) (?:match|agree|be equal))\b`)
	reOneRank = pattern.Pattern(`(?i)\b(?:same (?:rank|number of modes)|one rank|equal ranks?)\b`)
)

// sameSizes examines layouts that, according to the message, must have the same size or the same rank.
func (f *failure) sameSizes() bool {
	size, rank := reOneSize.MatchString(f.m.text), reOneRank.MatchString(f.m.text)
	if !size && !rank || strings.Contains(strings.ToLower(f.m.text), "mode-") {
		return false
	}
	var names []string
	var counts []int64
	for _, it := range f.quotedValues() {
		if it.Kind != reader.KindLayout || len(counts) == maxListed {
			continue
		}
		l, ok := layout(it.Text)
		if !ok {
			continue
		}
		n := l.Size()
		if rank {
			n = int64(l.Rank())
		}
		names, counts = append(names, strings.TrimSpace(it.Name+" "+it.Text)), append(counts, n)
	}
	if len(counts) < 2 || slices.Min(counts) == slices.Max(counts) {
		return false
	}
	noun := "elements"
	f.Demand = "all operands have the same number of elements"
	if rank {
		noun, f.Demand = "modes", "all operands have the same number of modes"
	}
	var parts []string
	for i, n := range counts {
		parts = append(parts, fmt.Sprintf("%s has %d %s", names[i], n, noun))
	}
	f.Pair = fmt.Sprintf("%d and %d", counts[0], counts[1])
	f.Condition = strings.Join(parts, ", ")
	return true
}
