//go:build !js || programs

package service

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"girih/internal/lang/document"
	"girih/internal/lang/program"
	"girih/internal/pattern"
)

// This file checks tables of shapes, whose extents are names:
//
//	Layout Shape : (M, N, L, ...)
//	Tiler Shape  : <TileM, TileN>
//	zipped_divide : ((TileM,TileN), (RestM,RestN,L,...))
//
// A row is computed with numbers, and the shape of the result is compared with the stated one.
// Each name gets a prime of its own, and M of a divide is TileM*RestM, so no two modes can be confused. Several
// assignments are tried, each with 0, 1 and 2 further modes instead of the three dots:
//
//	TileM=2 RestM=3 TileN=5 RestN=7 L=11: zipped_divide((6,35,11), <2,5>) has the shape ((2,5),(3,7,11))

// maxShapeModes is the largest number of modes in a table of shapes.
const maxShapeModes = 5

// primes are the extents of names: of as many modes and tiles, and of two further modes.
var primes = [...]int64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61}

// shapeShifts are the numbers of primes that assignments skip.
var shapeShifts = [...]int{0, 2, 4, 6}

const (
	shapeName  = pattern.Pattern(`[A-Za-z_]\w*\(?`) // a name; or the name of a function, with its opening bracket
	shapeDots  = pattern.Pattern(`\.\.\.|…`)
	dotsBefore = pattern.Pattern(`(?:\.\.\.|…)\s*,?`)
	dotsAfter  = pattern.Pattern(`,\s*(?:\.\.\.|…)`)
	anInteger  = pattern.Pattern(`\d+`)
	simpleMode = pattern.Pattern(`^(?:[A-Za-z]\w*|[1-9]\d{0,5})$`)
)

// A shapeCheck checks one row of a table of shapes.
type shapeCheck struct {
	d     *documentRun
	row   document.Claim
	modes []string // the modes of the layout in the row, without dots
	tiles []string
	rests map[string]int // the names of the remainders in the row, each with the mode that it belongs to
	isCut bool           // the row has dots in the place of further modes

	why    string // why the row is not checked; "" if it is checked
	trials int
	sample string // the names and their numbers in one trial
	slip   Slip   // Words is empty unless the row is false
}

// shapes checks the rows of a cell's tables. A row that is no comment has its answer as output.
func (d *documentRun) shapes(c document.Cell, code string, claims []document.Claim) {
	lines := strings.Split(code, "\n")
	for _, row := range claims {
		isOwn := row.Tiler != "" && strings.TrimSpace(lines[row.Line-1]) == ""
		if row.Tiler == "" || !isOwn && !d.q.Check {
			continue
		}
		s := newShapeCheck(d, row)
		if s.why == "" {
			s.slip.Line += c.Line - 1
			d.recordIn(c, &s.slip)
		}
		if !isOwn || d.page != nil && s.slip.Words != "" { // on a page, the difference already shows the answer
			continue
		}
		if d.page != nil {
			d.page.at = program.Span{To: len(strings.Join(lines[:row.Line], "\n")) + 1}
		}
		if d.emit(s.text()) != nil {
			return
		}
	}
}

// text returns the answer.
func (s *shapeCheck) text() string {
	switch {
	case s.why != "":
		return fmt.Sprintf("%s : not checked, %s\n", s.row.Of, s.why)
	case s.slip.Words != "":
		return fmt.Sprintf("%s : false, the shape is %s: %s\n", s.row.Of, s.slip.Computed, s.slip.Words)
	}
	return fmt.Sprintf("%s : true for %d choices of extents, such as %s\n", s.row.Of, s.trials, s.sample)
}

// newShapeCheck returns the check of a row after all its trials.
func newShapeCheck(d *documentRun, row document.Claim) *shapeCheck {
	s := &shapeCheck{
		d: d, row: row, rests: make(map[string]int),
		slip: Slip{Line: row.Line, Name: row.Of, Stated: row.Text, Computed: row.Text},
	}
	if s.why = s.read(); s.why == "" {
		s.try()
	}
	if s.slip.Words != "" {
		s.slip.Computed = cmp.Or(s.repair(), "another one")
		s.slip.Words += fmt.Sprintf("; %d choices of extents were tried", s.trials)
	}
	return s
}

// read reads the names of the table. It returns why the row cannot be checked.
func (s *shapeCheck) read() (why string) {
	for i, text := range []string{s.row.Layout, s.row.Tiler} {
		for m := range strings.SplitSeq(text[1:len(text)-1], ",") {
			switch m = strings.TrimSpace(m); {
			case i == 0 && shapeDots.MatchString(m) && !s.isCut:
				s.isCut = true
			case !simpleMode.MatchString(m) || s.isCut && i == 0:
				return "the modes of " + text + " must be names or integers, and the dots the last one"
			case i == 0:
				s.modes = append(s.modes, m)
			default:
				s.tiles = append(s.tiles, m)
			}
		}
	}
	return cmp.Or(s.refuse(), s.readRests())
}

// refuse returns why the modes cannot be checked, or "".
func (s *shapeCheck) refuse() string {
	switch {
	case len(s.tiles) > len(s.modes) || len(s.modes) > maxShapeModes:
		return fmt.Sprintf("expected at most %d modes of the layout and no more of the tiler, found %d and %d",
			maxShapeModes, len(s.modes), len(s.tiles))
	case s.row.Tiler[0] == '(' && !s.divides():
		return "(..) is a layout of one shape: write <..> for a tiler of each mode"
	case !s.isCut && shapeDots.MatchString(s.row.Text):
		return "the shape of the layout has no dots"
	}
	return ""
}

func (s *shapeCheck) divides() bool { return strings.HasSuffix(s.row.Of, "divide") }

// readRests finds the modes of the names that only the result has: RestM is what remains of M, divided by its tile.
func (s *shapeCheck) readRests() (why string) {
	known := make(map[string]bool)
	for _, name := range append(s.modes, s.tiles...) {
		known[name] = true
	}
	for _, name := range shapeName.FindAllString(s.row.Text, -1) {
		if known[name] || strings.HasSuffix(name, "(") {
			continue
		}
		mode := -1
		for i := range s.tiles {
			if s.divides() && strings.EqualFold(strings.ReplaceAll(name, "_", ""), "Rest"+s.modes[i]) {
				mode = i
			}
		}
		if mode < 0 {
			return name + " has no extent: only Rest of a mode that the tiler divides, such as Rest" + s.modes[0] + ", is known"
		}
		s.rests[name] = mode
	}
	return ""
}

// extents returns the extents of the names and of two further modes with an assignment. ok is false if there are none:
// 9 does not have the tile 2.
func (s *shapeCheck) extents(shift int) (extents map[string]int64, further [2]int64, ok bool) {
	extents = make(map[string]int64)
	next := func() int64 {
		p := primes[shift]
		shift++
		return p
	}
	value := func(name string) int64 {
		if n, err := strconv.ParseInt(name, 10, 64); err == nil {
			return n
		}
		if extents[name] == 0 {
			extents[name] = next()
		}
		return extents[name]
	}
	for _, t := range s.tiles { // tiles first: a mode must be as large as its tile
		value(t)
	}
	ok = true
	for i, m := range s.modes {
		if i >= len(s.tiles) || !s.divides() {
			value(m)
			continue
		}
		tile := value(s.tiles[i])
		if extents[m] == 0 && !anInteger.MatchString(m[:1]) {
			extents[m] = tile * next()
			extents["Rest"+m] = extents[m] / tile
		}
		rest := value(m) / tile
		ok = ok && rest*tile == value(m)
		for name, mode := range s.rests {
			if mode == i {
				extents[name] = rest
			}
		}
	}
	return extents, [2]int64{next(), next()}, ok
}

// fillShape writes the extents of the names into a shape, and the further modes in place of its dots.
func fillShape(text string, extents map[string]int64, further []int64) string {
	list := ""
	for _, n := range further {
		list += fmt.Sprint(",", n)
	}
	text = strings.ReplaceAll(text, " ", "")
	text = dotsBefore.ReplaceAllString(dotsAfter.ReplaceAllString(text, list), strings.TrimPrefix(list, ","))
	return shapeName.ReplaceAllStringFunc(text, func(name string) string {
		if n := extents[name]; n > 0 {
			return fmt.Sprint(n)
		}
		return name
	})
}

// try compares the row with the operation for all assignments. A row without dots is about no further modes.
func (s *shapeCheck) try() {
	most := 0
	if s.isCut && shapeDots.MatchString(s.row.Text) {
		most = 2
	}
	for further := 0; further <= most && s.why == ""; further++ {
		for _, shift := range shapeShifts {
			s.trial(shift, further)
		}
	}
}

// trial compares the row with the operation for one assignment.
func (s *shapeCheck) trial(shift, further int) {
	expr, stated, _, ok := s.expression(shift, further)
	got, okGot := s.d.value("shape(" + expr + ")")
	said, okSaid := s.d.value(stated)
	if !ok || !okGot || !okSaid {
		s.why = "expected shapes that have values, found " + expr + " and " + stated
		return
	}
	s.trials++
	if s.sample == "" {
		s.sample = expr + " with the shape " + got.Value.String()
	}
	if got.Value.String() != said.Value.String() && s.slip.Words == "" {
		s.slip.Words = fmt.Sprintf("%s has the shape %s, and the text states %s", expr, got.Value, said.Value)
	}
}

// expression returns the operation and the stated shape with the numbers of an assignment, and the names of the
// numbers.
func (s *shapeCheck) expression(shift, further int) (expr, stated string, names map[string]string, ok bool) {
	extents, modes, ok := s.extents(shift)
	more := modes[:further]
	tiler := fillShape(s.row.Tiler, extents, nil)
	expr = s.row.Of + "(" + fillShape(s.row.Layout, extents, more) + ",<" + tiler[1:len(tiler)-1] + ">)"
	names = make(map[string]string)
	for name, n := range extents {
		names[fmt.Sprint(n)] = name
	}
	for _, n := range more {
		names[fmt.Sprint(n)] = "..."
	}
	return expr, fillShape(s.row.Text, extents, more), names, ok
}

// repair returns the shape that the operation has, with the names of the table. It holds for all assignments, or is
// "".
func (s *shapeCheck) repair() string {
	further := 0
	if s.isCut {
		further = 1
	}
	expr, _, names, _ := s.expression(0, further)
	got, ok := s.d.value("shape(" + expr + ")")
	if !ok {
		return ""
	}
	again := *s
	again.slip.Words = ""
	again.row.Text = anInteger.ReplaceAllStringFunc(got.Value.String(), func(n string) string {
		return cmp.Or(names[n], n)
	})
	if again.try(); again.why != "" || again.slip.Words != "" {
		return ""
	}
	return again.row.Text
}
