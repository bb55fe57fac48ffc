package main

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/internal/check/cmdline"
	"girih/internal/lang/eval"
)

// This file compares the pictures with the algebra: the text in a cell of a picture, read from the file, must be the
// algebra's answer for the same element.

// A drawn is a cell of a picture: its group, the key and the lines of its label, and its rectangle.
type drawn struct {
	group, key, text, second string
	x, y, w, h               float64
}

// cells reads the cells with keys and labels from an SVG.
func cells(t *testing.T, svg []byte) []drawn {
	t.Helper()
	var out []drawn
	var groups []string
	lines := 0 // lines of text since the last cell
	in := false
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			at := map[string]string{}
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
			}
			number := func(name string) float64 {
				x, _ := strconv.ParseFloat(at[name], 64)
				return x
			}
			switch e.Name.Local {
			case "g":
				groups = append(groups, at["data-key"])
			case "rect":
				if at["data-key"] != "" {
					out = append(out, drawn{
						strings.Join(groups, "/"), at["data-key"], "", "", number("x"), number("y"), number("width"), number("height"),
					})
					lines = 0
				}
			case "text":
				in = len(out) > 0
			}
		case xml.EndElement:
			if e.Name.Local == "g" {
				groups = groups[:len(groups)-1]
			}
			in = false
		case xml.CharData:
			if !in {
				continue
			}
			c := &out[len(out)-1]
			if lines++; lines == 1 {
				c.text = string(e)
			} else if lines == 2 && strings.HasPrefix(string(e), "V") {
				c.second = string(e)
			}
		}
	}
}

// places returns the row and the column of each cell in a grid of rows by cols squares, and how many squares a cell
// spans down and across.
func places(cs []drawn, rows, cols int64) (at [][2]int64, down, across int64) {
	least := func(f func(drawn) float64) float64 {
		return f(slices.MinFunc(cs, func(a, b drawn) int { return cmp.Compare(f(a), f(b)) }))
	}
	x, y := least(func(c drawn) float64 { return c.x }), least(func(c drawn) float64 { return c.y })
	right := -least(func(c drawn) float64 { return -c.x - c.w })
	bottom := -least(func(c drawn) float64 { return -c.y - c.h })
	w, h := (right-x)/float64(cols), (bottom-y)/float64(rows)
	for _, c := range cs {
		at = append(at, [2]int64{int64((c.y-y)/h + 0.5), int64((c.x-x)/w + 0.5)})
	}
	return at, int64(cs[0].h/h + 0.5), int64(cs[0].w/w + 0.5)
}

// flag returns the value of a flag of a command, or "" if the command lacks the flag.
func flag(words []string, name string) string {
	if i := slices.Index(words, name); i >= 0 && i+1 < len(words) {
		return words[i+1]
	}
	return ""
}

// A question asks which threads hold the element at a row and a column of a picture of rows by cols elements.
type question struct {
	rows, cols int64
	ask        func(row, col int64) ([]atom.Holder, error)
}

// ofLayout returns the question for a layout (thread, value) -> index in a tile.
func ofLayout(tv cute.Layout, rows, cols int64) question {
	threads := tv.Modes()[0].Size()
	return table(rows, cols, tv.Size(), func(i int64) (atom.Holder, int64, error) {
		x, err := tv.At(i)
		return atom.Holder{Thread: i % threads, Value: i / threads}, x, err
	})
}

// table returns the question for a function that maps n pairs of a thread and a value to indices.
func table(rows, cols, n int64, at func(i int64) (atom.Holder, int64, error)) question {
	found := map[int64][]atom.Holder{}
	for i := range n {
		h, x, err := at(i)
		if err != nil {
			return question{rows, cols, func(int64, int64) ([]atom.Holder, error) { return nil, err }}
		}
		found[x] = append(found[x], h)
	}
	return question{rows, cols, func(r, c int64) ([]atom.Holder, error) { return found[r+c*rows], nil }}
}

// ofMMA returns the question for an operand of an MMA, which Owners answers. B is drawn K by N.
func ofMMA(v eval.Value, o atom.Operand) (q question) {
	var shape [3]int64
	var owners func(row, col int64) ([]atom.Holder, error)
	switch m := v.(type) {
	case eval.MMAAtom:
		shape = m.Shape
		owners = func(r, c int64) ([]atom.Holder, error) {
			found, err := m.MMA.Owners(o, atom.Place{Row: r, Column: c})
			for i := range found {
				found[i].Thread = m.Lane(found[i].Thread)
			}
			return found, err
		}
	case eval.TiledMMA:
		shape = m.TileShape()
		owners = func(r, c int64) ([]atom.Holder, error) { return m.TiledMMA.Owners(o, cute.Tuple{}, r, c) }
	}
	x, y := map[atom.Operand]int{atom.OperandB: 1}[o], map[atom.Operand]int{atom.OperandC: 1}[o]
	if o != atom.OperandC {
		y = 2
	}
	return question{shape[x], shape[y], owners}
}

var (
	held    = regexp.MustCompile(`^T(\d+)(?:-(\d+))?(?:,(\d+))?(?: ×(\d+))?$`)
	values  = regexp.MustCompile(`^V(\d+)(?:-(\d+))?$`)
	integer = regexp.MustCompile(`^-?\d+`)
)

func atoi(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// checkHolders compares each cell's text with the threads and values that hold the cell's squares.
func checkHolders(t *testing.T, cs []drawn, q question, transposed bool) {
	t.Helper()
	rows, cols := q.rows, q.cols
	if transposed {
		rows, cols = cols, rows
	}
	at, down, across := places(cs, rows, cols)
	if int64(len(cs))*down*across != rows*cols {
		t.Errorf("%d cells of %d by %d squares, want %d by %d squares", len(cs), down, across, rows, cols)
		return
	}
	for i, c := range cs {
		text, second, ok := strings.Cut(c.text, " V")
		if ok {
			c.text, c.second = text, "V"+second
		}
		m, v := held.FindStringSubmatch(c.text), values.FindStringSubmatch(c.second)
		if m == nil || v == nil {
			t.Errorf("the cell %s says %q %q", c.key, c.text, c.second)
			continue
		}
		lastThread, lastValue := cmp.Or(m[2], m[1]), cmp.Or(atoi(v[2]), atoi(v[1]))
		if m[2] == "" && v[2] == "" {
			lastValue += down*across - 1 // the text names only the first value of a vector
		}
		for s := range down * across {
			if s > 0 && s < down*across-1 && down*across > 4 {
				continue // for a large cell, only the first and the last squares
			}
			r, k := at[i][0]+s/across, at[i][1]+s%across
			if transposed {
				r, k = k, r
			}
			found, err := q.ask(r, k)
			if err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(found, func(a, b atom.Holder) int {
				return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Value, b.Value))
			})
			switch {
			case len(found) == 0:
				t.Errorf("the cell %q %q at (%d,%d) is held by no thread", c.text, c.second, r, k)
			case found[0].Thread < atoi(m[1]) || found[0].Thread > atoi(lastThread) || found[0].Value < atoi(v[1]) ||
				found[0].Value > lastValue,
				m[2] == "" && v[2] == "" && found[0].Value != atoi(v[1])+s:
				t.Errorf("the element (%d,%d) is drawn as %q %q: its owners are %v", r, k, c.text, c.second, found)
			case m[3] != "" && (len(found) != 2 || found[1].Thread != atoi(m[3])), m[4] != "" && int64(len(found)) != atoi(m[4]),
				m[3] == "" && m[4] == "" && m[2] == "" && len(found) != 1:
				t.Errorf("the element (%d,%d) is drawn as %q: its owners are %v", r, k, c.text, found)
			}
		}
	}
}

// checkOffsets compares each cell's text with the function's value at the cell's index.
func checkOffsets(t *testing.T, cs []drawn, at func(i int64) (string, error)) {
	t.Helper()
	for _, c := range cs {
		want, err := at(atoi(c.key[1:]))
		if err != nil {
			t.Fatal(err)
		}
		if got := cmp.Or(integer.FindString(c.text), c.text); got != want {
			t.Errorf("the cell of index %s says %q, and its value is %s", c.key[1:], c.text, want)
		}
	}
}

// TestPicturesAgree checks every picture that shows threads or offsets against the algebra, cell by cell.
func TestPicturesAgree(t *testing.T) {
	t.Parallel()
	threads, offsets := regexp.MustCompile(`^t\d+v\d+$`), regexp.MustCompile(`^[ir]\d+$`)
	asked := map[string]int{}
	for _, s := range sections {
		for _, e := range s.entries {
			if e.inline() != "" {
				continue
			}
			t.Run(e.name, func(t *testing.T) {
				out, err := run(e.args(), e.name)
				if err != nil {
					t.Fatal(err)
				}
				groups := map[string][]drawn{}
				for _, c := range cells(t, out) {
					kind := "offsets "
					if threads.MatchString(c.key) {
						kind = "threads "
					} else if !offsets.MatchString(c.key) || c.text == "" {
						continue
					}
					groups[kind+c.group] = append(groups[kind+c.group], c)
				}
				words := cmdline.Split(e.command)
				if slices.Contains(words, "--bank") {
					return // the cells show lanes instead of offsets; analyze has its own tests
				}
				r, err := eval.Eval(words[0])
				if err != nil && !strings.Contains(e.name, "refused") {
					t.Fatal(err)
				}
				if err != nil {
					return // the picture shows why there is no value
				}
				if w, ok := r.Value.(eval.Swizzle); ok {
					asked["offsets"] += checkSwizzle(t, w, groups["offsets before"], groups["offsets after"])
					return
				}
				for name, cs := range groups {
					kind, group, _ := strings.Cut(name, " ")
					if check(t, kind, group, words, r.Value, cs) {
						asked[kind] += len(cs)
					}
				}
			})
		}
	}
	if asked["threads"] < 1500 || asked["offsets"] < 1200 {
		t.Errorf("%v cells were asked for: expected thousands", asked)
	}
}

// check compares the cells of one grid of a picture with the algebra. It reports whether it knows the grid; it does not
// know the grids "sample" and "hardware".
func check(t *testing.T, kind, group string, words []string, v eval.Value, cs []drawn) bool {
	t.Helper()
	if kind == "offsets" {
		if fix := flag(words, "--fix"); fix != "" {
			r, err := eval.Eval(fmt.Sprintf("slice_and_offset(%s, %s)", fix, words[0]))
			if err != nil {
				t.Fatal(err)
			}
			l, base := r.Value.(eval.List)[0].(eval.Layout), atoi(r.Value.(eval.List)[1].String())
			checkOffsets(t, cs, func(i int64) (string, error) {
				y, err := l.At(i)
				return strconv.FormatInt(y+base, 10), err
			})
			return true
		}
		return checkValues(t, group, v, cs)
	}
	if group == "sample" || group == "hardware" || slices.Contains(words, "hardware") {
		return false
	}
	operand := cmp.Or(group, flag(words, "--operand"), "C")
	o := atom.Operand(strings.Index("ABC", operand))
	switch x := v.(type) {
	case eval.MMAAtom, eval.TiledMMA:
		checkHolders(t, cs, ofMMA(x, o), operand == "B" && group != "")
	case eval.TiledCopy:
		tv, shape := x.LayoutSrcTV(), x.Shape().Leaves()
		if group == "destination" {
			tv = x.LayoutDstTV()
		}
		checkHolders(t, cs, ofLayout(tv, shape[0], shape[1]), false)
	case eval.Layout:
		tile, err := cute.ParseTuple("(" + flag(words, "--tv") + ")")
		if err != nil || tile.Rank() != 2 {
			t.Fatalf("%v: %v", words, err)
		}
		checkHolders(t, cs, ofLayout(x.Layout, tile.Leaves()[0], tile.Leaves()[1]), false)
	case eval.CopyAtom:
		tv := x.ValSrc
		if strings.HasPrefix(group, "destination") {
			tv = x.ValDst
		}
		n := min(x.NumValSrc(), 64) // elements per line, numbered across
		q := transposedQuestion(ofLayout(tv, n, tv.Size()/n))
		if k := atoi(strings.TrimLeft(group, "abcdefghijklmnopqrstuvwxyz")); x.CopyAtom.Kind == atom.MatrixCopy {
			all := q.ask // the rows of one matrix
			q = question{8, n, func(r, c int64) ([]atom.Holder, error) { return all(8*k+r, c) }}
		}
		checkHolders(t, cs, q, false)
	case eval.Linear, eval.Encoding:
		return checkBits(t, words, cs)
	default:
		t.Errorf("%v shows threads, and nothing says whether they are right", words)
	}
	return true
}

// transposedQuestion exchanges rows and columns.
func transposedQuestion(q question) question {
	return question{q.cols, q.rows, func(r, c int64) ([]atom.Holder, error) { return q.ask(c, r) }}
}

// checkBits compares the cells with a map over bits, applied to (register, lane, warp).
func checkBits(t *testing.T, words []string, cs []drawn) bool {
	t.Helper()
	tile := flag(words, "--tv")
	expr := words[0]
	if tile != "" {
		expr = fmt.Sprintf("linear(%s, (%s))", words[0], tile)
	}
	r, err := eval.Eval(expr)
	l, ok := r.Value.(eval.Linear)
	if err != nil || !ok {
		t.Fatalf("%s: %v", expr, err)
	}
	size := func(n string) int64 {
		if !l.HasIn(n) {
			return 1
		}
		return l.InSize(n)
	}
	outs := l.OutDims()
	if len(outs) != 2 {
		return false
	}
	rows, cols := outs[0].Size, outs[1].Size
	q := table(rows, cols, size("register")*size("lane")*size("warp"), func(x int64) (atom.Holder, int64, error) {
		y, err := l.Flat(uint64(x))
		return atom.Holder{Thread: x / size("register"), Value: x % size("register")}, int64(y), err
	})
	checkHolders(t, cs, q, false)
	return true
}

// checkValues compares the cells with the offsets of a layout, or with the offsets before and after a swizzle.
func checkValues(t *testing.T, group string, v eval.Value, cs []drawn) bool {
	t.Helper()
	switch x := v.(type) {
	case eval.Layout:
		checkOffsets(t, cs, func(i int64) (string, error) {
			y, err := x.Layout.Eval(cute.Int(i))
			return y.String(), err
		})
	case eval.Composed:
		checkOffsets(t, cs, func(i int64) (string, error) {
			if group == "before" {
				y, err := x.Layout().At(i)
				return strconv.FormatInt(y, 10), err
			}
			y, err := x.Composed.Eval(cute.Int(i))
			return y.String(), err
		})
	default:
		return false
	}
	return true
}

// checkSwizzle compares the numbers after the swizzle with the algebra's, and returns how many numbers there are.
func checkSwizzle(t *testing.T, w eval.Swizzle, before, after []drawn) int {
	t.Helper()
	from := map[string]int64{}
	for _, c := range before {
		from[c.key] = atoi(c.text)
	}
	for _, c := range after {
		x, ok := from[c.key]
		if y, err := w.At(x); !ok || err != nil || y != atoi(c.text) {
			t.Errorf("%v of %d is %d, %v: the picture says %q", w, x, y, err, c.text)
		}
	}
	return len(after)
}
