package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
)

// This file turns values of package cute into nodes. It reads their canonical text, which has everything that
// the accessors have and the terms of coordinate leaves and the stages of a chain besides, in time linear in its
// length.

// A reader reads canonical text. Its input is what girih wrote, so anything else is an error of this package's
// caller: a zero value of an interface, say.
type reader struct {
	text string
	pos  int
}

func (r *reader) errorf(format string, args ...any) error {
	return &cute.Error{
		Code: cute.CodeType, Op: "codegen",
		Msg: fmt.Sprintf("%s at byte %d of %q", fmt.Sprintf(format, args...), r.pos, r.text),
	}
}

// take reads the byte c and reports whether it is there.
func (r *reader) take(c byte) bool {
	if r.pos < len(r.text) && r.text[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

// readTree reads a whole text as one tuple or coordinate.
func readTree(text string) (tree, error) {
	r := &reader{text: text}
	t, err := r.tree()
	if err == nil && r.pos < len(text) {
		err = r.errorf("expected the end")
	}
	return t, err
}

func (r *reader) tree() (tree, error) {
	switch {
	case r.take('_'):
		return open{}, nil
	case !r.take('('):
		return r.leaf()
	case r.take(')'):
		return branch{}, nil
	}
	var b branch
	for {
		t, err := r.tree()
		if err != nil {
			return nil, err
		}
		b = append(b, t)
		switch {
		case r.take(','):
		case r.take(')'):
			return b, nil
		default:
			return nil, r.errorf("expected ',' or ')'")
		}
	}
}

// leaf reads an integer or a sum of coordinates: 3, -2@1, 1@0-2@1.
func (r *reader) leaf() (tree, error) {
	var s sum
	for {
		r.take('+')
		x, err := r.integer()
		if err != nil {
			return nil, err
		}
		t := term{scale: static(x)}
		for r.take('@') {
			i, err := r.integer()
			if err != nil {
				return nil, err
			}
			t.path = append([]int{int(i)}, t.path...) // the text has the innermost index first
		}
		if t.path == nil {
			return t.scale, nil // integers do not add to coordinates
		}
		s = append(s, t)
		if r.pos == len(r.text) || r.text[r.pos] != '+' && r.text[r.pos] != '-' {
			return s, nil
		}
	}
}

func (r *reader) integer() (int64, error) {
	start := r.pos
	r.take('-')
	for r.pos < len(r.text) && r.text[r.pos] >= '0' && r.text[r.pos] <= '9' {
		r.pos++
	}
	x, err := strconv.ParseInt(r.text[start:r.pos], 10, 64)
	if err != nil {
		return 0, r.errorf("expected an integer")
	}
	return x, nil
}

// readLayout reads shape:stride.
func readLayout(text string) (layout, error) {
	shape, stride, _ := strings.Cut(text, ":")
	s, err := readTree(shape)
	if err != nil {
		return layout{}, err
	}
	d, err := readTree(stride)
	return layout{s, d}, err
}

// readChain reads F o offset o ... o L.
func readChain(text string) (node, error) {
	parts := strings.Split(text, " o ")
	inner, err := readLayout(parts[len(parts)-1])
	if err != nil || len(parts) == 1 {
		return inner, err
	}
	c := composed{inner: inner}
	for i := 0; i+2 < len(parts); i += 2 {
		outer, err := readOuter(parts[i])
		if err != nil {
			return nil, err
		}
		offset, err := readTree(parts[i+1])
		if err != nil {
			return nil, err
		}
		c.stages = append(c.stages, stage{outer, offset})
	}
	return c, nil
}

func readOuter(text string) (node, error) {
	if !strings.HasPrefix(text, "Sw<") {
		return readLayout(text)
	}
	w, err := cute.ParseSwizzle(text)
	return swizzle{w.B(), w.M(), w.S()}, err
}
