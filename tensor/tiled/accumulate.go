package tiled

import (
	"sort"

	"girih/cute"
	"girih/tensor"
)

// accumulators are C during the addition: rows of its storage, if each place is the sum of a row offset and a column
// offset; otherwise rows of a copy that is written back at the end.
type accumulators[T any] struct {
	data                  []T
	rows, columns, planes []int64 // offsets
	buffer                []T
	at, column            int64      // the position and the column of the loaded row
	dense                 bool       // the columns are neighbours, so that the row is the storage itself
	into                  *matrix[T] // the matrix that data is a copy of, or nil
}

// accumulators returns the accumulators of C.
func (x *matrix[T]) accumulators() (*accumulators[T], error) {
	c := &accumulators[T]{data: x.of.Data()}
	l, plain := x.of.Layout().(cute.Layout)
	plain = plain && c.data != nil && onceEach(l)
	if !plain {
		var err error
		if c.data, err = x.read(); err != nil {
			return nil, err
		}
		c.into = x
		if l, err = cute.LayoutLeft(cute.Ints(x.columns, x.rows, x.planes)); err != nil {
			return nil, err
		}
	}
	for i, at := range []*[]int64{&c.columns, &c.rows, &c.planes} {
		mode, err := l.Mode(i)
		if err != nil {
			return nil, err
		}
		if *at, err = mode.AppendOffsets(nil); err != nil {
			return nil, err
		}
	}
	if plain {
		for i := range c.planes {
			c.planes[i] += x.of.Start()
		}
	}
	c.dense = true
	for i, p := range c.columns {
		c.dense = c.dense && p == int64(i)
	}
	if !c.dense {
		c.buffer = make([]T, len(c.columns))
	}
	return c, nil
}

// onceEach reports whether no two coordinates share a place. In most layouts each leaf steps over everything that
// smaller steps reach, which needs no enumeration.
func onceEach(l cute.Layout) bool {
	type step struct{ n, d int64 }
	var buf [16]step
	steps := buf[:0]
	for i := range l.LeafCount() {
		if n, d := l.Leaf(i); n > 1 {
			steps = append(steps, step{n, max(d, -d)})
		}
	}
	sort.Slice(steps, func(i, j int) bool { return steps[i].d < steps[j].d })
	reach, ok := int64(0), true
	for _, s := range steps {
		ok = ok && s.d > reach
		reach += (s.n - 1) * s.d // fits in 64 bits, as the layout's offsets do
	}
	if ok {
		return true
	}
	once, _, err := cute.IsInjective(l)
	return err == nil && once
}

// load returns row i of a block, which the caller may change and store.
func (c *accumulators[T]) load(b block, i int64) []T {
	c.at, c.column = c.planes[b.plane]+c.rows[b.row+i], b.column
	if c.dense {
		return c.data[c.at+b.column:][:b.n]
	}
	row := c.buffer[:b.n]
	for j, p := range c.columns[b.column:][:b.n] {
		row[j] = c.data[c.at+p]
	}
	return row
}

// store writes the loaded row.
func (c *accumulators[T]) store(row []T) {
	if c.dense {
		return
	}
	for j, p := range c.columns[c.column:][:len(row)] {
		c.data[c.at+p] = row[j]
	}
}

// finish writes the copy back.
func (c *accumulators[T]) finish() error {
	if c.into == nil {
		return nil
	}
	l, err := cute.LayoutLeft(cute.Ints(int64(len(c.data))))
	if err != nil {
		return err
	}
	src, err := tensor.Make(c.data, l)
	if err != nil {
		return err
	}
	return tensor.Copy(src, c.into.of)
}
