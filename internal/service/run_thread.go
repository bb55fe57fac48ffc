//go:build !js || programs

package service

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/internal/lang/document"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/pattern"
)

// This file checks what a text says of threads and their values, as the documentation of MMA atoms derives its
// layouts:
//
//	(T0,V0) to (T1,V0) is a stride of 8	the strides of the layout of the cell below or above
//	T0V4 => (16,0)	the element of an operand of a TiledMMA
//	(0,0)→(1,0)(0,0)→(0,2), strides 1 and 16	the steps of an index m + n*M
//	threads 0~3 and 16~19	the image of ThrID
//
// The text may mean another layout. So a claim is a slip only if no layout near it agrees, and only if most of the
// claims of its kind in the document are right.

const (
	fromTo = pattern.Pattern(`\(T(\d+)\s*,\s*V(\d+)\)\s*(?:→|->|=>|to|and|和|到)?\s*\(T(\d+)\s*,\s*V(\d+)\)`)
	// The number that a sentence has for a step.
	stepWord = pattern.Pattern(`(?i)(?:strides?|步长|跨度|间隔|相隔|distance)`)
	clause   = pattern.Pattern(`^[^;；。\n]*`)
	aside    = pattern.Pattern(`\([^()]*\)|（[^（）]*）`)
	number   = pattern.Pattern(`\d+`)
	position = pattern.Pattern(`T(\d+)V(\d+)\s*(?:=>|->|→|:|=)?\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)`)
	located  = pattern.Pattern(`\(T(\d+)\s*,\s*V(\d+)\)[^()]{1,40}\([mn],\s*[nk]\)\s*=\s*\(\d+,\s*\d+\)\s*=\s*(\d+)`)
	jump     = pattern.Pattern(`\(0\s*,\s*0\)\s*(?:→|->|to)\s*\((\d+)\s*,\s*(\d+)\)`)
	jumps    = pattern.Pattern(`((?:\(0\s*,\s*0\)\s*(?:→|->|to)\s*\(\d+\s*,\s*\d+\)[\s,，、and]*){2,}).{0,20}?(?:步长|跨度|strides?)\s*(?:分别)?\s*(?:是|为|are|of)?\s*((?:\d+[\s、,，and]*)+)`)
	indexOf  = pattern.Pattern(`\(m\s*,\s*[nk]\)\s*==?\s*m\s*\+\s*[nk]\s*\*\s*M`)
	extentM  = pattern.Pattern(`M\s*=\s*(\d+)`)
	ofLayout = pattern.Pattern(`(?i)layout|tv`)
	physical = pattern.Pattern(`(?i)(?:物理|physical)[^\d;。]{0,20}((?:\d+\s*(?:~|～|-|–|to|到)\s*\d+[\s、,，和∪]*)+)`)
)

// threadClaims are the claims of a document by their kind, without words if they are right, and its TiledMMAs.
type threadClaims struct {
	steps, positions []Slip
	mmas             []string
	operands         []operandClaim // the claims about the first TiledMMAs
}

// An operandClaim is the layout (thread,value) -> index of operand A, B or C of a TiledMMA, and the extent of its tile
// that is the fast one; both are "" if there is none.
type operandClaim struct{ layout, extent string }

// threadLine reads the claims on threads of a line.
func (d *documentRun) threadLine(l document.Line) {
	steps := fromTo.FindAllStringSubmatch(l.Text, -1)
	rest := l.Text
	for i, m := range steps {
		_, after, _ := strings.Cut(rest, m[0])
		rest = after
		if i+1 < len(steps) {
			after, _, _ = strings.Cut(after, steps[i+1][0])
		}
		at := stepWord.FindStringIndex(after)
		if at == nil {
			continue
		}
		said := number.FindAllString(aside.ReplaceAllString(clause.FindString(after[at[1]:]), ""), -1)
		if len(said) == 0 {
			continue
		}
		d.later(l, m, said)
	}
	for _, m := range located.FindAllStringSubmatch(l.Text, -1) {
		d.later(l, []string{"", "0", "0", m[1], m[2]}, m[3:])
	}
	for _, m := range position.FindAllStringSubmatch(l.Text, -1) {
		d.position(l, m)
	}
	if indexOf.MatchString(l.Text) {
		d.p.ratio = d.p.names["Shape_MNK"] // (M,N,K)
		if m := extentM.FindStringSubmatch(l.Text); m != nil {
			d.p.ratio = m[1]
		}
	}
	if m := jumps.FindStringSubmatch(l.Text); m != nil && d.p.ratio != "" && !strings.Contains(l.Text, "(T") {
		d.jumps(l, m[1], m[2])
	}
	if m := physical.FindStringSubmatch(l.Text); m != nil {
		d.physicalThreads(l, m[1])
	}
}

// later checks a step with the layouts of threads and values of the cell above, and of the next cell that has any.
func (d *documentRun) later(l document.Line, m, said []string) {
	above := d.p.last
	var check func(values []interp.Watched)
	check = func(values []interp.Watched) {
		if d.p.line > l.Number+maxApart {
			return
		}
		if slices.ContainsFunc(values, isThreadLayout) {
			d.step(l, m, said, append(slices.Clone(above), values...))
		} else {
			d.p.pending = append(d.p.pending, check)
		}
	}
	d.p.pending = append(d.p.pending, check)
}

// isThreadLayout reports whether a value is a layout with a mode of threads and one of values.
func isThreadLayout(w interp.Watched) bool {
	l, ok := w.Result.Value.(eval.Layout)
	return ok && l.Rank() == 2 && ofLayout.MatchString(w.Name)
}

// step checks a step from one thread and value to another: m has the numbers of both.
func (d *documentRun) step(l document.Line, m, said []string, values []interp.Watched) {
	claim := Slip{Line: l.Number, Stated: said[len(said)-1]}
	for _, w := range values {
		if !isThreadLayout(w) || !hasThreads(w.Result.Value.(eval.Layout), m) {
			continue
		}
		step, ok := d.value("let x = " + w.Text + "; x(" + m[3] + "," + m[4] + ") - x(" + m[1] + "," + m[2] + ")")
		if !ok {
			continue
		}
		claim.Name, claim.Computed = w.Name, step.Value.String()
		if claim.Words = ""; slices.Contains(said, claim.Computed) {
			break
		}
		claim.Words = "this is the step in " + w.Text
	}
	if claim.Computed != "" {
		d.p.threads.steps = append(d.p.threads.steps, claim)
	}
}

// hasThreads reports whether a layout has the threads and values with the numbers m[1] to m[4].
func hasThreads(l eval.Layout, m []string) bool {
	for i, text := range m[1:5] {
		mode, err := l.Mode(i % 2)
		if n, bad := strconv.ParseInt(text, 10, 64); err != nil || bad != nil || n >= mode.Size() {
			return false
		}
	}
	return true
}

// position checks which element of an operand a thread has as one of its values, in any TiledMMA so far.
func (d *documentRun) position(l document.Line, m []string) {
	claim := Slip{Line: l.Number, Name: "T" + m[1] + "V" + m[2], Stated: "(" + m[3] + "," + m[4] + ")"}
	for _, o := range d.operands() {
		d.p.evals++
		at := fmt.Sprintf("let x = (%s)(%s,%s); (x %% %s, x / %s)", o.layout, m[1], m[2], o.extent, o.extent)
		v, _, fault := d.s.fresh().lastTyped(at)
		if fault != nil || v.Value == nil || d.p.evals > maxEvals {
			continue
		}
		if claim.Computed == "" {
			claim.Computed = v.Value.String()
			claim.Words = "no TiledMMA so far has this value there; operand A of the first has " + v.Value.String()
		}
		if v.Value.String() == claim.Stated {
			claim.Words, claim.Computed = "", claim.Stated
			d.p.threads.positions = append(d.p.threads.positions, claim)
			return
		}
	}
	if claim.Computed != "" {
		d.p.threads.positions = append(d.p.threads.positions, claim)
	}
}

// operands returns the operands of the TiledMMAs so far. A document with many positions has few of them.
func (d *documentRun) operands() []operandClaim {
	t := &d.p.threads
	for k := len(t.operands) / 3; k < len(t.mmas); k++ {
		for i, operand := range []string{"A", "B", "C"} {
			d.p.evals++
			f := d.s.fresh()
			l, _, fault := f.lastTyped(fmt.Sprintf("let mma = %s; tv(mma,%s)", t.mmas[k], operand))
			extent, _, wrong := f.lastTyped(fmt.Sprintf("get<%d>(tile_shape(mma))", i%2))
			o := operandClaim{}
			if fault == nil && wrong == nil && l.Value != nil && extent.Value != nil {
				o = operandClaim{l.Value.String(), extent.Value.String()}
			}
			t.operands = append(t.operands, o)
		}
	}
	return t.operands
}

// jumps checks the steps of an index m + n*M.
func (d *documentRun) jumps(l document.Line, steps, said string) {
	m, err := strconv.ParseInt(number.FindString(d.p.ratio), 10, 32)
	list, numbers := jump.FindAllStringSubmatch(steps, -1), number.FindAllString(said, -1)
	if err != nil || len(list) != len(numbers) {
		return
	}
	for i, step := range list {
		row, _ := strconv.ParseInt(step[1], 10, 32)
		column, _ := strconv.ParseInt(step[2], 10, 32)
		got := strconv.FormatInt(row+column*m, 10)
		slip := Slip{Line: l.Number, Name: step[0], Stated: numbers[i], Computed: got}
		if got != numbers[i] {
			slip.Words = fmt.Sprintf("%s + %s*%d is %s", step[1], step[2], m, got)
		}
		d.record(&slip)
	}
}

// physicalThreads compares ranges of threads with the image of ThrID, if they have most of it.
func (d *documentRun) physicalThreads(l document.Line, said string) {
	v, ok := d.value("ThrID")
	layout, isLayout := v.Value.(eval.Layout)
	if !ok || !isLayout || layout.Size() > 1<<10 {
		return
	}
	image, err := layout.AppendOffsets(nil)
	if err != nil {
		return
	}
	slices.Sort(image)
	var ends []string // the ends of the ranges of the image
	for i, t := range image {
		if i == 0 || image[i-1] != t-1 {
			ends = append(ends, fmt.Sprint(t))
		}
		if i+1 == len(image) || image[i+1] != t+1 {
			ends = append(ends, fmt.Sprint(t))
		}
	}
	stated := number.FindAllString(said, -1)
	if len(stated) != len(ends) || !slices.ContainsFunc(ends, func(t string) bool { return slices.Contains(stated, t) }) {
		return // the text is about other threads
	}
	slip := Slip{Line: l.Number, Name: "ThrID", Stated: strings.Join(stated, " "), Computed: strings.Join(ends, " ")}
	if slip.Stated != slip.Computed {
		slip.Words = "these are the first and the last threads of the ranges of ThrID, " + layout.String()
	}
	d.record(&slip)
}

// threadSlips reports the claims on threads that are false, if most of their kind are right.
func (d *documentRun) threadSlips() {
	for _, claims := range [][]Slip{d.p.threads.steps, d.p.threads.positions} {
		right := 0
		for _, c := range claims {
			if c.Words == "" {
				right++
			}
		}
		for i := 0; i < len(claims) && 2*right >= len(claims); i++ {
			c := &claims[i]
			if i+1 < len(claims) && c.Words != "" && claims[i+1].Computed == c.Stated && claims[i+1].Stated == c.Computed {
				i++
				c.Words += fmt.Sprintf("; it is exchanged with the step of line %d", claims[i].Line)
			}
			d.record(c)
		}
	}
}
